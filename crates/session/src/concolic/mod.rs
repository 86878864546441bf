//! The paths of a function: inputs that take them, found by turning decisions one by one; those
//! that end in errors are told.
//!
//! Each input runs on the same node from the same state, for a bounded number of calls, and reaches
//! nothing outside. Native functions that would hide what they decide run as Erlang code there;
//! what is reported is run again on a node that has them ([`witness`]).

mod errors;
mod schedules;
mod subject;
mod watcher;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ::concolic::natives;
use ::concolic::path::{Loss, Path as SeenPath};
use ::concolic::search::{Options as Searching, Search, Searched, Subject};
use ::concolic::shadow::ExprId;
use ::concolic::shadow::Shadow;
use ::inputs::Input;
use atom::Atom;
use machine::Machine;
use machine::observe::Observer;
use program::Program;
use runner::scheduler::InTurn;

use crate::inputs::stand::Stand;
pub use crate::inputs::{Branch, Source};
use crate::inputs::{Place, measure, stand_of};
use crate::reading::{self, Reading};
use crate::run::{Ending, ending_of};
use crate::running::Running;
use crate::{Bound, Control, Error, explore, open, record, run};

/// What is searched, and how far.
#[derive(Clone, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// A function, `m:f/2`, or a call with variables for what is unknown, `m:f(X, [1 | Rest])`.
    pub what: String,
    /// Decisions of a path behind so many are not turned.
    pub depth: usize,
    /// Runs.
    pub max_paths: u64,
    /// Questions that the solver may leave open before the search ends.
    pub max_open: u64,
    /// Whether what a function takes is not asked for: every term is an input.
    pub any_input: bool,
    /// Whether it is told which branches were reached.
    pub measure: bool,
    pub schedules: Schedules,
    pub running: Running,
    pub reading: Reading,
}

/// Decisions that are turned unless it is said otherwise.
pub const DEPTH: usize = 60;

/// Runs that are made unless it is said otherwise.
pub const PATHS: u64 = 2000;

/// Calls that one run may make, unless it is said otherwise.
const STEPS: u64 = 20_000;

/// Decisions of a run that are kept.
const KEPT: usize = 4000;

impl Request {
    pub fn new(paths: Vec<PathBuf>, what: String) -> Request {
        Request {
            paths,
            what,
            depth: DEPTH,
            max_paths: PATHS,
            max_open: u64::MAX,
            any_input: false,
            measure: true,
            schedules: Schedules::default(),
            running: Running::default(),
            reading: Reading::default(),
        }
    }
}

/// In which orders processes run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Schedules {
    /// In turn.
    One,
    /// Where an input has several processes, in every order that makes a difference.
    #[default]
    All,
}

/// What was found.
#[derive(Debug)]
pub struct Answer {
    pub module: Atom,
    pub source: Option<Source>,
    /// In the order in which they were found.
    pub errors: Vec<Failed>,
    /// One input for each path, in the order in which they were found.
    pub paths: Vec<Ran>,
    pub searched: Searched,
    /// Unknowns that were taken as the values that they had: by what, where, how often.
    pub concretised: Vec<Concretised>,
    pub branches: Vec<Branch>,
    /// Why not every path was taken, if so.
    pub incomplete: Vec<Incomplete>,
    pub depth: usize,
    pub max_paths: u64,
}

impl Answer {
    /// Whether every path was taken.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_empty()
    }
}

/// An input that was run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// As Erlang text: `m:f(1, a)`.
    pub call: String,
    /// The arguments.
    pub input: Input,
    pub ending: Ending,
}

/// An input that fails.
#[derive(Clone, Debug)]
pub struct Failed {
    pub kind: Kind,
    /// `error`, `exit`, `throw`; of others, what they are.
    pub class: String,
    /// As Erlang text.
    pub reason: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub ran: Ran,
    /// Inputs on other paths that fail in the same way at the same place.
    pub others: u64,
    /// Whether it fails in another order of what processes do than the usual one only.
    pub by_schedule: bool,
}

/// How an input fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The call raises an exception.
    Raised,
    /// A process that it started does.
    Process,
    /// Every process waits.
    Stuck,
    /// It did not end within the calls that a run may make.
    Endless,
}

/// Unknowns that were taken as the values that they had.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Concretised {
    pub what: String,
    pub module: Option<Atom>,
    pub line: Option<u32>,
    pub count: u64,
}

