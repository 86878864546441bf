//! Readings of clocks that may find the same time as the one before them (`model/ties.rs`).

use std::sync::Arc;

use machine::step::Actor;

use super::Search;
use super::remainder::Remainder;
use crate::event::{Step, Take};
use crate::ties;

impl Search {
    /// Whether an actor is about to read a clock and may find the same time as the last reading.
    pub(super) fn may_tie(&self, actor: Actor) -> bool {
        let Actor::Process(pid) = actor else { return false };
        if !self.machine.may_tie(pid) {
            return false;
        }
        let before = self.executed(self.last_of(actor));
        let executed = self.frames.iter().rev().filter_map(|frame| frame.executed.as_ref());
        let steps = executed.map(|executed| (executed.event.id, &*executed.event.step));
        ties::are_apart(steps, |id| before.is_some_and(|before| before.clock.has(id)))
    }

    /// Plans that the reading at `place` finds the other time.
    pub(super) fn other_time(&mut self, place: usize) {
        let Some(executed) = &self.frames[place].executed else { return };
        let step = &executed.event.step;
        let take = if step.take == Take::Tie { Take::Nothing } else { Take::Tie };
        let other = with_take(step, take);
        self.plan_exactly(&Remainder::without(place, step.id), other);
    }
}

/// A step that is to come before another: if it is a reading, what it would tie with may not be
/// there.
pub(super) fn untied(step: Arc<Step>) -> Arc<Step> {
    if step.take == Take::Tie { with_take(&step, Take::Nothing) } else { step }
}

fn with_take(step: &Step, take: Take) -> Arc<Step> {
    let footprint = step.footprint().clone();
    Arc::new(Step::new(step.id, step.actor, take, step.made_by, footprint))
}
