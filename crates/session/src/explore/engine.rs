//! How a search goes: by one worker or several, with limits that grow, at random, or going on with
//! a search that was saved; when it stops; and what that covers.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ::explore::bounded;
use ::explore::parallel::{self, Look};
use ::explore::random::{Walks, walk};
use ::explore::saved::Saved;
use ::explore::{Bounds, Execution, IsOver, Limit, Moments, Statistics};
use machine::Machine;
use runner::limits::{self, Bound};

use super::{Engine, Incomplete, Request, Spent};
use crate::control::Progress;
use crate::{Control, Departed, Error};

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
    fn remember(&mut self, notes: &str) -> Result<(), Error>;
    /// Adds what another worker has seen.
    fn add(&mut self, other: Self);
}

/// What a search came to.
pub(super) struct Ran<E> {
    pub(super) statistics: Statistics,
    pub(super) eyes: E,
    /// Why it did not come to its end, and what it covers.
    pub(super) why: Option<Incomplete>,
}

/// What is searched, and how.
pub(super) struct Task<'a, E> {
    pub(super) request: &'a Request,
    pub(super) control: &'a Control,
    pub(super) call: &'a str,
    pub(super) start: &'a Machine,
    /// Whether it begins on a node that is up.
    pub(super) on_node: bool,
    pub(super) bounds: Bounds,
    /// In bytes, where what is remembered grows.
    pub(super) max_memory: Option<u64>,
    pub(super) eyes: &'a dyn Fn() -> E,
    /// The beginning once more, for another thread.
    pub(super) again: &'a (dyn Fn() -> Result<Machine, Error> + Sync),
}

/// Why a search was stopped.
#[derive(Clone, PartialEq, Debug)]
enum Stopped {
    /// It was of no use to go on.
    Useless,
    Because(Incomplete),
}

/// What all workers know about the search as a whole.
struct Watch<'a> {
    control: &'a Control,
    began: Instant,
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    first: bool,
    stopped: OnceLock<Stopped>,
    executions: AtomicU64,
    /// Which part of all executions those explored are, as expected.
    share: Mutex<f64>,
}

struct Watched<'a, E> {
    eyes: E,
    watch: &'a Watch<'a>,
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

