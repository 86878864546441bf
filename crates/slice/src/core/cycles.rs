//! Strongly connected components of what is reached (Tarjan), without recursion.

use super::saturation::Saturation;

/// The classes of states that lead to each other, each with two members or more. `targets` adds where a class
/// leads to. Classes that have the empty stack lead nowhere: nothing can come to them any more.
pub(crate) fn cycles(
    states: &Saturation,
    targets: impl Fn(&Saturation, u32, &mut Vec<u32>),
    found: &mut Vec<Vec<u32>>,
) {
    /// Not seen yet, and done.
    const NEW: u32 = 0;
    const DONE: u32 = u32::MAX;
    let mut low: Vec<u32> = vec![NEW; states.len()];
    let mut count = NEW;
    // Classes that may be part of a component that is not complete.
    let mut open: Vec<u32> = Vec::new();
    // Where classes on the way lead to: the class, its number, the first of its targets that are left.
    let mut way: Vec<(u32, u32, usize)> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    for &start in states.reached() {
        let start = states.class(start);
        if low[start as usize] != NEW || states.has_bottom(start) {
            continue;
        }
        count += 1;
        low[start as usize] = count;
        open.push(start);
        way.push((start, count, pending.len()));
        targets(states, start, &mut pending);
        while let Some(&(class, number, first)) = way.last() {
            if pending.len() > first {
                let to = pending.pop().map_or(class, |to| states.class(to));
                if states.has_bottom(to) {
                    continue;
                }
                match low[to as usize] {
                    NEW => {
                        count += 1;
                        low[to as usize] = count;
                        open.push(to);
                        way.push((to, count, pending.len()));
                        targets(states, to, &mut pending);
                    }
                    DONE => {}
                    other => low[class as usize] = low[class as usize].min(other),
                }
                continue;
            }
            way.pop();
            let least = low[class as usize];
            if let Some(&(above, ..)) = way.last() {
                low[above as usize] = low[above as usize].min(least);
            }
            if least == number {
                let at = open.iter().rposition(|&open| open == class).unwrap_or(0);
                for &member in &open[at..] {
                    low[member as usize] = DONE;
                }
                if open.len() - at > 1 {
                    found.push(open[at..].to_vec());
                }
                open.truncate(at);
            }
        }
    }
}
