//! Vector clocks: for each event how many events of each actor happened before it.

use smallvec::SmallVec;

use crate::event::{ActorNumber, Id};

#[derive(Default, PartialEq, Eq, Debug)]
pub struct Clock(SmallVec<[u32; 12]>);

impl Clone for Clock {
    fn clone(&self) -> Clock {
        Clock(SmallVec::from_slice(&self.0))
    }

    fn clone_from(&mut self, source: &Clock) {
        self.0.clear();
        self.0.extend_from_slice(&source.0);
    }
}

impl Clock {
    pub fn get(&self, actor: ActorNumber) -> u32 {
        self.0.get(actor as usize).copied().unwrap_or(0)
    }

    /// Nothing happened before.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether an event is among those counted.
    pub fn has(&self, id: Id) -> bool {
        id.seq <= self.get(id.actor)
    }

    /// The first of what is counted that has not happened, where so many events of each actor have;
    /// but for those of one.
    pub(crate) fn beyond(&self, counts: &[u32], but: ActorNumber) -> Option<Id> {
        let mut counted = self.0.iter().enumerate();
        let actor = counted.position(|(actor, events)| {
            *events > counts.get(actor).copied().unwrap_or(0) && actor != but as usize
        })?;
        Some(Id { actor: actor as ActorNumber, seq: self.0[actor] })
    }

    pub fn set(&mut self, id: Id) {
        let at = id.actor as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = id.seq;
    }

    /// The later of the two, actor by actor.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// The earlier of the two, actor by actor: what happened before both.
    pub fn meet(&mut self, other: &Clock) {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(*theirs);
        }
    }
}
