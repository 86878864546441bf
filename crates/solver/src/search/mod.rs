//! The search for values that make conditions hold.
//!
//! A tableau over classes of equal values. A case ([`state::State`]) holds what is known; facts are
//! applied until nothing follows any more (`propagate`, `order`, `numbers`, `maps`, `binaries`),
//! integers are decided (`crate::linear`; by their bits where sums do not decide, `words`),
//! alternatives are tried one after the other, depth first.
//! At the end of a case a model is guessed from it (`build`) and evaluated; where it is wrong, the
//! case is told apart further (`refine`). Facts only ever follow from the conditions, and
//! alternatives cover all values, so if every case ends in a contradiction there is no model. A
//! case that was given up is remembered: then the answer is "unknown", unless a model is found step
//! by step (`climb`) or by trying simple values (`sample`).

mod assertions;
mod binaries;
mod build;
mod climb;
mod digits;
mod facts;
mod floats;
mod kinds;
mod maps;
mod numbers;
mod order;
mod propagate;
mod refine;
mod sample;
mod settle;
mod splits;
mod state;
mod words;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use build::Builder;
use facts::{Action, Operation};
pub(crate) use kinds::Kinds;
use state::{Context, Node, State};

use crate::eval::Evaluator;
use crate::expr::{ExprId, Exprs};
use crate::linear::{self, Constraint};
use crate::meter::Meter;
use crate::model::Model;
use crate::solve::Hints;

pub(crate) enum Found {
    Sat(Model),
    Unsat,
    /// The steps were used up.
    Steps,
    /// Cases were given up.
    Incomplete,
}

/// Looks for a model of all assertions. `meter` counts.
pub(crate) fn search(
    exprs: &Exprs,
    hints: &Hints,
    assertions: &[ExprId],
    meter: &mut Meter,
) -> Found {
    let mut last = Found::Steps;
    let mut near = None;
    // Some are kept for samples.
    let mut reserve = meter.part(meter.left / 8);
    // Shallow cases first: a case that can be told apart without end must not eat up everything.
    for (depth, share) in DEPTHS {
        let mut cx = Context {
            exprs,
            hints,
            meter: meter.part(meter.left / share),
            incomplete: false,
            guesses: 0,
            depth,
            cut: false,
            starved: false,
            near: near.take(),
        };
        last = run(&mut cx, assertions);
        meter.joined(&cx.meter);
        near = cx.near;
        match last {
            Found::Sat(_) | Found::Unsat => {
                meter.joined(&reserve);
                return last;
            }
            Found::Incomplete if !cx.cut && !cx.starved => break,
            _ => {}
        }
    }
    reserve.joined(meter);
    meter.left = 0;
    let mut part = reserve.part((reserve.left / 2).min(CLIMB));
    let start = near.unwrap_or_default();
    let sample = climb::climb(exprs, assertions, &start, &mut part);
    reserve.joined(&part);
    let sample = sample.or_else(|| sample::sample(exprs, assertions, &mut reserve));
    meter.joined(&reserve);
    match sample {
        Some(model) => Found::Sat(model),
        None => last,
    }
}

/// The most steps that are spent on the bits of one case.
const WORDS: u64 = 50_000;

/// Where the bits of a case decide nothing, those of cases inside of it hardly do before so many
/// more alternatives are chosen. Each time is paid for in clauses, so the others are left to what
/// is told apart further.
const PAUSE: u32 = 4;

/// The most steps that are spent on coming nearer to a model.
const CLIMB: u64 = 20_000;

/// How deep alternatives may nest, and which share of the steps that are left may be spent on it.
const DEPTHS: [(u32, u64); 3] = [(24, 8), (96, 3), (u32::MAX, 1)];

