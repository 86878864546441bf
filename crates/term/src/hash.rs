//! Hash values of terms that are the same everywhere: `erlang:phash2` and `erlang:phash`.
//!
//! The numbers are part of OTP's interface (programs store them), so both follow OTP's definition
//! step by step: `phash2` mixes 32-bit words by Bob Jenkins' function, `phash` multiplies by
//! primes. Linear in the size of the term, with a stack of its own.

use crate::fun::Fun;
use crate::record::Shape;
use crate::{Atom, Bits, Boxed, ForeignKind, Term, View};

/// The multiples of the golden ratio that tell kinds of data apart.
pub(crate) const GOLDEN: u32 = 0x9E37_79B9;

pub(crate) const fn golden(times: u32) -> u32 {
    GOLDEN.wrapping_mul(times)
}

/// Bob Jenkins' mixing of three words; the third is the hash.
fn mix(mut a: u32, mut b: u32, mut c: u32) -> u32 {
    a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> 13);
    b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << 8);
    c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> 13);
    a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> 12);
    b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << 16);
    c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> 5);
    a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> 3);
    b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << 10);
    c.wrapping_sub(a).wrapping_sub(b) ^ (b >> 15)
}

/// Mixes two words of one kind into a hash.
pub(crate) fn mix_words(hash: u32, first: u32, second: u32, kind: u32) -> u32 {
    mix(kind.wrapping_add(first), kind.wrapping_add(second), hash)
}

pub(crate) fn mix_word(hash: u32, word: u32, kind: u32) -> u32 {
    mix_words(hash, word, 0, kind)
}

/// The hash of an atom's name. Characters of Latin-1 count as one byte.
pub(crate) fn name_hash(atom: Atom) -> u32 {
    let mut hash = 0u32;
    let mut step = |byte: u8| {
        hash = (hash << 4).wrapping_add(u32::from(byte));
        let high = hash & 0xF000_0000;
        if high != 0 {
            hash ^= high >> 24;
            hash ^= high;
        }
    };
    let mut buffer = [0; 4];
    for c in atom.as_str().chars() {
        match u8::try_from(u32::from(c)) {
            Ok(byte) => step(byte),
            Err(_) => c.encode_utf8(&mut buffer).bytes().for_each(&mut step),
        }
    }
    hash
}

/// Three words at a time, then what is left; `start` is the hash so far.
pub(crate) fn hash_bytes(bytes: &[u8], start: u32) -> u32 {
    let (mut a, mut b, mut c) = (GOLDEN, GOLDEN, start);
    let word =
        |bytes: &[u8]| bytes.iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
    let mut blocks = bytes.chunks_exact(12);
    for block in blocks.by_ref() {
        a = a.wrapping_add(word(&block[..4]));
        b = b.wrapping_add(word(&block[4..8]));
        c = c.wrapping_add(word(&block[8..]));
        // The mixing needs all three afterwards.
        (a, b, c) = mix_all(a, b, c);
    }
    let rest = blocks.remainder();
    c = c.wrapping_add(bytes.len() as u32);
    a = a.wrapping_add(word(&rest[..rest.len().min(4)]));
    b = b.wrapping_add(word(&rest[rest.len().min(4)..rest.len().min(8)]));
    // The lowest byte of the third word is for the length.
    c = c.wrapping_add(word(&rest[rest.len().min(8)..]) << 8);
    mix(a, b, c)
}

fn mix_all(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> 13);
    b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << 8);
    c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> 13);
    a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> 12);
    b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << 16);
    c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> 5);
    a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> 3);
    b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << 10);
    c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> 15);
    (a, b, c)
}

/// Whole bytes of a bit string, and the bits after them with their number.
pub(crate) fn parts(bits: &Bits) -> (Vec<u8>, u8, usize) {
    let whole = bits.bit_len() / 8;
    let odd = bits.bit_len() % 8;
    let bytes = (0..whole).map(|i| bits.byte_at(i)).collect();
    let last = if odd == 0 { 0 } else { bits.byte_at(whole) >> (8 - odd) };
    (bytes, last, odd)
}

