//! The end of a process, and the steps that others can tell apart.
//!
//! On the BEAM an end is not one action. A process that ends gives up its tables, one by one, the
//! oldest first (each goes to its heir or away), then its name; then it is gone, and tells those
//! who are linked to it, one after the other, then those who monitor it. Whoever asks for a link or
//! a monitor after the end is decided hears that there is no such process, but not before the
//! process is gone; who asks whether it is alive waits for that.
//!
//! Driven step by step, the Machine has these steps:
//! * Giving up a table or the name is an action of the process, the last of which is also the one
//!   with which it is gone. So an end with at most one table or a name is one action.
//! * What it tells then is on its way ([`crate::flight`]), to each in no order but that the exit
//!   signals to links are before the `'DOWN'`s. (The order on the BEAM is that of a tree or a list
//!   which programs cannot know.) With instant delivery an end that has only one to tell, and had
//!   neither table nor name, tells it at once: nobody could tell the two steps apart without asking
//!   about the process itself. Nor does an exit signal travel that has no effect: the reason is
//!   `normal` and the receiver does not trap exits.
//!
//! Other moments that only questions about the process itself can show are actions where somebody
//! asks such questions (`step/apart.rs`). What is not shown: that the name is gone a moment before
//! the process is missing in `processes()`.
//!
//! Running freely, an end is one action.

use atom::known;
use term::{Pid, Ref, Term};

use crate::flight::Signal;
use crate::footprint::{Class, Kind, Object, tables};
use crate::io_service::Devices;
use crate::process::Process;
use crate::signals::Node;
use crate::state::State;

/// What the end of a process tells somebody.
#[derive(Clone, Debug)]
pub(crate) enum Telling {
    Exit {
        from: Pid,
        to: Pid,
        reason: Term,
        linked: bool,
    },
    /// Left out: the driver has no use for it
    /// ([`Machine::leave_unheard`](crate::Machine::leave_unheard)).
    Down {
        from: Pid,
        watcher: Pid,
        reference: Ref,
        reason: Term,
        is_left_out: bool,
    },
}

impl Telling {
    fn to(&self) -> Pid {
        let (Telling::Exit { to, .. } | Telling::Down { watcher: to, .. }) = self;
        *to
    }
}

impl State {
    /// Whether a process has something that it gives up before it is gone.
    pub(crate) fn has_to_give_up(&self, process: &Process) -> bool {
        process.registered.is_some()
            || process.is_ending()
            || self.node.tables.has_owner(process.pid)
    }
}

