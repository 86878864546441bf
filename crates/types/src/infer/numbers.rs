//! Arithmetic and comparisons on types of numbers.
//!
//! Integers are followed by their bounds. A result that would not fit in 64 bits has no bound on
//! that side.

use super::callee::Way;
use super::rules::way;
use crate::ty::{Integers, Type};

fn integers(ty: &Type) -> &Integers {
    &ty.parts().integers
}

/// The type of the integers between two bounds.
fn between(low: Option<i64>, high: Option<i64>) -> Type {
    Type::integers(low, high)
}

fn two_integers() -> Vec<Type> {
    vec![Type::integer(), Type::integer()]
}

/// An operator that gives an integer for integers, a float where one of the two is one.
fn mixed(args: &[Type], of_integers: Type) -> Vec<Way> {
    let mut ways: Vec<Way> = way(args, two_integers(), of_integers).into_iter().collect();
    ways.extend(way(args, vec![Type::float(), Type::number()], Type::float()));
    ways.extend(way(args, vec![Type::integer(), Type::float()], Type::float()));
    ways
}

fn of_integers(args: &[Type], result: Type) -> Vec<Way> {
    way(args, two_integers(), result).into_iter().collect()
}

/// Applies an operation to all pairs of two short lists, or to bounds.
fn pairwise(a: &Integers, b: &Integers, of: impl Fn(i64, i64) -> Option<i64>) -> Option<Type> {
    let (Integers::Some(a), Integers::Some(b)) = (a, b) else { return None };
    if a.len() * b.len() > 64 {
        return None;
    }
    let mut values = Vec::new();
    for &x in a {
        for &y in b {
            values.push(of(x, y)?);
        }
    }
    let joined = Integers::of(values);
    Some(crate::ty::Union { integers: joined, ..Default::default() }.into_type())
}

pub(super) fn add(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let sum = |a: Option<i64>, b: Option<i64>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
    let result = pairwise(a, b, i64::checked_add)
        .unwrap_or_else(|| between(sum(a.low(), b.low()), sum(a.high(), b.high())));
    mixed(args, result)
}

pub(super) fn subtract(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let less = |a: Option<i64>, b: Option<i64>| a.zip(b).and_then(|(a, b)| a.checked_sub(b));
    let result = pairwise(a, b, i64::checked_sub)
        .unwrap_or_else(|| between(less(a.low(), b.high()), less(a.high(), b.low())));
    mixed(args, result)
}

pub(super) fn multiply(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let result = pairwise(a, b, i64::checked_mul).unwrap_or_else(|| product(a, b));
    mixed(args, result)
}

fn product(a: &Integers, b: &Integers) -> Type {
    let bounds = [a.low(), a.high(), b.low(), b.high()];
    if let [Some(a), Some(b), Some(c), Some(d)] = bounds {
        let products: Option<Vec<i64>> =
            [(a, c), (a, d), (b, c), (b, d)].iter().map(|(x, y)| x.checked_mul(*y)).collect();
        if let Some(products) = products {
            let (low, high) = (products.iter().min(), products.iter().max());
            return between(low.copied(), high.copied());
        }
    }
    match (a.low(), b.low()) {
        (Some(0..), Some(0..)) => {
            let low = a.low().zip(b.low()).and_then(|(a, b)| a.checked_mul(b));
            between(Some(low.unwrap_or(0)), None)
        }
        _ => Type::integer(),
    }
}

pub(super) fn divide(args: &[Type]) -> Vec<Way> {
    way(args, vec![Type::number(), Type::number()], Type::float()).into_iter().collect()
}

pub(super) fn integer_divide(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let result = pairwise(a, b, |a, b| if b == 0 { Some(0) } else { a.checked_div(b) })
        .unwrap_or_else(|| match (a.low(), b.low()) {
            (Some(low @ 0..), Some(1..)) => {
                // Towards nothing: not above what is divided.
                let by = b.high().unwrap_or(i64::MAX);
                between(Some(if by == i64::MAX { 0 } else { low / by }), a.high())
            }
            _ => Type::integer(),
        });
    of_integers(args, result)
}

pub(super) fn remainder(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    // Less than what it is divided by, with the sign of what is divided.
    let most = match (b.low(), b.high()) {
        (Some(low), Some(high)) => {
            low.checked_abs().zip(high.checked_abs()).map(|(low, high)| (low.max(high) - 1).max(0))
        }
        _ => None,
    };
    let low = if a.low().is_some_and(|low| low >= 0) { Some(0) } else { most.map(|most| -most) };
    let high = if a.high().is_some_and(|high| high <= 0) { Some(0) } else { most };
    of_integers(args, between(low, high))
}

pub(super) fn bit_and(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let not_negative = |of: &Integers| of.low().is_some_and(|low| low >= 0);
    let result = match (not_negative(a), not_negative(b)) {
        (false, false) => Type::integer(),
        (true, false) => between(Some(0), a.high()),
        (false, true) => between(Some(0), b.high()),
        (true, true) => {
            let high = match (a.high(), b.high()) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            between(Some(0), high)
        }
    };
    of_integers(args, result)
}

