//! The values of literals, from how they are spelled.
//!
//! Strings are UTF-16, as in Java: a half of a surrogate pair is a character, too. Numbers that are
//! too large have no value. Decimal fractions are rounded as Java rounds them (to the nearest, ties
//! to even), hexadecimal ones by `hexadecimal`, to the same rule.

use crate::escapes;
use crate::tree::{Kind, Literal, NodeId, Tree};

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(u16),
    String(Vec<u16>),
    Boolean(bool),
    Null,
}

impl Tree {
    /// The value of a literal; `None` if the node is none, or one that is wrong.
    pub fn value(&self, id: NodeId) -> Option<Value> {
        let Kind::Literal(literal) = self.kind(id) else { return None };
        let text = self.text(id);
        let translated = escapes::translate(text.as_bytes());
        match &translated {
            None => value(literal, text.as_bytes()),
            Some(translated) => value(literal, &translated.bytes),
        }
    }
}

fn value(literal: Literal, text: &[u8]) -> Option<Value> {
    Some(match literal {
        Literal::Null => Value::Null,
        Literal::Boolean => Value::Boolean(text == b"true"),
        Literal::Int => {
            let (is_negative, is_decimal, magnitude) = integer(text)?;
            Value::Int(signed(magnitude, is_negative, is_decimal, 32)? as i32)
        }
        Literal::Long => {
            let (is_negative, is_decimal, magnitude) = integer(text.split_last()?.1)?;
            Value::Long(signed(magnitude, is_negative, is_decimal, 64)?)
        }
        Literal::Float => Value::Float(match hexadecimal(text, 24, -149)? {
            Hexadecimal::Bits(bits) => f32::from_bits(bits as u32),
            Hexadecimal::Not => decimal(text)?.parse().ok()?,
        }),
        Literal::Double => Value::Double(match hexadecimal(text, 53, -1074)? {
            Hexadecimal::Bits(bits) => f64::from_bits(bits),
            Hexadecimal::Not => decimal(text)?.parse().ok()?,
        }),
        Literal::Char => {
            let inner = text.strip_prefix(b"'")?.strip_suffix(b"'")?;
            match unescaped(inner)[..] {
                [unit] => Value::Char(unit),
                _ => return None,
            }
        }
        Literal::String => Value::String(unescaped(text.strip_prefix(b"\"")?.strip_suffix(b"\"")?)),
        Literal::TextBlock => {
            let inner = text.strip_prefix(b"\"\"\"")?.strip_suffix(b"\"\"\"")?;
            Value::String(unescaped(&stripped(inner)?))
        }
    })
}

// ---- Numbers -----------------------------------------------------------------------------------

/// Sign, whether it is decimal, and magnitude.
fn integer(text: &[u8]) -> Option<(bool, bool, u64)> {
    let (is_negative, text) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest.trim_ascii_start()),
        None => (false, text),
    };
    let (radix, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] => (2, rest),
        [b'0', rest @ ..] if !rest.is_empty() => (8, rest),
        _ => (10, text),
    };
    let mut magnitude: u64 = 0;
    for &digit in digits.iter().filter(|&&digit| digit != b'_') {
        let digit = (digit as char).to_digit(radix)?;
        magnitude = magnitude.checked_mul(radix.into())?.checked_add(digit.into())?;
    }
    Some((is_negative, radix == 10, magnitude))
}

/// A magnitude as a number of so many bits. Decimal ones are signed numbers, others are patterns
/// of bits.
fn signed(magnitude: u64, is_negative: bool, is_decimal: bool, bits: u32) -> Option<i64> {
    let value = if is_decimal {
        let limit = 1u64 << (bits - 1);
        if magnitude > limit || magnitude == limit && !is_negative {
            return None;
        }
        magnitude as i64
    } else {
        if bits < 64 && magnitude >> bits != 0 {
            return None;
        }
        let shift = 64 - bits;
        ((magnitude << shift) as i64) >> shift
    };
    let value = if is_negative { value.wrapping_neg() } else { value };
    Some(if bits == 32 { i64::from(value as i32) } else { value })
}

