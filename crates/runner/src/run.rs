//! Running one function.

use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::world::World;
use machine::{Machine, Outcome, Term};
use program::Program;

use crate::loader::{Prefer, Problem, ProgramLoader};

/// What to run, and for how long.
#[derive(Clone, Debug)]
pub struct Request {
    /// A call as Erlang text: `m:f(1, [a])`.
    pub call: String,
    pub prefer: Prefer,
    /// Turns of processes after which the run is stopped.
    pub max_turns: u64,
}

/// How it ended.
#[derive(Debug)]
pub struct Report {
    pub end: End,
    /// Modules that could not be loaded.
    pub problems: Vec<Problem>,
}

#[derive(Debug)]
pub enum End {
    Value(Term),
    /// Class, reason and stack trace.
    Exception(Term, Term, Term),
    /// It ended without returning: the reason.
    Exit(Term),
    Stuck,
    Halted(i32),
    Unsupported(String),
    OutOfTurns,
}

/// The module that calls the entry function.
const ENTRY: &str = "erlscope_entry";

/// Runs `request.call` of a program.
pub fn run(program: Arc<Program>, request: &Request, world: Rc<dyn World>) -> Report {
    let entry = Atom::new(ENTRY);
    let mut loader = ProgramLoader::new(program, request.prefer);
    let call = &request.call;
    loader.add_source(
        entry,
        format!(
            "-module({ENTRY}).\n-export([main/0]).\n\
             main() ->\n    exit(try {{'$value', {call}}} catch C:R:S -> {{'$exception', C, R, S}} end).\n"
        ),
    );
    let problems = loader.problems();
    let mut machine = Machine::new(Rc::new(loader), world);
    let pid = machine.spawn(entry, Atom::new("main"), Vec::new());
    let end = match machine.run_to_end(pid, request.max_turns) {
        Outcome::Ended(reason) => match reason.as_tuple() {
            Some([tag, value]) if tag.is_atom(Atom::new("$value")) => End::Value(value.clone()),
            Some([tag, class, reason, trace]) if tag.is_atom(Atom::new("$exception")) => {
                End::Exception(class.clone(), reason.clone(), trace.clone())
            }
            _ => End::Exit(reason.clone()),
        },
        Outcome::Stuck => End::Stuck,
        Outcome::Halted(status) => End::Halted(status),
        Outcome::Unsupported(message) => End::Unsupported(message),
        Outcome::OutOfSteps => End::OutOfTurns,
    };
    Report { end, problems: problems.take() }
}
