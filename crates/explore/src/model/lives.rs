//! Whose life is touched by others, as all workers of a search know it. `search/ends.rs` says what
//! for.

use std::sync::Arc;

use machine::footprint::{Access, Class, Kind};
use machine::step::{Actor, Label};
use machine::{Machine, Pid};
use rustc_hash::FxHashSet;

use crate::event::{Event, Id, Step, Take};

/// Classes of objects that say whether a process exists and what it does.
const LIFE: u32 =
    Class::Alive.bit() | Class::Doom.bit() | Class::Local.bit() | Class::Processes.bit();

/// Whether an access conflicts with the quiet end of the owner of its object.
fn touches_life(access: Access) -> bool {
    match access.object.class {
        Class::Everything | Class::Alive | Class::Doom | Class::Local => true,
        Class::Processes => access.kind != Kind::Add,
        _ => false,
    }
}

/// The owners of the lives that a step touches, other than that of its own actor.
pub(crate) fn touched_by(step: &Step) -> impl Iterator<Item = u64> + '_ {
    let classes = step.classes().iter().fold(0, |all, kind| all | kind);
    let own = match step.actor {
        Actor::Process(pid) => Some(pid.0 + 1),
        Actor::Timer(_) | Actor::Signal(_) => None,
    };
    let accesses = if classes & LIFE == 0 { &[][..] } else { &step.footprint().0[..] };
    let touched = accesses.iter().filter(|access| touches_life(**access));
    touched.map(|access| access.object.owner).filter(move |owner| Some(*owner) != own)
}

/// Whether the end of a process that ends alone may be left out, if these are watched.
pub(crate) fn is_left_out(machine: &Machine, pid: Pid, watched: &FxHashSet<u64>) -> bool {
    let is_watched =
        !watched.is_empty() && (watched.contains(&(pid.0 + 1)) || watched.contains(&0));
    !is_watched && machine.gives_nothing_back(pid)
}

/// The end of a process that was left out.
pub(crate) fn quiet_end(machine: &Machine, pid: Pid, id: Id, made_by: Id) -> Option<Event> {
    let footprint = machine.quiet_end(pid);
    let step = Step::new(id, Actor::Process(pid), Take::Nothing, made_by, footprint);
    let mut event = Event::of(Arc::new(step), Label::End, machine.place(pid)?);
    event.ended = Some(machine::Term::from(atom::known::NORMAL));
    Some(event)
}

/// Whose life was touched by others: numbers of processes and one, 0 for any.
#[derive(Default, Debug)]
pub(crate) struct Lives {
    owners: FxHashSet<u64>,
    /// Whether an execution has come to its end: from then on it is taken for granted.
    is_final: bool,
}

impl Lives {
    /// Notes that a life is touched. `false` if it is too late for that.
    pub(crate) fn note(&mut self, owner: u64) -> bool {
        !self.owners.insert(owner) || !self.is_final
    }

    /// An execution has come to its end.
    pub(crate) fn conclude(&mut self) {
        self.is_final = true;
    }

    /// Once an execution has come to its end.
    pub(crate) fn known(&self) -> Option<FxHashSet<u64>> {
        self.is_final.then(|| self.owners.clone())
    }
}
