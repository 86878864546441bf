//! Which earlier events could conflict with a step, without looking at all of them.
//!
//! Sets of places, one bit each, by the classes of objects in the footprints and by what is done
//! with them; and of those that disturb a process by that process. The answer has every event for
//! which `dependence::conflicting` holds, and others beside; who asks judges them. For a step that
//! touches everything, or all processes, every event is a candidate.
//!
//! Cost: an operation for each 64 events and each class that the step touches, and the number of
//! candidates. Events are kept in blocks of 64, so that most executions have one: a word for each
//! class.

use machine::footprint::Class;
use machine::step::Actor;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::event::Step;

const CLASSES: usize = Class::COUNT;

/// Places of events of a block.
type Places = u64;

/// How many events a block has.
const EVENTS: u32 = Places::BITS;

/// What is known of 64 events.
#[derive(Clone, Default)]
struct Block {
    /// By class: events that read, add or write.
    classes: [[Places; 3]; CLASSES],
    /// Events that disturb all processes.
    disturb_all: Places,
}

/// Places of events that could conflict with a step; found block by block when they are asked for.
pub(crate) struct Candidates<'a> {
    blocks: &'a [Block],
    /// What the step reads, adds to and writes.
    classes: [u32; 3],
    /// Those that disturb it, or that it disturbs, block by block; empty if there are none.
    others: SmallVec<[Places; 4]>,
}

impl Candidates<'_> {
    fn add(&mut self, place: u32) {
        if self.others.is_empty() {
            self.others.resize(self.blocks.len(), 0);
        }
        if let Some(word) = self.others.get_mut((place / EVENTS) as usize) {
            *word |= 1 << (place % EVENTS);
        }
    }

    #[inline]
    fn of(&self, at: usize) -> Places {
        let block = &self.blocks[at];
        let others = self.others.get(at).copied().unwrap_or(0);
        others | block.disturb_all | block.conflicting(self.classes)
    }

    #[cfg(debug_assertions)]
    pub(crate) fn contains(&self, place: u32) -> bool {
        self.of((place / EVENTS) as usize) & 1 << (place % EVENTS) != 0
    }

    /// The last first.
    pub(crate) fn descending(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.blocks.len()).rev().flat_map(|at| {
            let mut left = self.of(at);
            std::iter::from_fn(move || {
                let bit = left.checked_ilog2()?;
                left &= !(1 << bit);
                Some(at as u32 * EVENTS + bit)
            })
        })
    }
}

#[derive(Default)]
pub(crate) struct Index {
    len: u32,
    blocks: Vec<Block>,
    /// Events that disturb a process, by its number. Most executions have few.
    disturbed: FxHashMap<u64, Vec<u32>>,
}

/// Whom a step disturbs that disturbs somebody: most do not.
enum Disturbs {
    All,
    /// Owners of objects: numbers of processes and one.
    These(SmallVec<[u64; 2]>),
}

#[cold]
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

/// The places of the bits of a word.
fn bits(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < CLASSES).then_some(bit)
    })
}

impl Block {
    /// Says of each kind of access of a step, class by class, what is to become of the events with
    /// such accesses.
    #[inline]
    fn change(&mut self, step: &Step, change: impl Fn(&mut Places)) {
        for (kind, mask) in step.classes().into_iter().enumerate() {
            for class in bits(mask) {
                change(&mut self.classes[class][kind]);
            }
        }
    }

    /// Events that could conflict with a step by their classes. Reading conflicts with adding and
    /// writing, adding with reading and writing, writing with all.
    #[inline]
    fn conflicting(&self, [reads, adds, writes]: [u32; 3]) -> Places {
        let mut found = 0;
        for class in bits(reads | adds | writes) {
            let has = |mask: u32| mask >> class & 1 != 0;
            let [that_read, that_add, that_write] = self.classes[class];
            found |= that_write;
            if has(adds | writes) {
                found |= that_read;
            }
            if has(reads | writes) {
                found |= that_add;
            }
        }
        found
    }
}

impl Index {
    /// Adds the event at the next place.
    pub(crate) fn push(&mut self, step: &Step) {
        let place = self.len;
        self.len += 1;
        let (at, bit) = ((place / EVENTS) as usize, 1 << (place % EVENTS));
        if self.blocks.len() <= at {
            self.blocks.resize_with(at + 1, Block::default);
        }
        let block = &mut self.blocks[at];
        if step.is_disturbing() {
            match disturbed_by(step) {
                Disturbs::All => {
                    block.disturb_all |= bit;
                    return;
                }
                Disturbs::These(owners) => {
                    for owner in owners {
                        self.disturbed.entry(owner).or_default().push(place);
                    }
                }
            }
        }
        block.change(step, |places| *places |= bit);
    }

    /// Takes the last event away.
    pub(crate) fn pop(&mut self, step: &Step) {
        self.len -= 1;
        let place = self.len;
        let (at, bit) = ((place / EVENTS) as usize, 1 << (place % EVENTS));
        let block = &mut self.blocks[at];
        if step.is_disturbing() {
            match disturbed_by(step) {
                Disturbs::All => {
                    block.disturb_all &= !bit;
                    return;
                }
                Disturbs::These(owners) => {
                    for owner in owners {
                        if let Some(places) = self.disturbed.get_mut(&owner) {
                            places.pop();
                        }
                    }
                }
            }
        }
        block.change(step, |places| *places &= !bit);
    }

    /// Places of events that could conflict with a step. `events_of` says where the events of a
    /// process are.
    pub(crate) fn candidates<'a>(
        &'a self,
        step: &Step,
        events_of: impl Fn(u64) -> &'a [u32],
    ) -> Candidates<'a> {
        let blocks = &self.blocks[..self.len.div_ceil(EVENTS) as usize];
        let mut found = Candidates { blocks, classes: step.classes(), others: SmallVec::new() };
        if step.is_disturbing() {
            match disturbed_by(step) {
                Disturbs::All => (0..self.len).for_each(|place| found.add(place)),
                Disturbs::These(owners) => {
                    for owner in owners {
                        events_of(owner - 1).iter().for_each(|place| found.add(*place));
                    }
                }
            }
        }
        if let Actor::Process(pid) = step.actor
            && !self.disturbed.is_empty()
            && let Some(places) = self.disturbed.get(&(pid.0 + 1))
        {
            places.iter().for_each(|place| found.add(*place));
        }
        found
    }
}
