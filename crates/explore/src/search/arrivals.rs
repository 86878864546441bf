//! Delivery `any`: which message must have arrived before which.
//!
//! The arrival of a message is a moment of its own: after the message was sent, before it is taken.
//! (A message that a process sends to itself arrives at once.) Messages between two processes
//! arrive in the order in which they were sent. A receive takes the first that has arrived of those
//! that match: its message arrives before every other that matches and was not taken earlier; if it
//! times out, these arrive later than that. A choice is **consistent** if these orders, together
//! with happens-before, have no cycle; only a new receive can close one, since nothing comes after
//! it yet.
//!
//! Exit signals, the `'DOWN'` of monitors and messages to aliases are on their way, too, and what
//! they do depends on when they arrive: whether the process traps exits, is linked or monitors
//! still. So their arrivals are events ([`Actor::Signal`]), in the order of the pair: a signal
//! arrives before every message that its sender sent later to the same process, and after those
//! that it sent earlier. What it puts into the mailbox is there at once.
//!
//! Cost: a search through the messages and receives of the execution for each question.

use machine::Pid;
use machine::flight::Route;
use machine::footprint::{Access, Class, Kind, Object};
use machine::step::{Actor, Label};
use smallvec::SmallVec;
use term::Ref;

use super::{Executed, Search};
use crate::event::{Event, Id, MessageId, Step, Take};
use crate::mailbox::{Force, sent_earlier};

/// A moment of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    Event(Id),
    Arrival(MessageId),
}

/// A signal that arrived.
struct Arrived {
    id: Id,
    sent_by: Id,
    from: Pid,
    to: Pid,
}

impl Arrived {
    fn is_of_pair(&self, sender: Option<Actor>, receiver: Option<Pid>) -> bool {
        sender == Some(Actor::Process(self.from)) && receiver == Some(self.to)
    }

    /// Whether it was sent before a message of the same pair. (That a process is gone already, or
    /// that there is none, may be told in answer to the receiver, after all that the process has
    /// sent.)
    fn is_before(&self, message: MessageId) -> bool {
        self.sent_by.actor == message.sent_by.actor && self.sent_by.seq < message.sent_by.seq
    }
}

/// A part of an execution: its receives, with what they force, and which events belong to it.
pub(super) struct Arrivals<'a> {
    pub(super) search: &'a Search,
    pub(super) receives: &'a [Force<'a>],
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
                self.search.executed(goal).is_some_and(|executed| executed.clock.has(id))
            }
            // It is sent after that; this holds for messages that came in vain, too.
            (Moment::Event(id), Moment::Arrival(goal)) => {
                self.search.executed(goal.sent_by).is_some_and(|executed| executed.clock.has(id))
            }
            // What was there at the beginning.
            (Moment::Arrival(message), Moment::Event(_)) => message.sent_by == Id::BEGINNING,
            _ => false,
        }
    }

    fn after_arrival(&self, message: MessageId, add: &mut impl FnMut(Moment)) {
        let to = self.search.receiver(message);
        let sender = self.search.executed(message.sent_by).map(|executed| executed.event.actor);
        if sender == to.map(Actor::Process) || matches!(sender, Some(Actor::Signal(_))) {
            add(Moment::Event(message.sent_by));
        }
        for signal in self.signals() {
            if signal.is_of_pair(sender, to) && !signal.is_before(message) {
                add(Moment::Event(signal.id));
            }
        }
        for (later, receiver) in
            self.messages(|executed| executed.event.id.actor == message.sent_by.actor)
        {
            if Some(receiver) == to && sent_earlier(message, later) {
                add(Moment::Arrival(later));
            }
        }
        for Force { forced, id, take, .. } in self.receives {
            if *take == Take::Message(message) {
                add(Moment::Event(*id));
                forced.rivals.iter().for_each(|rival| add(Moment::Arrival(rival.message)));
            }
        }
    }

    fn after_event(&self, id: Id, add: &mut impl FnMut(Moment)) {
        for (message, _) in self.messages(|executed| executed.clock.has(id)) {
            add(Moment::Arrival(message));
        }
        for signal in self.signals() {
            if signal.id == id {
                let from_it =
                    |executed: &Executed| executed.event.actor == Actor::Process(signal.from);
                for (message, to) in self.messages(from_it) {
                    if to == signal.to && signal.is_before(message) {
                        add(Moment::Arrival(message));
                    }
                }
            } else if self.search.executed(signal.id).is_some_and(|executed| executed.clock.has(id))
            {
                add(Moment::Event(signal.id));
            }
        }
        for Force { forced, id: receive, take, before_first } in self.receives {
            let is_after = || before_first.is_some_and(|before| before.has(id));
            if *take == Take::Timeout && (*receive == id || is_after()) {
                forced.rivals.iter().for_each(|rival| add(Moment::Arrival(rival.message)));
            }
        }
    }

    /// The signals that arrived.
    fn signals(&self) -> impl Iterator<Item = Arrived> {
        self.search.noted.arrivals.iter().filter_map(|place| {
            let step = &self.search.frames[*place as usize].executed.as_ref()?.event.step;
            let (from, to) = step.route()?;
            let arrived = Arrived { id: step.id, sent_by: step.made_by, from, to };
            (self.includes)(step.id).then_some(arrived)
        })
    }

    /// The messages of such events, with their receivers.
    fn messages(&self, such: impl Fn(&Executed) -> bool) -> impl Iterator<Item = (MessageId, Pid)> {
        let executed_events =
            self.search.frames.iter().filter_map(|frame| frame.executed.as_deref());
        executed_events
            .filter(move |executed| such(executed) && (self.includes)(executed.event.id))
            .flat_map(|executed| {
                executed.event.puts.iter().enumerate().filter(|(_, put)| put.in_vain.is_none()).map(
                    |(nth, put)| {
                        (MessageId { sent_by: executed.event.id, nth: nth as u32 }, put.to)
                    },
                )
            })
    }
}

