//! Taking a step: what it does to the mailboxes, what happens before it, and which earlier events
//! race with it.
//!
//! The clock of an event joins those of its causes (the event before it of its actor, what made the
//! actor, who sent the message it takes) and of every earlier event that conflicts with it. An
//! event that conflicts and is not yet among what happened before, seen from the end, *races* with
//! it.

use std::mem;
use std::sync::Arc;

use machine::step::{Actor, Choice, Effect, Glance};
use machine::{Pid, Process};
use smallvec::SmallVec;

use super::{Executed, Frame, Limit, Moments, Received, Search, Work};
use crate::clock::Clock;
use crate::dependence::{causes, conflicting, dependent, in_order_of_pair, waits_for_end};
use crate::event::{Id, MessageId, Put, Step, Stepped, Take};
use crate::mailbox::Rival;
use crate::order;
use crate::relabel;
use crate::wakeup::Branch;

/// Whether a step was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    Done,
    /// It cannot be: the search is wrong.
    Impossible,
    /// It costs too much.
    Beyond,
}

/// What is known about a common state when a branch of it is begun.
#[derive(Default)]
pub(super) struct Asleep {
    pub(super) sleep: Vec<Arc<Step>>,
    /// How many branches were begun before.
    pub(super) begun: u32,
}

/// How an actor is told to take a step.
struct Chosen {
    choice: Choice,
    receive: Option<Box<Received>>,
    /// If it looks at a mailbox: whose, and where the messages are in the order that it is to see.
    look: Option<Box<(Pid, Vec<u32>)>>,
    seen: Vec<MessageId>,
}

impl Chosen {
    fn plainly() -> Chosen {
        Chosen { choice: Choice::Act, receive: None, look: None, seen: Vec::new() }
    }
}

impl Search {
    /// Takes a step, after which `then` is to be explored. What is asleep before it is given where
    /// it is not written at the state.
    pub(super) fn execute(
        &mut self,
        actor: Actor,
        take: Take,
        then: Vec<Branch>,
        asleep: Option<Asleep>,
    ) -> Taken {
        let depth = self.frames.len() - 1;
        let begun = match (&asleep, &self.frames[depth].work) {
            (Some(asleep), _) => asleep.begun,
            (None, Work::Own(todo)) => todo.begun,
            (None, Work::Common(_)) => 0,
        };
        let Some(cost) = self.cost(begun) else { return Taken::Beyond };
        let Some(Chosen { choice, receive, look, mut seen }) = self.choose(actor, take) else {
            return Taken::Impossible;
        };
        if begun == 0 {
            self.copy_ahead();
        }
        let may_tie = self.may_tie(actor);
        let mut needless_downs = SmallVec::new();
        if let Actor::Process(pid) = actor
            && self.machine.glance(pid) == Glance::End
        {
            needless_downs = self.needless_downs(pid);
            self.machine.leave_unheard(&needless_downs);
        }
        let Some(pc) = self.act(actor, choice, look.as_deref()) else {
            return Taken::Impossible;
        };
        // What was done is large: it is taken where it is.
        let log = self.machine.log();
        if log.too_early {
            return Taken::Impossible;
        }
        let (label, mut effects) = (log.label, mem::take(&mut log.effects));
        let asked_about = order::asked_about(&log.footprint).filter(|_| look.is_none());
        if let Some(whose) = asked_about
            && self.machine.is_alive(whose)
        {
            seen = self.mailboxes.get(whose).to_vec();
        }
        self.in_a_row = if self.last_actor == Some(actor) { self.in_a_row + 1 } else { 0 };
        self.last_actor = Some(actor);
        let number = self.number(actor);
        let id = Id { actor: number, seq: self.places[number as usize].len() as u32 + 1 };
        let made_by = self.made_by[number as usize];
        let footprint = &mut self.machine.log().footprint;
        let mut executed = self.spare.event(Stepped { id, actor, take, made_by }, footprint);
        (executed.event.label, executed.event.pc, executed.event.seen) = (label, pc, seen);
        (executed.choice, executed.receive, executed.look) = (choice, receive, look);
        executed.may_tie = may_tie;
        executed.needless_downs = needless_downs;
        for effect in effects.drain(..) {
            self.note_effect(actor, effect, &mut executed);
        }
        if let Actor::Process(pid) = actor {
            self.machine.settle(pid);
        }
        self.note_moments();
        if executed.event.seen.len() > 1 {
            executed.orders = order::forced(&executed.event.seen);
        }
        self.add(executed, then, asleep, cost);
        Taken::Done
    }

