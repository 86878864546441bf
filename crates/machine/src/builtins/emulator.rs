//! What programs ask about the emulator itself: its memory, its schedulers, its tables.
//!
//! The Machine has no allocators, no poll sets and no threads of its own. Where the documentation
//! has a way to say so (an allocator that is disabled, a library that is not known) that is the
//! answer; elsewhere it has the form that the BEAM's has, with figures that never change.

use std::fmt::Write as _;

use atom::Atom;
use term::{Map, Term};

use super::info::{SCHEDULERS, pair};
use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::builtins::row::HIDDEN;
use crate::process::Status;

/// Tags for tracers outside, in an emulator without them.
pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "dt_get_tag"/0 => |_, _| Ok(Term::UNDEFINED),
    "dt_get_tag_data"/0 => |_, _| Ok(Term::UNDEFINED),
    "dt_put_tag"/1 => |_, _| Ok(Term::UNDEFINED),
    "dt_spread_tag"/1 =>
        |_, args| if args[0].as_bool().is_some() { Ok(Term::TRUE) } else { badarg() },
    "dt_restore_tag"/1 =>
        |_, args| if args[0].is_atom(atom::known::TRUE) { Ok(Term::TRUE) } else { badarg() },
    "dt_prepend_vm_tag_data"/1 => |_, args| Ok(args[0].clone()),
    "dt_append_vm_tag_data"/1 => |_, args| Ok(args[0].clone()),
);

/// The emulator's own allocators.
const ALLOCATORS: &[&str] = &[
    "binary_alloc",
    "driver_alloc",
    "eheap_alloc",
    "ets_alloc",
    "fix_alloc",
    "literal_alloc",
    "ll_alloc",
    "mseg_alloc",
    "sl_alloc",
    "std_alloc",
    "sys_alloc",
    "temp_alloc",
];

/// Memory that is not divided further.
const AREAS: &[&str] = &[
    "sys_misc",
    "static",
    "atom_space",
    "atom_table",
    "module_table",
    "export_table",
    "export_list",
    "register_table",
    "fun_table",
    "module_refs",
    "loaded_code",
    "dist_table",
    "node_table",
    "bits_bufs_size",
    "bif_timer",
    "process_table",
    "port_table",
    "ets_misc",
    "external_alloc",
];

/// Kinds of threads whose states `msacc` counts, and how many there are of each.
const THREADS: &[(&str, i64)] = &[
    ("scheduler", SCHEDULERS),
    ("poll", 1),
    ("dirty_cpu_scheduler", SCHEDULERS),
    ("dirty_io_scheduler", 10),
    ("async", 1),
    ("aux", 1),
];

/// `system_info({Name, Part})`.
pub(super) fn part(name: &Term, part: &Term) -> Option<Term> {
    let part = part.as_atom()?.as_str();
    match name.as_atom()?.as_str() {
        // They are disabled.
        "allocator" | "allocator_sizes" if ALLOCATORS.contains(&part) => Some(Term::FALSE),
        "cpu_topology" if matches!(part, "defined" | "detected" | "used") => Some(Term::UNDEFINED),
        _ => None,
    }
}

/// Other items of `system_info/1`; `None` for what the BEAM does not know either.
pub(super) fn item(cx: &Ctx<'_>, name: &str) -> Option<Term> {
    Some(match name {
        "allocated_areas" => {
            let area = |name: &&str| match *name {
                "atom_space" => {
                    Term::tuple([Term::atom(name), Term::int(131_104), Term::int(102_633)])
                }
                _ => pair(name, Term::int(0)),
            };
            Term::list(AREAS.iter().map(area).collect::<Vec<_>>())
        }
        "allocator" => Term::tuple([Term::UNDEFINED, Term::NIL, Term::NIL, Term::NIL]),
        "check_io" => Term::list([check_io()]),
        "cpu_quota" => Term::atom("unknown"),
        "dist" => Term::binary(b"=node:'nonode@nohost'\n=no_distribution\n".to_vec()),
        "dist_ctrl" => Term::NIL,
        "heap_sizes" => heap_sizes(),
        "info" => Term::binary(info(cx).into_bytes()),
        "loaded" => Term::binary(loaded(cx).into_bytes()),
        "procs" => Term::binary(processes(cx).into_bytes()),
        "os_monotonic_time_source" => time_source("CLOCK_MONOTONIC", true, cx.s.node.now),
        "os_system_time_source" => time_source("CLOCK_REALTIME", false, cx.s.node.system_time()),
        "system_logger" => match cx.s.node.registry.get(&Atom::new("logger")) {
            Some(pid) => Term::from(*pid),
            None => Term::UNDEFINED,
        },
        _ => return None,
    })
}

