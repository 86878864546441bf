//! Ends of processes that nobody notices.
//!
//! Most processes end normally without telling anybody: no link, no monitor, no name, no table. Such an end
//! is put off until nothing else can be done. If then no event of the execution conflicts with it but
//! those that it comes after anyway, it races with nothing and nothing comes of it: it is left
//! out of the search, and of what has to be done again. Who wants the whole execution gets it back
//! ([`Execution::ends`](crate::Execution::ends)): it could have been anywhere after the last event of its
//! process.
//!
//! An end that somebody may notice is an event like any other; when it is put off, that is just one of the orders in which
//! the search may take independent events.
//!
//! Cost: a look at the process, and what it costs to find the races of an event if some event of the execution
//! touches the life of the process. Taking an end as an event would cost several times that.

use std::sync::Arc;

use machine::Pid;
use machine::step::{Actor, Label};
use smallvec::SmallVec;

use super::Search;
use crate::clock::Clock;
use crate::dependence::conflicting;
use crate::event::{Event, Id, Step, Take};

impl Search {
    /// The end of a process that ends quietly, as the step that it would be.
    fn quiet_end(&self, pid: Pid) -> Option<Step> {
        let actor = Actor::Process(pid);
        let id = self.next_id(actor)?;
        let made_by = self.made_by[id.actor as usize];
        Some(Step::new(id, actor, Take::Nothing, made_by, self.machine.quiet_end(pid)))
    }

    /// Whether a process is about to end and that may be put off.
    pub(super) fn may_put_off(&self, pid: Pid) -> bool {
        self.machine.ends_alone(pid)
    }

    /// Whether the end of a process that was put off is an event, after all.
    pub(super) fn is_noticed(&self, pid: Pid) -> bool {
        if !self.machine.ends_quietly(pid) {
            return true;
        }
        if !self.index.may_notice_end(pid) {
            return false;
        }
        let Some(step) = self.quiet_end(pid) else { return true };
        let before = self.left(step.before()).map(|left| &left.clock);
        let is_before = |id: Id| before.is_some_and(|clock| clock.has(id));
        let mut candidates = self.index.candidates(&step, |of| self.places_of(of)).descending();
        candidates.any(|place| {
            let left = self.frames[place as usize].left.as_ref();
            left.is_some_and(|left| !is_before(left.event.id) && conflicting(&left.event, &step))
        })
    }

    /// At the end of an execution: the ends that were left out.
    pub(super) fn ends_left_out(&self) -> Vec<(Event, Clock)> {
        let quiet = self.machine.state.pids().filter(|pid| self.machine.ends_quietly(*pid));
        let end = |pid: Pid| {
            let step = self.quiet_end(pid)?;
            let before = self.left(step.before());
            let mut clock = before.map_or_else(Clock::default, |left| left.clock.clone());
            clock.set(step.id);
            let event = Event {
                step: Arc::new(step),
                label: Label::End,
                pc: self.machine.place(pid)?,
                puts: SmallVec::new(),
                doomed: SmallVec::new(),
                cancelled: SmallVec::new(),
                silenced: None,
                seen: Vec::new(),
                ended: Some(machine::Term::from(atom::known::NORMAL)),
            };
            Some((event, clock))
        };
        quiet.filter_map(end).collect()
    }
}
