//! I/O lists: nested lists of bytes and binaries, as one binary.

use term::bits::BitWriter;
use term::{Bits, Term, View};

use super::{Builtin, Fallible, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "iolist_to_binary"/1 => |_, a| to_binary(&a[0]),
    "list_to_binary"/1 => |_, a| to_binary(list(&a[0])?),
    "list_to_bitstring"/1 => |_, a| to_bitstring(list(&a[0])?),
    "iolist_size"/1 => |_, a| size(&a[0]),
    "iolist_to_iovec"/1 => |_, a| to_iovec(&a[0]),
);

pub(super) const BINARY: &[Builtin] = builtins!(BINARY, HIDDEN;
    "list_to_bin"/1 => |_, a| to_binary(list(&a[0])?),
);

fn list(term: &Term) -> Fallible<&Term> {
    if term.is_list() { Ok(term) } else { Err(bad()) }
}

/// Visits the parts of an I/O list in order: bytes, and bit strings. `None` if it is none.
pub(super) fn each<'a>(term: &'a Term, mut part: impl FnMut(Part<'a>)) -> Option<()> {
    let mut pending = Vec::new();
    let mut rest = term;
    loop {
        match rest.view() {
            View::Cons(cell) => {
                rest = &cell.tail;
                match cell.head.view() {
                    View::Int(byte) => part(Part::Byte(u8::try_from(byte).ok()?)),
                    View::Bits(bits) => part(Part::Bits(bits)),
                    View::Nil => {}
                    View::Cons(_) => {
                        pending.push(rest);
                        rest = &cell.head;
                    }
                    _ => return None,
                }
                continue;
            }
            View::Nil => {}
            // A whole I/O list may be a binary, and a list may end in one.
            View::Bits(bits) => part(Part::Bits(bits)),
            _ => return None,
        }
        match pending.pop() {
            Some(after) => rest = after,
            None => return Some(()),
        }
    }
}

pub(super) enum Part<'a> {
    Byte(u8),
    Bits(&'a Bits),
}

/// The bytes of an I/O list.
pub(in crate::builtins) fn bytes(term: &Term) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut whole = true;
    each(term, |part| match part {
        Part::Byte(byte) => bytes.push(byte),
        Part::Bits(bits) => match bits.to_bytes() {
            Some(more) => bytes.extend_from_slice(&more),
            None => whole = false,
        },
    })?;
    whole.then_some(bytes)
}

fn to_binary(term: &Term) -> Return {
    if term.is_binary() {
        return Ok(term.clone());
    }
    bytes(term).map(Term::binary).ok_or_else(bad)
}

fn to_bitstring(term: &Term) -> Return {
    let mut writer = BitWriter::default();
    each(term, |part| match part {
        Part::Byte(byte) => writer.push_bytes(&[byte]),
        Part::Bits(bits) => writer.push_bits(bits),
    })
    .ok_or_else(bad)?;
    Ok(Term::bits(writer.finish()))
}

fn size(term: &Term) -> Return {
    let mut size = 0usize;
    let mut whole = true;
    each(term, |part| match part {
        Part::Byte(_) => size += 1,
        Part::Bits(bits) => {
            whole &= bits.is_binary();
            size += bits.byte_len();
        }
    })
    .filter(|()| whole)
    .ok_or_else(bad)?;
    Ok(Term::from(size))
}

/// Binaries up to this size are copied together.
const COPY_LIMIT: usize = 512;

fn to_iovec(term: &Term) -> Return {
    let mut vector = Vec::new();
    let mut buffer = Vec::new();
    let mut whole = true;
    each(term, |part| match part {
        Part::Byte(byte) => buffer.push(byte),
        Part::Bits(bits) => match bits.to_bytes() {
            Some(bytes) if bytes.len() <= COPY_LIMIT => buffer.extend_from_slice(&bytes),
            Some(_) => {
                if !buffer.is_empty() {
                    vector.push(Term::binary(std::mem::take(&mut buffer)));
                }
                vector.push(Term::bits(bits.clone()));
            }
            None => whole = false,
        },
    })
    .filter(|()| whole)
    .ok_or_else(bad)?;
    if !buffer.is_empty() {
        vector.push(Term::binary(buffer));
    }
    Ok(Term::list(vector))
}
