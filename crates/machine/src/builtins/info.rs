//! What processes and the node tell about themselves.

use std::borrow::Cow;

use atom::Atom;
use term::{Map, Pid, Term, View};

use super::{Builtin, Ctx, Return, badarg, builtins, emulator};
use crate::builtins::row::{Asks, Facts, HIDDEN, Told, visible};
use crate::exception;
use crate::footprint;
use crate::io_service::{self, Devices};
use crate::process::{MonitorTarget, Process, Status};

const PROCESS_INFO: Facts = visible(footprint::process_info).fails_by_arguments().asks(Asks::State);
const PROCESS_FLAG: Facts = visible(footprint::process_flag).fails_by_arguments().told(Told::Flag);

pub(super) const VISIBLE: &[Builtin] = builtins!(ERLANG;
    "process_info"/1 [PROCESS_INFO] => process_info_all,
    "process_info"/2 [PROCESS_INFO] => process_info,
    "process_flag"/2 [PROCESS_FLAG] => |cx, args| {
        let me = cx.p.pid;
        process_flag(cx, me, &args[0], &args[1])
    },
);

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "process_flag"/3 => process_flag_of,
    "node"/0 => |_, _| Ok(Term::atom("nonode@nohost")),
    "node"/1 => node_of,
    "nodes"/0 => |_, _| Ok(Term::NIL),
    "nodes"/1 => |_, _| Ok(Term::NIL),
    "nodes"/2 => |_, _| Ok(Term::NIL),
    "is_alive"/0 => |_, _| Ok(Term::FALSE),
    "get_cookie"/0 => |_, _| Ok(Term::atom("nocookie")),
    "get_cookie"/1 => |_, _| Ok(Term::atom("nocookie")),
    "pid_to_list"/1 => |_, args| printed(args, Term::is_pid),
    "ref_to_list"/1 => |_, args| printed(args, Term::is_ref),
    "port_to_list"/1 => |_, args| printed(args, Term::is_port),
    "fun_to_list"/1 => |_, args| printed(args, |term| term.as_fun().is_some()),
    "list_to_pid"/1 => |_, args| list_to_identifier(args, "<0.", ">", |n| match n {
        [number, serial] => Pid::from_numbers(*number, *serial).map(Term::from),
        _ => None,
    }),
    "list_to_ref"/1 => |_, args| list_to_identifier(args, "#Ref<0.", ">", |n| match n {
        [a, b, c] => Some(term::etf::local_reference([*c, *b, *a].map(|n| n as u32))),
        _ => None,
    }),
    "list_to_port"/1 => |_, args| list_to_identifier(args, "#Port<0.", ">", |n| match n {
        [number] => term::Port::from_number(*number).map(Term::port),
        _ => None,
    }),
    "statistics"/1 => emulator::statistics,
    "system_info"/1 => system_info,
    "system_flag"/2 => system_flag,
    "memory"/0 => |_, _| Ok(memory_all()),
    "memory"/1 => memory,
    "process_display"/2 => |_, _| Ok(Term::TRUE),
);

/// Items that `process_info/1` lists, in its order.
const ALL: &[&str] = &[
    "registered_name",
    "current_function",
    "initial_call",
    "status",
    "message_queue_len",
    "links",
    "dictionary",
    "trap_exit",
    "error_handler",
    "priority",
    "group_leader",
    "total_heap_size",
    "heap_size",
    "stack_size",
    "reductions",
    "garbage_collection",
    "suspending",
];

/// A process that exists and is not bound to end, the caller included.
fn look<'a>(cx: &'a Ctx<'_>, pid: Pid) -> Option<Cow<'a, Process>> {
    match pid {
        _ if cx.p.pid == pid => Some(Cow::Borrowed(cx.p)),
        _ if Devices::is_service(pid) => Some(Cow::Owned(io_service::as_process(cx.s, pid))),
        _ => {
            let process = cx.s.node.process(pid).filter(|process| process.doomed.is_none());
            process.map(Cow::Borrowed)
        }
    }
}

