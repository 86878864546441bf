//! Arithmetic on numbers, as Erlang's operators do it.
//!
//! Integers are `i64` until a result does not fit, then of any size. Floats that leave the finite
//! range are errors: Erlang has no infinity and no NaN.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};

use crate::Term;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithError {
    /// `badarith`
    BadArith,
    /// `system_limit`: the result would be too large to build.
    SystemLimit,
}

type Result = std::result::Result<Term, ArithError>;

/// The largest integer that is built, in bits: the BEAM's own limit.
const MAX_BITS: u64 = 1 << 26;

fn float(value: f64) -> Result {
    if value.is_finite() { Ok(Term::Float(value)) } else { Err(ArithError::BadArith) }
}

fn limited(value: BigInt) -> Result {
    if value.bits() > MAX_BITS { Err(ArithError::SystemLimit) } else { Ok(Term::big(value)) }
}

/// The integer value of a term, as a big integer.
pub fn to_bigint(term: &Term) -> Option<BigInt> {
    match term {
        Term::Int(value) => Some(BigInt::from(*value)),
        Term::Big(value) => Some((**value).clone()),
        _ => None,
    }
}

/// The value of a number as a float; `None` for what is no number or does not fit.
pub fn to_f64(term: &Term) -> Option<f64> {
    match term {
        Term::Int(value) => Some(*value as f64),
        Term::Float(value) => Some(*value),
        Term::Big(value) => value.to_f64().filter(|value| value.is_finite()),
        _ => None,
    }
}

macro_rules! ring_operation {
    ($(#[$doc:meta])* $name:ident, $checked:ident, $op:tt) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(a: &Term, b: &Term) -> Result {
            if let (Term::Int(a), Term::Int(b)) = (a, b)
                && let Some(value) = a.$checked(*b)
            {
                return Ok(Term::Int(value));
            }
            #[cold]
            fn slow(a: &Term, b: &Term) -> Result {
                if matches!(a, Term::Float(_)) || matches!(b, Term::Float(_)) {
                    let (Some(a), Some(b)) = (to_f64(a), to_f64(b)) else {
                        return Err(ArithError::BadArith);
                    };
                    return float(a $op b);
                }
                match (a, b) {
                    (Term::Big(a), Term::Big(b)) => limited(&**a $op &**b),
                    (Term::Big(a), Term::Int(b)) => limited(&**a $op *b),
                    (Term::Int(a), Term::Big(b)) => limited(*a $op &**b),
                    (Term::Int(a), Term::Int(b)) => limited(BigInt::from(*a) $op *b),
                    _ => Err(ArithError::BadArith),
                }
            }
            if let (Term::Float(a), Term::Float(b)) = (a, b) {
                return float(a $op b);
            }
            slow(a, b)
        }
    };
}

ring_operation!(
    /// `+`
    add, checked_add, +
);
ring_operation!(
    /// `-`
    sub, checked_sub, -
);
ring_operation!(
    /// `*`
    mul, checked_mul, *
);

/// `/`: always a float.
pub fn div(a: &Term, b: &Term) -> Result {
    if let (Some(x), Some(y)) = (to_f64(a), to_f64(b)) {
        return if y == 0.0 { Err(ArithError::BadArith) } else { float(x / y) };
    }
    Err(ArithError::BadArith)
}

/// `div`: truncates towards zero.
pub fn int_div(a: &Term, b: &Term) -> Result {
    integer_pair(a, b, i64::checked_div, |a, b| a / b)
}

/// `rem`: has the sign of the dividend.
pub fn rem(a: &Term, b: &Term) -> Result {
    integer_pair(a, b, |a, b| if b == -1 { Some(0) } else { a.checked_rem(b) }, |a, b| a % b)
}

/// Division that is defined for all integers but a divisor of zero.
#[inline]
fn integer_pair(
    a: &Term,
    b: &Term,
    small: impl Fn(i64, i64) -> Option<i64>,
    big: impl Fn(BigInt, BigInt) -> BigInt,
) -> Result {
    if let (Term::Int(a), Term::Int(b)) = (a, b)
        && let Some(value) = small(*a, *b)
    {
        return Ok(Term::Int(value));
    }
    match (to_bigint(a), to_bigint(b)) {
        (Some(a), Some(b)) if !b.is_zero() => Ok(Term::big(big(a, b))),
        _ => Err(ArithError::BadArith),
    }
}

