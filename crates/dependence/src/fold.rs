//! The graph as a traversal looks at it: smaller, and in another order.
//!
//! A node whose only edges come from one other node, within a procedure, and that has the same
//! stacks as that one, or always the empty stack, or always the hollow one, is reached exactly when
//! the other one is. It becomes part of that one, which takes over its edges; a third of all nodes
//! do. A traversal that begins at such a node begins with its edges instead ([`Fold::starts`]).
//!
//! Nodes that are left get numbers in the order in which a depth-first search leaves them that does
//! not follow edges about all of a value: going by those from the largest, what leads to a node
//! comes before it, unless there is a cycle, so that nearly everything that is to be looked for at
//! a node is known when it has its turn.

use ids::IdVec;

use super::graph::{Adjacency, Edge, Frame, Label, Node};
use super::rows::Rows;
use super::union_find::root;

ids::ids! {
    /// A node that is left, with all that are part of it.
    pub(crate) Folded;
}

/// What is looked for at a node that is part of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// The same as at the other one.
    Same,
    /// Everything.
    Whole,
    /// The outermost constructor.
    Hollow,
}

impl Mode {
    /// What is looked for behind an edge to a part.
    fn through(self, label: Label) -> Option<Mode> {
        match (self, label) {
            (_, Label::All) => Some(Mode::Whole),
            (_, Label::Shape) => Some(Mode::Hollow),
            (mode, Label::Same) => Some(mode),
            // There is an edge about all of it, too.
            _ => None,
        }
    }
}

/// An edge between nodes that are left, from a part of the first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) from: Folded,
    pub(crate) to: Folded,
    pub(crate) label: Label,
    pub(crate) frame: Frame,
    /// What is looked for at the part.
    pub(crate) mode: Mode,
}

/// Which nodes are part of which.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    /// How many nodes are left.
    pub(crate) nodes: usize,
    /// By node of the graph: the one it is part of.
    numbers: IdVec<Node, Folded>,
    /// By node of the graph: what is looked for there, if it is part of another one.
    modes: IdVec<Node, Option<Mode>>,
}

/// Where a traversal begins.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// At nodes that are left,
    pub(crate) nodes: Vec<Folded>,
    /// and by edges of others, at which something is looked for;
    pub(crate) ways: Vec<Way>,
    /// these are part of nodes that are left.
    pub(crate) parts: Vec<Node>,
}

impl Fold {
    /// Nothing is part of anything.
    pub(crate) fn nothing(nodes: usize) -> Fold {
        Fold { nodes, numbers: ids::first(nodes).collect(), modes: IdVec::filled(None, nodes) }
    }

    /// Folds a graph for going backward. Nodes that are `fixed` stay what they are.
    pub(crate) fn new(
        nodes: usize,
        sources: &Adjacency,
        users: &Adjacency,
        fixed: impl Fn(Node) -> bool,
    ) -> Fold {
        let mut modes = IdVec::filled(None, nodes);
        let mut roots: IdVec<Node, Node> = ids::first(nodes).collect();
        // Most edges lead from larger numbers to smaller ones.
        for node in ids::first(nodes).rev().filter(|&node| !fixed(node)) {
            let Some((user, mode)) = only_user(users.of(node)) else { continue };
            // Not in a circle; above `user` there is no other part that is not complete.
            if root(&mut roots, user) != node {
                roots[node] = user;
                modes[node] = Some(mode);
            }
        }
        let mut fold = Fold { nodes: 0, numbers: IdVec::new(), modes };
        fold.compose(users);
        let roots = ids::first(nodes).map(|node| root(&mut roots, node)).collect();
        fold.number(sources, &roots);
        fold
    }

    /// From modes in relation to the only user of a node to modes in relation to the node it is
    /// part of.
    fn compose(&mut self, users: &Adjacency) {
        let mut way: Vec<Node> = Vec::new();
        let mut is_done = IdVec::filled(false, self.modes.len());
        for node in self.modes.ids() {
            let mut at = node;
            while self.modes[at] == Some(Mode::Same) && !is_done[at] {
                way.push(at);
                let Some(user) = users.of(at).first() else { break };
                at = user.to;
            }
            // Whatever this is, it is complete.
            let mode = self.modes[at].unwrap_or(Mode::Same);
            for part in way.drain(..) {
                self.modes[part] = Some(mode);
                is_done[part] = true;
            }
        }
    }

