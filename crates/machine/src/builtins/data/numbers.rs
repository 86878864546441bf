//! Numbers: rounding, and conversion to and from text.

use num_bigint::BigInt;
use term::{Term, View, arith};

use super::{Builtin, Fallible, bad, fail, float_text, natural};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "abs"/1 => abs,
    "float"/1 => float,
    "round"/1 => |_, a| whole(&a[0], f64::round),
    "trunc"/1 => |_, a| whole(&a[0], f64::trunc),
    "floor"/1 => |_, a| whole(&a[0], f64::floor),
    "ceil"/1 => |_, a| whole(&a[0], f64::ceil),
    "integer_to_list"/1 => |_, a| Ok(ascii_list(&integer_text(&a[0], 10)?)),
    "integer_to_list"/2 => |_, a| Ok(ascii_list(&integer_text(&a[0], base(&a[1])?)?)),
    "integer_to_binary"/1 => |_, a| Ok(Term::binary(integer_text(&a[0], 10)?)),
    "integer_to_binary"/2 => |_, a| Ok(Term::binary(integer_text(&a[0], base(&a[1])?)?)),
    "list_to_integer"/1 => |_, a| whole_integer(&list_text(&a[0])?, 10),
    "list_to_integer"/2 => list_to_integer,
    "binary_to_integer"/1 => |_, a| whole_integer(&binary_text(&a[0])?, 10),
    "binary_to_integer"/2 => binary_to_integer,
    "float_to_list"/1 => |_, a| Ok(ascii_list(&float_text::scientific(value(&a[0])?, 20))),
    "float_to_list"/2 => |_, a| Ok(ascii_list(&float_text::with_options(value(&a[0])?, &a[1])?)),
    "float_to_binary"/1 => |_, a| Ok(Term::binary(float_text::scientific(value(&a[0])?, 20))),
    "float_to_binary"/2 => |_, a| Ok(Term::binary(float_text::with_options(value(&a[0])?, &a[1])?)),
    "list_to_float"/1 => |_, a| whole_float(&list_text(&a[0])?),
    "binary_to_float"/1 => |_, a| whole_float(&binary_text(&a[0])?),
);

pub(super) const STRING: &[Builtin] = builtins!(STRING, HIDDEN;
    "list_to_integer"/1 => leading_integer,
    "list_to_float"/1 => leading_float,
);

fn abs(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    // As on the BEAM, minus zero stays what it is.
    if arith::is_negative(&args[0]) || args[0].is_integer() {
        return arith::abs(&args[0]).ok_or_else(bad);
    }
    if args[0].is_number() { Ok(args[0].clone()) } else { Err(bad()) }
}

fn float(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    arith::to_f64(&args[0]).map(Term::float).ok_or_else(bad)
}

/// A number as an integer; floats are rounded by `round` first.
fn whole(number: &Term, round: fn(f64) -> f64) -> Return {
    match number.view() {
        View::Float(value) => arith::from_f64(round(value)).ok_or_else(bad),
        _ if number.is_integer() => Ok(number.clone()),
        _ => Err(bad()),
    }
}

fn value(term: &Term) -> Fallible<f64> {
    term.as_float().ok_or_else(bad)
}

/// The list of characters of a text in ASCII.
pub(super) fn ascii_list(text: &str) -> Term {
    Term::list(text.bytes().map(|byte| Term::int(i64::from(byte))))
}

fn base(term: &Term) -> Fallible<u32> {
    natural(term).filter(|base| (2..=36).contains(base)).map(|base| base as u32).ok_or_else(bad)
}

fn integer_text(term: &Term, base: u32) -> Fallible<String> {
    match term.view() {
        View::Int(value) if base == 10 => Ok(value.to_string()),
        View::Int(value) => Ok(BigInt::from(value).to_str_radix(base).to_uppercase()),
        _ => match term.as_big() {
            Some(value) => Ok(value.to_str_radix(base).to_uppercase()),
            None => Err(bad()),
        },
    }
}

