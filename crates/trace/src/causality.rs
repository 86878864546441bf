//! Which event happened before which.
//!
//! Lamport's relation, by vector clocks (Fidge, Mattern): each process counts its events, and knows
//! of every other process how many of its events may have influenced it. Beside the order within a
//! process, influence goes
//! * from a send to the receive that took the message, and from what a timer was set by to its
//!   message;
//! * from a spawn to the first event of the new process;
//! * from the end of a process to the end of one that its exit signal ended, and to who receives
//!   its `'DOWN'` or `'EXIT'`;
//! * between accesses to what is shared (names, tables, counters, persistent terms) that do not
//!   commute, in the order in which they happened.
//!
//! That a message was put into a mailbox is no event of the receiver. Costs, for each send, a copy
//! of the sender's clock, which is as long as the number of processes it has heard of; kept are the
//! clocks of processes, of messages that nobody has received, and of what is shared.

use std::collections::BTreeMap;
use std::rc::Rc;

use atom::Atom;
use machine::observe::{MessageId, Sender};
use rustc_hash::FxHashMap;
use term::{Pid, Ref};

use crate::event::{AccessKind, Owner, Record, Shared, What};

/// For each process how many of its events are known.
pub type Clock = BTreeMap<Pid, u64>;

/// An event in the order of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp {
    pub pid: Pid,
    /// Which event of its process it is, from 1.
    pub number: u64,
    /// What it knows of, itself included.
    pub clock: Rc<Clock>,
}

impl Stamp {
    /// Whether this event happened before another: whether it may have influenced it.
    pub fn is_before(&self, other: &Stamp) -> bool {
        self.number <= other.clock.get(&self.pid).copied().unwrap_or(0)
            && (self.pid, self.number) != (other.pid, other.number)
    }
}

/// Gives events their stamps, in the order of the trace.
#[derive(Default)]
pub struct Clocks {
    processes: FxHashMap<Pid, Rc<Clock>>,
    messages: FxHashMap<MessageId, Rc<Clock>>,
    timers: FxHashMap<Ref, Rc<Clock>>,
    /// The timer that has just fired.
    fired: Option<Rc<Clock>>,
    /// The exit signal that reached a process last.
    signals: FxHashMap<Pid, Rc<Clock>>,
    shared: BTreeMap<Atom, BTreeMap<Owner, BTreeMap<u64, Accesses>>>,
}

/// What was known to those who read, added to and wrote something last.
#[derive(Default)]
struct Accesses {
    read: Clock,
    add: Clock,
    write: Clock,
}

impl Clocks {
    pub fn new() -> Clocks {
        Clocks::default()
    }

    /// The stamp of the next event; none for what no process does.
    pub fn next(&mut self, record: &Record) -> Option<Stamp> {
        self.hear(record);
        let stamp = record.pid.filter(|_| is_own(&record.what)).map(|pid| {
            let clock = Rc::make_mut(self.processes.entry(pid).or_default());
            let number = clock.entry(pid).or_default();
            *number += 1;
            let number = *number;
            Stamp { pid, number, clock: self.clock(pid) }
        });
        self.speak(record);
        stamp
    }

    fn clock(&self, pid: Pid) -> Rc<Clock> {
        self.processes.get(&pid).cloned().unwrap_or_default()
    }

    fn learn(&mut self, pid: Pid, heard: &Rc<Clock>) {
        let known = self.processes.entry(pid).or_default();
        if known.is_empty() {
            *known = Rc::clone(heard);
        } else {
            join(Rc::make_mut(known), heard);
        }
    }

    /// What influences the event.
    fn hear(&mut self, record: &Record) {
        let heard = match &record.what {
            What::Receive { id, .. } | What::Flush { id } => self.messages.remove(id),
            What::Exit { pid, .. } => self.signals.remove(pid),
            What::Access { kind, object } => {
                let Some(pid) = record.pid else { return };
                let heard = Rc::new(self.conflicting(*kind, object));
                self.learn(pid, &heard);
                return;
            }
            What::TimerFired { reference } => {
                self.fired = self.timers.remove(reference);
                return;
            }
            _ => None,
        };
        if let (Some(pid), Some(heard)) = (record.pid, heard) {
            self.learn(pid, &heard);
        }
    }

