//! Numbers that make conditions hold, looked for step by step: where nothing else decides a
//! question (products of floats, roundings, sums of many products), a model that is nearly right is
//! changed, one number in it after the other, as long as that brings it nearer (the alternating
//! variable method, B. Korel, *Automated software test data generation*, 1990). How far a model is
//! away is what conditions lack: the distance between numbers that are to be equal, say.

use num_traits::{Signed, ToPrimitive};
use term::{Term, View, arith};

use crate::eval::Evaluator;
use crate::expr::{Comparison, Expr, ExprId, Exprs, VarId};
use crate::meter::Meter;
use crate::model::Model;

/// The most numbers of a model that are changed.
const LEAVES: usize = 24;

/// What looking at a condition costs, in steps.
const COST: u64 = 2;

/// So many decimal places of floats are tried.
const PLACES: i32 = 12;

/// How often it is begun again with other numbers, where it came to a halt.
const RESTARTS: i64 = 6;

struct Climb<'a> {
    exprs: &'a Exprs,
    assertions: &'a [ExprId],
    meter: &'a mut Meter,
    best: Model,
    distance: f64,
}

/// What becomes of a number.
type Change<'a> = dyn FnMut(&Term) -> Option<Term> + 'a;

/// Nothing is left of the budget.
struct Over;

/// A model of all assertions, from one that is near.
pub(super) fn climb(
    exprs: &Exprs,
    assertions: &[ExprId],
    start: &Model,
    meter: &mut Meter,
) -> Option<Model> {
    let mut places: Vec<(VarId, usize)> = Vec::new();
    for var in exprs.vars(assertions) {
        places.extend((0..leaves(&start.get(var))).map(|leaf| (var, leaf)));
    }
    if places.is_empty() || places.len() > LEAVES {
        return None;
    }
    for round in 0..RESTARTS {
        let mut model = start.clone();
        // Other numbers to begin with: a little apart from each other.
        for (at, &(var, leaf)) in places.iter().enumerate().filter(|_| round > 0) {
            let by =
                Term::int((at as i64 + 1) * 7i64.pow(round as u32) % 1009 * (1 - round % 2 * 2));
            let changed = moved(&model.get(var), leaf, &mut |number| arith::add(number, &by).ok());
            model.set(var, changed?);
        }
        let mut climb =
            Climb { exprs, assertions, meter: &mut *meter, best: model, distance: f64::INFINITY };
        match climb.run(&places) {
            Ok(true) => return Some(climb.best),
            Ok(false) => {}
            Err(Over) => return None,
        }
    }
    None
}

