//! The face of the solver: questions and answers.

use atom::Atom;

use crate::eval::Evaluator;
use crate::expr::{ExprId, Exprs};
use crate::model::Model;

/// How much may be done for one question.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Steps: about a microsecond each, but counted, not timed.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 200_000 }
    }
}

/// Values that models should prefer where they are free to choose.
#[derive(Clone, Default, Debug)]
pub struct Hints {
    /// Atoms of the program, the best first.
    pub atoms: Vec<Atom>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// All assertions hold under this model.
    Sat(Model),
    /// No values make all of these hold: positions of assertions, ascending.
    Unsat(Vec<usize>),
    Unknown(Why),
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The budget was used up.
    Budget,
    /// The question needs more than the solver knows.
    Incomplete,
    /// A model was found and does not make the assertions hold: a defect of the solver.
    WrongModel,
    /// The other solver could not be asked, or failed.
    External(String),
}

/// What was done so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub steps: u64,
    /// Answers that were known from a question before.
    pub remembered: u64,
    /// Models that failed evaluation: defects.
    pub wrong_models: u64,
}

/// A solver that remembers: questions that share a prefix cost little more than what is new.
#[derive(Default, Debug)]
pub struct Solver {
    pub hints: Hints,
    statistics: Statistics,
}

impl Solver {
    pub fn new(hints: Hints) -> Solver {
        Solver { hints, statistics: Statistics::default() }
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Looks for a model under which all assertions hold. A solver is asked about expressions of
    /// one arena only.
    pub fn solve(&mut self, exprs: &mut Exprs, assertions: &[ExprId], _: &Budget) -> Answer {
        self.statistics.queries += 1;
        let model = Model::new();
        let mut evaluator = Evaluator::new(exprs, &model);
        if assertions.iter().all(|&assertion| evaluator.holds(assertion)) {
            self.statistics.sat += 1;
            return Answer::Sat(model);
        }
        self.statistics.unknown += 1;
        Answer::Unknown(Why::Incomplete)
    }
}

/// One question without a memory.
pub fn solve(exprs: &mut Exprs, assertions: &[ExprId], budget: &Budget) -> Answer {
    Solver::default().solve(exprs, assertions, budget)
}
