//! Exceptions: from where they are raised to the innermost handler, or the end of the process.

use std::mem;

use atom::known;
use code::instr::{Failure, Instr};
use term::Term;

use super::{Exit, Place, calls};
use crate::code_space::CodeSpace;
use crate::contract;
use crate::crash_report;
use crate::exception::{self, Class, Crash, Exception, Trace};
use crate::observe::{self, Event, Interest};
use crate::process::Process;
use crate::state::State;

/// An exception: goes to the innermost handler, or ends the process.
pub(crate) fn throw(
    code: &CodeSpace,
    s: &mut State,
    p: &mut Process,
    exception: Exception,
) -> Result<Place, Exit> {
    let Exception { class, reason, trace } = exception;
    if s.host.watch.is_on() {
        let again = matches!(code.instrs.get(p.pc as usize), Some(Instr::Reraise { .. }));
        let event = Event::Raise { class, reason: &reason, again };
        observe::tell(code, s, Some(p), Interest::EXCEPTIONS, &event);
    }
    let trace = raw_trace(code, s, p, trace);
    let Some(handler) = p.handlers.pop() else {
        let mut addresses = exception::addresses(&trace);
        addresses.retain(|pc| !contract::is_hidden(code, *pc));
        if let Some(left) = calls::place_of_undefined(code, p, &reason) {
            addresses.insert(0, left);
        }
        let trace = exception::stack_trace(code, &trace);
        let crash = Crash { pid: p.pid, class, reason, trace, addresses };
        return Err(Exit::Ended(crash_report::ended(code, s, p, crash)));
    };
    p.frames.truncate(handler.frames as usize);
    p.contract.unwound(handler.frames as usize);
    let base = handler.base as usize;
    if s.host.watch.wants(Interest::EXCEPTIONS) {
        (p.pc, p.base) = (handler.pc, base);
        let event = Event::Catch { at: code.try_of(handler.pc) };
        observe::tell(code, s, Some(p), Interest::EXCEPTIONS, &event);
    }
    let at = base + handler.at.0 as usize;
    p.stack[at] = Term::from(class.atom());
    p.stack[at + 1] = reason;
    p.stack[at + 2] = trace;
    Ok((handler.pc, base))
}

/// The stack trace of an exception as it is kept until somebody looks at it.
fn raw_trace(code: &CodeSpace, s: &State, p: &Process, trace: Trace) -> Term {
    match trace {
        Trace::Unknown | Trace::Because(_) => {
            exception::raw(p, p.pc, Term::NIL, s.node.backtrace_depth)
        }
        Trace::In { module, name, args, info } => {
            let top = exception::entry(module, name, args, info);
            exception::raw(p, p.pc, top, s.node.backtrace_depth)
        }
        Trace::Below(entries) => {
            exception::raw(p, p.pc, Term::list(entries), s.node.backtrace_depth)
        }
        Trace::InFun { fun, args } => {
            let top = Term::tuple([fun, Term::list(args), Term::NIL]);
            exception::raw(p, p.pc, top, s.node.backtrace_depth)
        }
        Trace::Failed { module, name, args, location } => {
            // Five elements: the entry takes the place of the function that we are in.
            let top = [Term::from(module), Term::from(name), Term::list(args), location, Term::NIL];
            exception::raw(p, p.pc, Term::tuple(top), s.node.backtrace_depth)
        }
        Trace::Here(info) => {
            let place = exception::location(code, p.pc).to_vec().unwrap_or_default();
            let info = Term::tuple([Term::from(known::ERROR_INFO), Term::map(info)]);
            let location = Term::list(place.into_iter().chain([info]).collect::<Vec<_>>());
            let top = code.function_at(p.pc).map_or(Term::NIL, |function| {
                let mfa = function.mfa;
                let (module, name, arity) = (mfa.module, mfa.name, mfa.arity);
                let entry = [Term::from(module), Term::from(name), Term::from(arity), location];
                Term::tuple(entry.into_iter().chain([Term::NIL]).collect::<Vec<_>>())
            });
            exception::raw(p, p.pc, top, s.node.backtrace_depth)
        }
        Trace::Term(term) => term,
    }
}

/// The exception of an instruction that found no way to go on.
pub(super) fn failed(failure: Failure, value: Term) -> Exception {
    let tag = match failure {
        Failure::BadMatch => known::BADMATCH,
        Failure::CaseClause => known::CASE_CLAUSE,
        Failure::TryClause => known::TRY_CLAUSE,
        Failure::ElseClause => known::ELSE_CLAUSE,
        Failure::BadRecord => known::BADRECORD,
        Failure::BadGenerator => known::BAD_GENERATOR,
        Failure::BadFilter => known::BAD_FILTER,
        Failure::BadBoolean => known::BADARG,
        Failure::BadMap => known::BADMAP,
        Failure::Plain => return Exception::error(value),
    };
    Exception::tagged(tag, value)
}

/// The exception that a handler did not take: class, reason and trace are in these slots.
pub(super) fn again(slots: &mut [Term]) -> Exception {
    let class = Class::from_term(&slots[0]).unwrap_or(Class::Error);
    let reason = mem::take(&mut slots[1]);
    Exception { class, reason, trace: Trace::Term(mem::take(&mut slots[2])) }
}

/// What `catch` makes of one.
pub(super) fn caught(code: &CodeSpace, slots: &mut [Term]) -> Term {
    let reason = mem::take(&mut slots[1]);
    let trace = mem::take(&mut slots[2]);
    match Class::from_term(&slots[0]) {
        Some(Class::Throw) => reason,
        Some(Class::Exit) => Term::tuple([Term::from(known::EXIT), reason]),
        _ => {
            let trace = exception::stack_trace(code, &trace);
            Term::tuple([Term::from(known::EXIT), Term::tuple([reason, trace])])
        }
    }
}
