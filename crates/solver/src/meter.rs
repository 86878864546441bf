//! How much may still be done: steps, which are counted, so that the same questions get the same
//! answers; and whether somebody wants the work to end, which is looked at now and then and makes
//! what is left unknown.

use std::fmt;
use std::rc::Rc;

/// Says whether the work is to end at once: the user, a clock. By default nobody does.
#[derive(Clone, Default)]
pub struct Stop(Option<Rc<dyn Fn() -> bool>>);

impl Stop {
    pub fn new(is_wanted: impl Fn() -> bool + 'static) -> Stop {
        Stop(Some(Rc::new(is_wanted)))
    }

    pub fn is_wanted(&self) -> bool {
        self.0.as_ref().is_some_and(|is_wanted| is_wanted())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.0.is_some()).finish()
    }
}

/// Steps that are left.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) left: u64,
    /// Steps since it was looked whether the work is to end.
    since: u64,
    stop: Stop,
}

/// After so many steps it is looked whether the work is to end: some milliseconds.
const LOOK: u64 = 2048;

impl Meter {
    pub(crate) fn new(left: u64, stop: Stop) -> Meter {
        Meter { left, since: 0, stop }
    }

    /// Counts steps. False: there are not so many left, or the work is to end.
    pub(crate) fn take(&mut self, steps: u64) -> bool {
        self.since += steps;
        if self.since >= LOOK {
            self.since = 0;
            if self.stop.is_wanted() {
                self.left = 0;
                return false;
            }
        }
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }

    /// A piece of work that may take some of the steps; what it has left is given back by
    /// [`Meter::joined`].
    pub(crate) fn part(&mut self, most: u64) -> Meter {
        let most = most.min(self.left);
        self.left -= most;
        Meter { left: most, since: self.since, stop: self.stop.clone() }
    }

    pub(crate) fn joined(&mut self, part: &Meter) {
        self.left += part.left;
        self.since = part.since;
    }
}