impl<'a> Watch<'a> {
    fn new<E>(task: &Task<'a, E>) -> Watch<'a> {
        Watch {
            control: task.control,
            began: Instant::now(),
            timeout: task.request.running.timeout,
            max_memory: task.max_memory,
            first: task.request.first,
            stopped: OnceLock::new(),
            executions: AtomicU64::new(0),
            share: Mutex::new(0.0),
        }
    }

    fn stop(&self, why: Incomplete) {
        let _ = self.stopped.set(Stopped::Because(why));
    }

    /// Why it was stopped, if that is worth telling.
    fn why(&self) -> Option<Incomplete> {
        match self.stopped.get()? {
            Stopped::Because(why) => Some(why.clone()),
            Stopped::Useless => None,
        }
    }

    /// Notes an execution. Whether to go on.
    fn go_on(&self, verdict: Verdict, share: f64) -> bool {
        let executions = self.executions.fetch_add(1, Ordering::Relaxed) + 1;
        if share > 0.0 {
            *self.share() += share;
        }
        if verdict == Verdict::Stop {
            let _ = self.stopped.set(Stopped::Useless);
        } else if verdict == Verdict::Wrong && self.first {
            self.stop(Incomplete::ErrorFound);
        } else if self.is_over() {
            return false;
        } else if executions.is_multiple_of(16) {
            self.look_at_clock(executions);
        }
        self.stopped.get().is_none()
    }

    fn look_at_clock(&self, executions: u64) {
        let elapsed = self.began.elapsed();
        if let Some(limit) = self.timeout.filter(|limit| elapsed > *limit) {
            self.stop(Incomplete::Bound(Bound::RealTime(limit)));
        }
        let share = *self.share();
        self.control.hear(Progress::Exploring { executions, elapsed, share });
    }

    fn share(&self) -> std::sync::MutexGuard<'_, f64> {
        self.share.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to go on with a search that has not found a new execution for a while, and remembers
    /// more and more.
    fn goes_on_without_executions(&self) -> bool {
        if self.is_over() {
            return false;
        }
        if let (Some(most), Some(now)) = (self.max_memory, limits::resident())
            && now > most
        {
            self.stop(Incomplete::Bound(Bound::Memory(most)));
        }
        self.look_at_clock(self.executions.load(Ordering::Relaxed));
        self.stopped.get().is_none()
    }

    /// Whether a limit was reached that holds for all that we do.
    fn is_over(&self) -> bool {
        let Some(bound) = self.control.bound() else { return false };
        self.stop(Incomplete::Bound(bound));
        true
    }

    /// What was explored so far does not count.
    fn begin_again(&self) {
        self.executions.store(0, Ordering::Relaxed);
        *self.share() = 0.0;
        self.control.hear(Progress::BeginsAgain);
    }
}

/// Searches as the request says.
pub(super) fn run<E: Eyes>(task: &Task<'_, E>) -> Result<Ran<E>, Error> {
    let watch = Watch::new(task);
    match &task.request.engine {
        Engine::Random { executions, bug_depth } => {
            Ok(at_random(task, &watch, *executions, *bug_depth))
        }
        Engine::Preemptions(most) => with_preemptions(task, &watch, *most),
        Engine::All { resume, .. } => {
            let saved = resume.as_deref().map(|file| read(file, task.call)).transpose()?;
            once(task, &watch, Limit::None, saved)
        }
        Engine::Delays(most) => with_delays(task, &watch, *most),
    }
}

/// The cheapest first: what fewer delays allow is explored before.
fn with_delays<E: Eyes>(task: &Task<'_, E>, watch: &Watch<'_>, most: u32) -> Result<Ran<E>, Error> {
    let mut allowed = 0;
    loop {
        let mut ran = once(task, watch, Limit::Delays(allowed), None)?;
        let over = ran.statistics.beyond == 0 || watch.stopped.get().is_some();
        if over || allowed == most || ran.statistics.executions >= task.bounds.max_executions {
            if ran.statistics.beyond > 0 {
                ran.why = Some(beyond(Spent::Delays(allowed), ran.statistics, ran.why));
            }
            return Ok(ran);
        }
        watch.control.hear(Progress::BeginsAgain);
        allowed += 1;
    }
}

fn never_ends() -> Error {
    Error::Failed("the search never ends".to_owned())
}

/// All executions with at most so many preemptions, by one worker.
fn with_preemptions<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch<'_>,
    most: u32,
) -> Result<Ran<E>, Error> {
    let (dictionaries, ends) = (Moments::Noticed, Moments::Noticed);
    let mut bounds = Bounds { leave_out_ends: true, dictionaries, ends, ..task.bounds.clone() };
    for _ in 0..MOST_TIMES {
        let mut watched = Watched { eyes: (task.eyes)(), watch };
        let bounded::Explored { statistics, all_with, .. } =
            bounded::explore(task.start, &bounds, most, &mut watched);
        watch.control.hear(Progress::SearchEnds);
        if statistics.again && watch.stopped.get().is_none() {
            watch.begin_again();
            bounds = bounds.again(statistics);
            continue;
        }
        let why = match (ended_because(watch, statistics), all_with) {
            (why, Some(all)) if all == most && statistics.beyond > 0 => {
                Some(beyond(Spent::Preemptions(most), statistics, why))
            }
            (Some(why), Some(preemptions)) if preemptions < most && !statistics.complete => {
                Some(Incomplete::AllWith { preemptions, why: Box::new(why) })
            }
            (why, _) => why,
        };
        return Ok(Ran { statistics, eyes: watched.eyes, why });
    }
    Err(never_ends())
}

/// Why a search is not complete; nothing if it is, or if only its limit kept it from that.
fn ended_because(watch: &Watch<'_>, statistics: Statistics) -> Option<Incomplete> {
    watch.is_over();
    match (watch.stopped.get(), statistics) {
        (Some(_), _) => watch.why(),
        (None, Statistics { complete: true, .. }) => None,
        (None, Statistics { too_deep: 1.., .. }) => Some(Incomplete::Depth),
        (None, Statistics { early_looks: 1.., .. }) => Some(Incomplete::EarlyLook),
        (None, Statistics { beyond: 1.., .. }) => None,
        (None, _) => Some(Incomplete::Executions),
    }
}

