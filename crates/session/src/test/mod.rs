//! Runs EUnit, Common Test and properties on the Machine.

pub mod answer;
mod assertion;
mod case;
mod explored;
mod property;
mod traced;
mod workers;

use std::path::PathBuf;
use std::rc::Rc;

use machine::Machine;
use program::project::Problem;
use runner::limits::Bound;
use runner::scheduler::InTurn;
use runner::testing::{self, Properties, Settings, TestKind, TestModule};
use runner::world::RealWorld;

pub use answer::{
    Answer, CaseAnswer, CaseResult, ExploredCases, FoundCase, Framework, ModuleAnswer,
    PropertyAnswer, Trouble, Value,
};
pub(crate) use traced::watch;
pub use traced::{Again, replay};

use crate::control::Progress;
use crate::open::{self, Opened, ReadAs};
use crate::reading::Reading;
use crate::run::{LoadProblem, load_problems};
use crate::running::{Delivery, Running, Telling};
use crate::{Control, Error, Note};
use workers::Done;

/// Which tests are to be run, and how.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// Only tests with a matching name: `module:function`, or `suite:group:case`; text or a regular
    /// expression.
    pub filter: Option<String>,
    pub delivery: Delivery,
    /// How many modules at the same time; 0 for as many as there are processors.
    pub jobs: usize,
    /// Into which directory each test function and each suite is recorded, if they are.
    pub trace: Option<PathBuf>,
    pub trace_all: bool,
    pub trace_nodes: bool,
    /// How many tests a property has to pass; without it [`PROPERTY_TESTS`].
    pub runs: Option<u32>,
    /// Whether small cases of each property are explored, too: run under every schedule.
    pub explore: bool,
    /// Into which directory a witness of each property that fails goes, if one does.
    pub witnesses: Option<PathBuf>,
    pub running: Running,
    pub reading: Reading,
}

/// How many tests a property has to pass, unless it is said otherwise.
pub const PROPERTY_TESTS: u32 = 100;

/// Runs the tests of a program; modules are told in their order as they are done.
pub fn test(request: &Request, control: &Control) -> Result<Answer, Error> {
    let open = || Tester::new(request, control);
    let first = open()?;
    let count = first.opened.modules.len();
    let unreadable = first.opened.unreadable.iter();
    let problems: Vec<LoadProblem> = unreadable.map(unreadable_file).collect();
    problems.iter().for_each(|problem| control.hear(Progress::Unreadable(problem)));
    let mut answer = Answer { modules: Vec::new(), problems, complete: true };
    let mut take = |done: Done| {
        answer.add(done.problems);
        if !done.module.is_empty() {
            control.hear(Progress::Tested(&done.module));
            answer.modules.push(done.module);
        }
        answer.complete &= !done.stop;
        !done.stop
    };
    let jobs = match request.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    if jobs > 1 && count > 1 {
        drop(first);
        workers::run(jobs, count, &open, take)?;
    } else {
        for index in 0..count {
            if !take(first.module(index)?) {
                break;
            }
        }
    }
    Ok(answer)
}

impl Answer {
    /// Adds problems that are not known yet.
    fn add(&mut self, problems: Vec<LoadProblem>) {
        for problem in problems {
            let is_same =
                |known: &LoadProblem| (&known.file, known.line) == (&problem.file, problem.line);
            if !self.problems.iter().any(is_same) {
                self.problems.push(problem);
            }
        }
    }
}

/// What is wanted of the tests that there are.
pub enum Filter {
    All,
    Text(String),
    Pattern(regex_lite::Regex),
}

impl Filter {
    /// What is no regular expression is text to be found.
    pub fn new(text: Option<&str>) -> Filter {
        match text {
            None => Filter::All,
            Some(text) => match regex_lite::Regex::new(text) {
                Ok(pattern) => Filter::Pattern(pattern),
                Err(_) => Filter::Text(text.to_owned()),
            },
        }
    }

    pub fn matches(&self, name: &str) -> bool {
        match self {
            Filter::All => true,
            Filter::Text(text) => name.contains(text.as_str()),
            Filter::Pattern(pattern) => pattern.is_match(name),
        }
    }
}

/// A program with its tests, ready to be run: its sources, and a node that is up.
struct WithTests {
    program: Opened,
    modules: Vec<TestModule>,
    unreadable: Vec<Problem>,
    world: Rc<RealWorld>,
    booted: Machine,
}

/// How a program with tests is opened.
#[derive(Clone, Copy, Default)]
struct How {
    /// Runs are recorded or followed: the clock begins at a fixed time.
    repeatable: bool,
    telling: Telling,
}

impl WithTests {
    fn open(
        paths: &[PathBuf],
        running: &Running,
        reading: &Reading,
        how: How,
        control: &Control,
    ) -> Result<WithTests, Error> {
        let program = Opened::new(paths, None, ReadAs::Tests, running, reading)?;
        if let Some(problem) = program.sources.discovery.problems.first() {
            return Err(Error::from(problem));
        }
        open::note_unfetched(&program.sources, control);
        let (modules, unreadable) = testing::find(&program.sources);
        how.telling.begin(&program.loader);
        let permissions = program.permissions(running)?;
        let world = RealWorld::new(permissions, running.seed.unwrap_or(0)).keeping_output();
        // PropEr makes its values from the time of day.
        let has_properties = modules.iter().any(|module| module.kind == TestKind::Properties);
        let is_fixed = how.repeatable || has_properties;
        let world = Rc::new(if is_fixed { world.at_fixed_time() } else { world });
        program.loader.limit_transforms(&running.limits(control)?);
        let booted = open::boot(&program.loader, world.clone())?;
        Ok(WithTests { program, modules, unreadable, world, booted })
    }
}

