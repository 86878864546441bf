//! `prim_file`: files and directories, as the library's `file` module uses them.
//!
//! * [`handle`]: open files.
//! * [`path`]: files by their names.
//! * [`info`]: the record `file_info`.
//!
//! Names are encoded in UTF-8, whatever the locale. Arguments of the wrong kind give `{error,
//! badarg}`, as in OTP, where the module catches the exception.

mod handle;
mod info;
mod path;

pub(super) use handle::TABLE as HANDLES;
pub(super) use path::{FILE, NAMES, TABLE as PATHS};

use term::{Term, View};

use crate::world::files::{Posix, Result};

pub(super) fn error(reason: &str) -> Term {
    Term::tuple([Term::atom("error"), Term::atom(reason)])
}

pub(super) fn ok(value: Term) -> Term {
    Term::tuple([Term::OK, value])
}

/// `ok`, or what went wrong.
fn done(result: Result<()>) -> Term {
    match result {
        Ok(()) => Term::OK,
        Err(Posix(reason)) => error(reason),
    }
}

/// `{ok, Value}`, or what went wrong.
fn value(result: Result<Term>) -> Term {
    match result {
        Ok(value) => ok(value),
        Err(Posix(reason)) => error(reason),
    }
}

const BADARG: Posix = Posix("badarg");

/// The bytes of a name: a string, a binary, or a list of both.
pub(super) fn name(term: &Term) -> Result<Vec<u8>> {
    let bytes = match term.view() {
        View::Bits(bits) => bits.to_bytes().ok_or(BADARG)?.into_owned(),
        View::Nil | View::Cons(_) => {
            let mut bytes = Vec::new();
            let mut elements = term.elements();
            for element in elements.by_ref() {
                let code = element.as_int().and_then(|code| u32::try_from(code).ok());
                let character = code.and_then(char::from_u32).ok_or(BADARG)?;
                bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            if !elements.is_proper() {
                return Err(BADARG);
            }
            bytes
        }
        _ => return Err(BADARG),
    };
    // Zeros may end a name, but not stand inside.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    if bytes[..end].contains(&0) { Err(BADARG) } else { Ok(bytes[..end].to_vec()) }
}

/// A name as a string; `None` if it is not UTF-8.
pub(super) fn shown(name: &[u8]) -> Option<Term> {
    std::str::from_utf8(name).ok().map(Term::string)
}
