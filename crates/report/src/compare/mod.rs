//! What two versions of a program do differently: for people, and as JSON (`docs/json.md`); for CI
//! servers and as a page in the files beside this one.

mod html;
mod junit;
mod sarif;

pub use html::html;
pub use junit::junit;
pub use sarif::sarif;

use std::fmt::Write as _;

use serde::Serialize;
use session::compare::{Answer, Compared, Difference, Function, Label, Point, Side, Verdict};
use session::run::{Ending, name_of};
use syntax::wording::counted;

use crate::endings;
use crate::json::{VERSION, to_line};
use crate::run::how;

/// The differences, for people, and how far was looked.
pub fn text(answer: &Answer, all: bool) -> String {
    let mut text = String::new();
    for entry in &answer.entries {
        for difference in &entry.differences {
            text.push_str(&one(entry, difference));
        }
    }
    for (functions, which) in [(&answer.lost, "old"), (&answer.gained, "new")] {
        if !functions.is_empty() {
            let names: Vec<String> = functions.iter().map(|&function| name(function)).collect();
            let _ = writeln!(text, "only the {which} version has {}", names.join(", "));
        }
    }
    for entry in &answer.entries {
        if all || entry.no_inputs.is_some() || entry.fates.same + entry.fates.different == 0 {
            let _ = writeln!(text, "{}", looked(entry));
        }
    }
    let _ = writeln!(text, "{}", summary(answer));
    text
}

fn name((module, (name, arity)): Function) -> String {
    let quote = |name: &str| atom::quote::atom(name);
    format!("{}:{}/{arity}", quote(module.as_str()), quote(name.as_str()))
}

fn one(entry: &Compared, difference: &Difference) -> String {
    let what = what(difference.label);
    let indented = |call: &str| call.replace('\n', "\n  ");
    let call = indented(&difference.old_call);
    let mut text = format!("{}: {what}\n  {call}\n", entry.name);
    if difference.old_call != difference.new_call {
        let _ = writeln!(text, "  {}", indented(&difference.new_call));
    }
    for (which, side) in [("old", &difference.old), ("new", &difference.new)] {
        for line in side_lines(difference.point, side) {
            let _ = writeln!(text, "    {which}: {}", line.replace('\n', "\n         "));
        }
    }
    text
}

/// A difference in words.
fn what(label: Label) -> &'static str {
    match label {
        Label::DifferentValue => "another value",
        Label::FirstTraceLonger => "fewer values at the points",
        Label::SecondTraceLonger => "more values at the points",
        Label::FirstTraceEmpty => "values at points that had none",
        Label::SecondTraceEmpty => "no values at points that had some",
        Label::NoPoiRelation => "values at other points",
        Label::FirstRaises => "no longer fails",
        Label::SecondRaises => "fails now",
        Label::DifferentException => "fails in another way",
        Label::DifferentEnd => "ends in another way",
        Label::DifferentMessages => "other messages are sent",
        Label::DifferentOutput => "something else is written",
        Label::NewBehaviour => "does something new under some schedule",
        Label::LostBehaviour => "under no schedule does all that it did",
        Label::Own(name) => name.as_str(),
    }
}

fn side_lines(point: Point, side: &Side) -> Vec<String> {
    if !side.behaviours.is_empty() {
        return side.behaviours.clone();
    }
    match point {
        Point::Output => vec![format!("writes {:?}", side.output)],
        Point::Messages if side.sent.is_empty() => vec!["sends nothing".to_owned()],
        Point::Messages => side.sent.iter().map(|message| format!("sends {message}")).collect(),
        Point::End => vec![ending(&side.ending)],
        Point::Asked(_) if side.seen.is_empty() => vec!["no value".to_owned()],
        Point::Asked(_) => {
            let values: Vec<&str> = side.seen.iter().map(|(_, value)| value.as_str()).collect();
            let values = values.join(", ");
            match &side.point_call {
                Some(call) => vec![values, format!("the last of {call}")],
                None => vec![values],
            }
        }
    }
}

/// How a run ended, in a line.
fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Returned(value) => format!("returns {value}"),
        Ending::Raised(raised) => {
            let exception = &raised.exception;
            format!("fails with {}: {}", exception.class, exception.reason)
        }
        other => how(other),
    }
}

