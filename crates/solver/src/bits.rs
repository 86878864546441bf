//! Building bit strings from segments and reading fields, as the bit syntax has it.
//!
//! Integers of any size in both byte orders (in little-endian order the last, incomplete byte
//! comes last), floats of 32 and 64 bits, UTF-8, UTF-16 and UTF-32.

use num_bigint::{BigInt, Sign};
use term::bits::BitWriter;
use term::{Bits, Term, arith};

use crate::expr::{BitsType, ExprId, Field, Segment};

/// Larger bit strings are never built: 2^24 bits.
const MAX_BITS: usize = 1 << 24;

pub(crate) fn build(segments: &[Segment], part: impl Fn(ExprId) -> Option<Term>) -> Option<Term> {
    let mut writer = BitWriter::with_capacity(segments.len());
    for segment in segments {
        let value = part(segment.value)?;
        let size = match segment.size {
            Some(size) => Some(bits_of(&part(size)?, segment.unit)?),
            None => None,
        };
        append(&mut writer, segment, &value, size)?;
    }
    Some(Term::bits(writer.finish()))
}

/// A size in units as bits.
fn bits_of(size: &Term, unit: u16) -> Option<usize> {
    let bits = usize::try_from(size.as_int()?).ok()?.checked_mul(usize::from(unit))?;
    (bits <= MAX_BITS).then_some(bits)
}

fn append(
    writer: &mut BitWriter,
    segment: &Segment,
    value: &Term,
    size: Option<usize>,
) -> Option<()> {
    match segment.ty {
        BitsType::Integer => {
            let number = arith::to_bigint(value)?;
            let bits = size.unwrap_or(8);
            let fill = if number.sign() == Sign::Minus { 0xFF } else { 0 };
            let mut bytes = number.to_signed_bytes_le();
            bytes.resize(bits.div_ceil(8), fill);
            push_integer(writer, &bytes, bits, segment.little);
        }
        BitsType::Float => {
            let float = arith::to_f64(value)?;
            let mut bytes = match size.unwrap_or(64) {
                64 => float.to_be_bytes().to_vec(),
                32 => (float as f32).to_be_bytes().to_vec(),
                _ => return None,
            };
            if segment.little {
                bytes.reverse();
            }
            writer.push_bytes(&bytes);
        }
        BitsType::Bits => {
            let bits = value.as_bits()?;
            match size {
                Some(size) if size <= bits.bit_len() => writer.push_bits(&bits.slice(0, size)),
                None if bits.bit_len().is_multiple_of(usize::from(segment.unit.max(1))) => {
                    writer.push_bits(bits);
                }
                _ => return None,
            }
        }
        BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 => {
            let code = u32::try_from(value.as_int()?).ok()?;
            writer.push_bytes(&utf(segment.ty, segment.little, char::from_u32(code)?));
        }
    }
    Some(())
}

/// `bytes` has the least significant byte first.
fn push_integer(writer: &mut BitWriter, bytes: &[u8], bits: usize, little: bool) {
    let (whole, rest) = (bits / 8, bits % 8);
    let last = bytes.get(whole).map_or(0, |&byte| u64::from(byte));
    if little {
        writer.push_bytes(&bytes[..whole]);
        writer.push_u64(last, rest);
    } else {
        writer.push_u64(last, rest);
        let reversed: Vec<u8> = bytes[..whole].iter().rev().copied().collect();
        writer.push_bytes(&reversed);
    }
}

/// The bytes of a character.
fn utf(ty: BitsType, little: bool, c: char) -> Vec<u8> {
    match ty {
        BitsType::Utf8 => c.to_string().into_bytes(),
        BitsType::Utf16 => {
            let mut buffer = [0; 2];
            let units = c.encode_utf16(&mut buffer).iter();
            units.flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
        }
        _ if little => u32::from(c).to_le_bytes().to_vec(),
        _ => u32::from(c).to_be_bytes().to_vec(),
    }
}