    /// Notes whether something has happened of which this search does not look at all orders.
    fn note_moments(&mut self) {
        let mut is_again = self.machine.is_unsettled();
        if self.machine.has_met_end() && self.bounds.ends == Moments::Noticed {
            self.statistics.ends_met += 1;
            is_again = true;
        }
        if is_again {
            self.shared.begin_again();
        }
    }

    /// What the Machine is to be told so that an actor takes something.
    fn choose(&mut self, actor: Actor, take: Take) -> Option<Chosen> {
        match (take, actor) {
            (Take::Nothing, _) => Some(Chosen::plainly()),
            (Take::Tie, _) => Some(Chosen { choice: Choice::Tie, ..Chosen::plainly() }),
            (Take::Order(rank), Actor::Process(pid)) => {
                let (whose, seen, places) = self.order_of(pid, rank)?;
                let look = Some(Box::new((whose, places)));
                Some(Chosen { look, seen, ..Chosen::plainly() })
            }
            (take, Actor::Process(pid)) => {
                let (choice, received) = self.receive(pid, take)?;
                Some(Chosen { choice, receive: Some(received), ..Chosen::plainly() })
            }
            _ => None,
        }
    }

    /// Has the Machine do it. The instruction, for a process; the rest is in its log.
    fn act(&mut self, actor: Actor, choice: Choice, look: Option<&(Pid, Vec<u32>)>) -> Option<u32> {
        let Some((whose, places)) = look else { return self.machine.act(actor, choice) };
        let done = self.machine.perform_look(actor, *whose, places)?;
        *self.machine.log() = done.log;
        Some(done.pc)
    }

    /// Adds an event that the Machine has done: what happened before it, what races with it, and
    /// the state after it.
    fn add(
        &mut self,
        mut executed: Box<Executed>,
        then: Vec<Branch>,
        asleep: Option<Asleep>,
        cost: u32,
    ) {
        let depth = self.frames.len() - 1;
        let step = &executed.event.step;
        if relabel::watches(step.footprint()) {
            self.shared.note_watching();
        }
        self.note_lives(step);
        self.happens_after(step, &mut executed.clock, &mut executed.races);
        if self.looks_early(step, &executed.clock) {
            self.statistics.early_looks += 1;
            if self.bounds.dictionaries == Moments::Noticed {
                self.shared.begin_again();
            }
        }
        let turns = |first: &u32| {
            let executed = self.frames[*first as usize].executed.as_ref();
            executed.is_some_and(|executed| relabel::may_turn(&executed.event, step))
        };
        if !executed.races.is_empty() {
            executed.reversible.extend(executed.races.iter().copied().filter(turns));
        }
        let frame = &mut self.frames[depth];
        let stays = |asleep: &&Arc<Step>| !dependent(asleep, step);
        let sleep = match (&mut frame.work, &asleep) {
            (_, Some(Asleep { sleep, .. })) => sleep.iter().filter(stays).cloned().collect(),
            (Work::Own(todo), None) => {
                todo.begun += 1;
                todo.sleep.iter().filter(stays).cloned().collect()
            }
            (Work::Common(_), None) => Vec::new(),
        };
        self.index.push(step);
        self.places[step.id.actor as usize].push(depth as u32);
        if executed.chose() {
            self.choosing.push(depth as u32);
        }
        self.noted.push(&executed, depth as u32);
        let has_puts = !executed.event.puts.is_empty();
        frame.executed = Some(executed);
        self.frames.push(Frame::new(sleep, then, cost));
        if has_puts {
            self.note_rivals(depth);
        }
    }

