//! Which decision is turned next.
//!
//! Every run gives a path. For each of its decisions, and each way that was not taken there, the
//! decisions before it and that way make a question for the solver; a model is an input whose run
//! takes the path up to there and then goes otherwise. Of what was predicted only what comes behind
//! the turned decision is looked into again, so that every path is taken once.
//!
//! What is asked next: ways of the program that no run has taken first, then other ways that none
//! has taken, then the rest, those first that few runs have taken; early decisions before late ones
//! ([`Strategy`]). A question that is not answered within a tenth of what may be spent on it comes
//! again at the end, or soon, if it is about a way of the program that no run has taken. A way that
//! another run has gone by itself is not asked about.
//!
//! A search can be begun with inputs that are known ([`Search::know`]): that is how one goes on
//! that was ended.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use atom::Atom;
use inputs::Input;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Budget, Domain, Evaluator, ExprId, Exprs, Hints, Model, Solver, Test, VarId};
pub use solver::{Stop, Z3};
use types::Type;

use crate::domains::Domains;
use crate::entry::{Call, input_of};
use crate::funs::{self, Funs, Row};
use crate::path::{At, Decision, Loss, Path};
use crate::shadow::Shadow;

/// How far a search goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Decisions behind so many are not turned.
    pub depth: usize,
    /// Runs.
    pub paths: u64,
    /// Of the solver, for one question.
    pub budget: Budget,
    /// Of the solver, for all questions: steps.
    pub steps: u64,
    /// Questions that the solver may leave open before the search ends.
    pub open: u64,
    pub strategy: Strategy,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: 100,
            paths: 10_000,
            budget: Budget::default(),
            steps: u64::MAX,
            open: u64::MAX,
            strategy: Strategy::default(),
        }
    }
}

/// Which way is gone next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// One that no run has gone, then early decisions first.
    #[default]
    Coverage,
    /// Early decisions first.
    Breadth,
    /// Late decisions first.
    Depth,
}

/// Which kind of way comes first, and among those that were taken how often: as a power of two, so
/// that early decisions come first among those that were taken about as often.
type Rank = (u8, u32);

/// So often a question is asked soon that was not answered at once.
const INSISTENCE: u32 = 4;

/// Questions get this part of what may be spent on one, and all of it when they come again.
const QUICK: u64 = 10;

/// What a search came to.
#[derive(Clone, Default, Debug)]
pub struct Searched {
    /// Different paths that were taken.
    pub paths: u64,
    pub runs: u64,
    /// Questions for which the solver had to search, and those that it did not answer.
    pub queries: u64,
    pub unknown: u64,
    /// Questions that were answered by what was found out for others before.
    pub reused: u64,
    /// Questions that went to another solver, and those that it answered; how it failed first.
    pub external: u64,
    pub external_answers: u64,
    pub external_failure: Option<String>,
    pub unsat: u64,
    /// Questions that a guess answered where the solver did not.
    pub guessed: u64,
    /// Runs that did not take the path that was predicted.
    pub departures: u64,
    /// Conditions that were not as the values say: defects, too.
    pub wrong: u64,
    pub losses: BTreeMap<Loss, u64>,
    /// Whether there were decisions behind [`Options::depth`].
    pub too_deep: bool,
    /// Whether there were ways left when [`Options::paths`] had been taken, or whoever runs said
    /// that it is enough.
    pub left: bool,
    /// Whether that was because [`Options::steps`] were used up.
    pub used_up: bool,
    /// Models that are no inputs.
    pub no_inputs: u64,
    /// What the unknowns were in each run, where that is data: a tuple.
    pub inputs: Vec<Input>,
}

impl Searched {
    /// Whether every path was taken.
    pub fn is_complete(&self) -> bool {
        self.unknown == 0
            && self.departures == 0
            && self.wrong == 0
            && self.losses.is_empty()
            && !self.too_deep
            && !self.left
            && self.no_inputs == 0
    }
}

/// A way that was not taken.
struct Turn {
    path: Rc<Taken>,
    at: usize,
    way: usize,
    /// Whether it was asked about before, and not answered.
    again: bool,
}

/// What a solver says.
enum Said {
    Model(Model),
    No,
    /// Nothing.
    Open,
}

