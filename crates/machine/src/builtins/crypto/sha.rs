//! SHA-1 and SHA-2 (FIPS 180-4).
//!
//! SHA-256 is SHA-512 with words of half the size: its round constants and start values are the
//! upper halves (SHA-224's start values the lower halves of SHA-384's).

/// The fractional parts of the cube roots of the first 80 primes.
#[rustfmt::skip]
const ROUNDS: [u64; 80] = [
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
];

/// The fractional parts of the square roots of the first eight primes, and of the next eight.
#[rustfmt::skip]
const START_512: [u64; 8] = [
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
];
#[rustfmt::skip]
const START_384: [u64; 8] = [
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
];

/// The message with its padding: a one, zeros, and its length in bits, up to a multiple of the
/// block.
fn padded(bytes: &[u8], block: usize) -> Vec<u8> {
    let length_size = block / 8;
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % block != block - length_size {
        padded.push(0);
    }
    let bits = (bytes.len() as u128 * 8).to_be_bytes();
    padded.extend(&bits[bits.len() - length_size..]);
    padded
}

pub(super) fn sha1(bytes: &[u8]) -> Vec<u8> {
    let mut state: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    for block in padded(bytes, 64).chunks_exact(64) {
        let mut words: Vec<u32> = block
            .chunks_exact(4)
            .map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
            .collect();
        for i in 16..80 {
            let word = words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16];
            words.push(word.rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in words.iter().enumerate() {
            let (mixed, constant) = match i / 20 {
                0 => (b & c | !b & d, 0x5A82_7999),
                1 => (b ^ c ^ d, 0x6ED9_EBA1),
                2 => (b & c | b & d | c & d, 0x8F1B_BCDCu32),
                _ => (b ^ c ^ d, 0xCA62_C1D6),
            };
            let sum = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e);
            let sum = sum.wrapping_add(constant).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, sum);
        }
        for (word, more) in state.iter_mut().zip([a, b, c, d, e]) {
            *word = word.wrapping_add(more);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// SHA-2 over words of one size. The eight rotations are those of the two schedule functions and
/// the two of a round; the third of a schedule function is a shift.
macro_rules! sha2 {
    ($name:ident, $word:ty, $block:literal, $rounds:literal, $round:expr, $turns:expr) => {
        fn $name(bytes: &[u8], mut state: [$word; 8]) -> Vec<u8> {
            const SIZE: usize = size_of::<$word>();
            let turns: [[u32; 3]; 4] = $turns;
            let scheduled =
                |x: $word, t: [u32; 3]| x.rotate_right(t[0]) ^ x.rotate_right(t[1]) ^ x >> t[2];
            let turned = |x: $word, t: [u32; 3]| {
                x.rotate_right(t[0]) ^ x.rotate_right(t[1]) ^ x.rotate_right(t[2])
            };
            for block in padded(bytes, $block).chunks_exact($block) {
                let word = |part: &[u8]| {
                    part.iter().fold(0, |word: $word, &byte| word << 8 | <$word>::from(byte))
                };
                let mut words: Vec<$word> = block.chunks_exact(SIZE).map(word).collect();
                for i in 16..$rounds {
                    let word = words[i - 16]
                        .wrapping_add(scheduled(words[i - 15], turns[0]))
                        .wrapping_add(words[i - 7])
                        .wrapping_add(scheduled(words[i - 2], turns[1]));
                    words.push(word);
                }
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
                for (i, word) in words.iter().enumerate() {
                    let round: $word = $round(ROUNDS[i]);
                    let first = h
                        .wrapping_add(turned(e, turns[2]))
                        .wrapping_add(e & f ^ !e & g)
                        .wrapping_add(round)
                        .wrapping_add(*word);
                    let second = turned(a, turns[3]).wrapping_add(a & b ^ a & c ^ b & c);
                    (h, g, f, e) = (g, f, e, d.wrapping_add(first));
                    (d, c, b, a) = (c, b, a, first.wrapping_add(second));
                }
                for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *word = word.wrapping_add(more);
                }
            }
            state.iter().flat_map(|word| word.to_be_bytes()).collect()
        }
    };
}

sha2!(
    sha2_32,
    u32,
    64,
    64,
    |round: u64| (round >> 32) as u32,
    [[7, 18, 3], [17, 19, 10], [6, 11, 25], [2, 13, 22]]
);
sha2!(
    sha2_64,
    u64,
    128,
    80,
    |round: u64| round,
    [[1, 8, 7], [19, 61, 6], [14, 18, 41], [28, 34, 39]]
);

fn shortened(mut sum: Vec<u8>, bits: usize) -> Vec<u8> {
    sum.truncate(bits / 8);
    sum
}

pub(super) fn sha224(bytes: &[u8]) -> Vec<u8> {
    shortened(sha2_32(bytes, START_384.map(|start| start as u32)), 224)
}

pub(super) fn sha256(bytes: &[u8]) -> Vec<u8> {
    sha2_32(bytes, START_512.map(|start| (start >> 32) as u32))
}

pub(super) fn sha384(bytes: &[u8]) -> Vec<u8> {
    shortened(sha2_64(bytes, START_384), 384)
}

pub(super) fn sha512(bytes: &[u8]) -> Vec<u8> {
    sha2_64(bytes, START_512)
}
