//! Raising exceptions. These builtins have no entries of their own in stack traces: they exist to
//! raise.

use atom::Atom;
use term::Term;

use super::row::{Entry, HIDDEN};
use super::{Builtin, Ctx, Return, builtins};
use crate::exception::{self, Class, Exception, Trace};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN.entry(Entry::None);
    "exit"/1 => |_, args| raise(Class::Exit, &args[0]),
    "error"/1 => |_, args| raise(Class::Error, &args[0]),
    "throw"/1 => |_, args| raise(Class::Throw, &args[0]),
    "error"/2 => |cx, args| error_with_args(cx, &args[0], &args[1], None),
    "error"/3 => |cx, args| error_with_args(cx, &args[0], &args[1], Some(&args[2])),
    "nif_error"/1 => |cx, args| {
        note_native(cx);
        raise(Class::Error, &args[0])
    },
    "nif_error"/2 => |cx, args| {
        note_native(cx);
        error_with_args(cx, &args[0], &args[1], None)
    },
    "raise"/3 => raise_again,
);

fn raise(class: Class, reason: &Term) -> Return {
    Err(Exception { class, reason: reason.clone(), trace: Trace::Unknown }.into())
}

/// The body of a function runs that is to be replaced by native code.
fn note_native(cx: &mut Ctx<'_>) {
    if let Some(mfa) = cx.code.function_at(cx.p.pc).map(|function| function.mfa) {
        crate::interp::note_native(cx.code, cx.s, cx.p, mfa);
    }
}

/// `error/2,3`: the stack trace shows these arguments for the function that calls it.
fn error_with_args(cx: &mut Ctx<'_>, reason: &Term, args: &Term, options: Option<&Term>) -> Return {
    let mut info = Term::NIL;
    if let Some(options) = options {
        // Options that are none are left out without complaint.
        for option in options.elements() {
            if let Some([name, value]) = option.as_tuple()
                && name.is_atom(Atom::new("error_info"))
                && value.as_map().is_some()
            {
                info = Term::list([Term::tuple([name.clone(), value.clone()])]);
            }
        }
    }
    let trace = match (args.to_vec(), cx.code.function_at(cx.p.pc)) {
        (Some(args), Some(function)) => {
            let place = exception::location(cx.code, cx.p.pc);
            let location = Term::improper(place.to_vec().unwrap_or_default(), info);
            Trace::Failed { module: function.mfa.module, name: function.mfa.name, args, location }
        }
        _ => Trace::Unknown,
    };
    Err(Exception { class: Class::Error, reason: reason.clone(), trace }.into())
}

/// `raise/3`: with a stack trace that the caller gives.
fn raise_again(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let valid = |entry: &Term| match entry.as_tuple() {
        Some([fun, _]) => fun.as_fun().is_some(),
        Some([first, second, third]) => {
            (first.as_fun().is_some() && third.is_list())
                || (first.as_atom().is_some() && second.as_atom().is_some())
        }
        Some([module, name, _, location]) => {
            module.as_atom().is_some() && name.as_atom().is_some() && location.is_list()
        }
        _ => false,
    };
    let class = Class::from_term(&args[0]);
    let trace = args[2].to_vec().filter(|trace| trace.iter().all(valid));
    match (class, trace) {
        (Some(class), Some(trace)) => {
            let entries = trace.into_iter().map(|entry| match entry.as_tuple() {
                Some([module, name, arity]) if module.as_atom().is_some() => {
                    Term::tuple([module.clone(), name.clone(), arity.clone(), Term::NIL])
                }
                _ => entry,
            });
            let entries = entries.take(cx.s.node.backtrace_depth.max(1));
            let trace = Trace::Term(Term::list(entries.collect::<Vec<_>>()));
            Err(Exception { class, reason: args[1].clone(), trace }.into())
        }
        _ => Ok(Term::atom("badarg")),
    }
}
