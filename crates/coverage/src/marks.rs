//! From marks to coverage: what was reached, how guards were evaluated, which definitions uses had.
//!
//! The conditions of a guard are evaluated one after another with nothing in between, by one
//! process and in one go; so one evaluation is gathered at a time, and it is over when anything
//! else happens. It held if that is the beginning of its clause.

use flow::Flow;
use flow::criteria::{ConditionId, Covered, Criteria, Evaluation, Evidence, GuardId, Lookup, Said};
use flow::ids::IdVec;
use follow::{Follower, Stack};
use machine::Pid;
use machine::observe::Mark;

use crate::carried::{OfActivation, define, defined};
use crate::structures::Structures;

/// A guard that is being evaluated.
#[derive(Debug)]
struct Evaluating {
    guard: GuardId,
    last: ConditionId,
    conditions: IdVec<ConditionId, Option<bool>>,
}

#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) criteria: Criteria,
    pub(crate) lookup: Lookup,
    pub(crate) covered: Covered,
    pub(crate) structures: Structures,
    evaluating: Option<Evaluating>,
}

pub(crate) fn said(mark: Mark) -> Said {
    match mark {
        Mark::Reached => Said::Reached,
        Mark::Chosen => Said::Chosen,
        Mark::Matched => Said::Matched,
        Mark::True => Said::True,
        Mark::False => Said::False,
    }
}

impl Marks {
    pub(crate) fn new(flow: &Flow) -> Marks {
        let criteria = Criteria::of(flow);
        let lookup = Lookup::of(flow, &criteria);
        let covered = Covered::of(&criteria);
        let structures = Structures::new(flow, &criteria);
        Marks { criteria, lookup, covered, structures, evaluating: None }
    }

    pub(crate) fn mark<F>(
        &mut self,
        flow: &Flow,
        pid: Pid,
        evidence: Evidence,
        stack: &mut Stack<F>,
    ) where
        F: Follower<Activation = OfActivation>,
    {
        *self.covered.said.entry(evidence).or_default() += 1;
        self.guard(evidence);
        for pair in self.structures.fits(pid, evidence) {
            *self.covered.structures.entry(pair).or_default() += 1;
        }
        if let Some(definitions) = self.lookup.definitions.get(&evidence) {
            for definition in definitions {
                for &using in self.lookup.joined.get(definition).map_or(&[][..], Vec::as_slice) {
                    define(stack, using, *definition);
                }
            }
        }
        if let Some(uses) = self.lookup.uses.get(&evidence) {
            for &using in uses {
                let mut reaching = flow.def_uses.direct(using);
                let definition = match (reaching.next(), reaching.next()) {
                    (Some(only), None) => Some(only),
                    (Some(_), Some(_)) => defined(stack, using),
                    _ => None,
                };
                let pair = definition.and_then(|definition| flow.def_uses.pair(definition, using));
                if let Some(pair) = pair {
                    *self.covered.pairs.entry(pair).or_default() += 1;
                }
            }
        }
    }

    /// Gathers the evaluation of a guard.
    fn guard(&mut self, evidence: Evidence) {
        let outcome = match evidence.said {
            Said::True => Some(true),
            Said::False => Some(false),
            _ => None,
        };
        if let Some(outcome) = outcome
            && let Some(&(guard, condition)) = self.lookup.conditions.get(&evidence.site)
        {
            let goes_on = self
                .evaluating
                .as_ref()
                .is_some_and(|now| now.guard == guard && now.last < condition);
            if !goes_on {
                self.end_guard(false);
                let count = self.criteria.guards[guard].conditions.len();
                let conditions = IdVec::filled(None, count);
                self.evaluating = Some(Evaluating { guard, last: condition, conditions });
            }
            if let Some(now) = &mut self.evaluating {
                now.last = condition;
                now.conditions[condition] = Some(outcome);
            }
            return;
        }
        if self.evaluating.is_none() || self.criteria.in_guards.contains(&evidence.site) {
            return;
        }
        let own = self.lookup.guards.get(&evidence.site).copied();
        let holds = evidence.said == Said::Chosen
            && own.is_some()
            && own == self.evaluating.as_ref().map(|now| now.guard);
        self.end_guard(holds);
    }

    /// The guard is evaluated.
    pub(crate) fn end_guard(&mut self, holds: bool) {
        if let Some(Evaluating { guard, conditions, .. }) = self.evaluating.take() {
            self.covered.evaluated(guard, Evaluation { conditions, holds });
        }
    }
}