/// What a limit left out.
fn beyond(to: Spent, statistics: Statistics, also: Option<Incomplete>) -> Incomplete {
    Incomplete::Limited { to, branches: statistics.beyond, also: also.map(Box::new) }
}

fn once<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch<'_>,
    limit: Limit,
    resumed: Option<Resumed>,
) -> Result<Ran<E>, Error> {
    // What is left out is not in the file with which another search goes on.
    let is_saved = save_file(task).is_some();
    let control = task.control.clone();
    let shown = resumed.as_ref().map(|resumed| resumed.shown).unwrap_or_default();
    let mut saved = resumed.and_then(|resumed| resumed.left);
    let mut bounds = Bounds {
        limit,
        dictionaries: if shown.dictionaries { Moments::Shown } else { Moments::Noticed },
        ends: if shown.ends { Moments::Shown } else { Moments::Noticed },
        estimate: task.request.estimate,
        leave_out_ends: !is_saved && saved.is_none(),
        forgets_rest: !is_saved,
        is_over: IsOver::new(move || control.is_over()),
        ..task.bounds.clone()
    };
    for _ in 0..MOST_TIMES {
        match searched(task, watch, &bounds, saved.take())? {
            Searched::Done(ran) => return Ok(*ran),
            Searched::Again(statistics) => bounds = bounds.again(statistics),
        }
        watch.begin_again();
    }
    Err(never_ends())
}

/// How often a search is begun at most: with ends that nobody notices, changes of dictionaries and
/// moments inside of ends left out, and then without one after the other.
const MOST_TIMES: usize = 4;

enum Searched<E> {
    Done(Box<Ran<E>>),
    /// It has to be done again.
    Again(Statistics),
}

/// Where what is left of a search is written to.
fn save_file<'a, E>(task: &Task<'a, E>) -> Option<&'a Path> {
    match &task.request.engine {
        Engine::All { save, .. } => save.as_deref(),
        _ => None,
    }
}

fn searched<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch<'_>,
    bounds: &Bounds,
    saved: Option<(Saved, String)>,
) -> Result<Searched<E>, Error> {
    let jobs = match task.request.jobs {
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
    watch.control.hear(Progress::SearchEnds);
    let done = done.map_err(|error| match error {
        parallel::Error::Machine(error) => error,
        other => Error::Failed(other.to_string()),
    })?;
    let statistics = done.statistics;
    if statistics.again && watch.stopped.get().is_none() {
        return Ok(Searched::Again(statistics));
    }
    let parallel::Explored { looks, left, .. } = done;
    let mut looks = looks.into_iter().map(|look| look.eyes);
    let Some(mut eyes) = looks.next() else {
        return Err(Error::Failed("no workers".to_owned()));
    };
    looks.for_each(|other| eyes.add(other));
    if resumed && statistics.abandoned > 0 {
        return Err(Error::Departed(Departed::Search));
    }
    let mut why = ended_because(watch, statistics);
    if let Some(file) = save_file(task)
        && (statistics.again || !left.is_done())
        && watch.stopped.get() != Some(&Stopped::Useless)
    {
        let left = (!statistics.again).then_some(&left);
        write(file, task, &bounds.again(statistics), &eyes.notes(), left)?;
        why = Some(Incomplete::Saved { file: file.to_owned(), why: why.map(Box::new) });
    }
    Ok(Searched::Done(Box::new(Ran { statistics, eyes, why })))
}

fn at_random<E: Eyes>(
    task: &Task<'_, E>,
    watch: &Watch<'_>,
    executions: u64,
    bug_depth: u32,
) -> Ran<E> {
    let walks = Walks {
        executions,
        seed: task.request.running.seed.unwrap_or(0),
        depth: bug_depth,
        max_depth: task.bounds.max_depth,
        after_limit: task.bounds.after_limit,
        delivery: task.bounds.delivery,
    };
    let mut eyes = (task.eyes)();
    let walked = walk(task.start, &walks, |execution| {
        let verdict = eyes.look(execution);
        watch.go_on(verdict, 0.0)
    });
    watch.control.hear(Progress::SearchEnds);
    let also = watch.why().map(Box::new);
    let why = Incomplete::Random { different: walked.different as u64, seed: walks.seed, also };
    let statistics = Statistics {
        executions: walked.executions,
        too_deep: walked.too_deep,
        events: walked.events,
        ..Statistics::default()
    };
    Ran { statistics, eyes, why: Some(why) }
}

const FIRST_LINE: &str = "erlscope search 2";
/// Between what was seen and what is left.
const REST: &str = "rest:";

/// In place of both: it was about to begin again when it was stopped.
const AGAIN: &str = "again";

/// A search that began on a node goes on with one.
const ON_NODE: &str = "node: up\n";

/// Whether a search that was saved began on a node.
pub(super) fn was_on_node(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("\n{ON_NODE}")))
}

