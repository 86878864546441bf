//! The solver: abstract interpretation of a whole program as a system of constraints over sets.
//!
//! **Algorithm.** 0-CFA by inclusion constraints, solved while they are made. Every expression,
//! variable, field of a structure, mailbox and table cell is a set of abstract values
//! ([`crate::values`]); the constraints are inclusions between sets, and *watches*, which say what
//! a value does when it arrives somewhere: a closure in the place of a callee is called, a pid in
//! the place of a destination receives. Solving hands on differences only, until nothing changes;
//! it widens sets that grow large ([`crate::solution`]), so it ends soon.
//!
//! | part | what it is | filled by |
//! | --- | --- | --- |
//! | [`Sources`] | the program: trees, functions, what can be told without solving | reading |
//! | [`Constraints`] | bodies, calls, processes, sends, receives, handlers | [`crate::generate`] |
//! | [`Solution`] | the sets, who calls whom, the work that is left | [`crate::project`] |
//!
//! **Order.** It is Widera's (section 6.1): an iteration first adds higher-order call and spawn
//! edges, then throw edges, then message edges, each on top of the data flow that the edges so far
//! allow. Calls that are found wait in a queue, exceptions and messages wait in the variables of
//! handlers and mailboxes ([`Hold`]), so an iteration costs what is new in it.
//!
//! **Differences from the paper.** Code is generated when it is first reached: what no entry leads
//! to has no data flow. Functions of models ([`crate::models`]) are generated once for each place
//! of the program that calls them, which makes them polyvariant; functions of the program once
//! (0-CFA), but for small ones that call what they are given ([`crate::contexts`]) and callbacks of
//! behaviours ([`crate::callbacks`]). Guards narrow what variables hold ([`crate::narrowing`]).
//!
//! **Cost.** Near-linear in the program because of widening; calls of everything in large programs
//! make it worse ([`crate::everything`]).
//!
//! **What it may miss.** Nothing that the program does itself: in doubt a set is larger than need
//! be. What code outside of the program does is taken from models, or is unknown; what nobody in
//! the program sends or asks for is added last ([`Analysis::take_from_outside`]).

use std::collections::{BTreeMap, BTreeSet};

use atom::Atom;
use syntax::ast::{Kind, NodeId};

use crate::bindings::Occurrence;
use crate::constraints::{BodyId, CallId, CallKind, Constraints, ContextId};
use crate::contexts::Instantiated;
use crate::solution::Solution;
use crate::sources::{FunctionId, Sources};
use crate::values::{Hold, NIL, NUMBER, UNKNOWN, Value, ValueId, VarId};
use crate::watches::Watch;

/// A program, its constraints, and their solution as far as it is known.
#[derive(Debug)]
pub(crate) struct Analysis<'p> {
    pub(crate) sources: Sources<'p>,
    pub(crate) constraints: Constraints,
    pub(crate) solution: Solution,
}

