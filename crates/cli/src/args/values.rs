//! Values of options: how they are written.

use std::time::Duration;

/// `80`, `<0.80.0>`
pub(super) fn pid(text: &str) -> Result<u64, String> {
    let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let number = match inner.map(|inner| inner.split('.').collect::<Vec<_>>()) {
        Some(parts) => match parts[..] {
            ["0", number, "0"] => number.parse().ok(),
            _ => None,
        },
        None => text.parse().ok(),
    };
    number.ok_or_else(|| format!("`{text}` is no process such as 80 or <0.80.0>"))
}

pub(super) fn kind(text: &str) -> Result<String, String> {
    if session::trace::KINDS.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is none of {}", session::trace::KINDS.join(", ")))
}

/// `500M`, `2G`, `1000000`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper.trim_end_matches('B').trim_end_matches('I');
    let (number, factor) = match digits.chars().last() {
        Some('K') => (&digits[..digits.len() - 1], 1 << 10),
        Some('M') => (&digits[..digits.len() - 1], 1 << 20),
        Some('G') => (&digits[..digits.len() - 1], 1 << 30),
        _ => (digits, 1),
    };
    let number: Option<u64> = number.trim().parse().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| format!("`{text}` is no size such as 500M or 2G"))
}

/// `10s`, `500ms`, `2m`, `1h`, or seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let number: Option<f64> = digits.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number * factor).ok())
        .ok_or_else(|| format!("`{text}` is no time such as 10s, 500ms or 2m"))
}

pub(super) fn define(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (text, None),
    };
    let first = name.chars().next();
    let is_name = first.is_some_and(|c| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@');
    if is_name { Ok((name.to_string(), value)) } else { Err(format!("`{name}` is no macro name")) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{define, duration, size};

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("17"), Ok(17));
        assert!(size("0").is_err() && size("M").is_err() && size("99999999999G").is_err());
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(
            duration("-1s").is_err() && duration("5 parsecs").is_err() && duration("").is_err()
        );
    }

    #[test]
    fn macro_definitions() {
        assert_eq!(define("A"), Ok(("A".into(), None)));
        assert_eq!(define("a_1="), Ok(("a_1".into(), Some(String::new()))));
        assert_eq!(define("A={b,1}=c"), Ok(("A".into(), Some("{b,1}=c".into()))));
        assert!(define("1A").is_err());
        assert!(define("=x").is_err());
    }
}
