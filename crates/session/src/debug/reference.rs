//! A reference version of a program as an oracle: it makes the same call, and what it gives is
//! right.
//!
//! Only calls can be made again whose arguments are plain data: a process, a reference or a fun of
//! one node means nothing on another. What a part of a function does after a message depends on
//! what went before, and messages that are sent are not compared, so about these it says nothing.
//! A function need not be exported. Each call is made on a copy of a node that is up, so that none
//! sees what another left, and for a bounded number of calls.

use std::path::PathBuf;
use std::rc::Rc;

use ::debug::record::{Outcome, Statement};
use atom::Atom;
use machine::code_space::{Loaded, Loader};
use machine::{Ending, Machine};
use runner::loader::ProgramLoader;
use runner::run;
use runner::world::RealWorld;
use term::order::exact_eq;
use term::{Boxed, Term, View};

use crate::Error;
use crate::open::{Opened, ReadAs, not_booted};
use crate::reading::Reading;
use crate::running::Running;

/// How many calls a question may take: what was given may be what a right program never gets, and
/// then it need not end.
const MOST_CALLS: u64 = 200_000;

/// A program that is right.
pub struct Reference {
    machine: Machine,
}

/// A loader for which all functions of the program are exported.
struct Exposed(Rc<ProgramLoader>);

impl Loader for Exposed {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let mut loaded = self.0.load(module)?;
        if self.0.is_own(module) {
            let functions = &loaded.code.functions;
            loaded.code.exports =
                functions.iter().map(|function| (function.name, function.arity)).collect();
        }
        Some(loaded)
    }
}

impl Reference {
    /// Opens the reference version.
    pub fn open(
        paths: &[PathBuf],
        running: &Running,
        reading: &Reading,
    ) -> Result<Reference, Error> {
        let opened = Opened::new(paths, None, ReadAs::Program, running, reading)?;
        let world = RealWorld::new(opened.permissions(running)?, 0).at_fixed_time();
        let loader = Rc::new(Exposed(opened.loader));
        let machine = run::boot(loader, Rc::new(world.keeping_output())).map_err(not_booted)?;
        Ok(Reference { machine })
    }

    /// Whether a statement is right; nothing if that cannot be told.
    pub(super) fn judge(&self, statement: &Statement) -> Option<bool> {
        let (module, name, _) = statement.function;
        let is_call = statement.after.is_none()
            && statement.sent.is_empty()
            && statement.spawned.is_empty()
            && !name.as_str().starts_with('-');
        if !is_call || !statement.args.iter().all(is_data) {
            return None;
        }
        let mut machine = self.machine.clone();
        let args = statement.args.to_vec();
        let function = (module.as_str(), name.as_str());
        let ended = run::try_evaluate_within(&mut machine, function, args, MOST_CALLS);
        match (&statement.outcome, ended) {
            (Outcome::Value(value), Ending::Returned(right)) => {
                (is_data(value) && is_data(&right)).then(|| exact_eq(value, &right))
            }
            (Outcome::Exception { class, reason }, Ending::Raised(crash)) => (is_data(reason)
                && is_data(&crash.reason))
            .then(|| *class == crash.class && exact_eq(reason, &crash.reason)),
            // A function that the reference does not have says nothing.
            (_, Ending::Raised(crash)) if crash.reason.is_atom(Atom::new("undef")) => None,
            (Outcome::Value(_), Ending::Raised(_))
            | (Outcome::Exception { .. }, Ending::Returned(_)) => Some(false),
            _ => None,
        }
    }
}

/// Whether a term means the same on every node.
fn is_data(term: &Term) -> bool {
    let mut open = vec![term.clone()];
    while let Some(term) = open.pop() {
        match term.view() {
            View::Boxed(Boxed::Big(_)) => {}
            View::Pid(_) | View::Ref(_) | View::Port(_) | View::Boxed(_) => return false,
            View::Cons(cons) => open.extend([cons.head.clone(), cons.tail.clone()]),
            View::Tuple(tuple) => open.extend(tuple.iter().cloned()),
            View::Map(map) => {
                for (key, value) in map.iter() {
                    open.extend([key.clone(), value.clone()]);
                }
            }
            _ => {}
        }
    }
    true
}
