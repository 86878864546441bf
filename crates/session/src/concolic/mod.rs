//! The paths of a function: inputs that take them, found by turning decisions one by one; those
//! that end in errors are told.
//!
//! Each input runs on the same node from the same state, for a bounded number of calls, and reaches
//! nothing outside. Native functions that would hide what they decide run as Erlang code there;
//! what is reported is run again on a node that has them ([`mod@witness`]).

mod errors;
mod property;
mod saved;
mod schedules;
mod subject;
mod target;
mod watcher;
mod witness;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ::concolic::natives;
use ::concolic::path::{Loss, Path as SeenPath};
pub use ::concolic::search::Strategy;
use ::concolic::search::{Options as Searching, Search, Searched, Stop, Subject};
use ::concolic::shadow::ExprId;
use ::concolic::shadow::Shadow;
use ::inputs::Input;
use atom::Atom;
use machine::Machine;
use machine::observe::Observer;
use program::Program;
use runner::scheduler::InTurn;
use rustc_hash::FxHashMap;
use types::Type;

use crate::contracts::Broken;
use crate::inputs::stand::Stand;
pub use crate::inputs::{Branch, Source};
use crate::inputs::{Place, measure, stand_of};
use crate::reading::{self, Reading};
use crate::run::{Ending, ending_of};
use crate::running::Running;
use crate::{Bound, Control, Error, Progress, open};
pub use target::{Line, Target};
pub use witness::witness;

/// What is searched, and how far.
#[derive(Clone, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// A function, `m:f/2`, or a call with variables for what is unknown, `m:f(X, [1 | Rest])`; or
    /// a property, see [`Request::property`].
    pub what: String,
    /// Whether it is a property: a function that is to give `true`, or one as PropEr has them.
    pub property: bool,
    /// Whether this line can be reached is asked for; the search ends where it is.
    pub unreachable: Option<Line>,
    /// Whether the search ends with the first error.
    pub first: bool,
    pub strategy: Strategy,
    pub solver: Solving,
    /// Steps of the solver, for all questions.
    pub solver_steps: u64,
    /// A file with what a search before came to, and one for what this does.
    pub resume: Option<PathBuf>,
    pub save: Option<PathBuf>,
    /// Decisions of a path behind so many are not turned.
    pub depth: usize,
    /// Runs.
    pub max_paths: u64,
    /// Questions that the solver may leave open before the search ends.
    pub max_open: u64,
    /// Whether what a function takes is not asked for: every term is an input.
    pub any_input: bool,
    /// What the arguments are, as tuples, instead of what the function takes; none: the latter.
    pub types: Vec<Type>,
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

/// Steps that the solver may take in all, unless it is said otherwise: half a minute or so.
pub const SOLVER_STEPS: u64 = 30_000_000;

/// Calls that one run may make, unless it is said otherwise.
const STEPS: u64 = 20_000;

/// Decisions of a run that are kept.
const KEPT: usize = 4000;

