//! How a run ended, as data.

use std::fmt;

use runner::limits::Bound;
use serde::Serialize;

use crate::{Error, Excerpt, Place};

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Ran {
    pub ending: Ending,
    /// Where it ended, in the program under study.
    pub source: Option<Excerpt>,
    /// The processes that there were when the run could not go on, the main one first.
    pub processes: Vec<Process>,
    /// Modules that could not be loaded.
    pub problems: Vec<LoadProblem>,
    /// What the program wrote, if that is kept.
    pub output: String,
    /// What it wrote to the standard error device.
    pub error_output: String,
    /// Function calls of all processes.
    pub steps: u64,
    /// How much time passed for the program, in milliseconds.
    pub virtual_ms: u64,
    /// Where the run departed from its schedule.
    pub departure: Option<String>,
    /// Traces and schedules that could not be written.
    pub unwritten: Vec<Error>,
}

/// How a run of a call ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// The call returned this, as Erlang text.
    Returned(String),
    /// The call failed by an exception; perhaps because native code was missed.
    Raised {
        exception: Exception,
        missed_native: Option<String>,
    },
    /// An exit signal with this reason ended the process of the call.
    Killed(String),
    Halted(i32),
    /// Nobody can run, and no timer is left.
    Stuck,
    /// Something was asked for that is not supported.
    Unsupported(String),
    Bound(Bound),
    /// The node could not be started.
    NotStarted(String),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exception {
    pub class: String,
    /// As Erlang text.
    pub reason: String,
    /// As the Erlang shell explains it.
    pub explanation: Option<String>,
    pub stack: Vec<Frame>,
}

/// An entry of a stack trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Frame {
    pub module: String,
    pub function: String,
    pub arity: usize,
    /// As Erlang text, where the entry has them.
    pub arguments: Option<Vec<String>>,
    pub file: Option<String>,
    pub line: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Process {
    pub pid: String,
    pub name: Option<String>,
    pub status: ProcessStatus,
    /// Messages that it has not received.
    pub messages: usize,
    /// Function of the innermost call.
    pub function: Option<String>,
    pub place: Option<Place>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessStatus {
    Waiting,
    Runnable,
}

/// A module that could not be loaded.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct LoadProblem {
    pub module: String,
    pub file: String,
    pub line: u32,
    pub message: String,
}

impl Ran {
    /// Where it ended, in the program under study.
    pub fn place(&self) -> Option<Place> {
        self.source.as_ref().and_then(Excerpt::place)
    }
}

impl Ending {
    /// The name of the kind of ending.
    pub fn name(&self) -> &'static str {
        match self {
            Ending::Returned(_) => "returned",
            Ending::Raised { .. } => "raised",
            Ending::Killed(_) => "killed",
            Ending::Halted(_) => "halted",
            Ending::Stuck => "stuck",
            Ending::Unsupported(_) => "unsupported",
            Ending::Bound(_) => "bound",
            Ending::NotStarted(_) => "not_started",
        }
    }
}

/// In a few words, for the end of a trace.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Returned(_) | Ending::Halted(_) => f.write_str(self.name()),
            Ending::Raised { missed_native: None, .. } => f.write_str(self.name()),
            Ending::Raised { missed_native: Some(missed), .. } => {
                write!(f, "not supported: {missed}")
            }
            Ending::Killed(reason) => {
                write!(f, "the main process was ended by an exit signal: {reason}")
            }
            Ending::Stuck => {
                f.write_str("stuck: every process waits for a message, and no timer is running")
            }
            Ending::Unsupported(message) => write!(f, "not supported: {message}"),
            Ending::Bound(bound) => bound.fmt(f),
            Ending::NotStarted(message) => write!(f, "the node could not be started: {message}"),
        }
    }
}
