//! The face of the solver: questions and answers.

use atom::Atom;
use rustc_hash::FxHashMap;

use crate::eval::Evaluator;
use crate::expr::{ExprId, Exprs, VarId};
use crate::meter::{Meter, Stop};
use crate::model::Model;
use crate::search::{Found, search};
use crate::z3::Z3;

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
    /// The other solver could not be asked, or failed: a sentence.
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
    /// Questions for which nothing had to be searched.
    pub reused: u64,
    /// Parts of questions that were searched.
    pub searches: u64,
    /// Models that failed evaluation: defects.
    pub wrong_models: u64,
    /// Questions that went to the other solver, and those that it answered.
    pub external: u64,
    pub external_answers: u64,
    /// Questions over which it failed.
    pub external_failures: u64,
}

/// What was found out about conditions that share variables.
#[derive(Clone, Debug)]
enum Known {
    Sat(Model),
    /// Expressions that exclude each other.
    Unsat(Vec<ExprId>),
    /// With so many steps.
    Unknown(Why, u64),
}

/// A solver that remembers: questions are taken apart into conditions that share variables, and
/// what was found out about such a part is not asked again. So questions with a common prefix cost
/// little more than what is new.
#[derive(Default, Debug)]
pub struct Solver {
    pub hints: Hints,
    /// Says whether what is asked is to be left open.
    pub stop: Stop,
    /// Asked about what stays unknown.
    pub behind: Option<Z3>,
    /// Whether it is asked about everything, in the place of our own.
    pub only_behind: bool,
    /// How the other solver failed first, if it did.
    failure: Option<String>,
    statistics: Statistics,
    /// By their conditions, in order.
    known: FxHashMap<Vec<ExprId>, Known>,
    /// Conditions that exclude each other, in order.
    cores: Vec<Vec<ExprId>>,
    /// The models found last, the newest last.
    recent: Vec<Model>,
}

/// How many models are tried before anything is searched.
const RECENT: usize = 4;

/// How many cores are held against a question before anything is searched.
const CORES: usize = 256;

/// A solver that has failed so often is not asked any more.
const MOST_FAILURES: u64 = 5;

/// Larger conflicts are not made smaller.
const MAX_CORE: usize = 48;

/// The share of the budget that goes into making a conflict smaller, if finding it cost much; else
/// a few times what that did.
const CORE_SHARE: u64 = 4;

