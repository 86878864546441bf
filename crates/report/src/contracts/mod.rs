//! Contracts that did not hold: for people, and as JSON. `docs/json.md` documents the shape.

mod list;
mod proved;
mod suggested;

use serde::Serialize;
use session::contracts::{Broken, Cause};

pub use list::{html, json, list, problems};
pub use proved::{json as proved_json, text as proved_text};
pub use suggested::{json as suggested_json, text as suggested_text};

/// The same with what happened in words.
#[derive(Serialize)]
pub struct Told<'a> {
    #[serde(flatten)]
    broken: &'a Broken,
    message: String,
}

/// A contract that did not hold, for a document.
pub fn told(broken: &Broken) -> Told<'_> {
    Told { broken, message: message(broken) }
}

/// What a contract is called.
fn name(kind: &str) -> &str {
    match kind {
        "pre" => "precondition",
        "post" => "postcondition",
        "decreases" | "sdecreases" => "decreasing condition",
        "expected_time" => "expected time",
        "timeout" => "time limit",
        "pure" => "purity",
        "messages" => "protocol",
        "table" => "invariant of the table",
        other => other,
    }
}

/// The call that it is about.
pub fn call(broken: &Broken) -> String {
    let arguments = broken.arguments.join(", ");
    let name = broken.function.as_deref().unwrap_or(&broken.module);
    let name = name.rsplit_once('/').map_or(name, |(name, _)| name);
    match broken.function {
        Some(_) => format!("{name}({arguments})"),
        None if broken.arguments.is_empty() => name.to_owned(),
        None => {
            let inner = broken.stack.first().map_or(name, |frame| &frame.function);
            let inner = inner.rsplit_once('/').map_or(inner, |(name, _)| name);
            format!("{inner}({arguments})")
        }
    }
}

/// What happened, in a line.
pub fn message(broken: &Broken) -> String {
    let (name, call) = (name(&broken.contract), call(broken));
    let result = broken.result.as_ref().map_or(String::new(), |it| format!(". Result: {it}"));
    match &broken.cause {
        Cause::No { .. } if broken.contract == "protocol" => match &broken.arguments[..] {
            [state, message] => format!("The message {message} may not come in the state {state}"),
            _ => "A message may not come".to_owned(),
        },
        Cause::No { reason } if broken.contract == "table" => {
            let reason = reason.as_ref().map_or(String::new(), |it| format!(". {it}"));
            let objects = broken.arguments.join(", ");
            format!("The {name} does not hold of {objects}{reason}")
        }
        Cause::No { reason } => {
            let reason = reason.as_ref().map_or(String::new(), |it| format!(". {it}"));
            format!("The {name} does not hold. Last call: {call}{result}{reason}")
        }
        Cause::NoAnswer { value } => {
            format!("The {name} of {call} gave {value}, which is no answer")
        }
        Cause::Raised { class, reason } => {
            format!("The {name} of {call} itself failed ({class}: {reason})")
        }
        Cause::Endless => format!("The {name} of {} does not end", place(broken)),
        Cause::Acts { action } => {
            format!("The {name} of {} acts: {action}", place(broken))
        }
        Cause::Impure { action, through } => {
            let through = match &through[..] {
                [] => String::new(),
                calls => format!(", called through {}", calls.join(", ")),
            };
            format!("The function is not pure. Last call: {call}. It called {action}{through}")
        }
        Cause::NotLess { previous, before, now } => {
            let function = call.split('(').next().unwrap_or_default();
            let previous = previous.join(", ");
            format!(
                "The decreasing condition does not hold. Previous call: {function}({previous}). \
                 Current call: {call} ({before} became {now})"
            )
        }
        Cause::Late { took, allowed } => format!(
            "The execution of {call} took too much time. Real: {} ms. Expected: {} ms",
            milliseconds(*took),
            milliseconds(*allowed)
        ),
        Cause::Stopped { allowed } => format!(
            "The execution of {call} has been stopped: it took more time than expected, {} ms",
            milliseconds(*allowed)
        ),
        Cause::Misfit(misfit) => {
            let (what, of) = match misfit.argument {
                Some(number) => ("precondition", format!("argument {number}")),
                None => ("postcondition", "the result".to_owned()),
            };
            let of = if misfit.path.is_empty() { of } else { format!("{}, {of}", misfit.path) };
            format!(
                "The spec {what} does not hold. Last call: {call}{result}. The value {} is not of \
                 type {} ({of})",
                misfit.found, misfit.expected
            )
        }
        Cause::TooMany { count, most } => {
            format!(
                "There are {count} processes of {}, and at most {most} may be. Last call: {call}",
                place(broken)
            )
        }
        Cause::Restarted { times, most } => format!(
            "A process of {} was started again {times} times, and may be {most} times. Last \
             call: {call}",
            place(broken)
        ),
        Cause::Outlives { process, call: outer } => format!(
            "The process {process} ({call}) is not over, and the call {outer} that it must not \
             outlive is"
        ),
    }
}

/// The function that a contract is about.
fn place(broken: &Broken) -> &str {
    broken.function.as_deref().unwrap_or(&broken.module)
}

fn milliseconds(microseconds: u64) -> String {
    let (whole, rest) = (microseconds / 1000, microseconds % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}") }
}

/// For people, in a few lines.
pub fn text(broken: &Broken) -> String {
    let Broken { file, line, contract, blame, .. } = broken;
    let mut text = format!("{file}:{line}: contract ({contract}, {blame}): {}\n", message(broken));
    text.push_str(&format!("  contract: {}\n", broken.text));
    for frame in &broken.stack {
        let place = match (&frame.file, frame.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            _ => String::new(),
        };
        text.push_str(&format!("  in {}{place}\n", frame.function));
    }
    text
}
