//! `erts_debug:get_internal_state/1` and `set_internal_state/2`: what OTP's own test suites ask of
//! the emulator.
//!
//! Answered is what this Machine has, too: links and monitors, numbers of processes, hashes.
//! Settings that would only change how the emulator divides its work (loop limits, reductions left,
//! waiting for its helper threads, garbage collection) are accepted and change nothing. What speaks
//! of the emulator's memory is refused.

use atom::Atom;
use term::{Term, View};

use super::{Builtin, Control, Ctx, Return, badarg, builtins};
use crate::builtins::row::visible;
use crate::exception::Exception;
use crate::footprint::touches;
use crate::process::{MonitorTarget, Process, Status};

pub(super) const TABLE: &[Builtin] = builtins!(ERTS_DEBUG, visible(touches::everything);
    "get_internal_state"/1 => |cx, args| get(cx, &args[0]),
    "set_internal_state"/2 => |cx, args| set(cx, &args[0], &args[1]),
);

fn unsupported(which: &str, item: &Term) -> Return {
    let item = term::print::to_string(item);
    Err(Control::Unsupported(format!("erts_debug:{which}({item}) is not supported")).into())
}

fn get(cx: &mut Ctx<'_>, item: &Term) -> Return {
    let available = Atom::new("available_internal_state");
    if item.is_atom(available) {
        return Ok(Term::bool(cx.s.node.internal_state));
    }
    if !cx.s.node.internal_state {
        return Err(Exception::atom(Atom::new("undef")).into());
    }
    match item.view() {
        View::Atom(name) => match name.as_str() {
            "reds_left" => Ok(Term::int(4000)),
            "next_pid" | "next_port" => Ok(Term::from(cx.s.node.processes_made())),
            "flxctr_memory_usage" => Ok(Term::atom("notsup")),
            // A table whose size is `info/0`'s count; nothing waits to be freed.
            "persistent_term" => Ok(Term::map(term::Map::from_iter([(
                Term::atom("table"),
                Term::from(cx.s.node.shared.terms.len()),
            )]))),
            "processes" => Ok(Term::list(cx.s.node.pids().map(Term::from).collect::<Vec<_>>())),
            _ => unsupported("get_internal_state", item),
        },
        View::Tuple([name, of]) if name.is_atom(Atom::new("internal_hash")) => {
            Ok(Term::from(term::table_hash::internal_hash(of)))
        }
        View::Tuple([name, of]) => {
            let name = name.as_atom().map_or("", Atom::as_str);
            let pid = of.as_pid();
            let process = pid.map(|pid| match pid == cx.p.pid {
                true => Some(&*cx.p),
                false => cx.s.node.process(pid),
            });
            // Other nodes have no links or monitors: there are none.
            if matches!(name, "link_list" | "monitor_list") && of.as_atom().is_some() {
                return Ok(Term::NIL);
            }
            match (name, process) {
                ("link_list", Some(process)) => Ok(process.map_or(Term::UNDEFINED, links)),
                ("monitor_list", Some(process)) => {
                    let by_name = |reference: &term::Ref, origin: &term::Pid| {
                        let origin = match *origin == cx.p.pid {
                            true => Some(&*cx.p),
                            false => cx.s.node.process(*origin),
                        };
                        match &origin?.monitoring.get(reference)?.target {
                            MonitorTarget::Named(_, name) => Some(*name),
                            _ => None,
                        }
                    };
                    Ok(process.map_or(Term::UNDEFINED, |process| monitors(process, &by_name)))
                }
                ("process_status", Some(process)) => Ok(match process.map(|p| &p.status) {
                    None => Term::UNDEFINED,
                    Some(Status::Exiting) => Term::atom("exiting"),
                    Some(Status::Runnable) => Term::atom("runnable"),
                    Some(Status::Waiting) => Term::atom("waiting"),
                }),
                _ => unsupported("get_internal_state", item),
            }
        }
        _ => badarg(),
    }
}

