//! An input whose run has several processes: every order of what they do that makes a difference.
//!
//! The explorer finds the executions; each is run again from the start under the shadow, as the
//! schedule that a witness of it would hold. So decisions that are only met in some orders are
//! turned, too: their inputs are explored in all orders again.

use std::rc::Rc;

use ::concolic::path::Path;
use ::explore::finding::{Findings, Rules};
use ::explore::schedule::follow;
use ::explore::{Bounds, Search};
use ::inputs::Input;

use super::{EVENTS, EXECUTIONS, Runs};
use crate::Control;

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
        let mut again = machine.clone();
        runs.shadow.begin(main, runs.args.clone());
        again.observe(Some(Rc::clone(runs.both) as _));
        lost |= !follow(&mut again, &execution.schedule(), |_, _| {});
        paths.push(runs.shadow.end());
        !control.is_over()
    });
    // That processes were started is known.
    runs.both.spawned();
    if lost || !statistics.complete {
        runs.seen.other_orders = true;
    }
    paths
}
