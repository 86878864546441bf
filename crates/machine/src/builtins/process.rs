//! Builtins that start, end and connect processes.

use term::Term;

use super::{Builtin, Control, Ctx, Return, Start, badarg, builtins};
use crate::exception::{Class, Exception, Trace};
use crate::process::Process;

pub(super) const VISIBLE: &[Builtin] = builtins!("erlang", visible: true;
    "spawn"/1 => spawn_fun,
    "spawn"/3 => spawn,
    "exit"/1 => exit,
    "error"/1 => error,
    "throw"/1 => throw,
    "halt"/0 => halt,
);

fn start(cx: &mut Ctx<'_>, start: Start) -> Return {
    let pid = cx.s.new_pid();
    let mut process = Process::new(pid, cx.p.group_leader);
    process.parent = Some(cx.p.pid);
    process.start = Some(start);
    cx.s.add(process);
    Ok(Term::from(pid))
}

fn spawn_fun(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    if args[0].as_fun().is_none() {
        return badarg();
    }
    start(cx, Start::Fun { fun: args[0].clone(), args: Vec::new() })
}

fn spawn(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match (args[0].as_atom(), args[1].as_atom(), args[2].to_vec()) {
        (Some(module), Some(name), Some(args)) => start(cx, Start::Apply { module, name, args }),
        _ => badarg(),
    }
}

fn raise(class: Class, reason: &Term) -> Return {
    Err(Exception { class, reason: reason.clone(), trace: Trace::Unknown }.into())
}

fn exit(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    raise(Class::Exit, &args[0])
}

fn error(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    raise(Class::Error, &args[0])
}

fn throw(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    raise(Class::Throw, &args[0])
}

fn halt(_: &mut Ctx<'_>, _: &[Term]) -> Return {
    Err(Control::Halt(0).into())
}
