//! Operations: what follows from their operands and results.
//!
//! Integers become linear facts where the operation is linear (also `div`, `rem` and the bit
//! operations with a constant); conversions go both ways where they can. What is left waits for its
//! operands to become known.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};
use term::{Term, arith};

use super::facts::{Action, Apply, Fact, Operation, Side};
use super::kinds::Kinds;
use super::propagate::power;
use super::state::{Conflict, Context, Node, Parts, State, Step};
use super::words::Mask;
use crate::bits;
use crate::eval;
use crate::expr::{Binop, Exprs, Ternary, Unary, parts};
use crate::linear::Rel;

/// How deep operands are looked into for being known.
const DEPTH: u32 = 50;

/// Shifts by more bits than this are not made linear.
const MAX_SHIFT: i64 = 4096;

impl State {
    pub(crate) fn applies_pass(&mut self, cx: &mut Context<'_>) -> Step {
        let applies = std::mem::take(&mut self.applies);
        cx.step(applies.len())?;
        let mut kept: Vec<Rc<Apply>> = Vec::with_capacity(applies.len());
        for apply in applies {
            if self.try_apply(cx, &apply)? {
                self.version += 1;
                continue;
            }
            // Equal operands have equal results.
            let twin = kept.iter().find(|other| {
                other.op == apply.op
                    && other.args.len() == apply.args.len()
                    && other
                        .args
                        .iter()
                        .zip(&apply.args)
                        .all(|(a, b)| self.root(*a) == self.root(*b))
            });
            match twin.map(|twin| twin.result) {
                Some(result) => self.merge(result, apply.result)?,
                None => kept.push(apply),
            }
        }
        kept.append(&mut self.applies);
        self.applies = kept;
        Ok(())
    }

    /// Whether the operation needs no more minding.
    fn try_apply(&mut self, cx: &mut Context<'_>, apply: &Apply) -> Step<bool> {
        let operands = match apply.op {
            Operation::Build(id) => parts(cx.exprs.get(id)).len(),
            _ => apply.args.len(),
        };
        let known: Option<Vec<Term>> =
            apply.args[..operands].iter().map(|&arg| self.whole(arg, DEPTH)).collect();
        if let Some(args) = known {
            let value = evaluate(cx.exprs, apply.op, &args).ok_or(Conflict)?;
            self.merge_constant(apply.result, value)?;
            return Ok(true);
        }
        match apply.op {
            Operation::Unary(op) => self.try_unary(op, apply.args[0], apply.result),
            Operation::Binop(op) => {
                self.try_binop(cx, op, apply.args[0], apply.args[1], apply.result)
            }
            Operation::Ternary(Ternary::SetElement) => self.set_element(&apply.args, apply.result),
            Operation::Ternary(_) => self.try_put(&apply.args, apply.result),
            Operation::Build(id) => self.try_build(cx, id, &apply.args, apply.result),
            Operation::Field(field) => self.try_field(&field, &apply.args, apply.result),
            Operation::FloatOfBits(width) => match self.value(apply.result).map(Term::as_float) {
                Some(Some(value)) if value != 0.0 => {
                    let bits = if width == 32 {
                        let narrow = value as f32;
                        if f64::from(narrow) != value {
                            return Err(Conflict);
                        }
                        u64::from(narrow.to_bits())
                    } else {
                        value.to_bits()
                    };
                    self.merge_constant(apply.args[0], Term::from(bits))?;
                    Ok(true)
                }
                _ => Ok(false),
            },
        }
    }