impl Solver {
    pub fn new(hints: Hints) -> Solver {
        Solver { hints, ..Solver::default() }
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How the other solver failed first, if it did.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Looks for a model under which all assertions hold. A solver is asked about expressions of
    /// one arena only.
    pub fn solve(&mut self, exprs: &Exprs, assertions: &[ExprId], budget: &Budget) -> Answer {
        self.statistics.queries += 1;
        let mut meter = Meter::new(budget.steps, self.stop.clone());
        let searches = self.statistics.searches;
        let answer = self.answer(exprs, assertions, &mut meter);
        self.statistics.reused += u64::from(searches == self.statistics.searches);
        self.statistics.steps += budget.steps - meter.left;
        match &answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat(_) => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    fn answer(&mut self, exprs: &Exprs, assertions: &[ExprId], meter: &mut Meter) -> Answer {
        let mut model = Model::new();
        let mut unknown = None;
        let mut all: Vec<ExprId> = assertions.to_vec();
        all.sort_unstable();
        all.dedup();
        for part in components(exprs, &all) {
            match self.part(exprs, part, meter) {
                Known::Sat(values) => model.extend(values.iter().map(|(var, v)| (var, v.clone()))),
                Known::Unsat(core) => {
                    let at = |expr: &ExprId| assertions.iter().position(|other| other == expr);
                    let mut core: Vec<usize> = core.iter().filter_map(at).collect();
                    core.sort_unstable();
                    return Answer::Unsat(core);
                }
                Known::Unknown(why, _) => {
                    unknown.get_or_insert(why);
                }
            }
        }
        if let Some(why) = unknown {
            return Answer::Unknown(why);
        }
        let mut evaluator = Evaluator::new(exprs, &model);
        if assertions.iter().all(|&assertion| evaluator.holds(assertion)) {
            Answer::Sat(model)
        } else {
            self.statistics.wrong_models += 1;
            Answer::Unknown(Why::WrongModel)
        }
    }

    /// Conditions, in order, that share variables.
    fn part(&mut self, exprs: &Exprs, part: Vec<ExprId>, meter: &mut Meter) -> Known {
        match self.known.get(&part) {
            Some(Known::Unknown(_, spent)) if *spent < meter.left => {}
            Some(known) => {
                self.statistics.remembered += 1;
                return known.clone();
            }
            None => {}
        }
        let vars = exprs.vars(&part);
        let known = match self.guess(exprs, &part) {
            Some(model) => {
                let only = vars.iter().map(|&var| (var, model.get(var)));
                Known::Sat(only.collect())
            }
            None => match self.cores.iter().rev().find(|core| contains(&part, core)) {
                Some(core) => Known::Unsat(core.clone()),
                None => self.search(exprs, &part, meter),
            },
        };
        if let Known::Sat(model) = &known {
            self.recent.push(model.clone());
            if self.recent.len() > RECENT {
                self.recent.remove(0);
            }
        }
        self.known.insert(part, known.clone());
        known
    }

    /// A model that was found before, or of zeros only, may do.
    fn guess(&self, exprs: &Exprs, part: &[ExprId]) -> Option<Model> {
        let zeros = Model::new();
        let model = self.recent.iter().rev().chain([&zeros]).find(|model| {
            let mut evaluator = Evaluator::new(exprs, model);
            part.iter().all(|&condition| evaluator.holds(condition))
        });
        model.cloned()
    }

    fn search(&mut self, exprs: &Exprs, part: &[ExprId], meter: &mut Meter) -> Known {
        self.statistics.searches += 1;
        let before = meter.left;
        let own = match self.only_behind {
            true => Known::Unknown(Why::Incomplete, before),
            false => self.search_own(exprs, part, meter),
        };
        let (Known::Unknown(..), Some(z3)) = (&own, &mut self.behind) else { return own };
        if self.statistics.external_failures >= MOST_FAILURES {
            return own;
        }
        self.statistics.external += 1;
        let answer = match z3.solve(exprs, part) {
            Answer::Sat(model) => Known::Sat(model),
            Answer::Unsat(_) => Known::Unsat(part.to_vec()),
            Answer::Unknown(why) => {
                if let Why::External(what) = &why {
                    self.statistics.external_failures += 1;
                    self.failure.get_or_insert_with(|| what.clone());
                }
                return Known::Unknown(why, before);
            }
        };
        self.statistics.external_answers += 1;
        answer
    }

    fn search_own(&mut self, exprs: &Exprs, part: &[ExprId], meter: &mut Meter) -> Known {
        let before = meter.left;
        match search(exprs, &self.hints, part, meter) {
            Found::Sat(model) => Known::Sat(model),
            Found::Steps => Known::Unknown(Why::Budget, before),
            Found::Incomplete => Known::Unknown(Why::Incomplete, before),
            Found::Unsat => {
                let spent = before - meter.left;
                let core = self.smaller(exprs, part, spent, meter);
                self.cores.push(core.clone());
                if self.cores.len() > CORES {
                    self.cores.remove(0);
                }
                Known::Unsat(core)
            }
        }
    }

    /// Leaves out what a contradiction does not need, as far as a share of the budget allows.
    fn smaller(
        &self,
        exprs: &Exprs,
        part: &[ExprId],
        spent: u64,
        meter: &mut Meter,
    ) -> Vec<ExprId> {
        if part.len() == 1 || part.len() > MAX_CORE {
            return part.to_vec();
        }
        let mut share = meter.part((meter.left / CORE_SHARE).min(8 * spent + 500));
        let mut contradicts = |conditions: &[ExprId]| {
            let mut trial = share.part(2 * spent + 100);
            let found = search(exprs, &self.hints, conditions, &mut trial);
            share.joined(&trial);
            matches!(found, Found::Unsat)
        };
        let mut core = explain(&mut Vec::new(), false, part, &mut contradicts);
        core.sort_unstable();
        meter.joined(&share);
        core
    }
}

/// Conditions that contradict what is `given`, as few as possible: halves are left out first (U.
/// Junker, *QuickXplain*, 2004). `added`: something was given since the last look.
fn explain(
    given: &mut Vec<ExprId>,
    added: bool,
    conditions: &[ExprId],
    contradicts: &mut impl FnMut(&[ExprId]) -> bool,
) -> Vec<ExprId> {
    if added && contradicts(given) {
        return Vec::new();
    }
    if let [only] = conditions {
        return vec![*only];
    }
    let (first, second) = conditions.split_at(conditions.len() / 2);
    let length = given.len();
    given.extend(first);
    let mut needed = explain(given, true, second, contradicts);
    given.truncate(length);
    given.extend(&needed);
    let more = explain(given, !needed.is_empty(), first, contradicts);
    given.truncate(length);
    needed.extend(more);
    needed
}

/// Whether all of `some` are in `all`; both are in order.
fn contains(all: &[ExprId], some: &[ExprId]) -> bool {
    let mut all = all.iter();
    some.iter().all(|wanted| all.any(|other| other == wanted))
}

/// Groups of conditions that share variables, each in order.
fn components(exprs: &Exprs, assertions: &[ExprId]) -> Vec<Vec<ExprId>> {
    // For each variable, the group that it is in; groups that meet become one.
    let mut group_of: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<ExprId>> = Vec::new();
    let mut vars_of: Vec<Vec<VarId>> = Vec::new();
    for &assertion in assertions {
        let vars = exprs.vars(&[assertion]);
        let mut meets: Vec<usize> =
            vars.iter().filter_map(|var| group_of.get(var).copied()).collect();
        meets.sort_unstable();
        meets.dedup();
        let target = match meets.first() {
            Some(&first) => first,
            None => {
                groups.push(Vec::new());
                vars_of.push(Vec::new());
                groups.len() - 1
            }
        };
        for &other in meets.iter().skip(1) {
            let moved = std::mem::take(&mut groups[other]);
            groups[target].extend(moved);
            let moved = std::mem::take(&mut vars_of[other]);
            for &var in &moved {
                group_of.insert(var, target);
            }
            vars_of[target].extend(moved);
        }
        for var in vars {
            if group_of.insert(var, target) != Some(target) {
                vars_of[target].push(var);
            }
        }
        groups[target].push(assertion);
    }
    groups.retain(|group| !group.is_empty());
    for group in &mut groups {
        group.sort_unstable();
    }
    groups
}

/// One question without a memory.
pub fn solve(exprs: &Exprs, assertions: &[ExprId], budget: &Budget) -> Answer {
    Solver::default().solve(exprs, assertions, budget)
}
