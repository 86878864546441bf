//! Who runs next, and for how long.
//!
//! The Machine never chooses. A [`Scheduler`] picks one of the processes that can run; the same
//! picks give the same run.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use machine::flight::Route;
use machine::{Machine, Pid, TIME_SLICE};
use trace::schedule::Turn;

/// A policy.
pub trait Scheduler {
    /// Takes a process out of those that can run (in the order in which they became able to), and
    /// says how many calls it may make. `None` only if there is none.
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)>;

    /// Which signal arrives before the next turn, of those that are on their way (delivery `any`):
    /// one of `routes`, or none. `must`: nobody can run, so one of them has to.
    fn arrives(&mut self, routes: &[Route], must: bool) -> Option<Route> {
        routes.first().copied().filter(|_| must)
    }

    /// What it chose has happened.
    fn happened(&mut self, _machine: &Machine, _turn: Turn) {}
}

/// One that is lent.
impl<S: Scheduler + ?Sized> Scheduler for &mut S {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        (**self).next(ready)
    }

    fn arrives(&mut self, routes: &[Route], must: bool) -> Option<Route> {
        (**self).arrives(routes, must)
    }

    fn happened(&mut self, machine: &Machine, turn: Turn) {
        (**self).happened(machine, turn);
    }
}

/// One that somebody else looks at, too.
impl<S: Scheduler> Scheduler for Rc<RefCell<S>> {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        self.borrow_mut().next(ready)
    }

    fn arrives(&mut self, routes: &[Route], must: bool) -> Option<Route> {
        self.borrow_mut().arrives(routes, must)
    }

    fn happened(&mut self, machine: &Machine, turn: Turn) {
        self.borrow_mut().happened(machine, turn);
    }
}

/// The one that waits longest, for a whole time slice: what a node with one core does.
#[derive(Clone, Copy, Default, Debug)]
pub struct InTurn;

impl Scheduler for InTurn {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        Some((ready.pop_front()?, TIME_SLICE))
    }
}

/// Any one, for a time slice of any length, by numbers that only depend on a seed.
#[derive(Clone, Debug)]
pub struct Shuffled {
    state: u64,
}

impl Shuffled {
    pub fn new(seed: u64) -> Shuffled {
        Shuffled { state: seed }
    }

    /// SplitMix64.
    fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Scheduler for Shuffled {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        if ready.is_empty() {
            return None;
        }
        let index = (self.number() % ready.len() as u64) as usize;
        // Short slices interleave what long ones never do, and long ones let a process get ahead:
        // each magnitude is as likely as the others.
        let most = 1 << (self.number() % 13);
        let slice = 1 + self.number() % most;
        Some((ready.swap_remove_back(index)?, slice as u32))
    }

    /// Any one; about every second time none, if somebody can run.
    fn arrives(&mut self, routes: &[Route], must: bool) -> Option<Route> {
        if routes.is_empty() || (!must && self.number() & 1 == 0) {
            return None;
        }
        routes.get((self.number() % routes.len() as u64) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(seed: u64) -> Vec<(Pid, u32)> {
        let mut ready: VecDeque<Pid> = (0..20).map(Pid).collect();
        let mut scheduler = Shuffled::new(seed);
        std::iter::from_fn(|| scheduler.next(&mut ready)).collect()
    }

    #[test]
    fn a_seed_decides_everything() {
        assert_eq!(picks(1), picks(1));
        assert_ne!(picks(1), picks(2));
        let mut pids: Vec<u64> = picks(3).iter().map(|(pid, _)| pid.0).collect();
        pids.sort_unstable();
        assert_eq!(pids, (0..20).collect::<Vec<_>>());
        assert!(picks(4).iter().all(|&(_, slice)| (1..=TIME_SLICE + 96).contains(&slice)));
    }
}
