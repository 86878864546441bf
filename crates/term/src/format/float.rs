//! Digits of floats.
//!
//! The shortest text that reads back as the same float is [`shortest`]. The controls `~e`, `~f` and
//! `~g` work on the first 21 digits of the exact decimal value, as OTP does: they round half up,
//! and what lies beyond is zeros.

/// The shortest digits, laid out as `float_to_list(F, [short])` does.
pub fn shortest(value: f64) -> String {
    atom::quote::float(value)
}

/// As C's `%.{decimals}e`: an exponent of at least two digits.
pub fn scientific(value: f64, decimals: usize) -> String {
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

/// The digits of a float, and how many of them stand before the point.
struct Digits {
    digits: Vec<u8>,
    before_point: i32,
}

impl Digits {
    fn new(value: f64) -> Digits {
        let text = format!("{:.20e}", value.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        Digits {
            digits: mantissa.bytes().filter(u8::is_ascii_digit).collect(),
            before_point: exponent.parse::<i32>().unwrap_or(0) + 1,
        }
    }

    /// `before` digits, a point, and `after` more, rounded half up. Says whether a carry was left
    /// over, for which a 1 belongs in front.
    fn rounded(&self, before: usize, after: usize) -> (String, bool) {
        let wanted = before + after;
        let mut digits: Vec<u8> = self.digits.iter().copied().take(wanted).collect();
        digits.resize(wanted, b'0');
        let mut carry = self.digits.get(wanted).is_some_and(|digit| *digit >= b'5');
        for digit in digits.iter_mut().rev() {
            if !carry {
                break;
            }
            carry = *digit == b'9';
            *digit = if carry { b'0' } else { *digit + 1 };
        }
        let mut text = String::with_capacity(wanted + 1);
        text.extend(digits[..before].iter().map(|digit| char::from(*digit)));
        text.push('.');
        text.extend(digits[before..].iter().map(|digit| char::from(*digit)));
        (text, carry)
    }
}

fn sign(value: f64) -> &'static str {
    if value.is_sign_negative() { "-" } else { "" }
}

/// `~.{precision}e`: so many significant digits (at least two).
pub fn exponential(value: f64, precision: usize) -> String {
    let digits = Digits::new(value);
    let (mut mantissa, carry) = digits.rounded(1, precision - 1);
    let mut exponent = digits.before_point - 1;
    if carry {
        mantissa.replace_range(0..1, "1");
        exponent += 1;
    }
    let plus = if exponent >= 0 { "+" } else { "" };
    format!("{}{mantissa}e{plus}{exponent}", sign(value))
}

/// `~.{decimals}f` (at least one).
pub fn fixed(value: f64, decimals: usize) -> String {
    let mut digits = Digits::new(value);
    if digits.before_point <= 0 {
        let zeros = (1 - digits.before_point) as usize;
        digits.digits.splice(0..0, std::iter::repeat_n(b'0', zeros));
        digits.before_point = 1;
    }
    let (text, carry) = digits.rounded(digits.before_point as usize, decimals);
    let carried = if carry { "1" } else { "" };
    format!("{}{carried}{text}", sign(value))
}

/// `~.{precision}g`: [`fixed`] from 0.1 up to 10000 where the digits suffice, else
/// [`exponential`].
pub fn general(value: f64, precision: usize) -> String {
    let size = value.abs();
    let magnitude = [0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0].iter().position(|top| size < *top);
    match magnitude {
        Some(1) if precision <= 1 => fixed(value, precision),
        // From 0.1 on, so many digits stand before the point (none for what is below 1).
        Some(before @ 1..) if precision + 1 > before => fixed(value, precision + 1 - before),
        _ => exponential(value, precision.max(2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls() {
        let check = |value: f64, e: &str, f: &str, g: &str| {
            let all = (exponential(value, 6), fixed(value, 6), general(value, 6));
            assert_eq!((all.0.as_str(), all.1.as_str(), all.2.as_str()), (e, f, g));
        };
        check(0.0, "0.00000e+0", "0.000000", "0.00000e+0");
        check(1.0, "1.00000e+0", "1.000000", "1.00000");
        check(-0.0, "-0.00000e+0", "-0.000000", "-0.00000e+0");
        check(9.999_999_9, "1.00000e+1", "10.000000", "10.00000");
        check(0.1, "1.00000e-1", "0.100000", "0.100000");
        check(12345.678, "1.23457e+4", "12345.678000", "1.23457e+4");
        check(1e22, "1.00000e+22", "10000000000000000000000.000000", "1.00000e+22");
    }
}
