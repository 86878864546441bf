//! What follows without a choice: actions are carried out and facts applied until nothing changes.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use term::order::exact_eq;
use term::{Term, arith};

use super::facts::{Action, Fact};
use super::kinds::Kinds;
use super::state::{Class, Conflict, Context, Node, Parts, State, Step};
use crate::domain::{Domain, DomainId};
use crate::expr::Exprs;
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
            Action::Overflow(op, a, b) => self.overflow(op, a, b),
            Action::GiveUp => {
                cx.incomplete = true;
                Err(Conflict)
            }
        }
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
            if x.kinds == y.kinds && x.kinds.is_one() && self.apart(a, b, x.kinds)? {
                continue;
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
