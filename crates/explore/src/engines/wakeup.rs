//! Wakeup trees: what remains to be explored from a state (Abdulla, Aronis, Jonsson, Sagonas:
//! *Source Sets*, J. ACM 64(4), 2017, section 6; definitions 6.1 and 6.3).
//!
//! A tree is an ordered list of children, each a step with its own subtree. A leaf says that what
//! follows it is explored as the search likes. Steps are those of the execution in which the
//! need for them was found.
//!
//! Differences from the paper: a new branch is as short as it can be. It has what the last step of
//! a sequence depends on, and what wakes every step that sleeps on its way; the paper has all that
//! does not depend on the first event of the race. On the way down such a branch steps of earlier
//! ones sleep, and the orders of what is not needed would not be explored there. And a step is a
//! weak initial of a sequence only if its choice and those of the sequence do not exclude each
//! other (`search/fits.rs`).
//!
//! Cost: a sequence is compared with the steps on its way through the tree, and with their earlier
//! siblings; shortening it walks over it once for each step that sleeps.

use std::sync::Arc;

use crate::clock::Clock;
use crate::dependence::dependent;
use crate::event::Step;

/// A step to be taken, and what is to follow.
#[derive(Debug)]
pub struct Branch {
    pub step: Arc<Step>,
    pub then: Vec<Branch>,
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
    fn line(steps: Vec<Arc<Step>>) -> Option<Branch> {
        steps
            .into_iter()
            .rev()
            .fold(None, |then, step| Some(Branch { step, then: then.into_iter().collect() }))
    }
}

/// Where in a sequence a step is, if it could as well come first; `Some(None)` if it is not in the
/// sequence, independent of all of it, and possible after it as `fits` says: two receives may
/// choose what excludes each other though they are independent. These are the *weak initials*
/// (definition 4.4).
pub fn initial<'a>(
    step: &Step,
    sequence: impl Iterator<Item = &'a Step>,
    fits: &dyn Fn(&Step) -> bool,
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

/// A step of a sequence.
pub struct Item<'a> {
    pub step: Arc<Step>,
    /// What happened before it, with itself. Not known of the last one, and where all of a sequence
    /// is to be explored as it is.
    pub clock: Option<&'a Clock>,
}

/// A sequence that is to be explored from a state: what a race asks for.
pub struct Sequence<'a> {
    pub items: Vec<Item<'a>>,
    /// What the last of its steps needs, as a clock: what it depends on, and what that depends on.
    /// Nothing where all of the sequence is to be explored as it is.
    needed: Option<Clock>,
    /// What will sleep in the state.
    asleep: Vec<Arc<Step>>,
    /// Whether a step that is independent of all of the sequence is possible after it.
    fits: &'a dyn Fn(&Step) -> bool,
}

impl<'a> Sequence<'a> {
    /// One of which all is explored, as it is.
    pub fn whole(steps: Vec<Arc<Step>>, fits: &'a dyn Fn(&Step) -> bool) -> Sequence<'a> {
        let items = steps.into_iter().map(|step| Item { step, clock: None }).collect();
        Sequence { items, needed: None, asleep: Vec::new(), fits }
    }

    /// One that ends with a step which happens after `before`, in a state in which this sleeps.
    pub fn to(
        last: Arc<Step>,
        before: Clock,
        mut items: Vec<Item<'a>>,
        asleep: Vec<Arc<Step>>,
        fits: &'a dyn Fn(&Step) -> bool,
    ) -> Sequence<'a> {
        let mut needed = before;
        for Item { step, clock } in items.iter().rev() {
            if let Some(clock) = clock
                && !needed.has(step.id)
                && dependent(step, &last)
            {
                needed.join(clock);
            }
        }
        needed.set(last.id);
        items.push(Item { step: last, clock: None });
        Sequence { items, needed: Some(needed), asleep, fits }
    }

    /// Where a step is, if it could as well come first.
    fn initial(&self, step: &Step) -> Option<Option<usize>> {
        initial(step, self.items.iter().map(|item| &*item.step), self.fits)
    }

    /// Shortens it to what its last step needs, and what wakes all that sleeps: what else there is
    /// comes in what is explored after that anyway, in every order that it can have.
    fn shorten(&mut self) {
        let Some(mut needed) = self.needed.clone() else { return };
        for asleep in &self.asleep {
            let wakes = |item: &&Item<'_>| dependent(&item.step, asleep);
            if !self.items.iter().filter(|item| needed.has(item.step.id)).any(|item| wakes(&item))
                && let Some(Item { clock: Some(clock), .. }) = self.items.iter().find(wakes)
            {
                needed.join(clock);
            }
        }
        self.items.retain(|item| needed.has(item.step.id));
    }

    /// Adds it to a tree, unless what is there covers it (definition 6.3). The steps that it goes
    /// with though its last one does not need them: where one of these cannot be, or comes after
    /// something that it conflicts with, the sequence is not covered.
    pub fn insert(mut self, children: &mut Vec<Branch>) -> Vec<Arc<Step>> {
        let mut beside: Vec<Arc<Step>> = Vec::new();
        let mut here = children;
        while !self.items.is_empty() {
            let covered = here.iter().enumerate().find_map(|(nth, child)| {
                let place = self.initial(&child.step)?;
                Some((nth, place))
            });
            let Some((nth, place)) = covered else {
                self.asleep.extend(here.iter().map(|child| Arc::clone(&child.step)));
                self.shorten();
                let steps: Vec<Arc<Step>> = self.items.into_iter().map(|item| item.step).collect();
                beside.extend(steps.iter().cloned());
                here.extend(Branch::line(steps));
                break;
            };
            self.asleep.extend(here[..nth].iter().map(|child| Arc::clone(&child.step)));
            let child = &mut here[nth];
            self.asleep.retain(|asleep| !dependent(asleep, &child.step));
            beside.push(Arc::clone(&child.step));
            if let Some(place) = place {
                self.items.remove(place);
            }
            if child.then.is_empty() {
                break;
            }
            here = &mut child.then;
        }
        beside.retain(|step| !self.needed.as_ref().is_some_and(|needed| needed.has(step.id)));
        beside
    }
}
