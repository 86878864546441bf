//! The turn of the process that is running: how many calls it was given, and how many builtins took
//! of them that count as more than one.

/// A turn is measured in function calls.
#[derive(Clone, Copy, Default)]
pub(crate) struct Turn {
    /// How many the running process was given, and how many were left when it called a builtin.
    given: u32,
    left: u32,
    /// How many the builtin that was called last counts as, beside its own.
    charged: u32,
    /// How many of those were more than the process had left.
    overdrawn: u32,
}

impl Turn {
    pub(crate) fn begin(&mut self, given: u32) {
        (self.given, self.left) = (given, given);
    }

    /// The turn is over: how many calls more than it was given the process has made.
    pub(crate) fn end(&mut self) -> u32 {
        std::mem::take(&mut self.overdrawn)
    }

    /// A builtin is about to be called.
    #[inline(always)]
    pub(crate) fn before_builtin(&mut self, left: u32) {
        self.left = left;
    }

    /// The builtin that runs counts as so many calls more.
    #[inline]
    pub(crate) fn charge(&mut self, calls: u32) {
        self.charged = self.charged.saturating_add(calls);
    }

    /// The same, whatever was said before.
    pub(crate) fn charge_exactly(&mut self, calls: u32) {
        self.charged = calls;
    }

    /// Whether the builtin that was called counts as more than itself.
    #[inline(always)]
    pub(crate) fn is_charged(&self) -> bool {
        self.charged != 0
    }

    /// What is left of a turn after such a builtin.
    pub(crate) fn take_charge(&mut self, budget: u32) -> u32 {
        let charged = std::mem::take(&mut self.charged);
        self.overdrawn = self.overdrawn.saturating_add(charged.saturating_sub(budget));
        budget.saturating_sub(charged)
    }

    /// How many calls the running process has made in this turn.
    pub(crate) fn made(&self) -> u64 {
        u64::from(self.given.saturating_sub(self.left)) + u64::from(self.overdrawn)
    }
}
