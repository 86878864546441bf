//! Both versions side by side: an input is run on each, and what they show is compared.

use ::compare::judge::{self, Manner};
use ::compare::{Label, Point};
use ::inputs::{Input, Reached};

use super::own::Own;
use super::version::{self, Shown, Version};
use super::{Difference, Schedules, Side, schedules};
use crate::inputs::Call;
use crate::inputs::subject::Subject;
use crate::{Control, Delivery, Error};

/// What became of an input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Same,
    Different,
    Silent,
    Unsettled,
}

/// The same, with the points that it reached.
pub(super) struct Fate {
    pub(super) what: Outcome,
    pub(super) points: Vec<u32>,
    /// Whether a version did more than to give a result: it wrote, sent or made processes.
    pub(super) does_more: bool,
    /// Whether there are other orders of processes, in which it was not looked.
    pub(super) one_order: bool,
}

/// Both versions, ready to be run.
pub(super) struct Pair {
    pub(super) old: Version,
    pub(super) new: Version,
    pub(super) manner: Manner,
    pub(super) schedules: Schedules,
    pub(super) control: Control,
    pub(super) judge: Option<Own>,
    /// Whether some input showed that a version does not end where the other does.
    pub(super) endless: bool,
    pub(super) sampling: Sampling,
}

/// Inputs whose processes can act in several orders, where only some of them are run in all.
#[derive(Default)]
pub(super) struct Sampling {
    /// How many there were.
    seen: u64,
    /// Whether one of them showed a difference: then all of them are looked at, as those that are
    /// made smaller have to be.
    found: bool,
}

impl Sampling {
    /// Whether the next one is run in all orders: the first, the second, the fourth, …
    fn takes(&mut self) -> bool {
        self.seen += 1;
        self.found || self.seen.is_power_of_two()
    }
}

impl Pair {
    pub(super) fn aim(&mut self, old: &Subject, new: &Subject) -> Result<(), Error> {
        self.endless = false;
        self.sampling = Sampling::default();
        self.old.aim(old)?;
        self.new.aim(new)
    }

    /// Runs an input on both.
    pub(super) fn run(&mut self, input: &Input) -> Result<(Reached, Fate), Error> {
        let (old, new) = self.both(input)?;
        let manner = manner_of(self.manner, &old, &new);
        let mut reached = Reached::default();
        for (which, shown) in [(0, &old), (1, &new)] {
            reached.goals.extend(shown.goals.iter().map(|goal| goal * 2 + which));
            reached.hints.extend(shown.hints.iter().map(|hint| hint * 2 + which));
        }
        let mut points = Vec::new();
        for seen in old.observation.seen.iter().chain(&new.observation.seen) {
            if let Point::Asked(number) = seen.point
                && !points.contains(&number)
            {
                points.push(number);
            }
        }
        let does_more = [&old, &new].iter().any(|shown| {
            let seen = &shown.observation;
            seen.spawned || !seen.output.is_empty() || !seen.sent.is_empty()
        });
        if let Schedules::All { .. } = self.schedules
            && (old.observation.spawned || new.observation.spawned)
        {
            let (label, what) = match self.explored(input) {
                Explored { only: Some((label, _)), .. } => (Some(label), Outcome::Different),
                Explored { complete: true, .. } => (None, Outcome::Same),
                Explored { .. } => (None, Outcome::Silent),
            };
            reached.failure = label.map(|label| format!("{} {:?}", label.name(), Point::End));
            return Ok((reached, Fate { what, points, does_more, one_order: false }));
        }
        if let Schedules::Matched { orders } = self.schedules
            && (old.observation.spawned || new.observation.spawned)
        {
            let what = match self.matched(input, orders)? {
                None => Outcome::Same,
                Some(_) if self.is_by_chance(input, [&old, &new], manner)? => Outcome::Unsettled,
                Some((_, found)) => {
                    reached.failure = Some(format!("{} {:?}", found.label.name(), found.point));
                    Outcome::Different
                }
            };
            return Ok((reached, Fate { what, points, does_more, one_order: false }));
        }
        let silent = judge::says_nothing(&old.observation, &new.observation, manner)
            || (manner.only_points && points.is_empty());
        let found = self.judged(&old, &new, manner)?;
        let mut what = match found {
            _ if silent => Outcome::Silent,
            None => Outcome::Same,
            Some(_) if !self.lasts(input, &old, &new, manner)? => Outcome::Unsettled,
            Some(found) => {
                reached.failure = Some(format!("{} {:?}", found.label.name(), found.point));
                Outcome::Different
            }
        };
        let mut one_order = old.observation.spawned || new.observation.spawned;
        if one_order
            && matches!(what, Outcome::Same | Outcome::Unsettled)
            && let Some(explored) = self.sampled(input, [&old, &new], manner)?
        {
            one_order = !explored.complete;
            if let Some((label, _)) = explored.only.filter(|_| explored.complete) {
                self.sampling.found = true;
                reached.failure = Some(format!("{} {:?}", label.name(), Point::End));
                what = Outcome::Different;
            }
        }
        Ok((reached, Fate { what, points, does_more, one_order }))
    }

