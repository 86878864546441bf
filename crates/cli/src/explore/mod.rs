//! `erlscope explore` and `erlscope replay`.
//!
//! `start` makes the Machine, `search` explores it, `summary` tells what was found, `witness` writes files
//! that `replay` runs again.

mod replay;
mod search;
mod start;
mod summary;
mod witness;

use std::process::ExitCode;

use crate::args::Explore;
use crate::exit::Exit;
use crate::output;
use crate::run::split;

pub(crate) use replay::{replay, replay_witness};

pub(crate) fn explore(explore: &Explore) -> ExitCode {
    let (paths, call) = split(&explore.what);
    let Some(call) = call else {
        output::complain("which function? For example: erlscope explore PATH m:f");
        return Exit::Unusable.into();
    };
    match start::machine_for(&paths, &call, &explore.running, &explore.reading) {
        Ok((machine, main)) => search::search(explore, &paths, &call, machine, main),
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}
