//! The external term format: bytes to [`Terms`].
//!
//! Reads what `term_to_binary/1,2` writes, from the old atom and pid tags to the current ones, and
//! compressed terms. One loop with an explicit stack of unfinished containers: nesting costs
//! memory, not stack. Every count is checked against the bytes that are left before anything is
//! reserved, and an inflated term may not be larger than [`INFLATED_LIMIT`], so a small file
//! cannot ask for much memory.
//!
//! Differs from OTP: pids, ports, references, funs and bit strings that end inside a byte are
//! skipped and remembered as opaque; nothing in a `.beam` file that we read contains them.

use atom::Atom;
use num_bigint::{BigInt, Sign};

use crate::terms::{TermId, TermKind, Terms};

/// More than any debug information that was ever written; less than what hurts.
pub(crate) const INFLATED_LIMIT: usize = 1 << 27;

const VERSION: u8 = 131;
const COMPRESSED: u8 = 80;

/// Why bytes are not a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EtfError {
    /// The first byte is not the version that this format has.
    Version,
    /// The bytes end inside a term.
    Truncated,
    /// A tag that no release writes.
    Tag(u8),
    /// A compressed term that cannot be inflated, or not within the limit.
    Compression,
    /// An atom whose bytes are no text.
    Atom,
}

impl std::fmt::Display for EtfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EtfError::Version => f.write_str("not in external term format"),
            EtfError::Truncated => f.write_str("the term ends too early"),
            EtfError::Tag(tag) => write!(f, "unknown tag {tag} in a term"),
            EtfError::Compression => f.write_str("a compressed term is damaged or too large"),
            EtfError::Atom => f.write_str("an atom is not valid UTF-8"),
        }
    }
}

/// Reads one term. Bytes after it are ignored.
pub fn decode(bytes: &[u8], terms: &mut Terms) -> Result<TermId, EtfError> {
    let Some((&VERSION, rest)) = bytes.split_first() else { return Err(EtfError::Version) };
    if rest.first() != Some(&COMPRESSED) {
        return Reader { bytes: rest }.term(terms);
    }
    let size = rest.get(1..5).ok_or(EtfError::Truncated)?;
    let size = u32::from_be_bytes([size[0], size[1], size[2], size[3]]) as usize;
    if size > INFLATED_LIMIT {
        return Err(EtfError::Compression);
    }
    let inflated = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&rest[5..], size)
        .map_err(|_| EtfError::Compression)?;
    Reader { bytes: &inflated }.term(terms)
}

/// A container whose children are still being read.
struct Open {
    what: Container,
    remaining: usize,
    children: Vec<TermId>,
}

enum Container {
    Tuple,
    Map,
    /// The last child is the tail.
    List,
    /// Children that are read and forgotten.
    Opaque(&'static str),
}

/// What one tag amounts to.
enum Item {
    Done(TermId),
    Open(Container, usize),
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn term(&mut self, terms: &mut Terms) -> Result<TermId, EtfError> {
        let mut stack: Vec<Open> = Vec::new();
        loop {
            let mut done = match self.item(terms)? {
                Item::Done(id) => id,
                // Every child takes at least one byte.
                Item::Open(_, count) if count > self.bytes.len() => {
                    return Err(EtfError::Truncated);
                }
                Item::Open(what, remaining) => {
                    let open = Open { what, remaining, children: Vec::new() };
                    if remaining > 0 {
                        stack.push(open);
                        continue;
                    }
                    close(open, terms)
                }
            };
            // Hand the finished term to the container it is in, which may be finished by it.
            loop {
                let Some(open) = stack.last_mut() else { return Ok(done) };
                open.children.push(done);
                open.remaining -= 1;
                if open.remaining > 0 {
                    break;
                }
                let Some(open) = stack.pop() else { return Ok(done) };
                done = close(open, terms);
            }
        }
    }

