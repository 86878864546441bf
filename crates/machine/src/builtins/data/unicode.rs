//! `unicode`: text from one encoding into another.
//!
//! OTP has two converters, which show what they could not convert in different shapes: a native one
//! (from Latin-1 and UTF-8 to lists and UTF-8) and one in Erlang (for everything else). [`Shape`]
//! says which one is followed. Text is walked with a stack of its own.

use atom::Atom;
use num_bigint::Sign;
use term::{Bits, Term, View};

use super::unicode_util::{self, Form};
use super::{Builtin, Fallible, bad};
use crate::builtins::row::{Entry, HIDDEN};
use crate::builtins::{Ctx, Return, builtins};

pub(super) const UNICODE: &[Builtin] = builtins!(UNICODE, HIDDEN;
    "bin_is_7bit"/1 => |_, a| Ok(Term::bool(is_7bit(&a[0]))),
    "characters_to_list"/1 => |_, a| to_list(&a[0], Encoding::Utf8),
    "characters_to_list"/2 [HIDDEN.entry(Entry::Builtin)] =>
        |_, a| to_list(&a[0], encoding(&a[1])?),
    "characters_to_binary"/1 => |_, a| to_binary(&a[0], Encoding::Utf8, Encoding::Utf8),
    "characters_to_binary"/2 [HIDDEN.entry(Entry::Builtin)] =>
        |_, a| to_binary(&a[0], encoding(&a[1])?, Encoding::Utf8),
    "characters_to_binary"/3 => characters_to_binary,
    "characters_to_nfd_list"/1 => |_, a| normal_list(&a[0], Form::Nfd),
    "characters_to_nfc_list"/1 => |_, a| normal_list(&a[0], Form::Nfc),
    "characters_to_nfkd_list"/1 => |_, a| normal_list(&a[0], Form::Nfkd),
    "characters_to_nfkc_list"/1 => |_, a| normal_list(&a[0], Form::Nfkc),
    "characters_to_nfd_binary"/1 => |_, a| normal_binary(&a[0], Form::Nfd),
    "characters_to_nfc_binary"/1 => |_, a| normal_binary(&a[0], Form::Nfc),
    "characters_to_nfkd_binary"/1 => |_, a| normal_binary(&a[0], Form::Nfkd),
    "characters_to_nfkc_binary"/1 => |_, a| normal_binary(&a[0], Form::Nfkc),
);

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Latin1,
    Utf8,
    Utf16 { little: bool },
    Utf32 { little: bool },
}

fn encoding(term: &Term) -> Fallible<Encoding> {
    let name = |term: &Term| term.as_atom().map(Atom::as_str);
    let little = match term.as_tuple() {
        Some([_, endian]) => match name(endian) {
            Some("big") => Some(false),
            Some("little") => Some(true),
            _ => return Err(bad()),
        },
        Some(_) => return Err(bad()),
        None => None,
    };
    let family = term.as_tuple().map_or_else(|| name(term), |pair| name(&pair[0]));
    match (family, little) {
        (Some("latin1"), None) => Ok(Encoding::Latin1),
        (Some("utf8" | "unicode"), None) => Ok(Encoding::Utf8),
        (Some("utf16"), little) => Ok(Encoding::Utf16 { little: little.unwrap_or(false) }),
        (Some("utf32"), little) => Ok(Encoding::Utf32 { little: little.unwrap_or(false) }),
        _ => Err(bad()),
    }
}

fn is_7bit(term: &Term) -> bool {
    term.as_bits().and_then(Bits::to_bytes).is_some_and(|bytes| bytes.is_ascii())
}

// ---- reading bytes -----------------------------------------------------------------------------

enum Read {
    Code(u32, usize),
    /// A character starts here, but that many bytes of it are missing.
    Missing(usize),
    Bad,
}

