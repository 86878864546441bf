//! What builtins touch of which a look at the arguments says all: the functions that their rows
//! name (`builtins/row.rs`). Those that have to look at more are beside this file.

use term::{Pid, Term};

use super::ends::asks;
use super::{Class, Footprint, Kind, Look, Object, has_option, key_hash};
use crate::io_service::Device;

/// Whatever is shared: nothing commutes with it.
pub(crate) fn everything(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.write(Object::EVERYTHING);
}

/// What it makes or shows is the same whatever others do.
pub(crate) fn nothing(_: &Look<'_>, _: &[Term], _: &mut Footprint) {}

/// Other processes can see that it happened, but only through the signals that it sends or the
/// process that it starts, which are reported when they are.
pub(crate) fn by_signals(_: &Look<'_>, _: &[Term], _: &mut Footprint) {}

/// Readings of clocks have an order, where that is looked at (`step/time.rs`).
pub(crate) fn clock(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.write(Object::CLOCK);
}

/// Changes of a dictionary have an order, where that is looked at (`step/dictionary.rs`).
pub(crate) fn dictionary(look: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.write(Object::of(Class::Dictionary, look.p.pid));
}

// ---- Processes ---------------------------------------------------------------------------------

/// The new process has the same group leader.
pub(crate) fn spawn(look: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.read(Object::of(Class::Leader, look.p.pid));
}

/// The same, and it may be linked or monitored.
pub(crate) fn spawn_tied(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    spawn(look, args, f);
    f.add(Kind::Add, Object::links(look.p.pid));
    f.add(Kind::Add, Object::monitors(look.p.pid));
}

pub(crate) fn link(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    super::link(look, args, true, f);
}

pub(crate) fn unlink(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    super::link(look, args, false, f);
}

pub(crate) fn is_process_alive(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(pid) = args[0].as_pid() {
        asks(pid, f);
    }
}

pub(crate) fn processes(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.read(Object::all(Class::Processes));
    f.read(Object { owner: 0, ..Object::gone(Pid(0)) });
}

/// Processes that contracts are about: which of them there are, and in which order they came.
pub(crate) fn members(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    processes(look, args, f);
    f.write(Object::all(Class::Members));
}

pub(crate) fn send(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    super::send(look.s, Some(look.p), &args[0], f);
}

pub(crate) fn group_leader(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let [leader, pid] = args else { return f.read(Object::of(Class::Leader, look.p.pid)) };
    if let (Some(leader), Some(pid)) = (leader.as_pid(), pid.as_pid()) {
        f.read(Object::of(Class::Doom, pid));
        f.assign(Object::of(Class::Leader, pid), &Term::from(leader));
    }
}

// ---- Names, numbers, timers --------------------------------------------------------------------

pub(crate) fn whereis(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(name) = args[0].as_atom() {
        f.read(Object::named(Class::Name, name));
    }
}

pub(crate) fn registered(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.read(Object::all(Class::Name));
}

pub(crate) fn unique_integer(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if has_option(&args[0], "monotonic") {
        f.write(Object::NUMBERS);
    }
}

pub(crate) fn cancel_timer(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    super::timer(look, Kind::Write, args, f);
}

pub(crate) fn read_timer(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    super::timer(look, Kind::Read, args, f);
}

// ---- Devices, files, code ----------------------------------------------------------------------

pub(crate) fn display(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.add(Kind::Add, Object::all(Class::Device));
}

pub(crate) fn write_device(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.add(Kind::Add, device(&args[0]));
}

pub(crate) fn read_device(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.write(device(&args[0]));
}

fn device(term: &Term) -> Object {
    let owner = match Device::from_term(term) {
        Some(Device::StandardIo) => 1,
        Some(Device::StandardError) => 2,
        Some(Device::Capture(number)) => 3 + u64::from(number),
        None => 0,
    };
    Object { class: Class::Device, owner, part: 0 }
}

pub(crate) fn write_world(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.write(Object::all(Class::World));
}

pub(crate) fn read_code(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.read(Object::all(Class::Code));
}

pub(crate) fn write_code(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.write(Object::all(Class::Code));
}

// ---- Values that are shared --------------------------------------------------------------------

/// A cell of an array that is named by a reference, or by a tuple with one in it.
fn cell(args: &[Term]) -> Object {
    let id = args[0].as_ref().or_else(|| args[0].as_tuple()?.iter().find_map(Term::as_ref));
    let owner = id.map_or(0, |id| id.0 + 1);
    let part = args[1].as_int().map_or(0, |index| index as u64);
    Object { class: Class::Counter, owner, part }
}

pub(crate) fn read_cell(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.read(cell(args));
}

pub(crate) fn add_to_cell(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.add(Kind::Add, cell(args));
}

pub(crate) fn write_cell(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.write(cell(args));
}

pub(crate) fn put_cell(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.assign(cell(args), &args[2]);
}

fn persistent(key: &Term) -> Object {
    Object { class: Class::PersistentTerm, owner: key_hash(key), part: 0 }
}

pub(crate) fn put_persistent(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.assign(persistent(&args[0]), &args[1]);
}

pub(crate) fn erase_persistent(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.write(persistent(&args[0]));
}

/// One, or all.
pub(crate) fn read_persistent(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.read(args.first().map_or(Object::all(Class::PersistentTerm), persistent));
}
