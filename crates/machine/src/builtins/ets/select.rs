//! Searching tables by match specifications.
//!
//! A search that knows the keys of everything that can match looks only there; in an ordered table
//! also one that knows how they begin. Any other goes through the whole table. The table is held
//! while the specification runs, and changed only afterwards. Where a node is driven action by
//! action, walks through large tables are several actions (`parts.rs`).
//!
//! Order of results, and what is left over between calls of a search in parts, are those of OTP 25:
//! tables without order are walked chain by chain and the result is collected from its end.

use std::rc::Rc;

use term::Term;

use super::continuation::{HashedState, OrderedState};
use super::parts::{self, Aim, UNINTERRUPTED};
use super::{Ctx, bad, because, end_of_table, remember_replaced};
use crate::builtins::row::{Facts, visible};
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::ets::Need;
use crate::ets::hashed::Hashed;
use crate::ets::match_spec::compile::{Complaints, compile};
use crate::ets::match_spec::run::Runner;
use crate::ets::match_spec::{Compiled, Dialect, is_any, pattern, variable};
use crate::ets::ordered::{Extent, Ordered};
use crate::ets::table::{Kind, Store, Table};
use crate::footprint::tables;

const READ: Facts = visible(tables::read_matching);

pub(super) const TABLE: &[Builtin] = builtins!(ETS;
    "select"/1 [READ] => |cx, args| go_on(cx, &args[0]),
    "select"/2 [READ] => |cx, args| select(cx, &args[0], &args[1], false),
    "select"/3 [READ] => |cx, args| select_part(cx, &args[0], &args[1], &args[2], false),
    "select_reverse"/1 [READ] => |cx, args| go_on(cx, &args[0]),
    "select_reverse"/2 [READ] => |cx, args| select(cx, &args[0], &args[1], true),
    "select_reverse"/3 [READ] => |cx, args| select_part(cx, &args[0], &args[1], &args[2], true),
    "match"/1 [READ] => |cx, args| go_on(cx, &args[0]),
    "match"/2 [READ] => |cx, args| select(cx, &args[0], &bindings(&args[1]), false),
    "match"/3 [READ] => |cx, args| select_part(cx, &args[0], &bindings(&args[1]), &args[2], false),
    "match_object"/1 [READ] => |cx, args| go_on(cx, &args[0]),
    "match_object"/2 [READ] => |cx, args| select(cx, &args[0], &objects(&args[1]), false),
    "match_object"/3 [READ] =>
        |cx, args| select_part(cx, &args[0], &objects(&args[1]), &args[2], false),
    "select_count"/2 [READ] => select_count,
    "internal_select_delete"/2 [visible(tables::delete_matching)] => select_delete,
    "select_replace"/2 [visible(tables::replace_matching)] => select_replace,
);

/// A specification that takes a pattern and gives this.
fn with_body(pattern: &Term, body: &str) -> Term {
    let body = Term::list([Term::atom(body)]);
    Term::list([Term::tuple([pattern.clone(), Term::NIL, body])])
}

fn bindings(pattern: &Term) -> Term {
    with_body(pattern, "$$")
}

fn objects(pattern: &Term) -> Term {
    with_body(pattern, "$_")
}

/// The table, held: it can be read while builtins run.
pub(super) fn hold(cx: &mut Ctx<'_>, table: &Term, need: Need) -> Result<Rc<Table>, Box<Stop>> {
    cx.s.node.turn.charge(super::OPERATION);
    Ok(cx.s.node.tables.hold(table, cx.p.pid, need)?)
}

/// A specification: its source, or compiled before.
pub(super) fn compiled(cx: &Ctx<'_>, spec: &Term) -> Result<Compiled, Box<Stop>> {
    if let Some(compiled) = spec.as_ref().and_then(|id| cx.s.node.tables.match_spec(id)) {
        return Ok(compiled);
    }
    let compiled = compile(cx.code, spec, Dialect::Table, Complaints(None));
    compiled.map(Rc::new).map_err(|_| bad())
}