    /// What both do with an input in all orders, if this is one of the few that are looked at so
    /// and does the same in the same order.
    fn sampled(
        &mut self,
        input: &Input,
        shown: [&Shown; 2],
        manner: Manner,
    ) -> Result<Option<Explored>, Error> {
        let is_wanted = matches!(self.schedules, Schedules::One) && self.judge.is_none();
        if !is_wanted || !self.sampling.takes() || self.is_by_chance(input, shown, manner)? {
            return Ok(None);
        }
        Ok(Some(self.explored(input)))
    }

    /// What an input shows on both. Where it is known that a version does not end for some inputs,
    /// a small bound will do at first: the input of a difference is run with the whole one again.
    fn both(&mut self, input: &Input) -> Result<(Shown, Shown), Error> {
        if self.endless {
            let (old, new) = (self.old.run_briefly(input)?, self.new.run_briefly(input)?);
            let known = match (old.calls, new.calls) {
                (Some(_), Some(_)) => true,
                (Some(calls), None) | (None, Some(calls)) => calls * WIDE <= version::FEW_STEPS,
                (None, None) => false,
            };
            if known {
                return Ok((old, new));
            }
        }
        let (old, new) = (self.old.run(input)?, self.new.run(input)?);
        self.endless |= manner_of(self.manner, &old, &new).bound_is_wide
            && old.calls.is_some() != new.calls.is_some();
        Ok((old, new))
    }

    /// An input that shows no difference, with what the old version does.
    pub(super) fn kept(
        &mut self,
        call: &Call,
        input: &Input,
    ) -> Result<Option<(String, Side)>, Error> {
        let (_, fate) = self.run(input)?;
        if fate.what != Outcome::Same {
            return Ok(None);
        }
        let shown = self.old.run(input)?;
        Ok(Some((call.text(input), self.old.side(&shown, 0))))
    }

