//! Ciphers over texts that come in parts: the modes ECB, CBC, CFB (of 8 bits and of whole blocks),
//! OFB and CTR of block ciphers (NIST SP 800-38A), ChaCha20 and RC4.
//!
//! What has to be known between two parts is a binary, at first the initial vector; so a cipher in
//! progress is a value as any other. In the modes that are streams it is the register, the block of
//! the stream that is in use, and how much of that was used. Cost: linear in the text, one block
//! after the other.

use term::{Atom, Term};

use super::super::data::iolist;
use super::super::{Ctx, Return, badarg};
use super::blocks::{self, Blocks, xor};
use super::chacha;

/// `cipher(Cipher, Mode, Key, State, Data, Encrypt) -> {Output, State}`: of `ecb` and `cbc` the
/// whole blocks.
pub(super) fn cipher(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [name, mode, key, state, data, encrypt] = args else { return badarg() };
    let bytes = |term: &Term| iolist::bytes(term);
    let (Some(key), Some(state), Some(data)) = (bytes(key), bytes(state), bytes(data)) else {
        return badarg();
    };
    let (Some(name), Some(mode), Some(encrypt)) =
        (name.as_atom(), mode.as_atom(), encrypt.as_bool())
    else {
        return badarg();
    };
    let done = match name.as_str() {
        "rc4" => rc4(&key, state, data),
        "chacha20" => chacha20(&key, &state, data),
        name => match blocks::new(name, &key) {
            Some(cipher) => by_mode(&*cipher, mode, state, data, encrypt),
            None => None,
        },
    };
    match done {
        Some((output, state)) => Ok(Term::tuple([Term::binary(output), Term::binary(state)])),
        None => badarg(),
    }
}

type Done = Option<(Vec<u8>, Vec<u8>)>;

fn by_mode(
    cipher: &dyn Blocks,
    mode: Atom,
    state: Vec<u8>,
    mut data: Vec<u8>,
    encrypt: bool,
) -> Done {
    let size = cipher.size();
    match mode.as_str() {
        "ecb" => {
            data.truncate(data.len() / size * size);
            for block in data.chunks_mut(size) {
                if encrypt { cipher.encrypt(block) } else { cipher.decrypt(block) }
            }
            Some((data, state))
        }
        "cbc" if state.len() == size => {
            data.truncate(data.len() / size * size);
            let state = cbc(cipher, state, &mut data, encrypt);
            Some((data, state))
        }
        "cfb8" if state.len() == size => {
            let state = cfb8(cipher, state, &mut data, encrypt);
            Some((data, state))
        }
        "cfb" | "ofb" | "ctr" => {
            let mut stream = Stream::new(state, size)?;
            for byte in &mut data {
                stream.step(cipher, mode.as_str(), byte, encrypt);
            }
            Some((data, stream.into_state()))
        }
        _ => None,
    }
}

fn cbc(cipher: &dyn Blocks, mut last: Vec<u8>, data: &mut [u8], encrypt: bool) -> Vec<u8> {
    for block in data.chunks_mut(last.len()) {
        if encrypt {
            xor(block, &last);
            cipher.encrypt(block);
            last.copy_from_slice(block);
        } else {
            let next = block.to_vec();
            cipher.decrypt(block);
            xor(block, &last);
            last = next;
        }
    }
    last
}

fn cfb8(cipher: &dyn Blocks, mut register: Vec<u8>, data: &mut [u8], encrypt: bool) -> Vec<u8> {
    for byte in data {
        let given = *byte;
        *byte ^= cipher.encrypted(&register)[0];
        register.rotate_left(1);
        if let Some(last) = register.last_mut() {
            *last = if encrypt { *byte } else { given };
        }
    }
    register
}

/// A block cipher as a source of bytes that are combined with the text.
struct Stream {
    register: Vec<u8>,
    bytes: Vec<u8>,
    used: usize,
}

impl Stream {
    fn new(mut state: Vec<u8>, size: usize) -> Option<Stream> {
        if state.len() == size {
            return Some(Stream { register: state, bytes: vec![0; size], used: size });
        }
        let used = usize::from(state.pop()?);
        if state.len() != 2 * size || used > size {
            return None;
        }
        let bytes = state.split_off(size);
        Some(Stream { register: state, bytes, used })
    }

    fn into_state(self) -> Vec<u8> {
        // A block has 16 bytes at most.
        [&self.register[..], &self.bytes, &[self.used as u8]].concat()
    }

    fn step(&mut self, cipher: &dyn Blocks, mode: &str, byte: &mut u8, encrypt: bool) {
        if self.used == self.bytes.len() {
            self.bytes.copy_from_slice(&self.register);
            cipher.encrypt(&mut self.bytes);
            self.used = 0;
            match mode {
                "ofb" => self.register.copy_from_slice(&self.bytes),
                "ctr" => increment(&mut self.register),
                _ => {}
            }
        }
        let given = *byte;
        *byte ^= self.bytes[self.used];
        if mode == "cfb" {
            self.register[self.used] = if encrypt { *byte } else { given };
        }
        self.used += 1;
    }
}

/// The next number, the most significant byte first.
pub(super) fn increment(counter: &mut [u8]) {
    for byte in counter.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}

/// State: the permutation and its two places.
fn rc4(key: &[u8], state: Vec<u8>, mut data: Vec<u8>) -> Done {
    let (mut table, mut i, mut j): ([u8; 256], u8, u8) = match &state[..] {
        [] if key.is_empty() => return None,
        [] => {
            let mut table: [u8; 256] = std::array::from_fn(|at| at as u8);
            let mut j = 0u8;
            for at in 0..256 {
                j = j.wrapping_add(table[at]).wrapping_add(key[at % key.len()]);
                table.swap(at, usize::from(j));
            }
            (table, 0, 0)
        }
        [table @ .., i, j] => (table.try_into().ok()?, *i, *j),
        _ => return None,
    };
    for byte in &mut data {
        i = i.wrapping_add(1);
        j = j.wrapping_add(table[usize::from(i)]);
        table.swap(usize::from(i), usize::from(j));
        *byte ^= table[usize::from(table[usize::from(i)].wrapping_add(table[usize::from(j)]))];
    }
    Some((data, [&table[..], &[i, j]].concat()))
}

/// State: the initial vector (a counter and a nonce), and how many bytes were given.
fn chacha20(key: &[u8], state: &[u8], mut data: Vec<u8>) -> Done {
    let key = key.try_into().ok()?;
    let (iv, given) = state.split_at_checked(16)?;
    let given = if given.is_empty() { 0 } else { u64::from_le_bytes(given.try_into().ok()?) };
    let iv: &[u8; 16] = iv.try_into().ok()?;
    chacha::combine(key, iv, given, &mut data);
    let given = given + data.len() as u64;
    Some((data, [&iv[..], &given.to_le_bytes()].concat()))
}
