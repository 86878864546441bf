//! Numbers as text, where neither is known: how long the text is and whether it has a sign is told
//! apart; then the number is the sum of its digits, which is linear, and nothing is left to do.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use term::Term;

use super::facts::{Action, Operation};
use super::kinds::Kinds;
use super::state::{Node, State, Step};
use crate::expr::Unary;
use crate::linear::Rel;

/// Longer texts are not told apart.
const LONGEST: u64 = 40;

/// A number and its text.
struct Written {
    digits: Vec<Node>,
    number: Node,
    /// Whether the text was made from the number: then it has no leading zeros and no `+`.
    is_made: bool,
}

impl State {
    /// The cases of the first number whose text is not known, if there is one.
    pub(super) fn refine_digits(&mut self) -> Option<Vec<Vec<Action>>> {
        let at = self.applies.iter().position(|apply| {
            sides(apply.op).is_some() && self.whole(apply.args[0], 50).is_none()
        })?;
        let apply = Rc::clone(&self.applies[at]);
        let (is_made, unit) = sides(apply.op)?;
        let (text, number) = match is_made {
            true => (apply.result, apply.args[0]),
            false => (apply.args[0], apply.result),
        };
        let size = self.size(text);
        let Some(known) = self.big(size) else {
            if unit > 1 {
                let bytes = self.fresh(Kinds::INT);
                self.linear(&[(1, size), (-unit, bytes)], 0, Rel::Eq);
            }
            let least = self.at_least(size).max(unit);
            let least = (least + unit - 1) / unit * unit;
            let case = |constant: i64, rel| {
                vec![Action::Linear(vec![(size, 1.into())], constant.into(), rel)]
            };
            return Some(vec![case(-least, Rel::Eq), case(-least - 1, Rel::Ge)]);
        };
        let len = known.to_u64().filter(|bits| bits % unit as u64 == 0)? / unit as u64;
        if len > LONGEST {
            return None;
        }
        let impossible = vec![vec![Action::Narrow(text, Kinds::NONE)]];
        let Ok(digits) = self.characters(text, len, unit) else { return Some(impossible) };
        self.applies.remove(at);
        self.version += 1;
        let cases = Written { digits, number, is_made }.cases();
        Some(if cases.is_empty() { impossible } else { cases })
    }

    /// What is said about how small an integer is.
    fn at_least(&self, node: Node) -> i64 {
        let root = self.root(node);
        let bounds = self.linear.iter().map(|fact| self.simplified(fact)).filter(|fact| {
            let is_one = |(node, factor): &(Node, BigInt)| *node == root && factor.is_one();
            fact.rel == Rel::Ge && fact.terms.len() == 1 && is_one(&fact.terms[0])
        });
        bounds.filter_map(|fact| (-fact.constant).to_i64()).max().unwrap_or(0)
    }

    /// The characters of a text of so many.
    fn characters(&mut self, text: Node, len: u64, unit: i64) -> Step<Vec<Node>> {
        let mut found = Vec::new();
        let mut rest = text;
        for at in 0..len {
            if unit > 1 {
                found.push(self.bits_field(text, at * 8, 8)?);
                continue;
            }
            let (head, tail) = self.cons_parts(rest)?;
            self.narrow(head, Kinds::INT)?;
            found.push(head);
            rest = tail;
        }
        if unit == 1 {
            self.narrow(rest, Kinds::NIL)?;
        }
        Ok(found)
    }
}

/// Of an operation between a number and its text: whether it makes the text, and what its size is
/// counted in: characters, or bits of them.
fn sides(op: Operation) -> Option<(bool, i64)> {
    match op {
        Operation::Unary(Unary::IntegerToList) => Some((true, 1)),
        Operation::Unary(Unary::ListToInteger) => Some((false, 1)),
        Operation::Unary(Unary::IntegerToBinary) => Some((true, 8)),
        Operation::Unary(Unary::BinaryToInteger) => Some((false, 8)),
        _ => None,
    }
}

impl Written {
    fn cases(&self) -> Vec<Vec<Action>> {
        let mut cases = Vec::new();
        let Some((&first, rest)) = self.digits.split_first() else { return cases };
        cases.push(self.sum(&self.digits, 1));
        if !rest.is_empty() {
            let signs: &[(u8, i64)] =
                if self.is_made { &[(b'-', -1)] } else { &[(b'-', -1), (b'+', 1)] };
            for &(sign, factor) in signs {
                let mut case = vec![Action::Constant(first, Term::int(i64::from(sign)))];
                case.extend(self.sum(rest, factor));
                cases.push(case);
            }
        }
        cases
    }

    /// The number is what these digits say, times a sign.
    fn sum(&self, digits: &[Node], sign: i64) -> Vec<Action> {
        let mut facts = Vec::new();
        let (mut power, mut constant) = (BigInt::one(), BigInt::zero());
        let mut terms = vec![(self.number, BigInt::from(-1))];
        for (place, &digit) in digits.iter().enumerate().rev() {
            let has_zero = !self.is_made || place > 0 || (digits.len() == 1 && sign > 0);
            let least = if has_zero { i64::from(b'0') } else { i64::from(b'1') };
            let between = |factor: i64, constant: i64| {
                Action::Linear(vec![(digit, factor.into())], constant.into(), Rel::Ge)
            };
            facts.extend([between(1, -least), between(-1, i64::from(b'9'))]);
            terms.push((digit, &power * sign));
            constant -= &power * sign * i64::from(b'0');
            power *= 10;
        }
        facts.push(Action::Linear(terms, constant, Rel::Eq));
        facts
    }
}