    /// The first difference of two runs.
    fn judged(
        &mut self,
        old: &Shown,
        new: &Shown,
        manner: Manner,
    ) -> Result<Option<judge::Difference>, Error> {
        let (old, new) = (&old.observation, &new.observation);
        let Some(own) = &mut self.judge else { return Ok(judge::compare(old, new, manner)) };
        let found = judge::compare_by(own, old, new, manner);
        match own.wrong.take() {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    /// Whether each version shows the same when it is run later, or in another order: if not, what
    /// differs may do so by chance.
    fn lasts(
        &mut self,
        input: &Input,
        old: &Shown,
        new: &Shown,
        manner: Manner,
    ) -> Result<bool, Error> {
        let differ = |one: &Shown, other: &Shown| {
            judge::compare(&one.observation, &other.observation, manner).is_some()
        };
        for (version, shown) in [(&mut self.old, old), (&mut self.new, new)] {
            // One that did not come to its end may have been cut off early.
            let briefly = self.endless && shown.calls.is_none();
            let others = version.others(input, shown, briefly)?;
            if others.iter().any(|other| differ(shown, other)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first order of several in which the versions differ, where one of them does what the
    /// other does in none of the orders.
    fn matched(
        &mut self,
        input: &Input,
        orders: u64,
    ) -> Result<Option<(u64, judge::Difference)>, Error> {
        let (mut olds, mut news) = (Vec::new(), Vec::new());
        for order in 0..=orders {
            olds.push(self.old.run_in_order(input, order)?);
            news.push(self.new.run_in_order(input, order)?);
        }
        for (order, (old, new)) in olds.iter().zip(&news).enumerate() {
            let manner = manner_of(self.manner, old, new);
            let Some(found) = self.judged(old, new, manner)? else { continue };
            let same = |one: &Shown, other: &Shown| {
                judge::compare(&one.observation, &other.observation, manner).is_none()
            };
            let new_is_known = olds.iter().any(|other| same(other, new));
            let old_is_known = news.iter().any(|other| same(old, other));
            if !new_is_known || !old_is_known {
                return Ok(Some((order as u64, found)));
            }
        }
        Ok(None)
    }

    /// Whether a version does something else when it is run later, in the same order.
    fn is_by_chance(
        &mut self,
        input: &Input,
        [old, new]: [&Shown; 2],
        manner: Manner,
    ) -> Result<bool, Error> {
        for (version, shown) in [(&mut self.old, old), (&mut self.new, new)] {
            let others = version.others(input, shown, false)?;
            let differs = |other: &Shown| {
                judge::compare(&shown.observation, &other.observation, manner).is_some()
            };
            if others.first().is_some_and(differs) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What both versions do with an input under all schedules.
    fn explored(&mut self, input: &Input) -> Explored {
        let (executions, delivery) = match self.schedules {
            Schedules::All { executions, delivery } => (executions, delivery),
            _ if self.manner.only_points => return Explored::default(),
            _ => (FEW_EXECUTIONS, Delivery::Instant),
        };
        let limits = schedules::Limits { executions, events: EVENTS, delivery };
        let old = self.old.explore(input, limits, &self.control);
        let new = self.new.explore(input, limits, &self.control);
        let (Some(old), Some(new)) = (old, new) else { return Explored::default() };
        let new_one = new.only_here(&old).map(|only| (Label::NewBehaviour, only));
        let only = new_one.or_else(|| old.only_here(&new).map(|only| (Label::LostBehaviour, only)));
        let complete = old.complete && new.complete;
        Explored { only, complete, shown: [old.shown(), new.shown()] }
    }

    /// A difference as data, by running its input once more; or the input that it was found with,
    /// if a smaller one shows it only where runs are cut off early.
    pub(super) fn difference(
        &mut self,
        calls: [&Call; 2],
        failure: &::inputs::engine::Failure,
    ) -> Option<Difference> {
        self.shown(calls, failure).or_else(|| {
            let input = failure.found.clone();
            self.shown(calls, &::inputs::engine::Failure { input, ..failure.clone() })
        })
    }

    fn shown(
        &mut self,
        calls: [&Call; 2],
        failure: &::inputs::engine::Failure,
    ) -> Option<Difference> {
        let old = self.old.run_with_stacks(&failure.input).ok()?;
        let new = self.new.run_with_stacks(&failure.input).ok()?;
        let manner = manner_of(self.manner, &old, &new);
        let (label, point, sides, schedule) = match failure.failure.split(' ').next() {
            Some("new_behaviour" | "lost_behaviour") => {
                let mut before = self.old.side(&old, 0);
                let mut after = self.new.side(&new, 0);
                let explored = self.explored(&failure.input);
                let (label, only) = explored.only?;
                [before.behaviours, after.behaviours] = explored.shown;
                (label, Point::End, [before, after], Some(only.schedule))
            }
            _ if matches!(self.schedules, Schedules::Matched { .. })
                && (old.observation.spawned || new.observation.spawned) =>
            {
                let Schedules::Matched { orders } = self.schedules else { return None };
                let (order, found) = self.matched(&failure.input, orders).ok()??;
                let shown = self.old.run_in_order(&failure.input, order).ok()?;
                let before = self.old.side(&shown, found.at);
                let shown = self.new.run_in_order(&failure.input, order).ok()?;
                let after = self.new.side(&shown, found.at);
                let schedule = (order > 0).then(|| format!("order {order}"));
                (found.label, found.point, [before, after], schedule)
            }
            _ => {
                let found = self.judged(&old, &new, manner).ok()??;
                let sides = |place| [self.old.side(&old, place), self.new.side(&new, place)];
                (found.label, found.point, sides(found.at), None)
            }
        };
        let [old, new] = sides;
        Some(Difference {
            label,
            point,
            input: failure.input.clone(),
            old_call: calls[0].text(&failure.input),
            new_call: calls[1].text(&failure.input),
            old,
            new,
            schedule,
            found: failure.found.clone(),
            run: failure.run,
            is_minimal: failure.is_minimal,
        })
    }
}

/// What two versions do with an input under all schedules.
#[derive(Default)]
struct Explored {
    /// What only one of them does.
    only: Option<(Label, schedules::OnlyOne)>,
    complete: bool,
    shown: [Vec<String>; 2],
}

/// Executions of an input where all orders of processes are tried for a few inputs only.
const FEW_EXECUTIONS: u64 = 300;

/// Events of one execution.
const EVENTS: usize = 2_000;

/// A bound is wide where the other version needs only a small part of it.
fn manner_of(manner: Manner, old: &Shown, new: &Shown) -> Manner {
    let few = |shown: &Shown| shown.calls.is_some_and(|calls| calls * WIDE <= version::STEPS);
    Manner { bound_is_wide: few(old) || few(new), ..manner }
}

/// A run that takes so many times as long as that of the other version does not end, it is said.
const WIDE: u64 = 100;