impl<'p> Analysis<'p> {
    pub(crate) fn new(mut sources: Sources<'p>) -> Analysis<'p> {
        sources.instantiated = Instantiated::of(&sources);
        let mut solution = Solution::new();
        // Strings are lists of numbers; all share one cell.
        let head = solution.constant(NUMBER);
        let strings = solution.fresh();
        let cell = solution.values.object([head, strings].into(), None);
        let cell = solution.values.number(Value::Cons(cell));
        solution.insert(strings, cell);
        solution.insert(strings, NIL);
        let escaped = solution.fresh();
        solution.watch(escaped, Watch::Inside(escaped));
        let constraints = Constraints::new(escaped, strings);
        Analysis { sources, constraints, solution }
    }

    // ---- What all that makes constraints uses -------------------------------------------------

    pub(crate) fn fresh(&mut self) -> VarId {
        self.solution.fresh()
    }

    /// A variable for processes, which are always told apart.
    pub(crate) fn fresh_keeping(&mut self) -> VarId {
        self.solution.fresh_keeping()
    }

    /// The variable that holds one value for ever.
    pub(crate) fn constant(&mut self, value: ValueId) -> VarId {
        self.solution.constant(value)
    }

    pub(crate) fn atom(&mut self, name: Atom) -> VarId {
        let value = self.number(Value::Atom(name));
        self.solution.constant(value)
    }

    /// A new tuple in a variable of its own.
    pub(crate) fn tuple_of(&mut self, fields: &[VarId]) -> VarId {
        self.solution.tuple_of(fields)
    }

    pub(crate) fn number(&mut self, value: Value) -> ValueId {
        self.solution.values.number(value)
    }

    pub(crate) fn value(&self, id: ValueId) -> Value {
        self.solution.values.get(id)
    }

    pub(crate) fn items(&self, var: VarId) -> &[ValueId] {
        self.solution.items(var)
    }

    /// Adds a value to a variable.
    pub(crate) fn insert(&mut self, var: VarId, value: ValueId) {
        self.solution.insert(var, value);
    }

    /// What `from` holds, `to` holds.
    pub(crate) fn include(&mut self, from: VarId, to: VarId) {
        self.solution.include(from, to);
    }

    pub(crate) fn watch(&mut self, var: VarId, watch: Watch) {
        self.solution.watch(var, watch);
    }

    // ---- Solving -----------------------------------------------------------------------------

    /// Passes values on until nothing is left that may be passed on now.
    pub(crate) fn propagate(&mut self) {
        loop {
            self.solution.catch_up();
            if let Some((var, watch, done)) = self.solution.next_watch() {
                for index in 0..done as usize {
                    let value = self.solution.vars[var].items[index];
                    self.fire(var, watch, value);
                }
                continue;
            }
            if let Some(body) = self.solution.calls.reached.pop() {
                self.generate(body);
                continue;
            }
            let Some(var) = self.solution.next_variable() else { break };
            self.pass_on(var);
        }
    }

    /// As [`Self::propagate`], and wakes the clauses that can be chosen then.
    fn settle(&mut self) {
        self.propagate();
        while self.wake() {
            self.propagate();
        }
    }

    fn pass_on(&mut self, var: VarId) {
        let (fresh, watches) = self.solution.pass_on(var);
        for index in 0..watches {
            let watch = self.solution.vars[var].watches[index];
            for &value in &fresh {
                self.fire(var, watch, value);
            }
        }
    }

    /// Spawns whose targets need no more than what is known before the first iteration belong to
    /// the step of the first-order calls.
    fn first_spawns(&mut self) {
        loop {
            let links = std::mem::take(&mut self.solution.calls.pending);
            let calls = &self.constraints.calls;
            let is_spawn = |call: CallId| matches!(calls[call].kind, CallKind::Spawn(_));
            let (spawns, others): (Vec<_>, Vec<_>) =
                links.into_iter().partition(|&(call, _)| is_spawn(call));
            self.solution.calls.pending = others;
            if spawns.is_empty() {
                return;
            }
            for (call, target) in spawns {
                self.link(call, target);
            }
            self.settle();
        }
    }

    /// Solves the system; `found` is called in each iteration when its message edges can be seen.
    pub(crate) fn solve(&mut self, mut found: impl FnMut(&mut Analysis<'p>)) {
        self.settle();
        self.first_spawns();
        loop {
            self.solution.iteration += 1;
            let mut links = std::mem::take(&mut self.solution.calls.pending);
            links.sort_unstable();
            let mut changed = false;
            for (call, target) in links {
                changed |= self.link(call, target);
            }
            self.settle();
            let throws = self.solution.take_held(Hold::Throws);
            changed |= !throws.is_empty();
            throws.into_iter().for_each(|var| self.pass_on(var));
            self.settle();
            let messages = self.solution.take_held(Hold::Messages);
            changed |= !messages.is_empty();
            found(self);
            messages.into_iter().for_each(|var| self.pass_on(var));
            self.settle();
            if !changed && self.solution.calls.pending.is_empty() {
                break;
            }
        }
    }

    /// The variables of receives, and of callbacks that messages are handed to, which nothing of
    /// the program reaches hold something unknown: data from a port, a trace message, what a client
    /// sends that is not part of the program. Whether there was one.
    pub(crate) fn take_from_outside(&mut self) -> bool {
        // The instances of the same code take together.
        let mut takers: BTreeMap<(FunctionId, NodeId), BTreeSet<(ContextId, BodyId)>> =
            BTreeMap::new();
        let mut add = |body: BodyId, node: NodeId| {
            let function = self.constraints.bodies[body].function;
            if !self.sources.is_model(function) {
                let all = takers.entry((function, node)).or_default();
                all.insert((self.constraints.context_of(body), body));
            }
        };
        for receive in &self.constraints.receives {
            add(receive.body, receive.node);
        }
        for link in &self.solution.calls.found {
            let body = self.constraints.calls[link.call].body;
            if self.is_in_started_process(body) {
                let function = self.constraints.bodies[link.target].function;
                add(link.target, self.sources.function(function).node);
            }
        }
        let mut open = Vec::new();
        for ((function, node), bodies) in takers {
            let source = self.sources.source(self.sources.function(function).module);
            let tree = &source.tree;
            let (Kind::Receive { clauses, .. }
            | Kind::Function { clauses, .. }
            | Kind::Fun { clauses, .. }) = tree.kind(node)
            else {
                continue;
            };
            for &clause in tree.list(clauses) {
                let Kind::Clause { patterns, .. } = tree.kind(clause) else { continue };
                for &pattern in tree.list(patterns) {
                    tree.for_each_below(pattern, |node| {
                        if source.bindings.occurrence(node) == Occurrence::Define {
                            let vars = bodies.iter().map(|&(_, body)| self.place_of(body));
                            let vars = vars.filter_map(|place| self.var_of(place, node));
                            let vars: Vec<VarId> = vars.collect();
                            if vars.iter().all(|&var| self.items(var).is_empty()) {
                                open.extend(vars.first());
                            }
                        }
                    });
                }
            }
        }
        for &var in &open {
            self.insert(var, UNKNOWN);
        }
        let woken = self.wake_others();
        woken || !open.is_empty()
    }
}
