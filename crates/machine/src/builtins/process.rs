//! Starting, ending and connecting processes.

use atom::{Atom, known};
use term::{Boxed, ForeignKind, Fun, Pid, Term, View};

use super::info::SCHEDULERS;
use super::ports::FORKER;
use super::{Builtin, Control, Ctx, Return, Start, Stop, badarg, builtins};
use crate::builtins::row::{Asks, Facts, HIDDEN, Told, visible};
use crate::exception::{Exception, Trace};
use crate::footprint::{self, Kind, Object, touches};
use crate::io_service::Devices;
use crate::observe::{self, Event, Interest};
use crate::process::{AliasKind, MonitorTarget, Monitoring, Process};
use crate::step::{Answer, Effect};

const SPAWN: Facts = visible(touches::spawn).fails_by_arguments();
const SPAWN_TIED: Facts = visible(touches::spawn_tied).fails_by_arguments();
const BY_SIGNALS: Facts = visible(touches::by_signals).fails_by_arguments();
const UNLINK: Facts = visible(touches::unlink).fails_by_arguments().sends().told(Told::Unlink);
const MONITOR: Facts = visible(footprint::monitor).fails_by_arguments().sends().told(Told::Monitor);
const DEMONITOR: Facts =
    visible(footprint::demonitor).fails_by_arguments().sends().told(Told::Demonitor);
const ALIAS: Facts = visible(footprint::alias).fails_by_arguments();
const IS_ALIVE: Facts = visible(touches::is_process_alive)
    .fails_by_arguments()
    .asks(Asks::Life)
    .told(Told::AskWhetherAlive);
const SEND: Facts = visible(touches::send).sends().told(Told::Send);

