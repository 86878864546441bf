//! How atoms, characters and numbers are written in source text: as [`crate::quote`] does, but so
//! that every release reads them back the same, and with the user's spelling of numbers.

use num_bigint::BigInt;

use crate::quote;
use crate::token::TokenKind;

/// An atom, in quotes where it needs them. `maybe` and `else` always get them: where the feature is
/// enabled, they are keywords.
pub(super) fn atom(text: &str) -> String {
    match TokenKind::feature_keyword(text) {
        Some(_) => quote::quoted_atom(text),
        None => quote::atom(text),
    }
}

/// A character literal. Code points that are no character (the reader rejects them) are written as
/// they would have to be spelled.
pub(super) fn character(code_point: u32) -> String {
    match char::from_u32(code_point) {
        Some(c) => quote::char(c),
        None => format!("$\\x{{{code_point:X}}}"),
    }
}

/// A number as the user spelled it, if `spelling` is an integer of this value (`16#FF`, `1_000`);
/// else in decimal.
pub(super) fn integer(value: &BigInt, spelling: &str) -> String {
    if value_of_integer(spelling).is_some_and(|spelled| spelled == *value) {
        spelling.to_owned()
    } else {
        value.to_string()
    }
}

fn value_of_integer(spelling: &str) -> Option<BigInt> {
    // Parsing digits costs more than linear time; a number this long is written in decimal.
    const LONGEST: usize = 4096;
    if spelling.len() > LONGEST || !spelling.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (base, digits) = match spelling.split_once('#') {
        Some((base, digits)) => (base.parse().ok().filter(|base| (2..=36).contains(base))?, digits),
        None => (10, spelling),
    };
    let well_placed = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    if !well_placed || !plain.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    BigInt::parse_bytes(plain.as_bytes(), base)
}

/// A float as the user spelled it, if `spelling` is a decimal float of exactly this value; else the
/// shortest decimal that is read back as the same float.
pub(super) fn float(value: f64, spelling: &str) -> String {
    let decimal = spelling.split_once('.').is_some_and(|(whole, rest)| {
        whole.bytes().all(|b| b.is_ascii_digit())
            && rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'e' | b'E' | b'+' | b'-'))
    });
    if decimal && spelling.parse::<f64>().is_ok_and(|spelled| spelled.to_bits() == value.to_bits())
    {
        return spelling.to_owned();
    }
    quote::float(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_be_keywords_are_quoted() {
        let written = ["ok", "maybe", "else", "case"].map(atom);
        assert_eq!(written, ["ok", "'maybe'", "'else'", "'case'"]);
    }

    #[test]
    fn numbers_keep_the_users_spelling_if_it_is_right() {
        for (value, spelling, written) in [
            (255, "16#FF", "16#FF"),
            (1000, "1_000", "1_000"),
            (12, "?LINE", "12"),
            (12, "13", "12"),
            (12, "012", "012"),
            (-3, "3", "-3"),
            (7, "7_", "7"),
        ] {
            assert_eq!(integer(&BigInt::from(value), spelling), written);
        }
        for (value, spelling, written) in [
            (1.5, "1.50", "1.50"),
            (1e300, "", "1.0e300"),
            (1.5e-300, "x", "1.5e-300"),
            (100.0, "1.0E2", "1.0E2"),
            (0.1, "", "0.1"),
            (0.875, "2#0.111", "0.875"),
            (5e-324, "", "5.0e-324"),
            (1e22, "", "1.0e22"),
        ] {
            assert_eq!(float(value, spelling), written);
        }
    }
}
