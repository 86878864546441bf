//! Inputs for a function, or for a server: made from types, guided by what runs reach, kept where
//! they reach something new, made small where they fail.
//!
//! What arguments may be is what the function's spec says, or what is inferred where it has none.
//! Each input runs on the same node from the same state, for a bounded number of calls, and reaches
//! nothing outside: what a run writes or changes is gone after it. A failure is what raises, and a
//! result that is outside of what the spec says.

pub(crate) mod goals;
pub(crate) mod measure;
mod promise;
pub(crate) mod stand;
pub(crate) mod subject;
mod witness;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

pub use ::inputs::engine::Options;
use ::inputs::{Engine, Reached, corpus};
pub use ::inputs::{Input, text};
use atom::Atom;
use program::Program;
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::world::explored::ExploredWorld;
use types::Type;

pub use measure::Branch;
pub use promise::{Outside, Part};
use stand::Stand;

use crate::contracts::Broken;
use crate::contracts::searched::Said;
use crate::reading::{self, Reader, Reading};
use crate::run::{Ending, ending_of, name_of};
use crate::running::Running;
use crate::{Bound, Control, Error, contracts, open};

/// Whose inputs are wanted, and how they are looked for.
#[derive(Clone, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    pub what: What,
    pub options: Options,
    /// Where inputs are kept; those that are there are run first.
    pub corpus: Option<PathBuf>,
    /// Whether it is told which branches were reached, and which were not.
    pub measure: bool,
    /// Whether inputs are only made: nothing is run.
    pub only_made: bool,
    /// Into which directory a witness of each failure goes, if one does.
    pub witnesses: Option<PathBuf>,
    pub running: Running,
    pub reading: Reading,
}

impl Request {
    pub fn new(paths: Vec<PathBuf>, what: What) -> Request {
        Request {
            paths,
            what,
            options: Options::default(),
            corpus: None,
            measure: false,
            only_made: false,
            witnesses: None,
            running: Running::default(),
            reading: Reading::default(),
        }
    }
}

/// What takes inputs.
#[derive(Clone, Debug)]
pub enum What {
    /// A function: `m:f/2`.
    Function(String),
    /// A server: it is started by a call, `m:start_link([])`, then functions of the module are
    /// called in sequences; those named (`put/2`), or all that clients may call.
    Server { start: String, functions: Vec<String> },
}

/// Where the types of arguments come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Spec,
    Inferred,
}

/// What was found.
#[derive(Debug)]
pub struct Answer {
    /// The module that inputs are for.
    pub module: Atom,
    pub source: Source,
    /// What inputs were made from, clause by clause: tuples of arguments, or a list of calls.
    pub types: Vec<Type>,
    /// As few inputs as reach everything that was reached, in the order in which they were found.
    pub kept: Vec<Ran>,
    /// In the order in which they were found.
    pub failures: Vec<Failure>,
    /// As calls, if they were only to be made; then there is nothing of what runs came to.
    pub made: Vec<String>,
    /// How often runs ended how: `returned`, `raised`, …
    pub endings: BTreeMap<&'static str, u64>,
    pub runs: u64,
    /// Runs that made failing inputs smaller.
    pub shrinking: u64,
    /// Whether there are no other inputs.
    pub exhausted: bool,
    /// What ended the work before all inputs were run.
    pub stopped: Option<Bound>,
    /// How many expressions, clauses and conditions were reached.
    pub reached: usize,
    /// Every branch that the function leads to, if they were to be measured.
    pub branches: Vec<Branch>,
    /// Files of the corpus that are no inputs.
    pub unreadable: Vec<corpus::Unreadable>,
}

/// An input that was run.
#[derive(Clone, Debug)]
pub struct Ran {
    pub input: Input,
    /// As Erlang text: `m:f(1, a)`, or a sequence of calls.
    pub call: String,
    pub ending: Ending,
    /// If it returned what its spec excludes.
    pub outside: Option<Outside>,
    /// The contract that did not hold.
    pub broken: Option<Box<Broken>>,
}

/// A failure with the smallest input that was found for it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What and where, without values.
    pub what: String,
    pub ran: Ran,
    /// The file that runs it again.
    pub witness: Option<String>,
    /// The first input that failed so.
    pub found: Input,
    /// In which run.
    pub run: u64,
    /// Whether no single step makes it smaller.
    pub is_minimal: bool,
}

/// Calls that one run may make, unless it is said otherwise.
const STEPS: u64 = 200_000;

/// Looks for inputs.
pub fn find(request: &Request, control: &Control) -> Result<Answer, Error> {
    let program = reading::load(&request.paths, &request.reading, false)?;
    let program = contracts::woven(program, request.running.contracts);
    find_in(request, &Arc::new(program), control)
}

