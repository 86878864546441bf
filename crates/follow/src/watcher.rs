//! The observer: hands what a Machine tells to a shadow and its follower.

use std::cell::RefCell;

use machine::observe::{Event, Interest, Mark, Moment, Observer};
use term::Term;

use crate::follower::{Follower, INTEREST};
use crate::shadow::Shadow;

/// Watches runs for a follower.
pub struct Watcher<F: Follower> {
    /// Calls are told.
    follows: bool,
    interest: Interest,
    seen: RefCell<(Shadow<F>, F)>,
}

impl<F: Follower> Watcher<F> {
    pub fn new(follower: F) -> Watcher<F> {
        let interest = follower.interest();
        let follows = interest.and(INTEREST) == interest;
        Watcher { follows, interest, seen: RefCell::new((Shadow::default(), follower)) }
    }

    /// Another run begins: processes, messages and activations are others.
    pub fn begin(&self) {
        self.seen.borrow_mut().0 = Shadow::default();
    }

    /// Looks at the follower.
    pub fn look<T>(&self, look: impl FnOnce(&F) -> T) -> T {
        look(&self.seen.borrow().1)
    }

    /// Looks at the shadow.
    pub fn shadow<T>(&self, look: impl FnOnce(&Shadow<F>) -> T) -> T {
        look(&self.seen.borrow().0)
    }

    /// Lets the follower be changed with the shadow at hand.
    pub fn with_shadow<T>(&self, change: impl FnOnce(&mut Shadow<F>, &mut F) -> T) -> T {
        let (shadow, follower) = &mut *self.seen.borrow_mut();
        change(shadow, follower)
    }

    pub fn into_follower(self) -> F {
        self.seen.into_inner().1
    }

    /// Lets the follower be changed.
    pub fn change<T>(&self, change: impl FnOnce(&mut F) -> T) -> T {
        change(&mut self.seen.borrow_mut().1)
    }
}

impl<F: Follower> Observer for Watcher<F> {
    fn interest(&self) -> Interest {
        self.interest
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        let (shadow, follower) = &mut *self.seen.borrow_mut();
        if self.follows && !follower.is_over() {
            shadow.event(follower, moment, event);
        }
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        let (shadow, follower) = &mut *self.seen.borrow_mut();
        if !follower.is_over() {
            if self.follows {
                shadow.align(follower, moment);
            }
            follower.mark(shadow, moment, mark);
        }
    }

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        let (shadow, follower) = &mut *self.seen.borrow_mut();
        if !follower.is_over() {
            follower.value(shadow, moment, value);
        }
    }
}