/// The first character of some bytes (at least one).
fn read(encoding: Encoding, bytes: &[u8]) -> Read {
    match encoding {
        Encoding::Latin1 => Read::Code(u32::from(bytes[0]), 1),
        Encoding::Utf8 => read_utf8(bytes),
        Encoding::Utf16 { little } => read_utf16(bytes, little),
        Encoding::Utf32 { little } => read_utf32(bytes, little),
    }
}

fn read_utf8(bytes: &[u8]) -> Read {
    let len = match bytes[0] {
        first @ 0..=0x7F => return Read::Code(u32::from(first), 1),
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return Read::Bad,
    };
    let there = &bytes[..bytes.len().min(len)];
    // Of an incomplete character only that the bytes continue it is looked at.
    if there[1..].iter().any(|byte| byte & 0xC0 != 0x80) {
        return Read::Bad;
    }
    if there.len() < len {
        return Read::Missing(len - there.len());
    }
    match std::str::from_utf8(there).ok().and_then(|text| text.chars().next()) {
        Some(c) => Read::Code(u32::from(c), len),
        None => Read::Bad,
    }
}

fn read_utf16(bytes: &[u8], little: bool) -> Read {
    let unit = |at: usize| {
        let pair = [*bytes.get(at)?, *bytes.get(at + 1)?];
        Some(if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
    };
    const HIGH: std::ops::RangeInclusive<u16> = 0xD800..=0xDBFF;
    const LOW: std::ops::RangeInclusive<u16> = 0xDC00..=0xDFFF;
    let Some(first) = unit(0) else {
        return match bytes[0] {
            _ if little => Read::Missing(1),
            0xD8..=0xDB => Read::Missing(3),
            0xDC..=0xDF => Read::Bad,
            _ => Read::Missing(1),
        };
    };
    if !HIGH.contains(&first) {
        return if LOW.contains(&first) { Read::Bad } else { Read::Code(u32::from(first), 2) };
    }
    match unit(2) {
        Some(second) if LOW.contains(&second) => {
            let code = (u32::from(first) - 0xD800) << 10 | (u32::from(second) - 0xDC00);
            Read::Code(code + 0x10000, 4)
        }
        Some(_) => Read::Bad,
        None => match bytes.get(2) {
            None => Read::Missing(2),
            Some(0xDC..=0xDF) => Read::Missing(1),
            Some(_) if little => Read::Missing(1),
            Some(_) => Read::Bad,
        },
    }
}

fn read_utf32(bytes: &[u8], little: bool) -> Read {
    if let Some(four) = bytes.get(..4) {
        let four = [four[0], four[1], four[2], four[3]];
        let code = if little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) };
        return match char::from_u32(code) {
            Some(_) => Read::Code(code, 4),
            None => Read::Bad,
        };
    }
    let missing = Read::Missing(4 - bytes.len());
    // No code point starts like this.
    let possible = |plane: u8, row: u8| plane <= 16 && (plane > 0 || !(0xD8..=0xDF).contains(&row));
    match (little, bytes) {
        (false, [0] | [0, 0..=16]) | (true, [_] | [_, _]) => missing,
        (false, [0, plane, row]) if possible(*plane, *row) => missing,
        (true, [254 | 255, 255, 0]) => Read::Bad,
        (true, [_, row, plane]) if possible(*plane, *row) => missing,
        _ => Read::Bad,
    }
}

// ---- writing -----------------------------------------------------------------------------------

enum Output {
    List(Vec<Term>),
    Bytes(Encoding, Vec<u8>),
}

impl Output {
    /// Appends a character; says whether it could be.
    fn push(&mut self, code: u32) -> bool {
        let Some(c) = char::from_u32(code) else { return false };
        match self {
            Output::List(codes) => codes.push(Term::from(code)),
            Output::Bytes(encoding, bytes) => match encoding {
                Encoding::Latin1 => match u8::try_from(code) {
                    Ok(byte) => bytes.push(byte),
                    Err(_) => return false,
                },
                Encoding::Utf8 => {
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Encoding::Utf16 { little } => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let pair = if *little { unit.to_le_bytes() } else { unit.to_be_bytes() };
                        bytes.extend_from_slice(&pair);
                    }
                }
                Encoding::Utf32 { little } => {
                    let four = if *little { code.to_le_bytes() } else { code.to_be_bytes() };
                    bytes.extend_from_slice(&four);
                }
            },
        }
        true
    }

    fn finish(self) -> Term {
        match self {
            Output::List(codes) => Term::list(codes),
            Output::Bytes(_, bytes) => Term::binary(bytes),
        }
    }
}