/// A path that was taken.
struct Taken {
    decisions: Vec<Decision>,
    rows: Vec<Row>,
}

impl Taken {
    /// What funs gave before a decision.
    fn rows(&self, at: usize) -> &[Row] {
        &self.rows[..self.rows.partition_point(|row| row.at <= at)]
    }
}

/// What is searched: arguments as expressions, and what holds of their unknowns.
pub struct Subject {
    args: Vec<ExprId>,
    preconditions: Vec<ExprId>,
    funs: Funs,
    /// How many variables there are.
    variables: u32,
    /// Whether some inputs that the types allow are left out.
    pub leaves_out: bool,
}

impl Subject {
    /// A call whose arguments are of one of these types, which are tuples; of any without types.
    pub fn of(exprs: &mut Exprs, call: &Call, types: &[Type]) -> Subject {
        let args = call.exprs(exprs);
        let mut domains = Domains::default();
        let mut clauses: Vec<Vec<ExprId>> = Vec::new();
        for ty in types {
            let Some(mut tuples) = ty.parts().tuples.of_size(args.len()) else { continue };
            let Some(types) = tuples.next() else { continue };
            let mut all: Vec<ExprId> = Vec::new();
            for (&arg, ty) in args.iter().zip(types) {
                if !ty.is_any() {
                    let domain = domains.of(exprs, ty);
                    all.push(exprs.test(Test::In(domain), arg));
                }
            }
            clauses.push(all);
        }
        let preconditions = match &mut clauses[..] {
            [] => Vec::new(),
            // What holds of each argument by itself is asked about by itself.
            [only] => std::mem::take(only),
            several => {
                let all: Vec<ExprId> = several.iter().map(|clause| exprs.and(clause)).collect();
                vec![exprs.or(&all)]
            }
        };
        let any = exprs.domain(Domain::Any);
        domains.funs.make_up(any);
        let leaves_out = domains.leaves_out || !funs::are_few(types);
        let variables = call.variables.len() as u32;
        Subject { args, preconditions, funs: domains.funs, variables, leaves_out }
    }

    /// The arguments that are unknown, or have unknowns in them.
    pub fn args(&self, exprs: &Exprs) -> Vec<Option<ExprId>> {
        let unknown = |&arg: &ExprId| exprs.as_const(arg).is_none().then_some(arg);
        self.args.iter().map(unknown).collect()
    }

    /// The list of the arguments, if any of them is unknown.
    pub fn list(&self, exprs: &mut Exprs) -> Option<ExprId> {
        let list = exprs.list(&self.args);
        exprs.as_const(list).is_none().then_some(list)
    }
}

pub struct Search<'a> {
    shadow: &'a Shadow,
    subject: Subject,
    options: Options,
    solver: Solver,
    turns: Vec<Turn>,
    queue: BinaryHeap<Reverse<(Rank, usize, usize)>>,
    /// How many paths went a way.
    covered: FxHashMap<(At, usize), u64>,
    /// How often it was asked with all means about a way that no run has taken.
    insisted: FxHashMap<(At, usize), u32>,
    /// Values that are tried where the solver does not know any.
    guesses: Vec<Model>,
    seen: FxHashSet<Vec<ExprId>>,
    asked: FxHashSet<(u64, usize)>,
    /// Ways that runs have gone.
    gone: FxHashSet<(u64, usize)>,
    known: Vec<Model>,
    found: Searched,
}

/// Runs one input under the shadow: its path, or those that it takes under different schedules; or
/// nothing if it is enough.
pub type Run<'a> = dyn FnMut(&Input) -> Option<Vec<Path>> + 'a;

