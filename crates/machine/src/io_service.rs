//! Devices: the input and output that the Machine serves itself.
//!
//! The standard devices are addressed by process ids, as in OTP (`user` is the group leader of the
//! first process), but no process stands behind them. The library's `io` module asks whether a
//! group leader stands for a device and then does the request in the caller: one visible step,
//! which nobody can tell from asking another process and waiting for its answer. Who sends an
//! `io_request` by hand can, and gets the answer from a process, as in OTP: the server of the
//! device, which is started with the first such request ([`request`]).
//!
//! A *capture* is a device that keeps what is written to it: the output of one test.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use atom::Atom;

use term::{Pid, Term, View};

use crate::control::Start;
use crate::footprint::{Class, Kind, Object};
use crate::observe::{Event, Interest, MessageId};
use crate::process::{Process, Status};
use crate::signals::Node;
use crate::sparse::Sparse;
use crate::state::State;

/// The process ids of the standard devices.
pub(crate) const USER: Pid = Pid(65);
pub(crate) const STANDARD_ERROR: Pid = Pid(63);

/// Something that is read and written by the Machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Device {
    StandardIo,
    StandardError,
    Capture(u32),
}

impl Device {
    pub(crate) fn from_term(term: &Term) -> Option<Device> {
        match term.view() {
            View::Atom(name) if name.as_str() == "standard_io" => Some(Device::StandardIo),
            View::Atom(name) if name.as_str() == "standard_error" => Some(Device::StandardError),
            View::Tuple([tag, number]) if tag.is_atom(Atom::new("capture")) => {
                Some(Device::Capture(u32::try_from(number.as_int()?).ok()?))
            }
            _ => None,
        }
    }

    pub fn to_term(self) -> Term {
        match self {
            Device::StandardIo => Term::atom("standard_io"),
            Device::StandardError => Term::atom("standard_error"),
            Device::Capture(number) => Term::tuple([Term::atom("capture"), Term::from(number)]),
        }
    }
}

/// All devices of a node.
#[derive(Clone, Debug)]
pub(crate) struct Devices {
    /// Which processes stand for a device.
    attached: Sparse<BTreeMap<Pid, Device>>,
    /// What was written to each capture.
    captures: Vec<Rc<Vec<Term>>>,
    /// Captures whose options are those of the standard input and output; the others have none.
    in_front: Sparse<BTreeSet<u32>>,
    /// What was set by `io:setopts`, where it differs from the start.
    options: Sparse<BTreeMap<Device, Vec<(Atom, Term)>>>,
    /// Input that was read and handed back.
    unread: Sparse<BTreeMap<Device, Rc<str>>>,
    /// How many lines of the standard input were read.
    lines: usize,
    /// The processes that answer requests which were sent by hand, by the ids of the devices.
    servers: Sparse<BTreeMap<Pid, Pid>>,
}

impl Default for Devices {
    fn default() -> Devices {
        Devices {
            attached: Sparse::from(BTreeMap::from([
                (USER, Device::StandardIo),
                (STANDARD_ERROR, Device::StandardError),
            ])),
            captures: Vec::new(),
            in_front: Sparse::default(),
            options: Sparse::default(),
            unread: Sparse::default(),
            lines: 0,
            servers: Sparse::default(),
        }
    }
}

impl Devices {
    /// The device that a process stands for.
    pub(crate) fn of(&self, pid: Pid) -> Option<Device> {
        if self.attached.is_void() { None } else { self.attached.get(&pid).copied() }
    }

    /// Whether this is the id of a device behind which there is no process.
    pub(crate) fn is_service(pid: Pid) -> bool {
        pid == USER || pid == STANDARD_ERROR
    }

    pub(crate) fn attach(&mut self, pid: Pid, device: Option<Device>) {
        match device {
            Some(device) => self.attached.insert(pid, device),
            None => self.attached.remove(&pid),
        };
    }

    /// A process has ended.
    pub(crate) fn detach(&mut self, pid: Pid) {
        if self.attached.contains_key(&pid) {
            self.attached.remove(&pid);
        }
    }

    pub(crate) fn new_capture(&mut self) -> Device {
        self.captures.push(Rc::default());
        Device::Capture((self.captures.len() - 1) as u32)
    }

    /// A capture that stands in front of the standard input and output.
    pub(crate) fn new_capture_in_front(&mut self) -> Device {
        let capture = self.new_capture();
        if let Device::Capture(number) = capture {
            self.in_front.insert(number);
        }
        capture
    }

    /// The device whose options are those of `device`.
    fn with_options(&self, device: Device) -> Option<Device> {
        match device {
            Device::Capture(number) if self.in_front.contains(&number) => Some(Device::StandardIo),
            Device::Capture(_) => None,
            Device::StandardIo | Device::StandardError => Some(device),
        }
    }

    /// What was written to a capture, one binary a write.
    pub(crate) fn captured(&self, number: u32) -> Option<&[Term]> {
        self.captures.get(number as usize).map(|writes| writes.as_slice())
    }

