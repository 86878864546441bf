//! Do two versions of a program behave the same? Both get the same inputs, and what their runs show
//! is compared (crate `compare`).
//!
//! Entries are the functions that are named, or every exported function of both versions that can
//! reach a change. Inputs are made from the types of both versions and guided by what runs of both
//! reach (crate `inputs`); one that shows a difference is made small. A difference counts only if
//! each version shows the same again when it is run later, with other random numbers, and with its
//! processes in other orders: what depends on clocks or chance is no difference of the versions.
//!
//! What is said: *different*, with inputs; *same* as far as was looked, with how far that was; or
//! *unreached*, where no input came to anything that could be compared. Nothing is called equal
//! without having been compared, but trees that are equal.

mod own;
mod schedules;
mod version;
mod written;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::compare::changes::{self, Changes, Entry};
use ::compare::judge::{self, Manner};
use ::compare::points;
use ::compare::watch::Points;
pub use ::compare::{Function, Label, Point};
use ::inputs::engine::Options;
use ::inputs::{Engine, Input, Reached};
use atom::Atom;
use program::{LoadedModule, Program};

use own::Own;
use version::{Shown, Version};

use crate::inputs::subject::{Subject, Types};
use crate::inputs::{Call, What};
use crate::reading::{self, Reading};
use crate::run::Ending;
use crate::running::Running;
use crate::{Bound, Control, Delivery, Error, Progress};

/// Which versions are compared, and how.
#[derive(Clone, Debug)]
pub struct Request {
    pub old: Vec<PathBuf>,
    pub new: Vec<PathBuf>,
    /// Entries: `m:f/1`, or `f/1` of every module that has it; none: those that reach a change.
    pub functions: Vec<String>,
    /// Servers: calls that start one, `m:start_link([])`; sequences of calls of its module's functions
    /// are run then.
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
            running: Running::default(),
            reading: Reading::default(),
        }
    }
}

/// In which orders the processes of a run act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedules {
    /// In turn, and in a few other orders where something differs.
    One,
    /// Where a run makes processes: in all orders, up to so many executions of each input and
    /// version. What both may do is compared then.
    All { executions: u64, delivery: Delivery },
}

