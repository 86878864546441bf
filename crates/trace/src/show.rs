//! A record as a line of text, or as an object of JSON.
//!
//! Lines are for people: number, process, place and what happened, long terms cut. Objects are for
//! programs: all of it, in the shape that `docs/trace.md` describes.

use code::module::Mfa;
use machine::observe::{Mark, Place, Sender};
use serde_json::{Map, Value as Json, json};
use term::Pid;
use term::format::pretty;

use crate::causality::Stamp;
use crate::event::{AccessKind, Owner, Record, Shared, TurnEnd, Value, What};

/// The longest term in a line of text.
const LONGEST: usize = 120;

/// `<0.80.0>`
pub fn pid(pid: Pid) -> String {
    term::print::pid(pid)
}

/// `bank:12:5`
pub fn place(place: Place) -> String {
    format!("{}:{}:{}", place.module, place.line, place.column)
}

/// A term on one line.
pub fn value(value: &Value) -> String {
    pretty::to_string(&value.term).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(shown: &Value) -> String {
    let text = value(shown);
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn mfa(mfa: Mfa) -> String {
    format!("{}/{}", function(mfa), mfa.arity)
}

fn function(mfa: Mfa) -> String {
    let quote = |atom: atom::Atom| atom::quote::atom(atom.as_str());
    format!("{}:{}", quote(mfa.module), quote(mfa.name))
}

fn list(values: &[Value], each: impl Fn(&Value) -> String) -> String {
    values.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// A line: number, process, place, what happened.
pub fn line(number: u64, record: &Record) -> String {
    let who = record.pid.map_or("-".to_owned(), pid);
    let at = record.place.map_or("-".to_owned(), place);
    let own = match record.own {
        Some(own) => format!("  [from {}]", place(own)),
        None => String::new(),
    };
    format!("{number:>6}  {who:<10} {at:<20} {}{own}", what(&record.what))
}

/// What happened, in words.
pub fn what(what: &What) -> String {
    match what {
        What::Call { callee, args, tail, .. } => {
            let how = if *tail { "calls (tail)" } else { "calls" };
            format!("{how} {}({})", function(*callee), list(args, short))
        }
        What::Return { value } => format!("returns {}", short(value)),
        What::Raise { class, reason, again: false } => format!("raises {class}:{}", short(reason)),
        What::Raise { class, reason, again: true } => {
            format!("passes on {class}:{}", short(reason))
        }
        What::Catch { at: Some(at) } => format!("catches it at {}", place(*at)),
        What::Catch { at: None } => "catches it".to_owned(),
        What::Spawn { child, entry, fun: true, .. } => {
            format!("spawns {} with fun {}", pid(*child), mfa(*entry))
        }
        What::Spawn { child, entry, args, .. } => {
            format!("spawns {} with {}({})", pid(*child), function(*entry), list(args, short))
        }
        What::Exit { pid: who, reason } => format!("{} ends: {}", pid(*who), short(reason)),
        What::GiveUp => "gives up receiving".to_owned(),
        What::Link { a, b } => format!("links {} and {}", pid(*a), pid(*b)),
        What::Unlink { a, b } => format!("unlinks {} and {}", pid(*a), pid(*b)),
        What::Monitor { reference, target, .. } => {
            let target = target.map_or("a service".to_owned(), pid);
            format!("monitors {target} as {}", pretty::to_string(&term::Term::from(*reference)))
        }
        What::Demonitor { reference, .. } => {
            format!("ends the monitor {}", pretty::to_string(&term::Term::from(*reference)))
        }
        What::ExitSignal { from, to, reason, linked } => {
            let how = if *linked { "through a link" } else { "sent by exit/2" };
            format!("exit signal from {} to {} {how}: {}", pid(*from), pid(*to), short(reason))
        }
        What::TimerSet { reference, at } => {
            format!("sets timer {} for {}", reference.0, milliseconds(*at))
        }
        What::TimerCancelled { reference } => format!("cancels timer {}", reference.0),
        What::TimerFired { reference } => format!("timer {} fires", reference.0),
        What::Output { device, text } => format!("writes to {device}: {text:?}"),
        What::Access { kind, object } => access(*kind, object),
        What::Node { mark } => format!("node {}", mark_name(*mark)),
        What::Turn { calls, end } => {
            format!("had its turn: {calls} calls, then {}", turn_end(*end))
        }
        What::Arrive { from, to } => format!("a signal from {} reaches {}", pid(*from), pid(*to)),
        What::Signal { number } => format!("step: signal {}", number.0),
        What::Step { timer: Some(timer), .. } => format!("step: timer {}", timer.0),
        What::Step { gives_up: true, .. } => "step: gives up receiving".to_owned(),
        What::Step { takes: Some(place), .. } => {
            format!("step: takes the message at place {place}")
        }
        What::Step { .. } => "step".to_owned(),
        What::End { how } => format!("the run ends: {how}"),
        message => about_message(message),
    }
}

fn about_message(what: &What) -> String {
    match what {
        What::Send { id, sender, to, message } => {
            let (to, message) = (pid(*to), short(message));
            match sender {
                Sender::Process(_) => format!("sends #{} to {to}: {message}", id.0),
                other => format!("#{} to {to} {}: {message}", id.0, sender_name(*other)),
            }
        }
        What::Deliver { id, to, lost: false } => format!("#{} is delivered to {}", id.0, pid(*to)),
        What::Deliver { id, to, lost: true } => {
            format!("#{} is lost: no process {}", id.0, pid(*to))
        }
        What::Receive { id, message, .. } => format!("receives #{}: {}", id.0, short(message)),
        What::Flush { id } => format!("removes #{} from its mailbox", id.0),
        _ => String::new(),
    }
}

fn access(kind: AccessKind, object: &Shared) -> String {
    let how = match kind {
        AccessKind::Read => "reads",
        AccessKind::Add => "adds to",
        AccessKind::Write => "writes",
    };
    let class = object.class.as_str().replace('_', " ");
    let owner = match &object.owner {
        Owner::All => String::new(),
        Owner::Name(name) => format!(" {}", atom::quote::atom(name.as_str())),
        Owner::Number(number) => format!(" {number}"),
    };
    match object.part {
        0 => format!("{how} {class}{owner}"),
        part => format!("{how} {class}{owner}, key {part:x}"),
    }
}

fn milliseconds(nanoseconds: u64) -> String {
    format!("{}.{:06} ms", nanoseconds / 1_000_000, nanoseconds % 1_000_000)
}

fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Reached => "reached",
        Mark::Chosen => "chosen",
        Mark::Matched => "matched",
        Mark::True => "true",
        Mark::False => "false",
    }
}

fn turn_end(end: TurnEnd) -> &'static str {
    match end {
        TurnEnd::Yielded => "could go on",
        TurnEnd::Waits => "waits",
        TurnEnd::Ended => "ended",
    }
}

