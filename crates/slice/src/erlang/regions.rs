//! Which functions may run where somebody notices that they fail, and which may wait.
//!
//! An exception that ends the program can be ignored: the slice may go on where the program
//! stopped. One that is caught cannot: what comes after the place that fails does not happen, and
//! what the handler does happens. So in code that may run inside a `try` or `catch`, by calls of
//! any kind, every expression that may fail is a control dependence of what follows it. The
//! functions that processes start with are guarded, too: others live on, and see that messages do
//! not come. What a server gives to those who ask it they wait for, so its callbacks are guarded
//! only if its end may be noticed otherwise: by links between others than who enters the program,
//! by monitors or time-outs, by who asks for processes, by guarded calls, by what it does at its
//! end, or because it does more than to answer. What a callback throws is what it gives. Where the
//! value of a call tells that what it calls back has failed, as `gen_server:start` does of `init`,
//! that is guarded.
//!
//! The process that enters the program may fail unnoticed unless others live on and see that it
//! does nothing more: they wait no longer than some time, look at what processes share, hear of
//! ends, or get messages from it and from others, which then come first ([`super::notice`]).
//!
//! A `receive` that nobody asks a value of still decides when what follows happens, so what follows
//! depends on it; likewise for calls of functions that may receive.
//!
//! The call targets of all calls are found here, once.

use atom::Atom;
use flow::ids::IdVec;
use flow::{Function, FunctionId, ModuleId, Site, VertexKind};
use syntax::ast::{BinaryOp, Kind, Module, NodeId};

use super::build::Build;
use super::nodes::Targets;
use super::notice::{self, Notices};
use super::{behaviours, calls, effects, ends, library, reachable, types};
use crate::options::Exceptions;
use dependence::cycles;

type AllFacts = IdVec<FunctionId, Facts>;

/// What one function does itself.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// The functions it calls, and whether inside of a `try`.
    calls: Vec<(FunctionId, bool)>,
    /// The functions that processes start with that it starts.
    starts: Vec<FunctionId>,
    receives: bool,
    /// Whether it asks a server, and whether inside of a `try`.
    asks: bool,
    asks_guarded: bool,
    /// Whether it does something that other processes may see.
    acts: bool,
}

/// What runs in processes of its own.
#[derive(Debug, Default)]
struct Started {
    /// The functions that processes start with.
    functions: Vec<FunctionId>,
    callbacks: Vec<FunctionId>,
    /// What is called where its failing is told in any case.
    told: Vec<FunctionId>,
    /// Whether the end of a process may be noticed.
    is_watched: bool,
    /// Whether servers do something at their end, or throw what they give.
    has_last_words: bool,
    /// Whether processes are linked, whoever links them.
    has_links: bool,
    notices: Notices,
}

pub(crate) fn find(build: &mut Build<'_>) {
    let flow = build.flow;
    let mut outside_funs = std::mem::take(&mut build.outside_funs);
    for module in flow.modules.ids() {
        outside_funs.note(build, module);
    }
    build.outside_funs = outside_funs;
    let mut found = Found::new(flow.functions.len());
    for (id, function) in flow.functions.enumerate().filter(|(_, function)| !function.is_fun()) {
        note_function(build, &flow.modules[function.module].tree, id);
        found.read(build, id);
    }
    let Found { facts, started, makes_tables, has_key_positions, .. } = found;
    note_recursion(build, &facts);
    build.has_usual_tables = makes_tables && !has_key_positions;
    build.entering = started.notices.entering(build, &reached(&facts));
    build.processes = notice::processes(build);
    let is_entering_noticed = build.processes.iter().any(|process| process.site.is_none());
    build.has_linked_processes |= is_entering_noticed && started.has_links;
    spread(build, &facts, &started);
}

/// What is found by reading all functions.
struct Found {
    facts: AllFacts,
    started: Started,
    makes_tables: bool,
    /// Whether tables may have keys at other places than the first.
    has_key_positions: bool,
    keypos: Atom,
    io_request: Atom,
}

