//! The races of an execution that was run again: pairs of steps of different processes that could
//! have come in the other order, and then something else would have happened.
//!
//! * Two steps conflict (`dependence.rs`), and nothing between them orders them.
//! * Two messages of different senders match a `receive` that takes one of them, and neither is
//!   sent because of the other, nor the second because of the receive.
//!
//! Cost: the square of the number of steps, and for each receive the messages to its process. So
//! they are looked for only where somebody asks.

use machine::footprint::{Access, Object, Topic};
use machine::step::{Actor, Effect, Prober};
use machine::{Machine, Pid, Term};

use super::action::About;
use super::{Moment, Told, past};
use crate::clock::Clock;
use crate::dependence::{causes, conflicting, dependent, in_order_of_pair};
use crate::event::Step;

/// Two steps that could have come in the other order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// Positions in [`super::Story::steps`].
    pub first: usize,
    pub second: usize,
    /// What they are both about.
    pub about: About,
}

impl super::Story {
    /// Adds races. Steps that race with one that is shown are shown, too.
    pub fn add_races(&mut self, races: Vec<Race>) {
        for race in &races {
            let [first, second] = [race.first, race.second].map(|at| &self.steps[at]);
            if first.known && second.known && (first.shown || second.shown) {
                self.steps[race.first].shown = true;
                self.steps[race.second].shown = true;
            }
        }
        self.races = races;
    }
}

impl Told {
    /// The races of the run, which must have been [noted](super::run_for_races); the Machine is
    /// that at its end.
    pub fn races(&self, machine: &mut Machine) -> Vec<Race> {
        let steps = past::steps(&self.moments);
        let mut races = Vec::new();
        let mut clocks: Vec<Clock> = Vec::with_capacity(steps.len());
        for (at, step) in steps.iter().enumerate() {
            let mut clock = Clock::default();
            for (first, earlier) in steps[..at].iter().enumerate().rev() {
                if clock.has(earlier.id) || !dependent(earlier, step) {
                    continue;
                }
                if is_race(earlier, step) {
                    races.push(Race { first, second: at, about: self.contested(earlier, step) });
                }
                clock.join(&clocks[first]);
            }
            clock.set(step.id);
            clocks.push(clock);
        }
        for (receive, prober) in &self.probers {
            races.extend(self.rivals(machine, *receive, prober, &steps, &clocks));
        }
        races.sort_by_key(|race| (race.first, race.second));
        races.dedup();
        races
    }

    /// The messages that could have come before the one that a receive took.
    fn rivals(
        &self,
        machine: &mut Machine,
        receive: usize,
        prober: &Prober,
        steps: &[Step],
        clocks: &[Clock],
    ) -> Vec<Race> {
        let (Actor::Process(pid), Some((sent, _))) =
            (self.moments[receive].actor, self.moments[receive].took)
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (at, moment) in self.moments.iter().enumerate() {
            let is_ordered = clocks[at].has(steps[sent].id)
                || clocks[sent].has(steps[at].id)
                || clocks[at].has(steps[receive].id);
            if is_ordered || self.is_taken_before(at, pid, receive) {
                continue;
            }
            if messages_to(moment, pid).any(|message| machine.would_take(prober, message)) {
                let about = About::FirstMessage(self.cast.name(pid));
                found.push(Race { first: sent.min(at), second: sent.max(at), about });
            }
        }
        found
    }

    /// Whether a message of a moment was taken by an earlier receive of a process.
    fn is_taken_before(&self, sent: usize, pid: Pid, receive: usize) -> bool {
        self.moments[..receive].iter().any(|moment| {
            moment.actor == Actor::Process(pid) && moment.took.is_some_and(|(from, _)| from == sent)
        })
    }

    /// What two steps are both about.
    fn contested(&self, first: &Step, second: &Step) -> About {
        let (first, second) = (&first.footprint().0, &second.footprint().0);
        let conflicts = |a: &&Access| second.iter().any(|b| a.conflicts(*b));
        let objects = first.iter().filter(conflicts).map(|access| access.object);
        // Those of the whole class say less.
        match objects.max_by_key(|object| (object.owner != 0, object.part != 0)) {
            Some(object) => self.object(object),
            None => About::GoingOn,
        }
    }

    fn object(&self, object: Object) -> About {
        let process = || object.owner.checked_sub(1).map(|pid| self.cast.name(Pid(pid)));
        match object.class.topic() {
            Topic::Name => About::Name(object.name().map(|name| name.to_string())),
            Topic::Table => About::Table,
            Topic::Tables => About::Tables,
            Topic::PersistentTerm => About::PersistentTerm,
            Topic::Counter => About::Counter,
            Topic::Life => About::Life(process()),
            Topic::Relations => About::Relations(process()),
            Topic::Monitor => About::Monitor,
            Topic::Alias => About::Alias,
            Topic::Mailbox => About::Mailbox(process()),
            Topic::State => About::State(process()),
            Topic::Timer => About::Timer,
            Topic::Processes => About::Processes,
            Topic::Node => About::Node,
        }
    }
}

/// Whether two steps that depend on each other could have come in the other order.
fn is_race(first: &Step, second: &Step) -> bool {
    first.id.actor != second.id.actor
        && !causes(first, second)
        && conflicting(first, second)
        && !in_order_of_pair(first, second)
}

/// The messages that a moment sent to a process.
fn messages_to(moment: &Moment, pid: Pid) -> impl Iterator<Item = &Term> {
    moment.log.effects.iter().filter_map(move |effect| match effect {
        Effect::Put { to, message } if *to == pid => Some(message),
        _ => None,
    })
}
