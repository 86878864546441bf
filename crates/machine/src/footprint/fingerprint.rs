//! Numbers that stand for values in footprints.
//!
//! Both are the same in every run: names enter by their letters, processes and references by their
//! numbers. Terms of usual kinds are mixed word by word; what is left (binaries, maps, funs, large
//! integers) is written down first, or hashed as Erlang does.
//!
//! Cost: linear in the term.

use std::cell::RefCell;
use std::hash::Hasher;

use rustc_hash::FxHasher;
use smallvec::SmallVec;
use term::{Atom, Term, View, hash};

thread_local! {
    /// The numbers of names that were asked for, by their place in the table of names; 0 for
    /// others.
    static NAMES: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// A number for a value: equal values have the same, and of different values two in 2^64 pairs.
pub fn fingerprint(value: &Term) -> u64 {
    mixed(value, |rest| {
        let mut bytes = Vec::new();
        term::etf::encode(rest, 2, &mut bytes);
        of_bytes(&bytes)
    })
}

/// Equal keys have the same hash. It is neither 0 nor the largest number, and short enough to be
/// shown.
pub fn key_hash(key: &Term) -> u64 {
    (mixed(key, |rest| u64::from(hash::phash2(rest))) >> 32) + 1
}

fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    mix(hasher.finish(), bytes.len() as u64)
}

fn of_name(name: Atom) -> u64 {
    NAMES.with_borrow_mut(|known| {
        let place = name.index() as usize;
        if known.len() <= place {
            known.resize(place + 1, 0);
        }
        if known[place] == 0 {
            known[place] = of_bytes(name.as_str().as_bytes());
        }
        known[place]
    })
}

/// Both halves of a product, so that every bit of the arguments matters for every bit of the
/// result.
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xD1B5_4A32_D192_ED03);
    (product >> 64) as u64 ^ product as u64
}

/// What a term without parts adds to the number of the whole.
#[inline]
fn simple(term: &Term) -> Option<(u64, u64)> {
    Some(match term.view() {
        View::Nil => (1, 0),
        View::Int(number) => (2, number as u64),
        View::Atom(atom) => (3, of_name(atom)),
        View::Pid(pid) => (4, pid.0),
        View::Port(port) => (5, port.0),
        View::Ref(reference) => (6, reference.0),
        _ => return None,
    })
}

fn mixed(term: &Term, rest: impl Fn(&Term) -> u64) -> u64 {
    if let Some((tag, number)) = simple(term) {
        return mix(tag, number);
    }
    if let Some(number) = flat(term) {
        return number;
    }
    let mut so_far = 0;
    let mut pending: SmallVec<[&Term; 16]> = SmallVec::new();
    pending.push(term);
    while let Some(term) = pending.pop() {
        let (tag, number) = match (simple(term), term.view()) {
            (Some(simple), _) => simple,
            (None, View::Cons(cell)) => {
                pending.push(&cell.tail);
                pending.push(&cell.head);
                (7, 0)
            }
            (None, View::Tuple(elements)) => {
                pending.extend(elements.iter().rev());
                (8, elements.len() as u64)
            }
            (None, _) => (9, rest(term)),
        };
        so_far = mix(so_far ^ tag, number);
    }
    so_far
}

/// The number of a tuple of terms without parts, as [`mixed`] has it.
fn flat(term: &Term) -> Option<u64> {
    let elements = term.as_tuple()?;
    let mut so_far = mix(8, elements.len() as u64);
    for element in elements {
        let (tag, number) = simple(element)?;
        so_far = mix(so_far ^ tag, number);
    }
    Some(so_far)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tuple without parts has the number that it has inside something else, where it is mixed
    /// step by step.
    #[test]
    fn flat_tuples() {
        let tuple = Term::tuple([Term::atom("key"), Term::int(7), Term::NIL]);
        let mut so_far = mix(7, 0);
        for (tag, number) in [(8, 3), (3, of_bytes(b"key")), (2, 7), (1, 0), (1, 0)] {
            so_far = mix(so_far ^ tag, number);
        }
        assert_eq!(fingerprint(&Term::list([tuple.clone()])), so_far);
        let mut alone = 0;
        for (tag, number) in [(8, 3), (3, of_bytes(b"key")), (2, 7), (1, 0)] {
            alone = mix(alone ^ tag, number);
        }
        assert_eq!(fingerprint(&tuple), alone);
    }
}
