//! `erlscope explore` and `erlscope replay`.
//!
//! `start` makes the Machine, `search` explores it as `engine` says (`notes` are for searches that are saved),
//! `tests` does that for every test of a program, `format` tells what was found (`summary` for text, `picture`
//! for diagrams), `witness` writes files that `replay` runs again.

mod engine;
mod format;
mod log;
mod notes;
mod picture;
mod replay;
mod search;
mod so_far;
pub(crate) mod start;
mod summary;
pub(crate) mod tests;
mod witness;

use std::process::ExitCode;

use crate::args::Explore;
use crate::exit::{Exit, told};
use crate::output;
use crate::run::split;
use format::Reported;

pub(crate) use replay::{replay, replay_witness, watch};

pub(crate) fn explore(explore: &Explore) -> ExitCode {
    told(explored(explore))
}

fn explored(explore: &Explore) -> Result<Exit, String> {
    so_far::leave(explore);
    explore.log.as_deref().map(log::begin).transpose()?;
    let (paths, call) = split(&explore.what);
    let reported = match (explore.tests, call) {
        (true, Some(call)) => {
            return Err(format!("--tests explores all tests: leave out {call}, or use --filter"));
        }
        (true, None) => tests::all(explore, &paths)?,
        (false, Some(call)) => {
            if let Some((function, arity)) = without_arguments(&call) {
                let call = format!("{function}(…)");
                return Err(format!(
                    "{function} takes {arity} arguments: explore a call, '{call}'"
                ));
            }
            let explored = search::call(explore, &paths, &call)?;
            vec![Reported::new(explore, &paths, explored)?]
        }
        (false, None) => {
            let example =
                "for example: erlscope explore PATH m:f, or erlscope explore --tests PATH";
            return Err(format!("which function? {example}"));
        }
    };
    let told = format::render(explore.format, &reported, explore.tests, explore.all_steps);
    output::write_document(explore.output.as_deref(), &told)?;
    Ok(exit_of(&reported))
}

/// Function and arity of what was made a call although it needs arguments: `m:f/1()`.
fn without_arguments(call: &str) -> Option<(&str, u32)> {
    let (function, arity) = call.strip_suffix("()")?.rsplit_once('/')?;
    Some((function, arity.parse().ok()?))
}

fn exit_of(reported: &[Reported]) -> Exit {
    if reported.iter().any(|one| !one.explored.found.is_empty() || one.explored.is_broken) {
        Exit::SomethingFound
    } else if reported.iter().any(|one| one.explored.why.is_some()) {
        Exit::Incomplete
    } else {
        Exit::NothingFound
    }
}
