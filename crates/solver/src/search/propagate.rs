//! What follows without a choice: actions are carried out and facts applied until nothing changes.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use term::order::exact_eq;
use term::{Term, arith};

use super::facts::{Action, Fact, Side};
use super::kinds::Kinds;
use super::state::{Class, Conflict, Context, Node, Parts, State, Step, known_size};
use crate::domain::{Domain, DomainId};
use crate::expr::{Comparison, Expr, ExprId, Exprs, Test};
use crate::linear::Rel;

/// Larger cases are given up: they come from values that are unfolded without end.
const MAX_NODES: usize = 20_000;

impl State {
    pub(crate) fn propagate(&mut self, cx: &mut Context<'_>) -> Step {
        loop {
            while let Some(action) = self.todo.pop_front() {
                cx.step(1)?;
                self.run(cx, action)?;
            }
            let version = self.version;
            while let Some(node) = self.dirty.pop() {
                cx.step(1)?;
                self.settle(cx, node)?;
            }
            if !self.todo.is_empty() {
                continue;
            }
            self.linear_pass(cx)?;
            self.applies_pass(cx)?;
            self.maps_pass(cx)?;
            self.bits_pass(cx)?;
            self.orders_pass(cx)?;
            self.different_pass(cx)?;
            self.splits_pass(cx)?;
            if self.nodes() > MAX_NODES {
                cx.incomplete = true;
                return Err(Conflict);
            }
            self.acyclic(cx)?;
            if self.version == version && self.todo.is_empty() && self.dirty.is_empty() {
                return Ok(());
            }
        }
    }

    fn run(&mut self, cx: &mut Context<'_>, action: Action) -> Step {
        match action {
            Action::Assert(id, holds) => self.assert(cx, id, holds),
            Action::Deny(id) => self.decide(cx, id, false),
            Action::Undefined(id) => self.undefined(cx, id),
            Action::Fault(id) => self.fault(cx, id),
            Action::Merge(a, b) => self.merge(a, b),
            Action::Is(node, id) => {
                let value = self.define(cx, id)?;
                self.merge(node, value)
            }
            Action::Constant(node, term) => self.merge_constant(node, term),
            Action::Narrow(node, kinds) => self.narrow(node, kinds),
            Action::Different(a, b) => self.different(a, b),
            Action::Linear(terms, constant, rel) => {
                for (node, _) in &terms {
                    self.narrow(*node, Kinds::INT)?;
                }
                self.linear_big(terms, constant, rel);
                Ok(())
            }
            Action::Compare(side, a, b) => self.compare(side, a, b),
            Action::Sequence(side, a, b) => self.sequence(side, &a, &b),
            Action::Belongs(node, domain, belongs) => self.belongs(cx, node, domain, belongs),
            Action::Proper(node, proper) => self.set_proper(node, proper),
            Action::Entry(map, key, value) => self.entry(map, key, value),
            Action::Above(index, tuple) => {
                let size = self.size(tuple);
                self.linear(&[(1, index), (-1, size)], -1, Rel::Ge);
                Ok(())
            }
            Action::GiveUp => {
                cx.incomplete = true;
                Err(Conflict)
            }
        }
    }

