//! `erlscope coverage`: what tests, or calls, exercise of the flow graph of a program.
//!
//! The graph is that of the modules to be measured, without the tests: what it says must not depend
//! on which values tests happen to pass. Tests run as `erlscope test` runs them, on one schedule; with
//! `--explore` each EUnit test runs under every schedule ([`every_schedule`]), and so does, after the suite has been run
//! as it is, each case of a Common Test suite ([`suites`]).

mod every_schedule;
mod suites;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use atom::Atom;
use coverage::Watcher;
use flow::{Entry, Flow};
use machine::Machine;
use program::load::LoadedModule;
use program::{LoadOptions, Program};
use report::coverage::Report;
use runner::loader::{Modules, Prefer, ProgramLoader};
use runner::run::{self, End};
use runner::sources::Sources;
use runner::testing::{self, Settings, TestKind, TestModule, Verdict};
use runner::world::RealWorld;
use syntax::diagnostic::Severity;

use crate::args::{Coverage, CoverageFormat};
use crate::exit::{Exit, told};
use crate::front_end::{self, Reader};
use crate::guard;
use crate::output;
use crate::run::{
    delivery_of, limits_of, limits_of_transforms, meant, permissions_of, scheduler_of,
};
use crate::test::{Filter, with_test_macro};

pub(crate) fn run(coverage: &Coverage) -> ExitCode {
    told(measure(coverage))
}

/// What the runs gave, besides coverage.
#[derive(Default)]
struct Ran {
    runs: Vec<String>,
    notes: Vec<String>,
    failed: bool,
    incomplete: bool,
}

fn measure(coverage: &Coverage) -> Result<Exit, String> {
    let reader = Reader::new(&coverage.reading).map_err(|problem| problem.to_string())?;
    let paths = paths(coverage);
    let options = with_test_macro(reader.discover_options(&["test".to_owned()], false));
    let sources = Rc::new(Sources::discover(&paths, options.clone(), reader.library.clone()));
    if let Some(problem) = sources.discovery.problems.first() {
        return Err(front_end::shown(problem).to_string());
    }
    let (tests, unreadable) = testing::find(&sources);
    if let Some(problem) = unreadable.first() {
        return Err(front_end::shown(problem).to_string());
    }
    let mut program = Program::load(
        &paths,
        &LoadOptions {
            discover: options,
            otp: coverage.reading.otp.clone(),
            without_otp: coverage.reading.no_otp,
            without_lint: true,
        },
    )
    .map_err(|error| error.to_string())?;
    let mut ran = Ran::default();
    if let Some(broken) = program
        .modules
        .iter()
        .find(|module| is_below(&module.unit.path, &coverage.tests) && module.has_errors())
    {
        return Err(first_error(broken));
    }
    program.modules.retain(|module| {
        let is_test = is_only_tests(module.name, &tests, coverage);
        if !is_test && module.has_errors() {
            ran.notes
                .push(format!("{} has errors and is not measured", module.unit.path.display()));
        }
        !is_test && !module.has_errors()
    });
    if program.modules.is_empty() {
        return Err("there is no module to be measured".to_owned());
    }
    let flow = flow::analyse(&program, &Entry::Client).map_err(|error| error.to_string())?;
    let flow = Rc::new(flow);
    let watcher = Rc::new(Watcher::new(Rc::clone(&flow), true));
    let prefer = if coverage.running.prefer_otp { Prefer::Otp } else { Prefer::Embedded };
    let loader = ProgramLoader::of(Modules::Sources(Rc::clone(&sources)), prefer);
    loader.mark_own();
    loader.limit_transforms(&limits_of_transforms(&coverage.running)?);
    let runs = Runs { coverage, reader: &reader, paths: &paths, loader, watcher: &watcher };
    if coverage.calls.is_empty() {
        let wanted: Vec<TestModule> =
            tests.into_iter().filter(|test| is_wanted_test(test, coverage)).collect();
        if wanted.is_empty() {
            return Err("there are no tests".to_owned());
        }
        runs.tests(&wanted, &sources, &mut ran)?;
    } else {
        runs.calls(&sources, &mut ran)?;
    }
    if let Some(bound) = guard::bound() {
        ran.incomplete = true;
        ran.notes.push(bound.to_string());
    }
    write(coverage, &flow, &watcher, &ran).map_err(|error| error.to_string())?;
    Ok(match (ran.failed, ran.incomplete) {
        (true, _) => Exit::SomethingFound,
        (false, true) => Exit::Incomplete,
        (false, false) => Exit::NothingFound,
    })
}

