//! Ciphers of blocks, by name; the ciphers themselves are those of crates. And CMAC (NIST SP
//! 800-38B), which is made of nothing else.

use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use blowfish::Blowfish;
use des::{Des, TdesEde3};
use rc2::Rc2;

/// A cipher with its key. Blocks must have its size.
pub(super) trait Blocks {
    fn size(&self) -> usize;
    fn encrypt(&self, block: &mut [u8]);
    fn decrypt(&self, block: &mut [u8]);

    fn encrypted(&self, block: &[u8]) -> Vec<u8> {
        let mut block = block.to_vec();
        self.encrypt(&mut block);
        block
    }
}

impl<C: BlockEncrypt + BlockDecrypt> Blocks for C {
    fn size(&self) -> usize {
        C::block_size()
    }

    fn encrypt(&self, block: &mut [u8]) {
        self.encrypt_block(GenericArray::from_mut_slice(block));
    }

    fn decrypt(&self, block: &mut [u8]) {
        self.decrypt_block(GenericArray::from_mut_slice(block));
    }
}

fn keyed<C: Blocks + KeyInit + 'static>(key: &[u8]) -> Option<Box<dyn Blocks>> {
    let cipher: C = KeyInit::new_from_slice(key).ok()?;
    Some(Box::new(cipher))
}

/// A cipher, if the name and the size of the key are right.
pub(super) fn new(name: &str, key: &[u8]) -> Option<Box<dyn Blocks>> {
    match (name, key.len()) {
        ("aes", 16) => keyed::<Aes128>(key),
        ("aes", 24) => keyed::<Aes192>(key),
        ("aes", 32) => keyed::<Aes256>(key),
        ("des", _) => keyed::<Des>(key),
        ("des_ede3", _) => keyed::<TdesEde3>(key),
        ("blowfish", _) => keyed::<Blowfish>(key),
        ("rc2", 1..=128) => Some(Box::new(Rc2::new_with_eff_key_len(key, 8 * key.len()))),
        _ => None,
    }
}

/// Twice a number of the field of blocks.
fn doubled(block: &[u8]) -> Vec<u8> {
    let reduction = if block.len() == 16 { 0x87 } else { 0x1B };
    let mut carry = 0;
    let mut result: Vec<u8> = block
        .iter()
        .rev()
        .map(|byte| {
            let doubled = byte << 1 | carry;
            carry = byte >> 7;
            doubled
        })
        .collect();
    if carry == 1 {
        result[0] ^= reduction;
    }
    result.reverse();
    result
}

pub(super) fn xor(block: &mut [u8], other: &[u8]) {
    block.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
}

pub(super) fn cmac(cipher: &dyn Blocks, data: &[u8]) -> Vec<u8> {
    let size = cipher.size();
    let whole_key = doubled(&cipher.encrypted(&vec![0; size]));
    let mut blocks: Vec<&[u8]> = data.chunks(size).collect();
    let last = blocks.pop().unwrap_or_default();
    let mut code = vec![0; size];
    for block in blocks {
        xor(&mut code, block);
        cipher.encrypt(&mut code);
    }
    xor(&mut code, last);
    if last.len() == size {
        xor(&mut code, &whole_key);
    } else {
        code[last.len()] ^= 0x80;
        xor(&mut code, &doubled(&whole_key));
    }
    cipher.encrypt(&mut code);
    code
}
