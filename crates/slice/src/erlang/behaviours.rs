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

use atom::Atom;
use flow::ids::IdVec;
use flow::{EdgeKind as FlowEdge, FunctionId, ModuleId, VertexData, VertexKind};
use program::resolve::Target;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId, NodeList};

use super::build::Build;
use super::expressions::Walker;
use super::fields;
use super::library;
use super::nodes::{FunctionNodes, Role, Targets};
use crate::core::{Call, EdgeKind, Frame, Label, Node};

/// What a callback of a server is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callback {
    Init,
    Call,
    /// `handle_cast`, `handle_info`.
    Message,
    Continue,
    Terminate,
    /// `code_change`.
    Change,
    Status,
    /// Of a `gen_statem`: `init`, a function of one state, the one of all states, `terminate`,
    /// `code_change`.
    Begin,
    Event,
    AnyEvent,
    Finish,
    Replace,
    /// `callback_mode`.
    Mode,
}

/// What a call starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behaviour {
    Server,
    Machine,
}

impl Callback {
    fn of(behaviour: Behaviour, name: &str, arity: u32) -> Option<Callback> {
        if behaviour == Behaviour::Machine {
            return Some(match (name, arity) {
                ("callback_mode", 0) => Callback::Mode,
                ("init", 1) => Callback::Begin,
                ("handle_event", 4) => Callback::AnyEvent,
                ("terminate", 3) => Callback::Finish,
                ("code_change", 4) => Callback::Replace,
                ("format_status", 1 | 2) => Callback::Status,
                (_, 3) => Callback::Event,
                _ => return None,
            });
        }
        Some(match (name, arity) {
            ("init", 1) => Callback::Init,
            ("handle_call", 3) => Callback::Call,
            ("handle_cast" | "handle_info", 2) => Callback::Message,
            ("handle_continue", 2) => Callback::Continue,
            ("terminate", 2) => Callback::Terminate,
            ("code_change", 3) => Callback::Change,
            ("format_status", 1 | 2) => Callback::Status,
            _ => return None,
        })
    }

    /// The parameter that is the state.
    fn state(self) -> Option<u32> {
        match self {
            Callback::Init | Callback::Status | Callback::Begin | Callback::Mode => None,
            Callback::Call | Callback::Event | Callback::Finish | Callback::Replace => Some(2),
            Callback::AnyEvent => Some(3),
            Callback::Message | Callback::Continue | Callback::Terminate | Callback::Change => {
                Some(1)
            }
        }
    }

    /// Whether it handles what is sent.
    pub(crate) fn handles_events(self) -> bool {
        matches!(self, Callback::Event | Callback::AnyEvent)
    }

    /// Whether it begins a server.
    fn begins(self) -> bool {
        matches!(self, Callback::Init | Callback::Begin)
    }

    /// The tuples that it may give: first element and size, and what their elements are.
    fn tuples(self) -> &'static [(&'static str, &'static [Element])] {
        use Element::{Actions, Name, Next, Reason, Reply, State};
        match self {
            Callback::Init => &[
                ("ok", &[State]),
                ("ok", &[State, Next]),
                ("stop", &[Reason]),
                ("error", &[Reason]),
            ],
            Callback::Call => &[
                ("reply", &[Reply, State]),
                ("reply", &[Reply, State, Next]),
                ("noreply", &[State]),
                ("noreply", &[State, Next]),
                ("stop", &[Reason, Reply, State]),
                ("stop", &[Reason, State]),
            ],
            Callback::Message | Callback::Continue => {
                &[("noreply", &[State]), ("noreply", &[State, Next]), ("stop", &[Reason, State])]
            }
            Callback::Change => &[("ok", &[State])],
            Callback::Begin => &[
                ("ok", &[Name, State]),
                ("ok", &[Name, State, Actions]),
                ("stop", &[Reason]),
                ("error", &[Reason]),
            ],
            Callback::Event | Callback::AnyEvent => &[
                ("next_state", &[Name, State]),
                ("next_state", &[Name, State, Actions]),
                ("keep_state", &[State]),
                ("keep_state", &[State, Actions]),
                ("keep_state_and_data", &[Actions]),
                ("repeat_state", &[State]),
                ("repeat_state", &[State, Actions]),
                ("repeat_state_and_data", &[Actions]),
                ("stop", &[Reason]),
                ("stop", &[Reason, State]),
                ("stop_and_reply", &[Reason, Actions]),
                ("stop_and_reply", &[Reason, Actions, State]),
            ],
            Callback::Replace => &[("ok", &[Name, State])],
            Callback::Terminate | Callback::Status | Callback::Finish | Callback::Mode => &[],
        }
    }
}

