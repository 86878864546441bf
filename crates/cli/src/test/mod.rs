//! `erlscope test`: EUnit and Common Test on the Machine.

mod open;
mod traced;
mod workers;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atom::Atom;
use machine::exception::Class;
use machine::{Machine, Term};
use report::run::{Exception, LoadProblem};
use report::test_results::{ModuleReport, Style, TestReport, TestReportCase, module_text};
use report::{Place, excerpt};
use runner::library;
use runner::limits::Bound;
use runner::loader::ProgramLoader;
use runner::scheduler::InTurn;
use runner::testing::{self, Case, Settings, TestKind, TestModule, Verdict};
use syntax::source::{FileId, Loc, Span};
use syntax::unparse;
use term::order::exact_eq;
use trace::schedule::Witness;

use crate::args::{Color, Test, TestFormat};
use crate::exit::{Exit, told};
use crate::guard::{self, Told};
use crate::output;
use crate::run::tell::{frame, shown};
use crate::run::{delivery_of, limits_of, scheduler_of};
use open::{How, Opened};
pub(crate) use traced::{replay, watch};
use workers::Done;

pub(crate) fn run(test: &Test, color: Color) -> ExitCode {
    told(run_tests(test, color))
}

/// What is wanted of the tests that there are.
pub(crate) enum Filter {
    All,
    Text(String),
    Pattern(regex_lite::Regex),
}

impl Filter {
    /// What is no regular expression is text to be found.
    pub(crate) fn new(text: Option<&str>) -> Filter {
        match text {
            None => Filter::All,
            Some(text) => match regex_lite::Regex::new(text) {
                Ok(pattern) => Filter::Pattern(pattern),
                Err(_) => Filter::Text(text.to_owned()),
            },
        }
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        match self {
            Filter::All => true,
            Filter::Text(text) => name.contains(text.as_str()),
            Filter::Pattern(pattern) => pattern.is_match(name),
        }
    }
}

fn run_tests(test: &Test, color: Color) -> Result<Exit, String> {
    leave(test, &Arc::default(), Vec::new());
    let style = Style { colour: output::coloured(color, &std::io::stdout()) };
    let open = || Tester::new(test, style);
    let first = open()?;
    let count = first.opened.modules.len();
    let mut problems: Vec<LoadProblem> =
        first.opened.unreadable.iter().map(unreadable_file).collect();
    let reports: Arc<Mutex<Vec<ModuleReport>>> = Arc::default();
    leave(test, &reports, problems.clone());
    let mut complete = true;
    let mut tell = |done: Done| {
        let Done { report, stop, problems: more } = done;
        for problem in more {
            if !problems
                .iter()
                .any(|known| (&known.file, known.line) == (&problem.file, problem.line))
            {
                problems.push(problem);
            }
        }
        let is_empty = report.tests.is_empty() && report.problem.is_none();
        if !is_empty {
            if test.format == TestFormat::Text {
                let text = module_text(&report, test.verbose, style);
                let _ = output::write_all(text.as_bytes());
            }
            so_far(&reports).push(report);
        }
        complete &= !stop;
        !stop
    };
    let jobs = match test.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    if jobs > 1 && count > 1 {
        drop(first);
        workers::run(jobs, count, &open, tell)?;
    } else {
        for index in 0..count {
            if !tell(first.module(index)?) {
                break;
            }
        }
    }
    let reports = so_far(&reports).clone();
    let report = TestReport::new(reports, problems, complete);
    write(test.format, &report)
}

fn so_far(reports: &Mutex<Vec<ModuleReport>>) -> MutexGuard<'_, Vec<ModuleReport>> {
    reports.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is told should a limit cut the tests off: the modules that are done, and why there are not more.
fn leave(test: &Test, reports: &Arc<Mutex<Vec<ModuleReport>>>, problems: Vec<LoadProblem>) {
    let (format, reports) = (test.format, Arc::clone(reports));
    guard::leave(move |why| {
        let mut problems = problems.clone();
        let (module, file) = (String::new(), String::new());
        problems.push(LoadProblem { module, file, line: 0, message: why.to_owned() });
        // Who was stopped in the middle of noting something is not waited for.
        let reports = reports.try_lock().map(|reports| reports.clone()).unwrap_or_default();
        let report = TestReport::new(reports, problems, false);
        Told { text: shown_as(format, &report), exit: Exit::Incomplete }
    });
}