fn process_info_all(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(pid) = args[0].as_pid() else { return badarg() };
    cx.node().ask(pid);
    let Some(process) = look(cx, pid) else { return Ok(Term::UNDEFINED) };
    let items = ALL.iter().filter_map(|item| {
        let value = item_value(cx, &process, item)?;
        // A process without a name has no such entry here.
        (!(*item == "registered_name" && value.is_nil())).then(|| pair(item, value))
    });
    Ok(Term::list(items.collect::<Vec<_>>()))
}

pub(super) fn pair(name: &str, value: Term) -> Term {
    Term::tuple([Term::atom(name), value])
}

/// Asking another process counts as so many calls: on the BEAM it answers itself.
const QUESTION: u32 = 20;

fn process_info(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(pid) = args[0].as_pid() else { return badarg() };
    // Arguments are judged even if the process is gone.
    if asks_for_nothing(args) {
        return badarg();
    }
    cx.node().ask(pid);
    if pid != cx.p.pid {
        cx.s.node.turn.charge_exactly(QUESTION);
    }
    let one = |process: &Process, item: &Term| -> Option<Term> {
        match item.view() {
            View::Atom(name) => {
                let value = item_value(cx, process, name.as_str())?;
                Some(Term::tuple([item.clone(), value]))
            }
            View::Tuple([tag, key]) if tag.is_atom(Atom::new("dictionary")) => {
                let found = process.dictionary.iter().find(|(k, _)| term::order::exact_eq(k, key));
                let value = found.map_or(Term::UNDEFINED, |(_, value)| value.clone());
                Some(Term::tuple([item.clone(), value]))
            }
            _ => None,
        }
    };
    let Some(process) = look(cx, pid) else { return Ok(Term::UNDEFINED) };
    if args[1].is_list() {
        let wanted = args[1].elements();
        let items: Option<Vec<Term>> = wanted.map(|item| one(&process, item)).collect();
        return match items {
            Some(items) => Ok(Term::list(items)),
            None => badarg(),
        };
    }
    match one(&process, &args[1]) {
        // Unregistered: the one item whose answer is not a pair.
        Some(answer) if args[1].is_atom(Atom::new("registered_name")) => {
            let value = answer.as_tuple().map(|pair| pair[1].clone()).unwrap_or_default();
            Ok(if value.is_nil() { Term::NIL } else { answer })
        }
        Some(answer) => Ok(answer),
        None => badarg(),
    }
}

/// Whether `process_info` with such arguments fails without having asked.
pub(crate) fn asks_for_nothing(args: &[Term]) -> bool {
    let [_, wanted] = args else { return false };
    match wanted.to_vec() {
        Some(items) => !items.iter().all(is_item),
        None => !is_item(wanted),
    }
}

fn is_item(item: &Term) -> bool {
    match item.view() {
        View::Atom(name) => {
            ALL.contains(&name.as_str())
                || matches!(
                    name.as_str(),
                    "messages"
                        | "monitors"
                        | "monitored_by"
                        | "memory"
                        | "current_location"
                        | "current_stacktrace"
                        | "parent"
                        | "label"
                        | "message_queue_data"
                        | "min_heap_size"
                        | "min_bin_vheap_size"
                        | "max_heap_size"
                        | "fullsweep_after"
                        | "catchlevel"
                        | "backtrace"
                        | "binary"
                        | "last_calls"
                        | "sequential_trace_token"
                        | "trace"
                        | "off_heap_message_queue"
                        | "garbage_collection_info"
                        | "async_dist"
                )
        }
        View::Tuple([tag, _]) => tag.is_atom(Atom::new("dictionary")),
        _ => false,
    }
}