fn write(arguments: &Coverage, flow: &Flow, watcher: &Watcher, ran: &Ran) -> io::Result<()> {
    let mut notes = ran.notes.clone();
    let others = watcher.other_trees();
    for &module in &others {
        let name = flow.modules[module as usize].name;
        notes.push(format!("{name} is run as a parse transform made it, and is not measured"));
    }
    let happened = watcher.happened();
    let (_, misses) = coverage::check(flow, happened.iter());
    let unexpected = misses.iter().filter(|miss| !miss.happened.is_announced(flow));
    notes.extend(
        unexpected.map(|miss| format!("a run did what the graph does not have: {}", miss.text)),
    );
    let modules = 0..flow.modules.len() as u32;
    let covered = watcher.covered();
    let text = watcher.criteria(|criteria| {
        let report = Report {
            flow,
            criteria,
            covered: &covered,
            modules: modules.filter(|module| !others.contains(module)).collect(),
            runs: ran.runs.clone(),
            notes,
        };
        match arguments.format {
            CoverageFormat::Text => report.text(),
            CoverageFormat::Json => report.json(),
            CoverageFormat::Lcov => report.lcov(),
            CoverageFormat::Cobertura => report.cobertura(),
            CoverageFormat::Html => report.html(),
        }
    });
    output::document(text.as_bytes())
}

