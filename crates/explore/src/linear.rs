//! An execution whose receives chose their messages, put into an order in which mailboxes are as
//! Erlang has them: any that respects happens-before and what the receives forced (see `mailbox.rs`).
//! With delivery `any` there need be no such order, so receives say where in the mailbox their message is.
//! Of these one with few preemptions: the actor that went last goes on as long as it can, and the best of
//! three ways to go on when it cannot is taken. (The fewest possible are not looked for: that is hard.)
//!
//! Cost: quadratic in the length of the execution.

use machine::Pid;
use machine::step::Actor;
use rustc_hash::FxHashMap;
use term::Ref;

use crate::clock::Clock;
use crate::event::{Event, Id, MessageId, Take};
use crate::mailbox::{Delivery, Forced};
use crate::schedule::{Schedule, Step};

/// An event with what orders it.
pub(crate) struct Placed<'a> {
    pub(crate) event: &'a Event,
    pub(crate) clock: &'a Clock,
    pub(crate) forced: Option<&'a Forced>,
    /// What the order of a mailbox that it looked at forces.
    pub(crate) orders: &'a [Forced],
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
pub(crate) fn linear(events: &[Placed<'_>], delivery: Delivery) -> Schedule {
    let first = in_turn(events, Turn::AsItWas, delivery);
    if first.preemptions == 0 {
        return first;
    }
    let others = [Turn::Oldest, Turn::Youngest].map(|turn| in_turn(events, turn, delivery));
    let whole = others.into_iter().filter(|other| other.steps.len() == first.steps.len());
    whole.chain([first.clone()]).min_by_key(|schedule| schedule.preemptions).unwrap_or(first)
}

fn in_turn(events: &[Placed<'_>], turn: Turn, delivery: Delivery) -> Schedule {
    let is_any = delivery == Delivery::Any;
    let actors = events.iter().map(|placed| placed.event.id.actor).max().unwrap_or(0);
    let mut counts = vec![0u32; actors as usize + 1];
    // Who must come after whom by force.
    let mut after: Vec<(Id, Id)> = Vec::new();
    for placed in events {
        for forced in placed.forced.into_iter().chain(placed.orders).filter(|_| !is_any) {
            let Some(first) = forced.first else { continue };
            after.extend(forced.rivals.iter().map(|rival| (first, rival.message.sent_by)));
        }
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
    let mut mailboxes = Mailboxes::default();
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
        let takes = match (event.take, event.actor) {
            (Take::Message(message), Actor::Process(pid)) if is_any => {
                mailboxes.place_of(pid, message)
            }
            _ => None,
        };
        mailboxes.after(event);
        let gives_up = event.take == Take::Timeout;
        schedule.steps.push(Step { actor: event.actor, gives_up, takes });
    }
    schedule
}

/// Which messages are where when the events happen in another order than they did.
#[derive(Default)]
struct Mailboxes {
    messages: FxHashMap<Pid, Vec<(MessageId, Option<Ref>)>>,
    /// Monitors whose messages are not wanted any more.
    silenced: Vec<Ref>,
}

impl Mailboxes {
    fn place_of(&self, pid: Pid, message: MessageId) -> Option<u32> {
        let mailbox = self.messages.get(&pid)?;
        Some(mailbox.iter().position(|(other, _)| *other == message)? as u32)
    }

    fn after(&mut self, event: &Event) {
        if let (Take::Message(message), Actor::Process(pid)) = (event.take, event.actor)
            && let Some(mailbox) = self.messages.get_mut(&pid)
        {
            mailbox.retain(|(other, _)| *other != message);
        }
        if let (Some(monitor), Actor::Process(pid)) = (event.silenced, event.actor) {
            self.silenced.push(monitor);
            let mailbox = self.messages.entry(pid).or_default();
            mailbox.retain(|(_, other)| *other != Some(monitor));
        }
        for (nth, put) in event.puts.iter().enumerate() {
            let monitor = match put.message.as_tuple() {
                Some([_, reference, _, _, _]) => reference.as_ref(),
                _ => None,
            };
            if !monitor.is_some_and(|monitor| self.silenced.contains(&monitor)) {
                let message = MessageId { sent_by: event.id, nth: nth as u32 };
                self.messages.entry(put.to).or_default().push((message, monitor));
            }
        }
    }
}

/// Whether an actor that is about to do this could: all but a receive, which may have to wait.
fn could_go_on(placed: &&Placed<'_>) -> bool {
    matches!(placed.event.take, Take::Nothing | Take::Order(_))
}
