//! Towards the smallest input that still does it.
//!
//! One *step* makes an input of the same type that is smaller ([`crate::weight`]); the first that
//! still does it is taken, until none does. Since every step goes down in a well-founded order this
//! ends; the result is a local minimum: no single step from it still does it.
//!
//! Steps at one place (`steps.rs`): the simplest values of the type there, a part in place of the
//! whole, fewer elements, keys, bits or rows, numbers closer to 0. Those that leave less come
//! first, at all places, before any value is made simpler: so that it is not the rest that has to
//! be large. Beyond that, the same step at all places that hold the same value: what must be equal
//! stays equal.

mod steps;

use rustc_hash::FxHashSet;
use types::Type;

use crate::Input;
use crate::positions::{Position, positions};
use crate::weight::{Weight, weight};

pub use steps::simplest;

/// What came of shrinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    pub input: Input,
    /// How many inputs were tried.
    pub tried: u64,
    /// Whether no step is left that still does it; else the limit was reached.
    pub is_minimal: bool,
}

/// The smallest input that steps lead to and that still does it, after at most so many tries.
/// `input` does it.
pub fn shrink(
    ty: &Type,
    input: &Input,
    limit: u64,
    still: &mut dyn FnMut(&Input) -> bool,
) -> Shrunk {
    let mut work = Work {
        ty,
        weight: weight(input),
        current: input.clone(),
        refused: FxHashSet::default(),
        tried: 0,
        limit,
        only_less: false,
        still,
    };
    while work.tried < work.limit && (work.pass(true) || work.pass(false) || work.pass_together()) {
    }
    let is_minimal = work.tried < work.limit;
    Shrunk { input: work.current, tried: work.tried, is_minimal }
}

/// Every input that one step leads to.
pub fn all_steps(ty: &Type, input: &Input) -> Vec<Input> {
    let limit = weight(input);
    let mut found = Vec::new();
    let mut add = |candidate: Input| {
        if weight(&candidate) < limit && candidate.is_of(ty) && !found.contains(&candidate) {
            found.push(candidate);
        }
    };
    for position in positions(ty, input) {
        let Some(part) = input.at(&position.path) else { continue };
        for smaller in steps::steps(&position.ty, part) {
            add(input.with(&position.path, &smaller));
        }
    }
    for places in equal_places(ty, input) {
        together(input, &places).into_iter().for_each(&mut add);
    }
    found
}

struct Work<'a> {
    ty: &'a Type,
    current: Input,
    weight: Weight,
    /// What was tried and does it not.
    refused: FxHashSet<Input>,
    tried: u64,
    limit: u64,
    /// Whether only what has fewer values is taken.
    only_less: bool,
    still: &'a mut dyn FnMut(&Input) -> bool,
}

impl Work<'_> {
    /// Goes through all places; whether something became smaller.
    fn pass(&mut self, only_less: bool) -> bool {
        self.only_less = only_less;
        let mut any = false;
        let mut all = positions(self.ty, &self.current);
        let mut place = 0;
        while place < all.len() {
            if self.step_at(&all[place]) {
                any = true;
                all = positions(self.ty, &self.current);
            } else {
                place += 1;
            }
            if self.tried >= self.limit {
                break;
            }
        }
        any
    }

    fn step_at(&mut self, position: &Position) -> bool {
        let Some(part) = self.current.at(&position.path) else { return false };
        let smaller = steps::steps(&position.ty, part);
        smaller.into_iter().any(|part| {
            let candidate = self.current.with(&position.path, &part);
            self.accept(candidate)
        })
    }

    /// Tries to make equal values smaller together.
    fn pass_together(&mut self) -> bool {
        self.only_less = false;
        for places in equal_places(self.ty, &self.current) {
            let candidates = together(&self.current, &places);
            if candidates.into_iter().any(|candidate| self.accept(candidate)) {
                return true;
            }
        }
        false
    }

    fn accept(&mut self, candidate: Input) -> bool {
        if self.tried >= self.limit || self.refused.contains(&candidate) {
            return false;
        }
        let weight = weight(&candidate);
        let is_less = if self.only_less {
            weight.values() < self.weight.values()
        } else {
            weight < self.weight
        };
        if !is_less || !candidate.is_of(self.ty) {
            return false;
        }
        self.tried += 1;
        if (self.still)(&candidate) {
            (self.current, self.weight) = (candidate, weight);
            return true;
        }
        self.refused.insert(candidate);
        false
    }
}

/// The places of values that occur several times.
fn equal_places(ty: &Type, input: &Input) -> Vec<Vec<Position>> {
    let mut groups: Vec<(&Input, Vec<Position>)> = Vec::new();
    for position in positions(ty, input) {
        let Some(part) = input.at(&position.path) else { continue };
        match groups.iter_mut().find(|group| group.0 == part) {
            Some(group) => group.1.push(position),
            None => groups.push((part, vec![position])),
        }
    }
    groups.into_iter().map(|group| group.1).filter(|places| places.len() > 1).collect()
}

/// The input with a step of the first of these places at all of them.
fn together(input: &Input, places: &[Position]) -> Vec<Input> {
    let Some(part) = places.first().and_then(|first| input.at(&first.path)) else {
        return Vec::new();
    };
    let smaller = steps::steps(&places[0].ty, part);
    let everywhere = smaller.into_iter().filter_map(|part| {
        let fits = places.iter().all(|place| part.is_of(&place.ty));
        // From the last to the first: a map may come into another order.
        let put = |whole: Input, place: &Position| whole.with(&place.path, &part);
        fits.then(|| places.iter().rev().fold(input.clone(), put))
    });
    everywhere.collect()
}
