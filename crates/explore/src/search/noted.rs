//! Places of those events of the current execution at which something is looked for in every
//! execution.
//!
//! Executions are long, and differ from each other in their last few events: whoever looks for
//! something in all of them finds here where it can be.
//!
//! Cost: a word for each such event.

use machine::step::Actor;

use super::Executed;

/// Places, in the order of the execution.
#[derive(Default)]
pub(super) struct Noted {
    /// Events that race with others, or cancelled timers.
    pub(super) races: Vec<u32>,
    /// Events whose signals are going to end processes.
    pub(super) dooms: Vec<u32>,
    /// Ends of processes.
    pub(super) ends: Vec<u32>,
    /// Arrivals of signals.
    pub(super) arrivals: Vec<u32>,
    /// Removals of monitors whose messages are not wanted any more.
    pub(super) silencing: Vec<u32>,
}

fn races(executed: &Executed) -> bool {
    !executed.races.is_empty() || !executed.event.cancelled.is_empty()
}

fn is_arrival(executed: &Executed) -> bool {
    matches!(executed.event.actor, Actor::Signal(_))
}

impl Noted {
    /// An event is added to the execution.
    pub(super) fn push(&mut self, executed: &Executed, place: u32) {
        if races(executed) {
            self.races.push(place);
        }
        if !executed.event.doomed.is_empty() {
            self.dooms.push(place);
        }
        if executed.event.ended.is_some() {
            self.ends.push(place);
        }
        if is_arrival(executed) {
            self.arrivals.push(place);
        }
        if executed.event.silenced.is_some() {
            self.silencing.push(place);
        }
    }

    /// The last event is taken away.
    pub(super) fn pop(&mut self, executed: &Executed) {
        if races(executed) {
            self.races.pop();
        }
        if !executed.event.doomed.is_empty() {
            self.dooms.pop();
        }
        if executed.event.ended.is_some() {
            self.ends.pop();
        }
        if is_arrival(executed) {
            self.arrivals.pop();
        }
        if executed.event.silenced.is_some() {
            self.silencing.pop();
        }
    }
}