fn known(cx: &Ctx<'_>, pids: impl Iterator<Item = Pid>) -> Term {
    Term::list(pids.map(|pid| cx.s.node.known_as(pid)).collect::<Vec<_>>())
}

fn mfa(module: Atom, name: Atom, arity: u32) -> Term {
    Term::tuple([Term::from(module), Term::from(name), Term::from(arity)])
}

fn item_value(cx: &Ctx<'_>, p: &Process, item: &str) -> Option<Term> {
    if let Some((module, name, arity)) = io_service::loop_of(p.pid) {
        let (module, name, arity) = (Term::atom(module), Term::atom(name), Term::int(arity));
        match item {
            "current_function" => return Some(Term::tuple([module, name, arity])),
            "current_location" => return Some(Term::tuple([module, name, arity, Term::NIL])),
            "current_stacktrace" => {
                return Some(Term::list([Term::tuple([module, name, arity, Term::NIL])]));
            }
            _ => {}
        }
    }
    let here = cx.code.function_at(p.pc);
    Some(match item {
        "registered_name" => p.registered.map_or(Term::NIL, Term::from),
        "current_function" => match here {
            Some(f) if p.start.is_none() => mfa(f.mfa.module, f.mfa.name, f.mfa.arity),
            _ if p.status == Status::Waiting => mfa(atom::known::ERLANG, Atom::new("hibernate"), 3),
            _ => mfa(p.initial_call.0, p.initial_call.1, p.initial_call.2),
        },
        "initial_call" => mfa(p.initial_call.0, p.initial_call.1, p.initial_call.2),
        "status" => Term::atom(match p.status {
            _ if p.pid == cx.p.pid => "running",
            _ if p.is_suspended() => "suspended",
            Status::Runnable => "runnable",
            Status::Waiting => "waiting",
            Status::Exiting => "exiting",
        }),
        "message_queue_len" => Term::from(p.mailbox.len()),
        "messages" => Term::list(p.mailbox.iter().cloned().collect::<Vec<_>>()),
        "links" => known(cx, p.relations.links.iter().copied()),
        "monitors" => {
            let entries = p.monitoring.values().filter_map(|monitoring| match monitoring.target {
                MonitorTarget::Process(pid) => {
                    let kind = if cx.s.node.is_port(pid) { "port" } else { "process" };
                    Some(pair(kind, cx.s.node.known_as(pid)))
                }
                MonitorTarget::Named(_, name) => {
                    let node = Term::atom("nonode@nohost");
                    Some(pair("process", Term::tuple([Term::from(name), node])))
                }
                MonitorTarget::Service(_) => None,
            });
            Term::list(entries.collect::<Vec<_>>())
        }
        "monitored_by" => {
            // Driven step by step, some are there that were removed.
            let is_wanted = |(monitor, by): &(&term::Ref, &Pid)| {
                let watcher = if **by == cx.p.pid { Some(&*cx.p) } else { cx.s.node.process(**by) };
                watcher.is_some_and(|watcher| watcher.monitoring.contains_key(*monitor))
            };
            known(cx, p.monitored_by.iter().filter(is_wanted).map(|(_, pid)| *pid))
        }
        "dictionary" => {
            let pairs = p.dictionary.iter().map(|(k, v)| Term::tuple([k.clone(), v.clone()]));
            Term::list(pairs.collect::<Vec<_>>())
        }
        "trap_exit" => Term::bool(p.trap_exit),
        "error_handler" => Term::atom("error_handler"),
        "priority" => Term::from(p.priority),
        "group_leader" => Term::from(p.group_leader),
        "parent" => p.parent.map_or(Term::UNDEFINED, Term::from),
        "label" => p.label.clone().unwrap_or(Term::UNDEFINED),
        // The Machine has no heap a process; the size of the stack is what there is.
        "total_heap_size" | "heap_size" => kept(p, "min_heap_size", Term::int(233)),
        "stack_size" => Term::from(p.stack.len()),
        "memory" => Term::from(2_600 + p.stack.len() * 8),
        "reductions" if p.pid == cx.p.pid => Term::from(p.reductions + cx.s.node.turn.made()),
        "reductions" => Term::from(p.reductions),
        "catchlevel" => Term::from(p.handlers.len()),
        "suspending" => super::suspend::suspending(cx, p),
        "binary" => Term::NIL,
        "backtrace" => backtrace(cx, p),
        "garbage_collection_info" => collections(p),
        "last_calls" | "async_dist" => Term::FALSE,
        "sequential_trace_token" => Term::NIL,
        "trace" => Term::int(0),
        "message_queue_data" => kept(p, "message_queue_data", Term::atom("on_heap")),
        "min_heap_size" => kept(p, "min_heap_size", Term::int(233)),
        "min_bin_vheap_size" => kept(p, "min_bin_vheap_size", Term::int(46_422)),
        "fullsweep_after" => kept(p, "fullsweep_after", Term::int(65_535)),
        "max_heap_size" => kept(p, "max_heap_size", max_heap_size()),
        "garbage_collection" => Term::list([
            pair("max_heap_size", kept(p, "max_heap_size", max_heap_size())),
            pair("min_bin_vheap_size", kept(p, "min_bin_vheap_size", Term::int(46_422))),
            pair("min_heap_size", kept(p, "min_heap_size", Term::int(233))),
            pair("fullsweep_after", kept(p, "fullsweep_after", Term::int(65_535))),
            pair("minor_gcs", Term::int(0)),
        ]),
        "current_location" => match here {
            Some(f) => Term::tuple([
                Term::from(f.mfa.module),
                Term::from(f.mfa.name),
                Term::from(f.mfa.arity),
                exception::location(cx.code, p.pc),
            ]),
            None => Term::UNDEFINED,
        },
        "current_stacktrace" if cx.s.node.backtrace_depth == 0 => Term::NIL,
        "current_stacktrace" => exception::stack_trace(
            cx.code,
            &exception::raw(p, p.pc, Term::NIL, cx.s.node.backtrace_depth),
        ),
        _ => return None,
    })
}

