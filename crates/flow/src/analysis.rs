//! The constraint system behind the graph, and the loop that solves it.
//!
//! Every expression, variable, field of a structure, mailbox and table cell is a [`Variable`]; the
//! constraints are inclusions between variables and *watches*, which say what a value does when it
//! arrives somewhere (a closure in the place of a callee is called, a pid in the place of a
//! destination receives). Solving passes on differences only: a variable hands each value to each
//! of its successors once.
//!
//! The order is Widera's (section 6.1): an iteration first adds higher-order call and spawn edges,
//! then throw edges, then message edges, each on top of the data flow that the edges so far
//! allow. Calls that are found wait in a queue, exceptions and messages wait in the variables of
//! handlers and mailboxes ([`Hold`]), so an iteration costs what is new in it.
//!
//! Code is generated when it is first reached: what no entry leads to has no data flow. Functions
//! of models ([`crate::models`]) are generated once for each place of the program that calls them,
//! which makes them polyvariant; functions of the program once (0-CFA), but for small ones that call
//! what they are given ([`crate::contexts`]).
//!
//! Widening keeps large programs near-linear: a set with more than [`WIDE`] values takes further
//! structures only as the summary of all structures of their tag and size, further integers
//! as "a number"; a set with more than [`WIDEST`] becomes [`Value::Everything`]: one set for all
//! that grew so large, passed on as one value. Nothing is lost, distinctions are.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId};

use crate::bindings::Occurrence;
use crate::everything::{Hub, HubKey, Shape};
use crate::sources::{FunctionId, Site, Sources};
use crate::values::*;

/// From here on a set takes structures as summaries.
const WIDE: usize = 12;
/// From here on a set is not told apart from other such sets.
const WIDEST: usize = 32;
/// From here on summaries do not even tell tags apart: in [`EVERYWHERE`] only.
const TAGS: usize = 1 << 30;

/// The variable that holds what is in any set that grew too large.
pub(crate) const EVERYWHERE: VarId = 0;

/// The classes of exceptions, as positions in arrays.
pub(crate) const THROW: usize = 0;
pub(crate) const ERROR: usize = 1;
pub(crate) const EXIT: usize = 2;
pub(crate) type PerClass = [VarId; 3];

/// The code of one function with its own variables.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The call of the program for whose sake it was made; 0 for functions of the program.
    pub(crate) context: u32,
    /// The lowest node, and the variable of each node from there.
    pub(crate) first: u32,
    pub(crate) vars: Vec<VarId>,
}

/// A function or fun of an instance.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) function: FunctionId,
    pub(crate) instance: u32,
    pub(crate) params: Vec<VarId>,
    pub(crate) result: VarId,
    /// The processes that run it.
    pub(crate) processes: VarId,
    /// The reasons of exceptions that leave it.
    pub(crate) raises: PerClass,
    /// Whether it was reached.
    pub(crate) active: bool,
    /// Of a model: it runs in a process that the model starts, not in its caller's.
    pub(crate) in_started_process: bool,
    /// The calls that lead here.
    pub(crate) callers: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallKind {
    FirstOrder,
    HigherOrder,
    /// Starts this process.
    Spawn(u32),
    /// What an unknown function may do with the funs it was given.
    Unknown,
}

/// A place that calls.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    /// The body that it is in, or [`NOWHERE`] for calls from outside.
    pub(crate) body: u32,
    pub(crate) node: NodeId,
    pub(crate) kind: CallKind,
    pub(crate) args: Vec<VarId>,
    /// Any number of arguments, each of these.
    pub(crate) any_args: VarId,
    /// What is called: a variable of functions, or of module and name.
    pub(crate) callee: VarId,
    pub(crate) module: VarId,
    pub(crate) name: VarId,
    pub(crate) result: VarId,
    pub(crate) handler: u32,
    pub(crate) raises: PerClass,
    pub(crate) targets: Vec<u32>,
    /// Something may be called that is not known.
    pub(crate) unknown: bool,
}

