//! Do two versions of a program behave the same? Both get the same inputs, and what their runs show
//! is compared (crate `compare`).
//!
//! Entries are the functions that are named, or every exported function of both versions that can
//! reach a change. Inputs are made from the types of both versions and guided by what runs of both
//! reach (crate `inputs`); one that shows a difference is made small. A difference counts only if
//! each version shows the same again when it is run later, with other random numbers, and with its
//! processes in other orders: what depends on clocks or chance is no difference of the versions.
//!
//! What is said: *different*, with inputs; *proven* where it was shown that no input of the types
//! of any function makes a difference ([`proof`]); *same* as far as was looked, with how far that
//! was; or *unreached*, where no input came to anything that could be compared. Nothing is called
//! equal without having been compared, but trees that are equal.

mod own;
mod pair;
mod paths;
mod proof;
mod schedules;
mod seeds;
mod subjects;
mod version;
pub(crate) mod written;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::compare::changes::{self, Changes, Entry};
use ::compare::judge::Manner;
pub use ::compare::{Function, Label, Point};
use ::inputs::engine::Options;
use ::inputs::{Engine, Input, corpus};
use atom::Atom;
use program::Program;
use syntax::diagnostic::Severity;

use own::Own;
use pair::{Outcome, Pair};
use proof::Joined;
use seeds::Seeds;
pub use subjects::pairs;
use subjects::{asked, named, of_entry, servers};
use version::Version;

use crate::inputs::What;
use crate::inputs::subject::{Subject, Types, is_callback};
use crate::reading::{self, Reading};
use crate::run::Ending;
use crate::running::Running;
use crate::{Bound, Control, Delivery, Error, Place, Progress, contracts};

/// Which versions are compared, and how.
#[derive(Clone, Debug)]
pub struct Request {
    pub old: Vec<PathBuf>,
    pub new: Vec<PathBuf>,
    /// Entries: `m:f/1`, or `f/1` of every module that has it; none: those that reach a change.
    pub functions: Vec<String>,
    /// Servers: calls that start one, `m:start_link([])`; sequences of calls of its module's
    /// functions are run then.
    pub servers: Vec<String>,
    pub options: Options,
    /// How long all of it may take; the number of runs then sets no limit.
    pub budget: Option<Duration>,
    /// Pairs of points, as they are written (`compare::points`); none: ends of calls, output and
    /// messages are compared.
    pub points: Vec<(String, String)>,
    /// Points of one number are compared in whatever order those of several numbers come.
    pub independent: bool,
    pub schedules: Schedules,
    /// A module in Erlang that compares values (`own.rs`).
    pub judge: Option<PathBuf>,
    /// Where inputs that reached something new, or show a difference, are kept: a directory for
    /// each function.
    pub corpus: Option<PathBuf>,
    pub running: Running,
    pub reading: Reading,
}

impl Request {
    pub fn new(old: Vec<PathBuf>, new: Vec<PathBuf>) -> Request {
        Request {
            old,
            new,
            functions: Vec::new(),
            servers: Vec::new(),
            options: Options::default(),
            budget: None,
            points: Vec::new(),
            independent: false,
            schedules: Schedules::One,
            judge: None,
            corpus: None,
            running: Running::default(),
            reading: Reading::default(),
        }
    }
}

/// In which orders the processes of a run act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedules {
    /// In turn, and in a few other orders where something differs; some inputs in all orders, if
    /// these are not many.
    One,
    /// Where a run makes processes: in all orders, up to so many executions of each input and
    /// version. What both may do is compared then.
    All { executions: u64, delivery: Delivery },
    /// Where a run makes processes: in so many other orders, the same for both versions. What one
    /// does in some order, and the other in none of them, is a difference.
    Matched { orders: u64 },
}

/// What is said about two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some input shows it.
    Different,
    /// No input that was run shows a difference.
    Same,
    /// The same, and no input of the types of any function that was called shows one.
    Proven,
    /// Nothing that changed can be reached from outside, or no run said anything.
    Unreached,
}

