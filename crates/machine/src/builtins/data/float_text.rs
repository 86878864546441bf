//! Floats as text.
//!
//! * `%.Ne` and large `%.Nf` need the exact decimal value of the float; Rust's formatting gives it.
//! * `{decimals, N}` of a moderate float goes OTP's own way: the fraction is multiplied by a power
//!   of ten and rounded, in floats. The same is done here, so that the digits agree.
//! * Shortest digits (`short`) are Rust's, laid out as `io_lib` does ([`atom::quote::float`]).

use term::Term;
pub(super) use term::format::float::scientific;

use super::{Fallible, bad};

/// The longest text OTP makes, with the byte that ends it.
const BUFFER: usize = 256;
const MAX_DECIMALS: usize = 253;
const MAX_SCIENTIFIC: usize = 249;
const C_DEFAULT: usize = 6;

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
            let number = number.as_int().ok_or_else(bad)?;
            match (name.as_atom().map(atom::Atom::as_str), usize::try_from(number)) {
                (Some("decimals"), Ok(number)) if number <= MAX_DECIMALS => {
                    format = Format::Decimals(number);
                }
                (Some("scientific"), Ok(number)) if number <= MAX_SCIENTIFIC => {
                    format = Format::Scientific(number);
                }
                // C's formatting takes a negative number for none.
                (Some("scientific"), Err(_)) => format = Format::Scientific(C_DEFAULT),
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

/// `value` with a fixed number of decimals; `None` if it does not fit OTP's buffer.
fn fixed(value: f64, decimals: usize, compact: bool) -> Option<String> {
    const POWERS: usize = 19;
    const LARGE: f64 = 9_007_199_254_740_992.0; // 2^53
    let magnitude = value.abs();
    let large = magnitude > LARGE || decimals >= POWERS;
    let mut text = if large {
        let text = format!("{value:.decimals$}");
        (text.len() < BUFFER).then_some(text)?
    } else {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        if decimals == 0 {
            format!("{sign}{}", magnitude.round())
        } else {
            let power = 10f64.powi(decimals as i32);
            let mut whole = magnitude.floor();
            let mut fraction = ((magnitude - whole) * power).round();
            if fraction >= power {
                (whole, fraction) = (whole + 1.0, 0.0);
            }
            format!("{sign}{whole}.{:0>decimals$}", fraction as u64)
        }
    };
    // Large numbers lose their zeros even where there is no point.
    if compact && (large || decimals > 0) {
        let kept = text.trim_end_matches('0').len();
        text.truncate(kept);
        if text.ends_with('.') {
            text.push('0');
        }
    }
    Some(text)
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
