//! From marks to coverage: what was reached, how guards were evaluated, which definitions uses had.
//!
//! The conditions of a guard are evaluated one after another with nothing in between, by one
//! process and in one go; so one evaluation is gathered at a time, and it is over when anything
//! else happens. It held if that is the beginning of its clause.

use flow::Flow;
use flow::criteria::{Covered, Criteria, Evaluation, Evidence, Lookup, Said};
use follow::{Follower, Stack};
use machine::Pid;
use machine::observe::Mark;

use crate::carried::{OfActivation, define, defined};
use crate::structures::Structures;

/// A guard that is being evaluated.
#[derive(Debug)]
struct Evaluating {
    guard: u32,
    last: u32,
    conditions: Vec<Option<bool>>,
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
                let pair = definition.and_then(|definition| {
                    let key = (using, definition);
                    let all = &flow.def_uses.pairs;
                    all.binary_search_by_key(&key, |pair| (pair.using, pair.definition)).ok()
                });
                if let Some(pair) = pair {
                    *self.covered.pairs.entry(pair as u32).or_default() += 1;
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
            && let Some(&(guard, position)) = self.lookup.conditions.get(&evidence.site)
        {
            let goes_on = self
                .evaluating
                .as_ref()
                .is_some_and(|now| now.guard == guard && now.last < position);
            if !goes_on {
                self.end_guard(false);
                let count = self.criteria.guards[guard as usize].conditions.len();
                self.evaluating =
                    Some(Evaluating { guard, last: position, conditions: vec![None; count] });
            }
            if let Some(now) = &mut self.evaluating {
                now.last = position;
                now.conditions[position as usize] = Some(outcome);
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
            self.covered.evaluated(guard as usize, Evaluation { conditions, holds });
        }
    }
}
