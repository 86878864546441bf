//! Servers: what the callbacks of a `gen_server` or `gen_statem` hand to each other, part by part.
//!
//! The state is the element of a result that is given to the next callback; the reply, the time-out
//! and the reason are others. A callback that is called has to give a tuple that the behaviour
//! accepts, whatever of it is asked for: else the server would end. What is sent to a server in a
//! slice is handled there, for the same reason.
//!
//! Where the results are written (or given by functions of the program that write them) it is known
//! which tuples there are; else all that the behaviour accepts may be meant. Elements of tuples of
//! the same size are not told apart by their first element: with `{reply, Reply, State}` and
//! `{noreply, State, Timeout}` in one callback, replies are part of the state.
//!
//! The data of a `gen_statem` are its state here, and its state is a name. Of its actions, what a
//! reply or an event says is taken out; that they are actions is needed of a callback that is
//! called. Where there are others than replies, they and the names decide which events there are.
//!
//! A request that servers of the program handle is looked at by them alone where no other process
//! can be meant: its name is that of such a server, or the program starts no other behaviours. What
//! a process answers that is not part of the program depends on all of what it was asked.
//!
//! Other behaviours, and servers that are started in other ways, are unknown code that calls back.

mod callback;
mod calls;
mod results;

use atom::Atom;
use flow::ids::IdVec;
use flow::{EdgeKind as FlowEdge, FunctionId, ModuleId, VertexData, VertexKind};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId};

use super::build::Build;
use super::fields;
use super::library;
use super::nodes::{Role, Targets};
use callback::{Behaviour, request, started};
use dependence::{EdgeKind, Label, Node};
use results::given;

pub(crate) use callback::{Callback, Element};
pub(crate) use results::places;

/// What is known of the servers of a program.
#[derive(Debug, Default)]
pub(crate) struct Servers {
    /// Callbacks of servers whose starts are known, by function.
    callbacks: IdVec<FunctionId, Option<Callback>>,
    /// What replies in the actions that a function gives say.
    replies: FxHashMap<FunctionId, Node>,
    /// Calls that send something to such a callback, or to somebody who waits for an answer.
    sends: FxHashSet<(ModuleId, NodeId)>,
    /// Names of processes that are such servers, and nothing else.
    names: FxHashSet<Atom>,
    /// Whether there are other processes that code of the library answers for.
    has_others: bool,
}

/// Who looks at what a call sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readers {
    /// Code of the program only.
    Program,
    /// That, or a process that was not started here.
    Strangers,
    /// Code of the library, too.
    Library,
}

impl Servers {
    pub(crate) fn callback(&self, function: FunctionId) -> Option<Callback> {
        self.callbacks.get(function).copied().flatten()
    }

    /// Looks for starts, then for what is sent to what they start. The targets of calls are known.
    pub(crate) fn find(build: &mut Build<'_>) {
        let mut servers = Servers {
            callbacks: IdVec::filled(None, build.flow.functions.len()),
            ..Servers::default()
        };
        let mut others: Vec<FunctionId> = Vec::new();
        let mut starts: FxHashSet<(ModuleId, NodeId)> = FxHashSet::default();
        let mut sites: Vec<(ModuleId, NodeId)> = build.targets.keys().copied().collect();
        sites.sort_unstable();
        for (module, node) in sites {
            let targets = &build.targets[&(module, node)];
            let known = server(build, module, node, targets);
            if known.is_some() {
                starts.insert((module, node));
            }
            for &target in &targets.called_back {
                if let Some((behaviour, _)) = known {
                    let function = build.flow.function(target);
                    let callback = Callback::of(behaviour, function.name.as_str(), function.arity);
                    servers.callbacks[target] = callback;
                } else {
                    others.push(target);
                }
            }
        }
        // What other code calls back, too, may be called in other ways.
        for other in others {
            servers.callbacks[other] = None;
        }
        servers.note_processes(build, &starts);
        let graph = &build.flow.graph;
        for edge in graph.edges.iter().filter(|edge| edge.kind == FlowEdge::Message) {
            let (from, to) = (graph.vertex(edge.from), graph.vertex(edge.to));
            let is_callback = is_function(to) && servers.callback(to.function).is_some();
            if is_callback || sent_with(build, to.site.module, to.site.node).is_some() {
                servers.sends.insert((from.site.module, from.site.node));
            }
        }
        build.servers = servers;
        for function in build.flow.functions.ids() {
            build.note_actions(function);
        }
    }

    /// What the replies among the actions of a callback say.
    pub(crate) fn reply(&self, function: FunctionId) -> Option<Node> {
        self.replies.get(&function).copied()
    }
}

impl Build<'_> {
    /// The nodes for the actions that a function gives: that they are actions is needed if it is
    /// called.
    fn note_actions(&mut self, id: FunctionId) {
        let is_event = self.servers.callback(id).is_some_and(Callback::handles_events);
        if !is_event && self.servers.callback(id) != Some(Callback::Begin) {
            return;
        }
        let function = self.flow.function(id);
        let (module, at) = (function.module, function.node);
        let nodes = self.function(id).clone();
        let mut node = || self.node(module, at, Role::Between);
        let (actions, cell, one, reply) = (node(), node(), node(), node());
        for (size, position) in places(self, id, &[Element::Actions]) {
            let label = Label::Open(fields::element(size, position));
            self.edge(actions, nodes.result, EdgeKind::Value, label);
        }
        self.edge(cell, actions, EdgeKind::Value, Label::Same);
        self.edge(cell, cell, EdgeKind::Value, Label::Open(fields::TAIL));
        self.edge(one, cell, EdgeKind::Value, Label::Open(fields::HEAD));
        self.edge(one, actions, EdgeKind::Value, Label::Same);
        self.edge(reply, one, EdgeKind::Value, Label::Open(fields::element(3, 2)));
        self.edge(nodes.entry, cell, EdgeKind::Declaration, Label::Shape);
        self.edge(nodes.entry, one, EdgeKind::Declaration, Label::Shape);
        for size in 2..=4 {
            for position in (0..size).filter(|&position| size < 3 || position != 2) {
                let part = self.node(module, at, Role::Between);
                let label = Label::Open(fields::element(size, position));
                self.edge(part, one, EdgeKind::Declaration, label);
                self.edge(nodes.entry, part, EdgeKind::Declaration, Label::All);
            }
        }
        self.servers.replies.insert(id, reply);
    }
}

