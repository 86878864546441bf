//! `erlscope test`: EUnit, Common Test and properties on the Machine.

use std::io::stdout;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use report::test_results::{Style, TestReport, module_text};
use report::test_sarif;
use session::run::LoadProblem;
use session::test::{Answer, ModuleAnswer, Request};
use session::{Progress, Watch};

use crate::args::{Color, Test, TestFormat};
use crate::exit::Exit;
use crate::explore;
use crate::front::{self, Failure};
use crate::guard::{self, Told};
use crate::output;

pub(crate) fn run(arguments: &Test, color: Color) -> Result<Exit, Failure> {
    let request = Request {
        paths: arguments.paths.clone(),
        filter: arguments.filter.clone(),
        delivery: arguments.delivery.into(),
        jobs: arguments.jobs,
        trace: arguments.trace.clone(),
        trace_all: arguments.trace_all,
        trace_nodes: arguments.trace_nodes,
        runs: Some(arguments.runs),
        explore: arguments.explore,
        witnesses: witness_directory(arguments),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
    };
    let to_terminal = arguments.output.is_none();
    let told = Arc::new(SoFar {
        // With a file everything is told at the end.
        shown: (arguments.format == TestFormat::Text && to_terminal).then_some(Manner {
            verbose: arguments.verbose,
            style: Style { colour: output::coloured(color, &stdout()) },
        }),
        answer: Mutex::new(Answer { modules: Vec::new(), problems: Vec::new(), complete: false }),
    });
    let (format, left) = (arguments.format, Arc::clone(&told));
    guard::leave(move |why| left.cut(format, why));
    let answer = session::test::test(&request, &front::watched_by(told))?;
    write(arguments, &answer)
}

/// Where witnesses go, if they are wanted.
fn witness_directory(arguments: &Test) -> Option<PathBuf> {
    let wanted = || arguments.witnesses.clone().unwrap_or_else(|| explore::DIRECTORY.into());
    (!arguments.no_witnesses).then(wanted)
}

/// How modules are told as they are done.
struct Manner {
    verbose: bool,
    style: Style,
}

/// Tells modules as they are done, and keeps them should a limit cut the tests off.
struct SoFar {
    shown: Option<Manner>,
    answer: Mutex<Answer>,
}

impl SoFar {
    fn answer(&self) -> MutexGuard<'_, Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tested(&self, module: &ModuleAnswer) {
        if let Some(Manner { verbose, style }) = &self.shown {
            let text = module_text(module, *verbose, *style);
            let _ = output::write_all(text.as_bytes());
        }
        self.answer().modules.push(module.clone());
    }

    /// The modules that are done, and why there are not more.
    fn cut(&self, format: TestFormat, why: &str) -> Told {
        // Who was stopped in the middle of noting something is not waited for.
        let known = self.answer.try_lock().map(|answer| answer.clone());
        let empty = Answer { modules: Vec::new(), problems: Vec::new(), complete: false };
        let mut answer = known.unwrap_or(empty);
        let (module, file, message) = (String::new(), String::new(), why.to_owned());
        answer.problems.push(LoadProblem { module, file, line: 0, message });
        Told { text: shown_as(format, &answer), exit: Exit::Incomplete }
    }
}

impl Watch for SoFar {
    fn hear(&self, progress: Progress<'_>) {
        match progress {
            Progress::Tested(module) => self.tested(module),
            Progress::Unreadable(problem) => self.answer().problems.push(problem.clone()),
            other => front::tell_note(&other),
        }
    }
}

fn shown_as(format: TestFormat, answer: &Answer) -> String {
    let report = TestReport::new(answer);
    match format {
        TestFormat::Sarif => test_sarif::sarif(answer),
        TestFormat::Json => report.to_json(),
        TestFormat::Junit => report.to_junit(),
        TestFormat::Text if report.summary.modules == 0 && report.summary.complete => {
            "no tests found\n".to_owned()
        }
        TestFormat::Text => format!("{}\n", report.summary.text()),
    }
}

fn write(arguments: &Test, answer: &Answer) -> Result<Exit, Failure> {
    let report = TestReport::new(answer);
    let summary = &report.summary;
    let mut text = String::new();
    if arguments.format == TestFormat::Text && arguments.output.is_some() {
        let style = Style { colour: false };
        let modules = answer.modules.iter();
        text.extend(modules.map(|module| module_text(module, arguments.verbose, style)));
    }
    text.push_str(&shown_as(arguments.format, answer));
    output::write_document(arguments.output.as_deref(), &text)?;
    if !matches!(arguments.format, TestFormat::Json | TestFormat::Sarif) {
        for problem in &answer.problems {
            output::complain(&report::run::load_problem(problem));
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
