//! From the solved constraints to the edges of the graph: Widera's steps 3 and 4.
//!
//! Calls, spawns: the links that were made, on the places of the program they belong to (a link
//! inside a model belongs to the call that the model was instantiated for). Throws: from each throw
//! site up through the callers, as far as no handler stops it. Messages: each send against the
//! `receive`s of the processes that its destination may denote, by matching the values that it
//! may send. Doubt is marked on the edges.

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId, NodeList, RecordName};

use crate::analysis::*;
use crate::bindings::Occurrence;
use crate::clauses::{caught_whole, class_of};
use crate::graph::{Edge, EdgeKind, Graph, Label, Vertex, VertexKind};
use crate::matching::{Place, Verdict};
use crate::sources::{FunctionId, Site};
use crate::values::*;

/// A message edge before it is put into the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MessageEdge {
    pub(crate) from: Vertex,
    pub(crate) to: Vertex,
    pub(crate) label: Label,
    pub(crate) may: bool,
}

/// Message edges while they are found.
struct Edges<'a> {
    graph: &'a Graph,
    model_calls: &'a ModelCalls,
    found: FxHashSet<MessageEdge>,
}

/// What may still come from protected code to a handler: errors that nobody raises explicitly, and what
/// code outside of the program raises.
#[derive(Clone, Copy)]
struct Open {
    errors: bool,
    others: bool,
}

/// Higher-order calls inside models.
#[derive(Debug, Default)]
struct ModelCalls {
    by_body: FxHashMap<u32, Vec<u32>>,
    by_context: FxHashMap<u32, Vec<u32>>,
}

impl ModelCalls {
    fn of(&self, body: u32) -> &[u32] {
        self.by_body.get(&body).map_or(&[], Vec::as_slice)
    }
}

