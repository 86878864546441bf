//! Why a request could not be answered at all.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::slice::CriterionError;
use ::trace::schedule::WitnessError;
use runner::schedules::Departure;
use syntax::ast::Module;
use syntax::diagnostic::Diagnostic;
use syntax::source::Loc;

/// Why there is no answer. Nothing here speaks of a command line: a front that has one says which
/// option is meant.
#[derive(Clone, Debug)]
pub enum Error {
    /// A file or directory that cannot be used.
    Input { path: PathBuf, message: String },
    /// The Erlang/OTP that is to be used cannot be.
    Otp(String),
    /// A call that cannot be read, or cannot be made.
    Call { call: String, message: String },
    /// There is neither a call nor a file whose `main` could be called.
    NothingToRun,
    /// There are paths, but no function is named.
    NoFunction,
    /// Arguments are for a script, and there is none.
    ArgumentsWithoutScript,
    /// What a program may reach is not said in a way that is understood.
    Permission(String),
    /// A reason that is to be normal is no term.
    Reason { reason: String, message: String },
    /// A limit of memory cannot be held on this system.
    NoMemoryLimit,
    /// The node could not be started.
    NotStarted(String),
    /// Something that was asked for is not there: a function, a test, a variable, a place.
    Missing(String),
    /// A value that cannot be sliced for.
    Criterion { path: PathBuf, error: CriterionError },
    /// A place is written in a way that is not understood.
    Place(String),
    /// Where a program is entered is not said in a way that is understood, or is not there.
    Entry(String),
    /// Modules of tests have errors; where the first is.
    TestErrors { path: PathBuf, first: Option<Loc> },
    /// A module has errors, so that nothing can be said about it.
    Diagnostics { path: PathBuf, module: Arc<Module>, errors: Vec<Diagnostic> },
    /// A recorded run cannot be run again as it was.
    Departed(Departed),
    /// The run of a trace cannot be watched again.
    Trace { trace: PathBuf, error: Box<Error> },
    /// What was found before a search was saved cannot be read.
    Notes(NotesError),
    /// The work could not be done for another reason.
    Failed(String),
}

/// How a run that follows a record is another than that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Departed {
    /// By turns: where it departs, and where the process is at the end that should have run.
    Turns { departure: Departure, at: Option<(String, u32)> },
    /// The visible actions of a witness cannot be done to the last.
    Actions,
    /// The executions of a search that was saved are not those of the program now.
    Search,
}

/// Why notes of a search are not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotesError {
    /// A line is none of those that there are.
    Line(String),
    /// A schedule is none.
    Schedule(WitnessError),
}

impl Error {
    /// A problem with a path; the number of a system error tells nothing that its text does not.
    pub(crate) fn input(path: impl AsRef<Path>, error: impl fmt::Display) -> Error {
        let message = error.to_string();
        let message = message.split(" (os error ").next().unwrap_or(&message).to_owned();
        Error::Input { path: path.as_ref().to_path_buf(), message }
    }

    /// A file that cannot be read or written: with all that the system says.
    pub(crate) fn file(path: impl AsRef<Path>, error: impl fmt::Display) -> Error {
        Error::Input { path: path.as_ref().to_path_buf(), message: error.to_string() }
    }
}

impl From<&program::project::Problem> for Error {
    fn from(problem: &program::project::Problem) -> Error {
        Error::input(&problem.path, &problem.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { path, message } => write!(f, "{}: {message}", path.display()),
            Error::Criterion { path, error } => write!(f, "{}: {error}", path.display()),
            Error::Otp(message) => f.write_str(message),
            Error::Call { call, message } => write!(f, "cannot read `{call}`: {message}"),
            Error::NothingToRun => f.write_str("what shall be run?"),
            Error::NoFunction => f.write_str("which function?"),
            Error::ArgumentsWithoutScript => {
                f.write_str("arguments are for a script, not for a call")
            }
            Error::Permission(message) => f.write_str(message),
            Error::Reason { reason, message } => write!(f, "{reason}: {message}"),
            Error::NoMemoryLimit => {
                f.write_str("a limit of memory is not supported on this system")
            }
            Error::NotStarted(message) => write!(f, "the node could not be started: {message}"),
            Error::TestErrors { path, first: Some(Loc { line, column }) } => {
                write!(f, "{}:{line}:{column}: the tests have errors", path.display())
            }
            Error::TestErrors { path, first: None } => {
                write!(f, "{}: the tests have errors", path.display())
            }
            Error::Diagnostics { path, .. } => write!(f, "{} has errors", path.display()),
            Error::Departed(_) => f.write_str("the run is another than the one that was recorded"),
            Error::Trace { trace, error } => write!(f, "{}: {error}", trace.display()),
            Error::Notes(_) => f.write_str("what was saved of a search is not understood"),
            Error::Missing(message)
            | Error::Place(message)
            | Error::Entry(message)
            | Error::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
