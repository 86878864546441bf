//! The ends of processes, as others see them: who asks a process that has ended fails, and some
//! functions say whether a process is still there.
//!
//! A process ends because what runs in it comes to an end or fails, a server because a callback
//! says so or fails. Processes are told apart by the place that starts them, where it is known
//! which is meant: by the name that it is asked for with, or because the flow graph says which
//! callbacks handle what it is asked. Otherwise it may be any.

use atom::Atom;
use flow::effects::Effect;
use flow::ids::IdVec;
use flow::{
    EdgeKind as FlowEdge, FunctionId, ModuleId, ProcessId, ProcessInfo, Site, UnresolvedKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{BinaryOp, Kind, NodeId};

use super::build::Build;
use super::exceptions::Handler;
use super::expressions::Walker;
use super::fields;
use super::nodes::Role;
use super::{behaviours, effects, library, types};
use dependence::{EdgeKind, Label, Node};

/// Functions whose first argument may be a name.
const ASKING: &[&str] = &[
    "abcast",
    "call",
    "cast",
    "send",
    "send_request",
    "stop",
    "unregister",
    "whereis",
    "notify",
    "sync_notify",
    "get_state",
];

/// The ends of all processes.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    /// Of each process whose end others may see.
    processes: Vec<Handler>,
    /// Of any; `None` if there are no processes.
    any: Option<Handler>,
    /// Whether it is known which names there are.
    has_known_names: bool,
    /// Whether processes have names.
    has_names: bool,
    /// Whether names are handed around as values.
    has_values: bool,
    /// Of all processes that end together with one, where processes are linked.
    linked: Vec<Option<Handler>>,
    /// For calls that send something to callbacks, the processes of those.
    asked: FxHashMap<(ModuleId, NodeId), Vec<usize>>,
}

impl Ends {
    /// Makes the nodes, and the edges to what they depend on. Servers are known.
    pub(crate) fn find(build: &mut Build<'_>) {
        let flow = build.flow;
        let mut ends = Ends { has_known_names: true, ..Ends::default() };
        ends.note_names(build);
        let mut process_of: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
        for (index, process) in build.processes.clone().iter().enumerate() {
            let Some(site) = process.site else {
                let handler = entering(build, process);
                ends.processes.push(handler);
                continue;
            };
            let serves = behaviours::is_behaviour(build, site.module, site.node);
            let handler = new_handler(build);
            for function in run_by(build, process) {
                connect(build, handler, function, serves);
                process_of.entry(function).or_default().push(index);
            }
            ends.processes.push(handler);
        }
        let all = ends.processes.clone();
        if !all.is_empty() {
            let any = new_handler(build);
            for one in all {
                build.jump(any.raised, one.raised, EdgeKind::State, Label::All);
                build.jump(any.reason, one.reason, EdgeKind::State, Label::All);
            }
            ends.any = Some(any);
        }
        ends.link(build);
        for edge in flow.graph.edges.iter().filter(|edge| edge.kind == FlowEdge::Message) {
            let (from, to) = (flow.graph.vertex(edge.from), flow.graph.vertex(edge.to));
            let processes = process_of.get(&to.function);
            if let (true, Some(processes)) = (behaviours::is_function(to), processes) {
                let asked = ends.asked.entry((from.site.module, from.site.node)).or_default();
                asked.extend(processes);
                asked.sort_unstable();
                asked.dedup();
            }
        }
        build.ends = ends;
    }

    /// Processes that are linked end together, and give the reason on.
    fn link(&mut self, build: &mut Build<'_>) {
        self.linked = vec![None; self.processes.len()];
        if !build.has_linked_processes {
            return;
        }
        let groups = linked_together(build);
        let mut made: FxHashMap<ProcessId, Handler> = FxHashMap::default();
        for (index, &group) in groups.iter().enumerate() {
            let one = self.processes[index];
            let is_alone = groups.iter().filter(|&&other| other == group).count() < 2;
            if is_alone {
                continue;
            }
            let all = *made.entry(group).or_insert_with(|| new_handler(build));
            build.jump(all.raised, one.raised, EdgeKind::State, Label::All);
            build.jump(all.reason, one.reason, EdgeKind::State, Label::All);
            build.jump(one.raised, all.raised, EdgeKind::State, Label::All);
            build.jump(one.reason, all.reason, EdgeKind::State, Label::All);
            self.linked[index] = Some(all);
        }
    }

