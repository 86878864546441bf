//! Atoms and their text.
//!
//! An atom exists if the program has met its name anywhere, the names of variables included: so
//! `*_to_existing_atom` may find a name that a BEAM node does not have.

use atom::Atom;
use term::{Term, View};

use super::{Builtin, Fallible, bad, fail};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "atom_to_list"/1 => atom_to_list,
    "atom_to_binary"/1 => |_, a| encoded(&a[0], Encoding::Utf8),
    "atom_to_binary"/2 => |_, a| encoded(&a[0], encoding(&a[1])?),
    "list_to_atom"/1 => |_, a| Ok(Term::atom(&name_of_list(&a[0])?)),
    "list_to_existing_atom"/1 => |_, a| existing(name_of_list(&a[0])),
    "binary_to_atom"/1 => |_, a| Ok(Term::atom(&name_of_binary(&a[0], Encoding::Utf8)?)),
    "binary_to_atom"/2 => |_, a| Ok(Term::atom(&name_of_binary(&a[0], encoding(&a[1])?)?)),
    "binary_to_existing_atom"/1 => |_, a| existing(name_of_binary(&a[0], Encoding::Utf8)),
    "binary_to_existing_atom"/2 => |_, a| existing(name_of_binary(&a[0], encoding(&a[1])?)),
);

const MAX_CHARACTERS: usize = 255;

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Latin1,
    Utf8,
}

fn encoding(term: &Term) -> Fallible<Encoding> {
    match term.as_atom().map(Atom::as_str) {
        Some("latin1") => Ok(Encoding::Latin1),
        Some("utf8" | "unicode") => Ok(Encoding::Utf8),
        _ => Err(bad()),
    }
}

fn atom_to_list(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    args[0].as_atom().map(|atom| Term::string(atom.as_str())).ok_or_else(bad)
}

fn encoded(atom: &Term, encoding: Encoding) -> Return {
    let text = atom.as_atom().ok_or_else(bad)?.as_str();
    match encoding {
        Encoding::Utf8 => Ok(Term::binary(text)),
        Encoding::Latin1 => {
            let bytes: Option<Vec<u8>> =
                text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
            bytes.map(Term::binary).ok_or_else(bad)
        }
    }
}

/// A name that is too long is as good as one that does not exist.
fn existing(text: Fallible<String>) -> Return {
    let text = text.map_err(|_| bad())?;
    Atom::existing(&text).map(Term::from).ok_or_else(bad)
}

fn limited(text: String) -> Fallible<String> {
    if text.chars().count() > MAX_CHARACTERS { Err(fail("system_limit")) } else { Ok(text) }
}

fn name_of_list(list: &Term) -> Fallible<String> {
    let mut elements = list.elements();
    let text: Option<String> = elements.by_ref().map(character).collect();
    let text = text.filter(|_| elements.is_proper()).ok_or_else(bad)?;
    limited(text)
}

/// A code point that is a character.
pub(super) fn character(term: &Term) -> Option<char> {
    match term.view() {
        View::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
        _ => None,
    }
}

fn name_of_binary(binary: &Term, encoding: Encoding) -> Fallible<String> {
    let bytes = binary.as_bits().and_then(|bits| bits.to_bytes()).ok_or_else(bad)?;
    match encoding {
        Encoding::Latin1 => limited(bytes.iter().map(|&byte| char::from(byte)).collect()),
        Encoding::Utf8 => match String::from_utf8(bytes.into_owned()) {
            Ok(text) => limited(text),
            // Too long is said first, if it is too long before it goes wrong.
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                limited(String::from_utf8_lossy(valid).into_owned()).and(Err(bad()))
            }
        },
    }
}
