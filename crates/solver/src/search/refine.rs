//! Where the guess at the end of a case was wrong: what to tell apart next.
//!
//! Every refinement covers all values of the case, so nothing is lost; where a kind of value cannot
//! be told apart completely, the last alternative gives up.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use rustc_hash::FxHashMap;
use term::{Term, arith};

use super::facts::{Action, Apply, Operation, Side};
use super::kinds::Kinds;
use super::state::{Context, Node, Parts, State};
use crate::domain::Domain;
use crate::eval;
use crate::expr::{Binop, Unary};
use crate::linear::Rel;

/// How often values are tried out on one path of the search.
const MAX_TRIES: u32 = 48;

/// How often values that are not integers are tried out in one search.
const MAX_GUESSES: u32 = 60;

type Cases = Vec<Vec<Action>>;

impl State {
    /// The cases to look at next, best first; none if the solver knows no more.
    pub(crate) fn refine(
        &mut self,
        cx: &mut Context<'_>,
        values: &FxHashMap<Node, Term>,
    ) -> Option<Cases> {
        if let Some(node) = self.unclear() {
            return Some(self.kinds_of(node));
        }
        if let Some((a, b)) = self.doubtful_keys() {
            return Some(vec![vec![Action::Different(a, b)], vec![Action::Merge(a, b)]]);
        }
        if let Some(cases) = self.refine_domains(cx) {
            return Some(cases);
        }
        if let Some(cases) = self.refine_sizes(values) {
            return Some(cases);
        }
        if let Some(cases) = self.refine_different() {
            return Some(cases);
        }
        self.tries += 1;
        if self.tries > MAX_TRIES {
            return None;
        }
        let cases = self
            .refine_digits()
            .or_else(|| self.refine_applies(values))
            .or_else(|| self.refine_orders(values));
        if let Some(cases) = &cases
            && cases.len() > 2
        {
            cx.guesses += 1;
            if cx.guesses > MAX_GUESSES {
                return None;
            }
        }
        cases
    }

    /// A value of several kinds that something depends on.
    fn unclear(&self) -> Option<Node> {
        let several = |node: &Node| !self.kinds(*node).is_one();
        let operands = self.applies.iter().flat_map(|apply| {
            let looks = !matches!(apply.op, Operation::Ternary(_));
            apply.args.iter().copied().filter(move |_| looks)
        });
        let compared = self.orders.iter().flat_map(|order| [order.a, order.b]);
        let minded = self.roots().into_iter().filter(|&node| !self.class(node).domains.is_empty());
        let apart = self.different.iter().flat_map(|&(a, b)| [a, b]);
        let keys = self.roots().into_iter().flat_map(|node| {
            self.class(node).entries.iter().map(|(key, _)| *key).collect::<Vec<_>>()
        });
        operands
            .filter(|node| !self.is_free_operand(*node))
            .chain(compared)
            .chain(minded)
            .chain(apart)
            .chain(keys)
            .find(|node| several(node))
    }

    /// An operand whose kind does not matter to the operations that wait for it.
    fn is_free_operand(&self, node: Node) -> bool {
        let root = self.root(node);
        self.applies.iter().filter(|apply| apply.args.iter().any(|&a| self.root(a) == root)).all(
            |apply| match apply.op {
                // The second list is taken as it is; keys and values likewise.
                Operation::Binop(Binop::Append) => self.root(apply.args[0]) != root,
                Operation::Binop(Binop::MapRemove) => true,
                _ => false,
            },
        )
    }

    /// One kind, or the others.
    fn kinds_of(&self, node: Node) -> Cases {
        let kinds = self.kinds(node);
        let first = Kinds::PREFERRED.into_iter().find(|kind| kinds.meets(*kind));
        let first = first.unwrap_or(kinds);
        vec![vec![Action::Narrow(node, first)], vec![Action::Narrow(node, kinds.and(first.not()))]]
    }

    fn refine_domains(&self, cx: &Context<'_>) -> Option<Cases> {
        for node in self.roots() {
            for &(domain, belongs) in &self.class(node).domains {
                if let (Domain::Union(all), true) = (cx.exprs.get_domain(domain), belongs) {
                    return Some(
                        all.iter().map(|&one| vec![Action::Belongs(node, one, true)]).collect(),
                    );
                }
            }
        }
        None
    }