/// What was found.
#[derive(Debug)]
pub struct Answer {
    pub verdict: Verdict,
    pub changes: Changes,
    /// Exported functions that only the old version has, and that only the new one has.
    pub lost: Vec<Function>,
    pub gained: Vec<Function>,
    pub entries: Vec<Compared>,
    /// Clauses of changed functions that runs chose, of the old version and of the new one.
    pub reached: [Reach; 2],
    /// Points that were asked for, as they are written for both versions.
    pub points: Vec<(String, String)>,
    /// What ended the work before its end.
    pub stopped: Option<Bound>,
}

impl Answer {
    pub fn runs(&self) -> u64 {
        self.entries.iter().map(|entry| entry.runs).sum()
    }

    pub fn differences(&self) -> impl Iterator<Item = (&Compared, &Difference)> {
        let all = self.entries.iter();
        all.flat_map(|entry| entry.differences.iter().map(move |difference| (entry, difference)))
    }
}

/// What was found out about one entry.
#[derive(Debug)]
pub struct Compared {
    /// `m:f/1`, or the call that starts a server.
    pub name: String,
    /// Where the function is in the new version; of a server, its module.
    pub place: Option<Place>,
    /// Why no input could be made, if none could.
    pub no_inputs: Option<String>,
    /// Inputs that both versions were given.
    pub runs: u64,
    /// What became of them.
    pub fates: Fates,
    /// How many of them reached which point, in either version.
    pub points: Vec<u64>,
    /// In the order in which they were found.
    pub differences: Vec<Difference>,
    /// As few inputs as reach everything that was reached and show no difference, as calls of the
    /// old version, with what that does.
    pub kept: Vec<(String, Side)>,
    /// No other inputs were found.
    pub exhausted: bool,
    /// It was shown that no input makes a difference.
    pub proven: Option<Proof>,
}

/// How it was shown that a function does the same in both versions: every path of calling both was
/// taken, and on each their results are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    pub paths: u64,
}

/// How many inputs came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    pub same: u64,
    pub different: u64,
    /// Nothing can be said: a run reached a bound, or what is not supported; or no point.
    pub silent: u64,
    /// The difference did not last: it depends on clocks, chance or schedules.
    pub unsettled: u64,
    /// Processes were made that can act in several orders, of which not all were tried.
    pub one_order: u64,
}

/// How much of the changed code runs reached: clauses of changed functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    pub reached: usize,
    pub all: usize,
}

/// A difference, with the smallest input that was found for it.
#[derive(Clone, Debug)]
pub struct Difference {
    pub label: Label,
    pub point: Point,
    pub input: Input,
    /// As calls of the old version and of the new one.
    pub old_call: String,
    pub new_call: String,
    pub old: Side,
    pub new: Side,
    /// A schedule under which only one version does this.
    pub schedule: Option<String>,
    /// The first input that showed it, and in which run.
    pub found: Input,
    pub run: u64,
    /// Whether no single step makes the input smaller.
    pub is_minimal: bool,
}

/// What one version showed.
#[derive(Clone, Debug)]
pub struct Side {
    pub ending: Ending,
    /// Whether what it returned or raised means the same on every node.
    pub is_plain: bool,
    pub output: String,
    /// Values at the points, with the numbers of their pairs, up to the first that differs.
    pub seen: Vec<(u32, String)>,
    /// Where the last of these points is a call: the call with its arguments.
    pub point_call: Option<String>,
    /// Modules and lines of the calls that led to it, innermost first.
    pub stack: Vec<(String, u32)>,
    /// Messages to processes outside, as Erlang text.
    pub sent: Vec<String>,
    /// All that it may do, if all schedules were gone through, in words.
    pub behaviours: Vec<String>,
}

