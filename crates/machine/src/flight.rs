//! Signals on their way from one process to another.
//!
//! Erlang guarantees that signals between a pair of processes arrive in the order in which they were
//! sent, and nothing more. With [`Delivery::Instant`], a signal has its effect when it is sent, as on one BEAM
//! node for all practical purposes. With [`Delivery::Any`], messages, exit signals and the `'DOWN'` of
//! monitors wait in a queue for each pair, and whoever drives the Machine says which queue's first
//! signal arrives next ([`Machine::arrive`]): every order that the language allows can be had.
//!
//! What does not travel, and why nothing is lost by that in the language's terms:
//! * what a process sends to itself;
//! * what comes from the node itself: timers, devices' answers, tables that are inherited;
//! * links, monitors and questions about a process (`link`, `monitor`, `is_process_alive`,
//!   `process_info`, …): they have their effect at once, after everything that the asking process has sent
//!   to the other has arrived. So the order of the pair holds; that they could be late is not shown.
//!
//! An alias is looked at when the message arrives, as is whether a monitor or a link still exists.

use std::collections::{BTreeMap, VecDeque};

use term::{Pid, Ref, Term};

use crate::machine::Machine;
use crate::observe::MessageId;
use crate::signals::Node;
use crate::sparse::Sparse;
use crate::step::Log;

/// How signals travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    #[default]
    Instant,
    Any,
}

/// From whom to whom.
pub type Route = (Pid, Pid);

/// Something on its way.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    Message {
        id: Option<MessageId>,
        message: Term,
    },
    /// A message to an alias of the receiver.
    Alias {
        alias: Ref,
        id: Option<MessageId>,
        message: Term,
    },
    Down {
        reference: Ref,
        reason: Term,
    },
    Exit {
        reason: Term,
        linked: bool,
    },
}

/// The part of a node's state that is about signals on their way.
#[derive(Clone, Default, Debug)]
pub struct Flight {
    delivery: Delivery,
    /// No queue is empty.
    routes: Sparse<BTreeMap<Route, VecDeque<Signal>>>,
}

impl Flight {
    #[inline]
    pub(crate) fn waits(&self, from: Pid, to: Pid) -> bool {
        self.delivery == Delivery::Any && from != to
    }

    pub(crate) fn add(&mut self, route: Route, signal: Signal) {
        self.routes.entry(route).or_default().push_back(signal);
    }

    fn take(&mut self, route: Route) -> Option<Signal> {
        let queue = self.routes.get_mut(&route)?;
        let signal = queue.pop_front();
        if queue.is_empty() {
            self.routes.remove(&route);
        }
        signal
    }

    /// The pairs between which something is on its way, in order.
    pub fn routes(&self) -> impl ExactSizeIterator<Item = Route> {
        self.routes.keys().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.routes.is_empty()
    }
}

impl Node<'_> {
    /// The next signal of a pair arrives; says whether there was one.
    pub(crate) fn arrive(&mut self, route: Route) -> bool {
        let (from, to) = route;
        let Some(signal) = self.s.flight.take(route) else { return false };
        match signal {
            Signal::Message { id, message } => self.put(id, to, message),
            Signal::Alias { alias, id, message } => self.put_to_alias(alias, id, message),
            Signal::Down { reference, reason } => self.down(from, to, reference, reason),
            Signal::Exit { reason, linked } => self.exit_arrives(from, to, reason, linked),
        }
        true
    }

    /// What the running process has sent to another arrives before it asks about it.
    pub(crate) fn settle(&mut self, to: Pid) {
        if let Some(me) = self.me.as_ref().map(|me| me.pid) {
            while self.arrive((me, to)) {}
        }
    }
}

impl Machine {
    /// How signals travel from now on. What is on its way stays so.
    pub fn set_delivery(&mut self, delivery: Delivery) {
        self.state.flight.delivery = delivery;
    }

    /// The next signal from one process to another arrives; says whether there was one.
    pub fn arrive(&mut self, route: Route) -> bool {
        Node { code: &self.code, s: &mut self.state, me: None }.arrive(route)
    }

    /// The same for a Machine that is driven step by step: what it touched and did. The arrival is an action
    /// of its own, by nobody.
    pub fn perform_arrival(&mut self, route: Route) -> Option<Log> {
        self.state.step.log = Log::default();
        let arrived = self.arrive(route);
        arrived.then(|| std::mem::take(&mut self.state.step.log))
    }

    /// Everything that is on its way arrives, and what is sent by that.
    pub fn arrive_all(&mut self) {
        loop {
            let next = self.state.flight.routes().next();
            match next {
                Some(route) => self.arrive(route),
                None => return,
            };
        }
    }
}