pub(super) const VISIBLE: &[Builtin] = builtins!(ERLANG;
    "spawn"/1 [SPAWN] => |cx, args| spawn_fun(cx, args, &Options::default()),
    "spawn"/3 [SPAWN] => |cx, args| spawn_mfa(cx, args, &Options::default()),
    "spawn_link"/1 [SPAWN_TIED] => |cx, args| spawn_fun(cx, args, &Options::LINK),
    "spawn_link"/3 [SPAWN_TIED] => |cx, args| spawn_mfa(cx, args, &Options::LINK),
    "spawn_monitor"/1 [SPAWN_TIED] => |cx, args| spawn_fun(cx, args, &Options::monitor()),
    "spawn_monitor"/3 [SPAWN_TIED] => |cx, args| spawn_mfa(cx, args, &Options::monitor()),
    "spawn_opt"/2 [SPAWN_TIED] => |cx, args| spawn_fun(cx, args, &options(&args[1])?),
    "spawn_opt"/4 [SPAWN_TIED] => |cx, args| spawn_mfa(cx, args, &options(&args[3])?),
    "spawn"/2 [SPAWN] => |cx, args| spawn_fun(cx, on_node(args)?, &Options::default()),
    "spawn"/4 [SPAWN] => |cx, args| spawn_mfa(cx, on_node(args)?, &Options::default()),
    "spawn_link"/2 [SPAWN_TIED] => |cx, args| spawn_fun(cx, on_node(args)?, &Options::LINK),
    "spawn_link"/4 [SPAWN_TIED] => |cx, args| spawn_mfa(cx, on_node(args)?, &Options::LINK),
    "spawn_monitor"/2 [SPAWN_TIED] => |cx, args| spawn_fun(cx, on_node(args)?, &Options::monitor()),
    "spawn_monitor"/4 [SPAWN_TIED] => |cx, args| spawn_mfa(cx, on_node(args)?, &Options::monitor()),
    "monitor_node"/2 [visible(touches::everything)] => |_, args| monitor_node(&args[0], &args[1]),
    "monitor_node"/3 [visible(touches::everything)] => |_, args| monitor_node(&args[0], &args[1]),
    "spawn_opt"/3 [SPAWN_TIED] => |cx, args| spawn_fun(cx, on_node(args)?, &options(&args[2])?),
    "spawn_opt"/5 [SPAWN_TIED] => |cx, args| spawn_mfa(cx, on_node(args)?, &options(&args[4])?),
    "spawn_request"/1 [SPAWN_TIED] => |cx, args| request_fun(cx, args, &Term::NIL),
    "spawn_request"/2 [SPAWN_TIED] => spawn_request_2,
    "spawn_request"/3 [SPAWN_TIED] => spawn_request_3,
    "spawn_request"/4 [SPAWN_TIED] => spawn_request_4,
    "spawn_request"/5 [SPAWN_TIED] => |cx, args| request_mfa(cx, on_node(args)?, &args[4]),
    "spawn_request_abandon"/1 [BY_SIGNALS] => |_, args| match args[0].is_ref() {
        true => Ok(Term::FALSE),
        false => badarg(),
    },
    "exit"/2 [BY_SIGNALS.sends().told(Told::ExitSignal)] => exit_signal,
    "link"/1 [visible(touches::link).sends().told(Told::Link)] => link,
    "unlink"/1 [UNLINK] => unlink,
    "monitor"/2 [MONITOR] => |cx, args| monitor(cx, args, &Term::NIL),
    "monitor"/3 [MONITOR] => |cx, args| monitor(cx, args, &args[2].clone()),
    "demonitor"/1 [DEMONITOR] => |cx, args| demonitor(cx, &args[0], &Term::NIL),
    "demonitor"/2 [DEMONITOR] => |cx, args| demonitor(cx, &args[0], &args[1]),
    "alias"/0 [ALIAS] => |cx, _| alias(cx, AliasKind::ExplicitUnalias),
    "alias"/1 [ALIAS] => alias_with_options,
    "unalias"/1 [ALIAS] => unalias,
    "is_process_alive"/1 [IS_ALIVE] => is_process_alive,
    "processes"/0 [visible(touches::processes)] => processes,
    "send"/2 [SEND] => send,
    "send"/3 [SEND] => |cx, args| send(cx, args).map(|_| Term::OK),
    // Nobody is ever suspended for a message.
    "send_nosuspend"/2 [SEND] => |cx, args| send(cx, args).map(|_| Term::TRUE),
    "send_nosuspend"/3 [SEND] => |cx, args| send(cx, args).map(|_| Term::TRUE),
    "!"/2 [SEND] => send,
    "group_leader"/0 [visible(touches::group_leader)] => |cx, _| Ok(Term::from(cx.p.group_leader)),
    "group_leader"/2 [visible(touches::group_leader).sends()] => set_group_leader,
    "halt"/0 [visible(touches::everything)] => |_, _| Err(Control::Halt(0).into()),
    "halt"/1 [visible(touches::everything)] => halt,
    "halt"/2 [visible(touches::everything)] => halt,
);

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "apply"/2 => apply_fun,
    "apply"/3 => apply_mfa,
    "self"/0 => |cx, _| Ok(Term::from(cx.p.pid)),
    "hibernate"/0 [HIDDEN.since(28)] => |cx, _| match cx.p.mailbox.is_empty() {
        true => Err(Control::Wait(Term::OK).into()),
        false => Ok(Term::OK),
    },
    "hibernate"/3 => hibernate,
    "yield"/0 => |_, _| Err(Control::Yield(Term::TRUE).into()),
    "bump_reductions"/1 => bump_reductions,
    "garbage_collect"/0 => |_, _| Ok(Term::TRUE),
    "garbage_collect"/1 => |cx, args| collect(cx, args),
    "garbage_collect"/2 => |cx, args| collect(cx, args),
);

/// What the emulator asks of a process, whatever it is doing.
pub(super) const SYSTEM_TASKS: &[Builtin] = builtins!(ERTS_INTERNAL, visible(touches::everything);
    "request_system_task"/3 => |cx, args| system_task(cx, &args[0], &args[2]),
    "request_system_task"/4 => |cx, args| system_task(cx, &args[1], &args[3]),
);

/// `{Kind, Id, ...}` is answered by `{Kind, Id, Result}`. There is nothing to collect, and whether
/// a process uses old code is asked elsewhere; so the answer only says whether the process is
/// there.
fn system_task(cx: &mut Ctx<'_>, pid: &Term, request: &Term) -> Return {
    let (Some(pid), Some([kind, id, ..])) = (pid.as_pid(), request.as_tuple()) else {
        return badarg();
    };
    match kind.as_atom().map(Atom::as_str) {
        Some("garbage_collect" | "system_task_test") => {
            let me = cx.p.pid;
            let answer = [kind.clone(), id.clone(), Term::bool(cx.s.node.is_alive(pid))];
            cx.node().send(me, Term::tuple(answer));
            Ok(Term::OK)
        }
        _ => badarg(),
    }
}

