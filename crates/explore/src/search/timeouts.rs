//! When a receive may time out although messages for it are sent in the same execution.
//!
//! Timing out forces that all of these are sent later (`mailbox.rs`). So nothing that timing out
//! depends on may come after one of them: not the event of its process before it; and, where
//! somebody looks at what processes do between visible actions (`relabel::watches`), none of the
//! events that conflict with what the process does right after timing out. Where only the latter is
//! in the way, timing out is planned before these events instead of after them: a race of which the
//! execution shows one side only.
//!
//! Cost: nothing as long as nobody looks; then a step on a copy of the Machine for each time that
//! timing out comes into question.

use std::sync::Arc;

use machine::Pid;
use machine::step::{Actor, Choice, Glance};
use smallvec::SmallVec;

use super::Search;
use super::remainder::Remainder;
use crate::dependence::conflicting;
use crate::event::{Id, MessageId, Step, Take};
use crate::mailbox::{Delivery, Force, Order};

impl Search {
    /// Whether a process in a receive may time out although messages for it may be there.
    pub(super) fn may_time_out_now(&self, pid: Pid) -> bool {
        let Glance::Receive { matching, .. } = self.machine.glance(pid) else { return false };
        if self.machine.must_wait_on(pid) {
            return false;
        }
        let mailbox = self.mailboxes.get(pid);
        let rivals: SmallVec<[MessageId; 4]> =
            matching.iter().filter_map(|index| mailbox.get(*index as usize).copied()).collect();
        if rivals.is_empty() {
            return true;
        }
        let actor = Actor::Process(pid);
        let forced = self.forced();
        let is_consistent = |before| self.is_consistent(None, &rivals, before, &forced, &|_| true);
        let process = self.machine.process(pid);
        let arrival = process
            .filter(|process| process.holds_while_waiting())
            .and_then(|_| self.let_go(self.last_of(actor), &|_| true));
        if !is_consistent(self.last_of(actor)) || !arrival.is_none_or(is_consistent) {
            return false;
        }
        if !self.shared.is_watched() {
            return true;
        }
        let (Some(id), Some(done)) =
            (self.next_id(actor), self.machine.clone().perform(actor, Choice::GiveUp))
        else {
            return false;
        };
        let made_by = self.made_by[id.actor as usize];
        let step = Step::new(id, actor, Take::Timeout, made_by, done.log.footprint);
        let all = Remainder { from: self.frames.len() - 1, without: SmallVec::new() };
        self.knowing(&all, &step, &rivals, &forced).is_empty()
    }

    /// Plans that a receive times out instead of what it did at `place`, before these messages are
    /// sent; and before all events that know of one of them and conflict with what it then does.
    pub(super) fn plan_time_out(&mut self, place: usize, last: Arc<Step>, rivals: &[MessageId]) {
        let Some(executed) = &self.frames[place].executed else { return };
        let mut remainder = Remainder::without(place, executed.event.id);
        loop {
            let Some(now) = self.relabelled(&remainder, &last) else { return };
            let knowing = self.knowing(&remainder, &now, rivals, &self.forced_in(&remainder));
            let Some(first) = knowing.first() else {
                if !self.asks_too_early(&now, &|id| self.is_in(&remainder, id)) {
                    self.plan_exactly(&remainder, now);
                }
                return;
            };
            remainder.from = remainder.from.min(*first);
            let executed_events =
                knowing.iter().filter_map(|at| self.frames[*at].executed.as_ref());
            remainder.without.extend(executed_events.map(|executed| executed.event.id));
            if !self.is_in(&remainder, last.before()) {
                return;
            }
        }
    }

    /// The places of events of a remainder, whose receives force this, that conflict with a step
    /// and come after one of these messages.
    fn knowing(
        &self,
        remainder: &Remainder,
        step: &Step,
        messages: &[MessageId],
        forced: &[Force<'_>],
    ) -> Vec<usize> {
        if self.bounds.delivery == Delivery::Any {
            return Vec::new();
        }
        let clocks = |id: Id| self.executed(id).map(|executed| &executed.clock);
        let includes = |id: Id| self.is_in(remainder, id);
        let order = Order { clocks, forced, includes };
        let knows = |at: &usize| {
            self.is_at(remainder, *at)
                && self.frames[*at].executed.as_ref().is_some_and(|executed| {
                    executed.event.id.actor != step.id.actor
                        && conflicting(&executed.event, step)
                        && messages.iter().any(|m| order.reaches(m.sent_by, executed.event.id))
                })
        };
        (0..self.frames.len()).filter(knows).collect()
    }
}