/// Compares two versions.
pub fn compare(request: &Request, control: &Control) -> Result<Answer, Error> {
    let began = Instant::now();
    let old = opened(&request.old, &request.reading)?;
    let new = opened(&request.new, &request.reading)?;
    let changes = changes::changes(&old, &new);
    compiles(&old, &new, &changes)?;
    let (lost, gained) = changes::one_sided(&old, &new, &changes);
    let entries = match request.functions.is_empty() && request.servers.is_empty() {
        true => changes::entries(&old, &new, &changes),
        false => named(&request.functions, &old, &new, &changes)?,
    };
    let mut subjects: Vec<[What; 2]> = Vec::new();
    for start in &request.servers {
        let what = || What::Server { start: start.clone(), functions: Vec::new() };
        subjects.push([what(), what()]);
    }
    let is_by_itself = request.functions.is_empty() && request.servers.is_empty();
    if is_by_itself {
        subjects.extend(servers(&entries, &old, &new));
    }
    let servers = subjects.len();
    subjects.extend(entries.iter().map(of_entry));
    let (mut points, numbers) = asked(&request.points, &old, &new)?;
    points.iter_mut().for_each(|points| points.with_stacks = request.judge.is_some());
    let versions = [
        Version::new(request, &request.old, &run_as(request, &old)?, points[0].clone(), control)?,
        Version::new(request, &request.new, &run_as(request, &new)?, points[1].clone(), control)?,
    ];
    let manner = Manner {
        only_points: !request.points.is_empty(),
        independent: request.independent,
        bound_is_wide: false,
    };
    let [before, after] = versions;
    let (schedules, control_of_pair) = (request.schedules, control.unheard());
    let judge = match &request.judge {
        Some(path) => Some(Own::open(path, request, control)?),
        None => None,
    };
    let mut work = Work {
        request,
        control,
        types: [Types::of(&old), Types::of(&new)],
        joined: Joined::new(&old, &new),
        seeds: Seeds::of([&old, &new]),
        numbers,
        programs: [old, new],
        pair: Pair {
            old: before,
            new: after,
            manner,
            schedules,
            control: control_of_pair,
            judge,
            endless: false,
            sampling: pair::Sampling::default(),
        },
    };
    let count = subjects.len() as u32;
    let (mut all, mut served, mut left_out) = (Vec::new(), BTreeSet::new(), 0);
    for (place, subject) in subjects.iter().enumerate() {
        if control.is_over() {
            break;
        }
        // What a server does with its state, only its callbacks know: states are not made up where
        // there are clients. Whoever names a callback wants it called.
        if let Some(entry) = place.checked_sub(servers).and_then(|place| entries.get(place))
            && is_by_itself
            && served.contains(&entry.old.0)
            && work.is_callback(entry)
        {
            left_out += 1;
            continue;
        }
        // What those before did not use is for those that are left.
        let until = request.budget.map(|budget| {
            let left = budget.saturating_sub(began.elapsed());
            Instant::now() + left / (count - place as u32)
        });
        let (What::Function(name) | What::Server { start: name, .. }) = &subject[0];
        control.hear(Progress::Comparing { name, done: place, all: subjects.len() });
        let compared = work.subject(subject, until)?;
        if let (What::Server { start, .. }, true) = (&subject[0], compared.fates.says_something()) {
            served.extend(
                start.split_once(':').map(|(module, _)| Atom::new(module.trim_matches('\''))),
            );
        }
        all.push(compared);
    }
    let is_all = all.len() + left_out == subjects.len();
    let verdict = match (
        all.iter().any(|entry| !entry.differences.is_empty()),
        all.iter().any(|entry| entry.fates.same + entry.fates.different > 0),
        changes.is_empty() && subjects.is_empty(),
    ) {
        (true, ..) => Verdict::Different,
        (false, true, _) if is_all && all.iter().all(|entry| entry.proven.is_some()) => {
            Verdict::Proven
        }
        (false, true, _) | (false, false, true) => Verdict::Same,
        (false, false, false) => Verdict::Unreached,
    };
    let reached = work.reached(&changes);
    Ok(Answer {
        verdict,
        changes,
        lost,
        gained,
        entries: all,
        reached,
        points: request.points.clone(),
        stopped: control.bound(),
    })
}

/// A version.
fn opened(paths: &[PathBuf], reading: &Reading) -> Result<Arc<Program>, Error> {
    let program = reading::load_checked(paths, reading)?;
    if let Some(problem) = program.problems.first() {
        return Err(reading::unreadable(problem));
    }
    if program.modules.is_empty() {
        let path = paths.first().cloned().unwrap_or_default();
        return Err(Error::Input { path, message: "there is no module".to_owned() });
    }
    Ok(Arc::new(program))
}

