//! Integers to calculate with: words first, and numbers without bound where words are too small.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Arithmetic that says where a number does not fit.
pub(crate) trait Int: Clone + Ord + std::fmt::Debug {
    fn of(value: i64) -> Self;
    fn from_big(value: &BigInt) -> Option<Self>;
    fn to_big(&self) -> BigInt;
    fn add(&self, other: &Self) -> Option<Self>;
    fn mul(&self, other: &Self) -> Option<Self>;
    fn neg(&self) -> Option<Self>;
    /// Division that rounds down; the divisor is positive.
    fn div_floor(&self, other: &Self) -> Self;
    fn gcd(&self, other: &Self) -> Self;

    fn is_zero(&self) -> bool {
        *self == Self::of(0)
    }

    fn is_negative(&self) -> bool {
        *self < Self::of(0)
    }

    fn abs(&self) -> Option<Self> {
        if self.is_negative() { self.neg() } else { Some(self.clone()) }
    }

    fn is_unit(&self) -> bool {
        *self == Self::of(1) || *self == Self::of(-1)
    }

    /// Division that rounds up; the divisor is positive.
    fn div_ceil(&self, other: &Self) -> Option<Self> {
        self.neg()?.div_floor(other).neg()
    }
}

impl Int for i128 {
    fn of(value: i64) -> i128 {
        i128::from(value)
    }

    fn from_big(value: &BigInt) -> Option<i128> {
        // Half of the word, so that a product of two fits more often than not.
        i128::try_from(value).ok().filter(|value| value.unsigned_abs() < 1 << 100)
    }

    fn to_big(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn add(&self, other: &i128) -> Option<i128> {
        self.checked_add(*other)
    }

    fn mul(&self, other: &i128) -> Option<i128> {
        self.checked_mul(*other)
    }

    fn neg(&self) -> Option<i128> {
        self.checked_neg()
    }

    fn div_floor(&self, other: &i128) -> i128 {
        self.div_euclid(*other)
    }

    fn gcd(&self, other: &i128) -> i128 {
        let (mut a, mut b) = (self.unsigned_abs(), other.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a as i128
    }
}

impl Int for BigInt {
    fn of(value: i64) -> BigInt {
        BigInt::from(value)
    }

    fn from_big(value: &BigInt) -> Option<BigInt> {
        Some(value.clone())
    }

    fn to_big(&self) -> BigInt {
        self.clone()
    }

    fn add(&self, other: &BigInt) -> Option<BigInt> {
        Some(self + other)
    }

    fn mul(&self, other: &BigInt) -> Option<BigInt> {
        Some(self * other)
    }

    fn neg(&self) -> Option<BigInt> {
        Some(-self)
    }

    fn div_floor(&self, other: &BigInt) -> BigInt {
        let quotient = self / other;
        if Signed::is_negative(&(self - &quotient * other)) {
            quotient - BigInt::one()
        } else {
            quotient
        }
    }

    fn gcd(&self, other: &BigInt) -> BigInt {
        let (mut a, mut b) = (Signed::abs(self), Signed::abs(other));
        while !Zero::is_zero(&b) {
            (a, b) = (b.clone(), a % b);
        }
        a
    }
}