    /// What a class says about the value is made to fit together.
    fn settle(&mut self, cx: &mut Context<'_>, node: Node) -> Step {
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
        if !class.parts.is_none() || !class.elements.is_empty() || !class.domains.is_empty() {
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

    /// A linear fact over classes without constants.
    pub(crate) fn simplified(&self, fact: &Fact) -> Fact {
        let mut constant = fact.constant.clone();
        let mut terms: Vec<(Node, BigInt)> = Vec::with_capacity(fact.terms.len());
        for (node, factor) in &fact.terms {
            let root = self.root(*node);
            match self.value(root).and_then(arith::to_bigint) {
                Some(value) => constant += factor * value,
                None => match terms.iter_mut().find(|(other, _)| *other == root) {
                    Some((_, sum)) => *sum += factor,
                    None => terms.push((root, factor.clone())),
                },
            }
        }
        terms.retain(|(_, factor)| !factor.is_zero());
        terms.sort_by_key(|(node, _)| *node);
        Fact { terms, constant, rel: fact.rel }
    }

    /// Linear facts that say one thing only: a value, or that two are equal.
    fn linear_pass(&mut self, cx: &mut Context<'_>) -> Step {
        let facts = std::mem::take(&mut self.linear);
        cx.step(facts.len() / 4)?;
        let mut kept = Vec::with_capacity(facts.len());
        for fact in facts {
            let simple = self.simplified(&fact);
            match (&simple.terms[..], simple.rel) {
                ([], rel) => {
                    let holds = match rel {
                        Rel::Eq => simple.constant.is_zero(),
                        Rel::Ge => !simple.constant.is_negative(),
                        Rel::Ne => !simple.constant.is_zero(),
                    };
                    if !holds {
                        return Err(Conflict);
                    }
                }
                ([(node, factor)], Rel::Eq) => {
                    if !(&simple.constant % factor).is_zero() {
                        return Err(Conflict);
                    }
                    self.merge_constant(*node, Term::big(-simple.constant / factor))?;
                }
                ([(a, f), (b, g)], Rel::Eq) if simple.constant.is_zero() && (f + g).is_zero() => {
                    self.merge(*a, *b)?;
                }
                ([(a, f), (b, g)], Rel::Ne)
                    if simple.constant.is_zero() && (f + g).is_zero() && a == b =>
                {
                    return Err(Conflict);
                }
                _ if simple.terms.len() == fact.terms.len() => kept.push(fact),
                _ => kept.push(Rc::new(simple)),
            }
        }
        kept.append(&mut self.linear);
        self.linear = kept;
        Ok(())
    }

    fn different_pass(&mut self, cx: &mut Context<'_>) -> Step {
        let pairs = std::mem::take(&mut self.different);
        cx.step(pairs.len() / 4)?;
        let mut kept: Vec<(Node, Node)> = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                return Err(Conflict);
            }
            let (x, y) = (self.class(a), self.class(b));
            if !x.kinds.meets(y.kinds) {
                continue;
            }
            match (&x.value, &y.value) {
                (Some(x), Some(y)) if exact_eq(x, y) => return Err(Conflict),
                (Some(_), Some(_)) => continue,
                _ => {}
            }
            if x.kinds == y.kinds && x.kinds.is_one() {
                if self.apart(a, b, x.kinds)? {
                    continue;
                }
            }
            if !kept.contains(&(a, b)) {
                kept.push((a, b));
            }
        }
        kept.append(&mut self.different);
        self.different = kept;
        Ok(())
    }

