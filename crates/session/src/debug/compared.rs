//! Statements of two runs, side by side: one of the program, one of a version that is right.
//!
//! Values are compared by what they mean in their run: processes by how they came to be, funs by
//! where they are written and what they have taken along, references not at all.

use std::cmp::Ordering;

use ::debug::record::{Effect, Outcome, Statement, StatementId, Taken};
use ::debug::{Doing, Run};
use term::{Pid, Term};

use super::Answer;
use super::same::{are_same_but, is_same_but};

/// So many earlier parts of an activation are compared.
const MOST_PARTS: usize = 50;

/// Two runs.
#[derive(Clone, Copy)]
pub(super) struct Sides<'r> {
    pub(super) here: &'r Run,
    pub(super) there: &'r Run,
    /// Processes have the same numbers in both.
    pub(super) has_same_numbers: bool,
}

impl Sides<'_> {
    pub(super) fn same_pid(&self, a: Pid, b: Pid) -> bool {
        match self.has_same_numbers {
            true => a == b,
            false => self.here.processes.is_same(a, &self.there.processes, b),
        }
    }

    pub(super) fn is_same(&self, a: &Term, b: &Term) -> bool {
        is_same_but(a, b, &|a, b| self.same_pid(a, b))
    }

    fn are_same(&self, a: &[Term], b: &[Term]) -> bool {
        are_same_but(a, b, &|a, b| self.same_pid(a, b))
    }

    /// What is to be said of a statement of which it is known what it should have been.
    pub(super) fn compare(&self, a: StatementId, b: StatementId) -> Answer {
        let (here, there) = (self.here, self.there);
        let (Some(x), Some(y)) = (here.get(a), there.get(b)) else { return Answer::DontKnow };
        let (mine, theirs) = (here.doings(a), there.doings(b));
        for (mine, theirs) in mine.iter().zip(&theirs) {
            let is_same = match (mine, theirs) {
                (Doing::Effect(e), Doing::Effect(f)) => {
                    let is_same = e.function == f.function && self.are_same(&e.args, &f.args);
                    let (x, y) = (std::slice::from_ref(&e.result), std::slice::from_ref(&f.result));
                    if is_same && !self.same_results(x, y) {
                        return Answer::Inadmissible;
                    }
                    is_same
                }
                (Doing::Sent(p), Doing::Sent(q)) => {
                    self.same_pid(p.to, q.to) && self.is_same(&p.message, &q.message)
                }
                (Doing::Spawned(p), Doing::Spawned(q)) => self.are_same(&p.entry, &q.entry),
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
            && self.same_outcome(&x.outcome, &y.outcome)
            && self.waits_alike(a, b);
        if is_right { self.compare_learned(a, b) } else { Answer::Wrong }
    }

    /// What a part of an activation that came to wait knows then is part of what it says: what the
    /// calls gave that returned to it meanwhile. What comes later goes on with that.
    fn compare_learned(&self, a: StatementId, b: StatementId) -> Answer {
        let (Some(x), Some(y)) = (self.here.get(a), self.there.get(b)) else {
            return Answer::DontKnow;
        };
        if !matches!((&x.outcome, &y.outcome), (Outcome::Waited, Outcome::Waited)) {
            return Answer::Right;
        }
        let learned = |run: &Run, id: StatementId| -> Vec<StatementId> {
            let is_over = |id: &StatementId| {
                let outcome = run.get(*id).map(|below| &below.outcome);
                matches!(outcome, Some(Outcome::Value(_) | Outcome::Exception { .. }))
            };
            run.below(id).filter(is_over).collect()
        };
        let (mine, theirs) = (learned(self.here, a), learned(self.there, b));
        if mine.len() != theirs.len() {
            return Answer::Wrong;
        }
        for (mine, theirs) in mine.into_iter().zip(theirs) {
            let (Some(x), Some(y)) = (self.here.get(mine), self.there.get(theirs)) else {
                continue;
            };
            if self.same_outcome(&x.outcome, &y.outcome) {
                continue;
            }
            // One that took other messages has a right to give something else.
            let took_others = x.after.is_some() || y.after.is_some();
            return match took_others && !self.began_alike(mine, theirs) {
                true => Answer::Inadmissible,
                false => Answer::Wrong,
            };
        }
        Answer::Right
    }

    /// Whether two statements that came to wait do so in the same calls.
    fn waits_alike(&self, a: StatementId, b: StatementId) -> bool {
        let (mine, theirs) = (self.here.open_calls(a), self.there.open_calls(b));
        let is_over = |run: &Run, id: StatementId| {
            run.get(id).is_some_and(|one| !matches!(one.outcome, Outcome::Waited))
        };
        let is_same = |(x, y): (&StatementId, &StatementId)| {
            let (Some(x), Some(y)) = (self.here.get(*x), self.there.get(*y)) else { return false };
            x.function == y.function && self.are_same(&x.args, &y.args)
        };
        // One that did not wait, but was stopped, may have been on its way.
        mine.iter().zip(&theirs).all(is_same)
            && (mine.len() == theirs.len() || is_over(self.here, a) || is_over(self.there, b))
    }

    pub(super) fn began_alike(&self, a: StatementId, b: StatementId) -> bool {
        let (Some(x), Some(y)) = (self.here.get(a), self.there.get(b)) else { return false };
        x.function == y.function
            && self.are_same(&x.args, &y.args)
            && self.are_same(&x.captured, &y.captured)
            && match (&x.after, &y.after) {
                (None, None) => true,
                (Some(p), Some(q)) => {
                    self.same_taken(&p.taken, &q.taken) && self.went_alike(p.before, q.before)
                }
                _ => false,
            }
    }

    /// Whether two parts of activations, and those before them, have learned the same.
    fn went_alike(&self, mut a: StatementId, mut b: StatementId) -> bool {
        for _ in 0..MOST_PARTS {
            let (Some(x), Some(y)) = (self.here.get(a), self.there.get(b)) else { return false };
            let mut below = self.here.below(a).filter_map(|id| self.here.get(id));
            let mut there = self.there.below(b).filter_map(|id| self.there.get(id));
            loop {
                match (below.next(), there.next()) {
                    (Some(c), Some(d)) if self.same_call(c, d) => {}
                    (None, None) => break,
                    _ => return false,
                }
            }
            let reads = |effects: &[Effect]| -> Vec<Option<Term>> {
                effects.iter().map(|effect| effect.result.clone()).collect()
            };
            if !self.same_results(&reads(&x.effects), &reads(&y.effects)) {
                return false;
            }
            match (&x.after, &y.after) {
                (None, None) => return true,
                (Some(p), Some(q)) if self.same_taken(&p.taken, &q.taken) => {
                    (a, b) = (p.before, q.before);
                }
                _ => return false,
            }
        }
        true
    }

    fn same_results(&self, a: &[Option<Term>], b: &[Option<Term>]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| match (a, b) {
                (Some(a), Some(b)) => self.is_same(a, b),
                (None, None) => true,
                _ => false,
            })
    }

    fn same_call(&self, a: &Statement, b: &Statement) -> bool {
        a.function == b.function
            && self.are_same(&a.args, &b.args)
            && self.same_outcome(&a.outcome, &b.outcome)
    }

    fn same_taken(&self, a: &Taken, b: &Taken) -> bool {
        match (a, b) {
            (Taken::Message { message: a, .. }, Taken::Message { message: b, .. }) => {
                self.is_same(a, b)
            }
            (Taken::TimeOut { .. }, Taken::TimeOut { .. }) => true,
            _ => false,
        }
    }

    fn same_outcome(&self, a: &Outcome, b: &Outcome) -> bool {
        match (a, b) {
            (Outcome::Value(a), Outcome::Value(b)) => self.is_same(a, b),
            (
                Outcome::Exception { class: a, reason: x },
                Outcome::Exception { class: b, reason: y },
            ) => a == b && self.is_same(x, y),
            // Whether a message came in the end, or a signal, is not its doing.
            (
                Outcome::Waited | Outcome::Unfinished | Outcome::Ended(_),
                Outcome::Waited | Outcome::Unfinished | Outcome::Ended(_),
            ) => true,
            _ => false,
        }
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
