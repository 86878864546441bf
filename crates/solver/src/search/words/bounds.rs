//! How large integers of a case may be: intervals, made narrower by linear facts and operations.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use crate::expr::Binop;
use crate::linear::Rel;
use crate::search::facts::Fact;
use crate::search::state::Node;

/// An integer that may be without bound on either side.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: Option<BigInt>,
    pub(super) high: Option<BigInt>,
}

/// An operation on integers: operands and result.
pub(super) type Operation = (Binop, Node, Node, Node);

/// So often facts are gone through: bounds may creep without end.
const ROUNDS: usize = 12;

/// Shifts by more are not reckoned with.
pub(super) const MAX_SHIFT: i64 = 64;

impl Interval {
    fn exactly(value: &BigInt) -> Interval {
        Interval { low: Some(value.clone()), high: Some(value.clone()) }
    }

    fn times(&self, factor: &BigInt) -> Interval {
        let by = |bound: &Option<BigInt>| bound.as_ref().map(|bound| bound * factor);
        let (low, high) = (by(&self.low), by(&self.high));
        if factor.is_negative() {
            Interval { low: high, high: low }
        } else {
            Interval { low, high }
        }
    }

    fn both(&self) -> Option<(&BigInt, &BigInt)> {
        Some((self.low.as_ref()?, self.high.as_ref()?))
    }

    fn is_not_negative(&self) -> bool {
        self.low.as_ref().is_some_and(|low| !low.is_negative())
    }

    /// The largest distance from zero.
    fn magnitude(&self) -> Option<BigInt> {
        self.both().map(|(low, high)| low.abs().max(high.abs()))
    }

    fn excludes_zero(&self) -> bool {
        self.low.as_ref().is_some_and(Signed::is_positive)
            || self.high.as_ref().is_some_and(Signed::is_negative)
    }

    fn around(magnitude: BigInt) -> Interval {
        Interval { low: Some(-&magnitude), high: Some(magnitude) }
    }
}

/// By node; those without an entry are not bounded.
pub(super) struct Bounds<'a> {
    pub(super) known: FxHashMap<Node, Interval>,
    value: &'a dyn Fn(Node) -> Option<BigInt>,
}

impl<'a> Bounds<'a> {
    pub(super) fn of(
        facts: &[Fact],
        operations: &[Operation],
        value: &'a dyn Fn(Node) -> Option<BigInt>,
    ) -> Bounds<'a> {
        let mut bounds = Bounds { known: FxHashMap::default(), value };
        for _ in 0..ROUNDS {
            let mut changed = false;
            for fact in facts {
                changed |= bounds.fact(fact, 1) && fact.rel != Rel::Ne;
                if fact.rel == Rel::Eq {
                    changed |= bounds.fact(fact, -1);
                }
            }
            for &operation in operations {
                changed |= bounds.operation(operation);
            }
            if !changed {
                break;
            }
        }
        bounds
    }

    pub(super) fn get(&self, node: Node) -> Interval {
        match (self.value)(node) {
            Some(value) => Interval::exactly(&value),
            None => self.known.get(&node).cloned().unwrap_or_default(),
        }
    }

    /// Whether what is said may hold within the bounds.
    pub(super) fn allow(&self, fact: &Fact) -> bool {
        let end = |sign: i64| -> Option<BigInt> {
            let mut sum = &fact.constant * sign;
            for (node, factor) in &fact.terms {
                sum += self.get(*node).times(&(factor * sign)).high?;
            }
            Some(sum)
        };
        let may_reach = |sign: i64| end(sign).is_none_or(|end| !end.is_negative());
        match fact.rel {
            Rel::Ge => may_reach(1),
            Rel::Eq => may_reach(1) && may_reach(-1),
            Rel::Ne => true,
        }
    }

    fn narrow(&mut self, node: Node, to: Interval) -> bool {
        if (self.value)(node).is_some() {
            return false;
        }
        let now = self.known.entry(node).or_default();
        let before = now.clone();
        if let Some(low) = to.low
            && now.low.as_ref().is_none_or(|known| *known < low)
        {
            now.low = Some(low);
        }
        if let Some(high) = to.high
            && now.high.as_ref().is_none_or(|known| *known > high)
        {
            now.high = Some(high);
        }
        *now != before
    }

    /// `sign · (Σ factor · node + constant) ≥ 0`
    fn fact(&mut self, fact: &Fact, sign: i64) -> bool {
        if fact.rel == Rel::Ne {
            return false;
        }
        let terms: Vec<(Node, BigInt)> =
            fact.terms.iter().map(|(node, factor)| (*node, factor * sign)).collect();
        let most: Vec<Option<BigInt>> =
            terms.iter().map(|(node, factor)| self.get(*node).times(factor).high).collect();
        let open = most.iter().filter(|most| most.is_none()).count();
        if open > 1 {
            return false;
        }
        let all = most.iter().flatten().sum::<BigInt>() + &fact.constant * sign;
        let mut changed = false;
        for ((node, factor), own) in terms.iter().zip(&most) {
            if open == 1 && own.is_some() {
                continue;
            }
            // factor · node ≥ -others
            let others = match own {
                Some(own) => &all - own,
                None => all.clone(),
            };
            let bound = floor(&others, &factor.abs());
            let to = match factor.is_positive() {
                true => Interval { low: Some(-bound), high: None },
                false => Interval { low: None, high: Some(bound) },
            };
            changed |= self.narrow(*node, to);
        }
        changed
    }

    fn operation(&mut self, (op, a, b, result): Operation) -> bool {
        let (x, y, z) = (self.get(a), self.get(b), self.get(result));
        let mut changed = match gives(op, &x, &y) {
            Some(to) => self.narrow(result, to),
            None => false,
        };
        if op == Binop::Mul
            && z.excludes_zero()
            && let Some(most) = z.magnitude()
        {
            changed |= self.narrow(a, Interval::around(most.clone()));
            changed |= self.narrow(b, Interval::around(most));
        }
        changed
    }
}