    fn try_unary(&mut self, op: Unary, a: Node, result: Node) -> Step<bool> {
        let kinds = self.kinds(a);
        match op {
            Unary::Neg | Unary::Abs => {
                if self.kinds(result) != Kinds::NUMBER {
                    self.narrow(a, self.kinds(result))?;
                }
                self.narrow(result, self.kinds(a))?;
                if self.kinds(a) == Kinds::FLOAT {
                    self.float_unary(op, a, result)?;
                }
                if self.kinds(a) != Kinds::INT {
                    return Ok(false);
                }
                if op == Unary::Neg {
                    self.linear(&[(1, a), (1, result)], 0, Rel::Eq);
                } else {
                    let sum = |factor: i64| {
                        let terms = vec![(result, BigInt::one()), (a, BigInt::from(-factor))];
                        let sign = vec![(a, BigInt::from(factor))];
                        vec![
                            Action::Linear(sign, BigInt::zero(), Rel::Ge),
                            Action::Linear(terms, BigInt::zero(), Rel::Eq),
                        ]
                    };
                    self.split(vec![sum(1), sum(-1)]);
                }
                Ok(true)
            }
            Unary::Bnot => {
                self.linear(&[(1, a), (1, result)], 1, Rel::Eq);
                Ok(true)
            }
            Unary::Round | Unary::Trunc | Unary::Floor | Unary::Ceil if kinds == Kinds::INT => {
                self.merge(a, result)?;
                Ok(true)
            }
            Unary::Round | Unary::Trunc | Unary::Floor | Unary::Ceil if kinds == Kinds::FLOAT => {
                self.float_unary(op, a, result)?;
                Ok(false)
            }
            Unary::ToFloat if kinds == Kinds::FLOAT => {
                self.merge(a, result)?;
                Ok(true)
            }
            Unary::ListToTuple | Unary::TupleToList => {
                let (list, tuple) =
                    if op == Unary::ListToTuple { (a, result) } else { (result, a) };
                self.list_and_tuple(list, tuple)
            }
            _ => {
                // Conversions of which each result has one source.
                let Some(value) = self.whole(result, DEPTH) else { return Ok(false) };
                let source = match op {
                    Unary::IntegerToList => eval::unary(Unary::ListToInteger, &value),
                    Unary::IntegerToBinary => eval::unary(Unary::BinaryToInteger, &value),
                    Unary::AtomToList => eval::unary(Unary::ListToAtom, &value),
                    Unary::ListToAtom => eval::unary(Unary::AtomToList, &value),
                    Unary::AtomToBinary => eval::unary(Unary::BinaryToAtom, &value),
                    Unary::BinaryToAtom => eval::unary(Unary::AtomToBinary, &value),
                    Unary::BinaryToList => eval::unary(Unary::ListToBinary, &value),
                    Unary::ListToBinary => eval::unary(Unary::BinaryToList, &value),
                    _ => return Ok(false),
                };
                self.merge_constant(a, source.ok_or(Conflict)?)?;
                Ok(false)
            }
        }
    }

    /// A list and a tuple of the same elements.
    fn list_and_tuple(&mut self, list: Node, tuple: Node) -> Step<bool> {
        let class = self.class(tuple);
        let size = match (&class.parts, &class.value) {
            (Some(Parts::Tuple(parts)), _) => Some(parts.len()),
            (_, Some(value)) => value.as_tuple().map(<[_]>::len),
            _ => None,
        };
        let size = match size {
            Some(size) => size,
            None => {
                // The length of the list, if its end is in sight.
                let (mut at, mut length) = (list, 0);
                loop {
                    match self.kinds(at) {
                        Kinds::NIL => break length,
                        Kinds::CONS if length < 1 << 16 => {
                            at = self.cons_parts(at)?.1;
                            length += 1;
                        }
                        _ => return Ok(false),
                    }
                }
            }
        };
        let parts = self.tuple_parts(tuple, size)?;
        let mut at = list;
        for &part in parts.iter() {
            let (head, tail) = self.cons_parts(at)?;
            self.todo.push_back(Action::Merge(head, part));
            at = tail;
        }
        self.narrow(at, Kinds::NIL)?;
        Ok(true)
    }

