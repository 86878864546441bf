//! Bounds of floats through operations.
//!
//! Rounding to the nearest float keeps the order: if `x =< y` then the float of `x` is at most that
//! of `y`. So the bounds of a result are the results of the bounds, exactly, and adding what is not
//! negative never makes a float smaller. Results are finite, since operations that overflow have
//! none.

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use term::{Term, arith};

use super::facts::{Action, Side};
use super::kinds::Kinds;
use super::propagate::power;
use super::state::{Conflict, Node, State, Step};
use crate::expr::{Binop, Unary};
use crate::linear::Rel;

/// How often bounds are made narrower by operations: a sum that feeds itself would never end.
const MAX_ROUNDS: u32 = 200;

/// Marks results that were compared with their operands, in `State::said`.
const COMPARED: u32 = u32::MAX - 1;

impl State {
    /// The least and the largest that a number can be as a float.
    fn float_bounds(&self, node: Node) -> (f64, f64) {
        let class = self.class(node);
        match class.value.as_ref().and_then(arith::to_f64) {
            Some(value) => (value, value),
            None if class.kinds == Kinds::FLOAT => class.floats,
            None => (f64::MIN, f64::MAX),
        }
    }

    fn limit_result(&mut self, node: Node, low: f64, high: f64) -> Step {
        if self.kinds(node) != Kinds::FLOAT || self.rounds >= MAX_ROUNDS {
            return Ok(());
        }
        let low = if low.is_nan() { f64::MIN } else { low };
        let high = if high.is_nan() { f64::MAX } else { high };
        let version = self.version;
        self.limit_float(node, low.max(f64::MIN), high.min(f64::MAX))?;
        self.rounds += u32::from(self.version != version);
        Ok(())
    }

    /// `+`, `-`, `*` and `/` where the result is a float.
    pub(super) fn float_ring(&mut self, op: Binop, a: Node, b: Node, result: Node) -> Step {
        let ((la, ha), (lb, hb)) = (self.float_bounds(a), self.float_bounds(b));
        let corners = match op {
            Binop::Add => vec![la + lb, ha + hb],
            Binop::Sub if self.root(a) == self.root(b) => vec![0.0],
            Binop::Sub => vec![la - hb, ha - lb],
            Binop::Mul => vec![la * lb, la * hb, ha * lb, ha * hb],
            Binop::Div if lb > 0.0 || hb < 0.0 => vec![la / lb, la / hb, ha / lb, ha / hb],
            _ => return Ok(()),
        };
        let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
        let high = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.limit_result(result, low, high)?;
        self.float_back(op, a, b, result)?;
        self.float_order(op, a, b, result)
    }

    /// Bounds of an operand from those of the result, with room for rounding.
    fn float_back(&mut self, op: Binop, a: Node, b: Node, result: Node) -> Step {
        let (lr, hr) = self.float_bounds(result);
        let around = |low: f64, high: f64, scale: f64| {
            let room = scale.abs() * 2f64.powi(-50) + f64::MIN_POSITIVE;
            (low - room, high + room)
        };
        let scale =
            |bounds: (f64, f64)| bounds.0.abs().max(bounds.1.abs()).max(lr.abs()).max(hr.abs());
        for (node, other, first) in [(a, b, true), (b, a, false)] {
            let (lo, ho) = self.float_bounds(other);
            let size = scale((lo, ho));
            if self.kinds(node) != Kinds::FLOAT || size >= f64::MAX / 4.0 {
                continue;
            }
            let (low, high) = match (op, first) {
                (Binop::Add, _) => around(lr - ho, hr - lo, size),
                (Binop::Sub, true) => around(lr + lo, hr + ho, size),
                (Binop::Sub, false) => around(lo - hr, ho - lr, size),
                _ => continue,
            };
            self.limit_result(node, low, high)?;
        }
        Ok(())
    }

