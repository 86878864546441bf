//! When a receive may give up although messages for it are sent in the same execution.
//!
//! Giving up forces that all of these are sent later (`mailbox.rs`). So nothing that giving up depends on
//! may come after one of them: not the event of its process before it; and, where somebody looks at what
//! processes do between visible actions (`relabel::watches`), none of the events that conflict with
//! what the process does right after giving up. Where only the latter is in the way, giving up is
//! planned before these events instead of after them: a race of which the execution shows one side
//! only.
//!
//! Cost: nothing as long as nobody looks; then a step on a copy of the Machine for each time that
//! giving up comes into question.

use std::sync::Arc;

use machine::Pid;
use machine::step::{Actor, Choice, Glance};
use smallvec::SmallVec;

use super::Search;
use super::rest::Rest;
use crate::dependence::conflicting;
use crate::event::{Id, MessageId, Step, Take};
use crate::mailbox::{Delivery, Order};

impl Search {
    /// Whether a process in a receive may give up although messages for it may be there.
    pub(super) fn may_give_up_now(&self, pid: Pid) -> bool {
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
        let process = self.machine.state.process(pid);
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
        let all = Rest { from: self.frames.len() - 1, without: SmallVec::new() };
        self.knowing(&all, &step, &rivals).is_empty()
    }

    /// Plans that a receive gives up instead of what it did at `place`, before these messages are sent;
    /// and before all events that know of one of them and conflict with what it then does.
    pub(super) fn plan_giving_up(&mut self, place: usize, last: Arc<Step>, rivals: &[MessageId]) {
        let Some(left) = &self.frames[place].left else { return };
        let mut rest = Rest::without(place, left.event.id);
        loop {
            let Some(now) = self.relabelled(&rest, &last) else { return };
            let knowing = self.knowing(&rest, &now, rivals);
            let Some(first) = knowing.first() else {
                if !self.asks_too_early(&now, &|id| self.is_in(&rest, id)) {
                    self.plan_exactly(&rest, now);
                }
                return;
            };
            rest.from = rest.from.min(*first);
            let lefts = knowing.iter().filter_map(|at| self.frames[*at].left.as_ref());
            rest.without.extend(lefts.map(|left| left.event.id));
            if !self.is_in(&rest, last.before()) {
                return;
            }
        }
    }

    /// The places of events of a rest that conflict with a step and come after one of these messages.
    fn knowing(&self, rest: &Rest, step: &Step, messages: &[MessageId]) -> Vec<usize> {
        if self.bounds.delivery == Delivery::Any {
            return Vec::new();
        }
        let forced = self.forced_in(rest);
        let clocks = |id: Id| self.left(id).map(|left| &left.clock);
        let includes = |id: Id| self.is_in(rest, id);
        let order = Order { clocks, forced: &forced, includes };
        let knows = |at: &usize| {
            self.is_at(rest, *at)
                && self.frames[*at].left.as_ref().is_some_and(|left| {
                    left.event.id.actor != step.id.actor
                        && conflicting(&left.event, step)
                        && messages.iter().any(|m| order.reaches(m.sent_by, left.event.id))
                })
        };
        (0..self.frames.len()).filter(knows).collect()
    }
}
