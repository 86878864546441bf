//! One search by one worker or several, each a thread with a Machine of its own. What they share is
//! in `tree.rs`. A search that was stopped leaves what remains to be done, with which another can
//! go on.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use machine::Machine;

use crate::outcome::Execution;
use crate::saved::Saved;
use crate::search::{Bounds, Search, Statistics};
use crate::tree::Shared;

/// Of each worker's thread. What the search itself does needs little.
const STACK: usize = 16 << 20;

/// What the workers came to.
pub struct Explored<L> {
    /// Of the whole, with what was done before.
    pub statistics: Statistics,
    /// What looked at each worker's executions.
    pub looks: Vec<L>,
    /// What is left to be done.
    pub left: Saved,
}

/// What looks at the executions that one worker explores.
pub trait Look {
    /// Whether to go on.
    fn look(&mut self, execution: &Execution<'_>) -> bool;

    /// Whether to go on, where there was no execution for a while.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// Should a worker fail, the others do not wait for it.
struct Guard(Arc<Shared>);

impl Drop for Guard {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Why workers did not come to an end. `E` is why a Machine could not be made.
#[derive(Debug)]
pub enum Error<E> {
    NoWorkers,
    /// A thread could not be started.
    Thread(io::Error),
    /// A worker has failed: a defect of ours.
    Worker,
    Machine(E),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoWorkers => f.write_str("no workers"),
            Error::Thread(error) => write!(f, "cannot start a worker: {error}"),
            Error::Worker => f.write_str("a worker has failed"),
            Error::Machine(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {}

/// Explores with one worker for each of `looks`: the first has `machine`, the others make their
/// own, which must be in the same state. Goes on with what was left by another search of the same.
pub fn explore<L: Look + Send, E: Send>(
    machine: Machine,
    bounds: &Bounds,
    looks: Vec<L>,
    make: &(dyn Fn() -> Result<Machine, E> + Sync),
    before: Option<Saved>,
) -> Result<Explored<L>, Error<E>> {
    let workers = looks.len();
    let shared = Arc::new(Shared::new(workers, bounds.max_executions));
    let mut machine = machine;
    let from_beginning = before.is_none();
    let mut done_before = Statistics::default();
    if let Some(before) = before {
        machine.set_pid_names(&before.pids);
        done_before = before.statistics;
        before.restore(&shared);
    }
    let start = machine.clone();
    let pids = machine.pid_table();
    let mut looks = looks.into_iter();
    let Some(first) = looks.next() else { return Err(Error::NoWorkers) };
    thread::scope(|scope| {
        let others: Vec<_> = looks
            .map(|mut look| {
                let (common, bounds, pids) = (Arc::clone(&shared), bounds.clone(), pids.clone());
                let work = move || {
                    let _guard = Guard(Arc::clone(&common));
                    let mut machine = make().inspect_err(|_| common.stop())?;
                    if let Some(pids) = pids {
                        machine.use_pid_table(pids);
                    }
                    let mut search = Search::with(machine, bounds, common);
                    let finished = search.work(false, |execution| look.look(execution));
                    Ok((search.statistics(), look, finished))
                };
                let thread = thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, work).inspect_err(|_: &io::Error| shared.stop())
            })
            .collect();
        let mut look = first;
        let mut search = Search::with(machine, bounds.clone(), Arc::clone(&shared));
        let mut all = search.work(from_beginning, |execution| look.look(execution));
        let mut statistics = search.statistics();
        let mut looks = vec![look];
        for other in others {
            let worker = other.map_err(Error::Thread)?;
            let done: Result<(Statistics, L, bool), E> =
                worker.join().map_err(|_| Error::Worker)?;
            let (its, look, finished) = done.map_err(Error::Machine)?;
            statistics.add(its);
            looks.push(look);
            all &= finished;
        }
        statistics.add(done_before);
        statistics.again = shared.must_begin_again();
        statistics.complete = all && statistics.is_all();
        let left = Saved::of(&shared, statistics, start.pid_names());
        Ok(Explored { statistics, looks, left })
    })
}

/// The same in one thread: workers with these Machines take turns, as `whose` says, and share
/// whatever can be shared. For tests, where it reaches what threads reach only rarely.
pub fn in_turns(
    machines: Vec<Machine>,
    bounds: &Bounds,
    mut whose: impl FnMut(usize) -> usize,
    mut each: impl FnMut(&Execution<'_>) -> bool,
) -> Statistics {
    let shared = Arc::new(Shared::generous(bounds.max_executions));
    let pids = machines.first().and_then(Machine::pid_table);
    let worker = |mut machine: Machine| {
        if let Some(pids) = &pids {
            machine.use_pid_table(pids.clone());
        }
        Search::with(machine, bounds.clone(), Arc::clone(&shared))
    };
    let mut workers: Vec<Search> = machines.into_iter().map(worker).collect();
    let mut statistics = Statistics::default();
    if let Some(first) = workers.first_mut() {
        first.turn(true, &mut each);
    }
    let mut in_vain = 0;
    while in_vain < 2 * workers.len() && !workers.is_empty() {
        // In the end everybody is asked.
        let who = match in_vain {
            0 => whose(workers.len()) % workers.len(),
            more => more % workers.len(),
        };
        in_vain = if workers[who].turn(false, &mut each) { 0 } else { in_vain + 1 };
    }
    for worker in &workers {
        statistics.add(worker.statistics());
    }
    statistics.again = shared.must_begin_again();
    statistics.complete = statistics.is_all() && !statistics.again;
    statistics
}
