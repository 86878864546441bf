//! Integers of a case as rows of bits, where sums alone do not decide: products of unknowns,
//! several bit operations together, shifts and divisions by unknowns.
//!
//! What the case says of its integers ([`Bounds`] says how large they are) becomes clauses
//! (`circuit`), and these are searched (`sat`). Integers that nothing bounds are taken to be small,
//! then larger: there a contradiction says nothing. Where all are bounded, it refutes the case.

mod bounds;
mod circuit;
mod sat;
#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use self::bounds::{Bounds, Interval, MAX_SHIFT};
use self::circuit::{Circuit, Word};
use super::facts::{Action, Fact, Operation};
use super::kinds::Kinds;
use super::state::{Context, Node, State};
use crate::expr::Binop;
use crate::linear::{Outcome, Rel};
use crate::meter::Meter;

/// How many bits integers without bound have, one after the other.
const WIDTHS: [u64; 4] = [7, 15, 31, 63];

/// Wider integers, even if they are bounded, are tried with fewer bits, too.
const MOST_BITS: u64 = 160;

/// Questions that come to more clauses are given up.
const MOST_CLAUSES: usize = 400_000;

/// Of larger cases bounds are not looked at before they are told apart.
const MOST_FACTS: usize = 200;

/// What it costs to bound the integers of a case, in steps for each fact: they are gone through
/// several times, with large numbers.
const BOUND_FACT: usize = 4;

/// What a clause costs, in steps: so many of them one.
const CLAUSES: u64 = 4;

/// `result` is an operation of a node and a constant, which was said as a sum of pieces of it.
#[derive(Clone, Debug)]
pub(crate) struct Mask {
    pub(crate) op: Binop,
    pub(crate) node: Node,
    pub(crate) mask: BigInt,
    pub(crate) result: Node,
    /// What was said.
    pub(crate) fact: Fact,
}

/// The integers of a case.
struct Question {
    facts: Vec<Fact>,
    operations: Vec<bounds::Operation>,
    /// Quotients and remainders by powers of two: dividend, power, quotient, remainder.
    pieces: Vec<(Node, usize, Node, Node)>,
    masks: Vec<(Binop, Node, BigInt, Node)>,
}

impl State {
    /// Whether integers of this case need more than sums.
    pub(crate) fn has_words(&self) -> bool {
        !self.masks.is_empty() || self.applies.iter().any(|apply| self.as_word(apply).is_some())
    }

    fn as_word(&self, apply: &super::facts::Apply) -> Option<bounds::Operation> {
        let Operation::Binop(op) = apply.op else { return None };
        let is_one = matches!(
            op,
            Binop::Mul
                | Binop::IntDiv
                | Binop::Rem
                | Binop::Band
                | Binop::Bor
                | Binop::Bxor
                | Binop::Bsl
                | Binop::Bsr
        );
        let nodes = [apply.args[0], *apply.args.get(1)?, apply.result].map(|node| self.root(node));
        let [a, b, result] = nodes;
        let are_integers = nodes.iter().all(|&node| self.kinds(node) == Kinds::INT);
        (is_one && are_integers).then_some((op, a, b, result))
    }

    /// Values for the integers of this case, by their bits.
    pub(crate) fn words(&self, meter: &mut Meter) -> Outcome {
        let question = self.question();
        let value = |node: Node| self.big(node);
        let bounds = Bounds::of(&question.facts, &question.operations, &value);
        let nodes = question.nodes(&value);
        let is_small = |interval: &Interval| match (&interval.low, &interval.high) {
            (Some(low), Some(high)) => (high - low).bits() <= MOST_BITS,
            _ => false,
        };
        if nodes.iter().all(|&node| is_small(&bounds.get(node))) {
            return question.solve(&nodes, &value, &|node| bounds.get(node), meter);
        }
        for (at, width) in WIDTHS.into_iter().enumerate() {
            let range = |node: Node| within(bounds.get(node), width);
            let mut part = meter.part(meter.left / (WIDTHS.len() - at) as u64);
            let found = question.solve(&nodes, &value, &range, &mut part);
            meter.joined(&part);
            if let Outcome::Sat(_) = found {
                return found;
            }
        }
        Outcome::Unknown
    }

    /// The cases that how large integers are leaves, where some say so.
    pub(crate) fn within_bounds(
        &self,
        cx: &mut Context<'_>,
        cases: &[Vec<Action>],
    ) -> Option<Vec<Vec<Action>>> {
        let sums = |case: &Vec<Action>| case.iter().any(|it| matches!(it, Action::Linear(..)));
        if !cases.iter().any(sums) || self.linear.len() > MOST_FACTS {
            return None;
        }
        cx.step(BOUND_FACT * self.linear.len()).ok()?;
        let facts: Vec<Fact> = self.linear.iter().map(|fact| self.simplified(fact)).collect();
        let operations: Vec<bounds::Operation> =
            self.applies.iter().filter_map(|apply| self.as_word(apply)).collect();
        let value = |node: Node| self.big(node);
        let bounds = Bounds::of(&facts, &operations, &value);
        let is_possible = |action: &Action| match action {
            Action::Linear(terms, constant, rel) => {
                let fact = Fact { terms: terms.clone(), constant: constant.clone(), rel: *rel };
                bounds.allow(&self.simplified(&fact))
            }
            _ => true,
        };
        Some(cases.iter().filter(|case| case.iter().all(is_possible)).cloned().collect())
    }