/// Moments that are events in the search that was saved, in the file: one word each.
const SHOWN: &str = "shown:";

/// Which moments are events (see [`Moments`]).
#[derive(Clone, Copy, Default)]
struct Shown {
    dictionaries: bool,
    ends: bool,
}

impl Shown {
    const DICTIONARIES: &str = "dictionaries";
    const ENDS: &str = "ends";

    fn of(bounds: &Bounds) -> Shown {
        let is_shown = |moments| moments == Moments::Shown;
        Shown { dictionaries: is_shown(bounds.dictionaries), ends: is_shown(bounds.ends) }
    }

    /// A line, or none where there are none.
    fn to_text(self) -> String {
        let words = [(self.dictionaries, Shown::DICTIONARIES), (self.ends, Shown::ENDS)];
        let words: Vec<&str> = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        if words.is_empty() { String::new() } else { format!("{SHOWN} {}\n", words.join(" ")) }
    }

    /// What the first line of a text says, and the rest of it.
    fn read(text: &str) -> (Shown, &str) {
        let Some((line, rest)) = text.strip_prefix(SHOWN).and_then(|text| text.split_once('\n'))
        else {
            return (Shown::default(), text);
        };
        let has = |wanted| line.split_whitespace().any(|word| word == wanted);
        (Shown { dictionaries: has(Shown::DICTIONARIES), ends: has(Shown::ENDS) }, rest)
    }
}

/// A search that was saved.
struct Resumed {
    shown: Shown,
    /// What is left of it, and what was seen; nothing if it has to begin again.
    left: Option<(Saved, String)>,
}

fn write<E>(
    file: &Path,
    task: &Task<'_, E>,
    bounds: &Bounds,
    notes: &str,
    left: Option<&Saved>,
) -> Result<(), Error> {
    let (call, node) = (task.call, if task.on_node { ON_NODE } else { "" });
    let shown = Shown::of(bounds).to_text();
    let left = match left {
        Some(left) => format!("{notes}{REST}\n{}", left.to_text()),
        None => format!("{AGAIN}\n"),
    };
    let text = format!("{FIRST_LINE}\ncall: {call}\n{node}{shown}{left}");
    std::fs::write(file, text).map_err(|error| Error::file(file, error))
}

fn read(file: &Path, call: &str) -> Result<Resumed, Error> {
    let text = std::fs::read_to_string(file).map_err(|error| Error::file(file, error))?;
    let Some(rest) = text.strip_prefix(&format!("{FIRST_LINE}\ncall: ")) else {
        return Err(Error::file(file, "this is no search that was saved"));
    };
    let (of, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    if of != call {
        return Err(Error::file(file, format!("this is a search of {of}, not of {call}")));
    }
    let (shown, rest) = Shown::read(rest.strip_prefix(ON_NODE).unwrap_or(rest));
    if rest.trim_end() == AGAIN {
        return Ok(Resumed { shown, left: None });
    }
    let rest_line = format!("{REST}\n");
    let (notes, left) = match rest.strip_prefix(&rest_line) {
        Some(left) => ("", left),
        None => rest
            .split_once(&format!("\n{rest_line}"))
            .ok_or_else(|| Error::file(file, format!("there is no line `{REST}`")))?,
    };
    let saved = Saved::from_text(left).map_err(|message| Error::file(file, message))?;
    Ok(Resumed { shown, left: Some((saved, notes.to_owned())) })
}