/// A decimal fraction without what Rust does not read.
fn decimal(text: &[u8]) -> Option<String> {
    let kept = text.iter().filter(|byte| !b"_fFdD".contains(byte));
    String::from_utf8(kept.copied().collect()).ok()
}

enum Hexadecimal {
    Not,
    Bits(u64),
}

/// The bits of a hexadecimal fraction in a format with so many digits of the mantissa, the last of
/// which is worth two to the power of `least` in the smallest numbers. `None` if it is too large.
fn hexadecimal(text: &[u8], precision: u32, least: i64) -> Option<Hexadecimal> {
    let Some([b'x' | b'X']) = text.get(1..2) else { return Some(Hexadecimal::Not) };
    let (mut mantissa, mut exponent, mut sticky) = (0u64, 0i64, false);
    let mut is_fraction = false;
    let mut rest = text[2..].iter();
    for &byte in rest.by_ref() {
        let digit = match byte {
            b'_' => continue,
            b'.' => {
                is_fraction = true;
                continue;
            }
            b'p' | b'P' => break,
            _ => u64::from((byte as char).to_digit(16)?),
        };
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent -= if is_fraction { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if is_fraction { 0 } else { 4 };
        }
    }
    let power: String =
        rest.map(|&byte| byte as char).filter(|&c| c.is_ascii_digit() || c == '-').collect();
    exponent = exponent.saturating_add(power.parse::<i64>().ok()?.clamp(-100_000, 100_000));
    if mantissa == 0 {
        return Some(Hexadecimal::Bits(0));
    }
    // The mantissa to its precision, or to less where the exponent is the smallest.
    let length = i64::from(64 - mantissa.leading_zeros());
    let cut = (length - i64::from(precision)).max(least - exponent);
    let mut kept = match cut {
        0 => mantissa,
        1..=64 => {
            let whole = if cut == 64 { 0 } else { mantissa >> cut };
            let half = 1u64 << (cut - 1);
            let below = mantissa & (half - 1) != 0 || sticky;
            whole + u64::from(mantissa & half != 0 && (below || whole & 1 == 1))
        }
        65.. => 0,
        _ => mantissa << -cut,
    };
    exponent += cut;
    if kept >> precision != 0 {
        kept >>= 1;
        exponent += 1;
    }
    let hidden = 1u64 << (precision - 1);
    let biased = if kept & hidden == 0 { 0 } else { exponent - least + 1 };
    let highest = if precision == 24 { 254 } else { 2046 };
    if biased > highest {
        return None;
    }
    Some(Hexadecimal::Bits((biased as u64) << (precision - 1) | kept & (hidden - 1)))
}

// ---- Strings -----------------------------------------------------------------------------------

/// The characters of a text with its escapes replaced.
fn unescaped(text: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte != b'\\' {
            at += push_units(&text[at..], &mut units);
            continue;
        }
        at += 2;
        let unit = match text.get(at - 1) {
            Some(b'b') => 8,
            Some(b't') => 9,
            Some(b'n') => 10,
            Some(b'f') => 12,
            Some(b'r') => 13,
            Some(b's') => 32,
            Some(b'\n') => continue,
            Some(&first @ b'0'..=b'7') => {
                let longest = if first <= b'3' { 2 } else { 1 };
                let mut unit = u16::from(first - b'0');
                for _ in 0..longest {
                    let Some(&digit @ b'0'..=b'7') = text.get(at) else { break };
                    unit = unit * 8 + u16::from(digit - b'0');
                    at += 1;
                }
                unit
            }
            Some(&other) => u16::from(other),
            None => continue,
        };
        units.push(unit);
    }
    units
}

/// Appends the character that a text begins with; how many bytes it has.
fn push_units(text: &[u8], units: &mut Vec<u16>) -> usize {
    let length = match text[0] {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    };
    let bytes = &text[..length.min(text.len())];
    let lead = u32::from(bytes[0]) & (0xFF >> (length + usize::from(length > 1)));
    let code = bytes[1..].iter().fold(lead, |code, &byte| code << 6 | u32::from(byte & 0x3F));
    match char::from_u32(code) {
        Some(character) => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
        None => units.push(code as u16),
    }
    bytes.len()
}

