//! Which decision is turned next.
//!
//! Every run gives a path. For each of its decisions, and each way that was not taken there, the
//! decisions before it and that way make a question for the solver; a model is an input whose run
//! takes the path up to there and then goes otherwise. Of what was predicted only what comes behind
//! the turned decision is looked into again, so that every path is taken once.
//!
//! What is asked next: ways of the program that no run has taken first, then other ways that none
//! has taken, then the rest; early decisions before late ones.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use atom::Atom;
use inputs::Input;
use rustc_hash::FxHashSet;
use solver::{Answer, Budget, Evaluator, ExprId, Exprs, Hints, Model, Solver, Test, VarId};
use types::Type;

use crate::domains::Domains;
use crate::entry::{Call, input_of};
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
    /// Questions that the solver may leave open before the search ends.
    pub open: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { depth: 100, paths: 10_000, budget: Budget::default(), open: u64::MAX }
    }
}

/// What a search came to.
#[derive(Clone, Default, Debug)]
pub struct Searched {
    /// Different paths that were taken.
    pub paths: u64,
    pub runs: u64,
    /// Questions to the solver, and those that it did not answer.
    pub queries: u64,
    pub unknown: u64,
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
    /// Models that are no inputs.
    pub no_inputs: u64,
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
    path: Rc<[Decision]>,
    at: usize,
    way: usize,
}

/// What is searched: arguments as expressions, and what holds of their unknowns.
pub struct Subject {
    args: Vec<ExprId>,
    preconditions: Vec<ExprId>,
    /// Whether some inputs that the types allow are left out.
    pub leaves_out: bool,
}

