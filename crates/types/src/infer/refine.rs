//! The second pass: what functions that only their own module can call are called with.
//!
//! Module by module, parameters and results are found together: functions that others can call are
//! given anything; what they call with what is noted; a function whose parameters have grown, or
//! that calls one whose result has grown, is looked at again. So both start from nothing and grow
//! until they stand still, as dialyzer's data flow does. Functions further down are looked at
//! first: those that call them then see all of their results at once. One that nobody has called
//! before is looked at in the middle of the one that calls it. Where some do not come to rest for
//! long, results are found once more with the parameters that were found.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use program::index::NameArity;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Callees, Wanted};
use super::callee::{Callee, Signature};
use super::graph::Index;
use super::rounds::{EXACT_ROUNDS, Followed, MOST_ROUNDS, Seen, World, depth_in};
use crate::declared::Declarations;
use crate::ty::Type;

/// How often what was let go of too early is looked at again.
const DESCENTS: u32 = 1;

/// Results that are looked into less than this are found once more.
const WANTED_DEPTH: u32 = 3;

/// A function that is called, and what with.
type Call = (NameArity, Vec<Type>);

/// What was found out about a function.
pub(super) struct Refined {
    pub(super) index: Index,
    pub(super) signature: Arc<Signature>,
    /// None for those that others can call.
    pub(super) params: Option<Vec<Type>>,
}

/// What a function did when it was followed.
struct Last {
    /// None if all calls of it are certain to fail.
    signature: Option<Arc<Signature>>,
    calls: Vec<Call>,
}

/// A module while its functions are looked at.
pub(super) struct ModuleFlow<'a, 'b> {
    world: &'b World<'a>,
    module: usize,
    /// Callees before their callers.
    order: &'b [usize],
    /// The functions of the module, ascending.
    functions: Vec<Index>,
    callers: FxHashMap<Index, Vec<Index>>,
    /// Borrowed for moments only: a function that is followed lets others be visited.
    state: RefCell<State>,
}

/// What is known so far.
struct State {
    /// In the order of the module's functions.
    signatures: Vec<Arc<Signature>>,
    params: FxHashMap<Index, Vec<Type>>,
    /// What functions are given by calls that are certain to fail. That says nothing about what
    /// they are meant for; but they call others before they fail.
    failing: FxHashMap<Index, Vec<Type>>,
    visits: FxHashMap<Index, u32>,
    /// What each visit found last: once nothing is open, what the function does with what is known.
    last: FxHashMap<Index, Last>,
    /// Who asked for the signature of a function before its first visit had come to its end.
    waiting: FxHashMap<Index, Vec<Index>>,
    /// Those to be visited in this round, and in the next.
    round: BTreeSet<(usize, Index)>,
    open: BTreeSet<(usize, Index)>,
}

/// The signatures of a module as far as they are known, those of others as they are.
struct Inside<'a, 'b, 'c> {
    flow: &'c ModuleFlow<'a, 'b>,
    /// The function that is followed.
    caller: Index,
    seen: Seen<'a, 'b>,
}

impl Callees for Inside<'_, '_, '_> {
    fn callee(&self, module: atom::Atom, function: NameArity) -> Callee {
        match self.seen.callee(module, function) {
            Callee::Known(known) => {
                let index = self.seen.world.graph.by_name.get(&(module, function));
                let own = index.and_then(|&index| self.flow.signature(index, self.caller));
                Callee::Known(own.unwrap_or(known))
            }
            other => other,
        }
    }

    fn called(&self, function: NameArity, args: &[Type]) {
        self.flow.called_first(function, args);
    }

    fn declarations(&self) -> &Declarations {
        self.seen.declarations()
    }

    fn record(&self, module: atom::Atom, name: atom::Atom) -> Option<Type> {
        self.seen.record(module, name)
    }

    fn diverges(&self, module: atom::Atom, function: NameArity) -> bool {
        match self.seen.world.graph.by_name.get(&(module, function)) {
            Some(&index) => self.seen.world.signatures[index].diverges,
            None => self.seen.diverges(module, function),
        }
    }
}

