//! The run of a reference version, as an oracle for statements about processes.
//!
//! A call with plain data can be made again by itself; what a process does with a message, or a
//! call that knows other processes, cannot. For those the reference version makes the whole run,
//! and a statement is compared with the one that *began* alike: the same function with the same
//! arguments, after the same message, in an activation that had done and learned the same before.
//! What such a statement came to there is right. If none began alike, nothing can be said.
//!
//! What was read from tables and the like is part of how a statement begins, only that it comes
//! later: one that read something else than the reference did is not to blame for what follows.

use std::hash::Hasher as _;

use ::debug::Run;
use ::debug::record::{Outcome, Statement, StatementId, Taken};
use rustc_hash::{FxHashMap, FxHasher};
use term::hash::phash2;

use super::Answer;
use super::compared::Sides;
use super::same::is_data;

/// The statements of a run that is right.
pub(super) struct Matched {
    run: Run,
    /// By a hash of how they began.
    begun: FxHashMap<u64, Vec<StatementId>>,
    /// What a part of an activation was followed by.
    next: FxHashMap<StatementId, StatementId>,
}

impl Matched {
    pub(super) fn new(run: Run) -> Matched {
        let mut begun: FxHashMap<u64, Vec<StatementId>> = FxHashMap::default();
        for (at, statement) in run.statements.iter().enumerate() {
            begun.entry(beginning(statement)).or_default().push(StatementId(at as u32));
        }
        let mut next = FxHashMap::default();
        for (at, statement) in run.statements.iter().enumerate() {
            if let Some(after) = &statement.after {
                next.insert(after.before, StatementId(at as u32));
            }
        }
        Matched { run, begun, next }
    }

    pub(super) fn run(&self) -> &Run {
        &self.run
    }

    fn sides<'r>(&'r self, here: &'r Run) -> Sides<'r> {
        Sides { here, there: &self.run, has_same_numbers: false }
    }

    /// The statements that began as this one did.
    pub(super) fn alike(&self, here: &Run, id: StatementId) -> Vec<StatementId> {
        let Some(statement) = here.get(id) else { return Vec::new() };
        let candidates = self.begun.get(&beginning(statement)).map_or(&[][..], Vec::as_slice);
        let sides = self.sides(here);
        let mut alike: Vec<StatementId> =
            candidates.iter().copied().filter(|&other| sides.began_alike(id, other)).collect();
        let is_here = |other: &StatementId| {
            self.run.get(*other).is_some_and(|other| sides.same_pid(statement.pid, other.pid))
        };
        if alike.iter().any(is_here) {
            alike.retain(is_here);
        } else {
            // What another process does by itself speaks of that one.
            let is_quiet = |run: &Run, id: StatementId| run.doings(id).is_empty();
            alike.retain(|&other| is_quiet(here, id) && is_quiet(&self.run, other));
        }
        alike
    }

    pub(super) fn statement(&self, id: StatementId) -> Option<&Statement> {
        self.run.get(id)
    }

    /// What is to be said of a statement, if that can be told.
    pub(super) fn judge(&self, here: &Run, id: StatementId) -> Option<Answer> {
        if here.does_more(id) {
            return None;
        }
        if self.passes_over(here, id) {
            return Some(Answer::Wrong);
        }
        let alike = self.alike(here, id);
        if alike.is_empty() {
            return self.should_not_take(here, id);
        }
        let answers: Vec<Answer> =
            alike.iter().map(|&other| self.compare(here, id, other)).collect();
        // Of several those count that read the same.
        let told = |answer: &&Answer| !matches!(answer, Answer::Inadmissible | Answer::DontKnow);
        let mut same = answers.iter().filter(told);
        match same.next() {
            Some(&answer) => same.all(|other| *other == answer).then_some(answer),
            None => answers.first().copied(),
        }
    }

    /// The statement that began as this one did and read the same.
    pub(super) fn same_situation(&self, here: &Run, id: StatementId) -> Option<StatementId> {
        let told = |other: &StatementId| {
            !matches!(self.compare(here, id, *other), Answer::Inadmissible | Answer::DontKnow)
        };
        let same: Vec<StatementId> = self.alike(here, id).into_iter().filter(told).collect();
        let (first, others) = same.split_first()?;
        let answer = self.compare(here, id, *first);
        others.iter().all(|&other| self.compare(here, id, other) == answer).then_some(*first)
    }

    fn compare(&self, here: &Run, id: StatementId, other: StatementId) -> Answer {
        match self.sides(here).compare(id, other) {
            Answer::Right if self.should_take(here, id, other) => Answer::Wrong,
            answer => answer,
        }
    }

    /// Whether a message was passed over that the reference takes in the same situation: what a
    /// `receive` takes depends on that and on the messages only.
    fn passes_over(&self, here: &Run, id: StatementId) -> bool {
        let after = here.get(id).and_then(|statement| statement.after.as_ref());
        let Some(after) = after.filter(|after| !after.passed.is_empty()) else { return false };
        let sides = self.sides(here);
        let is_passed = |other: &StatementId| {
            let next = self.next.get(other).and_then(|next| self.run.get(*next)?.after.as_ref());
            match next.map(|after| &after.taken) {
                Some(Taken::Message { message, .. }) => {
                    after.passed.iter().any(|passed| sides.is_same(passed, message))
                }
                _ => false,
            }
        };
        self.alike(here, after.before).iter().any(is_passed)
    }

    /// Whether a message was taken that is left alone by the reference, which waits on.
    fn should_not_take(&self, here: &Run, id: StatementId) -> Option<Answer> {
        let after = here.get(id)?.after.as_ref()?;
        let Taken::Message { message, .. } = &after.taken else { return None };
        let (alike, sides) = (self.alike(here, after.before), self.sides(here));
        let is_ignored = |other: &StatementId| {
            let ignored = self.run.get(*other).map_or(&[][..], |other| &other.ignored);
            ignored.iter().any(|ignored| sides.is_same(ignored, message))
        };
        (!alike.is_empty() && alike.iter().all(is_ignored)).then_some(Answer::Wrong)
    }

    /// Whether a statement waits for ever although the message is there that the reference takes.
    fn should_take(&self, here: &Run, a: StatementId, b: StatementId) -> bool {
        let innermost = |run: &Run, id| run.open_calls(id).last().copied().unwrap_or(id);
        let (a, b) = (innermost(here, a), innermost(&self.run, b));
        let (Some(x), sides) = (here.get(a), self.sides(here)) else { return false };
        let next = self.next.get(&b).and_then(|next| self.run.get(*next)?.after.as_ref());
        match next.map(|after| &after.taken) {
            Some(Taken::Message { message, .. }) => {
                matches!(x.outcome, Outcome::Unfinished)
                    && x.ignored.iter().any(|ignored| sides.is_same(ignored, message))
            }
            _ => false,
        }
    }
}

fn beginning(statement: &Statement) -> u64 {
    let mut hasher = FxHasher::default();
    let (module, name, arity) = statement.function;
    hasher.write(module.as_str().as_bytes());
    hasher.write(name.as_str().as_bytes());
    hasher.write_u32(arity);
    let message = statement.after.as_ref().and_then(|after| match &after.taken {
        Taken::Message { message, .. } => Some(message),
        Taken::TimeOut { .. } => None,
    });
    hasher.write_u8(u8::from(statement.after.is_some()) + u8::from(message.is_some()));
    for term in statement.args.iter().chain(message) {
        hasher.write_u32(if is_data(term) { phash2(term) } else { 0 });
    }
    hasher.finish()
}