/// Where a process is and through which functions it came there, as text.
fn backtrace(cx: &Ctx<'_>, p: &Process) -> Term {
    let callers = p.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
    let mut text = String::new();
    for (at, pc) in std::iter::once(p.pc).chain(callers).enumerate() {
        let Some(function) = cx.code.function_at(pc) else { continue };
        let word = if at == 0 { "Program counter" } else { "Return addr" };
        let mfa = function.mfa;
        let (module, name, arity) = (mfa.module, mfa.name, mfa.arity);
        text.push_str(&format!("{word}: 0x{pc:016x} ({module}:{name}/{arity})\n"));
    }
    Term::binary(text.into_bytes())
}

/// The sizes of the parts of a heap, which there is none of.
fn collections(p: &Process) -> Term {
    let heap = || kept(p, "min_heap_size", Term::int(233));
    let binaries = || kept(p, "min_bin_vheap_size", Term::int(46_422));
    Term::list([
        pair("old_heap_block_size", Term::int(0)),
        pair("heap_block_size", heap()),
        pair("mbuf_size", Term::int(0)),
        pair("recent_size", Term::int(0)),
        pair("stack_size", Term::from(p.stack.len())),
        pair("old_heap_size", Term::int(0)),
        pair("heap_size", Term::int(0)),
        pair("bin_vheap_size", Term::int(0)),
        pair("bin_vheap_block_size", binaries()),
        pair("bin_old_vheap_size", Term::int(0)),
        pair("bin_old_vheap_block_size", binaries()),
    ])
}

/// A setting of a process that only the BEAM's memory would show.
fn kept(process: &Process, flag: &str, default: Term) -> Term {
    process.other_flags.get(&Atom::new(flag)).cloned().unwrap_or(default)
}