#[derive(Debug)]
pub(crate) struct Process {
    /// The place of the program that starts it; `None` for the process that calls the entries.
    pub(crate) site: Option<Site>,
    /// The bodies that start it.
    pub(crate) bodies: Vec<u32>,
    pub(crate) entries: Vec<u32>,
    pub(crate) mailbox: VarId,
    pub(crate) exit: VarId,
    pub(crate) traps: bool,
    pub(crate) exit_message: VarId,
    pub(crate) links: Vec<u32>,
    /// The processes that get its exit signal as a message.
    pub(crate) told: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct Send {
    pub(crate) body: u32,
    pub(crate) node: NodeId,
    pub(crate) destination: VarId,
    pub(crate) pids: VarId,
    pub(crate) message: VarId,
}

#[derive(Debug)]
pub(crate) struct Receive {
    pub(crate) body: u32,
    pub(crate) node: NodeId,
    pub(crate) input: VarId,
}

#[derive(Debug)]
pub(crate) struct ThrowSite {
    pub(crate) body: u32,
    pub(crate) node: NodeId,
    pub(crate) class: usize,
    pub(crate) reason: VarId,
    pub(crate) handler: u32,
}

/// A `try` or `catch`.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) body: u32,
    pub(crate) node: NodeId,
    pub(crate) outer: u32,
    /// Which classes it lets nothing of through.
    pub(crate) catches_all: [bool; 3],
}

/// The handler of code that has none.
pub(crate) const NO_HANDLER: u32 = u32::MAX;

/// An edge that data flow found, with the iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundCall {
    pub(crate) call: u32,
    pub(crate) target: u32,
    pub(crate) iteration: u32,
}

#[derive(Debug)]
pub(crate) struct Analysis<'p> {
    pub(crate) sources: Sources<'p>,
    pub(crate) values: Values,
    pub(crate) vars: Vec<Variable>,
    constants: FxHashMap<ValueId, VarId>,
    work: VecDeque<VarId>,
    held_throws: Vec<VarId>,
    held_messages: Vec<VarId>,
    new_inclusions: Vec<(VarId, VarId)>,
    /// Watches that have to catch up with so many values.
    new_watches: Vec<(VarId, Watch, u32)>,
    /// Names in destinations that were taken apart.
    pub(crate) names_in_pairs: FxHashSet<(VarId, VarId)>,
    summaries: FxHashMap<SummaryKey, u32>,
    /// Bodies whose code is to be generated.
    pub(crate) reached: Vec<u32>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) body_ids: FxHashMap<(FunctionId, u32), u32>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) instance_ids: FxHashMap<(FunctionId, u32), u32>,
    /// The places of the program for whose sake models were instantiated; the first is none.
    pub(crate) contexts: Vec<Option<Site>>,
    pub(crate) context_ids: FxHashMap<(Site, u32), u32>,
    pub(crate) instantiated: crate::contexts::Instantiated,
    pub(crate) callbacks: crate::callbacks::Callbacks,
    /// Functions that are reached.
    pub(crate) active: FxHashSet<FunctionId>,
    pub(crate) closed_models: FxHashMap<FunctionId, bool>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) links: FxHashSet<(u32, u32)>,
    pub(crate) pending_links: Vec<(u32, u32)>,
    /// The calls that go by them, and the bodies that they reach.
    pub(crate) hubs: FxHashMap<HubKey, Hub>,
    pub(crate) by_hub: FxHashMap<u32, HubKey>,
    pub(crate) from_hub: FxHashSet<(HubKey, u32)>,
    pub(crate) found_calls: Vec<FoundCall>,
    pub(crate) processes: Vec<Process>,
    pub(crate) sends: Vec<Send>,
    /// Processes that are linked.
    pub(crate) linked: FxHashSet<(u32, u32)>,
    /// What is heard of the ends of processes that a connection monitors; the last stands for others, too.
    pub(crate) downs: FxHashMap<u32, Vec<(u32, VarId)>>,
    pub(crate) receives: Vec<Receive>,
    pub(crate) throws: Vec<ThrowSite>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) refs: Vec<(u32, NodeId)>,
    pub(crate) ref_ids: FxHashMap<(u32, NodeId), u32>,
    /// Processes by the place of the program that starts them, or the instance of a model that no place of
    /// the program calls, and the node of the model.
    pub(crate) spawn_ids: FxHashMap<(Result<Site, u32>, u32, NodeId), u32>,
    /// Whoever calls the entries goes on when they return: the ends of such callers are not in the graph.
    pub(crate) callers_go_on: bool,
    /// What code outside of the program may hold.
    pub(crate) escaped: VarId,
    pub(crate) spaces: FxHashMap<Atom, Space>,
    /// What is everywhere, by shape.
    pub(crate) shapes: FxHashMap<Shape, VarId>,
    pub(crate) tuple_parts: Vec<TupleParts>,
    pub(crate) map_reads: Vec<MapRead>,
    pub(crate) element_reads: Vec<ElementRead>,
    pub(crate) cell_accesses: Vec<CellAccess>,
    pub(crate) connections: Vec<Connection>,
    pub(crate) fun_makers: Vec<FunMaker>,
    pub(crate) walks: Vec<ArgumentWalk>,
    pub(crate) list_counts: FxHashMap<u32, u32>,
    /// Calls by names that may leave the program.
    pub(crate) calls_outside: FxHashSet<u32>,
    inclusions: FxHashSet<(VarId, VarId)>,
    /// Calls with lists of arguments, by the call and the length of the list.
    pub(crate) calls_by_length: FxHashMap<(u32, u32), u32>,
    pub(crate) strings: VarId,
    pub(crate) iteration: u32,
    pub(crate) matched: crate::matching::Matched,
    /// Calls of functions that are neither in the program nor modelled.
    pub(crate) unknown_functions: FxHashMap<(Atom, Atom, u32), Vec<u32>>,
    pub(crate) structures: crate::def_use::Structures,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SummaryKey {
    Cons,
    Map,
    Tuple(u32, Option<ValueId>),
}

