//! Races that were looked at in an earlier execution and may ask for something else in this one.
//!
//! What a race asks for is covered if it can begin with a step that sleeps where it would be
//! explored: then it is part of what was explored from there (`wakeup.rs`). In another execution
//! there may be more between the two events of the same race: events that are new, and do not
//! depend on the first. If one of these conflicts with the step that sleeps, that covers it no
//! more. So the races of an event are looked at again (the event is *revisited*) if a new event
//! that does not depend on it conflicts with a step that sleeps in the state before it, and does
//! not come after that step.
//!
//! What a race asked for and was planned has a way in the tree of its state, on which there are
//! steps that its second event does not need. In an execution with the same race where a new event
//! conflicts with one of these, and is not after it, what the race asks for belongs elsewhere: what
//! was planned is *stale*, and planned again with what there is now. (The paper looks at all races
//! of every execution. What is not stale would be found to be there already.)
//!
//! Cost: the new events times the different steps that sleep before them, and times the steps that
//! are not in the execution any more on the ways of what was planned.

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

    /// Whether what was planned instead of an old event has a step on its way that conflicts with a
    /// new event and is not before that one here as it is there.
    fn is_elsewhere(&self, old: Id, planned: &Planned) -> bool {
        let is_old = |step: &&Arc<Step>| {
            let Id { actor, seq } = step.id;
            let place = self.places[actor as usize].get(seq as usize - 1);
            place.is_some_and(|place| (*place as usize) < self.new_from)
                && self.executed(step.id).is_some_and(|executed| executed.event.is(step))
        };
        let way: SmallVec<[&Arc<Step>; 16]> =
            planned.way.iter().filter(|step| !is_old(step)).collect();
        if way.is_empty() {
            return false;
        }
        let new = self.frames[self.new_from..].iter().filter_map(|frame| frame.executed.as_deref());
        new.filter(|new| !new.clock.has(old)).any(|new| {
            let mut earlier = way.iter().take_while(|step| !new.event.is(step));
            earlier.any(|step| dependent(&new.event, step) && !self.is_before(step, new))
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
        self.revisited.binary_search(&(place as u32)).is_ok()
    }
}
