//! Wakeup trees: what remains to be explored from a state (Abdulla, Aronis, Jonsson, Sagonas:
//! *Source Sets*, J. ACM 64(4), 2017, section 6; definitions 6.1 and 6.3).
//!
//! A tree is an ordered list of children, each a step with its own subtree. A leaf says that what
//! follows it is explored as the search likes. Steps are those of the execution in which the
//! need for them was found.
//!
//! Difference from the paper: a step is a weak initial of a sequence only if its choice and those
//! of the sequence do not exclude each other (`search/fits.rs`).
//!
//! Cost: a sequence is compared with the steps on its way through the tree, and with their earlier
//! siblings.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::dependence::dependent;
use crate::event::Step;

/// A step to be taken, and what is to follow.
#[derive(Debug)]
pub struct Branch {
    pub step: Arc<Step>,
    pub then: Vec<Branch>,
    /// Whether there are steps on the way to it that its sequence did not have.
    pub is_beside: bool,
}

impl Drop for Branch {
    /// Sequences may be long, and hang together step by step.
    fn drop(&mut self) {
        let mut left = std::mem::take(&mut self.then);
        while let Some(mut branch) = left.pop() {
            left.append(&mut branch.then);
        }
    }
}

impl Branch {
    fn line(steps: impl DoubleEndedIterator<Item = Arc<Step>>, is_beside: bool) -> Option<Branch> {
        steps.rev().fold(None, |then, step| {
            Some(Branch { step, then: then.into_iter().collect(), is_beside })
        })
    }
}

/// Whether a step that is independent of all of a sequence is possible after it, and after these
/// steps that go before it.
pub type Fits<'a> = &'a dyn Fn(&Step, &[&Arc<Step>]) -> bool;

/// Where in a sequence a step is, if it could as well come first; `Some(None)` if it is not in the
/// sequence, independent of all of it, and possible after it: two receives may choose what excludes
/// each other though they are independent. These are the *weak initials* (definition 4.4).
pub fn initial<'a>(
    step: &Step,
    sequence: impl Iterator<Item = &'a Step>,
    fits: impl Fn(&Step) -> bool,
) -> Option<Option<usize>> {
    for (at, event) in sequence.enumerate() {
        if event.id.actor == step.id.actor {
            return event.is(step).then_some(Some(at));
        }
        if dependent(event, step) {
            return None;
        }
    }
    fits(step).then_some(None)
}

/// A sequence that is to be explored from a state: what a race asks for.
pub struct Sequence<'a> {
    steps: Vec<&'a Arc<Step>>,
    fits: Fits<'a>,
}

impl<'a> Sequence<'a> {
    pub fn new(steps: impl IntoIterator<Item = &'a Arc<Step>>, fits: Fits<'a>) -> Sequence<'a> {
        Sequence { steps: steps.into_iter().collect(), fits }
    }

    /// Adds it to a tree, unless what is there covers it (definition 6.3). The steps that are its
    /// way in the tree now.
    pub fn insert(mut self, children: &mut Vec<Branch>) -> Vec<Arc<Step>> {
        let mut path: SmallVec<[&Arc<Step>; 16]> = SmallVec::new();
        let mut is_beside = false;
        let mut here = children;
        while !self.steps.is_empty() {
            let covered = here.iter().position(|child| {
                let steps = self.steps.iter().map(|step| &***step);
                let place = initial(&child.step, steps, |step| (self.fits)(step, &path));
                match place {
                    Some(Some(place)) => drop(self.steps.remove(place)),
                    Some(None) => is_beside = true,
                    None => {}
                }
                place.is_some()
            });
            let Some(nth) = covered else {
                let way = path.iter().chain(&self.steps).map(|step| Arc::clone(step)).collect();
                let steps = self.steps.into_iter().map(Arc::clone);
                here.extend(Branch::line(steps, is_beside));
                return way;
            };
            let Branch { step, then, .. } = &mut here[nth];
            path.push(step);
            if then.is_empty() {
                break;
            }
            here = then;
        }
        path.into_iter().cloned().collect()
    }
}