/// Where something can match.
pub(super) enum Scope {
    Everywhere,
    /// Only objects of these keys.
    Keys(Vec<Term>),
    /// Only objects with keys that match one of these patterns, which begin with something known.
    /// An ordered table has them side by side.
    Partly(Vec<Term>),
}

/// Where the clauses of a specification can match in a table with this key position.
pub(super) fn scope(spec: &Compiled, keypos: usize) -> Scope {
    let mut keys = Vec::new();
    let mut all_known = true;
    for clause in spec.source.elements() {
        let Some([head, ..]) = clause.as_tuple() else { return Scope::Everywhere };
        if is_any(head) || variable(head).is_some() {
            return Scope::Everywhere;
        }
        // A head that is no tuple, or too short a one, matches nothing.
        if let Some(key) = head.as_tuple().and_then(|elements| elements.get(keypos - 1)) {
            if is_any(key) || variable(key).is_some() {
                return Scope::Everywhere;
            }
            all_known &= pattern::is_constant(key);
            keys.push(key.clone());
        }
    }
    if all_known { Scope::Keys(keys) } else { Scope::Partly(keys) }
}

/// What goes through a table: the specification, and the room for running it.
pub(super) struct Search<'c, 's> {
    cx: &'c mut Ctx<'s>,
    spec: Compiled,
    runner: Runner,
}

impl<'c, 's> Search<'c, 's> {
    pub(super) fn new(cx: &'c mut Ctx<'s>, spec: Compiled) -> Search<'c, 's> {
        Search { cx, spec, runner: Runner::default() }
    }

    pub(super) fn run(&mut self, object: &Term) -> Result<Option<Term>, Box<Stop>> {
        self.cx.s.node.turn.charge(1);
        self.runner.run(self.cx, &self.spec, object)
    }

    /// What the objects of one chain give, in the order of the chain. Returns how many there were.
    fn chain(
        &mut self,
        store: &Hashed,
        chain: usize,
        results: &mut Vec<Term>,
    ) -> Result<usize, Box<Stop>> {
        let mut seen = 0;
        for entry in store.chain(chain) {
            for object in entry.objects().iter().rev() {
                seen += 1;
                results.extend(self.run(object)?);
            }
        }
        Ok(seen)
    }
}

/// The chains in which these keys are, each once.
fn chains(store: &Hashed, keys: &[Term], keypos: usize) -> Vec<usize> {
    let mut chains = Vec::new();
    for key in keys {
        if let Some(chain) = store.find(key, keypos)
            && !chains.contains(&chain)
        {
            chains.push(chain);
        }
    }
    chains
}

/// The parts of an ordered table in which something can match; `None`: everywhere.
pub(super) fn extents(store: &Ordered, scope: &Scope) -> Option<Vec<Extent>> {
    match scope {
        Scope::Everywhere => None,
        Scope::Keys(keys) | Scope::Partly(keys) => Some(store.extents(keys)),
    }
}

/// What can match in an ordered table, beyond a key that was reached before.
pub(super) fn objects_in<'a>(
    store: &'a Ordered,
    extents: Option<&'a [Extent]>,
    reached: Option<&'a Term>,
    reverse: bool,
) -> Box<dyn Iterator<Item = &'a Term> + 'a> {
    match (extents, reached, reverse) {
        (Some(extents), _, _) => store.within(extents, reached, reverse),
        (None, None, false) => Box::new(store.iter()),
        (None, None, true) => Box::new(store.iter().rev()),
        (None, Some(key), false) => Box::new(store.iter_after(key)),
        (None, Some(key), true) => Box::new(store.iter_before(key)),
    }
}