    fn try_binop(
        &mut self,
        cx: &mut Context<'_>,
        op: Binop,
        a: Node,
        b: Node,
        result: Node,
    ) -> Step<bool> {
        match op {
            Binop::Add | Binop::Sub | Binop::Mul => self.try_ring(op, a, b, result),
            Binop::IntDiv | Binop::Rem => self.try_division(op, a, b, result),
            Binop::Band | Binop::Bor | Binop::Bxor => self.try_bitwise(op, a, b, result),
            Binop::Bsl | Binop::Bsr => {
                let Some(count) = self.value(b).and_then(Term::as_int) else { return Ok(false) };
                let count = if op == Binop::Bsl { count } else { -count };
                if count.abs() > MAX_SHIFT {
                    return Ok(false);
                }
                if count >= 0 {
                    let terms = vec![(result, BigInt::one()), (a, -power(count as u64))];
                    self.linear_big(terms, BigInt::zero(), Rel::Eq);
                } else {
                    let (quotient, _) = self.floor(a, -count as u64);
                    self.merge(quotient, result)?;
                }
                Ok(true)
            }
            Binop::Min | Binop::Max => {
                let (x, y) = if op == Binop::Min { (a, b) } else { (b, a) };
                // min(A, B) is A where A =< B; max(A, B) is A where B =< A.
                self.split(vec![
                    vec![Action::Compare(Side::LessEq, x, y), Action::Merge(result, a)],
                    vec![Action::Compare(Side::Less, y, x), Action::Merge(result, b)],
                ]);
                Ok(true)
            }
            Binop::Element => self.try_element(a, b, result),
            Binop::Append => {
                let kinds = self.kinds(a);
                if kinds == Kinds::NIL {
                    self.merge(result, b)?;
                    return Ok(true);
                }
                if self.root(result) == self.root(b) {
                    // Only the empty list changes nothing.
                    self.narrow(a, Kinds::NIL)?;
                    return Ok(true);
                }
                if !self.kinds(result).meets(Kinds::CONS) {
                    self.narrow(a, Kinds::NIL)?;
                    return Ok(false);
                }
                if kinds == Kinds::CONS {
                    cx.step(1)?;
                    let (head, tail) = self.cons_parts(a)?;
                    let (head2, tail2) = self.cons_parts(result)?;
                    self.merge(head, head2)?;
                    let rest =
                        Apply { op: Operation::Binop(op), args: vec![tail, b], result: tail2 };
                    self.set_proper(tail, true)?;
                    self.applies.push(Rc::new(rest));
                    return Ok(true);
                }
                if self.class(b).proper == Some(true) || self.class(result).proper == Some(true) {
                    self.set_proper(b, true)?;
                    self.set_proper(result, true)?;
                    if self.class(result).size.is_some() {
                        // Lengths add up. Said again each time, and dropped as redundant then.
                        let (m, n, sum) = (self.size(a), self.size(b), self.size(result));
                        self.linear_once(&[(1, m), (1, n), (-1, sum)], 0, Rel::Eq);
                    }
                }
                Ok(false)
            }
            Binop::MapRemove => self.try_remove(a, b, result),
            Binop::Div => {
                self.float_ring(op, a, b, result)?;
                Ok(false)
            }
            Binop::MapGet => Ok(false),
        }
    }

    /// A linear fact that may have been said before.
    pub(crate) fn linear_once(&mut self, terms: &[(i64, Node)], constant: i64, rel: Rel) {
        let named = terms.iter().map(|&(factor, node)| (node, BigInt::from(factor))).collect();
        let fact = Fact { terms: named, constant: BigInt::from(constant), rel };
        let fact = self.simplified(&fact);
        let holds = match rel {
            Rel::Eq => fact.constant.is_zero(),
            Rel::Ge => !fact.constant.is_negative(),
            Rel::Ne => !fact.constant.is_zero(),
        };
        if fact.terms.is_empty() && holds {
            return;
        }
        let same = |other: &Rc<Fact>| {
            let other = self.simplified(other);
            other.rel == rel
                && other.terms == fact.terms
                && other.constant <= fact.constant
                && (rel == Rel::Ge || other.constant == fact.constant)
        };
        if !self.linear.iter().any(same) {
            self.linear_big(fact.terms, fact.constant, rel);
        }
    }

    fn try_ring(&mut self, op: Binop, a: Node, b: Node, result: Node) -> Step<bool> {
        if self.kinds(result) == Kinds::INT {
            self.narrow(a, Kinds::INT)?;
            self.narrow(b, Kinds::INT)?;
        }
        let (x, y) = (self.kinds(a), self.kinds(b));
        if x == Kinds::FLOAT || y == Kinds::FLOAT {
            self.narrow(result, Kinds::FLOAT)?;
            self.float_ring(op, a, b, result)?;
            return Ok(false);
        }
        if x != Kinds::INT || y != Kinds::INT {
            return Ok(false);
        }
        self.narrow(result, Kinds::INT)?;
        match op {
            Binop::Add => self.linear(&[(1, a), (1, b), (-1, result)], 0, Rel::Eq),
            Binop::Sub => self.linear(&[(1, a), (-1, b), (-1, result)], 0, Rel::Eq),
            _ => {
                let (node, factor) = match (self.big(a), self.big(b)) {
                    (Some(factor), _) => (b, factor),
                    (_, Some(factor)) => (a, factor),
                    _ => return Ok(false),
                };
                let terms = vec![(result, BigInt::from(-1)), (node, factor)];
                self.linear_big(terms, BigInt::zero(), Rel::Eq);
            }
        }
        Ok(true)
    }

