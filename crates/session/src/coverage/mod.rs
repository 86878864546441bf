//! Measures what tests, or calls, exercise of the flow graph of a program.
//!
//! The graph is that of the modules to be measured, without the tests: what it says must not depend
//! on which values tests happen to pass. Tests run on one schedule; with `explore` each EUnit test
//! runs under every schedule ([`every_schedule`]), and so does, after the suite has been run as it
//! is, each case of a Common Test suite ([`suites`]).

mod every_schedule;
mod suites;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use ::coverage::Watcher;
use ::explore::finding::Failure;
use ::flow::{Entry, Flow};
use atom::Atom;
use machine::{Ending as End, Machine};
use program::load::LoadedModule;
use program::{LoadOptions, Program};
use runner::loader::{Modules, ProgramLoader};
use runner::run;
use runner::sources::Sources;
use runner::testing::{self, Properties, Settings, TestKind, TestModule};
use runner::world::RealWorld;
use syntax::diagnostic::Severity;

use crate::call::meant;
use crate::open::not_booted;
use crate::reading::{Reader, Reading};
use crate::run::{Ending, ending_of};
use crate::running::{Delivery, Running};
use crate::test::{Filter, Trouble};
use crate::{Bound, Control, Error};

/// What is to be measured, and by what.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// What is to be measured; else what is beside the tests.
    pub paths: Vec<PathBuf>,
    /// Where the tests are; else in `paths`.
    pub tests: Vec<PathBuf>,
    /// Calls that are made instead of tests.
    pub calls: Vec<String>,
    /// Only tests with a matching name.
    pub filter: Option<String>,
    /// Under every schedule that makes a difference, so many executions of each test at most.
    pub explore: Option<u64>,
    pub delivery: Delivery,
    pub running: Running,
    pub reading: Reading,
}

/// What was measured.
pub struct Measured {
    pub flow: Rc<Flow>,
    pub watcher: Rc<Watcher>,
    pub runs: Vec<Run>,
    pub notes: Vec<Note>,
    pub failed: bool,
    pub incomplete: bool,
}

/// What was run.
#[derive(Clone, Debug)]
pub enum Run {
    /// The tests of a module.
    Module {
        name: String,
        passed: usize,
        failed: usize,
    },
    Call {
        call: String,
        ending: Ending,
    },
    /// Every schedule of a test or call.
    Schedules {
        name: String,
        executions: u64,
        complete: bool,
        erroneous: u64,
    },
}

/// What a reader of the result should know.
#[derive(Clone, Debug)]
pub enum Note {
    /// A module has errors and is not measured.
    HasErrors(PathBuf),
    /// A test failed.
    Failed {
        test: String,
    },
    /// A schedule of a test failed; how to see it.
    FailsExplored {
        name: String,
        again: Explore,
    },
    /// The tests of a module were not run to the end.
    Module {
        name: String,
        problem: Trouble,
    },
    Bound(Bound),
    /// A case passes in its suite and fails alone: its schedules are not explored.
    FailsAlone {
        name: String,
    },
    Unsupported {
        name: String,
        what: Failure,
    },
    /// Executions could not be run again.
    Lost {
        name: String,
        executions: u64,
    },
    /// A module is run as a parse transform made it, and is not measured.
    Transformed {
        module: String,
    },
    /// A run did what the graph does not have: a defect of ours.
    NotInGraph {
        text: String,
    },
}

/// How an exploration can be had again.
#[derive(Clone, Debug)]
pub enum Explore {
    Tests,
    Call(String),
}

/// What the runs gave, besides coverage.
#[derive(Default)]
struct Ran {
    runs: Vec<Run>,
    notes: Vec<Note>,
    failed: bool,
    incomplete: bool,
}

