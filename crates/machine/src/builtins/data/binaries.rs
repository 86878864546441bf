//! Parts of binaries, and binaries as lists and numbers.

use num_bigint::{BigInt, Sign};
use term::{Bits, Term, arith};

use super::{Builtin, Failure, Fallible, bad, failed_in, natural};
use crate::builtins::row::{Entry, Facts, HIDDEN};
use crate::builtins::{Control, Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "binary_to_list"/1 => |_, a| Ok(byte_list(&bytes(&a[0])?)),
    "binary_to_list"/3 => binary_to_list,
    "bitstring_to_list"/1 => bitstring_to_list,
    "binary_part"/2 => |_, a| part_of_pair(a),
    "binary_part"/3 => |_, a| part(&a[0], &a[1], &a[2]),
    "split_binary"/2 => split_binary,
);

/// OTP has these in Erlang.
const IN_ERLANG: Facts = HIDDEN.entry(Entry::Library);

pub(super) const BINARY: &[Builtin] = builtins!(BINARY, HIDDEN;
    "part"/2 => |_, a| part_of_pair(a),
    "part"/3 => |_, a| part(&a[0], &a[1], &a[2]),
    "at"/2 => at,
    "first"/1 => |_, a| Ok(Term::int(i64::from(*bytes(&a[0])?.first().ok_or_else(bad)?))),
    "last"/1 => |_, a| Ok(Term::int(i64::from(*bytes(&a[0])?.last().ok_or_else(bad)?))),
    "bin_to_list"/1 [IN_ERLANG] => |_, a| Ok(byte_list(&bytes(&a[0])?)),
    "bin_to_list"/2 [IN_ERLANG] => |_, a| list_of_part(a),
    "bin_to_list"/3 [IN_ERLANG] => |_, a| list_of_part(a),
    "copy"/1 => |_, a| Ok(Term::binary(bytes(&a[0])?)),
    "copy"/2 => copy,
    "referenced_byte_size"/1 => referenced_byte_size,
    "decode_unsigned"/1 => |_, a| decode_unsigned(&a[0], false),
    "decode_unsigned"/2 => |_, a| decode_unsigned(&a[0], is_little(&a[1])?),
    "encode_unsigned"/1 => |_, a| encode_unsigned(&a[0], false),
    "encode_unsigned"/2 => |_, a| encode_unsigned(&a[0], is_little(&a[1])?),
    "encode_hex"/1 [IN_ERLANG] => encode_hex,
    "decode_hex"/1 [IN_ERLANG] => decode_hex,
    "longest_common_prefix"/1 => |_, a| longest_common(&a[0], |one, other| {
        one.iter().zip(other).take_while(|(a, b)| a == b).count()
    }),
    "longest_common_suffix"/1 => |_, a| longest_common(&a[0], |one, other| {
        one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count()
    }),
);

/// The bytes of a binary.
pub(super) fn bytes(term: &Term) -> Fallible<std::borrow::Cow<'_, [u8]>> {
    term.as_bits().and_then(Bits::to_bytes).ok_or_else(bad)
}

pub(super) fn byte_list(bytes: &[u8]) -> Term {
    Term::list(bytes.iter().map(|&byte| Term::int(i64::from(byte))))
}

/// Start and length in bytes that a position and a length, which may be negative, mean in a binary
/// of `size` bytes.
pub(super) fn range(size: usize, position: &Term, length: &Term) -> Option<(usize, usize)> {
    let (position, length) = (natural(position)?, length.as_int()?);
    let start = if length < 0 {
        position.checked_sub(usize::try_from(length.unsigned_abs()).ok()?)?
    } else {
        position
    };
    let length = usize::try_from(length.unsigned_abs()).ok()?;
    (position <= size && start.checked_add(length)? <= size).then_some((start, length))
}

fn part(binary: &Term, position: &Term, length: &Term) -> Return {
    let bits = binary.as_bits().ok_or_else(bad)?;
    let (start, length) = range(bits.bit_len() / 8, position, length).ok_or_else(bad)?;
    Ok(Term::bits(bits.slice(start * 8, length * 8)))
}

fn part_of_pair(args: &[Term]) -> Return {
    match args[1].as_tuple() {
        Some([position, length]) => part(&args[0], position, length),
        _ => Err(bad()),
    }
}

fn list_of_part(args: &[Term]) -> Return {
    let part = match args {
        _ if !args[0].is_binary() => return Err(bad()),
        [binary, pair] => part_of_pair(&[binary.clone(), pair.clone()])?,
        [binary, position, length] => part(binary, position, length)?,
        _ => return Err(bad()),
    };
    Ok(byte_list(&bytes(&part)?))
}

/// From the first to the last byte, counted from 1.
fn binary_to_list(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let bytes = bytes(&args[0])?;
    let (first, last) = (natural(&args[1]), natural(&args[2]));
    match (first, last) {
        (Some(first), Some(last)) if 1 <= first && first <= last && last <= bytes.len() => {
            Ok(byte_list(&bytes[first - 1..last]))
        }
        _ => Err(bad()),
    }
}

