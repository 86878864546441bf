//! The last resort for a question that was not decided: values that stand in it, their neighbours
//! and simple ones, tried out.

use std::collections::BTreeMap;

use term::map::Key;
use term::{Map, Term, arith};

use crate::eval::Evaluator;
use crate::expr::{ExprId, Exprs, VarId, parts};
use crate::meter::Meter;
use crate::model::Model;

/// The most values that are tried for one variable.
const POOL: usize = 40;

/// What it costs to evaluate one condition.
const COST: u64 = 4;

/// Up to so many variables all combinations are tried.
const ALL_COMBINATIONS: usize = 2;

pub(super) fn sample(exprs: &Exprs, assertions: &[ExprId], meter: &mut Meter) -> Option<Model> {
    let (vars, pool) = (exprs.vars(assertions), pool(exprs, assertions));
    let cost = COST * assertions.len() as u64;
    // How many conditions hold, if there are steps for it.
    let mut score = |model: &Model| {
        if !meter.take(cost) {
            return None;
        }
        let mut evaluator = Evaluator::new(exprs, model);
        Some(assertions.iter().filter(|&&assertion| evaluator.holds(assertion)).count())
    };
    let set = |model: &Model, var: VarId, value: &Term| {
        let mut model = model.clone();
        model.set(var, value.clone());
        model
    };
    let mut best = Model::new();
    if vars.len() <= ALL_COMBINATIONS {
        let count = pool.len().pow(vars.len() as u32);
        for code in 0..count {
            let mut rest = code;
            let mut model = Model::new();
            for &var in &vars {
                model.set(var, pool[rest % pool.len()].clone());
                rest /= pool.len();
            }
            if score(&model)? == assertions.len() {
                return Some(model);
            }
        }
        return None;
    }
    // One variable after the other, as long as that makes more conditions hold.
    let mut held = score(&best)?;
    loop {
        let before = held;
        for &var in &vars {
            for value in &pool {
                let model = set(&best, var, value);
                let now = score(&model)?;
                if now > held {
                    (best, held) = (model, now);
                }
                if held == assertions.len() {
                    return Some(best);
                }
            }
        }
        if held == before {
            return None;
        }
    }
}

/// Values worth a try.
fn pool(exprs: &Exprs, assertions: &[ExprId]) -> Vec<Term> {
    let mut constants: BTreeMap<Key, ()> = BTreeMap::new();
    let mut stack = assertions.to_vec();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Some(term) = exprs.as_const(id) {
            constants.insert(Key(term.clone()), ());
        }
        stack.extend(parts(exprs.get(id)));
    }
    let mut pool: Vec<Term> = Vec::new();
    let mut add = |term: Term| {
        if pool.len() < POOL && !pool.iter().any(|other| term::order::exact_eq(other, &term)) {
            pool.push(term);
        }
    };
    for Key(term) in constants.keys().take(POOL / 4) {
        add(term.clone());
        for by in [1, -1] {
            if let Ok(near) = arith::add(term, &Term::int(by)) {
                add(near);
            }
        }
    }
    [0, 1, -1, 2, -2, 3].into_iter().for_each(|value| add(Term::int(value)));
    add(Term::NIL);
    add(Term::list(vec![Term::int(0)]));
    add(Term::atom("a"));
    add(Term::tuple([]));
    add(Term::tuple([Term::int(0)]));
    add(Term::map(Map::new()));
    add(Term::binary(vec![]));
    add(Term::binary(vec![0]));
    [1.0, 0.5, -1.0, 1.0e17].into_iter().for_each(|value| add(Term::float(value)));
    [-3, -6, 4, 8, -8, 16].into_iter().for_each(|value| add(Term::int(value)));
    pool
}
