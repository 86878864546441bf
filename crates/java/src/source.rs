//! Source texts: bytes to text, and places as lines and columns.

use std::sync::Arc;

/// The text of a file. Spans count its bytes.
#[derive(Clone, Debug)]
pub struct Source {
    pub text: Arc<str>,
    /// Byte offset of the start of each line.
    line_starts: Vec<u32>,
}

/// A range of bytes of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Source {
    /// Bytes as UTF-8. What is no UTF-8 becomes U+FFFD; the places of that are returned.
    pub fn decode(bytes: &[u8]) -> (Source, Vec<u32>) {
        let mut text = String::with_capacity(bytes.len());
        let mut unreadable = Vec::new();
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                unreadable.push(text.len() as u32);
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        (Source::new(&text), unreadable)
    }

    pub fn new(text: &str) -> Source {
        let bytes = text.as_bytes();
        let mut line_starts = vec![0];
        for (offset, &byte) in bytes.iter().enumerate() {
            // `\r\n` is one end of a line.
            if byte == b'\n' || byte == b'\r' && bytes.get(offset + 1) != Some(&b'\n') {
                line_starts.push(offset as u32 + 1);
            }
        }
        Source { text: text.into(), line_starts }
    }

    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Line and column of a byte, both from 1, columns in characters.
    pub fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).clamp(start, self.text.len());
        let before = &self.text.as_bytes()[start..end];
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        (line as u32, column as u32 + 1)
    }

    /// The bytes of a line (from 1) without what ends it.
    pub fn line(&self, line: u32) -> Option<Span> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let text = self.text.get(start as usize..end)?.trim_end_matches(['\n', '\r']);
        Some(Span { start, end: start + text.len() as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, Span};

    #[test]
    fn lines_end_with_any_of_three() {
        let source = Source::new("a\nbé\r\nc\rd");
        assert_eq!(source.place(0), (1, 1));
        assert_eq!(source.place(5), (2, 3));
        assert_eq!(source.place(7), (3, 1));
        assert_eq!(source.place(9), (4, 1));
        assert_eq!(source.line(2), Some(Span { start: 2, end: 5 }));
        assert_eq!(source.line(5), None);
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        let (source, unreadable) = Source::decode(b"a\xFFb");
        assert_eq!(&*source.text, "a\u{FFFD}b");
        assert_eq!(unreadable, [1]);
    }
}
