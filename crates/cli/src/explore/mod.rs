//! `erlscope explore`.
//!
//! `watch` hears how far it is, `so_far` keeps what is known should a limit cut it off, `witness`
//! writes files that `replay` runs again, `log` a line for each execution.

mod log;
mod so_far;
mod watch;
mod witness;

use std::sync::Arc;

use report::explore::{Format, Reported, render};
use session::call::split;
use session::explore::{Answer, Engine, Request, What};

use crate::args::{Explore, ExploreFormat, Searching};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;
use watch::Watcher;
pub(crate) use witness::DIRECTORY;

pub(crate) fn run(arguments: &Explore) -> Result<Exit, Failure> {
    so_far::leave(arguments);
    let request = request(arguments)?;
    let watcher = Arc::new(Watcher::new(arguments, &request)?);
    let answer = session::explore::explore(&request, &front::watched_by(watcher.clone()))?;
    watcher.finish()?;
    let reported = reported(answer, &watcher);
    let format = format_of(arguments.format);
    let told = render(format, &reported, arguments.tests, arguments.all_steps);
    output::write_document(arguments.output.as_deref(), &told)?;
    Ok(exit_of(&reported))
}

fn format_of(format: ExploreFormat) -> Format {
    match format {
        ExploreFormat::Text => Format::Text,
        ExploreFormat::Json => Format::Json,
        ExploreFormat::Html => Format::Html,
        ExploreFormat::Junit => Format::Junit,
        ExploreFormat::Sarif => Format::Sarif,
    }
}

/// What the command line asks for.
fn request(arguments: &Explore) -> Result<Request, Failure> {
    let (paths, call) = split(&arguments.what);
    Ok(Request {
        paths,
        what: what(arguments, call)?,
        max_executions: arguments.max_executions,
        max_depth: arguments.max_depth,
        after_limit: arguments.after_limit,
        delivery: arguments.delivery.into(),
        equal_times: arguments.equal_times,
        engine: engine(&arguments.searching),
        jobs: arguments.searching.jobs,
        first: arguments.first,
        normal: arguments.treat_as_normal.clone(),
        ignored: arguments.ignore.clone(),
        assertions_only: arguments.assertions_only,
        warnings: arguments.warnings,
        manner: arguments.telling.manner(),
        estimate: watch::is_line_shown(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
    })
}

fn what(arguments: &Explore, call: Option<String>) -> Result<What, Failure> {
    match (arguments.tests, call) {
        (true, Some(call)) => {
            let advice = format!("leave out {call}, or use --filter");
            Err(Failure::Use(format!("--tests explores all tests: {advice}")))
        }
        (true, None) => Ok(What::Tests { filter: arguments.filter.clone() }),
        (false, Some(call)) => match without_arguments(&call) {
            Some((function, arity)) => {
                let advice = format!("explore a call, '{function}(…)'");
                Err(Failure::Use(format!("{function} takes {arity} arguments: {advice}")))
            }
            None => Ok(What::Call(call)),
        },
        (false, None) => {
            let example =
                "for example: erlscope explore PATH m:f, or erlscope explore --tests PATH";
            Err(Failure::Use(format!("which function? {example}")))
        }
    }
}

fn engine(searching: &Searching) -> Engine {
    let Searching { preemptions, delays, random, bug_depth, save, resume, .. } = searching;
    match (*random, *preemptions, *delays) {
        (Some(executions), _, _) => Engine::Random { executions, bug_depth: *bug_depth },
        (None, Some(most), _) => Engine::Preemptions(most),
        (None, None, Some(most)) => Engine::Delays(most),
        (None, None, None) => Engine::All { save: save.clone(), resume: resume.clone() },
    }
}

/// Function and arity of what was made a call although it needs arguments: `m:f/1()`.
fn without_arguments(call: &str) -> Option<(&str, u32)> {
    let (function, arity) = call.strip_suffix("()")?.rsplit_once('/')?;
    Some((function, arity.parse().ok()?))
}

/// Explorations with the files that were written for their findings.
fn reported(answer: Answer, watcher: &Watcher) -> Vec<Reported> {
    let explored = answer.explored.into_iter();
    let reported = |explored: session::explore::Explored| {
        let witnesses = watcher.witnesses(&explored.name);
        Reported { explored, witnesses }
    };
    explored.map(reported).collect()
}

fn exit_of(reported: &[Reported]) -> Exit {
    if reported.iter().any(|one| !one.explored.found.is_empty() || one.explored.is_broken()) {
        Exit::SomethingFound
    } else if reported.iter().any(|one| one.explored.why.is_some()) {
        Exit::Incomplete
    } else {
        Exit::NothingFound
    }
}
