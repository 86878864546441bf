//! Events: what the search remembers of a visible action.
//!
//! An event is named by its actor and its place in what that actor does ([`Id`]). This name is the same
//! in all equivalent executions, because identifiers of processes and references do not depend on what
//! others did (see `machine::step`).

use machine::footprint::{Class, Footprint, Kind};
use machine::step::{Actor, Label};
use machine::{Pid, Term};
use smallvec::SmallVec;
use term::Ref;

/// An actor by its number in the search.
pub type ActorNumber = u16;

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
}

/// A message that an event put into a mailbox.
#[derive(Clone, Debug)]
pub struct Put {
    pub to: Pid,
    pub message: Term,
}

/// A visible action.
#[derive(Clone, Debug)]
pub struct Event {
    pub id: Id,
    pub actor: Actor,
    pub take: Take,
    pub label: Label,
    /// The instruction, for a process.
    pub pc: u32,
    pub footprint: Footprint,
    pub puts: SmallVec<[Put; 1]>,
    /// The event that made the actor: what started the process or set the timer.
    pub made_by: Id,
    /// Processes that a signal of this event is going to end.
    pub doomed: SmallVec<[Pid; 1]>,
    /// Timers that it cancelled.
    pub cancelled: SmallVec<[Ref; 1]>,
    /// The reason, if it is the end of a process.
    pub ended: Option<Term>,
    /// Classes of objects in the footprint, one bit each: for a quick test.
    classes: u32,
    /// Whether the footprint may conflict with whatever another process does.
    disturbing: bool,
}

const ALL: u32 = u32::MAX;

impl Event {
    /// Prepares the quick tests.
    pub fn seal(mut self) -> Event {
        self.classes = 0;
        self.disturbing = false;
        for access in &self.footprint.0 {
            match access.object.class {
                Class::Everything => {
                    self.classes = ALL;
                    self.disturbing = true;
                }
                class => self.classes |= 1 << class as u32,
            }
            self.disturbing |= match access.object.class {
                Class::Alive => access.kind != Kind::Read,
                Class::Local => true,
                _ => false,
            };
        }
        self
    }

    pub fn new(id: Id, actor: Actor, take: Take, made_by: Id) -> Event {
        Event {
            id,
            actor,
            take,
            label: Label::Send,
            pc: 0,
            footprint: Footprint::default(),
            puts: SmallVec::new(),
            made_by,
            doomed: SmallVec::new(),
            cancelled: SmallVec::new(),
            ended: None,
            classes: 0,
            disturbing: false,
        }
    }

    pub(crate) fn classes(&self) -> u32 {
        self.classes
    }

    pub(crate) fn is_disturbing(&self) -> bool {
        self.disturbing
    }
}
