//! Signals on their way from one process to another.
//!
//! Erlang guarantees that signals between a pair of processes arrive in the order in which they
//! were sent, and nothing more. With [`Delivery::Instant`], a signal has its effect when it is
//! sent, as on one BEAM node for all practical purposes. With [`Delivery::Any`], messages, exit
//! signals and the `'DOWN'` of monitors wait in a queue for each pair, and whoever drives the
//! Machine says which queue's first signal arrives next ([`Machine::arrive`]): every order that the
//! language allows can be had.
//!
//! What the end of a process tells several others travels with instant delivery, too, driven step
//! by step ([`crate::ends`]): to one after the other, links before monitors. So do monitors that
//! their processes hold back (`step/held.rs`).
//!
//! What does not travel with delivery `any`, and why nothing is lost by that in the language's
//! terms:
//! * what a process sends to itself;
//! * what comes from the node itself: timers, devices' answers, tables that are inherited;
//! * links, monitors that are not held back and questions about a process (`link`, `monitor`,
//!   `is_process_alive`, `process_info`, …): they have their effect at once, after everything that
//!   the asking process has sent to the other has arrived. So the order of the pair holds; that
//!   they could be late is not shown.
//!
//! An alias is looked at when the message arrives, as is whether a monitor or a link still exists.
//!
//! **Driven step by step** ([`crate::step`]) messages do not wait here: they are in the mailbox at
//! once, and the driver says which of them a `receive` takes. Other signals wait, each with a
//! number, and their arrivals are actions of their own ([`Actor::Signal`](crate::step::Actor)). Who
//! asks about a process has to wait until what it has sent to that process has arrived
//! ([`Machine::must_wait`]): its action would come too early.

use std::collections::{BTreeMap, VecDeque};

use code::instr::Pc;
use term::{Pid, Ref, Term};

use crate::footprint::{self, Kind, Object};
use crate::machine::Machine;
use crate::observe::MessageId;
use crate::signals::Node;
use crate::sparse::Sparse;
use crate::step::{Actor, Choice, Effect, Ghost, Glance, Held, Label, Stepping};

/// How signals travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    #[default]
    Instant,
    Any,
}

/// In the number of a signal: it is the answer to the one with the other digits.
const ANSWER: u64 = 1 << 31;

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
    /// A monitor that a process holds back (`step/held.rs`): on its way from the process to itself.
    Monitor {
        reference: Ref,
        target: Pid,
        was_alias: bool,
    },
}

/// A signal with its number, if the Machine is driven step by step.
#[derive(Clone, Debug)]
struct OnItsWay {
    number: Option<Ref>,
    signal: Signal,
    /// How far its sender was (`step/time.rs`).
    ahead: u64,
}

/// The part of a node's state that is about signals on their way.
#[derive(Clone, Default, Debug)]
pub(crate) struct Flight {
    delivery: Delivery,
    /// No queue is empty.
    routes: Sparse<BTreeMap<Route, VecDeque<OnItsWay>>>,
}

impl Flight {
    #[inline]
    pub(crate) fn waits(&self, from: Pid, to: Pid) -> bool {
        self.delivery == Delivery::Any && from != to
    }

    /// Whether only what the ends of processes tell travels.
    #[inline]
    pub(crate) fn is_instant(&self) -> bool {
        self.delivery == Delivery::Instant
    }

    fn take(&mut self, route: Route) -> Option<OnItsWay> {
        let queue = self.routes.get_mut(&route)?;
        let first = queue.pop_front();
        if queue.is_empty() {
            self.routes.remove(&route);
        }
        first
    }

    /// The signals that can arrive next: the first of each pair. With instant delivery, monitors
    /// are told of an end after links.
    fn first(&self) -> impl Iterator<Item = (Route, Ref)> {
        self.routes.iter().filter_map(|(route, queue)| {
            let first = queue.front()?;
            let waits = self.is_instant()
                && matches!(first.signal, Signal::Down { .. })
                && self.tells_links(route.0);
            if waits { None } else { Some((*route, first.number?)) }
        })
    }

    /// Whether exit signals of a process are on their way.
    fn tells_links(&self, from: Pid) -> bool {
        let from_it = self.routes.range((from, Pid(0))..=(from, Pid(u64::MAX)));
        let is_exit = |on: &OnItsWay| matches!(on.signal, Signal::Exit { .. });
        from_it.flat_map(|(_, queue)| queue).any(is_exit)
    }

    /// Whether the news of a monitor are on their way.
    pub(crate) fn has_down(&self, reference: Ref) -> bool {
        let is_it = |on: &OnItsWay| match on.signal {
            Signal::Down { reference: of, .. } => of == reference,
            _ => false,
        };
        self.routes.values().flatten().any(is_it)
    }

    /// Whether a monitor of a process is on its way still.
    #[inline]
    pub(crate) fn holds_back(&self, pid: Pid) -> bool {
        !self.routes.is_void() && self.routes.contains_key(&(pid, pid))
    }

    /// The pairs between which something is on its way, in order.
    pub(crate) fn routes(&self) -> impl ExactSizeIterator<Item = Route> {
        self.routes.keys().copied()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.routes.is_void()
    }
}