    /// The reasons that a process whose code ends with a function may have from others.
    pub(crate) fn handed_on(&self, build: &Build<'_>, function: FunctionId) -> Vec<Node> {
        let processes = build.processes.iter().zip(&self.linked);
        let mut found: Vec<Node> = processes
            .filter(|(process, _)| process.entries.contains(&function))
            .filter_map(|(_, linked)| linked.map(|linked| linked.reason))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Looks for names that are given to processes, and whether they are used as anything else.
    fn note_names(&mut self, build: &Build<'_>) {
        let mut names: FxHashSet<Atom> = FxHashSet::default();
        let mut atoms: Vec<Atom> = Vec::new();
        for module in &build.flow.modules {
            let tree = &module.tree;
            let mut used: FxHashSet<NodeId> = FxHashSet::default();
            let mut here: Vec<(NodeId, Atom)> = Vec::new();
            for index in 0..tree.nodes.len() {
                let node = NodeId(index as u32);
                let mut named = None;
                match tree.kind(node) {
                    Kind::Atom(name) => here.push((node, name)),
                    Kind::Call { callee, args } => {
                        let callee = match tree.kind(callee) {
                            Kind::Remote { name, .. } => name,
                            _ => callee,
                        };
                        used.insert(callee);
                        let first = tree.list(args).first().copied();
                        if is_atom(tree, callee, &["register", "register_name"]) {
                            named = first;
                        } else if is_atom(tree, callee, ASKING) {
                            used.extend(first);
                        }
                    }
                    Kind::Tuple { elements } => match *tree.list(elements) {
                        [how, name] if is_atom(tree, how, &["local", "global"]) => {
                            named = Some(name);
                        }
                        [how, _, name] if is_atom(tree, how, &["via"]) => named = Some(name),
                        _ => {}
                    },
                    Kind::BinaryOp { op: BinaryOp::Send, left, .. } => {
                        used.insert(left);
                    }
                    _ => {}
                }
                if let Some(named) = named {
                    self.has_names = true;
                    used.insert(named);
                    match tree.kind(named) {
                        Kind::Atom(name) => {
                            names.insert(name);
                        }
                        _ => self.has_known_names = false,
                    }
                }
            }
            atoms
                .extend(here.iter().filter(|(node, _)| !used.contains(node)).map(|(_, name)| name));
        }
        self.has_values = !self.has_known_names || atoms.iter().any(|name| names.contains(name));
    }

    /// The ends of the processes that a function may run in.
    pub(crate) fn of_function(&self, build: &Build<'_>, function: FunctionId) -> Vec<Node> {
        let processes = build.processes.iter().zip(&self.processes);
        let running =
            processes.filter(|(process, _)| process.functions.binary_search(&function).is_ok());
        running.map(|(_, handler)| handler.raised).collect()
    }

    pub(crate) fn of_any(&self) -> Vec<Node> {
        self.any.iter().map(|handler| handler.raised).collect()
    }

    /// The ends of the processes that a name, or any name, may mean.
    fn named(&self, build: &Build<'_>, name: Option<Atom>) -> Vec<Handler> {
        if !self.has_known_names {
            return self.any.into_iter().collect();
        }
        let is_meant = |names: &[Atom]| match name {
            Some(name) => names.contains(&name),
            None => !names.is_empty(),
        };
        let processes = build.processes.iter().zip(&self.processes);
        let meant = processes.filter(|(process, _)| is_meant(&process.names));
        meant.map(|(_, handler)| *handler).collect()
    }
}

fn is_atom(tree: &syntax::ast::Module, node: NodeId, names: &[&str]) -> bool {
    matches!(tree.kind(node), Kind::Atom(name) if names.contains(&name.as_str()))
}

/// The functions that a process runs first, and those that it calls back.
fn run_by(build: &Build<'_>, process: &ProcessInfo) -> Vec<FunctionId> {
    let site = process.site.map(|site| (site.module, site.node));
    let targets = site.and_then(|site| build.targets.get(&site));
    let mut functions = process.entries.clone();
    functions.extend(targets.map_or(&[][..], |targets| &targets.called_back));
    functions.sort_unstable();
    functions.dedup();
    functions
}

/// The end of a process that enters the program. Who called it goes on when it returns.
fn entering(build: &mut Build<'_>, process: &ProcessInfo) -> Handler {
    let ended = new_handler(build);
    for &function in &process.entries {
        let nodes = build.function(function).clone();
        build.jump(ended.raised, nodes.raise, EdgeKind::Exception, Label::All);
        build.jump(ended.reason, nodes.reason, EdgeKind::Exception, Label::All);
    }
    ended
}

/// For each process, the number of its group: one is linked to who starts it if that links. Whom
/// `link` means is not known: any that was started because of the same entry.
fn linked_together(build: &Build<'_>) -> IdVec<ProcessId, ProcessId> {
    let processes = &build.processes;
    let mut groups: IdVec<ProcessId, ProcessId> = processes.ids().collect();
    let mut join = |one: ProcessId, other: ProcessId| {
        let (from, to) = (groups[one], groups[other]);
        groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    };
    for (id, process) in processes.enumerate() {
        let site = process.site.map(|site| (site.module, site.node));
        if site.is_some_and(|(module, node)| effects::may_link(build, module, node)) {
            process.parents.iter().for_each(|&parent| join(id, parent));
        }
    }
    for entering in &build.entering {
        let runs = |function: &FunctionId| entering.functions.binary_search(function).is_ok();
        if !build.linking.iter().any(runs) {
            continue;
        }
        let mut related = processes.enumerate().filter(|(_, process)| match process.site {
            Some(_) => process.entries.iter().any(runs),
            None => process.entries == entering.entries,
        });
        if let Some((first, _)) = related.next() {
            related.for_each(|(other, _)| join(other, first));
        }
    }
    groups
}

fn new_handler(build: &mut Build<'_>) -> Handler {
    let mut node = || build.node_of_none(Role::State);
    let (raised, reason) = (node(), node());
    build.jump(reason, raised, EdgeKind::State, Label::All);
    Handler { raised, reason }
}

/// That a process ends depends on what runs in it.
fn connect(build: &mut Build<'_>, ended: Handler, function: FunctionId, serves: bool) {
    let nodes = build.function(function).clone();
    build.jump(ended.raised, nodes.raise, EdgeKind::Exception, Label::All);
    build.jump(ended.reason, nodes.reason, EdgeKind::Exception, Label::All);
    if !serves {
        build.jump(ended.raised, nodes.end, EdgeKind::Control, Label::All);
        return;
    }
    for (node, kind, label) in behaviours::endings(build, function) {
        build.jump(ended.raised, node, kind, label);
    }
    let reason = &[behaviours::Element::Reason];
    for (size, position) in behaviours::places(build, function, reason) {
        let label = Label::Open(fields::element(size, position));
        build.jump(ended.reason, nodes.result, EdgeKind::Output, label);
    }
}

impl Walker<'_, '_> {
    /// What follows may not happen because the process has ended together with others.
    pub(crate) fn may_be_ended(&mut self, next: Node) {
        let processes = self.build.processes.iter().zip(&self.build.ends.linked);
        let running = processes
            .filter(|(process, _)| process.functions.binary_search(&self.function).is_ok());
        let mut linked: Vec<Node> =
            running.filter_map(|(_, linked)| linked.map(|linked| linked.raised)).collect();
        linked.sort_unstable();
        linked.dedup();
        for linked in linked {
            self.build.jump(next, linked, EdgeKind::State, Label::All);
        }
    }