/// Where an expression stands: the function around it, and whether it is inside of a `try`.
#[derive(Clone, Copy)]
struct Around {
    function: FunctionId,
    guarded: bool,
}

impl Found {
    fn new(functions: usize) -> Found {
        Found {
            facts: IdVec::filled(Facts::default(), functions),
            started: Started::default(),
            makes_tables: false,
            has_key_positions: false,
            keypos: Atom::new("keypos"),
            io_request: Atom::new("io_request"),
        }
    }

    /// Reads a function, with the funs in it.
    fn read(&mut self, build: &mut Build<'_>, id: FunctionId) {
        let flow = build.flow;
        let Function { module, node, .. } = *flow.function(id);
        let (tree, bindings) = (&flow.modules[module].tree, &flow.bindings[module]);
        let mut pending = vec![(node, Around { function: id, guarded: false })];
        let mut children: Vec<NodeId> = Vec::new();
        while let Some((node, around)) = pending.pop() {
            let inner = match tree.kind(node) {
                Kind::Fun { .. } => match build.funs.get(&(module, node)) {
                    Some(&fun) => Around { function: fun, guarded: false },
                    None => around,
                },
                Kind::Catch { body } => {
                    pending.push((body, Around { guarded: true, ..around }));
                    continue;
                }
                Kind::Try { body, of, catch, after } => {
                    let caught = Around { guarded: around.guarded || !catch.is_empty(), ..around };
                    pending.extend(tree.list(body).iter().map(|&node| (node, caught)));
                    for list in [of, catch, after] {
                        pending.extend(tree.list(list).iter().map(|&node| (node, around)));
                    }
                    continue;
                }
                _ => {
                    self.note(build, Site { module, node }, around);
                    around
                }
            };
            children.clear();
            tree.for_each_child(node, |child| children.push(child));
            if build.options.clause_reachability {
                // What is never chosen calls nothing.
                let never = reachable::never_chosen(tree, bindings, node);
                children.retain(|child| !never.contains(child));
            }
            pending.extend(children.iter().map(|&child| (child, inner)));
        }
    }

    /// Notes what an expression or pattern says by itself.
    fn note(&mut self, build: &mut Build<'_>, site: Site, around: Around) {
        let Site { module, node } = site;
        let tree = &build.flow.modules[module].tree;
        match tree.kind(node) {
            Kind::FunName { .. } | Kind::FunRemote { .. } => {
                let loaded = &build.program.modules[module.index()];
                let target = loaded.target(node).and_then(|target| target.mfa(loaded.name));
                let named = target.and_then(|(of, name, arity)| build.find(of, name, arity));
                if let Some(function) = named {
                    build.selection.opens(function);
                }
            }
            Kind::Atom(name) => {
                self.started.notices.atom(around.function, name);
                self.has_key_positions |= name == self.keypos;
                build.has_io_servers |= name == self.io_request;
            }
            Kind::Clause { guards, .. } if guards.len == 1 => {
                for (definition, types) in types::tested(build, module, guards).concat() {
                    // One from outside is of that type in this clause only.
                    let (first, last) = (tree[node].first, tree[node].last);
                    if first <= tree[definition].first && tree[definition].last <= last {
                        build.selection.narrow(module, definition, types);
                    }
                }
            }
            Kind::Match { pattern, value } => {
                build.selection.matched(tree, module, pattern, value);
            }
            Kind::Tuple { elements } => self.started.notices.tuple(tree, around.function, elements),
            Kind::Call { .. } => self.note_call(build, site, around),
            Kind::BinaryOp { op: BinaryOp::Send, .. } => self.facts[around.function].acts = true,
            Kind::Receive { clauses, after } => {
                self.facts[around.function].receives = true;
                // Who just sleeps notices nothing.
                if after.is_some() && !clauses.is_empty() {
                    self.started.is_watched = true;
                    self.started.notices.looks(around.function);
                }
            }
            _ => {}
        }
    }