/// The value that a setting of the collector gets: sizes go up to the next one that the BEAM has.
pub(super) fn heap_setting(name: &str, value: &Term) -> Option<Term> {
    let wanted = value.as_int().filter(|n| *n >= 0)?;
    Some(Term::int(match name {
        "min_heap_size" => heap_size(wanted.max(233)),
        "min_bin_vheap_size" => heap_size(wanted.max(46_422)),
        "fullsweep_after" => i64::from(wanted as u16),
        _ => wanted,
    }))
}

/// The BEAM's heap sizes in words: 23 that are the sum of the two before and one, then a fifth more
/// each time.
pub(super) fn heap_size(wanted: i64) -> i64 {
    let (mut before, mut size) = (12, 38);
    for _ in 2..23 {
        if size >= wanted {
            return size;
        }
        (before, size) = (size, before + size + 1);
    }
    while size < wanted {
        size = size.saturating_add(size / 5);
    }
    size
}

/// The limit of a heap as the map that it stands for.
pub(super) fn heap_limit(value: &Term) -> Option<Term> {
    let mut limit = max_heap_size().as_map()?.clone();
    match value.as_map() {
        None => limit.insert(Term::atom("size"), Term::int(value.as_int().filter(|n| *n >= 0)?)),
        Some(given) => {
            given.get(&Term::atom("size"))?.as_int().filter(|n| *n >= 0)?;
            for (key, value) in given.iter().filter(|(key, _)| key.as_atom().is_some()) {
                limit.insert(key.clone(), value.clone());
            }
        }
    }
    let flag = |key: &str| limit.get(&Term::atom(key)).is_some_and(|v| v.as_bool().is_some());
    (flag("kill") && flag("error_logger")).then(|| Term::map(limit.clone()))
}

/// Whether a limit (none: 0) is not below the least size of a heap.
pub(super) fn is_above(limit: &Term, least: &Term) -> bool {
    let size = limit.as_map().and_then(|map| map.get(&Term::atom("size"))?.as_int());
    size.is_some_and(|size| size == 0 || least.as_int().is_none_or(|least| size >= least))
}

fn max_heap_size() -> Term {
    Term::map(Map::from_iter([
        (Term::atom("error_logger"), Term::TRUE),
        (Term::atom("kill"), Term::TRUE),
        (Term::atom("size"), Term::int(0)),
    ]))
}

fn process_flag_of(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_pid() {
        Some(pid) if args[1].is_atom(Atom::new("save_calls")) => {
            process_flag(cx, pid, &args[1], &args[2])
        }
        _ => badarg(),
    }
}

/// Sets a flag; its old value.
fn process_flag(cx: &mut Ctx<'_>, pid: Pid, flag: &Term, value: &Term) -> Return {
    let Some(flag) = flag.as_atom() else { return badarg() };
    let mut node = cx.node();
    let Some(process) = node.process_mut(pid) else { return badarg() };
    match flag.as_str() {
        "trap_exit" => match value.as_bool() {
            Some(value) => Ok(Term::bool(std::mem::replace(&mut process.trap_exit, value))),
            None => badarg(),
        },
        "priority" => match value.as_atom() {
            Some(p) if matches!(p.as_str(), "low" | "normal" | "high" | "max") => {
                Ok(Term::from(std::mem::replace(&mut process.priority, p)))
            }
            _ => badarg(),
        },
        "error_handler" if value.as_atom().is_some() => {
            Ok(keep(process, flag, value, Term::atom("error_handler")))
        }
        "min_heap_size" | "min_bin_vheap_size" | "fullsweep_after" | "save_calls" => {
            let default = Term::int(match flag.as_str() {
                "min_heap_size" => 233,
                "min_bin_vheap_size" => 46_422,
                "fullsweep_after" => 65_535,
                _ => 0,
            });
            match heap_setting(flag.as_str(), value) {
                Some(value) => Ok(keep(process, flag, &value, default)),
                None => badarg(),
            }
        }
        "max_heap_size" => {
            let least = kept(process, "min_heap_size", Term::int(233));
            match heap_limit(value) {
                Some(limit) if is_above(&limit, &least) => {
                    Ok(keep(process, flag, &limit, max_heap_size()))
                }
                _ => badarg(),
            }
        }
        "message_queue_data"
            if matches!(value.as_atom().map(Atom::as_str), Some("on_heap" | "off_heap")) =>
        {
            Ok(keep(process, flag, value, Term::atom("on_heap")))
        }
        "sensitive" | "async_dist" if value.as_bool().is_some() => {
            Ok(keep(process, flag, value, Term::FALSE))
        }
        "monitor_nodes" => Ok(Term::FALSE),
        // Being bound to a scheduler changes nothing.
        "scheduler" if value.as_int().is_some_and(|n| (0..=SCHEDULERS).contains(&n)) => {
            Ok(keep(process, flag, value, Term::int(0)))
        }
        _ => badarg(),
    }
}

