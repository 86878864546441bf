//! Linear constraints over integers without bound.
//!
//! Equations are eliminated by substitution (coefficients are made smaller as Euclid does until
//! one is a unit), inequalities by Fourier and Motzkin's method made exact for integers: W. Pugh,
//! *The Omega test* (1991): where a combination is not exact, the dark shadow, then the
//! splinters. Values are chosen on the way back, each as near to zero as the others allow;
//! disequalities are minded then, and split only where no choice avoids one.
//!
//! Complete: with enough steps every question is decided.

mod int;
mod omega;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::meter::Meter;

pub(crate) use omega::Rel;
use omega::{Omega, Row, Stop};

/// `Σ coefficient · variable + constant REL 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Constraint {
    /// Variables ascending, without zeros.
    pub(crate) terms: Vec<(u32, BigInt)>,
    pub(crate) constant: BigInt,
    pub(crate) rel: Rel,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Values for the variables of the constraints.
    Sat(FxHashMap<u32, BigInt>),
    Unsat,
    /// The steps were used up.
    Unknown,
}

/// Decides a conjunction. `meter` counts.
pub(crate) fn solve(constraints: &[Constraint], meter: &mut Meter) -> Outcome {
    // Dense numbers for the variables, in the order of the sparse ones.
    let mut vars: Vec<u32> =
        constraints.iter().flat_map(|c| c.terms.iter().map(|(var, _)| *var)).collect();
    vars.sort_unstable();
    vars.dedup();
    match attempt::<i128>(constraints, &vars, meter) {
        Err(Stop::Overflow) => match attempt::<BigInt>(constraints, &vars, meter) {
            Ok(outcome) => outcome,
            Err(_) => Outcome::Unknown,
        },
        Err(Stop::Steps) => Outcome::Unknown,
        Ok(outcome) => outcome,
    }
}

fn attempt<I: int::Int>(
    constraints: &[Constraint],
    vars: &[u32],
    meter: &mut Meter,
) -> Result<Outcome, Stop> {
    let mut rows = Vec::with_capacity(constraints.len());
    for constraint in constraints {
        let dense = |var: &u32| vars.binary_search(var).unwrap_or_default() as u32;
        let terms = constraint
            .terms
            .iter()
            .map(|(var, factor)| Some((dense(var), I::from_big(factor)?)))
            .collect::<Option<Vec<_>>>();
        let constant = I::from_big(&constraint.constant);
        let (Some(terms), Some(constant)) = (terms, constant) else { return Err(Stop::Overflow) };
        rows.push(Row { terms, constant, rel: constraint.rel });
    }
    let mut omega = Omega { meter, vars: vars.len() as u32 };
    let values = omega.solve(rows, 0)?;
    Ok(match values {
        None => Outcome::Unsat,
        Some(values) => Outcome::Sat(
            vars.iter()
                .enumerate()
                .map(|(dense, &var)| {
                    let value = values.get(&(dense as u32));
                    (var, value.map_or_else(BigInt::default, int::Int::to_big))
                })
                .collect(),
        ),
    })
}

#[cfg(test)]
mod tests;
