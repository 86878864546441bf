//! Dictionaries of processes, when the Machine is driven step by step.
//!
//! A process changes its dictionary between visible actions, and hardly anybody looks at it but the
//! process itself. So `put/2` and `erase/0,1` are no visible actions: what a process puts there
//! after an action it does with that action. Somebody else who looks
//! (`process_info(P, dictionary)`) could have come between the action and the change; the Machine
//! notes that ([`Machine::has_looked_early`]). Who drives it may begin again and
//! [have changes shown](Machine::show_dictionaries): then each is a visible action of its own.
//!
//! Cost: a byte of each process.

use term::Pid;

use super::Stepping;
use crate::footprint::{Access, Class, Kind, Object};
use crate::machine::Machine;
use crate::process::Process;
use crate::state::State;

/// What is known of looks at dictionaries.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Dictionaries {
    are_shown: bool,
    pub(super) has_looked_early: bool,
}

impl Stepping {
    /// Whether changes of dictionaries are visible actions.
    pub(crate) fn shows_dictionaries(&self) -> bool {
        self.dictionaries.are_shown
    }

    /// A process changes its dictionary.
    pub(crate) fn note_change_of_dictionary(&mut self, process: &mut Process) {
        self.touch(Kind::Write, Object::of(Class::Dictionary, process.pid));
        process.step.has_changed_dictionary = true;
        process.step.begins_with_change |= !process.step.has_acted;
    }
}

impl State {
    /// The action that is going on asks a process something: if that is its dictionary, notes
    /// whether it is early.
    pub(super) fn note_look_at_dictionary(&mut self, of: Pid) {
        if self.step.shows_dictionaries() {
            return;
        }
        let look = Access { object: Object::of(Class::Dictionary, of), kind: Kind::Read };
        let has_changed = |it: &Process| it.doomed.is_none() && it.step.has_changed_dictionary;
        self.step.log.looks_early |= self.node.process(of).is_some_and(has_changed)
            && self.step.log.footprint.0.contains(&look);
    }
}

impl Machine {
    /// From now on changes of dictionaries are visible actions.
    pub fn show_dictionaries(&mut self, are_shown: bool) {
        self.state.step.dictionaries.are_shown = are_shown;
    }

    pub fn shows_dictionaries(&self) -> bool {
        self.state.step.shows_dictionaries()
    }

    /// Whether a process changed its dictionary before its first visible action.
    pub fn begins_with_change(&self, pid: Pid) -> bool {
        self.state.node.process(pid).is_some_and(|process| process.step.begins_with_change)
    }

    /// Whether somebody has looked at the dictionary of a process that had changed it since its
    /// last visible action: the look could have come before that.
    #[inline]
    pub fn has_looked_early(&self) -> bool {
        self.state.step.dictionaries.has_looked_early
    }
}