    /// Adding what is not negative never makes a float smaller.
    fn float_order(&mut self, op: Binop, a: Node, b: Node, result: Node) -> Step {
        for (node, other, first) in [(a, b, true), (b, a, false)] {
            if self.kinds(node) != Kinds::FLOAT || (op == Binop::Sub && !first) {
                continue;
            }
            let (low, high) = self.float_bounds(other);
            let (grows, shrinks) = match op {
                Binop::Add => (low >= 0.0, high <= 0.0),
                Binop::Sub => (high <= 0.0, low >= 0.0),
                _ => continue,
            };
            let mark = COMPARED - 2 * u32::from(first) - u32::from(grows);
            if (grows || shrinks) && self.said.insert((result, mark)) {
                let (x, y) = if grows { (node, result) } else { (result, node) };
                self.compare(Side::LessEq, x, y)?;
            }
        }
        Ok(())
    }

    /// An operation on two numbers fails although both are numbers and no divisor is zero.
    pub(super) fn overflow(&mut self, op: Binop, a: Node, b: Node) -> Step {
        let mut cases = Vec::new();
        for node in [a, b] {
            if self.kinds(node).meets(Kinds::INT) {
                cases.extend(too_large(node));
            }
        }
        // With both as floats: only if the corners of their bounds leave the range.
        let ((la, ha), (lb, hb)) = (self.float_bounds(a), self.float_bounds(b));
        let corners: [f64; 4] = match op {
            Binop::Add => [la + lb, ha + hb, 0.0, 0.0],
            Binop::Sub => [la - hb, ha - lb, 0.0, 0.0],
            Binop::Mul => [la * lb, la * hb, ha * lb, ha * hb],
            _ if lb > 0.0 || hb < 0.0 => [la / lb, la / hb, ha / lb, ha / hb],
            _ => [f64::INFINITY; 4],
        };
        if corners.iter().any(|corner| !corner.is_finite()) {
            for node in [a, b] {
                if self.kinds(node).meets(Kinds::FLOAT) && self.value(node).is_none() {
                    let (low, high) = self.float_bounds(node);
                    cases.extend([high, low].map(|f| vec![Action::Constant(node, Term::float(f))]));
                }
            }
            cases.push(vec![Action::GiveUp]);
        }
        if cases.is_empty() {
            return Err(Conflict);
        }
        self.split(cases);
        Ok(())
    }

    pub(super) fn float_unary(&mut self, op: Unary, a: Node, result: Node) -> Step {
        let (low, high) = self.float_bounds(a);
        let (lr, hr) = self.float_bounds(result);
        match op {
            Unary::Neg => {
                self.limit_result(result, -high, -low)?;
                self.limit_result(a, -hr, -lr)
            }
            Unary::Abs => {
                let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
                self.limit_result(result, least, low.abs().max(high.abs()))?;
                self.limit_result(a, -hr, hr)
            }
            _ => {
                let round = match op {
                    Unary::Round => f64::round,
                    Unary::Floor => f64::floor,
                    Unary::Ceil => f64::ceil,
                    _ => f64::trunc,
                };
                let small = |bound: f64| Some(bound).filter(|b| b.abs() < 1.0e15);
                if let Some(low) = small(low).and_then(|low| BigInt::from_f64(round(low))) {
                    self.linear_once_big(result, 1, -low);
                }
                if let Some(high) = small(high).and_then(|high| BigInt::from_f64(round(high))) {
                    self.linear_once_big(result, -1, high);
                }
                if let Some(value) = self.value(result).and_then(Term::as_int)
                    && value.abs() < 1 << 50
                {
                    // Within one of the result, whichever way it was rounded.
                    self.limit_result(a, (value - 1) as f64, (value + 1) as f64)?;
                }
                Ok(())
            }
        }
    }

    /// `sign · node + constant ≥ 0`, said once.
    fn linear_once_big(&mut self, node: Node, sign: i64, constant: BigInt) {
        if let Ok(constant) = i64::try_from(&constant) {
            self.linear_once(&[(sign, node)], constant, Rel::Ge);
        }
    }
}

/// The cases in which an integer is too large for a float.
pub(super) fn too_large(node: Node) -> [Vec<Action>; 2] {
    // From here on the nearest float is no number any more.
    let limit = power(1024) - power(970);
    [1, -1]
        .map(|sign| vec![Action::Linear(vec![(node, BigInt::from(sign))], -limit.clone(), Rel::Ge)])
}