/// All that matches.
fn select(cx: &mut Ctx<'_>, table: &Term, spec: &Term, reverse: bool) -> Return {
    let table = hold(cx, table, Need::Read)?;
    if spec.is_nil() {
        return Ok(Term::NIL);
    }
    let spec = compiled(cx, spec)?;
    let keypos = table.keypos();
    let scope = scope(&spec, keypos);
    if parts::are_many(cx, &table, &scope) {
        let aim = if reverse { Aim::Reverse } else { Aim::Select };
        return parts::begin(cx, table, aim, spec);
    }
    let mut search = Search::new(cx, spec);
    let mut results = Vec::new();
    match &table.store {
        Store::Hashed(store) => {
            match scope {
                Scope::Everywhere | Scope::Partly(_) => {
                    for chain in store.walk_from(0) {
                        search.chain(store, chain, &mut results)?;
                    }
                }
                Scope::Keys(keys) => {
                    for chain in chains(store, &keys, keypos) {
                        search.chain(store, chain, &mut results)?;
                    }
                }
            }
            results.reverse();
        }
        Store::Ordered(store) => {
            let extents = extents(store, &scope);
            for object in objects_in(store, extents.as_deref(), None, false) {
                results.extend(search.run(object)?);
            }
            if reverse {
                results.reverse();
            }
        }
    }
    Ok(Term::list(results))
}

/// The limit of a search in parts.
fn limit(term: &Term) -> Result<usize, Box<Stop>> {
    let limit = term.as_int().filter(|limit| (1..1 << 59).contains(limit));
    limit.and_then(|limit| usize::try_from(limit).ok()).ok_or_else(bad)
}

/// The first part of what matches.
fn select_part(cx: &mut Ctx<'_>, table: &Term, spec: &Term, size: &Term, reverse: bool) -> Return {
    let table = hold(cx, table, Need::Read)?;
    let limit = limit(size)?;
    if spec.is_nil() {
        return Ok(end_of_table());
    }
    let spec = compiled(cx, spec)?;
    let scope = scope(&spec, table.keypos());
    let search = Search::new(cx, spec);
    match &table.store {
        Store::Hashed(store) => {
            let state = HashedState::new(limit, search.spec.source.clone());
            first_hashed(search, &table, store, scope, state)
        }
        Store::Ordered(store) => {
            let state = OrderedState::new(limit, search.spec.source.clone(), reverse);
            match scope {
                Scope::Keys(keys) if keys.is_empty() => Ok(end_of_table()),
                Scope::Keys(keys) if is_one(&keys) => one_object(search, store, &keys[0]),
                scope => ordered_part(search, &table, store, scope, state),
            }
        }
    }
}

/// Whether all keys are the same for an ordered table.
fn is_one(keys: &[Term]) -> bool {
    keys.windows(2).all(|pair| term::order::loose_eq(&pair[0], &pair[1]))
}

/// A search in parts for one key.
fn one_object(mut search: Search<'_, '_>, store: &Ordered, key: &Term) -> Return {
    let found = match store.get(key) {
        Some(object) => search.run(object)?,
        None => None,
    };
    Ok(match found {
        Some(value) => Term::tuple([Term::list([value]), end_of_table()]),
        None => end_of_table(),
    })
}

fn ordered_part(
    mut search: Search<'_, '_>,
    table: &Table,
    store: &Ordered,
    scope: Scope,
    mut state: OrderedState,
) -> Return {
    let mut results = Vec::new();
    let reached = state.last.take();
    let extents = extents(store, &scope);
    for object in objects_in(store, extents.as_deref(), reached.as_ref(), state.reverse) {
        state.last = Some(table.key_of(object).clone());
        results.extend(search.run(object)?);
        if results.len() == state.limit {
            break;
        }
    }
    let next = match results.len() {
        0 => return Ok(end_of_table()),
        got if got < state.limit => end_of_table(),
        _ => state.into_term(table),
    };
    Ok(Term::tuple([Term::list(results), next]))
}