fn bitstring_to_list(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let bits = args[0].as_bits().ok_or_else(bad)?;
    let whole = bits.bit_len() / 8;
    let rest = bits.bit_len() % 8;
    let tail = match rest {
        0 => Term::NIL,
        _ => Term::list([Term::bits(bits.slice(whole * 8, rest))]),
    };
    Ok(Term::improper((0..whole).map(|i| Term::int(i64::from(bits.byte_at(i)))), tail))
}

fn split_binary(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let bits = args[0].as_bits().ok_or_else(bad)?;
    let at = natural(&args[1]).filter(|&at| at <= bits.bit_len() / 8).ok_or_else(bad)? * 8;
    let (front, back) = (bits.slice(0, at), bits.slice(at, bits.bit_len() - at));
    Ok(Term::tuple([Term::bits(front), Term::bits(back)]))
}

fn at(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let bits = args[0].as_bits().filter(|bits| bits.is_binary()).ok_or_else(bad)?;
    let at = natural(&args[1]).filter(|&at| at < bits.byte_len()).ok_or_else(bad)?;
    Ok(Term::int(i64::from(bits.byte_at(at))))
}

/// Binaries larger than this are refused, before they take all memory.
const MAX_BYTES: usize = 1 << 34;

fn copy(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let count = natural(&args[1]).ok_or_else(bad)?;
    if count == 0 && args[0].as_bits().is_some() {
        return Ok(Term::binary([]));
    }
    let bytes = bytes(&args[0])?;
    match bytes.len().checked_mul(count) {
        Some(len) if len <= MAX_BYTES => Ok(Term::binary(bytes.repeat(count))),
        _ => Err(Control::Unsupported("binary:copy/2: over 2^34 bytes".into()).into()),
    }
}

/// A part of a binary shares its bytes, as on the BEAM. What is appended to is no larger than it
/// must be.
fn referenced_byte_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    args[0].as_bits().map(|bits| Term::from(bits.buffer_len())).ok_or_else(bad)
}

fn is_little(endianness: &Term) -> Fallible<bool> {
    match endianness.as_atom().map(atom::Atom::as_str) {
        Some("big") => Ok(false),
        Some("little") => Ok(true),
        _ => Err(bad()),
    }
}

fn decode_unsigned(binary: &Term, little: bool) -> Return {
    let bytes = bytes(binary)?;
    if bytes.len() as u64 * 8 > arith::MAX_BITS {
        return Err(super::fail("system_limit"));
    }
    Ok(Term::big(if little {
        BigInt::from_bytes_le(Sign::Plus, &bytes)
    } else {
        BigInt::from_bytes_be(Sign::Plus, &bytes)
    }))
}

fn encode_unsigned(number: &Term, little: bool) -> Return {
    let number = arith::to_bigint(number).filter(|n| n.sign() != Sign::Minus).ok_or_else(bad)?;
    let (_, bytes) = if little { number.to_bytes_le() } else { number.to_bytes_be() };
    Ok(Term::binary(bytes))
}

fn encode_hex(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let bits = args[0].as_bits().ok_or_else(bad)?;
    let mut bytes = bits.padded_bytes();
    if !bits.is_binary() {
        // OTP takes bytes in groups, of a size that divides their number, and leaves the last
        // group of a bit string out.
        let group = (2..=8).rev().find(|group| bytes.len() % group == 0).ok_or_else(bad)?;
        bytes.truncate((bytes.len() - 1) / group * group);
    }
    let text: Vec<u8> = bytes
        .iter()
        .flat_map(|&byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
        .collect();
    Ok(Term::binary(text))
}

fn decode_hex(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let bytes = bytes(&args[0])?;
    if bytes.len() % 2 != 0 {
        return Err(bad());
    }
    let digit = |c: u8| char::from(c).to_digit(16);
    let decode = |pair: &[u8]| match (digit(pair[0]), digit(pair[1])) {
        (Some(high), Some(low)) => Ok((high * 16 + low) as u8),
        _ => Err(no_hex(pair)),
    };
    let decoded: Fallible<Vec<u8>> = bytes.chunks_exact(2).map(decode).collect();
    Ok(Term::binary(decoded?))
}

fn no_hex(pair: &[u8]) -> Failure {
    failed_in("badarg", "binary", "unhex", [Term::binary(pair)])
}

fn longest_common(binaries: &Term, common: fn(&[u8], &[u8]) -> usize) -> Return {
    let mut elements = binaries.elements();
    let first = bytes(elements.next().ok_or_else(bad)?)?;
    let mut length = first.len();
    for element in elements.by_ref() {
        length = length.min(common(&first, &bytes(element)?));
    }
    if elements.is_proper() { Ok(Term::from(length)) } else { Err(bad()) }
}