/// A version as it is run: with its contracts, if they are checked. Where it is looked at they are
/// no part of it.
fn run_as(request: &Request, version: &Arc<Program>) -> Result<Arc<Program>, Error> {
    let Some(contracting) = request.running.contracts else { return Ok(Arc::clone(version)) };
    let woven = contracts::woven(version.as_ref().clone(), Some(contracting));
    match contracts::first_problem(&woven) {
        Some(problem) => Err(problem),
        None => Ok(Arc::new(woven)),
    }
}

/// Says so if a module that changed cannot be compiled. What is wrong with others does no harm.
fn compiles(old: &Program, new: &Program, changes: &Changes) -> Result<(), Error> {
    let olds: BTreeSet<Atom> =
        changes.changed.iter().chain(&changes.removed).map(|(module, _)| *module).collect();
    let news: BTreeSet<Atom> = changes.added.iter().map(|(module, _)| *module).collect();
    let is_changed = |(old, new): &(&Atom, &Atom)| olds.contains(old) || news.contains(new);
    for (before, after) in changes.modules.iter().filter(is_changed) {
        for module in [old.module(*before), new.module(*after)].into_iter().flatten() {
            if !module.has_errors() {
                continue;
            }
            let errors = module.diagnostics.iter();
            return Err(Error::Diagnostics {
                path: module.unit.path.clone(),
                module: Arc::clone(&module.tree),
                errors: errors.filter(|found| found.severity == Severity::Error).cloned().collect(),
            });
        }
    }
    Ok(())
}

struct Work<'a> {
    request: &'a Request,
    control: &'a Control,
    programs: [Arc<Program>; 2],
    types: [Types; 2],
    joined: Joined,
    seeds: Seeds,
    /// Of each pair of points.
    numbers: Vec<u32>,
    pair: Pair,
}

