//! How `erlscope explore` searches: by one worker or several, with limits that grow, at random, or going
//! on with a search that was saved; when it stops; and what that covers.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use explore::bounded;
use explore::parallel::{self, Look};
use explore::random::{Walks, walk};
use explore::saved::Saved;
use explore::{Bounds, Execution, Limit, Statistics};
use machine::Machine;
use runner::limits::{self, Bound};

use super::so_far;
use crate::args::Searching;
use crate::guard;
use crate::progress::Counting;

/// What is thought of an execution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Fine,
    Wrong,
    /// It is of no use to go on.
    Stop,
}

/// What sees the executions of one worker.
pub(super) trait Eyes: Send + Sized {
    fn look(&mut self, execution: &Execution<'_>) -> Verdict;
    /// What was seen so far, as lines for a file.
    fn notes(&self) -> String;
    /// Takes over what was noted in a file.
    fn remember(&mut self, notes: &str) -> Result<(), String>;
    /// Adds what another worker has seen.
    fn add(&mut self, other: Self);
}

/// What a search came to.
pub(super) struct Ran<E> {
    pub(super) statistics: Statistics,
    pub(super) eyes: E,
    /// Why it did not come to its end, and what it covers.
    pub(super) why: Option<String>,
}

/// What is searched, and how.
pub(super) struct Task<'a, E> {
    pub(super) call: &'a str,
    pub(super) start: &'a Machine,
    /// Whether it begins on a node that is up.
    pub(super) on_node: bool,
    pub(super) searching: &'a Searching,
    pub(super) seed: Option<u64>,
    pub(super) bounds: Bounds,
    /// Stop when something is wrong.
    pub(super) first: bool,
    pub(super) timeout: Option<Duration>,
    /// In bytes, where what is remembered grows.
    pub(super) max_memory: Option<u64>,
    pub(super) eyes: &'a dyn Fn() -> E,
    /// What was seen so far does not count: the search begins again.
    pub(super) begin_again: &'a dyn Fn(),
    /// The beginning once more, for another thread.
    pub(super) again: &'a (dyn Fn() -> Result<Machine, String> + Sync),
}

const USELESS: &str = "it was of no use to go on";

/// What all workers know about the search as a whole.
struct Watch {
    began: Instant,
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    first: bool,
    stopped: OnceLock<&'static str>,
    executions: AtomicU64,
    /// Which part of all executions those explored are, as expected.
    share: Mutex<f64>,
    line: Counting,
}

struct Watched<'a, E> {
    eyes: E,
    watch: &'a Watch,
}

impl<E: Eyes> Look for Watched<'_, E> {
    fn look(&mut self, execution: &Execution<'_>) -> bool {
        let verdict = self.eyes.look(execution);
        self.watch.go_on(verdict, execution.share)
    }

    fn goes_on(&mut self) -> bool {
        self.watch.goes_on_without_executions()
    }
}

impl Watch {
    fn new<E>(task: &Task<'_, E>) -> Watch {
        Watch {
            began: Instant::now(),
            timeout: task.timeout,
            max_memory: task.max_memory,
            first: task.first,
            stopped: OnceLock::new(),
            executions: AtomicU64::new(0),
            share: Mutex::new(0.0),
            line: Counting::new(),
        }
    }

    /// Notes an execution. Whether to go on.
    fn go_on(&self, verdict: Verdict, share: f64) -> bool {
        let executions = self.executions.fetch_add(1, Ordering::Relaxed) + 1;
        so_far::count(executions);
        if share > 0.0 {
            *self.share.lock().unwrap_or_else(PoisonError::into_inner) += share;
        }
        if verdict == Verdict::Stop {
            let _ = self.stopped.set(USELESS);
        } else if verdict == Verdict::Wrong && self.first {
            let _ = self.stopped.set("an error was found");
        } else if self.is_over() {
            return false;
        } else if executions.is_multiple_of(16) {
            self.look_at_clock(executions);
        }
        self.stopped.get().is_none()
    }