/// Whether what a schedule runs is a test.
pub(crate) fn is_of_test(witness: &Witness) -> bool {
    witness.test.is_some() || witness.call.starts_with("erlscope_eunit_one:")
}

/// Modules outside of test directories have tests, too, if they are read with `TEST`.
pub(crate) fn with_test_macro(
    mut options: program::project::DiscoverOptions,
) -> program::project::DiscoverOptions {
    if !options.defines.iter().any(|(name, _)| name == "TEST") {
        options.defines.push(("TEST".to_owned(), None));
    }
    options
}

/// Runs the modules of tests of a program.
struct Tester<'a> {
    test: &'a Test,
    filter: Filter,
    opened: Opened,
    style: Style,
}

impl<'a> Tester<'a> {
    fn new(test: &'a Test, style: Style) -> Result<Tester<'a>, String> {
        let how = How { repeatable: test.trace.is_some(), marked: test.trace_nodes };
        let opened = Opened::new(&test.paths, &test.running, &test.reading, how)?;
        Ok(Tester { test, filter: Filter::new(test.filter.as_deref()), opened, style })
    }

    /// How tests are run, but for who chooses and which are wanted.
    fn settings(&self) -> Settings<'_> {
        // Wrong limits were told when the program was opened.
        let mut limits = limits_of(&self.test.running).unwrap_or_default();
        Settings {
            steps_per_test: limits.steps.take().unwrap_or(testing::STEPS_PER_TEST),
            limits,
            delivery: delivery_of(self.test.delivery),
            new_scheduler: &|| Box::new(InTurn),
            observer: None,
            wanted: &|_| true,
            progress: &|_| {},
        }
    }