impl Request {
    pub fn new(paths: Vec<PathBuf>, what: String) -> Request {
        Request {
            paths,
            what,
            property: false,
            unreachable: None,
            first: false,
            strategy: Strategy::default(),
            solver: Solving::default(),
            solver_steps: SOLVER_STEPS,
            resume: None,
            save: None,
            depth: DEPTH,
            max_paths: PATHS,
            max_open: u64::MAX,
            any_input: false,
            types: Vec::new(),
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

/// Who answers questions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Solving {
    #[default]
    Own,
    /// z3, which has to be installed.
    Z3,
    /// Our own, and z3 about what that leaves open, if it is installed.
    Both,
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
    /// For each branch the path that reached it first, by its place in `paths`.
    pub reached_by: Vec<Option<usize>>,
    /// What was asked about a line.
    pub target: Option<Target>,
    /// Why not every path was taken, if so.
    pub incomplete: Vec<Incomplete>,
    pub depth: usize,
    pub max_paths: u64,
    pub solver: Solving,
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
    /// The contract that does not hold.
    pub broken: Option<Box<Broken>>,
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
    /// A property does not hold.
    False,
    /// A contract does not hold.
    Contract,
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
    /// One error was wanted, or a line that is reached, and it was found.
    Found,
    /// [`Request::solver_steps`] were used up.
    Steps,
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
    let program = crate::contracts::woven(program, request.running.contracts);
    search_in(request, &Arc::new(program), control)
}

/// Looks for paths of a program that was loaded.
pub fn search_in(
    request: &Request,
    program: &Arc<Program>,
    control: &Control,
) -> Result<Answer, Error> {
    let (subject, mut stand) = prepared(request, program, control)?;
    follow_natives(&mut stand)?;
    let mut aim = target::Aim::of(request, program)?;
    let own = program_modules(program);
    let shadow = Rc::new(Shadow::new(KEPT, Box::new(move |module| own.contains(&module))));
    let (unknowns, args, list) = shadow.with(|exprs| {
        let unknowns = Subject::of(exprs, &subject.call, &subject.types);
        let (args, list) = (unknowns.args(exprs), unknowns.list(exprs));
        (unknowns, args, list)
    });
    let leaves_out = unknowns.leaves_out;
    if subject.holds == subject::Holds::True {
        shadow.decide_results();
    }
    let mut seen = errors::Seen::new(&subject);
    let both = watcher::both(stand.goals(), &shadow);
    let mut search = prepared_search(request, &subject, &shadow, unknowns)?;
    let heeded = control.clone();
    search.heed(Stop::new(move || heeded.is_over()));
    let mut runs = Runs {
        stand: &mut stand,
        shadow: &shadow,
        both: &both,
        args,
        list,
        seen: &mut seen,
        by_goal: FxHashMap::default(),
    };
    let mut is_found = false;
    let searched = search.run(&mut |input| {
        is_found = aim.is_reached() || (request.first && !runs.seen.failed.is_empty());
        if control.is_over() || is_found {
            return None;
        }
        let paths = runs.run(input, request.schedules, control)?;
        aim.look(&runs);
        let (paths_so_far, errors) = (runs.seen.ran.len(), runs.seen.failed.len());
        let reached = runs.by_goal.len();
        control.hear(Progress::Concolic { paths: paths_so_far, errors, reached });
        Some(paths)
    });
    let by_goal = runs.by_goal;
    if let Some(file) = &request.save {
        saved::write(file, request, &searched.inputs)?;
    }
    let functions = [subject.function];
    let branches = match request.measure {
        true => measure::branches(program, &functions, stand.goals())?,
        false => Vec::new(),
    };
    let reached_by = branches.iter().map(|branch| by_goal.get(&branch.goal?).copied()).collect();
    let concretised = concretised(stand.machine(), &searched.losses);
    let mut incomplete = incomplete(request, &searched, control, is_found);
    if seen.unfinished > 0 {
        incomplete.push(Incomplete::Runs(seen.unfinished));
    }
    if leaves_out || subject.leaves_out {
        incomplete.push(Incomplete::Inputs);
    }
    if seen.other_orders {
        incomplete.push(Incomplete::Schedules);
    }
    let target = aim.told(&seen.failed, incomplete.is_empty());
    Ok(Answer {
        module: subject.call.module,
        source: subject.source,
        errors: seen.failed,
        paths: seen.ran,
        searched,
        concretised,
        branches,
        reached_by,
        target,
        incomplete,
        depth: request.depth,
        max_paths: request.max_paths,
        solver: request.solver,
    })
}

/// What is searched, and a node for it.
fn prepared(
    request: &Request,
    program: &Arc<Program>,
    control: &Control,
) -> Result<(subject::Subject, Stand), Error> {
    let function = subject::function(request, program)?;
    let place = Place { paths: &request.paths, running: &request.running, steps: STEPS };
    let aimed = crate::inputs::stand::Subject::Function(function.0, function.1.0);
    let mut stand = stand_of(&place, &request.reading, program, aimed, control)?;
    let subject = match request.property && function.1.1 == 0 {
        true => property::of(program, function, &mut stand)?,
        false => subject::of(request, program)?,
    };
    Ok((subject, stand))
}

fn prepared_search<'a>(
    request: &Request,
    subject: &subject::Subject,
    shadow: &'a Shadow,
    unknowns: Subject,
) -> Result<Search<'a>, Error> {
    let options = Searching {
        depth: request.depth,
        paths: request.max_paths,
        open: request.max_open,
        steps: request.solver_steps,
        strategy: request.strategy,
        ..Searching::default()
    };
    let mut search = Search::new(shadow, unknowns, subject.constants.atoms.clone(), options);
    search.guess(&subject.guesses());
    match request.solver {
        Solving::Own => {}
        Solving::Z3 => {
            let z3 = ::concolic::search::Z3::started().map_err(no_solver)?;
            search.ask_behind(z3, true);
        }
        Solving::Both => search.ask_behind(::concolic::search::Z3::named("z3"), false),
    }
    if let Some(file) = &request.resume {
        search.know(&saved::read(file, request)?);
    }
    Ok(search)
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
    /// The first path that reached a goal.
    by_goal: FxHashMap<u32, usize>,
}

impl Runs<'_> {
    /// The paths of an input; nothing if its run was stopped before its end, which says nothing
    /// about the input.
    fn run(
        &mut self,
        input: &Input,
        schedules: Schedules,
        control: &Control,
    ) -> Option<Vec<SeenPath>> {
        let both = Rc::clone(self.both) as Rc<dyn Observer>;
        let end = self.stand.run_watched(input, &mut InTurn, |pid, _| {
            self.shadow.begin(pid, vec![None, None, self.list]);
            both
        });
        let path = self.shadow.end();
        let has_processes = self.both.spawned();
        if is_stopped(&end) {
            return None;
        }
        let number = self.seen.ran.len();
        self.seen.note(self.stand, input, &end);
        let paths = match (has_processes, schedules) {
            (false, _) => vec![path],
            (true, Schedules::One) => {
                self.seen.other_orders = true;
                vec![path]
            }
            (true, Schedules::All) => {
                let mut paths = schedules::all(self, input, control);
                // What it gives is looked at in this one.
                paths.push(path);
                paths
            }
        };
        for goal in self.stand.goals().take().0 {
            self.by_goal.entry(goal).or_insert(number);
        }
        Some(paths)
    }
}

/// Whether a run was ended by something that does not depend on what was run.
fn is_stopped(end: &machine::Ending) -> bool {
    match end {
        machine::Ending::Bound { bound, .. } => {
            !matches!(bound, Bound::Steps(_) | Bound::Events(_) | Bound::VirtualTime(_))
        }
        _ => false,
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

fn incomplete(
    request: &Request,
    searched: &Searched,
    control: &Control,
    is_found: bool,
) -> Vec<Incomplete> {
    let mut why = Vec::new();
    if let Some(bound) = control.bound() {
        why.push(Incomplete::Stopped(bound));
    } else if is_found {
        why.push(Incomplete::Found);
    } else if searched.used_up {
        why.push(Incomplete::Steps);
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

/// Executions that are looked at of one input, and events of one of them.
const EXECUTIONS: u64 = 500;
const EVENTS: usize = 2000;

/// How a run ended, with values as text.
fn told(stand: &Stand, end: &machine::Ending) -> Ending {
    ending_of(stand.machine(), end)
}

fn no_solver(why: String) -> Error {
    Error::Failed(format!("{why}; Debian's package z3 and PyPI's z3-solver have it"))
}