    /// What a way costs that goes on with another branch of its last state. `None` if that is too
    /// much.
    fn cost(&self, begun: u32) -> Option<u32> {
        let so_far = self.frames[self.frames.len() - 1].cost;
        let (cost, limit) = match self.bounds.limit {
            Limit::None => return Some(0),
            Limit::Delays(limit) => (so_far + u32::from(begun > 0), limit),
        };
        (cost <= limit).then_some(cost)
    }

    fn note_effect(&mut self, actor: Actor, effect: Effect, executed: &mut Executed) {
        let id = executed.event.id;
        match effect {
            Effect::Put { to, message } => {
                let nth = executed.event.puts.len() as u32;
                self.mailboxes.of(to).push(MessageId { sent_by: id, nth });
                executed.event.puts.push(Put { to, message, in_vain: None });
                self.machine.settle(to);
            }
            Effect::Took { index, .. } | Effect::Flushed { index } => {
                if let Actor::Process(pid) = actor {
                    let mailbox = self.mailboxes.of(pid);
                    if (index as usize) < mailbox.len() {
                        executed.removed.push((index, mailbox.remove(index as usize)));
                    }
                }
            }
            Effect::Spawned(pid) => {
                let number = self.number(Actor::Process(pid));
                self.made_by[number as usize] = id;
                self.mailboxes.begin(pid);
                self.machine.settle(pid);
            }
            Effect::TimerSet(reference) => {
                let number = self.number(Actor::Timer(reference));
                self.made_by[number as usize] = id;
            }
            Effect::SetOff { number: signal, from, to } => {
                let number = self.number(Actor::Signal(signal));
                self.made_by[number as usize] = id;
                executed.event.set_off.push((signal, (from, to)));
            }
            // Who ends itself has no other choice.
            Effect::Doomed(pid) if actor == Actor::Process(pid) => {}
            Effect::Doomed(pid) => executed.event.doomed.push(pid),
            Effect::TimerGone(timer) if actor != Actor::Timer(timer) => {
                executed.event.cancelled.push(timer);
            }
            Effect::TimerGone(_) => {}
            Effect::Ended { reason } => executed.event.ended = Some(reason),
            Effect::InVain { to, message, monitor } => {
                executed.event.puts.push(Put { to, message, in_vain: Some(monitor) });
            }
            Effect::Silenced(monitor) => executed.event.silenced = Some(monitor),
            Effect::Halted => {
                let others = self.machine.pids().filter(|pid| actor != Actor::Process(*pid));
                executed.event.doomed.extend(others);
                executed.event.cancelled.extend(self.machine.timers());
            }
        }
    }

    /// Prepares a receive: which message of the Machine's mailbox it takes, and what that forces.
    fn receive(&mut self, pid: Pid, take: Take) -> Option<(Choice, Box<Received>)> {
        let mut received = self.spare.receive();
        let Glance::Receive { matching, timeout, .. } = self.machine.glance(pid) else {
            return None;
        };
        let mailbox = self.mailboxes.get(pid);
        let (choice, first) = match take {
            Take::Message(message) => {
                let index = mailbox.iter().position(|other| *other == message)? as u32;
                (Choice::Take(index), message.sent_by)
            }
            _ => {
                let itself = self.next_id(Actor::Process(pid)).unwrap_or(Id::BEGINNING);
                (Choice::GiveUp, itself)
            }
        };
        let rivals = matching.iter().filter_map(|index| {
            let message = *mailbox.get(*index as usize)?;
            if take == Take::Message(message) {
                return None;
            }
            let sent_at = match message.sent_by {
                Id::BEGINNING => 0,
                id => self.places[id.actor as usize][id.seq as usize - 1],
            };
            Some(Rival { message, sent_at })
        });
        received.forced.first = Some(first);
        received.forced.rivals.extend(rivals);
        received.can_time_out = self.can_time_out(timeout);
        let process = self.machine.process(pid);
        received.holds = process.is_some_and(Process::holds_while_waiting);
        if !self.machine.set_prober(pid, &mut received.prober) {
            return None;
        }
        Some((choice, received))
    }

