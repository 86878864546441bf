//! Hashes by name, HMAC (RFC 2104) and PBKDF2 (RFC 8018).

use blake2::{Blake2b512, Blake2s256};
use md4::Md4;
use ripemd::Ripemd160;
use sha3::digest::{ExtendableOutput, Update};
use sha3::{Digest, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake256};
use term::{Atom, Term};

use super::super::data::{checksums, iolist};
use super::super::{Ctx, Return, badarg};
use super::sha;

type Sum = fn(&[u8]) -> Vec<u8>;

struct Hash {
    sum: Sum,
    /// Bytes in a block.
    block: usize,
}

fn named(name: &Term) -> Option<Hash> {
    let (sum, block): (Sum, usize) = match name.as_atom().map(Atom::as_str)? {
        "md4" => (|bytes| Md4::digest(bytes).to_vec(), 64),
        "md5" => (checksums::md5, 64),
        "ripemd160" => (|bytes| Ripemd160::digest(bytes).to_vec(), 64),
        "sha" => (sha::sha1, 64),
        "sha224" => (sha::sha224, 64),
        "sha256" => (sha::sha256, 64),
        "sha384" => (sha::sha384, 128),
        "sha512" => (sha::sha512, 128),
        "sha3_224" => (|bytes| Sha3_224::digest(bytes).to_vec(), 144),
        "sha3_256" => (|bytes| Sha3_256::digest(bytes).to_vec(), 136),
        "sha3_384" => (|bytes| Sha3_384::digest(bytes).to_vec(), 104),
        "sha3_512" => (|bytes| Sha3_512::digest(bytes).to_vec(), 72),
        "blake2b" => (|bytes| Blake2b512::digest(bytes).to_vec(), 128),
        "blake2s" => (|bytes| Blake2s256::digest(bytes).to_vec(), 64),
        _ => return None,
    };
    Some(Hash { sum, block })
}

/// `hash(Name, Data)`: `undefined` for a hash that is not known.
pub(super) fn hash(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(hash) = named(&args[0]) else { return Ok(Term::UNDEFINED) };
    match iolist::bytes(&args[1]) {
        Some(bytes) => Ok(Term::binary((hash.sum)(&bytes))),
        None => badarg(),
    }
}

/// `shake256(Data, Length)`: a hash of as many bytes.
pub(super) fn shake256(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let length = args[1].as_int().and_then(|length| usize::try_from(length).ok());
    let (Some(bytes), Some(length)) = (iolist::bytes(&args[0]), length) else { return badarg() };
    let mut sum = vec![0; length];
    Shake256::default().chain(&bytes).finalize_xof_into(&mut sum);
    Ok(Term::binary(sum))
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

/// `hmac(Hash, Key, Data)`
pub(super) fn hmac(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(hash) = named(&args[0]) else { return Ok(Term::UNDEFINED) };
    match (iolist::bytes(&args[1]), iolist::bytes(&args[2])) {
        (Some(key), Some(text)) => Ok(Term::binary(hash.hmac(&key, &text))),
        _ => badarg(),
    }
}

/// `pbkdf2_hmac(Hash, Password, Salt, Iterations, Length)`
pub(super) fn pbkdf2_hmac(_: &mut Ctx<'_>, args: &[Term]) -> Return {
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
