//! Floats as text.
//!
//! * `%.Ne` and large `%.Nf` need the exact decimal value of the float; Rust's formatting gives it.
//! * `{decimals, N}` of a moderate float goes OTP's own way, which is not correct rounding: it adds
//!   5.55…·10^-(N+1) and cuts. The same is done here, so that the digits agree.
//! * Shortest digits (`short`) are Rust's, laid out as `io_lib` does ([`atom::quote::float`]).

use term::Term;

use super::{Fallible, bad, natural};

/// As C's `%.{decimals}e`: an exponent of at least two digits.
pub(super) fn scientific(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            format!("{digits}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}

/// The longest text OTP makes, with the byte that ends it.
const BUFFER: usize = 256;
const MAX_DECIMALS: usize = 253;
const MAX_SCIENTIFIC: usize = 249;

/// What `float_to_list/2` is asked for.
enum Format {
    Scientific(usize),
    Decimals(usize),
    Short,
}

/// `float_to_list(Value, Options)`: of several formats the last one counts.
pub(super) fn with_options(value: f64, options: &Term) -> Fallible<String> {
    let mut format = Format::Scientific(20);
    let mut compact = false;
    let mut elements = options.elements();
    for option in elements.by_ref() {
        if let Some([name, number]) = option.as_tuple() {
            let number = natural(number).ok_or_else(bad)?;
            match name.as_atom().map(atom::Atom::as_str) {
                Some("decimals") if number <= MAX_DECIMALS => format = Format::Decimals(number),
                Some("scientific") if number <= MAX_SCIENTIFIC => {
                    format = Format::Scientific(number);
                }
                _ => return Err(bad()),
            }
        } else {
            match option.as_atom().map(atom::Atom::as_str) {
                Some("compact") => compact = true,
                Some("short") => format = Format::Short,
                _ => return Err(bad()),
            }
        }
    }
    if !elements.is_proper() {
        return Err(bad());
    }
    match format {
        Format::Scientific(decimals) => Ok(scientific(value, decimals)),
        Format::Short => Ok(atom::quote::float(value)),
        Format::Decimals(decimals) => fixed(value, decimals, compact).ok_or_else(bad),
    }
}

/// The rounding constant of OTP: half of the last digit and a little more.
const ROUNDING: f64 = 0.555_555_555_555_555_6;
const FRACTION_BITS: i32 = 52;

/// `value` with a fixed number of decimals; `None` if it does not fit OTP's buffer.
fn fixed(value: f64, decimals: usize, compact: bool) -> Option<String> {
    const POWERS: usize = 19;
    let rounded = match decimals {
        0..POWERS => value.abs() + ROUNDING / 10f64.powi(decimals as i32),
        _ => value.abs(),
    };
    let mut text = if rounded > 2f64.powi(FRACTION_BITS + 1) || decimals >= POWERS {
        let text = format!("{value:.decimals$}");
        (text.len() < BUFFER).then_some(text)?
    } else {
        cut(value, rounded, decimals)
    };
    if compact && text.contains('.') {
        let kept = text.trim_end_matches('0').len();
        text.truncate(kept);
        if text.ends_with('.') {
            text.push('0');
        }
    }
    Some(text)
}

/// The digits of `rounded` (not negative, at most 2^53), cut after `decimals`. The fraction is kept
/// in 53 bits, as OTP does; what does not fit is lost before the digits are made.
fn cut(value: f64, rounded: f64, decimals: usize) -> String {
    const MASK: u64 = (1 << (FRACTION_BITS + 1)) - 1;
    let bits = rounded.to_bits();
    let exponent = (bits >> FRACTION_BITS) as i32 - 1023;
    let mantissa = bits & ((1 << FRACTION_BITS) - 1) | 1 << FRACTION_BITS;
    let (whole, mut fraction) = if exponent >= FRACTION_BITS {
        (mantissa << (exponent - FRACTION_BITS), 0)
    } else if exponent >= 0 {
        (mantissa >> (FRACTION_BITS - exponent), mantissa << (exponent + 1) & MASK)
    } else {
        (0, mantissa.checked_shr((-(exponent + 1)) as u32).unwrap_or(0) & MASK)
    };
    let sign = if value < 0.0 { "-" } else { "" };
    let mut text = format!("{sign}{whole}");
    if decimals > 0 {
        text.push('.');
        for _ in 0..decimals {
            fraction *= 10;
            text.push(char::from(b'0' + (fraction >> (FRACTION_BITS + 1)) as u8));
            fraction &= MASK;
        }
    }
    text
}

/// The float at the start of a text and how long it is: sign, digits, a point (or comma), digits,
/// and possibly an exponent.
pub(super) fn leading_float(text: &[u8]) -> Option<(f64, usize)> {
    let digits = |from: usize| text[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let mut at = sign(0);
    let whole = digits(at);
    at += whole;
    if whole == 0 || !matches!(text.get(at), Some(b'.' | b',')) {
        return None;
    }
    let point = at;
    let fraction = digits(at + 1);
    if fraction == 0 {
        return None;
    }
    at += 1 + fraction;
    if let Some(b'e' | b'E') = text.get(at) {
        let sign = sign(at + 1);
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    let mut number = text[..at].to_vec();
    number[point] = b'.';
    let value = std::str::from_utf8(&number).ok()?.parse().ok()?;
    Some((value, at))
}