impl Node<'_> {
    /// A signal sets off.
    pub(crate) fn set_off(&mut self, route: Route, signal: Signal) {
        let maker = self.me.as_ref().map_or(route.0, |me| me.pid);
        let number = self.s.step.new_signal(maker);
        self.set_off_as(number, route, signal);
    }

    /// A signal sets off in answer to that with this number, which sets off one at most.
    pub(crate) fn set_off_answer(&mut self, to: Ref, route: Route, signal: Signal) {
        self.set_off_as(Some(Ref(to.0 | ANSWER)), route, signal);
    }

    fn set_off_as(&mut self, number: Option<Ref>, route: Route, signal: Signal) {
        if let Some(number) = number {
            self.s.step.effect(Effect::SetOff { number, from: route.0, to: route.1 });
        }
        let ahead = self.me.as_ref().map_or(self.s.step.ahead, |me| me.step.ahead);
        let on_its_way = OnItsWay { number, signal, ahead };
        self.s.step.flight.routes.entry(route).or_default().push_back(on_its_way);
    }

    /// The next signal of a pair arrives; says whether there was one.
    pub(crate) fn arrive(&mut self, route: Route) -> bool {
        let (from, to) = route;
        let Some(OnItsWay { signal, ahead, number }) = self.s.step.flight.take(route) else {
            return false;
        };
        if self.s.step.is_on() && self.s.step.flight.is_instant() {
            match signal {
                Signal::Exit { .. } => self.s.step.touch(Kind::Add, Object::told(from)),
                Signal::Monitor { .. } => {}
                _ => self.s.step.touch(Kind::Read, Object::told(from)),
            }
        }
        self.s.step.ahead = ahead;
        match signal {
            Signal::Message { id, message } => self.put(id, to, message),
            Signal::Alias { alias, id, message } => {
                if self.s.step.is_on() {
                    let mut footprint = std::mem::take(&mut self.s.step.log.footprint);
                    footprint::to_alias(self.s, None, alias, &mut footprint);
                    self.s.step.log.footprint = footprint;
                }
                self.put_to_alias(alias, id, message);
            }
            Signal::Down { reference, reason } => self.down(from, to, reference, reason),
            Signal::Exit { reason, linked } => self.exit_arrives(from, to, reason, linked, true),
            Signal::Monitor { reference, target, was_alias } => {
                let held = Held { reference, target };
                self.held_monitor_arrives(from, held, was_alias, number);
            }
        }
        true
    }

    /// What the running process has sent to another arrives before it asks about it.
    pub(crate) fn settle(&mut self, to: Pid) {
        let Some(me) = self.me.as_ref().map(|me| me.pid) else { return };
        if !self.s.step.is_on() {
            while self.arrive((me, to)) {}
        } else if self.s.step.flight.waits(me, to) {
            self.s.step.touch(Kind::Read, Object::route(me, to));
            self.s.step.log.too_early |= self.s.step.flight.routes.contains_key(&(me, to));
        }
    }
}

impl Machine {
    /// How signals travel from now on. What is on its way stays so.
    pub fn set_delivery(&mut self, delivery: Delivery) {
        self.state.step.flight.delivery = delivery;
    }

    /// The next signal from one process to another arrives; says whether there was one.
    pub fn arrive(&mut self, route: Route) -> bool {
        Node { code: &self.code, s: &mut self.state, me: None }.arrive(route)
    }

    /// The signals that can arrive next, where the Machine is driven step by step.
    pub fn signals(&self) -> impl Iterator<Item = Ref> {
        self.state.step.flight.first().map(|(_, number)| number)
    }

    /// From whom to whom a signal is on its way, if it is the next to arrive.
    pub fn route_of(&self, signal: Ref) -> Option<Route> {
        self.state.step.flight.first().find(|(_, number)| *number == signal).map(|(route, _)| route)
    }

    /// Whether what a process is about to do, if that is no receive, has to wait: for signals that
    /// it has sent before, or for the end of a process that it asks.
    pub fn must_wait(&self, pid: Pid) -> bool {
        let Some(process) = self.state.node.process(pid) else { return false };
        if process.step.asks.is_none() && self.state.step.flight.is_empty() {
            return false; // most often
        }
        if process.glance() == Glance::End {
            return self.holds_back(pid);
        }
        self.asks_too_early(pid)
            || (self.state.step.flight.routes().any(|(from, _)| from == pid)
                && self
                    .clone()
                    .perform(Actor::Process(pid), Choice::Act)
                    .is_some_and(|done| done.log.too_early))
    }

    /// Takes news out of the way of a signal that nobody wants any more: a search may have left
    /// them out ([`Machine::leave_unheard`]), and a run that follows its schedule has not.
    fn clear_the_way(&mut self, number: Ref) {
        let Stepping { flight, ghosts, .. } = &mut self.state.step;
        let is_unwanted = |on: &OnItsWay| {
            let Signal::Down { reference, .. } = &on.signal else { return false };
            matches!(ghosts.get(reference), Some(Ghost::Silenced(_)))
        };
        let is_it = |on: &OnItsWay| on.number == Some(number);
        let Some(routes) = flight.routes.present() else { return };
        let behind = routes.iter().find_map(|(route, queue)| {
            let at = queue.iter().position(is_it).filter(|at| *at > 0)?;
            queue.iter().take(at).all(is_unwanted).then_some((*route, at))
        });
        if let Some((route, at)) = behind
            && let Some(queue) = routes.get_mut(&route)
        {
            queue.drain(..at);
        }
    }

    pub(crate) fn perform_signal(&mut self, number: Ref) -> Option<Pc> {
        if self.route_of(number).is_none() {
            self.clear_the_way(number);
        }
        let route = self.route_of(number)?;
        let step = &mut self.state.step;
        step.log.label = Label::Arrive;
        step.touch(Kind::Write, Object::route(route.0, route.1));
        self.arrive(route).then_some(0)
    }

    /// Everything that is on its way arrives, and what is sent by that.
    pub fn arrive_all(&mut self) {
        loop {
            let next = self.state.step.flight.routes().next();
            match next {
                Some(route) => self.arrive(route),
                None => return,
            };
        }
    }
}