/// How far was looked at an entry.
fn looked(entry: &Compared) -> String {
    let name = &entry.name;
    if let Some(why) = &entry.no_inputs {
        return format!("{name}: not called: {why}");
    }
    let mut text = format!("{name}: {}", counted(entry.runs, "input"));
    if entry.fates.different > 0 {
        let verb = if entry.fates.different == 1 { "shows" } else { "show" };
        let _ = write!(text, ", {} {verb} a difference", entry.fates.different);
    }
    if entry.fates.silent > 0 {
        let verb = if entry.fates.silent == 1 { "says" } else { "say" };
        let why = "a bound, no point, or what is not supported";
        let _ = write!(text, ", {} {verb} nothing ({why})", entry.fates.silent);
    }
    if entry.fates.unsettled > 0 {
        let _ = write!(text, ", {} differ by chance or time", entry.fates.unsettled);
    }
    if entry.fates.one_order > 0 {
        let _ = write!(text, ", {} with processes in one order only", entry.fates.one_order);
    }
    if entry.exhausted {
        text.push_str("; no others were found");
    }
    if let Some(proof) = entry.proven {
        let paths = counted(proof.paths, "path");
        let _ = write!(text, "; proven: equal results on every path of both ({paths})");
    }
    text
}

fn summary(answer: &Answer) -> String {
    let changes = &answer.changes;
    let changed = changes.changed.len() + changes.added.len() + changes.removed.len();
    let verdict = match answer.verdict {
        Verdict::Different => {
            let found = answer.differences().count() as u64;
            format!("different: {}", counted(found, "difference"))
        }
        Verdict::Same if changes.is_empty() && answer.entries.is_empty() => {
            "same: no function changed".to_owned()
        }
        Verdict::Same => "same as far as was looked".to_owned(),
        Verdict::Proven => "proven the same for all inputs of their types".to_owned(),
        Verdict::Unreached => "unreached: nothing of what changed could be compared".to_owned(),
    };
    let called = answer.entries.iter().filter(|entry| entry.runs > 0).count() as u64;
    let mut text = format!(
        "{verdict}; {} changed, {} called with {}",
        counted(changed as u64, "function"),
        counted(called, "function"),
        counted(answer.runs(), "input"),
    );
    let [_, new] = answer.reached;
    if new.all > 0 {
        let _ = write!(text, "; {} of {} changed clauses reached", new.reached, new.all);
    }
    let one_order: u64 = answer.entries.iter().map(|entry| entry.fates.one_order).sum();
    if one_order > 0 {
        let _ = write!(
            text,
            "; of {}, whose processes can act in several orders, one order was tried \
             (--schedules all)",
            counted(one_order, "input")
        );
    }
    if let Some(bound) = &answer.stopped {
        let _ = write!(text, "; {}", endings::bound(bound));
    }
    text
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    verdict: &'static str,
    changed: Vec<String>,
    added: Vec<String>,
    removed: Vec<String>,
    only_old: Vec<String>,
    only_new: Vec<String>,
    inputs: JsonInputs<'a>,
    differences: Vec<JsonDifference<'a>>,
    coverage: JsonCoverage,
    incomplete_because: Option<String>,
}

/// Clauses of changed functions.
#[derive(Serialize)]
struct JsonCoverage {
    old: JsonReach,
    new: JsonReach,
}

#[derive(Serialize)]
struct JsonReach {
    reached: usize,
    all: usize,
}

/// A point, and how many inputs reached it.
#[derive(Serialize)]
struct JsonPoint<'a> {
    old: &'a str,
    new: &'a str,
    reached: u64,
}

#[derive(Serialize)]
struct JsonInputs<'a> {
    run: u64,
    points: Vec<JsonPoint<'a>>,
    entries: Vec<JsonEntry<'a>>,
}

#[derive(Serialize)]
struct JsonEntry<'a> {
    entry: &'a str,
    run: u64,
    reached: u64,
    differing: u64,
    unsettled: u64,
    /// Inputs whose processes can act in several orders, of which one was tried.
    one_order: u64,
    exhausted: bool,
    /// How many paths a proof has, if there is one.
    proven: Option<u64>,
    no_inputs: Option<String>,
}

