//! Ports: processes of the library that programs know by a port.
//!
//! What a driver does on the BEAM a module in Erlang does here, in a process of its own: a socket
//! is such a process. Programs see a port: it has a port's identifier (with the number of the
//! process), is not among the processes, and is told of as a port by exit signals, monitors and
//! `process_info`. All else is as for any process, so what goes through ports is explored, traced
//! and copied as messages are.
//!
//! A number is never used again, so what was a port stays known as one after its end.

use std::rc::Rc;

use term::{Pid, Port, Term, View};

use crate::state::NodeState;

/// What is told of a port beside what is told of its process.
#[derive(Clone, Debug)]
pub(crate) struct OpenPort {
    /// The driver.
    pub(crate) name: Rc<str>,
    /// Who gets what comes from it.
    pub(crate) owner: Pid,
}

/// The process that a pid stands for, or that a port would if it is one.
pub(crate) fn process_of(term: &Term) -> Option<Pid> {
    match term.view() {
        View::Pid(pid) => Some(pid),
        View::Port(port) if port.0 > 0 => Some(Pid(port.0)),
        _ => None,
    }
}

impl NodeState {
    /// The process behind a port.
    pub(crate) fn behind_port(&self, port: Port) -> Option<Pid> {
        let pid = Pid(port.0);
        self.ports.contains_key(&pid).then_some(pid)
    }

    /// Whom a signal to a pid or port reaches.
    pub(crate) fn addressee(&self, term: &Term) -> Option<Pid> {
        match term.view() {
            View::Pid(pid) => Some(pid),
            View::Port(port) => self.behind_port(port),
            _ => None,
        }
    }

    pub(crate) fn is_port(&self, pid: Pid) -> bool {
        !self.ports.is_void() && self.ports.contains_key(&pid)
    }

    /// How programs know a process: by its pid, or by the port that it is.
    pub(crate) fn known_as(&self, pid: Pid) -> Term {
        match self.is_port(pid).then(|| Port::from_number(pid.0)).flatten() {
            Some(port) => Term::port(port),
            None => Term::from(pid),
        }
    }
}