impl<'p> Analysis<'p> {
    pub(crate) fn new(sources: Sources<'p>) -> Analysis<'p> {
        let mut analysis = Analysis {
            instantiated: crate::contexts::Instantiated::of(&sources),
            callbacks: Default::default(),
            active: FxHashSet::default(),
            sources,
            values: Values::new(),
            vars: Vec::new(),
            constants: FxHashMap::default(),
            work: VecDeque::new(),
            held_throws: Vec::new(),
            held_messages: Vec::new(),
            new_inclusions: Vec::new(),
            new_watches: Vec::new(),
            names_in_pairs: FxHashSet::default(),
            summaries: FxHashMap::default(),
            reached: Vec::new(),
            bodies: Vec::new(),
            body_ids: FxHashMap::default(),
            instances: Vec::new(),
            instance_ids: FxHashMap::default(),
            contexts: vec![None],
            context_ids: FxHashMap::default(),
            closed_models: FxHashMap::default(),
            calls: Vec::new(),
            links: FxHashSet::default(),
            pending_links: Vec::new(),
            hubs: FxHashMap::default(),
            by_hub: FxHashMap::default(),
            from_hub: FxHashSet::default(),
            found_calls: Vec::new(),
            processes: Vec::new(),
            sends: Vec::new(),
            linked: FxHashSet::default(),
            downs: FxHashMap::default(),
            receives: Vec::new(),
            throws: Vec::new(),
            handlers: Vec::new(),
            refs: Vec::new(),
            ref_ids: FxHashMap::default(),
            spawn_ids: FxHashMap::default(),
            callers_go_on: false,
            escaped: NOWHERE,
            spaces: FxHashMap::default(),
            shapes: FxHashMap::default(),
            tuple_parts: Vec::new(),
            map_reads: Vec::new(),
            element_reads: Vec::new(),
            cell_accesses: Vec::new(),
            connections: Vec::new(),
            fun_makers: Vec::new(),
            walks: Vec::new(),
            list_counts: FxHashMap::default(),
            calls_by_length: FxHashMap::default(),
            calls_outside: FxHashSet::default(),
            inclusions: FxHashSet::default(),
            strings: NOWHERE,
            iteration: 0,
            matched: Default::default(),
            unknown_functions: FxHashMap::default(),
            structures: Default::default(),
        };
        let everywhere = analysis.fresh();
        debug_assert_eq!(everywhere, EVERYWHERE);
        // Strings are lists of numbers; all share one cell.
        let head = analysis.constant(NUMBER);
        let tail = analysis.fresh();
        let cell = analysis.values.object([head, tail].into(), None);
        let cell = analysis.values.number(Value::Cons(cell));
        analysis.insert(tail, cell);
        analysis.insert(tail, NIL);
        analysis.strings = tail;
        analysis.escaped = analysis.fresh();
        analysis.watch(analysis.escaped, Watch::Inside(analysis.escaped));
        analysis
    }

    // ---- Variables ---------------------------------------------------------------------------

    pub(crate) fn fresh(&mut self) -> VarId {
        self.vars.push(Variable::default());
        self.vars.len() as VarId - 1
    }

    pub(crate) fn fresh_held(&mut self, hold: Hold) -> VarId {
        let var = self.fresh();
        self.vars[var as usize].hold = hold;
        var
    }

    /// A variable for processes, which are always told apart.
    pub(crate) fn fresh_keeping(&mut self) -> VarId {
        let var = self.fresh();
        self.vars[var as usize].keeps_all = true;
        var
    }

    /// The variable that holds one value for ever.
    pub(crate) fn constant(&mut self, value: ValueId) -> VarId {
        if let Some(&var) = self.constants.get(&value) {
            return var;
        }
        let var = self.fresh();
        let variable = &mut self.vars[var as usize];
        variable.insert(value);
        variable.done = 1;
        variable.constant = true;
        self.constants.insert(value, var);
        var
    }

    pub(crate) fn atom(&mut self, name: Atom) -> VarId {
        let value = self.values.number(Value::Atom(name));
        self.constant(value)
    }

    pub(crate) fn items(&self, var: VarId) -> &[ValueId] {
        &self.vars[var as usize].items
    }

    /// Adds a value to a variable.
    pub(crate) fn insert(&mut self, var: VarId, value: ValueId) {
        if var == NOWHERE {
            return;
        }
        let variable = &self.vars[var as usize];
        let size = variable.items.len();
        let value = if var == EVERYWHERE {
            match self.values.get(value) {
                Value::Everything => return,
                Value::Atom(_) => ANY_ATOM,
                _ => self.widened(value, usize::MAX),
            }
        } else if variable.is_everything {
            if value != EVERYTHING {
                self.insert(EVERYWHERE, value);
            }
            return;
        } else if value == EVERYTHING || (size >= WIDEST && !variable.keeps_all) {
            self.give_up(var);
            self.insert(EVERYWHERE, value);
            EVERYTHING
        } else if size >= WIDE {
            self.widened(value, size)
        } else {
            value
        };
        let variable = &mut self.vars[var as usize];
        debug_assert!(!variable.constant || variable.contains(value), "constants do not change");
        if !variable.insert(value) {
            return;
        }
        if !variable.queued {
            variable.queued = true;
            match variable.hold {
                Hold::Never => self.work.push_back(var),
                Hold::Throws => self.held_throws.push(var),
                Hold::Messages => self.held_messages.push(var),
            }
        }
        if var == EVERYWHERE {
            self.sort_in(value);
        }
    }

    /// From now on a variable holds what is anywhere.
    fn give_up(&mut self, var: VarId) {
        self.vars[var as usize].is_everything = true;
        for index in 0..self.vars[var as usize].items.len() {
            let value = self.vars[var as usize].items[index];
            self.insert(EVERYWHERE, value);
        }
    }

    /// What a variable may hold, with what [`Value::Everything`] stands for.
    pub(crate) fn all_items(&self, var: VarId) -> impl Iterator<Item = ValueId> + '_ {
        let everywhere = if self.vars[var as usize].is_everything { EVERYWHERE } else { var };
        let more: &[ValueId] = if everywhere == var { &[] } else { self.items(everywhere) };
        self.items(var).iter().chain(more).copied()
    }

