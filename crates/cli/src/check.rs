//! `erlscope check`: reads and lints modules, on all cores, and reports in the order of the
//! modules whichever is finished first.
//!
//! Of a module that is done only its rendered report is kept, and that only until its turn comes.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use program::behaviours::BehaviourReader;
use program::check::Checked;
use program::project::Unit;
use rayon::prelude::*;
use report::{Format, Problem, Rendered, Renderer, Report, Summary};
use syntax::diagnostic::{Diagnostic, Severity};

use crate::args::{Check, Color};
use crate::exit::Exit;
use crate::front_end::{self, Reader};
use crate::guard;
use crate::limits;
use crate::output;
use crate::progress::Progress;

/// How often it is looked whether to go on while nothing comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// What became of a module, with its place in the order.
type Outcome = (usize, Result<Rendered, Problem>);

pub(crate) fn run(check: &Check, color: Color) -> io::Result<Exit> {
    let reader = match Reader::new(&check.reading) {
        Ok(reader) => reader,
        Err(problem) => {
            output::complain(&problem.to_string());
            return Ok(Exit::Unusable);
        }
    };
    let discovery = front_end::units(&check.paths, &reader, &check.profiles, check.no_tests);
    let mut units = discovery.units;
    if check.own_lints {
        for unit in &mut units {
            let switch = program::lint::term::Term::atom(program::lint::own::SWITCH);
            Arc::make_mut(&mut unit.erl_opts).others.push(switch);
        }
    }
    let mut problems: Vec<Problem> = discovery.problems.iter().map(front_end::shown).collect();
    let format = limits::format_of(check.format);
    let renderer = Renderer { format, colour: output::coloured(color, &io::stdout()) };
    guard::write_alone();
    let mut report = Report::begin(output::stdout(), format, "check")?;
    for document in &discovery.documents {
        report.other(renderer.render(&document.files, &document.diagnostics))?;
    }
    let progress = Progress::new(units.len());
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| work(&units, check, renderer, sender));
        let done = write_in_order(receiver, &mut report, &progress, &mut problems)?;
        progress.clear();
        let bound = guard::bound().filter(|_| done < units.len());
        problems.extend(bound.map(|bound| limits::problem(&check.paths, &bound.to_string())));
        let summary = report.finish(&problems, done == units.len())?;
        close(format, &problems, &summary)?;
        let exit = exit(check, &problems, &summary);
        if bound.is_some() {
            // Who is still at work is not waited for.
            std::process::exit(i32::from(exit.code()));
        }
        Ok(exit)
    })
}

/// Reads and lints all modules; the sender is dropped at the end.
fn work(units: &[Unit], check: &Check, renderer: Renderer, sender: Sender<Outcome>) {
    let jobs = check.jobs.map_or(0, usize::from);
    let behaviours = Arc::new(BehaviourReader::new(units));
    let all = || {
        units.par_iter().enumerate().for_each_with(sender, |sender, (index, unit)| {
            if !guard::is_over() {
                // The receiver is gone if nothing can be written any more: then stop, too.
                let _ = sender.send((index, guarded(unit, check, renderer, &behaviours)));
            }
        });
    };
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.install(all),
        Err(_) => all(),
    }
}

/// A defect of ours in one module must not hide what is known about the others.
fn guarded(
    unit: &Unit,
    check: &Check,
    renderer: Renderer,
    behaviours: &Arc<BehaviourReader>,
) -> Result<Rendered, Problem> {
    catch_unwind(AssertUnwindSafe(|| checked(unit, check, renderer, behaviours))).unwrap_or_else(
        |_| {
            let message = "internal error, please report it with this file".to_string();
            Err(Problem { path: unit.path.display().to_string(), message })
        },
    )
}

fn checked(
    unit: &Unit,
    check: &Check,
    renderer: Renderer,
    behaviours: &Arc<BehaviourReader>,
) -> Result<Rendered, Problem> {
    let Checked { module, diagnostics } = program::check::check(unit, Some(behaviours))
        .map_err(|problem| front_end::shown(&problem))?;
    let wanted =
        |diagnostic: &&Diagnostic| !check.no_warnings || diagnostic.severity == Severity::Error;
    Ok(renderer.render(&module.files, diagnostics.iter().filter(wanted)))
}

/// Writes reports as soon as all before them are written; how many modules were done.
fn write_in_order<W: Write>(
    receiver: Receiver<Outcome>,
    report: &mut Report<W>,
    progress: &Progress,
    problems: &mut Vec<Problem>,
) -> io::Result<usize> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut done = 0;
    loop {
        let (index, outcome) = match receiver.recv_timeout(PATIENCE) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) if guard::is_over() => break,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        progress.step();
        done += 1;
        waiting.insert(index, outcome);
        while let Some(outcome) = waiting.remove(&next) {
            next += 1;
            write_one(outcome, report, progress, problems)?;
        }
    }
    // After an interruption there are gaps.
    for outcome in waiting.into_values() {
        write_one(outcome, report, progress, problems)?;
    }
    Ok(done)
}

fn write_one<W: Write>(
    outcome: Result<Rendered, Problem>,
    report: &mut Report<W>,
    progress: &Progress,
    problems: &mut Vec<Problem>,
) -> io::Result<()> {
    match outcome {
        Ok(rendered) => progress.suspend(|| report.module(rendered)),
        Err(problem) => {
            problems.push(problem);
            Ok(())
        }
    }
}

/// The closing lines: problems on standard error, the summary where people look.
fn close(format: Format, problems: &[Problem], summary: &Summary) -> io::Result<()> {
    for problem in problems {
        output::complain(&problem.to_string());
    }
    match format {
        Format::Text | Format::Short if problems.is_empty() || summary.modules > 0 => {
            output::write_all(format!("{summary}\n").as_bytes())
        }
        _ => Ok(()),
    }
}

fn exit(check: &Check, problems: &[Problem], summary: &Summary) -> Exit {
    if !summary.complete {
        Exit::Incomplete
    } else if !problems.is_empty() {
        Exit::Unusable
    } else if summary.errors > 0 || (check.warnings_as_errors && summary.warnings > 0) {
        Exit::SomethingFound
    } else {
        Exit::NothingFound
    }
}
