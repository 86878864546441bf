//! Parts of the current execution: what remains of it without some events, and what depends on
//! these: `notdep(e, E)` of the papers on DPOR, for one event or several.

use smallvec::SmallVec;

use super::{Executed, Search};
use crate::event::Id;

/// All events before a place, and those after it that do not depend on any of `without`.
pub(super) struct Remainder {
    pub(super) from: usize,
    pub(super) without: SmallVec<[Id; 1]>,
}

impl Remainder {
    /// What remains without one event, which is at `from`.
    pub(super) fn without(from: usize, event: Id) -> Remainder {
        Remainder { from, without: SmallVec::from_slice(&[event]) }
    }

    fn keeps(&self, executed: &Executed) -> bool {
        !self.without.iter().any(|event| executed.clock.has(*event))
    }
}

impl Search {
    /// Whether an event belongs to a remainder.
    pub(super) fn is_in(&self, remainder: &Remainder, id: Id) -> bool {
        id == Id::BEGINNING || self.executed(id).is_some_and(|executed| remainder.keeps(executed))
    }

    /// The same of the event at a place.
    pub(super) fn is_at(&self, remainder: &Remainder, at: usize) -> bool {
        at < remainder.from
            || self.frames[at].executed.as_ref().is_some_and(|executed| remainder.keeps(executed))
    }

    /// The events of a remainder from its place on.
    pub(super) fn later<'a>(
        &'a self,
        remainder: &'a Remainder,
    ) -> impl Iterator<Item = &'a Executed> {
        let executed_events =
            self.frames[remainder.from..].iter().filter_map(|frame| frame.executed.as_deref());
        executed_events.filter(|executed| remainder.keeps(executed))
    }
}