impl Work<'_> {
    /// Compares what a function or a server does in both versions, until a time if there is one.
    fn subject(&mut self, what: &[What; 2], until: Option<Instant>) -> Result<Compared, Error> {
        let (What::Function(name) | What::Server { start: name, .. }) = &what[0];
        let mut compared = Compared {
            name: name.clone(),
            place: subjects::place(&what[1], &self.programs[1]),
            no_inputs: None,
            runs: 0,
            fates: Fates::default(),
            points: vec![0; self.request.points.len()],
            differences: Vec::new(),
            kept: Vec::new(),
            exhausted: false,
            proven: None,
        };
        let [old, new] = match self.both(what) {
            Ok(both) => both,
            Err(error) if self.is_asked_for(&what[0]) => return Err(error),
            // What was found by itself may be no server for clients.
            Err(error) => {
                compared.no_inputs = Some(error.to_string());
                return Ok(compared);
            }
        };
        let mut shapes = old.shapes.clone();
        shapes.extend(new.shapes.clone());
        let constants = old.constants.clone().and(new.constants.clone());
        let options = match until {
            Some(_) => Options { runs: u64::MAX, ..self.request.options.clone() },
            None => self.request.options.clone(),
        };
        let engine = match Engine::new(shapes, Rc::new(constants), options) {
            Ok(engine) => engine,
            Err(error) => {
                compared.no_inputs = Some(error.to_string());
                return Ok(compared);
            }
        };
        let corpus = self.request.corpus.as_ref().map(|dir| dir.join(directory(name)));
        let mut known = match &corpus {
            Some(dir) => corpus::load(dir).map_err(|error| Error::file(dir, error))?.0,
            None => Vec::new(),
        };
        known.extend(self.seeds.of_calls(&old, &new));
        let paths = self.paths(what, [&old, &new], until);
        known.extend(paths.inputs);
        if let Err(error) = self.pair.aim(&old, &new) {
            if self.is_asked_for(&what[0]) {
                return Err(error);
            }
            compared.no_inputs = Some(error.to_string());
            return Ok(compared);
        }
        let (mut failed, mut fates) = (None, Vec::new());
        let pair = &mut self.pair;
        // Inputs that were found are made small when time is up: there is some more for that.
        let (mut until, began) = (until, Instant::now());
        let found = engine.run(&known, &mut |input| {
            if self.control.is_over() {
                return None;
            }
            if let Some(end) = until.filter(|end| Instant::now() >= *end) {
                until = Some(end + (end - began) / 2);
                return None;
            }
            match pair.run(input) {
                Ok((reached, fate)) => {
                    fates.push(fate);
                    Some(reached)
                }
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if let Some(dir) = &corpus {
            let kept = found.kept.iter().map(|kept| kept.input.clone());
            let failed = found.failures.iter().map(|failure| failure.input.clone());
            let inputs: Vec<Input> = kept.chain(failed).collect();
            corpus::save(dir, &inputs).map_err(|error| Error::file(dir, error))?;
        }
        // The others made inputs small.
        for fate in fates.iter().take(found.runs as usize) {
            compared.fates.count(fate.what);
            compared.fates.one_order += u64::from(fate.one_order);
            for (number, reached) in self.numbers.iter().zip(&mut compared.points) {
                *reached += u64::from(fate.points.contains(number));
            }
        }
        compared.runs = found.runs;
        compared.exhausted = found.exhausted;
        for kept in &found.kept {
            compared.kept.extend(self.pair.kept(&old.call, &kept.input)?);
        }
        for failure in found.failures {
            compared.differences.extend(self.pair.difference([&old.call, &new.call], &failure));
        }
        // What was shown is shown of results; what else a run does must be nothing.
        let is_quiet = fates.iter().all(|fate| fate.what == Outcome::Same && !fate.does_more);
        compared.proven = paths.proven.filter(|_| is_quiet && !self.control.is_over());
        Ok(compared)
    }

    /// Whether it is a callback of a behaviour, in both versions.
    fn is_callback(&self, entry: &Entry) -> bool {
        let mut both = [entry.old, entry.new].into_iter().zip(&self.programs).zip(&self.types);
        both.all(|(((module, function), program), types)| {
            program
                .module(module)
                .is_some_and(|module| is_callback(module, &types.declarations, function))
        })
    }

    /// Whether it is a server that somebody named.
    fn is_asked_for(&self, what: &What) -> bool {
        matches!(what, What::Server { start, .. } if self.request.servers.contains(start))
    }

    /// What inputs are for, in both versions: of a server what clients of both may call.
    fn both(&mut self, [old, new]: &[What; 2]) -> Result<[Subject; 2], Error> {
        let [types, new_types] = &mut self.types;
        let first = types.subject(old, &self.programs[0])?;
        let second = new_types.subject(new, &self.programs[1])?;
        let (What::Server { start, .. }, What::Server { start: new_start, .. }) = (old, new) else {
            return Ok([first, second]);
        };
        let functions: Vec<String> = first
            .clients
            .iter()
            .filter(|function| second.clients.contains(function))
            .map(|(name, arity)| format!("{name}/{arity}"))
            .collect();
        if first.clients.is_empty() && second.clients.is_empty() {
            return Ok([first, second]);
        }
        if functions.is_empty() {
            return Err(Error::Missing(format!("no functions for clients of {start}")));
        }
        let what =
            |start: &String| What::Server { start: start.clone(), functions: functions.clone() };
        Ok([
            types.subject(&what(start), &self.programs[0])?,
            new_types.subject(&what(new_start), &self.programs[1])?,
        ])
    }

    /// How many clauses of changed functions were chosen.
    fn reached(&self, changes: &Changes) -> [Reach; 2] {
        let renamed = changes.changed.iter().map(|&function| changes.renamed(function));
        let old = changes.changed.iter().chain(&changes.removed).copied();
        let new = renamed.chain(changes.added.iter().copied());
        [self.pair.old.reach(&self.programs[0], old), self.pair.new.reach(&self.programs[1], new)]
    }
}

/// The directory of an entry in a corpus.
fn directory(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    name.chars().map(plain).collect()
}

impl Fates {
    /// Whether some input showed what both versions do.
    fn says_something(&self) -> bool {
        self.same + self.different > 0
    }

    fn count(&mut self, what: Outcome) {
        match what {
            Outcome::Same => self.same += 1,
            Outcome::Different => self.different += 1,
            Outcome::Silent => self.silent += 1,
            Outcome::Unsettled => self.unsettled += 1,
        }
    }
}
