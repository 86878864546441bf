//! Devices, as the library's `io` module uses them (`erlscope_native:io_*`), and the output that
//! goes past it (`erlang:display_string/1`).
//!
//! What each function does is said in `stdlib/erl/otp/NATIVES.md`.

use atom::Atom;
use term::format::chardata;
use term::{Term, View};

use super::{Builtin, Ctx, Return, badarg, builtins, text_of};
use crate::builtins::row::{HIDDEN, visible};
use crate::footprint::touches;
use crate::io_service::{self, Device};

pub(super) const VISIBLE: &[Builtin] = builtins!(NATIVE;
    "io_write"/2 [visible(touches::write_device)] => write,
    "io_read_line"/2 [visible(touches::read_device)] => read_line,
    "io_unread"/2 [visible(touches::read_device)] => unread,
);

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "io_device"/1 => device_of,
    "io_attach"/2 => attach,
    "io_relay"/2 => relay,
    "io_getopts"/1 => getopts,
    "io_setopts"/2 => setopts,
    "io_geometry"/2 => |_, _| Ok(error("enotsup")),
    "io_capture"/0 => |cx, _| Ok(cx.s.host.devices.new_capture().to_term()),
    "io_capture_in_front"/0 => |cx, _| Ok(cx.s.host.devices.new_capture_in_front().to_term()),
    "io_captured"/1 => captured,
    "printable_range"/0 => |_, _| Ok(Term::atom("latin1")),
);

pub(super) const ERLANG: &[Builtin] = builtins!(ERLANG, visible(touches::display);
    "display_string"/1 => display_string,
    "display_nl"/0 => |cx, _| { cx.s.host.world.print_error("\r\n"); Ok(Term::TRUE) },
);

fn error(reason: &str) -> Term {
    Term::tuple([Term::atom("error"), Term::atom(reason)])
}

fn write(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let text = args[1].as_bits().and_then(|bits| bits.to_bytes());
    match (Device::from_term(&args[0]), text) {
        (Some(device), Some(bytes)) => {
            io_service::write(&mut cx.node(), device, &String::from_utf8_lossy(&bytes));
            Ok(Term::OK)
        }
        _ => badarg(),
    }
}

fn read_line(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(device) = Device::from_term(&args[0]) else { return badarg() };
    if let Some(prompt) = chardata::to_text(&args[1])
        && !prompt.is_empty()
    {
        io_service::write(&mut cx.node(), device, &prompt);
    }
    Ok(match io_service::read_line(cx.s, device) {
        Some(line) => Term::tuple([Term::OK, Term::binary(line)]),
        None => Term::atom("eof"),
    })
}

fn unread(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match (Device::from_term(&args[0]), chardata::to_text(&args[1])) {
        (Some(device), Some(text)) => {
            cx.s.host.devices.unread(device, &text);
            Ok(Term::OK)
        }
        _ => badarg(),
    }
}

fn device_of(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(match args[0].as_pid().and_then(|pid| cx.s.host.devices.of(pid)) {
        Some(device) => Term::tuple([Term::atom("native"), device.to_term()]),
        None => Term::atom("process"),
    })
}

fn attach(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match (args[0].as_pid(), Device::from_term(&args[1])) {
        (Some(pid), Some(device)) => {
            cx.s.host.devices.attach(pid, Some(device));
            Ok(Term::OK)
        }
        _ => badarg(),
    }
}

fn relay(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(pid), Some(leader)) = (args[0].as_pid(), args[1].as_pid()) else { return badarg() };
    let device = cx.s.host.devices.of(leader);
    cx.s.host.devices.attach(pid, device);
    Ok(Term::OK)
}

fn getopts(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(device) = Device::from_term(&args[0]) else { return badarg() };
    Ok(cx.s.host.devices.options(device).unwrap_or_else(|| error("enotsup")))
}

fn setopts(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(device), Some(options)) = (Device::from_term(&args[0]), args[1].to_vec()) else {
        return badarg();
    };
    for option in options {
        let View::Tuple([name, value]) = option.view() else { return badarg() };
        let Some(name) = name.as_atom() else { return badarg() };
        cx.s.host.devices.set_option(device, name, value.clone());
    }
    Ok(Term::OK)
}

fn captured(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match Device::from_term(&args[0]) {
        Some(Device::Capture(number)) => match cx.s.host.devices.captured(number) {
            Some(writes) => Ok(Term::list(writes.to_vec())),
            None => badarg(),
        },
        _ => badarg(),
    }
}

fn display_string(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    match text_of(&args[0]) {
        Some(text) => {
            cx.s.host.world.print_error(&text);
            Ok(Term::TRUE)
        }
        None => badarg(),
    }
}

/// What the logger was configured with; see `NATIVES.md`.
pub(super) const LOGGER: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "logger_config"/0 => |cx, _| Ok(cx.s.host.logger_config.clone().unwrap_or(Term::UNDEFINED)),
    "logger_config"/2 => |cx, args| {
        cx.s.host.logger_config = Some(args[0].clone());
        show_logger_config(cx, &args[1]);
        Ok(Term::OK)
    },
);

/// The table `logger`, where there is one, shows the configuration.
fn show_logger_config(cx: &mut Ctx<'_>, rows: &Term) {
    let name = Atom::new("logger");
    let owner = cx.s.node.registry.get(&name).copied();
    let table = cx.s.node.tables.named(name).and_then(|id| cx.s.node.tables.get_mut(id));
    if let Some(table) = table.filter(|table| Some(table.owner) == owner) {
        table.clear();
        for row in rows.to_vec().unwrap_or_default() {
            if table.accepts(&row) {
                table.insert(row);
            }
        }
    }
}