// ---- walking -----------------------------------------------------------------------------------

/// Which of OTP's converters is followed in what an error looks like.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Native,
    Erlang,
}

/// How a conversion ended.
enum End {
    Done,
    Incomplete(Vec<u8>),
    Error(Term),
}

struct Walk {
    input: Encoding,
    shape: Shape,
    output: Output,
    /// The largest number that counts as a character.
    limit: i64,
    /// Bytes of a character that is not complete, and how many are missing.
    pending: Option<(Vec<u8>, usize)>,
    /// What follows the lists we are in.
    after: Vec<Term>,
}

/// Binaries are read in pieces of this size by the Erlang converter, which errors show.
const PIECE: usize = 8192;

impl Walk {
    /// What remains, starting with `rest` in the innermost list.
    fn remaining(&mut self, rest: Term) -> Term {
        self.after.drain(..).rev().fold(rest, Term::cons)
    }

    fn run(&mut self, text: &Term) -> Fallible<End> {
        let mut place = text.clone();
        loop {
            let next = match place.view() {
                View::Nil => match self.after.pop() {
                    Some(after) => after,
                    None => break,
                },
                View::Cons(cell) => match cell.head.view() {
                    View::Nil | View::Cons(_) => {
                        self.after.push(cell.tail.clone());
                        cell.head.clone()
                    }
                    View::Bits(bits) if bits.is_binary() => {
                        match self.binary(bits, Some(&cell.tail), &place) {
                            Ok(next) => next,
                            Err(end) => return Ok(end),
                        }
                    }
                    _ if cell.head.is_integer() => {
                        match self.integer(&cell.head, &cell.tail, &place)? {
                            Ok(()) => cell.tail.clone(),
                            Err(end) => return Ok(end),
                        }
                    }
                    _ => return Err(bad()),
                },
                View::Bits(bits) if bits.is_binary() => match self.binary(bits, None, &place) {
                    Ok(next) => next,
                    Err(end) => return Ok(end),
                },
                _ => return Err(bad()),
            };
            place = next;
        }
        Ok(match self.pending.take() {
            Some((bytes, _)) => End::Incomplete(bytes),
            None => End::Done,
        })
    }

    /// An integer in a list. The outer error is for what cannot be text at all.
    fn integer(&mut self, code: &Term, tail: &Term, place: &Term) -> Fallible<Result<(), End>> {
        if let Some((bytes, _)) = self.pending.take() {
            let pending = Term::binary(bytes);
            return Ok(Err(End::Error(match self.shape {
                Shape::Native => {
                    let rest = self.remaining(place.clone());
                    Term::list([pending, rest])
                }
                Shape::Erlang => self.remaining(Term::cons(pending, place.clone())),
            })));
        }
        let negative = match code.view() {
            View::Int(value) => value < 0,
            _ => code.as_big().is_some_and(|big| big.sign() == Sign::Minus),
        };
        if negative && matches!(self.output, Output::Bytes(Encoding::Latin1, _)) {
            return Err(bad());
        }
        let valid = code.as_int().filter(|code| (0..=self.limit).contains(code));
        if valid.is_some_and(|code| self.output.push(code as u32)) {
            return Ok(Ok(()));
        }
        Ok(Err(End::Error(match self.shape {
            Shape::Native => self.remaining(place.clone()),
            Shape::Erlang => self.remaining(Term::cons(Term::list([code.clone()]), tail.clone())),
        })))
    }

