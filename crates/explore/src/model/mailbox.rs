//! Mailboxes without an order, and when a receive may take a message.
//!
//! With instant delivery the messages of a mailbox are ordered as they were sent, and a receive
//! takes the first that matches. The search does not decide that order when messages are sent. A
//! receive may take any message that matches, and by that *forces* an order: the message it takes
//! was sent before every other that matches and was not taken earlier (whether that one is there
//! already or comes later). A receive that gives up forces that all of these are sent after it.
//!
//! A choice is **consistent** if the forced order together with happens-before has no cycle. Then
//! any order of events that respects both is an execution with mailboxes as Erlang has them, in
//! which every receive takes the same messages: when it happens, all rivals of its message come
//! later. Conversely the messages taken in a real execution are always a consistent choice. (This
//! is the `mailbox` model of Must, there checked for a whole graph; here only a new receive can
//! close a cycle, because every other event comes after all that it depends on.)
//!
//! That is with *instant* delivery, as on one BEAM node. With delivery *any* ([`Delivery::Any`]),
//! as the language has it, messages from different senders arrive in any order, whatever happened
//! before what, and a receive may give up although a message is on its way: `search::arrivals` says
//! what is consistent then. Arrivals of other signals (exits, `'DOWN'`, messages to aliases) are
//! events of their own. Links, monitors and questions about a process have their effect at once,
//! after what the asking process has sent to it (`machine::flight`).
//!
//! Cost: a question of reachability walks the forced edges, which are as many as there are pairs of
//! a receive and a rival of its message.

use machine::{Machine, flight};
use smallvec::SmallVec;

use crate::clock::Clock;
use crate::event::{Id, MessageId, Take};

/// How messages travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    /// They arrive when they are sent.
    #[default]
    Instant,
    /// They arrive in the order in which they were sent between two processes; otherwise in any.
    Any,
}

impl Delivery {
    /// Has other signals than messages travel in a Machine that is about to be driven step by step.
    pub fn set(self, machine: &mut Machine) {
        machine.set_delivery(match self {
            Delivery::Instant => flight::Delivery::Instant,
            Delivery::Any => flight::Delivery::Any,
        });
    }
}

/// Whether a message comes before another in every mailbox, because the same actor sent it earlier.
pub fn sent_earlier(a: MessageId, b: MessageId) -> bool {
    a.sent_by.actor == b.sent_by.actor && (a.sent_by.seq, a.nth) < (b.sent_by.seq, b.nth)
}

/// What a receive in the execution forced: its message (or itself, if it gave up) before each
/// rival.
#[derive(Clone, Debug, Default)]
pub struct Forced {
    /// Who comes first.
    pub first: Option<Id>,
    /// Messages that come later.
    pub rivals: Vec<Rival>,
}

/// A message that a receive could have taken instead.
#[derive(Clone, Copy, Debug)]
pub struct Rival {
    pub message: MessageId,
    /// Where in the execution it was sent.
    pub sent_at: u32,
}

/// What a receive forced, as a part of an execution has it.
pub struct Force<'a> {
    pub forced: &'a Forced,
    /// The receive, and what it takes.
    pub id: Id,
    pub take: Take,
    /// What happened before who comes first.
    pub before_first: Option<&'a Clock>,
}

/// Happens-before and forced order of a part of an execution.
pub struct Order<'a, C, I> {
    /// Clocks of the events, by their names.
    pub clocks: C,
    /// The forced edges of the receives in that part.
    pub forced: &'a [Force<'a>],
    /// Whether an event belongs to the part.
    pub includes: I,
}

/// Whether an event happened before another, or is it, where these did.
#[inline]
fn is_before(event: Id, other: Id, before_other: Option<&Clock>) -> bool {
    event == other
        || event == Id::BEGINNING
        || before_other.is_some_and(|before_other| before_other.has(event))
}

impl<'a, C: Fn(Id) -> Option<&'a Clock>, I: Fn(Id) -> bool> Order<'a, C, I> {
    /// Whether `from` must come before `to`, or is it.
    pub fn reaches(&self, from: Id, to: Id) -> bool {
        let before_to = (self.clocks)(to);
        if is_before(from, to, before_to) {
            return true;
        }
        let mut reached: SmallVec<[Id; 8]> = SmallVec::from_slice(&[from]);
        let mut at = 0;
        while at < reached.len() {
            let here = reached[at];
            at += 1;
            for Force { forced, before_first, .. } in self.forced {
                let Some(first) = forced.first else { continue };
                if forced.rivals.is_empty() || !is_before(here, first, *before_first) {
                    continue;
                }
                for rival in &forced.rivals {
                    let id = rival.message.sent_by;
                    if !(self.includes)(id) || reached.contains(&id) {
                        continue;
                    }
                    if is_before(id, to, before_to) {
                        return true;
                    }
                    reached.push(id);
                }
            }
        }
        false
    }
}
