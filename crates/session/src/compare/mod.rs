//! Do two versions of a program behave the same? Both get the same inputs, and what their runs show
//! is compared (crate `compare`).
//!
//! Entries are the functions that are named, or every exported function of both versions that can
//! reach a change. Inputs are made from the types of both versions and guided by what runs of both
//! reach (crate `inputs`); one that shows a difference is made small. A difference counts only if
//! neither version shows what the other does when it is run later, or with its processes in another
//! order: what depends on clocks, random numbers or chance is no difference of the versions.
//!
//! What is said: *different*, with inputs; *same* as far as was looked, with how far that was; or
//! *unreached*, where no input came to anything that could be compared. Nothing is called equal
//! without having been compared, but trees that are equal.

mod version;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::compare::changes::{self, Changes, Entry};
use ::compare::judge::{self, Manner};
use ::compare::watch::Points;
pub use ::compare::{Function, Label, Point};
use ::inputs::engine::Options;
use ::inputs::{Constants, Engine, Input, Reached, text};
use atom::Atom;
use program::Program;
use types::declared::Declarations;

use version::{Shown, Version};

use crate::inputs::subject::Types;
use crate::reading::{self, Reader, Reading};
use crate::run::Ending;
use crate::running::Running;
use crate::{Bound, Control, Error};

/// Which versions are compared, and how.
#[derive(Clone, Debug)]
pub struct Request {
    pub old: Vec<PathBuf>,
    pub new: Vec<PathBuf>,
    /// Entries: `m:f/1`, or `f/1` of every module that has it; none: those that reach a change.
    pub functions: Vec<String>,
    pub options: Options,
    /// How long all of it may take; the number of runs then sets no limit.
    pub budget: Option<Duration>,
    /// Points of one number are compared in whatever order those of several numbers come.
    pub independent: bool,
    pub running: Running,
    pub reading: Reading,
}

impl Request {
    pub fn new(old: Vec<PathBuf>, new: Vec<PathBuf>) -> Request {
        Request {
            old,
            new,
            functions: Vec::new(),
            options: Options::default(),
            budget: None,
            independent: false,
            running: Running::default(),
            reading: Reading::default(),
        }
    }
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
    pub old: Function,
    pub new: Function,
    /// Why no input could be made, if none could.
    pub no_inputs: Option<String>,
    /// Inputs that both versions were given.
    pub runs: u64,
    /// Inputs of which nothing can be said: a run reached a bound, or what is not supported.
    pub silent: u64,
    /// Inputs whose difference did not last: it depends on clocks, chance or schedules.
    pub unsettled: u64,
    /// Inputs that showed a difference.
    pub differing: u64,
    /// How often runs of the old version ended how.
    pub endings: BTreeMap<&'static str, u64>,
    /// In the order in which they were found.
    pub differences: Vec<Difference>,
    /// Parts of changed functions that runs reached, of the old version and of the new one, and
    /// how many there are.
    pub reached: Reach,
    /// No other inputs were found.
    pub exhausted: bool,
}

/// How much of the changed code runs reached: clauses and ways out of decisions.
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
    pub output: String,
    /// Messages to processes outside, as Erlang text.
    pub sent: Vec<String>,
}

