//! Moments inside of ends that hardly anybody can tell apart.
//!
//! Most ends are one action, or few ([`crate::ends`]). On the BEAM there are moments in between
//! that others notice, but only if they ask about the process itself:
//! * A process is gone before the one that it tells has heard of it: who asks whether it is alive
//!   hears that it is not, and then does something that comes before the news.
//! * It is in `processes()` when its last table or its name is gone.
//! * It begins to end before it gives up the first table. From then on `link/1` says at once that
//!   there is no such process; before, a process that is bound to end answers a new link when it is
//!   gone, and one that is linked already need not answer.
//!
//! Where somebody meets one of them the Machine notes that ([`Machine::has_met_end`]). Who drives
//! it may begin again and [take ends apart](Machine::take_ends_apart): beginning, each table, being
//! gone (with the name), each that is told. An end that tells nobody, of a process that owns
//! nothing and that no signal has bound to end, stays one action: nobody could tell.
//!
//! Cost: an entry for each end that told somebody at once.

use std::collections::BTreeMap;
use std::rc::Rc;

use atom::known;
use term::{Pid, Term};

use super::Stepping;
use crate::footprint;
use crate::machine::Machine;
use crate::ports::process_of;
use crate::process::{Ending, Process};
use crate::sparse::Sparse;
use crate::state::{State, recycled};

/// What is known of moments inside of ends.
#[derive(Clone, Default)]
pub(crate) struct Ends {
    are_apart: bool,
    is_met: bool,
    /// Processes that were gone and told somebody in one action, and whom.
    told_at_once: Sparse<BTreeMap<Pid, Pid>>,
}

impl Ends {
    pub(super) fn become_like(&mut self, other: &Ends) {
        (self.are_apart, self.is_met) = (other.are_apart, other.is_met);
        self.told_at_once.clone_from(&other.told_at_once);
    }
}

impl Stepping {
    /// Whether all steps of ends are actions.
    pub(crate) fn takes_ends_apart(&self) -> bool {
        self.ends.are_apart
    }

    /// After an action that could have come at a moment that is none here.
    #[inline]
    pub(super) fn note_moments(&mut self) {
        self.ends.is_met |= self.log.meets_end;
        self.dictionaries.has_looked_early |= self.log.looks_early;
    }

    /// The end of a process tells another one in the action with which it is gone.
    pub(crate) fn note_told_at_once(&mut self, from: Pid, to: Pid) {
        if self.is_on() && !self.ends.are_apart {
            self.ends.told_at_once.insert(from, to);
        }
    }

    /// A process asks for a link to one that is bound to end and could have begun to, or not.
    pub(crate) fn note_link_to_doomed(&mut self) {
        self.log.meets_end = true;
    }
}

impl State {
    /// A process asks another one about itself, or, with `None`, which processes there are.
    pub(super) fn note_question(&mut self, by: &Process, asked: Option<Pid>) {
        if self.step.ends.are_apart {
            return;
        }
        let (ends, gave_up) = (&self.step.ends, &self.step.gave_up);
        // Who has taken the news knows more than the answer says.
        let is_open = |(from, to): (&Pid, &Pid)| *to != by.pid || has_news_of(by, *from);
        let is_met = match asked {
            Some(asked) => ends.told_at_once.get_key_value(&asked).is_some_and(is_open),
            None => !gave_up.is_void() || ends.told_at_once.iter().any(is_open),
        };
        self.step.log.meets_end |= is_met;
    }
}

/// Whether the news of the end of a process is in a mailbox.
fn has_news_of(process: &Process, ended: Pid) -> bool {
    let is_news = |message: &Term| match message.as_tuple() {
        Some([tag, from, _]) => tag.is_atom(known::EXIT) && process_of(from) == Some(ended),
        Some([_, _, _, from, _]) => process_of(from) == Some(ended),
        _ => false,
    };
    process.mailbox.iter().any(is_news)
}

impl Machine {
    /// From now on all steps of ends are actions.
    pub fn take_ends_apart(&mut self, are_apart: bool) {
        self.state.step.ends.are_apart = are_apart;
    }

    pub fn takes_ends_apart(&self) -> bool {
        self.state.step.takes_ends_apart()
    }

    /// Whether somebody could have come between steps of an end that were one action.
    #[inline]
    pub fn has_met_end(&self) -> bool {
        self.state.step.ends.is_met
    }

    /// The next step of an end that is taken apart.
    pub(super) fn end_apart(&mut self, mut whole: Rc<Process>) {
        let pid = whole.pid;
        if !whole.is_ending() {
            footprint::begins_to_end(&whole, &mut self.state.step.log.footprint);
            if whole.doomed.is_none() && whole.registered.is_none() && self.gives_nothing_back(pid)
            {
                // If nobody were to be told it would be one action.
                footprint::is_to_tell(pid, &mut self.state.step.log.footprint);
            }
            let tables = self.state.node.tables.owned_by(pid).into_iter().collect();
            let process = recycled::to_change(&mut whole);
            let by_itself = process.doomed.is_none();
            process.doomed = Some(super::ending::reason(process));
            let name = process.registered;
            process.relations.ending = Ending { tables, name, by_itself, is_apart: true }.into();
            return self.state.node.put_back_whole(whole);
        }
        if let Some(table) = recycled::to_change(&mut whole).relations.ending.tables.pop_front() {
            self.give_up_table(pid, table);
            return self.state.node.put_back_whole(whole);
        }
        footprint::gone(pid, &mut self.state.step.log.footprint);
        self.end_process(&whole, true);
        recycled::give_back(whole);
    }
}
