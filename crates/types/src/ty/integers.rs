//! Sets of integers: a few one by one, or a range that may have no bound.
//!
//! Bounds are 64-bit: an integer beyond them is in every range that is open on its side.

use smallvec::SmallVec;

use super::limits;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Integers {
    /// In ascending order.
    Some(SmallVec<[i64; 2]>),
    /// From, to; more than [`limits::INTEGERS`] of them.
    Range(Option<i64>, Option<i64>),
}

impl Default for Integers {
    fn default() -> Integers {
        Integers::Some(SmallVec::new())
    }
}

impl Integers {
    pub const ALL: Integers = Integers::Range(None, None);

    /// The integers between two bounds.
    pub fn range(low: Option<i64>, high: Option<i64>) -> Integers {
        match (low, high) {
            (Some(low), Some(high)) if low > high => Integers::default(),
            (Some(low), Some(high))
                if high.checked_sub(low).is_some_and(|n| n < limits::INTEGERS as i64) =>
            {
                Integers::Some((low..=high).collect())
            }
            _ => Integers::Range(low, high),
        }
    }

    /// These, or the range around them if they are too many.
    pub fn of(values: impl IntoIterator<Item = i64>) -> Integers {
        let mut values: SmallVec<[i64; 2]> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        if values.len() > limits::INTEGERS {
            Integers::Range(values.first().copied(), values.last().copied())
        } else {
            Integers::Some(values)
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Integers::Some(values) if values.is_empty())
    }

    pub fn single(&self) -> Option<i64> {
        match self {
            Integers::Some(values) if values.len() == 1 => Some(values[0]),
            _ => None,
        }
    }

    /// The smallest; `None` if there is none, or nothing at all.
    pub fn low(&self) -> Option<i64> {
        match self {
            Integers::Some(values) => values.first().copied(),
            Integers::Range(low, _) => *low,
        }
    }

    pub fn high(&self) -> Option<i64> {
        match self {
            Integers::Some(values) => values.last().copied(),
            Integers::Range(_, high) => *high,
        }
    }

    pub fn contains(&self, value: i64) -> bool {
        match self {
            Integers::Some(values) => values.contains(&value),
            Integers::Range(low, high) => {
                low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
            }
        }
    }

    /// Whether it holds integers beyond 64 bits on this side.
    pub fn is_open(&self, above: bool) -> bool {
        match self {
            Integers::Some(_) => false,
            Integers::Range(low, high) => {
                if above {
                    high.is_none()
                } else {
                    low.is_none()
                }
            }
        }
    }

    pub fn join(&self, other: &Integers) -> Integers {
        if self.is_none() || self == other {
            return other.clone();
        }
        if other.is_none() {
            return self.clone();
        }
        if let (Integers::Some(a), Integers::Some(b)) = (self, other) {
            return Integers::of(a.iter().chain(b).copied());
        }
        let low = self.low().zip(other.low()).map(|(a, b)| a.min(b));
        let high = self.high().zip(other.high()).map(|(a, b)| a.max(b));
        Integers::range(low, high)
    }

    pub fn meet(&self, other: &Integers) -> Integers {
        match (self, other) {
            (Integers::Some(some), of) | (of, Integers::Some(some)) => {
                Integers::Some(some.iter().copied().filter(|&value| of.contains(value)).collect())
            }
            (Integers::Range(a, b), Integers::Range(c, d)) => {
                Integers::range(tighter(*a, *c, i64::max), tighter(*b, *d, i64::min))
            }
        }
    }

    /// What is left; more than that where it would not be a range.
    pub fn without(&self, other: &Integers) -> Integers {
        match (self, other) {
            (Integers::Some(some), of) => {
                Integers::Some(some.iter().copied().filter(|&value| !of.contains(value)).collect())
            }
            (Integers::Range(low, high), Integers::Some(some)) => {
                let (mut low, mut high) = (*low, *high);
                // Only what is at an end can be taken away.
                for &value in some {
                    if low == Some(value) {
                        low = value.checked_add(1);
                    }
                }
                for &value in some.iter().rev() {
                    if high == Some(value) {
                        high = value.checked_sub(1);
                    }
                }
                Integers::range(low, high)
            }
            (Integers::Range(low, high), Integers::Range(from, to)) => {
                let below = from.is_none_or(|from| low.is_some_and(|low| from <= low));
                let above = to.is_none_or(|to| high.is_some_and(|high| high <= to));
                match (below, above) {
                    (true, true) => Integers::default(),
                    (true, false) => {
                        let from = to.and_then(|to| to.checked_add(1));
                        Integers::range(tighter(*low, from, i64::max), *high)
                    }
                    (false, true) => {
                        let to = from.and_then(|from| from.checked_sub(1));
                        Integers::range(*low, tighter(*high, to, i64::min))
                    }
                    (false, false) => self.clone(),
                }
            }
        }
    }

    pub fn is_within(&self, other: &Integers) -> bool {
        match (self, other) {
            (Integers::Some(some), of) => some.iter().all(|&value| of.contains(value)),
            (Integers::Range(..), Integers::Some(_)) => false,
            (Integers::Range(a, b), Integers::Range(c, d)) => {
                c.is_none_or(|c| a.is_some_and(|a| c <= a))
                    && d.is_none_or(|d| b.is_some_and(|b| b <= d))
            }
        }
    }

    /// Jumps to a bound that will hold, where a bound has grown since `before`: so that a counter
    /// that is followed round a loop comes to rest.
    pub fn widened_since(&self, before: &Integers) -> Integers {
        if before.is_none() || self.is_within(before) {
            return self.clone();
        }
        let low = match (before.low(), self.low()) {
            (Some(was), Some(is)) if is < was => [1, 0].into_iter().find(|&bound| bound <= is),
            (_, is) => is,
        };
        let high = match (before.high(), self.high()) {
            (Some(was), Some(is)) if is > was => {
                [-1, 0, 255, 0x10_FFFF].into_iter().find(|&bound| is <= bound)
            }
            (_, is) => is,
        };
        Integers::range(low, high)
    }
}

/// The tighter of two bounds.
fn tighter(a: Option<i64>, b: Option<i64>, of_both: fn(i64, i64) -> i64) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(of_both(a, b)),
        (a, b) => a.or(b),
    }
}
