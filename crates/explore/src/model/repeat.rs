//! Whether an execution comes back to a state in which it was before, and so can go on for ever.
//!
//! The execution is run again, and its state compared with that of an earlier step, which is moved
//! up whenever twice as many steps have been done (Brent: *An improved Monte Carlo factorization
//! algorithm*, BIT 20, 1980). A state counts as the same if the same processes are at the same
//! places of their code with the same values and messages, and nothing that happened since changed
//! anything else: no step but sends to processes, receives, and looks at shared objects. So a
//! repetition that is told is one; others (with new references in each round, say) are not noticed.
//!
//! Cost: the steps, and for each a comparison that mostly ends at the first process.

use machine::footprint::{Class, Kind};
use machine::step::Actor;
use machine::{Machine, Process, Repeat, Term};
use term::order::exact_eq;

use crate::event::Event;

/// Runs the events again from the beginning with `again`, which does the nth.
pub(crate) fn find(
    mut machine: Machine,
    events: &[&Event],
    mut again: impl FnMut(&mut Machine, usize),
) -> Option<Repeat> {
    let mut earlier = machine.clone();
    let (mut from, mut every, mut limit) = (0, 0, 1);
    for (nth, event) in events.iter().enumerate() {
        again(&mut machine, nth);
        if let Actor::Process(pid) = event.actor {
            machine.next(pid);
        }
        every += 1;
        let harmless = event.puts.iter().all(|put| machine.process(put.to).is_some())
            && event.footprint().0.iter().all(|access| {
                access.kind.only_looks()
                    || (access.object.class == Class::Mailbox && access.kind == Kind::Add)
            });
        if harmless && same(&earlier, &machine) {
            return Some(Repeat { from, every });
        }
        if every == limit || !harmless {
            earlier = machine.clone();
            limit = if harmless { limit * 2 } else { 1 };
            from = nth + 1;
            every = 0;
        }
    }
    None
}

fn same(a: &Machine, b: &Machine) -> bool {
    a.alive() == b.alive()
        && a.pids().eq(b.pids())
        && a.pids().all(|pid| match (a.process(pid), b.process(pid)) {
            (Some(p), Some(q)) => same_process(a, p, q),
            _ => false,
        })
}

fn same_process(machine: &Machine, p: &Process, q: &Process) -> bool {
    if std::ptr::eq(p, q) {
        return true;
    }
    let all =
        |x: &[Term], y: &[Term]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| exact_eq(x, y));
    let live = |p: &Process| {
        let size = machine.code().function_at(p.pc).map_or(0, |f| f.frame_size as usize);
        p.stack.len().min(p.base + size)
    };
    p.pc == q.pc
        && p.base == q.base
        && p.frames.len() == q.frames.len()
        && p.handlers.len() == q.handlers.len()
        && p.dictionary.len() == q.dictionary.len()
        && p.mailbox.len() == q.mailbox.len()
        && p.frames.iter().zip(&q.frames).all(|(x, y)| x.pc == y.pc && x.base == y.base)
        && p.handlers.iter().zip(&q.handlers).all(|(x, y)| x.pc == y.pc && x.base == y.base)
        && p.doomed.is_some() == q.doomed.is_some()
        && p.mailbox.iter().zip(&q.mailbox).all(|(x, y)| exact_eq(x, y))
        && p.dictionary
            .iter()
            .zip(&q.dictionary)
            .all(|(x, y)| exact_eq(&x.0, &y.0) && exact_eq(&x.1, &y.1))
        && all(&p.stack[..live(p)], &q.stack[..live(q)])
}
