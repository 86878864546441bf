//! What is known in one case of the search: values in classes of equal ones, and facts about them.
//!
//! A [`Node`] stands for a value that exists in this case; nodes that are known to be equal are in
//! one class, whose first node speaks for it. A [`Class`] says what the value may be: kinds, all of
//! it, or its parts. A state is cloned where a case is split; classes are shared until they change.

use std::collections::VecDeque;
use std::rc::Rc;

use atom::Atom;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use term::order::exact_eq;
use term::{Term, arith};

use super::facts::{Action, Apply, Fact, Order};
use super::kinds::Kinds;
use super::words::Mask;
use crate::domain::DomainId;
use crate::expr::{Constant, ExprId, Exprs, VarId};
use crate::linear::Rel;
use crate::meter::Meter;
use crate::model::Model;
use crate::solve::Hints;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(pub(crate) u32);

/// This case is impossible.
#[derive(Debug)]
pub(crate) struct Conflict;

pub(crate) type Step<T = ()> = Result<T, Conflict>;

/// The parts of a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Parts {
    Cons(Node, Node),
    Tuple(Rc<[Node]>),
}

#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) kinds: Kinds,
    /// All of the value.
    pub(crate) value: Option<Term>,
    pub(crate) parts: Option<Parts>,
    /// An integer: the size of a tuple or map, the length of a proper list, the bits of a bit
    /// string; it fits the kinds, which are those of one of these.
    pub(crate) size: Option<Node>,
    /// The length is tied to that of the tail.
    pub(crate) linked: bool,
    /// The value is, or is not, a proper list.
    pub(crate) proper: Option<bool>,
    /// Elements of a tuple whose size is not known, counted from one.
    pub(crate) elements: Vec<(u32, Node)>,
    /// Sizes that a tuple does not have.
    pub(crate) not_sizes: Vec<u32>,
    /// A bit string is not whole bytes.
    pub(crate) ragged: bool,
    pub(crate) arity: Option<u32>,
    pub(crate) not_arities: Vec<u32>,
    /// The atoms that are possible.
    pub(crate) atoms: Option<Rc<[Atom]>>,
    /// Bounds of a float, which belong to it.
    pub(crate) floats: (f64, f64),
    /// Domains that the value belongs to, or does not, and that do not follow from the rest.
    pub(crate) domains: Vec<(DomainId, bool)>,
    /// Keys of a map and their values; without a value, the key is absent.
    pub(crate) entries: Vec<(Node, Option<Node>)>,
    /// Fields of a bit string: first bit, number of bits, the bits as an unsigned number.
    pub(crate) fields: Vec<(u64, u64, Node)>,
    /// Parts that are bit strings: first bit, the part.
    pub(crate) subs: Vec<(u64, Node)>,
}

impl Default for Class {
    fn default() -> Class {
        Class {
            kinds: Kinds::ALL,
            value: None,
            parts: None,
            size: None,
            linked: false,
            proper: None,
            elements: Vec::new(),
            not_sizes: Vec::new(),
            ragged: false,
            arity: None,
            not_arities: Vec::new(),
            atoms: None,
            floats: (f64::MIN, f64::MAX),
            domains: Vec::new(),
            entries: Vec::new(),
            fields: Vec::new(),
            subs: Vec::new(),
        }
    }
}

/// What all cases share.
pub(crate) struct Context<'a> {
    pub(crate) exprs: &'a Exprs,
    pub(crate) hints: &'a Hints,
    pub(crate) meter: Meter,
    /// A case was given up without being refuted.
    pub(crate) incomplete: bool,
    /// How often values that are not integers were tried out, in all cases together.
    pub(crate) guesses: u32,
    /// Cases that are nested deeper are left out, and whether one was.
    pub(crate) depth: u32,
    pub(crate) cut: bool,
    /// Whether a case was left open for lack of steps: with more of them it may be decided.
    pub(crate) starved: bool,
    /// The first guess that was wrong.
    pub(crate) near: Option<Model>,
}