/// The words of an identifier that are hashed: low and high.
pub(crate) fn number_words(number: u64) -> (u32, u32) {
    (number as u32, (number >> 32) as u32)
}

/// A float's words, low and high; both zeros are the positive one.
pub(crate) fn float_words(value: f64) -> (u32, u32) {
    number_words(if value == 0.0 { 0 } else { value.to_bits() })
}

pub(crate) fn byte(term: &Term) -> Option<u8> {
    term.as_int().and_then(|value| u8::try_from(value).ok())
}

/// What is still to be hashed.
enum Work<'a> {
    Term(&'a Term),
    /// An entry of a map is done.
    Entry,
    /// All entries of a map are done; what was going on before it: hash and entries.
    EndOfMap(u32, u32),
}

/// All 32 bits of `phash2`.
pub fn phash2(term: &Term) -> u32 {
    let mut hash = 0u32;
    let mut entries = 0u32;
    let mut pending = Vec::new();
    let mut current = term;
    loop {
        let next = match current.view() {
            View::Cons(_) => {
                let (mixed, next) = hash_string(current, hash, &mut pending);
                hash = mixed;
                Some(next)
            }
            View::Tuple(elements) => {
                hash = mix_word(hash, elements.len() as u32, golden(9));
                match elements {
                    [] => None,
                    [first, rest @ ..] => {
                        pending.extend(rest.iter().rev().map(Work::Term));
                        Some(first)
                    }
                }
            }
            View::Map(map) => {
                hash = mix_word(hash, map.len() as u32, golden(16));
                if !map.is_empty() {
                    pending.push(Work::EndOfMap(hash, entries));
                    (hash, entries) = (0, 0);
                    for (key, value) in map.iter() {
                        pending.extend([Work::Entry, Work::Term(value), Work::Term(key)]);
                    }
                }
                None
            }
            View::Boxed(Boxed::Fun(Fun::Local(closure))) => {
                let name = name_hash(closure.module);
                hash = mix_words(hash, closure.env.len() as u32, name, GOLDEN);
                hash = mix_words(hash, closure.index, closure.unique, GOLDEN);
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
                Some(Work::Entry) => {
                    entries ^= hash;
                    hash = 0;
                }
                Some(Work::EndOfMap(before, outer)) => {
                    hash = mix_word(before, entries, golden(19));
                    entries = outer;
                }
            }
        };
    }
}

/// What records of one definition have in common. Which number a record has is nowhere said.
pub(crate) fn mix_shape(hash: u32, shape: &Shape) -> u32 {
    let (module, name) = (name_hash(shape.module), name_hash(shape.name));
    let hash = mix_words(hash, module, name, golden(23));
    let count = shape.fields().len() as u32;
    let hash = mix_words(hash, count, u32::from(shape.exported), golden(23));
    shape.fields().iter().fold(hash, |hash, field| mix_word(hash, name_hash(*field), golden(24)))
}

/// Leading bytes of a list are taken four at a time. What comes next is returned: an element that
/// is no byte (the rest of the list is then pending), or the end of the list.
fn hash_string<'a>(list: &'a Term, mut hash: u32, pending: &mut Vec<Work<'a>>) -> (u32, &'a Term) {
    let (mut word, mut count) = (0u32, 0);
    let mut rest = list;
    while let Some(cell) = rest.as_cons()
        && let Some(byte) = byte(&cell.head)
    {
        word = (word << 8).wrapping_add(u32::from(byte));
        count += 1;
        if count == 4 {
            hash = mix_word(hash, word, golden(4));
            (word, count) = (0, 0);
        }
        rest = &cell.tail;
    }
    if count > 0 {
        hash = mix_word(hash, word, golden(4));
    }
    match rest.as_cons() {
        Some(cell) => {
            pending.push(Work::Term(&cell.tail));
            (hash, &cell.head)
        }
        None => (hash, rest),
    }
}

