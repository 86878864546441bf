//! Processes that a module starts for its own work and that end, or wait, as it means them to.
//!
//! Libraries start processes that hand over what they found as the reason of their end (`compile`,
//! `erpc`), or that end with the reason for which something could not be done (`file:open/2`). That
//! is no failure. Such a process runs a function of the module that started it
//! ([`Process::helper_of`]) and calls `exit/1` in code of that module. What it may miss: a helper
//! that ends in code of another module of the same library is told as any other process.

use atom::{Atom, known};
use term::{Pid, Term};

use crate::code_space::CodeSpace;
use crate::machine::Machine;
use crate::process::Process;

/// The module that started a process, if the process ends by `exit/1` in code of that module.
pub(super) fn ends_itself(code: &CodeSpace, process: &Process, reason: &Term) -> Option<Atom> {
    let module = process.helper_of?;
    let by_signal = process.doomed.is_some() && !process.relations.ending.by_itself;
    if reason.is_atom(known::NORMAL) || by_signal || has_trace(reason) {
        return None;
    }
    let is_own = |pc| code.function_at(pc).is_some_and(|function| function.mfa.module == module);
    let callers = process.frames.iter().map(|frame| frame.pc.saturating_sub(1));
    std::iter::once(process.pc).chain(callers).all(is_own).then_some(module)
}

/// Whether a reason is that of an error: it has the stack trace with it.
fn has_trace(reason: &Term) -> bool {
    let trace =
        reason.as_tuple().filter(|parts| parts.len() == 2).and_then(|parts| parts[1].to_vec());
    let is_entry =
        |entry: &Term| entry.as_tuple().is_some_and(|entry| entry.len() == 4 && entry[3].is_list());
    trace.is_some_and(|trace| trace.iter().any(is_entry))
}

impl Machine {
    /// Whether a process that has ended was started by `proc_lib`: part of a tree of supervisors,
    /// in which `shutdown` is how processes end.
    pub fn was_supervised(&self, pid: Pid) -> bool {
        self.state.step.ended_supervised.contains(&pid)
    }

    /// The module for which a process worked that has ended itself as that module means it to.
    pub fn ended_as_helper_of(&self, pid: Pid) -> Option<Atom> {
        self.state.step.ended_helpers.get(&pid).copied()
    }

    /// The module that started a process which runs a function of it.
    pub fn helper_of(&self, pid: Pid) -> Option<Atom> {
        self.state.node.process(pid)?.helper_of
    }
}