    fn item(&mut self, terms: &mut Terms) -> Result<Item, EtfError> {
        let tag = self.u8()?;
        let id = match tag {
            97 => {
                let value = self.u8()?;
                terms.add(TermKind::Integer(value.into()))
            }
            98 => {
                let value = self.u32()? as i32;
                terms.add(TermKind::Integer(value.into()))
            }
            // NEW_FLOAT; the text form of old releases
            70 => {
                let raw = self.take(8)?.try_into().map_err(|_| EtfError::Truncated)?;
                terms.add(TermKind::Float(f64::from_be_bytes(raw)))
            }
            99 => {
                let text = self.take(31)?;
                let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
                let value = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                terms.add(TermKind::Float(value.ok_or(EtfError::Tag(tag))?))
            }
            // SMALL_TUPLE, LARGE_TUPLE, MAP, LIST
            104 => return Ok(Item::Open(Container::Tuple, self.u8()?.into())),
            105 => return Ok(Item::Open(Container::Tuple, self.u32()? as usize)),
            116 => {
                let pairs = self.u32()? as usize;
                return Ok(Item::Open(Container::Map, pairs.saturating_mul(2)));
            }
            108 => return Ok(Item::Open(Container::List, self.u32()? as usize + 1)),
            106 => terms.add(TermKind::Nil),
            // STRING: a list of bytes
            107 => {
                let len = self.u16()? as usize;
                let bytes = self.take(len)?;
                let elements: Vec<_> =
                    bytes.iter().map(|&b| terms.add(TermKind::Integer(b.into()))).collect();
                terms.list(&elements, None)
            }
            109 => {
                let len = self.u32()? as usize;
                let bytes = self.take(len)?;
                terms.binary(bytes)
            }
            // SMALL_BIG, LARGE_BIG
            110 | 111 => {
                let len = if tag == 110 { self.u8()?.into() } else { self.u32()? as usize };
                let sign = if self.u8()? == 0 { Sign::Plus } else { Sign::Minus };
                terms.integer(BigInt::from_bytes_le(sign, self.take(len)?))
            }
            // Atoms: latin1 with two bytes or one of length, the same in UTF-8
            100 | 115 | 118 | 119 => {
                let len = if matches!(tag, 100 | 118) { self.u16()? } else { self.u8()?.into() };
                let bytes = self.take(len as usize)?;
                let atom = if matches!(tag, 118 | 119) {
                    Atom::new(std::str::from_utf8(bytes).map_err(|_| EtfError::Atom)?)
                } else {
                    Atom::new(&bytes.iter().map(|&b| char::from(b)).collect::<String>())
                };
                terms.add(TermKind::Atom(atom))
            }
            _ => return self.opaque(tag, terms),
        };
        Ok(Item::Done(id))
    }

