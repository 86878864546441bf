//! Numbers, names and texts as bytes: what packed code consists of.
//!
//! A number is written in groups of seven bits, the lowest first, each with a bit that says whether
//! more follow; so small ones take one byte. Names are numbers in the table of the module that they
//! occur in. A reader never fails: behind the end there are zeros. It reads only what a [`Writer`]
//! of the same build wrote.

use atom::Atom;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(super) fn size(&mut self, size: usize) {
        self.number(size as u64);
    }

    /// A number that may be negative.
    pub(super) fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.size(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// The names that occur in a module, in the order in which they were met.
#[derive(Default)]
pub(super) struct Names {
    pub(super) list: Vec<Atom>,
    index: FxHashMap<Atom, u32>,
}

impl Names {
    pub(super) fn number_of(&mut self, name: Atom) -> u32 {
        *self.index.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() as u32 - 1
        })
    }
}

#[derive(Clone)]
pub(super) struct Reader {
    /// What is left.
    bytes: &'static [u8],
}

impl Reader {
    pub(super) fn new(bytes: &'static [u8]) -> Reader {
        Reader { bytes }
    }

    pub(super) fn rest(&self) -> &'static [u8] {
        self.bytes
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or_default();
    }

    #[inline]
    pub(super) fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    #[inline]
    pub(super) fn number(&mut self) -> u64 {
        let first = self.byte();
        if first < 0x80 { u64::from(first) } else { self.long_number(first) }
    }

    fn long_number(&mut self, first: u8) -> u64 {
        let mut value = u64::from(first & 0x7F);
        let mut shift = 7;
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 || shift > 63 {
                return value;
            }
        }
    }

    pub(super) fn size(&mut self) -> usize {
        self.number() as usize
    }

    pub(super) fn signed(&mut self) -> i64 {
        let value = self.number();
        (value >> 1) as i64 ^ -((value & 1) as i64)
    }

    pub(super) fn text(&mut self) -> &'static str {
        let size = self.size();
        let text = self.bytes.get(..size).unwrap_or_default();
        self.skip(size);
        // A writer wrote text.
        std::str::from_utf8(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, Writer};

    #[test]
    fn numbers_are_read_as_written() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX / 2, u64::MAX];
        let signed = [0, -1, 1, 63, -64, -65, i64::MAX, i64::MIN];
        let mut writer = Writer::default();
        numbers.iter().for_each(|&number| writer.number(number));
        signed.iter().for_each(|&number| writer.signed(number));
        writer.text("ä");
        let mut reader = Reader::new(writer.bytes.leak());
        assert_eq!(numbers, numbers.map(|_| reader.number()));
        assert_eq!(signed, signed.map(|_| reader.signed()));
        assert_eq!(reader.text(), "ä");
        assert!(reader.rest().is_empty());
        assert_eq!((reader.number(), reader.text()), (0, ""));
    }
}
