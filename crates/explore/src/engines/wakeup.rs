//! Wakeup trees: what remains to be explored from a state (Abdulla, Aronis, Jonsson, Sagonas:
//! *Source Sets*, J. ACM 64(4), 2017, section 6; definitions 6.1 and 6.3).
//!
//! A tree is an ordered list of children, each a step with its own subtree. A leaf says that what
//! follows it is explored as the search likes. Steps are those of the execution in which the
//! need for them was found.

use std::sync::Arc;

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
/// sequence but independent of all of it. These are the *weak initials* (definition 4.4).
pub fn initial<'a>(step: &Step, sequence: impl Iterator<Item = &'a Step>) -> Option<Option<usize>> {
    for (at, event) in sequence.enumerate() {
        if event.id.actor == step.id.actor {
            return event.is(step).then_some(Some(at));
        }
        if dependent(event, step) {
            return None;
        }
    }
    Some(None)
}

/// Adds a sequence, unless what is there covers it (definition 6.3).
pub fn insert(children: &mut Vec<Branch>, mut sequence: Vec<Arc<Step>>) {
    let mut here = children;
    while !sequence.is_empty() {
        let covered = here.iter().enumerate().find_map(|(nth, child)| {
            let place = initial(&child.step, sequence.iter().map(|step| &**step))?;
            Some((nth, place))
        });
        let Some((nth, place)) = covered else {
            here.extend(Branch::line(sequence));
            return;
        };
        let child = &mut here[nth];
        if let Some(place) = place {
            sequence.remove(place);
        }
        if child.then.is_empty() {
            return;
        }
        here = &mut child.then;
    }
}
