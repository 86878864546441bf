//! Terms that instructions make of slots, and take apart.

use std::mem;

use code::module::Mfa;
use term::fun::Closure;
use term::{Fun, Map, Pid, Shared, Term};

use crate::code_space::ClosureInfo;

/// A list of all but the last slot, which holds the tail.
#[inline(always)]
pub(super) fn list(slots: &mut [Term]) -> Term {
    let mut slots = slots.iter_mut().rev();
    let tail = slots.next().map_or(Term::NIL, mem::take);
    slots.fold(tail, |list, slot| Term::cons(mem::take(slot), list))
}

/// A map of keys and values in turn.
#[inline(always)]
pub(super) fn map(slots: &mut [Term]) -> Term {
    let mut map = Map::new();
    for pair in slots.chunks_exact_mut(2) {
        map.insert(mem::take(&mut pair[0]), mem::take(&mut pair[1]));
    }
    Term::map(map)
}

/// A fun with the values of its environment.
#[inline(always)]
pub(super) fn closure(info: &ClosureInfo, maker: Pid, env: &mut [Term]) -> Term {
    Term::fun(Fun::Local(Closure {
        module: info.module,
        name: info.name,
        arity: info.arity,
        index: info.index,
        unique: info.unique,
        entry: info.entry,
        maker,
        env: env.iter_mut().map(mem::take).collect(),
    }))
}

/// `fun module:name/arity`
pub(super) fn external_fun(mfa: Mfa) -> Term {
    Term::fun(Fun::External { module: mfa.module, name: mfa.name, arity: mfa.arity })
}

/// The head and the tail of a cell, taken out of it if this was its last use and nobody else holds
/// it.
#[inline(always)]
pub(super) fn take_cell(slot: &mut Term, last: bool) -> Option<(Term, Term)> {
    if last {
        match mem::take(slot).into_cons() {
            Ok(cell) => Some(match Shared::try_unwrap(cell) {
                Ok(cell) => (cell.head, cell.tail),
                Err(cell) => (cell.head.clone(), cell.tail.clone()),
            }),
            Err(other) => {
                *slot = other;
                None
            }
        }
    } else {
        slot.as_cons().map(|cell| (cell.head.clone(), cell.tail.clone()))
    }
}