/// Everything that is to be read: what is measured, and the tests. Tests alone stand for what is
/// beside them: the modules in their directory and, beside a directory `test`, in `src`.
fn paths(coverage: &Coverage) -> Vec<PathBuf> {
    let mut paths = coverage.paths.clone();
    if paths.is_empty() && coverage.tests.is_empty() {
        paths.push(PathBuf::from("."));
    }
    for test in &coverage.tests {
        if coverage.paths.is_empty() && test.is_file() {
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
fn is_only_tests(name: Atom, tests: &[TestModule], coverage: &Coverage) -> bool {
    let Some(test) = tests.iter().find(|test| test.name == name) else { return false };
    let in_test_dir = test.path.parent().is_some_and(|dir| dir.ends_with("test"));
    let given = coverage.tests.iter().any(|path| path.is_file() && same(path, &test.path));
    test.kind == TestKind::Suite || name.as_str().ends_with("_tests") || in_test_dir || given
}

fn is_wanted_test(test: &TestModule, coverage: &Coverage) -> bool {
    coverage.tests.is_empty() || is_below(&test.path, &coverage.tests)
}

/// Whether a file is one of these paths, or in one of them.
fn is_below(file: &Path, paths: &[PathBuf]) -> bool {
    let file = absolute(file);
    paths.iter().any(|path| file.starts_with(absolute(path)))
}

/// What is wrong with a module.
fn first_error(module: &LoadedModule) -> String {
    let path = module.unit.path.display();
    let errors = module.diagnostics.iter();
    match errors.filter(|found| found.severity == Severity::Error).map(|found| found.loc).next() {
        Some(loc) => format!(
            "{path}:{}:{}: the tests have errors; `erlscope check` shows them",
            loc.line, loc.column
        ),
        None => format!("{path}: the tests have errors; `erlscope check` shows them"),
    }
}

fn same(a: &Path, b: &Path) -> bool {
    absolute(a) == absolute(b)
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

struct Runs<'a> {
    coverage: &'a Coverage,
    reader: &'a Reader,
    paths: &'a [PathBuf],
    loader: ProgramLoader,
    watcher: &'a Rc<Watcher>,
}

impl Runs<'_> {
    fn world(&self) -> Result<Rc<RealWorld>, String> {
        let permissions = permissions_of(&self.coverage.running, self.paths, self.reader)?;
        let seed = self.coverage.running.seed.unwrap_or(0);
        Ok(Rc::new(RealWorld::new(permissions, seed).keeping_output()))
    }

    fn booted(&self, world: &Rc<RealWorld>) -> Result<Machine, String> {
        match run::boot(Rc::new(self.loader.clone()), Rc::clone(world) as _) {
            Ok(machine) => Ok(machine),
            Err(End::NotBooted(message)) => {
                Err(format!("the node could not be started: {message}"))
            }
            Err(other) => Err(format!("the node could not be started: {other:?}")),
        }
    }

    fn tests(
        &self,
        tests: &[TestModule],
        sources: &Rc<Sources>,
        ran: &mut Ran,
    ) -> Result<(), String> {
        let world = self.world()?;
        let mut machine = self.booted(&world)?;
        machine.observe(Some(self.watcher.clone()));
        let filter = Filter::new(self.coverage.filter.as_deref());
        let mut limits = limits_of(&self.coverage.running)?;
        let steps_per_test = limits.steps.take().unwrap_or(testing::STEPS_PER_TEST);
        let explores = self.coverage.explore;
        for test in tests {
            if !test.broken.is_empty() {
                return Err(test.broken.join("\n"));
            }
            if explores && test.kind == TestKind::Eunit {
                self.explore_tests(test, sources, &filter, ran)?;
                continue;
            }
            self.watcher.begin();
            let settings = Settings {
                limits: limits.clone(),
                steps_per_test,
                delivery: delivery_of(self.coverage.delivery),
                new_scheduler: &|| scheduler_of(&self.coverage.running, self.coverage.delivery),
                observer: None,
                wanted: &|name| filter.matches(name),
                progress: &|_| {},
            };
            let (result, _) = testing::run_module(&machine, test, &settings);
            let _ = world.take_output();
            let passed = result.cases.iter().filter(|case| case.verdict_is_good()).count();
            let failed = result.cases.len() - passed;
            ran.failed |= failed > 0 || result.problem.is_some();
            if !result.cases.is_empty() {
                ran.runs.push(format!("{}: {passed} passed, {failed} failed", test.name));
            }
            for case in result.cases.iter().filter(|case| !case.verdict_is_good()) {
                ran.notes.push(format!("{} failed; `erlscope test` shows why", case.path()));
            }
            if let Some(problem) = result.problem {
                ran.notes.push(format!("{}: {problem}", test.name));
            }
            if result.stop {
                ran.incomplete = true;
                break;
            }
            if explores {
                let bad = result.cases.iter().filter(|case| !case.verdict_is_good());
                let bad: Vec<String> =
                    bad.map(|case| format!("{}:{}", test.name, case.path())).collect();
                self.explore_suite(test, sources, &filter, &bad, ran)?;
            }
        }
        Ok(())
    }

    fn calls(&self, sources: &Rc<Sources>, ran: &mut Ran) -> Result<(), String> {
        for call in &self.coverage.calls {
            let call = &meant(call);
            if self.coverage.explore {
                self.explore_call(call, sources, ran)?;
                continue;
            }
            let world = self.world()?;
            run::entry(&self.loader, call)
                .map_err(|message| format!("cannot read `{call}`: {message}"))?;
            let mut machine = self.booted(&world)?;
            self.watcher.begin();
            machine.observe(Some(self.watcher.clone()));
            let limits = limits_of(&self.coverage.running)?;
            machine.set_delivery(delivery_of(self.coverage.delivery));
            let mut scheduler = scheduler_of(&self.coverage.running, self.coverage.delivery);
            let (end, _) = run::run(&mut machine, scheduler.as_mut(), &limits);
            ran.failed |= !matches!(end, End::Returned(_) | End::Halted(0) | End::Bound(..));
            ran.incomplete |= matches!(end, End::Bound(..) | End::Unsupported(..));
            ran.runs.push(format!("{call}: {}", how(&end)));
        }
        Ok(())
    }
}

/// How a call ended.
fn how(end: &End) -> String {
    match end {
        End::Returned(_) => "returned".to_owned(),
        End::Raised(crash) => {
            format!("failed ({}: {})", crash.class, term::format::pretty::to_string(&crash.reason))
        }
        End::Killed(reason) => format!("was killed: {}", term::format::pretty::to_string(reason)),
        End::Halted(status) => format!("halted with status {status}"),
        End::Stuck => "is stuck: nobody can go on".to_owned(),
        End::Unsupported(message, _) => format!("asked for what is not supported: {message}"),
        End::Bound(bound, _) => bound.to_string(),
        End::NotBooted(message) => message.clone(),
    }
}

pub(crate) trait Good {
    fn verdict_is_good(&self) -> bool;
}

impl Good for testing::Case {
    fn verdict_is_good(&self) -> bool {
        matches!(self.verdict, Verdict::Passed | Verdict::Skipped { .. })
    }
}
