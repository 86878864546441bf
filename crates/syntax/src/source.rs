//! Source files: decoded text, lines, and the door through which files are asked for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of one module: the module's own text, or a header that it includes.
/// A header included twice is listed twice (each has its own place in the expansion).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u16);

impl FileId {
    /// The module's own file.
    pub const MAIN: FileId = FileId(0);
}

/// A range of text, in bytes of the decoded (UTF-8) text of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

/// Line and column as OTP counts them: from 1, columns in code points; lines as changed by
/// `-file` attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Loc {
    pub line: u32,
    pub column: u32,
}

/// How the bytes of a file were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    #[default]
    Utf8,
    Latin1,
}

/// The text of one file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As it was named on the command line or found by an include; what reports show.
    pub path: PathBuf,
    /// Decoded text. Spans count bytes of this.
    pub text: Arc<str>,
    /// Byte offset of the start of each line.
    pub line_starts: Arc<[u32]>,
    pub encoding: Encoding,
    /// Which file included this one, and where; `None` for the module's own file.
    pub included_from: Option<Span>,
}

impl SourceFile {
    pub fn new(path: PathBuf, text: Arc<str>, encoding: Encoding) -> SourceFile {
        let line_starts = line_starts(text.as_bytes());
        SourceFile { path, text, line_starts: line_starts.into(), encoding, included_from: None }
    }

    /// Physical line and column (in code points) of a byte offset, both from 1.
    pub fn loc(&self, offset: u32) -> Loc {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len()).max(start);
        let column = self.text.as_bytes()[start..end]
            .iter()
            .filter(|&&byte| byte & 0xC0 != 0x80) // count what is not a continuation byte
            .count();
        Loc { line: line as u32, column: column as u32 + 1 }
    }

    /// Text of one physical line (from 1), without its line break.
    pub fn line_text(&self, line: u32) -> &str {
        let index = (line as usize).saturating_sub(1);
        let Some(&start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// Offset of the start of each line. Eight bytes at a time: every file passes through here.
fn line_starts(bytes: &[u8]) -> Vec<u32> {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    const LINE_BREAKS: u64 = 0x0A0A_0A0A_0A0A_0A0A;
    let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
    starts.push(0);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // A byte of this is zero where there is a line break; the highest bit of a byte of `found`
        // is set exactly there.
        let word = u64::from_le_bytes(*word) ^ LINE_BREAKS;
        let mut found = !(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
        while found != 0 {
            starts.push(index as u32 * 8 + found.trailing_zeros() / 8 + 1);
            found &= found - 1;
        }
    }
    let offset = words.len() as u32 * 8;
    let ends = rest.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    starts.extend(ends.map(|(index, _)| offset + index as u32 + 1));
    starts
}

/// Where the front end gets files from. `program` implements it over the file system, the OTP
/// library and the headers we ship; tests implement it over a table.
pub trait Files {
    /// The bytes of a file; an error's text is shown to the user.
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;

    /// Whether a file can be read.
    fn exists(&self, path: &Path) -> bool;

    /// The directory of an OTP application or dependency, for `-include_lib`.
    fn lib_dir(&self, application: &str) -> Option<PathBuf>;

    /// The value of an environment variable, for `-include("$VAR/x.hrl")`.
    fn env(&self, name: &str) -> Option<String>;
}

/// No files at all: for texts that include nothing.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }

    fn lib_dir(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_start_behind_line_breaks() {
        let text = "\n\nabc\n\u{8a}\u{10a}\n0123456789\n\n\n\n\n\n\n\n\n\nx\n".repeat(3);
        let expected: Vec<u32> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(offset, _)| offset as u32 + 1))
            .collect();
        assert_eq!(line_starts(text.as_bytes()), expected);
    }
}
