//! What a trace holds.

use atom::Atom;
use code::module::Mfa;
use machine::exception::Class;
use machine::observe::{Mark, MessageId, Place, Sender};
use term::{Pid, Ref};

pub use crate::value::Value;

/// One event.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Virtual time in nanoseconds since the start of the node.
    pub time: u64,
    /// Who did it; nobody for timers, and for what comes from outside.
    pub pid: Option<Pid>,
    /// How many calls of the process wait for their return.
    pub depth: u32,
    /// Where in the source.
    pub place: Option<Place>,
    /// If that is in a library: the call of the program's own code that led there.
    pub own: Option<Place>,
    pub what: What,
}

#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A function is called; without a place, a process begins. In tail position it takes the place
    /// of its caller.
    Call {
        callee: Mfa,
        args: Vec<Value>,
        tail: bool,
        builtin: bool,
    },
    /// The innermost call that was recorded returns.
    Return {
        value: Value,
    },
    Raise {
        class: Class,
        reason: Value,
        again: bool,
    },
    /// The `try` or `catch` at this place has the exception.
    Catch {
        at: Option<Place>,
    },
    /// `fun`: the entry is a fun of this module; then `name` is that of its function.
    Spawn {
        child: Pid,
        entry: Mfa,
        fun: bool,
        args: Vec<Value>,
    },
    Exit {
        pid: Pid,
        reason: Value,
    },
    Send {
        id: MessageId,
        sender: Sender,
        to: Pid,
        message: Value,
    },
    Deliver {
        id: MessageId,
        to: Pid,
        lost: bool,
    },
    /// The place is that of the clause, `receive` that of the whole expression.
    Receive {
        id: MessageId,
        message: Value,
        receive: Option<Place>,
    },
    GiveUp,
    Flush {
        id: MessageId,
    },
    Link {
        a: Pid,
        b: Pid,
    },
    Unlink {
        a: Pid,
        b: Pid,
    },
    Monitor {
        watcher: Pid,
        reference: Ref,
        target: Option<Pid>,
    },
    Demonitor {
        watcher: Pid,
        reference: Ref,
    },
    ExitSignal {
        from: Pid,
        to: Pid,
        reason: Value,
        linked: bool,
    },
    TimerSet {
        reference: Ref,
        at: u64,
    },
    TimerCancelled {
        reference: Ref,
    },
    TimerFired {
        reference: Ref,
    },
    Output {
        device: String,
        text: String,
    },
    /// The builtin that was called last reads or writes something that processes share.
    Access {
        kind: AccessKind,
        object: Shared,
    },
    /// A marked node was reached.
    Node {
        mark: Mark,
    },
    /// A process had its turn, and made so many calls.
    Turn {
        calls: u64,
        end: TurnEnd,
    },
    /// A signal that was on its way from one process to another arrived.
    Arrive {
        from: Pid,
        to: Pid,
    },
    /// In a run that is driven step by step: what comes next is what the process does as its next
    /// visible action, or the timer that fires. `gives_up`: a receive takes no message; `takes`: it
    /// takes the one at this place of its mailbox.
    Step {
        timer: Option<Ref>,
        gives_up: bool,
        takes: Option<u32>,
    },
    /// In such a run: what comes next is what a signal with this number does that arrives.
    Signal {
        number: Ref,
    },
    /// The end of the trace: how the run ended.
    End {
        how: String,
    },
}

/// How a process's turn ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TurnEnd {
    Yielded,
    Waits,
    Ended,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AccessKind {
    Read,
    Add,
    Write,
}

/// What is shared: a class, and which thing of the class. Two accesses to the same owner concern
/// the same thing if a part is 0, or the parts are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shared {
    pub class: Atom,
    pub owner: Owner,
    pub part: u64,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// All of the class.
    All,
    Name(Atom),
    Number(u64),
}

impl What {
    /// The name of the kind of event, for filters and JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            What::Call { .. } => "call",
            What::Return { .. } => "return",
            What::Raise { .. } => "raise",
            What::Catch { .. } => "catch",
            What::Spawn { .. } => "spawn",
            What::Exit { .. } => "exit",
            What::Send { .. } => "send",
            What::Deliver { .. } => "deliver",
            What::Receive { .. } => "receive",
            What::GiveUp => "timeout",
            What::Flush { .. } => "flush",
            What::Link { .. } => "link",
            What::Unlink { .. } => "unlink",
            What::Monitor { .. } => "monitor",
            What::Demonitor { .. } => "demonitor",
            What::ExitSignal { .. } => "exit_signal",
            What::TimerSet { .. } => "timer_set",
            What::TimerCancelled { .. } => "timer_cancelled",
            What::TimerFired { .. } => "timer_fired",
            What::Output { .. } => "output",
            What::Access { .. } => "access",
            What::Node { .. } => "node",
            What::Turn { .. } => "turn",
            What::Arrive { .. } => "arrive",
            What::Step { .. } => "step",
            What::Signal { .. } => "signal",
            What::End { .. } => "end",
        }
    }
}

/// All names that [`What::kind`] gives.
pub const KINDS: &[&str] = &[
    "call",
    "return",
    "raise",
    "catch",
    "spawn",
    "exit",
    "send",
    "deliver",
    "receive",
    "timeout",
    "flush",
    "link",
    "unlink",
    "monitor",
    "demonitor",
    "exit_signal",
    "timer_set",
    "timer_cancelled",
    "timer_fired",
    "output",
    "access",
    "node",
    "turn",
    "arrive",
    "step",
    "signal",
    "end",
];

#[cfg(test)]
mod tests {
    use super::KINDS;

    /// Whatever an event is called can be asked for: every name that `kind` gives is listed.
    #[test]
    fn every_kind_is_listed() {
        let source = include_str!("event.rs");
        let given = source.lines().filter_map(|line| {
            let (what, name) = line.trim().split_once(" => \"")?;
            what.starts_with("What::").then(|| name.trim_end_matches("\","))
        });
        let given: Vec<&str> = given.collect();
        assert!(given.len() > 20, "{given:?}");
        assert_eq!(given, KINDS);
    }
}