fn keep(process: &mut Process, flag: Atom, value: &Term, default: Term) -> Term {
    process.other_flags.insert(flag, value.clone()).unwrap_or(default)
}

fn node_of(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].view() {
        View::Pid(_) | View::Ref(_) | View::Port(_) => Ok(Term::atom("nonode@nohost")),
        View::Boxed(term::Boxed::Foreign(foreign)) => Ok(Term::from(foreign.node)),
        _ => badarg(),
    }
}

fn printed(args: &[Term], is_right: fn(&Term) -> bool) -> Return {
    if !is_right(&args[0]) {
        return badarg();
    }
    Ok(Term::string(&term::print::to_string(&args[0])))
}

fn list_to_identifier(
    args: &[Term],
    prefix: &str,
    suffix: &str,
    make: fn(&[u64]) -> Option<Term>,
) -> Return {
    let text = super::text_of(&args[0]);
    let numbers = text
        .as_deref()
        .and_then(|text| text.strip_prefix(prefix)?.strip_suffix(suffix))
        .and_then(|inner| {
            let numbers = inner.split('.').map(|n| n.parse::<u32>().ok().map(u64::from));
            numbers.collect::<Option<Vec<u64>>>()
        });
    match numbers.and_then(|numbers| make(&numbers)) {
        Some(term) => Ok(term),
        None => badarg(),
    }
}

/// Sizes of the emulator's allocators, told by messages. There is none of them here, and
/// `fix_alloc` is one that the BEAM can do without: then this is what it says.
fn memory_internal(cx: &mut Ctx<'_>, reference: &Term, allocators: &Term) -> Return {
    let fixed = Term::atom("fix_alloc");
    let only_fixed = allocators.to_vec().is_some_and(|names| {
        !names.is_empty() && names.iter().all(|name| term::order::exact_eq(name, &fixed))
    });
    if !only_fixed || reference.as_ref().is_none() {
        return badarg();
    }
    let absent = Term::list([Term::tuple([fixed, Term::FALSE])]);
    let message = Term::tuple([reference.clone(), Term::int(1), absent]);
    let me = cx.p.pid;
    cx.node().send(me, message);
    Ok(Term::TRUE)
}

