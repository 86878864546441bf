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

use super::graph::{Adjacency, Edge, Frame, Label, Node};
use super::union_find::root;

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
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) label: Label,
    pub(crate) frame: Frame,
    /// What is looked for at the part.
    pub(crate) mode: Mode,
}

/// Which nodes are part of which.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    /// How many nodes are left.
    pub(crate) nodes: u32,
    /// By node of the graph: the number of the node it is part of.
    numbers: Vec<u32>,
    /// By node of the graph: what is looked for there, if it is part of another one.
    modes: Vec<Option<Mode>>,
}

/// Where a traversal begins.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// At nodes that are left,
    pub(crate) nodes: Vec<u32>,
    /// and by edges of others, at which something is looked for;
    pub(crate) ways: Vec<Way>,
    /// these are part of nodes that are left.
    pub(crate) parts: Vec<Node>,
}

impl Fold {
    /// Nothing is part of anything.
    pub(crate) fn nothing(nodes: u32) -> Fold {
        Fold { nodes, numbers: (0..nodes).collect(), modes: vec![None; nodes as usize] }
    }

    /// Folds a graph for going backward. Nodes that are `fixed` stay what they are.
    pub(crate) fn new(
        nodes: u32,
        sources: &Adjacency,
        users: &Adjacency,
        fixed: impl Fn(Node) -> bool,
    ) -> Fold {
        let mut modes = vec![None; nodes as usize];
        let mut roots: Vec<u32> = (0..nodes).collect();
        // Most edges lead from larger numbers to smaller ones.
        for node in (0..nodes).rev().map(Node).filter(|&node| !fixed(node)) {
            let Some((user, mode)) = only_user(users.of(node)) else { continue };
            // Not in a circle; above `user` there is no other part that is not complete.
            if root(&mut roots, user.0) != node.0 {
                roots[node.index()] = user.0;
                modes[node.index()] = Some(mode);
            }
        }
        let mut fold = Fold { nodes: 0, numbers: Vec::new(), modes };
        fold.compose(users);
        let roots: Vec<u32> = (0..nodes).map(|node| root(&mut roots, node)).collect();
        fold.number(nodes, sources, &roots);
        fold
    }

    /// From modes in relation to the only user of a node to modes in relation to the node it is
    /// part of.
    fn compose(&mut self, users: &Adjacency) {
        let mut way: Vec<usize> = Vec::new();
        let mut is_done = vec![false; self.modes.len()];
        for node in 0..self.modes.len() {
            let mut at = node;
            while self.modes[at] == Some(Mode::Same) && !is_done[at] {
                way.push(at);
                let Some(user) = users.of(Node(at as u32)).first() else { break };
                at = user.to.index();
            }
            // Whatever this is, it is complete.
            let mode = self.modes[at].unwrap_or(Mode::Same);
            for part in way.drain(..) {
                self.modes[part] = Some(mode);
                is_done[part] = true;
            }
        }
    }

    fn number(&mut self, nodes: u32, sources: &Adjacency, roots: &[u32]) {
        const NONE: u32 = u32::MAX;
        let parts = roots.iter().enumerate().map(|(node, &root)| (root, node as u32));
        let (starts, parts) = by_node(nodes, parts);
        let parts_of =
            |root: u32| starts[root as usize] as usize..starts[root as usize + 1] as usize;
        let mut numbers = vec![NONE; nodes as usize];
        let mut is_seen = vec![false; nodes as usize];
        // The node, and which of its parts and of their edges comes next.
        let mut way: Vec<(u32, usize, usize)> = Vec::new();
        for start in (0..nodes).rev().filter(|&node| roots[node as usize] == node) {
            if !std::mem::replace(&mut is_seen[start as usize], true) {
                way.push((start, parts_of(start).start, 0));
            }
            while let Some((node, part, edge)) = way.last_mut() {
                if *part == parts_of(*node).end {
                    numbers[*node as usize] = self.nodes;
                    self.nodes += 1;
                    way.pop();
                    continue;
                }
                let Some(next) = sources.of(Node(parts[*part])).get(*edge) else {
                    (*part, *edge) = (*part + 1, 0);
                    continue;
                };
                *edge += 1;
                let to = roots[next.to.index()];
                if next.label != Label::All && !std::mem::replace(&mut is_seen[to as usize], true) {
                    way.push((to, parts_of(to).start, 0));
                }
            }
        }
        self.numbers = roots.iter().map(|&root| numbers[root as usize]).collect();
    }

    /// The node that a node is part of.
    pub(crate) fn of(&self, node: Node) -> u32 {
        self.numbers[node.index()]
    }

    /// By node of the graph, from what is so by node that is left.
    pub(crate) fn unfold(&self, folded: &[bool]) -> Vec<bool> {
        self.numbers.iter().map(|&number| folded[number as usize]).collect()
    }

    fn is_part(&self, node: Node) -> bool {
        self.modes[node.index()].is_some()
    }

    /// The edges between nodes that are left.
    pub(crate) fn ways(&self, edges: &[(Node, Edge)]) -> Vec<Way> {
        let kept = edges.iter().filter(|(_, edge)| !self.is_part(edge.to));
        kept.map(|&(from, edge)| self.way(from, edge, self.modes[from.index()])).collect()
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

/// Things by node, those of one node in their order: where they begin, and all of them.
pub(crate) fn by_node<T: Copy>(
    nodes: u32,
    all: impl Iterator<Item = (u32, T)> + Clone,
) -> (Vec<u32>, Vec<T>) {
    let mut starts = vec![0u32; nodes as usize + 1];
    for (node, _) in all.clone() {
        starts[node as usize + 1] += 1;
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts.clone();
    let Some((_, first)) = all.clone().next() else { return (starts, Vec::new()) };
    let mut ordered = vec![first; starts[nodes as usize] as usize];
    for (node, thing) in all {
        ordered[next[node as usize] as usize] = thing;
        next[node as usize] += 1;
    }
    (starts, ordered)
}

/// Orders the things of each node, and keeps one of those that are the same.
pub(crate) fn order<T: Copy + Ord>(starts: &mut [u32], all: &mut Vec<T>) {
    let mut kept = 0;
    for node in 0..starts.len() - 1 {
        let range = starts[node] as usize..starts[node + 1] as usize;
        all[range.clone()].sort_unstable();
        let first = kept;
        for index in range {
            if kept == first || all[kept - 1] != all[index] {
                all[kept] = all[index];
                kept += 1;
            }
        }
        starts[node] = first as u32;
    }
    if let Some(last) = starts.last_mut() {
        *last = kept as u32;
    }
    all.truncate(kept);
}