/// The value of a field, or its width where that is asked for.
pub(crate) fn read(field: &Field, bits: &Term, offset: &Term, size: Option<&Term>) -> Option<Term> {
    let bits = bits.as_bits()?;
    let offset = usize::try_from(offset.as_int()?).ok()?;
    let left = bits.bit_len().checked_sub(offset)?;
    let (value, width) = match field.ty {
        BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 => {
            let (c, width) = read_utf(field, bits, offset, left)?;
            (Term::from(u32::from(c)), width)
        }
        _ => {
            let width = match size {
                Some(size) => {
                    usize::try_from(size.as_int()?).ok()?.checked_mul(usize::from(field.unit))?
                }
                None => left.is_multiple_of(usize::from(field.unit.max(1))).then_some(left)?,
            };
            if width > left {
                return None;
            }
            let value = match field.ty {
                BitsType::Integer => Term::big(read_integer(field, &bits.slice(offset, width))),
                BitsType::Float => Term::float(read_float(field, &bits.slice(offset, width))?),
                _ => Term::bits(bits.slice(offset, width)),
            };
            (value, width)
        }
    };
    Some(if field.width { Term::from(width) } else { value })
}

fn read_integer(field: &Field, bits: &Bits) -> BigInt {
    let width = bits.bit_len();
    let rest = width % 8;
    // Least significant byte first.
    let bytes = if field.little {
        let mut bytes = bits.padded_bytes();
        if rest != 0
            && let Some(last) = bytes.last_mut()
        {
            *last >>= 8 - rest;
        }
        bytes
    } else {
        let mut bytes = vec![bits.read_u64(0, rest) as u8];
        bytes.extend(bits.slice(rest, width - rest).padded_bytes());
        bytes.reverse();
        bytes
    };
    let magnitude = BigInt::from_bytes_le(Sign::Plus, &bytes);
    let negative = field.signed && width > 0 && magnitude.bit(width as u64 - 1);
    if negative { magnitude - (BigInt::from(1) << width) } else { magnitude }
}

fn read_float(field: &Field, bits: &Bits) -> Option<f64> {
    let mut bytes = bits.padded_bytes();
    if field.little {
        bytes.reverse();
    }
    let value = match bits.bit_len() {
        64 => f64::from_be_bytes(bytes.try_into().ok()?),
        32 => f64::from(f32::from_be_bytes(bytes.try_into().ok()?)),
        _ => return None,
    };
    value.is_finite().then_some(value)
}

fn read_utf(field: &Field, bits: &Bits, at: usize, left: usize) -> Option<(char, usize)> {
    // The bytes from here on decide; four are enough for any character.
    let bytes = bits.slice(at, left.min(32)).padded_bytes();
    let widths: &[usize] = match field.ty {
        BitsType::Utf8 => &[8, 16, 24, 32],
        BitsType::Utf16 => &[16, 32],
        _ => &[32],
    };
    for &width in widths.iter().take_while(|&&width| width <= left) {
        let bytes = &bytes[..width / 8];
        let unit = |i: usize| {
            let pair = [bytes[2 * i], bytes[2 * i + 1]];
            if field.little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        };
        let c = match field.ty {
            BitsType::Utf8 => std::str::from_utf8(bytes).ok().and_then(|text| {
                let mut all = text.chars();
                all.next().filter(|_| all.next().is_none())
            }),
            BitsType::Utf16 => {
                let units: Vec<u16> = (0..bytes.len() / 2).map(unit).collect();
                let mut all = char::decode_utf16(units);
                all.next().and_then(Result::ok).filter(|_| all.next().is_none())
            }
            _ => {
                let bytes: [u8; 4] = bytes.try_into().ok()?;
                let code = if field.little {
                    u32::from_le_bytes(bytes)
                } else {
                    u32::from_be_bytes(bytes)
                };
                char::from_u32(code)
            }
        };
        if let Some(c) = c {
            return Some((c, width));
        }
    }
    None
}
