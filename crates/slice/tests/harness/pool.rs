//! Work on the programs of the corpus by several threads, each with a node of its own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::corpus::Case;
use super::node::Node;

/// What `work` makes of every case and its number, in their order.
pub(crate) fn for_each_case<T: Send>(
    cases: &[Case],
    work: impl Fn(usize, &Case, &Node) -> T + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(2, |found| found.get().min(4));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let node = Node::boot();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    let result = work(index, case, &node);
                    results.lock().expect("no other thread panicked").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
