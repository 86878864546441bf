//! Schedules that are recorded and followed.
//!
//! [`Recording`] lets another scheduler choose, and keeps or records what happened. [`Following`]
//! does what a schedule says, as long as that is possible: a run departs from its schedule where
//! the process that should run cannot, where it makes another number of calls or ends its turn in
//! another way, where a signal should arrive that was not sent, or where the schedule is over
//! before the run. From there on processes take their turns in order; the first [`Departure`] is
//! kept.

use std::collections::VecDeque;
use std::rc::Rc;

use machine::flight::Route;
use machine::{Machine, Pid};
use trace::event::TurnEnd;
use trace::recorder::Recorder;
use trace::schedule::Turn;

use crate::scheduler::{InTurn, Scheduler};

/// Lets another scheduler choose, and notes what happens.
pub struct Recording<'s> {
    pub scheduler: Box<dyn Scheduler + 's>,
    /// Told about every turn.
    pub recorder: Option<Rc<Recorder>>,
    /// Where turns are kept, if they are.
    pub turns: Option<Vec<Turn>>,
}

impl Scheduler for Recording<'_> {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        self.scheduler.next(ready)
    }

    fn arrives(&mut self, routes: &[Route], must: bool) -> Option<Route> {
        self.scheduler.arrives(routes, must)
    }

    fn happened(&mut self, machine: &Machine, turn: Turn) {
        if let Some(recorder) = &self.recorder {
            let now = machine.now();
            match turn {
                Turn::Run { pid, calls, end } => recorder.turn(now, pid, calls, end),
                Turn::Arrive { from, to } => recorder.arrive(now, from, to),
            }
        }
        if let Some(turns) = &mut self.turns {
            turns.push(turn);
        }
        self.scheduler.happened(machine, turn);
    }
}

/// Where a run stopped to follow its schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// How many turns were followed.
    pub after: usize,
    pub how: Astray,
}

/// In what a run is another than its schedule says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Astray {
    /// Who should run cannot; these can.
    CannotRun { pid: Pid, able: Vec<Pid> },
    /// A signal should arrive that is not on its way.
    NoSignal { from: Pid, to: Pid },
    /// The schedule is over, and the run goes on.
    GoesOn,
    /// Nobody can run, and signals are on their way of which none should arrive.
    NobodyCanRun,
    /// A process runs in another way: what should have come, and how it ran.
    Otherwise { pid: Pid, expected: Turn, calls: u64, end: TurnEnd },
}

impl Departure {
    /// Who should have run, or ran in another way.
    pub fn pid(&self) -> Option<Pid> {
        match self.how {
            Astray::CannotRun { pid, .. } | Astray::Otherwise { pid, .. } => Some(pid),
            Astray::NoSignal { from, .. } => Some(from),
            Astray::GoesOn | Astray::NobodyCanRun => None,
        }
    }
}

/// Does what a schedule says.
pub struct Following {
    turns: Vec<Turn>,
    next: usize,
    departure: Option<Departure>,
}

impl Following {
    pub fn new(turns: Vec<Turn>) -> Following {
        Following { turns, next: 0, departure: None }
    }

    /// Where the run departed from the schedule, if it did so far.
    pub fn departure(&self) -> Option<&Departure> {
        self.departure.as_ref()
    }

    /// How many turns of the schedule were not done.
    pub fn left(&self) -> usize {
        self.turns.len() - self.next
    }

    fn is_lost(&self) -> bool {
        self.departure.is_some()
    }

    fn depart(&mut self, how: Astray) {
        self.departure.get_or_insert(Departure { after: self.next, how });
    }
}

impl Scheduler for Following {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        if ready.is_empty() || self.is_lost() {
            return InTurn.next(ready);
        }
        match self.turns.get(self.next).copied() {
            Some(Turn::Run { pid, calls, end }) => {
                if let Some(index) = ready.iter().position(|other| *other == pid) {
                    ready.remove(index);
                    return Some((pid, allowance(calls, end)));
                }
                self.depart(Astray::CannotRun { pid, able: ready.iter().copied().collect() });
            }
            Some(Turn::Arrive { from, to }) => self.depart(Astray::NoSignal { from, to }),
            None => self.depart(Astray::GoesOn),
        }
        InTurn.next(ready)
    }

    fn arrives(&mut self, routes: &[Route], must: bool) -> Option<Route> {
        if !self.is_lost() {
            match self.turns.get(self.next) {
                Some(&Turn::Arrive { from, to }) if routes.contains(&(from, to)) => {
                    return Some((from, to));
                }
                _ if must => self.depart(Astray::NobodyCanRun),
                _ => return None,
            }
        }
        routes.first().copied()
    }

    fn happened(&mut self, _: &Machine, turn: Turn) {
        if self.is_lost() {
            return;
        }
        match (self.turns.get(self.next).copied(), turn) {
            (Some(expected), done) if expected == done => self.next += 1,
            (Some(expected), Turn::Run { pid, calls, end }) => {
                self.depart(Astray::Otherwise { pid, expected, calls, end });
            }
            _ => {}
        }
    }
}

/// How many calls a process may make in its turn, so that the turn ends as it did. One that used
/// its turn up gets no more than it used. One that stopped by itself gets one more: a builtin that
/// uses up a turn ends it, and its last call may have been of such a builtin.
fn allowance(calls: u64, end: TurnEnd) -> u32 {
    let more = match end {
        TurnEnd::Yielded => 0,
        TurnEnd::Waits | TurnEnd::Ended => 1,
    };
    u32::try_from(calls.saturating_add(more)).unwrap_or(u32::MAX)
}
