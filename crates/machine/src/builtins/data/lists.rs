//! Lists: the builtins of `erlang`, and the natives of `lists` that look for something.

use std::collections::BTreeMap;

use term::map::Key;
use term::{Term, order};

use super::{Builtin, bad};
use crate::builtins::row::{Entry, HIDDEN};
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "hd"/1 => |_, a| a[0].as_cons().map(|cell| cell.head.clone()).ok_or_else(bad),
    "tl"/1 => |_, a| a[0].as_cons().map(|cell| cell.tail.clone()).ok_or_else(bad),
    "length"/1 => |_, a| a[0].list_len().map(Term::from).ok_or_else(bad),
    "++"/2 => append,
    "append"/2 => append,
    "--"/2 => subtract,
    "subtract"/2 => subtract,
);

pub(super) const LISTS: &[Builtin] = builtins!(LISTS, HIDDEN.entry(Entry::Builtin);
    "member"/2 => member,
    "reverse"/2 => |_, a| onto(&a[0], a[1].clone()).ok_or_else(bad),
);

fn append(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    join(&args[0], args[1].clone()).ok_or_else(bad)
}

/// `list ++ tail`
pub(super) fn join(list: &Term, tail: Term) -> Option<Term> {
    if tail.is_nil() && list.list_len().is_some() {
        return Some(list.clone());
    }
    Some(Term::improper(list.to_vec()?, tail))
}

/// The elements of `list` one by one in front of `tail`: `lists:reverse/2`.
pub(super) fn onto(list: &Term, tail: Term) -> Option<Term> {
    let mut elements = list.elements();
    let result = elements.by_ref().fold(tail, |tail, head| Term::cons(head.clone(), tail));
    elements.is_proper().then_some(result)
}

fn subtract(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    difference(&args[0], &args[1]).ok_or_else(bad)
}

/// `left -- right`: each element of the right list takes away the first equal element of the left
/// one. With a count for each different element of the right list, one pass over the left is
/// enough.
pub(super) fn difference(left: &Term, right: &Term) -> Option<Term> {
    left.list_len()?;
    let right_len = right.list_len()?;
    if right_len == 0 {
        return Some(left.clone());
    }
    let kept: Vec<Term> = if right_len <= 4 {
        let mut pending: Vec<&Term> = right.elements().collect();
        left.elements()
            .filter(|element| {
                let found = pending.iter().position(|other| order::exact_eq(element, other));
                found.map(|at| pending.swap_remove(at)).is_none()
            })
            .cloned()
            .collect()
    } else {
        let mut pending: BTreeMap<Key, usize> = BTreeMap::new();
        for element in right.elements() {
            *pending.entry(Key(element.clone())).or_default() += 1;
        }
        left.elements()
            .filter(|element| match pending.get_mut(&Key((*element).clone())) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            })
            .cloned()
            .collect()
    };
    Some(Term::list(kept))
}

fn member(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[1].elements();
    let wanted = &args[0];
    let found = if wanted.is_immediate() {
        elements.any(|element| element.same_word(wanted))
    } else {
        elements.any(|element| order::exact_eq(element, wanted))
    };
    if !found && !elements.is_proper() {
        return Err(bad());
    }
    Ok(Term::bool(found))
}