fn system_info(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    if let Some([name, which]) = args[0].as_tuple()
        && name.is_atom(Atom::new("wordsize"))
        && matches!(which.as_atom().map(Atom::as_str), Some("internal" | "external"))
    {
        return Ok(Term::int(8));
    }
    if let Some([name, reference, allocators]) = args[0].as_tuple()
        && name.is_atom(Atom::new("memory_internal"))
    {
        return memory_internal(cx, reference, allocators);
    }
    if let Some([name, part]) = args[0].as_tuple() {
        return emulator::part(name, part).map_or_else(badarg, Ok);
    }
    let Some(item) = args[0].as_atom() else { return badarg() };
    Ok(match item.as_str() {
        "os_type" => Term::tuple([Term::atom("unix"), Term::atom("linux")]),
        "os_version" => Term::tuple([Term::int(6), Term::int(1), Term::int(0)]),
        "context_reductions" => Term::int(4000),
        "max_heap_size" => max_heap_size(),
        "message_queue_data" => Term::atom("on_heap"),
        "snifs" => super::otp_bifs::all(),
        "ethread_info" => Term::list([Term::tuple([
            Term::string("64-bit native atomics"),
            Term::string("yes"),
            Term::NIL,
        ])]),
        "otp_release" => Term::string("25"),
        "version" => Term::string("13.1.5"),
        "machine" => Term::string("BEAM"),
        "system_version" => Term::string("Erlang/OTP 25 [erts-13.1.5] [erlscope]\n"),
        "system_architecture" => Term::string("x86_64-pc-linux-gnu"),
        "wordsize" => Term::int(8),
        "schedulers"
        | "schedulers_online"
        | "logical_processors"
        | "logical_processors_online"
        | "logical_processors_available"
        | "dirty_cpu_schedulers"
        | "dirty_cpu_schedulers_online" => Term::int(SCHEDULERS),
        "scheduler_id" => Term::int(1),
        "dirty_io_schedulers" => Term::int(10),
        "thread_pool_size" => Term::int(1),
        "outstanding_system_requests_limit" => Term::int(2 * SCHEDULERS),
        "process_count" => Term::from(cx.s.node.alive),
        "process_limit" => Term::int(262_144),
        "port_count" => Term::int(0),
        "port_limit" => Term::int(65_536),
        "atom_count" => Term::int(20_000),
        "atom_limit" => Term::int(1_048_576),
        "ets_limit" => Term::int(8_192),
        "ets_count" => Term::from(cx.s.node.tables.len()),
        "smp_support" | "threads" | "kernel_poll" => Term::TRUE,
        "emu_flavor" => Term::atom("jit"),
        "emu_type" | "build_type" => Term::atom("opt"),
        "multi_scheduling" => Term::atom("enabled"),
        "creation" => Term::int(0),
        "start_time" => Term::int(0),
        "end_time" => Term::big(num_bigint::BigInt::from(i64::MAX)),
        "time_correction" => Term::TRUE,
        "time_warp_mode" => Term::atom("no_time_warp"),
        "time_offset" => Term::atom("final"),
        "endian" => Term::atom("little"),
        "heap_type" => Term::atom("private"),
        "debug_compiled" => Term::FALSE,
        "c_compiler_used" => {
            let version = Term::tuple([Term::int(12), Term::int(2), Term::int(0)]);
            Term::tuple([Term::atom("gnuc"), version])
        }
        "cpu_topology" => Term::UNDEFINED,
        "update_cpu_info" => Term::atom("unchanged"),
        "dist_buf_busy_limit" => Term::int(1_048_576),
        "eager_check_io" => Term::TRUE,
        // The Machine has no allocators of its own.
        "taints" | "alloc_util_allocators" => Term::NIL,
        "sequential_tracer" => pair("sequential_tracer", Term::FALSE),
        "ets_always_compress" => Term::FALSE,
        "ets_realloc_moves" | "lock_checking" | "dynamic_trace_probes" => Term::FALSE,
        "dynamic_trace" => Term::atom("none"),
        "port_parallelism" => Term::FALSE,
        "scheduler_bindings" => Term::tuple([Term::atom("unbound"), Term::atom("unbound")]),
        "schedulers_total" => Term::int(SCHEDULERS),
        "schedulers_state" => Term::tuple([SCHEDULERS; 3].map(Term::int)),
        "all_schedulers_state" => {
            let kinds = [("normal", SCHEDULERS), ("dirty_cpu", SCHEDULERS), ("dirty_io", 10)];
            Term::list(kinds.map(|(kind, count)| {
                let count = Term::int(count);
                Term::tuple([Term::atom(kind), count.clone(), count.clone(), count])
            }))
        }
        "normal_multi_scheduling_blockers" | "multi_scheduling_blockers" => Term::NIL,
        "min_bin_vheap_size" => Term::tuple([Term::atom("min_bin_vheap_size"), Term::int(46_422)]),
        "garbage_collection" => Term::list([
            pair("max_heap_size", Term::int(0)),
            pair("min_bin_vheap_size", Term::int(46_422)),
            pair("min_heap_size", Term::int(233)),
            pair("fullsweep_after", Term::int(65_535)),
        ]),

        "modified_timing_level" => Term::UNDEFINED,
        "driver_version" => Term::string("3.3"),
        "nif_version" => Term::string("2.16"),
        "delayed_node_table_gc" => Term::int(60),
        "tolerant_timeofday" => Term::atom("enabled"),
        "trace_control_word" => Term::int(0),
        "fullsweep_after" => Term::tuple([Term::atom("fullsweep_after"), Term::int(65_535)]),
        "min_heap_size" => Term::tuple([Term::atom("min_heap_size"), Term::int(233)]),
        "backtrace_depth" => Term::from(cx.s.node.backtrace_depth),
        "compat_rel" => Term::int(25),
        "scheduler_bind_type" => Term::atom("unbound"),
        other => return emulator::item(cx, other).map_or_else(badarg, Ok),
    })
}