fn check_io() -> Term {
    Term::list([
        pair("name", Term::atom("erts_poll")),
        pair("primary", Term::atom("epoll")),
        pair("kernel_poll", Term::atom("epoll")),
        pair("memory_size", Term::int(0)),
        pair("total_poll_set_size", Term::int(0)),
        pair("lazy_updates", Term::FALSE),
        pair("pending_updates", Term::int(0)),
        pair("batch_updates", Term::FALSE),
        pair("concurrent_updates", Term::TRUE),
        pair("fallback", Term::FALSE),
        pair("max_fds", Term::int(1_024)),
        pair("active_fds", Term::int(0)),
        pair("poll_threads", Term::int(1)),
    ])
}

/// All sizes that a heap can have, in words.
fn heap_sizes() -> Term {
    const MOST: i64 = 885_767_171_276_247;
    let mut sizes = vec![12];
    let mut size = 12;
    while size < MOST {
        size = super::info::heap_size(size + 1);
        sizes.push(size);
    }
    Term::list(sizes.into_iter().map(Term::int).collect::<Vec<_>>())
}

fn time_source(clock: &str, is_monotonic: bool, now: u64) -> Term {
    let mut facts = vec![
        pair("function", Term::atom("clock_gettime")),
        pair("clock_id", Term::atom(clock)),
        pair("resolution", Term::int(1_000_000_000)),
    ];
    if is_monotonic {
        facts.push(pair("extended", Term::atom("no")));
    }
    facts.push(pair("parallel", Term::atom("yes")));
    facts.push(pair("time", Term::from(now)));
    Term::list(facts)
}

/// Memory, tables and what is loaded, as text.
fn info(cx: &Ctx<'_>) -> String {
    let mut text = "=memory\n".to_owned();
    for (name, bytes) in super::info::MEMORY {
        let _ = writeln!(text, "{name}: {bytes}");
    }
    let _ = writeln!(text, "=loaded_modules\n{}", loaded(cx));
    text.push_str("=node:'nonode@nohost'\n=no_distribution\n");
    text
}

fn loaded(cx: &Ctx<'_>) -> String {
    let mut names: Vec<&str> = cx.code.modules.iter().map(|module| module.name.as_str()).collect();
    names.sort_unstable();
    let mut text = "Current code: 0\nOld code: 0\n".to_owned();
    for name in names {
        let _ = writeln!(text, "{name} 0");
    }
    text
}

/// All processes, as in a crash dump.
fn processes(cx: &Ctx<'_>) -> String {
    let mut text = String::new();
    for pid in cx.s.node.pids() {
        let Some(process) = cx.s.node.process(pid) else { continue };
        let state = match process.status {
            Status::Waiting => "Waiting",
            Status::Runnable => "Scheduled",
            Status::Exiting => "Exiting",
        };
        let _ = writeln!(text, "=proc:{}\nState: {state}", term::print::pid(pid));
        if let Some(name) = process.registered {
            let _ = writeln!(text, "Name: {name}");
        }
        let (module, name, arity) = process.initial_call;
        let _ = writeln!(text, "Spawned as: {module}:{name}/{arity}");
        let _ = writeln!(text, "Message queue length: {}", process.mailbox.len());
        let _ = writeln!(text, "Reductions: {}", process.reductions);
    }
    text
}

