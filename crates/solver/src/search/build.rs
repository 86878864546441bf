//! Values for everything in a case: from what is known, and simple ones where a value is free.
//!
//! This is a guess; whoever asked evaluates it. A value that is free is chosen so that it is
//! different from, and in order with, what was chosen before.

use atom::Atom;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use term::bits::BitWriter;
use term::order::exact_eq;
use term::{Fun, Map, Pid, Port, Ref, Term};

use super::binaries::number_bits;
use super::facts::{Operation, Order};
use super::kinds::Kinds;
use super::state::{Class, Context, Node, Parts, State};
use crate::domain::{Domain, DomainId};
use crate::eval::{deeper, passes};
use crate::expr::{Exprs, Test};
use crate::model::{MADE_UP, Model};

/// The largest list, tuple or map that is built, and bits of a bit string.
const MAX_SIZE: usize = 1 << 16;

/// How many values of one kind are tried for a free value.
const VARIANTS: usize = 24;

pub(crate) struct Builder<'a> {
    state: &'a State,
    exprs: &'a Exprs,
    atoms: &'a [Atom],
    ints: &'a FxHashMap<u32, BigInt>,
    pub(crate) values: FxHashMap<Node, Term>,
    /// Of each class those that are different from it, and how it compares with others.
    different: FxHashMap<Node, Vec<Node>>,
    ordered: FxHashMap<Node, Vec<Order>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(
        state: &'a State,
        cx: &Context<'a>,
        ints: &'a FxHashMap<u32, BigInt>,
    ) -> Builder<'a> {
        let (exprs, atoms) = (cx.exprs, &cx.hints.atoms);
        let mut different: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for &(a, b) in &state.different {
            let (a, b) = (state.root(a), state.root(b));
            different.entry(a).or_default().push(b);
            different.entry(b).or_default().push(a);
        }
        let mut ordered: FxHashMap<Node, Vec<Order>> = FxHashMap::default();
        for &order in &state.orders {
            let (a, b) = (state.root(order.a), state.root(order.b));
            ordered.entry(a).or_default().push(order);
            if b != a {
                ordered.entry(b).or_default().push(order);
            }
        }
        Builder { state, exprs, atoms, ints, values: FxHashMap::default(), different, ordered }
    }

    pub(crate) fn model(&mut self) -> Model {
        self.state.vars.iter().map(|&(var, node)| (var, self.value(node))).collect()
    }

    pub(crate) fn value(&mut self, node: Node) -> Term {
        let root = self.state.root(node);
        if let Some(value) = self.values.get(&root) {
            return value.clone();
        }
        // A bit string may be a part of itself, and an operation wait for its own result: whoever
        // comes here again gets a zero, which evaluation finds wrong.
        self.values.insert(root, Term::int(0));
        let value = deeper(|| self.make(root));
        self.values.insert(root, value.clone());
        value
    }

    fn size(&self, class: &Class) -> Option<usize> {
        let size = self.state.root(class.size?);
        match self.state.big(size) {
            Some(size) => size.to_usize(),
            None => self.ints.get(&size.0).map_or(Some(0), ToPrimitive::to_usize),
        }
    }

    fn make(&mut self, root: Node) -> Term {
        let class = self.state.class(root);
        if let Some(value) = &class.value {
            return value.clone();
        }
        match &class.parts {
            Some(Parts::Cons(..)) => return self.list(root),
            Some(Parts::Tuple(parts)) => {
                let parts: Vec<Term> = parts.iter().map(|&part| self.value(part)).collect();
                return Term::tuple(parts);
            }
            None => {}
        }
        if class.kinds == Kinds::INT
            && let Some(value) = self.ints.get(&root.0)
        {
            return Term::big(value.clone());
        }
        if class.kinds == Kinds::BITS
            && let Some(value) = self.part_of_bits(root, class)
        {
            return value;
        }
        // What an operation makes of its operands, if it has some already.
        if class.fields.is_empty()
            && let Some(value) = self.result(root)
        {
            return value;
        }
        self.choose(root, class)
    }

    fn list(&mut self, root: Node) -> Term {
        let (mut elements, mut at) = (Vec::new(), root);
        while let Some(Parts::Cons(head, tail)) = &self.state.class(at).parts {
            elements.push(self.value(*head));
            at = self.state.root(*tail);
        }
        // Of the values that a tail may have, the empty list is the one that is expected.
        let class = self.state.class(at);
        if class.value.is_none()
            && class.kinds.meets(Kinds::NIL)
            && self.variant(at, class, Kinds::NIL, 0).is_some()
            && !self.values.contains_key(&at)
            && self.fits(at, class, &Term::NIL)
        {
            self.values.insert(at, Term::NIL);
        }
        let tail = self.value(at);
        Term::improper(elements, tail)
    }

    /// A bit string that is a part of another.
    fn part_of_bits(&mut self, root: Node, class: &Class) -> Option<Term> {
        let state = self.state;
        let size = self.size(class)?;
        for node in state.roots() {
            for &(offset, part) in &state.class(node).subs {
                if state.root(part) != root || node == root {
                    continue;
                }
                let whole = self.value(node);
                let offset = offset as usize;
                let bits = whole.as_bits().filter(|bits| offset + size <= bits.bit_len());
                if let Some(bits) = bits {
                    return Some(Term::bits(bits.slice(offset, size)));
                }
            }
        }
        None
    }

    /// The value of an operation whose result this is.
    fn result(&mut self, root: Node) -> Option<Term> {
        let state = self.state;
        let apply = state.applies.iter().find(|apply| state.root(apply.result) == root)?;
        if let Operation::Build(_) = apply.op {
            return None;
        }
        let args: Vec<Term> = apply.args.iter().map(|&arg| self.value(arg)).collect();
        super::numbers::evaluate(self.exprs, apply.op, &args)
    }

    fn choose(&mut self, root: Node, class: &Class) -> Term {
        let mut first = None;
        for kinds in Kinds::PREFERRED {
            if !class.kinds.meets(kinds) {
                continue;
            }
            for variant in 0..VARIANTS {
                let Some(value) = self.variant(root, class, kinds, variant) else { break };
                if self.fits(root, class, &value) {
                    return value;
                }
                first.get_or_insert(value);
            }
        }
        first.unwrap_or_else(|| Term::int(0))
    }

    /// Whether a value agrees with what is known and chosen so far.
    fn fits(&self, root: Node, class: &Class, value: &Term) -> bool {
        let state = self.state;
        let known = |node: Node| {
            let node = state.root(node);
            state.value(node).or_else(|| self.values.get(&node))
        };
        let domains = class
            .domains
            .iter()
            .all(|&(domain, belongs)| passes(self.exprs, Test::In(domain), value) == belongs);
        let mut different = self.different.get(&root).into_iter().flatten();
        let mut ordered = self.ordered.get(&root).into_iter().flatten();
        domains
            && different.all(|&other| {
                other == root || known(other).is_none_or(|other| !exact_eq(other, value))
            })
            && ordered.all(|order| {
                let (a, b) = (state.root(order.a), state.root(order.b));
                match (a == root, b == root) {
                    (true, false) => known(b).is_none_or(|b| order.side.holds(value, b)),
                    (false, true) => known(a).is_none_or(|a| order.side.holds(a, value)),
                    _ => true,
                }
            })
    }

    /// The values of one kind, one after the other. `None`: no more.
    fn variant(&mut self, root: Node, class: &Class, kinds: Kinds, nth: usize) -> Option<Term> {
        match kinds {
            Kinds::INT => Some(Term::int(zigzag(nth))),
            Kinds::ATOM => self.atom(root, class, nth),
            Kinds::NIL => {
                let wanted = class.proper != Some(true) || self.size(class).is_none_or(|n| n == 0);
                (nth == 0 && wanted).then_some(Term::NIL)
            }
            Kinds::CONS => self.some_list(class, nth),
            Kinds::TUPLE => self.some_tuple(class, nth),
            Kinds::BITS => self.some_bits(class, nth),
            Kinds::MAP => self.some_map(class, nth),
            Kinds::FLOAT => self.some_float(root, class, nth),
            Kinds::FUN => {
                let free = (0..).find(|arity| !class.not_arities.contains(arity));
                let arity = class.arity.or(free)?;
                let name = Atom::new(&format!("f{nth}"));
                Some(Term::fun(Fun::External { module: Atom::new(MADE_UP), name, arity }))
            }
            Kinds::PID => Pid::from_numbers(1000 + nth as u64, 0).map(Term::pid),
            Kinds::PORT => Port::from_number(1000 + nth as u64).map(Term::port),
            Kinds::REF => Some(Term::reference(Ref(1000 + nth as u64))),
            _ => None,
        }
    }

    fn atom(&self, root: Node, class: &Class, nth: usize) -> Option<Term> {
        if let Some(atoms) = &class.atoms {
            return atoms.get(nth).map(|&atom| Term::from(atom));
        }
        let hints = &self.atoms[..self.atoms.len().min(VARIANTS / 2)];
        if let Some(&atom) = hints.get(nth) {
            return Some(Term::from(atom));
        }
        let mut names: Vec<String> = Vec::new();
        let state = self.state;
        // Names next to those that this one is compared with.
        for order in self.ordered.get(&root).into_iter().flatten() {
            for other in [order.a, order.b].map(|node| state.root(node)) {
                if other == root {
                    continue;
                }
                let known = state.value(other).or_else(|| self.values.get(&other));
                if let Some(atom) = known.and_then(Term::as_atom) {
                    let text = atom.as_str();
                    let mut shorter = text.to_string();
                    shorter.pop();
                    names.extend([text.to_string(), format!("{text}a"), shorter]);
                    names.extend([format!("{text}\0"), String::new()]);
                }
            }
        }
        let nth = nth - hints.len();
        if let Some(name) = names.get(nth) {
            return Some(Term::atom(name));
        }
        let letter = ('a'..='z').nth(nth - names.len())?;
        Some(Term::atom(letter.encode_utf8(&mut [0; 4])))
    }

    fn some_list(&mut self, class: &Class, nth: usize) -> Option<Term> {
        let length = match (class.proper, self.size(class)) {
            (Some(true), Some(0)) => return None,
            (Some(true), Some(length)) => length,
            _ => 1,
        };
        if length > MAX_SIZE {
            return None;
        }
        let domains: Vec<DomainId> = class
            .domains
            .iter()
            .filter(|(_, belongs)| *belongs)
            .map(|(domain, _)| *domain)
            .collect();
        if let Some(&domain) = domains.first() {
            return (nth < 4).then(|| self.list_in(domain, length, nth)).flatten();
        }
        let mut elements = vec![Term::int(0); length];
        if let Some(first) = elements.first_mut() {
            *first = Term::int(nth as i64);
        }
        let tail = if class.proper == Some(false) { Term::int(0) } else { Term::NIL };
        Some(Term::improper(elements, tail))
    }

    /// A list of a domain, of this length.
    fn list_in(&self, mut domain: DomainId, length: usize, nth: usize) -> Option<Term> {
        let mut elements = Vec::with_capacity(length);
        for at in 0..length {
            let (head, tail) = self.cell(domain)?;
            let variant = if at == 0 { nth } else { 0 };
            elements.push(witness(self.exprs, head, 8, variant)?);
            domain = tail;
        }
        let tail = if passes(self.exprs, Test::In(domain), &Term::NIL) {
            Term::NIL
        } else {
            witness(self.exprs, domain, 8, 0)?
        };
        Some(Term::improper(elements, tail))
    }

    /// The domains of head and tail of a domain with cons cells.
    fn cell(&self, domain: DomainId) -> Option<(DomainId, DomainId)> {
        match self.exprs.get_domain(domain) {
            Domain::Cons(head, tail) => Some((*head, *tail)),
            Domain::Union(all) => all.iter().find_map(|&one| self.cell(one)),
            Domain::Any | Domain::Test(Test::List | Test::ProperList) => Some((domain, domain)),
            _ => None,
        }
    }

    fn some_tuple(&mut self, class: &Class, nth: usize) -> Option<Term> {
        if let Some(value) = self.domain_value(class, Kinds::TUPLE, nth) {
            return Some(value);
        }
        let least = class.elements.iter().map(|(index, _)| *index as usize).max().unwrap_or(0);
        let free = || (least..).find(|&size| !class.not_sizes.contains(&(size as u32)));
        let mut size = match self.size(class) {
            Some(size) => size,
            None => free()?,
        };
        if class.size.is_none() && size == 0 && nth > 0 {
            size = (1..).find(|&size| !class.not_sizes.contains(&(size as u32)))?;
        }
        if size > MAX_SIZE || size < least {
            return None;
        }
        let mut elements = vec![Term::int(0); size];
        let named = |at: usize| class.elements.iter().any(|(index, _)| *index as usize == at + 1);
        if let Some(at) = (0..size).find(|&at| !named(at)) {
            elements[at] = Term::int(nth as i64);
        }
        for &(index, element) in &class.elements {
            elements[index as usize - 1] = self.value(element);
        }
        Some(Term::tuple(elements))
    }

    /// A value of this kind from the domains of the class.
    fn domain_value(&self, class: &Class, kinds: Kinds, nth: usize) -> Option<Term> {
        let positive = class.domains.iter().filter(|(_, belongs)| *belongs);
        positive.filter_map(|&(domain, _)| witness_of(self.exprs, domain, kinds, nth)).next()
    }

    fn some_bits(&mut self, class: &Class, nth: usize) -> Option<Term> {
        let size = match self.size(class) {
            Some(size) => size,
            None if nth == 0 && class.fields.is_empty() => 0,
            None => 8,
        };
        if size > MAX_SIZE {
            return None;
        }
        let mut bits = vec![None; size];
        for &(offset, width, number) in &class.fields {
            let value = self.value(number);
            for (at, bit) in number_bits(&value, width).into_iter().enumerate() {
                if let Some(place) = bits.get_mut(offset as usize + at) {
                    *place = Some(bit);
                }
            }
        }
        for &(offset, part) in &class.subs {
            let value = self.value(part);
            let Some(part) = value.as_bits() else { continue };
            for at in 0..part.bit_len() {
                if let Some(place) = bits.get_mut(offset as usize + at) {
                    place.get_or_insert(part.bit(at));
                }
            }
        }
        // Variants count in the last bits that are free.
        let mut count = nth as u64;
        let mut writer = BitWriter::with_capacity(size.div_ceil(8));
        for bit in bits.iter_mut().rev().filter(|bit| bit.is_none()) {
            *bit = Some(count & 1 == 1);
            count >>= 1;
        }
        if count > 0 {
            return None;
        }
        for bit in bits {
            writer.push_u64(u64::from(bit == Some(true)), 1);
        }
        Some(Term::bits(writer.finish()))
    }

    fn some_map(&mut self, class: &Class, nth: usize) -> Option<Term> {
        let mut map = Map::new();
        let mut absent = Vec::new();
        for &(key, value) in &class.entries {
            let key = self.value(key);
            match value {
                Some(value) => map.insert(key, self.value(value)),
                None => absent.push(key),
            }
        }
        if class.entries.is_empty()
            && class.size.is_none()
            && let Some(value) = self.domain_value(class, Kinds::MAP, nth)
        {
            return Some(value);
        }
        let size = self.size(class).unwrap_or(if nth == 0 { 0 } else { map.len() + 1 });
        if size > MAX_SIZE {
            return None;
        }
        let mut key = nth.saturating_sub(1) as i64;
        while map.len() < size {
            let term = Term::int(key);
            if !map.contains_key(&term) && !absent.iter().any(|other| exact_eq(other, &term)) {
                map.insert(term, Term::int(0));
            }
            key += 1;
        }
        Some(Term::map(map))
    }

    fn some_float(&self, root: Node, class: &Class, nth: usize) -> Option<Term> {
        let (low, high) = class.floats;
        let mut all = vec![0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 100.0, -0.5];
        let bounded = [low, high].into_iter().filter(|bound| bound.abs() < f64::MAX);
        for bound in bounded {
            all.extend([bound.ceil(), bound.floor(), bound + 1.0, bound - 1.0, bound]);
            all.extend([bound.next_up(), bound.next_down()]);
        }
        all.extend([low / 2.0 + high / 2.0, 1.0e17, -1.0e17, 0.1]);
        let state = self.state;
        for order in &state.orders {
            for (node, other) in [(order.a, order.b), (order.b, order.a)] {
                if state.root(node) != root {
                    continue;
                }
                let other = state.root(other);
                let known = state.value(other).or_else(|| self.values.get(&other));
                if let Some(value) = known.and_then(term::arith::to_f64) {
                    all.extend([
                        value,
                        value + 1.0,
                        value - 1.0,
                        value.next_up(),
                        value.next_down(),
                    ]);
                }
            }
        }
        all.retain(|value| value.is_finite() && low <= *value && *value <= high);
        all.get(nth).map(|&value| Term::float(value))
    }
}

