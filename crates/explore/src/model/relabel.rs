//! What the last step of a planned sequence would touch.
//!
//! A race is turned round by a sequence: all that does not depend on the first of the two events,
//! then the second. Every event of it but the last does what it did before, because all that it
//! depends on is there. The last one may do something else without the first: a `register` that
//! failed succeeds, a signal to a process that was doomed already dooms it. What it touches then
//! decides whether the sequence is covered by what is asleep or planned, so it must be known
//! exactly: the sequence is run on a copy of the Machine. Where the first event can change what the
//! second sees but not what it touches (objects of a table, counters, messages) that is not needed.
//! The same holds for another choice of a receive: it matters only if somebody looks at what the
//! process does then ([`watches`]).
//!
//! Cost: the length of the sequence, for races of the other kinds only; and a walk over the events
//! before it, to name the messages in the mailboxes.

use machine::footprint::Footprint;
use machine::step::{Actor, Choice, Effect};
use machine::{Machine, Pid};
use rustc_hash::FxHashMap;

use crate::event::{Event, Id, MessageId, Step, Take};
use crate::order;

/// Whether `last`, which races with `first`, may touch something else when it comes before it.
pub(crate) fn may_turn(first: &Step, last: &Step) -> bool {
    if first.is_plain() && last.is_plain() {
        return false; // most are
    }
    order::asked_about(last.footprint()).is_some() || may_change(first, last)
}

/// Whether `last` may touch something else when `first` has not happened.
pub(crate) fn may_change(first: &Step, last: &Step) -> bool {
    let may = |a: &machine::footprint::Access, b: &machine::footprint::Access| {
        a.object.overlaps(b.object) && !a.object.class.is_plain(a.kind, b.kind)
    };
    let pairs = |a| last.footprint().0.iter().any(|b| may(a, b));
    matches!(last.take, Take::Nothing | Take::Order(_) | Take::Tie)
        && first.footprint().0.iter().any(pairs)
}

/// Whether an action looks at what others do without being asked. Once somebody does, what any step
/// touches may depend on what was before it.
pub(crate) fn watches(footprint: &Footprint) -> bool {
    footprint.0.iter().any(|access| access.watches())
}

/// Events that are done again on a copied Machine: the messages in its mailboxes, by name.
#[derive(Default)]
pub(crate) struct Again(FxHashMap<Pid, Vec<MessageId>>);

impl Again {
    /// A process that was there at the beginning.
    pub(crate) fn initial(&mut self, pid: Pid, messages: u32) {
        let message = |nth| MessageId { sent_by: Id::BEGINNING, nth };
        self.0.insert(pid, (0..messages).map(message).collect());
    }

    /// An event that the Machine has done already, with the messages that it took out.
    pub(crate) fn after(&mut self, event: &Event, removed: &[(u32, MessageId)]) {
        for (nth, put) in event.puts.iter().enumerate() {
            if put.in_vain.is_none() {
                let message = MessageId { sent_by: event.id, nth: nth as u32 };
                self.0.entry(put.to).or_default().push(message);
            }
        }
        if let Actor::Process(pid) = event.actor {
            let mailbox = self.0.entry(pid).or_default();
            mailbox.retain(|message| !removed.iter().any(|(_, gone)| gone == message));
        }
    }

    /// Does a step on the Machine. What it touches, and the mailbox that it looked at; `seen` is
    /// the order in which it shall find that.
    pub(crate) fn perform(
        &mut self,
        machine: &mut Machine,
        step: &Step,
        seen: &[MessageId],
    ) -> Option<(Footprint, Option<Vec<MessageId>>)> {
        let choice = match (step.take, step.actor) {
            (Take::Message(message), Actor::Process(pid)) => {
                let at = self.0.get(&pid)?.iter().position(|other| *other == message)?;
                Choice::Take(at as u32)
            }
            (Take::Timeout, _) => Choice::GiveUp,
            (Take::Tie, _) => Choice::Tie,
            _ => Choice::Act,
        };
        let done = match order::asked_about(step.footprint()) {
            Some(whose) if seen.len() > 1 => {
                let mailbox = self.0.get(&whose)?;
                let place = |message| mailbox.iter().position(|other| other == message);
                let places: Option<Vec<u32>> =
                    seen.iter().map(|message| Some(place(message)? as u32)).collect();
                machine.perform_look(step.actor, whose, &places?)?
            }
            _ => machine.perform(step.actor, choice)?,
        };
        let looked_at = order::looked_at(&done.log.footprint, machine);
        let mailbox = looked_at.map(|whose| self.0.get(&whose).cloned().unwrap_or_default());
        let mut nth = 0;
        for effect in done.log.effects {
            match effect {
                Effect::Put { to, .. } => {
                    let message = MessageId { sent_by: step.id, nth };
                    self.0.entry(to).or_default().push(message);
                    nth += 1;
                }
                Effect::InVain { .. } => nth += 1,
                Effect::Took { index, .. } | Effect::Flushed { index } => {
                    if let Actor::Process(pid) = step.actor
                        && let Some(mailbox) = self.0.get_mut(&pid)
                        && (index as usize) < mailbox.len()
                    {
                        mailbox.remove(index as usize);
                    }
                }
                _ => {}
            }
        }
        Some((done.log.footprint, mailbox))
    }
}