    fn look_at_clock(&self, executions: u64) {
        let time = self.began.elapsed();
        if self.timeout.is_some_and(|limit| time > limit) {
            let _ = self.stopped.set("the time was up (--timeout)");
        }
        self.line.show(|| self.progress(executions, time));
    }

    /// Whether to go on with a search that has not found a new execution for a while, and remembers more and more.
    fn goes_on_without_executions(&self) -> bool {
        if self.is_over() {
            return false;
        }
        if let (Some(most), Some(now)) = (self.max_memory, limits::resident())
            && now > most
        {
            let _ = self.stopped.set("--max-memory was reached");
        }
        self.look_at_clock(self.executions.load(Ordering::Relaxed));
        self.stopped.get().is_none()
    }

    /// Whether a limit was reached that holds for all that we do.
    fn is_over(&self) -> bool {
        let why = match guard::bound() {
            Some(Bound::Interrupted) => "it was interrupted",
            Some(Bound::RealTime(_)) => "the time was up (--timeout)",
            Some(Bound::NoMoreMemory(_)) => "the system gives no more memory",
            Some(_) => "--max-memory was reached",
            None => return false,
        };
        let _ = self.stopped.set(why);
        true
    }

    /// What was explored so far does not count.
    fn begin_again(&self) {
        self.executions.store(0, Ordering::Relaxed);
        *self.share.lock().unwrap_or_else(PoisonError::into_inner) = 0.0;
    }

    /// Executions, rate, and how many there may be in all: each execution counts for the part of the tree that
    /// it stands for if all branches of a state are alike (Knuth: *Estimating the efficiency of backtrack
    /// programs*, 1975; over a search in order: Kilby, Slaney, Thiébaux, Walsh, AAAI 2006).
    fn progress(&self, executions: u64, time: Duration) -> String {
        let rate = executions as f64 / time.as_secs_f64().max(0.001);
        let share = *self.share.lock().unwrap_or_else(PoisonError::into_inner);
        match share > 0.0 {
            true => {
                let all = (executions as f64 / share.min(1.0)).max(executions as f64);
                format!(
                    "{executions} executions, {rate:.0} a second, about {} in all",
                    rounded(all)
                )
            }
            false => format!("{executions} executions, {rate:.0} a second"),
        }
    }
}

/// A number of which only the first two digits mean something.
fn rounded(number: f64) -> String {
    if number < 100.0 {
        return format!("{number:.0}");
    }
    if number >= 1e15 {
        return format!("{number:.0e}");
    }
    let unit = 10f64.powf(number.log10().floor() - 1.0);
    format!("{:.0}", (number / unit).round() * unit)
}

/// Searches as the command line says.
pub(super) fn run<E: Eyes>(task: &Task<'_, E>) -> Result<Ran<E>, String> {
    guard::restart();
    let searching = task.searching;
    if let Some(executions) = searching.random {
        return Ok(at_random(task, executions));
    }
    let watch = Watch::new(task);
    if let Some(most) = searching.preemptions {
        return with_preemptions(task, &watch, most);
    }
    let Some(most) = searching.delays else {
        let saved = searching.resume.as_deref().map(|file| read(file, task.call)).transpose()?;
        return once(task, &watch, Limit::None, saved);
    };
    // The cheapest first: what fewer allow is explored before.
    let mut allowed = 0;
    loop {
        let mut ran = once(task, &watch, Limit::Delays(allowed), None)?;
        let over = ran.statistics.beyond == 0 || watch.stopped.get().is_some();
        if over || allowed == most || ran.statistics.executions >= task.bounds.max_executions {
            if ran.statistics.beyond > 0 {
                ran.why = Some(beyond(&counted(allowed, "delay"), ran.statistics, ran.why));
            }
            return Ok(ran);
        }
        (task.begin_again)();
        allowed += 1;
    }
}

