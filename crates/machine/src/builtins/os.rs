//! `os`: the environment variables of the program, which are part of the state, and what else it
//! asks of the operating system.

use std::rc::Rc;

use term::{Atom, Term};

use super::file::shown;
use super::{Builtin, Control, Ctx, Return, badarg, builtins, text_of};
use crate::builtins::row::{HIDDEN, visible};
use crate::footprint::touches;

pub(super) const TABLE: &[Builtin] = builtins!(OS, HIDDEN;
    "env"/0 => env,
    "getenv"/1 => getenv,
    "getpid"/0 => |cx, _| Ok(Term::string(&cx.s.host.world.os_pid().to_string())),
    "set_signal"/2 => set_signal,
);

pub(super) const VISIBLE: &[Builtin] = builtins!(OS, visible(touches::write_world);
    "putenv"/2 => putenv,
    "unsetenv"/1 => unsetenv,
);

pub(super) const NATIVE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "unsupported"/1 => |_, a| Err(Control::Unsupported(text_of(&a[0]).unwrap_or_default()).into()),
    "host_name"/0 => |cx, _| Ok(Term::string(&cx.s.host.world.host_name())),
    "random_bytes"/1 => random_bytes,
);

/// A name of a variable: without an equal sign.
fn variable(term: &Term) -> Option<String> {
    let text = string(term)?;
    (!text.contains('=')).then_some(text)
}

/// A string of characters without zeros.
fn string(term: &Term) -> Option<String> {
    if term.is_list() { text_of(term).filter(|text| !text.contains('\0')) } else { None }
}

fn env(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let pairs =
        cx.s.host
            .outside
            .environment
            .iter()
            .map(|(name, value)| Term::tuple([Term::string(name), Term::string(value)]));
    Ok(Term::list(pairs.collect::<Vec<_>>()))
}

fn getenv(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(name) = variable(&args[0]) else { return badarg() };
    let value = cx.s.host.outside.environment.get(&name);
    Ok(value.and_then(|value| shown(value.as_bytes())).unwrap_or(Term::FALSE))
}

fn putenv(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(name), Some(value)) = (variable(&args[0]), string(&args[1])) else {
        return badarg();
    };
    // The system refuses a variable without a name; that is not told.
    if !name.is_empty() {
        Rc::make_mut(&mut cx.s.host.outside.environment).insert(name, value);
    }
    Ok(Term::TRUE)
}

fn unsetenv(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(name) = variable(&args[0]) else { return badarg() };
    Rc::make_mut(&mut cx.s.host.outside.environment).remove(&name);
    Ok(Term::TRUE)
}

/// No signal of the operating system ever reaches the program.
fn set_signal(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let signal = args[0].as_atom().map(Atom::as_str);
    let option = args[1].as_atom().map(Atom::as_str);
    let known = matches!(
        signal,
        Some(
            "sighup"
                | "sigquit"
                | "sigabrt"
                | "sigalrm"
                | "sigterm"
                | "sigusr1"
                | "sigusr2"
                | "sigchld"
                | "sigstop"
                | "sigtstp"
        )
    );
    match option {
        Some("ignore" | "default" | "handle") if known => Ok(Term::OK),
        _ => badarg(),
    }
}

/// Bytes that are different in every run only if the World's seed is.
fn random_bytes(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let wanted = args[0].as_int().and_then(|wanted| usize::try_from(wanted).ok());
    let Some(wanted) = wanted.filter(|wanted| *wanted <= 1 << 31) else { return badarg() };
    let mut bytes = Vec::with_capacity(wanted + 7);
    while bytes.len() < wanted {
        bytes.extend(cx.s.host.outside.random().to_le_bytes());
    }
    bytes.truncate(wanted);
    Ok(Term::binary(bytes))
}
