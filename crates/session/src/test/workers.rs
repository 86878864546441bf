//! Several modules of tests at a time.
//!
//! Nothing of a Machine can be shared by threads, so every worker opens the program for itself and
//! takes one module after the other; what came of them is told in the order of the modules, whoever
//! was first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use super::{ModuleAnswer, Tester};
use crate::Error;
use crate::run::LoadProblem;

/// What came of one module.
pub(super) struct Done {
    pub(super) module: ModuleAnswer,
    /// A bound of the whole run was reached.
    pub(super) stop: bool,
    /// Modules that could not be loaded, as far as the worker knows.
    pub(super) problems: Vec<LoadProblem>,
}

/// As much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// Lets workers run the modules. `open` makes what a worker needs; `tell` gets the results in order
/// and says whether to go on. An error of one of them is the end.
pub(super) fn run<'a>(
    jobs: usize,
    count: usize,
    open: &(dyn Fn() -> Result<Tester<'a>, Error> + Sync),
    mut tell: impl FnMut(Done) -> bool,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let (sender, results) = mpsc::channel::<Result<(usize, Done), Error>>();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(count).max(1) {
            let sender = sender.clone();
            let (next, is_over) = (&next, &is_over);
            let work = move || {
                let tester = match open() {
                    Ok(tester) => tester,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let done = tester.module(index).map(|done| (index, done));
                    if sender.send(done).is_err() {
                        return;
                    }
                }
            };
            let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let cannot = |error| Error::Failed(format!("no thread can be started: {error}"));
            started.map_err(cannot)?;
        }
        drop(sender);
        let mut waiting: BTreeMap<usize, Done> = BTreeMap::new();
        let mut told = 0;
        for result in results {
            let (index, done) = result.inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
            waiting.insert(index, done);
            while let Some(done) = waiting.remove(&told) {
                told += 1;
                if !tell(done) {
                    is_over.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}
