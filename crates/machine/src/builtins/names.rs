//! Registered names. A device has one, too, although no process stands behind it.

use atom::known;
use term::Term;

use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::builtins::row::{Facts, Told, visible};
use crate::footprint::{self, touches};
use crate::io_service::Devices;
use crate::state::State;

const WHEREIS: Facts = visible(touches::whereis).fails_by_arguments().told(Told::LookUp);

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG;
    "register"/2 [visible(footprint::register).told(Told::Register)] => register,
    "unregister"/1 [visible(footprint::unregister).told(Told::Unregister)] => unregister,
    "whereis"/1 [WHEREIS] => whereis,
    "registered"/0 [visible(touches::registered)] => registered,
);

fn register(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(name), Some(pid)) = (args[0].as_atom(), cx.s.node.addressee(&args[1])) else {
        return badarg();
    };
    if name == known::UNDEFINED || cx.s.node.registry.contains_key(&name) {
        return badarg();
    }
    let is_named = |s: &State| s.node.registry.values().any(|named| *named == pid);
    let is_service = Devices::is_service(pid) && !is_named(cx.s);
    let mut node = cx.node();
    match node.process_mut(pid) {
        Some(process) if process.registered.is_none() && !process.is_ending() => {
            process.registered = Some(name);
        }
        None if is_service => {}
        _ => return badarg(),
    }
    cx.s.node.registry.insert(name, pid);
    Ok(Term::TRUE)
}

fn unregister(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(name) = args[0].as_atom() else { return badarg() };
    let Some(pid) = cx.s.node.registry.remove(&name) else { return badarg() };
    if let Some(process) = cx.node().process_mut(pid) {
        process.registered = None;
    }
    Ok(Term::TRUE)
}

fn whereis(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].as_atom() {
        Some(name) => Ok(match cx.s.node.registry.get(&name) {
            Some(&pid) => cx.s.node.known_as(pid),
            None => Term::UNDEFINED,
        }),
        None => badarg(),
    }
}

fn registered(cx: &mut Ctx<'_>, _: &[Term]) -> Return {
    Ok(Term::list(cx.s.node.registry.keys().map(|&name| Term::from(name)).collect::<Vec<_>>()))
}