#[derive(Serialize)]
struct JsonDifference<'a> {
    label: &'static str,
    entry: &'a str,
    point: String,
    input: String,
    old_call: &'a str,
    new_call: &'a str,
    old: JsonSide<'a>,
    new: JsonSide<'a>,
    found: String,
    run: u64,
    minimal: bool,
    schedule: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonSide<'a> {
    outcome: &'static str,
    value: Option<&'a str>,
    class: Option<&'a str>,
    reason: Option<&'a str>,
    output: &'a str,
    values: Vec<&'a str>,
    call: Option<&'a str>,
    stack: Vec<JsonFrame<'a>>,
    behaviours: &'a [String],
    sent: &'a [String],
}

/// A call that led to a point.
#[derive(Serialize)]
struct JsonFrame<'a> {
    module: &'a str,
    line: u32,
}

/// What was found, as one line of JSON.
pub fn json(answer: &Answer) -> String {
    let names = |functions: &mut dyn Iterator<Item = &Function>| {
        functions.map(|&function| name(function)).collect::<Vec<_>>()
    };
    let changes = &answer.changes;
    let entries = answer.entries.iter().map(|entry| JsonEntry {
        entry: &entry.name,
        run: entry.runs,
        reached: entry.runs - entry.fates.silent,
        differing: entry.fates.different,
        unsettled: entry.fates.unsettled,
        one_order: entry.fates.one_order,
        exhausted: entry.exhausted,
        proven: entry.proven.map(|proof| proof.paths),
        no_inputs: entry.no_inputs.clone(),
    });
    let points = answer.points.iter().enumerate().map(|(number, (old, new))| JsonPoint {
        old,
        new,
        reached: answer.entries.iter().filter_map(|entry| entry.points.get(number)).sum(),
    });
    let [old, new] =
        answer.reached.map(|reach| JsonReach { reached: reach.reached, all: reach.all });
    let document = Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "compare",
        verdict: match answer.verdict {
            Verdict::Different => "different",
            Verdict::Same => "same",
            Verdict::Proven => "proven",
            Verdict::Unreached => "unreached",
        },
        changed: names(&mut changes.changed.iter()),
        added: names(&mut changes.added.iter()),
        removed: names(&mut changes.removed.iter()),
        only_old: names(&mut answer.lost.iter()),
        only_new: names(&mut answer.gained.iter()),
        inputs: JsonInputs {
            run: answer.runs(),
            points: points.collect(),
            entries: entries.collect(),
        },
        differences: answer.differences().map(|(entry, found)| json_of(entry, found)).collect(),
        coverage: JsonCoverage { old, new },
        incomplete_because: answer.stopped.as_ref().map(endings::bound),
    };
    format!("{}\n", to_line(&document))
}

fn json_of<'a>(entry: &'a Compared, difference: &'a Difference) -> JsonDifference<'a> {
    JsonDifference {
        label: difference.label.name(),
        entry: &entry.name,
        point: match difference.point {
            Point::End => "end".to_owned(),
            Point::Output => "output".to_owned(),
            Point::Messages => "messages".to_owned(),
            Point::Asked(number) => number.to_string(),
        },
        input: difference.input.to_string(),
        old_call: &difference.old_call,
        new_call: &difference.new_call,
        old: json_side(&difference.old),
        new: json_side(&difference.new),
        found: difference.found.to_string(),
        run: difference.run,
        minimal: difference.is_minimal,
        schedule: difference.schedule.as_deref(),
    }
}

fn json_side(side: &Side) -> JsonSide<'_> {
    let (value, exception) = match &side.ending {
        Ending::Returned(value) | Ending::Ended(value) => (Some(value.as_str()), None),
        Ending::Raised(raised) => (None, Some(&raised.exception)),
        _ => (None, None),
    };
    JsonSide {
        outcome: name_of(&side.ending),
        value,
        class: exception.map(|exception| exception.class.as_str()),
        reason: exception.map(|exception| exception.reason.as_str()),
        output: &side.output,
        values: side.seen.iter().map(|(_, value)| value.as_str()).collect(),
        call: side.point_call.as_deref(),
        stack: side.stack.iter().map(|(module, line)| JsonFrame { module, line: *line }).collect(),
        behaviours: &side.behaviours,
        sent: &side.sent,
    }
}
