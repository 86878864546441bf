//! Time, when the Machine is driven step by step: whoever drives it says when a `receive` gives up and when a timer fires, so
//! there is no one clock. Each process has its own, which is how far it is ahead of the beginning. It goes on by the time
//! that a `receive` waited which gives up; a new process begins with that of its maker; and whoever takes a message is not
//! earlier than its sender was, or than the timer was set to (Lamport: *Time, clocks, and the ordering of events in a
//! distributed system*, CACM 21, 1978).
//!
//! So the time that a process reads depends on nothing but what happened before, whatever order other processes run in; it
//! never goes back; and who has slept for a second sees that a second has passed. What is not carried over is the time of who
//! wrote to a table or told of its end while signals travel: its reader may be behind.
//!
//! Who drives may set an end to time ([`Machine::set_horizon`]): what a timer would do then or later does not happen. So a
//! periodic timer fires a number of times and not for ever. It depends on the time of the process that set the timer only,
//! and so on nothing but what happened before.
//!
//! Cost: nothing as long as nobody has waited.

use std::collections::VecDeque;

use term::Ref;

use super::{Point, Timeout};
use crate::machine::Machine;

impl Machine {
    /// From now on timers that are set to this time after the beginning, in milliseconds, or later never fire.
    pub fn set_horizon(&mut self, milliseconds: u64) {
        self.state.step.horizon = milliseconds.checked_mul(1_000_000);
    }

    /// Whether a timer fires before the end of time.
    pub(super) fn is_due(&self, (at, _): (u64, u64)) -> bool {
        let horizon = self.state.step.horizon;
        horizon.is_none_or(|horizon| at.saturating_sub(self.state.now) < horizon)
    }

    /// Timers that can fire.
    pub fn timers(&self) -> Vec<Ref> {
        let all = self.state.timer_refs.iter();
        all.filter(|(_, key)| self.is_due(**key)).map(|(reference, _)| *reference).collect()
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
