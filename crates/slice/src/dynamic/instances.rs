//! From the dependences of a program to those of a run: the edges of the static graph, between
//! instances of its nodes.
//!
//! An instance of a node is the node in an activation. What an edge leads to in a run follows from
//! how it crosses procedures:
//!
//! * inside of one, to the same activation, if that evaluated it. From an element of a
//!   comprehension to what is around it, and from outside to all elements that evaluated it;
//! * from a call to what it called, and back to the place that called;
//! * from a use in a fun to the activations that made such a fun before;
//! * from a receive to the send of the message that it took; from a callback to the request;
//! * from a read to the writes that it saw.
//!
//! So every dependence of a run is one of the static graph, and a slice of a run is part of the
//! static slice.

use std::cell::Cell;

use flow::effects::Effect;
use flow::ids::IdVec;
use flow::{FunctionId, ModuleId, Site};
use program::resolve::Target;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId};

use super::gates::{ClauseKind, Gate, Gates};
use super::record::{Act, Run, Sent, chosen, marked};
use crate::erlang::Role;
use crate::graph::View;
use dependence::{Call, Edge, EdgeKind, Frame, Label, Node};

/// Dependences that are not known exactly and were taken from the static graph, as far as they can
/// have happened.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Inexact {
    /// Which of several funs made at the same place a call means.
    pub funs: bool,
    /// Reads of what has no record of who wrote it: files, the environment, ….
    pub states: bool,
    /// Who asked a server of the library to send a message.
    pub messages: bool,
    /// Which links, monitors and flags of processes decided what exit signals did.
    pub signals: bool,
}

/// A dependence of an instance.
pub(super) struct Dependence {
    pub(super) on: Node,
    pub(super) act: Act,
    pub(super) kind: EdgeKind,
    pub(super) label: Label,
}

pub(super) struct Instances<'g> {
    graph: View<'g>,
    run: &'g Run,
    gates: IdVec<ModuleId, Gates>,
    /// The function of each node of the graph.
    functions: IdVec<Node, Option<FunctionId>>,
    /// The places of the numbers of calls.
    calls: FxHashMap<Call, Site>,
    /// What was called at a place.
    callees: FxHashMap<(Act, NodeId), Vec<Act>>,
    of_function: FxHashMap<FunctionId, Vec<Act>>,
    /// The elements of comprehensions in an activation.
    elements: FxHashMap<Act, Vec<Act>>,
    inexact: Cell<Inexact>,
}