    fn number(&mut self, sources: &Adjacency, roots: &IdVec<Node, Node>) {
        let nodes = roots.len();
        let parts = Rows::new(nodes, roots.enumerate().map(|(node, &root)| (root, node)));
        let mut numbers: IdVec<Node, Option<Folded>> = IdVec::filled(None, nodes);
        let mut is_seen = IdVec::filled(false, nodes);
        // The node, and which of its parts and of their edges comes next.
        let mut way: Vec<(Node, usize, usize)> = Vec::new();
        for start in roots.ids().rev().filter(|&node| roots[node] == node) {
            if !std::mem::replace(&mut is_seen[start], true) {
                way.push((start, 0, 0));
            }
            while let Some((node, part, edge)) = way.last_mut() {
                let Some(&at) = parts.of(*node).get(*part) else {
                    numbers[*node] = Some(Folded::new(self.nodes));
                    self.nodes += 1;
                    way.pop();
                    continue;
                };
                let Some(next) = sources.of(at).get(*edge) else {
                    (*part, *edge) = (*part + 1, 0);
                    continue;
                };
                *edge += 1;
                let to = roots[next.to];
                if next.label != Label::All && !std::mem::replace(&mut is_seen[to], true) {
                    way.push((to, 0, 0));
                }
            }
        }
        // Every root has been left, so that every node has a number.
        self.numbers = roots.iter().filter_map(|&root| numbers[root]).collect();
    }

    /// The node that a node is part of.
    pub(crate) fn of(&self, node: Node) -> Folded {
        self.numbers[node]
    }

    /// By node of the graph, from what is so by node that is left.
    pub(crate) fn unfold(&self, folded: &IdVec<Folded, bool>) -> IdVec<Node, bool> {
        self.numbers.iter().map(|&number| folded[number]).collect()
    }

    fn is_part(&self, node: Node) -> bool {
        self.modes[node].is_some()
    }

    /// The edges between nodes that are left.
    pub(crate) fn ways(&self, edges: &[(Node, Edge)]) -> Vec<Way> {
        let kept = edges.iter().filter(|(_, edge)| !self.is_part(edge.to));
        kept.map(|&(from, edge)| self.way(from, edge, self.modes[from])).collect()
    }

    fn way(&self, from: Node, Edge { to, label, frame, .. }: Edge, mode: Option<Mode>) -> Way {
        let mode = mode.unwrap_or(Mode::Same);
        Way { from: self.of(from), to: self.of(to), label, frame, mode }
    }

    /// Where a traversal begins that is to begin at some nodes of the graph.
    pub(crate) fn starts(&self, nodes: &[Node], sources: &Adjacency) -> Starts {
        let mut starts = Starts::default();
        let mut pending: Vec<(Node, Mode)> = Vec::new();
        for &node in nodes {
            match self.is_part(node) {
                true => pending.push((node, Mode::Whole)),
                false => starts.nodes.push(self.of(node)),
            }
        }
        while let Some((node, mode)) = pending.pop() {
            starts.parts.push(node);
            for &edge in sources.of(node) {
                if !self.is_part(edge.to) {
                    starts.ways.push(self.way(node, edge, Some(mode)));
                } else if let Some(mode) = mode.through(edge.label) {
                    pending.push((edge.to, mode));
                }
            }
        }
        starts
    }
}

/// The node from which all edges to a node come, if all stay in a procedure, and what is looked for
/// at the node.
fn only_user(edges: &[Edge]) -> Option<(Node, Mode)> {
    let user = edges.first()?.to;
    let is_one = edges.iter().all(|edge| edge.to == user && edge.frame == Frame::Stay);
    let are_all = |label: Label| edges.iter().all(|edge| edge.label == label);
    let mode = match () {
        () if !is_one => return None,
        () if edges.iter().any(|edge| edge.label == Label::All) => Mode::Whole,
        () if are_all(Label::Same) => Mode::Same,
        () if are_all(Label::Shape) => Mode::Hollow,
        () => return None,
    };
    Some((user, mode))
}
