//! All schedules of a call, each under a watcher.
//!
//! The search ([`explore::Search`]) goes back and forth between states, which nobody who follows
//! processes could follow; so each execution that it finds is run again from the start, as the
//! schedule that a witness of it would hold.

use std::rc::Rc;

use explore::schedule::{Schedule, follow};
use explore::{Bounds, Execution, Search, Statistics};
use machine::Machine;

use crate::watcher::Watcher;

/// Explores from a Machine that is about to begin, driven step by step. `keep_on` looks at each
/// execution before it is watched; without its consent it is not, and the search ends. Says what
/// the search says, and how many executions could not be followed to their ends.
pub fn watch_all(
    machine: &Machine,
    bounds: Bounds,
    watcher: &Rc<Watcher>,
    mut keep_on: impl FnMut(&Execution<'_>) -> bool,
) -> (Statistics, u64) {
    let mut lost = 0;
    let mut search = Search::new(machine.clone(), bounds);
    let statistics = search.run(|execution| {
        let goes_on = keep_on(execution);
        if goes_on && !watch(machine, &execution.schedule(), watcher) {
            lost += 1;
        }
        goes_on
    });
    (statistics, lost)
}

/// Runs one schedule under a watcher; whether all of it was possible.
fn watch(machine: &Machine, schedule: &Schedule, watcher: &Rc<Watcher>) -> bool {
    let mut machine = machine.clone();
    watcher.begin();
    machine.observe(Some(watcher.clone()));
    follow(&mut machine, schedule, |_, _| {})
}
