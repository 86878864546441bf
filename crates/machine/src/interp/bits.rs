//! Building and matching bit strings, segment by segment.
//!
//! Integers of any size, in both byte orders (in little-endian order the last, incomplete byte
//! comes last); floats of 16, 32 and 64 bits; UTF-8, UTF-16 and UTF-32.

use std::mem;

use atom::{Atom, known};
use code::instr::{BitsPart, BitsSize, BitsType, Endian};
use num_bigint::{BigInt, Sign};
use term::bits::BitWriter;
use term::{Bits, Boxed, Map, Shared, Term, View, arith};

use crate::exception::{Exception, Trace};

/// A bit string out of values and computed sizes. A first part that is a bit string itself is
/// appended to in place if nobody else holds it.
pub(super) fn build(parts: &[BitsPart], slots: &mut [Term]) -> Result<Term, Exception> {
    build_parts(parts, slots).map_err(|(segment, bad)| {
        let ty = parts.get(segment).map_or("binary", |part| match part.ty {
            BitsType::Integer => "integer",
            BitsType::Float => "float",
            BitsType::Bits => "binary",
            BitsType::Utf8 => "utf8",
            BitsType::Utf16 => "utf16",
            BitsType::Utf32 => "utf32",
        });
        let segment = Term::from(segment + 1);
        let cause = Term::tuple([segment, Term::atom(ty), Term::atom(bad.cause), bad.value]);
        let info = Map::from_iter([
            (Term::atom("cause"), cause),
            (Term::atom("function"), Term::atom("format_bs_fail")),
            (Term::from(known::MODULE), Term::from(known::ERL_ERTS_ERRORS)),
        ]);
        Exception { trace: Trace::Here(info), ..Exception::atom(bad.reason) }
    })
}

/// Why a segment cannot be built: a word that OTP's messages are made from, and what it is about.
struct Bad {
    reason: Atom,
    cause: &'static str,
    value: Term,
}

fn bad<T>(cause: &'static str, value: &Term) -> Result<T, Bad> {
    Err(Bad { reason: known::BADARG, cause, value: value.clone() })
}

/// The bit string, or the number of the segment that cannot be built.
fn build_parts(parts: &[BitsPart], slots: &mut [Term]) -> Result<Term, (usize, Bad)> {
    let (values, sizes) = slots.split_at_mut(parts.len());
    let mut sizes = sizes.iter();
    if let [first, rest @ ..] = parts
        && first.ty == BitsType::Bits
        && first.size == BitsSize::Rest
        && values[0].as_bits().is_some()
    {
        // Nothing is appended: it stays the same binary.
        let is_empty = |(part, value): (&BitsPart, &Term)| {
            let whole = part.ty == BitsType::Bits && part.size == BitsSize::Rest;
            whole && value.as_bits().is_some_and(|bits| bits.bit_len() == 0)
        };
        let unit = usize::from(first.unit);
        let aligned = values[0].as_bits().is_some_and(|bits| bits.bit_len().is_multiple_of(unit));
        if aligned && rest.iter().zip(&values[1..]).all(is_empty) {
            return Ok(mem::take(&mut values[0]));
        }
        if !aligned {
            return bad("unit", &values[0]).map_err(|bad| (0, bad));
        }
        let mut shared = match mem::take(&mut values[0]).into_bits() {
            Ok(shared) => shared,
            Err(other) => return bad("type", &other).map_err(|bad| (0, bad)),
        };
        let bits = Shared::make_mut(&mut shared);
        let mut result = Ok(());
        bits.writer(|writer| {
            for (i, (part, value)) in rest.iter().zip(&values[1..]).enumerate() {
                result = append(writer, part, value, &mut sizes).map_err(|bad| (i + 1, bad));
                if result.is_err() {
                    break;
                }
            }
        });
        return result.map(|()| shared.into());
    }
    let mut writer = BitWriter::with_capacity(parts.len());
    for (i, (part, value)) in parts.iter().zip(values.iter()).enumerate() {
        append(&mut writer, part, value, &mut sizes).map_err(|bad| (i, bad))?;
    }
    Ok(Term::bits(writer.finish()))
}

/// The largest bit string that is built: 2^33 bits.
const MAX_BITS: usize = 1 << 33;

