//! Warnings: what depends on the schedule although nothing fails because of it.
//!
//! * **message order**: a `receive` could have taken a message of another process than the one it
//!   took.
//! * **name**: a registered name is used, and registered or given up, in any order.
//! * **race**: a table, a persistent term or a counter is touched in two places in any order, at
//!   least one of which changes it.
//!
//! Two events race if they do not commute and nothing but that orders them: neither comes before
//! the other through a third. Each pair of places is told once. Only places of the program are
//! told.
//!
//! Cost: each execution is looked at pair by pair, so this is for who asks for it.

use std::collections::BTreeSet;

use atom::Atom;
use machine::footprint::{Class, Object};
use machine::step::Actor;
use machine::{CodeSpace, Machine};

use crate::dependence::{causes, conflicting};
use crate::linear::Placed;
use crate::outcome::Execution;
use crate::place::{Place, is_library_source};

/// Something that depends on the schedule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Warning {
    /// Which message the `receive` at a place takes.
    MessageOrder { place: Place },
    /// Whether a name is registered that is used at a place.
    Name {
        place: Place,
        name: Option<String>,
        /// Where it is registered or given up.
        changed_at: Place,
    },
    /// What something that several processes share is when it is used at a place.
    Race {
        place: Place,
        shared: Shared,
        /// Where the other process uses it, if that is another place.
        other: Option<Place>,
    },
}

/// What processes share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shared {
    Counter,
    PersistentTerm,
    Table,
    TableName,
}

impl Warning {
    pub fn kind(&self) -> &'static str {
        match self {
            Warning::MessageOrder { .. } => "message_order",
            Warning::Name { .. } => "name",
            Warning::Race { .. } => "race",
        }
    }

    pub fn place(&self) -> &Place {
        match self {
            Warning::MessageOrder { place }
            | Warning::Name { place, .. }
            | Warning::Race { place, .. } => place,
        }
    }
}

/// Collects warnings.
#[derive(Default)]
pub struct Warnings {
    found: BTreeSet<Warning>,
}

impl Warnings {
    pub fn into_list(self) -> Vec<Warning> {
        self.found.into_iter().collect()
    }

    /// Adds what others found.
    pub fn merge(&mut self, others: Vec<Warning>) {
        self.found.extend(others);
    }

    /// Looks at an execution.
    pub fn look(&mut self, execution: &Execution<'_>) {
        let code = execution.machine.code();
        let placed = &(execution.placed)();
        for (at, later) in placed.iter().enumerate() {
            self.note_receive(code, later);
            for earlier in placed.iter().take(at) {
                if later.event.id.actor != earlier.event.id.actor
                    && conflicting(earlier.event, later.event)
                    && !is_ordered(placed, earlier, later, at)
                {
                    self.note_race(execution.machine, earlier, later);
                }
            }
        }
    }

    fn note_receive(&mut self, code: &CodeSpace, placed: &Placed<'_>) {
        let Some(forced) = placed.forced else { return };
        let taken = forced.first.map(|first| first.actor);
        // Messages of one process come in the order in which it sent them.
        let others = forced.rivals.iter().any(|rival| Some(rival.message.sent_by.actor) != taken);
        if others && let Some(place) = own(code, placed) {
            self.found.insert(Warning::MessageOrder { place });
        }
    }

    fn note_race(&mut self, machine: &Machine, earlier: &Placed<'_>, later: &Placed<'_>) {
        let code = machine.code();
        let (Some(a), Some(b)) = (own(code, earlier), own(code, later)) else { return };
        let Some((object, reader)) = contested(earlier, later) else { return };
        let shared = match object.class {
            Class::Name => {
                // The place that reads is the one to be careful about.
                let (place, changed_at) = if reader == Some(true) { (b, a) } else { (a, b) };
                self.found.insert(Warning::Name { place, name: name(object), changed_at });
                return;
            }
            Class::Table => Shared::Table,
            Class::TableName => Shared::TableName,
            Class::PersistentTerm => Shared::PersistentTerm,
            Class::Counter => Shared::Counter,
            _ => return,
        };
        let (place, other) = if a <= b { (a, b) } else { (b, a) };
        let other = Some(other).filter(|other| *other != place);
        self.found.insert(Warning::Race { place, shared, other });
    }
}

/// The registered name that an object stands for.
fn name(object: Object) -> Option<String> {
    let owner = u32::try_from(object.owner).ok()?;
    Some(Atom::from_index(owner.checked_sub(1)?).to_string())
}

/// Whether one event comes before another through a third.
fn is_ordered(placed: &[Placed<'_>], earlier: &Placed<'_>, later: &Placed<'_>, at: usize) -> bool {
    placed.iter().take(at).any(|between| {
        between.event.id != earlier.event.id
            && between.clock.has(earlier.event.id)
            && (between.event.id.actor == later.event.id.actor
                || causes(between.event, later.event)
                || conflicting(between.event, later.event))
    })
}

/// What both touch, and whether it is the second (`Some(true)`) or the first that only reads it.
fn contested(earlier: &Placed<'_>, later: &Placed<'_>) -> Option<(Object, Option<bool>)> {
    let (first, second) = (earlier.event.footprint(), later.event.footprint());
    for a in &first.0 {
        for b in &second.0 {
            if !a.conflicts(*b) || a.object.class == Class::Everything {
                continue;
            }
            let reader = match (a.kind.only_looks(), b.kind.only_looks()) {
                (_, true) => Some(true),
                (true, _) => Some(false),
                _ => None,
            };
            let object = if a.object.owner != 0 { a.object } else { b.object };
            return Some((object, reader));
        }
    }
    None
}

/// Where an event is, if that is in the program.
fn own(code: &CodeSpace, placed: &Placed<'_>) -> Option<Place> {
    let Actor::Process(_) = placed.event.actor else { return None };
    let position = code.position(placed.event.pc)?;
    let is_own = !is_library_source(&position.source);
    is_own.then_some(Place { file: position.file, line: position.line })
}
