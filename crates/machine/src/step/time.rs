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
//! Cost: nothing as long as nobody has waited.

use std::collections::VecDeque;

use super::{Point, Timeout};

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