impl Context<'_> {
    /// Counts steps; where none are left, the case is given up.
    pub(crate) fn step(&mut self, n: usize) -> Step {
        if !self.meter.take(n as u64) {
            self.incomplete = true;
            return Err(Conflict);
        }
        Ok(())
    }
}

#[derive(Clone, Default)]
pub(crate) struct State {
    parents: Vec<Node>,
    classes: Vec<Rc<Class>>,
    pub(crate) defined: FxHashMap<ExprId, Node>,
    pub(crate) vars: Vec<(VarId, Node)>,
    constants: FxHashMap<Constant, Node>,
    pub(crate) truths: FxHashMap<ExprId, bool>,
    pub(crate) todo: VecDeque<Action>,
    pub(crate) dirty: Vec<Node>,
    /// Pairs of different values.
    pub(crate) different: Vec<(Node, Node)>,
    pub(crate) linear: Vec<Rc<Fact>>,
    pub(crate) orders: Vec<Order>,
    pub(crate) applies: Vec<Rc<Apply>>,
    pub(crate) splits: Vec<Rc<Vec<Vec<Action>>>>,
    /// Quotients and remainders that exist: dividend, divisor, whether it rounds down (else
    /// towards zero), quotient, remainder.
    pub(crate) divisions: Vec<(Node, BigInt, bool, Node, Node)>,
    /// Bit operations with constants, which were said as sums, too.
    pub(crate) masks: Vec<Rc<Mask>>,
    /// Pairs of equal cons cells or tuples, where numbers in them may differ in kind.
    pub(crate) loosely: Vec<(Node, Node)>,
    /// What was said of values in maps and of fields that were cut, so as not to say it again.
    pub(crate) said: FxHashSet<(Node, u32)>,
    /// Counts changes.
    pub(crate) version: u64,
    /// How many alternatives were chosen on the way here.
    pub(crate) depth: u32,
    /// How often operations made bounds of floats narrower.
    pub(crate) rounds: u32,
    /// How often values were tried out on the way here.
    pub(crate) tries: u32,
    /// How deep the next case is whose bits are looked at, after those of one on the way here
    /// decided nothing.
    pub(crate) words_from: u32,
}

impl State {
    pub(crate) fn fresh(&mut self, kinds: Kinds) -> Node {
        let node = Node(self.parents.len() as u32);
        self.parents.push(node);
        self.classes.push(Rc::new(Class { kinds, ..Class::default() }));
        if kinds.is_one() {
            self.dirty.push(node);
        }
        node
    }

    pub(crate) fn nodes(&self) -> usize {
        self.parents.len()
    }

    pub(crate) fn root(&self, mut node: Node) -> Node {
        while self.parents[node.0 as usize] != node {
            node = self.parents[node.0 as usize];
        }
        node
    }

    pub(crate) fn class(&self, node: Node) -> &Class {
        &self.classes[self.root(node).0 as usize]
    }

    /// The class, to be changed.
    pub(crate) fn change(&mut self, node: Node) -> &mut Class {
        let root = self.root(node);
        self.version += 1;
        self.dirty.push(root);
        Rc::make_mut(&mut self.classes[root.0 as usize])
    }

    pub(crate) fn kinds(&self, node: Node) -> Kinds {
        self.class(node).kinds
    }

    pub(crate) fn value(&self, node: Node) -> Option<&Term> {
        self.class(node).value.as_ref()
    }

    pub(crate) fn big(&self, node: Node) -> Option<BigInt> {
        self.value(node).and_then(arith::to_bigint)
    }

    /// The first node of every class, in order.
    pub(crate) fn roots(&self) -> Vec<Node> {
        (0..self.parents.len() as u32)
            .map(Node)
            .filter(|&node| self.parents[node.0 as usize] == node)
            .collect()
    }

    pub(crate) fn constant(&mut self, term: Term) -> Node {
        let key = Constant(term);
        if let Some(&node) = self.constants.get(&key) {
            return node;
        }
        let node = Node(self.parents.len() as u32);
        self.parents.push(node);
        let mut class = Class { kinds: Kinds::of(&key.0), ..Class::default() };
        class.value = Some(key.0.clone());
        self.classes.push(Rc::new(class));
        self.constants.insert(key, node);
        node
    }

