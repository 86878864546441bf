//! Races that were looked at in an earlier execution and may ask for something else in this one.
//!
//! What a race asks for is covered if it can begin with a step that sleeps where it would be
//! explored: then it is part of what was explored from there (`wakeup.rs`). In another execution
//! there may be more between the two events of the same race: events that are new, and do not
//! depend on the first. If one of these conflicts with the step that sleeps, that covers it no
//! more. The same holds for a race that was planned: it went into the tree of the state beside
//! steps that its second event does not need, and only executions with these have it there. So the
//! races of an event are looked at again (the event is *revisited*) if
//! * a new event that does not depend on it conflicts with a step that sleeps in the state before
//!   it, or beside which something was planned there, and does not come after that step; or
//! * a receive that does not depend on it has chosen otherwise than when it was taken last: what
//!   was planned before has the other choice in it, and the choice alone may be covered by the
//!   event itself, which sleeps where that leads.
//!
//! What was planned need not be planned again with more events in it otherwise: they come in what
//! is explored from there anyway. (The paper looks at all races of every execution, with all that
//! does not depend on the first event, which costs far more.)
//!
//! Cost: the new events times the different steps that sleep before them, or go with what was
//! planned, each pair compared once an execution.

use std::sync::Arc;

use smallvec::SmallVec;

use super::executed::{Executed, Planned};
use super::{Frame, Search, Work};
use crate::clock::Clock;
use crate::dependence::dependent;
use crate::event::{Id, Step, Take};

/// The bit for all new events that have none of their own.
const OTHERS: usize = 63;

impl Search {
    /// Finds out which events of earlier executions are revisited in this one.
    pub(super) fn find_revisited(&mut self) {
        let rechose = |at: &u32| {
            self.frames[*at as usize].executed.as_ref().is_some_and(|executed| executed.rechose)
        };
        let new_from = self.new_from as u32;
        let new = self.choosing.iter().copied().filter(|at| *at >= new_from);
        self.rechosen = new.filter(rechose).collect();
        let (mut revisited, mut stale) = (Vec::new(), Vec::new());
        self.stale.clear();
        let Some(before_all) = self.before_all_new() else {
            self.revisited = revisited;
            return;
        };
        // For each step that sleeps somewhere: the new events that conflict with it.
        let mut wakers: SmallVec<[(*const Step, u64); 16]> = SmallVec::new();
        for place in 0..self.new_from {
            let frame = &self.frames[place];
            let Some(executed) = &frame.executed else { continue };
            if let Work::Own(todo) = &frame.work
                && todo.sleep.is_empty()
                && executed.planned.is_empty()
            {
                continue;
            }
            if before_all.has(executed.event.id) {
                continue;
            }
            let is_stale = |planned: &&Planned| self.is_elsewhere(executed.event.id, planned);
            let planned = executed.planned.iter().filter(is_stale);
            stale.extend(planned.map(|it| (place as u32, it.last, it.take)));
            let is_apart = |wakers| self.is_one_apart(wakers, executed.event.id);
            let found = match &frame.work {
                Work::Own(todo) => todo.sleep.iter().any(|asleep| {
                    let known = wakers.iter().find(|(step, _)| *step == Arc::as_ptr(asleep));
                    let wakers = known.map(|(_, wakers)| *wakers).unwrap_or_else(|| {
                        let found = self.wakers_of(asleep);
                        wakers.push((Arc::as_ptr(asleep), found));
                        found
                    });
                    is_apart(wakers)
                }),
                // Others may have planned it, beside whatever it was.
                Work::Common(_) => true,
            };
            if found {
                revisited.push(place as u32);
            }
        }
        self.revisited = revisited;
        self.stale = stale;
    }

    /// Whether what was planned instead of an old event goes with a step that conflicts with a new
    /// event and is not before that one here as it is there.
    fn is_elsewhere(&self, old: Id, planned: &Planned) -> bool {
        let new = self.frames[self.new_from..].iter().filter_map(|frame| frame.executed.as_deref());
        new.filter(|new| !new.clock.has(old)).any(|new| {
            let earlier = planned.beside.iter().take_while(|step| !new.event.is(step));
            earlier
                .into_iter()
                .any(|step| dependent(&new.event, step) && !self.is_before(step, new))
        })
    }

    /// Whether a step is in the execution, before this event.
    fn is_before(&self, step: &Step, event: &Executed) -> bool {
        event.clock.has(step.id)
            && self.executed(step.id).is_some_and(|executed| executed.event.is(step))
    }

    /// Whether something that was planned instead of the event at `place` is to be planned again.
    pub(super) fn has_stale(&self, place: usize) -> bool {
        self.stale.iter().any(|(at, ..)| *at as usize == place)
    }

    /// The same of what ends with a step that takes this.
    pub(super) fn is_stale(&self, place: usize, last: &Step, take: Take) -> bool {
        let take = if take == Take::Tie { Take::Nothing } else { take };
        !self.stale.is_empty() && self.stale.contains(&(place as u32, last.id, take))
    }

    /// What happened before every new event.
    fn before_all_new(&self) -> Option<Clock> {
        let mut new =
            self.frames[self.new_from..].iter().filter_map(|frame| frame.executed.as_deref());
        let mut before = new.next()?.clock.clone();
        new.for_each(|executed| before.meet(&executed.clock));
        Some(before)
    }

    /// The new events that conflict with a step that sleeps, and are not that step, as bits: one
    /// for each of the first 63, one for all others.
    fn wakers_of(&self, asleep: &Step) -> u64 {
        let mut wakers = 0;
        for (at, frame) in self.frames[self.new_from..].iter().enumerate() {
            if let Some(new) = &frame.executed
                && !new.event.is(asleep)
                && dependent(&new.event, asleep)
                && !self.is_before(asleep, new)
            {
                wakers |= 1 << at.min(OTHERS);
            }
        }
        wakers
    }

    /// Whether one of these new events does not depend on an old one.
    fn is_one_apart(&self, wakers: u64, old: Id) -> bool {
        let is_apart = |frame: &Frame| frame.executed.as_ref().is_some_and(|it| !it.clock.has(old));
        let new = &self.frames[self.new_from..];
        let mut others = wakers;
        while others != 0 {
            let at = others.trailing_zeros() as usize;
            others &= others - 1;
            let those = if at == OTHERS { new.get(at..) } else { new.get(at..=at) };
            if those.is_some_and(|frames| frames.iter().any(is_apart)) {
                return true;
            }
        }
        false
    }

    /// Whether the races of the event at `place` are to be looked at again.
    pub(super) fn is_revisited(&self, place: usize) -> bool {
        if self.revisited.binary_search(&(place as u32)).is_ok() {
            return true;
        }
        let Some(executed) = &self.frames[place].executed else { return false };
        self.rechosen.iter().any(|at| {
            let rechosen = self.frames[*at as usize].executed.as_ref();
            rechosen.is_some_and(|rechosen| !rechosen.clock.has(executed.event.id))
        })
    }
}