/// 0, 1, -1, 2, -2, …
fn zigzag(nth: usize) -> i64 {
    let half = nth.div_ceil(2) as i64;
    if nth.is_multiple_of(2) { -half } else { half }
}

/// A value of one kind that belongs to a domain.
fn witness_of(exprs: &Exprs, domain: DomainId, kinds: Kinds, nth: usize) -> Option<Term> {
    match exprs.get_domain(domain) {
        Domain::Union(all) => all.iter().find_map(|&one| witness_of(exprs, one, kinds, nth)),
        _ if super::propagate::domain_kinds(exprs, domain) == kinds => {
            witness(exprs, domain, 8, nth)
        }
        _ => None,
    }
}

/// The `nth` of some values of a domain; small ones.
fn witness(exprs: &Exprs, domain: DomainId, depth: u32, nth: usize) -> Option<Term> {
    if depth == 0 {
        return None;
    }
    match exprs.get_domain(domain) {
        Domain::Any => Some(Term::int(zigzag(nth))),
        Domain::Test(test) => example(*test, nth),
        Domain::Between(low, high) => {
            let mut start = BigInt::zero();
            if let Some(low) = low.as_ref().filter(|low| **low > start) {
                start = low.clone();
            }
            if let Some(high) = high.as_ref().filter(|high| **high < start) {
                start = high.clone();
            }
            let up = &start + nth;
            let inside = high.as_ref().is_none_or(|high| up <= *high);
            let value = if inside { up } else { start - nth };
            low.as_ref().is_none_or(|low| *low <= value).then(|| Term::big(value))
        }
        Domain::Value(term) => (nth == 0).then(|| term.clone()),
        Domain::Cons(head, tail) => {
            let head = witness(exprs, *head, depth - 1, nth)?;
            Some(Term::cons(head, witness(exprs, *tail, depth - 1, 0)?))
        }
        Domain::Tuple(domains) => {
            let count = domains.len();
            let elements: Option<Vec<Term>> = domains
                .iter()
                .enumerate()
                .map(|(at, &domain)| {
                    let nth = if at + 1 == count { nth } else { 0 };
                    witness(exprs, domain, depth - 1, nth)
                })
                .collect();
            Some(Term::tuple(elements?))
        }
        Domain::Map(domain) => {
            let mut map = Map::new();
            for (key, field, required) in &domain.fields {
                if *required {
                    map.insert(key.clone(), witness(exprs, *field, depth - 1, nth)?);
                }
            }
            Some(Term::map(map))
        }
        Domain::Bits { size, .. } => {
            let size = usize::try_from(*size).ok().filter(|size| *size <= MAX_SIZE)?;
            let mut writer = BitWriter::with_capacity(size / 8);
            (0..size).for_each(|_| writer.push_u64(0, 1));
            (nth == 0).then(|| Term::bits(writer.finish()))
        }
        Domain::Union(all) => {
            let mut found = all.iter().filter_map(|&one| witness(exprs, one, depth - 1, 0));
            let first = found.nth(nth);
            first.or_else(|| all.iter().find_map(|&one| witness(exprs, one, depth - 1, nth)))
        }
    }
}

