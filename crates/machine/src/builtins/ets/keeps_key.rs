//! Whether a clause of `ets:select_replace/2` gives an object with the key of the one it replaces.
//!
//! That must be plain from its text: the body is `'$_'`, or a tuple in which the key stands as it
//! stands in the head, or is taken from the object by `{element, KeyPos, '$_'}`.

use term::order::exact_eq;
use term::{Term, View};

use crate::ets::match_spec::{is_any, variable};

fn element(tuple: &Term, keypos: usize) -> Option<&Term> {
    tuple.as_tuple()?.get(keypos - 1)
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

pub(super) fn keeps_key(clause: &Term, keypos: usize) -> bool {
    let Some([head, _, body]) = clause.as_tuple() else { return false };
    let Some(cell) = body.as_cons() else { return false };
    if !cell.tail.is_nil() {
        return false;
    }
    let given = &cell.head;
    if is(given, "$_") {
        return true;
    }
    let Some(key) = element(head, keypos) else { return false };
    let (made, constant) = match given.view() {
        View::Tuple([name, value]) if is(name, "const") => (value, true),
        View::Tuple([value]) => (value, false),
        _ => return false,
    };
    let Some(new_key) = element(made, keypos) else { return false };
    if gives_same(key, new_key, constant) {
        return true;
    }
    !constant
        && matches!(new_key.view(), View::Tuple([name, at, object])
            if is(name, "element") && is(object, "$_") && at.as_int() == Some(keypos as i64))
}

/// Whether an expression surely gives the term that a part of the head has matched.
fn gives_same(head: &Term, expression: &Term, constant: bool) -> bool {
    let mut pending = vec![(head, expression, constant)];
    while let Some((head, expression, constant)) = pending.pop() {
        match expression.view() {
            View::Cons(cell) => {
                let Some(head) = head.as_cons() else { return false };
                pending.push((&head.tail, &cell.tail, constant));
                pending.push((&head.head, &cell.head, constant));
            }
            View::Tuple([name, value]) if !constant && is(name, "const") => {
                pending.push((head, value, true));
            }
            View::Tuple(elements) => {
                let elements = match elements {
                    _ if constant => elements,
                    [inner] => match inner.as_tuple() {
                        Some(inner) => inner,
                        None => return false,
                    },
                    _ => return false,
                };
                let Some(parts) = head.as_tuple().filter(|parts| parts.len() == elements.len())
                else {
                    return false;
                };
                pending.extend(parts.iter().zip(elements).map(|(a, b)| (a, b, constant)));
            }
            // A map in a head matches maps with more keys.
            View::Map(_) => return false,
            _ => {
                let special = is_any(head)
                    || is(head, "$$")
                    || is(head, "$_")
                    || (constant && variable(head).is_some());
                if special || !exact_eq(head, expression) {
                    return false;
                }
            }
        }
    }
    true
}