    /// The clock of an event that is about to be added, and the events that race with it.
    fn happens_after(&self, step: &Step, clock: &mut Clock, races: &mut SmallVec<[u32; 4]>) {
        match self.executed(step.before()) {
            Some(executed) => clock.clone_from(&executed.clock),
            None => clock.clear(),
        }
        if let Take::Message(message) = step.take
            && let Some(executed) = self.executed(message.sent_by)
        {
            clock.join(&executed.clock);
        }
        // What arrived before the message that it takes.
        for place in self.noted.arrivals.iter().rev() {
            if let Some(executed) = &self.frames[*place as usize].executed
                && causes(&executed.event, step)
            {
                clock.join(&executed.clock);
            }
        }
        let candidates = self.index.candidates(step, |of| self.places_of(of));
        #[cfg(debug_assertions)]
        for (place, frame) in self.frames[..self.frames.len() - 1].iter().enumerate() {
            let conflicts =
                frame.executed.as_ref().is_some_and(|executed| conflicting(&executed.event, step));
            assert!(!conflicts || candidates.contains(place as u32), "the index misses a conflict");
        }
        let mut arrived: SmallVec<[u32; 4]> = SmallVec::new();
        for place in candidates.descending() {
            let Some(executed) = &self.frames[place as usize].executed else { continue };
            if clock.has(executed.event.id) || !conflicting(&executed.event, step) {
                continue;
            }
            let waited =
                in_order_of_pair(&executed.event, step) || waits_for_end(&executed.event, step);
            match (waited, step.actor) {
                (true, Actor::Process(_)) => {
                    arrived.push(place);
                    continue;
                }
                (true, _) => {}
                (false, _) => races.push(place),
            }
            clock.join(&executed.clock);
        }
        // A question had to wait for these; it would not have, had it been about another process,
        // which may be due to what they come after. So that can race with it all the same.
        for place in arrived {
            if let Some(executed) = &self.frames[place as usize].executed {
                clock.join(&executed.clock);
            }
        }
        clock.set(step.id);
    }

    /// Places of the events of the process with this number.
    pub(super) fn places_of(&self, number: u64) -> &[u32] {
        let actor = self.actors.get(Actor::Process(Pid(number)));
        actor.map_or(&[][..], |actor| &self.places[actor as usize])
    }

    /// The event at `place` is new and may have put messages that earlier receives could have
    /// taken.
    fn note_rivals(&mut self, place: usize) {
        let (before, rest) = self.frames.split_at_mut(place);
        let Some(executed) = &rest[0].executed else { return };
        for (nth, put) in executed.event.puts.iter().enumerate() {
            let Some(number) = self.actors.get(Actor::Process(put.to)) else { continue };
            let places = &self.places[number as usize];
            // A message in vain could have come to receives before it was not wanted any more.
            let silences = |at: &u32| {
                let executed = before.get(*at as usize).and_then(|frame| frame.executed.as_ref());
                executed.is_some_and(|executed| executed.event.silenced == put.in_vain)
            };
            let until = match put.in_vain {
                Some(_) => places.iter().rposition(silences).unwrap_or(0),
                None => places.len(),
            };
            for (at, receive_at) in places[..until].iter().enumerate().rev() {
                if executed.clock.has(Id { actor: number, seq: at as u32 + 1 }) {
                    break; // it and all before it happened before the message was sent
                }
                let earlier =
                    before.get_mut(*receive_at as usize).and_then(|f| f.executed.as_mut());
                if let Some(received) = earlier.and_then(|executed| executed.receive.as_mut())
                    && self.machine.would_take(&received.prober, &put.message)
                {
                    let message = MessageId { sent_by: executed.event.id, nth: nth as u32 };
                    received.forced.rivals.push(Rival { message, sent_at: place as u32 });
                    received.is_settled = false;
                }
            }
        }
    }
}