    /// Two different values of one kind; whether that was said in another way.
    fn apart(&mut self, a: Node, b: Node, kinds: Kinds) -> Step<bool> {
        match kinds {
            Kinds::INT => {
                self.linear(&[(1, a), (-1, b)], 0, Rel::Ne);
                Ok(true)
            }
            Kinds::NIL => Err(Conflict),
            Kinds::CONS => {
                let ((h, t), (h2, t2)) = (self.cons_parts(a)?, self.cons_parts(b)?);
                self.split(vec![vec![Action::Different(h, h2)], vec![Action::Different(t, t2)]]);
                Ok(true)
            }
            Kinds::TUPLE => {
                let size = |class: &Class| match (&class.parts, &class.value) {
                    (Some(Parts::Tuple(parts)), _) => Some(parts.len()),
                    (_, Some(value)) => value.as_tuple().map(<[_]>::len),
                    _ => None,
                };
                match (size(self.class(a)), size(self.class(b))) {
                    (Some(m), Some(n)) if m != n => Ok(true),
                    (Some(m), Some(_)) => {
                        let (x, y) = (self.tuple_parts(a, m)?, self.tuple_parts(b, m)?);
                        let pairs = x.iter().zip(y.iter());
                        let cases = pairs.map(|(&x, &y)| vec![Action::Different(x, y)]).collect();
                        self.split(cases);
                        Ok(true)
                    }
                    _ => Ok(false),
                }
            }
            Kinds::ATOM => {
                for (x, y) in [(a, b), (b, a)] {
                    let atom = self.value(y).and_then(Term::as_atom);
                    let class = self.class(x);
                    if let (Some(atom), Some(atoms)) = (atom, class.atoms.clone()) {
                        let left: Rc<[_]> = atoms.iter().copied().filter(|a| *a != atom).collect();
                        if left.len() != atoms.len() {
                            self.change(x).atoms = Some(left);
                        }
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    fn splits_pass(&mut self, cx: &mut Context<'_>) -> Step {
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

    /// No value is a part of itself, or equal to a part of itself.
    fn acyclic(&self, cx: &mut Context<'_>) -> Step {
        // Values that are equal but for the kind of numbers are one here.
        let mut twins: FxHashMap<Node, Node> = FxHashMap::default();
        let find = |twins: &FxHashMap<Node, Node>, node: Node| {
            let mut node = self.root(node);
            while let Some(&next) = twins.get(&node) {
                node = next;
            }
            node
        };
        for &(a, b) in &self.loosely {
            let (a, b) = (find(&twins, a), find(&twins, b));
            if a != b {
                twins.insert(a, b);
            }
        }
        let mut members: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for &node in twins.keys().collect::<std::collections::BTreeSet<_>>() {
            members.entry(find(&twins, node)).or_default().push(node);
        }
        // 1: on the way, 2: done.
        let mut seen: FxHashMap<Node, u8> = FxHashMap::default();
        for start in self.roots() {
            let start = find(&twins, start);
            if seen.contains_key(&start) {
                continue;
            }
            let mut stack = vec![(start, false)];
            while let Some((node, leave)) = stack.pop() {
                if leave {
                    seen.insert(node, 2);
                    continue;
                }
                match seen.get(&node) {
                    Some(1) => return Err(Conflict),
                    Some(_) => continue,
                    None => {}
                }
                let mut children: Vec<Node> = Vec::new();
                for &one in members.get(&node).into_iter().flatten().chain([&node]) {
                    let class = self.class(one);
                    match &class.parts {
                        Some(Parts::Cons(head, tail)) => children.extend([*head, *tail]),
                        Some(Parts::Tuple(parts)) => children.extend(parts.iter()),
                        None => {}
                    }
                    children.extend(class.elements.iter().map(|(_, element)| *element));
                    for (key, value) in class.entries.iter().filter(|(_, v)| v.is_some()) {
                        children.push(*key);
                        children.extend(*value);
                    }
                }
                if children.is_empty() {
                    continue;
                }
                cx.step(1)?;
                seen.insert(node, 1);
                stack.push((node, true));
                stack.extend(children.into_iter().map(|child| (find(&twins, child), false)));
            }
        }
        Ok(())
    }

    /// All of a value, put together from its parts, if they are known.
    pub(crate) fn whole(&self, node: Node, depth: u32) -> Option<Term> {
        let class = self.class(node);
        if let Some(value) = &class.value {
            return Some(value.clone());
        }
        if depth == 0 {
            return None;
        }
        match class.parts.as_ref()? {
            Parts::Cons(..) => {
                let (mut elements, mut at) = (Vec::new(), node);
                while let Some(Parts::Cons(head, tail)) = &self.class(at).parts {
                    elements.push(self.whole(*head, depth - 1)?);
                    at = *tail;
                    if elements.len() > 10_000 {
                        return None;
                    }
                }
                let tail = self.value(at)?.clone();
                Some(Term::improper(elements, tail))
            }
            Parts::Tuple(parts) => {
                let parts: Option<Vec<Term>> =
                    parts.iter().map(|&part| self.whole(part, depth - 1)).collect();
                Some(Term::tuple(parts?))
            }
        }
    }
}

/// The kinds of the values of a domain.
pub(crate) fn domain_kinds(exprs: &Exprs, domain: DomainId) -> Kinds {
    match exprs.get_domain(domain) {
        Domain::Any => Kinds::ALL,
        Domain::Test(test) => Kinds::passing(*test),
        Domain::Between(..) => Kinds::INT,
        Domain::Value(term) => Kinds::of(term),
        Domain::Cons(..) => Kinds::CONS,
        Domain::Tuple(_) => Kinds::TUPLE,
        Domain::Map(_) => Kinds::MAP,
        Domain::Bits { .. } => Kinds::BITS,
        Domain::Union(all) => {
            all.iter().fold(Kinds::NONE, |kinds, &one| kinds.or(domain_kinds(exprs, one)))
        }
    }
}

/// `2^k`
pub(crate) fn power(k: u64) -> BigInt {
    BigInt::one() << k
}