/// Measures what a request names.
pub fn measure(request: &Request, control: &Control) -> Result<Measured, Error> {
    let reader = Reader::new(&request.reading)?;
    let paths = paths(request);
    let options = reader.test_options();
    let sources = Rc::new(Sources::discover(&paths, options.clone(), reader.library.clone()));
    if let Some(problem) = sources.discovery.problems.first() {
        return Err(Error::from(problem));
    }
    let (tests, unreadable) = testing::find(&sources);
    if let Some(problem) = unreadable.first() {
        return Err(Error::from(problem));
    }
    let options = LoadOptions {
        discover: options,
        otp: request.reading.otp.clone(),
        without_otp: request.reading.without_otp,
        without_lint: true,
    };
    let program =
        Program::load(&paths, &options).map_err(|error| Error::Failed(error.to_string()))?;
    let mut ran = Ran::default();
    let program = to_be_measured(program, request, &tests, &mut ran)?;
    let flow = ::flow::analyse(&program, &Entry::Client);
    let flow = Rc::new(flow.map_err(|error| Error::Failed(error.to_string()))?);
    let watcher = Rc::new(Watcher::new(Rc::clone(&flow), true));
    let modules = Modules::Sources(Rc::clone(&sources));
    let loader = ProgramLoader::of(modules, request.running.prefer());
    loader.mark_own();
    loader.limit_transforms(&request.running.limits_of_transforms(control)?);
    let runs = Runs { request, control, reader: &reader, paths: &paths, loader, watcher: &watcher };
    if request.calls.is_empty() {
        let wanted: Vec<TestModule> =
            tests.into_iter().filter(|test| is_wanted_test(test, request)).collect();
        if wanted.is_empty() {
            return Err(Error::Missing("there are no tests".to_owned()));
        }
        runs.tests(&wanted, &sources, &mut ran)?;
    } else {
        runs.calls(&sources, &mut ran)?;
    }
    if let Some(bound) = control.bound() {
        ran.incomplete = true;
        ran.notes.push(Note::Bound(bound));
    }
    note_misses(&flow, &watcher, &mut ran);
    let Ran { runs, notes, failed, incomplete } = ran;
    Ok(Measured { flow, watcher, runs, notes, failed, incomplete })
}

/// The program without its tests, and without what has errors.
fn to_be_measured(
    mut program: Program,
    request: &Request,
    tests: &[TestModule],
    ran: &mut Ran,
) -> Result<Program, Error> {
    if let Some(broken) = program
        .modules
        .iter()
        .find(|module| is_below(&module.unit.path, &request.tests) && module.has_errors())
    {
        return Err(first_error(broken));
    }
    program.modules.retain(|module| {
        let is_test = is_only_tests(module.name, tests, request);
        if !is_test && module.has_errors() {
            ran.notes.push(Note::HasErrors(module.unit.path.clone()));
        }
        !is_test && !module.has_errors()
    });
    if program.modules.is_empty() {
        return Err(Error::Missing("there is no module to be measured".to_owned()));
    }
    Ok(program)
}

/// What cannot be measured, and what runs did that the graph does not have.
fn note_misses(flow: &Flow, watcher: &Watcher, ran: &mut Ran) {
    for module in watcher.other_trees() {
        let module = flow.modules[module].name.to_string();
        ran.notes.push(Note::Transformed { module });
    }
    let happened = watcher.happened();
    let (_, misses) = ::coverage::check(flow, happened.iter());
    let unexpected = misses.iter().filter(|miss| !miss.happened.is_announced(flow));
    ran.notes.extend(unexpected.map(|miss| Note::NotInGraph { text: miss.text.clone() }));
}