/// What is said about two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some input shows it.
    Different,
    /// No input that was run shows a difference.
    Same,
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
    let (lost, gained) = changes::one_sided(&old, &new, &changes);
    let entries = match request.functions.is_empty() && request.servers.is_empty() {
        true => changes::entries(&old, &new, &changes),
        false => named(&request.functions, &old, &new, &changes)?,
    };
    let mut subjects: Vec<[What; 2]> = entries.iter().map(|entry| of_entry(entry)).collect();
    for start in &request.servers {
        let what = || What::Server { start: start.clone(), functions: Vec::new() };
        subjects.push([what(), what()]);
    }
    if request.functions.is_empty() && request.servers.is_empty() {
        subjects.extend(servers(&entries, &old, &new));
    }
    let mut points = asked(&request.points, &old, &new)?;
    points.iter_mut().for_each(|points| points.with_stacks = request.judge.is_some());
    let versions = [
        Version::new(request, &request.old, &old, points[0].clone(), control)?,
        Version::new(request, &request.new, &new, points[1].clone(), control)?,
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
        programs: [old, new],
        pair: Pair { old: before, new: after, manner, schedules, control: control_of_pair, judge },
    };
    let count = subjects.len() as u32;
    let mut all = Vec::new();
    for (place, subject) in subjects.iter().enumerate() {
        if control.is_over() {
            break;
        }
        // What those before did not use is for those that are left.
        let until = request.budget.map(|budget| {
            let left = budget.saturating_sub(began.elapsed());
            Instant::now() + left / (count - place as u32)
        });
        let (What::Function(name) | What::Server { start: name, .. }) = &subject[0];
        control.hear(Progress::Comparing { name, done: place, all: subjects.len() });
        all.push(work.subject(subject, until)?);
    }
    let verdict = match (
        all.iter().any(|entry| !entry.differences.is_empty()),
        all.iter().any(|entry| entry.fates.same + entry.fates.different > 0),
        changes.is_empty() && subjects.is_empty(),
    ) {
        (true, ..) => Verdict::Different,
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

/// The points of both versions that are asked for.
fn asked(pairs: &[(String, String)], old: &Program, new: &Program) -> Result<[Points; 2], Error> {
    let mut found = [Points::default(), Points::default()];
    for (number, (before, after)) in pairs.iter().enumerate() {
        for (which, written, program) in [(0, before, old), (1, after, new)] {
            let written = points::read(written).map_err(Error::Place)?;
            points::add(&written, program, number as u32, &mut found[which])
                .map_err(Error::Missing)?;
        }
    }
    Ok(found)
}

/// A version, which must not have errors.
fn opened(paths: &[PathBuf], reading: &Reading) -> Result<Arc<Program>, Error> {
    let program = reading::load(paths, reading, true)?;
    if let Some(problem) = program.problems.first() {
        return Err(Error::Input { path: problem.path.clone(), message: problem.message.clone() });
    }
    if program.modules.is_empty() {
        let path = paths.first().cloned().unwrap_or_default();
        return Err(Error::Input { path, message: "there is no module".to_owned() });
    }
    for module in &program.modules {
        if module.has_errors() {
            return Err(Error::Diagnostics {
                path: module.unit.path.clone(),
                module: Arc::clone(&module.tree),
                errors: module.diagnostics.clone(),
            });
        }
    }
    Ok(Arc::new(program))
}

/// A function of both versions.
fn of_entry(entry: &Entry) -> [What; 2] {
    [entry.old, entry.new].map(|function| What::Function(name_of(function)))
}

fn name_of((module, (name, arity)): Function) -> String {
    let quote = |name: Atom| atom::quote::atom(name.as_str());
    format!("{}:{}/{arity}", quote(module), quote(name))
}

/// Servers that are started without arguments, of modules that are called anyway.
fn servers(entries: &[Entry], old: &Program, new: &Program) -> Vec<[What; 2]> {
    let modules: BTreeSet<(Atom, Atom)> =
        entries.iter().map(|entry| (entry.old.0, entry.new.0)).collect();
    let mut found = Vec::new();
    for (before, after) in modules {
        let (Some(one), Some(other)) = (old.module(before), new.module(after)) else { continue };
        let is_server = |module: &LoadedModule| {
            let mut behaviours = module.index.behaviours.iter();
            behaviours.any(|(name, _)| matches!(name.as_str(), "gen_server" | "gen_statem"))
        };
        let starts = ["start_link", "start"].map(Atom::new);
        let exported = |start: &&Atom| {
            let function = (**start, 0);
            changes::is_exported(one, function) && changes::is_exported(other, function)
        };
        if let (true, Some(start)) = (is_server(one), starts.iter().find(exported)) {
            let what = |module: Atom| What::Server {
                start: format!("{}:{start}()", atom::quote::atom(module.as_str())),
                functions: Vec::new(),
            };
            found.push([what(before), what(after)]);
        }
    }
    found
}

/// The functions that are named.
fn named(
    functions: &[String],
    old: &Program,
    new: &Program,
    changes: &Changes,
) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for text in functions {
        let wrong = || Error::Entry(format!("`{text}` is no function such as m:f/1 or f/1"));
        let (module, rest) = match text.split_once(':') {
            Some((module, rest)) => (Some(Atom::new(module.trim_matches('\''))), rest),
            None => (None, text.as_str()),
        };
        let (name, arity) = rest.rsplit_once('/').ok_or_else(wrong)?;
        let arity: u32 = arity.parse().map_err(|_| wrong())?;
        let function = (Atom::new(name.trim_matches('\'')), arity);
        let known = entries.len();
        for (&before, &after) in &changes.modules {
            let (Some(one), Some(other)) = (old.module(before), new.module(after)) else {
                continue;
            };
            if module.is_none_or(|module| module == before || module == after)
                && changes::is_exported(one, function)
                && changes::is_exported(other, function)
            {
                entries.push(Entry { old: (before, function), new: (after, function) });
            }
        }
        if entries.len() == known {
            let message = format!("no module of both versions exports {text}");
            return Err(Error::Missing(message));
        }
    }
    Ok(entries)
}

struct Work<'a> {
    request: &'a Request,
    control: &'a Control,
    programs: [Arc<Program>; 2],
    types: [Types; 2],
    pair: Pair,
}