    /// What the event influences.
    fn speak(&mut self, record: &Record) {
        let clock = record.pid.map(|pid| self.clock(pid)).unwrap_or_default();
        match &record.what {
            What::Spawn { child, .. } => {
                self.learn(*child, &clock);
            }
            What::Send { id, sender, .. } => {
                let clock = match sender {
                    Sender::Down(pid) | Sender::Exit(pid) => self.clock(*pid),
                    Sender::Timer => self.fired.take().unwrap_or_default(),
                    Sender::Process(_) | Sender::Device(_) | Sender::Outside => clock,
                };
                self.messages.insert(*id, clock);
            }
            What::Deliver { id, lost: true, .. } => {
                self.messages.remove(id);
            }
            What::ExitSignal { from, to, .. } => {
                let clock = self.clock(*from);
                self.signals.insert(*to, clock);
            }
            What::TimerSet { reference, .. } => {
                self.timers.insert(*reference, clock);
            }
            What::TimerCancelled { reference } => {
                self.timers.remove(reference);
            }
            What::Access { kind, object } => {
                let parts = self.shared.entry(object.class).or_default();
                let parts = parts.entry(object.owner.clone()).or_default();
                let accesses = parts.entry(object.part).or_default();
                let noted = match kind {
                    AccessKind::Read => &mut accesses.read,
                    AccessKind::Add => &mut accesses.add,
                    AccessKind::Write => &mut accesses.write,
                };
                join(noted, &clock);
            }
            _ => {}
        }
    }

    /// What is known to those whose access to the same thing does not commute with this one.
    fn conflicting(&self, kind: AccessKind, object: &Shared) -> Clock {
        let mut found = Clock::new();
        let Some(owners) = self.shared.get(&object.class) else { return found };
        let same_owner = |owner: &Owner| {
            *owner == object.owner || *owner == Owner::All || object.owner == Owner::All
        };
        for (_, parts) in owners.iter().filter(|(owner, _)| same_owner(owner)) {
            let overlapping: Vec<&Accesses> = match object.part {
                0 => parts.values().collect(),
                part => [0, part].iter().filter_map(|part| parts.get(part)).collect(),
            };
            for accesses in overlapping {
                join(&mut found, &accesses.write);
                if kind != AccessKind::Read {
                    join(&mut found, &accesses.read);
                }
                if kind != AccessKind::Add {
                    join(&mut found, &accesses.add);
                }
            }
        }
        found
    }
}

/// Whether the process of the record does this, and not somebody to it or with it.
fn is_own(what: &What) -> bool {
    !matches!(
        what,
        What::Turn { .. }
            | What::Step { .. }
            | What::Signal { .. }
            | What::Deliver { .. }
            | What::ExitSignal { .. }
    )
}

fn join(clock: &mut Clock, other: &Clock) {
    for (&pid, &number) in other {
        let known = clock.entry(pid).or_default();
        *known = number.max(*known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Value;
    use term::Term;

    fn record(pid: u64, what: What) -> Record {
        Record { time: 0, pid: Some(Pid(pid)), depth: 0, place: None, own: None, what }
    }

    fn send(pid: u64, to: u64, id: u64) -> Record {
        let message = Value { term: Term::NIL, cut: false };
        let sender = Sender::Process(Pid(pid));
        record(pid, What::Send { id: MessageId(id), sender, to: Pid(to), message })
    }

    fn receive(pid: u64, id: u64) -> Record {
        let message = Value { term: Term::NIL, cut: false };
        record(pid, What::Receive { id: MessageId(id), message, receive: None })
    }

    fn write(pid: u64, kind: AccessKind, owner: u64, part: u64) -> Record {
        let object = Shared { class: Atom::new("table"), owner: Owner::Number(owner), part };
        record(pid, What::Access { kind, object })
    }

    /// For each event the numbers (from 0) of those that happened before it.
    fn before(records: &[Record]) -> Vec<Vec<usize>> {
        let mut clocks = Clocks::new();
        let stamps: Vec<Stamp> =
            records.iter().map(|record| clocks.next(record).expect("a process acts")).collect();
        let earlier = |at: usize| (0..at).filter(|&e| stamps[e].is_before(&stamps[at])).collect();
        (0..stamps.len()).map(earlier).collect()
    }

    #[test]
    fn messages() {
        let run = [send(1, 2, 1), send(3, 2, 2), receive(2, 2), send(2, 1, 3), receive(1, 3)];
        assert_eq!(before(&run), [vec![], vec![], vec![1], vec![1, 2], vec![0, 1, 2, 3]]);
    }

    #[test]
    fn what_is_shared() {
        use AccessKind::{Add, Read, Write};
        let run = [
            write(1, Write, 7, 1),
            write(2, Read, 7, 2),
            write(3, Read, 7, 1),
            write(4, Add, 8, 0),
            write(5, Add, 8, 3),
            write(6, Write, 7, 0),
        ];
        let expected = [vec![], vec![], vec![0], vec![], vec![], vec![0, 1, 2]];
        assert_eq!(before(&run), expected);
    }
}
