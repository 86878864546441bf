//! Events: what the search remembers of a visible action.
//!
//! An event is named by its actor and its place in what that actor does ([`Id`]). This name is the same
//! in all equivalent executions, because identifiers of processes and references do not depend on what
//! others did (see `machine::step`).
//!
//! An event has two parts. Its [`Step`] is what decides whether it commutes with others: plain
//! data without terms, that can be kept, handed to another thread and written to a file. The rest
//! is about the execution in which it happened.

use std::sync::Arc;

use machine::footprint::{Class, Footprint, Kind};
use machine::step::{Actor, Label};
use machine::{Pid, Term};
use smallvec::SmallVec;
use term::Ref;

/// An actor by its number in the search.
pub type ActorNumber = u32;

/// The `seq`-th event of an actor, from 1 on. The beginning of all is actor 0, event 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id {
    pub actor: ActorNumber,
    pub seq: u32,
}

impl Id {
    /// Whatever happened before the search began.
    pub const BEGINNING: Id = Id { actor: 0, seq: 0 };
}

/// A message: the `nth` that an event put anywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageId {
    pub sent_by: Id,
    pub nth: u32,
}

/// What an actor does when it is its turn: nothing to be chosen, or what a receive takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Take {
    /// Not a receive.
    Nothing,
    Message(MessageId),
    /// It gives up waiting.
    Timeout,
    /// Not a receive, but a look at all messages of a mailbox, in this order (see `order.rs`).
    Order(u64),
}

/// A message that an event put into a mailbox.
#[derive(Clone, Debug)]
pub struct Put {
    pub to: Pid,
    pub message: Term,
    /// The monitor that did not want it any more: it was not put, but would have been earlier.
    pub in_vain: Option<Ref>,
}

/// A step of an actor: all that is asked when two events are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub id: Id,
    pub actor: Actor,
    pub take: Take,
    /// The event that made the actor: what started the process or set the timer.
    pub made_by: Id,
    footprint: Footprint,
    /// Classes of objects that are read, added to, written; one bit each, for a quick test.
    reads: u32,
    adds: u32,
    writes: u32,
    /// Whether the footprint may conflict with whatever another process does.
    disturbing: bool,
}

impl Step {
    pub fn new(id: Id, actor: Actor, take: Take, made_by: Id, footprint: Footprint) -> Step {
        let (mut reads, mut adds, mut writes, mut disturbing) = (0, 0, 0, false);
        for access in &footprint.0 {
            let bits = match access.object.class {
                Class::Everything => u32::MAX,
                class => 1 << class as u32,
            };
            match access.kind {
                Kind::Read => reads |= bits,
                Kind::Add => adds |= bits,
                Kind::Assign(_) | Kind::Write => writes |= bits,
            }
            disturbing |= match access.object.class {
                Class::Doom => access.kind != Kind::Read,
                Class::Local | Class::Everything => true,
                _ => false,
            };
        }
        Step { id, actor, take, made_by, footprint, reads, adds, writes, disturbing }
    }

    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Whether the footprints could conflict, judged by the classes of their objects only.
    pub(crate) fn may_conflict(&self, other: &Step) -> bool {
        let (all, others) = (self.adds | self.reads, other.adds | other.reads);
        (self.writes & (others | other.writes))
            | (other.writes & all)
            | (self.reads & other.adds)
            | (self.adds & other.reads)
            != 0
    }

    /// The classes of objects of the three kinds: read, added to, written.
    pub(crate) fn classes(&self) -> [u32; 3] {
        [self.reads, self.adds, self.writes]
    }

    pub(crate) fn is_disturbing(&self) -> bool {
        self.disturbing
    }

    /// Whether two steps, next of their actors, are the same.
    pub fn is(&self, other: &Step) -> bool {
        self.id == other.id && self.take == other.take
    }
}

/// A visible action.
#[derive(Clone, Debug)]
pub struct Event {
    pub step: Arc<Step>,
    pub label: Label,
    /// The instruction, for a process.
    pub pc: u32,
    pub puts: SmallVec<[Put; 1]>,
    /// Processes that a signal of this event is going to end.
    pub doomed: SmallVec<[Pid; 1]>,
    /// Timers that it cancelled.
    pub cancelled: SmallVec<[Ref; 1]>,
    /// A monitor whose message is not wanted from now on.
    pub silenced: Option<Ref>,
    /// The order of the messages in a mailbox that it looked at.
    pub seen: Vec<MessageId>,
    /// The reason, if it is the end of a process.
    pub ended: Option<Term>,
}

impl std::ops::Deref for Event {
    type Target = Step;

    fn deref(&self) -> &Step {
        &self.step
    }
}