    pub(crate) fn narrow(&mut self, node: Node, kinds: Kinds) -> Step {
        let now = self.kinds(node);
        let narrowed = now.and(kinds);
        if narrowed.is_none() {
            return Err(Conflict);
        }
        if narrowed != now {
            self.change(node).kinds = narrowed;
        }
        Ok(())
    }

    pub(crate) fn merge_constant(&mut self, node: Node, term: Term) -> Step {
        let constant = self.constant(term);
        self.merge(node, constant)
    }

    /// Two values are equal. What follows for their parts is put off until [`State::settle`].
    pub(crate) fn merge(&mut self, a: Node, b: Node) -> Step {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (first, second) = (a.min(b), a.max(b));
        let other = Rc::clone(&self.classes[second.0 as usize]);
        if let (Some(x), Some(y)) = (&self.class(first).value, &other.value)
            && !exact_eq(x, y)
        {
            return Err(Conflict);
        }
        self.parents[second.0 as usize] = first;
        let class = self.change(first);
        class.kinds = class.kinds.and(other.kinds);
        if class.kinds.is_none() {
            return Err(Conflict);
        }
        let mut equal = Vec::new();
        match (&class.parts, &other.parts) {
            (Some(Parts::Cons(h, t)), Some(Parts::Cons(h2, t2))) => {
                equal.extend([(*h, *h2), (*t, *t2)]);
            }
            (Some(Parts::Tuple(x)), Some(Parts::Tuple(y))) => {
                if x.len() != y.len() {
                    return Err(Conflict);
                }
                equal.extend(x.iter().copied().zip(y.iter().copied()));
            }
            (Some(_), Some(_)) => return Err(Conflict),
            (None, Some(parts)) => class.parts = Some(parts.clone()),
            (_, None) => {}
        }
        match (class.size, other.size) {
            (Some(x), Some(y)) => equal.push((x, y)),
            (None, Some(_)) => class.size = other.size,
            _ => {}
        }
        match (class.proper, other.proper) {
            (Some(x), Some(y)) if x != y => return Err(Conflict),
            (None, Some(_)) => class.proper = other.proper,
            _ => {}
        }
        match (class.arity, other.arity) {
            (Some(x), Some(y)) if x != y => return Err(Conflict),
            (None, Some(_)) => class.arity = other.arity,
            _ => {}
        }
        class.value = class.value.take().or_else(|| other.value.clone());
        class.linked = false;
        class.ragged |= other.ragged;
        class.floats = (class.floats.0.max(other.floats.0), class.floats.1.min(other.floats.1));
        class.atoms = match (class.atoms.take(), &other.atoms) {
            (Some(x), Some(y)) => Some(x.iter().copied().filter(|a| y.contains(a)).collect()),
            (x, y) => x.or_else(|| y.clone()),
        };
        class.elements.extend(other.elements.iter().copied());
        class.entries.extend(other.entries.iter().copied());
        class.fields.extend(other.fields.iter().copied());
        class.subs.extend(other.subs.iter().copied());
        for &size in &other.not_sizes {
            if !class.not_sizes.contains(&size) {
                class.not_sizes.push(size);
            }
        }
        for &arity in &other.not_arities {
            if !class.not_arities.contains(&arity) {
                class.not_arities.push(arity);
            }
        }
        for &domain in &other.domains {
            if !class.domains.contains(&domain) {
                class.domains.push(domain);
            }
        }
        self.todo.extend(equal.into_iter().map(|(x, y)| Action::Merge(x, y)));
        Ok(())
    }

