//! Puts the graph of a program together: functions one after the other, then what connects them.
//!
//! In this order, as each step asks what those before have found:
//! 1. nodes for all functions, so that calls have something to lead to;
//! 2. what can be told by looking at all calls: targets, who may fail unnoticed, who waits
//!    ([`regions`]), which functions are callbacks of servers ([`super::behaviours`]), whose ends
//!    are seen ([`super::ends`]);
//! 3. the walk over each function ([`super::expressions`]), funs where they stand;
//! 4. edges across functions that no call makes: messages ([`messages`]), state that outlives calls
//!    ([`super::effects`]), parts of binaries ([`super::layouts`]).
//!
//! Two graphs are made of one program where others see that the process that enters it fails
//! ([`SeenBy`]). Cost: near-linear in the trees and in the edges that `flow` found.

use atom::Atom;
use flow::ids::IdVec;
use flow::{Flow, FunctionId, ModuleId, ProcessId, ProcessInfo};
use program::Program;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId};

use super::behaviours::Servers;
use super::calls::OutsideFuns;
use super::effects::States;
use super::ends::Ends;
use super::expressions::Walker;
use super::fields::Keys;
use super::layouts::Layouts;
use super::nodes::{FunctionNodes, ModuleNodes, Origin, Role, Targets};
use super::notice::Entering;
use super::selection::Selection;
use super::{macros, messages, regions};
use crate::options::Options;
use dependence::{Builder, Call, EdgeKind, Frame, Graph, Label, Node};

/// A finished graph, with what its nodes mean.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) graph: Graph,
    pub(crate) origins: IdVec<Node, Origin>,
    pub(crate) modules: IdVec<ModuleId, ModuleNodes>,
    pub(crate) functions: IdVec<FunctionId, FunctionNodes>,
    /// Whether others may see that the process that enters the program has failed.
    pub(crate) is_entering_watched: bool,
    /// Whether failures that somebody may notice do not count.
    pub(crate) spares_failures: bool,
}

/// Whose values the graph is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeenBy {
    /// Those of the process that enters the program: it does not see that it has failed.
    Itself,
    /// Those of others, too.
    Others,
}

/// The graph while it is made.
#[derive(Debug)]
pub(crate) struct Build<'p> {
    pub(crate) program: &'p Program,
    pub(crate) flow: &'p Flow,
    pub(crate) options: Options,
    graph: Builder,
    origins: IdVec<Node, Origin>,
    pub(crate) modules: IdVec<ModuleId, ModuleNodes>,
    pub(crate) functions: IdVec<FunctionId, FunctionNodes>,
    by_name: FxHashMap<(Atom, Atom, u32), FunctionId>,
    pub(crate) funs: FxHashMap<(ModuleId, NodeId), FunctionId>,
    pub(crate) targets: FxHashMap<(ModuleId, NodeId), Targets>,
    pub(crate) outside_funs: OutsideFuns,
    pub(crate) selection: Selection,
    pub(crate) servers: Servers,
    pub(crate) ends: Ends,
    /// Whether tables are made here, and the first element of their rows is the key.
    pub(crate) has_usual_tables: bool,
    /// Whether processes that the program starts are linked to each other.
    pub(crate) has_linked_processes: bool,
    seen_by: SeenBy,
    /// Whether failures that somebody may notice do not count.
    pub(crate) spares_failures: bool,
    /// The entries that start processes.
    pub(crate) entering: Vec<Entering>,
    /// The processes whose ends others may see.
    pub(crate) processes: IdVec<ProcessId, ProcessInfo>,
    /// The functions that link to processes that are there already.
    pub(crate) linking: Vec<FunctionId>,
    /// Whether processes of the program do what is asked by `io`.
    pub(crate) has_io_servers: bool,
    /// How many calls there are, for the frames of edges.
    calls: usize,
    pub(crate) keys: Keys,
    pub(crate) binaries: Layouts,
    pub(crate) states: States,
    /// What a receive takes its message from.
    pub(crate) mailboxes: FxHashMap<(ModuleId, NodeId), Node>,
    /// Where exceptions go that nobody catches.
    pub(crate) nowhere: Node,
}

pub(crate) fn build(program: &Program, flow: &Flow, options: Options, seen_by: SeenBy) -> Built {
    let mut build = Build {
        program,
        flow,
        options,
        graph: Builder::default(),
        origins: IdVec::new(),
        modules: IdVec::new(),
        functions: IdVec::new(),
        by_name: FxHashMap::default(),
        funs: FxHashMap::default(),
        targets: FxHashMap::default(),
        outside_funs: OutsideFuns::default(),
        selection: Selection::new(flow.functions.len()),
        servers: Servers::default(),
        ends: Ends::default(),
        has_usual_tables: false,
        has_linked_processes: false,
        seen_by,
        spares_failures: false,
        entering: Vec::new(),
        processes: IdVec::new(),
        linking: Vec::new(),
        has_io_servers: false,
        calls: 0,
        keys: Keys::default(),
        binaries: Layouts::default(),
        states: States::default(),
        mailboxes: FxHashMap::default(),
        nowhere: Node::new(0),
    };
    build.nowhere = build.node_of_none(Role::Between);
    build.declare();
    regions::find(&mut build);
    Servers::find(&mut build);
    Ends::find(&mut build);
    for (id, function) in flow.functions.enumerate() {
        // Funs are walked where they stand.
        if !function.is_fun() {
            Walker::new(&mut build, id).function();
        }
    }
    messages::connect(&mut build);
    States::connect(&mut build);
    Layouts::connect(&mut build);
    let Build { graph, origins, modules, functions, entering, spares_failures, .. } = build;
    let is_entering_watched = entering.iter().any(|entering| entering.is_noticed);
    let graph = graph.finish();
    Built { graph, origins, modules, functions, is_entering_watched, spares_failures }
}

