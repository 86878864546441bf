//! What programs ask of ports, and what the library's drivers (processes behind ports,
//! [`crate::ports`]) ask of the Machine. Programs of the system are not run: opening a port for
//! one says that it is not supported.

use term::{Pid, Port, Term, View};

use super::info::pair;
use super::process::start_port;
use super::{Builtin, Control, Ctx, Return, badarg, builtins, text_of};
use crate::builtins::row::{HIDDEN, visible};
use crate::footprint::touches;
use crate::ports::OpenPort;

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, visible(touches::everything);
    "open_port"/2 => open_port,
    "port_close"/1 => |cx, a| ask(cx, &a[0], |me| Term::tuple([me, Term::atom("close")])),
    "port_command"/2 => port_command,
    "port_command"/3 => port_command,
    "port_connect"/2 => port_connect,
    "port_control"/3 => |_, _| badarg(),
    "port_call"/3 => |_, _| badarg(),
    "port_info"/1 => port_info,
    "port_info"/2 => port_info_item,
);

pub(super) const ASKED: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "ports"/0 => ports,
);

pub(super) const NATIVE: &[Builtin] = builtins!(NATIVE, visible(touches::spawn_tied);
    "open_port"/3 => start_driver,
    "port_owner"/2 => set_owner,
);

pub(super) const OWN: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "this_port"/0 => |cx, _| Ok(cx.s.node.known_as(cx.p.pid)),
);

/// The one port that a node always has: on the BEAM it starts programs of the system.
pub(super) const FORKER: Port = Port(0);

fn open_port(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some([kind, what]) = args[0].as_tuple() else { return badarg() };
    let Some(kind) = kind.as_atom() else { return badarg() };
    let what = match what.as_tuple() {
        Some([program, _]) => readable(program),
        _ => readable(what),
    };
    let what = what.map_or_else(String::new, |what| format!(" {what:?}"));
    let message = format!("erlang:open_port/2 ({kind}{what}): ports are not supported");
    Err(Control::Unsupported(message).into())
}

/// A name of a program as text: a string, a binary or an atom.
fn readable(term: &Term) -> Option<String> {
    match term.view() {
        View::Atom(name) => Some(name.as_str().to_owned()),
        _ => match term.as_bits().and_then(term::Bits::to_bytes) {
            Some(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            None => text_of(term),
        },
    }
}

/// `open_port(Name, Function, Args)`: a port whose driver is `Module:Function(Args…)`, linked to
/// the calling process, which owns it.
fn start_driver(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(name), Some([module, function])) = (text_of(&args[0]), args[1].as_tuple()) else {
        return badarg();
    };
    let call = (module.as_atom(), function.as_atom(), args[2].to_vec());
    let (Some(module), Some(function), Some(args)) = call else { return badarg() };
    let owner = cx.p.pid;
    let pid = start_port(cx, module, function, args)?;
    cx.s.node.ports.insert(pid, OpenPort { name: name.into(), owner });
    Ok(cx.s.node.known_as(pid))
}

/// `port_owner(Port, Pid)`: who is told to be connected to a port.
fn set_owner(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(port), Some(owner)) = (cx.s.node.addressee(&args[0]), args[1].as_pid()) else {
        return badarg();
    };
    match cx.s.node.ports.get_mut(&port) {
        Some(port) => port.owner = owner,
        None => return badarg(),
    }
    Ok(Term::TRUE)
}

/// A port that is open.
fn open(cx: &Ctx<'_>, term: &Term) -> Option<Pid> {
    let View::Port(port) = term.view() else { return None };
    cx.s.node.behind_port(port).filter(|pid| cx.s.node.is_alive(*pid))
}

/// Sends a request to a driver.
fn ask(cx: &mut Ctx<'_>, port: &Term, request: impl FnOnce(Term) -> Term) -> Return {
    let Some(pid) = open(cx, port) else { return badarg() };
    let me = Term::from(cx.p.pid);
    cx.node().send(pid, request(me));
    Ok(Term::TRUE)
}

fn port_command(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let command = Term::tuple([Term::atom("command"), args[1].clone()]);
    ask(cx, &args[0], |me| Term::tuple([me, command]))
}

fn port_connect(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(owner) = args[1].as_pid().filter(|pid| cx.s.node.is_alive(*pid)) else {
        return badarg();
    };
    let Some(pid) = open(cx, &args[0]) else { return badarg() };
    cx.node().link(owner, pid);
    if let Some(port) = cx.s.node.ports.get_mut(&pid) {
        port.owner = owner;
    }
    let connect = Term::tuple([Term::atom("connect"), args[1].clone()]);
    ask(cx, &args[0], |me| Term::tuple([me, connect]))
}

fn ports(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    let alive = cx.s.node.ports.keys().filter(|pid| cx.s.node.is_alive(**pid));
    let all = std::iter::once(Term::port(FORKER)).chain(alive.map(|pid| cx.s.node.known_as(*pid)));
    Ok(Term::list(all.collect::<Vec<_>>()))
}

/// What there is to know about a port, in the order in which it is told.
fn items(cx: &Ctx<'_>, port: Port) -> Option<[(&'static str, Term); 7]> {
    let (name, links, owner) = if port == FORKER {
        ("forker".to_owned(), Term::NIL, Pid(0))
    } else {
        let pid = cx.s.node.behind_port(port).filter(|pid| cx.s.node.is_alive(*pid))?;
        let about = cx.s.node.ports.get(&pid)?;
        let process = if cx.p.pid == pid { Some(&*cx.p) } else { cx.s.node.process(pid) };
        let links = process.map_or(Term::NIL, |process| {
            let links = process.relations.links.iter();
            Term::list(links.map(|pid| cx.s.node.known_as(*pid)).collect::<Vec<_>>())
        });
        (about.name.to_string(), links, about.owner)
    };
    Some([
        ("name", Term::string(&name)),
        ("links", links),
        ("id", Term::int(i64::try_from(port.0 * 8).unwrap_or(0))),
        ("connected", Term::from(owner)),
        ("input", Term::int(0)),
        ("output", Term::int(0)),
        ("os_pid", Term::UNDEFINED),
    ])
}

fn port_info(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let View::Port(port) = args[0].view() else { return badarg() };
    let Some(items) = items(cx, port) else { return Ok(Term::UNDEFINED) };
    Ok(Term::list(items.map(|(name, value)| pair(name, value))))
}

fn port_info_item(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (View::Port(port), Some(item)) = (args[0].view(), args[1].as_atom()) else {
        return badarg();
    };
    let Some(items) = items(cx, port) else { return Ok(Term::UNDEFINED) };
    let found = items.into_iter().find(|(name, _)| *name == item.as_str());
    let name = cx.s.node.process(Pid(port.0)).and_then(|process| process.registered);
    match (found, item.as_str()) {
        (Some((_, value)), _) => Ok(Term::tuple([args[1].clone(), value])),
        (None, "registered_name") => match name.filter(|_| port != FORKER) {
            Some(name) => Ok(pair("registered_name", Term::from(name))),
            None => Ok(Term::NIL),
        },
        (None, "monitors" | "monitored_by") => Ok(Term::tuple([args[1].clone(), Term::NIL])),
        (None, "memory" | "queue_size") => Ok(Term::tuple([args[1].clone(), Term::int(0)])),
        (None, _) => badarg(),
    }
}
