//! A call of a builtin: what the scheduler, observers and exceptions want to know of it.

use std::mem;

use smallvec::SmallVec;
use term::Term;

use super::raise::throw;
use super::{Exit, Place, calls};
use crate::builtins::{Ctx, Entry};
use crate::code_space::CodeSpace;
use crate::contract::{self, asking};
use crate::control::{Control, Stop};
use crate::exception::Trace;
use crate::observe::{self, Event, Interest};
use crate::process::Process;
use crate::state::State;
use crate::step;

type Args = SmallVec<[Term; 6]>;

pub(super) fn take_args(p: &mut Process, at: usize, len: usize) -> Args {
    p.stack[at..at + len].iter_mut().map(mem::take).collect()
}

/// Calls a builtin whose arguments are in the slots from `at` on. `p.pc` and `p.base` are where we
/// are.
pub(super) fn builtin_call(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    builtin: u32,
    at: u16,
    len: usize,
    tail: bool,
) -> Result<Place, Exit> {
    let (pc, base) = (p.pc, p.base);
    let at = base + at as usize;
    let number = builtin;
    let builtin = &code.builtins[number as usize];
    let is_visible = step::is_visible(code, s, p, builtin, at..at + len);
    if is_visible && step::stops_before_call(s, p, builtin, at..at + len) {
        return Err(Exit::Visible);
    }
    if s.host.book.known.is_some()
        && builtin.acts()
        && let Some(exception) = contract::acts(code, s, p, builtin, at..at + len)
    {
        return throw(code, s, p, exception);
    }
    let mut args = take_args(p, at, len);
    let about_table =
        s.host.book.known.as_ref().and_then(|_| asking::about_table(s, p, builtin, &args));
    if is_visible {
        step::note_call(s, p, number, builtin, &args);
    }
    let watched = s.host.watch.wants(Interest::CALLS) && !builtin.facts.is_operation;
    if watched {
        calls::tell_builtin(code, s, p, number, &args, tail);
    }
    let result = (builtin.run)(&mut Ctx { code, s, p }, &mut args);
    if p.doomed.is_some()
        && let Some(reason) = p.doomed.take()
    {
        return Err(Exit::Ended(reason));
    }
    let stop = match result {
        Ok(value) => {
            if watched {
                observe::tell(code, s, Some(p), Interest::CALLS, &Event::Return { value: &value });
            }
            if let Some(asked) = about_table {
                let start = asking::ask_table(p, value, asked);
                return calls::control(code, s, p, Control::Call(start), at, tail);
            }
            return if tail {
                calls::give_back(p, value)
            } else {
                p.stack[at] = value;
                Ok((pc + 1, base))
            };
        }
        Err(stop) => *stop,
    };
    match stop {
        Stop::Raise(mut exception) => {
            if is_visible {
                step::note_failure(s, builtin);
            }
            match exception.trace {
                Trace::Unknown if builtin.entry != Entry::None => {
                    exception.trace = calls::builtin_entry(builtin, args.into_vec(), None);
                }
                Trace::Because(cause) => {
                    exception.trace = calls::builtin_entry(builtin, args.into_vec(), Some(cause));
                }
                _ => {}
            }
            if tail && builtin.entry == Entry::Library {
                calls::leave_frame(p);
            }
            throw(code, s, p, exception)
        }
        Stop::Control(Control::Unsupported(message)) => {
            calls::unsupported_builtin(code, s, p, builtin, message)
        }
        Stop::Control(Control::NeedModule(module)) => {
            for (slot, arg) in p.stack[at..].iter_mut().zip(&mut args) {
                *slot = mem::take(arg);
            }
            Err(Exit::NeedModule(module))
        }
        Stop::Control(control) => calls::control(code, s, p, control, at, tail),
    }
}