impl Build<'_> {
    /// Nodes for all functions, before any of them is looked into.
    fn declare(&mut self) {
        let flow = self.flow;
        for module in &flow.modules {
            let mut nodes = ModuleNodes::new(module.tree.nodes.len());
            let calls = macros::MacroCalls::of(&module.tree);
            for &form in &module.tree.forms {
                if matches!(module.tree.kind(form), Kind::Function { .. }) {
                    macros::mark(&module.tree, &calls, form, &mut nodes);
                }
            }
            self.modules.push(nodes);
        }
        for (id, function) in flow.functions.enumerate() {
            let mut node = |role| self.node(function.module, function.node, role);
            let entry = node(Role::Entry);
            let result = node(Role::Result);
            let raise = node(Role::Raise);
            let reason = node(Role::Raise);
            let end = node(Role::End);
            let first = self.graph.next();
            for _ in 0..function.arity {
                self.node(function.module, function.node, Role::Parameter);
            }
            let clauses = function.clauses.len;
            let first_clause = self.graph.next();
            for _ in 0..clauses {
                let value = self.node(function.module, function.node, Role::Result);
                self.edge(result, value, EdgeKind::Value, Label::Same);
            }
            self.functions.push(FunctionNodes {
                entry,
                first_parameter: first,
                arity: function.arity,
                first_clause,
                clauses,
                result,
                raise,
                reason,
                end,
                guarded: false,
                waits: false,
                is_recursive: false,
            });
            self.edge(reason, raise, EdgeKind::Exception, Label::All);
            if function.is_fun() {
                self.funs.insert((function.module, function.node), id);
            } else {
                let module = flow.modules[function.module].name;
                self.by_name.entry((module, function.name, function.arity)).or_insert(id);
            }
        }
    }

    /// Whether it counts that the process that enters the program may fail.
    pub(crate) fn sees_entering(&self) -> bool {
        self.seen_by == SeenBy::Others
    }

    pub(crate) fn node(&mut self, module: ModuleId, node: NodeId, role: Role) -> Node {
        self.origins.push(Origin { module, node, role });
        self.graph.node()
    }

    /// A node that belongs to no place.
    pub(crate) fn node_of_none(&mut self, role: Role) -> Node {
        self.node(ModuleId::new(0), NodeId(0), role)
    }

    pub(crate) fn function(&self, id: FunctionId) -> &FunctionNodes {
        &self.functions[id]
    }

    /// A function of the program.
    pub(crate) fn find(&self, module: Atom, name: Atom, arity: u32) -> Option<FunctionId> {
        self.by_name.get(&(module, name, arity)).copied()
    }

    pub(crate) fn edge(&mut self, from: Node, to: Node, kind: EdgeKind, label: Label) {
        self.graph.edge(from, to, kind, label);
    }

    pub(crate) fn framed(
        &mut self,
        from: Node,
        to: Node,
        kind: EdgeKind,
        label: Label,
        frame: Frame,
    ) {
        self.graph.framed(from, to, kind, label, frame);
    }

    /// An edge between places that no call connects.
    pub(crate) fn jump(&mut self, from: Node, to: Node, kind: EdgeKind, label: Label) {
        self.graph.framed(from, to, kind, label, Frame::Jump);
    }

    /// One more call.
    pub(crate) fn new_call(&mut self) -> Call {
        self.calls += 1;
        Call::new(self.calls - 1)
    }

    /// The functions of a module, or of all, with a name, or with any.
    pub(crate) fn named(&self, module: Option<Atom>, name: Option<Atom>) -> Vec<FunctionId> {
        let wanted = self.flow.functions.enumerate().filter(|(_, function)| {
            let of = self.flow.modules[function.module].name;
            !function.is_fun()
                && module.is_none_or(|module| module == of)
                && name.is_none_or(|name| name == function.name)
        });
        wanted.map(|(id, _)| id).collect()
    }

    /// That a function is there, whatever it does.
    pub(crate) fn presence(&mut self, id: FunctionId) -> Node {
        let function = self.flow.function(id);
        let (module, at) = (function.module, function.node);
        if let Some(there) = self.modules[module].value(at) {
            return there;
        }
        let there = self.node(module, at, Role::Between);
        self.modules[module].set_value(at, there);
        there
    }

    /// How many alternatives the candidates of an unknown callee are: all funs of an arity.
    pub(crate) fn funs_of_arity(&self, arity: u32) -> Vec<FunctionId> {
        let functions = self.flow.functions.enumerate();
        functions
            .filter(|(_, function)| function.is_fun() && function.arity == arity)
            .map(|(id, _)| id)
            .collect()
    }
}
