//! Why something is wrong, across functions: from the place of a finding to the calls and the
//! functions of the same module that its values come from.
//!
//! A value that is a parameter is what the function is called with: its calls are told. One that a
//! function of the module gives leads to that function, and so does a call that the function does
//! not take. Values within one function bring their history along ([`super::solver`]).

use syntax::ast::{Kind, NodeId};

use super::finding::{Because, Finding, Why};
use super::graph::Index;
use super::rounds::World;

/// Places that are told, and calls of one function among them.
const MOST_PLACES: usize = 6;
const MOST_CALLS: usize = 3;

impl World<'_> {
    /// Goes on with the path of a finding in a function where that leads to others.
    pub(super) fn explain(&self, index: Index, finding: &mut Finding) {
        let node = &self.graph.nodes[index];
        let module = self.modules[node.module];
        let mut path: Vec<(NodeId, Because)> = Vec::new();
        if let Why::Call { module: of, function, bad: Some((place, ty)), .. } = &finding.why
            && *of == module.name
            && let Some(&callee) = self.graph.by_name.get(&(*of, *function))
        {
            let takes = Because::Takes { function: *function, place: *place, ty: ty.clone() };
            path.push((self.graph.nodes[callee].form, takes));
        }
        for (at, because) in std::mem::take(&mut finding.because) {
            let Because::Is(ty) = &because else {
                path.push((at, because));
                continue;
            };
            if let Some(place) = self.first_head(index).iter().position(|&pattern| pattern == at) {
                let given = |call| {
                    (call, Because::Given { function: node.function, place, ty: ty.clone() })
                };
                path.extend(self.calls_of(index).into_iter().map(given));
                continue;
            }
            // A literal says what it is itself.
            let kind = module.tree.kind(at);
            if matches!(
                kind,
                Kind::Atom(_)
                    | Kind::Integer(_)
                    | Kind::Float(_)
                    | Kind::Char(_)
                    | Kind::String(_)
                    | Kind::Nil
            ) {
                continue;
            }
            let target = module.target(at).and_then(|target| target.mfa(module.name));
            let callee = target.and_then(|(of, name, arity)| {
                self.graph.by_name.get(&(of, (name, arity))).filter(|_| of == module.name)
            });
            let gives = callee.filter(|&&callee| callee != index).map(|&callee| {
                let callee = &self.graph.nodes[callee];
                (callee.form, Because::Gives { function: callee.function, result: ty.clone() })
            });
            path.push((at, because));
            path.extend(gives);
        }
        let mut distinct: Vec<(NodeId, Because)> = Vec::new();
        for step in path {
            if distinct.len() < MOST_PLACES && !distinct.contains(&step) {
                distinct.push(step);
            }
        }
        finding.because = distinct;
    }

    /// The patterns of a function's first clause, which stand for its parameters.
    pub(super) fn first_head(&self, index: Index) -> &[NodeId] {
        let node = &self.graph.nodes[index];
        let tree = &self.modules[node.module].tree;
        let Kind::Function { clauses, .. } = tree.kind(node.form) else { return &[] };
        let first = tree.list(clauses).first().map(|&clause| tree.kind(clause));
        match first {
            Some(Kind::Clause { patterns, .. }) => tree.list(patterns),
            _ => &[],
        }
    }

    /// The first calls of a function in its own module.
    fn calls_of(&self, index: Index) -> Vec<NodeId> {
        let node = &self.graph.nodes[index];
        let module = self.modules[node.module];
        let mut calls = Vec::new();
        for caller in &self.graph.nodes {
            if caller.module != node.module || !caller.calls.contains(&index) {
                continue;
            }
            module.tree.for_each_below(caller.form, |at| {
                let target = module.target(at).and_then(|target| target.mfa(module.name));
                let is_it = target.is_some_and(|(of, name, arity)| {
                    of == module.name && (name, arity) == node.function
                });
                if is_it && calls.len() < MOST_CALLS && !calls.contains(&at) {
                    calls.push(at);
                }
            });
        }
        calls
    }
}