    /// What `from` holds, `to` holds.
    pub(crate) fn include(&mut self, from: VarId, to: VarId) {
        if from == to || from == NOWHERE || to == NOWHERE {
            return;
        }
        let variable = &mut self.vars[from as usize];
        if !variable.constant {
            if !self.inclusions.insert((from, to)) {
                return;
            }
            variable.into.push(to);
        }
        if variable.done > 0 {
            self.new_inclusions.push((from, to));
        }
    }

    pub(crate) fn watch(&mut self, var: VarId, watch: Watch) {
        if var == NOWHERE {
            return;
        }
        let variable = &mut self.vars[var as usize];
        if !variable.constant {
            variable.watches.push(watch);
        }
        if variable.done > 0 {
            self.new_watches.push((var, watch, variable.done));
        }
    }

    /// The value that a set of this size takes for another one.
    fn widened(&mut self, value: ValueId, size: usize) -> ValueId {
        let level = usize::from(size >= TAGS);
        if let Value::Cons(object) | Value::Tuple(object) | Value::Map(object) =
            self.values.get(value)
        {
            let known = self.values.objects[object as usize].summaries[level];
            if known != NOWHERE {
                return known;
            }
            let summary = self.summary_of(value, size);
            self.values.objects[object as usize].summaries[level] = summary;
            return summary;
        }
        self.summary_of(value, size)
    }