/// What an element of a callback's result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    State,
    Reply,
    Reason,
    /// A time-out, `hibernate`, or what to continue with.
    Next,
    /// The state of a `gen_statem`.
    Name,
    Actions,
}

/// For a call that starts a server: the position of what `init` gets.
fn started(module: &str, name: &str, arity: usize) -> Option<(Behaviour, usize)> {
    let behaviour = match module {
        "gen_server" => Behaviour::Server,
        "gen_statem" => Behaviour::Machine,
        _ => return None,
    };
    match (name, arity) {
        ("start" | "start_link" | "start_monitor", 3 | 4) => Some((behaviour, arity - 2)),
        _ => None,
    }
}

/// The position of what a client sends to a server, or a server to a client.
fn request(module: &str, name: &str) -> Option<usize> {
    let sends = matches!(name, "call" | "cast" | "reply" | "send_request" | "abcast");
    (matches!(module, "gen_server" | "gen_statem") && sends).then_some(1)
}

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

/// Which tuples a function gives: first element and size of each. `None` if that is not known.
fn given(build: &Build<'_>, function: FunctionId) -> Option<Vec<(String, u32)>> {
    let mut results = Results::new(build);
    results.function(function).then_some(results.found)
}

struct Results<'b, 'p> {
    build: &'b Build<'p>,
    seen: Vec<FunctionId>,
    found: Vec<(String, u32)>,
    /// The tuples themselves.
    tuples: Vec<(ModuleId, NodeId)>,
}

/// Whether all actions that a callback gives are replies.
fn gives_replies_only(build: &Build<'_>, function: FunctionId) -> bool {
    let mut results = Results::new(build);
    if !results.function(function) {
        return false;
    }
    let actions = all_places(Callback::Event, &[Element::Actions]);
    results.tuples.iter().all(|&(module, tuple)| {
        let tree = &build.flow.modules[module].tree;
        let Kind::Tuple { elements } = tree.kind(tuple) else { return false };
        let elements = tree.list(elements);
        let is_begin = matches!(tree.kind(elements[0]), Kind::Atom(tag) if tag.as_str() == "ok");
        let is_reply = |&action: &NodeId| match tree.kind(action) {
            Kind::Tuple { elements } => tree.list(elements).first().is_some_and(
                |&tag| matches!(tree.kind(tag), Kind::Atom(tag) if tag.as_str() == "reply"),
            ),
            _ => false,
        };
        elements.iter().enumerate().all(|(position, element)| {
            let place = (elements.len() as u32, position as u32);
            let tag = tree.kind(elements[0]);
            let is_action = match tag {
                _ if is_begin => place == (4, 3),
                Kind::Atom(tag) => places_in(Callback::Event, &[Element::Actions], |of, size| {
                    of == tag.as_str() && size == place.0
                })
                .contains(&place),
                _ => actions.contains(&place),
            };
            !is_action
                || match tree.kind(*element) {
                    Kind::Nil => true,
                    Kind::List { elements, tail: None } => tree.list(elements).iter().all(is_reply),
                    _ => is_reply(element),
                }
        })
    })
}

/// Whether `callback_mode` says that there are calls for states that are entered.
fn enters_states(build: &Build<'_>, mode: FunctionId) -> bool {
    let function = build.flow.function(mode);
    let tree = &build.flow.modules[function.module].tree;
    let mut others = false;
    tree.for_each_below(function.node, |node| match tree.kind(node) {
        Kind::Atom(name) => others |= name.as_str() == "state_enter",
        // What is computed may say anything.
        Kind::Call { .. } | Kind::Var(_) => others = true,
        _ => {}
    });
    others
}

