//! Values of constant expressions, as far as the rules about patterns, types and bit sizes need
//! them: numbers, atoms and operators on them.
//!
//! OTP evaluates such expressions with the operators of the running system. A shift that would
//! not fit in memory fails there; here anything over [`MAX_BITS`] does.

use atom::{Atom, known};
use num_bigint::BigInt;
use num_bigint::Sign;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, UnaryOp};
use syntax::token::Literal;

const MAX_BITS: u64 = 1 << 22;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Integer(BigInt),
    Float(f64),
    Atom(Atom),
    /// A list or tuple: a value, but none that operators take.
    Compound,
}

/// The value of `id` if it is built from constants and operators only and does not fail.
pub(super) fn evaluate(module: &Module, id: NodeId) -> Option<Value> {
    super::with_stack(|| match module.kind(id) {
        Kind::Integer(literal) => match module.literal(literal) {
            Literal::Integer(value) => Some(Value::Integer(value.clone())),
            _ => None,
        },
        Kind::Float(literal) => match module.literal(literal) {
            Literal::Float(value) => Some(Value::Float(*value)),
            _ => None,
        },
        Kind::Char(char) => Some(Value::Integer(char.into())),
        Kind::Atom(atom) => Some(Value::Atom(atom)),
        Kind::Nil => Some(Value::Compound),
        Kind::Tuple { elements } => {
            all_constant(module, module.list(elements)).then_some(Value::Compound)
        }
        Kind::List { elements, tail } => {
            let tail = tail.is_none_or(|tail| evaluate(module, tail).is_some());
            (tail && all_constant(module, module.list(elements))).then_some(Value::Compound)
        }
        Kind::UnaryOp { op, operand } => unary(op, evaluate(module, operand)?),
        Kind::BinaryOp { op, left, right } => {
            binary(op, evaluate(module, left)?, evaluate(module, right)?)
        }
        _ => None,
    })
}

fn all_constant(module: &Module, ids: &[NodeId]) -> bool {
    ids.iter().all(|&id| evaluate(module, id).is_some())
}

/// The value of `id` if it is an integer.
pub(super) fn integer(module: &Module, id: NodeId) -> Option<BigInt> {
    match evaluate(module, id)? {
        Value::Integer(value) => Some(value),
        _ => None,
    }
}

fn boolean(value: bool) -> Option<Value> {
    Some(Value::Atom(if value { known::TRUE } else { known::FALSE }))
}

fn as_boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Atom(known::TRUE) => Some(true),
        Value::Atom(known::FALSE) => Some(false),
        _ => None,
    }
}

fn unary(op: UnaryOp, value: Value) -> Option<Value> {
    match (op, value) {
        (UnaryOp::Plus, value @ (Value::Integer(_) | Value::Float(_))) => Some(value),
        (UnaryOp::Minus, Value::Integer(value)) => Some(Value::Integer(-value)),
        (UnaryOp::Minus, Value::Float(value)) => Some(Value::Float(-value)),
        (UnaryOp::Bnot, Value::Integer(value)) => Some(Value::Integer(!value)),
        (UnaryOp::Not, value) => boolean(!as_boolean(&value)?),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    if let (Value::Integer(a), Value::Integer(b)) = (&left, &right)
        && let Some(value) = integers(op, a, b)
    {
        return value;
    }
    if let (Some(a), Some(b)) = (as_boolean(&left), as_boolean(&right)) {
        match op {
            BinaryOp::And => return boolean(a && b),
            BinaryOp::Or => return boolean(a || b),
            BinaryOp::Xor => return boolean(a != b),
            _ => {}
        }
    }
    if let (Some(a), Some(b)) = (as_float(&left), as_float(&right)) {
        let value = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div if b != 0.0 => a / b,
            _ => return compare(op, &left, &right),
        };
        return value.is_finite().then_some(Value::Float(value));
    }
    compare(op, &left, &right)
}

/// Comparisons are evaluated for numbers and atoms of the same kind only; others are left alone.
fn compare(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    use std::cmp::Ordering::*;
    let order = match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Atom(a), Value::Atom(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b)?,
        _ => return None,
    };
    boolean(match op {
        BinaryOp::Eq | BinaryOp::ExactEq => order == Equal,
        BinaryOp::Ne | BinaryOp::ExactNe => order != Equal,
        BinaryOp::Lt => order == Less,
        BinaryOp::Le => order != Greater,
        BinaryOp::Gt => order == Greater,
        BinaryOp::Ge => order != Less,
        _ => return None,
    })
}

fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(value) => {
            let value: f64 = value.to_string().parse().ok()?;
            value.is_finite().then_some(value)
        }
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

/// `None` if the operator is not one on two integers, `Some(None)` if it fails.
fn integers(op: BinaryOp, a: &BigInt, b: &BigInt) -> Option<Option<Value>> {
    let zero = b.sign() == Sign::NoSign;
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul if a.bits() + b.bits() > MAX_BITS => return Some(None),
        BinaryOp::Mul => a * b,
        BinaryOp::IntDiv | BinaryOp::Rem if zero => return Some(None),
        BinaryOp::IntDiv => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::Band => a & b,
        BinaryOp::Bor => a | b,
        BinaryOp::Bxor => a ^ b,
        BinaryOp::Bsl => return Some(shift(a, b.clone())),
        BinaryOp::Bsr => return Some(shift(a, -b)),
        _ => return None,
    };
    Some(Some(Value::Integer(value)))
}

/// Shifts to the left by `by` bits, to the right if it is negative.
fn shift(value: &BigInt, by: BigInt) -> Option<Value> {
    if value.sign() == Sign::NoSign {
        return Some(Value::Integer(value.clone()));
    }
    match i64::try_from(&by) {
        Ok(by) if by >= 0 => {
            let by = by as u64;
            (by + value.bits() <= MAX_BITS).then(|| Value::Integer(value << by))
        }
        Ok(by) => Some(Value::Integer(value >> by.unsigned_abs())),
        Err(_) if by.sign() == Sign::Minus => {
            Some(Value::Integer(if value.sign() == Sign::Minus { -1 } else { 0 }.into()))
        }
        Err(_) => None,
    }
}