impl<'a> Search<'a> {
    /// Atoms of the program are tried before others.
    pub fn new(
        shadow: &'a Shadow,
        subject: Subject,
        atoms: Vec<Atom>,
        options: Options,
    ) -> Search<'a> {
        let hints = Hints { atoms };
        Search {
            shadow,
            subject,
            options,
            solver: Solver::new(hints),
            turns: Vec::new(),
            queue: BinaryHeap::new(),
            covered: FxHashMap::default(),
            insisted: FxHashMap::default(),
            guesses: Vec::new(),
            seen: FxHashSet::default(),
            asked: FxHashSet::default(),
            gone: FxHashSet::default(),
            known: Vec::new(),
            found: Searched::default(),
        }
    }

    /// Arguments that are tried where the solver knows none. Only of calls whose arguments are all
    /// unknown.
    pub fn guess(&mut self, inputs: &[Input]) {
        for input in inputs {
            if let Input::Tuple(args) = input
                && !input.is_more_than_data()
            {
                let vars = (0..).map(VarId).zip(args.iter().map(Input::on_paper));
                self.guesses.push(vars.collect());
            }
        }
    }

    /// What unknowns were in runs of a search before: they are run first. Those that are none of
    /// this subject are left out.
    pub fn know(&mut self, inputs: &[Input]) {
        for input in inputs {
            if let Input::Tuple(values) = input
                && values.len() == self.subject.variables as usize
                && !input.is_more_than_data()
            {
                let values = values.iter().map(Input::on_paper);
                self.known.push((0..).map(VarId).zip(values).collect());
            }
        }
    }

    /// Another solver is asked what ours does not answer, or everything.
    pub fn ask_behind(&mut self, other: Z3, everything: bool) {
        self.solver.behind = Some(other);
        self.solver.only_behind = everything;
    }

    /// Who may end the search in the middle of a question.
    pub fn heed(&mut self, stop: Stop) {
        self.solver.stop = stop;
    }

    /// A guess under which all assertions hold.
    fn guessed(&self, assertions: &[ExprId]) -> Option<Model> {
        self.shadow.with(|exprs| {
            let holds = |model: &&Model| {
                let mut evaluator = Evaluator::new(exprs, model);
                assertions.iter().rev().all(|&assertion| evaluator.holds(assertion))
            };
            self.guesses.iter().find(holds).cloned()
        })
    }

    /// Takes one path after the other.
    pub fn run(mut self, run: &mut Run<'_>) -> Searched {
        self.found.left = !self.all(run);
        let statistics = self.solver.statistics();
        self.found.queries = statistics.queries - statistics.reused;
        self.found.reused = statistics.reused;
        self.found.external = statistics.external;
        self.found.external_answers = statistics.external_answers;
        self.found.external_failure = self.solver.failure().map(str::to_owned);
        self.found
    }

    /// Whether nothing is left.
    fn all(&mut self, run: &mut Run<'_>) -> bool {
        self.know_funs();
        if !self.begin(run) {
            return false;
        }
        while let Some(turn) = self.next() {
            let open = self.found.unknown + self.found.guessed;
            self.found.used_up = self.solver.statistics().steps >= self.options.steps;
            if self.solver.stop.is_wanted()
                || self.found.runs >= self.options.paths
                || open >= self.options.open
                || self.found.used_up
                || !self.turn(turn, run)
            {
                return false;
            }
        }
        true
    }

    /// Runs inputs that are known, or the simplest one.
    fn begin(&mut self, run: &mut Run<'_>) -> bool {
        let mut first = std::mem::take(&mut self.known);
        first.retain(|model| self.are_inputs(model));
        if first.is_empty() {
            let preconditions = self.subject.preconditions.clone();
            match self.ask(&preconditions, true) {
                Said::Model(model) => first.push(model),
                Said::No => {}
                Said::Open => self.found.unknown += 1,
            }
        }
        for model in first {
            let Some(paths) = self.take(&model, &[], run) else { return false };
            paths.into_iter().for_each(|path| self.expand(path, 0));
        }
        true
    }

    /// Whether unknowns may be so.
    fn are_inputs(&self, model: &Model) -> bool {
        let preconditions = &self.subject.preconditions;
        self.shadow.with(|exprs| {
            let mut evaluator = Evaluator::new(exprs, model);
            preconditions.iter().all(|&condition| evaluator.holds(condition))
        })
    }

    /// Funs give the simplest value of their type unless it is said otherwise.
    fn know_funs(&mut self) {
        let mut funs = std::mem::take(&mut self.subject.funs);
        let (solver, budget) = (&mut self.solver, &self.options.budget);
        funs.complete(|result| {
            self.shadow.with(|exprs| {
                let unknown = exprs.var(VarId(0));
                let holds = exprs.test(Test::In(result), unknown);
                match solver.solve(exprs, &[holds], budget) {
                    Answer::Sat(model) => Some(model.get(VarId(0))),
                    _ => None,
                }
            })
        });
        self.shadow.know(funs);
    }

    /// The way to be asked about next.
    fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((rank, depth, number))) = self.queue.pop() {
            let turn = &self.turns[number];
            let decision = &turn.path.decisions[turn.at];
            let way = hash_of(&turn.path.decisions[..turn.at], decision.ways[turn.way]);
            if self.gone.contains(&way) {
                continue;
            }
            let now = self.rank(number);
            if now <= rank {
                return Some(number);
            }
            // Another run has taken it.
            self.queue.push(Reverse((now, depth, number)));
        }
        None
    }

    fn rank(&self, turn: usize) -> Rank {
        let turn = &self.turns[turn];
        let at = turn.path.decisions[turn.at].at;
        let way = at.map(|at| (at, turn.way));
        if turn.again {
            let is_wanted = way.is_some_and(|way| {
                way.0.own
                    && !self.covered.contains_key(&way)
                    && self.insisted.get(&way).is_none_or(|&times| times < INSISTENCE)
            });
            return (if is_wanted { 1 } else { 3 }, 0);
        }
        if self.options.strategy != Strategy::Coverage {
            return (0, 0);
        }
        match (way.and_then(|way| self.covered.get(&way)), at) {
            (Some(times), _) => (2, times.ilog2()),
            (None, Some(at)) if at.own => (0, 0),
            _ => (1, 0),
        }
    }

    fn enqueue(&mut self, turn: Turn) {
        let depth = match self.options.strategy {
            Strategy::Depth => usize::MAX - turn.at,
            _ => turn.at,
        };
        let number = self.turns.len();
        self.turns.push(turn);
        self.queue.push(Reverse((self.rank(number), depth, number)));
    }

    /// Takes a way; false if it is enough.
    fn turn(&mut self, turn: usize, run: &mut Run<'_>) -> bool {
        let Turn { ref path, at, way, again } = self.turns[turn];
        let path = Rc::clone(path);
        if let (true, Some(place)) = (again, path.decisions[at].at) {
            *self.insisted.entry((place, way)).or_default() += 1;
        }
        let before = &path.decisions[..at];
        let condition = path.decisions[at].ways[way];
        let has_pins = before.iter().any(Decision::is_pinned);
        let said = match self.ask_about(&path, at, condition, true, again) {
            // Where unknowns were taken as they are, they may be otherwise as well.
            Said::No if has_pins => self.ask_about(&path, at, condition, false, again),
            said => said,
        };
        let model = match said {
            Said::Model(model) => model,
            Said::No => {
                self.found.unsat += 1;
                return true;
            }
            Said::Open if again => {
                self.found.unknown += 1;
                return true;
            }
            Said::Open => {
                self.enqueue(Turn { path, at, way, again: true });
                return true;
            }
        };
        let no_inputs = self.found.no_inputs;
        let Some(taken) = self.take(&model, path.rows(at), run) else { return false };
        let is_predicted = |taken: &Path| {
            taken.decisions.len() > at
                && taken.decisions.iter().zip(before).all(|(a, b)| a.holds() == b.holds())
                && taken.decisions[at].holds() == condition
        };
        // Of processes, the same may be done in another order of what does not matter.
        let has_all = |taken: &Path| {
            let holds: FxHashSet<ExprId> = taken.decisions.iter().map(Decision::holds).collect();
            before.iter().all(|decision| holds.contains(&decision.holds()))
                && holds.contains(&condition)
        };
        let is_any_predicted =
            taken.iter().any(|path| is_predicted(path) || (path.is_of_several && has_all(path)));
        let is_run = no_inputs == self.found.no_inputs;
        let are_all = !taken.iter().any(|path| path.is_one_of_more);
        if is_run && are_all && !has_pins && !is_any_predicted {
            self.found.departures += 1;
        }
        for taken in taken {
            let from = if is_predicted(&taken) { at + 1 } else { 0 };
            self.expand(taken, from);
        }
        true
    }

    /// Asks for an input that goes a path up to a decision, and then so that a condition holds.
    fn ask_about(
        &mut self,
        path: &Taken,
        at: usize,
        condition: ExprId,
        with_pins: bool,
        again: bool,
    ) -> Said {
        let mut assertions = self.subject.preconditions.clone();
        assertions.extend(path.rows(at).iter().map(|row| row.holds));
        let before = path.decisions[..at].iter();
        let held = before.filter(|decision| with_pins || !decision.is_pinned());
        assertions.extend(held.map(Decision::holds));
        assertions.push(condition);
        self.ask(&assertions, again)
    }

    /// Asks, with all that may be spent on a question or with little.
    fn ask(&mut self, assertions: &[ExprId], with_all: bool) -> Said {
        let steps = self.options.budget.steps;
        let budget = Budget { steps: if with_all { steps } else { steps / QUICK } };
        let solver = &mut self.solver;
        match self.shadow.with(|exprs| solver.solve(exprs, assertions, &budget)) {
            Answer::Sat(model) => Said::Model(model),
            Answer::Unsat(_) => Said::No,
            Answer::Unknown(_) => match self.guessed(assertions) {
                Some(model) => {
                    self.found.guessed += 1;
                    Said::Model(model)
                }
                None => Said::Open,
            },
        }
    }

    /// Runs the input of a model, whose funs give what rows say.
    fn take(&mut self, model: &Model, rows: &[Row], run: &mut Run<'_>) -> Option<Vec<Path>> {
        let args = &self.subject.args;
        let input = self.shadow.with_funs(|exprs, funs| {
            let values = args.iter().map(|&arg| {
                let value = solver::eval(exprs, model, arg)?;
                funs.input(exprs, model, rows, &value)
            });
            Some(Input::Tuple(values.collect::<Option<_>>()?))
        });
        self.shadow.assume(model);
        let Some(input) = input else {
            self.found.no_inputs += 1;
            return Some(Vec::new());
        };
        let paths = run(&input)?;
        self.found.runs += 1;
        let values = (0..self.subject.variables).map(|n| input_of(&model.get(VarId(n))));
        self.found.inputs.extend(values.collect::<Option<_>>().map(Input::Tuple));
        Some(paths)
    }

    /// Whether nobody has thought of a way yet. Where processes run in several orders, the same
    /// decisions are met again and again.
    fn is_new(&mut self, before: &[Decision], condition: ExprId) -> bool {
        self.asked.insert(hash_of(before, condition))
    }

    /// The ways that a path did not take, from a decision on.
    fn expand(&mut self, path: Path, from: usize) {
        for (loss, count) in &path.losses {
            *self.found.losses.entry(loss.clone()).or_default() += count;
        }
        self.found.wrong += path.wrong;
        let signature: Vec<ExprId> = path.decisions.iter().map(Decision::holds).collect();
        if !self.seen.insert(signature) {
            return;
        }
        self.found.paths += 1;
        for (at, decision) in path.decisions.iter().enumerate() {
            if let Some(place) = decision.at {
                *self.covered.entry((place, decision.taken)).or_default() += 1;
            }
            if at < self.options.depth {
                self.gone.insert(hash_of(&path.decisions[..at], decision.holds()));
            }
        }
        self.found.too_deep |= path.is_cut || path.decisions.len() > self.options.depth;
        let path = Rc::new(Taken { decisions: path.decisions, rows: path.rows });
        for at in from..path.decisions.len().min(self.options.depth) {
            let decision = &path.decisions[at];
            for way in 0..decision.ways.len() {
                if way == decision.taken {
                    continue;
                }
                if !self.is_new(&path.decisions[..at], decision.ways[way]) {
                    continue;
                }
                self.enqueue(Turn { path: Rc::clone(&path), at, way, again: false });
            }
        }
    }
}

/// What tells a way apart from others.
fn hash_of(before: &[Decision], condition: ExprId) -> (u64, usize) {
    let mut hasher = rustc_hash::FxHasher::default();
    before.iter().for_each(|decision| decision.holds().hash(&mut hasher));
    condition.hash(&mut hasher);
    (hasher.finish(), before.len())
}