/// Looks for inputs of a program that was loaded.
pub fn find_in(
    request: &Request,
    program: &Arc<Program>,
    control: &Control,
) -> Result<Answer, Error> {
    let subject = subject::of(&request.what, program)?;
    let place = Place { paths: &request.paths, running: &request.running, steps: STEPS };
    let mut stand = stand_of(&place, &request.reading, program, subject.subject, control)?;
    if let Some((function, args)) = &subject.start {
        stand.start(subject.module, *function, args)?;
    }
    let types: Vec<Type> = subject.shapes.iter().map(::inputs::Shape::ground).collect();
    let constants = Rc::new(subject.constants);
    let engine = Engine::new(subject.shapes, constants, request.options.clone())
        .map_err(|error| Error::Failed(error.to_string()))?;
    let (known, unreadable) = match &request.corpus {
        Some(dir) => corpus::load(dir).map_err(|error| Error::file(dir, error))?,
        None => Default::default(),
    };
    let mut endings = BTreeMap::new();
    let mut made = Vec::new();
    let found = engine.run(&known, &mut |input| {
        if control.is_over() {
            return None;
        }
        if request.only_made {
            made.push(subject.call.text(input));
            return Some(Reached::default());
        }
        let end = stand.run(input);
        let (goals, hints) = stand.goals().take();
        *endings.entry(kind_of(&end)).or_default() += 1;
        let failure = stand.failure(&end).or_else(|| {
            let outside = subject.promises.broken(&stand.returned(&end))?;
            Some(outside.what())
        });
        Some(Reached { goals, hints, failure })
    });
    if let Some(dir) = &request.corpus {
        let inputs: Vec<Input> = found.kept.iter().map(|kept| kept.input.clone()).collect();
        corpus::save(dir, &inputs).map_err(|error| Error::file(dir, error))?;
    }
    let mut again = |input: Input| {
        let end = stand.run(&input);
        let ending = ending_of(stand.machine(), &end);
        let outside = subject.promises.broken(&stand.returned(&end));
        let broken = match stand.said_of_contracts() {
            Said::Broken(broken) => Some(broken),
            _ => None,
        };
        Ran { call: subject.call.text(&input), input, ending, outside, broken }
    };
    let kept = found.kept.into_iter().map(|kept| again(kept.input)).collect();
    let reader = Reader::new(&request.reading)?;
    let recorder = witness::Recorder { request, program, reader: &reader, control };
    let mut failures = Vec::new();
    for failure in found.failures {
        let ran = again(failure.input);
        let name = format!("inputs-{}-{}", subject.call.name(), failures.len() + 1);
        let failed = witness::Failed { what: &failure.failure, returns: ran.outside.is_some() };
        let witness = match &request.witnesses {
            Some(dir) => recorder.write(dir, &name, &ran.call, &failed)?,
            None => None,
        };
        failures.push(Failure {
            what: failure.failure,
            ran,
            witness,
            found: failure.found,
            run: failure.run,
            is_minimal: failure.is_minimal,
        });
    }
    let branches = match request.measure {
        true => measure::branches(program, &subject.functions, stand.goals())?,
        false => Vec::new(),
    };
    Ok(Answer {
        module: subject.module,
        made,
        source: subject.source,
        types,
        kept,
        failures,
        endings,
        runs: found.runs,
        shrinking: found.shrinking,
        exhausted: found.exhausted,
        stopped: control.bound(),
        reached: found.goals.len(),
        branches,
        unreadable,
    })
}

/// Where runs are made, and how.
pub(crate) struct Place<'a> {
    pub(crate) paths: &'a [PathBuf],
    pub(crate) running: &'a Running,
    /// Calls that one run may make, unless it is said otherwise.
    pub(crate) steps: u64,
}

pub(crate) fn stand_of(
    place: &Place<'_>,
    reading: &Reading,
    program: &Arc<Program>,
    subject: stand::Subject,
    control: &Control,
) -> Result<Stand, Error> {
    let reader = Reader::new(reading)?;
    let running = place.running;
    let loader = ProgramLoader::new(Arc::clone(program), running.prefer());
    loader.mark_own();
    if let Some(contracting) = running.contracts {
        contracts::begin_woven(contracting, program, &loader);
    }
    loader.limit_transforms(&running.limits_of_transforms(control)?);
    let loader = Rc::new(loader);
    let permissions = running.permissions(place.paths, &reader)?;
    let world = Rc::new(ExploredWorld::new(permissions, running.seed.unwrap_or(0)));
    let machine = open::boot_quiet(&loader, world)?;
    let limits = running.limits(control)?;
    let limits = Limits { steps: limits.steps.or(Some(place.steps)), ..limits };
    Stand::new(loader, machine, subject, limits)
}

/// The kind of an ending.
pub(crate) fn kind_of(end: &machine::Ending) -> &'static str {
    // Only the kind is looked at, so that nothing is made into text.
    name_of(&match end {
        machine::Ending::Returned(_) => Ending::Returned(String::new()),
        machine::Ending::Ended(_) => Ending::Ended(String::new()),
        machine::Ending::Halted(status) => Ending::Halted(*status),
        machine::Ending::Quiescent => Ending::Quiescent,
        machine::Ending::Unsupported { what, by } => {
            Ending::Unsupported { what: what.clone(), by: *by }
        }
        machine::Ending::Bound { bound, by } => Ending::Bound { bound: *bound, by: *by },
        machine::Ending::Spins(pid) => Ending::Spins(*pid),
        machine::Ending::Repeats(repeat) => Ending::Repeats(*repeat),
        machine::Ending::NotStarted(_) => Ending::NotStarted(String::new()),
        machine::Ending::Raised(_) => return "raised",
    })
}

/// How inputs are written as calls.
pub(crate) enum Call {
    Function(Atom, Atom),
    Sequence { module: Atom, start: String },
}

impl Call {
    /// A name for files.
    fn name(&self) -> String {
        match self {
            Call::Function(module, name) => format!("{module}-{name}"),
            Call::Sequence { module, .. } => module.to_string(),
        }
    }

    pub(crate) fn text(&self, input: &Input) -> String {
        let quote = |name: &Atom| atom::quote::atom(name.as_str());
        match self {
            Call::Function(module, name) => {
                format!("{}:{}({})", quote(module), quote(name), text::write_args(input))
            }
            Call::Sequence { module, start } => ::inputs::calls::to_text(*module, start, input),
        }
    }
}
