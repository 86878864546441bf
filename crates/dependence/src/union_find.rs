//! Sets of nodes that are joined, each named by one of its nodes, its root: a node and its parent
//! are in one set, a root is its own parent (Galler, Fischer: *An improved equivalence algorithm*,
//! 1964). Ways to the root are halved when they are gone.
//!
//! Cost: logarithmic in the size of the set for each question, nearly constant after the first.

use ids::{Id, IdVec};

/// The root of the set that a node is in.
pub(super) fn root<I: Id>(parents: &mut IdVec<I, I>, mut node: I) -> I {
    while parents[node] != node {
        let above = parents[parents[node]];
        parents[node] = above;
        node = above;
    }
    node
}

/// Joins the sets of two nodes: the smaller root stays.
pub(super) fn union<I: Id>(parents: &mut IdVec<I, I>, left: I, right: I) {
    let (left, right) = (root(parents, left), root(parents, right));
    parents[left.max(right)] = left.min(right);
}
