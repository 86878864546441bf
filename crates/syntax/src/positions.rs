//! Physical lines and columns of many places of one file.
//!
//! [`SourceFile::loc`] counts the characters from the start of the line; on a line of many
//! megabytes that is too slow to do for each of its nodes. Here the number of characters before
//! every 256th byte is stored, so that one place costs a look at 256 bytes at most.

use crate::source::{Loc, SourceFile};

const STRIDE: usize = 256;

pub(crate) struct Positions<'m> {
    file: &'m SourceFile,
    /// Characters before byte `i * STRIDE`.
    characters: Vec<u32>,
}

fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

impl<'m> Positions<'m> {
    pub(crate) fn new(file: &'m SourceFile) -> Positions<'m> {
        let mut before = 0;
        let count = |chunk: &[u8]| {
            let here = before;
            before += characters(chunk);
            here
        };
        let mut characters: Vec<u32> = file.text.as_bytes().chunks(STRIDE).map(count).collect();
        // For the end of a text whose length is a multiple of the stride.
        characters.push(before);
        Positions { file, characters }
    }

    fn characters_before(&self, offset: usize) -> u32 {
        let offset = offset.min(self.file.text.len());
        let chunk = offset / STRIDE;
        self.characters[chunk] + characters(&self.file.text.as_bytes()[chunk * STRIDE..offset])
    }

    /// As [`SourceFile::loc`].
    pub(crate) fn loc(&self, offset: u32) -> Loc {
        let starts = &self.file.line_starts;
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or_default() as usize;
        let column =
            self.characters_before(offset as usize).saturating_sub(self.characters_before(start));
        Loc { line: line as u32, column: column + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Encoding;

    #[test]
    fn agrees_with_the_file() {
        arbtest::arbtest(|u| {
            let text = u.arbitrary_iter::<char>()?.collect::<Result<String, _>>()?.repeat(40);
            let file = SourceFile::new("x".into(), text.as_str().into(), Encoding::Utf8);
            let positions = Positions::new(&file);
            for (offset, _) in text.char_indices() {
                assert_eq!(positions.loc(offset as u32), file.loc(offset as u32));
            }
            assert_eq!(positions.loc(text.len() as u32), file.loc(text.len() as u32));
            Ok(())
        });
    }
}