    /// Tuples of unknown size that are compared or looked into: the size of the guess, or another.
    fn refine_sizes(&mut self, values: &FxHashMap<Node, Term>) -> Option<Cases> {
        let unsized_tuple = |state: &State, node: &Node| {
            let class = state.class(*node);
            class.kinds == Kinds::TUPLE
                && class.value.is_none()
                && !matches!(class.parts, Some(Parts::Tuple(_)))
        };
        let compared = self.orders.iter().flat_map(|order| [order.a, order.b]);
        let apart = self.different.iter().flat_map(|&(a, b)| [a, b]);
        let operands = self.applies.iter().flat_map(|apply| apply.args.iter().copied());
        let minded = self.roots().into_iter().filter(|&node| !self.class(node).domains.is_empty());
        let node = compared
            .chain(apart)
            .chain(operands)
            .chain(minded)
            .find(|node| unsized_tuple(self, node))?;
        let guess = values.get(&self.root(node)).and_then(|v| v.as_tuple()).map_or(0, <[_]>::len);
        self.tries += 1;
        if self.tries > MAX_TRIES {
            return Some(vec![vec![Action::GiveUp]]);
        }
        let size = self.size(node);
        let same = |rel| vec![Action::Linear(vec![(size, 1.into())], -BigInt::from(guess), rel)];
        Some(vec![same(Rel::Eq), same(Rel::Ne)])
    }

    fn refine_different(&mut self) -> Option<Cases> {
        let (a, b) = self.different.iter().copied().find(|&(a, b)| {
            let kinds = self.kinds(a);
            kinds == self.kinds(b) && (kinds == Kinds::MAP || kinds == Kinds::BITS)
        })?;
        let at = self.different.iter().position(|&pair| pair == (a, b))?;
        if self.kinds(a) == Kinds::MAP {
            self.different.remove(at);
            return Some(self.different_maps(a, b));
        }
        let (m, n) = (self.size(a), self.size(b));
        let sum = vec![(m, 1.into()), (n, (-1).into())];
        let other = vec![Action::Linear(sum, 0.into(), Rel::Ne)];
        let known = self.big(m).filter(|m| self.big(n).is_some_and(|n| *m == n));
        match known.and_then(|size| size.to_u64()).filter(|size| *size <= 4096) {
            Some(size) => {
                self.different.remove(at);
                let whole = |state: &mut State, node| state.whole_field(node, size);
                let (x, y) = (whole(self, a)?, whole(self, b)?);
                Some(vec![vec![Action::Different(x, y)]])
            }
            None if self.big(m).is_some() || self.big(n).is_some() => {
                Some(vec![other, vec![Action::Merge(m, n)]])
            }
            None => {
                self.tries += 1;
                Some(vec![other, vec![Action::GiveUp]])
            }
        }
    }

    /// Operations that are not linear: try values of an operand.
    fn refine_applies(&mut self, values: &FxHashMap<Node, Term>) -> Option<Cases> {
        let applies = self.applies.clone();
        for apply in &applies {
            if matches!(apply.op, Operation::Ternary(_) | Operation::Binop(Binop::MapRemove)) {
                continue;
            }
            let mut unknown =
                apply.args.iter().copied().filter(|&arg| self.whole(arg, 50).is_none());
            let operand = match apply.op {
                // With the count known, a shift is linear.
                Operation::Binop(Binop::Bsl | Binop::Bsr) => unknown.next_back(),
                _ => unknown.next(),
            };
            let Some(operand) = operand else { continue };
            if let Some(cases) = self.try_operand(apply, operand, values) {
                return Some(cases);
            }
        }
        None
    }

    fn try_operand(
        &self,
        apply: &Apply,
        operand: Node,
        values: &FxHashMap<Node, Term>,
    ) -> Option<Cases> {
        let value = |node: Node| {
            let root = self.root(node);
            self.value(root).or_else(|| values.get(&root)).cloned()
        };
        let mut candidates: Vec<Term> = sources(apply, operand, self, &value);
        candidates.extend(value(operand));
        if self.kinds(operand) == Kinds::FLOAT {
            // So large that adding a little changes nothing.
            candidates.extend([Term::float(1.0e17), Term::float(-1.0e17)]);
        }
        let kinds = self.kinds(operand);
        candidates.retain(|candidate| Kinds::of(candidate).within(kinds));
        let mut distinct: Vec<Term> = Vec::new();
        for candidate in candidates {
            if !distinct.iter().any(|other| term::order::exact_eq(other, &candidate)) {
                distinct.push(candidate);
            }
        }
        let first = distinct.first()?.clone();
        if kinds == Kinds::INT {
            // An integer: this one, or any other.
            let number = arith::to_bigint(&first)?;
            let case = |rel| vec![Action::Linear(vec![(operand, 1.into())], -number.clone(), rel)];
            return Some(vec![case(Rel::Eq), case(Rel::Ne)]);
        }
        let mut cases: Cases = distinct
            .into_iter()
            .take(8)
            .map(|candidate| vec![Action::Constant(operand, candidate)])
            .collect();
        cases.push(vec![Action::GiveUp]);
        Some(cases)
    }

