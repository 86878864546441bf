//! Control dependence, by the definition of Ferrante, Ottenstein and Warren (1987): a block depends
//! on those from which one way surely leads through it and another may not.
//!
//! Immediate post-dominators by Cooper, Harvey and Kennedy's iteration on the graph turned round.
//! Where no way leads to the end, one is added.
//!
//! Cost: near linear in the edges, and in the dependences that are found.

/// For each block those whose way on decides whether it is reached; none for blocks that are
/// reached whenever the body is.
pub(crate) fn dependences(successors: &[Vec<usize>], start: usize, exit: usize) -> Vec<Vec<usize>> {
    let count = successors.len();
    let mut successors = successors.to_vec();
    connect(&mut successors, start, exit);
    let mut predecessors = vec![Vec::new(); count];
    for (from, all) in successors.iter().enumerate() {
        for &to in all {
            predecessors[to].push(from);
        }
    }
    let order = postorder(&predecessors, exit);
    let mut number = vec![usize::MAX; count];
    for (index, &block) in order.iter().enumerate() {
        number[block] = index;
    }
    let mut above = vec![usize::MAX; count];
    above[exit] = exit;
    loop {
        let mut changed = false;
        for &block in order.iter().rev().filter(|&&block| block != exit) {
            let mut found = usize::MAX;
            for &next in &successors[block] {
                if above[next] == usize::MAX {
                    continue;
                }
                found = if found == usize::MAX { next } else { meet(&above, &number, found, next) };
            }
            if found != usize::MAX && above[block] != found {
                above[block] = found;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut depends = vec![Vec::new(); count];
    for (block, all) in successors.iter().enumerate() {
        if all.len() < 2 || above[block] == usize::MAX {
            continue;
        }
        for &next in all {
            let mut at = next;
            while at != above[block] && at != exit && at != usize::MAX {
                if depends[at].last() != Some(&block) {
                    depends[at].push(block);
                }
                at = above[at];
            }
        }
    }
    for all in &mut depends {
        all.sort_unstable();
        all.dedup();
    }
    depends
}

fn meet(above: &[usize], number: &[usize], mut one: usize, mut two: usize) -> usize {
    while one != two {
        while number[one] < number[two] {
            one = above[one];
        }
        while number[two] < number[one] {
            two = above[two];
        }
    }
    one
}

/// The nodes that are reached, each after those that are reached from it.
pub(crate) fn postorder(next: &[Vec<usize>], start: usize) -> Vec<usize> {
    postorder_unseen(next, start, &mut vec![false; next.len()])
}

/// Leads every block that is reached to the end.
fn connect(successors: &mut [Vec<usize>], start: usize, exit: usize) {
    let reached = postorder(successors, start);
    loop {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, all) in successors.iter().enumerate() {
            for &to in all {
                predecessors[to].push(from);
            }
        }
        let mut ends = vec![false; successors.len()];
        for block in postorder(&predecessors, exit) {
            ends[block] = true;
        }
        // The last in the text that is stuck.
        let Some(&stuck) = reached.iter().filter(|&&block| !ends[block]).max() else { return };
        successors[stuck].push(exit);
    }
}

/// Whether each block lies on a cycle.
pub(crate) fn cyclic(successors: &[Vec<usize>]) -> Vec<bool> {
    // Tarjan's numbers by the order of the graph and of the graph turned round (Kosaraju).
    let count = successors.len();
    let mut predecessors = vec![Vec::new(); count];
    for (from, all) in successors.iter().enumerate() {
        for &to in all {
            predecessors[to].push(from);
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; count];
    for start in 0..count {
        if seen[start] {
            continue;
        }
        for block in postorder_unseen(successors, start, &mut seen) {
            order.push(block);
        }
    }
    let mut is_cyclic = vec![false; count];
    let mut seen = vec![false; count];
    for &start in order.iter().rev() {
        if seen[start] {
            continue;
        }
        let component = postorder_unseen(&predecessors, start, &mut seen);
        let is_loop = component.len() > 1 || successors[start].contains(&start);
        for block in component {
            is_cyclic[block] = is_loop;
        }
    }
    is_cyclic
}

/// The same of those that were not seen before.
fn postorder_unseen(next: &[Vec<usize>], start: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut order = Vec::new();
    seen[start] = true;
    let mut way = vec![(start, 0)];
    while let Some((node, at)) = way.last_mut() {
        match next[*node].get(*at) {
            Some(&to) => {
                *at += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    way.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                way.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{cyclic, dependences};

    /// 0 decides between 1 and 2; 3 is after both; 3 decides about 4, a loop of its own.
    #[test]
    fn branches_and_loops() {
        let graph = [vec![1, 2], vec![3], vec![3], vec![4, 5], vec![3], vec![]];
        let found = dependences(&graph, 0, 5);
        assert_eq!(found[1], [0]);
        assert_eq!(found[2], [0]);
        assert_eq!(found[3], [3]);
        assert_eq!(found[4], [3]);
        assert!(found[0].is_empty());
        assert_eq!(cyclic(&graph), [false, false, false, true, true, false]);
    }

    #[test]
    fn what_never_ends() {
        let graph = [vec![1], vec![1], vec![]];
        assert!(dependences(&graph, 0, 2)[0].is_empty());
    }
}