impl Node<'_> {
    /// Whether something can be given to a process: it exists and has not begun to end.
    pub(crate) fn accepts(&self, pid: Pid) -> bool {
        self.is_me(pid) || self.process(pid).is_some_and(|process| !process.is_ending())
    }

    /// Whether a process that is bound to end says so only when it is gone. To who `waits` for it,
    /// only if it has something to give up before: nobody could tell otherwise.
    pub(crate) fn answers_late(&self, pid: Pid, waits: bool) -> bool {
        let is_apart = self.s.takes_ends_apart();
        let is_late =
            |it: &Process| it.doomed.is_some() && (!waits || is_apart || self.s.has_to_give_up(it));
        self.s.is_driven() && self.process(pid).is_some_and(is_late)
    }

    /// Monitors a process that is bound to end.
    pub(crate) fn monitor_late(&mut self, watcher: Pid, reference: Ref, target: Pid) {
        if let Some(process) = self.process_mut(target) {
            process.monitored_by.insert(reference, watcher);
            process.relations.late_monitors.insert(reference);
        }
    }

    /// Links two processes, if the other is there.
    pub(crate) fn link_if_there(&mut self, me: Pid, other: Pid) -> bool {
        let is_there = self.answers(other) || Devices::is_service(other);
        if is_there {
            self.link(me, other);
        }
        is_there
    }

    /// Links a process to one that is bound to end, which answers when it is gone.
    pub(crate) fn link_late(&mut self, me: Pid, other: Pid) {
        if let Some(process) = self.process_mut(other)
            && !process.relations.links.contains(&me)
        {
            process.relations.late_links.insert(me);
        }
        self.link(me, other);
    }

    /// Where ends are taken apart: whether a link to a process that is bound to end is there
    /// already, or is made and will be answered when that is gone, because it has not begun to end.
    pub(crate) fn is_linked_late(&mut self, me: Pid, other: Pid) -> bool {
        let Some(process) = self.process(other).filter(|it| !it.is_ending()) else { return false };
        if !process.relations.links.contains(&me) {
            self.link_late(me, other);
        }
        true
    }

    /// Notes that a link is asked for to a process that is bound to end, where it matters whether
    /// that has begun to.
    pub(crate) fn note_link_to_doomed(&mut self, me: Pid, other: Pid) {
        let matters = |it: &Process| it.relations.links.contains(&me) || self.s.has_to_give_up(it);
        if self.process(other).is_some_and(matters) {
            self.s.note_link_to_doomed();
        }
    }

    /// A process that ends gives up one of its tables.
    pub(crate) fn give_up_table(&mut self, pid: Pid, id: Ref) {
        if self.s.node.tables.get(id).is_none_or(|table| table.owner != pid) {
            // Somebody deleted it meanwhile.
            return self.s.touch(Kind::Read, tables::whole(id));
        }
        self.s.touch_end_of_table(id);
        let mut tables = std::mem::take(&mut self.s.node.tables);
        let inherited = tables.owner_ended(id, pid, |heir| self.accepts(heir));
        self.s.node.tables = tables;
        self.tell_heirs(pid, inherited);
    }

    /// A process has ended and is out of the table. `gave_up`: it had a name or tables.
    pub(crate) fn end(&mut self, process: &Process, reason: Term, gave_up: bool) {
        let mut tellings = self.bury(process, reason);
        let is_apart = self.s.takes_ends_apart();
        let is_one_step = tellings.is_empty() || (tellings.len() == 1 && !gave_up && !is_apart);
        if !is_one_step && self.s.is_driven() && self.s.is_instant() {
            let (heard, mut at_once): (Vec<_>, Vec<_>) =
                tellings.into_iter().partition(|it| self.is_heard(it));
            if gave_up || is_apart || heard.len() > 1 {
                heard.into_iter().for_each(|telling| self.send_telling(telling));
            } else {
                at_once.extend(heard);
            }
            tellings = at_once;
        }
        for telling in tellings {
            if !self.s.travels(process.pid, telling.to()) {
                self.s.note_told_at_once(process.pid, telling.to());
            }
            match telling {
                Telling::Exit { from, to, reason, linked } => {
                    // Where signals travel, what they do is decided when they arrive.
                    if !self.s.travels(from, to) {
                        self.touch_link(from, to, &reason);
                    }
                    self.exit_signal(from, to, reason, linked);
                }
                // Who asks for the monitors of the other is not told apart from who could see it.
                Telling::Down { watcher, is_left_out: true, .. } => {
                    self.s.touch(Kind::Add, Object::monitors(watcher));
                }
                Telling::Down { from, watcher, reference, reason, .. } => {
                    self.down_signal(from, watcher, reference, reason);
                }
            }
        }
    }

    /// The end of a process tells one that is linked to it at once: two such ends commute if both
    /// are normal.
    fn touch_link(&mut self, from: Pid, to: Pid, reason: &Term) {
        let link = Object::link(from, to);
        match reason.is_atom(known::NORMAL) {
            true => self.s.assign(link, reason),
            false => self.s.touch(Kind::Write, link),
        }
    }

    /// Whether somebody may notice what the end of a process tells.
    fn is_heard(&mut self, telling: &Telling) -> bool {
        let Telling::Exit { to, reason, .. } = telling else { return true };
        if !reason.is_atom(known::NORMAL) {
            return true;
        }
        self.s.touch(Kind::Read, Object::of(Class::Trap, *to));
        self.traps(*to)
    }

    fn send_telling(&mut self, telling: Telling) {
        match telling {
            Telling::Exit { from, to, reason, linked } => {
                self.set_off((from, to), Signal::Exit { reason, linked });
            }
            // It has its number all the same: those of the others are the same in a run that leaves
            // nothing out.
            Telling::Down { from, is_left_out: true, .. } => self.s.skip_signal(from),
            Telling::Down { from, watcher, reference, reason, .. } => {
                self.set_off((from, watcher), Signal::Down { reference, reason });
            }
        }
    }
}