/// What an operation on integers gives.
fn gives(op: Binop, a: &Interval, b: &Interval) -> Option<Interval> {
    let filled = |bits: u64| (BigInt::from(1) << bits) - 1;
    match op {
        Binop::Mul => {
            let ((low, high), (least, most)) = (a.both()?, b.both()?);
            let ends = [low * least, low * most, high * least, high * most];
            Some(Interval { low: ends.iter().min().cloned(), high: ends.iter().max().cloned() })
        }
        Binop::Band if a.is_not_negative() || b.is_not_negative() => {
            let highs = [a, b].into_iter().filter(|side| side.is_not_negative());
            let high = highs.filter_map(|side| side.high.clone()).min();
            Some(Interval { low: Some(BigInt::zero()), high })
        }
        Binop::Band | Binop::Bor | Binop::Bxor => {
            let most = filled(a.magnitude()?.bits().max(b.magnitude()?.bits()));
            match a.is_not_negative() && b.is_not_negative() {
                true => Some(Interval { low: Some(BigInt::zero()), high: Some(most) }),
                false => Some(Interval { low: Some(-&most - 1), high: Some(most) }),
            }
        }
        Binop::Bsl | Binop::Bsr => {
            let (least, most) = b.both()?;
            let by = if op == Binop::Bsl { most.clone() } else { -least };
            let by = i64::try_from(by).ok().filter(|by| *by <= MAX_SHIFT)?.max(0);
            let power = BigInt::from(1) << by;
            let (low, high) = a.both()?;
            let low = if low.is_negative() { low * &power } else { BigInt::zero() };
            let high = if high.is_negative() { BigInt::zero() } else { high * &power };
            Some(Interval { low: Some(low), high: Some(high) })
        }
        Binop::IntDiv => Some(Interval::around(a.magnitude()?)),
        Binop::Rem => {
            let most = match (a.magnitude(), b.magnitude()) {
                (Some(a), Some(b)) => a.min(b),
                (one, other) => one.or(other)?,
            };
            match a.is_not_negative() {
                true => Some(Interval { low: Some(BigInt::zero()), high: Some(most) }),
                false => Some(Interval::around(most)),
            }
        }
        _ => None,
    }
}

/// A quotient, rounded down; the divisor is positive.
fn floor(dividend: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = dividend / divisor;
    if (dividend - &quotient * divisor).is_negative() { quotient - 1 } else { quotient }
}