impl Subject {
    /// A call whose arguments are of one of these types, which are tuples; of any without types.
    pub fn of(exprs: &mut Exprs, call: &Call, types: &[Type]) -> Subject {
        let args = call.exprs(exprs);
        let mut domains = Domains::default();
        let mut clauses = Vec::new();
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
            clauses.push(exprs.and(&all));
        }
        let preconditions = match clauses.is_empty() {
            true => Vec::new(),
            false => vec![exprs.or(&clauses)],
        };
        Subject { args, preconditions, leaves_out: domains.leaves_out }
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
    queue: BinaryHeap<Reverse<(u8, usize, usize)>>,
    covered: FxHashSet<(At, usize)>,
    /// Values that are tried where the solver does not know any.
    guesses: Vec<Model>,
    seen: FxHashSet<Vec<ExprId>>,
    asked: FxHashSet<(u64, usize)>,
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
            covered: FxHashSet::default(),
            guesses: Vec::new(),
            seen: FxHashSet::default(),
            asked: FxHashSet::default(),
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
        let first = self.ask(&self.subject.preconditions.clone());
        let Some(model) = first else {
            return self.found;
        };
        let Some(paths) = self.take(&model, run) else {
            self.found.left = true;
            return self.found;
        };
        paths.into_iter().for_each(|path| self.expand(path, 0));
        while let Some(turn) = self.next() {
            let open = self.found.unknown + self.found.guessed;
            if self.found.runs >= self.options.paths || open >= self.options.open {
                self.found.left = true;
                break;
            }
            if !self.turn(turn, run) {
                self.found.left = true;
                break;
            }
        }
        self.found
    }

    /// The way to be asked about next.
    fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((class, depth, turn))) = self.queue.pop() {
            let now = self.class(turn);
            if now <= class {
                return Some(turn);
            }
            // Another run has taken it.
            self.queue.push(Reverse((now, depth, turn)));
        }
        None
    }

    fn class(&self, turn: usize) -> u8 {
        let turn = &self.turns[turn];
        match turn.path[turn.at].at {
            Some(at) if self.covered.contains(&(at, turn.way)) => 2,
            Some(at) if at.own => 0,
            _ => 1,
        }
    }

    /// Takes a way; false if it is enough.
    fn turn(&mut self, turn: usize, run: &mut Run<'_>) -> bool {
        let Turn { ref path, at, way } = self.turns[turn];
        let path = Rc::clone(path);
        let condition = path[at].ways[way];
        let model = match self.ask_about(&path[..at], condition, true) {
            Some(model) => Some(model),
            // Where unknowns were taken as they are, they may be otherwise as well.
            None if path[..at].iter().any(Decision::is_pinned) => {
                self.ask_about(&path[..at], condition, false)
            }
            None => None,
        };
        let Some(model) = model else { return true };
        let no_inputs = self.found.no_inputs;
        let Some(taken) = self.take(&model, run) else { return false };
        let is_predicted = |taken: &Path| {
            let before = taken.decisions.iter().zip(&path[..at]);
            taken.decisions.len() > at
                && before.into_iter().all(|(a, b)| a.holds() == b.holds())
                && taken.decisions[at].holds() == condition
        };
        let has_pins = path[..at].iter().any(Decision::is_pinned);
        let is_run = no_inputs == self.found.no_inputs;
        if is_run && !has_pins && !taken.iter().any(is_predicted) {
            self.found.departures += 1;
        }
        for taken in taken {
            let from = if is_predicted(&taken) { at + 1 } else { 0 };
            self.expand(taken, from);
        }
        true
    }

    fn ask_about(
        &mut self,
        before: &[Decision],
        condition: ExprId,
        with_pins: bool,
    ) -> Option<Model> {
        let mut assertions = self.subject.preconditions.clone();
        let held = before.iter().filter(|decision| with_pins || !decision.is_pinned());
        assertions.extend(held.map(Decision::holds));
        assertions.push(condition);
        self.ask(&assertions)
    }

    fn ask(&mut self, assertions: &[ExprId]) -> Option<Model> {
        self.found.queries += 1;
        let (solver, budget) = (&mut self.solver, &self.options.budget);
        match self.shadow.with(|exprs| solver.solve(exprs, assertions, budget)) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) => {
                self.found.unsat += 1;
                None
            }
            Answer::Unknown(_) => {
                let guess = self.guessed(assertions);
                self.found.guessed += u64::from(guess.is_some());
                self.found.unknown += u64::from(guess.is_none());
                guess
            }
        }
    }

    /// Runs the input of a model.
    fn take(&mut self, model: &Model, run: &mut Run<'_>) -> Option<Vec<Path>> {
        let args = &self.subject.args;
        let input = self.shadow.with(|exprs| arguments(exprs, args, model));
        let Some(input) = input else {
            self.found.no_inputs += 1;
            return Some(Vec::new());
        };
        let paths = run(&input)?;
        self.found.runs += 1;
        Some(paths)
    }

    /// Whether nobody has thought of a way yet. Where processes run in several orders, the same
    /// decisions are met again and again.
    fn is_new(&mut self, before: &[Decision], condition: ExprId) -> bool {
        let mut hasher = rustc_hash::FxHasher::default();
        before.iter().for_each(|decision| decision.holds().hash(&mut hasher));
        condition.hash(&mut hasher);
        self.asked.insert((hasher.finish(), before.len()))
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
        for decision in &path.decisions {
            self.covered.extend(decision.at.map(|at| (at, decision.taken)));
        }
        self.found.too_deep |= path.is_cut || path.decisions.len() > self.options.depth;
        let path: Rc<[Decision]> = path.decisions.into();
        for at in from..path.len().min(self.options.depth) {
            for way in 0..path[at].ways.len() {
                if way == path[at].taken {
                    continue;
                }
                if !self.is_new(&path[..at], path[at].ways[way]) {
                    continue;
                }
                let turn = self.turns.len();
                self.turns.push(Turn { path: Rc::clone(&path), at, way });
                let class = self.class(turn);
                self.queue.push(Reverse((class, at, turn)));
            }
        }
    }
}

/// The arguments that a model gives, if they are data.
fn arguments(exprs: &Exprs, args: &[ExprId], model: &Model) -> Option<Input> {
    let values = args.iter().map(|&arg| input_of(&solver::eval(exprs, model, arg)?));
    Some(Input::Tuple(values.collect::<Option<_>>()?))
}
