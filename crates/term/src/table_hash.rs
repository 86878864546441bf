//! The hash by which tables place their objects.
//!
//! It follows the BEAM's internal hash where that depends on the value alone, so that a table of
//! numbers, atoms, binaries, or tuples and lists of numbers is walked in the order in which the
//! BEAM walks it. Where the BEAM hashes what only one run of it knows (an atom's index, a pid's
//! word, a pointer) this hashes what is the same on every run: the text, the number.
//!
//! Linear in the size of the term, with a stack of its own. Terms that are exactly equal have equal
//! hashes.

use smallvec::SmallVec;

use crate::fun::Fun;
use crate::hash::{
    GOLDEN, byte, float_words, golden, hash_bytes, mix_shape, mix_word, mix_words, name_hash,
    number_words, parts,
};
use crate::{Boxed, Term, View};

/// What the hash starts from.
const SALT: u32 = 3_432_918_353;

/// The word that stands for `[]` in the BEAM.
const NIL_WORD: u64 = 0x3B;

/// Mixes a constant that says which kind of data comes.
fn mix_kind(hash: u32, kind: u32) -> u32 {
    (hash ^ kind).rotate_left(17)
}

fn mix_u64(hash: u32, word: u64, kind: u32) -> u32 {
    let (low, high) = number_words(word);
    mix_words(hash, low, high, kind)
}

enum Work<'a> {
    Term(&'a Term),
    /// A list ends here in what is no list cell.
    Tail,
}

/// The hash of a key.
pub fn table_hash(key: &Term) -> u32 {
    match key.view() {
        View::Atom(atom) => name_hash(atom),
        View::Int(_) => hash_leaf(key, SALT),
        _ => hash_walk(key),
    }
}

/// The hash that the BEAM calls internal: as for a key, but an atom counts as any other word.
pub fn internal_hash(term: &Term) -> u32 {
    hash_walk(term)
}

fn hash_walk(key: &Term) -> u32 {
    let mut hash = SALT;
    let mut pending: SmallVec<[Work<'_>; 8]> = SmallVec::new();
    let mut current = key;
    loop {
        let next = match current.view() {
            View::Cons(_) => {
                let rest;
                (hash, rest) = hash_string(current, hash);
                match rest.as_cons() {
                    Some(cell) => {
                        hash = mix_kind(hash, golden(17));
                        pending.push(Work::Term(&cell.tail));
                        if cell.tail.as_cons().is_none() {
                            pending.push(Work::Tail);
                        }
                        Some(&cell.head)
                    }
                    None => Some(rest),
                }
            }
            View::Tuple(elements) => {
                hash = mix_word(hash, elements.len() as u32, golden(9));
                pending.extend(elements.iter().rev().map(Work::Term));
                None
            }
            View::Map(map) => {
                hash = mix_word(hash, map.len() as u32, golden(16));
                for (key, value) in map.iter().rev() {
                    pending.extend([Work::Term(value), Work::Term(key)]);
                }
                None
            }
            View::Boxed(Boxed::Fun(Fun::Local(closure))) => {
                let module = name_hash(closure.module);
                hash = mix_words(hash, closure.env.len() as u32, module, golden(20));
                hash = mix_words(hash, closure.index, closure.unique, golden(21));
                pending.extend(closure.env.iter().rev().map(Work::Term));
                None
            }
            View::Boxed(Boxed::Record(record)) => {
                hash = mix_shape(hash, record.shape());
                pending.extend(record.values().iter().rev().map(Work::Term));
                None
            }
            _ => {
                hash = hash_leaf(current, hash);
                None
            }
        };
        if let Some(next) = next {
            current = next;
            continue;
        }
        current = loop {
            match pending.pop() {
                None => return hash,
                Some(Work::Term(term)) => break term,
                Some(Work::Tail) => hash = mix_kind(hash, golden(18)),
            }
        };
    }
}

/// Leading bytes of a list are taken four at a time. Returns what comes after them: a cell with
/// another element, or the end of the list.
fn hash_string(list: &Term, mut hash: u32) -> (u32, &Term) {
    let (mut word, mut count) = (0u32, 0u32);
    let mut rest = list;
    while let Some(cell) = rest.as_cons()
        && let Some(byte) = byte(&cell.head)
    {
        word = (word << 8).wrapping_add(u32::from(byte));
        if count == 3 {
            hash = mix_word(hash, word, golden(4));
            (word, count) = (0, 0);
        } else {
            count += 1;
        }
        rest = &cell.tail;
    }
    if count > 0 {
        hash = mix_words(hash, word, count, golden(22));
    }
    (hash, rest)
}

/// A term without parts.
fn hash_leaf(term: &Term, hash: u32) -> u32 {
    // Integers of the BEAM that are one word.
    const SMALL: std::ops::Range<i64> = -(1 << 59)..1 << 59;
    match term.view() {
        View::Int(value) if SMALL.contains(&value) => {
            mix_u64(hash, (value as u64) << 4 | 0xF, GOLDEN)
        }
        View::Int(value) => {
            let kind = if value < 0 { golden(10) } else { golden(11) };
            mix_u64(hash, value.unsigned_abs(), kind)
        }
        View::Boxed(Boxed::Big(value)) => {
            let negative = value.sign() == num_bigint::Sign::Minus;
            let kind = if negative { golden(10) } else { golden(11) };
            value.iter_u64_digits().fold(hash, |hash, digit| mix_u64(hash, digit, kind))
        }
        View::Atom(atom) => mix_word(hash, name_hash(atom), GOLDEN),
        View::Nil => mix_u64(hash, NIL_WORD, GOLDEN),
        View::Pid(pid) => mix_u64(hash, pid.0 << 4 | 0x3, GOLDEN),
        View::Port(port) => mix_u64(hash, port.0 << 4 | 0x7, GOLDEN),
        View::Ref(reference) => mix_u64(mix_word(hash, 0, golden(7)), reference.0, golden(8)),
        View::Float(value) => {
            let (low, high) = float_words(value);
            mix_words(hash, low, high, golden(12))
        }
        View::Bits(bits) => {
            let start = golden(13).wrapping_add(hash);
            if bits.is_empty() {
                return start;
            }
            let (bytes, last, odd) = parts(bits);
            let hash = hash_bytes(&bytes, start);
            if odd == 0 { hash } else { mix_words(hash, odd as u32, u32::from(last), golden(15)) }
        }
        View::Boxed(Boxed::Fun(fun)) => match fun {
            Fun::External { module, name, arity } => {
                let hash = mix_words(hash, name_hash(*module), name_hash(*name), golden(14));
                mix_word(hash, *arity, golden(14))
            }
            Fun::Local(closure) => mix_word(hash, closure.index, golden(21)),
        },
        View::Boxed(Boxed::Foreign(foreign)) => {
            let hash = mix_words(hash, name_hash(foreign.node), foreign.creation, golden(5));
            foreign.numbers.iter().fold(hash, |hash, &number| mix_word(hash, number, golden(6)))
        }
        // These have parts, and were taken apart before.
        View::Cons(_) | View::Tuple(_) | View::Map(_) | View::Boxed(Boxed::Record(_)) => hash,
    }
}
