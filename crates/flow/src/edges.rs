//! From the solved constraints to the edges of the graph: Widera's steps 3 and 4.
//!
//! Calls, spawns: the links that were made, on the places of the program they belong to (a link
//! inside a model belongs to the call that the model was instantiated for). Throws: from each throw
//! site up through the callers, as far as no handler stops it. Messages: each send against the
//! `receive`s of the processes that its destination may denote, by matching the values that it
//! may send. Doubt is marked on the edges.

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId, NodeList};

use crate::analysis::Analysis;
use crate::bindings::Occurrence;
use crate::constraints::{
    Body, BodyId, CallId, CallKind, CallSite, ContextId, Process, ProcessId, ReceiveId, Send,
};
use crate::graph::{Edge, EdgeKind, Graph, Label, Vertex, VertexKind};
use crate::ids::IdVec;
use crate::matching::{Part, Place, Verdict};
use crate::sources::{FunctionId, Site};
use crate::values::{Value, VarId};

/// A message edge before it is put into the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MessageEdge {
    pub(crate) from: Vertex,
    pub(crate) to: Vertex,
    pub(crate) label: Label,
    pub(crate) may: bool,
}

/// What is sent where.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    pub(crate) edges: Vec<MessageEdge>,
    pub(crate) refused: Vec<Refused>,
}

/// A message that a clause of a `receive` would take, if its guard did not refuse all values that
/// it may have. That is no edge: nobody gets the message there. But the variables in the head of
/// the clause take its values before the guard is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Refused {
    pub from: Vertex,
    pub to: Vertex,
    /// From 1.
    pub clause: u32,
}

/// The places of the program where each process receives.
type Receivers = IdVec<ProcessId, Vec<ReceiveId>>;

/// Message edges while they are found.
struct Edges<'a> {
    graph: &'a Graph,
    model_calls: &'a ModelCalls,
    found: FxHashSet<MessageEdge>,
    refused: FxHashSet<Refused>,
}

/// Higher-order calls inside models.
#[derive(Debug, Default)]
struct ModelCalls {
    by_body: FxHashMap<BodyId, Vec<CallId>>,
    by_context: FxHashMap<ContextId, Vec<BodyId>>,
}

impl ModelCalls {
    fn of(&self, body: BodyId) -> &[CallId] {
        self.by_body.get(&body).map_or(&[], Vec::as_slice)
    }
}

