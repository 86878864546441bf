//! The search for values that make conditions hold.
//!
//! A tableau over classes of equal values. A case ([`state::State`]) holds what is known; facts are
//! applied until nothing follows any more (`propagate`, `order`, `numbers`, `maps`, `binaries`),
//! integers are decided (`crate::linear`), alternatives are tried one after the other, depth first.
//! At the end of a case a model is guessed from it (`build`) and evaluated; where it is wrong, the
//! case is told apart further (`refine`). Facts only ever follow from the conditions, and
//! alternatives cover all values, so if every case ends in a contradiction there is no model. A
//! case that was given up is remembered: then the answer is "unknown".

mod assertions;
mod binaries;
mod build;
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

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use build::Builder;
use facts::Action;
pub(crate) use kinds::Kinds;
use state::{Context, State};

use crate::eval::Evaluator;
use crate::expr::{ExprId, Exprs};
use crate::linear::{self, Constraint};
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

/// Looks for a model of all assertions. `steps` counts down.
pub(crate) fn search(
    exprs: &Exprs,
    hints: &Hints,
    assertions: &[ExprId],
    steps: &mut u64,
) -> Found {
    let mut last = Found::Steps;
    // Some are kept for samples.
    let reserve = *steps / 8;
    *steps -= reserve;
    // Shallow cases first: a case that can be told apart without end must not eat up everything.
    for (depth, share) in DEPTHS {
        let allowed = *steps / share;
        let mut cx = Context {
            exprs,
            hints,
            steps: allowed,
            incomplete: false,
            guesses: 0,
            depth,
            cut: false,
        };
        last = run(&mut cx, assertions);
        *steps -= allowed - cx.steps;
        match last {
            Found::Sat(_) | Found::Unsat => {
                *steps += reserve;
                return last;
            }
            Found::Incomplete if !cx.cut => break,
            _ => {}
        }
    }
    *steps += reserve;
    match sample::sample(exprs, assertions, steps) {
        Some(model) => Found::Sat(model),
        None => last,
    }
}

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
        let ints = match integers(&state, cx) {
            linear::Outcome::Sat(ints) => ints,
            linear::Outcome::Unsat => continue,
            linear::Outcome::Unknown => {
                cx.incomplete = true;
                continue;
            }
        };
        let smallest = (0..state.splits.len()).min_by_key(|&at| state.splits[at].len());
        if let Some(at) = smallest {
            let cases = state.splits.remove(at);
            push(&mut stack, state, &cases);
            continue;
        }
        let mut builder = Builder::new(&state, cx, &ints);
        let model = builder.model();
        let values = builder.values;
        let mut evaluator = Evaluator::new(cx.exprs, &model);
        if assertions.iter().all(|&assertion| evaluator.holds(assertion)) {
            return Found::Sat(model);
        }
        match state.refine(cx, &values) {
            Some(cases) => push(&mut stack, state, &cases),
            None => cx.incomplete = true,
        }
    }
    match (cx.incomplete || cx.cut, cx.steps) {
        (false, _) => Found::Unsat,
        (true, 0) => Found::Steps,
        (true, _) => Found::Incomplete,
    }
}

/// One state for each case; the first is looked at first.
fn push(stack: &mut Vec<State>, mut state: State, cases: &[Vec<Action>]) {
    state.depth += 1;
    for case in cases[1..].iter().rev() {
        let mut next = state.clone();
        next.todo.extend(case.iter().cloned());
        stack.push(next);
    }
    let mut first = state;
    first.todo.extend(cases[0].iter().cloned());
    stack.push(first);
}

/// Values for the integers of a case.
fn integers(state: &State, cx: &mut Context<'_>) -> linear::Outcome {
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
    linear::solve(&constraints, &mut cx.steps)
}