impl<'a, 'b> ModuleFlow<'a, 'b> {
    pub(super) fn new(world: &'b World<'a>, module: usize, order: &'b [usize]) -> Self {
        let nodes = &world.graph.nodes;
        let functions: Vec<Index> =
            (0..nodes.len()).filter(|&index| nodes[index].module == module).collect();
        let mut callers: FxHashMap<Index, Vec<Index>> = FxHashMap::default();
        for &caller in &functions {
            for &callee in &nodes[caller].calls {
                if nodes[callee].module == module {
                    callers.entry(callee).or_default().push(caller);
                }
            }
        }
        let open = functions
            .iter()
            .filter(|&&index| nodes[index].escapes)
            .map(|&index| (order[index], index))
            .collect();
        let nothing = Arc::new(Signature::default());
        let state = RefCell::new(State {
            signatures: vec![nothing; functions.len()],
            params: FxHashMap::default(),
            failing: FxHashMap::default(),
            visits: FxHashMap::default(),
            last: FxHashMap::default(),
            waiting: FxHashMap::default(),
            round: BTreeSet::new(),
            open,
        });
        ModuleFlow { world, module, order, functions, callers, state }
    }

    pub(super) fn run(self) -> Vec<Refined> {
        self.settle();
        let restless = |&visits: &u32| depth_in(visits) < WANTED_DEPTH;
        let is_cut = self.state.borrow().visits.values().any(restless);
        if is_cut {
            self.begin_again();
        }
        for _ in 0..DESCENTS {
            self.descend();
        }
        let mut state = self.state.into_inner();
        let mut found = Vec::new();
        for (&index, signature) in self.functions.iter().zip(state.signatures) {
            let params = state.params.remove(&index);
            // What nobody calls stays as it was.
            let last = state.last.get(&index);
            if last.is_some_and(|last| last.signature.is_some()) {
                found.push(Refined { index, signature, params });
            }
        }
        found
    }

    /// Visits whatever is open until nothing is.
    fn settle(&self) {
        // In rounds, so that one does not see what changes drop by drop.
        loop {
            let mut state = self.state.borrow_mut();
            if state.round.is_empty() {
                state.round = std::mem::take(&mut state.open);
            }
            let Some((_, index)) = state.round.pop_first() else { break };
            drop(state);
            self.visit(index);
        }
    }

    /// Finds results once more from nothing, with what functions are called with as it is known by
    /// now. Where many functions call each other, parameters and results that grow together do so
    /// drop by drop, and are let go of before they have come to rest. What is no larger than before
    /// is kept; both are upper bounds.
    fn begin_again(&self) {
        let nothing = Arc::new(Signature::default());
        let mut state = self.state.borrow_mut();
        let before = std::mem::replace(&mut state.signatures, vec![nothing; self.functions.len()]);
        let visited: Vec<Index> = state.last.keys().copied().collect();
        state.open = visited.into_iter().map(|index| (self.order[index], index)).collect();
        state.last.clear();
        state.visits.clear();
        drop(state);
        self.settle();
        let mut state = self.state.borrow_mut();
        for (place, (&index, before)) in self.functions.iter().zip(before).enumerate() {
            let arity = self.world.graph.nodes[index].function.1 as usize;
            let now = &state.signatures[place];
            let within = |now: Vec<Type>, was: Vec<Type>| {
                now.iter().zip(&was).all(|(now, was)| now.is_within(was))
            };
            let is_narrower = now.result().is_within(&before.result())
                && within(now.args(arity), before.args(arity));
            if !is_narrower {
                state.signatures[place] = before;
            }
        }
    }