fn sender_name(sender: Sender) -> String {
    match sender {
        Sender::Process(from) => format!("from {}", pid(from)),
        Sender::Down(from) => format!("by the end of {}", pid(from)),
        Sender::Exit(from) => format!("by the exit signal of {}", pid(from)),
        Sender::Timer => "by a timer".to_owned(),
        Sender::Device(from) => format!("by the device {}", pid(from)),
        Sender::Outside => "by the node".to_owned(),
    }
}

// ---- JSON --------------------------------------------------------------------------------------

/// An object: see `docs/trace.md`. `stamp` is added as `clock` if it is given.
pub fn json(number: u64, record: &Record, stamp: Option<&Stamp>) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("number", json!(number));
    put("time", json!(record.time));
    put("process", record.pid.map_or(Json::Null, |who| json!(pid(who))));
    put("depth", json!(record.depth));
    put("at", json_place(record.place));
    if record.own.is_some() {
        put("own", json_place(record.own));
    }
    put("kind", json!(record.what.kind()));
    if let Json::Object(details) = details(&record.what) {
        object.extend(details);
    }
    if let Some(stamp) = stamp {
        let clock: Map<String, Json> =
            stamp.clock.iter().map(|(who, count)| (pid(*who), json!(count))).collect();
        object.insert("clock".to_owned(), Json::Object(clock));
    }
    Json::Object(object)
}

