//! ChaCha20 and Poly1305 (RFC 8439).

use num_bigint::BigUint;

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let (words, _) = bytes.as_chunks::<4>();
    std::array::from_fn(|at| words.get(at).map_or(0, |word| u32::from_le_bytes(*word)))
}

fn quarter(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[x] = state[x].wrapping_add(state[y]);
        state[z] = (state[z] ^ state[x]).rotate_left(by);
    }
}

fn block(key: &[u8; 32], counter: u64, nonce: &[u32; 2]) -> [u8; 64] {
    let mut input = [0; 16];
    input[..4].copy_from_slice(&[0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574]);
    input[4..12].copy_from_slice(&words::<8>(key));
    (input[12], input[13]) = (counter as u32, (counter >> 32) as u32);
    input[14..].copy_from_slice(nonce);
    let mut state = input;
    for _ in 0..10 {
        for column in 0..4 {
            quarter(&mut state, [column, 4 + column, 8 + column, 12 + column]);
        }
        for column in 0..4 {
            let diagonal = |row: usize| 4 * row + (column + row) % 4;
            quarter(&mut state, [column, diagonal(1), diagonal(2), diagonal(3)]);
        }
    }
    let mut output = [0; 64];
    for (at, bytes) in output.chunks_mut(4).enumerate() {
        bytes.copy_from_slice(&state[at].wrapping_add(input[at]).to_le_bytes());
    }
    output
}

/// Combines a text with the stream, from so many bytes after its beginning. The initial vector is a
/// counter of four bytes and a nonce of twelve; a counter that overflows is carried into the nonce.
pub(super) fn combine(key: &[u8; 32], iv: &[u8; 16], from: u64, data: &mut [u8]) {
    let [low, high, nonce @ ..] = words::<4>(iv);
    let start = u64::from(high) << 32 | u64::from(low);
    let mut current = None;
    for (at, byte) in (from..).zip(data) {
        let (number, place) = (at / 64, (at % 64) as usize);
        let stream = match current {
            Some((of, stream)) if of == number => stream,
            _ => block(key, start.wrapping_add(number), &nonce),
        };
        current = Some((number, stream));
        *byte ^= stream[place];
    }
}

/// The code of a text. Each block is a number of 17 bytes; sums and products are taken modulo 2^130
/// - 5.
pub(super) fn poly1305(key: &[u8; 32], data: &[u8]) -> [u8; 16] {
    const CLAMP: u128 = 0x0FFF_FFFC_0FFF_FFFC_0FFF_FFFC_0FFF_FFFF;
    let modulus = (BigUint::from(1u8) << 130u8) - 5u8;
    let (low, high) = key.split_at(16);
    let factor = BigUint::from_bytes_le(low) & BigUint::from(CLAMP);
    let mut sum = BigUint::ZERO;
    for part in data.chunks(16) {
        let number = BigUint::from_bytes_le(&[part, &[1]].concat());
        sum = (sum + number) * &factor % &modulus;
    }
    sum += BigUint::from_bytes_le(high);
    let mut bytes = sum.to_bytes_le();
    bytes.resize(16, 0);
    std::array::from_fn(|at| bytes[at])
}