pub(super) fn bit_or(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let not_negative = |of: &Integers| of.low().is_some_and(|low| low >= 0);
    let result = if not_negative(a) && not_negative(b) {
        // All bits that the larger one has room for.
        let high = a.high().zip(b.high()).and_then(|(a, b)| {
            let most = a.max(b);
            most.checked_add(1)?.checked_next_power_of_two_signed()
        });
        between(Some(0), high)
    } else {
        Type::integer()
    };
    of_integers(args, result)
}

trait NextPower {
    fn checked_next_power_of_two_signed(self) -> Option<i64>;
}

impl NextPower for i64 {
    /// The largest number of as many bits as are needed below it.
    fn checked_next_power_of_two_signed(self) -> Option<i64> {
        let next = u64::try_from(self).ok()?.checked_next_power_of_two()?;
        i64::try_from(next).ok().map(|next| next - 1)
    }
}

pub(super) fn shift_left(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let result = pairwise(a, b, |a, by| {
        let by = u32::try_from(by).ok().filter(|&by| by < 63)?;
        let shifted = a.checked_shl(by)?;
        (shifted >> by == a).then_some(shifted)
    })
    .unwrap_or_else(|| match (a.low(), b.low()) {
        // To the left it does not become less.
        (Some(low @ 0..), Some(0..)) => between(Some(low), None),
        (Some(0..), _) => Type::non_negative(),
        _ => Type::integer(),
    });
    of_integers(args, result)
}

pub(super) fn shift_right(args: &[Type]) -> Vec<Way> {
    let (a, b) = (integers(&args[0]), integers(&args[1]));
    let result = match (a.low(), b.low()) {
        (Some(0..), Some(by @ 0..)) => between(Some(0), a.high().map(|high| high >> by.min(63))),
        (Some(0..), _) => Type::non_negative(),
        _ => Type::integer(),
    };
    of_integers(args, result)
}

pub(super) fn bit_not(args: &[Type]) -> Vec<Way> {
    let of = integers(&args[0]);
    let result = between(of.high().map(|high| !high), of.low().map(|low| !low));
    way(args, vec![Type::integer()], result).into_iter().collect()
}

pub(super) fn plus(args: &[Type]) -> Vec<Way> {
    let result = args[0].meet(&Type::number());
    way(args, vec![Type::number()], result).into_iter().collect()
}

pub(super) fn minus(args: &[Type]) -> Vec<Way> {
    let of = integers(&args[0]);
    let negated = |bound: Option<i64>| bound.and_then(i64::checked_neg);
    let result = pairwise(of, &Integers::of([0]), |a, _| a.checked_neg())
        .unwrap_or_else(|| between(negated(of.high()), negated(of.low())));
    let mut ways: Vec<Way> = way(args, vec![Type::integer()], result).into_iter().collect();
    ways.extend(way(args, vec![Type::float()], Type::float()));
    ways
}

pub(super) fn absolute(args: &[Type]) -> Vec<Way> {
    let of = integers(&args[0]);
    let result = match of.low() {
        Some(low @ 0..) => between(Some(low), of.high()),
        _ => Type::non_negative(),
    };
    let mut ways: Vec<Way> = way(args, vec![Type::integer()], result).into_iter().collect();
    ways.extend(way(args, vec![Type::float()], Type::float()));
    ways
}

/// `A < B` (`holds`), or `A >= B` (not `holds`): the ways to true and to false.
pub(super) fn less(args: &[Type], holds: bool) -> Vec<Way> {
    let (a, b) = (&args[0], &args[1]);
    let (is_less, is_not) = (Type::the_boolean(holds), Type::the_boolean(!holds));
    let mut ways = Vec::new();
    ways.extend(way(args, vec![below(b, true), above(a, true)], is_less));
    ways.extend(way(args, vec![above(b, false), below(a, false)], is_not));
    ways
}

/// Whether a type has only numbers, which come first in the order of terms.
fn only_numbers(ty: &Type) -> bool {
    ty.is_within(&Type::number())
}

/// What can be below a term of a type (or, unless `strictly`, equal to it).
fn below(of: &Type, strictly: bool) -> Type {
    if !only_numbers(of) {
        return Type::Any;
    }
    let parts = of.parts();
    if parts.floats || parts.integers.is_none() {
        return Type::number();
    }
    let high = parts.integers.high().and_then(|high| high.checked_sub(i64::from(strictly)));
    Type::integers(None, high).join(&Type::float())
}

/// What can be above a term of a type (or, unless `strictly`, equal to it): of numbers those above
/// the smallest, and everything else.
fn above(of: &Type, strictly: bool) -> Type {
    let parts = of.parts();
    if !parts.floats && parts.integers.is_none() {
        // What is above no number is none.
        return Type::Any.without(&Type::number());
    }
    let low = parts.integers.low().and_then(|low| low.checked_add(i64::from(strictly)));
    match low {
        Some(low) if !parts.floats => Type::Any.without(&Type::integers(None, low.checked_sub(1))),
        _ => Type::Any,
    }
}
