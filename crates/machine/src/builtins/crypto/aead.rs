//! Encryption with authentication: GCM (NIST SP 800-38D), CCM (RFC 3610) and ChaCha20-Poly1305 (RFC
//! 8439).

use term::{Atom, Term};

use super::super::data::iolist;
use super::super::{Ctx, Return, badarg};
use super::blocks::{self, Blocks, xor};
use super::chacha;

const BLOCK: usize = 16;

type Block = [u8; BLOCK];

/// `aead(Cipher, Key, Iv, Data, MoreData, Tag, Encrypt)` with the cipher `gcm`, `ccm` (both AES) or
/// `chacha20_poly1305`; encrypting, the tag is its length. Gives `{Output, Tag}`, or the text, or
/// `error` if the tag is wrong; `{bad, What}` if `iv` or `tag` have a length that the cipher does
/// not take.
pub(super) fn aead(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [name, key, iv, data, more, tag, encrypt] = args else { return badarg() };
    let bytes = |term: &Term| iolist::bytes(term);
    let (Some(key), Some(iv), Some(data), Some(more), Some(encrypt)) =
        (bytes(key), bytes(iv), bytes(data), bytes(more), encrypt.as_bool())
    else {
        return badarg();
    };
    let (length, given) = match (tag.as_int(), bytes(tag)) {
        (Some(length), _) if encrypt => (usize::try_from(length).unwrap_or(usize::MAX), None),
        (_, Some(tag)) if !encrypt => (tag.len(), Some(tag)),
        _ => return badarg(),
    };
    let bad = |what| Ok(Term::tuple([Term::atom("bad"), Term::atom(what)]));
    let work = Work { iv: &iv, more: &more, data: &data, encrypt, length };
    let done = match name.as_atom().map(Atom::as_str) {
        Some("chacha20_poly1305") => match key.try_into() {
            Ok(key) => chacha20_poly1305(&key, &work),
            Err(_) => return badarg(),
        },
        Some(mode @ ("gcm" | "ccm")) => match blocks::new("aes", &key) {
            Some(cipher) if mode == "gcm" => gcm(&*cipher, &work),
            Some(cipher) => ccm(&*cipher, &work),
            None => return badarg(),
        },
        _ => return badarg(),
    };
    let (output, tag) = match done {
        Ok(done) => done,
        Err(Unfit::Iv) => return bad("iv"),
        Err(Unfit::Tag) => return bad("tag"),
    };
    Ok(match given {
        None => Term::tuple([Term::binary(output), Term::binary(tag)]),
        Some(given) if given == tag => Term::binary(output),
        Some(_) => Term::atom("error"),
    })
}

/// What is to be done.
struct Work<'a> {
    iv: &'a [u8],
    /// Data that is authenticated, and not encrypted.
    more: &'a [u8],
    data: &'a [u8],
    encrypt: bool,
    /// Bytes of the tag.
    length: usize,
}

/// What has a length that does not fit.
enum Unfit {
    Iv,
    Tag,
}

/// The text, and the tag that it should have.
type Done = Result<(Vec<u8>, Vec<u8>), Unfit>;

impl Work<'_> {
    /// The text that is sent, of both.
    fn secret<'b>(&'b self, output: &'b [u8]) -> &'b [u8] {
        if self.encrypt { output } else { self.data }
    }

    /// The text that is meant.
    fn clear<'b>(&'b self, output: &'b [u8]) -> &'b [u8] {
        if self.encrypt { self.data } else { output }
    }
}

fn encrypted(cipher: &dyn Blocks, block: Block) -> Block {
    let mut block = block;
    cipher.encrypt(&mut block);
    block
}

