//! Whether two values of two runs are the same, up to names.
//!
//! Processes, ports and references have other numbers in other versions of a program: the first of
//! the one run that stands where the first of the other does is its counterpart from then on, one
//! to one ([`Names`]). Of funs made by the program arity and what they have taken along are not
//! looked at in detail: a fun stands for any fun of the same arity, since code that was moved has
//! another name (a difference in what a fun *does* shows where it is called). Stack traces stand
//! for each other whatever is in them: places change with every edit.
//!
//! In maps with such names among their keys, keys are taken in their order, which may say
//! "different" of maps that are equal with another assignment; nothing here recurses.

use rustc_hash::FxHashMap;
use term::fun::Closure;
use term::{Boxed, Fun, Map, Term, View, order};

/// Which name of one run is which of the other.
#[derive(Clone, Debug, Default)]
pub struct Names {
    to_new: FxHashMap<Name, Name>,
    to_old: FxHashMap<Name, Name>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Name {
    Pid(u64),
    Port(u64),
    Ref(u64),
}

impl Names {
    /// Whether a value of the old version is that of the new one; what names stand for each other
    /// is remembered if it is.
    pub fn same(&mut self, old: &Term, new: &Term) -> bool {
        let mut found: Vec<(Name, Name)> = Vec::new();
        let mut pending: Vec<(&Term, &Term)> = vec![(old, new)];
        while let Some((a, b)) = pending.pop() {
            let is_same = match (a.view(), b.view()) {
                (View::Pid(a), View::Pid(b)) => {
                    self.meet(Name::Pid(a.0), Name::Pid(b.0), &mut found)
                }
                (View::Port(a), View::Port(b)) => {
                    self.meet(Name::Port(a.0), Name::Port(b.0), &mut found)
                }
                (View::Ref(a), View::Ref(b)) => {
                    self.meet(Name::Ref(a.0), Name::Ref(b.0), &mut found)
                }
                (View::Tuple(a), View::Tuple(b)) => {
                    pending.extend(a.iter().zip(b));
                    a.len() == b.len()
                }
                (View::Cons(x), View::Cons(y)) => {
                    if !(is_stack(a) && is_stack(b)) {
                        pending.push((&x.tail, &y.tail));
                        pending.push((&x.head, &y.head));
                    }
                    true
                }
                (View::Map(a), View::Map(b)) => {
                    let (a, b) = (a.by_key(), b.by_key());
                    for ((key, value), (other, theirs)) in a.iter().zip(&b) {
                        pending.push((value, theirs));
                        pending.push((key, other));
                    }
                    a.len() == b.len()
                }
                (View::Boxed(Boxed::Fun(a)), View::Boxed(Boxed::Fun(b))) => same_fun(a, b),
                _ => order::exact_eq(a, b),
            };
            if !is_same {
                self.forget(&found);
                return false;
            }
        }
        true
    }

    /// Whether two names may stand for each other.
    fn meet(&mut self, old: Name, new: Name, found: &mut Vec<(Name, Name)>) -> bool {
        match (self.to_new.get(&old), self.to_old.get(&new)) {
            (Some(known), _) => *known == new,
            (None, Some(_)) => false,
            (None, None) => {
                self.to_new.insert(old, new);
                self.to_old.insert(new, old);
                found.push((old, new));
                true
            }
        }
    }

    fn forget(&mut self, found: &[(Name, Name)]) {
        for (old, new) in found {
            self.to_new.remove(old);
            self.to_old.remove(new);
        }
    }
}

fn same_fun(old: &Fun, new: &Fun) -> bool {
    match (old, new) {
        (
            Fun::External { name, arity, .. },
            Fun::External { name: other_name, arity: other_arity, .. },
        ) => name == other_name && arity == other_arity,
        _ => arity(old) == arity(new),
    }
}

fn arity(fun: &Fun) -> u32 {
    match fun {
        Fun::Local(closure) => closure.arity,
        Fun::External { arity, .. } => *arity,
    }
}

/// Whether a list is a stack trace: `{M, F, Arity or Args, [{file, …}, {line, …}]}`, not empty.
fn is_stack(list: &Term) -> bool {
    let is_entry = |entry: &Term| match entry.as_tuple() {
        Some([module, name, args, place]) => {
            module.as_atom().is_some()
                && name.as_atom().is_some()
                && (args.is_integer() || args.is_list())
                && place.elements().all(is_info)
                && place.is_list()
        }
        _ => false,
    };
    let mut elements = list.elements();
    elements.next().is_some_and(&is_entry) && elements.all(is_entry)
}

fn is_info(info: &Term) -> bool {
    let key = info.as_tuple().and_then(|pair| pair.first()?.as_atom());
    key.is_some_and(|key| matches!(key.as_str(), "file" | "line" | "error_info"))
}

/// A value that can be handed to another Machine: funs of the program belong to the code of one, so
/// that they cannot be called there.
pub fn detached(term: &Term) -> Term {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match term.view() {
        View::Boxed(Boxed::Fun(Fun::Local(closure))) => {
            let env = closure.env.iter().map(detached).collect();
            let entry = Closure::NOWHERE;
            Term::fun(Fun::Local(Closure { entry, env, ..closure.clone() }))
        }
        View::Tuple(elements) => Term::tuple(elements.iter().map(detached)),
        View::Cons(_) => {
            let mut elements = Vec::new();
            let mut rest = term;
            while let View::Cons(cell) = rest.view() {
                elements.push(detached(&cell.head));
                rest = &cell.tail;
            }
            Term::improper(elements, detached(rest))
        }
        View::Map(map) => {
            let mut made = Map::new();
            map.iter().for_each(|(key, value)| made.insert(detached(key), detached(value)));
            Term::map(made)
        }
        _ => term.clone(),
    })
}
