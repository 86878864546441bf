//! Which earlier events could conflict with a step, without looking at all of them.
//!
//! Events are listed by the classes of objects in their footprints and by what they do with them, and
//! those that disturb a process by that process. The answer has every event for which
//! `dependence::conflicting` holds, in descending order of places, and others beside; who asks judges
//! them. For a step that touches everything, or all processes, every event is a candidate.
//!
//! Cost: the number of candidates, sorted.

use machine::footprint::{Class, Kind};
use machine::step::Actor;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::event::Step;

const CLASSES: usize = 32;

/// Events of one class of objects that read, add or write.
type Lists = [Vec<u32>; 3];

#[derive(Default)]
pub(crate) struct Index {
    len: u32,
    classes: [Lists; CLASSES],
    /// Events that disturb a process, by its number.
    disturbed: FxHashMap<u64, Vec<u32>>,
    /// Events that disturb all.
    disturb_all: Vec<u32>,
}

/// Whom a step disturbs.
enum Disturbs {
    All,
    /// Owners of objects: numbers of processes and one.
    These(SmallVec<[u64; 2]>),
}

/// Reading conflicts with adding and writing, adding with reading and writing, writing with all.
const CONFLICTS: [&[usize]; 3] = [&[1, 2], &[0, 2], &[0, 1, 2]];

fn bits(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < CLASSES).then_some(bit)
    })
}

fn disturbs(step: &Step) -> Disturbs {
    let mut owners: SmallVec<[u64; 2]> = SmallVec::new();
    if !step.is_disturbing() {
        return Disturbs::These(owners);
    }
    for access in &step.footprint().0 {
        let disturbing = match access.object.class {
            Class::Everything => return Disturbs::All,
            Class::Doom => access.kind != Kind::Read,
            Class::Local => true,
            _ => false,
        };
        match access.object.owner {
            0 if disturbing => return Disturbs::All,
            owner if disturbing && !owners.contains(&owner) => owners.push(owner),
            _ => {}
        }
    }
    Disturbs::These(owners)
}

impl Index {
    /// Adds the event at the next place.
    pub(crate) fn push(&mut self, step: &Step) {
        let place = self.len;
        self.len += 1;
        match disturbs(step) {
            Disturbs::All => return self.disturb_all.push(place),
            Disturbs::These(owners) => {
                for owner in owners {
                    self.disturbed.entry(owner).or_default().push(place);
                }
            }
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                self.classes[class][kind].push(place);
            }
        }
    }

    /// Takes the last event away.
    pub(crate) fn pop(&mut self, step: &Step) {
        self.len -= 1;
        match disturbs(step) {
            Disturbs::All => {
                self.disturb_all.pop();
                return;
            }
            Disturbs::These(owners) => {
                for owner in owners {
                    if let Some(list) = self.disturbed.get_mut(&owner) {
                        list.pop();
                    }
                }
            }
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                self.classes[class][kind].pop();
            }
        }
    }

    /// Places of events that could conflict with a step, the last first. `events_of` says where
    /// the events of a process are.
    pub(crate) fn candidates<'a>(
        &self,
        step: &Step,
        events_of: impl Fn(u64) -> &'a [u32],
    ) -> SmallVec<[u32; 32]> {
        let mut found: SmallVec<[u32; 32]> = SmallVec::from_slice(&self.disturb_all);
        match disturbs(step) {
            Disturbs::All => return (0..self.len).rev().collect(),
            Disturbs::These(owners) => {
                for owner in owners {
                    found.extend_from_slice(events_of(owner - 1));
                }
            }
        }
        if let Actor::Process(pid) = step.actor
            && let Some(list) = self.disturbed.get(&(pid.0 + 1))
        {
            found.extend_from_slice(list);
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                for &other in CONFLICTS[kind] {
                    found.extend_from_slice(&self.classes[class][other]);
                }
            }
        }
        if found.len() > 1 {
            found.sort_unstable_by(|a, b| b.cmp(a));
            found.dedup();
        }
        found
    }
}
