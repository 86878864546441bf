//! Lists of tuples with a key: `lists:key*`.
//!
//! Keys are compared with `==`. An element that is no tuple, or too short, never matches.

use term::{Term, order};

use super::{Builtin, Fallible, bad, natural, no_clause};
use crate::builtins::row::{Entry, HIDDEN};
use crate::builtins::{Ctx, Return, builtins};

pub(super) const LISTS: &[Builtin] = builtins!(LISTS, HIDDEN;
    "keyfind"/3 [HIDDEN.entry(Entry::Builtin)] => keyfind,
    "keymember"/3 [HIDDEN.entry(Entry::Builtin)] => keymember,
    "keysearch"/3 [HIDDEN.entry(Entry::Builtin)] => keysearch,
    "keydelete"/3 => keydelete,
    "keyreplace"/4 => keyreplace,
    "keystore"/4 => keystore,
    "keytake"/3 => keytake,
);

/// The elements before the one with the key, that one, and the rest of the list.
struct Found<'a> {
    before: Vec<Term>,
    element: &'a Term,
    rest: &'a Term,
}

/// Where a search ended without finding: all elements, and what the list ended in.
struct Missing<'a> {
    all: Vec<Term>,
    rest: &'a Term,
}

fn has_key(element: &Term, place: usize, key: &Term) -> bool {
    element.as_tuple().and_then(|t| t.get(place)).is_some_and(|other| order::loose_eq(other, key))
}

/// The place (from 0) of keys that a position says.
fn place(position: &Term) -> Option<usize> {
    natural(position)?.checked_sub(1)
}

fn find<'a>(key: &Term, position: &Term, list: &'a Term) -> Fallible<Option<&'a Term>> {
    let place = place(position).ok_or_else(bad)?;
    let mut elements = list.elements();
    match elements.by_ref().find(|element| has_key(element, place, key)) {
        Some(element) => Ok(Some(element)),
        None if elements.is_proper() => Ok(None),
        None => Err(bad()),
    }
}

fn keyfind(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(find(&args[0], &args[1], &args[2])?.cloned().unwrap_or(Term::FALSE))
}

fn keymember(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::bool(find(&args[0], &args[1], &args[2])?.is_some()))
}

fn keysearch(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let found = find(&args[0], &args[1], &args[2])?;
    Ok(found.map_or(Term::FALSE, |element| Term::tuple([Term::atom("value"), element.clone()])))
}

/// Looks for a key and keeps what comes before it.
fn search<'a>(name: &str, args: &'a [Term]) -> Fallible<Result<Found<'a>, Missing<'a>>> {
    let [key, position, list, new @ ..] = args else { return Err(bad()) };
    let is_position = position.is_integer() && order::compare(position, &Term::int(0)).is_gt();
    if !is_position || new.iter().any(|new| new.as_tuple().is_none()) {
        return Err(no_clause("lists", name, args.iter().cloned()));
    }
    let place = place(position).unwrap_or(usize::MAX);
    let mut elements = list.elements();
    let mut before = Vec::new();
    for element in elements.by_ref() {
        if has_key(element, place, key) {
            return Ok(Ok(Found { before, element, rest: elements.rest() }));
        }
        before.push(element.clone());
    }
    Ok(Err(Missing { all: before, rest: elements.rest() }))
}

/// The list as it was, if it was a proper one.
fn unchanged(name: &str, args: &[Term], missing: &Missing<'_>) -> Fallible<()> {
    if missing.rest.is_nil() {
        return Ok(());
    }
    let mut failed = args.to_vec();
    failed[2] = missing.rest.clone();
    Err(no_clause("lists", name, failed))
}

fn keydelete(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match search("keydelete", args)? {
        Ok(found) => Ok(Term::improper(found.before, found.rest.clone())),
        Err(missing) => {
            unchanged("keydelete3", args, &missing)?;
            Ok(args[2].clone())
        }
    }
}

fn keyreplace(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match search("keyreplace", args)? {
        Ok(found) => {
            let tail = Term::cons(args[3].clone(), found.rest.clone());
            Ok(Term::improper(found.before, tail))
        }
        Err(missing) => {
            unchanged("keyreplace3", args, &missing)?;
            Ok(args[2].clone())
        }
    }
}

fn keystore(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match search("keystore", args)? {
        Ok(found) => {
            let tail = Term::cons(args[3].clone(), found.rest.clone());
            Ok(Term::improper(found.before, tail))
        }
        Err(missing) => {
            unchanged("keystore2", args, &missing)?;
            Ok(Term::improper(missing.all, Term::list([args[3].clone()])))
        }
    }
}

fn keytake(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match search("keytake", args)? {
        Ok(found) => {
            let rest = Term::improper(found.before, found.rest.clone());
            Ok(Term::tuple([Term::atom("value"), found.element.clone(), rest]))
        }
        Err(missing) => {
            unchanged("keytake", args, &missing)?;
            Ok(Term::FALSE)
        }
    }
}
