//! One class by itself: what it says about its value is made to fit together.

use num_bigint::BigInt;
use num_traits::Zero;
use term::Term;
use term::order::exact_eq;

use super::facts::Action;
use super::kinds::Kinds;
use super::propagate::domain_kinds;
use super::state::{Class, Conflict, Context, Node, Parts, State, Step, known_size};
use crate::domain::{Domain, DomainId};
use crate::expr::{Exprs, Test};
use crate::linear::Rel;

impl State {
    /// What a class says about the value is made to fit together.
    pub(super) fn settle(&mut self, cx: &mut Context<'_>, node: Node) -> Step {
        let class = self.class(node).clone();
        if let Some(value) = &class.value {
            return self.settle_value(cx, node, value, &class);
        }
        match class.kinds {
            Kinds::NIL => return self.merge_constant(node, Term::NIL),
            Kinds::CONS => {
                self.cons_parts(node)?;
            }
            Kinds::TUPLE => self.settle_tuple(node, &class)?,
            Kinds::ATOM => match class.atoms.as_deref() {
                Some([]) => return Err(Conflict),
                Some([only]) => return self.merge_constant(node, Term::from(*only)),
                _ => {}
            },
            Kinds::FLOAT => {
                let (low, high) = class.floats;
                if low > high {
                    return Err(Conflict);
                }
                if low == high && low != 0.0 {
                    return self.merge_constant(node, Term::float(low));
                }
            }
            Kinds::BITS if class.ragged => {
                let (size, bytes) = (self.size(node), self.fresh(Kinds::INT));
                let rest = self.fresh(Kinds::INT);
                self.linear(&[(1, size), (-8, bytes), (-1, rest)], 0, Rel::Eq);
                self.linear(&[(1, rest)], -1, Rel::Ge);
                self.linear(&[(-1, rest)], 7, Rel::Ge);
                self.change(node).ragged = false;
            }
            _ => {}
        }
        if class.arity.is_some_and(|arity| class.not_arities.contains(&arity)) {
            return Err(Conflict);
        }
        self.settle_list(node)?;
        self.settle_domains(cx, node)
    }

    fn settle_tuple(&mut self, node: Node, class: &Class) -> Step {
        if let Some(Parts::Tuple(parts)) = &class.parts {
            if class.not_sizes.contains(&(parts.len() as u32)) {
                return Err(Conflict);
            }
            if let Some(size) = class.size {
                self.merge_constant(size, Term::from(parts.len()))?;
            }
            for (index, element) in &class.elements {
                let Some(&part) = parts.get(*index as usize - 1) else { return Err(Conflict) };
                self.todo.push_back(Action::Merge(part, *element));
            }
            if !class.elements.is_empty() {
                self.change(node).elements.clear();
            }
            return Ok(());
        }
        if let Some(size) = class.size {
            if let Some(known) = self.big(size) {
                let known = usize::try_from(known).ok().filter(|size| *size < 1 << 16);
                return self.tuple_parts(node, known.ok_or(Conflict)?).map(|_| ());
            }
            if !class.not_sizes.is_empty() {
                for &not in &class.not_sizes {
                    self.linear(&[(1, size)], -i64::from(not), Rel::Ne);
                }
                self.change(node).not_sizes.clear();
            }
        }
        Ok(())
    }

    fn settle_list(&mut self, node: Node) -> Step {
        let class = self.class(node);
        let Some(proper) = class.proper else { return Ok(()) };
        let (size, linked) = (class.size, class.linked);
        if proper
            && let Some(size) = size
            && let Some(length) = self.big(size)
        {
            self.narrow(node, if length.is_zero() { Kinds::NIL } else { Kinds::CONS })?;
        }
        if let Some(Parts::Cons(_, tail)) = self.class(node).parts {
            self.set_proper(tail, proper)?;
            if let Some(size) = size.filter(|_| proper && !linked) {
                let rest = self.size(tail);
                self.linear(&[(1, size), (-1, rest)], -1, Rel::Eq);
                self.change(node).linked = true;
            }
        }
        Ok(())
    }