impl Analysis<'_> {
    pub(crate) fn is_model_body(&self, body: impl Into<Option<BodyId>>) -> bool {
        let is_model = |body| self.sources.is_model(self.constraints.bodies[body].function);
        body.into().is_some_and(is_model)
    }

    /// Whether code is that of a model, in a process which the model starts.
    pub(crate) fn is_in_started_process(&self, body: impl Into<Option<BodyId>>) -> bool {
        let is_started = |body: BodyId| {
            let Body { function, in_started_process, .. } = self.constraints.bodies[body];
            in_started_process && self.sources.is_model(function)
        };
        body.into().is_some_and(is_started)
    }

    pub(crate) fn place_of(&self, body: BodyId) -> Place {
        let Body { function, instance, .. } = self.constraints.bodies[body];
        Place { module: self.sources.function(function).module, instance, has_guards: true }
    }

    // ---- Calls -------------------------------------------------------------------------------

    /// First-order calls of all functions, reached or not.
    pub(crate) fn first_order_edges(&self, graph: &mut Graph) {
        for vertex in graph.vertices.ids() {
            let data = *graph.vertex(vertex);
            if data.kind != VertexKind::Call {
                continue;
            }
            let source = self.sources.source(data.site.module);
            let target = program::resolve::target(&source.tree, &source.index, data.site.node)
                .and_then(|target| target.mfa(source.name));
            let Some((module, name, arity)) = target else { continue };
            let module = if module == source.name {
                Some(data.site.module)
            } else {
                self.sources.module(module)
            };
            let function = module.and_then(|module| self.sources.find(module, name, arity));
            let Some(function) = function.filter(|&function| !self.sources.is_model(function))
            else {
                continue;
            };
            let other = self.sources.function(function).module != data.site.module;
            if other && !self.sources.function(function).exported {
                continue;
            }
            graph.edges.push(Edge {
                from: vertex,
                to: graph.frame(function).import,
                kind: EdgeKind::Call,
                label: Label::None,
                may: false,
                found: 0,
            });
        }
    }

    /// Higher-order calls and spawns.
    pub(crate) fn call_edges(&self, graph: &mut Graph) {
        let mut candidates: FxHashMap<(Site, EdgeKind), FxHashSet<FunctionId>> =
            FxHashMap::default();
        let mut unsure: FxHashSet<Site> = FxHashSet::default();
        let mut found = Vec::new();
        for link in &self.solution.calls.found {
            let call = &self.constraints.calls[link.call];
            let target = &self.constraints.bodies[link.target];
            let Some(body) = call.body else { continue };
            if self.sources.is_model(target.function) {
                continue;
            }
            let started = self.is_in_started_process(body);
            let kind = match call.kind {
                CallKind::Spawn(_) => EdgeKind::Spawn,
                CallKind::FirstOrder if !self.is_model_body(body) => continue,
                _ if started && self.is_first_of_process(body) => EdgeKind::Spawn,
                _ => EdgeKind::HigherOrderCall,
            };
            let Some(site) = self.site_of(call.body, call.node) else { continue };
            let Some(from) = graph.at(site) else { continue };
            candidates.entry((site, kind)).or_default().insert(target.function);
            let doubtful = call.unknown
                || call.kind == CallKind::Unknown
                || (started && kind == EdgeKind::HigherOrderCall);
            if doubtful {
                unsure.insert(site);
            }
            found.push((from, site, target.function, kind, link.iteration));
        }
        for (from, site, function, kind, iteration) in found {
            let several = candidates.get(&(site, kind)).is_some_and(|found| found.len() > 1);
            graph.edges.push(Edge {
                from,
                to: graph.frame(function).import,
                kind,
                label: Label::None,
                may: several || unsure.contains(&site),
                found: iteration,
            });
        }
    }

    /// Whether a body of a model is what a process that the model starts does first: the fun that
    /// is spawned, or the function `run` that it calls.
    fn is_first_of_process(&self, body: BodyId) -> bool {
        let function = self.sources.function(self.constraints.bodies[body].function);
        function.is_fun() || function.name.as_str() == "run"
    }

    // ---- Messages ----------------------------------------------------------------------------

    /// All message edges that the current values allow.
    pub(crate) fn message_edges(&self, graph: &Graph) -> Messages {
        let mut receivers: Receivers = IdVec::filled(Vec::new(), self.constraints.processes.len());
        for (id, receive) in self.constraints.receives.enumerate() {
            for process in self.solution.pids_in(self.constraints.bodies[receive.body].processes) {
                receivers[process].push(id);
            }
        }
        let model_calls = self.model_calls();
        let (found, refused) = (FxHashSet::default(), FxHashSet::default());
        let mut edges = Edges { graph, model_calls: &model_calls, found, refused };
        for send in &self.constraints.sends {
            let sources = self.send_vertices(send, graph, &model_calls);
            if sources.is_empty() {
                continue;
            }
            let pids: Vec<ProcessId> = self.solution.pids_in(send.pids).collect();
            let doubt = pids.len() != 1 || sources.len() != 1 || self.is_unknown(send.destination);
            self.deliver_to(&sources, send.message, &pids, &receivers, doubt, &mut edges);
        }
        let revealing = self.revealing();
        let processes = self.constraints.processes.iter();
        let ends: IdVec<ProcessId, Vec<Vertex>> =
            processes.map(|process| self.end_vertices(process, &revealing, graph)).collect();
        for (process, sources) in self.constraints.processes.iter().zip(&ends) {
            if !process.told.is_empty() {
                let message = process.exit_message;
                self.deliver_to(sources, message, &process.told, &receivers, true, &mut edges);
            }
        }
        for (id, connection) in self.constraints.accesses.connections.enumerate() {
            let Some(messages) = self.solution.downs.get(&id) else { continue };
            let told: Vec<ProcessId> = self.solution.pids_in(connection.from).collect();
            for (position, &(process, message)) in messages.iter().enumerate() {
                let for_all = position + 1 == messages.len() && connection.others.is_some();
                let mut sources = ends[process].clone();
                if for_all {
                    let others = self.solution.pids_in(connection.to);
                    sources = others.flat_map(|process| ends[process].clone()).collect();
                    sources.sort_unstable();
                    sources.dedup();
                }
                self.deliver_to(&sources, message, &told, &receivers, true, &mut edges);
            }
        }
        let taken: FxHashSet<(Vertex, Vertex)> =
            edges.found.iter().map(|edge| (edge.from, edge.to)).collect();
        // What another clause may take is looked at by all clauses anyway.
        let refused = edges.refused.into_iter();
        let refused = refused.filter(|refused| !taken.contains(&(refused.from, refused.to)));
        let mut refused: Vec<Refused> = refused.collect();
        refused.sort_unstable();
        let mut edges: Vec<MessageEdge> = edges.found.into_iter().collect();
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to, edge.label, edge.may));
        Messages { edges, refused }
    }

    /// Delivers a message to what some processes receive.
    fn deliver_to(
        &self,
        sources: &[Vertex],
        message: VarId,
        pids: &[ProcessId],
        receivers: &Receivers,
        doubt: bool,
        edges: &mut Edges<'_>,
    ) {
        let mut tried = FxHashSet::default();
        for &process in pids {
            for &receive in &receivers[process] {
                if tried.insert(receive) {
                    self.deliver(sources, message, receive, doubt, edges);
                }
            }
        }
    }

    pub(crate) fn is_unknown(&self, var: VarId) -> bool {
        self.items(var)
            .iter()
            .any(|&value| matches!(self.value(value), Value::Unknown | Value::AnyAtom))
    }

    fn model_calls(&self) -> ModelCalls {
        let mut found = ModelCalls::default();
        for (id, call) in self.constraints.calls.enumerate() {
            if call.kind != CallKind::HigherOrder {
                continue;
            }
            let Some(body) = call.body.filter(|&body| self.is_model_body(body)) else { continue };
            let of_body = found.by_body.entry(body).or_default();
            if of_body.is_empty() {
                let context = self.constraints.context_of(body);
                found.by_context.entry(context).or_default().push(body);
            }
            of_body.push(id);
        }
        found
    }

    /// Where a message comes from: the send, the call of a library function that sends, or the
    /// return of the callback whose result is sent.
    fn send_vertices(&self, send: &Send, graph: &Graph, model_calls: &ModelCalls) -> Vec<Vertex> {
        let started = self.is_in_started_process(send.body);
        if started {
            let tree = &self.sources.source(self.place_of(send.body).module).tree;
            let calls = model_calls.of(send.body);
            let mut vertices = Vec::new();
            for &call in calls {
                let call = &self.constraints.calls[call];
                let function = self.sources.function(self.constraints.bodies[send.body].function);
                let mut around = false;
                tree.for_each_below(function.node, |node| {
                    if let Kind::Case { subject, clauses } = tree.kind(node)
                        && subject == call.node
                    {
                        around |= is_below(tree, clauses, send.node);
                    }
                });
                if around {
                    vertices.extend(self.targets(call).map(|target| graph.frame(target).ret));
                }
            }
            if vertices.is_empty() {
                // What callbacks ask for by what they return: actions of a state machine.
                let context = self.constraints.context_of(send.body);
                let asked = self.asked_for(send);
                vertices = self.callback_returns(context, asked, graph, model_calls);
            }
            if !vertices.is_empty() {
                vertices.sort_unstable();
                vertices.dedup();
                return vertices;
            }
        }
        let site = self.site_of(send.body, send.node);
        site.and_then(|site| graph.at(site)).into_iter().collect()
    }

    /// The returns of all callbacks that a model calls in the processes it starts.
    fn callback_returns(
        &self,
        context: ContextId,
        asked: Option<(NodeId, Place)>,
        graph: &Graph,
        model_calls: &ModelCalls,
    ) -> Vec<Vertex> {
        let bodies = model_calls.by_context.get(&context).map_or(&[][..], Vec::as_slice);
        let mut vertices = Vec::new();
        for body in bodies.iter().filter(|&&body| self.constraints.bodies[body].in_started_process)
        {
            for &call in model_calls.of(*body) {
                let call = &self.constraints.calls[call];
                if self.is_dropped(call) {
                    continue;
                }
                let own = call.targets.iter().filter(|&&body| !self.is_model_body(body));
                let own = own.filter(|&&body| {
                    let result = self.constraints.bodies[body].result;
                    asked.is_none_or(|(pattern, place)| self.holds_inside(result, pattern, place))
                });
                let functions = own.map(|&body| self.constraints.bodies[body].function);
                vertices.extend(functions.map(|function| graph.frame(function).ret));
            }
        }
        vertices
    }

    /// What the model's function that sends takes apart: the pattern of its clause, if it is a
    /// structure.
    fn asked_for(&self, send: &Send) -> Option<(NodeId, Place)> {
        let place = self.place_of(send.body);
        let tree = &self.sources.source(place.module).tree;
        let function = self.sources.function(self.constraints.bodies[send.body].function);
        let clauses = tree.list(function.clauses).iter();
        clauses.copied().find_map(|clause| {
            let Kind::Clause { patterns, body, .. } = tree.kind(clause) else { return None };
            let &pattern = tree.list(patterns).first()?;
            let is_structure = matches!(tree.kind(pattern), Kind::Tuple { .. });
            (is_structure && is_below(tree, body, send.node)).then_some((pattern, place))
        })
    }

    /// Whether something that matches is in a variable, or inside of the structures in it.
    fn holds_inside(&self, var: VarId, pattern: NodeId, place: Place) -> bool {
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        let mut pending = vec![var];
        while let Some(var) = pending.pop() {
            if !seen.insert(var) {
                continue;
            }
            if self.solution.vars[var].is_everything {
                return true;
            }
            for &value in self.items(var) {
                if self.match_value(value, pattern, place) != Verdict::No {
                    return true;
                }
                if let Value::Tuple(object) | Value::Cons(object) = self.value(value) {
                    pending.extend(self.solution.values.objects[object].fields.iter());
                }
            }
        }
        false
    }

    /// Whether nobody looks at what a call returns: it stands in a sequence and is not its end.
    fn is_dropped(&self, call: &CallSite) -> bool {
        let Some(body) = call.body else { return false };
        let function = self.sources.function(self.constraints.bodies[body].function);
        let tree = &self.sources.source(function.module).tree;
        let mut dropped = false;
        tree.for_each_below(function.node, |node| {
            if let Kind::Clause { body, .. } = tree.kind(node)
                && let Some((_, before)) = tree.list(body).split_last()
            {
                dropped |= before.contains(&call.node);
            }
        });
        dropped
    }

    /// The functions of the program that a call reaches.
    fn targets<'a>(&'a self, call: &'a CallSite) -> impl Iterator<Item = FunctionId> + 'a {
        let functions = call.targets.iter().map(|&body| self.constraints.bodies[body].function);
        functions.filter(|&function| !self.sources.is_model(function))
    }

    /// The bodies that make known which process runs them, or connect it with others, or lead to
    /// such ones by calls.
    fn revealing(&self) -> FxHashSet<BodyId> {
        let mut callers: FxHashMap<BodyId, Vec<BodyId>> = FxHashMap::default();
        for link in &self.solution.calls.found {
            let caller = self.constraints.calls[link.call].body;
            callers.entry(link.target).or_default().extend(caller);
        }
        let mut found = self.constraints.revealing.clone();
        let mut pending: Vec<BodyId> = found.iter().copied().collect();
        while let Some(body) = pending.pop() {
            let callers = callers.get(&body).into_iter().flatten();
            pending.extend(callers.filter(|&&caller| found.insert(caller)));
        }
        found
    }

    /// Where a process ends. One that nobody in the program has started is known to others only if
    /// it makes itself known, and it has begun with the entry that it runs.
    fn end_vertices(
        &self,
        process: &Process,
        revealing: &FxHashSet<BodyId>,
        graph: &Graph,
    ) -> Vec<Vertex> {
        if process.goes_on {
            return Vec::new();
        }
        let mut vertices: Vec<Vertex> = process
            .entries
            .iter()
            .filter(|body| process.site.is_some() || revealing.contains(body))
            .map(|&body| self.constraints.bodies[body].function)
            .filter(|&function| !self.sources.is_model(function))
            .map(|function| graph.frame(function).ret)
            .collect();
        if vertices.is_empty() {
            vertices.extend(process.site.and_then(|site| graph.at(site)));
        }
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    fn deliver(
        &self,
        sources: &[Vertex],
        message: VarId,
        receive: ReceiveId,
        doubt: bool,
        edges: &mut Edges<'_>,
    ) {
        let graph = edges.graph;
        let receive = &self.constraints.receives[receive];
        let place = self.place_of(receive.body);
        let tree = &self.sources.source(place.module).tree;
        let Kind::Receive { clauses, .. } = tree.kind(receive.node) else { return };
        let started = self.is_in_started_process(receive.body);
        if started && self.deliver_to_callbacks(sources, message, receive.body, doubt, edges) {
            return;
        }
        for (index, &clause) in tree.list(clauses).iter().enumerate() {
            let Kind::Clause { patterns, guards, body } = tree.kind(clause) else { continue };
            let Some(&pattern) = tree.list(patterns).first() else { continue };
            let verdict = self.match_var(message, pattern, place);
            if verdict == Verdict::No {
                let head = Place { has_guards: false, ..place };
                let is_own = !self.is_model_body(receive.body) && !guards.is_empty();
                if is_own
                    && self.match_var(message, pattern, head) != Verdict::No
                    && let Some(site) = self.site_of(receive.body, receive.node)
                    && let Some(to) = graph.at(site)
                {
                    let clause = index as u32 + 1;
                    let refused = sources.iter().map(|&from| Refused { from, to, clause });
                    edges.refused.extend(refused);
                }
                continue;
            }
            let may = doubt || verdict == Verdict::May || !guards.is_empty();
            let targets = if started {
                let calls = edges.model_calls.of(receive.body);
                let message = Part::Any(message);
                self.callback_clauses(message, pattern, body, calls, place, graph)
            } else {
                let site = self.site_of(receive.body, receive.node);
                let vertex = site.and_then(|site| graph.at(site));
                let label = if self.is_model_body(receive.body) {
                    Label::None
                } else {
                    Label::Clause(index as u32 + 1)
                };
                vertex.into_iter().map(|vertex| (vertex, label)).collect()
            };
            for &from in sources {
                let all = targets.iter();
                edges.found.extend(all.map(|&(to, label)| MessageEdge { from, to, label, may }));
            }
            if verdict == Verdict::Yes && guards.is_empty() {
                // Nothing of it is left for the clauses that follow.
                break;
            }
        }
    }

    /// Delivers a message to code of a model that hands each message to callbacks; whether it is
    /// such code.
    fn deliver_to_callbacks(
        &self,
        sources: &[Vertex],
        message: VarId,
        receiver: BodyId,
        doubt: bool,
        edges: &mut Edges<'_>,
    ) -> bool {
        let mut is_handled = false;
        for value in self.solution.all_items(message) {
            let Some(bodies) = self.handling(receiver, value) else { break };
            is_handled = true;
            for body in bodies {
                let Body { function, ref params, .. } = self.constraints.bodies[body];
                let place = self.place_of(body);
                let tree = &self.sources.source(place.module).tree;
                let clauses = self.sources.function(function).clauses;
                for &clause in tree.list(clauses) {
                    let Kind::Clause { patterns, guards, body: code } = tree.kind(clause) else {
                        continue;
                    };
                    let (Some((&pattern, others)), Some((_, arguments))) =
                        (tree.list(patterns).split_last(), params.split_last())
                    else {
                        continue;
                    };
                    let verdict = self.match_value(value, pattern, place);
                    let verdict = verdict.min(self.match_all(arguments, others, place));
                    if verdict == Verdict::No {
                        continue;
                    }
                    let may = doubt || verdict == Verdict::May || !guards.is_empty();
                    let calls = edges.model_calls.of(body);
                    let graph = edges.graph;
                    // What is sent here, not all that is handled with it where messages are not
                    // told apart.
                    let message = Part::One(value);
                    let targets =
                        self.callback_clauses(message, pattern, code, calls, place, graph);
                    for &from in sources {
                        let all = targets.iter();
                        edges.found.extend(all.map(|&(to, label)| MessageEdge {
                            from,
                            to,
                            label,
                            may,
                        }));
                    }
                    if verdict == Verdict::Yes && guards.is_empty() {
                        break;
                    }
                }
            }
        }
        is_handled
    }

    /// The callbacks that a clause of a model's `receive` calls, and their clauses that a message
    /// can match.
    fn callback_clauses(
        &self,
        message: Part,
        pattern: NodeId,
        body: NodeList,
        calls: &[CallId],
        place: Place,
        graph: &Graph,
    ) -> Vec<(Vertex, Label)> {
        let tree = &self.sources.source(place.module).tree;
        let bindings = &self.sources.source(place.module).bindings;
        let mut found = Vec::new();
        for &call in calls {
            let call = &self.constraints.calls[call];
            if !is_below(tree, body, call.node) {
                continue;
            }
            let Kind::Call { args, .. } = tree.kind(call.node) else { continue };
            let from_message = |node: NodeId| match bindings.occurrence(node) {
                Occurrence::Use(&[definition]) if is_node_below(tree, pattern, definition) => {
                    Some(definition)
                }
                _ => None,
            };
            let arguments = tree.list(args);
            // A callback that gets nothing of the message is not what handles it.
            let mut gets_something = false;
            for &argument in arguments {
                tree.for_each_below(argument, |node| {
                    gets_something |= from_message(node).is_some();
                });
            }
            if !gets_something || call.args.len() != arguments.len() {
                continue;
            }
            // What each argument takes out of the message; else what it is at all.
            let parts: Vec<Vec<Part>> = arguments
                .iter()
                .zip(&call.args)
                .map(|(&argument, &var)| match from_message(argument) {
                    Some(definition) => self.parts_at(message, pattern, definition, place),
                    None => vec![Part::Any(var)],
                })
                .collect();
            for &target in &call.targets {
                let function = self.constraints.bodies[target].function;
                if self.sources.is_model(function) {
                    continue;
                }
                let import = graph.frame(function).import;
                let has_choice = graph.frame(function).branch.is_some();
                let at = self.place_of(target);
                let callee = self.sources.function(function);
                let callee_tree = &self.sources.source(callee.module).tree;
                for (index, &clause) in callee_tree.list(callee.clauses).iter().enumerate() {
                    let Kind::Clause { patterns, guards, .. } = callee_tree.kind(clause) else {
                        continue;
                    };
                    // Of each argument, the best and the worst that can be.
                    let (mut best, mut worst) = (Verdict::Yes, Verdict::Yes);
                    for (&pattern, parts) in callee_tree.list(patterns).iter().zip(&parts) {
                        let all = parts.iter().map(|&part| self.match_part(part, pattern, at));
                        let all: Vec<Verdict> = all.collect();
                        best = best.min(all.iter().copied().max().unwrap_or(Verdict::No));
                        worst = worst.min(all.iter().copied().min().unwrap_or(Verdict::No));
                    }
                    if best != Verdict::No {
                        let label =
                            if has_choice { Label::Clause(index as u32 + 1) } else { Label::None };
                        found.push((import, label));
                    }
                    if worst == Verdict::Yes && guards.is_empty() {
                        break;
                    }
                }
            }
        }
        found
    }

    /// The name of a process: how it is registered, else what it runs.
    pub(crate) fn registered_names(&self, process: ProcessId) -> Vec<Atom> {
        let mut names = Vec::new();
        for space in ["registered", "global"] {
            let Some(space) = self.solution.spaces.get(&Atom::new(space)) else { continue };
            #[allow(clippy::iter_over_hash_type, reason = "sorted below")]
            for (&key, &cell) in &space.cells {
                let holds = self.items(cell).iter().any(
                    |&value| matches!(self.value(value), Value::Pid(found) if found == process),
                );
                if let (true, Value::Atom(name)) = (holds, self.value(key)) {
                    names.push(name);
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn is_below(tree: &syntax::ast::Module, list: NodeList, node: NodeId) -> bool {
    tree.list(list).iter().any(|&root| is_node_below(tree, root, node))
}

fn is_node_below(tree: &syntax::ast::Module, root: NodeId, node: NodeId) -> bool {
    let mut found = false;
    tree.for_each_below(root, |below| found |= below == node);
    found
}
