//! What an analysis found, in the shape that other tools use.
//!
//! [`collect`] turns the solved constraints into a [`Flow`]: instances are put together again (the
//! targets of a call are those in all instances of its code, a place inside a model is the call
//! that the model was instantiated for), functions of models are left out, all is sorted. Message
//! and throw edges are computed from the final sets, once, or, if iterations are to be explained,
//! after each iteration, to see when each was first there ([`Iterations`]).
//!
//! Questions about throws look further than edges: an error that nobody raises explicitly has an
//! edge from the call in the protected code, and [`Flow::has_throw_between`] searches the functions
//! that it may call. Cost: linear in constraints and edges, but for that search.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use atom::Atom;
use program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::Module;

use crate::analysis::Analysis;
use crate::bindings::Bindings;
use crate::constraints::{CallKind, ProcessId};
use crate::def_use::{self, DefUses};
use crate::edges::{MessageEdge, Messages, Refused};
use crate::graph::{Edge, EdgeKind, Graph, Label, Vertex, VertexKind};
use crate::ids::IdVec;
use crate::sources::{Function, FunctionId, ModuleId, Site};

/// A module of the program.
#[derive(Clone, Debug)]
pub struct FlowModule {
    pub name: Atom,
    pub path: PathBuf,
    pub tree: Arc<Module>,
}

/// The functions that a call may reach.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallTargets {
    /// Functions of the program, sorted.
    pub targets: Vec<FunctionId>,
    /// Whether it may call something that is not known.
    pub unknown: bool,
}

/// A process, by the place that starts it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessInfo {
    /// The call that starts it; `None` for the process that enters the program.
    pub site: Option<Site>,
    /// The functions of the program that it runs first; for a behaviour, its callbacks' `init`.
    pub entries: Vec<FunctionId>,
    /// Names under which it is registered.
    pub names: Vec<Atom>,
    /// All functions of the program that it may run, sorted.
    pub functions: Vec<FunctionId>,
    /// The processes that may start it.
    pub parents: Vec<ProcessId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnresolvedKind {
    /// A call of something that comes from outside.
    Call,
    /// A spawn of something that comes from outside.
    Spawn,
    /// A message to a process that comes from outside.
    Send,
    /// A call of a function that is neither in the program nor known to the analysis.
    Function(Atom, Atom, u32),
}

/// A place where something that is not known decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unresolved {
    pub site: Site,
    pub kind: UnresolvedKind,
}

/// The flow graph of a program with what was found on the way.
#[derive(Debug)]
pub struct Flow {
    pub modules: IdVec<ModuleId, FlowModule>,
    /// All functions and funs.
    pub functions: IdVec<FunctionId, Function>,
    /// Whether each function may run.
    pub reached: IdVec<FunctionId, bool>,
    pub graph: Graph,
    /// The calls of reached functions that reach functions of the program: first-order calls,
    /// higher-order ones, and calls of library functions that call back or spawn.
    pub calls: BTreeMap<Site, CallTargets>,
    pub processes: IdVec<ProcessId, ProcessInfo>,
    /// Messages that guards refuse where no clause takes them. Sorted.
    pub refused: Vec<Refused>,
    pub unresolved: Vec<Unresolved>,
    /// How many iterations were needed.
    pub iterations: u32,
    /// Whether message and throw edges know the iteration that found them.
    pub explained: bool,
    /// The definitions of variables, for each module.
    pub bindings: IdVec<ModuleId, Arc<Bindings>>,
    /// Definitions and uses of variables, and which reach which.
    pub def_uses: DefUses,
}

