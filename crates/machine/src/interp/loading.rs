//! Calls into modules that are not loaded yet.

use atom::Atom;
use term::Term;

use crate::code_space::CodeSpace;
use crate::control::Start;
use crate::process::{Frame, Process};

/// The module a process asked for does not exist: its call fails when it runs next.
pub(crate) fn module_missing(_: &CodeSpace, p: &mut Process) {
    p.module_missing = true;
}

/// Has a process call a function of `erlscope_code` before it does again what it wanted to do: a
/// call into `module`, whose code has to be prepared by running some of it.
pub(crate) fn autoload(code: &CodeSpace, p: &mut Process, module: Atom) {
    let helper = Atom::new("erlscope_code");
    let list = |args: Vec<Term>| Term::list(args);
    p.start = Some(match p.start.take() {
        Some(Start::Apply { module: to, name, args }) => Start::Apply {
            module: helper,
            name: Atom::new("apply"),
            args: vec![Term::from(module), Term::from(to), Term::from(name), list(args)],
        },
        Some(Start::Fun { fun, args }) => Start::Apply {
            module: helper,
            name: Atom::new("apply"),
            args: vec![Term::from(module), fun, list(args)],
        },
        other => {
            // In the middle of a function: above everything in its frame, coming back to the same
            // instruction.
            let size = code.function_at(p.pc).map_or(0, |function| function.frame_size as usize);
            p.frames.push(Frame { pc: p.pc, base: p.base as u32 });
            p.base += size;
            match other {
                Some(start) => start,
                None => Start::Apply {
                    module: helper,
                    name: Atom::new("autoload"),
                    args: vec![Term::from(module)],
                },
            }
        }
    });
}
