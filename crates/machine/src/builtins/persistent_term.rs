//! `persistent_term`: values by key for all processes.
//!
//! `get/0` shows them in the order of their keys; the BEAM's order depends on its hashes.

use term::map::Key;
use term::order::exact_eq;
use term::{Map, Term};

use super::data::flat_size;
use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::builtins::row::visible;
use crate::footprint::touches;

pub(super) const TABLE: &[Builtin] = builtins!(PERSISTENT_TERM;
    "put"/2 [visible(touches::put_persistent).fails_by_arguments()] => put,
    "get"/0 [visible(touches::read_persistent)] => |cx, _| {
        // Each counts as a call.
        let calls = u32::try_from(cx.s.node.shared.terms.len()).unwrap_or(u32::MAX);
        cx.s.node.turn.charge_exactly(calls);
        let entry = |(key, value): (&Key, &Term)| Term::tuple([key.0.clone(), value.clone()]);
        Ok(Term::list(cx.s.node.shared.terms.iter().map(entry).collect::<Vec<_>>()))
    },
    "get"/1 [visible(touches::read_persistent)] => |cx, args| match find(cx, &args[0]) {
        Some(value) => Ok(value),
        None => badarg(),
    },
    "get"/2 [visible(touches::read_persistent)] =>
        |cx, args| Ok(find(cx, &args[0]).unwrap_or_else(|| args[1].clone())),
    "erase"/1 [visible(touches::erase_persistent)] => |cx, args| {
        let erased = cx.s.node.shared.terms.remove(&Key(args[0].clone()));
        let was_there = erased.is_some();
        cx.s.node.shared.fading.extend(erased);
        Ok(Term::bool(was_there))
    },
    "info"/0 [visible(touches::read_persistent)] => info,
);

fn find(cx: &Ctx<'_>, key: &Term) -> Option<Term> {
    cx.s.node.shared.terms.get(&Key(key.clone())).cloned()
}

fn put(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    // Who puts the same value again changes nothing.
    if !find(cx, &args[0]).is_some_and(|old| exact_eq(&old, &args[1])) {
        let replaced = cx.s.node.shared.terms.insert(Key(args[0].clone()), args[1].clone());
        cx.s.node.shared.fading.extend(replaced);
    }
    Ok(Term::OK)
}

/// Bytes that an entry takes beside its words, and an empty table.
const ENTRY: usize = 16;
const EMPTY: usize = 192;

fn info(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let terms = &cx.s.node.shared.terms;
    let pair = |(key, value): (&Key, &Term)| 3 + flat_size(&key.0) + flat_size(value);
    let words: usize = terms.iter().map(pair).sum();
    let memory = EMPTY + terms.len() * ENTRY + words * 8;
    Ok(Term::map(Map::from_iter([
        (Term::atom("count"), Term::from(terms.len())),
        (Term::atom("memory"), Term::from(memory)),
    ])))
}
