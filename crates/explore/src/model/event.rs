//! Events: what the search remembers of a visible action.
//!
//! An event is named by its actor and its place in what that actor does ([`Id`]). This name is the
//! same in all equivalent executions, because identifiers of processes and references do not depend
//! on what others did (see `machine::step`).
//!
//! An event has two parts. Its [`Step`] is what decides whether it commutes with others: plain
//! data without terms, that can be kept, handed to another thread and written to a file. The rest
//! is about the execution in which it happened.

use std::ops::{BitAnd, BitOr};
use std::sync::Arc;

use machine::flight::Route;
use machine::footprint::{Access, Class, Footprint, Kind, Object};
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
    /// Not a receive, but a reading of a clock that finds the same time as the one before it (see
    /// `ties.rs`).
    Tie,
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
    touched: Touched,
}

/// A step without its footprint.
pub(crate) struct Stepped {
    pub(crate) id: Id,
    pub(crate) actor: Actor,
    pub(crate) take: Take,
    pub(crate) made_by: Id,
}

/// What a footprint has, roughly, for quick tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Touched {
    /// What it reads, adds to and writes.
    classes: Masks<u32>,
    /// Of these the classes of which it touches all objects.
    whole: Masks<u32>,
    /// Classes and owners, by their hash.
    owners: Masks<u64>,
    /// The processes that conflict with the footprint whatever they do, by their hash.
    disturbed: u64,
    /// Whether all of it is [`Class::is_always_plain`].
    is_plain: bool,
}

/// One bit for each thing that is read, added to, written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Masks<T>([T; 3]);

/// Which of the three a kind of access is.
#[inline]
fn place_of(kind: Kind) -> usize {
    match kind {
        Kind::Read | Kind::Peek => 0,
        Kind::Add => 1,
        Kind::Assign(_) | Kind::Write | Kind::Change => 2,
    }
}

impl<T: Copy + Default + PartialEq + BitAnd<Output = T> + BitOr<Output = T>> Masks<T> {
    #[inline]
    fn note(&mut self, place: usize, bits: T) {
        self.0[place] = self.0[place] | bits;
    }

    /// Whether something is touched by both, and not only read or only added to.
    fn meets(&self, other: &Masks<T>) -> bool {
        let ([reads, adds, writes], [its_reads, its_adds, its_writes]) = (self.0, other.0);
        (writes & (its_reads | its_adds | its_writes))
            | (its_writes & (reads | adds))
            | (reads & its_adds)
            | (adds & its_reads)
            != T::default()
    }
}

/// One of 64 bits for a number.
fn bit(number: u64) -> u64 {
    1 << (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58)
}

impl Touched {
    fn by(footprint: &Footprint) -> Touched {
        let (mut classes, mut whole) = (Masks::<u32>::default(), Masks::<u32>::default());
        let (mut owners, mut disturbed, mut is_plain) = (Masks::<u64>::default(), 0, true);
        for access in &footprint.0 {
            let Access { object, kind } = access;
            let place = place_of(*kind);
            is_plain &= object.class.is_always_plain(*kind);
            let bits = match object.class {
                Class::Everything => Class::EVERY_BIT,
                class => class.bit(),
            };
            classes.note(place, bits);
            match object.owner {
                0 => whole.note(place, bits),
                owner => owners.note(place, bit(owner << Class::WIDTH | object.class as u64)),
            }
            if access.disturbs() {
                disturbed |= if object.owner == 0 { u64::MAX } else { bit(object.owner) };
            }
        }
        Touched { classes, whole, owners, disturbed, is_plain }
    }

    fn meets(&self, other: &Touched) -> bool {
        self.classes.meets(&other.classes)
            && (self.owners.meets(&other.owners)
                || self.whole.meets(&other.classes)
                || self.classes.meets(&other.whole))
    }
}

impl Step {
    pub fn new(id: Id, actor: Actor, take: Take, made_by: Id, footprint: Footprint) -> Step {
        let touched = Touched::by(&footprint);
        Step { id, actor, take, made_by, footprint, touched }
    }

    /// The same, of a footprint that nobody needs any more where it is.
    pub(crate) fn taken(step: Stepped, footprint: &mut Footprint) -> Step {
        let Stepped { id, actor, take, made_by } = step;
        Step::new(id, actor, take, made_by, std::mem::take(footprint))
    }

    /// Becomes another step, in the memory that it has.
    pub(crate) fn retake(&mut self, step: Stepped, footprint: &mut Footprint) {
        let Stepped { id, actor, take, made_by } = step;
        (self.id, self.actor, self.take, self.made_by) = (id, actor, take, made_by);
        self.touched = Touched::by(footprint);
        self.footprint.0.clear();
        self.footprint.0.extend_from_slice(&footprint.0);
        footprint.0.clear();
    }

    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Whether the footprints could conflict, judged by the classes and owners of their objects
    /// only.
    pub(crate) fn may_conflict(&self, other: &Step) -> bool {
        self.touched.meets(&other.touched)
    }

    /// The classes of objects of the three kinds: read, added to, written.
    pub(crate) fn classes(&self) -> [u32; 3] {
        self.touched.classes.0
    }

    /// Whether it touches the same whatever was before it, as far as that is plain, too.
    pub(crate) fn is_plain(&self) -> bool {
        self.touched.is_plain
    }

    /// Whether it is the reading of a clock, and has a place among the others.
    pub(crate) fn reads_clock(&self) -> bool {
        let is_clock = |access: &Access| access.object == Object::CLOCK;
        self.classes()[2] & Class::Numbers.bit() != 0 && self.footprint.0.iter().any(is_clock)
    }

    /// Whether the footprint may conflict with whatever some process does.
    pub(crate) fn is_disturbing(&self) -> bool {
        self.touched.disturbed != 0
    }

    /// Whether it may conflict with whatever this process does.
    pub(crate) fn may_disturb(&self, pid: Pid) -> bool {
        self.touched.disturbed & bit(pid.0 + 1) != 0
    }

    /// Of the arrival of a signal: from whom to whom it was on its way.
    pub(crate) fn route(&self) -> Option<(Pid, Pid)> {
        self.footprint.route()
    }

    /// The event before it of its actor, or what made the actor.
    pub(crate) fn before(&self) -> Id {
        match self.id.seq {
            1 => self.made_by,
            seq => Id { seq: seq - 1, ..self.id },
        }
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
    /// Signals that it sent and that are on their way after it, from whom to whom (delivery `any`).
    pub set_off: SmallVec<[(Ref, Route); 1]>,
    /// A monitor whose message is not wanted from now on.
    pub silenced: Option<Ref>,
    /// The order of the messages in a mailbox that it looked at.
    pub seen: Vec<MessageId>,
    /// The reason, if it is the end of a process.
    pub ended: Option<Term>,
}

impl Event {
    /// Of which nothing is known but its step, and what kind of action it is.
    pub(crate) fn of(step: Arc<Step>, label: Label, pc: u32) -> Event {
        Event {
            step,
            label,
            pc,
            puts: SmallVec::new(),
            doomed: SmallVec::new(),
            cancelled: SmallVec::new(),
            set_off: SmallVec::new(),
            silenced: None,
            seen: Vec::new(),
            ended: None,
        }
    }
}

impl std::ops::Deref for Event {
    type Target = Step;

    fn deref(&self) -> &Step {
        &self.step
    }
}
