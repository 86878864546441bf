//! Races that were looked at in an earlier execution and may ask for something else in this one.
//!
//! What a race asks for is covered if it can begin with a step that sleeps where it would be explored: then it is
//! part of what was explored from there (`wakeup.rs`). In another execution there may be more between the two
//! events of the same race: events that are new, and do not depend on the first. If one of these conflicts with the
//! step that sleeps, that covers it no more. So the races of an event are looked at again (the event is *stirred*) if
//! * a new event that does not depend on it conflicts with a step that sleeps in the state before it; or
//! * a receive that does not depend on it has chosen otherwise than when it was taken last: what was planned before has the
//!   other choice in it, and the choice alone may be covered by the event itself, which sleeps where that leads.
//!
//! What was planned, and not covered, need not be planned again with more events in it: they come in what is
//! explored from there anyway.
//!
//! Cost: the new events times the different steps that sleep before them, each pair compared once an
//! execution.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Search, Work};
use crate::dependence::dependent;
use crate::event::Step;

impl Search {
    /// Finds out which events of earlier executions are stirred in this one.
    pub(super) fn find_stirred(&mut self) {
        let chose_anew =
            |at: &u32| self.frames[*at as usize].left.as_ref().is_some_and(|left| left.chose_anew);
        let new_from = self.new_from as u32;
        let new = self.choosing.iter().copied().filter(|at| *at >= new_from);
        self.anew = new.filter(chose_anew).collect();
        // For each step that sleeps somewhere: the new events that conflict with it.
        let mut wakers: FxHashMap<*const Step, SmallVec<[u32; 4]>> = FxHashMap::default();
        let mut stirred = Vec::new();
        for place in 0..self.new_from {
            let Some(left) = &self.frames[place].left else { continue };
            let is_stirred = |asleep: &[Arc<Step>], wakers: &mut FxHashMap<_, _>| {
                asleep.iter().any(|asleep| {
                    let wakers: &SmallVec<[u32; 4]> = wakers
                        .entry(Arc::as_ptr(asleep))
                        .or_insert_with(|| self.new_that_conflict(asleep));
                    wakers.iter().any(|at| {
                        let waker = self.frames[*at as usize].left.as_ref();
                        waker.is_some_and(|waker| !waker.clock.has(left.event.id))
                    })
                })
            };
            let found = match &self.frames[place].work {
                Work::Own(todo) => is_stirred(&todo.sleep, &mut wakers),
                Work::Common(node) => {
                    let all = self.shared.look(*node, |node| {
                        let begun = node.begun.iter().map(|begun| Arc::clone(&begun.step));
                        node.sleep.iter().cloned().chain(begun).collect::<Vec<_>>()
                    });
                    // They may be gone when the next is looked at: nothing is remembered about them.
                    all.is_some_and(|all| is_stirred(&all, &mut FxHashMap::default()))
                }
            };
            if found {
                stirred.push(place as u32);
            }
        }
        self.stirred = stirred;
    }

    /// The new events that conflict with a step that sleeps, and are not that step.
    fn new_that_conflict(&self, asleep: &Step) -> SmallVec<[u32; 4]> {
        let new = self.new_from..self.frames.len() - 1;
        let conflicts = |at: &usize| {
            self.frames[*at]
                .left
                .as_ref()
                .is_some_and(|left| !left.event.is(asleep) && dependent(&left.event, asleep))
        };
        new.filter(conflicts).map(|at| at as u32).collect()
    }

    /// Whether the races of the event at `place` are to be looked at again.
    pub(super) fn is_stirred(&self, place: usize) -> bool {
        if self.stirred.binary_search(&(place as u32)).is_ok() {
            return true;
        }
        let Some(left) = &self.frames[place].left else { return false };
        self.anew.iter().any(|at| {
            let anew = self.frames[*at as usize].left.as_ref();
            anew.is_some_and(|anew| !anew.clock.has(left.event.id))
        })
    }
}