    fn try_division(&mut self, op: Binop, a: Node, b: Node, result: Node) -> Step<bool> {
        let Some(divisor) = self.big(b) else { return Ok(false) };
        if divisor.is_zero() {
            return Err(Conflict);
        }
        let known = self.divisions.iter().find(|(node, by, down, ..)| {
            !down && *by == divisor && self.root(*node) == self.root(a)
        });
        let (quotient, rest) = match known {
            Some(&(_, _, _, quotient, rest)) => (quotient, rest),
            None => {
                let (quotient, rest) = (self.fresh(Kinds::INT), self.fresh(Kinds::INT));
                let terms =
                    vec![(a, BigInt::from(-1)), (quotient, divisor.clone()), (rest, BigInt::one())];
                self.linear_big(terms, BigInt::zero(), Rel::Eq);
                // The remainder has the sign of the dividend.
                let most: BigInt = divisor.abs() - 1;
                let side = |sign: i64| {
                    let times = |node, factor| vec![(node, BigInt::from(factor))];
                    vec![
                        Action::Linear(times(a, sign), BigInt::zero(), Rel::Ge),
                        Action::Linear(times(rest, sign), BigInt::zero(), Rel::Ge),
                        Action::Linear(times(rest, -sign), most.clone(), Rel::Ge),
                    ]
                };
                self.split(vec![side(1), side(-1)]);
                self.divisions.push((a, divisor, false, quotient, rest));
                (quotient, rest)
            }
        };
        self.merge(result, if op == Binop::IntDiv { quotient } else { rest })?;
        Ok(true)
    }

    /// Quotient and remainder of the division by `2^shift` that rounds down.
    pub(crate) fn floor(&mut self, a: Node, shift: u64) -> (Node, Node) {
        let divisor = power(shift);
        let known = self.divisions.iter().find(|(node, by, down, ..)| {
            *down && *by == divisor && self.root(*node) == self.root(a)
        });
        if let Some(&(_, _, _, quotient, rest)) = known {
            return (quotient, rest);
        }
        let (quotient, rest) = (self.fresh(Kinds::INT), self.fresh(Kinds::INT));
        let terms = vec![(a, BigInt::from(-1)), (quotient, divisor.clone()), (rest, BigInt::one())];
        self.linear_big(terms, BigInt::zero(), Rel::Eq);
        self.linear(&[(1, rest)], 0, Rel::Ge);
        self.linear_big(vec![(rest, BigInt::from(-1))], &divisor - 1, Rel::Ge);
        self.divisions.push((a, divisor, true, quotient, rest));
        (quotient, rest)
    }

    fn try_bitwise(&mut self, op: Binop, a: Node, b: Node, result: Node) -> Step<bool> {
        let (node, mask) = match (self.big(a), self.big(b)) {
            (Some(mask), _) => (b, mask),
            (_, Some(mask)) => (a, mask),
            _ => return Ok(false),
        };
        if mask.bits() > MAX_SHIFT as u64 {
            return Ok(false);
        }
        // The sum of factor · node that is `node band mask`.
        let mut sum: Vec<(Node, BigInt)> = Vec::new();
        let (ones, sign) = if mask.sign() == Sign::Minus {
            // All but the zeros of the mask.
            sum.push((node, BigInt::one()));
            (-&mask - 1, BigInt::from(-1))
        } else {
            (mask.clone(), BigInt::one())
        };
        let mut at = 0;
        while at < ones.bits() {
            if !ones.bit(at) {
                at += 1;
                continue;
            }
            let end = (at..).find(|&bit| !ones.bit(bit)).unwrap_or(at + 1);
            let (high, _) = if at == 0 { (node, node) } else { self.floor(node, at) };
            let (_, piece) = self.floor(high, end - at);
            sum.push((piece, &sign * power(at)));
            at = end;
        }
        // bor: a + m - (a band m); bxor: a + m - 2 (a band m)
        let (band, whole, constant) = match op {
            Binop::Band => (1, 0, BigInt::zero()),
            Binop::Bor => (-1, 1, mask.clone()),
            _ => (-2, 1, mask.clone()),
        };
        let mut terms = vec![(result, BigInt::from(-1)), (node, BigInt::from(whole))];
        terms.extend(sum.into_iter().map(|(node, factor)| (node, factor * band)));
        terms.retain(|(_, factor)| !factor.is_zero());
        let fact = Fact { terms: terms.clone(), constant: constant.clone(), rel: Rel::Eq };
        self.masks.push(Rc::new(Mask { op, node, mask, result, fact }));
        self.linear_big(terms, constant, Rel::Eq);
        Ok(true)
    }

