//! The shape of a debugging tree: who is below whom, and what a search needs to know of each
//! statement.
//!
//! Nodes are numbered in the order of a walk that visits parents before their children, so that
//! what is below a node are the numbers behind it, up to an end. Node 0 is the run as a whole, of
//! which it is known that something is wrong with it.

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIx(pub u32);

impl NodeIx {
    /// The run as a whole.
    pub const ROOT: NodeIx = NodeIx(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a search knows of a statement. The numbers mean nothing but that equal ones are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Statements that say the same have one answer.
    pub statement: u32,
    /// The piece of the program that is to blame if it is wrong and all below it are right.
    pub suspect: u32,
    /// How large that piece is; 0 if nothing is known of it.
    pub size: u32,
    pub function: u32,
    pub module: u32,
    pub process: u32,
    /// How difficult it is to tell whether it is right: the size of what is shown.
    pub cost: u32,
    /// So many statements below it are not part of the tree.
    pub folded: u32,
    /// What it came from beside its parent, by their places among those that the tree is made of:
    /// the part of the activation before it, who sent the message that it went on with, or who
    /// started its process.
    pub causes: [Option<u32>; 2],
}

/// A tree of statements.
#[derive(Clone, Debug)]
pub struct Shape {
    parents: Vec<NodeIx>,
    /// The first node behind the subtree of each.
    ends: Vec<u32>,
    facts: Vec<Facts>,
    /// Where the nodes were before they were numbered.
    given: Vec<u32>,
    /// The other way round.
    numbers: Vec<NodeIx>,
}

impl Shape {
    /// The tree of nodes that are given with their parents, in any order in which children of one
    /// parent come as they happened; `None` for those right below the run as a whole. A node that
    /// is (by mistake) its own ancestor hangs below the run.
    pub fn new(given: &[(Option<usize>, Facts)]) -> Shape {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); given.len()];
        let mut top = Vec::new();
        for (at, (parent, _)) in given.iter().enumerate() {
            match parent.filter(|&parent| parent < given.len() && parent != at) {
                Some(parent) => children[parent].push(at),
                None => top.push(at),
            }
        }
        let mut shape = Shape {
            parents: vec![NodeIx::ROOT],
            ends: vec![0],
            facts: vec![Facts::default()],
            given: vec![u32::MAX],
            numbers: vec![NodeIx::ROOT; given.len()],
        };
        let mut numbered = vec![false; given.len()];
        for start in top {
            shape.walk(start, given, &children, &mut numbered);
        }
        for start in 0..given.len() {
            if !numbered[start] {
                shape.walk(start, given, &children, &mut numbered);
            }
        }
        shape.ends[0] = shape.parents.len() as u32;
        shape
    }

    /// Numbers a node and all below it, without recursion: calls can be nested deeply.
    fn walk(
        &mut self,
        start: usize,
        given: &[(Option<usize>, Facts)],
        children: &[Vec<usize>],
        numbered: &mut [bool],
    ) {
        // Nodes whose children are being numbered: where they were, their number, the next child.
        let mut open: Vec<(usize, NodeIx, usize)> = Vec::new();
        let mut next = Some(start);
        loop {
            if let Some(at) = next.take() {
                if numbered[at] {
                    continue;
                }
                numbered[at] = true;
                let parent = open.last().map_or(NodeIx::ROOT, |open| open.1);
                let number = NodeIx(self.parents.len() as u32);
                self.parents.push(parent);
                self.ends.push(0);
                self.facts.push(given[at].1);
                self.given.push(at as u32);
                self.numbers[at] = number;
                open.push((at, number, 0));
            }
            let Some((at, number, child)) = open.last_mut() else { return };
            match children[*at].get(*child) {
                Some(&below) => {
                    *child += 1;
                    next = Some(below).filter(|&below| !numbered[below]);
                }
                None => {
                    self.ends[number.index()] = self.parents.len() as u32;
                    open.pop();
                }
            }
        }
    }

    /// How many nodes there are, the run as a whole included.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether nothing happened in the run.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    pub fn parent(&self, node: NodeIx) -> NodeIx {
        self.parents[node.index()]
    }

    /// The node behind the last one below this one.
    pub fn end(&self, node: NodeIx) -> NodeIx {
        NodeIx(self.ends[node.index()])
    }

    pub fn facts(&self, node: NodeIx) -> &Facts {
        &self.facts[node.index()]
    }

    /// The place of a node among those that the tree was made of; none for the run as a whole.
    pub fn given(&self, node: NodeIx) -> Option<usize> {
        Some(self.given[node.index()])
            .filter(|&given| given != u32::MAX)
            .map(|given| given as usize)
    }

    /// The node of one that the tree was made of.
    pub fn number(&self, given: usize) -> Option<NodeIx> {
        self.numbers.get(given).copied()
    }

    pub fn nodes(&self) -> impl Iterator<Item = NodeIx> {
        (0..self.parents.len() as u32).map(NodeIx)
    }

    /// Whether a node is another one or below it.
    pub fn is_within(&self, node: NodeIx, other: NodeIx) -> bool {
        other <= node && node < self.end(other)
    }

    /// The nodes right below one.
    pub fn children(&self, node: NodeIx) -> impl Iterator<Item = NodeIx> {
        let end = self.end(node);
        let mut next = NodeIx(node.0 + 1);
        std::iter::from_fn(move || {
            let child = next;
            if child >= end {
                return None;
            }
            next = self.end(child);
            Some(child)
        })
    }
}
