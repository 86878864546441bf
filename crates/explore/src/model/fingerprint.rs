//! Names of 128 bits for events, prefixes and mailboxes, so that many of them can be compared and
//! remembered. That two different things have the same name is so unlikely that it is not
//! considered.

use machine::step::Actor;

use crate::event::{Event, Id, MessageId};

/// A hash that is made of numbers one by one.
pub(crate) struct Name(u128);

impl Name {
    pub(crate) fn new(number: u64) -> Name {
        let mut name = Name(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        name.add(number);
        name
    }

    pub(crate) fn add(&mut self, number: u64) {
        let mixed =
            (self.0 ^ u128::from(number)).wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
        self.0 = mixed ^ (mixed >> 61);
    }

    /// The actor and which of its events it is.
    pub(crate) fn of_event(event: &Event) -> Name {
        let mut name = Name::new(u64::from(event.id.seq));
        name.add_actor(Some(event.actor));
        name
    }

    pub(crate) fn add_name(&mut self, name: u128) {
        self.add(name as u64);
        self.add((name >> 64) as u64);
    }

    pub(crate) fn add_id(&mut self, id: Id) {
        self.add(u64::from(id.actor) << 32 | u64::from(id.seq));
    }

    pub(crate) fn add_actor(&mut self, actor: Option<Actor>) {
        let (kind, number) = match actor {
            None => (0, 0),
            Some(Actor::Process(pid)) => (1, pid.0),
            Some(Actor::Timer(timer)) => (2, timer.0),
            Some(Actor::Signal(signal)) => (3, signal.0),
        };
        self.add(kind);
        self.add(number);
    }

    pub(crate) fn add_message(&mut self, message: MessageId) {
        self.add_id(message.sent_by);
        self.add(u64::from(message.nth) + 2);
    }

    pub(crate) fn done(mut self) -> u128 {
        self.add(0);
        self.add(0);
        self.0
    }
}
