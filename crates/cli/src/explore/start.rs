//! The Machine of an exploration: about to make the call that is explored, step by step.

use std::path::PathBuf;
use std::rc::Rc;

use atom::Atom;
use machine::world::World;
use machine::{Machine, Pid};
use runner::loader::{Modules, Prefer, ProgramLoader};
use runner::sources::Sources;

use crate::args::{Reading, Running};
use crate::front_end::{self, Reader};
use crate::run::is_library_call;

/// A world for programs that are run again and again: what they write is not shown.
struct Silent;

impl World for Silent {
    fn print(&self, _: &str) {}

    fn start_time(&self) -> u64 {
        1_700_000_000_000_000_000
    }
}

/// A Machine that is about to make the call, step by step.
pub(super) fn machine_for(
    paths: &[PathBuf],
    call: &str,
    running: &Running,
    reading: &Reading,
) -> Result<(Machine, Pid), String> {
    let reader = Reader::new(reading).map_err(|problem| problem.to_string())?;
    let wanted = match paths.is_empty() {
        true if is_library_call(call) => Vec::new(),
        true => vec![PathBuf::from(".")],
        false => paths.to_vec(),
    };
    let options = reader.discover_options(&[], false);
    let sources = Sources::discover(&wanted, options, reader.library.clone());
    if let Some(problem) = sources.discovery.problems.first()
        && !paths.is_empty()
    {
        return Err(front_end::shown(problem).to_string());
    }
    let prefer = if running.prefer_otp { Prefer::Otp } else { Prefer::Embedded };
    let loader = ProgramLoader::of(Modules::Sources(Rc::new(sources)), prefer);
    let entry = Atom::new("erlscope_entry");
    let text = format!("-module(erlscope_entry).\n-export([main/0]).\nmain() -> {call}.\n");
    let tree = loader.add_source(entry, &text);
    if let Some(found) = tree.diagnostics.first() {
        return Err(format!("cannot read `{call}`: {}", found.message));
    }
    let mut machine = Machine::new(Rc::new(loader), Rc::new(Silent));
    if !machine.ensure_loaded(entry) {
        return Err(format!("cannot run `{call}`"));
    }
    if let Some((module, rest)) = call.split_once(':') {
        let module = Atom::new(module.trim().trim_matches('\''));
        if !machine.ensure_loaded(module) {
            return Err(format!("there is no module {module}"));
        }
        let name = rest.split('(').next().unwrap_or_default().trim().trim_matches('\'');
        let exported = machine
            .code
            .module(module)
            .is_some_and(|info| info.exports.iter().any(|(exported, _)| exported.as_str() == name));
        if !exported {
            return Err(format!("{module} exports no function {name}"));
        }
    }
    machine.start_stepping();
    let main = machine.spawn(entry, Atom::new("main"), Vec::new());
    Ok((machine, main))
}
