//! Sets of nodes that are joined, each named by one of its nodes, its root: a node and its parent
//! are in one set, a root is its own parent (Galler, Fischer: *An improved equivalence algorithm*,
//! 1964). Ways to the root are halved when they are gone.
//!
//! Cost: logarithmic in the size of the set for each question, nearly constant after the first.

/// The root of the set that a node is in.
pub(super) fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}

/// Joins the sets of two nodes: the smaller root stays.
pub(super) fn union(parents: &mut [u32], left: u32, right: u32) {
    let (left, right) = (root(parents, left), root(parents, right));
    parents[left.max(right) as usize] = left.min(right);
}