fn append<'a>(
    writer: &mut BitWriter,
    part: &BitsPart,
    value: &Term,
    sizes: &mut impl Iterator<Item = &'a Term>,
) -> Result<(), Bad> {
    let size = match part.size {
        BitsSize::Fixed(bits) => Some(bits as usize),
        BitsSize::Rest => None,
        BitsSize::Computed => match sizes.next() {
            Some(size) => Some(computed_size(part, size)?),
            None => return bad("size", &Term::NIL),
        },
    };
    match part.ty {
        BitsType::Integer => append_integer(writer, part, value, size.unwrap_or(8)),
        BitsType::Float => append_float(writer, part, value, size.unwrap_or(64)),
        BitsType::Bits => append_bits(writer, part, value, size),
        BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 => append_utf(writer, part, value),
    }
}

fn computed_size(part: &BitsPart, size: &Term) -> Result<usize, Bad> {
    let too_large = || Bad { reason: known::SYSTEM_LIMIT, cause: "size", value: size.clone() };
    match size.view() {
        View::Int(count) if count >= 0 => {
            let bits = (count as usize).checked_mul(part.unit as usize);
            bits.filter(|bits| *bits <= MAX_BITS).ok_or_else(too_large)
        }
        View::Boxed(Boxed::Big(big)) if big.sign() == Sign::Plus => Err(too_large()),
        _ => bad("size", size),
    }
}

fn is_little(part: &BitsPart) -> bool {
    match part.endian {
        Endian::Big => false,
        Endian::Little => true,
        Endian::Native => cfg!(target_endian = "little"),
    }
}

fn append_integer(
    writer: &mut BitWriter,
    part: &BitsPart,
    value: &Term,
    bits: usize,
) -> Result<(), Bad> {
    match value.view() {
        View::Int(value) if bits <= 64 => {
            if is_little(part) {
                push_little(writer, &value.to_le_bytes(), bits);
            } else {
                writer.push_u64(value as u64, bits);
            }
            Ok(())
        }
        View::Int(_) | View::Boxed(Boxed::Big(_)) => {
            let big = arith::to_bigint(value).unwrap_or_default();
            let fill = if big.sign() == Sign::Minus { 0xFF } else { 0 };
            let mut bytes = big.to_signed_bytes_le();
            bytes.resize(bits.div_ceil(8), fill);
            if is_little(part) {
                push_little(writer, &bytes, bits);
            } else {
                push_big(writer, &bytes, bits);
            }
            Ok(())
        }
        _ => bad("type", value),
    }
}

/// `bytes` with the least significant first, written in that order.
fn push_little(writer: &mut BitWriter, bytes: &[u8], bits: usize) {
    let whole = bits / 8;
    writer.push_bytes(&bytes[..whole]);
    let rest = bits % 8;
    if rest != 0 {
        writer.push_u64(u64::from(bytes[whole]), rest);
    }
}

/// `bytes` with the least significant first, written the other way round.
fn push_big(writer: &mut BitWriter, bytes: &[u8], bits: usize) {
    let whole = bits / 8;
    let rest = bits % 8;
    if rest != 0 {
        writer.push_u64(u64::from(bytes[whole]), rest);
    }
    let mut reversed = bytes[..whole].to_vec();
    reversed.reverse();
    writer.push_bytes(&reversed);
}

fn append_float(
    writer: &mut BitWriter,
    part: &BitsPart,
    value: &Term,
    bits: usize,
) -> Result<(), Bad> {
    let Some(float) = arith::to_f64(value) else {
        return bad(if value.is_integer() { "no_float" } else { "type" }, value);
    };
    let bytes: SmallBytes = match bits {
        64 => SmallBytes::from_slice(&float.to_be_bytes()),
        // What is too large for fewer bits is built as infinity, which no pattern matches.
        32 => SmallBytes::from_slice(&(float as f32).to_be_bytes()),
        16 => SmallBytes::from_slice(&half::from_f64(float).to_be_bytes()),
        _ => return bad("invalid", &Term::from(bits)),
    };
    if is_little(part) {
        let mut bytes = bytes;
        bytes.reverse();
        writer.push_bytes(&bytes);
    } else {
        writer.push_bytes(&bytes);
    }
    Ok(())
}

type SmallBytes = smallvec::SmallVec<[u8; 8]>;