/// The content of a text block: without its first line, without the indentation that all lines
/// share, and without white space at their ends. Escapes are still there.
fn stripped(text: &[u8]) -> Option<Vec<u8>> {
    let mut text: Vec<u8> = text.to_vec();
    // Ends of lines are all the same.
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\r' {
            text[at] = b'\n';
            if text.get(at + 1) == Some(&b'\n') {
                text.remove(at + 1);
            }
        }
        at += 1;
    }
    let first = text.iter().position(|&byte| byte == b'\n')?;
    let lines: Vec<&[u8]> = text[first + 1..].split(|&byte| byte == b'\n').collect();
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\x0B' | b'\x0C' | 0x1C..=0x1F);
    let (last, others) = lines.split_last()?;
    let indentation = |line: &[u8]| line.iter().take_while(|byte| is_space(byte)).count();
    let shared = others
        .iter()
        .filter(|line| !line.iter().all(&is_space))
        .chain([last])
        .map(|line| indentation(line))
        .min()?;
    let mut result = Vec::with_capacity(text.len());
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            result.push(b'\n');
        }
        let end = line.iter().rposition(|byte| !is_space(byte)).map_or(0, |last| last + 1);
        result.extend_from_slice(line.get(shared..end.max(shared)).unwrap_or_default());
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::Value;
    use crate::read_text;
    use crate::tree::Kind;

    fn value_of(literal: &str) -> Option<Value> {
        let tree = read_text(&format!("class A {{ Object a = {literal}; }}"));
        let id = tree.ids().find(|&id| matches!(tree.kind(id), Kind::Literal(_)))?;
        tree.value(id)
    }

    #[test]
    fn values() {
        let text = |text: &str| Some(Value::String(text.encode_utf16().collect()));
        for (literal, expected) in [
            ("1_000", Some(Value::Int(1000))),
            ("-2147483648", Some(Value::Int(i32::MIN))),
            ("- 1", Some(Value::Int(-1))),
            ("2147483648", None),
            ("0xFFFF_FFFF", Some(Value::Int(-1))),
            ("0x80000000", Some(Value::Int(i32::MIN))),
            ("0b101", Some(Value::Int(5))),
            ("017", Some(Value::Int(15))),
            ("-9223372036854775808L", Some(Value::Long(i64::MIN))),
            ("0xFFFFFFFFFFFFFFFFl", Some(Value::Long(-1))),
            ("1.5f", Some(Value::Float(1.5))),
            ("1e3", Some(Value::Double(1000.0))),
            (".5", Some(Value::Double(0.5))),
            ("1.", Some(Value::Double(1.0))),
            ("0x1.8p1", Some(Value::Double(3.0))),
            ("0x1.fffffffffffffp1023", Some(Value::Double(f64::MAX))),
            ("0x0.0000000000001p-1022", Some(Value::Double(f64::from_bits(1)))),
            ("0x1p-1022", Some(Value::Double(f64::MIN_POSITIVE))),
            ("0x1.fffffeP+127f", Some(Value::Float(f32::MAX))),
            ("'a'", Some(Value::Char(97))),
            (r"'\n'", Some(Value::Char(10))),
            (r"'\uD800'", Some(Value::Char(0xD800))),
            (r"'\377'", Some(Value::Char(255))),
            (r#""a\tb\u0041\0é😀""#, text("a\tbA\0é😀")),
            (r#""\ud83d\ude00""#, text("😀")),
            ("\"\"\"\n    a\n      b  \n    \"\"\"", text("a\n  b\n")),
            ("\"\"\"\n  a \\\n  b\\s\n  c\"\"\"", text("a b \nc")),
            ("\"\"\"\n\n   \\\"\"\" x\n \"\"\"", text("\n  \"\"\" x\n")),
            ("true", Some(Value::Boolean(true))),
            ("null", Some(Value::Null)),
        ] {
            assert_eq!(value_of(literal), expected, "{literal}");
        }
    }
}