impl Search {
    /// Whether all signals have arrived, in a part of the execution, that the sender of a message
    /// sent before it to the same process.
    pub(super) fn may_have_arrived(
        &self,
        message: MessageId,
        includes: &dyn Fn(Id) -> bool,
    ) -> bool {
        let Some(to) = self.receiver(message) else { return true };
        let sender = self.executed(message.sent_by).map(|executed| executed.event.actor);
        sender == Some(Actor::Process(to)) || self.have_arrived(message.sent_by, to, includes)
    }

    /// Whether a step that asks about a process has to wait, after a part of the execution, for
    /// what its process has sent to that one.
    pub(super) fn asks_too_early(&self, step: &Step, includes: &dyn Fn(Id) -> bool) -> bool {
        let of_pair = |access: &&Access| access.object.class == Class::Route;
        let asked = step.footprint().0.iter().filter(of_pair).map(|access| access.object.part);
        matches!(step.actor, Actor::Process(_))
            && (asked
                .filter_map(|part| part.checked_sub(1).map(Pid))
                .any(|to| !self.have_arrived(step.id, to, includes))
                || self.asks_the_doomed(step, includes))
    }

    /// Whether a step asks a process that is bound to end, after a part of the execution, and not
    /// gone.
    fn asks_the_doomed(&self, step: &Step, includes: &dyn Fn(Id) -> bool) -> bool {
        let asked = step.footprint().0.iter().filter_map(|access| {
            let pid = access.object.owner.checked_sub(1).map(Pid)?;
            let is_asked = access.object == Object::answer(pid) && access.kind == Kind::Read;
            is_asked.then_some(pid)
        });
        asked.into_iter().any(|pid| {
            let included = |at: &u32| {
                let event = &self.frames[*at as usize].executed.as_ref()?.event;
                includes(event.id).then_some(event)
            };
            let mut dooms = self.noted.dooms.iter().filter_map(included);
            let own = || self.places_of(pid.0).iter().filter_map(included);
            (dooms.any(|event| event.doomed.contains(&pid))
                || own().any(|event| event.label == Label::End))
                && !own().any(|event| event.ended.is_some())
        })
    }

    /// Whether all signals to a process have arrived that another sent before one of its events.
    /// (What it is told in answer, that there is nobody to be monitored, say, is not sent by it.)
    fn have_arrived(&self, before: Id, to: Pid, includes: &dyn Fn(Id) -> bool) -> bool {
        let places = self.places.get(before.actor as usize).map_or(&[][..], Vec::as_slice);
        let earlier = places.iter().take((before.seq as usize).saturating_sub(1));
        let is_of_pair =
            |actor: Actor, (from, its): Route| actor == Actor::Process(from) && its == to;
        earlier.filter_map(|at| self.frames[*at as usize].executed.as_ref()).all(|executed| {
            let Event { set_off, step, .. } = &executed.event;
            set_off.iter().filter(|(_, route)| is_of_pair(step.actor, *route)).all(|(signal, _)| {
                let arrival = self.actors.get(Actor::Signal(*signal));
                let arrival = arrival.map(|actor| Id { actor, seq: 1 });
                arrival.is_some_and(|id| self.executed(id).is_some() && includes(id))
            })
        })
    }

    /// The arrival of the monitor that a process held back last, up to one of its events, if it has
    /// arrived in a part of the execution.
    pub(super) fn let_go(&self, last: Id, includes: &dyn Fn(Id) -> bool) -> Option<Id> {
        let places = self.places.get(last.actor as usize)?.iter().take(last.seq as usize);
        let executed_events = places.filter_map(|at| self.frames[*at as usize].executed.as_ref());
        let held = |executed: &Executed| {
            let is_own = |(_, (from, to)): &&(Ref, Route)| {
                from == to && executed.event.actor == Actor::Process(*to)
            };
            executed.event.set_off.iter().find(is_own).map(|(signal, _)| *signal)
        };
        let signal = executed_events.rev().find_map(|executed| held(executed))?;
        let arrival = Id { actor: self.actors.get(Actor::Signal(signal))?, seq: 1 };
        (self.executed(arrival).is_some() && includes(arrival)).then_some(arrival)
    }

    fn receiver(&self, message: MessageId) -> Option<Pid> {
        let put = self.executed(message.sent_by)?.event.puts.get(message.nth as usize)?;
        Some(put.to)
    }
}
