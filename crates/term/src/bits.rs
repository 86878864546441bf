//! Bit strings: a range of bits of a shared byte buffer.
//!
//! Taking a part of a binary shares its bytes. Appending to a binary that nobody else holds
//! appends in place (the `<<Acc/binary, …>>` loop is linear).
//! Bits are numbered from the most significant bit of each byte, as in Erlang's bit syntax.

use std::cmp::Ordering;

use crate::Shared;

#[derive(Clone, Debug)]
pub struct Bits {
    bytes: Shared<Vec<u8>>,
    /// First bit, from the start of `bytes`.
    start: usize,
    /// Number of bits.
    len: usize,
}

impl Bits {
    pub fn from_bytes(bytes: Vec<u8>) -> Bits {
        let len = bytes.len() * 8;
        Bits { bytes: Shared::new(bytes), start: 0, len }
    }

    /// The first `len` bits of `bytes`.
    pub fn from_bits(mut bytes: Vec<u8>, len: usize) -> Bits {
        debug_assert!(len <= bytes.len() * 8);
        bytes.truncate(len.div_ceil(8));
        Bits { bytes: Shared::new(bytes), start: 0, len }
    }

    pub fn empty() -> Bits {
        Bits::from_bytes(Vec::new())
    }

    pub fn bit_len(&self) -> usize {
        self.len
    }

    /// `byte_size/1`: a last incomplete byte counts.
    pub fn byte_len(&self) -> usize {
        self.len.div_ceil(8)
    }

    pub fn is_binary(&self) -> bool {
        self.len.is_multiple_of(8)
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes, where the range starts at a byte and is whole bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let Bits { bytes, start, len } = self;
        (start.is_multiple_of(8) && len.is_multiple_of(8))
            .then(|| &bytes[start / 8..(start + len) / 8])
    }

    /// The bytes of a binary (`None` if it is not whole bytes), copied only where it does not
    /// start at a byte of its buffer.
    pub fn to_bytes(&self) -> Option<std::borrow::Cow<'_, [u8]>> {
        if !self.is_binary() {
            return None;
        }
        Some(match self.as_bytes() {
            Some(bytes) => bytes.into(),
            None => self.padded_bytes().into(),
        })
    }

    /// All bits from the start of a byte; the last byte is filled with zeros.
    pub fn padded_bytes(&self) -> Vec<u8> {
        (0..self.byte_len()).map(|i| self.byte_at(i)).collect()
    }

    /// The eight bits from bit `8 * index` on; zeros after the end.
    pub fn byte_at(&self, index: usize) -> u8 {
        let Bits { bytes, start, len } = self;
        let bit = start + index * 8;
        let (byte, shift) = (bit / 8, bit % 8);
        let high = bytes.get(byte).copied().unwrap_or(0) << shift;
        let low = match shift {
            0 => 0,
            _ => bytes.get(byte + 1).copied().unwrap_or(0) >> (8 - shift),
        };
        let valid = len.saturating_sub(index * 8).min(8);
        let mask = if valid == 8 { 0xFF } else { !(0xFFu8 >> valid) };
        (high | low) & mask
    }

    pub fn bit(&self, index: usize) -> bool {
        let bit = self.start + index;
        self.bytes[bit / 8] >> (7 - bit % 8) & 1 == 1
    }

    /// `len` bits from bit `from` on. The range must lie inside.
    pub fn slice(&self, from: usize, len: usize) -> Bits {
        debug_assert!(from + len <= self.len);
        let Bits { bytes, start, .. } = self;
        Bits { bytes: bytes.clone(), start: start + from, len }
    }

    /// `len` (at most 64) bits from bit `from` on, as an unsigned number, most significant first.
    pub fn read_u64(&self, from: usize, len: usize) -> u64 {
        debug_assert!(len <= 64 && from + len <= self.len);
        let Bits { bytes, start, .. } = self;
        let first = start + from;
        if first.is_multiple_of(8) && len.is_multiple_of(8) {
            let at = first / 8;
            return bytes[at..at + len / 8].iter().fold(0, |n, &b| n << 8 | u64::from(b));
        }
        let mut value = 0u64;
        let mut at = first;
        let mut left = len;
        while left > 0 {
            let in_byte = 8 - at % 8;
            let take = in_byte.min(left);
            let byte = u64::from(bytes[at / 8]);
            let part = byte >> (in_byte - take) & ((1 << take) - 1);
            value = if take == 64 { part } else { value << take | part };
            at += take;
            left -= take;
        }
        value
    }

    /// Appends the bits of `other`.
    pub fn append(&mut self, other: &Bits) {
        match other.as_bytes() {
            Some(bytes) => self.writer(|writer| writer.push_bytes(bytes)),
            None => self.writer(|writer| {
                let mut at = 0;
                while at < other.bit_len() {
                    let n = (other.bit_len() - at).min(64);
                    writer.push_u64(other.read_u64(at, n), n);
                    at += n;
                }
            }),
        }
    }

    /// How many bytes the buffer has that this is a part of.
    pub fn buffer_len(&self) -> usize {
        self.bytes.len()
    }

    /// Lets `write` append to the end: in place if nobody else holds the bytes and this range is
    /// their beginning, else on a copy. Either way what comes out is all there is in its buffer, so
    /// that nobody can see which it was.
    pub fn writer(&mut self, write: impl FnOnce(&mut BitWriter)) {
        let mut writer = BitWriter::default();
        let end = self.start + self.len;
        match Shared::get_mut(&mut self.bytes) {
            Some(bytes) if self.start == 0 && end.div_ceil(8) <= bytes.len() => {
                bytes.truncate(end.div_ceil(8));
                writer.bytes = std::mem::take(bytes);
                writer.bits = end;
                writer.clear_unused();
                write(&mut writer);
                self.len = writer.bits - self.start;
                *bytes = writer.bytes;
            }
            _ => {
                writer.bytes = self.padded_bytes();
                writer.bits = self.len;
                write(&mut writer);
                *self = writer.finish();
            }
        }
    }
}

