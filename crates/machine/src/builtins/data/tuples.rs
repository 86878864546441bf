//! Tuples.

use std::mem;

use term::Term;

use super::{Builtin, bad, natural};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "element"/2 => element,
    "append_element"/2 => append_element,
    "insert_element"/3 => insert_element,
    "delete_element"/2 => delete_element,
    "make_tuple"/2 => make_tuple,
    "make_tuple"/3 => make_tuple_with,
    "tuple_to_list"/1 => tuple_to_list,
    "list_to_tuple"/1 => list_to_tuple,
);

pub(super) const CHANGES: &[Builtin] = builtins!(ERLANG, HIDDEN, in_place;
    "setelement"/3 => setelement,
);

/// The largest tuple.
const MAX_SIZE: usize = (1 << 24) - 1;

/// The place (from 0) that `element/2` and its relatives mean in a tuple of `len` elements.
fn place(index: &Term, len: usize) -> Option<usize> {
    let index = natural(index)?;
    (1..=len).contains(&index).then(|| index - 1)
}

fn element(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let tuple = args[1].as_tuple().ok_or_else(bad)?;
    let place = place(&args[0], tuple.len()).ok_or_else(bad)?;
    Ok(tuple[place].clone())
}

fn setelement(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    let len = args[1].as_tuple().ok_or_else(bad)?.len();
    let place = place(&args[0], len).ok_or_else(bad)?;
    let mut tuple = mem::take(&mut args[1]).into_tuple().map_err(|_| bad())?;
    tuple.make_mut()[place] = mem::take(&mut args[2]);
    Ok(tuple.into())
}

fn append_element(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let tuple = args[0].as_tuple().ok_or_else(bad)?;
    if tuple.len() >= MAX_SIZE {
        return Err(bad());
    }
    Ok(Term::tuple(tuple.iter().chain([&args[1]]).cloned()))
}

fn insert_element(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let tuple = args[1].as_tuple().ok_or_else(bad)?;
    let place = place(&args[0], tuple.len() + 1).ok_or_else(bad)?;
    if tuple.len() >= MAX_SIZE {
        return Err(bad());
    }
    let (before, after) = tuple.split_at(place);
    Ok(Term::tuple(before.iter().chain([&args[2]]).chain(after).cloned()))
}

fn delete_element(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let tuple = args[1].as_tuple().ok_or_else(bad)?;
    let place = place(&args[0], tuple.len()).ok_or_else(bad)?;
    Ok(Term::tuple(tuple[..place].iter().chain(&tuple[place + 1..]).cloned()))
}

fn size(term: &Term) -> Result<usize, super::Failure> {
    natural(term).filter(|&size| size <= MAX_SIZE).ok_or_else(bad)
}

fn make_tuple(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let size = size(&args[0])?;
    Ok(Term::tuple(std::iter::repeat_n(&args[1], size).cloned()))
}

fn make_tuple_with(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let size = size(&args[0])?;
    let mut elements = vec![args[1].clone(); size];
    let mut entries = args[2].elements();
    for entry in entries.by_ref() {
        let Some([index, value]) = entry.as_tuple() else { return Err(bad()) };
        let place = place(index, size).ok_or_else(bad)?;
        elements[place] = value.clone();
    }
    if !entries.is_proper() {
        return Err(bad());
    }
    Ok(Term::tuple(elements))
}

fn tuple_to_list(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let tuple = args[0].as_tuple().ok_or_else(bad)?;
    Ok(Term::list(tuple.iter().cloned()))
}

fn list_to_tuple(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let elements = args[0].to_vec().ok_or_else(bad)?;
    if elements.len() > MAX_SIZE {
        return Err(bad());
    }
    Ok(Term::tuple(elements))
}