    /// Takes back what was let go of too early: whatever is larger than what the functions make of
    /// it, once more from what was found, is made that. Both are upper bounds, so this one is, too.
    ///
    /// Nothing is open, so what the last visits found is what the functions make of it.
    fn descend(&self) {
        let mut visited: Vec<Index> = self.state.borrow().visits.keys().copied().collect();
        visited.sort_unstable_by_key(|&index| (std::cmp::Reverse(self.order[index]), index));
        let mut changed = self.take_back_params(&visited);
        for &index in visited.iter().rev() {
            let Ok(place) = self.functions.binary_search(&index) else { continue };
            let last = self.state.borrow().last.get(&index).and_then(|last| last.signature.clone());
            let signature = match last {
                Some(last) if !changed.contains(&index) => last,
                Some(_) => Arc::new(self.follow(index, None).signature),
                None => continue,
            };
            let before = &mut self.state.borrow_mut().signatures[place];
            if signature.ways != before.ways {
                changed.extend(self.callers.get(&index).into_iter().flatten());
            }
            *before = signature;
        }
    }

    /// The first half of it: what functions are called with. Gives those of which it was changed.
    fn take_back_params(&self, visited: &[Index]) -> FxHashSet<Index> {
        let mut state = self.state.borrow_mut();
        let mut called = self.called_with(&state, visited);
        let mut changed = FxHashSet::default();
        for &index in visited {
            let Some(params) = state.params.get_mut(&index) else { continue };
            for (param, now) in params.iter_mut().zip(called.remove(&index).unwrap_or_default()) {
                let limited = now.limited();
                if now.is_within(param) && limited != *param {
                    *param = limited;
                    changed.insert(index);
                }
            }
        }
        changed
    }

    /// What functions that others cannot call were called with when they were visited last.
    fn called_with(&self, state: &State, visited: &[Index]) -> FxHashMap<Index, Vec<Type>> {
        let mut called: FxHashMap<Index, Vec<Type>> = FxHashMap::default();
        let calls = visited.iter().filter_map(|index| state.last.get(index));
        for (function, args) in calls.flat_map(|last| &last.calls) {
            let Some(callee) = self.closed(*function) else { continue };
            if self.fails(callee, args) {
                continue;
            }
            match called.get_mut(&callee) {
                None => {
                    called.insert(callee, args.clone());
                }
                Some(params) => {
                    params.iter_mut().zip(args).for_each(|(param, arg)| *param = param.join(arg));
                }
            }
        }
        called
    }

    /// Follows a function with what it is called with, and notes calls if asked to.
    fn follow(&self, index: Index, calls: Option<Vec<Call>>) -> Followed {
        let escapes = self.world.graph.nodes[index].escapes;
        let given = self.state.borrow().params.get(&index).filter(|_| !escapes).cloned();
        self.follow_given(index, given.as_deref(), calls)
    }

    fn follow_given(
        &self,
        index: Index,
        given: Option<&[Type]>,
        calls: Option<Vec<Call>>,
    ) -> Followed {
        let seen = Seen { world: self.world, component: &[], signatures: &[] };
        let inside = Inside { flow: self, caller: index, seen };
        self.world.follow(index, given, &inside, Wanted { calls, findings: None })
    }

    /// What is known of a function of the module, for one that calls it.
    fn signature(&self, index: Index, caller: Index) -> Option<Arc<Signature>> {
        let place = self.functions.binary_search(&index).ok()?;
        let mut state = self.state.borrow_mut();
        if !state.last.contains_key(&index) {
            state.waiting.entry(index).or_default().push(caller);
        }
        Some(Arc::clone(&state.signatures[place]))
    }

    /// A function of the module that others cannot call.
    fn closed(&self, function: NameArity) -> Option<Index> {
        let module = self.world.modules[self.module].name;
        let &callee = self.world.graph.by_name.get(&(module, function))?;
        (!self.world.graph.nodes[callee].escapes).then_some(callee)
    }

    /// Whether a call is certain to fail.
    fn fails(&self, callee: Index, args: &[Type]) -> bool {
        let signature = &self.world.signatures[callee];
        !signature.ways.is_empty() && !signature.diverges && !signature.takes(args)
    }

