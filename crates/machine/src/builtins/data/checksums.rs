//! CRC-32, Adler-32 and MD5.
//!
//! The context of an MD5 in progress is a binary of 88 bytes, as on the BEAM: four words of state,
//! the number of bits, and the block that is not full yet; all little-endian.

use term::{Term, arith};

use super::{Builtin, Fallible, bad, iolist};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "crc32"/1 => |_, a| Ok(Term::from(crc32(0, &data(&a[0])?))),
    "crc32"/2 => |_, a| Ok(Term::from(crc32(word(&a[0])?, &data(&a[1])?))),
    "crc32_combine"/3 => crc32_combine,
    "adler32"/1 => |_, a| Ok(Term::from(adler32(1, &data(&a[0])?))),
    "adler32"/2 => |_, a| Ok(Term::from(adler32(word(&a[0])?, &data(&a[1])?))),
    "adler32_combine"/3 => adler32_combine,
    "md5"/1 => |_, a| Ok(Term::binary(Md5::new().update(&data(&a[0])?).finish())),
    "md5_init"/0 => |_, _| Ok(Term::binary(Md5::new().to_bytes())),
    "md5_update"/2 => md5_update,
    "md5_final"/1 => |_, a| Ok(Term::binary(Md5::from_term(&a[0])?.finish())),
);

fn data(term: &Term) -> Fallible<Vec<u8>> {
    iolist::bytes(term).ok_or_else(bad)
}

fn word(term: &Term) -> Fallible<u32> {
    arith::to_bigint(term).and_then(|word| u32::try_from(word).ok()).ok_or_else(bad)
}

fn length(term: &Term) -> Fallible<u64> {
    arith::to_bigint(term).and_then(|length| u64::try_from(length).ok()).ok_or_else(bad)
}

/// The polynomial of CRC-32, lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xEDB8_8320;

const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { value >> 1 ^ POLYNOMIAL } else { value >> 1 };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

fn crc32(start: u32, bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| crc >> 8 ^ CRC_TABLE[usize::from(crc as u8 ^ byte)];
    !bytes.iter().fold(!start, step)
}

/// Product of two polynomials modulo the one of CRC-32.
fn multiply(a: u32, mut b: u32) -> u32 {
    let mut product = 0;
    for bit in (0..32).rev() {
        if a >> bit & 1 == 1 {
            product ^= b;
        }
        b = if b & 1 == 1 { b >> 1 ^ POLYNOMIAL } else { b >> 1 };
    }
    product
}

/// The checksum of two texts after each other: the first is moved up by the length of the second,
/// that is multiplied by x to the power of its bits.
fn crc32_combine(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (first, second, length) = (word(&args[0])?, word(&args[1])?, length(&args[2])?);
    let mut power = 0x8000_0000; // one
    let mut factor = 0x0080_0000; // x^8: one byte
    let mut bytes = length;
    while bytes > 0 {
        if bytes & 1 == 1 {
            power = multiply(factor, power);
        }
        factor = multiply(factor, factor);
        bytes >>= 1;
    }
    Ok(Term::from(multiply(power, first) ^ second))
}

const ADLER_PRIME: u32 = 65521;

fn adler32(start: u32, bytes: &[u8]) -> u32 {
    // That many steps cannot overflow.
    const CHUNK: usize = 5552;
    let (mut a, mut b) = (start & 0xFFFF, start >> 16);
    for chunk in bytes.chunks(CHUNK) {
        for &byte in chunk {
            a += u32::from(byte);
            b += a;
        }
        a %= ADLER_PRIME;
        b %= ADLER_PRIME;
    }
    ((b % ADLER_PRIME) << 16) | (a % ADLER_PRIME)
}

fn adler32_combine(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (first, second, length) = (word(&args[0])?, word(&args[1])?, length(&args[2])?);
    if length == 0 {
        return Ok(Term::from(first));
    }
    let prime = u64::from(ADLER_PRIME);
    let (a1, b1) = (u64::from(first & 0xFFFF), u64::from(first >> 16));
    let (a2, b2) = (u64::from(second & 0xFFFF), u64::from(second >> 16));
    // The sums of the second start at one; the second sum counts the first once for every byte.
    let a = (a1 + a2 + prime - 1) % prime;
    let b = (b1 + b2 + length % prime * a1 + prime - length % prime) % prime;
    Ok(Term::from(b << 16 | a))
}

struct Md5 {
    state: [u32; 4],
    bits: u64,
    block: [u8; 64],
}

const MD5_CONTEXT: usize = 88;

impl Md5 {
    fn new() -> Md5 {
        Md5 { state: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476], bits: 0, block: [0; 64] }
    }

    fn from_term(term: &Term) -> Fallible<Md5> {
        let bytes = super::binaries::bytes(term)?;
        if bytes.len() != MD5_CONTEXT {
            return Err(bad());
        }
        let mut md5 = Md5::new();
        for (word, bytes) in md5.state.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        md5.bits = bytes[16..24].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        md5.block.copy_from_slice(&bytes[24..]);
        Ok(md5)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(MD5_CONTEXT);
        bytes.extend(self.state.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(self.bits.to_le_bytes());
        bytes.extend(self.block);
        bytes
    }

    fn update(mut self, bytes: &[u8]) -> Md5 {
        let mut used = (self.bits / 8 % 64) as usize;
        self.bits = self.bits.wrapping_add(bytes.len() as u64 * 8);
        let mut bytes = bytes;
        while used + bytes.len() >= 64 {
            let (front, rest) = bytes.split_at(64 - used);
            self.block[used..].copy_from_slice(front);
            self.mix_block();
            (used, bytes) = (0, rest);
        }
        self.block[used..used + bytes.len()].copy_from_slice(bytes);
        self
    }

    fn finish(self) -> Vec<u8> {
        let bits = self.bits;
        let used = (bits / 8 % 64) as usize;
        let padding = if used < 56 { 56 - used } else { 120 - used };
        let mut tail = vec![0u8; padding];
        tail[0] = 0x80;
        tail.extend(bits.to_le_bytes());
        self.update(&tail).state.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn mix_block(&mut self) {
        const SHIFTS: [[u32; 4]; 4] =
            [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
        let mut words = [0u32; 16];
        for (word, bytes) in words.iter_mut().zip(self.block.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let [mut a, mut b, mut c, mut d] = self.state;
        for i in 0..64 {
            let (mixed, word) = match i / 16 {
                0 => (b & c | !b & d, i),
                1 => (d & b | !d & c, 5 * i + 1),
                2 => (b ^ c ^ d, 3 * i + 5),
                _ => (c ^ (b | !d), 7 * i),
            };
            let sum = a.wrapping_add(mixed).wrapping_add(SINES[i]).wrapping_add(words[word % 16]);
            let rotated = sum.rotate_left(SHIFTS[i / 16][i % 4]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(rotated));
        }
        for (word, more) in self.state.iter_mut().zip([a, b, c, d]) {
            *word = word.wrapping_add(more);
        }
    }
}

/// `floor(2^32 * abs(sin(i + 1)))`
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// The MD5 sum of some bytes.
pub(in crate::builtins) fn md5(bytes: &[u8]) -> Vec<u8> {
    Md5::new().update(bytes).finish()
}

fn md5_update(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let md5 = Md5::from_term(&args[0])?;
    Ok(Term::binary(md5.update(&data(&args[1])?).to_bytes()))
}