impl<'g> Instances<'g> {
    pub(super) fn new(graph: View<'g>, run: &'g Run) -> Instances<'g> {
        let flow = graph.flow;
        let gates = flow.modules.ids().map(|module| Gates::of(flow, module)).collect();
        let mut calls = FxHashMap::default();
        for node in graph.built.origins.ids() {
            for edge in graph.built.graph.sources.of(node) {
                if let (EdgeKind::Call, Frame::Leave(call)) = (edge.kind, edge.frame) {
                    let origin = graph.built.origins[edge.to];
                    calls.insert(call, Site { module: origin.module, node: origin.node });
                }
            }
        }
        let mut callees: FxHashMap<(Act, NodeId), Vec<Act>> = FxHashMap::default();
        let mut of_function: FxHashMap<FunctionId, Vec<Act>> = FxHashMap::default();
        let mut elements: FxHashMap<Act, Vec<Act>> = FxHashMap::default();
        for (act, activation) in run.activations.iter().enumerate() {
            let act = act as Act;
            if let Some((caller, node)) = activation.caller {
                callees.entry((caller, node)).or_default().push(act);
            }
            of_function.entry(activation.function).or_default().push(act);
            if activation.inside.is_some() {
                elements.entry(run.host(act)).or_default().push(act);
            }
        }
        let mut instances = Instances {
            graph,
            run,
            gates,
            functions: IdVec::new(),
            calls,
            callees,
            of_function,
            elements,
            inexact: Cell::default(),
        };
        let nodes = graph.built.origins.ids();
        instances.functions = nodes.map(|node| instances.find_function(node)).collect();
        instances
    }

    pub(super) fn inexact(&self) -> Inexact {
        self.inexact.get()
    }

    fn tree(&self, module: ModuleId) -> &'g Module {
        &self.graph.flow.modules[module].tree
    }

    fn find_function(&self, node: Node) -> Option<FunctionId> {
        let origin = self.graph.built.origins[node];
        let around = &self.gates[origin.module].around;
        let owner = around.owner(origin.node)?;
        let function = self.graph.flow.function(owner);
        let is_value = matches!(origin.role, Role::Value | Role::Between);
        if function.node == origin.node && function.is_fun() && is_value {
            // A fun as a value is a part of what is around it.
            return around.parent(origin.node).and_then(|outer| around.owner(outer));
        }
        Some(owner)
    }

    pub(super) fn function_of(&self, node: Node) -> Option<FunctionId> {
        self.functions[node]
    }

    /// The clauses around a node, up to the function.
    pub(super) fn around(&self, module: ModuleId, node: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = self.tree(module);
        let outer = self.gates[module].around.ancestors(node);
        let outer = outer.take_while(|&node| {
            !matches!(tree.kind(node), Kind::Function { .. } | Kind::Fun { .. })
        });
        outer.filter(|&node| matches!(tree.kind(node), Kind::Clause { .. }))
    }

    /// Whether a node is about a function as such: its entry, a parameter, its result.
    fn is_of_whole(&self, node: Node) -> bool {
        let origin = self.graph.built.origins[node];
        let function = self.function_of(node).map(|function| self.graph.flow.function(function));
        function.is_some_and(|function| function.node == origin.node)
    }

    // ---- What was evaluated ------------------------------------------------------------------

    /// Whether an activation evaluated a node.
    pub(super) fn is_evaluated(&self, node: Node, act: Act) -> bool {
        let activation = self.run.activation(act);
        if self.functions[node] != Some(activation.function) {
            return false;
        }
        let origin = self.graph.built.origins[node];
        if self.is_of_whole(node) {
            return activation.inside.is_none()
                && !(origin.role == Role::Result && activation.left);
        }
        let tree = self.tree(origin.module);
        let gate = self.gates[origin.module].gate(origin.node);
        match (origin.role, tree.kind(origin.node), gate) {
            (Role::Control, Kind::Clause { .. }, _) => self.run.has(act, chosen(origin.node)),
            _ => self.is_open(origin.module, gate, act),
        }
    }

    fn is_open(&self, module: ModuleId, gate: Gate, act: Act) -> bool {
        match gate {
            Gate::Function => self.run.activation(act).inside.is_none(),
            Gate::Marked(node) => self.run.has(act, marked(node)),
            Gate::Tried(clause) => self.is_tried(module, clause, act),
            Gate::Element(generator) => {
                let inside = self.run.activation(act).inside;
                inside.is_some_and(|(element_of, _)| element_of == generator)
                    || self.is_empty(module, generator, act)
            }
            Gate::Nowhere => false,
        }
    }

    /// Whether a generator had nothing to give in an activation: then that is what it decided
    /// there.
    fn is_empty(&self, module: ModuleId, generator: NodeId, act: Act) -> bool {
        let tree = self.tree(module);
        let source = match tree.kind(generator) {
            Kind::Generator { source, .. } => Some(source),
            Kind::ZipGenerator { generators } => {
                tree.list(generators).first().and_then(|&first| match tree.kind(first) {
                    Kind::Generator { source, .. } => Some(source),
                    _ => None,
                })
            }
            _ => None,
        };
        let was_reached = source.is_some_and(|source| self.run.has(act, marked(source)));
        was_reached && {
            let elements = self.elements.get(&self.run.host(act)).map_or(&[][..], Vec::as_slice);
            !elements
                .iter()
                .any(|&element| self.run.activation(element).inside == Some((generator, act)))
        }
    }

    /// Whether the head of a clause was looked at.
    fn is_tried(&self, module: ModuleId, clause: NodeId, act: Act) -> bool {
        let tree = self.tree(module);
        let gates = &self.gates[module];
        let Some(place) = gates.clause(tree, clause) else { return false };
        let begins = match place.how {
            ClauseKind::Function => self.run.activation(act).inside.is_none(),
            ClauseKind::Choice => self.is_open(module, gates.gate(place.owner), act),
            ClauseKind::Receive => {
                return self.is_open(module, gates.gate(place.owner), act);
            }
            ClauseKind::Of => {
                // What comes to the handlers came out of the body, unless a clause was chosen or
                // none was.
                let at = (act, place.owner);
                let mut among = tree.list(place.among).iter();
                let is_decided = self.run.raised.contains(&at)
                    || among.any(|&clause| self.run.has(act, chosen(clause)));
                self.is_open(module, gates.gate(place.owner), act)
                    && (is_decided || !self.run.caught.contains(&at))
            }
            ClauseKind::Handler => self.run.caught.contains(&(act, place.owner)),
        };
        let mut before = tree.list(place.among).iter().take_while(|&&other| other != clause);
        begins && !before.any(|&other| self.run.has(act, chosen(other)))
    }

    /// The activations in which a node was evaluated, seen from an activation of the same function.
    fn resolve(&self, node: Node, act: Act, found: &mut Vec<Act>) {
        let mut here = act;
        loop {
            if self.is_evaluated(node, here) {
                found.push(here);
                return;
            }
            match self.run.activation(here).inside {
                Some((_, outer)) => here = outer,
                None => break,
            }
        }
        let elements = self.elements.get(&here).map_or(&[][..], Vec::as_slice);
        for &element in elements {
            if self.is_evaluated(node, element) && self.is_inside(element, act) {
                found.push(element);
            }
        }
    }

    fn is_inside(&self, element: Act, outer: Act) -> bool {
        let mut here = element;
        loop {
            if here == outer {
                return true;
            }
            match self.run.activation(here).inside {
                Some((_, around)) => here = around,
                None => return false,
            }
        }
    }

    /// Whether something failed in the way that an edge to the node for failing is about.
    fn failed(&self, from: Role, edge: &Edge, act: Act) -> bool {
        let origin = self.graph.built.origins[edge.to];
        if origin.role != Role::Raise {
            return true;
        }
        if self.is_of_whole(edge.to) {
            return self.run.activation(act).left;
        }
        match self.tree(origin.module).kind(origin.node) {
            _ if from != Role::Raise && edge.kind == EdgeKind::Control => {
                // That it did not fail here matters if it can fail.
                let site = Site { module: origin.module, node: origin.node };
                self.run.ever_raised.contains(&site)
            }
            Kind::Try { .. } | Kind::Catch { .. } => {
                // No clause of it took a value, or it took an exception.
                let place = (act, origin.node);
                self.run.caught.contains(&place) || self.run.raised.contains(&place)
            }
            _ => self.run.raised.contains(&(act, origin.node)),
        }
    }

    // ---- Dependences -------------------------------------------------------------------------

    /// What an instance depends on.
    pub(super) fn dependences(&self, node: Node, act: Act, found: &mut Vec<Dependence>) {
        let role = self.graph.built.origins[node].role;
        let mut acts: Vec<Act> = Vec::new();
        for edge in self.graph.built.graph.sources.of(node) {
            acts.clear();
            match edge.frame {
                Frame::Stay => self.resolve(edge.to, act, &mut acts),
                Frame::Enter(call) => self.entered(call, edge, act, &mut acts),
                Frame::Leave(call) => {
                    self.left(call, edge, act, &mut acts, found);
                }
                Frame::Jump => self.jump(node, edge, act, &mut acts, found),
            }
            if acts.is_empty() && edge.kind == EdgeKind::Declaration && self.is_presence(edge.to) {
                // Somebody looked whether a function is there.
                let Edge { to: on, kind, label, .. } = *edge;
                found.push(Dependence { on, act, kind, label });
            }
            if acts.is_empty() && self.is_of_comprehension(node, edge) {
                self.decided(edge.to, act, found);
            }
            for &act in &acts {
                if self.failed(role, edge, act) {
                    let Edge { to, kind, label, .. } = *edge;
                    found.push(Dependence { on: to, act, kind, label });
                }
            }
        }
    }

    /// Whether a node is about that a function of the module is there, whether it is called or not.
    fn is_presence(&self, node: Node) -> bool {
        let origin = self.graph.built.origins[node];
        let is_function =
            matches!(self.tree(origin.module).kind(origin.node), Kind::Function { .. });
        is_function && origin.role == Role::Between
    }

    /// Whether an edge leads from a comprehension to what decides about its elements.
    fn is_of_comprehension(&self, node: Node, edge: &Edge) -> bool {
        let origin = self.graph.built.origins[node];
        let kind = self.tree(origin.module).kind(origin.node);
        edge.kind == EdgeKind::Control && matches!(kind, Kind::Comprehension { .. })
    }

    /// No element came as far as this decision: the last ones before it that were made.
    fn decided(&self, choice: Node, act: Act, found: &mut Vec<Dependence>) {
        let mut pending = vec![choice];
        let mut acts = Vec::new();
        while let Some(choice) = pending.pop() {
            for edge in self.graph.built.graph.sources.of(choice) {
                if edge.kind != EdgeKind::Control || edge.frame != Frame::Stay {
                    continue;
                }
                acts.clear();
                self.resolve(edge.to, act, &mut acts);
                let is_choice = self.graph.built.origins[edge.to].role == Role::Control;
                if acts.is_empty() && is_choice {
                    pending.push(edge.to);
                }
                for &act in &acts {
                    let (kind, label) = (EdgeKind::Control, Label::All);
                    found.push(Dependence { on: edge.to, act, kind, label });
                }
            }
        }
    }

    /// From a call to what it called. An exception that passes a comprehension comes from a call
    /// for one of its elements.
    fn entered(&self, call: Call, edge: &Edge, act: Act, acts: &mut Vec<Act>) {
        let Some(site) = self.calls.get(&call) else { return };
        self.entered_from(site.node, edge, act, acts);
        let elements = self.elements.get(&self.run.host(act)).map_or(&[][..], Vec::as_slice);
        for &element in elements.iter().filter(|&&element| element != act) {
            if self.is_inside(element, act) {
                self.entered_from(site.node, edge, element, acts);
            }
        }
    }

    /// From a call that an activation made itself.
    fn entered_from(&self, place: NodeId, edge: &Edge, act: Act, acts: &mut Vec<Act>) {
        let Some(callees) = self.callees.get(&(act, place)) else { return };
        let over = self.run.returned.get(&(act, place)).copied().unwrap_or(u64::MAX);
        for &callee in callees {
            let activation = self.run.activation(callee);
            let in_time = !activation.from_outside || activation.begun < over;
            if self.functions[edge.to] == Some(activation.function)
                && in_time
                && self.is_evaluated(edge.to, callee)
            {
                acts.push(callee);
            }
        }
    }

    /// From what was called to the place that called it.
    fn left(
        &self,
        call: Call,
        edge: &Edge,
        act: Act,
        acts: &mut Vec<Act>,
        found: &mut Vec<Dependence>,
    ) {
        let host = self.run.host(act);
        let activation = self.run.activation(host);
        let Some((caller, node)) = activation.caller else { return };
        let module = self.graph.flow.function(self.run.activation(caller).function).module;
        if self.calls.get(&call) != Some(&Site { module, node }) {
            return;
        }
        let to = self.graph.built.origins[edge.to];
        let is_given_by_library = edge.kind == EdgeKind::Input
            && to.node == node
            && (edge.label == Label::All || to.role == Role::State);
        if !is_given_by_library {
            if edge.kind == EdgeKind::Call && activation.from_outside && self.decides(module, node)
            {
                self.given_before(host, found);
            }
            return self.resolve(edge.to, caller, acts);
        }
        // What library code hands on it has from its arguments, or from functions that it called
        // before.
        let done = self.graph.built.modules[module].effects.get(&node);
        if let Some(&done) = done {
            let (kind, label) = (EdgeKind::Input, Label::All);
            found.push(Dependence { on: done, act: caller, kind, label });
        }
        if to.role != Role::Effect {
            self.given_before(host, found);
            self.seen_outside(edge.to, caller, found);
        }
    }

    /// What code outside of the program read or received while it was called at a place.
    fn seen_outside(&self, value: Node, act: Act, found: &mut Vec<Dependence>) {
        let mut acts = Vec::new();
        for edge in self.graph.built.graph.sources.of(value) {
            match edge.kind {
                EdgeKind::State => self.state(value, edge.to, act, found),
                EdgeKind::Message => {
                    acts.clear();
                    self.message(value, edge, act, &mut acts);
                    let Edge { to: on, kind, label, .. } = *edge;
                    found.extend(acts.iter().map(|&act| Dependence { on, act, kind, label }));
                }
                _ => {}
            }
        }
    }

    /// The result that code outside of the program got from an activation and looked at: if it is
    /// wrong, that code fails.
    pub(super) fn given_outside(&self, act: Act) -> Option<Node> {
        let activation = self.run.activation(act);
        let (caller, node) = activation.caller.filter(|_| activation.from_outside)?;
        let module = self.graph.flow.function(self.run.activation(caller).function).module;
        let is_given = activation.ended.is_some() && self.decides(module, node);
        is_given.then(|| self.outcome(act))
    }

    /// What an activation gave, or threw: a behaviour takes either.
    fn outcome(&self, act: Act) -> Node {
        let activation = self.run.activation(act);
        let nodes = &self.graph.built.functions[activation.function];
        if activation.left { nodes.reason } else { nodes.result }
    }

    /// Whether what a callback gives may decide whether there is another one. Functions that take
    /// every element of something do not look at it.
    fn decides(&self, module: ModuleId, node: NodeId) -> bool {
        let target = self.graph.program.modules[module.index()].target(node);
        let Some(Target::Remote(of, (name, _))) = target else { return true };
        !matches!(
            (of.as_str(), name.as_str()),
            ("lists", "foreach" | "map" | "foldl" | "foldr" | "zipwith" | "zipwith3")
                | ("maps", "map" | "fold" | "foreach")
                | ("erlang" | "proc_lib", _)
        )
    }

    /// What other functions gave to code outside of the program that was called at the same place,
    /// in the same process and before.
    fn given_before(&self, act: Act, found: &mut Vec<Dependence>) {
        let activation = self.run.activation(act);
        let Some(place) = activation.caller else { return };
        for &other in self.callees.get(&place).map_or(&[][..], Vec::as_slice) {
            let earlier = self.run.activation(other);
            let is_earlier = earlier.ended.is_some_and(|ended| ended < activation.begun);
            if is_earlier && earlier.pid == activation.pid {
                let (on, kind, label) = (self.outcome(other), EdgeKind::Output, Label::All);
                found.push(Dependence { on, act: other, kind, label });
            }
        }
    }

    fn jump(
        &self,
        node: Node,
        edge: &'g Edge,
        act: Act,
        acts: &mut Vec<Act>,
        found: &mut Vec<Dependence>,
    ) {
        let own = self.run.activation(act).function;
        match edge.kind {
            // The reason of a process that others have ended with.
            EdgeKind::Message if self.is_hub(edge.to) => {
                let place = self.graph.built.origins[node].node;
                let sent = self.run.received.get(&(act, place)).map_or(&[][..], Vec::as_slice);
                if sent.iter().any(|sent| matches!(sent, Sent::End(_))) {
                    self.ended(vec![edge], found);
                }
            }
            EdgeKind::Message => self.message(node, edge, act, acts),
            EdgeKind::State => self.state(node, edge.to, act, found),
            _ if self.function_of(edge.to) == Some(own) => self.resolve(edge.to, act, acts),
            EdgeKind::Flow | EdgeKind::Control | EdgeKind::Declaration => {
                let host = self.run.host(act);
                for maker in self.makers(own, edge.to, self.run.activation(host).begun) {
                    self.resolve(edge.to, maker, acts);
                }
            }
            // The default of a record's field calls something.
            EdgeKind::Call => {
                let caller = self.run.activation(self.run.host(act)).caller;
                if let Some((caller, _)) = caller {
                    self.resolve(edge.to, caller, acts);
                }
            }
            _ => self.everywhere(edge.to, acts),
        }
    }

    /// All activations that evaluated a node.
    fn everywhere(&self, node: Node, acts: &mut Vec<Act>) {
        let all = self.function_of(node).and_then(|function| self.of_function.get(&function));
        let all = all.map_or(&[][..], Vec::as_slice);
        acts.extend(all.iter().filter(|&&other| self.is_evaluated(node, other)));
    }

    /// The activations that made a fun, or the fun that a fun is in, up to the function that a node
    /// is of.
    fn makers(&self, fun: FunctionId, node: Node, before: u64) -> Vec<Act> {
        let wanted = self.function_of(node);
        let mut here = fun;
        let mut found: Vec<Act> = Vec::new();
        while let Some(parent) = self.graph.flow.function(here).parent {
            let fun = self.graph.flow.function(here);
            let gate = self.gates[fun.module].gate(fun.node);
            let all = self.of_function.get(&parent).map_or(&[][..], Vec::as_slice);
            let made = all.iter().copied().filter(|&act| {
                self.run.activation(act).begun <= before && self.is_open(fun.module, gate, act)
            });
            found = made.collect();
            if Some(parent) == wanted {
                break;
            }
            here = parent;
        }
        if found.len() > 1 {
            self.inexact.set(Inexact { funs: true, ..self.inexact.get() });
        }
        found
    }

    /// From what was received to the send.
    fn message(&self, node: Node, edge: &Edge, act: Act, acts: &mut Vec<Act>) {
        let origin = self.graph.built.origins[node];
        let sent: &[Sent] = match origin.role {
            Role::Parameter | Role::Entry => &self.run.activation(self.run.host(act)).handed,
            _ => self.run.received.get(&(act, origin.node)).map_or(&[][..], Vec::as_slice),
        };
        let to = self.graph.built.origins[edge.to];
        for &one in sent {
            let fits = match one {
                Sent::At(sender, place) => {
                    let parent = self.gates[to.module].around.parent(to.node);
                    let function = Some(self.run.activation(sender).function);
                    let fits = !self.is_of_whole(edge.to)
                        && function == self.functions[edge.to]
                        && (to.node == place || parent == Some(place));
                    fits.then_some(sender)
                }
                Sent::End(ended) => {
                    let function = Some(self.run.activation(ended).function);
                    let fits = self.is_of_whole(edge.to)
                        && function == self.functions[edge.to]
                        && self.is_evaluated(edge.to, ended);
                    fits.then_some(ended)
                }
                Sent::Somewhere => {
                    self.inexact.set(Inexact { messages: true, ..self.inexact.get() });
                    self.everywhere(edge.to, acts);
                    None
                }
            };
            if let Some(from) = fits
                && !acts.contains(&from)
            {
                acts.push(from);
            }
        }
    }

    /// From a read to the writes that it saw.
    fn state(&self, node: Node, hub: Node, act: Act, found: &mut Vec<Dependence>) {
        let origin = self.graph.built.origins[node];
        let (ends, writers): (Vec<&Edge>, Vec<&Edge>) =
            self.graph.built.graph.sources.of(hub).iter().partition(|edge| self.is_of_end(edge));
        let mut depend = |on: Node, act: Act| {
            let (kind, label) = (EdgeKind::State, Label::All);
            found.push(Dependence { on, act, kind, label });
        };
        match self.knowledge(origin.module, origin.node) {
            Knowledge::Exact => {
                let read = self.run.read.get(&(act, origin.node)).map_or(&[][..], Vec::as_slice);
                for edge in writers {
                    let place = self.graph.built.origins[edge.to].node;
                    for &(writer, at) in read.iter().filter(|(_, at)| *at == place) {
                        let function = Some(self.run.activation(writer).function);
                        if at == place && function == self.functions[edge.to] {
                            depend(edge.to, writer);
                        }
                    }
                }
            }
            Knowledge::OfSignals if !self.run.disturbed.contains(&self.run.activation(act).pid) => {
                return;
            }
            Knowledge::OfAnySignal if self.run.disturbed.is_empty() => return,
            knowledge => {
                let before = self.inexact.get();
                self.inexact.set(match knowledge {
                    Knowledge::OfSignals | Knowledge::OfAnySignal => {
                        Inexact { signals: true, ..before }
                    }
                    _ => Inexact { states: true, ..before },
                });
                let mut acts = Vec::new();
                for edge in writers {
                    acts.clear();
                    self.everywhere(edge.to, &mut acts);
                    acts.iter().for_each(|&other| depend(edge.to, other));
                }
            }
        }
        self.ended(ends, found);
    }

    /// Whether an edge leads from a state to the end of a process.
    fn is_of_end(&self, edge: &Edge) -> bool {
        edge.kind != EdgeKind::State || self.is_hub(edge.to)
    }

    /// Whether a node stands for what outlives calls.
    fn is_hub(&self, node: Node) -> bool {
        self.graph.built.origins[node].role == Role::State
    }

    /// What decided that processes had ended, or not: all that may have.
    fn ended(&self, mut pending: Vec<&'g Edge>, found: &mut Vec<Dependence>) {
        let mut seen: Vec<Node> = Vec::new();
        let mut acts = Vec::new();
        while let Some(&Edge { to, kind, label, .. }) = pending.pop() {
            if self.is_hub(to) {
                if !seen.contains(&to) {
                    seen.push(to);
                    pending.extend(self.graph.built.graph.sources.of(to));
                }
                continue;
            }
            acts.clear();
            self.everywhere(to, &mut acts);
            let raises = self.graph.built.origins[to].role == Role::Raise;
            let happened = acts.iter().filter(|&&act| !raises || self.run.activation(act).left);
            found.extend(happened.map(|&act| Dependence { on: to, act, kind, label }));
        }
    }

    /// What is known about what a place reads.
    fn knowledge(&self, module: ModuleId, node: NodeId) -> Knowledge {
        let target = match self.tree(module).kind(node) {
            Kind::Receive { .. } => return Knowledge::OfSignals,
            Kind::BinaryOp { .. } => return Knowledge::Exact,
            _ => self.graph.program.modules[module.index()].target(node),
        };
        let Some(Target::Remote(of, (name, arity))) = target else { return Knowledge::Nothing };
        let effects = flow::effects::of(of.as_str(), name.as_str(), arity);
        let known = [
            (Effect::SeenExactly, Knowledge::Exact),
            (Effect::SeenBySignals, Knowledge::OfSignals),
            (Effect::SeenByAnySignal, Knowledge::OfAnySignal),
        ];
        let found = known.into_iter().find(|(effect, _)| effects.has(*effect));
        found.map_or(Knowledge::Nothing, |(_, knowledge)| knowledge)
    }
}

/// What is known about what a place reads.
enum Knowledge {
    /// Who wrote what it read.
    Exact,
    /// That what becomes of other processes matters only if something became of one.
    OfSignals,
    /// The same, of any process.
    OfAnySignal,
    Nothing,
}
