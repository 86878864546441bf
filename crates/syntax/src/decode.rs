//! Bytes of a file to text.
//!
//! A comment in the first two lines may name the encoding (`%% coding: latin-1`); otherwise it is
//! UTF-8. Text that is not valid UTF-8 ends, as for OTP, at its first wrong byte.

use crate::source::Encoding;

/// Files larger than this are not read: offsets are kept in 32 bits, and nobody wrote them by hand.
pub(crate) const MAX_FILE_BYTES: usize = 64 << 20;

/// How far into the file the name of the encoding is looked for.
const ENCODING_SEARCH_BYTES: usize = 512;

pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    /// The text was cut at bytes that are not UTF-8.
    pub(crate) invalid: bool,
}

pub(crate) fn decode(bytes: Vec<u8>) -> Decoded {
    if encoding_comment(&bytes) == Some(Encoding::Latin1) {
        let text = match String::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => text,
            Ok(text) => latin1(text.as_bytes()),
            Err(error) => latin1(error.as_bytes()),
        };
        return Decoded { text, encoding: Encoding::Latin1, invalid: false };
    }
    let (text, invalid) = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(valid);
            (String::from_utf8(bytes).unwrap_or_default(), true)
        }
    };
    Decoded { text, encoding: Encoding::Utf8, invalid }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| byte as char).collect()
}

/// What the first two lines say about the encoding.
fn encoding_comment(bytes: &[u8]) -> Option<Encoding> {
    let head = &bytes[..bytes.len().min(ENCODING_SEARCH_BYTES)];
    for line in head.split(|&byte| byte == b'\n').take(2) {
        let Some(comment) = line.iter().position(|&byte| byte == b'%') else { continue };
        let mut rest = &line[comment + 1..];
        while let Some(at) = find(rest, b"coding") {
            rest = &rest[at + b"coding".len()..];
            let separator = skip_spaces(rest);
            if let [b':' | b'=', name @ ..] = separator {
                return encoding_named(skip_spaces(name));
            }
        }
    }
    None
}

/// The encoding whose name the bytes start with.
fn encoding_named(bytes: &[u8]) -> Option<Encoding> {
    let end = bytes
        .iter()
        .position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'-')
        .unwrap_or(bytes.len());
    let name = bytes[..end].to_ascii_lowercase();
    let mut parts = name.split(|&byte| byte == b'-');
    match (parts.next()?, parts.next()?) {
        (b"latin", b"1") => Some(Encoding::Latin1),
        (b"utf", b"8") => Some(Encoding::Utf8),
        _ => None,
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

fn skip_spaces(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().take_while(|&&byte| byte == b' ').count();
    &bytes[spaces..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], encoding: Encoding, text: &str) {
        let decoded = decode(bytes.to_vec());
        assert_eq!((decoded.encoding, decoded.text.as_str()), (encoding, text));
    }

    #[test]
    fn encodings() {
        check(b"\xC3\xA9", Encoding::Utf8, "é");
        check(b"%% coding: latin-1\n\xE9", Encoding::Latin1, "%% coding: latin-1\né");
        check(
            b"\n% -*- coding= Latin-1 -*-\n\xE9",
            Encoding::Latin1,
            "\n% -*- coding= Latin-1 -*-\né",
        );
        check(b"\n\n% coding: latin-1\n", Encoding::Utf8, "\n\n% coding: latin-1\n");
        check(b"coding: latin-1\n", Encoding::Utf8, "coding: latin-1\n");
        check(b"a\xFFb", Encoding::Utf8, "a");
        assert!(decode(b"a\xFFb".to_vec()).invalid);
    }
}