fn first_hashed(
    mut search: Search<'_, '_>,
    table: &Table,
    store: &Hashed,
    scope: Scope,
    mut state: HashedState,
) -> Return {
    match scope {
        Scope::Everywhere | Scope::Partly(_) => hashed_part(search, table, store, state, true),
        Scope::Keys(keys) => {
            let mut seen = 0;
            for chain in chains(store, &keys, table.keypos()) {
                seen += search.chain(store, chain, &mut state.found)?;
            }
            state.chain = None;
            Ok(if seen == 0 { end_of_table() } else { state.answer(table, true) })
        }
    }
}

/// Goes on through the chains until there is enough.
fn hashed_part(
    mut search: Search<'_, '_>,
    table: &Table,
    store: &Hashed,
    mut state: HashedState,
    is_first: bool,
) -> Return {
    let (mut seen, mut seen_since, mut interrupted) = (0, 0, false);
    if let Some(start) = state.chain
        && state.found.len() < state.limit
    {
        let mut walk = store.walk_from(start);
        while let Some(chain) = walk.next() {
            let count = search.chain(store, chain, &mut state.found)?;
            seen += count;
            seen_since += count;
            let mut ahead = walk.clone();
            state.chain = ahead.next();
            if state.chain.is_none() || state.found.len() >= state.limit {
                break;
            }
            if seen_since >= UNINTERRUPTED {
                interrupted = true;
                seen_since = 0;
            }
        }
    }
    if is_first && seen == 0 {
        return Ok(end_of_table());
    }
    Ok(state.answer(table, is_first && !interrupted))
}

/// The next part of a search.
fn go_on(cx: &mut Ctx<'_>, continuation: &Term) -> Return {
    if end_of_table().same_word(continuation) {
        return Ok(end_of_table());
    }
    let [table, ..] = continuation.as_tuple().unwrap_or_default() else { return Err(bad()) };
    let table = hold(cx, table, Need::Read)?;
    match &table.store {
        Store::Hashed(store) => {
            let state = HashedState::from_term(continuation).ok_or_else(bad)?;
            if state.chain.is_some_and(|chain| chain >= store.chain_count()) {
                return Err(bad());
            }
            let spec = compiled(cx, &state.spec)?;
            let search = Search::new(cx, spec);
            hashed_part(search, &table, store, state, false)
        }
        Store::Ordered(store) => {
            let state = OrderedState::from_term(continuation).ok_or_else(bad)?;
            let spec = compiled(cx, &state.spec)?;
            let scope = scope(&spec, table.keypos());
            let search = Search::new(cx, spec);
            ordered_part(search, &table, store, scope, state)
        }
    }
}

/// What to do with an object.
pub(super) enum Verdict {
    Keep,
    Delete,
    Replace(Term),
}

/// Goes through all objects that can match, key by key, and collects what is to be done with the
/// objects of each (in the order of a lookup), where that is something.
fn judge(search: &mut Search<'_, '_>, table: &Table, aim: Aim) -> Result<Judged, Box<Stop>> {
    let mut judged = Vec::new();
    let mut look = |search: &mut Search<'_, '_>, objects: &[Term]| {
        let Some(first) = objects.first() else { return Ok(()) };
        let mut verdicts = Vec::with_capacity(objects.len());
        for object in objects {
            verdicts.push(aim.verdict(search.run(object)?));
        }
        if verdicts.iter().any(|verdict| !matches!(verdict, Verdict::Keep)) {
            judged.push((table.key_of(first).clone(), verdicts));
        }
        Ok::<(), Box<Stop>>(())
    };
    match (scope(&search.spec, table.keypos()), &table.store) {
        (Scope::Keys(keys), Store::Hashed(store)) => {
            for chain in chains(store, &keys, table.keypos()) {
                for entry in store.chain(chain) {
                    look(search, entry.objects())?;
                }
            }
        }
        (Scope::Everywhere | Scope::Partly(_), Store::Hashed(store)) => {
            for entry in store.walk_from(0).flat_map(|chain| store.chain(chain)) {
                look(search, entry.objects())?;
            }
        }
        (scope, Store::Ordered(store)) => {
            let extents = extents(store, &scope);
            for object in objects_in(store, extents.as_deref(), None, false) {
                look(search, std::slice::from_ref(object))?;
            }
        }
    }
    Ok(judged)
}