fn append_bits(
    writer: &mut BitWriter,
    part: &BitsPart,
    value: &Term,
    size: Option<usize>,
) -> Result<(), Bad> {
    let Some(bits) = value.as_bits() else { return bad("type", value) };
    match size {
        Some(size) if size <= bits.bit_len() => writer.push_bits(&bits.slice(0, size)),
        Some(_) => return bad("short", value),
        None if bits.bit_len().is_multiple_of(part.unit as usize) => writer.push_bits(bits),
        None => return bad("unit", value),
    }
    Ok(())
}

fn append_utf(writer: &mut BitWriter, part: &BitsPart, value: &Term) -> Result<(), Bad> {
    let code = value.as_int().and_then(|code| u32::try_from(code).ok());
    let Some(c) = code.and_then(char::from_u32) else { return bad("type", value) };
    match part.ty {
        BitsType::Utf8 => {
            let mut buffer = [0; 4];
            writer.push_bytes(c.encode_utf8(&mut buffer).as_bytes());
        }
        BitsType::Utf16 => {
            let mut buffer = [0; 2];
            for unit in c.encode_utf16(&mut buffer) {
                let bytes = if is_little(part) { unit.to_le_bytes() } else { unit.to_be_bytes() };
                writer.push_bytes(&bytes);
            }
        }
        _ => {
            let code = u32::from(c);
            let bytes = if is_little(part) { code.to_le_bytes() } else { code.to_be_bytes() };
            writer.push_bytes(&bytes);
        }
    }
    Ok(())
}

/// The bit string that is matched, and the position in it.
fn context<'a>(bits: &'a Term, position: &Term) -> Option<(&'a Bits, usize)> {
    Some((bits.as_bits()?, position.as_int()? as usize))
}

/// How many bits are left.
pub(super) fn left(bits: &Term, position: &Term) -> Option<usize> {
    context(bits, position).map(|(bits, position)| bits.bit_len() - position)
}

/// What is left.
pub(super) fn rest(bits: &Term, position: &Term) -> Term {
    match context(bits, position) {
        Some((bits, at)) => Term::bits(bits.slice(at, bits.bit_len() - at)),
        None => Term::NIL,
    }
}

/// The number of bits that a part takes, if that many are left.
fn width(part: &BitsPart, size: &Term, left: usize) -> Option<usize> {
    let bits = match part.size {
        BitsSize::Fixed(bits) => bits as usize,
        BitsSize::Rest => {
            if !left.is_multiple_of(part.unit as usize) {
                return None;
            }
            left
        }
        BitsSize::Computed => match size.as_int() {
            Some(size) if size >= 0 => (size as usize).checked_mul(part.unit as usize)?,
            _ => return None,
        },
    };
    (bits <= left).then_some(bits)
}

/// Reads a part; its value and the position after it.
pub(super) fn get(
    part: &BitsPart,
    bits: &Term,
    position: &Term,
    size: &Term,
) -> Option<(Term, i64)> {
    let (bits, at) = context(bits, position)?;
    let left = bits.bit_len() - at;
    match part.ty {
        BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 => {
            let (c, width) = read_utf(part, bits, at, left)?;
            return Some((Term::from(u32::from(c)), (at + width) as i64));
        }
        _ => {}
    }
    let width = width(part, size, left)?;
    let value = match part.ty {
        BitsType::Integer => {
            let value = read_integer(part, bits, at, width);
            match value.view() {
                View::Boxed(Boxed::Big(big)) if big.bits() > arith::MAX_BITS => return None,
                _ => value,
            }
        }
        BitsType::Float => Term::float(read_float(part, bits, at, width)?),
        _ => Term::bits(bits.slice(at, width)),
    };
    Some((value, (at + width) as i64))
}

/// Passes over a part; the position after it.
pub(super) fn skip(part: &BitsPart, bits: &Term, position: &Term, size: &Term) -> Option<i64> {
    match part.ty {
        // Whether there is a character, or a number, has to be looked at.
        BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 | BitsType::Float => {
            get(part, bits, position, size).map(|(_, position)| position)
        }
        BitsType::Integer | BitsType::Bits => {
            let (bits, at) = context(bits, position)?;
            let width = width(part, size, bits.bit_len() - at)?;
            Some((at + width) as i64)
        }
    }
}