fn json_place(place: Option<Place>) -> Json {
    match place {
        Some(Place { module, line, column }) => {
            json!({"module": module.as_str(), "line": line, "column": column})
        }
        None => Json::Null,
    }
}

fn json_value(shown: &Value) -> Json {
    match shown.cut {
        false => json!(value(shown)),
        true => json!({"cut": value(shown)}),
    }
}

fn json_values(values: &[Value]) -> Json {
    Json::Array(values.iter().map(json_value).collect())
}

fn details(what: &What) -> Json {
    match what {
        What::Call { callee, args, tail, builtin } => json!({
            "function": mfa(*callee), "arguments": json_values(args),
            "tail": tail, "builtin": builtin,
        }),
        What::Return { value } => json!({"value": json_value(value)}),
        What::Raise { class, reason, again } => {
            json!({"class": class.to_string(), "reason": json_value(reason), "again": again})
        }
        What::Catch { at } => json!({"handler": json_place(*at)}),
        What::Spawn { child, entry, fun, args } => json!({
            "child": pid(*child), "function": mfa(*entry),
            "fun": fun, "arguments": json_values(args),
        }),
        What::Exit { pid: who, reason } => {
            json!({"ended": pid(*who), "reason": json_value(reason)})
        }
        What::Send { id, sender, to, message } => json!({
            "message": id.0, "to": pid(*to),
            "by": json_sender(*sender), "term": json_value(message),
        }),
        What::Deliver { id, to, lost } => json!({"message": id.0, "to": pid(*to), "lost": lost}),
        What::Receive { id, message, receive } => json!({
            "message": id.0, "term": json_value(message), "receive": json_place(*receive),
        }),
        What::Flush { id } => json!({"message": id.0}),
        What::Link { a, b } | What::Unlink { a, b } => json!({"between": [pid(*a), pid(*b)]}),
        What::Monitor { reference, target, .. } => {
            json!({"reference": reference.0, "target": target.map(pid)})
        }
        What::Demonitor { reference, .. } => json!({"reference": reference.0}),
        What::ExitSignal { from, to, reason, linked } => json!({
            "from": pid(*from), "to": pid(*to), "reason": json_value(reason), "linked": linked,
        }),
        What::TimerSet { reference, at } => json!({"timer": reference.0, "for": at}),
        What::TimerCancelled { reference } | What::TimerFired { reference } => {
            json!({"timer": reference.0})
        }
        What::Output { device, text } => json!({"device": device, "text": text}),
        What::Access { kind, object } => json_access(*kind, object),
        What::Node { mark } => json!({"mark": mark_name(*mark)}),
        What::Turn { calls, end } => json!({"calls": calls, "then": turn_end(*end)}),
        What::Arrive { from, to } => json!({"from": pid(*from), "to": pid(*to)}),
        What::Step { timer, gives_up, takes } => json!({
            "timer": timer.map(|timer| timer.0), "gives_up": gives_up, "takes": takes,
        }),
        What::Signal { number } => json!({"number": number.0}),
        What::End { how } => json!({"how": how}),
        What::GiveUp => json!({}),
    }
}

fn json_sender(sender: Sender) -> Json {
    let (how, from) = match sender {
        Sender::Process(from) => ("process", Some(from)),
        Sender::Down(from) => ("down", Some(from)),
        Sender::Exit(from) => ("exit", Some(from)),
        Sender::Timer => ("timer", None),
        Sender::Device(from) => ("device", Some(from)),
        Sender::Outside => ("node", None),
    };
    json!({"kind": how, "process": from.map(pid)})
}

fn json_access(kind: AccessKind, object: &Shared) -> Json {
    let owner = match &object.owner {
        Owner::All => Json::Null,
        Owner::Name(name) => json!(name.as_str()),
        Owner::Number(number) => json!(number),
    };
    let how = match kind {
        AccessKind::Read => "read",
        AccessKind::Add => "add",
        AccessKind::Write => "write",
    };
    json!({"access": how, "class": object.class.as_str(), "of": owner, "part": object.part})
}
