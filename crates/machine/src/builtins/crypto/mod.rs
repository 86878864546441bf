//! For `crypto`: hashes, HMAC (RFC 2104), PBKDF2 (RFC 8018) and AES. Other ciphers, and keys in pairs, are not
//! supported.

mod aes;
mod sha;

use term::{Atom, Term};

use super::data::{checksums, iolist};
use super::{Builtin, Ctx, Return, badarg, builtins};

pub(super) const TABLE: &[Builtin] = builtins!("erlscope_native", visible: false;
    "aes"/5 => aes::aes,
    "hash"/2 => hash,
    "hmac"/3 => hmac,
    "pbkdf2_hmac"/5 => pbkdf2_hmac,
);

type Sum = fn(&[u8]) -> Vec<u8>;

struct Hash {
    sum: Sum,
    /// Bytes in a block.
    block: usize,
}

fn named(name: &Term) -> Option<Hash> {
    let (sum, block): (Sum, usize) = match name.as_atom().map(Atom::as_str)? {
        "md5" => (checksums::md5, 64),
        "sha" => (sha::sha1, 64),
        "sha224" => (sha::sha224, 64),
        "sha256" => (sha::sha256, 64),
        "sha384" => (sha::sha384, 128),
        "sha512" => (sha::sha512, 128),
        _ => return None,
    };
    Some(Hash { sum, block })
}

/// `undefined` for a hash that is not known.
fn hash(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(hash) = named(&args[0]) else { return Ok(Term::UNDEFINED) };
    match iolist::bytes(&args[1]) {
        Some(bytes) => Ok(Term::binary((hash.sum)(&bytes))),
        None => badarg(),
    }
}

impl Hash {
    fn hmac(&self, key: &[u8], text: &[u8]) -> Vec<u8> {
        let mut key = if key.len() > self.block { (self.sum)(key) } else { key.to_vec() };
        key.resize(self.block, 0);
        let with = |pad: u8, text: &[u8]| {
            let mut input: Vec<u8> = key.iter().map(|byte| byte ^ pad).collect();
            input.extend(text);
            (self.sum)(&input)
        };
        with(0x5C, &with(0x36, text))
    }
}

fn hmac(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(hash) = named(&args[0]) else { return Ok(Term::UNDEFINED) };
    match (iolist::bytes(&args[1]), iolist::bytes(&args[2])) {
        (Some(key), Some(text)) => Ok(Term::binary(hash.hmac(&key, &text))),
        _ => badarg(),
    }
}

/// Password, salt, iterations, length.
fn pbkdf2_hmac(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(hash) = named(&args[0]) else { return Ok(Term::UNDEFINED) };
    let positive = |term: &Term| term.as_int().filter(|n| (1..1 << 31).contains(n));
    let (Some(password), Some(salt), Some(iterations), Some(length)) =
        (iolist::bytes(&args[1]), iolist::bytes(&args[2]), positive(&args[3]), positive(&args[4]))
    else {
        return badarg();
    };
    let length = length as usize;
    let mut key = Vec::new();
    let mut number: u32 = 0;
    while key.len() < length {
        number += 1;
        let mut last = hash.hmac(&password, &[&salt[..], &number.to_be_bytes()].concat());
        let mut block = last.clone();
        for _ in 1..iterations {
            last = hash.hmac(&password, &last);
            for (byte, more) in block.iter_mut().zip(&last) {
                *byte ^= more;
            }
        }
        key.extend(block);
    }
    key.truncate(length);
    Ok(Term::binary(key))
}
