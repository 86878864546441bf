//! Maps: the builtins of `erlang` and the natives of `maps`.
//!
//! Lists of keys, values and entries are in the order of `Map::listed`, iterators go by
//! `Map::iter`. An iterator is `[0 | Map]` at the start and `{Key, Value, Next}` later; in large
//! maps a batch of entries at a time is taken out, and `[{Key} | Map]` stands for the rest after
//! that key.

use std::mem;

use term::{Map, Shared, Term};

use super::{Builtin, Fallible, bad, fail_with, failed_in};
use crate::builtins::row::{Entry, Facts, HIDDEN};
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "map_size"/1 => |_, a| Ok(Term::from(map(&a[0])?.len())),
    "map_get"/2 => get,
    "is_map_key"/2 => is_key,
);

/// OTP has these in Erlang.
const IN_ERLANG: Facts = HIDDEN.entry(Entry::Library);

pub(super) const MAPS: &[Builtin] = builtins!(MAPS, HIDDEN;
    "get"/2 => get,
    "get"/3 [IN_ERLANG] => get_or,
    "find"/2 => find,
    "is_key"/2 => is_key,
    "keys"/1 => |_, a| Ok(Term::list(map(&a[0])?.listed().map(|(key, _)| key.clone()))),
    "values"/1 => |_, a| Ok(Term::list(map(&a[0])?.listed().map(|(_, value)| value.clone()))),
    "to_list"/1 [IN_ERLANG] => to_list,
    "size"/1 [IN_ERLANG] => size,
    "new"/0 [IN_ERLANG] => |_, _| Ok(Term::map(Map::new())),
    "from_list"/1 => from_list,
    "from_keys"/2 => from_keys,
    "intersect"/2 [IN_ERLANG] => intersect,
    "with"/2 [IN_ERLANG] => with,
    "without"/2 [IN_ERLANG] => without,
    "iterator"/1 [IN_ERLANG] => iterator,
    "next"/1 [IN_ERLANG] => next,
);

pub(super) const NATIVE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "generator_pairs"/1 [HIDDEN.operation()] => |_, args| {
        let bad = || fail_with("bad_generator", &args[0]);
        entries(&args[0]).map(Term::list).ok_or_else(bad)
    },
);

pub(super) const CHANGES: &[Builtin] = builtins!(MAPS, HIDDEN, in_place;
    "put"/3 => put,
    "update"/3 => update,
    "remove"/2 => remove,
    "take"/2 => take,
    "merge"/2 => merge,
);

fn map(term: &Term) -> Fallible<&Map> {
    term.as_map().ok_or_else(|| fail_with("badmap", term))
}

/// Takes the map out of an argument, to be changed.
fn owned(term: &mut Term) -> Fallible<Shared<Map>> {
    mem::take(term).into_map().map_err(|other| {
        let failure = fail_with("badmap", &other);
        *term = other;
        failure
    })
}

/// The entries as a list of pairs in front of `tail`.
fn pairs(map: &Map, tail: Term) -> Term {
    Term::improper(map.listed().map(|(key, value)| pair(key, value)), tail)
}

fn pair(key: &Term, value: &Term) -> Term {
    Term::tuple([key.clone(), value.clone()])
}

fn get(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    map(&args[1])?.get(&args[0]).cloned().ok_or_else(|| fail_with("badkey", &args[0]))
}

fn get_or(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(map(&args[1])?.get(&args[0]).unwrap_or(&args[2]).clone())
}

fn find(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(match map(&args[1])?.get(&args[0]) {
        Some(value) => Term::tuple([Term::OK, value.clone()]),
        None => Term::from(atom::known::ERROR),
    })
}

fn is_key(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::bool(map(&args[1])?.contains_key(&args[0])))
}

fn size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::from(map(&args[0])?.len()))
}

fn from_list(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[0].elements();
    let mut map = Map::new();
    for element in elements.by_ref() {
        let Some([key, value]) = element.as_tuple() else { return Err(bad()) };
        map.insert(key.clone(), value.clone());
    }
    if elements.is_proper() { Ok(Term::map(map)) } else { Err(bad()) }
}

fn from_keys(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[0].elements();
    let map: Map = elements.by_ref().map(|key| (key.clone(), args[1].clone())).collect();
    if elements.is_proper() { Ok(Term::map(map)) } else { Err(bad()) }
}

fn put(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    let mut map = owned(&mut args[2])?;
    // Nothing is copied where nothing changes.
    let is_there = |map: &Map| map.get(&args[0]).is_some_and(|value| value.same_word(&args[1]));
    if Shared::is_unique(&map) || !is_there(&map) {
        Shared::make_mut(&mut map).insert(mem::take(&mut args[0]), mem::take(&mut args[1]));
    }
    Ok(map.into())
}

fn update(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    if !map(&args[2])?.contains_key(&args[0]) {
        return Err(fail_with("badkey", &args[0]));
    }
    let mut map = owned(&mut args[2])?;
    let value = mem::take(&mut args[1]);
    Shared::make_mut(&mut map).update(&args[0], value);
    Ok(map.into())
}

fn remove(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    if !map(&args[1])?.contains_key(&args[0]) {
        return Ok(args[1].clone());
    }
    let mut map = owned(&mut args[1])?;
    Shared::make_mut(&mut map).remove(&args[0]);
    Ok(map.into())
}

fn take(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    if !map(&args[1])?.contains_key(&args[0]) {
        return Ok(Term::from(atom::known::ERROR));
    }
    let mut map = owned(&mut args[1])?;
    match Shared::make_mut(&mut map).remove(&args[0]) {
        Some(value) => Ok(Term::tuple([value, map.into()])),
        None => Ok(Term::from(atom::known::ERROR)),
    }
}