fn select_count(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = hold(cx, &args[0], Need::Read)?;
    if args[1].is_nil() {
        return Ok(Term::int(0));
    }
    let spec = compiled(cx, &args[1])?;
    if parts::are_many(cx, &table, &scope(&spec, table.keypos())) {
        return parts::begin(cx, table, Aim::Count, spec);
    }
    let mut search = Search::new(cx, spec);
    let judged = judge(&mut search, &table, Aim::Count)?;
    Ok(Term::from(count(&judged)))
}

/// Keys, and what is to be done with the objects of each.
pub(super) type Judged = Vec<(Term, Vec<Verdict>)>;

/// How many objects something is to be done with.
pub(super) fn count(judged: &[(Term, Vec<Verdict>)]) -> usize {
    let verdicts = judged.iter().flat_map(|(_, verdicts)| verdicts);
    verdicts.filter(|verdict| !matches!(verdict, Verdict::Keep)).count()
}

fn select_delete(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    cx.p.ignore_count(false);
    let table = hold(cx, &args[0], Need::Write)?;
    if args[1].is_nil() {
        return Ok(Term::int(0));
    }
    let spec = compiled(cx, &args[1])?;
    if parts::are_many(cx, &table, &scope(&spec, table.keypos())) {
        return parts::begin(cx, table, Aim::Delete, spec);
    }
    let mut search = Search::new(cx, spec);
    let judged = judge(&mut search, &table, Aim::Delete)?;
    drop(table);
    let deleted = count(&judged);
    remove(cx, &args[0], judged)?;
    Ok(Term::from(deleted))
}

/// Takes objects out of a table.
pub(super) fn remove(cx: &mut Ctx<'_>, table: &Term, judged: Judged) -> Result<(), Box<Stop>> {
    let table = super::write(cx, table)?;
    for (key, verdicts) in judged {
        let mut verdicts = verdicts.into_iter();
        table.retain(&key, |_| !matches!(verdicts.next(), Some(Verdict::Delete)));
    }
    Ok(())
}

fn select_replace(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = hold(cx, &args[0], Need::Write)?;
    if table.settings.kind == Kind::Bag {
        return Err(because("table_type"));
    }
    if args[1].is_nil() {
        return Ok(Term::int(0));
    }
    let clauses = args[1].to_vec().ok_or_else(bad)?;
    if !clauses.iter().all(|clause| super::keeps_key::keeps_key(clause, table.keypos())) {
        return Err(bad());
    }
    let spec = compiled(cx, &args[1])?;
    if parts::are_many(cx, &table, &scope(&spec, table.keypos())) {
        return parts::begin(cx, table, Aim::Replace, spec);
    }
    let mut search = Search::new(cx, spec);
    let judged = judge(&mut search, &table, Aim::Replace)?;
    drop(table);
    let replaced = count(&judged);
    replace(cx, args, judged)?;
    Ok(Term::from(replaced))
}

/// Puts objects in the place of others, with the same keys.
pub(super) fn replace(cx: &mut Ctx<'_>, args: &[Term], judged: Judged) -> Result<(), Box<Stop>> {
    remember_replaced(cx, args);
    let table = super::write(cx, &args[0])?;
    for (key, verdicts) in judged {
        for (object, verdict) in table.objects_mut(&key).iter_mut().zip(verdicts) {
            if let Verdict::Replace(value) = verdict {
                *object = value;
            }
        }
    }
    Ok(())
}