/// What a process is started with.
#[derive(Default)]
struct Options {
    link: bool,
    /// Options of the monitor, if one is wanted.
    monitor: Option<Term>,
    priority: Option<Atom>,
    /// For a request: with which tag, and whether to answer that it is done, that it is not.
    reply_tag: Option<Term>,
    no_success: bool,
    no_error: bool,
    /// Settings that `process_info/2` tells.
    flags: Vec<(Atom, Term)>,
}

impl Options {
    const LINK: Options = Options {
        link: true,
        monitor: None,
        priority: None,
        reply_tag: None,
        no_success: false,
        no_error: false,
        flags: Vec::new(),
    };

    fn monitor() -> Options {
        Options { monitor: Some(Term::NIL), ..Options::default() }
    }
}

/// Only this node is there.
fn local(node: &Term) -> Result<(), Box<Stop>> {
    match node.as_atom() {
        Some(node) if node.as_str() == "nonode@nohost" => Ok(()),
        Some(_) => {
            Err(Control::Unsupported("other nodes (distribution) are not supported".into()).into())
        }
        None => badarg(),
    }
}

/// The arguments after the node.
fn on_node(args: &[Term]) -> Result<&[Term], Box<Stop>> {
    local(&args[0])?;
    Ok(&args[1..])
}

fn options(list: &Term) -> Result<Options, Box<Stop>> {
    let mut options = Options::default();
    let Some(list) = list.to_vec() else { return badarg() };
    for option in list {
        let reply =
            |name: &Term| matches!(name.as_atom().map(Atom::as_str), Some("reply" | "reply_tag"));
        let for_request = option.as_tuple().and_then(<[Term]>::first).is_some_and(reply);
        if for_request || !options.set(&option) {
            return badarg();
        }
    }
    if options.heap_is_possible() { Ok(options) } else { badarg() }
}

impl Options {
    /// The largest heap is not smaller than the smallest.
    fn heap_is_possible(&self) -> bool {
        let last = |name: &str| self.flags.iter().rfind(|(flag, _)| flag.as_str() == name);
        let least = last("min_heap_size").map_or(Term::int(233), |(_, least)| least.clone());
        last("max_heap_size").is_none_or(|(_, limit)| super::info::is_above(limit, &least))
    }

