//! Time for tests that make too many calls: it passes faster, so that their own time limits come.
//!
//! A test that has made as many calls as it may gets a second, then two, then four, and so on. Each
//! of these passes in parts from one timer to the next, and the test runs on for a while after
//! each: what a test does at one time limit (it stops what it started) comes before the next (it is
//! stopped itself). A test with very many timers gets the rest of a span at once.

use machine::Machine;

/// A test may make so many calls more, after each part.
const EXTRA_CALLS: u64 = 2_000_000;
/// The first span, in nanoseconds.
const FIRST: u64 = 1_000_000_000;
/// After so many spans (more than a day) no time limit is left to wait for.
const MOST_SPANS: u32 = 18;
/// Parts of one span.
const MOST_PARTS: u32 = 100;

pub(super) struct Haste {
    /// How many calls the test may make before time passes faster.
    allowed: u64,
    spans: u32,
    /// What is left of the span, and how many parts of it have passed.
    left: u64,
    parts: u32,
}

impl Haste {
    pub(super) fn new(allowed: u64) -> Haste {
        Haste { allowed, spans: 0, left: 0, parts: 0 }
    }

    /// A test has made so many calls. Says whether there is time left for it.
    pub(super) fn look(&mut self, machine: &mut Machine, calls: u64) -> bool {
        if calls < self.allowed {
            return true;
        }
        if self.left == 0 {
            if self.spans == MOST_SPANS {
                return false;
            }
            (self.left, self.parts) = (FIRST << self.spans, 0);
            self.spans += 1;
        }
        let next = machine.next_timer().map(|at| at.saturating_sub(machine.now()));
        let part = match next {
            Some(next) if self.parts < MOST_PARTS => next.clamp(1, self.left),
            _ => self.left,
        };
        machine.pass_time(part);
        self.left -= part;
        self.parts += 1;
        self.allowed += EXTRA_CALLS;
        true
    }
}