impl Climb<'_> {
    fn run(&mut self, places: &[(VarId, usize)]) -> Result<bool, Over> {
        let first = self.best.clone();
        self.is_nearer(first)?;
        while self.distance > 0.0 {
            let before = self.distance;
            for &(var, leaf) in places {
                self.along(var, leaf)?;
                if self.distance == 0.0 {
                    break;
                }
            }
            if self.distance >= before {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Changes one number as long as that helps.
    fn along(&mut self, var: VarId, leaf: usize) -> Result<(), Over> {
        let is_float = number(&self.best.get(var), leaf).is_some_and(|n| n.as_float().is_some());
        let sizes: Vec<Term> = match is_float {
            true => (-2..PLACES).map(|place| Term::float(10f64.powi(-place))).collect(),
            false => (0..5).map(|place| Term::int(10i64.pow(place))).collect(),
        };
        for size in sizes {
            for sign in [1, -1] {
                let Ok(unit) = arith::mul(&size, &Term::int(sign)) else { continue };
                while self.distance > 0.0 && self.stride(var, leaf, &unit)? {}
            }
        }
        Ok(())
    }

    /// The first of a few steps that helps (the next ones may change nothing), and then steps that
    /// grow as long as they help.
    fn stride(&mut self, var: VarId, leaf: usize, unit: &Term) -> Result<bool, Over> {
        for times in 1..10 {
            let Ok(mut step) = arith::mul(unit, &Term::int(times)) else { return Ok(false) };
            if !self.step(var, leaf, &step)? {
                continue;
            }
            while let Ok(twice) = arith::add(&step, &step) {
                step = twice;
                if !self.step(var, leaf, &step)? {
                    break;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn step(&mut self, var: VarId, leaf: usize, by: &Term) -> Result<bool, Over> {
        let value = self.best.get(var);
        let Some(value) = moved(&value, leaf, &mut |number| arith::add(number, by).ok()) else {
            return Ok(false);
        };
        let mut model = self.best.clone();
        model.set(var, value);
        self.is_nearer(model)
    }

    /// Takes a model if it is nearer than the best so far.
    fn is_nearer(&mut self, model: Model) -> Result<bool, Over> {
        if !self.meter.take(COST * self.assertions.len() as u64) {
            return Err(Over);
        }
        let mut evaluator = Evaluator::new(self.exprs, &model);
        let distance: f64 =
            self.assertions.iter().map(|&id| lacks(self.exprs, &mut evaluator, id, true)).sum();
        let is_nearer = distance < self.distance;
        if is_nearer {
            (self.best, self.distance) = (model, distance);
        }
        Ok(is_nearer)
    }
}

/// How far a condition is from holding, or not holding: 0 if it does, below 1 else, or more where
/// several conditions are to hold.
fn lacks(exprs: &Exprs, evaluator: &mut Evaluator<'_>, id: ExprId, wanted: bool) -> f64 {
    if evaluator.holds(id) == wanted {
        return 0.0;
    }
    let mut deep = |id: ExprId, wanted: bool| {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || lacks(exprs, evaluator, id, wanted))
    };
    let (all, any) = match exprs.get(id) {
        Expr::Not(inner) | Expr::Holds(inner) => {
            let is_not = matches!(exprs.get(id), Expr::Not(_));
            return deep(*inner, wanted != is_not).max(f64::MIN_POSITIVE);
        }
        Expr::And(parts) if wanted => (Some(parts), None),
        Expr::Or(parts) if !wanted => (Some(parts), None),
        Expr::And(parts) | Expr::Or(parts) => (None, Some(parts)),
        _ => (None, None),
    };
    if let Some(parts) = all {
        return parts.iter().map(|&part| deep(part, wanted)).sum::<f64>().max(f64::MIN_POSITIVE);
    }
    if let Some(parts) = any {
        return parts.iter().map(|&part| deep(part, wanted)).fold(1.0, f64::min);
    }
    let Expr::Compare(op, a, b) = exprs.get(id) else { return 1.0 };
    let (Some(a), Some(b)) = (evaluator.value(*a), evaluator.value(*b)) else { return 2.0 };
    let far = match (op, wanted) {
        (Comparison::Exact | Comparison::Equal, true) => apart(&a, &b),
        (Comparison::Less, true) | (Comparison::LessEq, false) => apart(&a, &b) + 1.0,
        (Comparison::Less, false) | (Comparison::LessEq, true) => apart(&a, &b),
        _ => 0.0,
    };
    (far / (far + 1.0)).clamp(1e-12, 1.0 - 1e-12)
}

/// How far two values are apart.
fn apart(a: &Term, b: &Term) -> f64 {
    if let (Some(x), Some(y)) = (arith::to_bigint(a), arith::to_bigint(b)) {
        return (x - y).abs().to_f64().unwrap_or(f64::MAX).min(1e300);
    }
    if let (Some(x), Some(y)) = (arith::to_f64(a), arith::to_f64(b)) {
        return (x - y).abs().min(1e300);
    }
    let each = |x: &[Term], y: &[Term]| -> f64 {
        let lengths = x.len().abs_diff(y.len()) as f64 * 1000.0;
        x.iter().zip(y).map(|(x, y)| apart(x, y)).sum::<f64>() + lengths
    };
    match (a.as_tuple(), b.as_tuple()) {
        (Some(x), Some(y)) => return each(x, y),
        (None, None) => {}
        _ => return 1e6,
    }
    if let (Some(x), Some(y)) = (a.as_bits(), b.as_bits()) {
        let (x, y) = (x.padded_bytes(), y.padded_bytes());
        let lengths = x.len().abs_diff(y.len()) as f64 * 1000.0;
        return x.iter().zip(&y).map(|(x, y)| f64::from(x.abs_diff(*y))).sum::<f64>() + lengths;
    }
    if a.as_cons().is_some() && b.as_cons().is_some() {
        let (x, y): (Vec<Term>, Vec<Term>) =
            (a.elements().cloned().collect(), b.elements().cloned().collect());
        return each(&x, &y);
    }
    1e6
}

/// How many numbers there are in a value, in elements of tuples and lists and bytes of binaries.
fn leaves(value: &Term) -> usize {
    match value.view() {
        View::Tuple(elements) => elements.iter().map(leaves).sum(),
        View::Cons(_) => value.elements().map(leaves).sum(),
        _ if is_number(value) => 1,
        _ => value.as_bits().filter(|_| value.is_binary()).map_or(0, term::Bits::byte_len),
    }
}

fn is_number(value: &Term) -> bool {
    value.is_integer() || value.as_float().is_some()
}

/// One of the numbers in a value.
fn number(value: &Term, leaf: usize) -> Option<Term> {
    let mut found = None;
    moved(value, leaf, &mut |number| {
        found = Some(number.clone());
        Some(number.clone())
    });
    found
}

/// The value with one of its numbers changed.
fn moved(value: &Term, leaf: usize, change: &mut Change<'_>) -> Option<Term> {
    match value.view() {
        View::Tuple(elements) => changed(elements.to_vec(), leaf, change).map(Term::tuple),
        View::Cons(_) => {
            let mut elements = value.elements();
            let all: Vec<Term> = elements.by_ref().cloned().collect();
            let rest = elements.rest().clone();
            changed(all, leaf, change).map(|all| Term::improper(all, rest))
        }
        _ if is_number(value) => change(value),
        _ => {
            let mut bytes = value.as_bits()?.padded_bytes();
            let byte = change(&Term::int(i64::from(*bytes.get(leaf)?)))?.as_int()?;
            *bytes.get_mut(leaf)? = u8::try_from(byte).ok()?;
            Some(Term::binary(bytes))
        }
    }
}

fn changed(mut elements: Vec<Term>, mut leaf: usize, change: &mut Change<'_>) -> Option<Vec<Term>> {
    for element in &mut elements {
        let count = leaves(element);
        if leaf < count {
            *element = moved(element, leaf, change)?;
            return Some(elements);
        }
        leaf -= count;
    }
    None
}