/// Everything that is to be read: what is measured, and the tests. Tests alone stand for what is
/// beside them: the modules in their directory and, beside a directory `test`, in `src`.
fn paths(request: &Request) -> Vec<PathBuf> {
    let mut paths = request.paths.clone();
    if paths.is_empty() && request.tests.is_empty() {
        paths.push(PathBuf::from("."));
    }
    for test in &request.tests {
        if request.paths.is_empty() && test.is_file() {
            let dir = match test.parent() {
                Some(dir) if !dir.as_os_str().is_empty() => dir,
                _ => Path::new("."),
            };
            paths.push(dir.to_path_buf());
            let beside = dir.parent().map(|outer| outer.join("src"));
            paths.extend(beside.filter(|src| dir.ends_with("test") && src.is_dir()));
        } else {
            paths.push(test.clone());
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

/// Whether a module is there to test others.
fn is_only_tests(name: Atom, tests: &[TestModule], request: &Request) -> bool {
    let Some(test) = tests.iter().find(|test| test.name == name) else { return false };
    let in_test_dir = test.path.parent().is_some_and(|dir| dir.ends_with("test"));
    let given = request.tests.iter().any(|path| path.is_file() && same(path, &test.path));
    test.kind == TestKind::Suite || name.as_str().ends_with("_tests") || in_test_dir || given
}

fn is_wanted_test(test: &TestModule, request: &Request) -> bool {
    request.tests.is_empty() || is_below(&test.path, &request.tests)
}

/// Whether a file is one of these paths, or in one of them.
fn is_below(file: &Path, paths: &[PathBuf]) -> bool {
    let file = absolute(file);
    paths.iter().any(|path| file.starts_with(absolute(path)))
}

/// What is wrong with a module.
fn first_error(module: &LoadedModule) -> Error {
    let mut errors = module.diagnostics.iter();
    let first = errors.find(|found| found.severity == Severity::Error).map(|found| found.loc);
    Error::TestErrors { path: module.unit.path.clone(), first }
}

fn same(a: &Path, b: &Path) -> bool {
    absolute(a) == absolute(b)
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

struct Runs<'a> {
    request: &'a Request,
    control: &'a Control,
    reader: &'a Reader,
    paths: &'a [PathBuf],
    loader: ProgramLoader,
    watcher: &'a Rc<Watcher>,
}

impl Runs<'_> {
    fn world(&self) -> Result<Rc<RealWorld>, Error> {
        let permissions = self.request.running.permissions(self.paths, self.reader)?;
        let seed = self.request.running.seed.unwrap_or(0);
        Ok(Rc::new(RealWorld::new(permissions, seed).keeping_output()))
    }

    fn booted(&self, world: &Rc<RealWorld>) -> Result<Machine, Error> {
        run::boot(Rc::new(self.loader.clone()), Rc::clone(world) as _).map_err(not_booted)
    }

    fn tests(
        &self,
        tests: &[TestModule],
        sources: &Rc<Sources>,
        ran: &mut Ran,
    ) -> Result<(), Error> {
        let world = self.world()?;
        let mut machine = self.booted(&world)?;
        machine.observe(Some(self.watcher.clone()));
        let filter = Filter::new(self.request.filter.as_deref());
        let mut limits = self.request.running.limits(self.control)?;
        let steps_per_test = limits.steps.take().unwrap_or(testing::STEPS_PER_TEST);
        let explores = self.request.explore.is_some();
        for test in tests {
            if !test.broken.is_empty() {
                return Err(Error::Missing(test.broken.join("\n")));
            }
            if explores && test.kind == TestKind::Eunit {
                self.explore_tests(test, sources, &filter, ran)?;
                continue;
            }
            self.watcher.begin();
            let settings = Settings {
                limits: limits.clone(),
                steps_per_test,
                delivery: self.request.delivery,
                new_scheduler: &|| self.request.running.scheduler(self.request.delivery),
                observer: None,
                wanted: &|name| filter.matches(name),
                progress: &|_| {},
                properties: Properties {
                    seed: self.request.running.seed.unwrap_or(0),
                    ..Properties::default()
                },
            };
            let (result, _) = testing::run_module(&machine, test, &settings);
            let _ = world.take_output();
            let passed = result.cases.iter().filter(|case| case.verdict.is_good()).count();
            let failed = result.cases.len() - passed;
            ran.failed |= failed > 0 || result.problem.is_some();
            if !result.cases.is_empty() {
                ran.runs.push(Run::Module { name: test.name.to_string(), passed, failed });
            }
            for case in result.cases.iter().filter(|case| !case.verdict.is_good()) {
                ran.notes.push(Note::Failed { test: case.path() });
            }
            if let Some(problem) = result.problem {
                ran.notes.push(Note::Module { name: test.name.to_string(), problem });
            }
            if result.stop {
                ran.incomplete = true;
                break;
            }
            if explores {
                let bad = result.cases.iter().filter(|case| !case.verdict.is_good());
                let bad: Vec<String> =
                    bad.map(|case| format!("{}:{}", test.name, case.path())).collect();
                self.explore_suite(test, sources, &filter, &bad, ran)?;
            }
        }
        Ok(())
    }

    fn calls(&self, sources: &Rc<Sources>, ran: &mut Ran) -> Result<(), Error> {
        for call in &self.request.calls {
            let call = &meant(call);
            if self.request.explore.is_some() {
                self.explore_call(call, sources, ran)?;
                continue;
            }
            let world = self.world()?;
            run::entry(&self.loader, call).map_err(|message| Error::Call {
                call: call.clone(),
                message: message.to_string(),
            })?;
            let mut machine = self.booted(&world)?;
            self.watcher.begin();
            machine.observe(Some(self.watcher.clone()));
            let limits = self.request.running.limits(self.control)?;
            machine.set_delivery(self.request.delivery);
            let mut scheduler = self.request.running.scheduler(self.request.delivery);
            let (end, _) = run::run(&mut machine, scheduler.as_mut(), &limits);
            ran.failed |= !matches!(end, End::Returned(_) | End::Halted(0) | End::Bound { .. });
            ran.incomplete |= matches!(end, End::Bound { .. } | End::Unsupported { .. });
            let ending = ending_of(&machine, &end);
            ran.runs.push(Run::Call { call: call.clone(), ending });
        }
        Ok(())
    }
}
