//! Looks at whole mailboxes: the orders among which they choose (`order.rs`).

use std::sync::Arc;

use machine::Pid;
use machine::step::{Actor, Choice};
use smallvec::SmallVec;

use super::Search;
use super::remainder::Remainder;
use crate::event::{Id, MessageId, Step, Take};
use crate::mailbox::{Delivery, Force, Order, sent_earlier};
use crate::order;

impl Search {
    /// Whose mailbox a process is about to look at.
    fn about_to_look_at(&self, pid: Pid) -> Option<Pid> {
        let done = self.machine.clone().perform(Actor::Process(pid), Choice::Act)?;
        order::looked_at(&done.log.footprint, &self.machine)
    }

    /// The orders of a mailbox that a process could see now.
    pub(super) fn looks(&self, pid: Pid) -> SmallVec<[Take; 4]> {
        match self.about_to_look_at(pid).map(|whose| self.mailboxes.get(whose)) {
            Some(mailbox) if mailbox.len() > 1 => {
                let orders = self.orders(mailbox, &self.forced(), &|_| true);
                orders.iter().map(|order| Take::Order(order::rank(order))).collect()
            }
            _ => SmallVec::from_slice(&[Take::Nothing]),
        }
    }

    pub(super) fn orders(
        &self,
        messages: &[MessageId],
        forced: &[Force<'_>],
        includes: &impl Fn(Id) -> bool,
    ) -> Vec<Vec<MessageId>> {
        if self.bounds.delivery == Delivery::Any {
            return order::consistent(messages, false, &sent_earlier);
        }
        let clocks = |id: Id| self.executed(id).map(|executed| &executed.clock);
        let order = Order { clocks, forced, includes };
        let before = |a: MessageId, b: MessageId| match a.sent_by == b.sent_by {
            true => a.nth < b.nth,
            false => order.reaches(a.sent_by, b.sent_by),
        };
        order::consistent(messages, true, &before)
    }

    /// Whose mailbox is looked at, the order with this rank, and where its messages are.
    pub(super) fn order_of(&self, pid: Pid, rank: u64) -> Option<(Pid, Vec<MessageId>, Vec<u32>)> {
        let whose = self.about_to_look_at(pid)?;
        let mailbox = self.mailboxes.get(whose);
        let orders = self.orders(mailbox, &self.forced(), &|_| true);
        let order = orders.into_iter().find(|order| order::rank(order) == rank)?;
        let place = |message| mailbox.iter().position(|other| other == message);
        let places: Option<Vec<u32>> =
            order.iter().map(|message| Some(place(message)? as u32)).collect();
        Some((whose, order, places?))
    }

    /// Plans the other orders that the event at `place` could have seen.
    pub(super) fn other_orders(&mut self, place: usize) {
        let Some(executed) = &self.frames[place].executed else { return };
        if executed.event.seen.len() < 2 {
            return;
        }
        let step = Arc::clone(&executed.event.step);
        let remainder = Remainder::without(place, step.id);
        let orders = {
            let forced = self.forced_in(&remainder);
            self.orders(&executed.event.seen, &forced, &|id| self.is_in(&remainder, id))
        };
        for order in orders {
            let take = Take::Order(order::rank(&order));
            if take != step.take {
                let footprint = step.footprint().clone();
                let other = Step::new(step.id, step.actor, take, step.made_by, footprint);
                self.plan_exactly(&remainder, Arc::new(other));
            }
        }
    }
}
