//! AES for `crypto`, in the modes ECB, CBC and CTR (NIST SP 800-38A). The cipher itself is that of the crate `aes`;
//! padding, options and errors are in `crypto.erl`.
//!
//! Cost: linear. One block after the other, also where several could be done at once.

use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use term::{Atom, Term};

use super::super::data::iolist;
use super::super::{Ctx, Return, badarg};

const BLOCK: usize = 16;

type Block = [u8; BLOCK];

enum Cipher {
    Short(Aes128),
    Middle(Aes192),
    Long(Aes256),
}

impl Cipher {
    fn new(key: &[u8]) -> Option<Cipher> {
        Some(match key.len() {
            16 => Cipher::Short(Aes128::new_from_slice(key).ok()?),
            24 => Cipher::Middle(Aes192::new_from_slice(key).ok()?),
            32 => Cipher::Long(Aes256::new_from_slice(key).ok()?),
            _ => return None,
        })
    }

    fn encrypted(&self, block: Block) -> Block {
        let mut block = GenericArray::from(block);
        match self {
            Cipher::Short(aes) => aes.encrypt_block(&mut block),
            Cipher::Middle(aes) => aes.encrypt_block(&mut block),
            Cipher::Long(aes) => aes.encrypt_block(&mut block),
        }
        block.into()
    }

    fn decrypted(&self, block: Block) -> Block {
        let mut block = GenericArray::from(block);
        match self {
            Cipher::Short(aes) => aes.decrypt_block(&mut block),
            Cipher::Middle(aes) => aes.decrypt_block(&mut block),
            Cipher::Long(aes) => aes.decrypt_block(&mut block),
        }
        block.into()
    }
}

fn xor(mut block: Block, other: &[u8]) -> Block {
    block.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
    block
}

/// Each whole block of `data` as `each` makes it.
fn by_blocks(data: &[u8], mut each: impl FnMut(Block) -> Block) -> Vec<u8> {
    let (blocks, _) = data.as_chunks::<BLOCK>();
    blocks.iter().flat_map(|block| each(*block)).collect()
}

fn counted(cipher: &Cipher, iv: Block, data: &[u8]) -> Vec<u8> {
    let mut counter = u128::from_be_bytes(iv);
    let mut output = Vec::with_capacity(data.len());
    for part in data.chunks(BLOCK) {
        let stream = cipher.encrypted(counter.to_be_bytes());
        output.extend(part.iter().zip(stream).map(|(byte, with)| byte ^ with));
        counter = counter.wrapping_add(1);
    }
    output
}

/// `aes(Mode, Key, Iv, Data, Encrypt)`: of `ecb` and `cbc` the whole blocks.
pub(super) fn aes(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(key), Some(data)) = (iolist::bytes(&args[1]), iolist::bytes(&args[3])) else {
        return badarg();
    };
    let (Some(cipher), Some(encrypt)) = (Cipher::new(&key), args[4].as_bool()) else {
        return badarg();
    };
    let iv = iolist::bytes(&args[2]).and_then(|iv| Block::try_from(&iv[..]).ok());
    let output = match (args[0].as_atom().map(Atom::as_str), iv, encrypt) {
        (Some("ecb"), _, true) => by_blocks(&data, |block| cipher.encrypted(block)),
        (Some("ecb"), _, false) => by_blocks(&data, |block| cipher.decrypted(block)),
        (Some("cbc"), Some(mut last), true) => by_blocks(&data, |block| {
            last = cipher.encrypted(xor(block, &last));
            last
        }),
        (Some("cbc"), Some(mut last), false) => by_blocks(&data, |block| {
            let clear = xor(cipher.decrypted(block), &last);
            last = block;
            clear
        }),
        (Some("ctr"), Some(iv), _) => counted(&cipher, iv, &data),
        _ => return badarg(),
    };
    Ok(Term::binary(output))
}