    /// Runs the tests of a module, by its number.
    fn module(&self, index: usize) -> Result<Done, String> {
        let module = &self.opened.modules[index];
        let mut report = ModuleReport {
            module: module.name.to_string(),
            kind: match module.kind {
                TestKind::Eunit => "eunit",
                TestKind::Suite => "common_test",
            },
            file: module.path.display().to_string(),
            tests: Vec::new(),
            problem: None,
            output: String::new(),
        };
        if !module.broken.is_empty() {
            // A module whose tests are not wanted need not be right.
            if self.filter.matches(module.name.as_str()) {
                report.problem = Some(module.broken.join("\n    "));
            }
            return Ok(Done { report, stop: false, problems: Vec::new() });
        }
        let (result, machine) = match &self.test.trace {
            Some(dir) => traced::run_module(self, module, dir)?,
            None => {
                let settings = Settings {
                    new_scheduler: &|| scheduler_of(&self.test.running, self.test.delivery),
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
        let problems = load_problems(&self.opened.loader, &self.opened.modules);
        // Time and patience do not come back.
        let stopped = self.opened.loader.stopped();
        let stop = result.stop || stopped.is_some_and(|bound| !matches!(bound, Bound::Steps(_)));
        Ok(Done { report, stop, problems })
    }

    /// Why a module of tests could not be loaded, if it could not.
    fn not_loaded(&self, module: &TestModule) -> Option<String> {
        let problems = self.opened.loader.problems();
        let problems = problems.borrow();
        let problem = problems.iter().find(|problem| problem.module == module.name)?;
        let path = problem.path.display();
        let place = match problem.line {
            0 => path.to_string(),
            line => format!("{path}:{line}"),
        };
        Some(format!("it could not be loaded: {place}: {}", problem.message))
    }

    fn case(&self, case: &Case, machine: &Machine) -> TestReportCase {
        let mut told = TestReportCase {
            name: case.path(),
            function: case.function.clone(),
            groups: case.groups.clone(),
            title: case.title.clone(),
            result: "ok",
            reason: None,
            exception: None,
            assertion: Vec::new(),
            unsupported: case.unsupported.clone(),
            place: None,
            excerpt: String::new(),
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
                told.result = "skipped";
                told.reason = Some(reason.clone());
            }
            Verdict::Aborted { what, class, reason, stack } => {
                self.failed(&mut told, case.module, (*class, reason, stack), machine);
                told.result = "cancelled";
                let reason = told.reason.take().unwrap_or_default();
                told.reason = Some(format!("{what}: {reason}"));
            }
            Verdict::Cancelled(reason) => {
                told.result = "cancelled";
                told.reason = Some(reason.clone());
            }
        }
        if !case.unsupported.is_empty() && told.result != "skipped" {
            told.result = "unsupported";
        }
        told
    }

    fn failed(
        &self,
        told: &mut TestReportCase,
        module: Atom,
        (class, reason, stack): (Class, &Term, &Term),
        machine: &Machine,
    ) {
        told.result = "failed";
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
        let found = self.opened.sources.module(module)?.ok()?;
        // Suites are named without their directory.
        let own = found.unit.path.as_path();
        let file = frame.file?;
        let is_own = own == Path::new(&file) || own.file_name().is_some_and(|name| *name == *file);
        is_own.then_some((module, frame.line?))
    }

    /// Adds the source of a line.
    fn show_line(&self, told: &mut TestReportCase, module: Atom, line: u32) {
        let Some(Ok(found)) = self.opened.sources.module(module) else { return };
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
        told.place = Place::of(&found.tree.files, span);
        let at = Loc { line, column: indent + 1 };
        told.excerpt = excerpt(&found.tree.files, span, at, self.style.colour);
    }
}

/// What an assertion macro raised.
struct Assertion {
    name: String,
    module: Option<Atom>,
    line: Option<u32>,
    entries: Vec<(String, String)>,
}

/// `{assertEqual, [{module, M}, {line, L}, {expression, "..."}, ...]}`
fn assertion(reason: &Term) -> Option<Assertion> {
    let [name, details] = reason.as_tuple()? else { return None };
    let name = name.as_atom()?.to_string();
    if !name.starts_with("assert") && name != "command_failed" {
        return None;
    }
    let mut found = Assertion { name, module: None, line: None, entries: Vec::new() };
    let (mut expected, mut actual) = (None, None);
    for pair in details.to_vec()? {
        let [key, value] = pair.as_tuple()? else { return None };
        match key.as_atom()?.as_str() {
            "module" => found.module = value.as_atom(),
            "line" => found.line = value.as_int().and_then(|line| u32::try_from(line).ok()),
            // Source text is told as such.
            key @ ("expression" | "pattern" | "comment") => {
                let text = machine::builtins::text_of(value).unwrap_or_else(|| shown(value));
                found.entries.push((key.to_owned(), as_written(&text)));
            }
            key => {
                match key {
                    "expected" => expected = Some(value.clone()),
                    "value" => actual = Some(value.clone()),
                    _ => {}
                }
                found.entries.push((key.to_owned(), shown(value)));
            }
        }
    }
    if let (Some(expected), Some(actual)) = (expected, actual)
        && let Some((path, left, right)) = first_difference(&expected, &actual)
    {
        let text = format!("{path}: {} is expected, not {}", shown(&left), shown(&right));
        found.entries.push(("differs at".to_owned(), text));
    }
    Some(found)
}

/// Deeper inside of terms a difference is not looked for.
const DEEPEST: usize = 100;

/// Where two terms first differ, if that is inside of them: the way there (`[3]` an element of a
/// list, `{2}` of a tuple, `#{k}` a value of a map), and what is there.
fn first_difference(left: &Term, right: &Term) -> Option<(String, Term, Term)> {
    let (mut left, mut right) = (left.clone(), right.clone());
    let mut path = String::new();
    for _ in 0..DEEPEST {
        let step = match (left.as_tuple(), right.as_tuple()) {
            _ if let (Some(a), Some(b)) = (left.as_record(), right.as_record()) => {
                a.shape().fields().iter().find_map(|field| {
                    let (value, other) = (a.get(*field)?, b.get(*field)?);
                    (a.shape() == b.shape() && !exact_eq(value, other))
                        .then(|| (format!("#{field}"), value.clone(), other.clone()))
                })
            }
            (Some(a), Some(b)) if a.len() == b.len() => {
                position(a, b).map(|(i, a, b)| (format!("{{{i}}}"), a, b))
            }
            _ => match (left.as_map(), right.as_map()) {
                (Some(a), Some(b)) if a.len() == b.len() => a.iter().find_map(|(key, value)| {
                    let other = b.get(key)?;
                    (!exact_eq(value, other))
                        .then(|| (format!("#{{{}}}", shown(key)), value.clone(), other.clone()))
                }),
                _ => match (left.to_vec(), right.to_vec()) {
                    (Some(a), Some(b)) if a.len() == b.len() => {
                        position(&a, &b).map(|(i, a, b)| (format!("[{i}]"), a, b))
                    }
                    _ => None,
                },
            },
        };
        let Some((name, a, b)) = step else { break };
        path.push_str(&name);
        (left, right) = (a, b);
    }
    (!path.is_empty()).then_some((path, left, right))
}

/// The first two elements that differ, and their number.
fn position(a: &[Term], b: &[Term]) -> Option<(usize, Term, Term)> {
    let mut pairs = a.iter().zip(b).enumerate();
    let (index, (a, b)) = pairs.find(|(_, (a, b))| !exact_eq(a, b))?;
    Some((index + 1, a.clone(), b.clone()))
}

/// The text of an expression that the preprocessor has spread out (`f ( X )`), as people write it.
fn as_written(text: &str) -> String {
    let source = format!("f() -> {text}.\n");
    let tree = library::read_source(std::path::Path::new("f.erl"), &source);
    let shown = tree.diagnostics.is_empty().then(|| unparse::module(&tree));
    let body = shown.as_deref().and_then(|shown| shown.trim().strip_prefix("f() ->"));
    let body = body.and_then(|body| body.trim().strip_suffix('.')).map(str::trim_end);
    match body {
        Some(body) if !body.contains('\n') && !body.is_empty() => body.to_owned(),
        _ => text.to_owned(),
    }
}

fn unreadable_file(problem: &program::project::Problem) -> LoadProblem {
    LoadProblem {
        module: String::new(),
        file: problem.path.display().to_string(),
        line: 0,
        message: problem.message.clone(),
    }
}

/// Modules that tests called and that could not be loaded; those that are test modules themselves
/// are told about already.
fn load_problems(loader: &ProgramLoader, modules: &[TestModule]) -> Vec<LoadProblem> {
    let problems = loader.problems();
    let problems = problems.borrow();
    let mut told: Vec<LoadProblem> = Vec::new();
    for problem in problems.iter() {
        let is_told = modules.iter().any(|module| module.name == problem.module);
        let file = problem.path.display().to_string();
        let again = told.iter().any(|known| known.file == file && known.line == problem.line);
        if !is_told && !again {
            let (module, message) = (problem.module.to_string(), problem.message.clone());
            told.push(LoadProblem { module, file, line: problem.line, message });
        }
    }
    told
}

fn shown_as(format: TestFormat, report: &TestReport) -> String {
    match format {
        TestFormat::Json => report.to_json(),
        TestFormat::Junit => report.to_junit(),
        TestFormat::Text if report.summary.modules == 0 && report.summary.complete => {
            "no tests found\n".to_owned()
        }
        TestFormat::Text => format!("{}\n", report.summary.text()),
    }
}

fn write(format: TestFormat, report: &TestReport) -> Result<Exit, String> {
    let summary = &report.summary;
    let _ = output::document(shown_as(format, report).as_bytes());
    if format != TestFormat::Json {
        for problem in &report.problems {
            let LoadProblem { module, file, line, message } = problem;
            let place = if *line == 0 { file.clone() } else { format!("{file}:{line}") };
            output::complain(&format!("module {module} could not be loaded: {place}: {message}"));
        }
    }
    Ok(if !summary.complete {
        Exit::Incomplete
    } else if !summary.is_good() {
        Exit::SomethingFound
    } else {
        Exit::NothingFound
    })
}