    /// Takes an option into account; `false` if it is none.
    fn set(&mut self, option: &Term) -> bool {
        match option.view() {
            View::Atom(name) if name.as_str() == "link" => self.link = true,
            View::Atom(name) if name.as_str() == "monitor" => self.monitor = Some(Term::NIL),
            View::Atom(name) if name.as_str() == "async_dist" => {}
            View::Tuple([name, value]) => match name.as_atom() {
                Some(name) => return self.set_to(name, value),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    fn set_to(&mut self, name: Atom, value: &Term) -> bool {
        match name.as_str() {
            "monitor" if monitor_options(value).is_some() => self.monitor = Some(value.clone()),
            "priority" => match value.as_atom() {
                Some(p) if matches!(p.as_str(), "low" | "normal" | "high" | "max") => {
                    self.priority = Some(p);
                }
                _ => return false,
            },
            "reply_tag" => self.reply_tag = Some(value.clone()),
            "reply" => {
                (self.no_success, self.no_error) = match value.as_atom().map(Atom::as_str) {
                    Some("yes") => (false, false),
                    Some("no") => (true, true),
                    Some("error_only") => (true, false),
                    Some("success_only") => (false, true),
                    _ => return false,
                }
            }
            "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" => {
                match super::info::heap_setting(name.as_str(), value) {
                    Some(size) => self.flags.push((name, size)),
                    None => return false,
                }
            }
            "max_heap_size" => match super::info::heap_limit(value) {
                Some(limit) => self.flags.push((name, limit)),
                None => return false,
            },
            "message_queue_data" => match value.as_atom().map(Atom::as_str) {
                Some("on_heap" | "off_heap") => self.flags.push((name, value.clone())),
                _ => return false,
            },
            // The one scheduler that there is, or any.
            "scheduler" => {
                return value.as_int().is_some_and(|n| (0..=SCHEDULERS).contains(&n));
            }
            _ => return false,
        }
        true
    }
}

/// The module of the code that starts a process, if what it starts is its own.
fn own_start(cx: &Ctx<'_>, start: &Start) -> Option<Atom> {
    let module = match start {
        Start::Apply { module, .. } => *module,
        Start::Fun { fun, .. } => match fun.as_fun()? {
            Fun::Local(closure) => closure.module,
            Fun::External { module, .. } => *module,
        },
        Start::Raise(_) => return None,
    };
    (cx.code.function_at(cx.p.pc)?.mfa.module == module).then_some(module)
}

/// Starts a process; its pid, or pid and reference if it is monitored.
fn start(cx: &mut Ctx<'_>, call: (Atom, Atom, u32), start: Start, options: &Options) -> Return {
    let pid = cx.s.new_pid();
    let mut process = Process::new(pid, cx.p.group_leader);
    process.parent = Some(cx.p.pid);
    process.begin_with(cx.p);
    let event = Event::Spawn { child: pid, entry: &start };
    observe::tell(cx.code, cx.s, Some(cx.p), Interest::PROCESSES, &event);
    process.helper_of = own_start(cx, &start);
    process.start = Some(start);
    process.initial_call = call;
    process.other_flags.extend(options.flags.iter().cloned());
    if let Some(priority) = options.priority {
        process.priority = priority;
    }
    cx.s.add(process);
    let me = cx.p.pid;
    if options.link {
        cx.node().link(me, pid);
    }
    match &options.monitor {
        None => Ok(Term::from(pid)),
        Some(monitor_options) => {
            let target = MonitorTarget::Process(pid);
            let reference = start_monitor(cx, target, monitor_options, Known::AtOnce)?;
            Ok(Term::tuple([Term::from(pid), reference]))
        }
    }
}

/// Starts the process behind a port.
pub(super) fn start_port(
    cx: &mut Ctx<'_>,
    module: Atom,
    name: Atom,
    args: Vec<Term>,
) -> Result<Pid, Box<Stop>> {
    let call = (module, name, args.len() as u32);
    let pid = start(cx, call, Start::Apply { module, name, args }, &Options::LINK)?;
    pid.as_pid().ok_or_else(|| Exception::badarg().into())
}

fn spawn_fun(cx: &mut Ctx<'_>, args: &[Term], options: &Options) -> Return {
    let Some(fun) = args[0].as_fun() else { return badarg() };
    let call = match fun {
        Fun::Local(_) => (known::ERLANG, Atom::new("apply"), 2),
        Fun::External { module, name, arity } => (*module, *name, *arity),
    };
    if fun.arity() != 0 {
        let bad = Term::tuple([args[0].clone(), Term::NIL]);
        let call_args = Start::Raise(Exception::tagged(known::BADARITY, bad));
        return start(cx, call, call_args, options);
    }
    start(cx, call, Start::Fun { fun: args[0].clone(), args: Vec::new() }, options)
}

fn spawn_mfa(cx: &mut Ctx<'_>, args: &[Term], options: &Options) -> Return {
    match (args[0].as_atom(), args[1].as_atom(), args[2].to_vec()) {
        (Some(module), Some(name), Some(args)) => {
            let call = (module, name, args.len() as u32);
            start(cx, call, Start::Apply { module, name, args }, options)
        }
        _ => badarg(),
    }
}

/// Answers a spawn request by message. What is wrong with the options is part of the answer.
fn request(
    cx: &mut Ctx<'_>,
    list: &Term,
    spawn: impl FnOnce(&mut Ctx<'_>, &Options) -> Return,
) -> Return {
    let Some(list) = list.to_vec() else { return badarg() };
    let mut options = Options::default();
    // All of them are read: the tag of the answer may come last.
    let wrong = list.iter().filter(|option| !options.set(option)).count() > 0
        || !options.heap_is_possible();
    let tag = options.reply_tag.clone().unwrap_or_else(|| Term::atom("spawn_reply"));
    let me = cx.p.pid;
    if wrong {
        let reference = Term::from(cx.new_ref());
        if !options.no_error {
            let answer = [tag, reference.clone(), Term::atom("error"), Term::atom("badopt")];
            cx.node().send(me, Term::tuple(answer));
        }
        return Ok(reference);
    }
    let started = spawn(cx, &options)?;
    let (pid, reference) = match started.view() {
        View::Tuple([pid, reference]) => (pid.clone(), reference.clone()),
        _ => (started.clone(), Term::from(cx.new_ref())),
    };
    if !options.no_success {
        cx.node().send(me, Term::tuple([tag, reference.clone(), Term::OK, pid]));
    }
    Ok(reference)
}

fn request_fun(cx: &mut Ctx<'_>, args: &[Term], list: &Term) -> Return {
    if args[0].as_fun().is_none_or(|fun| fun.arity() != 0) {
        return badarg();
    }
    request(cx, list, |cx, options| spawn_fun(cx, args, options))
}

fn request_mfa(cx: &mut Ctx<'_>, args: &[Term], list: &Term) -> Return {
    if args[0].as_atom().is_none() || args[1].as_atom().is_none() || args[2].to_vec().is_none() {
        return badarg();
    }
    request(cx, list, |cx, options| spawn_mfa(cx, args, options))
}

fn spawn_request_2(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    if args[0].as_fun().is_some() {
        return request_fun(cx, args, &args[1]);
    }
    local(&args[0])?;
    request_fun(cx, &args[1..], &Term::NIL)
}

fn spawn_request_3(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    if args[1].as_fun().is_some() {
        local(&args[0])?;
        return request_fun(cx, &args[1..], &args[2]);
    }
    request_mfa(cx, args, &Term::NIL)
}

fn spawn_request_4(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    if args[2].as_atom().is_some() {
        local(&args[0])?;
        return request_mfa(cx, &args[1..], &Term::NIL);
    }
    request_mfa(cx, args, &args[3])
}

fn apply_fun(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[1].to_vec() {
        Some(call_args) => {
            Err(Control::Call(Start::Fun { fun: args[0].clone(), args: call_args }).into())
        }
        None => badarg(),
    }
}

fn apply_mfa(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match (args[0].as_atom(), args[1].as_atom(), args[2].to_vec()) {
        (Some(module), Some(name), Some(args)) => {
            Err(Control::Call(Start::Apply { module, name, args }).into())
        }
        _ => badarg(),
    }
}

fn hibernate(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match (args[0].as_atom(), args[1].as_atom(), args[2].to_vec()) {
        (Some(module), Some(name), Some(args)) => {
            Err(Control::Hibernate(Start::Apply { module, name, args }).into())
        }
        _ => badarg(),
    }
}

/// Counts as many calls, but not more than the BEAM gives to a process at once.
fn bump_reductions(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    const CONTEXT: u32 = 4000;
    let count = match args[0].view() {
        View::Int(count) if count >= 0 => u32::try_from(count).unwrap_or(CONTEXT),
        View::Boxed(Boxed::Big(number)) if number.sign() == num_bigint::Sign::Plus => CONTEXT,
        _ => return badarg(),
    };
    cx.s.node.turn.charge_exactly(count.min(CONTEXT));
    Ok(Term::TRUE)
}

fn collect(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_pid() {
        Some(pid) => Ok(Term::bool(cx.s.node.is_alive(pid))),
        None => badarg(),
    }
}

fn halt(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let is_option = |option: &Term| match option.as_tuple() {
        Some([name, value]) => name.is_atom(Atom::new("flush")) && value.as_bool().is_some(),
        _ => false,
    };
    if let Some(options) = args.get(1)
        && !options.to_vec().is_some_and(|options| options.iter().all(is_option))
    {
        let trace = Trace::Because(Atom::new("badopt"));
        return Err(Exception { trace, ..Exception::badarg() }.into());
    }
    match args[0].view() {
        View::Int(status) if status >= 0 => Err(Control::Halt((status & 0xFF) as i32).into()),
        View::Atom(atom) if atom.as_str() == "abort" => Err(Control::Halt(134).into()),
        _ => match super::text_of(&args[0]) {
            Some(slogan) => {
                cx.s.host.world.print(&format!("{slogan}\n"));
                Err(Control::Halt(1).into())
            }
            None => badarg(),
        },
    }
}

fn exit_signal(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].view() {
        View::Pid(to) => {
            let me = cx.p.pid;
            cx.node().exit_signal(me, to, args[1].clone(), false);
            Ok(Term::TRUE)
        }
        View::Port(port) => {
            if let Some(to) = cx.s.node.behind_port(port) {
                let me = cx.p.pid;
                cx.node().exit_signal(me, to, args[1].clone(), false);
            }
            Ok(Term::TRUE)
        }
        _ => badarg(),
    }
}

fn link(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let other = match args[0].view() {
        View::Pid(pid) => pid,
        View::Port(port) => cx.s.node.behind_port(port).unwrap_or(NOBODY),
        _ => return badarg(),
    };
    let me = cx.p.pid;
    if other == me {
        return Ok(Term::TRUE);
    }
    cx.node().reach(other);
    if cx.node().link_if_there(me, other) {
        return Ok(Term::TRUE);
    }
    if cx.s.takes_ends_apart() {
        if cx.node().is_linked_late(me, other) {
            return Ok(Term::TRUE);
        }
        if cx.p.trap_exit {
            cx.node().answer_link(me, other);
            return Ok(Term::TRUE);
        }
    } else if cx.s.is_driven() {
        cx.node().note_link_to_doomed(me, other);
        // What the process does next decides when it hears of that.
        if cx.p.trap_exit {
            cx.p.ask_for_link(other);
            return Ok(Term::TRUE);
        }
        cx.s.touch(Kind::Read, Object::gone(other));
        if cx.node().answers_late(other, false) {
            cx.node().link_late(me, other);
            return Ok(Term::TRUE);
        }
    }
    // A process that does not exist answers with an exit signal, which a process that traps exits
    // receives as a message.
    if cx.p.trap_exit {
        let message = [Term::from(known::EXIT), args[0].clone(), Term::from(known::NOPROC)];
        cx.node().send(me, Term::tuple(message));
        return Ok(Term::TRUE);
    }
    Err(Exception::atom(known::NOPROC).into())
}

fn unlink(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].view() {
        View::Pid(other) => {
            let me = cx.p.pid;
            cx.node().reach(other);
            cx.node().unlink(me, other);
            Ok(Term::TRUE)
        }
        View::Port(port) => {
            if let Some(other) = cx.s.node.behind_port(port) {
                let me = cx.p.pid;
                cx.node().reach(other);
                cx.node().unlink(me, other);
            }
            Ok(Term::TRUE)
        }
        _ => badarg(),
    }
}

/// The options of `monitor/3`: kind of the alias, and tag.
fn monitor_options(options: &Term) -> Option<(Option<AliasKind>, Option<Term>)> {
    let mut alias = None;
    let mut tag = None;
    for option in options.to_vec()? {
        let [name, value] = option.as_tuple()? else { return None };
        match name.as_atom()?.as_str() {
            "alias" => alias = Some(alias_kind(value)?),
            "tag" => tag = Some(value.clone()),
            _ => return None,
        }
    }
    Some((alias, tag))
}

/// When a process hears that it is monitored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    AtOnce,
    BySignal,
}

fn start_monitor(cx: &mut Ctx<'_>, target: MonitorTarget, options: &Term, known: Known) -> Return {
    let Some((alias, tag)) = monitor_options(options) else { return badarg() };
    let reference = cx.new_ref();
    let me = cx.p.pid;
    if let MonitorTarget::Process(other) | MonitorTarget::Named(other, _) = &target {
        // Nobody is there any longer to hear of his own end.
        if *other == me {
            return Ok(Term::from(reference));
        }
        cx.node().settle(*other);
        if known == Known::BySignal {
            cx.node().let_go();
        }
    }
    let was_alias = alias.is_some();
    let monitoring = Monitoring { target, alias, was_alias, tag };
    let monitored = match &monitoring.target {
        MonitorTarget::Process(pid) | MonitorTarget::Named(pid, _) => Some(*pid),
        MonitorTarget::Service(_) => None,
    };
    cx.node().monitor(me, reference, monitoring);
    if let Some(pid) = monitored {
        // What the process does next decides when the other one hears of it.
        let is_held = known == Known::BySignal && pid != NOBODY && !Devices::is_service(pid);
        match is_held && cx.s.is_driven() {
            true => cx.p.ask_for_monitor(reference, pid),
            false => cx.node().monitor_arrives(me, reference, pid, Answer::default()),
        }
    }
    Ok(Term::from(reference))
}

fn alias_kind(term: &Term) -> Option<AliasKind> {
    Some(match term.as_atom()?.as_str() {
        "explicit_unalias" => AliasKind::ExplicitUnalias,
        "demonitor" => AliasKind::Demonitor,
        "reply_demonitor" => AliasKind::ReplyDemonitor,
        _ => return None,
    })
}

/// A process that never was: what a name without a process denotes.
pub(crate) const NOBODY: Pid = Pid(u64::MAX);

fn monitor(cx: &mut Ctx<'_>, args: &[Term], options: &Term) -> Return {
    let kind = args[0].as_atom().map(Atom::as_str);
    match (kind, args[1].view()) {
        (Some("process"), View::Pid(pid)) => {
            start_monitor(cx, MonitorTarget::Process(pid), options, Known::BySignal)
        }
        (Some("process"), View::Atom(name)) => {
            let pid = cx.s.node.registry.get(&name).copied().unwrap_or(NOBODY);
            start_monitor(cx, MonitorTarget::Named(pid, name), options, Known::BySignal)
        }
        (Some("process"), View::Tuple([name, node])) => {
            let Some(name) = name.as_atom() else { return badarg() };
            local(node)?;
            let pid = cx.s.node.registry.get(&name).copied().unwrap_or(NOBODY);
            start_monitor(cx, MonitorTarget::Named(pid, name), options, Known::BySignal)
        }
        (Some("process" | "port"), View::Boxed(Boxed::Foreign(foreign)))
            if (kind == Some("port")) == (foreign.kind == ForeignKind::Port) =>
        {
            // Of an earlier life of this node, or of a node that is not there.
            let this_node = foreign.node.as_str() == "nonode@nohost";
            let reason = if this_node { "noproc" } else { "noconnection" };
            monitor_nobody(cx, args, &args[1], reason, options)
        }
        (Some("time_offset"), View::Atom(name)) if name.as_str() == "clock_service" => {
            start_monitor(cx, MonitorTarget::Service(name), options, Known::AtOnce)
        }
        (Some("port"), View::Port(port)) if port == FORKER => {
            // Never ends before the node does.
            start_monitor(cx, MonitorTarget::Service(Atom::new("forker")), options, Known::AtOnce)
        }
        (Some("port"), View::Port(port)) if cx.s.node.behind_port(port).is_some() => {
            let target = MonitorTarget::Process(Pid(port.0));
            start_monitor(cx, target, options, Known::BySignal)
        }
        (Some("port"), View::Port(_)) => monitor_nobody(cx, args, &args[1], "noproc", options),
        (Some("port"), View::Atom(name)) if !cx.s.node.registry.contains_key(&name) => {
            let named = Term::tuple([args[1].clone(), Term::atom("nonode@nohost")]);
            monitor_nobody(cx, args, &named, "noproc", options)
        }
        (Some("port"), View::Tuple([name, node])) => {
            let Some(name) = name.as_atom() else { return badarg() };
            local(node)?;
            if cx.s.node.registry.contains_key(&name) {
                return badarg();
            }
            monitor_nobody(cx, args, &args[1], "noproc", options)
        }
        _ => badarg(),
    }
}

/// A monitor of what is not there: it has gone off already.
fn monitor_nobody(
    cx: &mut Ctx<'_>,
    args: &[Term],
    object: &Term,
    reason: &str,
    options: &Term,
) -> Return {
    let Some((alias, tag)) = monitor_options(options) else { return badarg() };
    let reference = cx.new_ref();
    let me = cx.p.pid;
    // The other aliases end with their monitor.
    if let Some(kind @ AliasKind::ExplicitUnalias) = alias {
        cx.s.node.aliases.insert(reference, me);
        cx.p.relations.aliases.insert(reference, kind);
    }
    let tag = tag.unwrap_or_else(|| Term::atom("DOWN"));
    let parts = [tag, Term::from(reference), args[0].clone(), object.clone(), Term::atom(reason)];
    cx.node().send(me, Term::tuple(parts));
    Ok(Term::from(reference))
}

/// This node does not go down while somebody runs on it; others cannot be reached.
fn monitor_node(node: &Term, on: &Term) -> Return {
    match (node.as_atom().map(Atom::as_str), on.as_bool()) {
        (Some("nonode@nohost"), Some(_)) => Ok(Term::TRUE),
        (None, _) | (Some("nonode@nohost"), None) => badarg(),
        (Some(_), _) => Err(Exception::atom(Atom::new("notalive")).into()),
    }
}

fn demonitor(cx: &mut Ctx<'_>, reference: &Term, options: &Term) -> Return {
    let Some(reference) = reference.as_ref() else { return badarg() };
    let (mut flush, mut info) = (false, false);
    let Some(options) = options.to_vec() else { return badarg() };
    for option in options {
        match option.as_atom().map(Atom::as_str) {
            Some("flush") => flush = true,
            Some("info") => info = true,
            _ => return badarg(),
        }
    }
    let me = cx.p.pid;
    cx.node().let_go();
    let event = Event::Demonitor { watcher: me, reference };
    observe::tell(cx.code, cx.s, Some(cx.p), Interest::PROCESSES, &event);
    let found = match flush && !info {
        true => cx.node().demonitor_silently(me, reference),
        false => cx.node().demonitor(me, reference),
    };
    if flush {
        cx.s.effect(Effect::Silenced(reference));
    }
    cx.p.marks.forget(reference);
    if flush && !found {
        let is_down = |message: &Term| match message.as_tuple() {
            Some([_, r, _, _, _]) => r.as_ref() == Some(reference),
            _ => false,
        };
        if let Some(at) = cx.p.mailbox.iter().position(is_down) {
            cx.p.mailbox.remove(at);
            cx.p.marks.removed(at);
            cx.p.unstamp(at);
            if let Some(id) = cx.p.message_ids.remove(at) {
                let event = Event::Flush { id };
                observe::tell(cx.code, cx.s, Some(cx.p), Interest::MESSAGES, &event);
            }
            cx.s.effect(Effect::Flushed { index: at as u32 });
        }
    }
    // `info` asks whether there was a monitor, also where a message was flushed.
    Ok(Term::bool(found || !info))
}

fn alias(cx: &mut Ctx<'_>, kind: AliasKind) -> Return {
    let reference = cx.new_ref();
    let me = cx.p.pid;
    cx.s.node.aliases.insert(reference, me);
    cx.p.relations.aliases.insert(reference, kind);
    Ok(Term::from(reference))
}

fn alias_with_options(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(options) = args[0].to_vec() else { return badarg() };
    let mut kind = AliasKind::ExplicitUnalias;
    for option in options {
        match option.as_atom().map(Atom::as_str) {
            Some("explicit_unalias") => kind = AliasKind::ExplicitUnalias,
            Some("reply") => kind = AliasKind::ReplyDemonitor,
            _ => return badarg(),
        }
    }
    alias(cx, kind)
}

fn unalias(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(reference) = args[0].as_ref() else { return badarg() };
    let me = cx.p.pid;
    Ok(Term::bool(cx.node().unalias(me, reference)))
}

fn is_process_alive(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_pid() {
        Some(pid) => {
            cx.node().ask(pid);
            Ok(Term::bool(cx.s.node.is_alive(pid)))
        }
        None => badarg(),
    }
}

fn processes(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    cx.node().ask_for_all();
    let pids = cx.s.node.pids().filter(|pid| !cx.s.node.is_port(*pid));
    Ok(Term::list(pids.map(Term::from).collect::<Vec<_>>()))
}

fn send(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let message = args[1].clone();
    match crate::interp::send(cx, &args[0], message.clone()) {
        Ok(()) => Ok(message),
        Err(_) => badarg(),
    }
}

fn set_group_leader(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(leader), Some(pid)) = (args[0].as_pid(), args[1].as_pid()) else { return badarg() };
    cx.node().settle(pid);
    cx.node().let_go_to_ask(pid);
    match cx.node().process_mut(pid) {
        Some(process) if process.doomed.is_none() => {
            process.group_leader = leader;
            Ok(Term::TRUE)
        }
        _ => badarg(),
    }
}