/// Why not every path was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// Decisions behind [`Request::depth`] were not turned.
    Depth,
    /// [`Request::max_paths`] were taken.
    Paths,
    /// The work was stopped.
    Stopped(Bound),
    /// The solver did not answer so many questions.
    Unknown(u64),
    /// Values were taken as they were.
    Concretised,
    /// Runs went other ways than predicted.
    Departures(u64),
    /// Runs did not end within the calls that one may make, or met what is not supported.
    Runs(u64),
    /// Inputs that cannot be made: funs.
    Inputs,
    /// Several processes ran, and not in all orders, which may take other paths.
    Schedules,
}

/// Looks for paths.
pub fn search(request: &Request, control: &Control) -> Result<Answer, Error> {
    let program = reading::load(&request.paths, &request.reading, false)?;
    search_in(request, &Arc::new(program), control)
}

/// Looks for paths of a program that was loaded.
pub fn search_in(
    request: &Request,
    program: &Arc<Program>,
    control: &Control,
) -> Result<Answer, Error> {
    let subject = subject::of(request, program)?;
    let function = crate::inputs::stand::Subject::Function(subject.call.module, subject.call.name);
    let place = Place { paths: &request.paths, running: &request.running, steps: STEPS };
    let mut stand = stand_of(&place, &request.reading, program, function, control)?;
    follow_natives(&mut stand)?;
    let own = program_modules(program);
    let shadow = Rc::new(Shadow::new(KEPT, Box::new(move |module| own.contains(&module))));
    let (unknowns, args, list) = shadow.with(|exprs| {
        let unknowns = Subject::of(exprs, &subject.call, &subject.types);
        let (args, list) = (unknowns.args(exprs), unknowns.list(exprs));
        (unknowns, args, list)
    });
    let leaves_out = unknowns.leaves_out;
    let options = Searching {
        depth: request.depth,
        paths: request.max_paths,
        open: request.max_open,
        ..Searching::default()
    };
    let mut seen = errors::Seen::new(subject.call.module, subject.call.name);
    let both = watcher::both(stand.goals(), &shadow);
    let mut search = Search::new(&shadow, unknowns, subject.constants.atoms.clone(), options);
    search.guess(&subject.guesses());
    let mut runs =
        Runs { stand: &mut stand, shadow: &shadow, both: &both, args, list, seen: &mut seen };
    let searched = search.run(&mut |input| match control.is_over() {
        true => None,
        false => Some(runs.run(input, request.schedules, control)),
    });
    let functions = [(subject.call.module, (subject.call.name, subject.call.args.len() as u32))];
    let branches = match request.measure {
        true => measure::branches(program, &functions, stand.goals())?,
        false => Vec::new(),
    };
    let concretised = concretised(stand.machine(), &searched.losses);
    let mut incomplete = incomplete(request, &searched, control);
    if seen.unfinished > 0 {
        incomplete.push(Incomplete::Runs(seen.unfinished));
    }
    if leaves_out {
        incomplete.push(Incomplete::Inputs);
    }
    if seen.other_orders {
        incomplete.push(Incomplete::Schedules);
    }
    Ok(Answer {
        module: subject.call.module,
        source: subject.source,
        errors: seen.failed,
        paths: seen.ran,
        searched,
        concretised,
        branches,
        incomplete,
        depth: request.depth,
        max_paths: request.max_paths,
    })
}

/// Runs inputs.
struct Runs<'a> {
    stand: &'a mut Stand,
    shadow: &'a Rc<Shadow>,
    both: &'a Rc<watcher::Both>,
    /// The arguments as expressions, and their list as one.
    args: Vec<Option<ExprId>>,
    list: Option<ExprId>,
    seen: &'a mut errors::Seen,
}

impl Runs<'_> {
    /// The paths of an input.
    fn run(&mut self, input: &Input, schedules: Schedules, control: &Control) -> Vec<SeenPath> {
        let both = Rc::clone(self.both) as Rc<dyn Observer>;
        let end = self.stand.run_watched(input, &mut InTurn, |pid, _| {
            self.shadow.begin(pid, vec![None, None, self.list]);
            both
        });
        let path = self.shadow.end();
        let has_processes = self.both.spawned();
        self.seen.note(self.stand, input, &end);
        match (has_processes, schedules) {
            (false, _) => vec![path],
            (true, Schedules::One) => {
                self.seen.other_orders = true;
                vec![path]
            }
            (true, Schedules::All) => schedules::all(self, input, control),
        }
    }
}

