//! A slice as text: a module that compiles and runs, in the user's own layout.
//!
//! The printer goes over the text of a module and leaves out what is not in the slice. Removed
//! expressions become the atom `sliced`, removed patterns `_`, removed ends of lists a tail. An
//! operand whose operator is not in the slice stands for itself: of `f(X, Y)` with only `X` in the
//! slice, `X` is left. Clauses that are left out are replaced by one that accepts everything, so
//! that nothing fails which did not fail before. Functions that are mentioned only are stubs.
//! Comments of what is kept are kept.

mod clauses;
mod expressions;
mod items;
mod module;
mod patterns;

pub(crate) use module::{Printed, print};

use flow::bindings::Bindings;
use flow::ids::IdVec;
use flow::{Flow, ModuleId, Site};
use program::LoadedModule;
use syntax::ast::{Kind, Module, NodeId};
use syntax::source::FileId;
use syntax::token::TokenKind;

use crate::erlang::ModuleNodes;
use dependence::Node;

/// What stands for an expression that is left out.
pub(crate) const MARKER: &str = "sliced";

/// Prints the functions of one module.
pub(crate) struct Printer<'s> {
    pub(crate) loaded: &'s LoadedModule,
    pub(crate) tree: &'s Module,
    pub(crate) bindings: &'s Bindings,
    pub(crate) nodes: &'s ModuleNodes,
    flow: &'s Flow,
    module: ModuleId,
    /// Of the dependence graph.
    reached: &'s IdVec<Node, bool>,
    /// For each node of the tree, whether it or something in it is in the slice.
    has: Vec<bool>,
    /// For each node of the tree, whether it is printed.
    pub(crate) kept: Vec<bool>,
    /// Functions that the printed text mentions.
    pub(crate) mentioned: Vec<(atom::Atom, atom::Atom, u32)>,
    text: &'s str,
}

/// A piece of text that replaces another: where it begins and ends, and what it is.
pub(crate) type Change = (usize, usize, String);

impl<'s> Printer<'s> {
    pub(crate) fn new(
        loaded: &'s LoadedModule,
        bindings: &'s Bindings,
        nodes: &'s ModuleNodes,
        flow: &'s Flow,
        module: ModuleId,
        reached: &'s IdVec<Node, bool>,
    ) -> Printer<'s> {
        let tree = &*loaded.tree;
        let text = &*tree.file(FileId::MAIN).text;
        let mut printer = Printer {
            loaded,
            tree,
            bindings,
            nodes,
            flow,
            module,
            reached,
            has: vec![false; tree.nodes.len()],
            kept: vec![false; tree.nodes.len()],
            mentioned: Vec::new(),
            text,
        };
        // Children have smaller numbers than their parents.
        for index in 0..tree.nodes.len() {
            let node = NodeId(index as u32);
            if nodes.unreachable.contains(&node) {
                continue;
            }
            let mut has = printer.is_reached(node);
            tree.for_each_child(node, |child| has |= printer.has[child.0 as usize]);
            printer.has[index] = has;
        }
        printer
    }

    /// Whether a node itself is in the slice, in any of its roles.
    fn is_reached(&self, node: NodeId) -> bool {
        let nodes = self.nodes;
        let of = |table: &rustc_hash::FxHashMap<NodeId, Node>| {
            table.get(&node).is_some_and(|found| self.reached[*found])
        };
        self.has_value(node) || of(&nodes.effects) || of(&nodes.tests) || of(&nodes.choices)
    }

    fn has_value(&self, node: NodeId) -> bool {
        self.nodes.value(node).is_some_and(|value| self.reached[value])
    }

    fn has_effect(&self, node: NodeId) -> bool {
        self.nodes.effects.get(&node).is_some_and(|done| self.reached[*done])
    }

    fn has_test(&self, node: NodeId) -> bool {
        self.nodes.tests.get(&node).is_some_and(|test| self.reached[*test])
    }

    fn has_choice(&self, node: NodeId) -> bool {
        self.nodes.choices.get(&node).is_some_and(|choice| self.reached[*choice])
    }

    /// Whether something of a node is in the slice.
    pub(crate) fn has(&self, node: NodeId) -> bool {
        self.has[node.0 as usize]
    }

    fn any_has(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().any(|&node| self.has(node))
    }

    fn keep(&mut self, node: NodeId) {
        self.kept[node.0 as usize] = true;
    }

    // ---- Text --------------------------------------------------------------------------------

    /// Where a node begins and ends; for one that is no part of a function, as the tree says.
    fn extent_of(&self, node: NodeId) -> (usize, usize) {
        let (start, end) = self.nodes.extents[node.0 as usize];
        if start < end {
            return (start as usize, end as usize);
        }
        let span = self.tree.span(node);
        (span.start as usize, span.end as usize)
    }

    pub(crate) fn start(&self, node: NodeId) -> usize {
        self.extent_of(node).0
    }

    pub(crate) fn end(&self, node: NodeId) -> usize {
        self.extent_of(node).1
    }

    fn slice_of(&self, start: usize, end: usize) -> &'s str {
        self.text.get(start..end.max(start)).unwrap_or_default()
    }

    /// A stretch of text with some parts of it replaced.
    fn replaced(&self, start: usize, end: usize, mut changes: Vec<Change>) -> String {
        changes.sort_by_key(|change| (change.0, change.1));
        let mut out = String::new();
        let mut at = start;
        for (from, to, text) in changes {
            if from < at || to > end {
                continue;
            }
            out.push_str(self.slice_of(at, from));
            out.push_str(&text);
            at = to;
        }
        out.push_str(self.slice_of(at, end));
        out
    }

    /// A node with the texts of some of its children.
    fn splice(&mut self, node: NodeId, children: Vec<(NodeId, String)>) -> String {
        self.keep(node);
        let changes =
            children.into_iter().map(|(child, text)| (self.start(child), self.end(child), text));
        let changes = changes.collect();
        self.replaced(self.start(node), self.end(node), changes)
    }

    /// A node as it is written, with all that is in it.
    fn verbatim(&mut self, node: NodeId) -> String {
        let tree = self.tree;
        let mut below = Vec::new();
        tree.for_each_below(node, |below_node| below.push(below_node));
        for below_node in below {
            self.keep(below_node);
            self.mention(below_node);
        }
        self.slice_of(self.start(node), self.end(node)).to_string()
    }

    /// Remembers the functions that a call or a fun names.
    fn mention(&mut self, node: NodeId) {
        if !matches!(
            self.tree.kind(node),
            Kind::Call { .. } | Kind::FunName { .. } | Kind::FunRemote { .. }
        ) {
            return;
        }
        let target = self.loaded.target(node).and_then(|target| target.mfa(self.loaded.name));
        self.mentioned.extend(target);
        // What it may call by a computed name, or have called back.
        let Some(found) = self.flow.calls.get(&Site { module: self.module, node }) else { return };
        for &target in &found.targets {
            let function = self.flow.function(target);
            if !function.is_fun() {
                let module = self.flow.modules[function.module].name;
                self.mentioned.push((module, function.name, function.arity));
            }
        }
    }

    /// The first token of a kind at or behind a token, before another one.
    fn token_from(&self, from: u32, to: u32, kind: TokenKind) -> Option<u32> {
        (from..=to).find(|&index| {
            self.tree.tokens.get(index as usize).is_some_and(|token| token.kind == kind)
        })
    }

    fn token_span(&self, index: u32) -> (usize, usize) {
        let span = self.tree.tokens[index as usize].span;
        (span.start as usize, span.end as usize)
    }
}