/// `{erl_link, process, Pid, linked, Id}` for each linked process.
fn links(process: &Process) -> Term {
    let link = |pid: &term::Pid| {
        let (tag, kind) = (Term::atom("erl_link"), Term::atom("process"));
        Term::tuple([tag, kind, Term::from(*pid), Term::atom("linked"), Term::int(0)])
    };
    Term::list(process.relations.links.iter().map(link).collect::<Vec<_>>())
}

/// The name by which a process monitors another, if it does so by name.
type ByName<'a> = dyn Fn(&term::Ref, &term::Pid) -> Option<Atom> + 'a;

/// `{erl_monitor, Type, origin | target, Ref, Pid, NameOrNil}` for each monitor from or to the
/// process.
fn monitors(process: &Process, by_name: &ByName<'_>) -> Term {
    let entry = |kind: &str, direction: &str, reference, pid: Term, extra: Term| {
        let (tag, kind, direction) =
            (Term::atom("erl_monitor"), Term::atom(kind), Term::atom(direction));
        Term::tuple([tag, kind, direction, Term::from(reference), pid, extra])
    };
    let origins = process.monitoring.iter().map(|(reference, monitoring)| {
        let (kind, pid, extra) = match &monitoring.target {
            MonitorTarget::Process(pid) => ("process", Term::from(*pid), Term::NIL),
            MonitorTarget::Named(pid, name) => ("process", Term::from(*pid), Term::from(*name)),
            MonitorTarget::Service(name) => ("time_offset", Term::from(*name), Term::NIL),
        };
        entry(kind, "origin", *reference, pid, extra)
    });
    let targets = process.monitored_by.iter().map(|(reference, pid)| {
        let name = by_name(reference, pid).map_or(Term::NIL, Term::from);
        entry("process", "target", *reference, Term::from(*pid), name)
    });
    Term::list(origins.chain(targets).collect::<Vec<_>>())
}

fn set(cx: &mut Ctx<'_>, item: &Term, value: &Term) -> Return {
    let Some(name) = item.as_atom() else { return badarg() };
    if name.as_str() == "available_internal_state" {
        let Some(on) = value.as_bool() else { return badarg() };
        return Ok(Term::bool(std::mem::replace(&mut cx.s.node.internal_state, on)));
    }
    if !cx.s.node.internal_state {
        return Err(Exception::atom(Atom::new("undef")).into());
    }
    match name.as_str() {
        "reds_left" | "force_gc" | "gc_state" => Ok(Term::TRUE),
        "wait" => Ok(Term::OK),
        // The limit that was in force before: none was set.
        "binary_loop_limit" | "re_loop_limit" | "unicode_loop_limit" => Ok(Term::int(-1)),
        // How tables share locks, and when they interrupt their work: they do not.
        "ets_force_trap" => Ok(Term::atom("notsup")),
        "ets_force_split" => force_split(cx, value),
        "ets_debug_random_split_join" => Ok(Term::OK),
        "mbuf" => Ok(value.clone()),
        // Names are ordered, not hashed: any names will do.
        "colliding_names" => {
            let Some([name, count]) = value.as_tuple() else { return badarg() };
            let (Some(name), Some(count)) = (name.as_atom(), count.as_int()) else {
                return badarg();
            };
            let names = (0..count).map(|i| Term::atom(&format!("{name}_{i}")));
            Ok(Term::list(names.collect::<Vec<_>>()))
        }
        _ => unsupported("set_internal_state", item),
    }
}

/// From now on, or no more, every insertion into an ordered table splits it.
fn force_split(cx: &mut Ctx<'_>, value: &Term) -> Return {
    let Some([table, on]) = value.as_tuple() else { return badarg() };
    let (Ok(id), Some(on)) = (cx.s.node.tables.id_of(table), on.as_bool()) else { return badarg() };
    match cx.s.node.tables.get_mut(id) {
        Some(table) => {
            table.splits.forced = on;
            Ok(Term::OK)
        }
        None => badarg(),
    }
}