    /// A binary, in a list before `tail` or at its end. Returns where to go on.
    fn binary(&mut self, bits: &Bits, tail: Option<&Term>, place: &Term) -> Result<Term, End> {
        match self.shape {
            Shape::Native => self.native_binary(bits, tail, place),
            Shape::Erlang => self.erlang_binary(bits, tail),
        }
    }

    /// What follows a binary.
    fn then(tail: Option<&Term>) -> Term {
        tail.cloned().unwrap_or(Term::NIL)
    }

    fn native_binary(
        &mut self,
        bits: &Bits,
        tail: Option<&Term>,
        place: &Term,
    ) -> Result<Term, End> {
        let bytes = bits.to_bytes().unwrap_or_default();
        let mut at = 0;
        if let Some((pending, missing)) = self.pending.take() {
            let fill = &bytes[..bytes.len().min(missing)];
            let joined = [&pending[..], fill].concat();
            match read(self.input, &joined) {
                Read::Code(code, _) => {
                    self.output.push(code);
                    at = fill.len();
                }
                Read::Missing(missing) => {
                    self.pending = Some((joined, missing));
                    return Ok(Walk::then(tail));
                }
                Read::Bad => {
                    let rest = self.remaining(place.clone());
                    return Err(End::Error(Term::list([Term::binary(pending), rest])));
                }
            }
        }
        match self.bytes(&bytes[at..]) {
            Ok(()) => Ok(Walk::then(tail)),
            Err(left) => {
                let rest = bits.slice((bytes.len() - left) * 8, left * 8);
                Err(End::Error(self.rest_of_binary(Term::bits(rest), tail)))
            }
        }
    }

    fn rest_of_binary(&mut self, rest: Term, tail: Option<&Term>) -> Term {
        match tail {
            Some(tail) => self.remaining(Term::cons(rest, tail.clone())),
            None => self.remaining(rest),
        }
    }

    fn erlang_binary(&mut self, bits: &Bits, tail: Option<&Term>) -> Result<Term, End> {
        let size = bits.byte_len();
        let split = |at: usize| {
            let (front, back) = (bits.slice(0, at * 8), bits.slice(at * 8, (size - at) * 8));
            (front, Term::bits(back))
        };
        if let Some((pending, missing)) = self.pending.take() {
            if size < missing {
                let joined = [&pending[..], &bits.padded_bytes()].concat();
                self.pending = Some((joined, missing - size));
                return Ok(Walk::then(tail));
            }
            return Ok(match tail {
                Some(tail) => {
                    let (fill, after) = split(missing);
                    let joined = Term::binary([&pending[..], &fill.padded_bytes()].concat());
                    Term::cons(joined, Term::cons(after, tail.clone()))
                }
                None => Term::list([Term::binary(pending), Term::bits(bits.clone())]),
            });
        }
        if size > PIECE {
            let (front, back) = split(PIECE);
            let rest = Term::cons(back, Walk::then(tail));
            return Ok(Term::cons(Term::bits(front), rest));
        }
        match self.bytes(&bits.padded_bytes()) {
            Ok(()) => Ok(Walk::then(tail)),
            Err(left) => {
                let (_, rest) = split(size - left);
                Err(End::Error(self.rest_of_binary(rest, tail)))
            }
        }
    }

    /// Converts bytes; an incomplete end is kept. The error is how many bytes are left.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), usize> {
        let mut bytes = bytes;
        while !bytes.is_empty() {
            match read(self.input, bytes) {
                Read::Code(code, len) => {
                    if !self.output.push(code) {
                        return Err(bytes.len());
                    }
                    bytes = &bytes[len..];
                }
                Read::Missing(missing) => {
                    self.pending = Some((bytes.to_vec(), missing));
                    return Ok(());
                }
                Read::Bad => return Err(bytes.len()),
            }
        }
        Ok(())
    }
}

