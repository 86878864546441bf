//! Why something is in a slice: a shortest way of dependences from the criterion to it.
//!
//! The way leads through nodes of the slice; where two ways are equally short, the one whose edges
//! come first counts. It is a way of the graph, and nearly always one that the constraints allow:
//! the search does not carry stacks.

use std::collections::VecDeque;

use flow::Site;
use flow::ids::IdVec;

use crate::erlang::Role;
use crate::slice::Slice;
use dependence::{Edge, EdgeKind, Node};

/// A step of an explanation: a place, what of it counts, and by what dependence it was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub site: Site,
    /// What of the place counts: its value, that it is done, that it is chosen, ….
    pub role: &'static str,
    /// The dependence from the step before; `None` for the criterion.
    pub dependence: Option<&'static str>,
}

/// A node of the dependence graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphNode {
    pub id: u32,
    pub site: Site,
    pub role: &'static str,
}

/// An edge of the dependence graph: `from` depends on `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphEdge {
    pub from: u32,
    pub to: u32,
    pub kind: &'static str,
}

/// For each node the one before it on the way, and by what dependence it was reached from there.
type Came = IdVec<Node, Option<(Node, EdgeKind)>>;

impl Slice<'_> {
    /// A shortest way from a criterion to a node of a tree; `None` if it is not in the slice, or is
    /// there only because the text needs it.
    pub fn why(&self, site: Site) -> Option<Vec<Step>> {
        let built = &self.graph.built;
        let mut came: Came = IdVec::filled(None, built.origins.len());
        let mut seen = IdVec::filled(false, built.origins.len());
        let mut pending: VecDeque<Node> = VecDeque::new();
        for &criterion in self.criteria() {
            let nodes = built.modules.get(criterion.module)?;
            if let Some(start) = nodes.value(criterion.node) {
                seen[start] = true;
                pending.push_back(start);
            }
        }
        while let Some(node) = pending.pop_front() {
            let origin = built.origins[node];
            if (origin.module, origin.node) == (site.module, site.node) {
                return Some(self.way(&came, node));
            }
            for edge in self.backward_edges(node).iter().chain(self.forward_edges(node)) {
                if self.reached[edge.to] && !seen[edge.to] {
                    seen[edge.to] = true;
                    came[edge.to] = Some((node, edge.kind));
                    pending.push_back(edge.to);
                }
            }
        }
        None
    }

    /// What a node depends on; in a slice of a run, in that run.
    fn backward_edges(&self, node: Node) -> &[Edge] {
        match &self.happened {
            Some(happened) => happened.get(&node).map_or(&[], Vec::as_slice),
            None => self.graph.built.graph.sources.of(node),
        }
    }

    fn forward_edges(&self, node: Node) -> &[Edge] {
        if self.is_forward { self.graph.built.graph.users.of(node) } else { &[] }
    }

    fn way(&self, came: &Came, end: Node) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut next = Some(end);
        while let Some(node) = next {
            let origin = self.graph.built.origins[node];
            let site = Site { module: origin.module, node: origin.node };
            let before = came[node];
            // The result of a clause is that of its function.
            let again = before.is_some_and(|(before, _)| {
                origin.role == Role::Result && self.graph.built.origins[before] == origin
            });
            let is_shown = !matches!(origin.role, Role::Between | Role::State) && !again;
            if is_shown || before.is_none() {
                let dependence = before.map(|(_, kind)| kind.text());
                steps.push(Step { site, role: origin.role.text(), dependence });
            }
            next = before.map(|(node, _)| node);
        }
        steps.reverse();
        steps
    }

    /// The part of the dependence graph that the slice is.
    pub fn graph(&self) -> (Vec<GraphNode>, Vec<GraphEdge>) {
        let built = &self.graph.built;
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for (node, origin) in built.origins.enumerate() {
            if !self.reached[node] {
                continue;
            }
            let site = Site { module: origin.module, node: origin.node };
            nodes.push(GraphNode { id: node.number(), site, role: origin.role.text() });
            for edge in self.backward_edges(node) {
                if self.reached[edge.to] {
                    let (from, to) = (node.number(), edge.to.number());
                    edges.push(GraphEdge { from, to, kind: edge.kind.text() });
                }
            }
        }
        edges.dedup();
        (nodes, edges)
    }
}