/// A term without parts.
fn hash_leaf(term: &Term, hash: u32) -> u32 {
    const NIL_ALONE: u32 = 3_468_870_702;
    const NIL_KIND: u32 = 2;
    match term.view() {
        View::Nil if hash == 0 => NIL_ALONE,
        View::Nil => mix_word(hash, NIL_KIND, golden(2)),
        View::Atom(atom) if hash == 0 => name_hash(atom),
        View::Atom(atom) => mix_word(hash, name_hash(atom), golden(3)),
        View::Int(value) if (-(1 << 27)..1 << 27).contains(&value) => {
            let mixed = if value < 0 { mix_word(hash, -value as u32, GOLDEN) } else { hash };
            mix_word(mixed, value as u32, GOLDEN)
        }
        View::Int(value) => {
            let kind = if value < 0 { golden(10) } else { golden(11) };
            let (low, high) = number_words(value.unsigned_abs());
            mix_words(hash, low, high, kind)
        }
        View::Boxed(Boxed::Big(value)) => {
            let kind =
                if value.sign() == num_bigint::Sign::Minus { golden(10) } else { golden(11) };
            value.iter_u64_digits().fold(hash, |hash, digit| {
                let (low, high) = number_words(digit);
                mix_words(hash, low, high, kind)
            })
        }
        View::Float(value) => {
            let (low, high) = float_words(value);
            mix_words(hash, high, low, golden(12))
        }
        View::Bits(bits) => {
            let start = golden(13).wrapping_add(hash);
            if bits.is_empty() {
                return start;
            }
            let (bytes, last, odd) = parts(bits);
            let hash = hash_bytes(&bytes, start);
            if odd == 0 {
                return hash;
            }
            mix_words(hash, odd as u32, u32::from(last), golden(15))
        }
        View::Pid(pid) => mix_word(hash, (pid.0 & 0x7FFF) as u32, golden(5)),
        View::Port(port) => {
            let (low, high) = number_words(port.0);
            mix_words(hash, low, high, golden(6))
        }
        View::Ref(reference) => mix_word(hash, reference.0 as u32, golden(7)),
        View::Boxed(Boxed::Fun(Fun::External { module, name, arity })) => {
            let hash = mix_words(hash, *arity, name_hash(*module), GOLDEN);
            mix_word(hash, name_hash(*name), golden(14))
        }
        View::Boxed(Boxed::Foreign(foreign)) => {
            let number = |at: usize| foreign.numbers.get(at).copied().unwrap_or(0);
            match foreign.kind {
                ForeignKind::Pid => mix_word(hash, number(0), golden(5)),
                ForeignKind::Port => mix_words(hash, number(0), number(1), golden(6)),
                ForeignKind::Ref => mix_word(hash, number(0), golden(7)),
            }
        }
        _ => hash,
    }
}

/// Primes just above 2^28, as OTP numbers them.
const PRIMES: [u32; 15] = [
    0,
    268_440_163,
    268_439_161,
    268_435_459,
    268_436_141,
    268_438_633,
    268_437_017,
    268_438_039,
    268_437_511,
    268_439_627,
    268_440_479,
    268_440_577,
    268_440_581,
    268_440_593,
    268_440_611,
];

/// `hash * PRIMES[prime] + value`
fn step(hash: u32, prime: usize, value: u32) -> u32 {
    hash.wrapping_mul(PRIMES[prime]).wrapping_add(value)
}

/// The four bytes of a word, the lowest first.
fn step_word(hash: u32, prime: usize, word: u32) -> u32 {
    word.to_le_bytes().into_iter().fold(hash, |hash, byte| step(hash, prime, u32::from(byte)))
}