    fn settle_value(
        &mut self,
        cx: &mut Context<'_>,
        node: Node,
        value: &Term,
        class: &Class,
    ) -> Step {
        let size = known_size(value);
        let sound = Kinds::of(value).within(class.kinds)
            && class.proper.is_none_or(|proper| proper == value.list_len().is_some())
            && value.as_tuple().is_none_or(|t| !class.not_sizes.contains(&(t.len() as u32)))
            && !(class.ragged && value.is_binary())
            && value
                .as_atom()
                .is_none_or(|a| class.atoms.as_ref().is_none_or(|all| all.contains(&a)))
            && value.as_fun().is_none_or(|f| {
                class.arity.is_none_or(|arity| arity == f.arity())
                    && !class.not_arities.contains(&f.arity())
            })
            && value.as_float().is_none_or(|f| class.floats.0 <= f && f <= class.floats.1);
        if !sound {
            return Err(Conflict);
        }
        for &(domain, belongs) in &class.domains {
            if crate::eval::passes(cx.exprs, Test::In(domain), value) != belongs {
                return Err(Conflict);
            }
        }
        if let Some(node) = class.size {
            self.merge_constant(node, Term::from(size.ok_or(Conflict)?))?;
        }
        match (&class.parts, value.as_cons(), value.as_tuple()) {
            (None, ..) => {}
            (Some(Parts::Cons(head, tail)), Some(cell), _) => {
                let (head, tail) = (*head, *tail);
                self.todo.push_back(Action::Constant(head, cell.head.clone()));
                self.todo.push_back(Action::Constant(tail, cell.tail.clone()));
            }
            (Some(Parts::Tuple(parts)), _, Some(elements)) if parts.len() == elements.len() => {
                for (&part, element) in parts.iter().zip(elements) {
                    self.todo.push_back(Action::Constant(part, element.clone()));
                }
            }
            _ => return Err(Conflict),
        }
        for &(index, element) in &class.elements {
            let known = value.as_tuple().and_then(|t| t.get(index as usize - 1));
            let known = known.ok_or(Conflict)?.clone();
            self.todo.push_back(Action::Constant(element, known));
        }
        if class.parts.is_some() || !class.elements.is_empty() || !class.domains.is_empty() {
            // Said once; the value says it all.
            let class = self.change(node);
            class.parts = None;
            class.elements.clear();
            class.domains.clear();
            self.dirty.pop();
        }
        Ok(())
    }

    fn settle_domains(&mut self, cx: &mut Context<'_>, node: Node) -> Step {
        let domains = self.class(node).domains.clone();
        if domains.is_empty() {
            return Ok(());
        }
        let mut kept = Vec::new();
        for (domain, belongs) in domains.iter().copied() {
            cx.step(1)?;
            if self.settle_domain(cx, node, domain, belongs)? {
                kept.push((domain, belongs));
            }
        }
        if kept.len() != domains.len() {
            self.change(node).domains.retain(|domain| kept.contains(domain));
        }
        Ok(())
    }