/// All executions with at most so many preemptions, by one worker.
fn with_preemptions<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch,
    most: u32,
) -> Result<Ran<E>, String> {
    for leave_out_ends in [true, false] {
        let bounds = Bounds { leave_out_ends, ..task.bounds.clone() };
        let mut watched = Watched { eyes: (task.eyes)(), watch };
        let bounded::Explored { statistics, all_with, .. } =
            bounded::explore(task.start, &bounds, most, &mut watched);
        watch.line.clear();
        if statistics.again && watch.stopped.get().is_none() {
            watch.begin_again();
            (task.begin_again)();
            continue;
        }
        let why = ended_because(watch, statistics);
        let why = match (why, all_with) {
            (why, Some(all)) if all == most && statistics.beyond > 0 => {
                Some(beyond(&counted(most, "preemption"), statistics, why))
            }
            (Some(why), Some(all)) if all < most && !statistics.complete => {
                let all = counted(all, "preemption");
                Some(format!("{why}; with at most {all} everything was explored"))
            }
            (why, _) => why,
        };
        return Ok(Ran { statistics, eyes: watched.eyes, why });
    }
    Err("the search never ends".to_owned())
}

const EARLY_LOOK: &str = "the dictionary of a process was looked at that the process had changed since its last visible action; \
                          that this could have come later is not explored";

/// Why a search is not complete; nothing if it is, or if only its limit kept it from that.
fn ended_because(watch: &Watch, statistics: Statistics) -> Option<String> {
    watch.is_over();
    match (watch.stopped.get(), statistics) {
        (Some(stopped), _) => Some((*stopped).to_owned()),
        (None, Statistics { complete: true, .. }) => None,
        (None, Statistics { too_deep: 1.., .. }) => {
            Some("executions were longer than --max-depth".to_owned())
        }
        (None, Statistics { early_looks: 1.., .. }) => Some(EARLY_LOOK.to_owned()),
        (None, Statistics { beyond: 1.., .. }) => None,
        (None, _) => Some("--max-executions was reached".to_owned()),
    }
}

fn counted(count: u32, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        many => format!("{many} {what}s"),
    }
}

/// What a limit left out.
fn beyond(what: &str, statistics: Statistics, why: Option<String>) -> String {
    let branches = match statistics.beyond {
        1 => "1 branch that needs".to_owned(),
        many => format!("{many} branches that need"),
    };
    let also = why.map_or(String::new(), |why| format!("; {why}"));
    format!("limited to {what}, {branches} more left out{also}")
}

fn once<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch,
    limit: Limit,
    saved: Option<(Saved, String)>,
) -> Result<Ran<E>, String> {
    // What is left out is not in the file with which another search goes on.
    let leave_out_ends = task.searching.save.is_none() && saved.is_none();
    let estimate = watch.line.is_shown();
    let forgets_rest = task.searching.save.is_none();
    let is_over: Option<fn() -> bool> = Some(guard::is_over);
    let how = Bounds { limit, estimate, leave_out_ends, ..task.bounds.clone() };
    let bounds = Bounds { forgets_rest, is_over, ..how };
    let done = searched(task, watch, &bounds, saved)?;
    match done {
        Some(ran) => Ok(ran),
        None => {
            watch.begin_again();
            (task.begin_again)();
            let bounds = Bounds { leave_out_ends: false, ..bounds };
            searched(task, watch, &bounds, None)?.ok_or_else(|| "the search never ends".to_owned())
        }
    }
}