    /// What may fail because a process has ended that had a name.
    pub(crate) fn looks_for_name(&mut self, node: NodeId, raise: Node, to: NodeId) {
        let ends = &self.build.ends;
        let is_name = ends.has_names && types::of(self.build, self.module, to) & types::ATOM != 0;
        let may_be = || {
            let site = Site { module: self.module, node };
            let mut outside = self.build.flow.unresolved.iter();
            ends.has_values
                || outside.any(|found| found.kind == UnresolvedKind::Send && found.site == site)
        };
        if is_name && (self.name_of(to).is_some() || may_be()) {
            for ended in self.build.ends.named(self.build, self.name_of(to)) {
                self.build.jump(raise, ended.raised, EdgeKind::State, Label::All);
            }
        }
    }

    /// What a call may tell of processes that have ended: with its value, or because it fails.
    pub(crate) fn hears_of_ends(
        &mut self,
        node: NodeId,
        args: &[NodeId],
        (done, value): (Node, Node),
        raise: Option<Node>,
    ) {
        if needs_ends(self.build, self.module, node) {
            for ended in self.asked(node, args) {
                self.build.jump(done, ended.raised, EdgeKind::State, Label::All);
            }
        }
        let (tells, asks) = (
            are_told(self.build, self.module, node),
            raise.filter(|_| asks(self.build, self.module, node)),
        );
        if tells || asks.is_some() {
            for ended in self.asked(node, args) {
                if tells {
                    self.build.jump(value, ended.reason, EdgeKind::State, Label::All);
                }
                if let Some(raise) = asks {
                    self.build.jump(raise, ended.raised, EdgeKind::State, Label::All);
                    let reason = self.handler.reason;
                    self.build.jump(reason, ended.reason, EdgeKind::State, Label::All);
                }
            }
        }
        if let (Some(raise), Some(&to)) = (raise, args.first())
            && sends_to_name(self.build, self.module, node)
        {
            self.looks_for_name(node, raise, to);
        }
    }

