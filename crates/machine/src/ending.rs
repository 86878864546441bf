//! How a run ended: one closed list, whoever drives the Machine and whatever is run: a call, a
//! test, an execution that is explored, a parse transform.

use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use term::{Pid, Term};

use crate::exception::Crash;
use crate::unsupported::Unsupported;

/// How a run ended. `V` stands for values, `E` for exceptions: as the Machine has them, or as a
/// front shows them.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending<V = Term, E = Rc<Crash>> {
    /// The call returned.
    Returned(V),
    /// The call failed by an exception.
    Raised(E),
    /// The process that was waited for ended for this reason, without an exception of its own.
    Ended(V),
    /// The node was halted with this status.
    Halted(i32),
    /// Nobody can do anything any more: all processes wait or have ended, and no timer is left.
    Quiescent,
    /// Something that is not supported was asked for.
    Unsupported { what: Unsupported, by: Option<Pid> },
    /// A bound was reached while this process was running.
    Bound { bound: Bound, by: Option<Pid> },
    /// A process computes on and on without a visible action.
    Spins(Pid),
    /// It has as many events as it may have, and the last of them can come again and again: it
    /// comes back to a state.
    Repeats(Repeat),
    /// The node could not be started.
    NotStarted(String),
}

/// The state after event `from` comes again `every` so many events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeat {
    pub from: usize,
    pub every: usize,
}

/// What ended a run before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Function calls.
    Steps(u64),
    /// Events of an execution.
    Events(usize),
    VirtualTime(Duration),
    RealTime(Duration),
    Memory(u64),
    /// The system gives no more than this.
    NoMoreMemory(u64),
    Interrupted,
}

impl<V, E> Ending<V, E> {
    pub fn unsupported(what: Unsupported) -> Ending<V, E> {
        Ending::Unsupported { what, by: None }
    }

    pub fn bound(bound: Bound) -> Ending<V, E> {
        Ending::Bound { bound, by: None }
    }

    /// Whether it was not followed to its end because it has too many events.
    pub fn is_too_deep(&self) -> bool {
        let has_many = matches!(self, Ending::Bound { bound: Bound::Events(_), .. });
        has_many || matches!(self, Ending::Repeats(_))
    }

    pub fn is_quiescent(&self) -> bool {
        matches!(self, Ending::Quiescent)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Steps(steps) => write!(f, "stopped after {steps} steps"),
            Bound::Events(events) => write!(f, "stopped after {events} events"),
            Bound::VirtualTime(time) => write!(f, "stopped after {time:?} of the program's time"),
            Bound::RealTime(time) => write!(f, "stopped after {time:?}"),
            Bound::Memory(bytes) => write!(f, "stopped at {} MB of memory", bytes >> 20),
            Bound::NoMoreMemory(bytes) => {
                write!(f, "stopped at {} MB of memory: the system gives no more", bytes >> 20)
            }
            Bound::Interrupted => f.write_str("interrupted"),
        }
    }
}
