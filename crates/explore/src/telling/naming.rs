//! Names of actors that do not depend on who met them first, and the order of schedules that
//! follows.
//!
//! Processes, timers and signals have numbers in the order in which the workers of a search
//! happened to meet them. What is the same with any number of workers is who started a process, and
//! as which of its processes; who set a timer, and after how many other references. So two actors
//! are compared by the ways that lead to them from the processes that were there at the beginning.
//!
//! Of the schedules that show a finding the *simplest* is told: the one with the fewest
//! preemptions, of these the shortest, of these the first in the order of these names.

use std::cmp::Ordering;

use machine::Pid;
use machine::step::{Actor, PidTable};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::Ref;

use crate::schedule::{Schedule, Step};

/// The process that made a reference, if it was made while the Machine was driven step by step; and
/// its number among those of that process.
fn maker_of(reference: Ref) -> (Option<Pid>, u64) {
    let maker = (reference.0 >> 32).checked_sub(1).map(Pid);
    (maker, reference.0 & u64::from(u32::MAX))
}

/// A reference of another process with the same number.
fn made_by(maker: Pid, reference: Ref) -> Ref {
    Ref((maker.0 + 1) << 32 | maker_of(reference).1)
}

/// The way to a process: one that was there at the beginning, then which of its processes, and so
/// on.
fn way_to(table: &PidTable, pid: Pid) -> SmallVec<[u64; 8]> {
    let mut way: SmallVec<[u64; 8]> = SmallVec::new();
    let mut at = pid;
    while let Some((parent, nth)) = table.maker(at) {
        way.push(u64::from(nth));
        // Nobody is started by a process that was met later.
        if parent >= at {
            break;
        }
        at = parent;
    }
    way.push(at.0);
    way.reverse();
    way
}

/// Processes before timers and signals, then by the ways to them.
pub(crate) fn order_of(table: &PidTable, a: Actor, b: Actor) -> Ordering {
    let key = |actor: Actor| match actor {
        Actor::Process(pid) => (0, Some(way_to(table, pid)), 0),
        Actor::Timer(reference) | Actor::Signal(reference) => {
            let (maker, number) = maker_of(reference);
            (1, maker.map(|maker| way_to(table, maker)), number)
        }
    };
    if a == b { Ordering::Equal } else { key(a).cmp(&key(b)) }
}

/// How two steps are ordered.
pub(crate) fn order_of_steps(table: &PidTable, a: Step, b: Step) -> Ordering {
    order_of(table, a.actor, b.actor)
        .then_with(|| (a.gives_up, a.takes).cmp(&(b.gives_up, b.takes)))
}

/// Whether a schedule is simpler than another.
pub(crate) fn is_simpler(table: &PidTable, a: &Schedule, b: &Schedule) -> bool {
    let size = |schedule: &Schedule| (schedule.preemptions, schedule.steps.len());
    let steps = || {
        let pairs = a.steps.iter().zip(&b.steps);
        pairs.map(|(a, b)| order_of_steps(table, *a, *b)).find(|order| order.is_ne())
    };
    size(a).cmp(&size(b)).then_with(|| steps().unwrap_or(Ordering::Equal)).is_lt()
}

/// The same schedule where processes have numbers in the order in which they are started:
/// `started`, the first of which gets the number `first`.
pub(crate) fn renumbered(schedule: &Schedule, first: u64, started: &[Pid]) -> Schedule {
    let mut numbers: FxHashMap<Pid, Pid> = FxHashMap::default();
    for (at, pid) in started.iter().enumerate() {
        numbers.entry(*pid).or_insert(Pid(first + at as u64));
    }
    let number = |pid: Pid| numbers.get(&pid).copied().unwrap_or(pid);
    let renamed = |reference| match maker_of(reference).0 {
        Some(maker) => made_by(number(maker), reference),
        None => reference,
    };
    let actor = |actor| match actor {
        Actor::Process(pid) => Actor::Process(number(pid)),
        Actor::Timer(reference) => Actor::Timer(renamed(reference)),
        Actor::Signal(reference) => Actor::Signal(renamed(reference)),
    };
    let steps = schedule.steps.iter().map(|step| Step { actor: actor(step.actor), ..*step });
    Schedule { steps: steps.collect(), ..*schedule }
}