    fn question(&self) -> Question {
        let operations = self.applies.iter().filter_map(|apply| self.as_word(apply)).collect();
        // What is said of pieces is said by their bits.
        let mut said: FxHashSet<(Vec<(Node, BigInt)>, BigInt)> = FxHashSet::default();
        let mut pieces = Vec::new();
        for (node, divisor, is_down, quotient, rest) in &self.divisions {
            let power = divisor.bits() as usize - 1;
            if !is_down || *divisor != BigInt::one() << power {
                continue;
            }
            let [node, quotient, rest] = [*node, *quotient, *rest].map(|node| self.root(node));
            let terms = vec![(node, (-1).into()), (quotient, divisor.clone()), (rest, 1.into())];
            let fact = Fact { terms, constant: BigInt::zero(), rel: Rel::Eq };
            said.insert(self.plain(&fact));
            pieces.push((node, power, quotient, rest));
        }
        let mut masks = Vec::new();
        for known in &self.masks {
            let Mask { op, node, mask, result, fact } = &**known;
            said.insert(self.plain(fact));
            masks.push((*op, self.root(*node), mask.clone(), self.root(*result)));
        }
        let facts = self.linear.iter().map(|fact| self.simplified(fact));
        let facts = facts.filter(|fact| fact.rel != Rel::Eq || !said.contains(&self.plain(fact)));
        Question { facts: facts.collect(), operations, pieces, masks }
    }

    /// An equation as it is when it is simplified.
    fn plain(&self, fact: &Fact) -> (Vec<(Node, BigInt)>, BigInt) {
        let fact = self.simplified(fact);
        (fact.terms, fact.constant)
    }
}

/// The part of an interval in which numbers have so many bits, next to what bounds it.
fn within(interval: Interval, width: u64) -> Interval {
    let most = BigInt::one() << width;
    let (low, high) = match (interval.low, interval.high) {
        (Some(low), Some(high)) if &high - &low <= most => (low, high),
        (Some(low), high) if low.is_positive() => {
            let end = &low + &most;
            (low, high.map_or(end.clone(), |high| high.min(end)))
        }
        (low, Some(high)) if high.is_negative() => {
            let end = &high - &most;
            (low.map_or(end.clone(), |low| low.max(end)), high)
        }
        (low, high) => {
            let (down, up) = (-&most, most);
            (low.map_or(down.clone(), |low| low.max(down)), high.map_or(up.clone(), |h| h.min(up)))
        }
    };
    Interval { low: Some(low), high: Some(high) }
}

