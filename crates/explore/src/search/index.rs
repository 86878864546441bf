//! Which earlier events could conflict with a step, without looking at all of them.
//!
//! Sets of places, one bit each, by the classes of objects in the footprints and by what is done with
//! them; and of those that disturb a process by that process. The answer has every event for which
//! `dependence::conflicting` holds, and others beside; who asks judges them. For a step that touches
//! everything, or all processes, every event is a candidate.
//!
//! Cost: an operation for each 64 events and each class that the step touches, and the number of
//! candidates.

use machine::step::Actor;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::event::Step;

const CLASSES: usize = 32;

/// Places of events.
#[derive(Default)]
pub(crate) struct Places(SmallVec<[u64; 4]>);

impl Places {
    fn add(&mut self, place: u32) {
        let word = place as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (place % 64);
    }

    fn remove(&mut self, place: u32) {
        if let Some(word) = self.0.get_mut(place as usize / 64) {
            *word &= !(1 << (place % 64));
        }
    }

    fn add_all(&mut self, others: &Places) {
        // Who collects has room for all places.
        for (mine, its) in self.0.iter_mut().zip(&others.0) {
            *mine |= its;
        }
    }

    #[cfg(debug_assertions)]
    pub(crate) fn contains(&self, place: u32) -> bool {
        self.0.get(place as usize / 64).is_some_and(|word| word & (1 << (place % 64)) != 0)
    }

    /// The last first.
    pub(crate) fn descending(self) -> impl Iterator<Item = u32> {
        let words = self.0.into_iter().enumerate().rev();
        words.flat_map(|(at, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.checked_ilog2()?;
                left &= !(1 << bit);
                Some(at as u32 * 64 + bit)
            })
        })
    }
}

#[derive(Default)]
pub(crate) struct Index {
    len: u32,
    /// By class: events that read, add or write.
    classes: [[Places; 3]; CLASSES],
    /// Events that disturb a process, by its number.
    disturbed: FxHashMap<u64, Places>,
    /// Events that disturb all.
    disturb_all: Places,
}

/// Whom a step disturbs. Most disturb nobody.
enum Disturbs {
    Nobody,
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

#[inline]
fn disturbs(step: &Step) -> Disturbs {
    if step.is_disturbing() { disturbed_by(step) } else { Disturbs::Nobody }
}

fn disturbed_by(step: &Step) -> Disturbs {
    let mut owners: SmallVec<[u64; 2]> = SmallVec::new();
    for access in step.footprint().0.iter().filter(|access| access.disturbs()) {
        match access.object.owner {
            0 => return Disturbs::All,
            owner if !owners.contains(&owner) => owners.push(owner),
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
            Disturbs::Nobody => {}
            Disturbs::All => return self.disturb_all.add(place),
            Disturbs::These(owners) => {
                for owner in owners {
                    self.disturbed.entry(owner).or_default().add(place);
                }
            }
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                self.classes[class][kind].add(place);
            }
        }
    }

    /// Takes the last event away.
    pub(crate) fn pop(&mut self, step: &Step) {
        self.len -= 1;
        let place = self.len;
        match disturbs(step) {
            Disturbs::Nobody => {}
            Disturbs::All => return self.disturb_all.remove(place),
            Disturbs::These(owners) => {
                for owner in owners {
                    if let Some(places) = self.disturbed.get_mut(&owner) {
                        places.remove(place);
                    }
                }
            }
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                self.classes[class][kind].remove(place);
            }
        }
    }

    /// Places of events that could conflict with a step. `events_of` says where the events of a
    /// process are.
    pub(crate) fn candidates<'a>(
        &self,
        step: &Step,
        events_of: impl Fn(u64) -> &'a [u32],
    ) -> Places {
        let mut found = Places(SmallVec::from_elem(0, (self.len as usize).div_ceil(64)));
        found.add_all(&self.disturb_all);
        match disturbs(step) {
            Disturbs::Nobody => {}
            Disturbs::All => (0..self.len).for_each(|place| found.add(place)),
            Disturbs::These(owners) => {
                for owner in owners {
                    events_of(owner - 1).iter().for_each(|place| found.add(*place));
                }
            }
        }
        if let Actor::Process(pid) = step.actor
            && !self.disturbed.is_empty()
            && let Some(places) = self.disturbed.get(&(pid.0 + 1))
        {
            found.add_all(places);
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                for &other in CONFLICTS[kind] {
                    found.add_all(&self.classes[class][other]);
                }
            }
        }
        found
    }
}
