//! An execution whose receives chose their messages, put into an order in which mailboxes are as
//! Erlang has them: any that respects happens-before and what the receives forced (see `mailbox.rs`).
//! Of these one with few preemptions: the actor that went last goes on as long as it can, and the best of
//! three ways to go on when it cannot is taken. (The fewest possible are not looked for: that is hard.)
//!
//! Cost: quadratic in the length of the execution.

use machine::step::Actor;

use crate::clock::Clock;
use crate::event::{Event, Id, Take};
use crate::mailbox::Forced;
use crate::schedule::{Schedule, Step};

/// An event with what orders it.
pub(crate) struct Placed<'a> {
    pub(crate) event: &'a Event,
    pub(crate) clock: &'a Clock,
    pub(crate) forced: Option<&'a Forced>,
}

/// Who goes on when the one that went last cannot: the first in the execution, the one that was
/// made first, or last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    AsItWas,
    Oldest,
    Youngest,
}

/// A schedule with few preemptions: the best of several guesses.
pub(crate) fn linear(events: &[Placed<'_>]) -> Schedule {
    let first = in_turn(events, Turn::AsItWas);
    if first.preemptions == 0 {
        return first;
    }
    let others = [Turn::Oldest, Turn::Youngest].map(|turn| in_turn(events, turn));
    let whole = others.into_iter().filter(|other| other.steps.len() == first.steps.len());
    whole.chain([first.clone()]).min_by_key(|schedule| schedule.preemptions).unwrap_or(first)
}

fn in_turn(events: &[Placed<'_>], turn: Turn) -> Schedule {
    let actors = events.iter().map(|placed| placed.event.id.actor).max().unwrap_or(0);
    let mut counts = vec![0u32; actors as usize + 1];
    // Who must come after whom by force.
    let mut after: Vec<(Id, Id)> = Vec::new();
    for placed in events {
        let Some(forced) = placed.forced else { continue };
        let Some(first) = forced.first else { continue };
        after.extend(forced.rivals.iter().map(|rival| (first, rival.message.sent_by)));
    }
    let is_done = |counts: &[u32], id: Id| counts[id.actor as usize] >= id.seq;
    let ready = |counts: &[u32], placed: &Placed<'_>| {
        let id = placed.event.id;
        counts[id.actor as usize] + 1 == id.seq
            && (0..=actors)
                .all(|actor| actor == id.actor || counts[actor as usize] >= placed.clock.get(actor))
            && after
                .iter()
                .all(|(first, then)| *then != id || *first == id || is_done(counts, *first))
    };
    let mut left: Vec<&Placed<'_>> = events.iter().collect();
    let mut schedule = Schedule::default();
    let mut last: Option<Actor> = None;
    while !left.is_empty() {
        let same = left
            .iter()
            .position(|placed| Some(placed.event.actor) == last && ready(&counts, placed));
        let any = || {
            let mut all = (0..left.len()).filter(|at| ready(&counts, left[*at]));
            match turn {
                Turn::AsItWas => all.next(),
                Turn::Oldest => all.min_by_key(|at| left[*at].event.id.actor),
                Turn::Youngest => all.max_by_key(|at| left[*at].event.id.actor),
            }
        };
        // Something is always ready in a consistent execution.
        let Some(at) = same.or_else(any) else { break };
        let placed = left.remove(at);
        let event = placed.event;
        if same.is_none()
            && let Some(last) = last
            && left.iter().find(|other| other.event.actor == last).is_some_and(could_go_on)
        {
            schedule.preemptions += 1;
        }
        counts[event.id.actor as usize] = event.id.seq;
        last = Some(event.actor);
        schedule.steps.push(Step { actor: event.actor, gives_up: event.take == Take::Timeout });
    }
    schedule
}

/// Whether an actor that is about to do this could: all but a receive, which may have to wait.
fn could_go_on(placed: &&Placed<'_>) -> bool {
    placed.event.take == Take::Nothing
}
