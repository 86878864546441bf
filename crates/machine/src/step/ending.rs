//! The steps of an end: see [`crate::ends`].

use std::rc::Rc;
use std::sync::LazyLock;

use atom::Atom;
use term::{Pid, Ref, Term};

use super::{Effect, Ghost, Label, helpers};
use crate::footprint::{self, Footprint};
use crate::machine::Machine;
use crate::process::{Ending, Process};
use crate::signals::Node;
use crate::state::recycled;

/// Where processes of `proc_lib` keep who started them.
static ANCESTORS: LazyLock<Atom> = LazyLock::new(|| Atom::new("$ancestors"));

impl Machine {
    /// A process that is about to end does the next step of its end.
    pub(super) fn end_step(&mut self, mut whole: Rc<Process>) {
        let step = &mut self.state.step;
        step.log.label = Label::End;
        step.own = whole.step.counters;
        step.ahead = whole.step.ahead;
        let pid = whole.pid;
        let is_quiet = || whole.ends_alone() && self.gives_nothing_back(pid);
        if self.state.step.takes_ends_apart() && !is_quiet() {
            return self.end_apart(whole);
        }
        if whole.is_ending() {
            let ending = &mut recycled::to_change(&mut whole).relations.ending;
            if let Some(table) = ending.tables.pop_front() {
                self.give_up_table(pid, table);
                if !whole.relations.ending.tables.is_empty()
                    || whole.relations.ending.name.is_some()
                {
                    return self.state.node.put_back_whole(whole);
                }
            }
            footprint::gone(pid, &mut self.state.step.log.footprint);
            self.end_process(&whole, true);
            return recycled::give_back(whole);
        }
        let tables = self.state.node.tables.owned_by(pid);
        let (name, steps) =
            (whole.registered, tables.len() + usize::from(whole.registered.is_some()));
        if steps <= 1 {
            footprint::end(&whole, &mut self.state.step.log.footprint);
            self.end_process(&whole, steps > 0);
            return recycled::give_back(whole);
        }
        footprint::begins_to_end(&whole, &mut self.state.step.log.footprint);
        let process = recycled::to_change(&mut whole);
        let by_itself = process.doomed.is_none();
        process.doomed = Some(reason(process));
        let mut tables = tables.into_iter();
        let first = tables.next();
        let tables = tables.collect();
        let ending = Ending { tables, name, by_itself, is_apart: false };
        process.relations.ending = ending.into();
        if let Some(first) = first {
            self.give_up_table(pid, first);
        }
        self.state.node.put_back_whole(whole);
    }

    pub(super) fn give_up_table(&mut self, pid: Pid, table: Ref) {
        if self.state.step.detailed
            && let Some(table) = self.state.node.tables.get(table)
        {
            self.state.step.log.arguments = Some([table.handle()].into());
        }
        Node { code: &self.code, s: &mut self.state, me: None }.give_up_table(pid, table);
    }

    /// With this step the process is gone. `gave_up`: it had a name or tables.
    pub(super) fn end_process(&mut self, process: &Process, gave_up: bool) {
        let (pid, reason) = (process.pid, reason(process));
        self.state.step.effect(Effect::Ended { reason: reason.clone() });
        if process.dictionary.iter().any(|(key, _)| key.is_atom(*ANCESTORS)) {
            self.state.step.ended_supervised.insert(pid);
        } else if let Some(module) = helpers::ends_itself(&self.code, process, &reason) {
            self.state.step.ended_helpers.insert(pid, module);
        }
        if gave_up {
            self.state.step.gave_up.insert(pid);
        }
        self.state.node.alive -= 1;
        Node { code: &self.code, s: &mut self.state, me: None }.end(process, reason, gave_up);
    }

    /// Whether the end of a process that [ends alone](Process::ends_alone) gives nothing back: then
    /// it matters only to who asks whether the process exists.
    pub fn gives_nothing_back(&self, pid: Pid) -> bool {
        self.state.host.quiet != Some(pid)
            && !self.state.holds_anything(pid)
            && (self.state.step.dispossessed.is_void()
                || !self.state.step.dispossessed.contains(&pid))
    }

    /// What the end of a process that ends quietly touches.
    pub fn quiet_end(&self, pid: Pid) -> Footprint {
        let mut footprint = Footprint::default();
        if let Some(process) = self.state.node.process(pid) {
            footprint::end(process, &mut footprint);
        }
        footprint
    }

    /// Whether the end of a process would tell of this monitor, which was removed, in vain.
    pub fn tells_in_vain(&self, pid: Pid, monitor: Ref) -> bool {
        let process = self.state.node.process(pid);
        process.is_some_and(|process| process.monitored_by.contains_key(&monitor))
            && matches!(self.state.step.ghosts.get(&monitor), Some(Ghost::Silenced(_)))
    }

    /// Has the next end of a process, if one is performed next, not tell about these monitors.
    pub fn leave_unheard(&mut self, monitors: &[Ref]) {
        let unheard = &mut self.state.step.unheard;
        if !(unheard.is_void() && monitors.is_empty()) {
            unheard.clear();
            unheard.extend_from_slice(monitors);
        }
    }

    /// Whether a process is about to ask about one that is bound to end: that one answers when it
    /// is gone.
    pub(crate) fn asks_too_early(&self, pid: Pid) -> bool {
        let asked = self.state.node.process(pid).and_then(|process| process.step.asks);
        asked.is_some_and(|asked| self.state.node.is_bound_to_end(asked))
    }
}

/// The reason for which a process ends.
pub(super) fn reason(process: &Process) -> Term {
    let reason = process.doomed.as_ref().or(process.step.ending.as_ref());
    reason.map_or_else(|| Term::from(atom::known::NORMAL), Clone::clone)
}
