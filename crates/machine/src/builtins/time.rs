//! Clocks and timers, in virtual time.
//!
//! Time stands still while anybody can run, and jumps to the next timer when nobody can; whoever
//! runs the Machine may let it pass with calls and with readings of clocks. Monotonic time starts
//! at a fixed value, system time at the World's.

use atom::Atom;
use num_bigint::BigInt;
use term::{Term, View, arith};

use super::{Builtin, Ctx, Return, Stop, badarg, builtins};
use crate::builtins::row::{CLOCK, Facts, HIDDEN, Told, visible};
use crate::footprint::touches;
use crate::observe::{self, Event, Interest};
use crate::state::Timer;
use crate::step::{self, Shown};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "make_ref"/0 [HIDDEN.depends()] => |cx, _| Ok(Term::from(cx.new_ref())),
    "unique_integer"/0 [HIDDEN.depends()] => |cx, _| Ok(Term::from(cx.s.new_number())),
    "time_offset"/0 => |cx, _| Ok(Term::from(cx.s.node.start_time)),
    "time_offset"/1 => |cx, args| in_unit(cx.s.node.start_time, &args[0]),
);

pub(super) const CLOCKS: &[Builtin] = builtins!(ERLANG, CLOCK;
    "monotonic_time"/0 => |cx, _| Ok(Term::from(monotonic(cx))),
    "monotonic_time"/1 [CLOCK.fails_by_arguments()] => |cx, args| in_unit(monotonic(cx), &args[0]),
    "system_time"/0 => |cx, _| Ok(Term::from(system(cx))),
    "system_time"/1 [CLOCK.fails_by_arguments()] => |cx, args| in_unit(system(cx), &args[0]),
    "timestamp"/0 => timestamp,
    "now"/0 => now,
);

pub(super) const OS: &[Builtin] = builtins!(OS, CLOCK;
    "system_time"/0 => |cx, _| Ok(Term::from(system(cx))),
    "system_time"/1 [CLOCK.fails_by_arguments()] => |cx, args| in_unit(system(cx), &args[0]),
    "timestamp"/0 => timestamp,
    "perf_counter"/0 => |cx, _| Ok(Term::from(monotonic(cx))),
    "perf_counter"/1 [CLOCK.fails_by_arguments()] => |cx, args| in_unit(monotonic(cx), &args[0]),
);

const UNIQUE: Facts = visible(touches::unique_integer).fails_by_arguments();
const SET_TIMER: Facts = visible(touches::by_signals).fails_by_arguments().told(Told::SetTimer);
const CANCEL_TIMER: Facts =
    visible(touches::cancel_timer).fails_by_arguments().told(Told::CancelTimer);
const READ_TIMER: Facts = visible(touches::read_timer).fails_by_arguments();

pub(super) const VISIBLE: &[Builtin] = builtins!(ERLANG;
    "unique_integer"/1 [UNIQUE] => unique_integer,
    "send_after"/3 [SET_TIMER] => |cx, args| start(cx, args, false, &Term::NIL),
    "send_after"/4 [SET_TIMER] => |cx, args| start(cx, args, false, &args[3].clone()),
    "start_timer"/3 [SET_TIMER] => |cx, args| start(cx, args, true, &Term::NIL),
    "start_timer"/4 [SET_TIMER] => |cx, args| start(cx, args, true, &args[3].clone()),
    "cancel_timer"/1 [CANCEL_TIMER] => |cx, args| stop(cx, &args[0], &Term::NIL, true),
    "cancel_timer"/2 [CANCEL_TIMER] => |cx, args| stop(cx, &args[0], &args[1], true),
    "read_timer"/1 [READ_TIMER] => |cx, args| stop(cx, &args[0], &Term::NIL, false),
    "read_timer"/2 [READ_TIMER] => |cx, args| stop(cx, &args[0], &args[1], false),
);

/// Parts of a second that a unit names.
pub(super) fn parts_per_second(unit: &Term) -> Option<u64> {
    match unit.view() {
        View::Int(parts) if parts > 0 => Some(parts as u64),
        View::Atom(name) => Some(match name.as_str() {
            "second" | "seconds" => 1,
            "millisecond" | "milli_seconds" => 1_000,
            "microsecond" | "micro_seconds" => 1_000_000,
            "nanosecond" | "nano_seconds" | "native" | "perf_counter" => 1_000_000_000,
            _ => return None,
        }),
        _ => None,
    }
}

/// What a clock shows, where that is microseconds: those of two processes can be equal then.
pub(crate) fn shows(builtin: &Builtin, args: &[Term]) -> Option<Shown> {
    let is_micro = || {
        let parts = args.first().and_then(parts_per_second)?;
        (parts > 1_000 && parts < 1_000_000_000).then_some(())
    };
    match (builtin.name, builtin.arity) {
        ("timestamp", 0) => Some(Shown::System),
        ("now", 0) => Some(Shown::Now),
        ("monotonic_time", 1) => is_micro().map(|()| Shown::Monotonic),
        ("system_time", 1) => is_micro().map(|()| Shown::System),
        _ => None,
    }
}

fn in_unit(nanoseconds: u64, unit: &Term) -> Return {
    match parts_per_second(unit) {
        Some(parts) => {
            let value = BigInt::from(nanoseconds) * parts / 1_000_000_000u64;
            Ok(Term::big(value))
        }
        None => badarg(),
    }
}

