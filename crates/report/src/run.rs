//! How a run ended: for people, and as JSON. `docs/json.md` documents the shape.

use serde::Serialize;
use session::Place;
use session::run::{
    Ending, Exception, LoadProblem, Process, ProcessStatus, Raised, Ran, name_of, summary,
};
use syntax::wording::counted;

use crate::contracts;
use crate::endings;
use crate::json::{VERSION, to_line};
use crate::text::excerpt_of;

/// More waiting processes than this are counted only.
const MOST_PROCESSES: usize = 20;

/// More reasons why modules could not be loaded than this are counted only.
const MOST_PROBLEMS: usize = 10;

/// A whole run.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    /// `returned`, `raised`, `killed`, `halted`, `stuck`, `unsupported`, `bound`, `not_started`.
    outcome: &'static str,
    exit_code: u8,
    /// What the call returned, as Erlang text.
    value: Option<&'a str>,
    exception: Option<&'a Exception>,
    /// What happened, in words.
    message: Option<String>,
    /// Where, in the program under study.
    place: Option<Place>,
    processes: &'a [Process],
    problems: &'a [LoadProblem],
    /// Contracts that did not hold.
    contracts: Vec<contracts::Told<'a>>,
    output: &'a str,
    error_output: &'a str,
    steps: u64,
    virtual_ms: u64,
}

/// A run as one line of JSON.
pub fn json(ran: &Ran, exit_code: u8) -> String {
    document(Document {
        exit_code,
        value: match &ran.ending {
            Ending::Returned(value) => Some(value),
            _ => None,
        },
        exception: match &ran.ending {
            Ending::Raised(raised) => Some(&raised.exception),
            _ => None,
        },
        message: message(&ran.ending),
        place: ran.place(),
        processes: &ran.processes,
        problems: &ran.problems,
        contracts: ran.contracts.iter().map(contracts::told).collect(),
        output: &ran.output,
        error_output: &ran.error_output,
        steps: ran.steps,
        virtual_ms: ran.virtual_ms,
        ..empty(name_of(&ran.ending))
    })
}

/// A run that was cut off, with what it had written until then.
pub fn cut(why: &str, exit_code: u8, output: &str, error_output: &str) -> String {
    let message = Some(why.to_owned());
    document(Document { exit_code, message, output, error_output, ..empty("bound") })
}

fn empty(outcome: &'static str) -> Document<'static> {
    Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "run",
        outcome,
        exit_code: 0,
        value: None,
        exception: None,
        message: None,
        place: None,
        processes: &[],
        problems: &[],
        contracts: Vec::new(),
        output: "",
        error_output: "",
        steps: 0,
        virtual_ms: 0,
    }
}

fn document(document: Document<'_>) -> String {
    format!("{}\n", to_line(&document))
}

/// What happened, where the name of the outcome does not say it.
fn message(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Returned(_) | Ending::Halted(_) => None,
        Ending::Raised(Raised { missed_native: None, .. }) => None,
        Ending::Bound { bound, .. } => Some(endings::bound(bound)),
        _ => Some(summary(ending)),
    }
}

/// How a call ended, as a part of a sentence.
pub(crate) fn how(ending: &Ending) -> String {
    match ending {
        Ending::Returned(_) => "returned".to_owned(),
        Ending::Raised(Raised { exception: Exception { class, reason, .. }, .. }) => {
            format!("failed ({class}: {reason})")
        }
        Ending::Ended(reason) => format!("was killed: {reason}"),
        Ending::Halted(status) => format!("halted with status {status}"),
        Ending::Quiescent => "is stuck: nobody can go on".to_owned(),
        Ending::Unsupported { what, .. } => format!("asked for what is not supported: {what}"),
        Ending::Bound { bound, .. } => endings::bound(bound),
        Ending::NotStarted(message) => message.clone(),
        Ending::Spins(_) | Ending::Repeats(_) => summary(ending),
    }
}

/// For people; what went well is not told.
pub fn text(ran: &Ran, colour: bool) -> String {
    let mut text = String::new();
    if let Ending::Raised(Raised { exception, .. }) = &ran.ending {
        let explanation = exception.explanation.clone();
        let fallback = || format!("exception {}: {}", exception.class, exception.reason);
        text.push_str(&format!("** {}\n", explanation.unwrap_or_else(fallback).trim_end()));
    }
    for broken in &ran.contracts {
        text.push_str(&contracts::text(broken));
    }
    if let Some(message) = message(&ran.ending) {
        text.push_str(&format!("erlscope: {message}\n"));
    }
    if let Some(source) = &ran.source {
        text.push_str(&excerpt_of(source, colour));
    }
    for process in ran.processes.iter().take(MOST_PROCESSES) {
        text.push_str(&line_of(process));
    }
    if ran.processes.len() > MOST_PROCESSES {
        let more = ran.processes.len() - MOST_PROCESSES;
        text.push_str(&format!("  and {more} more processes\n"));
    }
    for problem in ran.problems.iter().take(MOST_PROBLEMS) {
        text.push_str(&format!("note: {}\n", load_problem(problem)));
    }
    if ran.problems.len() > MOST_PROBLEMS {
        let more = ran.problems.len() - MOST_PROBLEMS;
        text.push_str(&format!("note: and {more} more such problems\n"));
    }
    text
}

/// Why a module could not be loaded.
pub fn load_problem(problem: &LoadProblem) -> String {
    let LoadProblem { module, file, line, message } = problem;
    let place = if *line == 0 { file.clone() } else { format!("{file}:{line}") };
    format!("module {module} could not be loaded: {place}: {message}")
}

fn line_of(process: &Process) -> String {
    let name = process.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
    let function = process.function.as_ref().map_or(String::new(), |name| format!(" in {name}"));
    let place = process
        .place
        .as_ref()
        .map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
    let messages = match process.messages {
        0 => String::new(),
        count => format!(", {} in its mailbox", counted(count as u64, "message")),
    };
    let status = match process.status {
        ProcessStatus::Waiting => "waiting",
        ProcessStatus::Runnable => "runnable",
    };
    format!("  {}{name} {status}{function}{place}{messages}\n", process.pid)
}
