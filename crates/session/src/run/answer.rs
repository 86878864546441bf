//! How a run ended, as data.

use machine::Unsupported;
use serde::Serialize;

use crate::contracts::Broken;
use crate::error::Departed;
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
    /// Contracts that did not hold.
    pub contracts: Vec<Broken>,
    /// What the program wrote, if that is kept.
    pub output: String,
    /// What it wrote to the standard error device.
    pub error_output: String,
    /// Function calls of all processes.
    pub steps: u64,
    /// How much time passed for the program, in milliseconds.
    pub virtual_ms: u64,
    /// Where the run departed from its schedule.
    pub departure: Option<Departed>,
    /// Traces and schedules that could not be written.
    pub unwritten: Vec<Error>,
}

/// How a run ended, with values as Erlang text.
pub type Ending = machine::Ending<String, Raised>;

/// An exception that ended a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raised {
    pub exception: Exception,
    /// Native code that was missed before: perhaps why.
    pub missed_native: Option<Unsupported>,
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

/// The name of the kind of an ending.
pub fn name_of(ending: &Ending) -> &'static str {
    match ending {
        Ending::Returned(_) => "returned",
        Ending::Raised(_) => "raised",
        Ending::Ended(_) => "killed",
        Ending::Halted(_) => "halted",
        Ending::Quiescent => "stuck",
        Ending::Unsupported { .. } => "unsupported",
        Ending::Bound { .. } | Ending::Spins(_) | Ending::Repeats(_) => "bound",
        Ending::NotStarted(_) => "not_started",
    }
}

/// An ending in a few words, for the end of a trace.
pub fn summary(ending: &Ending) -> String {
    match ending {
        Ending::Raised(Raised { missed_native: Some(missed), .. }) => {
            format!("not supported: {missed}")
        }
        Ending::Returned(_) | Ending::Halted(_) | Ending::Raised(_) => name_of(ending).to_owned(),
        Ending::Ended(reason) => {
            format!("the main process was ended by an exit signal: {reason}")
        }
        Ending::Quiescent => {
            "stuck: every process waits for a message, and no timer is running".to_owned()
        }
        Ending::Unsupported { what, .. } => format!("not supported: {what}"),
        Ending::Bound { bound, .. } => bound.to_string(),
        Ending::Spins(pid) => format!("{} computes on and on", ::trace::show::pid(*pid)),
        Ending::Repeats(repeat) => format!("the same comes again every {} events", repeat.every),
        Ending::NotStarted(message) => format!("the node could not be started: {message}"),
    }
}