impl<'b, 'p> Results<'b, 'p> {
    fn new(build: &'b Build<'p>) -> Results<'b, 'p> {
        Results { build, seen: Vec::new(), found: Vec::new(), tuples: Vec::new() }
    }

    /// Whether all results are known.
    fn function(&mut self, id: FunctionId) -> bool {
        if self.seen.contains(&id) {
            return true;
        }
        self.seen.push(id);
        let function = self.build.flow.function(id);
        self.clauses(function.module, function.clauses)
    }

    fn clauses(&mut self, module: ModuleId, clauses: NodeList) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(clauses).iter().all(|&clause| match tree.kind(clause) {
            Kind::Clause { body, .. } => self.last(module, body),
            _ => false,
        })
    }

    fn last(&mut self, module: ModuleId, body: NodeList) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(body).last().is_some_and(|&last| {
            stacker::maybe_grow(64 << 10, 1 << 20, || self.expression(module, last))
        })
    }

    fn expression(&mut self, module: ModuleId, node: NodeId) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        match tree.kind(node) {
            Kind::Atom(name) => {
                self.found.push((name.as_str().to_string(), 0));
                true
            }
            Kind::Tuple { elements } => {
                match tree.list(elements).first().map(|&tag| tree.kind(tag)) {
                    Some(Kind::Atom(tag)) => {
                        self.found.push((tag.as_str().to_string(), elements.len));
                        self.tuples.push((module, node));
                        true
                    }
                    _ => false,
                }
            }
            Kind::Case { clauses, .. } | Kind::If { clauses } => self.clauses(module, clauses),
            Kind::Receive { clauses, after } => {
                self.clauses(module, clauses)
                    && after.is_none_or(|after| self.last(module, after.body))
            }
            Kind::Block { body } => self.last(module, body),
            Kind::Match { value, .. } => self.expression(module, value),
            Kind::Try { body, of, catch, .. } => {
                let result =
                    if of.is_empty() { self.last(module, body) } else { self.clauses(module, of) };
                result && self.clauses(module, catch)
            }
            Kind::Call { .. } => {
                let loaded = &self.build.program.modules[module.index()];
                let Some((of, name, arity)) =
                    loaded.target(node).and_then(|target: Target| target.mfa(loaded.name))
                else {
                    return false;
                };
                match self.build.find(of, name, arity) {
                    Some(function) => self.function(function),
                    // These give nothing.
                    None => {
                        of == atom::known::ERLANG
                            && matches!(name.as_str(), "exit" | "error" | "throw")
                            && arity == 1
                    }
                }
            }
            _ => false,
        }
    }
}

/// Where in the results of a callback some of their elements are: size and position.
pub(crate) fn places(
    build: &Build<'_>,
    function: FunctionId,
    wanted: &[Element],
) -> Vec<(u32, u32)> {
    let Some(callback) = build.servers.callback(function) else { return Vec::new() };
    let given = given(build, function);
    places_in(callback, wanted, |tag, size| {
        let same = |(of, long): &(String, u32)| of == tag && *long == size;
        given.as_ref().is_none_or(|given| given.iter().any(same))
    })
}

/// Where in all that a callback may give some elements are.
fn all_places(callback: Callback, wanted: &[Element]) -> Vec<(u32, u32)> {
    places_in(callback, wanted, |_, _| true)
}