impl Analysis<'_> {
    pub(crate) fn is_model_body(&self, body: u32) -> bool {
        body != NOWHERE && self.sources.is_model(self.bodies[body as usize].function)
    }

    pub(crate) fn place_of(&self, body: u32) -> Place {
        let Body { function, instance, .. } = self.bodies[body as usize];
        Place { module: self.sources.function(function).module, instance }
    }

    // ---- Calls -------------------------------------------------------------------------------

    /// First-order calls of all functions, reached or not.
    pub(crate) fn first_order_edges(&self, graph: &mut Graph) {
        for vertex in 0..graph.vertices.len() {
            let data = graph.vertices[vertex];
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
                from: Vertex(vertex as u32),
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
        for link in &self.found_calls {
            let call = &self.calls[link.call as usize];
            let target = &self.bodies[link.target as usize];
            if self.sources.is_model(target.function) || call.body == NOWHERE {
                continue;
            }
            let in_model = self.is_model_body(call.body);
            let started = in_model && self.bodies[call.body as usize].in_started_process;
            let kind = match call.kind {
                CallKind::Spawn(_) => EdgeKind::Spawn,
                CallKind::FirstOrder if !in_model => continue,
                _ if started && self.is_first_of_process(call.body) => EdgeKind::Spawn,
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
    fn is_first_of_process(&self, body: u32) -> bool {
        let function = self.sources.function(self.bodies[body as usize].function);
        function.is_fun() || function.name.as_str() == "run"
    }

    // ---- Messages ----------------------------------------------------------------------------

    /// All message edges that the current values allow.
    pub(crate) fn message_edges(&self, graph: &Graph) -> Vec<MessageEdge> {
        let mut receivers: Vec<Vec<u32>> = vec![Vec::new(); self.processes.len()];
        for (index, receive) in self.receives.iter().enumerate() {
            for process in self.pids_in(self.bodies[receive.body as usize].processes) {
                receivers[process as usize].push(index as u32);
            }
        }
        let model_calls = self.model_calls();
        let mut edges = Edges { graph, model_calls: &model_calls, found: FxHashSet::default() };
        for send in &self.sends {
            let sources = self.send_vertices(send, graph, &model_calls);
            if sources.is_empty() {
                continue;
            }
            let pids: Vec<u32> = self.pids_in(send.pids).collect();
            let doubt = pids.len() != 1 || sources.len() != 1 || self.is_unknown(send.destination);
            self.deliver_to(&sources, send.message, &pids, &receivers, doubt, &mut edges);
        }
        let ends: Vec<Vec<Vertex>> =
            (0..self.processes.len()).map(|process| self.end_vertices(process, graph)).collect();
        for (process, sources) in self.processes.iter().zip(&ends) {
            if !process.told.is_empty() {
                let message = process.exit_message;
                self.deliver_to(sources, message, &process.told, &receivers, true, &mut edges);
            }
        }
        for (index, connection) in self.connections.iter().enumerate() {
            let Some(messages) = self.downs.get(&(index as u32)) else { continue };
            let told: Vec<u32> = self.pids_in(connection.from).collect();
            for (position, &(process, message)) in messages.iter().enumerate() {
                let for_all = position + 1 == messages.len() && connection.others.is_some();
                let mut sources = ends[process as usize].clone();
                if for_all {
                    let others = self.pids_in(connection.to);
                    sources = others.flat_map(|process| ends[process as usize].clone()).collect();
                    sources.sort_unstable();
                    sources.dedup();
                }
                self.deliver_to(&sources, message, &told, &receivers, true, &mut edges);
            }
        }
        let mut edges: Vec<MessageEdge> = edges.found.into_iter().collect();
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to, edge.label, edge.may));
        edges
    }

    /// The processes in a set.
    fn pids_in(&self, var: VarId) -> impl Iterator<Item = u32> + '_ {
        self.items(var).iter().filter_map(|&value| match self.values.get(value) {
            Value::Pid(process) => Some(process),
            _ => None,
        })
    }

    /// Delivers a message to what some processes receive.
    fn deliver_to(
        &self,
        sources: &[Vertex],
        message: VarId,
        pids: &[u32],
        receivers: &[Vec<u32>],
        doubt: bool,
        edges: &mut Edges<'_>,
    ) {
        let mut tried = FxHashSet::default();
        for &process in pids {
            for &receive in &receivers[process as usize] {
                if tried.insert(receive) {
                    self.deliver(sources, message, receive, doubt, edges);
                }
            }
        }
    }

    pub(crate) fn is_unknown(&self, var: VarId) -> bool {
        self.items(var)
            .iter()
            .any(|&value| matches!(self.values.get(value), Value::Unknown | Value::AnyAtom))
    }

    fn model_calls(&self) -> ModelCalls {
        let mut found = ModelCalls::default();
        for (index, call) in self.calls.iter().enumerate() {
            if call.kind == CallKind::HigherOrder && self.is_model_body(call.body) {
                let of_body = found.by_body.entry(call.body).or_default();
                if of_body.is_empty() {
                    let context = self.context_of(call.body);
                    found.by_context.entry(context).or_default().push(call.body);
                }
                of_body.push(index as u32);
            }
        }
        found
    }

    /// Where a message comes from: the send, the call of a library function that sends, or the
    /// return of the callback whose result is sent.
    fn send_vertices(&self, send: &Send, graph: &Graph, model_calls: &ModelCalls) -> Vec<Vertex> {
        let started =
            self.is_model_body(send.body) && self.bodies[send.body as usize].in_started_process;
        if started {
            let tree = &self.sources.source(self.place_of(send.body).module).tree;
            let calls = model_calls.of(send.body);
            let mut vertices = Vec::new();
            for &call in calls {
                let call = &self.calls[call as usize];
                let function = self.sources.function(self.bodies[send.body as usize].function);
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
                let context = self.context_of(send.body);
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
        context: u32,
        asked: Option<(NodeId, Place)>,
        graph: &Graph,
        model_calls: &ModelCalls,
    ) -> Vec<Vertex> {
        let bodies = model_calls.by_context.get(&context).map_or(&[][..], Vec::as_slice);
        let mut vertices = Vec::new();
        for body in bodies.iter().filter(|&&body| self.bodies[body as usize].in_started_process) {
            for &call in model_calls.of(*body) {
                let call = &self.calls[call as usize];
                if self.is_dropped(call) {
                    continue;
                }
                let own = call.targets.iter().filter(|&&body| !self.is_model_body(body));
                let own = own.filter(|&&body| {
                    let result = self.bodies[body as usize].result;
                    asked.is_none_or(|(pattern, place)| self.holds_inside(result, pattern, place))
                });
                let functions = own.map(|&body| self.bodies[body as usize].function);
                vertices.extend(functions.map(|function| graph.frame(function).ret));
            }
        }
        vertices
    }

    /// What the model's function that sends takes apart: the pattern of its clause, if it is a structure.
    fn asked_for(&self, send: &Send) -> Option<(NodeId, Place)> {
        let place = self.place_of(send.body);
        let tree = &self.sources.source(place.module).tree;
        let function = self.sources.function(self.bodies[send.body as usize].function);
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
            if self.vars[var as usize].is_everything {
                return true;
            }
            for &value in self.items(var) {
                if self.match_value(value, pattern, place) != Verdict::No {
                    return true;
                }
                if let Value::Tuple(object) | Value::Cons(object) = self.values.get(value) {
                    pending.extend(self.values.objects[object as usize].fields.iter());
                }
            }
        }
        false
    }

    /// Whether nobody looks at what a call returns: it stands in a sequence and is not its end.
    fn is_dropped(&self, call: &CallSite) -> bool {
        let function = self.sources.function(self.bodies[call.body as usize].function);
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
        let functions = call.targets.iter().map(|&body| self.bodies[body as usize].function);
        functions.filter(|&function| !self.sources.is_model(function))
    }

    /// Where a process ends.
    fn end_vertices(&self, process: usize, graph: &Graph) -> Vec<Vertex> {
        let process = &self.processes[process];
        if process.site.is_none() && self.callers_go_on {
            return Vec::new();
        }
        let mut vertices: Vec<Vertex> = process
            .entries
            .iter()
            .map(|&body| self.bodies[body as usize].function)
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
        receive: u32,
        doubt: bool,
        edges: &mut Edges<'_>,
    ) {
        let graph = edges.graph;
        let receive = &self.receives[receive as usize];
        let place = self.place_of(receive.body);
        let tree = &self.sources.source(place.module).tree;
        let Kind::Receive { clauses, .. } = tree.kind(receive.node) else { return };
        let started = self.is_model_body(receive.body)
            && self.bodies[receive.body as usize].in_started_process;
        if started && self.deliver_to_callbacks(sources, message, receive.body, doubt, edges) {
            return;
        }
        for (index, &clause) in tree.list(clauses).iter().enumerate() {
            let Kind::Clause { patterns, guards, body } = tree.kind(clause) else { continue };
            let Some(&pattern) = tree.list(patterns).first() else { continue };
            let verdict = self.match_var(message, pattern, place);
            if verdict == Verdict::No {
                continue;
            }
            let may = doubt || verdict == Verdict::May || !guards.is_empty();
            let targets = if started {
                let calls = edges.model_calls.of(receive.body);
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

    /// Delivers a message to code of a model that hands each message to callbacks; whether it is such code.
    fn deliver_to_callbacks(
        &self,
        sources: &[Vertex],
        message: VarId,
        receiver: u32,
        doubt: bool,
        edges: &mut Edges<'_>,
    ) -> bool {
        let mut is_handled = false;
        for value in self.all_items(message) {
            let Some(bodies) = self.handling(receiver, value) else { break };
            is_handled = true;
            for body in bodies {
                let Body { function, ref params, .. } = self.bodies[body as usize];
                let place = self.place_of(body);
                let tree = &self.sources.source(place.module).tree;
                let clauses = self.sources.function(function).clauses;
                for &clause in tree.list(clauses) {
                    let Kind::Clause { patterns, guards, body: code } = tree.kind(clause) else {
                        continue;
                    };
                    let (Some((&pattern, others)), Some((&messages, arguments))) =
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
                    let targets =
                        self.callback_clauses(messages, pattern, code, calls, place, graph);
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
        message: VarId,
        pattern: NodeId,
        body: NodeList,
        calls: &[u32],
        place: Place,
        graph: &Graph,
    ) -> Vec<(Vertex, Label)> {
        let tree = &self.sources.source(place.module).tree;
        let bindings = &self.sources.source(place.module).bindings;
        let mut found = Vec::new();
        for &call in calls {
            let call = &self.calls[call as usize];
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
            let parts: Vec<Vec<VarId>> = arguments
                .iter()
                .zip(&call.args)
                .map(|(&argument, &var)| match from_message(argument) {
                    Some(definition) => self.parts_at(message, pattern, definition, place),
                    None => vec![var],
                })
                .collect();
            for &target in &call.targets {
                let function = self.bodies[target as usize].function;
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
                        let all = parts.iter().map(|&part| self.match_var(part, pattern, at));
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

    // ---- Throws ------------------------------------------------------------------------------

    /// Explicit throws, each followed up to the handlers that may catch it.
    pub(crate) fn throw_edges(&self, graph: &Graph) -> Vec<(Vertex, Vertex, bool)> {
        let outside = self.places_around();
        let mut edges = FxHashSet::default();
        let mut seen_bodies = vec![u32::MAX; self.bodies.len()];
        let mut seen_handlers = vec![u32::MAX; self.handlers.len()];
        let is_new = |seen: &mut [u32], place: u32, throw: u32| {
            std::mem::replace(&mut seen[place as usize], throw) != throw
        };
        for (index, throw) in self.throws.iter().enumerate() {
            let Some(from) = self.site_of(throw.body, throw.node).and_then(|s| graph.at(s)) else {
                continue;
            };
            let index = index as u32;
            let mut pending = vec![(throw.body, throw.handler)];
            while let Some((body, handler)) = pending.pop() {
                if handler == NO_HANDLER {
                    if is_new(&mut seen_bodies, body, index) {
                        pending.extend(&outside[body as usize]);
                    }
                    continue;
                }
                if !is_new(&mut seen_handlers, handler, index) {
                    continue;
                }
                let data = &self.handlers[handler as usize];
                let verdict = self.caught(throw, data);
                let site = self.site_of(data.body, data.node);
                if verdict != Verdict::No
                    && !self.is_model_body(data.body)
                    && let Some(to) = site.and_then(|site| graph.at(site))
                {
                    edges.insert((from, to, verdict == Verdict::May));
                }
                if !(data.catches_all[throw.class] || verdict == Verdict::Yes) {
                    pending.push((body, data.outer));
                }
            }
        }
        let mut edges: Vec<_> = edges.into_iter().collect();
        edges.sort_unstable();
        edges
    }

    /// For each body the places that it is called from: the calling body, and the handler around
    /// the call.
    fn places_around(&self) -> Vec<Vec<(u32, u32)>> {
        let around = self.bodies.iter().map(|body| {
            let calls = body.callers.iter().map(|&call| &self.calls[call as usize]);
            let calls = calls
                .filter(|call| call.body != NOWHERE && !matches!(call.kind, CallKind::Spawn(_)));
            let mut places: Vec<(u32, u32)> = calls.map(|call| (call.body, call.handler)).collect();
            places.sort_unstable();
            places.dedup();
            places
        });
        around.collect()
    }

    /// Whether a handler catches what is thrown.
    fn caught(&self, throw: &ThrowSite, handler: &Handler) -> Verdict {
        let place = self.place_of(handler.body);
        let tree = &self.sources.source(place.module).tree;
        let Kind::Try { catch, .. } = tree.kind(handler.node) else { return Verdict::Yes };
        let mut best = Verdict::No;
        for &clause in tree.list(catch) {
            let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
            let Some(&pattern) = tree.list(patterns).first() else { continue };
            let Kind::CatchPattern { class, reason, .. } = tree.kind(pattern) else { continue };
            if !class_of(tree, class).contains(&throw.class) {
                continue;
            }
            let verdict = self.match_var(throw.reason, reason, place);
            let limit = if guards.is_empty() { Verdict::Yes } else { Verdict::May };
            best = best.max(verdict.min(limit));
        }
        best
    }

    /// Expressions that may fail by themselves, and calls of whatever may fail, inside a handler
    /// that catches errors: edges from the place in the protected code.
    pub(crate) fn failure_edges(&self, graph: &mut Graph) {
        let mut edges = Vec::new();
        for module in 0..self.sources.own_modules as u32 {
            let tree = &self.sources.source(module).tree;
            for index in 0..tree.nodes.len() {
                let node = NodeId(index as u32);
                let protected: Vec<NodeId> = match tree.kind(node) {
                    Kind::Catch { body } => vec![body],
                    Kind::Try { body, catch, .. } => {
                        if catch.is_empty() {
                            continue;
                        }
                        tree.list(body).to_vec()
                    }
                    _ => continue,
                };
                let Some(to) = graph.at(Site { module, node }) else { continue };
                let open = Open { errors: self.catches_errors(module, node), others: true };
                let mut pending: Vec<(NodeId, Open)> =
                    protected.into_iter().map(|node| (node, open)).collect();
                while let Some((inner, open)) = pending.pop() {
                    // What is inside an inner `catch` or a fun is not this one's business.
                    if matches!(tree.kind(inner), Kind::Catch { .. } | Kind::Fun { .. }) {
                        continue;
                    }
                    if let Some(from) = graph.at(Site { module, node: inner }) {
                        let kind = graph.vertex(from).kind;
                        let fails = open.errors && self.may_fail(module, inner, kind);
                        let leaves = open.others && self.leaves_the_program(module, inner, kind);
                        if fails || leaves {
                            edges.push((from, to));
                        }
                    }
                    if open.errors {
                        // What a generator cannot go through, or a filter cannot be, is told of it.
                        let sources = looked_at(tree, inner).into_iter();
                        let sources = sources.filter_map(|node| graph.at(Site { module, node }));
                        edges.extend(sources.map(|from| (from, to)));
                    }
                    if let Kind::Try { body, catch, .. } = tree.kind(inner) {
                        let bindings = &self.sources.source(module).bindings;
                        let caught = caught_whole(tree, bindings, catch);
                        let inside: FxHashSet<NodeId> = tree.list(body).iter().copied().collect();
                        let through = Open {
                            errors: open.errors && !caught[ERROR],
                            others: open.others && !(caught[THROW] && caught[EXIT]),
                        };
                        tree.for_each_child(inner, |child| {
                            let is_inside = inside.contains(&child);
                            pending.push((child, if is_inside { through } else { open }));
                        });
                    } else {
                        tree.for_each_child(inner, |child| pending.push((child, open)));
                    }
                }
            }
        }
        for (from, to) in edges {
            let (kind, label) = (EdgeKind::Throw, Label::None);
            graph.edges.push(Edge { from, to, kind, label, may: true, found: 0 });
        }
    }

    /// Whether a `catch` or `try` takes errors that nobody raises explicitly.
    fn catches_errors(&self, module: u32, node: NodeId) -> bool {
        let tree = &self.sources.source(module).tree;
        let Kind::Try { catch, .. } = tree.kind(node) else { return true };
        tree.list(catch).iter().any(|&clause| {
            let Kind::Clause { patterns, .. } = tree.kind(clause) else { return false };
            tree.list(patterns).first().is_some_and(|&pattern| {
                matches!(tree.kind(pattern), Kind::CatchPattern { class, .. }
                    if class_of(tree, class).contains(&ERROR))
            })
        })
    }

    /// Whether an expression calls code outside of the program, which may raise anything. A call of
    /// something computed may, too.
    fn leaves_the_program(&self, module: u32, node: NodeId, kind: VertexKind) -> bool {
        if kind != VertexKind::Call {
            return false;
        }
        let source = self.sources.source(module);
        let target = program::resolve::target(&source.tree, &source.index, node)
            .and_then(|target| target.mfa(source.name));
        let Some((callee, name, arity)) = target else { return true };
        let callee = if callee == source.name { Some(module) } else { self.sources.module(callee) };
        let function = callee.and_then(|callee| self.sources.find(callee, name, arity));
        function.is_none_or(|function| self.sources.is_model(function))
    }

    /// Whether a pattern is a variable that it binds.
    fn takes_all(&self, module: u32, pattern: NodeId) -> bool {
        let source = self.sources.source(module);
        matches!(source.tree.kind(pattern), Kind::Var(_))
            && !matches!(source.bindings.occurrence(pattern), Occurrence::Use(_))
    }

    /// Whether there may be values that no clause takes: the last one does not take all.
    fn may_match_none(&self, module: u32, clauses: NodeList) -> bool {
        let tree = &self.sources.source(module).tree;
        let last = tree.list(clauses).last().map(|&clause| tree.kind(clause));
        let Some(Kind::Clause { patterns, guards, .. }) = last else { return true };
        let is_true = guards.is_empty() || is_true_guard(tree, guards);
        let all = tree.list(patterns).iter().all(|&pattern| self.takes_all(module, pattern));
        // An `if` has no patterns, and guards in all clauses.
        !(is_true && all)
    }

    /// Whether evaluating an expression may raise an error by itself.
    fn may_fail(&self, module: u32, node: NodeId, kind: VertexKind) -> bool {
        let tree = &self.sources.source(module).tree;
        match (kind, tree.kind(node)) {
            (VertexKind::Call | VertexKind::Spawn | VertexKind::Send, _) => true,
            (VertexKind::Match, Kind::Match { pattern, .. }) => !self.takes_all(module, pattern),
            (VertexKind::Branch, Kind::Case { clauses, .. } | Kind::If { clauses }) => {
                self.may_match_none(module, clauses)
            }
            // What is on their left is no boolean.
            (
                _,
                Kind::BinaryOp {
                    op: syntax::ast::BinaryOp::Andalso | syntax::ast::BinaryOp::Orelse,
                    ..
                },
            ) => true,
            // What no clause after `of` takes is raised outside of the `try`.
            (_, Kind::Try { of, .. }) => !of.is_empty() && self.may_match_none(module, of),
            (_, Kind::Maybe { else_clauses: Some(clauses), .. }) => {
                self.may_match_none(module, clauses)
            }
            // A generator of something else than a list, a filter that is no boolean.
            (_, Kind::Comprehension { .. }) => true,
            // A time that is none.
            (VertexKind::Receive, Kind::Receive { after, .. }) => after.is_some(),
            (VertexKind::Compute, Kind::BinaryOp { op, .. }) => {
                use syntax::ast::BinaryOp as Op;
                matches!(
                    op,
                    Op::Add
                        | Op::Sub
                        | Op::Mul
                        | Op::Div
                        | Op::IntDiv
                        | Op::Rem
                        | Op::Band
                        | Op::Bor
                        | Op::Bxor
                        | Op::Bsl
                        | Op::Bsr
                        | Op::Append
                        | Op::Subtract
                        | Op::And
                        | Op::Or
                        | Op::Xor
                )
            }
            (VertexKind::Compute, Kind::Binary { .. } | Kind::RecordAccess { .. }) => true,
            (VertexKind::Compute, Kind::Map { base, .. }) => base.is_some(),
            // A native record that another module defines may be another than one thinks.
            (VertexKind::Compute, Kind::Record { base, name, .. }) => {
                base.is_some() || tree.has_native_records || !matches!(name, RecordName::Local(_))
            }
            (VertexKind::Compute, Kind::UnaryOp { .. }) => true,
            _ => false,
        }
    }

    /// The name of a process: how it is registered, else what it runs.
    pub(crate) fn registered_names(&self, process: u32) -> Vec<Atom> {
        let mut names = Vec::new();
        for space in ["registered", "global"] {
            let Some(space) = self.spaces.get(&Atom::new(space)) else { continue };
            #[allow(clippy::iter_over_hash_type, reason = "sorted below")]
            for (&key, &cell) in &space.cells {
                let holds = self.items(cell).iter().any(
                    |&value| matches!(self.values.get(value), Value::Pid(found) if found == process),
                );
                if let (true, Value::Atom(name)) = (holds, self.values.get(key)) {
                    names.push(name);
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The sources of generators, and the filters, of a comprehension.
fn looked_at(tree: &syntax::ast::Module, node: NodeId) -> Vec<NodeId> {
    let Kind::Comprehension { qualifiers, .. } = tree.kind(node) else { return Vec::new() };
    let mut found = Vec::new();
    let mut pending = tree.list(qualifiers).to_vec();
    while let Some(qualifier) = pending.pop() {
        match tree.kind(qualifier) {
            Kind::Generator { source, .. } => found.push(source),
            Kind::ZipGenerator { generators } => pending.extend(tree.list(generators)),
            _ => found.push(qualifier),
        }
    }
    found
}

fn is_true_guard(tree: &syntax::ast::Module, guards: NodeList) -> bool {
    let [guard] = tree.list(guards) else { return false };
    let Kind::Guard { tests } = tree.kind(*guard) else { return false };
    let [test] = tree.list(tests) else { return false };
    tree.kind(*test) == Kind::Atom(atom::known::TRUE)
}

fn is_below(tree: &syntax::ast::Module, list: NodeList, node: NodeId) -> bool {
    tree.list(list).iter().any(|&root| is_node_below(tree, root, node))
}

fn is_node_below(tree: &syntax::ast::Module, root: NodeId, node: NodeId) -> bool {
    let mut found = false;
    tree.for_each_below(root, |below| found |= below == node);
    found
}
