//! What programs ask of ports, and what the library's drivers (processes behind ports,
//! [`crate::ports`]) ask of the Machine. Where the World lets a program of the system run, a port
//! for it is a driver of the library (`erlscope_port`) that lets it run to its end; otherwise
//! opening one is not supported.

use term::{Atom, Pid, Port, Term, View};

use super::info::pair;
use super::process::start_port;
use super::{Builtin, Control, Ctx, Return, badarg, builtins, text_of};
use crate::builtins::row::{HIDDEN, visible};
use crate::footprint::touches;
use crate::ports::OpenPort;
use crate::world::Command;

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
    "run_program"/3 => run_program,
);

pub(super) const OWN: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "this_port"/0 => |cx, _| Ok(cx.s.node.known_as(cx.p.pid)),
);

/// The one port that a node always has: on the BEAM it starts programs of the system.
pub(super) const FORKER: Port = Port(0);

/// The command that `open_port({Kind, What}, Options)` asks for.
fn command(cx: &Ctx<'_>, kind: &str, what: &Term, options: &Term) -> Option<Command> {
    let program = readable(match what.as_tuple() {
        Some([program, _]) => program,
        _ => what,
    })?;
    let options = options.to_vec().unwrap_or_default();
    let option = |name: &str| {
        options.iter().find_map(|option| match option.as_tuple() {
            Some([key, value]) if key.is_atom(Atom::new(name)) => Some(value.clone()),
            _ => None,
        })
    };
    let arguments = || -> Vec<String> {
        let given = option("args").and_then(|args| args.to_vec()).unwrap_or_default();
        given.iter().filter_map(readable).collect()
    };
    let outside = &cx.s.host.outside;
    let mut environment = outside.environment.as_ref().clone();
    for pair in option("env").and_then(|pairs| pairs.to_vec()).unwrap_or_default() {
        let Some([name, value]) = pair.as_tuple() else { continue };
        let Some(name) = readable(name) else { continue };
        match value.as_bool() {
            Some(false) => environment.remove(&name),
            _ => readable(value).and_then(|value| environment.insert(name, value)),
        };
    }
    Some(Command {
        program,
        arguments: (kind == "spawn_executable").then(arguments),
        directory: match option("cd").and_then(|dir| readable(&dir)) {
            Some(dir) => dir.into_bytes(),
            None => outside.current_dir().to_vec(),
        },
        environment: environment.into_iter().collect(),
        with_errors: options.iter().any(|option| option.is_atom(Atom::new("stderr_to_stdout"))),
    })
}

/// `run_program(Kind, What, Options)`: `refused`, `{error, Posix}`, or `{ok, Status, Output}`.
fn run_program(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(kind) = args[0].as_atom() else { return badarg() };
    let Some(command) = command(cx, kind.as_str(), &args[1], &args[2]) else { return badarg() };
    if !cx.s.host.world.may_run(&command) {
        return Ok(Term::atom("refused"));
    }
    Ok(match cx.s.host.world.run_program(&command) {
        Ok((status, output)) => {
            Term::tuple([Term::OK, Term::int(i64::from(status)), Term::binary(output)])
        }
        Err(reason) => Term::tuple([Term::atom("error"), Term::atom(reason)]),
    })
}

fn open_port(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some([kind, what]) = args[0].as_tuple() else { return badarg() };
    let Some(kind) = kind.as_atom() else { return badarg() };
    if matches!(kind.as_str(), "spawn" | "spawn_executable")
        && let Some(command) = command(cx, kind.as_str(), what, &args[1])
        && cx.s.host.world.may_run(&command)
    {
        let owner = cx.p.pid;
        let driver = (Atom::new("erlscope_port"), Atom::new("open"));
        let given = vec![Term::from(owner), Term::from(kind), what.clone(), args[1].clone()];
        let pid = start_port(cx, driver.0, driver.1, given)?;
        cx.s.node.ports.insert(pid, OpenPort { name: command.program.into(), owner });
        return Ok(cx.s.node.known_as(pid));
    }
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
