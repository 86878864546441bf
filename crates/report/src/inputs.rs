//! Inputs that were found for a function or a server: for people, and as JSON (`docs/json.md`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use session::inputs::{Answer, Failure, Outside, Part, Ran, Source};
use session::run::{Ending, Exception, Raised, name_of};
use syntax::wording::counted;

use crate::contracts::{Told, told};
use crate::endings;
use crate::json::{VERSION, to_line};
use crate::run::how;

/// More inputs are only shown with `--verbose`.
const MOST_KEPT: usize = 20;

/// What was found, for people. Inputs that fail come first.
pub fn text(what: &str, answer: &Answer, all: bool) -> String {
    let mut text = String::new();
    if !answer.made.is_empty() {
        answer.made.iter().for_each(|call| _ = writeln!(text, "{}", indented(call, "")));
        return text;
    }
    for failure in &answer.failures {
        text.push_str(&failed(failure));
    }
    let good: Vec<&Ran> = answer.kept.iter().filter(|ran| !is_told(ran, answer)).collect();
    if !good.is_empty() {
        let inputs = counted(good.len() as u64, "input");
        let verb = if good.len() == 1 { "reaches" } else { "reach" };
        let others = if answer.failures.is_empty() { "" } else { " else" };
        let _ = writeln!(text, "{inputs} {verb} everything{others} that was reached:");
        let most = if all { usize::MAX } else { MOST_KEPT };
        for ran in good.iter().take(most) {
            let _ = writeln!(text, "  {}", indented(&ran.call, "  "));
            let _ = writeln!(text, "    {}", indented(&ending(&ran.ending), "    "));
        }
        if good.len() > most {
            let _ = writeln!(text, "  and {} more (--verbose)", good.len() - most);
        }
    }
    let _ = writeln!(text, "{}", summary(what, answer));
    text
}

/// Whether how an input ends is told already, of a smaller one. (A throw is a way to answer.)
fn is_told(ran: &Ran, answer: &Answer) -> bool {
    let raises = exception(&ran.ending).is_some_and(|exception| exception.class != "throw");
    (raises || ran.outside.is_some()) && !answer.failures.is_empty()
}

fn failed(failure: &Failure) -> String {
    let mut text = format!("{}\n  {}\n", failure.what, indented(&failure.ran.call, "  "));
    if let Some(exception) = exception(&failure.ran.ending) {
        let words = exception.explanation.as_deref().unwrap_or(&exception.reason);
        // Who called the function is of no interest.
        let is_own = |line: &&str| {
            let words = line.trim_start();
            ["in call from erlscope_", "in function  erlscope_"]
                .iter()
                .all(|start| !words.starts_with(start))
        };
        for line in words.trim_end().lines().filter(is_own) {
            let _ = writeln!(text, "    {line}");
        }
    }
    if let Some(broken) = &failure.ran.broken {
        let _ = writeln!(text, "    {}", crate::contracts::message(broken));
    }
    if let Some(outside) = &failure.ran.outside {
        let _ = writeln!(text, "    {}", indented(&ending(&failure.ran.ending), "    "));
        let _ = writeln!(text, "    {}", indented(&where_outside(outside), "    "));
    }
    if let Some(witness) = &failure.witness {
        let _ = writeln!(text, "    replay: erlscope replay {witness}");
    }
    text
}

/// Which part of a result is outside of the spec:
/// `element 2 of the result is a, expected integer()`.
fn where_outside(outside: &Outside) -> String {
    let mut place = String::new();
    for part in outside.path.iter().rev() {
        let step = match part {
            Part::Element(number) => format!("element {number} of "),
            Part::Item(number) => format!("item {number} of "),
            Part::Tail => "the tail of ".to_owned(),
            Part::Key(key) => format!("the key {key} of "),
            Part::Value(key) => format!("the value of {key} in "),
        };
        place.push_str(&step);
    }
    place.push_str("the result");
    if let Some(key) = &outside.missing {
        return format!("{place} has no key {key}");
    }
    let expected = outside.expected.readable().shown_in(outside.module);
    format!("{place} is {}, expected {expected}", outside.found)
}

/// How a run ended, on a line if it fits.
fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Returned(value) => format!("returns {value}"),
        other => how(other),
    }
}

fn exception(ending: &Ending) -> Option<&Exception> {
    match ending {
        Ending::Raised(Raised { exception, .. }) => Some(exception),
        _ => None,
    }
}