impl Question {
    /// The integers that are not known, in order.
    fn nodes(&self, value: &impl Fn(Node) -> Option<BigInt>) -> Vec<Node> {
        let facts = self.facts.iter().flat_map(|fact| fact.terms.iter().map(|(node, _)| *node));
        let operations = self.operations.iter().flat_map(|&(_, a, b, result)| [a, b, result]);
        let pieces = self.pieces.iter().flat_map(|&(node, _, high, low)| [node, high, low]);
        let masks = self.masks.iter().flat_map(|&(_, node, _, result)| [node, result]);
        let all = facts.chain(operations).chain(pieces).chain(masks);
        let mut nodes: Vec<Node> = all.filter(|&node| value(node).is_none()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn solve(
        &self,
        nodes: &[Node],
        value: &impl Fn(Node) -> Option<BigInt>,
        range: &impl Fn(Node) -> Interval,
        meter: &mut Meter,
    ) -> Outcome {
        let mut circuit = Circuit::new();
        let mut words: FxHashMap<Node, Word> = FxHashMap::default();
        for &node in nodes {
            let Interval { low: Some(low), high: Some(high) } = range(node) else {
                return Outcome::Unknown;
            };
            if low > high {
                return Outcome::Unsat;
            }
            words.insert(node, circuit.between(&low, &high));
        }
        let word = |circuit: &Circuit, node: Node| match words.get(&node) {
            Some(word) => word.clone(),
            None => circuit.constant(&value(node).unwrap_or_default()),
        };
        let mut counted = 0;
        let mut is_affordable = |circuit: &Circuit| {
            let new = (circuit.sat.clauses() - counted) as u64;
            counted = circuit.sat.clauses();
            counted <= MOST_CLAUSES && meter.take(new / CLAUSES)
        };
        for &(node, power, quotient, rest) in &self.pieces {
            let [node, quotient, rest] = [node, quotient, rest].map(|node| word(&circuit, node));
            circuit.equate(&quotient, &node.lowered(power));
            let low = circuit.low_bits(&node, power);
            circuit.equate(&rest, &low);
        }
        for (op, node, mask, result) in &self.masks {
            let (a, b) = (word(&circuit, *node), circuit.constant(mask));
            let made = bitwise(&mut circuit, *op, &a, &b);
            let result = word(&circuit, *result);
            circuit.equate(&result, &made);
        }
        for fact in &self.facts {
            if !is_affordable(&circuit) {
                return Outcome::Unknown;
            }
            assert_fact(&mut circuit, fact, &word);
        }
        for &(op, a, b, result) in &self.operations {
            if !is_affordable(&circuit) {
                return Outcome::Unknown;
            }
            let counts = match value(b) {
                Some(count) => Interval { low: Some(count.clone()), high: Some(count) },
                None => range(b),
            };
            let [a, b, result] = [a, b, result].map(|node| word(&circuit, node));
            if !operate(&mut circuit, op, [&a, &b, &result], &counts) {
                return Outcome::Unknown;
            }
        }
        if !is_affordable(&circuit) {
            return Outcome::Unknown;
        }
        match circuit.sat.solve(meter) {
            None => Outcome::Unknown,
            Some(false) => Outcome::Unsat,
            Some(true) => {
                let values = words.iter().map(|(node, word)| (node.0, circuit.value(word)));
                Outcome::Sat(values.collect())
            }
        }
    }
}

fn bitwise(circuit: &mut Circuit, op: Binop, a: &Word, b: &Word) -> Word {
    match op {
        Binop::Band => circuit.band(a, b),
        Binop::Bor => circuit.bor(a, b),
        _ => circuit.bxor(a, b),
    }
}

fn assert_fact(circuit: &mut Circuit, fact: &Fact, word: &impl Fn(&Circuit, Node) -> Word) {
    // One that stands by itself is what the others come to.
    let alone = fact.terms.iter().position(|(_, factor)| factor.abs().is_one());
    let alone = alone.filter(|_| fact.rel == Rel::Eq);
    let sign = alone.map_or_else(BigInt::one, |at| -&fact.terms[at].1);
    let mut sum = circuit.constant(&(&fact.constant * &sign));
    for (at, (node, factor)) in fact.terms.iter().enumerate() {
        if Some(at) != alone {
            let term = word(circuit, *node);
            let term = circuit.scaled(&term, &(factor * &sign));
            sum = circuit.sum(&sum, &term);
        }
    }
    match (fact.rel, alone) {
        (Rel::Eq, Some(at)) => {
            let other = word(circuit, fact.terms[at].0);
            circuit.equate(&other, &sum);
        }
        (Rel::Ge, _) => circuit.sat.add(&[sum.sign().not()]),
        (rel, _) => {
            let zero = circuit.is_zero(&sum);
            circuit.sat.add(&[if rel == Rel::Eq { zero } else { zero.not() }]);
        }
    }
}

/// Says what an operation gives; false if it is beyond this.
fn operate(
    circuit: &mut Circuit,
    op: Binop,
    [a, b, result]: [&Word; 3],
    counts: &Interval,
) -> bool {
    match op {
        Binop::Mul => {
            let product = circuit.product(a, b);
            circuit.equate(result, &product);
        }
        Binop::Band | Binop::Bor | Binop::Bxor => {
            let made = bitwise(circuit, op, a, b);
            circuit.equate(result, &made);
        }
        Binop::Bsl | Binop::Bsr => return shift(circuit, op, [a, b, result], counts),
        Binop::IntDiv | Binop::Rem => {
            // The divisor times the quotient, and a rest that is smaller and has the sign of the
            // dividend.
            let (quotient, rest) = match op {
                Binop::IntDiv => (result.clone(), free(circuit, b.width())),
                _ => (free(circuit, a.width() + 1), result.clone()),
            };
            let product = circuit.product(b, &quotient);
            let sum = circuit.sum(&product, &rest);
            circuit.equate(a, &sum);
            let (size, most) = (circuit.magnitude(&rest), circuit.magnitude(b));
            let distance = circuit.difference(&size, &most);
            circuit.sat.add(&[distance.sign()]);
            let none = circuit.is_zero(&rest);
            let differ = circuit.xor(rest.sign(), a.sign());
            circuit.sat.add(&[none, differ.not()]);
        }
        _ => return false,
    }
    true
}

fn free(circuit: &mut Circuit, width: usize) -> Word {
    let power = BigInt::one() << (width.max(1) - 1);
    circuit.between(&-&power, &(power - 1))
}

/// A shift by an unknown, if that is not large.
fn shift(circuit: &mut Circuit, op: Binop, [a, b, result]: [&Word; 3], counts: &Interval) -> bool {
    let small = |bound: &Option<BigInt>| {
        bound.as_ref()?.to_i64().filter(|count| count.unsigned_abs() <= MAX_SHIFT.unsigned_abs())
    };
    let (Some(low), Some(high)) = (small(&counts.low), small(&counts.high)) else { return false };
    let mut made = a.clone();
    let mut known = Vec::new();
    for by in low..=high {
        let number = circuit.constant(&BigInt::from(by));
        let is_this = circuit.are_equal(b, &number);
        let by = if op == Binop::Bsl { by } else { -by };
        let shifted = circuit.shifted(a, by);
        made = circuit.chosen(is_this, &shifted, &made);
        known.push(is_this);
    }
    circuit.sat.add(&known);
    circuit.equate(result, &made);
    true
}
