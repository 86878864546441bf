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
//! Cost: nothing as long as nobody has waited or read a clock.

use std::collections::VecDeque;

use term::{Pid, Ref};

use super::{Point, Stepping, Timeout};
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
}

impl Stepping {
    pub(crate) fn is_exact(&self) -> bool {
        self.order.is_exact
    }

    /// A process is about to read a clock: whether that is a visible action.
    pub(crate) fn orders_clock(&mut self, pid: Pid, is_of_program: impl Fn() -> bool) -> bool {
        let is_of_program = is_of_program();
        self.order.has_place = self.order.is_exact && is_of_program;
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

    pub fn is_exact(&self) -> bool {
        self.state.step.order.is_exact
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
    order.last = here.max(order.last.saturating_add(BETWEEN));
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