    fn note_call(&mut self, build: &mut Build<'_>, site: Site, around: Around) {
        let Site { module, node } = site;
        let Around { function, guarded } = around;
        let started = &mut self.started;
        let targets = calls::targets(build, module, node);
        note_calls(build, module, node, &targets);
        self.makes_tables |= effects::makes_table(build, module, node);
        let graph = &build.flow.graph;
        let spawns = graph.at(site).is_some_and(|at| graph.vertex(at).kind == VertexKind::Spawn);
        let links = effects::links(build, module, node);
        started.has_links |= links;
        if effects::links_to_other(build, module, node) {
            build.linking.push(function);
        }
        build.has_linked_processes |= links && may_be_started(build, function);
        started.is_watched |= effects::watches(build, module, node);
        if effects::looks_at_others(build, module, node) {
            started.notices.looks(function);
        }
        let facts = &mut self.facts[function];
        facts.receives |= effects::waits(build, module, node);
        if ends::asks(build, module, node) {
            facts.asks = true;
            facts.asks_guarded |= guarded;
        }
        facts.acts |= spawns || effects::acts(build, module, node);
        started.note(build, module, node, &targets.called_back);
        if spawns {
            started.functions.extend(&targets.called_back);
            facts.starts.extend(&targets.called_back);
        } else {
            let all = targets.called.iter().chain(&targets.called_back);
            facts.calls.extend(all.map(|&target| (target, guarded)));
        }
        build.targets.insert((module, node), targets);
    }
}

/// Says which functions may come to call themselves.
fn note_recursion(build: &mut Build<'_>, facts: &AllFacts) {
    let mut found = Vec::new();
    let called = |function: FunctionId, targets: &mut Vec<FunctionId>| {
        targets.extend(facts[function].calls.iter().map(|(called, _)| *called));
    };
    cycles(facts.len(), facts.ids(), called, &mut found);
    for function in found.into_iter().flatten() {
        build.functions[function].is_recursive = true;
    }
    for (id, facts) in facts.enumerate() {
        let calls_itself = facts.calls.iter().any(|&(called, _)| called == id);
        build.functions[id].is_recursive |= calls_itself;
    }
}

/// Whether a function may run in another process than the one that enters the program.
fn may_be_started(build: &Build<'_>, function: FunctionId) -> bool {
    let mut started = build.flow.processes.iter().filter(|process| process.site.is_some());
    started.any(|process| process.functions.binary_search(&function).is_ok())
}

/// For each function, those that it calls or starts.
fn reached(facts: &AllFacts) -> IdVec<FunctionId, Vec<FunctionId>> {
    let called = |facts: &Facts| facts.calls.iter().map(|(called, _)| *called).collect::<Vec<_>>();
    facts.iter().map(|facts| [called(facts), facts.starts.clone()].concat()).collect()
}

impl Started {
    /// A call of the library that may call functions of the program back.
    fn note(
        &mut self,
        build: &Build<'_>,
        module: ModuleId,
        node: NodeId,
        called_back: &[FunctionId],
    ) {
        let Some((of, name)) = library::name(build, module, node) else { return };
        let is_behaviour = behaviours::is_module(of);
        self.has_last_words |= (of.as_str(), name.as_str()) == ("erlang", "throw");
        for &function in called_back {
            if is_behaviour {
                self.callbacks.push(function);
                self.has_last_words |= behaviours::has_last_words(build, function);
            }
            if behaviours::tells_of(build, (of, name), function) {
                self.told.push(function);
            }
        }
    }
}

/// What a function may be called by.
fn note_function(build: &mut Build<'_>, tree: &Module, id: FunctionId) {
    let function = build.flow.function(id);
    build.selection.function(tree, function.module, id, function.node);
    let index = &build.program.modules[function.module.index()].index;
    if index.is_exported((function.name, function.arity)) {
        build.selection.opens(id);
    }
}