    fn summary_of(&mut self, value: ValueId, size: usize) -> ValueId {
        match self.values.get(value) {
            Value::Int(_) => NUMBER,
            Value::Cons(object) => {
                let summary = self.merge(object, SummaryKey::Cons, 0);
                self.values.number(Value::Cons(summary))
            }
            Value::Map(object) => {
                let summary = self.merge(object, SummaryKey::Map, 0);
                self.values.number(Value::Map(summary))
            }
            Value::Tuple(object) => {
                let fields = &self.values.objects[object as usize].fields;
                let arity = fields.len() as u32;
                let first = fields.first().map(|&field| &self.vars[field as usize]);
                let tag = first.filter(|field| field.constant && size < TAGS);
                let tag = tag.and_then(|field| field.items.first().copied());
                let level = usize::from(tag.is_none());
                let summary = self.merge(object, SummaryKey::Tuple(arity, tag), level);
                self.values.number(Value::Tuple(summary))
            }
            _ => value,
        }
    }

    /// Makes a summary hold what an object holds.
    fn merge(&mut self, object: u32, key: SummaryKey, level: usize) -> u32 {
        let summary = match self.summaries.get(&key) {
            Some(&summary) => summary,
            None => {
                let summary = self.new_summary(key);
                self.summaries.insert(key, summary);
                summary
            }
        };
        if summary == object
            || std::mem::replace(&mut self.values.objects[object as usize].merged[level], true)
        {
            return summary;
        }
        if key == SummaryKey::Map {
            self.add_map_parent(summary, object);
        } else {
            for index in 0..self.values.objects[object as usize].fields.len() {
                let from = self.values.objects[object as usize].fields[index];
                let to = self.values.objects[summary as usize].fields[index];
                if !self.vars[to as usize].constant {
                    self.include(from, to);
                }
            }
        }
        summary
    }

    fn new_summary(&mut self, key: SummaryKey) -> u32 {
        let summary = match key {
            SummaryKey::Map => self.new_map(),
            SummaryKey::Cons => {
                let fields = [self.fresh(), self.fresh()];
                self.values.object(fields.into(), None)
            }
            SummaryKey::Tuple(arity, tag) => {
                let mut fields: Vec<VarId> = (0..arity).map(|_| self.fresh()).collect();
                if let (Some(tag), Some(first)) = (tag, fields.first_mut()) {
                    *first = self.constants[&tag];
                }
                self.values.object(fields.into(), None)
            }
        };
        self.values.objects[summary as usize].is_summary = true;
        summary
    }

