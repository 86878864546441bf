//! What was run to measure coverage, and what a reader of the result should know, in words.

use session::coverage::{Explore, Measured, Note, Run};
use syntax::wording::counted;

use super::Report;
use crate::endings::{bound, trouble};
use crate::run::how;
use crate::words::failure;

/// Everything about what was measured, for whoever shows it.
pub fn measured<T>(measured: &Measured, show: impl FnOnce(&Report<'_>) -> T) -> T {
    let Measured { flow, watcher, runs, notes, .. } = measured;
    let others = watcher.other_trees();
    let modules = flow.modules.ids().filter(|module| !others.contains(module));
    let covered = watcher.covered();
    watcher.criteria(|criteria| {
        show(&Report {
            flow,
            criteria,
            covered: &covered,
            modules: modules.collect(),
            runs: runs.iter().map(run).collect(),
            notes: notes.iter().map(note).collect(),
        })
    })
}

fn run(run: &Run) -> String {
    match run {
        Run::Module { name, passed, failed } => {
            format!("{name}: {passed} passed, {failed} failed")
        }
        Run::Call { call, ending } => format!("{call}: {}", how(ending)),
        Run::Schedules { name, executions, complete, erroneous } => {
            let all = if *complete { "all" } else { "not all" };
            let schedules = counted(*executions, "schedule");
            let errors = match erroneous {
                0 => String::new(),
                erroneous => format!(", {erroneous} with errors"),
            };
            format!("{name}: {schedules} ({all} that differ){errors}")
        }
    }
}

fn note(note: &Note) -> String {
    match note {
        Note::HasErrors(path) => format!("{} has errors and is not measured", path.display()),
        Note::Failed { test } => format!("{test} failed; `erlscope test` shows why"),
        Note::FailsExplored { name, again } => {
            let command = match again {
                Explore::Tests => "erlscope explore --tests".to_owned(),
                Explore::Call(call) if call == name => "erlscope explore".to_owned(),
                Explore::Call(call) => format!("erlscope explore PATH \"{call}\""),
            };
            format!("{name} fails; `{command}` shows how")
        }
        Note::Module { name, problem } => format!("{name}: {}", trouble(problem)),
        Note::Bound(reached) => bound(reached),
        Note::FailsAlone { name } => {
            format!("{name} passes in its suite and fails alone: its schedules are not explored")
        }
        Note::Unsupported { name, what } => {
            format!("{name}: something is not supported: {}", failure(what))
        }
        Note::Lost { name, executions } => {
            format!("{name}: {executions} executions could not be run again")
        }
        Note::Transformed { module } => {
            format!("{module} is run as a parse transform made it, and is not measured")
        }
        Note::NotInGraph { text } => format!("a run did what the graph does not have: {text}"),
    }
}
