//! Unicode escapes: `\u0041` is `A` wherever it stands in a Java text, even in the middle of a
//! keyword. They are replaced before the lexer looks at the text; places in the replaced text are
//! then told as places of the text that the user wrote.
//!
//! The replaced text is bytes, not a `str`: an escape may be one half of a surrogate pair, which is
//! then encoded as UTF-8 would encode it if it could. Two halves in a row become one character.
//! Most files have no escape at all, which costs one search for a backslash followed by `u`.

/// A text without escapes, and where its bytes come from.
pub(crate) struct Translated {
    pub(crate) bytes: Vec<u8>,
    /// (offset in `bytes` behind a replaced escape, offset in the original behind it), ascending.
    /// From each of them on the two run in step up to the next escape.
    marks: Vec<(u32, u32)>,
    /// The escapes that have fewer than four hexadecimal digits: where each begins.
    pub(crate) malformed: Vec<u32>,
}

impl Translated {
    /// The place in the original text of a place in `bytes` that is no place within an escape.
    pub(crate) fn original(&self, offset: u32) -> u32 {
        match self.marks.partition_point(|&(at, _)| at <= offset).checked_sub(1) {
            None => offset,
            Some(index) => {
                let (at, original) = self.marks[index];
                original + (offset - at)
            }
        }
    }
}

/// Replaces escapes; `None` if there are none.
pub(crate) fn translate(text: &[u8]) -> Option<Translated> {
    if !text.windows(2).any(|pair| pair == b"\\u") {
        return None;
    }
    let mut result =
        Translated { bytes: Vec::with_capacity(text.len()), marks: Vec::new(), malformed: vec![] };
    let mut at = 0;
    // The half of a pair that was the last thing to be written, with the offset it was written at.
    let mut high: Option<(usize, u32)> = None;
    while at < text.len() {
        if text[at] != b'\\' {
            result.bytes.push(text[at]);
            at += 1;
            continue;
        }
        if text.get(at + 1) != Some(&b'u') {
            // A backslash escapes what follows, another backslash included.
            let pair = &text[at..(at + 2).min(text.len())];
            result.bytes.extend_from_slice(pair);
            at += pair.len();
            continue;
        }
        let digits = at + text[at..].iter().skip(1).take_while(|&&byte| byte == b'u').count() + 1;
        let Some(unit) = text.get(digits..digits + 4).and_then(hexadecimal) else {
            result.malformed.push(at as u32);
            result.bytes.push(b'\\');
            at += 1;
            continue;
        };
        let before = high.take().filter(|&(end, _)| end == result.bytes.len());
        match before {
            Some((end, half)) if (0xDC00..0xE000).contains(&unit) => {
                result.bytes.truncate(end - 3);
                let code = 0x10000 + ((half - 0xD800) << 10) + (unit - 0xDC00);
                push_code(&mut result.bytes, code);
            }
            _ => push_code(&mut result.bytes, unit),
        }
        at = digits + 4;
        if (0xD800..0xDC00).contains(&unit) {
            high = Some((result.bytes.len(), unit));
        }
        result.marks.push((result.bytes.len() as u32, at as u32));
        // A backslash that was written as an escape escapes an ordinary character, too.
        if unit == u32::from(b'\\') && text.get(at) == Some(&b'\\') && !is_escape(&text[at..]) {
            result.bytes.push(b'\\');
            at += 1;
        }
    }
    Some(result)
}

fn is_escape(text: &[u8]) -> bool {
    text.get(1) == Some(&b'u')
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + (digit as char).to_digit(16)?))
}

/// Appends a code point as UTF-8, halves of surrogate pairs included.
pub(crate) fn push_code(bytes: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => bytes.extend_from_slice(&[
            0xE0 | (code >> 12) as u8,
            0x80 | (code >> 6 & 0x3F) as u8,
            0x80 | (code & 0x3F) as u8,
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn escapes_are_replaced() {
        for (text, expected) in [
            (r"\u0041b", "Ab"),
            (r"a\uuu0042c", "aBc"),
            (r"\\u0041", r"\\u0041"),
            (r"\\\u0041", r"\\A"),
            (r"\ud83d\ude00!", "\u{1F600}!"),
            (r#""\u0022"#, r#""""#),
            (r"\u12", r"\u12"),
        ] {
            let translated = translate(text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8_lossy(&translated.bytes), expected, "{text}");
        }
        assert!(translate(b"plain \\n").is_none());
    }

    #[test]
    fn places_are_those_of_the_original() {
        let translated = translate(br"x\u0041y\u0042z").unwrap();
        let places: Vec<u32> = (0..5).map(|offset| translated.original(offset)).collect();
        // The end of an escape is behind it, which is where the next thing begins.
        assert_eq!(places, [0, 1, 7, 8, 14]);
    }
}