    /// The variables of receives, and of callbacks that messages are handed to, which nothing of the program
    /// reaches hold something unknown: data from a port, a trace message, what a client sends that is not
    /// part of the program. Whether there was one.
    pub(crate) fn take_from_outside(&mut self) -> bool {
        // The instances of the same code take together.
        let mut takers: BTreeMap<(FunctionId, NodeId), BTreeSet<(u32, u32)>> = BTreeMap::new();
        let mut add = |body: u32, node: NodeId| {
            let function = self.bodies[body as usize].function;
            if !self.sources.is_model(function) {
                let all = takers.entry((function, node)).or_default();
                all.insert((self.context_of(body), body));
            }
        };
        for receive in &self.receives {
            add(receive.body, receive.node);
        }
        for link in &self.found_calls {
            let body = self.calls[link.call as usize].body;
            if self.is_model_body(body) && self.bodies[body as usize].in_started_process {
                let function = self.bodies[link.target as usize].function;
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

    // ---- Solving -----------------------------------------------------------------------------

    /// Passes values on until nothing is left that may be passed on now.
    pub(crate) fn propagate(&mut self) {
        loop {
            while let Some((from, to)) = self.new_inclusions.pop() {
                for index in 0..self.vars[from as usize].done as usize {
                    let value = self.vars[from as usize].items[index];
                    self.insert(to, value);
                }
            }
            if let Some((var, watch, done)) = self.new_watches.pop() {
                for index in 0..done as usize {
                    let value = self.vars[var as usize].items[index];
                    self.fire(var, watch, value);
                }
                continue;
            }
            if let Some(body) = self.reached.pop() {
                self.generate(body);
                continue;
            }
            let Some(var) = self.work.pop_front() else { break };
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
        let variable = &mut self.vars[var as usize];
        variable.queued = false;
        let start = variable.done as usize;
        let fresh: Vec<ValueId> = variable.items[start..].to_vec();
        variable.done = variable.items.len() as u32;
        let (targets, watches) = (variable.into.len(), variable.watches.len());
        for index in 0..targets {
            let to = self.vars[var as usize].into[index];
            for &value in &fresh {
                self.insert(to, value);
            }
        }
        for index in 0..watches {
            let watch = self.vars[var as usize].watches[index];
            for &value in &fresh {
                self.fire(var, watch, value);
            }
        }
    }

    /// Spawns whose targets need no more than what is known before the first iteration belong to
    /// the step of the first-order calls.
    fn first_spawns(&mut self) {
        loop {
            let links = std::mem::take(&mut self.pending_links);
            let is_spawn = |call: u32| matches!(self.calls[call as usize].kind, CallKind::Spawn(_));
            let (spawns, others): (Vec<_>, Vec<_>) =
                links.into_iter().partition(|&(call, _)| is_spawn(call));
            self.pending_links = others;
            if spawns.is_empty() {
                return;
            }
            for (call, target) in spawns {
                self.link(call, target);
            }
            self.settle();
        }
    }

    /// The values are known: what led to them is not needed any more, and is most of the memory.
    pub(crate) fn forget_constraints(&mut self) {
        self.inclusions = FxHashSet::default();
        self.links = FxHashSet::default();
        self.linked = FxHashSet::default();
        self.names_in_pairs = FxHashSet::default();
        for variable in &mut self.vars {
            variable.into = Vec::new();
            variable.watches = Vec::new();
        }
    }

    /// Solves the system; `found` is called in each iteration when its message edges can be seen.
    pub(crate) fn solve(&mut self, mut found: impl FnMut(&mut Analysis<'p>)) {
        self.settle();
        self.first_spawns();
        loop {
            self.iteration += 1;
            let mut links = std::mem::take(&mut self.pending_links);
            links.sort_unstable();
            let mut changed = false;
            for (call, target) in links {
                changed |= self.link(call, target);
            }
            self.settle();
            let throws = std::mem::take(&mut self.held_throws);
            changed |= !throws.is_empty();
            throws.into_iter().for_each(|var| self.pass_on(var));
            self.settle();
            let messages = std::mem::take(&mut self.held_messages);
            changed |= !messages.is_empty();
            found(self);
            messages.into_iter().for_each(|var| self.pass_on(var));
            self.settle();
            if !changed && self.pending_links.is_empty() {
                break;
            }
        }
    }
}