    fn visit(&self, index: Index) {
        let visits = {
            let mut state = self.state.borrow_mut();
            let visits = state.visits.entry(index).or_insert(0);
            *visits += 1;
            *visits
        };
        let (is_called, failing) = {
            let state = self.state.borrow();
            let escapes = self.world.graph.nodes[index].escapes;
            (escapes || state.params.contains_key(&index), state.failing.get(&index).cloned())
        };
        let mut calls = Vec::new();
        if let Some(given) = failing {
            let followed = self.follow_given(index, Some(&given), Some(Vec::new()));
            calls = followed.wanted.calls.unwrap_or_default();
        }
        let followed = is_called.then(|| self.follow(index, Some(calls.split_off(0))));
        let (found, calls) = match followed {
            Some(followed) => {
                (Some(Arc::new(followed.signature)), followed.wanted.calls.unwrap_or_default())
            }
            None => (None, calls),
        };
        self.visited(index, visits, Last { signature: found, calls });
    }

    /// Notes what a visit has found, and lets those be visited that have to do with it.
    fn visited(&self, index: Index, visits: u32, found: Last) {
        let Ok(place) = self.functions.binary_search(&index) else { return };
        let arity = self.world.graph.nodes[index].function.1 as usize;
        let mut state = self.state.borrow_mut();
        let before = &state.signatures[place];
        let mut changed = false;
        if let Some(found) = &found.signature {
            let mut signature = Signature::clone(found);
            if visits > MOST_ROUNDS && signature != **before {
                signature = signature.given_up(before, arity);
            } else if visits > EXACT_ROUNDS {
                signature = signature.widened_since(before, arity, depth_in(visits));
            }
            changed = signature.ways != before.ways;
            if changed {
                state.signatures[place] = Arc::new(signature);
            }
        }
        for (function, args) in &found.calls {
            let Some(callee) = self.closed(*function) else { continue };
            if state.grow(callee, args, self.fails(callee, args)) {
                state.reopen((self.order[callee], callee));
            }
        }
        let is_first = state.last.insert(index, found).is_none();
        let waiting = state.waiting.remove(&index);
        if changed {
            // Nobody else has seen what it was before the first visit.
            let callers = if is_first { waiting.as_ref() } else { self.callers.get(&index) };
            for &caller in callers.into_iter().flatten() {
                if state.visits.contains_key(&caller) {
                    state.reopen((self.order[caller], caller));
                }
            }
        }
    }

    /// A call of a function of the module that nobody has called before: it is visited at once, so
    /// that the one that calls it need not be followed again as soon as it is known what it gives.
    fn called_first(&self, function: NameArity, args: &[Type]) {
        let Some(callee) = self.closed(function) else { return };
        if self.fails(callee, args) {
            return;
        }
        let mut state = self.state.borrow_mut();
        if state.visits.contains_key(&callee) || !state.grow(callee, args, false) {
            return;
        }
        state.round.remove(&(self.order[callee], callee));
        state.open.remove(&(self.order[callee], callee));
        drop(state);
        self.visit(callee);
    }
}

impl State {
    /// Notes what a function is called with. Says whether that is more than was known.
    fn grow(&mut self, callee: Index, args: &[Type], fails: bool) -> bool {
        let visits = self.visits.get(&callee).copied().unwrap_or(0);
        let known = if fails { &mut self.failing } else { &mut self.params };
        let Some(params) = known.get_mut(&callee) else {
            known.insert(callee, args.iter().map(Type::limited).collect());
            return true;
        };
        let mut has_grown = false;
        for (param, arg) in params.iter_mut().zip(args) {
            if arg.is_within(param) {
                continue;
            }
            let joined = param.join(arg);
            let grown = if visits <= EXACT_ROUNDS {
                joined.limited()
            } else if visits <= MOST_ROUNDS {
                joined.widened_since(param, depth_in(visits))
            } else {
                joined.coarser_than(param)
            };
            if grown != *param {
                *param = grown;
                has_grown = true;
            }
        }
        has_grown
    }

    /// Lets a function be visited with what is known now: in this round, if its turn is to come.
    fn reopen(&mut self, entry: (usize, Index)) {
        if !self.round.contains(&entry) {
            self.open.insert(entry);
        }
    }
}