impl Work<'_> {
    /// Compares what a function or a server does in both versions, until a time if there is one.
    fn subject(&mut self, what: &[What; 2], until: Option<Instant>) -> Result<Compared, Error> {
        let (What::Function(name) | What::Server { start: name, .. }) = &what[0];
        let mut compared = Compared {
            name: name.clone(),
            no_inputs: None,
            runs: 0,
            fates: Fates::default(),
            points: vec![0; self.request.points.len()],
            differences: Vec::new(),
            kept: Vec::new(),
            exhausted: false,
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
        let found = engine.run(&[], &mut |input| {
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
        // The others made inputs small.
        for fate in fates.iter().take(found.runs as usize) {
            compared.fates.count(fate.what);
            for (point, reached) in compared.points.iter_mut().enumerate() {
                *reached += u64::from(fate.points.contains(&(point as u32)));
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
        Ok(compared)
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

impl Fates {
    fn count(&mut self, what: Outcome) {
        match what {
            Outcome::Same => self.same += 1,
            Outcome::Different => self.different += 1,
            Outcome::Silent => self.silent += 1,
            Outcome::Unsettled => self.unsettled += 1,
        }
    }
}

/// What became of an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Same,
    Different,
    Silent,
    Unsettled,
}

/// The same, with the points that it reached.
struct Fate {
    what: Outcome,
    points: Vec<u32>,
}

/// Both versions, ready to be run.
struct Pair {
    old: Version,
    new: Version,
    manner: Manner,
    schedules: Schedules,
    control: Control,
    judge: Option<Own>,
}

impl Pair {
    fn aim(&mut self, old: &Subject, new: &Subject) -> Result<(), Error> {
        self.old.aim(old)?;
        self.new.aim(new)
    }

    /// Runs an input on both.
    fn run(&mut self, input: &Input) -> Result<(Reached, Fate), Error> {
        let old = self.old.run(input)?;
        let new = self.new.run(input)?;
        let manner = manner_of(self.manner, &old, &new);
        let mut reached = Reached::default();
        for (which, shown) in [(0, &old), (1, &new)] {
            reached.goals.extend(shown.goals.iter().map(|goal| goal * 2 + which));
            reached.hints.extend(shown.hints.iter().map(|hint| hint * 2 + which));
        }
        let mut points = Vec::new();
        for seen in old.observation.seen.iter().chain(&new.observation.seen) {
            if let Point::Asked(number) = seen.point
                && !points.contains(&number)
            {
                points.push(number);
            }
        }
        if let Schedules::All { .. } = self.schedules
            && (old.observation.spawned || new.observation.spawned)
        {
            let (label, what) = match self.explored(input) {
                Explored { only: Some((label, _)), .. } => (Some(label), Outcome::Different),
                Explored { complete: true, .. } => (None, Outcome::Same),
                Explored { .. } => (None, Outcome::Silent),
            };
            reached.failure = label.map(|label| format!("{} {:?}", label.name(), Point::End));
            return Ok((reached, Fate { what, points }));
        }
        let silent = judge::says_nothing(&old.observation, &new.observation, manner)
            || (manner.only_points && points.is_empty());
        let found = self.judged(&old, &new, manner)?;
        let what = match found {
            _ if silent => Outcome::Silent,
            None => Outcome::Same,
            Some(_) if !self.lasts(input, &old, &new, manner)? => Outcome::Unsettled,
            Some(found) => {
                reached.failure = Some(format!("{} {:?}", found.label.name(), found.point));
                Outcome::Different
            }
        };
        Ok((reached, Fate { what, points }))
    }

    /// An input that shows no difference, with what the old version does.
    fn kept(&mut self, call: &Call, input: &Input) -> Result<Option<(String, Side)>, Error> {
        let (_, fate) = self.run(input)?;
        if fate.what != Outcome::Same {
            return Ok(None);
        }
        let shown = self.old.run(input)?;
        Ok(Some((call.text(input), self.old.side(&shown, 0))))
    }

    /// The first difference of two runs.
    fn judged(
        &mut self,
        old: &Shown,
        new: &Shown,
        manner: Manner,
    ) -> Result<Option<judge::Difference>, Error> {
        let (old, new) = (&old.observation, &new.observation);
        let Some(own) = &mut self.judge else { return Ok(judge::compare(old, new, manner)) };
        let found = judge::compare_by(own, old, new, manner);
        match own.wrong.take() {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    /// Whether each version shows the same when it is run later, or in another order: if not, what
    /// differs may do so by chance.
    fn lasts(
        &mut self,
        input: &Input,
        old: &Shown,
        new: &Shown,
        manner: Manner,
    ) -> Result<bool, Error> {
        let differ = |one: &Shown, other: &Shown| {
            judge::compare(&one.observation, &other.observation, manner).is_some()
        };
        for (version, shown) in [(&mut self.old, old), (&mut self.new, new)] {
            let others = version.others(input, shown)?;
            if others.iter().any(|other| differ(shown, other)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What both versions do with an input under all schedules.
    fn explored(&mut self, input: &Input) -> Explored {
        let Schedules::All { executions, delivery } = self.schedules else {
            return Explored::default();
        };
        let limits = schedules::Limits { executions, events: EVENTS, delivery };
        let old = self.old.explore(input, limits, &self.control);
        let new = self.new.explore(input, limits, &self.control);
        let (Some(old), Some(new)) = (old, new) else { return Explored::default() };
        let new_one = new.only_here(&old).map(|only| (Label::NewBehaviour, only));
        let only = new_one.or_else(|| old.only_here(&new).map(|only| (Label::LostBehaviour, only)));
        let complete = old.complete && new.complete;
        Explored { only, complete, shown: [old.shown(), new.shown()] }
    }

    /// A difference as data, by running its input once more.
    fn difference(
        &mut self,
        calls: [&Call; 2],
        failure: &::inputs::engine::Failure,
    ) -> Option<Difference> {
        let old = self.old.run(&failure.input).ok()?;
        let new = self.new.run(&failure.input).ok()?;
        let manner = manner_of(self.manner, &old, &new);
        let (label, point, sides, schedule) = match failure.failure.split(' ').next() {
            Some("new_behaviour" | "lost_behaviour") => {
                let mut before = self.old.side(&old, 0);
                let mut after = self.new.side(&new, 0);
                let explored = self.explored(&failure.input);
                let (label, only) = explored.only?;
                [before.behaviours, after.behaviours] = explored.shown;
                (label, Point::End, [before, after], Some(only.schedule))
            }
            _ => {
                let found = self.judged(&old, &new, manner).ok()??;
                let sides = |place| [self.old.side(&old, place), self.new.side(&new, place)];
                (found.label, found.point, sides(found.at), None)
            }
        };
        let [old, new] = sides;
        Some(Difference {
            label,
            point,
            input: failure.input.clone(),
            old_call: calls[0].text(&failure.input),
            new_call: calls[1].text(&failure.input),
            old,
            new,
            schedule,
            found: failure.found.clone(),
            run: failure.run,
            is_minimal: failure.is_minimal,
        })
    }
}

/// What two versions do with an input under all schedules.
#[derive(Default)]
struct Explored {
    /// What only one of them does.
    only: Option<(Label, schedules::OnlyOne)>,
    complete: bool,
    shown: [Vec<String>; 2],
}

/// Events of one execution.
const EVENTS: usize = 2_000;

/// A bound is wide where the other version needs only a small part of it.
fn manner_of(manner: Manner, old: &Shown, new: &Shown) -> Manner {
    let few = |shown: &Shown| shown.calls.is_some_and(|calls| calls * WIDE <= version::STEPS);
    Manner { bound_is_wide: few(old) || few(new), ..manner }
}

/// A run that takes so many times as long as that of the other version does not end, it is said.
const WIDE: u64 = 100;

/// Pairs of points as SecEr has them: `[{Old, New}, …]`.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let wrong = || "it is no list of pairs of points".to_owned();
    let text = text.trim().trim_end_matches('.');
    let Input::List(pairs, None) = ::inputs::text::read(text).map_err(|error| error.to_string())?
    else {
        return Err(wrong());
    };
    let pair = |pair: Input| match pair {
        Input::Tuple(points) => match <[Input; 2]>::try_from(points) {
            Ok([old, new]) => Ok((old.to_string(), new.to_string())),
            Err(_) => Err(wrong()),
        },
        _ => Err(wrong()),
    };
    pairs.into_iter().map(pair).collect()
}
