//! The command line as a front of `session`: how it takes part in the work, and what it says where
//! there is no answer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::Program;
use report::{Format, Problem, Renderer};
use session::{Control, Error, Over, Progress, Watch};
use syntax::diagnostic::{Diagnostic, Severity};

use crate::exit::Exit;
use crate::{guard, output};

/// Limits hold; notes are told on standard error.
pub(crate) fn control() -> Control {
    watched_by(Arc::new(Plain))
}

/// The same, with somebody who hears how far the work is.
pub(crate) fn watched_by(watch: Arc<dyn Watch>) -> Control {
    Control::new(Over::new(guard::bound), Some(watch))
}

/// The same for a search after which something is left to do.
pub(crate) fn searching(watch: Arc<dyn Watch>) -> Control {
    Control::new(Over::new(guard::bound_of_search), Some(watch))
}

struct Plain;

impl Watch for Plain {
    fn hear(&self, progress: Progress<'_>) {
        tell_note(&progress);
    }
}

/// Tells a note at once.
pub(crate) fn tell_note(progress: &Progress<'_>) {
    if let Progress::Note(note) = progress {
        output::complain(&report::endings::note(note));
    }
}

/// Why a command could not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no answer.
    Session(Error),
    /// The question makes no sense.
    Use(String),
    /// What was found cannot be written.
    Output(io::Error),
    /// A file beside it cannot.
    File(FileProblem),
}

/// A file that cannot be written, and why.
#[derive(Debug)]
pub(crate) struct FileProblem {
    path: PathBuf,
    error: io::Error,
}

impl FileProblem {
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> FileProblem {
        let path = path.to_owned();
        move |error| FileProblem { path, error }
    }
}

impl From<FileProblem> for Failure {
    fn from(problem: FileProblem) -> Failure {
        Failure::File(problem)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Session(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// The exit of a command; says why it could not do anything. Where a limit is the reason, what was
/// left for that case is told.
pub(crate) fn exit_of(result: Result<Exit, Failure>) -> Exit {
    let message = match result {
        Ok(exit) => return exit,
        Err(Failure::Output(error)) => return output::failed(&error),
        Err(Failure::Session(error)) => report::endings::error(&error),
        Err(Failure::Use(message)) => message,
        Err(Failure::File(FileProblem { path, error })) => format!("{}: {error}", path.display()),
    };
    output::complain(&message);
    guard::end_if_over();
    Exit::Unusable
}

/// Says what is wrong with modules, on standard error, beside what is made of the rest. Gives paths
/// that could not be read.
pub(crate) fn tell_wrong(program: &Program) -> io::Result<Vec<Problem>> {
    let problems = tell_problems(program);
    let renderer = Renderer { format: Format::Short, colour: false };
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    for module in &program.modules {
        let found = renderer.render(&module.tree.files, module.diagnostics.iter().filter(is_error));
        io::stderr().write_all(found.text().as_bytes())?;
    }
    Ok(problems)
}

/// Says which paths could not be read.
pub(crate) fn tell_problems(program: &Program) -> Vec<Problem> {
    let problems: Vec<Problem> = program.problems.iter().map(Problem::from).collect();
    for problem in &problems {
        output::complain(&problem.to_string());
    }
    problems
}

/// How a command ends that makes something of what could be read.
pub(crate) fn exit_beside(problems: &[Problem], program: &Program) -> Exit {
    if !problems.is_empty() {
        Exit::Unusable
    } else if program.has_errors() {
        Exit::SomethingFound
    } else {
        Exit::NothingFound
    }
}
