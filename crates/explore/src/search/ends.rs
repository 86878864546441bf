//! Ends of processes that nobody notices.
//!
//! Most processes end normally without telling anybody: no link, no monitor, no name, no table. Such an end
//! is put off until nothing else can be done. If nobody ever touches the life of the process (asks whether it
//! exists, monitors it, sends it an exit signal, …) the end depends on nothing but the process's own
//! events: it is left out of the search. Who wants the whole execution gets it back
//! ([`Execution::ends`](crate::Execution::ends)): it could have been anywhere after the other events
//! of its process.
//!
//! "Nobody ever" means no event of any execution, and no step that is planned ([`Lives`](crate::lives::Lives)). It is known whose life is
//! touched when the first execution ends, and taken for granted then. Should it turn out otherwise later, then what
//! was explored so far relied on something that does not hold (that one branch covers another, because an end in
//! the second is independent of the first, and will come there, too): the search stops, and has to be done again
//! with all ends ([`Statistics::again`](crate::Statistics)). That is rare: what touches the life of a process
//! does so in most executions.
//!
//! Cost: a look at each process that is about to end, and a set of those that are watched.

use std::sync::Arc;

use machine::Pid;
use machine::footprint::{Access, Class, Kind};
use machine::step::{Actor, Label};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::Search;
use crate::clock::Clock;
use crate::event::{Event, Step, Take};

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

/// Classes of objects that say whether a process exists and what it does.
const LIFE: u32 = 1 << Class::Alive as u32
    | 1 << Class::Doom as u32
    | 1 << Class::Local as u32
    | 1 << Class::Processes as u32;

/// Whether an access conflicts with the quiet end of the owner of its object.
fn touches_life(access: Access) -> bool {
    match access.object.class {
        Class::Everything | Class::Alive | Class::Doom | Class::Local => true,
        Class::Processes => access.kind != Kind::Add,
        _ => false,
    }
}

impl Search {
    /// Notes whose life a step touches that was taken, or is to be.
    pub(super) fn note_lives(&mut self, step: &Step) {
        let classes = step.classes().iter().fold(0, |all, kind| all | kind);
        if classes & LIFE == 0 || !self.ends.are_left_out {
            return;
        }
        let own = match step.actor {
            Actor::Process(pid) => Some(pid.0 + 1),
            Actor::Timer(_) | Actor::Signal(_) => None,
        };
        for access in step.footprint().0.iter().filter(|access| touches_life(**access)) {
            let owner = access.object.owner;
            if Some(owner) != own && self.ends.owners.insert(owner) {
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
    pub(super) fn may_put_off(&self, pid: Pid) -> bool {
        self.ends.are_left_out && self.machine.ends_alone(pid)
    }

    /// Whether the end of a process that may be put off may be left out.
    pub(super) fn is_left_out(&self, pid: Pid) -> bool {
        let watched = &self.ends.owners;
        let is_watched =
            !watched.is_empty() && (watched.contains(&(pid.0 + 1)) || watched.contains(&0));
        !is_watched && self.machine.gives_nothing_back(pid)
    }

    /// At the end of an execution: the ends that were left out.
    pub(super) fn ends_left_out(&self) -> Vec<(Event, Clock)> {
        let end = |pid: Pid| {
            let actor = Actor::Process(pid);
            let id = self.next_id(actor)?;
            let made_by = self.made_by[id.actor as usize];
            let step = Step::new(id, actor, Take::Nothing, made_by, self.machine.quiet_end(pid));
            let before = self.left(step.before());
            let mut clock = before.map_or_else(Clock::default, |left| left.clock.clone());
            clock.set(id);
            let event = Event {
                step: Arc::new(step),
                label: Label::End,
                pc: self.machine.place(pid)?,
                puts: SmallVec::new(),
                doomed: SmallVec::new(),
                cancelled: SmallVec::new(),
                set_off: SmallVec::new(),
                silenced: None,
                seen: Vec::new(),
                ended: Some(machine::Term::from(atom::known::NORMAL)),
            };
            Some((event, clock))
        };
        let is_quiet = |pid: &Pid| self.may_put_off(*pid) && self.is_left_out(*pid);
        let quiet = self.machine.state.pids().filter(is_quiet);
        quiet.filter_map(end).collect()
    }
}