    /// Whether the domain is still to be minded.
    fn settle_domain(
        &mut self,
        cx: &mut Context<'_>,
        node: Node,
        domain: DomainId,
        belongs: bool,
    ) -> Step<bool> {
        let kinds = self.kinds(node);
        match (cx.exprs.get_domain(domain), belongs) {
            (Domain::Union(all), true) => {
                let mut fits = all.iter().copied().filter(|&d| self.may_belong(cx.exprs, node, d));
                let Some(first) = fits.next() else { return Err(Conflict) };
                let rest: Vec<DomainId> = fits.collect();
                if rest.is_empty() {
                    self.todo.push_back(Action::Belongs(node, first, true));
                    return Ok(false);
                }
                let kinds = rest
                    .iter()
                    .fold(domain_kinds(cx.exprs, first), |k, &d| k.or(domain_kinds(cx.exprs, d)));
                self.narrow(node, kinds)?;
                Ok(true)
            }
            (Domain::Map(map), true) => {
                self.narrow(node, Kinds::MAP)?;
                self.map_domain(node, map)
            }
            (Domain::Cons(head, tail), false) => {
                if kinds != Kinds::CONS {
                    return Ok(kinds.meets(Kinds::CONS));
                }
                let (h, t) = self.cons_parts(node)?;
                self.split(vec![
                    vec![Action::Belongs(h, *head, false)],
                    vec![Action::Belongs(t, *tail, false)],
                ]);
                Ok(false)
            }
            (Domain::Tuple(domains), false) => {
                let Some(Parts::Tuple(parts)) = &self.class(node).parts else {
                    return Ok(kinds.meets(Kinds::TUPLE));
                };
                if parts.len() == domains.len() {
                    let cases = parts.iter().zip(domains);
                    let cases = cases.map(|(&part, &d)| vec![Action::Belongs(part, d, false)]);
                    let cases = cases.collect();
                    self.split(cases);
                }
                Ok(false)
            }
            (Domain::Between(low, high), false) => {
                if kinds != Kinds::INT {
                    return Ok(kinds.meets(Kinds::INT));
                }
                let mut cases = Vec::new();
                if let Some(low) = low {
                    let below = Action::Linear(vec![(node, (-1).into())], low - 1, Rel::Ge);
                    cases.push(vec![below]);
                }
                if let Some(high) = high {
                    let above = Action::Linear(vec![(node, 1.into())], -high - 1, Rel::Ge);
                    cases.push(vec![above]);
                }
                self.split(cases);
                Ok(false)
            }
            (Domain::Map(_), false) => Ok(kinds.meets(Kinds::MAP)),
            (Domain::Bits { .. }, false) => Ok(kinds.meets(Kinds::BITS)),
            _ => Ok(true),
        }
    }

    /// Whether the value may belong to the domain, from what is seen at once.
    pub(crate) fn may_belong(&self, exprs: &Exprs, node: Node, domain: DomainId) -> bool {
        let class = self.class(node);
        if let Some(value) = &class.value {
            return crate::eval::passes(exprs, Test::In(domain), value);
        }
        if !class.kinds.meets(domain_kinds(exprs, domain)) {
            return false;
        }
        match exprs.get_domain(domain) {
            Domain::Tuple(domains) => {
                let size = domains.len();
                if class.not_sizes.contains(&(size as u32)) {
                    return false;
                }
                match (&class.parts, class.size.and_then(|size| self.big(size))) {
                    (Some(Parts::Tuple(parts)), _) => {
                        parts.len() == size
                            && parts.iter().zip(domains).all(|(&part, &d)| {
                                domain_kinds(exprs, d).meets(self.kinds(part))
                                    && self.value(part).is_none_or(|value| {
                                        crate::eval::passes(exprs, Test::In(d), value)
                                    })
                            })
                    }
                    (_, Some(known)) => known == BigInt::from(size),
                    _ => true,
                }
            }
            Domain::Value(term) => match &class.parts {
                Some(Parts::Tuple(parts)) => {
                    term.as_tuple().is_some_and(|tuple| tuple.len() == parts.len())
                }
                _ => {
                    term.as_atom().is_none_or(|atom| {
                        class.atoms.as_ref().is_none_or(|atoms| atoms.contains(&atom))
                    }) && !self.known_different(node, term)
                }
            },
            _ => true,
        }
    }

    fn known_different(&self, node: Node, term: &Term) -> bool {
        let root = self.root(node);
        self.different.iter().any(|&(a, b)| {
            let other = match (self.root(a) == root, self.root(b) == root) {
                (true, _) => b,
                (_, true) => a,
                _ => return false,
            };
            self.value(other).is_some_and(|value| exact_eq(value, term))
        })
    }
}
