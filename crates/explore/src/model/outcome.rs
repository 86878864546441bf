//! How one execution went.

use machine::step::{Actor, Glance, Timeout};
use machine::{Ending, Machine, Pid, Term};
use rustc_hash::FxHashMap;

use crate::event::Event;
use crate::linear::{self, Placed};
use crate::mailbox::Delivery;
use crate::naming;
use crate::schedule::Schedule;
use crate::story::past;

/// A process that waits at the end, and nobody will ever wake it.
#[derive(Clone, Debug)]
pub struct Blocked {
    pub pid: Pid,
    /// The instruction of its `receive`.
    pub pc: u32,
    /// Whether it waits forever on purpose: `receive after infinity -> … end` without clauses.
    pub on_purpose: bool,
    /// Whether it goes on by itself after a time that is longer than times are followed.
    pub sleeps: bool,
    pub mailbox: Vec<Term>,
}

/// The events of an execution with what orders them.
pub(crate) type Ordering<'a> = Box<dyn Fn() -> Vec<Placed<'a>> + 'a>;

/// Events that were left out of an execution.
pub(crate) type LeftOut<'a> = Box<dyn Fn() -> Vec<Event> + 'a>;

/// Of executions from which nothing was left out.
pub(crate) fn nothing<'a>() -> LeftOut<'a> {
    Box::new(Vec::new)
}

/// Of events whose order does not matter.
pub(crate) fn unordered<'a>() -> Ordering<'a> {
    Box::new(Vec::new)
}

/// One complete execution.
pub struct Execution<'a> {
    pub machine: &'a Machine,
    pub stop: Ending,
    pub blocked: Vec<Blocked>,
    /// Processes that ended, in that order, with their reasons; without [`Execution::ends`].
    pub ended: Vec<(Pid, Term)>,
    /// The events of the execution; without [`Execution::ends`].
    pub events: Vec<&'a Event>,
    pub(crate) delivery: Delivery,
    /// What orders them, made when somebody asks.
    pub(crate) placed: Ordering<'a>,
    pub(crate) left_out: LeftOut<'a>,
    /// The first event that was in no execution before.
    pub new_from: usize,
    /// Whether it is the first of all, in which everybody goes on as long as possible, the oldest
    /// first.
    pub(crate) is_first: bool,
    /// Who acted when, if that is how it came about.
    pub(crate) schedule: Option<Schedule>,
    /// Which part of all executions it is expected to be, if that was asked for.
    pub share: f64,
}

impl<'a> Execution<'a> {
    /// The execution that led to the state of a Machine, of which only the end is known.
    pub fn at_end(machine: &'a Machine, ended: Vec<(Pid, Term)>) -> Execution<'a> {
        let stop = match machine.stop_reason() {
            Some(Ok(status)) => Ending::Halted(status),
            Some(Err(what)) => Ending::unsupported(what.clone()),
            None => Ending::Quiescent,
        };
        let (events, placed) = (Vec::new(), unordered());
        Execution {
            machine,
            stop,
            blocked: blocked(machine),
            ended,
            events,
            delivery: Delivery::Instant,
            placed,
            left_out: nothing(),
            new_from: 0,
            is_first: false,
            schedule: None,
            share: 0.0,
        }
    }

    /// The execution as a schedule for a Machine whose mailboxes have Erlang's order.
    pub fn schedule(&self) -> Schedule {
        self.simpler_schedule(None).map(|bare| self.with_ends(&bare)).unwrap_or_default()
    }

    /// The same without [`Execution::ends`], if it is simpler than one that is known, which has
    /// none of them either.
    pub(crate) fn simpler_schedule(&self, known: Option<&Schedule>) -> Option<Schedule> {
        let names = self.machine.pid_table().unwrap_or_default();
        if let Some(schedule) = &self.schedule {
            let is_simpler = |known| naming::is_simpler(&names, schedule, known);
            return known.is_none_or(is_simpler).then(|| schedule.clone());
        }
        let mut schedule = linear::simplest(&(self.placed)(), self.delivery, &names, known)?;
        schedule.has_clocks = self.events.iter().any(|event| event.reads_clock());
        schedule.has_dictionaries = self.machine.shows_dictionaries();
        schedule.has_ends = self.machine.takes_ends_apart();
        Some(schedule)
    }

    /// A schedule of this execution with the ends that were left out of it.
    pub(crate) fn with_ends(&self, bare: &Schedule) -> Schedule {
        let mut ends: Vec<Actor> = self.ends().iter().map(|end| end.actor).collect();
        let names = self.machine.pid_table().unwrap_or_default();
        ends.sort_by(|a, b| naming::order_of(&names, *a, *b));
        linear::with_ends(bare, &ends)
    }

    /// Of processes that ended, in that order: whether the end of each comes after that of another
    /// of them in all equivalent executions.
    pub(crate) fn after_another(&self, pids: &[Pid]) -> Vec<bool> {
        let mut ends = FxHashMap::default();
        for (at, event) in self.events.iter().enumerate().filter(|(_, event)| event.ended.is_some())
        {
            if let Actor::Process(pid) = event.actor {
                ends.insert(pid, at);
            }
        }
        let places: Vec<usize> = pids.iter().filter_map(|pid| ends.get(pid).copied()).collect();
        if places.len() < pids.len() {
            return vec![false; pids.len()];
        }
        let steps: Vec<&crate::event::Step> =
            self.events.iter().map(|event| &*event.step).collect();
        past::after_another(&steps, &places)
    }

    /// Normal ends of processes that nobody notices: they belong to the execution, anywhere after
    /// the other events of their processes, but the search need not look at them.
    pub fn ends(&self) -> Vec<Event> {
        (self.left_out)()
    }
}

/// Processes that exist and wait.
pub(crate) fn blocked(machine: &Machine) -> Vec<Blocked> {
    let waiting = machine.standing().filter_map(|process| match process.glance() {
        Glance::Receive { timeout, has_clauses, .. } => Some(Blocked {
            pid: process.pid,
            pc: process.pc,
            on_purpose: !has_clauses && timeout == Timeout::Never,
            sleeps: matches!(timeout, Timeout::After(_)),
            mailbox: process.mailbox.iter().cloned().collect(),
        }),
        _ => None,
    });
    waiting.collect()
}