/// Native functions that would hide what they decide run as Erlang code.
fn follow_natives(stand: &mut Stand) -> Result<(), Error> {
    let module = Atom::new(natives::MODULE);
    stand.loader().add_source(module, natives::TEXT);
    let mut loaded = Ok(());
    let loader = Rc::clone(stand.loader());
    stand.prepare(|machine| {
        loaded = open::load(machine, &loader, module);
        if loaded.is_ok() {
            natives::follow(machine);
        }
    });
    loaded
}

fn program_modules(program: &Program) -> rustc_hash::FxHashSet<Atom> {
    program.modules.iter().map(|module| module.name).collect()
}

fn concretised(machine: &Machine, losses: &BTreeMap<Loss, u64>) -> Vec<Concretised> {
    let mut found: BTreeMap<(String, Option<Atom>, Option<u32>), u64> = BTreeMap::new();
    for (loss, count) in losses {
        let module = loss.at.map(|at| at.module);
        let line = loss.at.and_then(|at| {
            let info = machine.code().module(at.module)?;
            Some(info.source.tree().loc(at.node).line)
        });
        *found.entry((loss.what.clone(), module, line)).or_default() += count;
    }
    let all = found.into_iter();
    all.map(|((what, module, line), count)| Concretised { what, module, line, count }).collect()
}

fn incomplete(request: &Request, searched: &Searched, control: &Control) -> Vec<Incomplete> {
    let mut why = Vec::new();
    if let Some(bound) = control.bound() {
        why.push(Incomplete::Stopped(bound));
    } else if searched.left && searched.runs >= request.max_paths {
        why.push(Incomplete::Paths);
    }
    if searched.too_deep {
        why.push(Incomplete::Depth);
    }
    if searched.unknown > 0 {
        why.push(Incomplete::Unknown(searched.unknown));
    }
    if !searched.losses.is_empty() {
        why.push(Incomplete::Concretised);
    }
    let departures = searched.departures + searched.wrong;
    if departures > 0 {
        why.push(Incomplete::Departures(departures));
    }
    if searched.no_inputs > 0 {
        why.push(Incomplete::Inputs);
    }
    why
}

/// Runs an input that fails once more, as a program runs, and keeps its schedule: what `replay`,
/// `debug` and `slice` begin with. Says whether it fails again; if it does not, nothing is written.
pub fn witness(
    request: &Request,
    failed: &Failed,
    file: &Path,
    control: &Control,
) -> Result<bool, Error> {
    let found = format!("{} {}", failed.class, failed.reason);
    if failed.by_schedule {
        let again = explore::Request {
            paths: request.paths.clone(),
            what: explore::What::Call(failed.ran.call.clone()),
            max_depth: EVENTS,
            max_executions: Some(EXECUTIONS),
            first: true,
            running: request.running.clone(),
            reading: request.reading.clone(),
            ..explore::Request::default()
        };
        let answer = explore::explore(&again, &control.unheard())?;
        let first = answer.explored.first();
        let Some(mut witness) = first.and_then(|explored| explored.witness(0, &again)) else {
            return Ok(false);
        };
        witness.finding = found;
        record::save(file, &witness)?;
        return Ok(true);
    }
    let steps = request.running.max_steps.or(Some(STEPS));
    let again = run::Request {
        paths: request.paths.clone(),
        call: Some(failed.ran.call.clone()),
        keep_output: true,
        save_schedule: Some(file.to_owned()),
        running: Running { max_steps: steps, ..request.running.clone() },
        reading: request.reading.clone(),
        ..run::Request::default()
    };
    let ran = run::run(&again, &control.unheard())?;
    if let Some(error) = ran.unwritten.into_iter().next() {
        return Err(error);
    }
    let mut witness = record::read_schedule(file)?;
    witness.finding = found;
    record::save(file, &witness)?;
    Ok(match (failed.kind, &ran.ending) {
        (Kind::Raised, Ending::Raised(raised)) => raised.exception.class == failed.class,
        (Kind::Raised, Ending::Ended(_)) | (Kind::Stuck, Ending::Quiescent) => true,
        (Kind::Endless, Ending::Bound { .. } | Ending::Spins(_) | Ending::Repeats(_)) => true,
        (Kind::Process, _) => true,
        _ => false,
    })
}

/// Executions that are looked at of one input, and events of one of them.
const EXECUTIONS: u64 = 500;
const EVENTS: usize = 2000;

/// How a run ended, with values as text.
fn told(stand: &Stand, end: &machine::Ending) -> Ending {
    ending_of(stand.machine(), end)
}
