//! Delivery `any`: which message must have arrived before which.
//!
//! The arrival of a message is a moment of its own: after the message was sent, before it is taken. (A
//! message that a process sends to itself arrives at once.) Messages between two processes arrive in the
//! order in which they were sent. A receive takes the first that has arrived of those that match: its
//! message arrives before every other that matches and was not taken earlier; if it gives up, these
//! arrive later than that. A choice is **consistent** if these orders, together with happens-before,
//! have no cycle; only a new receive can close one, since nothing comes after it yet.
//!
//! Cost: a search through the messages and receives of the execution for each question.

use machine::Pid;
use machine::step::Actor;
use smallvec::SmallVec;

use super::{Left, Search};
use crate::event::{Id, MessageId, Take};
use crate::mailbox::{Forced, sent_earlier};

/// A moment of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    Event(Id),
    Arrival(MessageId),
}

/// A part of an execution: its receives, with what they force, and which events belong to it.
pub(super) struct Arrivals<'a> {
    pub(super) search: &'a Search,
    pub(super) receives: &'a [(&'a Forced, usize)],
    pub(super) includes: &'a dyn Fn(Id) -> bool,
}

impl Arrivals<'_> {
    /// Whether a message must have arrived before another moment.
    pub(super) fn arrives_before(&self, message: MessageId, goal: Moment) -> bool {
        let mut reached: SmallVec<[Moment; 16]> = SmallVec::new();
        reached.push(Moment::Arrival(message));
        let mut at = 0;
        while let Some(here) = reached.get(at).copied() {
            at += 1;
            if here == goal || self.is_before(here, goal) {
                return true;
            }
            let mut add = |moment: Moment| {
                if !reached.contains(&moment) {
                    reached.push(moment);
                }
            };
            match here {
                Moment::Arrival(message) => self.after_arrival(message, &mut add),
                Moment::Event(id) => self.after_event(id, &mut add),
            }
        }
        false
    }

    fn is_before(&self, here: Moment, goal: Moment) -> bool {
        match (here, goal) {
            (Moment::Event(id), Moment::Event(goal)) => {
                self.search.left(goal).is_some_and(|left| left.clock.has(id))
            }
            // What was there at the beginning.
            (Moment::Arrival(message), Moment::Event(_)) => message.sent_by == Id::BEGINNING,
            _ => false,
        }
    }

    fn after_arrival(&self, message: MessageId, add: &mut impl FnMut(Moment)) {
        let to = self.search.receiver(message);
        let sender = self.search.left(message.sent_by).map(|left| left.event.actor);
        if sender == to.map(Actor::Process) {
            add(Moment::Event(message.sent_by));
        }
        for (later, receiver) in self.messages(|left| left.event.id.actor == message.sent_by.actor)
        {
            if Some(receiver) == to && sent_earlier(message, later) {
                add(Moment::Arrival(later));
            }
        }
        for (forced, place) in self.receives {
            let Some(left) = self.search.frames[*place].left.as_ref() else { continue };
            if left.event.take == Take::Message(message) {
                add(Moment::Event(left.event.id));
                forced.rivals.iter().for_each(|rival| add(Moment::Arrival(rival.message)));
            }
        }
    }

    fn after_event(&self, id: Id, add: &mut impl FnMut(Moment)) {
        for (message, _) in self.messages(|left| left.clock.has(id)) {
            add(Moment::Arrival(message));
        }
        for (forced, place) in self.receives {
            let Some(left) = self.search.frames[*place].left.as_ref() else { continue };
            if left.event.take == Take::Timeout && left.clock.has(id) {
                forced.rivals.iter().for_each(|rival| add(Moment::Arrival(rival.message)));
            }
        }
    }

    /// The messages of such events, with their receivers.
    fn messages(&self, such: impl Fn(&Left) -> bool) -> impl Iterator<Item = (MessageId, Pid)> {
        let lefts = self.search.frames.iter().filter_map(|frame| frame.left.as_deref());
        lefts.filter(move |left| such(left) && (self.includes)(left.event.id)).flat_map(|left| {
            left.event
                .puts
                .iter()
                .enumerate()
                .filter(|(_, put)| put.in_vain.is_none())
                .map(|(nth, put)| (MessageId { sent_by: left.event.id, nth: nth as u32 }, put.to))
        })
    }
}

impl Search {
    fn receiver(&self, message: MessageId) -> Option<Pid> {
        let put = self.left(message.sent_by)?.event.puts.get(message.nth as usize)?;
        Some(put.to)
    }
}