    /// Head and tail of a value that must be a cons cell.
    pub(crate) fn cons_parts(&mut self, node: Node) -> Step<(Node, Node)> {
        self.narrow(node, Kinds::CONS)?;
        let class = self.class(node);
        if let Some(Parts::Cons(head, tail)) = class.parts {
            return Ok((head, tail));
        }
        let cell = class.value.as_ref().and_then(Term::as_cons);
        let (head, tail) = match cell.map(|cell| (cell.head.clone(), cell.tail.clone())) {
            Some((head, tail)) => (self.constant(head), self.constant(tail)),
            None => (self.fresh(Kinds::ALL), self.fresh(Kinds::ALL)),
        };
        self.change(node).parts = Some(Parts::Cons(head, tail));
        Ok((head, tail))
    }

    /// The elements of a value that must be a tuple of this size.
    pub(crate) fn tuple_parts(&mut self, node: Node, size: usize) -> Step<Rc<[Node]>> {
        self.narrow(node, Kinds::TUPLE)?;
        let class = self.class(node);
        if class.not_sizes.contains(&(size as u32)) {
            return Err(Conflict);
        }
        if let Some(Parts::Tuple(parts)) = &class.parts {
            let parts = Rc::clone(parts);
            return if parts.len() == size { Ok(parts) } else { Err(Conflict) };
        }
        let known = class.elements.clone();
        let parts: Rc<[Node]> = match class.value.as_ref().map(|v| v.as_tuple().map(<[_]>::to_vec))
        {
            Some(Some(elements)) if elements.len() == size => {
                elements.into_iter().map(|element| self.constant(element)).collect()
            }
            Some(_) => return Err(Conflict),
            None => (0..size).map(|_| self.fresh(Kinds::ALL)).collect(),
        };
        for (index, element) in known {
            let Some(&part) = parts.get(index as usize - 1) else { return Err(Conflict) };
            self.todo.push_back(Action::Merge(part, element));
        }
        let class = self.change(node);
        class.parts = Some(Parts::Tuple(Rc::clone(&parts)));
        class.elements.clear();
        Ok(parts)
    }

    /// The size, length, or number of bits, as an integer.
    pub(crate) fn size(&mut self, node: Node) -> Node {
        if let Some(size) = self.class(node).size {
            return size;
        }
        let class = self.class(node);
        let size = match (&class.value, &class.parts) {
            (Some(term), _) => known_size(term),
            (None, Some(Parts::Tuple(parts))) => Some(parts.len()),
            _ => None,
        };
        let size = match size {
            Some(size) => self.constant(Term::from(size)),
            None => {
                let size = self.fresh(Kinds::INT);
                self.linear(&[(1, size)], 0, Rel::Ge);
                size
            }
        };
        self.change(node).size = Some(size);
        size
    }

    pub(crate) fn set_proper(&mut self, node: Node, proper: bool) -> Step {
        match self.class(node).proper {
            Some(known) if known != proper => Err(Conflict),
            Some(_) => Ok(()),
            None => {
                self.narrow(node, if proper { Kinds::LIST } else { Kinds::NIL.not() })?;
                self.change(node).proper = Some(proper);
                Ok(())
            }
        }
    }

    /// `Σ factor · node + constant REL 0`
    pub(crate) fn linear(&mut self, terms: &[(i64, Node)], constant: i64, rel: Rel) {
        let terms = terms.iter().map(|&(factor, node)| (node, BigInt::from(factor))).collect();
        self.linear_big(terms, BigInt::from(constant), rel);
    }

    pub(crate) fn linear_big(&mut self, terms: Vec<(Node, BigInt)>, constant: BigInt, rel: Rel) {
        self.version += 1;
        self.linear.push(Rc::new(Fact { terms, constant, rel }));
    }

    pub(crate) fn split(&mut self, alternatives: Vec<Vec<Action>>) {
        self.version += 1;
        self.splits.push(Rc::new(alternatives));
    }
}

/// The size of a term that has one.
pub(crate) fn known_size(term: &Term) -> Option<usize> {
    if let Some(tuple) = term.as_tuple() {
        return Some(tuple.len());
    }
    if let Some(map) = term.as_map() {
        return Some(map.len());
    }
    if let Some(bits) = term.as_bits() {
        return Some(bits.bit_len());
    }
    term.list_len()
}
