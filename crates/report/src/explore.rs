//! What an exploration found, as JSON. `docs/json.md` documents the shape.

use serde::Serialize;

use crate::json::{VERSION, to_line};

/// A whole exploration.
#[derive(Clone, Debug, Serialize)]
pub struct Explored {
    pub version: u32,
    pub tool: &'static str,
    pub tool_version: &'static str,
    pub command: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
}

#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub call: String,
    /// How many executions were explored.
    pub executions: u64,
    /// In how many of them something was found.
    pub erroneous: u64,
    /// Executions that were begun and turned out to be like others.
    pub redundant: u64,
    pub events: u64,
    /// Whether these are all executions that differ.
    pub complete: bool,
    pub incomplete_because: Option<String>,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// `abnormal_exit`, `deadlock`, `endless`, `halted`, `unsupported`.
    pub kind: &'static str,
    pub message: String,
    /// How many executions show it.
    pub count: u64,
    /// The file that `erlscope replay` runs again.
    pub witness: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Of the schedule in the witness.
    pub preemptions: usize,
}

impl Explored {
    pub fn new(figures: Figures) -> Explored {
        Explored {
            version: VERSION,
            tool: "erlscope",
            tool_version: env!("CARGO_PKG_VERSION"),
            command: "explore",
            figures,
        }
    }

    pub fn to_json(&self) -> String {
        format!("{}\n", to_line(self))
    }
}
