//! Whether terms of two runs are the same, as far as that means something.

use atom::Atom;
use term::{Boxed, Fun, Pid, Term, View};

/// Whether a term means the same on every node.
pub(crate) fn is_data(term: &Term) -> bool {
    let mut open = vec![term.clone()];
    while let Some(term) = open.pop() {
        match term.view() {
            View::Boxed(Boxed::Big(_)) => {}
            View::Pid(_) | View::Ref(_) | View::Port(_) | View::Boxed(_) => return false,
            View::Cons(cons) => open.extend([cons.head.clone(), cons.tail.clone()]),
            View::Tuple(tuple) => open.extend(tuple.iter().cloned()),
            View::Map(map) => {
                for (key, value) in map.iter() {
                    open.extend([key.clone(), value.clone()]);
                }
            }
            _ => {}
        }
    }
    true
}

/// The place of an entry of a stack trace.
fn is_place(term: &Term) -> bool {
    let tagged = |term: &Term, tag: &str| {
        term.as_tuple().is_some_and(|pair| {
            pair.len() == 2 && pair[0].as_atom().is_some_and(|atom| atom.as_str() == tag)
        })
    };
    let Some(first) = term.as_cons() else { return false };
    let Some(second) = first.tail.as_cons() else { return false };
    tagged(&first.head, "file") && tagged(&second.head, "line")
}

/// The function that the first entry of a stack trace names.
fn first_entry(term: &Term) -> Option<(Atom, Atom)> {
    let first = &term.as_cons()?.head;
    let [module, name, _, places] = first.as_tuple()? else { return None };
    let is_entry = places.is_nil() || is_place(places);
    Some((module.as_atom()?, name.as_atom()?)).filter(|_| is_entry)
}

/// Whether two terms are the same but for references, whose numbers depend on what went before,
/// for versions of a module in funs, and for all but the first entry of stack traces, which depends
/// on who called.
pub(super) fn is_same(a: &Term, b: &Term) -> bool {
    is_same_but(a, b, &|a, b| a == b)
}

/// The same of two runs: which process is which is asked for.
pub(super) fn is_same_but(a: &Term, b: &Term, same_pid: &dyn Fn(Pid, Pid) -> bool) -> bool {
    let mut open = vec![(a.clone(), b.clone())];
    while let Some((a, b)) = open.pop() {
        let is_same = match (a.view(), b.view()) {
            (View::Ref(_), View::Ref(_)) => true,
            (View::Pid(a), View::Pid(b)) => same_pid(a, b),
            _ if is_place(&a) && is_place(&b) => true,
            (View::Cons(_), View::Cons(_)) if first_entry(&a).is_some() => {
                first_entry(&a) == first_entry(&b)
            }
            (View::Cons(a), View::Cons(b)) => {
                open.push((a.head.clone(), b.head.clone()));
                open.push((a.tail.clone(), b.tail.clone()));
                true
            }
            (View::Tuple(a), View::Tuple(b)) => {
                open.extend(a.iter().cloned().zip(b.iter().cloned()));
                a.len() == b.len()
            }
            (View::Map(x), View::Map(y)) => {
                // Keys with references are not looked for.
                let mut pairs = x.iter().zip(y.iter());
                pairs.all(|((k, v), (l, w))| {
                    open.push((v.clone(), w.clone()));
                    open.push((k.clone(), l.clone()));
                    true
                }) && x.iter().count() == y.iter().count()
            }
            (View::Boxed(Boxed::Fun(Fun::Local(a))), View::Boxed(Boxed::Fun(Fun::Local(b)))) => {
                let is_same = (a.module, a.name, a.arity) == (b.module, b.name, b.arity);
                open.extend(a.env.iter().cloned().zip(b.env.iter().cloned()));
                is_same && a.env.len() == b.env.len()
            }
            _ => term::order::exact_eq(&a, &b),
        };
        if !is_same {
            return false;
        }
    }
    true
}

/// Whether all of these are the same.
pub(super) fn are_same(a: &[Term], b: &[Term]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}

/// The same of two runs.
pub(super) fn are_same_but(a: &[Term], b: &[Term], same_pid: &dyn Fn(Pid, Pid) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_but(a, b, same_pid))
}
