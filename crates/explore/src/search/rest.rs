//! Parts of the current execution: what remains of it without some events, and what depends on these.

use smallvec::SmallVec;

use super::{Left, Search};
use crate::event::Id;

/// All events before a place, and those after it that do not depend on any of `without`.
pub(super) struct Rest {
    pub(super) from: usize,
    pub(super) without: SmallVec<[Id; 1]>,
}

impl Rest {
    /// What remains without one event, which is at `from`.
    pub(super) fn without(from: usize, event: Id) -> Rest {
        Rest { from, without: SmallVec::from_slice(&[event]) }
    }

    fn keeps(&self, left: &Left) -> bool {
        !self.without.iter().any(|event| left.clock.has(*event))
    }
}

impl Search {
    /// Whether an event belongs to a rest.
    pub(super) fn is_in(&self, rest: &Rest, id: Id) -> bool {
        id == Id::BEGINNING || self.left(id).is_some_and(|left| rest.keeps(left))
    }

    /// The same of the event at a place.
    pub(super) fn is_at(&self, rest: &Rest, at: usize) -> bool {
        at < rest.from || self.frames[at].left.as_ref().is_some_and(|left| rest.keeps(left))
    }

    /// The events of a rest from its place on.
    pub(super) fn later<'a>(&'a self, rest: &'a Rest) -> impl Iterator<Item = &'a Left> {
        let lefts = self.frames[rest.from..].iter().filter_map(|frame| frame.left.as_deref());
        lefts.filter(|left| rest.keeps(left))
    }
}