/// A value that passes a test.
fn example(test: Test, nth: usize) -> Option<Term> {
    let number = nth as i64;
    let once = |term: Term| (nth == 0).then_some(term);
    match test {
        Test::Defined | Test::Integer | Test::Number => Some(Term::int(zigzag(nth))),
        Test::Float => Some(Term::float(zigzag(nth) as f64)),
        Test::Atom => {
            let letter = u8::try_from(number).ok().filter(|n| *n < 26).map(|n| b'a' + n)?;
            Some(Term::atom(&char::from(letter).to_string()))
        }
        Test::Boolean => [Term::TRUE, Term::FALSE].get(nth).cloned(),
        Test::Tuple => Some(Term::tuple((0..nth).map(|_| Term::int(0)))),
        Test::TupleOf(n) => Some(Term::tuple((0..n).map(|_| Term::int(number)))),
        Test::Cons => Some(Term::list(vec![Term::int(number)])),
        Test::Nil => once(Term::NIL),
        Test::List | Test::ProperList => Some(Term::list(vec![Term::int(0); nth])),
        Test::Map => {
            Some(Term::map((0..number).map(|key| (Term::int(key), Term::int(0))).collect()))
        }
        Test::Binary => Some(Term::binary(vec![0; nth])),
        Test::Bitstring => Some(Term::binary(vec![0; nth])),
        Test::Function | Test::FunctionOf(_) => {
            let arity = if let Test::FunctionOf(n) = test { n } else { 0 };
            let name = Atom::new(&format!("f{nth}"));
            Some(Term::fun(Fun::External { module: Atom::new(MADE_UP), name, arity }))
        }
        Test::Pid => Pid::from_numbers(1000 + nth as u64, 0).map(Term::pid),
        Test::Reference => Some(Term::reference(Ref(1000 + nth as u64))),
        Test::Port => Port::from_number(1000 + nth as u64).map(Term::port),
        Test::Record | Test::In(_) => None,
    }
}
