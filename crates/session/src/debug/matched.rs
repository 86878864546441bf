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

use std::cmp::Ordering;
use std::hash::Hasher as _;

use ::debug::record::{Effect, Outcome, Statement, StatementId, Taken};
use ::debug::{Doing, Run};
use rustc_hash::{FxHashMap, FxHasher};
use term::Term;
use term::hash::phash2;

use super::Answer;
use super::same::{are_same, is_data, is_same};

/// The statements of a run that is right.
pub(super) struct Matched {
    run: Run,
    /// By a hash of how they began.
    begun: FxHashMap<u64, Vec<StatementId>>,
    /// What a part of an activation was followed by.
    next: FxHashMap<StatementId, StatementId>,
}

/// So many earlier parts of an activation are compared.
const MOST_PARTS: usize = 50;

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

    /// The statements that began as this one did.
    pub(super) fn alike(&self, here: &Run, id: StatementId) -> Vec<StatementId> {
        let Some(statement) = here.get(id) else { return Vec::new() };
        let candidates = self.begun.get(&beginning(statement)).map_or(&[][..], Vec::as_slice);
        let mut alike: Vec<StatementId> =
            candidates.iter().copied().filter(|&other| self.began_alike(here, id, other)).collect();
        let is_here = |other: &StatementId| {
            self.run.get(*other).is_some_and(|other| other.pid == statement.pid)
        };
        if alike.iter().any(is_here) {
            alike.retain(is_here);
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
        let (first, others) = alike.split_first()?;
        let answer = self.compare(here, id, *first);
        others.iter().all(|&other| self.compare(here, id, other) == answer).then_some(answer)
    }

    /// Whether a message was passed over that the reference takes in the same situation: what a
    /// `receive` takes depends on that and on the messages only.
    fn passes_over(&self, here: &Run, id: StatementId) -> bool {
        let after = here.get(id).and_then(|statement| statement.after.as_ref());
        let Some(after) = after.filter(|after| !after.passed.is_empty()) else { return false };
        let is_passed = |other: &StatementId| {
            let next = self.next.get(other).and_then(|next| self.run.get(*next)?.after.as_ref());
            match next.map(|after| &after.taken) {
                Some(Taken::Message { message, .. }) => {
                    after.passed.iter().any(|passed| is_same(passed, message))
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
        let alike = self.alike(here, after.before);
        let is_ignored = |other: &StatementId| {
            let ignored = self.run.get(*other).map_or(&[][..], |other| &other.ignored);
            ignored.iter().any(|ignored| is_same(ignored, message))
        };
        (!alike.is_empty() && alike.iter().all(is_ignored)).then_some(Answer::Wrong)
    }

    /// Whether a statement waits for ever although the message is there that the reference takes.
    fn should_take(&self, here: &Run, a: StatementId, b: StatementId) -> bool {
        let innermost = |run: &Run, id| run.open_calls(id).last().copied().unwrap_or(id);
        let (a, b) = (innermost(here, a), innermost(&self.run, b));
        let Some(x) = here.get(a) else { return false };
        let next = self.next.get(&b).and_then(|next| self.run.get(*next)?.after.as_ref());
        match next.map(|after| &after.taken) {
            Some(Taken::Message { message, .. }) => {
                matches!(x.outcome, Outcome::Unfinished)
                    && x.ignored.iter().any(|ignored| is_same(ignored, message))
            }
            _ => false,
        }
    }

    /// Whether two statements that came to wait do so in the same calls.
    fn waits_alike(&self, here: &Run, a: StatementId, b: StatementId) -> bool {
        let (mine, theirs) = (here.open_calls(a), self.run.open_calls(b));
        let is_over = |run: &Run, id: StatementId| {
            run.get(id).is_some_and(|one| !matches!(one.outcome, Outcome::Waited))
        };
        let is_same = |(x, y): (&StatementId, &StatementId)| {
            let (Some(x), Some(y)) = (here.get(*x), self.run.get(*y)) else { return false };
            x.function == y.function && are_same(&x.args, &y.args)
        };
        // One that did not wait, but was stopped, may have been on its way.
        mine.iter().zip(&theirs).all(is_same)
            && (mine.len() == theirs.len() || is_over(here, a) || is_over(&self.run, b))
    }

    fn began_alike(&self, here: &Run, a: StatementId, b: StatementId) -> bool {
        let (Some(x), Some(y)) = (here.get(a), self.run.get(b)) else { return false };
        x.function == y.function
            && are_same(&x.args, &y.args)
            && are_same(&x.captured, &y.captured)
            && match (&x.after, &y.after) {
                (None, None) => true,
                (Some(p), Some(q)) => {
                    same_taken(&p.taken, &q.taken) && self.went_alike(here, p.before, q.before)
                }
                _ => false,
            }
    }

    /// Whether two parts of activations, and those before them, have learned the same.
    fn went_alike(&self, here: &Run, mut a: StatementId, mut b: StatementId) -> bool {
        for _ in 0..MOST_PARTS {
            let (Some(x), Some(y)) = (here.get(a), self.run.get(b)) else { return false };
            let mut below = here.below(a).filter_map(|id| here.get(id));
            let mut there = self.run.below(b).filter_map(|id| self.run.get(id));
            loop {
                match (below.next(), there.next()) {
                    (Some(c), Some(d)) if same_call(c, d) => {}
                    (None, None) => break,
                    _ => return false,
                }
            }
            let reads = |effects: &[Effect]| -> Vec<Option<Term>> {
                effects.iter().map(|effect| effect.result.clone()).collect()
            };
            if !same_results(&reads(&x.effects), &reads(&y.effects)) {
                return false;
            }
            match (&x.after, &y.after) {
                (None, None) => return true,
                (Some(p), Some(q)) if same_taken(&p.taken, &q.taken) => {
                    (a, b) = (p.before, q.before);
                }
                _ => return false,
            }
        }
        true
    }

    fn compare(&self, here: &Run, a: StatementId, b: StatementId) -> Answer {
        let (Some(x), Some(y)) = (here.get(a), self.run.get(b)) else { return Answer::DontKnow };
        let (mine, theirs) = (here.doings(a), self.run.doings(b));
        for (mine, theirs) in mine.iter().zip(&theirs) {
            let is_same = match (mine, theirs) {
                (Doing::Effect(e), Doing::Effect(f)) => {
                    let is_same = e.function == f.function && are_same(&e.args, &f.args);
                    let (x, y) = (std::slice::from_ref(&e.result), std::slice::from_ref(&f.result));
                    if is_same && !same_results(x, y) {
                        return Answer::Inadmissible;
                    }
                    is_same
                }
                (Doing::Sent(p), Doing::Sent(q)) => p.to == q.to && is_same(&p.message, &q.message),
                (Doing::Spawned(p), Doing::Spawned(q)) => are_same(&p.entry, &q.entry),
                _ => false,
            };
            if !is_same {
                return Answer::Wrong;
            }
        }
        match (mine.len().cmp(&theirs.len()), &x.outcome, &y.outcome) {
            // What a signal ended, or the end of the run, might have done as much.
            (Ordering::Less, Outcome::Ended(_), _) => return Answer::Inadmissible,
            (Ordering::Less, Outcome::Unfinished, _) if is_cut_off(here, x) => {
                return Answer::DontKnow;
            }
            (Ordering::Greater, _, Outcome::Ended(_)) => return Answer::DontKnow,
            _ => {}
        }
        let is_right = mine.len() == theirs.len()
            && same_outcome(&x.outcome, &y.outcome)
            && self.waits_alike(here, a, b)
            && !self.should_take(here, a, b);
        if is_right { Answer::Right } else { Answer::Wrong }
    }
}

/// Whether a statement was not done because the process that the run was made for was.
fn is_cut_off(run: &Run, statement: &Statement) -> bool {
    let main = run.statements.first().map(|first| first.pid);
    let is_open = |other: &&Statement| {
        Some(other.pid) == main && matches!(other.outcome, Outcome::Unfinished)
    };
    statement.ignored.is_empty() && run.statements.iter().find(is_open).is_none()
}

fn same_results(a: &[Option<Term>], b: &[Option<Term>]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => is_same(a, b),
            (None, None) => true,
            _ => false,
        })
}

fn same_call(a: &Statement, b: &Statement) -> bool {
    a.function == b.function && are_same(&a.args, &b.args) && same_outcome(&a.outcome, &b.outcome)
}

fn same_taken(a: &Taken, b: &Taken) -> bool {
    match (a, b) {
        (Taken::Message { message: a, .. }, Taken::Message { message: b, .. }) => is_same(a, b),
        (Taken::TimeOut { .. }, Taken::TimeOut { .. }) => true,
        _ => false,
    }
}

fn same_outcome(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Value(a), Outcome::Value(b)) => is_same(a, b),
        (
            Outcome::Exception { class: a, reason: x },
            Outcome::Exception { class: b, reason: y },
        ) => a == b && is_same(x, y),
        // Whether a message came in the end, or a signal, is not its doing.
        (
            Outcome::Waited | Outcome::Unfinished | Outcome::Ended(_),
            Outcome::Waited | Outcome::Unfinished | Outcome::Ended(_),
        ) => true,
        _ => false,
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
