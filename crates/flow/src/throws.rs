//! From the solved constraints to throw edges.
//!
//! An exception that is raised explicitly is followed from its place up through the callers, as far
//! as no handler stops it; whether one does is asked by matching the reasons that it may have.
//! Errors that nobody raises explicitly, and what code outside of the program raises, come from the
//! expressions inside a handler that may fail: those edges begin at the call in the protected code,
//! not below it ([`crate::Flow::has_throw_between`] looks further), and are all doubtful.
//!
//! Cost: each explicit throw visits each body and handler above it once.

use rustc_hash::FxHashSet;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, RecordName};

use crate::analysis::Analysis;
use crate::bindings::Occurrence;
use crate::clauses::{caught_whole, class_of};
use crate::constraints::{BodyId, CallKind, ERROR, EXIT, Handler, HandlerId, THROW, ThrowSite};
use crate::graph::{Edge, EdgeKind, Graph, Label, Vertex, VertexKind};
use crate::ids::IdVec;
use crate::matching::Verdict;
use crate::sources::{ModuleId, Site};

/// What may still come from protected code to a handler: errors that nobody raises explicitly, and
/// what code outside of the program raises.
#[derive(Clone, Copy)]
struct Open {
    errors: bool,
    others: bool,
}

impl Analysis<'_> {
    /// Explicit throws, each followed up to the handlers that may catch it.
    pub(crate) fn throw_edges(&self, graph: &Graph) -> Vec<(Vertex, Vertex, bool)> {
        let outside = self.places_around();
        let mut edges = FxHashSet::default();
        // The last throw that came by.
        let mut seen_bodies = IdVec::filled(None, self.constraints.bodies.len());
        let mut seen_handlers = IdVec::filled(None, self.constraints.handlers.len());
        for (index, throw) in self.constraints.throws.iter().enumerate() {
            let Some(from) = self.site_of(throw.body, throw.node).and_then(|s| graph.at(s)) else {
                continue;
            };
            let this = Some(index);
            let mut pending = vec![(throw.body, throw.handler)];
            while let Some((body, handler)) = pending.pop() {
                let Some(handler) = handler else {
                    if std::mem::replace(&mut seen_bodies[body], this) != this {
                        pending.extend(&outside[body]);
                    }
                    continue;
                };
                if std::mem::replace(&mut seen_handlers[handler], this) == this {
                    continue;
                }
                let data = &self.constraints.handlers[handler];
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
    fn places_around(&self) -> IdVec<BodyId, Vec<(BodyId, Option<HandlerId>)>> {
        let around = self.constraints.bodies.iter().map(|body| {
            let calls = body.callers.iter().map(|&call| &self.constraints.calls[call]);
            let calls = calls.filter(|call| !matches!(call.kind, CallKind::Spawn(_)));
            let places = calls.filter_map(|call| Some((call.body?, call.handler)));
            let mut places: Vec<(BodyId, Option<HandlerId>)> = places.collect();
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
        for (module, source) in self.sources.own_modules() {
            let tree = &source.tree;
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
    fn catches_errors(&self, module: ModuleId, node: NodeId) -> bool {
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
    fn leaves_the_program(&self, module: ModuleId, node: NodeId, kind: VertexKind) -> bool {
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
    fn takes_all(&self, module: ModuleId, pattern: NodeId) -> bool {
        let source = self.sources.source(module);
        matches!(source.tree.kind(pattern), Kind::Var(_))
            && !matches!(source.bindings.occurrence(pattern), Occurrence::Use(_))
    }

    /// Whether there may be values that no clause takes: the last one does not take all.
    fn may_match_none(&self, module: ModuleId, clauses: NodeList) -> bool {
        let tree = &self.sources.source(module).tree;
        let last = tree.list(clauses).last().map(|&clause| tree.kind(clause));
        let Some(Kind::Clause { patterns, guards, .. }) = last else { return true };
        let is_true = guards.is_empty() || is_true_guard(tree, guards);
        let all = tree.list(patterns).iter().all(|&pattern| self.takes_all(module, pattern));
        // An `if` has no patterns, and guards in all clauses.
        !(is_true && all)
    }

    /// Whether evaluating an expression may raise an error by itself.
    fn may_fail(&self, module: ModuleId, node: NodeId, kind: VertexKind) -> bool {
        let tree = &self.sources.source(module).tree;
        match (kind, tree.kind(node)) {
            (VertexKind::Call | VertexKind::Spawn | VertexKind::Send, _) => true,
            (VertexKind::Match, Kind::Match { pattern, .. }) => !self.takes_all(module, pattern),
            (VertexKind::Branch, Kind::Case { clauses, .. } | Kind::If { clauses }) => {
                self.may_match_none(module, clauses)
            }
            // What is on their left is no boolean.
            (_, Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, .. }) => true,
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
                matches!(
                    op,
                    BinaryOp::Add
                        | BinaryOp::Sub
                        | BinaryOp::Mul
                        | BinaryOp::Div
                        | BinaryOp::IntDiv
                        | BinaryOp::Rem
                        | BinaryOp::Band
                        | BinaryOp::Bor
                        | BinaryOp::Bxor
                        | BinaryOp::Bsl
                        | BinaryOp::Bsr
                        | BinaryOp::Append
                        | BinaryOp::Subtract
                        | BinaryOp::And
                        | BinaryOp::Or
                        | BinaryOp::Xor
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
}

/// The sources of generators, and the filters, of a comprehension.
fn looked_at(tree: &Module, node: NodeId) -> Vec<NodeId> {
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

fn is_true_guard(tree: &Module, guards: NodeList) -> bool {
    let [guard] = tree.list(guards) else { return false };
    let Kind::Guard { tests } = tree.kind(*guard) else { return false };
    let [test] = tree.list(tests) else { return false };
    tree.kind(*test) == Kind::Atom(atom::known::TRUE)
}