fn note_calls(build: &mut Build<'_>, module: ModuleId, node: NodeId, targets: &Targets) {
    let loaded = &build.program.modules[module.index()];
    let is_named = loaded.target(node).is_some_and(|target| target.mfa(loaded.name).is_some());
    for &called in &targets.called {
        if is_named {
            build.selection.called(called, module, node);
        } else {
            build.selection.opens(called);
        }
    }
    for &called in &targets.called_back {
        build.selection.opens(called);
    }
}

/// The functions that may run where somebody notices that they fail, as far as that counts: from
/// callers to what they call.
fn guarded(
    build: &Build<'_>,
    facts: &AllFacts,
    started: &Started,
    exceptions: Exceptions,
) -> IdVec<FunctionId, bool> {
    let mut found = IdVec::filled(false, facts.len());
    let of_processes = exceptions == Exceptions::All;
    let mut is_noticed = started.is_watched
        || build.has_linked_processes
        || started.has_last_words
        || facts.iter().any(|facts| facts.asks_guarded)
        || acts(facts, &started.callbacks);
    let mut pending: Vec<FunctionId> = Vec::new();
    if of_processes {
        pending.extend(started.told.iter().chain(&started.functions));
        let entering = build.processes.iter().filter(|process| process.site.is_none());
        pending.extend(entering.flat_map(|process| &process.entries));
        if is_noticed {
            pending.extend(&started.callbacks);
        }
    }
    if exceptions != Exceptions::None {
        for facts in facts {
            let calls = facts.calls.iter().filter(|(_, guarded)| *guarded);
            pending.extend(calls.map(|(called, _)| called));
        }
    }
    while let Some(function) = pending.pop() {
        if std::mem::replace(&mut found[function], true) {
            continue;
        }
        let facts = &facts[function];
        pending.extend(facts.calls.iter().map(|(called, _)| called));
        if of_processes && facts.asks && !is_noticed {
            is_noticed = true;
            pending.extend(&started.callbacks);
        }
    }
    found
}

/// Says which functions are guarded, and which may wait: from what is called to callers.
fn spread(build: &mut Build<'_>, facts: &AllFacts, started: &Started) {
    let chosen = build.options.exceptions;
    let counted = guarded(build, facts, started, chosen);
    build.spares_failures = chosen != Exceptions::All && {
        let all = guarded(build, facts, started, Exceptions::All);
        let is_spared = |(one, other): (&bool, &bool)| *one && !*other;
        all.iter().zip(counted.iter()).any(is_spared) || chosen == Exceptions::None
    };
    for (function, is_guarded) in counted.enumerate() {
        build.functions[function].guarded = *is_guarded;
    }
    let mut callers: IdVec<FunctionId, Vec<FunctionId>> = IdVec::filled(Vec::new(), facts.len());
    for (caller, facts) in facts.enumerate() {
        for &(called, _) in &facts.calls {
            callers[called].push(caller);
        }
    }
    let receiving = facts.enumerate().filter(|(_, facts)| facts.receives);
    let mut pending: Vec<FunctionId> = receiving.map(|(function, _)| function).collect();
    while let Some(function) = pending.pop() {
        let nodes = &mut build.functions[function];
        if !nodes.waits {
            nodes.waits = true;
            pending.extend(&callers[function]);
        }
    }
}

/// Whether one of these functions, or one that they call, does something that other processes may
/// see.
fn acts(facts: &AllFacts, functions: &[FunctionId]) -> bool {
    let mut seen: IdVec<FunctionId, bool> = IdVec::filled(false, facts.len());
    let mut pending = functions.to_vec();
    while let Some(function) = pending.pop() {
        if std::mem::replace(&mut seen[function], true) {
            continue;
        }
        if facts[function].acts {
            return true;
        }
        pending.extend(facts[function].calls.iter().map(|(called, _)| called));
    }
    false
}