fn places_in(
    callback: Callback,
    wanted: &[Element],
    is_given: impl Fn(&str, u32) -> bool,
) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for &(tag, elements) in callback.tuples() {
        let size = elements.len() as u32 + 1;
        for (index, element) in elements.iter().enumerate().filter(|_| is_given(tag, size)) {
            let place = (size, index as u32 + 1);
            if wanted.contains(element) && !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

impl Walker<'_, '_> {
    /// Starts a server, if a call does and its callbacks are known.
    pub(crate) fn starts_server(
        &mut self,
        node: NodeId,
        (call, done, value): (Call, Node, Node),
        targets: &Targets,
        args: &[Node],
    ) -> bool {
        let Some((_, first)) = server(self.build, self.module, node, targets) else { return false };
        if targets.called_back.iter().any(|&target| self.build.servers.callback(target).is_none()) {
            return false;
        }
        for (_, &arg) in args.iter().enumerate().filter(|(index, _)| *index != first) {
            self.edge(done, arg, EdgeKind::Value, Label::All);
        }
        let state = self.build.node(self.module, node, Role::State);
        // What comes next if nothing is sent, and what `terminate` is told.
        let next = self.build.node(self.module, node, Role::State);
        let reasons = self.build.node(self.module, node, Role::State);
        let name = self.build.node(self.module, node, Role::State);
        let enter = Frame::Enter(call);
        let events = self.has_events(targets);
        for &target in &targets.called_back {
            let Some(callback) = self.build.servers.callback(target) else { continue };
            let nodes = self.build.function(target).clone();
            self.gives_tuples(target, &nodes);
            for (element, from) in [
                (Element::State, state),
                (Element::Next, next),
                (Element::Reason, reasons),
                (Element::Name, name),
            ] {
                for (size, position) in places(self.build, target, &[element]) {
                    let label = Label::Open(fields::element(size, position));
                    self.framed(from, nodes.result, EdgeKind::Output, label, enter);
                }
                if nodes.guarded {
                    for (size, position) in all_places(callback, &[element]) {
                        let label = Label::Open(fields::element(size, position));
                        self.framed(from, nodes.reason, EdgeKind::Exception, label, enter);
                    }
                }
            }
            if events.others {
                for (size, position) in places(self.build, target, &[Element::Actions]) {
                    let part = self.build.node(self.module, node, Role::State);
                    let label = Label::Open(fields::element(size, position));
                    self.framed(part, nodes.result, EdgeKind::Output, label, enter);
                    self.edge(next, part, EdgeKind::Value, Label::All);
                }
            }
            if callback == Callback::Mode {
                self.framed(done, nodes.result, EdgeKind::Output, Label::All, enter);
            }
            if !matches!(callback, Callback::Terminate | Callback::Finish) {
                self.framed(reasons, nodes.reason, EdgeKind::Exception, Label::All, enter);
            }
            if callback.begins() {
                self.framed(done, nodes.result, EdgeKind::Output, Label::Shape, enter);
                self.framed(done, nodes.end, EdgeKind::Control, Label::All, enter);
                for (size, position) in places(self.build, target, &[Element::Reason]) {
                    let label = Label::Open(fields::element(size, position));
                    self.framed(value, nodes.result, EdgeKind::Output, label, enter);
                }
            }
            let given = Given { argument: args[first], state, next, reasons, name, events };
            self.calls_back(node, (call, done), callback, &nodes, given);
        }
        true
    }

    /// What the behaviour calls a callback with.
    fn calls_back(
        &mut self,
        node: NodeId,
        (call, done): (Call, Node),
        callback: Callback,
        nodes: &FunctionNodes,
        given: Given,
    ) {
        let leave = Frame::Leave(call);
        self.framed(nodes.entry, done, EdgeKind::Call, Label::All, leave);
        let state = callback.state().and_then(|position| nodes.parameter(position));
        if let Some(parameter) = state {
            self.framed(parameter, given.state, EdgeKind::Input, Label::Same, leave);
        }
        let Some(parameter) = nodes.parameter(0) else { return };
        match callback {
            Callback::Init | Callback::Begin => {
                self.framed(parameter, given.argument, EdgeKind::Input, Label::Same, leave);
            }
            Callback::Call => {}
            Callback::Message => {
                self.framed(nodes.entry, given.next, EdgeKind::Input, Label::All, leave);
            }
            Callback::Continue => {
                self.framed(nodes.entry, given.next, EdgeKind::Input, Label::All, leave);
                let what = self.build.node(self.module, node, Role::State);
                let label = Label::Open(fields::element(2, 1));
                self.edge(what, given.next, EdgeKind::Value, label);
                self.framed(parameter, what, EdgeKind::Input, Label::Same, leave);
            }
            Callback::Terminate => {
                self.framed(nodes.entry, given.reasons, EdgeKind::Input, Label::All, leave);
                self.framed(parameter, given.reasons, EdgeKind::Input, Label::Same, leave);
            }
            Callback::Event | Callback::AnyEvent => {
                let content = nodes.parameter(1);
                if callback == Callback::Event || given.events.others || given.events.entering {
                    self.framed(nodes.entry, given.name, EdgeKind::Input, Label::All, leave);
                }
                if callback == Callback::AnyEvent
                    && let Some(parameter) = nodes.parameter(2)
                {
                    self.framed(parameter, given.name, EdgeKind::Input, Label::Same, leave);
                }
                if given.events.entering
                    && let Some(content) = content
                {
                    self.framed(content, given.name, EdgeKind::Input, Label::Same, leave);
                }
                if given.events.others {
                    self.framed(nodes.entry, given.next, EdgeKind::Input, Label::All, leave);
                    for parameter in content.into_iter().chain([parameter]) {
                        self.framed(parameter, given.next, EdgeKind::Input, Label::All, leave);
                    }
                }
            }
            Callback::Finish => {
                self.framed(nodes.entry, given.reasons, EdgeKind::Input, Label::All, leave);
                self.framed(parameter, given.reasons, EdgeKind::Input, Label::Same, leave);
                if let Some(parameter) = nodes.parameter(1) {
                    self.framed(parameter, given.name, EdgeKind::Input, Label::Same, leave);
                }
            }
            Callback::Mode => {}
            Callback::Change | Callback::Status | Callback::Replace => {
                for parameter in nodes.parameters() {
                    self.framed(parameter, given.state, EdgeKind::Input, Label::All, leave);
                }
            }
        }
    }

    /// A callback that is called gives a tuple that the behaviour accepts.
    fn gives_tuples(&mut self, target: FunctionId, nodes: &FunctionNodes) {
        if matches!(
            self.build.servers.callback(target),
            None | Some(Callback::Terminate | Callback::Status | Callback::Finish | Callback::Mode)
        ) {
            return;
        }
        let function = self.build.flow.function(target);
        let (module, at) = (function.module, function.node);
        let mut labels = vec![Label::Open(fields::element_of_any(0))];
        let decisive = [Element::Next, Element::Reason, Element::Name];
        for (size, position) in places(self.build, target, &decisive) {
            labels.push(Label::Open(fields::element(size, position)));
        }
        for label in labels {
            let part = self.build.node(module, at, Role::Between);
            self.build.edge(nodes.entry, part, EdgeKind::Declaration, Label::All);
            self.build.edge(part, nodes.result, EdgeKind::Declaration, label);
        }
        self.build.edge(nodes.entry, nodes.result, EdgeKind::Declaration, Label::Shape);
    }

    /// Which events there are besides messages.
    fn has_events(&self, targets: &Targets) -> Events {
        let mut found = Events::default();
        for &target in &targets.called_back {
            let Some(callback) = self.build.servers.callback(target) else { continue };
            match callback {
                Callback::Mode => found.entering |= enters_states(self.build, target),
                Callback::Begin | Callback::Event | Callback::AnyEvent => {
                    found.others |= !gives_replies_only(self.build, target);
                }
                _ => {}
            }
        }
        found
    }

    /// The argument of a call that only those look at who get it, and who they are.
    pub(crate) fn spared(&self, node: NodeId) -> Option<(usize, Readers)> {
        let servers = &self.build.servers;
        if !servers.sends.contains(&(self.module, node)) {
            return None;
        }
        let position = sent_with(self.build, self.module, node)?;
        let Kind::Call { args, .. } = self.tree.kind(node) else { return None };
        let readers = match self.tree.list(args).first().map(|&to| self.tree.kind(to)) {
            Some(Kind::Atom(name)) if servers.names.contains(&name) => Readers::Program,
            Some(Kind::Atom(_)) => Readers::Library,
            _ if servers.has_others => Readers::Library,
            _ => Readers::Strangers,
        };
        (readers != Readers::Library).then_some((position, readers))
    }
}

/// What a behaviour has for its callbacks.
#[derive(Clone, Copy, Debug)]
struct Given {
    argument: Node,
    state: Node,
    next: Node,
    reasons: Node,
    name: Node,
    events: Events,
}

/// Which events a `gen_statem` makes itself.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    /// Calls for states that are entered.
    entering: bool,
    /// Time-outs, and what actions say; and what is postponed.
    others: bool,
}
