//! An input whose run has several processes: every order of what they do that makes a difference.
//!
//! The explorer finds the executions; each is run again from the start under the shadow, as the
//! schedule that a witness of it would hold. So decisions that are only met in some orders are
//! turned, too: their inputs are explored in all orders again. Which messages a `receive` would
//! take decides which orders there are; that is turned, too, also for messages that came when it
//! had taken another one (`concolic::shadow::probes`).

use std::rc::Rc;

use ::concolic::path::Path;
use ::concolic::shadow::probes::Stood;
use ::explore::finding::{Findings, Rules};
use ::explore::schedule::{Schedule, follow};
use ::explore::{Bounds, Search};
use ::inputs::Input;
use machine::step::{Actor, Prober};
use machine::{Machine, Pid};

use super::{EVENTS, EXECUTIONS, Runs};
use crate::Control;

/// Takes the steps of a schedule under the shadow: the path, and whether all of them were possible.
fn one(runs: &mut Runs<'_>, mut machine: Machine, main: Pid, schedule: &Schedule) -> (Path, bool) {
    let shadow = runs.shadow;
    shadow.begin(main, runs.args.clone());
    machine.observe(Some(Rc::clone(runs.both) as _));
    let mut stood: Vec<(Prober, Stood)> = Vec::new();
    let is_all = follow(&mut machine, schedule, |machine, step| {
        if let Actor::Process(pid) = step.actor
            && let Some(prober) = machine.prober(pid)
            && let Some(process) = machine.process(pid)
        {
            stood.push((prober, shadow.stood(process)));
        }
    });
    shadow.relate_keys();
    // What came too late for a `receive` could have come before.
    for (prober, stood) in &stood {
        for missed in shadow.missed(stood) {
            shadow.ask_again(stood, &missed);
            machine.would_take(prober, &missed.message);
        }
    }
    (Path { is_of_several: true, ..shadow.end() }, is_all)
}

/// The paths of an input in all orders.
pub(super) fn all(runs: &mut Runs<'_>, input: &Input, control: &Control) -> Vec<Path> {
    let (machine, main) = runs.stand.stepping(input);
    let bounds = Bounds { max_executions: EXECUTIONS, max_depth: EVENTS, ..Bounds::default() };
    let rules = Rules { main: Some(main), first: main.0, ..Rules::default() };
    let mut findings = Findings::new(rules);
    let mut paths = Vec::new();
    let mut search = Search::new(machine.clone(), bounds);
    let mut lost = false;
    let statistics = search.run(|execution| {
        if findings.look(execution) {
            runs.seen.note_execution(runs.stand, input, execution, main);
        }
        let (path, is_all) = one(runs, machine.clone(), main, &execution.schedule());
        lost |= !is_all;
        paths.push(path);
        !control.is_over()
    });
    // That processes were started is known.
    runs.both.spawned();
    if lost || !statistics.complete {
        runs.seen.other_orders = true;
        // The order that was predicted may be one of those that were not looked at.
        paths.iter_mut().for_each(|path| path.is_one_of_more = true);
    }
    paths
}
