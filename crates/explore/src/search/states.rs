//! States on the way: made again when they are needed.
//!
//! The search runs one Machine. To come back to an earlier state it takes the closest copy before
//! it and does the events in between again, which is deterministic. Copies are made on that
//! occasion, at states from which something is left to be explored: at the last few, and from there
//! back at distances that double. So a long execution without alternatives has one copy, that of
//! its beginning, and a state to which the search comes back is never far from one.
//!
//! Executions are like each other: if the last state at some depth had alternatives, the next one
//! at that depth is likely to have some, too. It is copied on the way ([`Search::copy_ahead`]), so
//! that the search comes back to it without doing anything again. Of these copies there are a few
//! at most.
//!
//! Code is no part of a state: what was loaded once is loaded for all.
//!
//! Cost: copying a state copies no process; a process is copied when it runs next, or when the
//! Machine goes back from a state in which it had run. Doing an event
//! again costs what the process computes, without any of the search's own work.

use machine::footprint::Footprint;
use machine::step::{Actor, Choice, Next, Prober};
use machine::{Machine, Process, Repeat};

use super::{Executed, Frame, Search, Work};
use crate::event::Event;
use crate::repeat;

/// How many of the last states with alternatives are copied in any case.
const CLOSE: usize = 8;

/// How many copies there are at most before no more are made on the way.
const MOST: usize = 64;

/// Of which states copies are kept.
#[derive(Default)]
pub(super) struct Copies {
    count: usize,
    /// For each depth whether the last state there had alternatives.
    expected: Vec<bool>,
}

/// What an actor was about to do in an earlier state.
pub(crate) struct Glimpse {
    pub(crate) next: Next,
    /// What it would have touched, unless it was in a receive.
    pub(crate) footprint: Footprint,
    /// Whether a monitor that it held back would have had to arrive before it times out waiting.
    pub(crate) holds: bool,
    /// If it was in a receive.
    pub(crate) prober: Option<Prober>,
}

fn again(machine: &mut Machine, frame: &Frame) {
    if let Some(executed) = &frame.executed {
        match &executed.look {
            Some(look) => {
                machine.perform_look(executed.event.actor, look.0, &look.1);
            }
            None => {
                machine.leave_unheard(&executed.needless_downs);
                machine.act(executed.event.actor, executed.choice);
                machine.log().clear();
            }
        }
    }
}

/// Has every process stand before its next action.
fn settle(machine: &mut Machine) {
    let mut pid = 0;
    while let Some(next) = machine.pid_from(pid) {
        machine.settle(next);
        pid = next.0 + 1;
    }
}

impl Search {
    /// Keeps a copy of the state at `place`, which is that of the Machine.
    fn keep_copy(&mut self, place: usize) {
        let copy = Box::new(self.machine.copy_state());
        if self.frames[place].copy.replace(copy).is_none() {
            self.copies.count += 1;
        }
    }

    /// Keeps a copy of the last state, before it is left for the first time, if the search will
    /// probably come back to it.
    pub(super) fn copy_ahead(&mut self) {
        let place = self.frames.len() - 1;
        if self.copies.expected.get(place) == Some(&true)
            && self.copies.count < MOST
            && self.frames[place].copy.is_none()
        {
            self.keep_copy(place);
        }
    }

    /// Takes the last state away, of which nothing is left to be explored.
    pub(super) fn pop_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let place = self.frames.len();
        self.copies.count -= usize::from(frame.copy.is_some());
        if let Work::Own(todo) = &frame.work {
            if self.copies.expected.len() <= place {
                self.copies.expected.resize(place + 1, false);
            }
            self.copies.expected[place] = todo.begun > 1;
        }
    }

    fn copy_before(&self, place: usize) -> usize {
        (0..=place).rev().find(|at| self.frames[*at].copy.is_some()).unwrap_or(0)
    }

    /// Makes the Machine that of the last frame, to go on from there with a branch that was taken.
    pub(super) fn rewind(&mut self) {
        let place = self.frames.len() - 1;
        let from = self.copy_before(place);
        let again_needed = from < place || from == 0 || self.pending(from) > 0;
        let frame = &mut self.frames[from];
        match (&frame.copy, again_needed) {
            (Some(copy), true) => self.machine.go_back(copy),
            _ => match frame.copy.take() {
                Some(copy) => {
                    self.machine.go_back_for_good(*copy);
                    self.copies.count -= 1;
                }
                None => return,
            },
        }
        // States on the way that have alternatives, counted from the last.
        let mut ahead = (from + 1..place).filter(|at| self.pending(*at) > 0).count();
        for at in from..place {
            again(&mut self.machine, &self.frames[at]);
            let waits = self.pending(at + 1) > 0;
            let keep = if at + 1 == place || !waits {
                waits
            } else {
                // Others may plan meanwhile.
                ahead = ahead.saturating_sub(1);
                ahead < CLOSE || (ahead + 1).is_power_of_two()
            };
            if keep {
                // Whoever goes on from the copy need not do that again.
                settle(&mut self.machine);
                self.keep_copy(at + 1);
            }
        }
        settle(&mut self.machine);
    }

    /// The state at `place`.
    pub(super) fn state_at(&self, place: usize) -> Option<Machine> {
        let from = self.copy_before(place);
        let mut machine = self.machine.in_state(self.frames[from].copy.as_deref()?);
        for at in from..place {
            again(&mut machine, &self.frames[at]);
        }
        Some(machine)
    }

    /// What an actor was about to do in the state at `place`.
    pub(super) fn glimpse(&self, place: usize, actor: Actor) -> Option<Glimpse> {
        let mut machine = self.state_at(place)?;
        let (next, prober) = match actor {
            Actor::Process(pid) => (machine.next(pid), machine.prober(pid)),
            Actor::Timer(_) | Actor::Signal(_) => (Next::Act, None),
        };
        let holds = match actor {
            Actor::Process(pid) => machine.process(pid).is_some_and(Process::holds_while_waiting),
            Actor::Timer(_) | Actor::Signal(_) => false,
        };
        let footprint = match next {
            Next::Act | Next::End => machine.perform(actor, Choice::Act).map(|d| d.log.footprint),
            _ => None,
        };
        Some(Glimpse { next, footprint: footprint.unwrap_or_default(), holds, prober })
    }

    /// Whether the execution so far comes back to one of its states.
    pub(super) fn repeats(&self) -> Option<Repeat> {
        let machine = self.machine.in_state(self.frames[0].copy.as_deref()?);
        let executed_events: Vec<&Executed> =
            self.frames.iter().filter_map(|f| f.executed.as_deref()).collect();
        let events: Vec<&Event> = executed_events.iter().map(|executed| &executed.event).collect();
        repeat::find(machine, &events, |machine, nth| {
            machine.perform(executed_events[nth].event.actor, executed_events[nth].choice);
            for put in &executed_events[nth].event.puts {
                machine.next(put.to);
            }
        })
    }
}
