//! What an input leads to under all schedules: a set of outcomes, and whether those of two versions
//! are the same set.
//!
//! The call is made by a process that ends with what it returned or raised, on a copy of the node
//! that is driven step by step (crate `explore`, optimal DPOR, with the delivery that is asked
//! for). An outcome is how that process ended, or that it waits for ever, and what the processes
//! outside were sent. If a search did not come to its end, what it lacks is not said to be lost.

use ::compare::same::Names;
use ::explore::{Bounds, Delivery as Travels, Execution, IsOver, Moments, Search};
use machine::{Machine, Pid};
use term::Term;

use crate::run::shown;
use crate::{Control, Delivery};

/// How often a search is begun at most (see `session::explore`).
const MOST_TIMES: usize = 4;

/// How an execution ended.
#[derive(Clone, Debug)]
struct Outcome {
    /// The reason of the process that made the call: `{returned, V}` or `{raised, C, R}`; none if
    /// it did not end.
    end: Option<Term>,
    sent: Vec<Vec<Term>>,
    schedule: String,
}

/// What an input leads to.
#[derive(Clone, Debug)]
pub(super) struct Behaviours {
    outcomes: Vec<Outcome>,
    /// Whether there are no others.
    pub(super) complete: bool,
}

/// An outcome that only one version has.
#[derive(Clone, Debug)]
pub(super) struct OnlyOne {
    pub(super) schedule: String,
}

/// How far executions are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) executions: u64,
    pub(super) events: usize,
    pub(super) delivery: Delivery,
}

/// Explores the call that a process of a Machine, which is driven, is about to make.
pub(super) fn explore(
    machine: &Machine,
    main: Pid,
    outside: &[Pid],
    limits: Limits,
    control: &Control,
) -> Behaviours {
    let over = control.clone();
    let mut bounds = Bounds {
        max_executions: limits.executions,
        max_depth: limits.events,
        delivery: match limits.delivery {
            Delivery::Instant => Travels::Instant,
            Delivery::Any => Travels::Any,
        },
        leave_out_ends: true,
        dictionaries: Moments::Noticed,
        ends: Moments::Noticed,
        forgets_rest: true,
        is_over: IsOver::new(move || over.is_over()),
        ..Bounds::default()
    };
    let mut found = Behaviours { outcomes: Vec::new(), complete: false };
    for _ in 0..MOST_TIMES {
        found.outcomes.clear();
        let mut search = Search::new(machine.clone(), bounds.clone());
        let statistics = search.run(|execution| {
            found.note(execution, main, outside);
            !control.is_over()
        });
        found.complete = statistics.complete && statistics.too_deep == 0;
        if !statistics.again {
            break;
        }
        bounds = bounds.again(statistics);
    }
    found
}

impl Behaviours {
    fn note(&mut self, execution: &Execution<'_>, main: Pid, outside: &[Pid]) {
        let end = execution.ended.iter().find(|(pid, _)| *pid == main);
        let sent = outside.iter().map(|pid| {
            let process = execution.machine.process(*pid);
            process.map(|process| process.mailbox.iter().cloned().collect()).unwrap_or_default()
        });
        let mut outcome = Outcome {
            end: end.map(|(_, reason)| reason.clone()),
            sent: sent.collect(),
            schedule: String::new(),
        };
        if !self.outcomes.iter().any(|known| known.is(&outcome)) {
            outcome.schedule = execution.schedule().to_text();
            self.outcomes.push(outcome);
        }
    }

    /// The first outcome that the other version has not, if that can be said.
    pub(super) fn only_here(&self, other: &Behaviours) -> Option<OnlyOne> {
        if !other.complete {
            return None;
        }
        let mut outcomes = self.outcomes.iter();
        let only =
            outcomes.find(|outcome| !other.outcomes.iter().any(|known| known.is(outcome)))?;
        Some(OnlyOne { schedule: only.schedule.clone() })
    }

    pub(super) fn shown(&self) -> Vec<String> {
        self.outcomes.iter().map(Outcome::shown).collect()
    }
}

impl Outcome {
    /// Whether two outcomes are the same up to names.
    fn is(&self, other: &Outcome) -> bool {
        let mut names = Names::default();
        let ends = match (&self.end, &other.end) {
            (Some(one), Some(other)) => names.same(one, other),
            (None, None) => true,
            _ => false,
        };
        ends && self.sent.len() == other.sent.len()
            && self.sent.iter().zip(&other.sent).all(|(one, other)| {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| names.same(one, other))
            })
    }

    fn shown(&self) -> String {
        let end = match self.end.as_ref().and_then(Term::as_tuple) {
            Some([_, value]) => format!("returns {}", shown(value)),
            Some([_, class, reason]) => format!("fails with {}: {}", shown(class), shown(reason)),
            _ if self.end.is_some() => "ends".to_owned(),
            _ => "does not end".to_owned(),
        };
        let sent: Vec<String> = self.sent.iter().flatten().map(shown).collect();
        if sent.is_empty() { end } else { format!("{end}, sends {}", sent.join(", ")) }
    }
}
