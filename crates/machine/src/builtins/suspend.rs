//! Suspending processes: `suspend_process/1,2`, `resume_process/1`.
//!
//! A suspended process does not run until everybody who suspended it has resumed it as often, or is
//! gone. It keeps its status underneath (able to run, or waiting), and signals reach it. As signals
//! take effect at once here, asynchronous requests are done at once, too.

use std::collections::btree_map::Entry;

use atom::Atom;
use term::{Pid, Term, View};

use super::{Builtin, Control, Ctx, Return, badarg, builtins};
use crate::builtins::row::visible;
use crate::footprint::touches;
use crate::process::Process;

pub(super) const VISIBLE: &[Builtin] = builtins!(ERLANG, visible(touches::everything);
    "suspend_process"/1 => |cx, args| suspend(cx, &args[0], &Term::NIL),
    "suspend_process"/2 => |cx, args| suspend(cx, &args[0], &args[1]),
    "resume_process"/1 => |cx, args| resume(cx, &args[0]),
);

/// The other process that is meant.
fn other(cx: &Ctx<'_>, pid: &Term) -> Option<Pid> {
    pid.as_pid().filter(|pid| *pid != cx.p.pid)
}

fn suspend(cx: &mut Ctx<'_>, pid: &Term, options: &Term) -> Return {
    if cx.s.is_driven() {
        let what = "erlang:suspend_process/2 while schedules are explored is not supported";
        return Err(Control::Unsupported(what.into()).into());
    }
    let (Some(pid), Some(options)) = (other(cx, pid), options.to_vec()) else { return badarg() };
    let (mut unless_suspending, mut asynchronous, mut tag) = (false, false, None);
    for option in &options {
        match option.view() {
            View::Atom(name) if name.as_str() == "unless_suspending" => unless_suspending = true,
            View::Atom(name) if name.as_str() == "asynchronous" => asynchronous = true,
            View::Tuple([name, value]) if name.is_atom(Atom::new("asynchronous")) => {
                (asynchronous, tag) = (true, Some(value.clone()));
            }
            _ => return badarg(),
        }
    }
    let me = cx.p.pid;
    let mut newly = true;
    let state = match cx.s.node.process_mut(pid) {
        // As OTP 25 answers, whatever its documentation says.
        None if asynchronous => "badarg",
        None => return badarg(),
        Some(process) => {
            match process.relations.suspended_by.entry(me) {
                Entry::Occupied(_) if unless_suspending => newly = false,
                Entry::Occupied(mut count) => *count.get_mut() += 1,
                Entry::Vacant(none) => {
                    none.insert(1);
                }
            }
            cx.p.relations.suspending.insert(pid);
            cx.s.node.unqueue(pid);
            "suspended"
        }
    };
    if let Some(tag) = tag {
        cx.node().send(me, Term::tuple([tag, Term::atom(state)]));
    }
    Ok(Term::bool(newly))
}

fn resume(cx: &mut Ctx<'_>, pid: &Term) -> Return {
    let Some(pid) = other(cx, pid) else { return badarg() };
    let me = cx.p.pid;
    let Some(process) = cx.s.node.process_mut(pid) else { return badarg() };
    match process.relations.suspended_by.get_mut(&me) {
        None => return badarg(),
        Some(1) => {
            cx.p.relations.suspending.remove(&pid);
            cx.s.node.release(pid, me);
        }
        Some(count) => *count -= 1,
    }
    Ok(Term::TRUE)
}

/// `[{Suspendee, ActiveCount, OutstandingCount}]`, as `process_info/2` tells it.
pub(super) fn suspending(cx: &Ctx<'_>, process: &Process) -> Term {
    let entry = |pid: &Pid| {
        let suspended = if *pid == cx.p.pid { Some(&*cx.p) } else { cx.s.node.process(*pid) };
        let count = suspended?.relations.suspended_by.get(&process.pid)?;
        Some(Term::tuple([Term::from(*pid), Term::int(i64::from(*count)), Term::int(0)]))
    };
    Term::list(process.relations.suspending.iter().filter_map(entry).collect::<Vec<_>>())
}