fn run(cx: &mut Context<'_>, assertions: &[ExprId]) -> Found {
    let mut start = State::default();
    start.todo.extend(assertions.iter().map(|&assertion| Action::Assert(assertion, true)));
    let mut stack = vec![start];
    while let Some(mut state) = stack.pop() {
        if cx.step(1 + (state.nodes() + state.linear.len()) / 8).is_err() {
            return Found::Steps;
        }
        if state.depth > cx.depth {
            cx.cut = true;
            continue;
        }
        if state.propagate(cx).is_err() {
            continue;
        }
        let has_words = state.has_words();
        let by_sums = integers(&state, cx, has_words);
        if let linear::Outcome::Unsat = by_sums {
            continue;
        }
        let smallest = (0..state.splits.len()).min_by_key(|&at| state.splits[at].len());
        if let Some(at) = smallest {
            let cases = state.splits.remove(at);
            let left = state.within_bounds(cx, &cases);
            push(&mut stack, state, left.as_deref().unwrap_or(&cases));
            continue;
        }
        let mut values = FxHashMap::default();
        let is_open = matches!(by_sums, linear::Outcome::Unknown);
        if let linear::Outcome::Sat(ints) = by_sums
            && let Some(model) = guess(&state, cx, &ints, assertions, &mut values)
        {
            return Found::Sat(model);
        }
        // Sums do not say it all, or are too many.
        if is_open || (has_words && state.depth >= state.words_from) {
            state.words_from = state.depth + PAUSE;
            let mut part = cx.meter.part((cx.meter.left / 2).min(WORDS));
            let by_bits = state.words(&mut part);
            cx.starved |= part.left == 0;
            cx.meter.joined(&part);
            match by_bits {
                linear::Outcome::Unsat => continue,
                linear::Outcome::Sat(ints) => {
                    if let Some(model) = guess(&state, cx, &ints, assertions, &mut values) {
                        return Found::Sat(model);
                    }
                }
                linear::Outcome::Unknown if is_open => {
                    cx.incomplete = true;
                    continue;
                }
                linear::Outcome::Unknown => {}
            }
        }
        match state.refine(cx, &values) {
            Some(cases) => push(&mut stack, state, &cases),
            None => cx.incomplete = true,
        }
    }
    match (cx.incomplete || cx.cut, cx.meter.left) {
        (false, _) => Found::Unsat,
        (true, 0) => Found::Steps,
        (true, _) => Found::Incomplete,
    }
}

/// One state for each case; the first is looked at first.
fn push(stack: &mut Vec<State>, mut state: State, cases: &[Vec<Action>]) {
    let Some((_, others)) = cases.split_first() else { return };
    state.depth += u32::from(!others.is_empty());
    for case in others.iter().rev() {
        let mut next = state.clone();
        next.todo.extend(case.iter().cloned());
        stack.push(next);
    }
    let mut first = state;
    first.todo.extend(cases[0].iter().cloned());
    stack.push(first);
}

/// A model made from values for the integers of a case, if it is one; else what it was made of.
fn guess(
    state: &State,
    cx: &mut Context<'_>,
    ints: &FxHashMap<u32, BigInt>,
    assertions: &[ExprId],
    values: &mut FxHashMap<Node, term::Term>,
) -> Option<Model> {
    let mut builder = Builder::new(state, cx, ints);
    let model = builder.model();
    let mut evaluator = Evaluator::new(cx.exprs, &model);
    if assertions.iter().all(|&assertion| evaluator.holds(assertion)) {
        return Some(model);
    }
    // What is to come of conversions says what they may be made of.
    for apply in &state.applies {
        if let Operation::Unary(_) = apply.op {
            builder.value(apply.result);
        }
    }
    *values = builder.values;
    cx.near.get_or_insert(model);
    None
}

/// Values for the integers of a case, by sums alone; with little, where there is another way.
fn integers(state: &State, cx: &mut Context<'_>, has_words: bool) -> linear::Outcome {
    let constraints: Vec<Constraint> = state
        .linear
        .iter()
        .map(|fact| {
            let fact = state.simplified(fact);
            let terms: Vec<(u32, BigInt)> =
                fact.terms.into_iter().map(|(node, factor)| (node.0, factor)).collect();
            Constraint { terms, constant: fact.constant, rel: fact.rel }
        })
        .collect();
    if constraints.is_empty() {
        return linear::Outcome::Sat(FxHashMap::default());
    }
    let share = if has_words { 4 } else { 1 };
    let mut part = cx.meter.part(cx.meter.left / share);
    let outcome = linear::solve(&constraints, &mut part);
    cx.meter.joined(&part);
    outcome
}