impl Servers {
    /// Looks at all processes: which names are those of servers whose starts are known, and whether
    /// there are others that do not run code of the program alone.
    fn note_processes(&mut self, build: &Build<'_>, starts: &FxHashSet<(ModuleId, NodeId)>) {
        let mut other_names: FxHashSet<Atom> = FxHashSet::default();
        for process in &build.flow.processes {
            let Some(site) = process.site else { continue };
            let at = (site.module, site.node);
            let library = library::name(build, site.module, site.node);
            let is_behaviour = library.is_some_and(|(module, _)| is_module(module));
            let is_known = starts.contains(&at)
                && process.entries.iter().all(|&entry| self.callback(entry).is_some());
            if is_known {
                self.names.extend(&process.names);
            } else {
                self.has_others |= is_behaviour;
                other_names.extend(&process.names);
            }
        }
        self.names.retain(|name| !other_names.contains(name));
    }
}

/// Whether a module of the library is a behaviour whose processes call functions of the program.
pub(crate) fn is_module(module: Atom) -> bool {
    module.as_str().starts_with("gen_") || module.as_str().starts_with("supervisor")
}

/// Whether a call is one of such a module: what it calls back runs in a process of its own.
pub(crate) fn is_behaviour(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    library::name(build, module, node).is_some_and(|(of, _)| is_module(of))
}

/// Whether the value of a call of the library tells that a function that it calls back has failed.
pub(crate) fn tells_of(
    build: &Build<'_>,
    (of, name): (Atom, Atom),
    called_back: FunctionId,
) -> bool {
    match of.as_str() {
        "gen_event" | "supervisor" | "rpc" => true,
        "gen_server" | "gen_statem" => build.flow.function(called_back).name.as_str() == "init",
        "proc_lib" => name.as_str().starts_with("start"),
        "erpc" => name.as_str() == "multicall",
        _ => false,
    }
}

/// Whether a callback is called when its server ends, and does something then.
pub(crate) fn has_last_words(build: &Build<'_>, callback: FunctionId) -> bool {
    let function = build.flow.function(callback);
    if function.name.as_str() != "terminate" {
        return false;
    }
    let tree = &build.flow.modules[function.module].tree;
    !tree.list(function.clauses).iter().all(|&clause| match tree.kind(clause) {
        Kind::Clause { body, .. } => {
            tree.list(body).iter().all(|&expr| matches!(tree.kind(expr), Kind::Atom(_)))
        }
        _ => false,
    })
}

/// What of a callback decides that its server goes on, besides that it does not fail: the first
/// elements of what it gives, and of what it throws.
pub(crate) fn endings(build: &Build<'_>, callback: FunctionId) -> Vec<(Node, EdgeKind, Label)> {
    let first = Label::Open(fields::element_of_any(0));
    let nodes = build.function(callback);
    let mut found = vec![(nodes.reason, EdgeKind::Exception, first)];
    let is_known = build.servers.callback(callback).is_some();
    let goes_on = |(tag, _): &(String, u32)| {
        matches!(tag.as_str(), "ok" | "reply" | "noreply" | "next_state")
            || tag.starts_with("keep_state")
            || tag.starts_with("repeat_state")
    };
    let may_end = || given(build, callback).is_none_or(|given| !given.iter().all(goes_on));
    if is_known && may_end() {
        found.push((nodes.result, EdgeKind::Output, first));
    }
    found
}

/// Whether a vertex is about a function as such.
pub(crate) fn is_function(vertex: &VertexData) -> bool {
    matches!(
        vertex.kind,
        VertexKind::Import | VertexKind::Context | VertexKind::Branch | VertexKind::Return
    )
}

/// The position of what `init` gets if a call starts a server all of whose callbacks are known as
/// such.
fn server(
    build: &Build<'_>,
    module: ModuleId,
    node: NodeId,
    targets: &Targets,
) -> Option<(Behaviour, usize)> {
    let (of, name) = library::name(build, module, node)?;
    let tree = &build.flow.modules[module].tree;
    let Kind::Call { args, .. } = tree.kind(node) else { return None };
    let (behaviour, position) = started(of.as_str(), name.as_str(), args.len as usize)?;
    let mut inits = 0;
    for &target in &targets.called_back {
        let function = build.flow.function(target);
        let callback = Callback::of(behaviour, function.name.as_str(), function.arity)?;
        inits += usize::from(callback.begins());
    }
    (inits == 1 && targets.called.is_empty()).then_some((behaviour, position))
}

/// The position of what a call sends to a server, or as an answer.
pub(crate) fn sent_with(build: &Build<'_>, module: ModuleId, node: NodeId) -> Option<usize> {
    let (of, name) = library::name(build, module, node)?;
    request(of.as_str(), name.as_str())
}