/// Whether a term is a list of integers, binaries and such lists: looked at as a whole before the
/// native converter starts.
fn is_text(text: &Term) -> bool {
    let mut pending = Vec::new();
    let mut place = text;
    loop {
        match place.view() {
            View::Cons(cell) => {
                place = &cell.tail;
                match cell.head.view() {
                    View::Cons(_) => {
                        pending.push(place);
                        place = &cell.head;
                    }
                    View::Nil => {}
                    View::Bits(bits) if bits.is_binary() => {}
                    _ if cell.head.is_integer() => {}
                    _ => return false,
                }
                continue;
            }
            View::Nil => {}
            View::Bits(bits) if bits.is_binary() => {}
            _ => return false,
        }
        match pending.pop() {
            Some(after) => place = after,
            None => return true,
        }
    }
}

fn convert(text: &Term, input: Encoding, output: Output) -> Return {
    let native = matches!(input, Encoding::Latin1 | Encoding::Utf8)
        && matches!(output, Output::List(_) | Output::Bytes(Encoding::Utf8, _));
    let shape = if native { Shape::Native } else { Shape::Erlang };
    if native && !is_text(text) {
        return Err(bad());
    }
    let limit = match (input, &output) {
        (Encoding::Latin1, _) | (_, Output::Bytes(Encoding::Latin1, _)) => 0xFF,
        _ => 0x10_FFFF,
    };
    let mut walk = Walk { input, shape, output, limit, pending: None, after: Vec::new() };
    let end = walk.run(text)?;
    let converted = walk.output.finish();
    Ok(match end {
        End::Done => converted,
        End::Incomplete(bytes) => {
            Term::tuple([Term::atom("incomplete"), converted, Term::binary(bytes)])
        }
        End::Error(rest) => Term::tuple([Term::from(atom::known::ERROR), converted, rest]),
    })
}

fn to_list(text: &Term, input: Encoding) -> Return {
    convert(text, input, Output::List(Vec::new()))
}

fn to_binary(text: &Term, input: Encoding, output: Encoding) -> Return {
    // UTF-8 that is valid needs no work.
    if input == Encoding::Utf8
        && output == Encoding::Utf8
        && let Some(bytes) = text.as_bits().and_then(Bits::to_bytes)
        && std::str::from_utf8(&bytes).is_ok()
    {
        return Ok(text.clone());
    }
    convert(text, input, Output::Bytes(output, Vec::new()))
}

/// Text as UTF-8; `None` if it is none.
pub(in crate::builtins) fn utf8_bytes(text: &Term) -> Option<Vec<u8>> {
    let binary = to_binary(text, Encoding::Utf8, Encoding::Utf8).ok()?;
    binary.as_bits().and_then(Bits::to_bytes).map(|bytes| bytes.into_owned())
}

/// `characters_to_list/1` of a binary.
pub(in crate::builtins) fn list_from_utf8(bytes: Vec<u8>) -> Term {
    to_list(&Term::binary(bytes), Encoding::Utf8).unwrap_or(Term::NIL)
}

fn characters_to_binary(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [text, input, output] = args else { return Err(bad()) };
    let (input, output) = (encoding(input)?, encoding(output)?);
    if input == Encoding::Latin1 && output == Encoding::Latin1 && text.is_binary() {
        return Ok(text.clone());
    }
    to_binary(text, input, output)
}

// ---- normal forms ------------------------------------------------------------------------------

fn normal(text: &Term, form: Form) -> Fallible<(Vec<Term>, Option<Term>)> {
    unicode_util::whole(text, form).map_err(|_| bad())
}

fn with_error(converted: Term, rest: Option<Term>) -> Term {
    match rest {
        Some(rest) => Term::tuple([Term::from(atom::known::ERROR), converted, rest]),
        None => converted,
    }
}

fn normal_list(text: &Term, form: Form) -> Return {
    let (codes, rest) = normal(text, form)?;
    Ok(with_error(Term::list(codes), rest))
}

fn normal_binary(text: &Term, form: Form) -> Return {
    let (codes, rest) = normal(text, form)?;
    let chars: Option<String> = codes.iter().map(super::atoms::character).collect();
    Ok(with_error(Term::binary(chars.ok_or_else(bad)?), rest))
}