/// What `phash` still has to do.
enum OldWork<'a> {
    Term(&'a Term),
    /// The tail of a list; then the list is done.
    Tail(&'a Term),
    EndOfList,
    EndOfTuple(u32),
}

/// All 32 bits of `phash`.
pub fn phash(term: &Term) -> u32 {
    let mut hash = 0u32;
    let mut pending = vec![OldWork::Term(term)];
    while let Some(work) = pending.pop() {
        match work {
            OldWork::EndOfList => hash = step(hash, 8, 0),
            OldWork::EndOfTuple(len) => hash = step(hash, 9, len),
            OldWork::Tail(tail) if tail.as_cons().is_none() => {
                pending.extend([OldWork::EndOfList, OldWork::Term(tail)]);
            }
            OldWork::Term(term) | OldWork::Tail(term) => match term.view() {
                View::Cons(_) => hash = old_string(term, hash, &mut pending),
                View::Tuple(elements) => {
                    pending.push(OldWork::EndOfTuple(elements.len() as u32));
                    pending.extend(elements.iter().rev().map(OldWork::Term));
                }
                View::Boxed(Boxed::Fun(Fun::Local(closure))) => {
                    hash = step(hash, 10, closure.env.len() as u32);
                    hash = step(hash, 1, name_hash(closure.module));
                    hash = step(hash, 2, closure.index);
                    hash = step(hash, 2, closure.unique);
                    pending.extend(closure.env.iter().rev().map(OldWork::Term));
                }
                _ => hash = old_leaf(term, hash),
            },
        }
    }
    hash
}

/// Leading bytes of a list; the rest is put off.
fn old_string<'a>(list: &'a Term, mut hash: u32, pending: &mut Vec<OldWork<'a>>) -> u32 {
    let mut rest = list;
    while let Some(cell) = rest.as_cons() {
        let Some(byte) = byte(&cell.head) else {
            pending.extend([OldWork::Tail(&cell.tail), OldWork::Term(&cell.head)]);
            return hash;
        };
        hash = step(hash, 2, u32::from(byte));
        rest = &cell.tail;
    }
    pending.extend([OldWork::EndOfList, OldWork::Term(rest)]);
    hash
}

fn old_leaf(term: &Term, hash: u32) -> u32 {
    match term.view() {
        View::Nil => step(hash, 3, 1),
        View::Atom(atom) => step(hash, 1, name_hash(atom)),
        View::Int(value) => {
            let (low, high) = number_words(value.unsigned_abs());
            let mut hash = step_word(hash, 2, low);
            if high != 0 {
                hash = step_word(hash, 2, high);
            }
            step(hash, if value < 0 { 4 } else { 3 }, 0)
        }
        View::Boxed(Boxed::Big(value)) => {
            let negative = value.sign() == num_bigint::Sign::Minus;
            let hash = value.iter_u32_digits().fold(hash, |hash, digit| step_word(hash, 2, digit));
            step(hash, if negative { 4 } else { 3 }, 0)
        }
        View::Float(value) => {
            let (low, high) = float_words(value);
            step(hash, 6, low ^ high)
        }
        View::Bits(bits) => {
            let (bytes, last, odd) = parts(bits);
            let mut hash = bytes.iter().fold(hash, |hash, &byte| step(hash, 1, u32::from(byte)));
            if odd > 0 {
                hash = step(step(hash, 1, u32::from(last)), 12, odd as u32);
            }
            step(hash, 4, bytes.len() as u32)
        }
        View::Map(_) | View::Boxed(Boxed::Record(_)) => {
            step(hash, 13, PRIMES[14].wrapping_add(phash2(term)))
        }
        View::Pid(pid) => step(step_word(hash, 5, (pid.0 & 0x7FFF) as u32), 6, 0),
        View::Port(port) => {
            let (low, high) = number_words(port.0);
            let hash = if high != 0 { step_word(hash, 11, high) } else { hash };
            step(step_word(hash, 9, low), 10, 0)
        }
        View::Ref(reference) => step(step_word(hash, 9, reference.0 as u32), 10, 0),
        View::Boxed(Boxed::Fun(Fun::External { module, name, arity })) => {
            let hash = step(hash, 11, *arity);
            step(step(hash, 1, name_hash(*module)), 1, name_hash(*name))
        }
        View::Boxed(Boxed::Foreign(foreign)) => {
            let number = |at: usize| foreign.numbers.get(at).copied().unwrap_or(0);
            match (foreign.kind, number(1)) {
                (ForeignKind::Pid, _) => step(step_word(hash, 5, number(0)), 6, 0),
                (ForeignKind::Port, high) if high != 0 => {
                    step(step_word(step_word(hash, 11, high), 9, number(0)), 10, 0)
                }
                _ => step(step_word(hash, 9, number(0)), 10, 0),
            }
        }
        _ => hash,
    }
}