    /// Terms that belong to a running node: skipped over, so that what comes next can be read.
    fn opaque(&mut self, tag: u8, terms: &mut Terms) -> Result<Item, EtfError> {
        let what = match tag {
            // BIT_BINARY
            77 => {
                let len = self.u32()? as usize;
                self.take(len.saturating_add(1))?;
                "bitstring"
            }
            // REFERENCE, PORT, PID with their newer relatives: a node's name, which is an atom,
            // then numbers.
            101 | 89 | 102 | 120 | 103 | 88 | 114 | 90 => {
                let words = if matches!(tag, 114 | 90) { self.u16()? as usize } else { 0 };
                if !matches!(self.bytes.first(), Some(100 | 115 | 118 | 119)) {
                    return Err(EtfError::Tag(tag));
                }
                self.item(terms)?;
                self.take(match tag {
                    101 | 102 => 5,
                    89 => 8,
                    120 => 12,
                    103 => 9,
                    88 => 12,
                    114 => 1 + 4 * words,
                    _ => 4 + 4 * words,
                })?;
                if matches!(tag, 102 | 89 | 120) {
                    "port"
                } else if matches!(tag, 103 | 88) {
                    "pid"
                } else {
                    "reference"
                }
            }
            // EXPORT: module, function, arity
            113 => return Ok(Item::Open(Container::Opaque("fun"), 3)),
            // NEW_FUN says how long it is
            112 => {
                let size = self.u32()? as usize;
                self.take(size.checked_sub(4).ok_or(EtfError::Truncated)?)?;
                "fun"
            }
            tag => return Err(EtfError::Tag(tag)),
        };
        Ok(Item::Done(terms.add(TermKind::Opaque(what))))
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], EtfError> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(EtfError::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn u8(&mut self) -> Result<u8, EtfError> {
        Ok(self.take(1)?[0])
    }

    fn u16(&mut self) -> Result<u16, EtfError> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Result<u32, EtfError> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}

fn close(open: Open, terms: &mut Terms) -> TermId {
    match open.what {
        Container::Tuple => terms.tuple(&open.children),
        Container::Map => terms.map(&open.children),
        Container::List => match open.children.split_last() {
            Some((&tail, elements)) => terms.list(elements, Some(tail)),
            None => terms.add(TermKind::Nil),
        },
        Container::Opaque(what) => terms.add(TermKind::Opaque(what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// What the bytes behind the version are.
    #[track_caller]
    fn check(bytes: &[u8], expected: Expect) {
        let mut terms = Terms::default();
        let mut all = vec![VERSION];
        all.extend_from_slice(bytes);
        let shown = match decode(&all, &mut terms) {
            Ok(id) => terms.get(id).to_string(),
            Err(error) => format!("error: {error}"),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn terms() {
        check(b"\x61\x2a", expect!["42"]);
        check(b"\x62\xff\xff\xff\xff", expect!["-1"]);
        check(
            b"\x6e\x09\x01\x00\x00\x00\x00\x00\x00\x00\x00\x01",
            expect!["-18446744073709551616"],
        );
        check(b"\x46\x3f\xf8\x00\x00\x00\x00\x00\x00", expect!["1.5"]);
        check(b"\x64\x00\x02ok", expect!["ok"]);
        check(b"\x77\x02\xc3\xa9", expect!["é"]);
        check(b"\x73\x01\xe9", expect!["é"]);
        check(b"\x6b\x00\x03abc", expect![[r#""abc""#]]);
        check(b"\x6c\x00\x00\x00\x01\x61\x01\x61\x02", expect!["[1|2]"]);
        check(b"\x68\x02\x6a\x68\x00", expect!["{[],{}}"]);
        check(b"\x74\x00\x00\x00\x01\x61\x01\x6d\x00\x00\x00\x01\x07", expect!["#{1 => <<7>>}"]);
        check(b"\x58\x77\x01n\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03", expect!["'<pid>'"]);
        check(b"\x4d\x00\x00\x00\x01\x03\xe0", expect!["'<bitstring>'"]);
        check(b"\x71\x77\x01m\x77\x01f\x61\x01", expect!["'<fun>'"]);
    }

    #[test]
    fn damage() {
        check(b"", expect!["error: the term ends too early"]);
        check(b"\x68\xff\x6a", expect!["error: the term ends too early"]);
        check(b"\x69\xff\xff\xff\xff\x6a", expect!["error: the term ends too early"]);
        check(b"\x6d\xff\xff\xff\xff", expect!["error: the term ends too early"]);
        check(b"\x00", expect!["error: unknown tag 0 in a term"]);
        check(b"\x77\x01\xff", expect!["error: an atom is not valid UTF-8"]);
        check(
            b"\x50\x00\x00\x00\x05junk",
            expect!["error: a compressed term is damaged or too large"],
        );
        check(b"\x50\xff\xff\xff\xff", expect!["error: a compressed term is damaged or too large"]);
        check(&[0x58; 100_000], expect!["error: unknown tag 88 in a term"]);
    }

    #[test]
    fn compressed() {
        let inner = b"\x6b\x00\x05aaaaa";
        let mut bytes = vec![COMPRESSED, 0, 0, 0, inner.len() as u8];
        bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(inner, 6));
        check(&bytes, expect![[r#""aaaaa""#]]);
    }

    #[test]
    fn nesting_needs_no_stack() {
        let mut bytes = b"\x68\x01".repeat(1_000_000);
        bytes.push(0x6a);
        let mut terms = Terms::default();
        let all: Vec<u8> = [VERSION].into_iter().chain(bytes).collect();
        assert!(decode(&all, &mut terms).is_ok());
    }

    #[test]
    fn any_bytes_are_survived() {
        arbtest::arbtest(|u| {
            let tags =
                [97, 98, 70, 104, 105, 116, 108, 106, 107, 109, 110, 119, 113, 88, 90, 77, 0];
            let mut bytes = vec![VERSION];
            for _ in 0..u.int_in_range(0..=60)? {
                bytes.push(if u.arbitrary()? { *u.choose(&tags)? } else { u.int_in_range(0..=3)? });
            }
            let mut terms = Terms::default();
            if let Ok(id) = decode(&bytes, &mut terms) {
                terms.get(id).to_string();
            }
            Ok(())
        });
    }
}