fn unique_integer(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(options) = args[0].to_vec() else { return badarg() };
    let mut is_monotonic = false;
    for option in options {
        match option.as_atom().map(Atom::as_str) {
            Some("positive") => {}
            Some("monotonic") => is_monotonic = true,
            _ => return badarg(),
        }
    }
    Ok(Term::from(if is_monotonic { cx.s.node.next_in_order() } else { cx.s.new_number() }))
}

fn parts(microseconds: u64) -> Term {
    let million = 1_000_000;
    Term::tuple([
        Term::from(microseconds / million / million),
        Term::from(microseconds / million % million),
        Term::from(microseconds % million),
    ])
}

/// Reads the clock, which may take time.
fn monotonic(cx: &mut Ctx<'_>) -> u64 {
    if cx.s.is_driven() {
        return step::read_clock(cx.s, cx.p);
    }
    cx.s.node.now = cx.s.node.now.saturating_add(cx.s.host.reading_time);
    here(cx)
}

/// What time it is for the process.
fn here(cx: &Ctx<'_>) -> u64 {
    cx.s.node.now.saturating_add(cx.p.ahead())
}

fn system(cx: &mut Ctx<'_>) -> u64 {
    cx.s.node.start_time + monotonic(cx)
}

fn timestamp(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    Ok(parts(system(cx) / 1000))
}

/// As `timestamp/0`, but never the same twice.
fn now(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    // Readings that are in order differ anyway.
    let number = if cx.s.orders_reading() { 0 } else { cx.s.new_number() };
    Ok(parts(system(cx) / 1000 + number))
}

/// Reads the options of the timer functions: whether a time is absolute, whether to answer by
/// message, and whether there is an answer at all.
fn flags(options: &Term) -> Result<(bool, bool, bool), Box<Stop>> {
    let (mut absolute, mut by_message, mut info) = (false, false, true);
    let Some(options) = options.to_vec() else { return badarg() };
    for option in options {
        match option.as_tuple() {
            Some([name, value]) => {
                let Some(value) = value.as_bool() else { return badarg() };
                match name.as_atom().map(Atom::as_str) {
                    Some("abs") => absolute = value,
                    Some("async") => by_message = value,
                    Some("info") => info = value,
                    _ => return badarg(),
                }
            }
            _ => return badarg(),
        }
    }
    Ok((absolute, by_message, info))
}

fn tell(cx: &Ctx<'_>, event: &Event<'_>) {
    observe::tell(cx.code, cx.s, Some(cx.p), Interest::TIMERS, event);
}

fn start(cx: &mut Ctx<'_>, args: &[Term], wrap: bool, options: &Term) -> Return {
    let (absolute, _, _) = flags(options)?;
    let Some(time) = arith::to_bigint(&args[0]) else { return badarg() };
    let nanoseconds = time * 1_000_000u64;
    let at = if absolute {
        i128::try_from(nanoseconds).ok().map(|at| at.max(i128::from(here(cx))) as u64)
    } else {
        u64::try_from(nanoseconds).ok().and_then(|after| here(cx).checked_add(after))
    };
    let Some(at) = at else { return badarg() };
    let to = args[1].clone();
    if to.as_pid().is_none() && to.as_atom().is_none() {
        return badarg();
    }
    let reference = cx.new_ref();
    let message = if wrap {
        Term::tuple([Term::atom("timeout"), Term::from(reference), args[2].clone()])
    } else {
        args[2].clone()
    };
    // When driven step by step the timer of a process that has ended fires in vain, so that the two
    // commute.
    if let Some(pid) = to.as_pid()
        && !cx.s.is_driven()
    {
        let target = match pid == cx.p.pid {
            true => Some(&mut *cx.p),
            false => cx.s.node.process_mut(pid),
        };
        match target {
            Some(target) => target.relations.timers.insert(reference),
            // Who has ended gets no message.
            None => return Ok(Term::from(reference)),
        };
    }
    cx.s.add_timer(at, Timer::Send { to, message, reference });
    tell(cx, &Event::TimerSet { reference, at });
    Ok(Term::from(reference))
}

/// `cancel_timer` and `read_timer`: milliseconds left, or `false`.
fn stop(cx: &mut Ctx<'_>, reference: &Term, options: &Term, cancel: bool) -> Return {
    let Some(reference) = reference.as_ref() else { return badarg() };
    let (_, by_message, info) = flags(options)?;
    let is_in_vain = cx.s.node.timer_target(reference).is_some_and(|pid| !cx.node().exists(pid));
    let left = match cx.s.node.timer_key(reference) {
        Some(key) if is_in_vain => {
            if cancel {
                cx.s.remove_timer(key);
            }
            Term::FALSE
        }
        Some(key) => {
            if cancel {
                cx.s.remove_timer(key);
                if !cx.s.is_driven() {
                    cx.p.relations.timers.remove(&reference);
                }
                tell(cx, &Event::TimerCancelled { reference });
            }
            Term::from(key.0.saturating_sub(here(cx)).div_ceil(1_000_000))
        }
        None => Term::FALSE,
    };
    if by_message {
        if info {
            let tag = if cancel { "cancel_timer" } else { "read_timer" };
            let me = cx.p.pid;
            let answer = Term::tuple([Term::atom(tag), Term::from(reference), left]);
            cx.node().send(me, answer);
        }
        return Ok(Term::OK);
    }
    Ok(if info { left } else { Term::OK })
}
