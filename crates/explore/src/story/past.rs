//! The past of a step: what it comes after in every execution that is equivalent. The relation is that of
//! `dependence.rs`, of steps that were run again.

use machine::step::{Actor, Effect};

use super::Moment;

/// Whether each moment is one of `of` or in the past of one.
pub(super) fn of(moments: &[Moment], of: &[usize]) -> Vec<bool> {
    let mut past = vec![false; moments.len()];
    for &at in of {
        past[at] = true;
    }
    for at in (0..moments.len()).rev() {
        past[at] |= (at + 1..moments.len()).any(|later| past[later] && before(moments, at, later));
    }
    past
}

/// Whether the first of two moments must come first.
fn before(moments: &[Moment], first: usize, second: usize) -> bool {
    let (a, b) = (&moments[first], &moments[second]);
    a.actor == b.actor
        || b.took.is_some_and(|(from, _)| from == first)
        || makes(a, b.actor)
        || a.log.footprint.conflicts(&b.log.footprint)
        || disturbs(a, b.actor)
        || disturbs(b, a.actor)
}

fn makes(moment: &Moment, actor: Actor) -> bool {
    moment.log.effects.iter().any(|effect| match (effect, actor) {
        (Effect::Spawned(pid), Actor::Process(actor)) => *pid == actor,
        (Effect::TimerSet(timer), Actor::Timer(actor)) => *timer == actor,
        _ => false,
    })
}

fn disturbs(moment: &Moment, actor: Actor) -> bool {
    matches!(actor, Actor::Process(pid) if moment.log.footprint.disturbs(pid))
}