/// Runs the modules of tests of a program.
struct Tester<'a> {
    request: &'a Request,
    control: &'a Control,
    filter: Filter,
    opened: WithTests,
}

impl<'a> Tester<'a> {
    fn new(request: &'a Request, control: &'a Control) -> Result<Tester<'a>, Error> {
        let telling = if request.trace_nodes { Telling::Nodes } else { Telling::Calls };
        let how = How { repeatable: request.trace.is_some(), telling };
        let Request { paths, running, reading, .. } = request;
        let opened = WithTests::open(paths, running, reading, how, control)?;
        let filter = Filter::new(request.filter.as_deref());
        Ok(Tester { request, control, filter, opened })
    }

    /// How tests are run, but for who chooses and which are wanted.
    fn settings(&self) -> Settings<'_> {
        // Wrong limits were told when the program was opened.
        let mut limits = self.request.running.limits(self.control).unwrap_or_default();
        Settings {
            steps_per_test: limits.steps.take().unwrap_or(testing::STEPS_PER_TEST),
            limits,
            delivery: self.request.delivery,
            new_scheduler: &|| Box::new(InTurn),
            observer: None,
            wanted: &|_| true,
            progress: &|_| {},
            properties: Properties {
                tests: self.request.runs.unwrap_or(PROPERTY_TESTS),
                seed: self.request.running.seed.unwrap_or(0),
                given: None,
            },
        }
    }

    /// Runs the tests of a module, by its number.
    fn module(&self, index: usize) -> Result<Done, Error> {
        let module = &self.opened.modules[index];
        let mut report = ModuleAnswer {
            module: module.name.to_string(),
            kind: match module.kind {
                TestKind::Eunit => Framework::Eunit,
                TestKind::Suite => Framework::CommonTest,
                TestKind::Properties => Framework::Properties,
            },
            file: module.path.display().to_string(),
            tests: Vec::new(),
            problem: None,
            output: String::new(),
        };
        if !module.broken.is_empty() {
            // A module whose tests are not wanted need not be right.
            if self.filter.matches(module.name.as_str()) {
                report.problem = Some(Trouble::Unknown(module.broken.join("\n    ")));
            }
            return Ok(Done { module: report, stop: false, problems: Vec::new() });
        }
        let (result, machine) = match &self.request.trace {
            Some(dir) => traced::run_module(self, module, dir)?,
            None => {
                let settings = Settings {
                    new_scheduler: &|| self.request.running.scheduler(self.request.delivery),
                    wanted: &|name| self.filter.matches(name),
                    ..self.settings()
                };
                testing::run_module(&self.opened.booted, module, &settings)
            }
        };
        for case in &result.cases {
            let told = self.opened.case(case, &machine);
            let told = self.with_witness(module, told)?;
            report.tests.push(self.with_schedules(module, told)?);
        }
        let broken = self.opened.broken(&machine, &report.tests);
        report.tests.extend(broken);
        report.problem = result.problem.map(|problem| self.not_loaded(module).unwrap_or(problem));
        let (out, errors) = self.opened.world.take_output();
        report.output = out + &errors;
        for name in self.opened.program.loader.take_stood_in() {
            self.control.note(Note::StandsIn { module: name.to_string() });
        }
        let problems = self.other_problems();
        // Time and patience do not come back.
        let stopped = self.opened.program.loader.stopped();
        let stop = result.stop || stopped.is_some_and(|bound| !matches!(bound, Bound::Steps(_)));
        Ok(Done { module: report, stop, problems })
    }

    /// Why a module of tests could not be loaded, if it could not.
    fn not_loaded(&self, module: &TestModule) -> Option<Trouble> {
        let problems = self.opened.program.loader.problems();
        let problems = problems.borrow();
        let problem = problems.iter().find(|problem| problem.module == module.name)?;
        let path = problem.path.display();
        let place = match problem.line {
            0 => path.to_string(),
            line => format!("{path}:{line}"),
        };
        Some(Trouble::NotLoaded(format!("{place}: {}", problem.message)))
    }

    /// Modules that tests called and that could not be loaded; those that are test modules
    /// themselves are told about already.
    fn other_problems(&self) -> Vec<LoadProblem> {
        let mut told: Vec<LoadProblem> = Vec::new();
        for problem in load_problems(&self.opened.program.loader) {
            let is_told =
                self.opened.modules.iter().any(|module| module.name.as_str() == problem.module);
            let is_same =
                |known: &LoadProblem| known.file == problem.file && known.line == problem.line;
            if !is_told && !told.iter().any(is_same) {
                told.push(problem);
            }
        }
        told
    }
}

fn unreadable_file(problem: &Problem) -> LoadProblem {
    LoadProblem {
        module: String::new(),
        file: problem.path.display().to_string(),
        line: 0,
        message: problem.message.clone(),
    }
}
