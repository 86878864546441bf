//! Atoms, strings, characters and floats as Erlang text, the way OTP 25's `io_lib` writes them.
//!
//! Two flavours: the plain functions write characters from U+00A0 on as they are (`~tp`, `~tw`),
//! those named `_latin1` escape what is beyond U+00FF (`~p`, `~w`).

use std::fmt::Write;

/// An atom, in quotes if it needs them: `foo`, `'hello world'`, `'case'`. `maybe` and `else` are
/// written bare, as by a node where `maybe_expr` is not enabled; see [`quoted_atom`].
pub fn atom(text: &str) -> String {
    if is_bare_atom(text) { text.to_owned() } else { quoted_atom(text) }
}

/// As [`atom`], with characters beyond Latin-1 escaped.
pub fn atom_latin1(text: &str) -> String {
    if is_bare_atom(text) { text.to_owned() } else { quoted(text, '\'', true) }
}

/// An atom in quotes, whether it needs them or not.
pub fn quoted_atom(text: &str) -> String {
    quoted(text, '\'', false)
}

/// Whether an atom can be written without quotes.
pub fn is_bare_atom(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| matches!(c, 'a'..='z' | 'ß'..='ÿ') && c != '÷')
        && chars.all(is_name_char)
        && !is_reserved(text)
}

/// Words of the language that are no atoms unless quoted. (`maybe` and `else` are some only where a
/// feature makes them so.)
pub fn is_reserved(text: &str) -> bool {
    matches!(
        text,
        "after"
            | "and"
            | "andalso"
            | "band"
            | "begin"
            | "bnot"
            | "bor"
            | "bsl"
            | "bsr"
            | "bxor"
            | "case"
            | "catch"
            | "cond"
            | "div"
            | "end"
            | "fun"
            | "if"
            | "let"
            | "not"
            | "of"
            | "or"
            | "orelse"
            | "receive"
            | "rem"
            | "try"
            | "when"
            | "xor"
    )
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '@')
        || (matches!(c, 'À'..='ÿ') && c != '×' && c != '÷')
}

/// A string between double quotes.
pub fn string(text: &str) -> String {
    quoted(text, '"', false)
}

/// As [`string`], with characters beyond Latin-1 escaped.
pub fn string_latin1(text: &str) -> String {
    quoted(text, '"', true)
}

/// A character literal: `$a`, `$\n`, `$\s`.
pub fn char(c: char) -> String {
    if c == ' ' {
        return "$\\s".to_owned();
    }
    let mut out = String::from("$");
    push_char(&mut out, c, None, false);
    out
}

fn quoted(text: &str, quote: char, latin1: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        push_char(&mut out, c, Some(quote), latin1);
    }
    out.push(quote);
    out
}

fn push_char(out: &mut String, c: char, quote: Option<char>, latin1: bool) {
    let letter = match c {
        '\\' => '\\',
        _ if Some(c) == quote => c,
        ' '..='~' => return out.push(c),
        '\u{100}'.. if latin1 => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{{{:X}}}", c as u32);
            return;
        }
        '\u{A0}'.. => return out.push(c),
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{0B}' => 'v',
        '\u{08}' => 'b',
        '\u{0C}' => 'f',
        '\u{1B}' => 'e',
        '\u{7F}' => 'd',
        control => {
            let _ = write!(out, "\\{:03o}", control as u32);
            return;
        }
    };
    out.push('\\');
    out.push(letter);
}

/// A float with the fewest digits that read back as the same float. Below 2^53 the shorter of
/// decimal and scientific notation, beyond always scientific. Infinities and NaN, which Erlang
/// does not have, are written as Rust does.
pub fn float(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let shortest = shortest_digits(value);
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let scientific = format!("{mantissa}{point}e{exponent}");
    if value.abs() >= 9_007_199_254_740_992.0 {
        return scientific;
    }
    let decimal = decimal_notation(mantissa, exponent.parse().unwrap_or(0));
    if decimal.len() <= scientific.len() { decimal } else { scientific }
}

/// The fewest digits in scientific notation. Of two texts that are equally near, Rust takes the
/// greater one, Erlang the one whose last digit is even.
fn shortest_digits(value: f64) -> String {
    let shortest = format!("{value:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    // Below 15 digits the distance between floats is too small for two texts to be near.
    let odd = mantissa.bytes().last().filter(|digit| digits >= 15 && digit % 2 == 1);
    if let Some(digit) = odd
        && is_halfway(value, digits)
    {
        let kept = &mantissa[..mantissa.len() - 1];
        let even = format!("{kept}{}e{exponent}", char::from(digit - 1));
        if even.parse() == Ok(value) {
            return even;
        }
    }
    shortest
}

/// Whether a float lies exactly between two numbers of so many digits: a 5 follows, and zeros (as
/// far as anyone looks).
fn is_halfway(value: f64, digits: usize) -> bool {
    let more = format!("{value:.60e}");
    let mantissa = more.split('e').next().unwrap_or(&more);
    let mut rest = mantissa.bytes().filter(u8::is_ascii_digit).skip(digits);
    rest.next() == Some(b'5') && rest.all(|digit| digit == b'0')
}

/// Digits as in `-1.25` times ten to a power, written out, with at least one digit on both sides of
/// the point.
fn decimal_notation(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let before = exponent as usize + 1;
    if digits.len() > before {
        format!("{sign}{}.{}", &digits[..before], &digits[before..])
    } else {
        format!("{sign}{digits:0<before$}.0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_atom(text: &str, unicode: &str, latin1: &str) {
        assert_eq!((atom(text).as_str(), atom_latin1(text).as_str()), (unicode, latin1));
    }

    #[test]
    fn atoms() {
        check_atom("foo_Bar@1", "foo_Bar@1", "foo_Bar@1");
        check_atom("été", "été", "été");
        check_atom("", "''", "''");
        check_atom("Foo", "'Foo'", "'Foo'");
        check_atom("_x", "'_x'", "'_x'");
        check_atom("case", "'case'", "'case'");
        check_atom("maybe", "maybe", "maybe");
        check_atom("hello world", "'hello world'", "'hello world'");
        check_atom("it's \"\\", r#"'it\'s "\\'"#, r#"'it\'s "\\'"#);
        check_atom("αω", "'αω'", r"'\x{3B1}\x{3C9}'");
    }

    #[test]
    fn strings_and_chars() {
        assert_eq!(string("a\"'\n\u{1}\u{7f}\u{80}é\u{3b1}"), "\"a\\\"'\\n\\001\\d\\200é\u{3b1}\"");
        assert_eq!(string_latin1("é\u{3b1}"), r#""é\x{3B1}""#);
        assert_eq!(
            [' ', 'a', '\n', '"', '\'', '\\', '\0'].map(char),
            [r"$\s", "$a", r"$\n", "$\"", "$'", r"$\\", r"$\000"]
        );
    }

    #[test]
    fn floats() {
        for (value, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1.0e22, "1.0e22"),
            (1.5e-10, "1.5e-10"),
            (123456.789, "123456.789"),
            (1.0e5, "1.0e5"),
            (100.0, "100.0"),
            (0.001, "0.001"),
            (9_007_199_254_740_992.0, "9.007199254740992e15"),
            (-3_627_629_406_122_085.0 / 4.0, "-906907351530521.2"),
            (1_280_900_592_744_677.0 / 8.0, "160112574093084.62"),
            (0.0625, "0.0625"),
            (12.5, "12.5"),
            (5e-324, "5.0e-324"),
            (2e-323, "2.0e-323"),
        ] {
            assert_eq!(float(value), text);
        }
    }
}
