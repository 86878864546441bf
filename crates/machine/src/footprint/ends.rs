//! What the steps of an end touch ([`crate::ends`]), and who looks at them.
//!
//! Whether a process exists is one object with a part for each step that others can notice. An end
//! that is one step writes all of it.

use term::Pid;

use super::{Class, Footprint, Kind, Object};
use crate::process::Process;
use crate::state::State;

impl Object {
    /// Whether the end of a process has begun: nothing can be given to it any more.
    pub(crate) const fn begun(pid: Pid) -> Object {
        Object { class: Class::Alive, owner: pid.0 + 1, part: 1 }
    }

    /// Whether a process is gone: it has told, or is telling, those who are to be told.
    pub(crate) const fn gone(pid: Pid) -> Object {
        Object { class: Class::Alive, owner: pid.0 + 1, part: 2 }
    }

    /// What a process answers, itself, to who asks about it; when it is bound to end, not before it
    /// is gone.
    pub const fn answer(pid: Pid) -> Object {
        Object { class: Class::Alive, owner: pid.0 + 1, part: 3 }
    }

    /// Whether all links of a process have been told of its end (instant delivery): monitors are
    /// told after them. Never a race, like all that is on its way.
    pub const fn told(pid: Pid) -> Object {
        Object { class: Class::Route, owner: pid.0.saturating_add(1), part: u64::MAX }
    }
}

/// The end of a process itself, where it is one step; what it does to others is reported when it
/// does.
pub(crate) fn end(process: &Process, f: &mut Footprint) {
    if process.doomed.is_none() {
        f.write(Object::of(Class::Doom, process.pid));
    }
    f.write(Object::of(Class::Alive, process.pid));
    f.add(Kind::Add, Object::all(Class::Processes));
}

/// The first step of several; how many they are depends on what the process owns.
pub(crate) fn begins_to_end(process: &Process, f: &mut Footprint) {
    if process.doomed.is_none() {
        f.write(Object::of(Class::Doom, process.pid));
    }
    f.write(Object::begun(process.pid));
    f.read(Object::of(Class::Owned, process.pid));
}

/// Whether anybody is to be told of the end of a process: others may take links and monitors away.
pub(crate) fn is_to_tell(pid: Pid, f: &mut Footprint) {
    f.read(Object::links(pid));
    f.read(Object::monitors(pid));
}

/// The last step of several.
pub(crate) fn gone(pid: Pid, f: &mut Footprint) {
    f.write(Object::gone(pid));
    f.write(Object::answer(pid));
    f.add(Kind::Add, Object::all(Class::Processes));
}

/// A process answers a question about itself.
pub(super) fn asks(pid: Pid, f: &mut Footprint) {
    f.read(Object::of(Class::Doom, pid));
    f.read(Object::answer(pid));
}

/// A link, where ends are taken apart: whether a process that is bound to end has begun to decides
/// how it is answered.
pub(super) fn links_apart(s: &State, me: Pid, pid: Pid, f: &mut Footprint) {
    f.read(Object::of(Class::Doom, pid));
    match s.node.process(pid) {
        Some(process) if process.doomed.is_none() => {}
        None if pid == me => {}
        Some(process) if !process.is_ending() => {
            f.read(Object::begun(pid));
            f.read(Object::gone(pid));
        }
        _ => f.read(Object::begun(pid)),
    }
}

/// A link or a monitor, on behalf of `me`. One that is bound to end answers that it does not exist:
/// to who waits for that at once, unless it has a name or tables to give up; otherwise when it is
/// gone.
pub(super) fn asks_to_be_told(s: &State, me: Pid, pid: Pid, waits: bool, f: &mut Footprint) {
    f.read(Object::of(Class::Doom, pid));
    if s.takes_ends_apart() {
        let is_bound = |it: &Process| it.doomed.is_some();
        if s.node.process(pid).map_or(pid != me, is_bound) {
            f.read(Object::gone(pid));
        }
        return;
    }
    let gives_up = match s.node.process(pid) {
        Some(process) if process.doomed.is_none() => return,
        Some(process) => s.has_to_give_up(process),
        None if pid == me => return,
        None => s.had_to_give_up(pid),
    };
    if waits {
        f.read(Object::name_of(pid));
        f.read(Object::of(Class::Owned, pid));
    }
    if gives_up || !waits {
        f.read(Object::gone(pid));
    }
}
