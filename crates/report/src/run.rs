//! How a run ended, as JSON. `docs/json.md` documents the shape.

use serde::Serialize;

use crate::json::{VERSION, to_line};
use crate::place::Place;

/// A whole run.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    pub version: u32,
    pub tool: &'static str,
    pub tool_version: &'static str,
    pub command: &'static str,
    /// `returned`, `raised`, `killed`, `halted`, `stuck`, `unsupported`, `bound`, `not_started`.
    pub outcome: &'static str,
    pub exit_code: u8,
    /// What the call returned, as Erlang text.
    pub value: Option<String>,
    pub exception: Option<Exception>,
    /// What happened, in words.
    pub message: Option<String>,
    /// Where, in the program under study.
    pub place: Option<Place>,
    /// The processes that there were when the run could not go on.
    pub processes: Vec<Process>,
    /// Modules that could not be loaded.
    pub problems: Vec<LoadProblem>,
    /// What the program wrote.
    pub output: String,
    /// What it wrote to the standard error device.
    pub error_output: String,
    /// Function calls of all processes.
    pub steps: u64,
    /// How much time passed for the program, in milliseconds.
    pub virtual_ms: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Exception {
    pub class: String,
    /// As Erlang text.
    pub reason: String,
    /// As the Erlang shell explains it.
    pub explanation: Option<String>,
    pub stack: Vec<Frame>,
}

/// An entry of a stack trace.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    pub module: String,
    pub function: String,
    pub arity: usize,
    /// As Erlang text, where the entry has them.
    pub arguments: Option<Vec<String>>,
    pub file: Option<String>,
    pub line: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Process {
    pub pid: String,
    pub name: Option<String>,
    /// `waiting` or `runnable`.
    pub status: &'static str,
    /// Messages that it has not received.
    pub messages: usize,
    /// Function of the innermost call.
    pub function: Option<String>,
    pub place: Option<Place>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LoadProblem {
    pub module: String,
    pub file: String,
    pub line: u32,
    pub message: String,
}

impl Run {
    pub fn new(outcome: &'static str, exit_code: u8) -> Run {
        Run {
            version: VERSION,
            tool: "erlscope",
            tool_version: env!("CARGO_PKG_VERSION"),
            command: "run",
            outcome,
            exit_code,
            value: None,
            exception: None,
            message: None,
            place: None,
            processes: Vec::new(),
            problems: Vec::new(),
            output: String::new(),
            error_output: String::new(),
            steps: 0,
            virtual_ms: 0,
        }
    }

    /// One line.
    pub fn to_json(&self) -> String {
        format!("{}\n", to_line(self))
    }
}