/// How many schedulers programs are told of, whatever runs them: more than one, since what they do
/// has to be right there, and few, since they often start as many processes.
pub(super) const SCHEDULERS: i64 = 2;

fn system_flag(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_atom().map(Atom::as_str) {
        Some("backtrace_depth") => match args[1].as_int().and_then(|n| usize::try_from(n).ok()) {
            Some(depth) => Ok(Term::from(std::mem::replace(&mut cx.s.node.backtrace_depth, depth))),
            None => badarg(),
        },
        Some("schedulers_online" | "dirty_cpu_schedulers_online") => Ok(Term::int(SCHEDULERS)),
        Some("fullsweep_after") => Ok(Term::int(65_535)),
        Some("min_heap_size") => Ok(Term::int(233)),
        Some("multi_scheduling") => Ok(Term::atom("enabled")),
        Some("scheduler_wall_time" | "microstate_accounting") => emulator::collect(cx, args),
        Some("time_offset") => Ok(Term::atom("final")),
        Some("trace_control_word") => Ok(Term::int(0)),
        _ => badarg(),
    }
}

/// Kinds of memory. The Machine does not divide its memory so; the figures are of the right shape
/// and never change.
pub(super) const MEMORY: &[(&str, i64)] = &[
    ("total", 30_000_000),
    ("processes", 5_000_000),
    ("processes_used", 5_000_000),
    ("system", 25_000_000),
    ("atom", 300_000),
    ("atom_used", 280_000),
    ("binary", 200_000),
    ("code", 6_000_000),
    ("ets", 400_000),
];

fn memory_all() -> Term {
    Term::list(MEMORY.iter().map(|(name, bytes)| pair(name, Term::int(*bytes))).collect::<Vec<_>>())
}

fn memory(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let one = |item: &Term| {
        let name = item.as_atom()?;
        let (_, bytes) = MEMORY.iter().find(|(known, _)| *known == name.as_str())?;
        Some((name, Term::int(*bytes)))
    };
    if let Some(items) = args[0].to_vec() {
        let pairs: Option<Vec<Term>> = items
            .iter()
            .map(|item| one(item).map(|(name, value)| Term::tuple([Term::from(name), value])))
            .collect();
        return pairs.map_or_else(badarg, |pairs| Ok(Term::list(pairs)));
    }
    one(&args[0]).map_or_else(badarg, |(_, value)| Ok(value))
}