/// Text whose further lines stand under the first.
fn indented(text: &str, indent: &str) -> String {
    text.replace('\n', &format!("\n{indent}"))
}

fn summary(what: &str, answer: &Answer) -> String {
    let types = match answer.source {
        Source::Spec => "by its spec",
        Source::Inferred => "by what is inferred",
    };
    let runs = counted(answer.runs, "run");
    let failures = match answer.failures.len() {
        0 => "none fails".to_owned(),
        1 => "1 failure".to_owned(),
        n => format!("{n} failures"),
    };
    let branches = match (answer.branches.len(), reached(answer)) {
        (0, _) => String::new(),
        (all, reached) => format!(", {reached} of {all} branches"),
    };
    let rest = match (&answer.stopped, answer.exhausted) {
        (Some(bound), _) => format!("; {}", endings::bound(bound)),
        (None, true) => "; no others were found".to_owned(),
        (None, false) => String::new(),
    };
    format!("{what}, {types}: {runs}, {failures}{branches}{rest}")
}

fn reached(answer: &Answer) -> usize {
    answer.branches.iter().filter(|branch| branch.reached).count()
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    what: &'a str,
    types_from: &'static str,
    types: Vec<String>,
    failures: Vec<JsonFailure<'a>>,
    kept: Vec<JsonRan<'a>>,
    made: &'a [String],
    endings: &'a BTreeMap<&'static str, u64>,
    runs: u64,
    shrinking_runs: u64,
    branches: Vec<JsonBranch<'a>>,
    exhausted: bool,
    incomplete_because: Option<String>,
    unreadable: Vec<String>,
}

#[derive(Serialize)]
struct JsonFailure<'a> {
    what: &'a str,
    #[serde(flatten)]
    ran: JsonRan<'a>,
    /// The input that was found first.
    found: String,
    run: u64,
    minimal: bool,
    witness: Option<&'a str>,
    /// `contract` if one does not hold, which is `violation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Told<'a>>,
}

#[derive(Serialize)]
struct JsonRan<'a> {
    call: &'a str,
    input: String,
    outcome: &'static str,
    value: Option<&'a str>,
    exception: Option<&'a Exception>,
    /// Which part of the result is outside of the spec.
    outside: Option<String>,
}

#[derive(Serialize)]
struct JsonBranch<'a> {
    module: &'a str,
    line: u32,
    column: u32,
    way: &'a str,
    reached: bool,
}

impl<'a> JsonRan<'a> {
    fn of(ran: &'a Ran) -> JsonRan<'a> {
        let value = match &ran.ending {
            Ending::Returned(value) => Some(value.as_str()),
            _ => None,
        };
        JsonRan {
            call: &ran.call,
            input: ran.input.to_string(),
            outcome: name_of(&ran.ending),
            value,
            exception: exception(&ran.ending),
            outside: ran.outside.as_ref().map(where_outside),
        }
    }
}

/// What was found, as one line of JSON.
pub fn json(what: &str, answer: &Answer) -> String {
    let document = Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "inputs",
        what,
        types_from: match answer.source {
            Source::Spec => "spec",
            Source::Inferred => "inferred",
        },
        types: answer.types.iter().map(|ty| ty.readable().shown_in(answer.module)).collect(),
        failures: answer.failures.iter().map(json_failure).collect(),
        kept: answer.kept.iter().map(JsonRan::of).collect(),
        made: &answer.made,
        endings: &answer.endings,
        runs: answer.runs,
        shrinking_runs: answer.shrinking,
        branches: answer.branches.iter().map(json_branch).collect(),
        exhausted: answer.exhausted,
        incomplete_because: answer.stopped.as_ref().map(endings::bound),
        unreadable: answer.unreadable.iter().map(|file| file.path.display().to_string()).collect(),
    };
    format!("{}\n", to_line(&document))
}

fn json_failure(failure: &Failure) -> JsonFailure<'_> {
    JsonFailure {
        what: &failure.what,
        ran: JsonRan::of(&failure.ran),
        found: failure.found.to_string(),
        run: failure.run,
        minimal: failure.is_minimal,
        witness: failure.witness.as_deref(),
        kind: failure.ran.broken.as_ref().map(|broken| broken.kind),
        violation: failure.ran.broken.as_deref().map(told),
    }
}

fn json_branch(branch: &session::inputs::Branch) -> JsonBranch<'_> {
    JsonBranch {
        module: branch.module.as_str(),
        line: branch.line,
        column: branch.column,
        way: &branch.way,
        reached: branch.reached,
    }
}