/// `system_flag(Flag, OnOrOff)` for what is collected when it is wanted only.
pub(super) fn collect(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(flag) = args[0].as_atom() else { return badarg() };
    let wanted = match args[1].as_bool() {
        Some(wanted) => wanted,
        // It forgets what was counted, and goes on as before.
        None if flag.as_str() == "microstate_accounting" && args[1].is_atom(Atom::new("reset")) => {
            cx.s.node.collected.get(&flag).copied().unwrap_or(false)
        }
        None => return badarg(),
    };
    Ok(Term::bool(cx.s.node.collected.insert(flag, wanted).unwrap_or(false)))
}

pub(super) fn statistics(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let milliseconds = cx.s.node.now / 1_000_000;
    let two = |a: u64, b: u64| Term::tuple([Term::from(a), Term::from(b)]);
    let ready = cx.s.node.ready.len();
    // One queue for each scheduler, one for the dirty ones that compute; the last is for those that
    // wait.
    let queues = |count: usize| {
        let rest = std::iter::repeat_n(Term::int(0), count - 1);
        Term::list(std::iter::once(Term::from(ready)).chain(rest).collect::<Vec<_>>())
    };
    let all = SCHEDULERS as usize + 2;
    Ok(match args[0].as_atom().map(Atom::as_str) {
        Some("runtime" | "wall_clock") => {
            let since =
                milliseconds - std::mem::replace(&mut cx.s.node.last_statistics, milliseconds);
            two(milliseconds, since)
        }
        Some("reductions" | "exact_reductions") => {
            let made = cx.s.node.steps + cx.s.node.turn.made();
            two(made, made - std::mem::replace(&mut cx.s.node.last_reductions, made))
        }
        Some("context_switches") => two(0, 0),
        Some("garbage_collection") => Term::tuple([Term::int(0), Term::int(0), Term::int(0)]),
        Some("io") => Term::tuple([pair("input", Term::int(0)), pair("output", Term::int(0))]),
        Some("run_queue" | "total_run_queue_lengths" | "total_active_tasks") => Term::from(ready),
        Some("total_run_queue_lengths_all" | "total_active_tasks_all") => Term::from(ready),
        Some("run_queue_lengths" | "active_tasks") => queues(all - 1),
        Some("run_queue_lengths_all" | "active_tasks_all") => queues(all),
        Some("run_queues") => {
            let mut counts = vec![Term::int(0); all];
            counts[0] = Term::from(ready);
            Term::tuple(counts)
        }
        Some("scheduler_wall_time") => wall_time(cx, 2 * SCHEDULERS),
        Some("scheduler_wall_time_all") => wall_time(cx, 2 * SCHEDULERS + 10),
        Some("microstate_accounting") => microstates(),
        _ => return badarg(),
    })
}

/// How long schedulers were busy: all the time, since time passes with what is done.
fn wall_time(cx: &Ctx<'_>, schedulers: i64) -> Term {
    if !cx.s.node.collected.get(&Atom::new("scheduler_wall_time")).is_some_and(|wanted| *wanted) {
        return Term::UNDEFINED;
    }
    let total = Term::from(cx.s.node.now);
    let entry = |id| {
        let busy = if id == 1 { total.clone() } else { Term::int(0) };
        Term::tuple([Term::int(id), busy, total.clone()])
    };
    Term::list((1..=schedulers).map(entry).collect::<Vec<_>>())
}

fn microstates() -> Term {
    const STATES: [&str; 7] = ["aux", "check_io", "emulator", "gc", "other", "port", "sleep"];
    let counters = || Term::map(Map::from_iter(STATES.map(|s| (Term::atom(s), Term::int(0)))));
    let threads = THREADS.iter().flat_map(|(kind, count)| {
        let first = if matches!(*kind, "poll" | "async") { 0 } else { 1 };
        (first..first + count).map(move |id| (kind, id))
    });
    let entry = |(kind, id): (&&str, i64)| {
        Term::map(Map::from_iter([
            (Term::atom("counters"), counters()),
            (Term::atom("id"), Term::int(id)),
            (Term::atom("type"), Term::atom(kind)),
        ]))
    };
    Term::list(threads.map(entry).collect::<Vec<_>>())
}