    /// The processes that a call is about.
    fn asked(&self, node: NodeId, args: &[NodeId]) -> Vec<Handler> {
        let ends = &self.build.ends;
        if let Some(processes) = ends.asked.get(&(self.module, node)) {
            return processes.iter().map(|&index| ends.processes[index]).collect();
        }
        match args.first().and_then(|&first| self.name_of(first)) {
            Some(name) => ends.named(self.build, Some(name)),
            None => ends.any.into_iter().collect(),
        }
    }

    /// The name that an expression is.
    fn name_of(&self, node: NodeId) -> Option<Atom> {
        match self.tree.kind(node) {
            Kind::Atom(name) => Some(name),
            Kind::Tuple { elements } => match self.tree.list(elements) {
                &[how, name] if is_atom(&self.tree, how, &["local", "global"]) => {
                    self.name_of(name)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether the value of a call says whether processes have ended.
pub(crate) fn are_told(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    let Some((of, _)) = library::name(build, module, node) else { return false };
    let is_server = matches!(of.as_str(), "gen_server" | "gen_statem" | "gen_event");
    effects::does(build, module, node, Effect::TellsEnds)
        || (is_server && starts_named(build, module, node))
}

/// Whether a call starts a server with a name.
fn starts_named(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    let Some((of, name)) = library::name(build, module, node) else { return false };
    let Kind::Call { args, .. } = build.flow.modules[module].tree.kind(node) else {
        return false;
    };
    let named = match of.as_str() {
        "gen_server" | "gen_statem" => 4,
        "supervisor" => 3,
        "gen_event" => 1,
        _ => return false,
    };
    name.as_str().starts_with("start") && args.len >= named
}

/// Whether what a call does depends on that a process has ended, or on that it has not: a name is
/// free, a link is possible.
fn needs_ends(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    effects::does(build, module, node, Effect::NeedsEnds) || starts_named(build, module, node)
}

/// Whether a call sends something to a process that may be given by its name.
fn sends_to_name(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    let name = library::name(build, module, node);
    name.is_some_and(|(of, name)| {
        of == atom::known::ERLANG && matches!(name.as_str(), "send" | "send_nosuspend")
    })
}

/// Whether a call fails if the process that it asks has ended.
pub(crate) fn asks(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    let Some((of, name)) = library::name(build, module, node) else { return false };
    (behaviours::is_module(of) || of.as_str() == "sys")
        && !matches!(name.as_str(), "cast" | "abcast" | "notify" | "reply" | "send_request")
        && !name.as_str().starts_with("start")
}
