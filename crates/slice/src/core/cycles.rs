//! Strongly connected components (Tarjan), without recursion.

/// The sets of two nodes or more of which all lead to each other, of so many nodes, from those on
/// that `starts` are. `targets` adds where a node leads to.
///
/// Cost: linear in the edges.
pub(crate) fn cycles(
    nodes: usize,
    starts: impl Iterator<Item = u32>,
    targets: impl Fn(u32, &mut Vec<u32>),
    found: &mut Vec<Vec<u32>>,
) {
    /// Not seen yet, and done.
    const NEW: u32 = 0;
    const DONE: u32 = u32::MAX;
    let mut low: Vec<u32> = vec![NEW; nodes];
    let mut count = NEW;
    // Nodes that may be part of a component that is not complete.
    let mut open: Vec<u32> = Vec::new();
    // Where nodes on the way lead to: the node, its number, the first of its targets that are left.
    let mut way: Vec<(u32, u32, usize)> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    for start in starts {
        if low[start as usize] != NEW {
            continue;
        }
        pending.push(start);
        let mut above = usize::MAX;
        loop {
            if let Some(&(node, number, first)) = way.last() {
                if pending.len() == first {
                    way.pop();
                    let least = low[node as usize];
                    if let Some(&(above, ..)) = way.last() {
                        low[above as usize] = low[above as usize].min(least);
                    }
                    if least == number {
                        close(node, &mut open, &mut low, DONE, found);
                    }
                    if way.is_empty() {
                        break;
                    }
                    continue;
                }
                above = node as usize;
            }
            let Some(to) = pending.pop() else { break };
            match low[to as usize] {
                NEW => {
                    count += 1;
                    low[to as usize] = count;
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
fn close(node: u32, open: &mut Vec<u32>, low: &mut [u32], done: u32, found: &mut Vec<Vec<u32>>) {
    let at = open.iter().rposition(|&open| open == node).unwrap_or(0);
    for &member in &open[at..] {
        low[member as usize] = done;
    }
    if open.len() - at > 1 {
        found.push(open[at..].to_vec());
    }
    open.truncate(at);
}
