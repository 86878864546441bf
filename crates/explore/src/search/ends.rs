//! Ends of processes that nobody notices.
//!
//! Most processes end normally without telling anybody: no link, no monitor, no name, no table.
//! Such an end is put off until nothing else can be done. If nobody ever touches the life of the
//! process (asks whether it exists, monitors it, sends it an exit signal, …) the end depends on
//! nothing but the process's own events: it is left out of the search. Who wants the whole
//! execution gets it back ([`Execution::ends`](crate::Execution::ends)): it could have been
//! anywhere after the other events of its process.
//!
//! "Nobody ever" means no event of any execution, and no step that is planned
//! ([`Lives`](crate::lives::Lives)). It is known whose life is touched when the first execution
//! ends, and taken for granted then. Should it turn out otherwise later, then what was explored so
//! far relied on something that does not hold (that one branch covers another, because an end in
//! the second is independent of the first, and will come there, too): the search stops, and has to
//! be done again with all ends ([`Statistics::again`](crate::Statistics)). That is rare: what
//! touches the life of a process does so in most executions.
//!
//! Cost: a look at each process that is about to end, and a set of those that are watched.

use machine::step::Actor;
use machine::{Pid, Process};
use rustc_hash::FxHashSet;

use super::Search;
use crate::event::{Event, Step};
use crate::lives;

/// What a search knows of it.
pub(super) struct Known {
    owners: FxHashSet<u64>,
    is_final: bool,
    /// Whether ends are left out at all.
    are_left_out: bool,
}

impl Known {
    pub(super) fn new(are_left_out: bool) -> Known {
        Known { owners: FxHashSet::default(), is_final: false, are_left_out }
    }
}

impl Search {
    /// Notes whose life a step touches that was taken, or is to be.
    pub(super) fn note_lives(&mut self, step: &Step) {
        if !self.ends.are_left_out {
            return;
        }
        for owner in lives::touched_by(step) {
            if self.ends.owners.insert(owner) {
                self.shared.note_life(owner);
            }
        }
    }

    /// Before an execution: learns what other workers have found out.
    pub(super) fn learn_lives(&mut self) {
        if self.ends.are_left_out
            && !self.ends.is_final
            && let Some(owners) = self.shared.known_lives()
        {
            self.ends.owners = owners;
            self.ends.is_final = true;
        }
    }

    /// An execution has come to its end.
    pub(super) fn conclude_lives(&mut self) {
        if self.ends.are_left_out && !self.ends.is_final {
            self.shared.conclude_lives();
            self.ends.is_final = true;
        }
    }

    /// Whether a process is about to end and that may be put off.
    pub(super) fn may_put_off(&self, process: &Process) -> bool {
        self.ends.are_left_out && process.ends_alone()
    }

    /// Whether the end of a process that may be put off may be left out.
    pub(super) fn is_left_out(&self, pid: Pid) -> bool {
        lives::is_left_out(&self.machine, pid, &self.ends.owners)
    }

    /// At the end of an execution: the ends that were left out.
    pub(super) fn ends_left_out(&self) -> Vec<Event> {
        let end = |pid: Pid| {
            let id = self.next_id(Actor::Process(pid))?;
            let made_by = self.made_by[id.actor as usize];
            lives::quiet_end(&self.machine, pid, id, made_by)
        };
        let is_quiet = |it: &&Process| self.may_put_off(it) && self.is_left_out(it.pid);
        let quiet = self.machine.standing().filter(is_quiet);
        quiet.filter_map(|process| end(process.pid)).collect()
    }
}