fn read_integer(part: &BitsPart, bits: &Bits, at: usize, width: usize) -> Term {
    if width <= 64 && !is_little(part) {
        let value = bits.read_u64(at, width);
        return small_integer(value, width, part.signed);
    }
    // Least significant byte first.
    let bytes = if is_little(part) {
        let mut bytes = bits.slice(at, width).padded_bytes();
        if !width.is_multiple_of(8)
            && let Some(last) = bytes.last_mut()
        {
            *last >>= 8 - width % 8;
        }
        bytes
    } else {
        let first = width % 8;
        let mut bytes = Vec::with_capacity(width.div_ceil(8));
        if first != 0 {
            bytes.push(bits.read_u64(at, first) as u8);
        }
        bytes.extend(bits.slice(at + first, width - first).padded_bytes());
        bytes.reverse();
        bytes
    };
    if width <= 64 {
        let value = bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
        return small_integer(value, width, part.signed);
    }
    let magnitude = BigInt::from_bytes_le(Sign::Plus, &bytes);
    let negative = part.signed && magnitude.bit(width as u64 - 1);
    Term::big(if negative { magnitude - (BigInt::from(1) << width) } else { magnitude })
}

fn small_integer(value: u64, width: usize, signed: bool) -> Term {
    if signed && width > 0 {
        let shift = 64 - width;
        return Term::int((value << shift) as i64 >> shift);
    }
    Term::from(value)
}

fn read_float(part: &BitsPart, bits: &Bits, at: usize, width: usize) -> Option<f64> {
    let mut bytes = SmallBytes::from_vec(bits.slice(at, width).padded_bytes());
    if is_little(part) {
        bytes.reverse();
    }
    let value = match width {
        64 => f64::from_be_bytes(bytes[..].try_into().ok()?),
        32 => f64::from(f32::from_be_bytes(bytes[..].try_into().ok()?)),
        16 => half::to_f64(u16::from_be_bytes(bytes[..].try_into().ok()?)),
        _ => return None,
    };
    value.is_finite().then_some(value)
}

fn read_utf(part: &BitsPart, bits: &Bits, at: usize, left: usize) -> Option<(char, usize)> {
    let unit = |index: usize, width: usize| -> Option<u32> {
        let start = index * width;
        (start + width <= left).then(|| {
            let value = bits.read_u64(at + start, width) as u32;
            match (width, is_little(part)) {
                (16, true) => u32::from((value as u16).swap_bytes()),
                (32, true) => value.swap_bytes(),
                _ => value,
            }
        })
    };
    match part.ty {
        BitsType::Utf8 => {
            let first = unit(0, 8)? as u8;
            let len = match first {
                0..=0x7F => 1,
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xF4 => 4,
                _ => return None,
            };
            let mut buffer = [first, 0, 0, 0];
            for (i, byte) in buffer.iter_mut().enumerate().take(len).skip(1) {
                *byte = unit(i, 8)? as u8;
            }
            let c = std::str::from_utf8(&buffer[..len]).ok()?.chars().next()?;
            Some((c, len * 8))
        }
        BitsType::Utf16 => {
            let first = unit(0, 16)? as u16;
            if !(0xD800..=0xDFFF).contains(&first) {
                return Some((char::from_u32(u32::from(first))?, 16));
            }
            let second = unit(1, 16)? as u16;
            let c = char::decode_utf16([first, second]).next()?.ok()?;
            Some((c, 32))
        }
        _ => Some((char::from_u32(unit(0, 32)?)?, 32)),
    }
}

/// Floats of 16 bits: one sign, five exponent and ten fraction bits.
mod half {
    /// The nearest half, ties to even; infinity if it is out of range.
    pub(super) fn from_f64(value: f64) -> u16 {
        let bits = value.to_bits();
        let sign = ((bits >> 48) & 0x8000) as u16;
        let magnitude = value.abs();
        if magnitude >= 65520.0 || value.is_nan() {
            return sign | 0x7C00;
        }
        // Distance between neighbouring halves at this magnitude.
        let exponent = ((bits >> 52) & 0x7FF) as i32 - 1023;
        let step_exponent = exponent.max(-14) - 10;
        let step = 2f64.powi(step_exponent);
        let steps = (magnitude / step).round_ties_even();
        if exponent < -14 {
            return sign | steps as u16;
        }
        let encoded = ((exponent + 15) as u32) << 10;
        sign | (encoded + steps as u32 - 1024) as u16
    }

    pub(super) fn to_f64(bits: u16) -> f64 {
        let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
        let exponent = i32::from(bits >> 10 & 0x1F);
        let fraction = f64::from(bits & 0x3FF);
        sign * match exponent {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
        }
    }
}
