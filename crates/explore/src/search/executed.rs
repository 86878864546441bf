//! The events of the current execution, with what is known about each. Events that were taken away
//! serve again: they are large, and making one is costly.

use std::rc::Rc;
use std::sync::Arc;

use machine::Pid;
use machine::footprint::Footprint;
use machine::step::{Actor, Choice, Label, Prober};
use smallvec::SmallVec;
use term::Ref;

use super::states::Glimpse;
use crate::clock::Clock;
use crate::event::{Event, Id, MessageId, Step, Stepped, Take};
use crate::linear::Placed;
use crate::mailbox::{Delivery, Forced};

/// An event of the current execution.
pub(super) struct Executed {
    pub(super) event: Event,
    /// How the Machine was told to do it.
    pub(super) choice: Choice,
    pub(super) clock: Clock,
    /// Places of earlier events that race with it.
    pub(super) races: SmallVec<[u32; 4]>,
    /// Those of them before which it may do something else.
    pub(super) reversible: SmallVec<[u32; 4]>,
    pub(super) reversed: Vec<Reversed>,
    pub(super) receive: Option<Box<Received>>,
    /// If it looked at a mailbox: whose, where its messages were in the order that it saw; and what
    /// that order forces.
    pub(super) look: Option<Box<(Pid, Vec<u32>)>>,
    pub(super) orders: Vec<Forced>,
    pub(super) removed: SmallVec<[(u32, MessageId); 1]>,
    /// Of the end of a process: monitors that it need not tell about (`needless_downs.rs`).
    pub(super) needless_downs: SmallVec<[Ref; 4]>,
    /// What actors that this event stopped were about to do before it.
    pub(super) glimpses: Vec<(Actor, Rc<Glimpse>)>,
    /// Whether it is a reading of a clock that could find the same time as the one before it.
    pub(super) may_tie: bool,
    /// Those of them that could take something else if other receives had chosen otherwise.
    pub(super) blocked: Vec<Pid>,
    /// What was planned instead of it (`revisited.rs`).
    pub(super) planned: Vec<Planned>,
}

impl Executed {
    fn new(step: Arc<Step>) -> Executed {
        Executed {
            event: Event::of(step, Label::default(), 0),
            choice: Choice::Act,
            clock: Clock::default(),
            races: SmallVec::new(),
            reversible: SmallVec::new(),
            reversed: Vec::new(),
            receive: None,
            look: None,
            orders: Vec::new(),
            removed: SmallVec::new(),
            needless_downs: SmallVec::new(),
            glimpses: Vec::new(),
            may_tie: false,
            blocked: Vec::new(),
            planned: Vec::new(),
        }
    }

    /// As if it were new, but for the step, which stays until there is another.
    fn clear(&mut self) {
        let Executed {
            event,
            choice,
            clock,
            races,
            reversible,
            reversed,
            receive,
            look,
            orders,
            removed,
            needless_downs,
            glimpses,
            may_tie,
            blocked,
            planned,
        } = self;
        let Event { step: _, label, pc, puts, doomed, cancelled, set_off, silenced, seen, ended } =
            event;
        (*label, *pc, *silenced, *ended) = (Label::default(), 0, None, None);
        puts.clear();
        doomed.clear();
        cancelled.clear();
        set_off.clear();
        seen.clear();
        clock.clear();
        races.clear();
        reversible.clear();
        reversed.clear();
        (*choice, *receive, *look) = (Choice::Act, None, None);
        *may_tie = false;
        orders.clear();
        removed.clear();
        needless_downs.clear();
        glimpses.clear();
        blocked.clear();
        planned.clear();
    }

    /// Whether it chose a message, or an order of several, or a time.
    pub(super) fn chose(&self) -> bool {
        self.receive.is_some() || self.event.seen.len() > 1 || self.may_tie
    }

    /// What it forces. Where messages travel, it matters which have arrived, rivals or not.
    pub(super) fn forced(&self, delivery: Delivery) -> impl Iterator<Item = &Forced> {
        let counts = move |forced: &&Forced| !forced.rivals.is_empty() || delivery == Delivery::Any;
        let received = self.receive.as_ref().map(|received| &received.forced);
        received.filter(counts).into_iter().chain(self.orders.iter().filter(counts))
    }

    #[inline]
    pub(super) fn forces(&self, delivery: Delivery) -> bool {
        let is_any = delivery == Delivery::Any;
        let received = self.receive.as_ref();
        received.is_some_and(|received| is_any || !received.forced.rivals.is_empty())
            || (!self.orders.is_empty() && self.forced(delivery).next().is_some())
    }

    pub(super) fn placed(&self) -> Placed<'_> {
        let Executed { event, clock, receive, orders, .. } = self;
        let forced = receive.as_ref().map(|received| &received.forced);
        Placed { event, clock, forced, orders }
    }
}

/// What an event does if it comes before one that it races with, and the events of the execution,
/// not caused by that one, with which it then conflicts.
pub(super) struct Reversed {
    pub(super) first: u32,
    pub(super) last: Id,
    pub(super) now: Arc<Step>,
    pub(super) conflicts: Vec<Arc<Step>>,
}

/// A sequence that was planned, by its last step, and its way in the tree of its state.
pub(super) struct Planned {
    pub(super) last: Id,
    pub(super) take: Take,
    pub(super) way: Vec<Arc<Step>>,
}

/// What is known about a receive of the current execution.
#[derive(Default)]
pub(super) struct Received {
    pub(super) forced: Forced,
    pub(super) can_time_out: bool,
    /// Whether a monitor that its process holds back must have arrived when it times out.
    pub(super) holds: bool,
    pub(super) prober: Prober,
    /// What it could take instead that need not be looked at again: planned, or never possible.
    pub(super) settled: SmallVec<[Take; 4]>,
    /// Whether that is all.
    pub(super) is_settled: bool,
}

impl Received {
    /// Holds nothing any more, but for the room that it has.
    fn clear(&mut self) {
        self.forced.first = None;
        self.forced.rivals.clear();
        self.prober.clear();
        self.settled.clear();
        self.is_settled = false;
    }
}

/// Events that were taken away, and what they knew of receives.
#[derive(Default)]
#[allow(
    clippy::vec_box,
    reason = "they come out of boxes, go back into boxes, and are not moved on the way"
)]
pub(super) struct Spare {
    events: Vec<Box<Executed>>,
    receives: Vec<Box<Received>>,
}

impl Spare {
    /// An event of which nothing is known but its step, which has the footprint that is given, and
    /// given away.
    pub(super) fn event(&mut self, step: Stepped, footprint: &mut Footprint) -> Box<Executed> {
        match self.events.pop() {
            Some(mut executed) => {
                // Mostly nobody else knows the step of before.
                match Arc::get_mut(&mut executed.event.step) {
                    Some(before) => before.retake(step, footprint),
                    None => executed.event.step = Arc::new(Step::taken(step, footprint)),
                }
                executed
            }
            None => Box::new(Executed::new(Arc::new(Step::taken(step, footprint)))),
        }
    }

    /// A receive of which nothing is known.
    pub(super) fn receive(&mut self) -> Box<Received> {
        self.receives.pop().unwrap_or_default()
    }

    /// An event was taken away.
    pub(super) fn put_aside(&mut self, mut executed: Box<Executed>) {
        if let Some(mut receive) = executed.receive.take() {
            receive.clear();
            self.receives.push(receive);
        }
        executed.clear();
        self.events.push(executed);
    }
}
