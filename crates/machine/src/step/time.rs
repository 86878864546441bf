//! Time, when the Machine is driven step by step: whoever drives it says when a `receive` gives up
//! and when a timer fires, so there is no one clock. Each process has its own, which is how far it
//! is ahead of the beginning. It goes on by the time that a `receive` waited which gives up; a new
//! process begins with that of its maker; and whoever takes a message is not earlier than its
//! sender was, or than the timer was set to (Lamport: *Time, clocks, and the ordering of events in
//! a distributed system*, CACM 21, 1978).
//!
//! So the time that a process reads depends on nothing but what happened before, whatever order
//! other processes run in; it never goes back; and who has slept for a second sees that a second
//! has passed. What is not carried over is the time of who wrote to a table or told of its end
//! while signals travel: its reader may be behind.
//!
//! Who drives may set an end to time ([`Machine::set_horizon`]): what a timer would do then or
//! later does not happen. So a periodic timer fires a number of times and not for ever. It depends
//! on the time of the process that set the timer only, and so on nothing but what happened before.
//!
//! **Readings of several processes.** Where two processes read clocks, they can find out who was
//! first. So a driver may ask for [exactness](Machine::be_exact): then a reading by the program is
//! a visible action that touches the clock of the node, and gives a time at least [`BETWEEN`] later
//! than the reading before it, whoever had that. What the library reads for itself (timeouts of
//! behaviours, times of log events, seeds) is not ordered, and no earlier than what its process has
//! read. Without exactness readings are invisible, and [`Machine::is_unsettled`] says whether that
//! was not enough: two processes have read a clock. The same holds for heirs of tables: a table
//! whose heir has ended has none, which matters only to who asks for it; then exactness has it that
//! making the table touches the heir's life.
//!
//! **Equal readings.** Clocks that show microseconds ([`Shown`]) may show two processes the same
//! one. A driver that [asks for that](Machine::let_readings_tie) may have such a reading *tie* with
//! the one before it ([`Choice::Tie`](super::Choice::Tie)). Those that tie are in the order of
//! their process identifiers, each process once, so that every set of equal readings has one order.
//! `erlang:now/0` ties with other clocks, and never with itself.
//!
//! Cost: nothing as long as nobody has waited or read a clock.

use std::collections::VecDeque;

use term::{Pid, Ref};

use super::{At, Point, Stepping, Timeout};
use crate::machine::Machine;
use crate::process::Process;
use crate::state::State;

/// How many nanoseconds are between two readings that are in order: as little as all clocks show.
const BETWEEN: u64 = 1_000;

/// What is known of readings of clocks, and of heirs.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Readings {
    is_exact: bool,
    /// Whether the reading that is going on has a place in the order.
    has_place: bool,
    /// The last reading that had one.
    last: u64,
    /// Who has read a clock without.
    reader: Option<Pid>,
    /// Whether something depends on an order that was not looked at.
    is_unsettled: bool,
    /// Whether drivers are to let readings tie.
    may_tie: bool,
    /// What the reading that is going on shows, and whether it ties with the one before it.
    shows: Option<Shown>,
    pub(super) ties: bool,
    /// What others could tie with: the last reading, if it showed microseconds.
    tied: Option<Tied>,
}

/// What a clock shows that counts microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    Monotonic,
    System,
    /// System time that is shown once only.
    Now,
}

/// Readings that are equal, in the order of processes.
#[derive(Clone, Copy, Debug)]
struct Tied {
    shows: Shown,
    last: Pid,
    has_now: bool,
}

impl Tied {
    fn admits(&self, pid: Pid, shows: Shown) -> bool {
        let is_monotonic = |shows| shows == Shown::Monotonic;
        self.last < pid
            && is_monotonic(self.shows) == is_monotonic(shows)
            && !(self.has_now && shows == Shown::Now)
    }
}

impl Stepping {
    pub(crate) fn is_exact(&self) -> bool {
        self.order.is_exact
    }

    /// A process is about to read a clock: whether that is a visible action.
    pub(crate) fn orders_clock(
        &mut self,
        pid: Pid,
        is_of_program: impl Fn() -> bool,
        shows: impl Fn() -> Option<Shown>,
    ) -> bool {
        let is_of_program = is_of_program();
        self.order.has_place = self.order.is_exact && is_of_program;
        self.order.shows = if self.order.has_place { shows() } else { None };
        if is_of_program && !self.order.is_exact {
            let reader = *self.order.reader.get_or_insert(pid);
            self.order.is_unsettled |= reader != pid;
        }
        self.order.has_place
    }

