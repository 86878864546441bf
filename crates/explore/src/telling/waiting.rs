//! Who is stuck when nobody can go on.
//!
//! A process that waits then is stuck unless it waits as it is meant to. These do:
//!
//! * processes that were there before the test;
//! * servers of behaviours (`gen_server`, `gen_statem`, `gen_event`, `supervisor`, …) in their
//!   loops;
//! * processes that a library started for its own work (`cover`, `dets`, `file`), in code of that
//!   library;
//! * who *sleeps*: waits with an `after` that is longer than times are followed
//!   (`Bounds::after_limit`). After that time it would go on.
//!
//! Two kinds of sleepers are stuck all the same. The process of the test: the test does not end in
//! the time that it has. And the caller of a server, whose `after` is there for the case that no
//! answer comes: it is told if nobody sleeps who could still bring the answer about.

use machine::Machine;

use crate::outcome::Blocked;
use crate::place::{is_library, is_library_source};
use crate::rules::Rules;

/// Of the processes that wait those that are stuck.
pub(crate) fn stuck<'a>(
    machine: &Machine,
    blocked: &'a [Blocked],
    rules: &Rules,
) -> Vec<&'a Blocked> {
    let of_test = blocked.iter().filter(|blocked| blocked.pid.0 >= rules.first);
    let waiting: Vec<&Blocked> = of_test.filter(|blocked| !is_idle(machine, blocked)).collect();
    let sleeps = |blocked: &&Blocked| blocked.sleeps && !calls_server(machine, blocked);
    let is_asleep = waiting.iter().any(sleeps);
    let is_stuck = |blocked: &&Blocked| {
        !blocked.sleeps || rules.main == Some(blocked.pid) || !(sleeps(blocked) || is_asleep)
    };
    waiting.into_iter().filter(is_stuck).collect()
}

/// Where servers of behaviours wait for their next message: in our library, and in OTP's.
const LOOPS: &[(&str, &str)] = &[
    ("gen_server", "loop"),
    ("gen_statem", "loop_receive"),
    ("gen_statem", "loop"),
    ("gen_statem", "fetch"),
    ("gen_event", "fetch"),
    ("gen_event", "fetch_msg"),
    ("gen_event", "loop"),
];

/// Whether a process waits as it is meant to, however long that is.
fn is_idle(machine: &Machine, blocked: &Blocked) -> bool {
    let positions = machine.positions(blocked.pid, 3);
    let is_loop = positions.iter().any(|position| {
        let mfa = position.mfa;
        LOOPS.contains(&(mfa.module.as_str(), mfa.name.as_str()))
            || (mfa.module.as_str().starts_with("gen_") && mfa.name.as_str().contains("loop"))
    });
    is_loop || is_helper(machine, blocked)
}

/// Whether a process that a library started is in code of that library, and in nobody else's.
fn is_helper(machine: &Machine, blocked: &Blocked) -> bool {
    let Some(module) = machine.helper_of(blocked.pid) else { return false };
    let positions = machine.positions(blocked.pid, usize::MAX);
    is_library(machine.code(), module)
        && positions.first().is_some_and(|innermost| innermost.mfa.module == module)
        && positions.iter().all(|position| is_library_source(&position.source))
}

/// Whether a process waits for the answer of a server.
fn calls_server(machine: &Machine, blocked: &Blocked) -> bool {
    let innermost = machine.positions(blocked.pid, 1);
    innermost.first().is_some_and(|position| position.mfa.module.as_str() == "gen")
}
