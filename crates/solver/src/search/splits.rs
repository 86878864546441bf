//! Alternatives: those that are impossible are left out, as far as that is seen at once.

use std::rc::Rc;

use num_traits::{Signed, Zero};
use term::Term;
use term::order::exact_eq;

use super::facts::{Action, Fact, Side};
use super::kinds::Kinds;
use super::state::{Conflict, Context, Node, Parts, State, Step};
use crate::expr::{Comparison, Expr, ExprId, Exprs, Test};
use crate::linear::Rel;

impl State {
    pub(super) fn splits_pass(&mut self, cx: &mut Context<'_>) -> Step {
        let splits = std::mem::take(&mut self.splits);
        let mut kept = Vec::with_capacity(splits.len());
        'splits: for split in splits {
            cx.step(split.len() / 4)?;
            let mut live = Vec::new();
            for (at, case) in split.iter().enumerate() {
                let all_true = case.iter().all(|action| match action {
                    Action::Assert(id, holds) => self.quick(cx.exprs, *id) == Some(*holds),
                    _ => false,
                });
                if all_true && case.iter().all(|a| self.was_asserted(a)) {
                    continue 'splits;
                }
                if !case.iter().any(|action| self.is_dead(cx.exprs, action)) {
                    live.push(at);
                }
            }
            match live[..] {
                [] => return Err(Conflict),
                [only] => {
                    self.version += 1;
                    self.todo.extend(split[only].iter().cloned());
                }
                _ if live.len() == split.len() => kept.push(split),
                _ => kept.push(Rc::new(live.iter().map(|&at| split[at].clone()).collect())),
            }
        }
        kept.append(&mut self.splits);
        self.splits = kept;
        Ok(())
    }

    fn was_asserted(&self, action: &Action) -> bool {
        matches!(action, Action::Assert(id, holds) if self.truths.get(id) == Some(holds))
    }

    /// Whether an action surely leads to a conflict.
    fn is_dead(&self, exprs: &Exprs, action: &Action) -> bool {
        match action {
            Action::Assert(id, holds) => self.quick(exprs, *id) == Some(!holds),
            Action::Deny(id) => self.quick(exprs, *id) == Some(true),
            Action::Undefined(id) => exprs.is_total(*id) || self.defined.contains_key(id),
            Action::Fault(id) => self.defined.contains_key(id),
            Action::Narrow(node, kinds) => !self.kinds(*node).meets(*kinds),
            Action::Constant(node, term) => {
                !self.kinds(*node).meets(Kinds::of(term))
                    || self.value(*node).is_some_and(|value| !exact_eq(value, term))
            }
            Action::Merge(a, b) => !self.may_be_equal(*a, *b),
            Action::Different(a, b) => {
                self.root(*a) == self.root(*b)
                    || matches!((self.value(*a), self.value(*b)),
                        (Some(x), Some(y)) if exact_eq(x, y))
            }
            Action::Compare(side, a, b) => match (self.value(*a), self.value(*b)) {
                (Some(a), Some(b)) => !side.holds(a, b),
                _ => {
                    let ((low, _), (_, high)) = (self.kinds(*a).ranks(), self.kinds(*b).ranks());
                    match side {
                        Side::Less | Side::LessEq => low > high,
                        Side::Equal => {
                            let ((low2, _), (_, high2)) =
                                (self.kinds(*b).ranks(), self.kinds(*a).ranks());
                            low > high || low2 > high2
                        }
                        Side::Unequal => false,
                    }
                }
            },
            Action::Belongs(node, domain, true) => !self.may_belong(exprs, *node, *domain),
            Action::Linear(terms, constant, rel) => {
                let fact = Fact { terms: terms.clone(), constant: constant.clone(), rel: *rel };
                let simple = self.simplified(&fact);
                terms.iter().any(|(node, _)| !self.kinds(*node).meets(Kinds::INT))
                    || simple.terms.is_empty()
                        && match rel {
                            Rel::Eq => !simple.constant.is_zero(),
                            Rel::Ge => simple.constant.is_negative(),
                            Rel::Ne => simple.constant.is_zero(),
                        }
            }
            Action::Proper(node, proper) => self.class(*node).proper == Some(!proper),
            _ => false,
        }
    }

    pub(crate) fn may_be_equal(&self, a: Node, b: Node) -> bool {
        let (x, y) = (self.class(a), self.class(b));
        x.kinds.meets(y.kinds)
            && match (&x.value, &y.value) {
                (Some(x), Some(y)) => exact_eq(x, y),
                _ => true,
            }
    }

    /// Whether an expression holds, from what is seen at once.
    fn quick(&self, exprs: &Exprs, id: ExprId) -> Option<bool> {
        if let Some(&known) = self.truths.get(&id) {
            return Some(known);
        }
        let node = |id: &ExprId| self.defined.get(id).copied();
        match exprs.get(id) {
            Expr::Not(a) => self.quick(exprs, *a).map(|holds| !holds),
            Expr::Const(_) => exprs.as_const(id).map(Term::is_true),
            Expr::Test(test, a) => {
                let class = self.class(node(a)?);
                if let Some(value) = &class.value {
                    return Some(crate::eval::passes(exprs, *test, value));
                }
                let passing = Kinds::passing(*test);
                if !class.kinds.meets(passing) {
                    return Some(false);
                }
                let by_kind = !matches!(
                    test,
                    Test::Boolean
                        | Test::TupleOf(_)
                        | Test::ProperList
                        | Test::Binary
                        | Test::FunctionOf(_)
                        | Test::In(_)
                );
                match (test, &class.parts) {
                    (Test::TupleOf(n), Some(Parts::Tuple(parts))) => {
                        Some(parts.len() == *n as usize)
                    }
                    (Test::TupleOf(n), _) if class.not_sizes.contains(n) => Some(false),
                    _ => (by_kind && class.kinds.within(passing)).then_some(true),
                }
            }
            Expr::Compare(op, a, b) => {
                let value = |id: &ExprId| exprs.as_const(*id).or_else(|| self.value(node(id)?));
                if let (Some(a), Some(b)) = (value(a), value(b)) {
                    return Some(crate::eval::compares(*op, a, b));
                }
                if *op != Comparison::Exact {
                    return None;
                }
                match (node(a), node(b)) {
                    (Some(a), Some(b)) if self.root(a) == self.root(b) => Some(true),
                    (Some(a), Some(b)) => (!self.may_be_equal(a, b)).then_some(false),
                    (Some(a), None) => {
                        let kinds = Kinds::of(exprs.as_const(*b)?);
                        (!self.kinds(a).meets(kinds)).then_some(false)
                    }
                    (None, Some(b)) => {
                        let kinds = Kinds::of(exprs.as_const(*a)?);
                        (!self.kinds(b).meets(kinds)).then_some(false)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