/// The bytes of a list; a larger character than 255 cannot be part of a number either.
fn list_text(term: &Term) -> Fallible<Vec<u8>> {
    let mut elements = term.elements();
    let bytes: Option<Vec<u8>> =
        elements.by_ref().map(|c| u8::try_from(c.as_int()?).ok()).collect();
    bytes.filter(|_| elements.is_proper()).ok_or_else(bad)
}

fn binary_text(term: &Term) -> Fallible<Vec<u8>> {
    let bytes = term.as_bits().and_then(|bits| bits.to_bytes()).ok_or_else(bad)?;
    Ok(bytes.into_owned())
}

fn list_to_integer(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let base = base(&args[1])?;
    whole_integer(&list_text(&args[0])?, base)
}

fn binary_to_integer(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let text = binary_text(&args[0])?;
    whole_integer(&text, base(&args[1])?)
}

/// The integers that are built have at most this many digits, far above what the limit in bits
/// allows.
const MAX_DIGITS: usize = 1 << 26;

fn whole_integer(text: &[u8], base: u32) -> Return {
    let (sign_len, digits) = integer_length(text, base);
    if digits == 0 || sign_len + digits != text.len() {
        return Err(bad());
    }
    parse_integer(text, base)
}

/// How long the sign and the digits are at the start of a text.
fn integer_length(text: &[u8], base: u32) -> (usize, usize) {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let digits = text[sign..].iter().take_while(|&&c| char::from(c).is_digit(base)).count();
    (sign, digits)
}

fn parse_integer(text: &[u8], base: u32) -> Return {
    if text.len() > MAX_DIGITS {
        return Err(fail("system_limit"));
    }
    let text = std::str::from_utf8(text).map_err(|_| bad())?;
    if let Ok(value) = i64::from_str_radix(text, base) {
        return Ok(Term::int(value));
    }
    let digits = text.strip_prefix('+').unwrap_or(text);
    let value = BigInt::parse_bytes(digits.as_bytes(), base).ok_or_else(bad)?;
    if value.bits() > arith::MAX_BITS {
        return Err(fail("system_limit"));
    }
    Ok(Term::big(value))
}

fn whole_float(text: &[u8]) -> Return {
    match float_text::leading_float(text) {
        Some((value, len)) if len == text.len() && value.is_finite() => Ok(Term::float(value)),
        _ => Err(bad()),
    }
}

/// The characters at the start of a list that can be part of a number.
fn leading_characters(list: &Term, is_part: fn(u8) -> bool) -> Vec<u8> {
    list.elements()
        .map_while(|c| c.as_int().and_then(|c| u8::try_from(c).ok()).filter(|&c| is_part(c)))
        .collect()
}

fn no_number(reason: &str) -> Return {
    Ok(Term::tuple([Term::atom("error"), Term::atom(reason)]))
}

/// A number and what follows it in the list, after `used` characters.
fn with_rest(value: Term, list: &Term, used: usize) -> Return {
    let mut elements = list.elements();
    elements.by_ref().take(used).for_each(drop);
    Ok(Term::tuple([value, elements.rest().clone()]))
}

fn leading_integer(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if !args[0].is_list() {
        return no_number("not_a_list");
    }
    let text = leading_characters(&args[0], |c| c.is_ascii_digit() || c == b'+' || c == b'-');
    let (sign, digits) = integer_length(&text, 10);
    if digits == 0 {
        return no_number("no_integer");
    }
    match parse_integer(&text[..sign + digits], 10) {
        Ok(value) => with_rest(value, &args[0], sign + digits),
        Err(_) => no_number("system_limit"),
    }
}

fn leading_float(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if !args[0].is_list() {
        return no_number("not_a_list");
    }
    let text = leading_characters(&args[0], |c| {
        c.is_ascii_digit() || matches!(c, b'+' | b'-' | b'.' | b',' | b'e' | b'E')
    });
    match float_text::leading_float(&text) {
        Some((value, used)) if value.is_finite() => with_rest(Term::float(value), &args[0], used),
        _ => no_number("no_float"),
    }
}
