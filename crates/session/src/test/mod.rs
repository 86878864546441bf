//! Runs EUnit and Common Test on the Machine.

pub mod answer;
mod assertion;
mod traced;
mod workers;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use atom::Atom;
use machine::exception::Class;
use machine::{Machine, Term};
use program::project::Problem;
use runner::limits::Bound;
use runner::scheduler::InTurn;
use runner::testing::{self, Case, Settings, TestKind, TestModule, Verdict};
use runner::world::RealWorld;
use syntax::source::{FileId, Loc, Span};

pub use answer::{Answer, CaseAnswer, CaseResult, Framework, ModuleAnswer, Trouble};
pub(crate) use traced::watch;
pub use traced::{Again, replay};

use crate::control::Progress;
use crate::open::{self, Opened, ReadAs};
use crate::reading::Reading;
use crate::run::{Exception, LoadProblem, frame, load_problems, shown};
use crate::running::{Delivery, Running};
use crate::{Control, Error, Excerpt};
use assertion::assertion;
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
    pub running: Running,
    pub reading: Reading,
}

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
    /// Every node of the program is marked.
    marked: bool,
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
        let (modules, unreadable) = testing::find(&program.sources);
        if how.marked {
            program.loader.mark_own();
        }
        let permissions = program.permissions(running)?;
        let world = RealWorld::new(permissions, running.seed.unwrap_or(0)).keeping_output();
        let world = Rc::new(if how.repeatable { world.at_fixed_time() } else { world });
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
        let how = How { repeatable: request.trace.is_some(), marked: request.trace_nodes };
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
        report.tests = result.cases.iter().map(|case| self.case(case, &machine)).collect();
        report.problem = result.problem.map(|problem| self.not_loaded(module).unwrap_or(problem));
        let (out, errors) = self.opened.world.take_output();
        report.output = out + &errors;
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

    fn case(&self, case: &Case, machine: &Machine) -> CaseAnswer {
        let mut told = CaseAnswer {
            name: case.path(),
            function: case.function.clone(),
            groups: case.groups.clone(),
            title: case.title.clone(),
            result: CaseResult::Ok,
            reason: None,
            exception: None,
            assertion: Vec::new(),
            unsupported: case.unsupported.clone(),
            place: None,
            source: None,
            output: case.output.clone(),
            virtual_ms: case.milliseconds,
            comment: case.comment.clone(),
        };
        match &case.verdict {
            Verdict::Passed => {}
            Verdict::Failed { class, reason, stack } => {
                self.failed(&mut told, case.module, (*class, reason, stack), machine);
            }
            Verdict::Skipped { reason, .. } => {
                told.result = CaseResult::Skipped;
                told.reason = Some(reason.clone());
            }
            Verdict::Aborted { what, class, reason, stack } => {
                self.failed(&mut told, case.module, (*class, reason, stack), machine);
                told.result = CaseResult::Cancelled;
                let reason = told.reason.take().unwrap_or_default();
                told.reason = Some(format!("{what}: {reason}"));
            }
            Verdict::Cancelled(reason) => {
                told.result = CaseResult::Cancelled;
                told.reason = Some(reason.clone());
            }
        }
        if !case.unsupported.is_empty() && told.result != CaseResult::Skipped {
            told.result = CaseResult::Unsupported;
        }
        told
    }

    fn failed(
        &self,
        told: &mut CaseAnswer,
        module: Atom,
        (class, reason, stack): (Class, &Term, &Term),
        machine: &Machine,
    ) {
        told.result = CaseResult::Failed;
        let frames = stack.to_vec().unwrap_or_default();
        let explanation = testing::explain(machine, class, reason, stack);
        let mut line = None;
        if let Some(assertion) = assertion(reason) {
            told.reason = Some(format!("{} failed", assertion.name));
            line = assertion.line.map(|line| (assertion.module.unwrap_or(module), line));
            told.assertion = assertion.entries;
        } else {
            told.reason = Some(explanation.clone());
        }
        told.exception = Some(Exception {
            class: class.to_string(),
            reason: shown(reason),
            explanation: Some(explanation),
            stack: frames.iter().filter_map(frame).collect(),
        });
        let line = line.or_else(|| frames.iter().find_map(|entry| self.own_line(entry)));
        if let Some((module, line)) = line {
            self.show_line(told, module, line);
        }
    }

    /// Where an entry of a stack trace is, if it is in the program under study.
    fn own_line(&self, entry: &Term) -> Option<(Atom, u32)> {
        let frame = frame(entry)?;
        let module = Atom::new(&frame.module);
        let found = self.opened.program.sources.module(module)?.ok()?;
        // Suites are named without their directory.
        let own = found.unit.path.as_path();
        let file = frame.file?;
        let is_own = own == Path::new(&file) || own.file_name().is_some_and(|name| *name == *file);
        is_own.then_some((module, frame.line?))
    }

    /// Adds the source of a line.
    fn show_line(&self, told: &mut CaseAnswer, module: Atom, line: u32) {
        let Some(Ok(found)) = self.opened.program.sources.module(module) else { return };
        let Some(file) = found.tree.files.first() else { return };
        let text = file.line_text(line);
        let Some(&start) = file.line_starts.get(line as usize - 1) else { return };
        let code = text.split('%').next().unwrap_or(text).trim_end();
        let code = if code.trim().is_empty() { text.trim_end() } else { code };
        let indent = (text.len() - text.trim_start().len()) as u32;
        let span = Span {
            file: FileId::MAIN,
            start: start + indent,
            end: start + code.len().max(indent as usize) as u32,
        };
        let at = Loc { line, column: indent + 1 };
        let source = Excerpt { module: found.tree.clone(), span, at };
        told.place = source.place();
        told.source = Some(source);
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