    /// `io:getopts/1`; plain captures have none.
    pub(crate) fn options(&self, device: Device) -> Option<Term> {
        let device = self.with_options(device)?;
        let set = self.options.get(&device).map(Vec::as_slice).unwrap_or_default();
        let option = |name: &str, default: Term| {
            let value = set.iter().find(|(key, _)| key.as_str() == name);
            let value = value.map_or(default, |(_, value)| value.clone());
            Term::tuple([Term::atom(name), value])
        };
        let encoding = option("encoding", Term::atom("unicode"));
        Some(match device {
            Device::StandardError => Term::list([encoding]),
            _ => Term::list([option("binary", Term::FALSE), encoding]),
        })
    }

    /// Sets an option. A plain capture forgets it, as EUnit's group leaders do.
    pub(crate) fn set_option(&mut self, device: Device, name: Atom, value: Term) {
        let Some(device) = self.with_options(device) else { return };
        let options = self.options.entry(device).or_default();
        options.retain(|(key, _)| *key != name);
        options.push((name, value));
    }

    /// Input to be read before anything else.
    pub(crate) fn unread(&mut self, device: Device, text: &str) {
        let old = self.unread.remove(&device);
        self.unread.insert(device, Rc::from(format!("{text}{}", old.as_deref().unwrap_or(""))));
    }
}

/// Writes text to a device.
pub(crate) fn write(node: &mut Node<'_>, device: Device, text: &str) {
    node.tell(Interest::OUTPUT, &Event::Output { device, text });
    let s = &mut *node.s;
    match device {
        Device::StandardIo => s.host.world.print(text),
        Device::StandardError => s.host.world.print_error(text),
        Device::Capture(number) => {
            if let Some(writes) = s.host.devices.captures.get_mut(number as usize) {
                Rc::make_mut(writes).push(Term::binary(text));
            }
        }
    }
}

/// Reads up to the next line break, and with it; `None` at the end of the input.
pub(crate) fn read_line(s: &mut State, device: Device) -> Option<String> {
    let mut line = String::new();
    if let Some(text) = s.host.devices.unread.remove(&device) {
        match text.split_once('\n') {
            Some((first, rest)) => {
                if !rest.is_empty() {
                    s.host.devices.unread.insert(device, Rc::from(rest));
                }
                return Some(format!("{first}\n"));
            }
            None => line.push_str(&text),
        }
    }
    let more = match device {
        Device::StandardIo => s.host.world.input_line(s.host.devices.lines),
        Device::StandardError | Device::Capture(_) => None,
    };
    if let Some(more) = more {
        s.host.devices.lines += 1;
        line.push_str(&more);
    }
    (!line.is_empty()).then_some(line)
}

/// A message to a device's own process id: the server of the device gets it. Anything but a request
/// is ignored.
pub(crate) fn request(node: &mut Node<'_>, id: Option<MessageId>, to: Pid, message: Term) {
    let is_request = message.as_tuple().is_some_and(|parts| {
        let [tag, from, _, _] = parts else { return false };
        tag.is_atom(Atom::new("io_request")) && from.as_pid().is_some()
    });
    let Some(device) = node.s.host.devices.of(to).filter(|_| is_request) else { return };
    // Who comes first starts the server.
    node.s.touch(Kind::Write, Object::of(Class::Device, to));
    let known = node.s.host.devices.servers.get(&to).copied();
    let server = match known.filter(|server| node.exists(*server)) {
        Some(server) => server,
        None => start_server(node.s, to, device),
    };
    node.put(id, server, message);
}

/// What a service looks like to who asks about processes: one that waits for its next request.
pub(crate) fn as_process(s: &State, pid: Pid) -> Process {
    let mut process = Process::new(pid, USER);
    process.status = Status::Waiting;
    process.trap_exit = true;
    process.registered =
        s.node.registry.iter().find(|(_, named)| **named == pid).map(|(name, _)| *name);
    let entry = |key: &str, value: &str| (Term::atom(key), Term::atom(value));
    let dictionary = match pid {
        USER => vec![
            entry("read_mode", "list"),
            entry("eof", "false"),
            entry("encoding", "unicode"),
            entry("shell", "noshell"),
        ],
        _ => vec![entry("encoding", "unicode")],
    };
    process.dictionary.extend(dictionary);
    process
}

/// The function in which the process of a service would wait.
pub(crate) fn loop_of(pid: Pid) -> Option<(&'static str, &'static str, i64)> {
    match pid {
        USER => Some(("user", "server_loop", 2)),
        STANDARD_ERROR => Some(("standard_error", "server_loop", 1)),
        _ => None,
    }
}

/// Starts the process that serves a device for those who send requests by hand.
fn start_server(s: &mut State, service: Pid, device: Device) -> Pid {
    let (module, name) = (Atom::new("erlscope_io"), Atom::new("loop"));
    let args = vec![device.to_term()];
    let pid = s.new_pid();
    let mut process = Process::new(pid, USER);
    process.initial_call = (module, name, args.len() as u32);
    process.helper_of = Some(module);
    process.start = Some(Start::Apply { module, name, args });
    s.add(process);
    s.host.devices.servers.insert(service, pid);
    pid
}