    /// Floats and atoms that are compared with each other: try values.
    fn refine_orders(&mut self, values: &FxHashMap<Node, Term>) -> Option<Cases> {
        let mut nodes = self.orders.iter().flat_map(|order| [order.a, order.b]);
        let node = nodes.find(|&node| self.value(node).is_none())?;
        if self.kinds(node) == Kinds::INT {
            let number = arith::to_bigint(values.get(&self.root(node))?)?;
            let case = |rel| vec![Action::Linear(vec![(node, 1.into())], -number.clone(), rel)];
            return Some(vec![case(Rel::Eq), case(Rel::Ne)]);
        }
        let mut candidates = vec![values.get(&self.root(node))?.clone()];
        if self.kinds(node) == Kinds::FLOAT {
            // Next to the values that it is compared with.
            for order in &self.orders {
                for other in [order.a, order.b] {
                    let other = self.root(other);
                    let known = self.value(other).or_else(|| values.get(&other));
                    if let Some(near) = known.and_then(arith::to_f64) {
                        let side = order.side != Side::Equal;
                        candidates.push(Term::float(near));
                        if side {
                            let around = [near + 1.0, near - 1.0, near.next_up(), near.next_down()];
                            candidates.extend(
                                around.iter().filter(|f| f.is_finite()).map(|&f| Term::float(f)),
                            );
                        }
                    }
                }
            }
        }
        candidates.truncate(10);
        let mut cases: Cases =
            candidates.into_iter().map(|value| vec![Action::Constant(node, value)]).collect();
        cases.push(vec![Action::GiveUp]);
        Some(cases)
    }
}

/// Values of an operand from which the result of the guess, or one like it, comes.
fn sources(
    apply: &Apply,
    operand: Node,
    state: &State,
    value: &impl Fn(Node) -> Option<Term>,
) -> Vec<Term> {
    let mut found = Vec::new();
    let result = value(apply.result);
    match apply.op {
        Operation::Unary(op) => {
            let Some(result) = result else { return found };
            if op == Unary::Sqrt {
                let square = eval::binop(Binop::Mul, &result, &result);
                found.extend(square.as_ref().and_then(|it| eval::unary(Unary::Round, it)));
                found.extend(square);
                return found;
            }
            let back = match op {
                Unary::IntegerToList => Unary::ListToInteger,
                Unary::IntegerToBinary => Unary::BinaryToInteger,
                Unary::ListToInteger => Unary::IntegerToList,
                Unary::BinaryToInteger => Unary::IntegerToBinary,
                Unary::AtomToList => Unary::ListToAtom,
                Unary::ListToAtom => Unary::AtomToList,
                Unary::AtomToBinary => Unary::BinaryToAtom,
                Unary::BinaryToAtom => Unary::AtomToBinary,
                Unary::BinaryToList => Unary::ListToBinary,
                Unary::ListToBinary => Unary::BinaryToList,
                Unary::ToFloat => Unary::Trunc,
                Unary::Round | Unary::Trunc | Unary::Floor | Unary::Ceil => Unary::ToFloat,
                Unary::Neg => Unary::Neg,
                _ => return found,
            };
            found.extend(eval::unary(back, &result));
            if matches!(op, Unary::IntegerToList) {
                // As many digits as are wanted.
                let digits = result.list_len().unwrap_or(1).clamp(1, 30) as u32;
                found.push(Term::big(BigInt::from(10).pow(digits - 1)));
            }
        }
        Operation::Binop(op) => {
            let (a, b) = (apply.args[0], apply.args[1]);
            let first = state.root(operand) == state.root(a);
            let (Some(result), Some(other)) = (result, value(if first { b } else { a })) else {
                return found;
            };
            let source = match (op, first) {
                (Binop::Add, _) => eval::binop(Binop::Sub, &result, &other),
                (Binop::Sub, true) => eval::binop(Binop::Add, &result, &other),
                (Binop::Sub, false) => eval::binop(Binop::Sub, &other, &result),
                (Binop::Mul, _) if state.kinds(operand) == Kinds::INT => root_of(&result),
                (Binop::Mul, _) => eval::binop(Binop::Div, &result, &other),
                (Binop::Div, true) => eval::binop(Binop::Mul, &result, &other),
                (Binop::Div, false) => eval::binop(Binop::Div, &other, &result),
                _ => None,
            };
            if let Some(source) = source {
                if let Some(float) = source.as_float() {
                    let near = [float, float.next_up(), float.next_down(), float.round()];
                    found.extend(near.iter().filter(|f| f.is_finite()).map(|&f| Term::float(f)));
                    found.extend(eval::unary(Unary::Round, &source));
                }
                found.push(source);
            }
        }
        _ => {}
    }
    found
}

/// The square root of a perfect square.
fn root_of(square: &Term) -> Option<Term> {
    let square = arith::to_bigint(square).filter(|square| !square.is_negative())?;
    let root = square.sqrt();
    (&root * &root == square).then(|| Term::big(root))
}
