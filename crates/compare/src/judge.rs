//! What two observations of one input differ in, if they do.
//!
//! Compared are, in this order, because the first that differs leads to the others: the values at
//! the points that were asked for, how the call ended, what was sent to processes outside, and what
//! was written. Names of processes and references are matched over all of it (`same.rs`).
//!
//! A run that reached a bound says nothing: it may be about to end. Only where the other version
//! ended is that told, as a difference in how the runs end, if whoever asks knows that the bound
//! was wide ([`Manner::bound_is_wide`]).

use std::collections::BTreeMap;

use atom::Atom;
use machine::{Pid, Term};

use crate::same::Names;
use crate::watch::{End, Observation, Point, Seen};

/// What kind of difference it is. Those of traces are named as SecEr names them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Label {
    /// Other values at a point, or of the call.
    DifferentValue,
    FirstTraceLonger,
    SecondTraceLonger,
    FirstTraceEmpty,
    SecondTraceEmpty,
    /// Values at points that do not belong together.
    NoPoiRelation,
    /// Only the old version fails.
    FirstRaises,
    /// Only the new version fails.
    SecondRaises,
    DifferentException,
    /// One ends, the other does not, or in another way.
    DifferentEnd,
    DifferentMessages,
    DifferentOutput,
    /// Under some schedule the new version does what the old one never does.
    NewBehaviour,
    /// Under no schedule the new version does what the old one may do.
    LostBehaviour,
    /// What somebody's own comparison calls it.
    Own(Atom),
}

impl Label {
    pub fn name(self) -> &'static str {
        match self {
            Label::DifferentValue => "different_value",
            Label::FirstTraceLonger => "first_trace_longer",
            Label::SecondTraceLonger => "second_trace_longer",
            Label::FirstTraceEmpty => "first_trace_empty",
            Label::SecondTraceEmpty => "second_trace_empty",
            Label::NoPoiRelation => "no_poi_relation",
            Label::FirstRaises => "first_raises",
            Label::SecondRaises => "second_raises",
            Label::DifferentException => "different_exception",
            Label::DifferentEnd => "different_end",
            Label::DifferentMessages => "different_messages",
            Label::DifferentOutput => "different_output",
            Label::NewBehaviour => "new_behaviour",
            Label::LostBehaviour => "lost_behaviour",
            Label::Own(name) => name.as_str(),
        }
    }
}

/// The first difference of two runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    pub label: Label,
    pub point: Point,
    /// Which value at the points, from 0; or which message.
    pub at: usize,
}

/// How observations are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Only values at points are compared.
    pub only_points: bool,
    /// The points of one number are compared with each other, in whatever order those of several
    /// numbers come; else all values are one sequence.
    pub independent: bool,
    /// A run that reached the bound would not have ended soon after it.
    pub bound_is_wide: bool,
}

/// Whether nothing can be said about an input because of how a run of it ended.
pub fn says_nothing(old: &Observation, new: &Observation, manner: Manner) -> bool {
    let ends = |one: &End, other: &End| match (one, other) {
        (End::Unknown, _) => true,
        (End::Bound, End::Bound) => true,
        (End::Bound, _) => !manner.bound_is_wide,
        _ => false,
    };
    ends(&old.end, &new.end) || ends(&new.end, &old.end)
}

/// Who says whether two values are the same.
pub trait Judge {
    /// What the difference is, if there is one.
    fn judge(&mut self, names: &mut Names, old: &Seen, new: &Seen) -> Option<Label>;

    /// Whether it is asked about the ends of calls, too.
    fn is_of_ends(&self) -> bool {
        false
    }
}

/// Values are the same if they are equal up to names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equality;

impl Judge for Equality {
    fn judge(&mut self, names: &mut Names, old: &Seen, new: &Seen) -> Option<Label> {
        (!names.same(&old.value, &new.value)).then_some(Label::DifferentValue)
    }
}

/// The first difference.
pub fn compare(old: &Observation, new: &Observation, manner: Manner) -> Option<Difference> {
    compare_by(&mut Equality, old, new, manner)
}

/// The first difference that somebody sees.
pub fn compare_by(
    judge: &mut dyn Judge,
    old: &Observation,
    new: &Observation,
    manner: Manner,
) -> Option<Difference> {
    if says_nothing(old, new, manner) {
        return None;
    }
    let mut names = Names::default();
    let points = match manner.independent {
        true => independent(judge, &old.seen, &new.seen, &mut names),
        false => interleaved(judge, &refs(&old.seen), &refs(&new.seen), &mut names),
    };
    if manner.only_points {
        return points;
    }
    if judge.is_of_ends() {
        let (before, after) = (old.end.as_seen(), new.end.as_seen());
        let label = judge.judge(&mut names, &before, &after);
        return points.or_else(|| label.map(|label| at(label, Point::End, 0)));
    }
    points
        .or_else(|| ends(&old.end, &new.end, &mut names))
        .or_else(|| messages(&old.sent, &new.sent, &mut names))
        .or_else(|| {
            let differs = old.output != new.output;
            differs.then(|| at(Label::DifferentOutput, Point::Output, 0))
        })
}

