//! Strongly connected components (Tarjan), without recursion.

use ids::{Id, IdVec};

/// The number of a node that has not been seen yet, and of one that is done.
const NEW: u32 = 0;
const DONE: u32 = u32::MAX;

/// The sets of two nodes or more of which all lead to each other, of so many nodes, from those on
/// that `starts` are. `targets` adds where a node leads to.
///
/// Cost: linear in the edges.
pub fn cycles<I: Id>(
    nodes: usize,
    starts: impl Iterator<Item = I>,
    targets: impl Fn(I, &mut Vec<I>),
    found: &mut Vec<Vec<I>>,
) {
    // The least number that is known to be reached from each node.
    let mut low: IdVec<I, u32> = IdVec::filled(NEW, nodes);
    let mut count = NEW;
    // Nodes that may be part of a component that is not complete.
    let mut open: Vec<I> = Vec::new();
    // Where nodes on the way lead to: the node, its number, the first of its targets that are left.
    let mut way: Vec<(I, u32, usize)> = Vec::new();
    let mut pending: Vec<I> = Vec::new();
    for start in starts {
        if low[start] != NEW {
            continue;
        }
        pending.push(start);
        let mut above = start;
        loop {
            if let Some(&(node, number, first)) = way.last() {
                if pending.len() == first {
                    way.pop();
                    let least = low[node];
                    if let Some(&(above, ..)) = way.last() {
                        low[above] = low[above].min(least);
                    }
                    if least == number {
                        close(node, &mut open, &mut low, found);
                    }
                    if way.is_empty() {
                        break;
                    }
                    continue;
                }
                above = node;
            }
            let Some(to) = pending.pop() else { break };
            match low[to] {
                NEW => {
                    count += 1;
                    low[to] = count;
                    open.push(to);
                    way.push((to, count, pending.len()));
                    targets(to, &mut pending);
                }
                DONE => {}
                other => low[above] = low[above].min(other),
            }
        }
    }
}

/// A component is complete: the nodes from this one on.
fn close<I: Id>(node: I, open: &mut Vec<I>, low: &mut IdVec<I, u32>, found: &mut Vec<Vec<I>>) {
    let at = open.iter().rposition(|&open| open == node).unwrap_or(0);
    for &member in &open[at..] {
        low[member] = DONE;
    }
    if open.len() - at > 1 {
        found.push(open[at..].to_vec());
    }
    open.truncate(at);
}
