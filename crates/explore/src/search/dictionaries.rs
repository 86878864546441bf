//! Looks at the dictionary of a process that could have come before it was changed.
//!
//! What a process puts into its dictionary after a visible action is part of that event
//! (`machine::step::dictionary`). A look that comes after the event, and after nothing else that
//! the process did, could have come before the change.

use machine::Pid;
use machine::footprint::{Access, Class, Kind};

use super::{Executed, Search};
use crate::clock::Clock;
use crate::event::Step;

fn touches(step: &Step, kind: Kind) -> impl Iterator<Item = Pid> {
    let is_it = move |it: &&Access| it.object.class == Class::Dictionary && it.kind == kind;
    let owners = step.footprint().0.iter().filter(is_it).map(|it| it.object.owner.checked_sub(1));
    owners.flatten().map(Pid)
}

impl Search {
    /// Whether a step looks at the dictionary of a process, and could have come between an action
    /// of that and a change of the dictionary which belongs to it. `clock` is what is before the
    /// step.
    pub(super) fn looks_early(&self, step: &Step, clock: &Clock) -> bool {
        !self.machine.shows_dictionaries()
            && touches(step, Kind::Read).any(|pid| self.may_have_changed_last(pid, clock))
    }

    fn may_have_changed_last(&self, pid: Pid, clock: &Clock) -> bool {
        let is_before = |place: &&u32| {
            let executed = self.frames[**place as usize].executed.as_ref();
            executed.is_some_and(|executed| clock.has(executed.event.id))
        };
        let changes = |it: &Executed| touches(&it.event, Kind::Write).any(|of| of == pid);
        match self.places_of(pid.0).iter().rev().find(is_before) {
            Some(last) => self.frames[*last as usize].executed.as_deref().is_some_and(changes),
            None => self.machine.begins_with_change(pid),
        }
    }
}