fn refs(seen: &[Seen]) -> Vec<&Seen> {
    seen.iter().collect()
}

fn at(label: Label, point: Point, at: usize) -> Difference {
    Difference { label, point, at }
}

/// One sequence of values.
fn interleaved(
    judge: &mut dyn Judge,
    old: &[&Seen],
    new: &[&Seen],
    names: &mut Names,
) -> Option<Difference> {
    match (old.first(), new.first()) {
        (None, Some(first)) => return Some(at(Label::FirstTraceEmpty, first.point, 0)),
        (Some(first), None) => return Some(at(Label::SecondTraceEmpty, first.point, 0)),
        _ => {}
    }
    for (place, (before, after)) in old.iter().zip(new).enumerate() {
        if before.point != after.point {
            return Some(at(Label::NoPoiRelation, before.point, place));
        }
        if let Some(label) = judge.judge(names, before, after) {
            return Some(at(label, before.point, place));
        }
    }
    let place = old.len().min(new.len());
    if let Some(more) = old.get(place) {
        return Some(at(Label::FirstTraceLonger, more.point, place));
    }
    new.get(place).map(|more| at(Label::SecondTraceLonger, more.point, place))
}

/// A sequence for each number.
fn independent(
    judge: &mut dyn Judge,
    old: &[Seen],
    new: &[Seen],
    names: &mut Names,
) -> Option<Difference> {
    let mut sequences: BTreeMap<Point, (Vec<&Seen>, Vec<&Seen>)> = BTreeMap::new();
    old.iter().for_each(|seen| sequences.entry(seen.point).or_default().0.push(seen));
    new.iter().for_each(|seen| sequences.entry(seen.point).or_default().1.push(seen));
    sequences.values().find_map(|(old, new)| interleaved(judge, old, new, names))
}

fn ends(old: &End, new: &End, names: &mut Names) -> Option<Difference> {
    let label = match (old, new) {
        (End::Returned(a), End::Returned(b)) => {
            (!names.same(a, b)).then_some(Label::DifferentValue)
        }
        (
            End::Raised { class, reason },
            End::Raised { class: other_class, reason: other_reason },
        ) => {
            let same = class == other_class && names.same(reason, other_reason);
            (!same).then_some(Label::DifferentException)
        }
        (End::Ended(a), End::Ended(b)) => (!names.same(a, b)).then_some(Label::DifferentEnd),
        (End::Halted(a), End::Halted(b)) => (a != b).then_some(Label::DifferentEnd),
        (End::Blocked, End::Blocked) => None,
        (End::Raised { .. }, End::Returned(_)) => Some(Label::FirstRaises),
        (End::Returned(_), End::Raised { .. }) => Some(Label::SecondRaises),
        _ => Some(Label::DifferentEnd),
    };
    label.map(|label| at(label, Point::End, 0))
}

/// What each process outside is sent, in order.
fn messages(old: &[(Pid, Term)], new: &[(Pid, Term)], names: &mut Names) -> Option<Difference> {
    let by_receiver = |sent: &[(Pid, Term)]| {
        let mut receivers: Vec<(Pid, Vec<Term>)> = Vec::new();
        for (to, message) in sent {
            match receivers.iter_mut().find(|(known, _)| known == to) {
                Some((_, messages)) => messages.push(message.clone()),
                None => receivers.push((*to, vec![message.clone()])),
            }
        }
        // Those outside were made in the same order for both.
        receivers.sort_by_key(|(to, _)| *to);
        receivers
    };
    let (before, after) = (by_receiver(old), by_receiver(new));
    if before.len() != after.len() {
        return Some(at(Label::DifferentMessages, Point::Messages, 0));
    }
    for ((to, old), (other, new)) in before.iter().zip(&after) {
        let others = !names.same(&Term::from(*to), &Term::from(*other));
        let differs = old.iter().zip(new).position(|(a, b)| !names.same(a, b));
        let place = differs.or((old.len() != new.len()).then_some(old.len().min(new.len())));
        if others || place.is_some() {
            return Some(at(Label::DifferentMessages, Point::Messages, place.unwrap_or(0)));
        }
    }
    None
}
