//! For `crypto`: what is too slow, or too much a table, to be Erlang. Keys in pairs, signatures,
//! padding, options and errors are in `crypto.erl` and the modules beside it.
//!
//! Nothing here takes the same time for all secrets: this is for programs that are tested.

mod aead;
mod blocks;
mod cells;
mod chacha;
mod hashes;
mod modes;
mod sha;

use num_bigint::{BigInt, Sign};
use term::Term;

use super::data::iolist;
use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::builtins::row::HIDDEN;

pub(crate) use cells::Cells;

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "aead"/7 => aead::aead,
    "cell"/1 => cells::new,
    "cell_value"/1 => cells::value,
    "set_cell"/2 => cells::set,
    "cipher"/6 => modes::cipher,
    "cmac"/3 => cmac,
    "hash"/2 => hashes::hash,
    "hmac"/3 => hashes::hmac,
    "mod_pow"/3 => mod_pow,
    "pbkdf2_hmac"/5 => hashes::pbkdf2_hmac,
    "poly1305"/2 => poly1305,
    "shake256"/2 => hashes::shake256,
);

/// `mod_pow(Base, Exponent, Modulus)`, of integers that are not negative; the modulus is not zero.
fn mod_pow(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let number = |term: &Term| match (term.as_int(), term.as_big()) {
        (Some(small), _) => Some(BigInt::from(small)),
        (_, Some(big)) => Some(big.clone()),
        _ => None,
    };
    let (Some(base), Some(exponent), Some(modulus)) =
        (number(&args[0]), number(&args[1]), number(&args[2]))
    else {
        return badarg();
    };
    if exponent.sign() == Sign::Minus || modulus.sign() != Sign::Plus {
        return badarg();
    }
    Ok(Term::big(base.modpow(&exponent, &modulus)))
}

/// `cmac(Cipher, Key, Data)` (NIST SP 800-38B)
fn cmac(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(key), Some(data)) = (iolist::bytes(&args[1]), iolist::bytes(&args[2])) else {
        return badarg();
    };
    match args[0].as_atom().and_then(|name| blocks::new(name.as_str(), &key)) {
        Some(cipher) => Ok(Term::binary(blocks::cmac(&*cipher, &data))),
        None => badarg(),
    }
}

/// `poly1305(Key, Data)`
fn poly1305(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let key = iolist::bytes(&args[0]).and_then(|key| <[u8; 32]>::try_from(key).ok());
    match (key, iolist::bytes(&args[1])) {
        (Some(key), Some(data)) => Ok(Term::binary(chacha::poly1305(&key, &data).to_vec())),
        _ => badarg(),
    }
}
