//! Failures, in one sentence each.

use ::explore::failure::{Call, Cause, Claim, Failure, StuckProcess, Value};
use ::explore::place::{At, Place};
use syntax::wording::counted;

use super::{awaited, place};

/// What happened.
pub fn failure(failure: &Failure) -> String {
    match failure {
        Failure::AbnormalExit { process, inherited, cause, place } => {
            let how = if *inherited { "was ended by a link" } else { "exits abnormally" };
            format!("{process} {how}: {}{}", why(cause), at_place(place.as_ref()))
        }
        Failure::Assertion { name, process, claim, place } => {
            format!("{name} fails in {process}: {}{}", says(claim), at_place(place.as_ref()))
        }
        Failure::Contract { violation, process, place } => {
            let message = crate::contracts::message(&session::contracts::broken(violation));
            format!("{message}, in {process}{}", at_place(place.as_ref()))
        }
        Failure::Killed { process, by: Some(by) } => format!("{process} is killed by {by}"),
        Failure::Killed { process, by: None } => format!("{process} is killed"),
        Failure::Deadlock { stuck } => {
            let stuck: Vec<String> = stuck.iter().map(waits).collect();
            format!("nobody can go on: {}", stuck.join("; "))
        }
        Failure::Spins { process, at } => {
            format!("{process} computes on and on without a visible action{}", whereabouts(at))
        }
        Failure::TooDeep => {
            "an execution goes on after as many events as it may have (--max-depth)".to_owned()
        }
        Failure::Repeats { every } => {
            let events = counted(*every as u64, "more event");
            format!("the test can run forever: its state comes again after {events}")
        }
        Failure::Halted { status } => format!("the node halts with status {status}"),
        Failure::Unsupported { lack, asked_at, place: None } => {
            format!("{lack}{}", at_place(asked_at.as_ref()))
        }
        Failure::Unsupported { lack, asked_at, place } => match asked_at == place {
            true => format!("{lack}{}", at_place(place.as_ref())),
            false => format!("{lack}{},{}", at_place(asked_at.as_ref()), at_place(place.as_ref())),
        },
    }
}

/// More processes that ended with another are counted only.
const MOST_INHERITED: usize = 10;

/// What a failure brought down, a line each; those that ended for the same reason in one line.
pub fn brought_down(consequences: &[Failure]) -> Vec<String> {
    let mut ended: Vec<&str> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for consequence in consequences {
        match consequence {
            Failure::AbnormalExit { process, inherited: true, .. } => ended.push(process),
            _ => lines.push(format!("brought down: {}", failure(consequence))),
        }
    }
    if !ended.is_empty() {
        let more = match ended.len().saturating_sub(MOST_INHERITED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        ended.truncate(MOST_INHERITED);
        lines.push(format!("brought down with it: {}{more}", ended.join(", ")));
    }
    lines
}

/// What helps where calls of servers waited in vain: every time-out can come at any time, also that
/// of a call.
pub fn call_hint<'a>(mut failures: impl Iterator<Item = &'a Failure>) -> &'static str {
    match failures.any(Failure::call_timed_out) {
        true => {
            "hint: --after-limit 5000 leaves out time-outs of five seconds and more, such as those \
             of calls\n"
        }
        false => "",
    }
}

fn at_place(at: Option<&Place>) -> String {
    at.map_or(String::new(), |at| format!(" at {}", place(at)))
}

fn whereabouts(at: &At) -> String {
    match at {
        At::Program(place) => at_place(Some(place)),
        At::Library(function) => format!(" in {function}"),
        At::Unknown => String::new(),
    }
}

fn waits(stuck: &StuckProcess) -> String {
    let StuckProcess { process, awaited: clauses, at, mailbox } = stuck;
    let what = awaited(clauses).map_or(String::new(), |what| format!(" for {what}"));
    let waits = format!("{process} waits{what}{}", whereabouts(at));
    match mailbox {
        Some(mailbox) => format!("{waits} with {mailbox} in its mailbox"),
        None => waits,
    }
}

fn why(cause: &Cause) -> String {
    let reason = &cause.reason;
    let Some(failed) = &cause.failed else { return reason.clone() };
    match (failed.function.as_str(), &failed.arguments[..]) {
        ("!", [to, message]) => format!("{reason} in {to} ! {message}"),
        _ => format!("{reason} in {}", call(failed)),
    }
}

fn call(call: &Call) -> String {
    let Call { module, function, arguments } = call;
    called(module, function, arguments)
}

/// A call as it is written in a program.
pub(super) fn called(module: &str, function: &str, arguments: &[String]) -> String {
    let arguments = arguments.join(", ");
    match module {
        "erlang" => format!("{function}({arguments})"),
        _ => format!("{module}:{function}({arguments})"),
    }
}

/// What an assertion says.
pub(super) fn says(claim: &Claim) -> String {
    let value = claim.value.as_ref().map(|value| match value {
        Value::Plain(value) => value.clone(),
        Value::Exception(exception) => format!("the exception {exception}"),
        Value::Instead(value) => format!("the value {value}"),
    });
    let said = match (&claim.expression, &claim.expected, value) {
        (Some(what), Some(expected), Some(value)) => {
            Some(format!("{what} is {value}, expected is {expected}"))
        }
        (Some(what), None, Some(value)) => Some(format!("{what} is {value}")),
        (Some(what), Some(expected), None) => Some(format!("{what} is not {expected}")),
        (Some(what), None, None) => Some(what.clone()),
        (None, Some(expected), Some(value)) => Some(format!("{value}, expected is {expected}")),
        _ => None,
    };
    let all: Vec<String> = claim.comments.iter().cloned().chain(said).collect();
    all.join("; ")
}