    /// `element(Index, Tuple)`
    fn try_element(&mut self, index: Node, tuple: Node, result: Node) -> Step<bool> {
        let class = self.class(tuple);
        let size = match (&class.parts, &class.value) {
            (Some(Parts::Tuple(parts)), _) => Some(parts.len()),
            (_, Some(value)) => value.as_tuple().map(<[_]>::len),
            _ => None,
        };
        let at = self.big(index);
        if at.is_none() || size.is_none() {
            let bound = self.size(tuple);
            self.linear_once(&[(1, index)], -1, Rel::Ge);
            self.linear_once(&[(1, bound), (-1, index)], 0, Rel::Ge);
        }
        match (at, size) {
            (Some(at), Some(size)) => {
                let at = at.to_usize().filter(|&at| (1..=size).contains(&at)).ok_or(Conflict)?;
                let parts = self.tuple_parts(tuple, size)?;
                self.merge(result, parts[at - 1])?;
                Ok(true)
            }
            (Some(at), None) => {
                let at = at.to_u32().filter(|&at| at > 0).ok_or(Conflict)?;
                let known = self.class(tuple).elements.iter().find(|(other, _)| *other == at);
                match known {
                    Some(&(_, element)) => self.merge(result, element)?,
                    None => self.change(tuple).elements.push((at, result)),
                }
                Ok(true)
            }
            (None, Some(size)) if size <= 64 => {
                let parts = self.tuple_parts(tuple, size)?;
                let cases = parts.iter().enumerate().map(|(at, &part)| {
                    vec![Action::Constant(index, Term::from(at + 1)), Action::Merge(result, part)]
                });
                let cases = cases.collect();
                self.split(cases);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn set_element(&mut self, args: &[Node], result: Node) -> Step<bool> {
        let (index, tuple, value) = (args[0], args[1], args[2]);
        let (old, new) = (self.size(tuple), self.size(result));
        self.merge(old, new)?;
        let size = [tuple, result].iter().find_map(|&node| {
            match (&self.class(node).parts, self.value(node)) {
                (Some(Parts::Tuple(parts)), _) => Some(parts.len()),
                (_, Some(value)) => value.as_tuple().map(<[_]>::len),
                _ => None,
            }
        });
        let Some(size) = size.filter(|size| *size <= 256) else { return Ok(false) };
        let (before, after) = (self.tuple_parts(tuple, size)?, self.tuple_parts(result, size)?);
        let with = |at: usize| {
            let others = (0..size).filter(|&i| i + 1 != at);
            let mut case: Vec<Action> =
                others.map(|i| Action::Merge(before[i], after[i])).collect();
            case.push(Action::Merge(after[at - 1], value));
            case
        };
        match self.big(index) {
            Some(at) => {
                let at = at.to_usize().filter(|&at| (1..=size).contains(&at)).ok_or(Conflict)?;
                self.todo.extend(with(at));
            }
            None => {
                let cases = (1..=size).map(|at| {
                    let mut case = with(at);
                    case.push(Action::Constant(index, Term::from(at)));
                    case
                });
                let cases = cases.collect();
                self.split(cases);
            }
        }
        Ok(true)
    }
}

/// The result of an operation on values.
pub(crate) fn evaluate(exprs: &Exprs, op: Operation, args: &[Term]) -> Option<Term> {
    match (op, args) {
        (Operation::Build(id), _) => {
            let parts = parts(exprs.get(id));
            eval::apply(exprs, exprs.get(id), |part| {
                args.get(parts.iter().position(|&other| other == part)?).cloned()
            })
        }
        (Operation::Unary(op), [a]) => eval::unary(op, a),
        (Operation::Binop(op), [a, b]) => eval::binop(op, a, b),
        (Operation::Ternary(op), [a, b, c]) => eval::ternary(op, a, b, c.clone()),
        (Operation::Field(field), [bits, offset, size @ ..]) => {
            bits::read(&field, bits, offset, size.first())
        }
        (Operation::FloatOfBits(width), [a]) => {
            let bits = arith::to_bigint(a)?.to_u64()?;
            let value = if width == 32 {
                f64::from(f32::from_bits(u32::try_from(bits).ok()?))
            } else {
                f64::from_bits(bits)
            };
            value.is_finite().then(|| Term::float(value))
        }
        _ => None,
    }
}