/// Bits under construction.
#[derive(Default, Debug)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Number of bits written; unused bits of the last byte are zero.
    bits: usize,
}

impl BitWriter {
    pub fn with_capacity(bytes: usize) -> BitWriter {
        BitWriter { bytes: Vec::with_capacity(bytes), bits: 0 }
    }

    pub fn bit_len(&self) -> usize {
        self.bits
    }

    pub fn push_bytes(&mut self, bytes: &[u8]) {
        if self.bits.is_multiple_of(8) {
            self.bytes.extend_from_slice(bytes);
            self.bits += bytes.len() * 8;
        } else {
            for &byte in bytes {
                self.push_u64(u64::from(byte), 8);
            }
        }
    }

    /// The low `len` (at most 64) bits of `value`, most significant first.
    pub fn push_u64(&mut self, value: u64, len: usize) {
        if self.bits.is_multiple_of(8) && len == 8 {
            self.bytes.push(value as u8);
            self.bits += 8;
            return;
        }
        let mut left = len;
        while left > 0 {
            let used = self.bits % 8;
            if used == 0 {
                self.bytes.push(0);
            }
            let take = (8 - used).min(left);
            let part = (value >> (left - take)) as u8 & (0xFFu16 >> (8 - take)) as u8;
            if let Some(last) = self.bytes.last_mut() {
                *last |= part << (8 - used - take);
            }
            self.bits += take;
            left -= take;
        }
    }

    pub fn push_bits(&mut self, bits: &Bits) {
        if let Some(bytes) = bits.as_bytes() {
            return self.push_bytes(bytes);
        }
        let mut at = 0;
        while at < bits.bit_len() {
            let n = (bits.bit_len() - at).min(64);
            self.push_u64(bits.read_u64(at, n), n);
            at += n;
        }
    }

    pub fn finish(self) -> Bits {
        Bits { bytes: Shared::new(self.bytes), start: 0, len: self.bits }
    }

    fn clear_unused(&mut self) {
        let used = self.bits % 8;
        if used != 0
            && let Some(last) = self.bytes.last_mut()
        {
            *last &= !(0xFF >> used);
        }
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Bits) -> bool {
        self.bit_len() == other.bit_len() && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Bits {}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bits {
    /// Bit by bit; of two where one is the start of the other, the shorter is smaller.
    fn cmp(&self, other: &Bits) -> Ordering {
        if let (Some(a), Some(b)) = (self.as_bytes(), other.as_bytes()) {
            return a.cmp(b);
        }
        let common = self.bit_len().min(other.bit_len());
        let mut at = 0;
        while at < common {
            let n = (common - at).min(64);
            match self.read_u64(at, n).cmp(&other.read_u64(at, n)) {
                Ordering::Equal => at += n,
                unequal => return unequal,
            }
        }
        self.bit_len().cmp(&other.bit_len())
    }
}