impl Flow {
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }

    /// The function or fun expression at a node.
    pub fn function_at(&self, site: Site) -> Option<FunctionId> {
        self.functions.position(|function| function.site() == site)
    }

    /// A named function.
    pub fn find(&self, module: Atom, name: Atom, arity: u32) -> Option<FunctionId> {
        self.functions.position(|function| {
            function.name == name
                && function.arity == arity
                && !function.is_fun()
                && self.modules[function.module].name == module
        })
    }

    /// `m:f/1`; for a fun expression the function around it and where it stands.
    pub fn function_name(&self, id: FunctionId) -> String {
        let function = self.function(id);
        let module = &self.modules[function.module];
        let name = format!("{}:{}", quoted(module.name), quoted(function.name));
        if function.is_fun() {
            let loc = module.tree.loc(function.node);
            format!("{name} fun/{} at {}:{}", function.arity, loc.line, loc.column)
        } else {
            format!("{name}/{}", function.arity)
        }
    }

    /// The source text of a node, in one line; of a compiled module, what could have been written
    /// there.
    pub fn text(&self, site: Site) -> String {
        let tree = &self.modules[site.module].tree;
        let text = tree.text(tree.span(site.node));
        if text.is_empty() {
            return syntax::unparse::one_line(tree, site.node);
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The message edges that leave a send, or a call that sends.
    pub fn messages_from(&self, site: Site) -> impl Iterator<Item = &Edge> {
        let edges = self.graph.at(site).map(|vertex| self.graph.from(vertex)).unwrap_or_default();
        edges.iter().filter(|edge| edge.kind == EdgeKind::Message)
    }

    /// Whether the graph says that a call may enter a function.
    pub fn has_call(&self, call: Site, function: FunctionId) -> bool {
        self.calls.get(&call).is_some_and(|call| call.targets.binary_search(&function).is_ok())
    }

    /// Whether the graph says that a place may start a process with a function.
    pub fn has_spawn(&self, spawn: Site, function: FunctionId) -> bool {
        let import = self.graph.frame(function).import;
        self.graph.at(spawn).is_some_and(|from| self.graph.has(from, import, EdgeKind::Spawn))
    }

    /// Whether the graph says that what one place sends another may receive.
    pub fn has_message(&self, send: Site, receive: Site) -> bool {
        match (self.graph.at(send), self.graph.at(receive)) {
            (Some(from), Some(to)) => self.graph.has(from, to, EdgeKind::Message),
            _ => false,
        }
    }

    /// Whether the graph says that an exception raised at one place may be caught at another.
    pub fn has_throw(&self, throw: Site, catch: Site) -> bool {
        match (self.graph.at(throw), self.graph.at(catch)) {
            (Some(from), Some(to)) => self.has_throw_between(from, to),
            _ => false,
        }
    }

    /// As [`Flow::has_throw`]. An error that nobody raised explicitly goes up through the calls of
    /// functions that may fail, so it is looked for from the handler's own calls downwards.
    pub fn has_throw_between(&self, from: Vertex, to: Vertex) -> bool {
        let wanted = self.graph.vertex(from).function;
        self.graph.has(from, to, EdgeKind::Throw) || self.protected(to).contains(&wanted)
    }

    /// Whether code that a handler protects calls something that is not known, which may raise
    /// whatever it likes.
    pub fn unresolved_below(&self, handler: Vertex) -> bool {
        let protected = self.protected(handler);
        let calls = self.unresolved.iter().filter(|found| found.kind != UnresolvedKind::Send);
        let mut places = calls.filter_map(|found| self.graph.at(found.site));
        places.any(|vertex| {
            protected.contains(&self.graph.vertex(vertex).function)
                || self.graph.has(vertex, handler, EdgeKind::Throw)
        })
    }

    /// The functions that the code which a handler protects may call.
    fn protected(&self, to: Vertex) -> FxHashSet<FunctionId> {
        let mut pending: Vec<FunctionId> = Vec::new();
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let failing = self.graph.edges.iter();
        for edge in failing.filter(|edge| edge.kind == EdgeKind::Throw && edge.to == to) {
            pending.extend(self.callees(self.graph.vertex(edge.from).site));
        }
        while let Some(function) = pending.pop() {
            if !seen.insert(function) {
                continue;
            }
            let calls = self.calls.iter().filter(|(site, _)| {
                self.graph.at(**site).is_some_and(|at| self.graph.vertex(at).function == function)
            });
            calls.for_each(|(_, call)| pending.extend(&call.targets));
        }
        seen
    }

    fn callees(&self, site: Site) -> &[FunctionId] {
        self.calls.get(&site).map_or(&[], |call| &call.targets)
    }
}

fn quoted(name: Atom) -> String {
    name.to_string()
}

/// The message and throw edges that iterations find.
#[derive(Debug, Default)]
pub(crate) struct Iterations {
    messages: FxHashMap<(Vertex, Vertex, Label), u32>,
    throws: FxHashMap<(Vertex, Vertex), u32>,
    /// As they are at the end.
    last_messages: Messages,
    last_throws: Vec<(Vertex, Vertex, bool)>,
}

impl Iterations {
    pub(crate) fn note(&mut self, analysis: &Analysis<'_>, graph: &Graph) {
        analysis.solution.matched.borrow_mut().clear();
        let iteration = analysis.solution.iteration;
        self.last_messages = analysis.message_edges(graph);
        for edge in &self.last_messages.edges {
            self.messages.entry((edge.from, edge.to, edge.label)).or_insert(iteration);
        }
        self.last_throws = analysis.throw_edges(graph);
        for &(from, to, _) in &self.last_throws {
            self.throws.entry((from, to)).or_insert(iteration);
        }
    }
}

/// Puts everything together.
pub(crate) fn collect(
    program: &Program,
    analysis: Analysis<'_>,
    graph: &mut Graph,
    log: Iterations,
) -> Flow {
    analysis.first_order_edges(graph);
    analysis.call_edges(graph);
    analysis.failure_edges(graph);
    for edge in &log.last_messages.edges {
        let MessageEdge { from, to, label, may } = *edge;
        let found = log.messages.get(&(from, to, label)).copied().unwrap_or(0);
        graph.edges.push(Edge { from, to, kind: EdgeKind::Message, label, may, found });
    }
    for &(from, to, may) in &log.last_throws {
        let found = log.throws.get(&(from, to)).copied().unwrap_or(0);
        let (kind, label) = (EdgeKind::Throw, Label::None);
        graph.edges.push(Edge { from, to, kind, label, may, found });
    }
    graph.finish();
    let functions = analysis.sources.functions.iter().take(analysis.sources.own_functions);
    let functions: IdVec<FunctionId, Function> = functions.cloned().collect();
    let mut reached = IdVec::filled(false, functions.len());
    for body in analysis.constraints.bodies.iter().filter(|body| body.active) {
        if let Some(reached) = reached.get_mut(body.function) {
            *reached = true;
        }
    }
    let modules = program.modules.iter().map(|module| FlowModule {
        name: module.name,
        path: module.unit.path.clone(),
        tree: module.tree.clone(),
    });
    let modules: IdVec<ModuleId, FlowModule> = modules.collect();
    let bindings = analysis.sources.own_modules().map(|(_, source)| source.bindings.clone());
    let calls = calls(&analysis);
    Flow {
        def_uses: def_use::collect(&analysis, graph, &modules, &functions, &calls),
        modules,
        reached,
        calls,
        processes: processes(&analysis),
        refused: log.last_messages.refused,
        unresolved: unresolved(&analysis, graph),
        iterations: analysis.solution.iteration,
        explained: false,
        bindings: bindings.collect(),
        functions,
        graph: std::mem::take(graph),
    }
}

fn calls(analysis: &Analysis<'_>) -> BTreeMap<Site, CallTargets> {
    let mut calls: BTreeMap<Site, CallTargets> = BTreeMap::new();
    for call in &analysis.constraints.calls {
        let Some(site) = analysis.site_of(call.body, call.node) else { continue };
        let own: Vec<FunctionId> = call
            .targets
            .iter()
            .map(|&body| analysis.constraints.bodies[body].function)
            .filter(|&function| !analysis.sources.is_model(function))
            .collect();
        if own.is_empty() && !call.unknown {
            continue;
        }
        let entry = calls.entry(site).or_default();
        entry.targets.extend(own);
        entry.unknown |= call.unknown;
    }
    for call in calls.values_mut() {
        call.targets.sort_unstable();
        call.targets.dedup();
    }
    calls
}

fn processes(analysis: &Analysis<'_>) -> IdVec<ProcessId, ProcessInfo> {
    let count = analysis.constraints.processes.len();
    let mut functions: IdVec<ProcessId, Vec<FunctionId>> = IdVec::filled(Vec::new(), count);
    for body in &analysis.constraints.bodies {
        if analysis.sources.is_model(body.function) || !body.active {
            continue;
        }
        for process in analysis.solution.pids_in(body.processes) {
            functions[process].push(body.function);
        }
    }
    // Behaviours enter the program through the functions that their own code calls first.
    let mut entered: IdVec<ProcessId, Vec<FunctionId>> = IdVec::filled(Vec::new(), count);
    for link in &analysis.solution.calls.found {
        let call = &analysis.constraints.calls[link.call];
        let target = analysis.constraints.bodies[link.target].function;
        if analysis.sources.is_model(target) {
            continue;
        }
        if let CallKind::Spawn(process) = call.kind {
            entered[process].push(target);
        } else if let Some(body) = call.body.filter(|&body| analysis.is_in_started_process(body)) {
            let running = analysis.constraints.bodies[body].processes;
            for process in analysis.solution.pids_in(running) {
                entered[process].push(target);
            }
        }
    }
    let infos = analysis.constraints.processes.enumerate().map(|(id, process)| {
        let mut own = std::mem::take(&mut functions[id]);
        own.sort_unstable();
        own.dedup();
        let mut entries = std::mem::take(&mut entered[id]);
        if process.site.is_none() {
            let bodies = process.entries.iter();
            entries = bodies.map(|&body| analysis.constraints.bodies[body].function).collect();
        }
        entries.sort_unstable();
        entries.dedup();
        let mut parents: Vec<ProcessId> = Vec::new();
        for &body in &process.bodies {
            let running = analysis.constraints.bodies[body].processes;
            parents.extend(analysis.solution.pids_in(running));
        }
        parents.sort_unstable();
        parents.dedup();
        ProcessInfo {
            site: process.site,
            entries,
            names: analysis.registered_names(id),
            functions: own,
            parents,
        }
    });
    infos.collect()
}

fn unresolved(analysis: &Analysis<'_>, graph: &Graph) -> Vec<Unresolved> {
    let mut found = Vec::new();
    for call in &analysis.constraints.calls {
        if !call.unknown || call.kind == CallKind::Unknown {
            continue;
        }
        let Some(site) = analysis.site_of(call.body, call.node) else { continue };
        let kind = match graph.at(site).map(|vertex| graph.vertex(vertex).kind) {
            Some(VertexKind::Spawn) => UnresolvedKind::Spawn,
            _ => UnresolvedKind::Call,
        };
        found.push(Unresolved { site, kind });
    }
    for send in &analysis.constraints.sends {
        // Devices are nearly always the system's.
        let function = analysis.sources.function(analysis.constraints.bodies[send.body].function);
        let is_output = analysis.is_model_body(send.body)
            && analysis.sources.source(function.module).name.as_str() == "io";
        if analysis.is_unknown(send.destination)
            && !is_output
            && let Some(site) = analysis.site_of(send.body, send.node)
        {
            found.push(Unresolved { site, kind: UnresolvedKind::Send });
        }
    }
    #[allow(clippy::iter_over_hash_type, reason = "sorted below")]
    for (&(module, name, arity), calls) in &analysis.solution.calls.unknown_functions {
        for &call in calls {
            let call = &analysis.constraints.calls[call];
            let Some(site) = analysis.site_of(call.body, call.node) else { continue };
            found.push(Unresolved { site, kind: UnresolvedKind::Function(module, name, arity) });
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