macro_rules! bit_operation {
    ($(#[$doc:meta])* $name:ident, $op:tt) => {
        $(#[$doc])*
        pub fn $name(a: &Term, b: &Term) -> Result {
            if let (Term::Int(a), Term::Int(b)) = (a, b) {
                return Ok(Term::Int(a $op b));
            }
            match (to_bigint(a), to_bigint(b)) {
                (Some(a), Some(b)) => Ok(Term::big(a $op b)),
                _ => Err(ArithError::BadArith),
            }
        }
    };
}

bit_operation!(
    /// `band`
    band, &
);
bit_operation!(
    /// `bor`
    bor, |
);
bit_operation!(
    /// `bxor`
    bxor, ^
);

/// `bsl`
pub fn bsl(a: &Term, b: &Term) -> Result {
    shift(a, b, false)
}

/// `bsr`
pub fn bsr(a: &Term, b: &Term) -> Result {
    shift(a, b, true)
}

/// Shifts left, or right where `right`; a negative count goes the other way.
fn shift(a: &Term, b: &Term, right: bool) -> Result {
    if !a.is_integer() || !b.is_integer() {
        return Err(ArithError::BadArith);
    }
    let (count, negative) = match b {
        Term::Int(count) => (count.unsigned_abs(), *count < 0),
        Term::Big(count) => (u64::MAX, count.is_negative()),
        _ => return Err(ArithError::BadArith),
    };
    let is_negative = match a {
        Term::Int(value) => *value < 0,
        Term::Big(value) => value.is_negative(),
        _ => return Err(ArithError::BadArith),
    };
    if right != negative {
        return Ok(match a {
            Term::Int(value) => Term::Int(value >> count.min(63)),
            Term::Big(value) if count <= value.bits() => Term::big(&**value >> count),
            _ if is_negative => Term::Int(-1),
            _ => Term::Int(0),
        });
    }
    if matches!(a, Term::Int(0)) {
        return Ok(Term::Int(0));
    }
    if let Term::Int(value) = a
        && count < u64::from(value.unsigned_abs().leading_zeros())
    {
        return Ok(Term::Int(value << count));
    }
    if count > MAX_BITS {
        return Err(ArithError::SystemLimit);
    }
    to_bigint(a).map_or(Err(ArithError::BadArith), |a| limited(a << count))
}

/// `bnot`
pub fn bnot(a: &Term) -> Result {
    match a {
        Term::Int(value) => Ok(Term::Int(!value)),
        Term::Big(value) => Ok(Term::big(-&**value - 1)),
        _ => Err(ArithError::BadArith),
    }
}

/// Unary `-`
pub fn neg(a: &Term) -> Result {
    match a {
        Term::Float(value) => Ok(Term::Float(-value)),
        _ => sub(&Term::Int(0), a),
    }
}

/// `abs/1`
pub fn abs(a: &Term) -> Option<Term> {
    match a {
        Term::Int(value) => Some(
            value.checked_abs().map_or_else(|| Term::big(BigInt::from(*value).abs()), Term::Int),
        ),
        Term::Big(value) => Some(Term::big(value.abs())),
        Term::Float(value) => Some(Term::Float(value.abs())),
        _ => None,
    }
}

/// The integer that a float with no fraction denotes.
pub fn from_f64(value: f64) -> Option<Term> {
    if !value.is_finite() {
        return None;
    }
    if value.abs() < 9.0e18 {
        return Some(Term::Int(value as i64));
    }
    num_traits::FromPrimitive::from_f64(value).map(Term::big)
}

/// Whether an integer is below zero.
pub fn is_negative(a: &Term) -> bool {
    match a {
        Term::Int(value) => *value < 0,
        Term::Big(value) => value.sign() == Sign::Minus,
        Term::Float(value) => *value < 0.0,
        _ => false,
    }
}