/// Compares two versions.
pub fn compare(request: &Request, control: &Control) -> Result<Answer, Error> {
    let began = Instant::now();
    let old = opened(&request.old, &request.reading)?;
    let new = opened(&request.new, &request.reading)?;
    let changes = changes::changes(&old, &new);
    let (lost, gained) = changes::one_sided(&old, &new, &changes);
    let entries = match request.functions.is_empty() {
        true => changes::entries(&old, &new, &changes),
        false => named(&request.functions, &old, &new, &changes)?,
    };
    let mut all = Vec::new();
    let declared = [Declarations::new(Arc::clone(&old)), Declarations::new(Arc::clone(&new))];
    let mut work = Work {
        request,
        control,
        programs: [old, new],
        types: [Types::of(&declared[0]), Types::of(&declared[1])],
        readers: [Reader::new(&request.reading)?, Reader::new(&request.reading)?],
    };
    let count = entries.len() as u32;
    for (place, entry) in entries.into_iter().enumerate() {
        if control.is_over() {
            break;
        }
        // What those before did not use is for those that are left.
        let until = request.budget.map(|budget| {
            let left = budget.saturating_sub(began.elapsed());
            Instant::now() + left / (count - place as u32)
        });
        all.push(work.entry(&entry, until)?);
    }
    let verdict = match (
        all.iter().any(|entry| !entry.differences.is_empty()),
        all.iter().any(|entry| entry.runs > entry.silent + entry.unsettled),
        changes.is_empty(),
    ) {
        (true, ..) => Verdict::Different,
        (false, true, _) | (false, false, true) => Verdict::Same,
        (false, false, false) => Verdict::Unreached,
    };
    Ok(Answer { verdict, changes, lost, gained, entries: all, stopped: control.bound() })
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
    types: [Types<'a>; 2],
    readers: [Reader; 2],
}

impl Work<'_> {
    /// Compares what an entry does in both versions, until a time if there is one.
    fn entry(&mut self, entry: &Entry, until: Option<Instant>) -> Result<Compared, Error> {
        let mut compared = Compared {
            old: entry.old,
            new: entry.new,
            no_inputs: None,
            runs: 0,
            silent: 0,
            unsettled: 0,
            differing: 0,
            endings: BTreeMap::new(),
            differences: Vec::new(),
            reached: Reach::default(),
            exhausted: false,
        };
        let (_, mut shapes) = self.types[0].shapes(entry.old.0, entry.old.1);
        shapes.extend(self.types[1].shapes(entry.new.0, entry.new.1).1);
        let constants = Constants::of_functions(&self.programs[0], &[entry.old])
            .and(Constants::of_functions(&self.programs[1], &[entry.new]));
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
        let mut pair = self.pair(entry)?;
        let mut failed = None;
        let found = engine.run(&[], &mut |input| {
            if self.control.is_over() || until.is_some_and(|until| Instant::now() >= until) {
                return None;
            }
            match pair.run(input, &mut compared) {
                Ok(reached) => Some(reached),
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        compared.runs = found.runs;
        compared.exhausted = found.exhausted;
        for failure in found.failures {
            compared.differences.extend(pair.difference(entry, &failure));
        }
        Ok(compared)
    }

    fn pair(&self, entry: &Entry) -> Result<Pair, Error> {
        let version = |which: usize, paths: &[PathBuf], function: Function| {
            let program = &self.programs[which];
            let reader = &self.readers[which];
            let version =
                Version::new(self.request, paths, program, reader, function, self.control)?;
            Ok::<Version, Error>(version)
        };
        Ok(Pair {
            old: version(0, &self.request.old, entry.old)?,
            new: version(1, &self.request.new, entry.new)?,
            manner: Manner { independent: self.request.independent, bound_is_wide: false },
        })
    }
}

/// Both versions, ready to be run.
struct Pair {
    old: Version,
    new: Version,
    manner: Manner,
}

impl Pair {
    /// Runs an input on both and takes note.
    fn run(&mut self, input: &Input, compared: &mut Compared) -> Result<Reached, Error> {
        let old = self.old.run(input);
        let new = self.new.run(input);
        let manner = manner_of(self.manner, &old, &new);
        *compared.endings.entry(old.kind).or_default() += 1;
        let mut reached = Reached::default();
        for (which, shown) in [(0, &old), (1, &new)] {
            reached.goals.extend(shown.goals.iter().map(|goal| goal * 2 + which));
            reached.hints.extend(shown.hints.iter().map(|hint| hint * 2 + which));
        }
        if judge::says_nothing(&old.observation, &new.observation, manner) {
            compared.silent += 1;
        } else if let Some(found) = judge::compare(&old.observation, &new.observation, manner) {
            if self.lasts(input, &old, &new, manner)? {
                compared.differing += 1;
                reached.failure = Some(format!("{} {:?}", found.label.name(), found.point));
            } else {
                compared.unsettled += 1;
            }
        }
        Ok(reached)
    }

    /// Whether neither version shows what the other did when it is run later, or in another order.
    fn lasts(
        &mut self,
        input: &Input,
        old: &Shown,
        new: &Shown,
        manner: Manner,
    ) -> Result<bool, Error> {
        let olds = self.old.others(input, old)?;
        let news = self.new.others(input, new)?;
        let differ = |old: &Shown, new: &Shown| {
            judge::compare(&old.observation, &new.observation, manner).is_some()
        };
        Ok(olds.iter().all(|other| differ(other, new))
            && news.iter().all(|other| differ(old, other))
            && olds.iter().zip(&news).all(|(old, new)| differ(old, new)))
    }

    /// A difference as data, by running its input once more.
    fn difference(
        &mut self,
        entry: &Entry,
        failure: &::inputs::engine::Failure,
    ) -> Option<Difference> {
        let (old, new) = (self.old.run(&failure.input), self.new.run(&failure.input));
        let manner = manner_of(self.manner, &old, &new);
        let found = judge::compare(&old.observation, &new.observation, manner)?;
        let call = |(module, (name, _)): Function| {
            let quote = |name: &Atom| atom::quote::atom(name.as_str());
            format!("{}:{}({})", quote(&module), quote(&name), text::write_args(&failure.input))
        };
        Some(Difference {
            label: found.label,
            point: found.point,
            input: failure.input.clone(),
            old_call: call(entry.old),
            new_call: call(entry.new),
            old: self.old.side(&old),
            new: self.new.side(&new),
            found: failure.found.clone(),
            run: failure.run,
            is_minimal: failure.is_minimal,
        })
    }
}

/// A bound is wide where the other version needs only a small part of it.
fn manner_of(manner: Manner, old: &Shown, new: &Shown) -> Manner {
    let few = |shown: &Shown| shown.calls.is_some_and(|calls| calls * WIDE <= version::STEPS);
    Manner { bound_is_wide: few(old) || few(new), ..manner }
}

/// A run that takes so many times as long as that of the other version does not end, it is said.
const WIDE: u64 = 100;

/// What is watched in a version beside the ends of runs.
fn points() -> Points {
    Points::default()
}