/// `None` if it has to be done again.
fn searched<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch,
    bounds: &Bounds,
    saved: Option<(Saved, String)>,
) -> Result<Option<Ran<E>>, String> {
    let jobs = match task.searching.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let mut eyes: Vec<Watched<'_, E>> =
        (0..jobs).map(|_| Watched { eyes: (task.eyes)(), watch }).collect();
    let resumed = saved.is_some();
    let mut before = None;
    if let (Some((saved, notes)), Some(first)) = (saved, eyes.first_mut()) {
        first.eyes.remember(&notes)?;
        before = Some(saved);
    }
    let done = parallel::explore(task.start.clone(), bounds, eyes, task.again, before);
    watch.line.clear();
    let done = done?;
    let statistics = done.statistics;
    if statistics.again && watch.stopped.get().is_none() {
        return Ok(None);
    }
    let mut looks = done.looks.into_iter().map(|look| look.eyes);
    let Some(mut eyes) = looks.next() else { return Err("no workers".to_owned()) };
    looks.for_each(|other| eyes.add(other));
    if resumed && statistics.abandoned > 0 {
        return Err("the program has changed since the search was saved".to_owned());
    }
    let mut why = ended_because(watch, statistics);
    if let Some(file) = &task.searching.save
        && !done.left.is_done()
        && watch.stopped.get() != Some(&USELESS)
    {
        write(file, task, &eyes.notes(), &done.left)?;
        let saved = format!("what is left is in {}", file.display());
        why = Some(why.map_or(saved.clone(), |why| format!("{why}; {saved}")));
    }
    Ok(Some(Ran { statistics, eyes, why }))
}

fn at_random<E: Eyes>(task: &Task<'_, E>, executions: u64) -> Ran<E> {
    let watch = Watch::new(task);
    let walks = Walks {
        executions,
        seed: task.seed.unwrap_or(0),
        depth: task.searching.bug_depth,
        max_depth: task.bounds.max_depth,
        after_limit: task.bounds.after_limit,
        delivery: task.bounds.delivery,
    };
    let mut eyes = (task.eyes)();
    let walked = walk(task.start, &walks, |execution| {
        let verdict = eyes.look(execution);
        watch.go_on(verdict, 0.0)
    });
    watch.line.clear();
    let stopped = watch.stopped.get().map_or(String::new(), |why| format!("; {why}"));
    let why = format!(
        "random executions, {} different schedules, seed {}{stopped}",
        walked.different, walks.seed
    );
    let statistics = Statistics {
        executions: walked.executions,
        too_deep: walked.too_deep,
        events: walked.events,
        ..Statistics::default()
    };
    Ran { statistics, eyes, why: Some(why) }
}

const FIRST_LINE: &str = "erlscope search 1";
/// Between what was seen and what is left.
const REST: &str = "rest:";

/// A search that began on a node goes on with one.
const ON_NODE: &str = "node: up\n";

/// Whether a search that was saved began on a node.
pub(super) fn was_on_node(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("\n{ON_NODE}")))
}

fn write<E>(file: &Path, task: &Task<'_, E>, notes: &str, left: &Saved) -> Result<(), String> {
    let (call, node) = (task.call, if task.on_node { ON_NODE } else { "" });
    let text = format!("{FIRST_LINE}\ncall: {call}\n{node}{notes}{REST}\n{}", left.to_text());
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn read(file: &Path, call: &str) -> Result<(Saved, String), String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    let Some(rest) = text.strip_prefix(&format!("{FIRST_LINE}\ncall: ")) else {
        return Err(format!("{shown}: this is no search that explore --save wrote"));
    };
    let (of, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    if of != call {
        return Err(format!("{shown} is a search of {of}, not of {call}"));
    }
    let rest = rest.strip_prefix(ON_NODE).unwrap_or(rest);
    let rest_line = format!("{REST}\n");
    let (notes, left) = match rest.strip_prefix(&rest_line) {
        Some(left) => ("", left),
        None => rest
            .split_once(&format!("\n{rest_line}"))
            .ok_or_else(|| format!("{shown}: there is no line `{REST}`"))?,
    };
    let saved = Saved::from_text(left).map_err(|message| format!("{shown}: {message}"))?;
    Ok((saved, notes.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn numbers() {
        assert_eq!(rounded(7.4), "7");
        assert_eq!(rounded(1234.0), "1200");
        assert_eq!(rounded(98_765.0), "99000");
        assert_eq!(rounded(3.2e20), "3e20");
    }
}
