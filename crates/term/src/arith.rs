//! Arithmetic on numbers, as Erlang's operators do it.
//!
//! Integers are small until a result does not fit, then of any size. Floats that leave the finite
//! range are errors: Erlang has no infinity and no NaN.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};

use crate::{Boxed, Term, View};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithError {
    /// `badarith`
    BadArith,
    /// `system_limit`: the result would be too large to build.
    SystemLimit,
}

type Result = std::result::Result<Term, ArithError>;

/// The largest integer that is built, in bits: the BEAM's own limit.
pub const MAX_BITS: u64 = ((1 << 19) - 1) * 64;

fn float(value: f64) -> Result {
    if value.is_finite() { Ok(Term::float(value)) } else { Err(ArithError::BadArith) }
}

fn limited(value: BigInt) -> Result {
    if value.bits() > MAX_BITS { Err(ArithError::SystemLimit) } else { Ok(Term::big(value)) }
}

/// The integer value of a term, as a big integer.
pub fn to_bigint(term: &Term) -> Option<BigInt> {
    match term.view() {
        View::Int(value) => Some(BigInt::from(value)),
        View::Boxed(Boxed::Big(value)) => Some(value.clone()),
        _ => None,
    }
}

/// The value of a number as a float; `None` for what is no number or does not fit.
pub fn to_f64(term: &Term) -> Option<f64> {
    match term.view() {
        View::Int(value) => Some(value as f64),
        View::Float(value) => Some(value),
        View::Boxed(Boxed::Big(value)) => value.to_f64().filter(|value| value.is_finite()),
        _ => None,
    }
}

macro_rules! ring_operation {
    ($(#[$doc:meta])* $name:ident, $small:expr, $op:tt) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(a: &Term, b: &Term) -> Result {
            let small: fn(&Term, &Term) -> Option<Term> = $small;
            if let Some(value) = small(a, b) {
                return Ok(value);
            }
            fn slow(a: &Term, b: &Term) -> Result {
                match (a.view(), b.view()) {
                    (View::Float(a), View::Float(b)) => float(a $op b),
                    (View::Float(_), _) | (_, View::Float(_)) => {
                        match (to_f64(a), to_f64(b)) {
                            (Some(a), Some(b)) => float(a $op b),
                            _ => Err(ArithError::BadArith),
                        }
                    }
                    (View::Boxed(Boxed::Big(a)), View::Boxed(Boxed::Big(b))) => limited(a $op b),
                    (View::Boxed(Boxed::Big(a)), View::Int(b)) => limited(a $op b),
                    (View::Int(a), View::Boxed(Boxed::Big(b))) => limited(a $op b),
                    (View::Int(a), View::Int(b)) => limited(BigInt::from(a) $op b),
                    _ => Err(ArithError::BadArith),
                }
            }
            slow(a, b)
        }
    };
}

ring_operation!(
    /// `+`
    add, Term::add_small, +
);
ring_operation!(
    /// `-`
    sub, Term::sub_small, -
);
ring_operation!(
    /// `*`
    mul,
    |a, b| Term::both_small(a, b).and_then(|(a, b)| a.checked_mul(b)).and_then(Term::small),
    *
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
    integer_pair(a, b, i64::checked_rem, |a, b| a % b)
}

/// Division that is defined for all integers but a divisor of zero.
#[inline]
fn integer_pair(
    a: &Term,
    b: &Term,
    small: impl Fn(i64, i64) -> Option<i64>,
    big: impl Fn(BigInt, BigInt) -> BigInt,
) -> Result {
    // Small integers are far from the limits of `i64`: only a divisor of zero gives nothing.
    if let Some((a, b)) = Term::both_small(a, b) {
        return small(a, b).map(Term::int).ok_or(ArithError::BadArith);
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
            if let Some((a, b)) = Term::both_small(a, b) {
                return Ok(Term::int(a $op b));
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
    let (count, negative) = match b.view() {
        View::Int(count) => (count.unsigned_abs(), count < 0),
        View::Boxed(Boxed::Big(count)) => (u64::MAX, count.is_negative()),
        _ => return Err(ArithError::BadArith),
    };
    if !a.is_integer() {
        return Err(ArithError::BadArith);
    }
    if right != negative {
        return Ok(match a.view() {
            View::Int(value) => Term::int(value >> count.min(63)),
            View::Boxed(Boxed::Big(value)) if count <= value.bits() => Term::big(value >> count),
            _ => Term::int(if is_negative(a) { -1 } else { 0 }),
        });
    }
    if let View::Int(value) = a.view() {
        if value == 0 {
            return Ok(Term::int(0));
        }
        if count < u64::from(value.unsigned_abs().leading_zeros()) {
            return Ok(Term::int(value << count));
        }
    }
    if count > MAX_BITS {
        return Err(ArithError::SystemLimit);
    }
    to_bigint(a).map_or(Err(ArithError::BadArith), |a| limited(a << count))
}

/// `bnot`
pub fn bnot(a: &Term) -> Result {
    match a.view() {
        View::Int(value) => Ok(Term::int(!value)),
        View::Boxed(Boxed::Big(value)) => limited(-value - 1),
        _ => Err(ArithError::BadArith),
    }
}

/// Unary `-`
pub fn neg(a: &Term) -> Result {
    match a.view() {
        View::Float(value) => Ok(Term::float(-value)),
        _ => sub(&Term::int(0), a),
    }
}

/// `abs/1`
pub fn abs(a: &Term) -> Option<Term> {
    match a.view() {
        View::Int(value) => Some(Term::int(value.abs())),
        View::Boxed(Boxed::Big(value)) => Some(Term::big(value.abs())),
        View::Float(value) => Some(Term::float(value.abs())),
        _ => None,
    }
}

/// The integer that a float with no fraction denotes.
pub fn from_f64(value: f64) -> Option<Term> {
    if !value.is_finite() {
        return None;
    }
    if value.abs() < 9.0e18 {
        return Some(Term::int(value as i64));
    }
    num_traits::FromPrimitive::from_f64(value).map(Term::big)
}

/// Whether a number is below zero.
pub fn is_negative(a: &Term) -> bool {
    match a.view() {
        View::Int(value) => value < 0,
        View::Boxed(Boxed::Big(value)) => value.sign() == Sign::Minus,
        View::Float(value) => value < 0.0,
        _ => false,
    }
}
