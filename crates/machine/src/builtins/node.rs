//! What the library asks about the node as a whole: how it was started, that it is up, where tests
//! may keep files, and the events of test runs.
//!
//! What each function does is said in `stdlib/erl/otp/NATIVES.md`.

use atom::Atom;
use term::Term;

use super::{Builtin, Control, Ctx, Return, builtins};
use crate::builtins::row::HIDDEN;

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "booted"/0 => booted,
    "arguments"/0 => arguments,
    "plain_arguments"/0 => plain_arguments,
    "finish"/1 => finish,
    "is_explored"/0 => |cx, _| Ok(Term::bool(cx.s.is_driven())),
    "nif_missing"/1 => nif_missing,
    "nif_missing"/2 => nif_missing,
    "test_event"/1 => test_event,
    "scratch_dir"/0 => scratch_dir,
);

fn booted(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    cx.s.node.end_boot();
    Ok(Term::OK)
}

/// The main call of the program has returned: the node ends, whatever else is running.
fn finish(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    cx.s.host.result = Some(args[0].clone());
    Err(Control::Halt(0).into())
}

/// The body of a function that is native in OTP.
fn nif_missing(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    match cx.code.function_at(cx.p.pc) {
        Some(function) => Err(Control::Absent(function.mfa).into()),
        None => Err(Control::Unsupported(String::new()).into()),
    }
}

fn strings(texts: &[String]) -> Term {
    Term::list(texts.iter().map(|text| Term::string(text)).collect::<Vec<_>>())
}

fn arguments(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let flags = cx.s.host.arguments.flags.iter();
    let flags =
        flags.map(|(name, values)| Term::tuple([Term::from(Atom::new(name)), strings(values)]));
    Ok(Term::list(flags.collect::<Vec<_>>()))
}

fn plain_arguments(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    Ok(strings(&cx.s.host.arguments.plain))
}

fn test_event(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    cx.s.host.test_events.push(args[0].clone());
    Ok(Term::OK)
}

fn scratch_dir(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    match cx.s.host.world.scratch_dir() {
        Some(dir) => Ok(Term::string(&dir)),
        None => {
            Err(Control::Unsupported("there is no directory for the files of tests".into()).into())
        }
    }
}
