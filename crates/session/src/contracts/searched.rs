//! Contracts while inputs are searched for: whether a run broke one.
//!
//! The search itself calls the function that it is about. An input that its own precondition or
//! spec refuses is no input of it, and that is nobody's mistake: there the search is the caller
//! that is to blame. All other contracts that do not hold are findings, also where the program
//! caught the error.

use machine::Machine;
use machine::contract::{Blame, Kind, Violation, shown};
use term::Term;

use super::{Broken, broken};

/// What a run says about contracts.
pub(crate) enum Said {
    /// All held.
    Nothing,
    /// The input is none that the function takes.
    Refused,
    Broken(Box<Broken>),
}

/// What a run of a function, or of a sequence of calls (`name` is none then) of a module said.
/// `given`: the arguments.
pub(crate) fn said(machine: &Machine, module: &str, name: Option<&str>, given: &[Term]) -> Said {
    let mut said = Said::Nothing;
    for violation in machine.violations() {
        if !is_of_search(violation, module, name, given) {
            return Said::Broken(Box::new(broken(violation)));
        }
        said = Said::Refused;
    }
    said
}

/// Whether it is the search that made the call.
fn is_of_search(violation: &Violation, module: &str, name: Option<&str>, given: &[Term]) -> bool {
    let declared = &violation.contract;
    // Whoever makes the calls of a sequence is the client.
    if name.is_none() && declared.kind == Kind::Messages {
        return declared.module == module;
    }
    // A state that is taken to be good, and is not.
    if declared.kind == Kind::Invariant && violation.result.is_none() {
        return declared.module == module;
    }
    if violation.blame != Blame::Caller || declared.module != module {
        return false;
    }
    let is_it = match (name, &declared.function) {
        (Some(name), Some((about, arity))) => {
            about == name
                && *arity as usize == given.len()
                && violation.arguments.iter().zip(given).all(|(text, arg)| *text == shown(arg))
        }
        (None, Some(_)) => true,
        (_, None) => false,
    };
    // Nothing but the function itself, and what the search calls it by.
    is_it && violation.stack.iter().skip(1).all(|call| call.module.starts_with("erlscope_"))
}

impl Broken {
    /// Which contract it is, without values: the same for all inputs that break it.
    pub(crate) fn what(&self) -> String {
        let about = self.function.as_deref().unwrap_or(&self.module);
        let Broken { contract, blame, file, line, .. } = self;
        format!("contract {contract} of {about} ({blame}) at {file}:{line}")
    }
}
