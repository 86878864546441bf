//! The interpreter: runs one process until it waits, ends, or has had its turn.
//!
//! One loop over instructions (`run_loop.rs`). `pc` and `base` (the start of the current frame on
//! the stack) are kept in locals and written back where anybody else may look at them. Nothing here
//! recurses: a call of the program is a frame on the process's own stack.
//!
//! The loop is compiled three times: as it is, with what an observer is told ([`crate::observe`]),
//! and with what one is told who follows every instruction, so that nobody pays for what nobody
//! watches.

mod bits;
mod building;
mod builtin;
mod calls;
mod loading;
mod messages;
mod ops;
mod raise;
mod run_loop;

use atom::Atom;
use code::instr::Pc;
use term::Term;

use run_loop::run_loop;

use crate::code_loading::CodeRequest;
use crate::code_space::CodeSpace;
use crate::contract;
use crate::observe::Interest;
use crate::process::Process;
use crate::state::State;

/// Why the interpreter stopped.
pub(crate) enum Exit {
    /// The process has had its turn.
    Yielded,
    /// It waits for a message.
    Waits,
    /// It ended for this reason.
    Ended(Term),
    /// It calls a module that is not loaded; to be run again when it is, or known to be missing.
    NeedModule(Atom),
    /// It is about to enter this function, which has to be finished before.
    Unfinished(Pc),
    /// The Machine has to do something about code, and put the answer at this place of the stack.
    Code(Box<CodeRequest>, usize),
    /// The node halted, or something unsupported was met.
    Stopped,
    /// Driven step by step: it is about to do something visible.
    Visible,
    /// Driven step by step: it is about to receive.
    AtReceive,
    /// Asked about a message: it would be taken, or not.
    Matched,
    Unmatched,
}

pub(crate) use calls::note_native;
pub(crate) use loading::{autoload, module_missing};
pub(crate) use messages::send;
pub(crate) use raise::throw;

/// Where to go on.
type Place = (Pc, usize);

/// Runs `p`. `budget` counts down with every call, and with every message that a `receive` does not
/// take.
pub(crate) fn run(code: &CodeSpace, s: &mut State, p: &mut Process, budget: &mut u32) -> Exit {
    if s.host.book.known.is_some()
        && p.start.is_none()
        && let Some(exception) = contract::overdue(code, s, p)
    {
        match throw(code, s, p, exception) {
            Ok((pc, base)) => (p.pc, p.base) = (pc, base),
            Err(exit) => return exit,
        }
    }
    if !s.host.watch.is_on() {
        run_loop::<false, false>(code, s, p, budget)
    } else if !s.host.watch.wants(Interest::INSTRUCTIONS) {
        run_loop::<true, false>(code, s, p, budget)
    } else {
        run_loop::<true, true>(code, s, p, budget)
    }
}
