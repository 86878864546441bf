//! Interned names: Erlang atoms, and every other name of a program (variables, macros).
//!
//! An [`Atom`] is a 32-bit index into one table for the whole program, as the atom table of an
//! Erlang node is. Equality and hashing cost one comparison of integers; the text is found without
//! taking a lock. Entries are never removed (a name lives as long as the program does), so the
//! table grows with the number of *different* names that were read.
//!
//! The index says in which order names were first seen, which differs from run to run when files
//! are read in parallel. Nothing that a user can observe may depend on it: [`Ord`] compares the
//! text, as Erlang's term order does.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

pub mod known;
pub mod quote;

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

/// The lookup side is split so that threads which read different files rarely wait for each other.
const SHARDS: usize = 64;
/// Chunk `i` of the text side holds `FIRST_CHUNK << i` entries; 20 chunks hold over 10^9 names. The
/// first has room for the builtins and a small program: memory that is touched costs more than the
/// names in it.
const FIRST_CHUNK: usize = 1 << 10;
const CHUNKS: usize = 20;

type Chunk = Box<[OnceLock<&'static str>]>;

struct Table {
    shards: Vec<Mutex<FxHashMap<&'static str, Atom>>>,
    chunks: [OnceLock<Chunk>; CHUNKS],
    next: Mutex<u32>,
}

static TABLE: OnceLock<Table> = OnceLock::new();

/// A shard with room for its part of the builtins' names.
fn shard() -> FxHashMap<&'static str, Atom> {
    FxHashMap::with_capacity_and_hasher(14, FxBuildHasher)
}

fn table() -> &'static Table {
    TABLE.get_or_init(|| {
        let table = Table {
            shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect(),
            chunks: [const { OnceLock::new() }; CHUNKS],
            next: Mutex::new(0),
        };
        for (index, text) in known::TEXTS.iter().enumerate() {
            let atom = table.intern(text, |text| text);
            assert_eq!(atom.0 as usize, index, "well-known atom listed twice: {text}");
        }
        table
    })
}

/// Where entry `index` is stored: the chunk, and the place in it.
fn place(index: u32) -> (usize, usize) {
    let shifted = index as usize / FIRST_CHUNK + 1;
    let chunk = shifted.ilog2() as usize;
    let before = FIRST_CHUNK * ((1 << chunk) - 1);
    (chunk, index as usize - before)
}

impl Table {
    /// The atom with a text; `keep` makes it last if there is none yet.
    fn intern<'t>(&self, text: &'t str, keep: impl FnOnce(&'t str) -> &'static str) -> Atom {
        let shard = (FxBuildHasher.hash_one(text) >> 32) as usize % SHARDS;
        // A panic while a lock was held cannot leave an entry half written: see below, the map
        // entry is the last thing that is made.
        let mut shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&atom) = shard.get(text) {
            return atom;
        }
        let text = keep(text);
        let atom = self.append(text);
        shard.insert(text, atom);
        atom
    }

    fn find(&self, text: &str) -> Option<Atom> {
        let shard = (FxBuildHasher.hash_one(text) >> 32) as usize % SHARDS;
        let shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        shard.get(text).copied()
    }

    fn append(&self, text: &'static str) -> Atom {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let index = *next;
        let (chunk, slot) = place(index);
        let chunk = self.chunks[chunk]
            .get_or_init(|| (0..FIRST_CHUNK << chunk).map(|_| OnceLock::new()).collect());
        let _ = chunk[slot].set(text);
        *next += 1;
        Atom(index)
    }
}

impl Atom {
    /// The atom with this text.
    pub fn new(text: &str) -> Atom {
        table().intern(text, |text| Box::leak(text.into()))
    }

    /// The same for a text that lasts, which is not copied.
    pub fn of_static(text: &'static str) -> Atom {
        table().intern(text, |text| text)
    }

    /// The atom with this text, if there is one already.
    pub fn existing(text: &str) -> Option<Atom> {
        table().find(text)
    }

    /// The text.
    #[inline]
    pub fn as_str(self) -> &'static str {
        let (chunk, slot) = place(self.0);
        // An `Atom` is only ever made for an entry that has been written.
        table().chunks[chunk].get().and_then(|chunk| chunk[slot].get()).copied().unwrap_or_default()
    }

    /// The atom at a position that [`Atom::index`] gave.
    #[inline]
    pub const fn from_index(index: u32) -> Atom {
        Atom(index)
    }

    /// Position in the table. For dense side tables inside one run; never shown, never stored.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }
}

impl From<&str> for Atom {
    fn from(text: &str) -> Atom {
        Atom::new(text)
    }
}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Atom) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Atom {
    /// By text. UTF-8 keeps the order of code points, so comparing bytes is Erlang's order.
    fn cmp(&self, other: &Atom) -> std::cmp::Ordering {
        if self.0 == other.0 {
            return std::cmp::Ordering::Equal;
        }
        self.as_str().cmp(other.as_str())
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.as_str())
    }
}

impl fmt::Display for Atom {
    /// The bare text, without the quotes that Erlang may need (see `syntax::quote`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_text_same_atom() {
        assert_eq!(Atom::new("foo"), Atom::new("foo"));
        assert_ne!(Atom::new("foo"), Atom::new("bar"));
        assert_eq!(Atom::new("foo").as_str(), "foo");
        assert_eq!(Atom::new("").as_str(), "");
    }

    #[test]
    fn well_known_atoms_have_their_text() {
        assert_eq!(known::OK.as_str(), "ok");
        assert_eq!(Atom::new("ok"), known::OK);
    }

    #[test]
    fn order_is_by_text() {
        let (b, a) = (Atom::new("order_b"), Atom::new("order_a"));
        assert!(a < b && known::OK > known::ERROR);
    }

    #[test]
    fn many_atoms_from_many_threads() {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..20_000 {
                        let text = format!("many_{i}");
                        assert_eq!(Atom::new(&text).as_str(), text);
                    }
                });
            }
        });
    }
}
