//! The past of a step: what it comes after in every execution that is equivalent. The relation is that of
//! `dependence.rs`, of steps of an execution or of such that were run again.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use machine::step::{Actor, Effect};

use super::Moment;
use crate::dependence::dependent;
use crate::event::{Id, MessageId, Step, Take};

/// Whether each step is one of `of` or in the past of one.
pub(crate) fn of(steps: &[impl Borrow<Step>], of: &[usize]) -> Vec<bool> {
    let mut past = vec![false; steps.len()];
    for &at in of {
        past[at] = true;
    }
    for at in (0..steps.len()).rev() {
        past[at] |= (at + 1..steps.len())
            .any(|later| past[later] && dependent(steps[at].borrow(), steps[later].borrow()));
    }
    past
}

/// What decides whether moments depend on each other.
pub(super) fn steps(moments: &[Moment]) -> Vec<Step> {
    // For each actor its number, how many events it had, and what made it.
    let mut actors: BTreeMap<Actor, (u32, u32, Id)> = BTreeMap::new();
    let mut steps: Vec<Step> = Vec::with_capacity(moments.len());
    for moment in moments {
        let number = actors.len() as u32 + 1;
        let (number, seq, made_by) =
            actors.entry(moment.actor).or_insert((number, 0, Id::BEGINNING));
        *seq += 1;
        let (id, made_by) = (Id { actor: *number, seq: *seq }, *made_by);
        let take = match moment.took {
            Some((from, nth)) => {
                Take::Message(MessageId { sent_by: steps[from].id, nth: nth as u32 })
            }
            None => Take::Nothing,
        };
        for effect in &moment.log.effects {
            let made = match effect {
                Effect::Spawned(pid) => Actor::Process(*pid),
                Effect::TimerSet(timer) => Actor::Timer(*timer),
                Effect::SetOff { number, .. } => Actor::Signal(*number),
                _ => continue,
            };
            let number = actors.len() as u32 + 1;
            actors.entry(made).or_insert((number, 0, id));
        }
        steps.push(Step::new(id, moment.actor, take, made_by, moment.log.footprint.clone()));
    }
    steps
}