fn padded(bytes: &[u8]) -> Block {
    let mut block = [0; BLOCK];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// The data combined with the encrypted values of a counter, which is the last bytes of a block.
fn counted(cipher: &dyn Blocks, mut counter: Block, bytes: usize, data: &[u8]) -> Vec<u8> {
    let mut output = data.to_vec();
    for part in output.chunks_mut(BLOCK) {
        xor(part, &encrypted(cipher, counter));
        super::modes::increment(&mut counter[BLOCK - bytes..]);
    }
    output
}

/// The product in the field of GCM, bit by bit.
fn product(x: u128, y: u128) -> u128 {
    const REDUCTION: u128 = 0xE1 << 120;
    let (mut sum, mut shifted) = (0, y);
    for bit in (0..128).rev() {
        if x >> bit & 1 == 1 {
            sum ^= shifted;
        }
        shifted = if shifted & 1 == 1 { shifted >> 1 ^ REDUCTION } else { shifted >> 1 };
    }
    sum
}

fn ghash(key: u128, parts: [&[u8]; 2]) -> u128 {
    let mut sum = 0;
    for block in parts.iter().flat_map(|part| part.chunks(BLOCK)) {
        sum = product(sum ^ u128::from_be_bytes(padded(block)), key);
    }
    let bits = |part: &[u8]| 8 * part.len() as u128;
    product(sum ^ (bits(parts[0]) << 64 | bits(parts[1])), key)
}

fn gcm(cipher: &dyn Blocks, work: &Work<'_>) -> Done {
    if work.iv.is_empty() {
        return Err(Unfit::Iv);
    }
    if work.length == 0 || work.length > BLOCK {
        return Err(Unfit::Tag);
    }
    let key = u128::from_be_bytes(encrypted(cipher, [0; BLOCK]));
    let start = if work.iv.len() == 12 {
        u128::from_be_bytes(padded(work.iv)) | 1
    } else {
        ghash(key, [&[], work.iv])
    }
    .to_be_bytes();
    let mut counter = start;
    super::modes::increment(&mut counter[12..]);
    let output = counted(cipher, counter, 4, work.data);
    let sum = ghash(key, [work.more, work.secret(&output)]);
    let mut tag = sum.to_be_bytes().to_vec();
    xor(&mut tag, &encrypted(cipher, start));
    tag.truncate(work.length);
    Ok((output, tag))
}

fn ccm(cipher: &dyn Blocks, work: &Work<'_>) -> Done {
    if !(7..=13).contains(&work.iv.len()) {
        return Err(Unfit::Iv);
    }
    if !(4..=16).contains(&work.length) || work.length % 2 == 1 {
        return Err(Unfit::Tag);
    }
    // Bytes of the length of the text, which is also the counter.
    let bytes = BLOCK - 1 - work.iv.len();
    let mut counter = padded(&[&[bytes as u8 - 1], work.iv].concat());
    let mask = encrypted(cipher, counter);
    super::modes::increment(&mut counter);
    let output = counted(cipher, counter, bytes, work.data);
    let clear = work.clear(&output);
    let has_more = u8::from(!work.more.is_empty());
    let flags = has_more << 6 | ((work.length as u8 - 2) / 2) << 3 | (bytes as u8 - 1);
    let mut first = padded(&[&[flags], work.iv].concat());
    let length = (clear.len() as u64).to_be_bytes();
    let kept = bytes.min(8);
    first[BLOCK - kept..].copy_from_slice(&length[8 - kept..]);
    let mut sum = encrypted(cipher, first);
    let mut add = |bytes: &[u8]| {
        for block in bytes.chunks(BLOCK) {
            xor(&mut sum, block);
            sum = encrypted(cipher, sum);
        }
    };
    if has_more == 1 {
        let length = work.more.len();
        let prefix = match u16::try_from(length) {
            Ok(short) if short < 0xFF00 => short.to_be_bytes().to_vec(),
            _ => [&[0xFF, 0xFE][..], &(length as u32).to_be_bytes()].concat(),
        };
        add(&[&prefix, work.more].concat());
    }
    add(clear);
    let mut tag = sum.to_vec();
    xor(&mut tag, &mask);
    tag.truncate(work.length);
    Ok((output, tag))
}

fn chacha20_poly1305(key: &[u8; 32], work: &Work<'_>) -> Done {
    if work.iv.len() != 12 {
        return Err(Unfit::Iv);
    }
    if work.length == 0 || work.length > BLOCK {
        return Err(Unfit::Tag);
    }
    // A counter of four bytes comes first.
    let mut iv = [0; BLOCK];
    iv[4..].copy_from_slice(work.iv);
    let mut once = [0; 32];
    chacha::combine(key, &iv, 0, &mut once);
    let mut output = work.data.to_vec();
    chacha::combine(key, &iv, 64, &mut output);
    let secret = work.secret(&output);
    let mut input = Vec::new();
    for part in [work.more, secret] {
        input.extend(part);
        input.resize(input.len().next_multiple_of(BLOCK), 0);
    }
    input.extend((work.more.len() as u64).to_le_bytes());
    input.extend((secret.len() as u64).to_le_bytes());
    let mut tag = chacha::poly1305(&once, &input).to_vec();
    tag.truncate(work.length);
    Ok((output, tag))
}