    /// Whether the reading that is going on has a place in the order.
    pub(crate) fn orders_reading(&self) -> bool {
        self.order.has_place
    }

    /// What the reading shows that is going on, or about to begin.
    pub(crate) fn shown(&self) -> Option<Shown> {
        self.order.shows
    }

    /// Somebody asks for the heir of a table that has or had one.
    pub(crate) fn note_question_for_heir(&mut self) {
        self.order.is_unsettled |= self.is_on() && !self.order.is_exact;
    }
}

impl Machine {
    /// From now on readings of clocks are in order, and so are heirs and their ends.
    pub fn be_exact(&mut self, is_exact: bool) {
        self.state.step.order.is_exact = is_exact;
    }

    /// From now on [`Machine::may_tie`] says which readings could be equal.
    pub fn let_readings_tie(&mut self, may_tie: bool) {
        self.state.step.order.may_tie = may_tie;
    }

    /// Whether a process is about to read a clock that could show the same as the last reading, as
    /// far as the two do not depend on each other, and the driver wants to know of that.
    pub fn may_tie(&self, pid: Pid) -> bool {
        self.state.step.order.may_tie && self.can_tie(pid)
    }

    pub(super) fn can_tie(&self, pid: Pid) -> bool {
        let order = &self.state.step.order;
        let (Some(tied), Some(process)) = (order.tied, self.state.node.process(pid)) else {
            return false;
        };
        let Point { at, reads, ahead, .. } = process.step;
        // Who is bound to end does that instead.
        process.doomed.is_none()
            && at == At::Act
            && reads.is_some_and(|shows| tied.admits(pid, shows))
            && self.state.node.now.saturating_add(ahead) <= order.last
    }

    /// Whether something happened that only [exactness](Machine::be_exact) would have told apart.
    #[inline]
    pub fn is_unsettled(&self) -> bool {
        self.state.step.order.is_unsettled
    }
}

/// What time it is for a process that reads a clock.
pub(crate) fn read_clock(s: &mut State, p: &mut Process) -> u64 {
    let here = s.node.now.saturating_add(p.step.ahead);
    let order = &mut s.step.order;
    if !std::mem::take(&mut order.has_place) {
        return here;
    }
    let before = order.tied.filter(|_| std::mem::take(&mut order.ties));
    if before.is_none() {
        order.last = here.max(order.last.saturating_add(BETWEEN));
    }
    order.tied = order.shows.map(|shows| Tied {
        shows,
        last: p.pid,
        has_now: shows == Shown::Now || before.is_some_and(|before| before.has_now),
    });
    p.step.ahead = order.last - s.node.now;
    order.last
}

impl Machine {
    /// From now on timers that are set to this time after the beginning, in milliseconds, or later
    /// never fire.
    pub fn set_horizon(&mut self, milliseconds: u64) {
        self.state.step.horizon = milliseconds.checked_mul(1_000_000);
    }

    /// Whether a timer fires before the end of time.
    pub(super) fn is_due(&self, (at, _): (u64, u64)) -> bool {
        let horizon = self.state.step.horizon;
        horizon.is_none_or(|horizon| at.saturating_sub(self.state.node.now) < horizon)
    }

    /// Timers that can fire.
    pub fn timers(&self) -> Vec<Ref> {
        let all = self.state.node.timer_keys();
        all.filter(|(_, key)| self.is_due(*key)).map(|(reference, _)| reference).collect()
    }
}

impl Point {
    /// A `receive` gives up.
    pub(super) fn has_waited(&mut self) {
        if let Timeout::After(milliseconds) = self.timeout {
            self.ahead = self.ahead.saturating_add(milliseconds.saturating_mul(1_000_000));
        }
    }

    /// A message is put after so many others.
    pub(crate) fn stamp(&mut self, others: usize, ahead: u64) {
        if ahead > 0 {
            let stamps: &mut VecDeque<u64> = &mut self.stamps;
            stamps.resize(others, 0);
            stamps.push_back(ahead);
        }
    }

    /// A message leaves the mailbox: how far its sender was ahead.
    pub(crate) fn unstamp(&mut self, at: usize) -> u64 {
        self.stamps.present().and_then(|stamps| stamps.remove(at)).unwrap_or(0)
    }

    /// A message is taken.
    pub(crate) fn catch_up(&mut self, at: usize) {
        self.ahead = self.ahead.max(self.unstamp(at));
    }
}
