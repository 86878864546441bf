//! Which earlier events could conflict with a step, without looking at all of them.
//!
//! Events are listed by the classes of objects in their footprints and by what they do with them.
//! The answer has every event for which `dependence::conflicting` holds, in descending order of
//! places, and others beside; who asks judges them. Events that disturb whole processes are candidates
//! for every step, and every event is one for them.
//!
//! Cost: the number of candidates, sorted.

use smallvec::SmallVec;

use crate::event::Step;

const CLASSES: usize = 32;

/// Events of one class of objects that read, add or write.
type Lists = [Vec<u32>; 3];

#[derive(Default)]
pub(crate) struct Index {
    len: u32,
    classes: [Lists; CLASSES],
    disturbing: Vec<u32>,
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

impl Index {
    /// Adds the event at the next place.
    pub(crate) fn push(&mut self, step: &Step) {
        let place = self.len;
        self.len += 1;
        if step.is_disturbing() {
            self.disturbing.push(place);
            return;
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
        if step.is_disturbing() {
            self.disturbing.pop();
            return;
        }
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                self.classes[class][kind].pop();
            }
        }
    }

    /// Places of events that could conflict with a step, the last first.
    pub(crate) fn candidates(&self, step: &Step) -> SmallVec<[u32; 32]> {
        if step.is_disturbing() {
            return (0..self.len).rev().collect();
        }
        let mut found: SmallVec<[u32; 32]> = SmallVec::from_slice(&self.disturbing);
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                for &other in CONFLICTS[kind] {
                    found.extend_from_slice(&self.classes[class][other]);
                }
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }
}