fn merge(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    let (first, second) = (map(&args[0])?.len(), map(&args[1])?.len());
    let [left, right] = args else { return Err(bad()) };
    if left.same_word(right) {
        return Ok(mem::take(left));
    }
    // The smaller one goes into the larger.
    if first >= second {
        let mut merged = owned(left)?;
        if second > 0 {
            let changed = Shared::make_mut(&mut merged);
            for (key, value) in map(right)?.iter() {
                changed.insert(key.clone(), value.clone());
            }
        }
        return Ok(merged.into());
    }
    let mut merged = owned(right)?;
    if first > 0 {
        let changed = Shared::make_mut(&mut merged);
        for (key, value) in map(left)?.iter() {
            if !changed.contains_key(key) {
                changed.insert(key.clone(), value.clone());
            }
        }
    }
    Ok(merged.into())
}

fn intersect(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (first, second) = (map(&args[0])?, map(&args[1])?);
    let common: Map = if first.len() <= second.len() {
        first.keys().filter_map(|key| Some((key.clone(), second.get(key)?.clone()))).collect()
    } else {
        second
            .iter()
            .filter(|(key, _)| first.contains_key(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    Ok(Term::map(common))
}

/// A list of keys and a map: what is wrong with other arguments of `with/2` and `without/2`.
fn keys_and_map(args: &[Term]) -> Fallible<(&Term, &Map)> {
    let map = map(&args[1])?;
    if args[0].is_list() { Ok((&args[0], map)) } else { Err(bad()) }
}

fn with(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (keys, map) = keys_and_map(args)?;
    let mut elements = keys.elements();
    let kept: Map =
        elements.by_ref().filter_map(|key| Some((key.clone(), map.get(key)?.clone()))).collect();
    if elements.is_proper() {
        Ok(Term::map(kept))
    } else {
        Err(super::no_clause("maps", "with_1", [elements.rest().clone(), args[1].clone()]))
    }
}

fn without(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (keys, _) = keys_and_map(args)?;
    let mut elements = keys.elements();
    let mut left = owned(&mut args[1].clone())?;
    for key in elements.by_ref() {
        if left.contains_key(key) {
            Shared::make_mut(&mut left).remove(key);
        }
    }
    if elements.is_proper() {
        Ok(left.into())
    } else {
        // A fold over the keys, and no clause of it takes the rest.
        Err(super::no_clause("lists", "foldl_1", [elements.rest().clone(), left.into()]))
    }
}

/// `maps:to_list(MapOrIterator)`; iterators are taken since OTP 26.
fn to_list(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_map() {
        Some(map) => Ok(pairs(map, Term::NIL)),
        None => entries(&args[0]).map(Term::list).ok_or_else(|| fail_with("badmap", &args[0])),
    }
}

/// What a map, or an iterator, goes through.
fn entries(source: &Term) -> Option<Vec<Term>> {
    if let Some(map) = source.as_map() {
        return Some(map.iter().map(|(key, value)| pair(key, value)).collect());
    }
    let mut found = Vec::new();
    let mut current = source.clone();
    loop {
        let next = match (current.as_cons(), current.as_tuple()) {
            (Some(cell), _) => batch(&cell.head, &cell.tail)?,
            (_, Some([key, value, next])) => {
                found.push(pair(key, value));
                next.clone()
            }
            _ if current.is_atom(atom::Atom::new("none")) => return Some(found),
            _ => return None,
        };
        current = next;
    }
}

fn iterator(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    map(&args[0])?;
    Ok(Term::cons(Term::int(0), args[0].clone()))
}

/// How many entries are taken out of a map at a time.
const BATCH: usize = 32;

/// The next entries of a map from `path` on: nested triples that end in the iterator for the rest.
///
/// A path is a place in the map, 0 at first, a number as OTP's own `maps:next/1` wants it. Keys
/// with equal hashes have one place, and are given together.
pub(super) fn batch(path: &Term, whole: &Term) -> Option<Term> {
    let map = whole.as_map()?;
    let path = path.as_int().and_then(|path| u64::try_from(path).ok())?;
    let mut given: Vec<(&Term, &Term)> = Vec::new();
    let mut end = Term::atom("none");
    match map.iter_from(path) {
        None if path == 0 => given.extend(map.iter()),
        None => return None,
        Some(entries) => {
            let mut place = path;
            for (after, key, value) in entries {
                if given.len() >= BATCH && after != place {
                    end = Term::cons(Term::from(place), whole.clone());
                    break;
                }
                place = after;
                given.push((key, value));
            }
        }
    }
    let triple =
        |next, (key, value): (&Term, &Term)| Term::tuple([key.clone(), value.clone(), next]);
    Some(given.into_iter().rev().fold(end, triple))
}

fn next(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let iterator = &args[0];
    if let Some(cell) = iterator.as_cons() {
        let [path, map] = [&cell.head, &cell.tail];
        if !path.is_integer() || map.as_map().is_none() {
            return Err(bad());
        }
        let args = [path.clone(), map.clone(), Term::atom("iterator")];
        return batch(path, map)
            .ok_or_else(|| failed_in("badarg", "erts_internal", "map_next", args));
    }
    let is_entry = iterator.as_tuple().is_some_and(|tuple| tuple.len() == 3);
    if is_entry || iterator.is_atom(atom::Atom::new("none")) {
        Ok(iterator.clone())
    } else {
        Err(bad())
    }
}
