//! Comparisons of values in Erlang's order.
//!
//! What the kinds decide is decided; integers become linear facts; tuples and lists are compared
//! part by part; floats and atoms are bounded. What is left (two atoms, two floats, maps, bit
//! strings) is held against transitivity, and by the model that is evaluated in the end.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use term::order::compare;
use term::{Term, arith};

use super::facts::{Action, Order, Side};
use super::kinds::Kinds;
use super::state::{Conflict, Context, Node, Parts, State, Step};
use crate::linear::Rel;

impl Side {
    pub(crate) fn holds(self, a: &Term, b: &Term) -> bool {
        let order = compare(a, b);
        match self {
            Side::Less => order.is_lt(),
            Side::LessEq => order.is_le(),
            Side::Equal => order.is_eq(),
            Side::Unequal => order.is_ne(),
        }
    }

    /// Whether a value is in this relation to itself.
    fn reflexive(self) -> bool {
        matches!(self, Side::LessEq | Side::Equal)
    }
}

/// Kinds whose values are equal only if they are exactly equal.
const SOLID: Kinds = Kinds(
    Kinds::ATOM.0 | Kinds::REF.0 | Kinds::PORT.0 | Kinds::PID.0 | Kinds::NIL.0 | Kinds::BITS.0,
);

/// More values than this are not held against transitivity.
const CLOSURE_LIMIT: usize = 40;

impl State {
    pub(crate) fn orders_pass(&mut self, cx: &mut Context<'_>) -> Step {
        let orders = std::mem::take(&mut self.orders);
        cx.step(orders.len())?;
        let mut kept: Vec<Order> = Vec::with_capacity(orders.len());
        for Order { side, a, b } in orders {
            let order = Order { side, a: self.root(a), b: self.root(b) };
            if !self.order(order)? && !kept.contains(&order) {
                kept.push(order);
            }
        }
        kept.append(&mut self.orders);
        self.orders = kept;
        self.transitive(cx)
    }

    /// Applies one comparison; whether it needs no more minding.
    fn order(&mut self, Order { side, a, b }: Order) -> Step<bool> {
        if a == b {
            return if side.reflexive() { Ok(true) } else { Err(Conflict) };
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return if side.holds(x, y) { Ok(true) } else { Err(Conflict) };
        }
        let ((la, ha), (lb, hb)) = (self.kinds(a).ranks(), self.kinds(b).ranks());
        match side {
            Side::Less | Side::LessEq => {
                if ha < lb {
                    return Ok(true);
                }
                self.narrow(a, Kinds::between(0, hb))?;
                self.narrow(b, Kinds::between(la, 12))?;
            }
            Side::Equal => {
                self.narrow(a, Kinds::between(lb, hb))?;
                self.narrow(b, Kinds::between(la, ha))?;
            }
            Side::Unequal if ha < lb || hb < la => return Ok(true),
            Side::Unequal => {}
        }
        let (x, y) = (self.kinds(a), self.kinds(b));
        let solid = Kinds(SOLID.0 | Kinds::INT.0);
        if side == Side::Equal && (x.within(solid) && y.within(solid)) {
            self.merge(a, b)?;
            return Ok(true);
        }
        if side == Side::Unequal && (x.within(solid) && y.within(solid)) {
            self.different(a, b)?;
            return Ok(true);
        }
        if x.ranks() != y.ranks() || x.ranks().0 != x.ranks().1 {
            return Ok(false);
        }
        self.order_same_rank(Order { side, a, b })
    }

    fn order_same_rank(&mut self, order: Order) -> Step<bool> {
        let Order { side, a, b } = order;
        let kinds = self.kinds(a);
        if kinds.within(Kinds::NUMBER) {
            return self.order_numbers(order);
        }
        if side == Side::Equal && kinds.within(Kinds(Kinds::CONS.0 | Kinds::TUPLE.0)) {
            self.loosely.push((a, b));
        }
        match kinds {
            Kinds::CONS => {
                let ((h, t), (h2, t2)) = (self.cons_parts(a)?, self.cons_parts(b)?);
                self.sequence(side, &[h, t].into(), &[h2, t2].into())?;
                Ok(true)
            }
            Kinds::TUPLE => {
                let size = |node: Node| match (&self.class(node).parts, self.value(node)) {
                    (Some(Parts::Tuple(parts)), _) => Some(parts.len()),
                    (_, Some(value)) => value.as_tuple().map(<[_]>::len),
                    _ => None,
                };
                let (m, n) = match (size(a), size(b)) {
                    (Some(m), Some(n)) => (m, n),
                    (Some(size), None) | (None, Some(size)) if side == Side::Equal => (size, size),
                    _ => return Ok(false),
                };
                if m != n {
                    let holds = match side {
                        Side::Less | Side::LessEq => m < n,
                        Side::Equal => false,
                        Side::Unequal => true,
                    };
                    return if holds { Ok(true) } else { Err(Conflict) };
                }
                let (x, y) = (self.tuple_parts(a, m)?, self.tuple_parts(b, n)?);
                self.sequence(side, &x, &y)?;
                Ok(true)
            }
            Kinds::NIL => {
                if side.reflexive() {
                    Ok(true)
                } else {
                    Err(Conflict)
                }
            }
            Kinds::ATOM => {
                self.order_atoms(order)?;
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Takes out of the atoms that are possible what a constant on the other side excludes.
    fn order_atoms(&mut self, Order { side, a, b }: Order) -> Step {
        for (node, other, left) in [(a, b, true), (b, a, false)] {
            let (Some(atoms), Some(bound)) = (self.class(node).atoms.clone(), self.value(other))
            else {
                continue;
            };
            let fits = |atom: &atom::Atom| {
                let atom = Term::from(*atom);
                if left { side.holds(&atom, bound) } else { side.holds(bound, &atom) }
            };
            let left: Rc<[_]> = atoms.iter().copied().filter(fits).collect();
            if left.len() != atoms.len() {
                self.change(node).atoms = Some(left);
            }
        }
        Ok(())
    }

    fn order_numbers(&mut self, Order { side, a, b }: Order) -> Step<bool> {
        let (x, y) = (self.kinds(a), self.kinds(b));
        if x == Kinds::INT && y == Kinds::INT {
            match side {
                Side::Less => self.linear(&[(-1, a), (1, b)], -1, Rel::Ge),
                Side::LessEq => self.linear(&[(-1, a), (1, b)], 0, Rel::Ge),
                Side::Equal => self.merge(a, b)?,
                Side::Unequal => self.linear(&[(1, a), (-1, b)], 0, Rel::Ne),
            }
            return Ok(true);
        }
        if x == Kinds::FLOAT && y == Kinds::FLOAT && side == Side::Equal {
            self.merge(a, b)?;
            return Ok(true);
        }
        // A constant on one side bounds the other.
        for (node, other, left) in [(a, b, true), (b, a, false)] {
            let Some(bound) = self.value(other).cloned() else { continue };
            match self.kinds(node) {
                Kinds::INT => {
                    let Some(bound) = bound.as_float() else { continue };
                    self.bound_integer(node, side, left, bound)?;
                    return Ok(true);
                }
                Kinds::FLOAT => {
                    self.bound_float(node, side, left, &bound)?;
                    return Ok(side != Side::Unequal);
                }
                _ => {}
            }
        }
        if x == Kinds::FLOAT && y == Kinds::FLOAT {
            let ((low, _), (_, high)) = (self.class(a).floats, self.class(b).floats);
            let (down, up) =
                if side == Side::Less { (high.next_down(), low.next_up()) } else { (high, low) };
            if matches!(side, Side::Less | Side::LessEq) {
                self.limit_float(a, f64::MIN, down)?;
                self.limit_float(b, up, f64::MAX)?;
            }
        }
        Ok(false)
    }

    /// An integer is compared with a float; it is on the left side where `left`.
    fn bound_integer(&mut self, node: Node, side: Side, left: bool, bound: f64) -> Step {
        let whole = |value: f64| BigInt::from_f64(value).ok_or(Conflict);
        let integral = bound.fract() == 0.0;
        let at_most = |limit: BigInt| (vec![(node, BigInt::from(-1))], limit);
        let at_least = |limit: BigInt| (vec![(node, BigInt::from(1))], -limit);
        let (terms, constant) = match (side, left) {
            (Side::Equal, _) => {
                if !integral {
                    return Err(Conflict);
                }
                return self.merge_constant(node, Term::big(whole(bound)?));
            }
            (Side::Unequal, _) => {
                if integral {
                    let terms = vec![(node, BigInt::from(1))];
                    self.linear_big(terms, -whole(bound)?, Rel::Ne);
                }
                return Ok(());
            }
            (Side::Less, true) => at_most(whole(bound.ceil())? - 1),
            (Side::LessEq, true) => at_most(whole(bound.floor())?),
            (Side::Less, false) => at_least(whole(bound.floor())? + 1),
            (Side::LessEq, false) => at_least(whole(bound.ceil())?),
        };
        self.linear_big(terms, constant, Rel::Ge);
        Ok(())
    }

    /// A float is compared with a number; it is on the left side where `left`.
    fn bound_float(&mut self, node: Node, side: Side, left: bool, bound: &Term) -> Step {
        // The floats next to the number: exact comparison decides which of them are inside.
        let near = match arith::to_f64(bound) {
            Some(near) => near,
            None if arith::is_negative(bound) => f64::MIN,
            None => f64::MAX,
        };
        let around = [near.next_down(), near, near.next_up()];
        let fits = |value: &f64| {
            let value = Term::float(*value);
            if left { side.holds(&value, bound) } else { side.holds(bound, &value) }
        };
        let inside = around.iter().copied().filter(|value| value.is_finite()).filter(fits);
        match (side, left) {
            (Side::Less | Side::LessEq, true) => {
                let high = inside.fold(f64::NEG_INFINITY, f64::max);
                self.limit_float(node, f64::MIN, high)
            }
            (Side::Less | Side::LessEq, false) => {
                let low = inside.fold(f64::INFINITY, f64::min);
                self.limit_float(node, low, f64::MAX)
            }
            (Side::Equal, _) => {
                let values: Vec<f64> = inside.collect();
                match values[..] {
                    [value] => self.limit_float(node, value, value),
                    _ => Err(Conflict),
                }
            }
            (Side::Unequal, _) => Ok(()),
        }
    }

    pub(crate) fn limit_float(&mut self, node: Node, low: f64, high: f64) -> Step {
        let (old_low, old_high) = self.class(node).floats;
        let (low, high) = (low.max(old_low), high.min(old_high));
        if low > high {
            return Err(Conflict);
        }
        if (low, high) != (old_low, old_high) {
            self.change(node).floats = (low, high);
        }
        Ok(())
    }

    /// Two sequences of the same length compare part by part.
    pub(crate) fn sequence(&mut self, side: Side, a: &Rc<[Node]>, b: &Rc<[Node]>) -> Step {
        let same = a.iter().zip(b.iter()).take_while(|(x, y)| self.root(**x) == self.root(**y));
        let same = same.count();
        let (a, b) = (&a[same..], &b[same..]);
        if a.is_empty() {
            return if side.reflexive() { Ok(()) } else { Err(Conflict) };
        }
        match side {
            Side::Equal => {
                for (&x, &y) in a.iter().zip(b) {
                    self.compare(Side::Equal, x, y)?;
                }
            }
            Side::Unequal => {
                let pairs = a.iter().zip(b);
                let cases =
                    pairs.map(|(&x, &y)| vec![Action::Compare(Side::Unequal, x, y)]).collect();
                self.split(cases);
            }
            _ if a.len() == 1 => self.compare(side, a[0], b[0])?,
            _ => self.split(vec![
                vec![Action::Compare(Side::Less, a[0], b[0])],
                vec![
                    Action::Compare(Side::Equal, a[0], b[0]),
                    Action::Sequence(side, a[1..].into(), b[1..].into()),
                ],
            ]),
        }
        Ok(())
    }

    /// The order is transitive: nothing comes before itself, and what is neither before nor after
    /// is equal.
    fn transitive(&mut self, cx: &mut Context<'_>) -> Step {
        let mut nodes: Vec<Node> = Vec::new();
        for order in &self.orders {
            for node in [order.a, order.b] {
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
        }
        if self.orders.len() < 2 || nodes.len() > CLOSURE_LIMIT {
            return Ok(());
        }
        cx.step(nodes.len() * nodes.len())?;
        // 0: nothing known, 1: at most, 2: less.
        let n = nodes.len();
        let mut before = vec![0u8; n * n];
        let at = |node: Node| nodes.iter().position(|&other| other == node).unwrap_or_default();
        for order in &self.orders {
            let (i, j) = (at(order.a), at(order.b));
            match order.side {
                Side::Less => before[i * n + j] = 2,
                Side::LessEq => before[i * n + j] = before[i * n + j].max(1),
                Side::Equal => {
                    before[i * n + j] = before[i * n + j].max(1);
                    before[j * n + i] = before[j * n + i].max(1);
                }
                Side::Unequal => {}
            }
        }
        for i in 0..n {
            for j in 0..n {
                if let (Some(x), Some(y)) = (self.value(nodes[i]), self.value(nodes[j]))
                    && i != j
                {
                    let order = compare(x, y);
                    let known = if order.is_lt() { 2 } else { u8::from(order.is_eq()) };
                    before[i * n + j] = before[i * n + j].max(known);
                }
            }
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let (x, y) = (before[i * n + k], before[k * n + j]);
                    if x > 0 && y > 0 {
                        before[i * n + j] = before[i * n + j].max(x).max(y);
                    }
                }
            }
        }
        if (0..n).any(|i| before[i * n + i] == 2) {
            return Err(Conflict);
        }
        for i in 0..n {
            for j in i + 1..n {
                let equal = Order { side: Side::Equal, a: nodes[i], b: nodes[j] };
                if before[i * n + j] > 0 && before[j * n + i] > 0 {
                    let flip = Order { a: equal.b, b: equal.a, ..equal };
                    let valued = self.value(nodes[i]).is_some() && self.value(nodes[j]).is_some();
                    if !valued && !self.orders.contains(&equal) && !self.orders.contains(&flip) {
                        self.version += 1;
                        self.orders.push(equal);
                    }
                    let unequal = |o: &Order| {
                        let pair = (o.a, o.b);
                        o.side == Side::Unequal
                            && (pair == (equal.a, equal.b) || pair == (equal.b, equal.a))
                    };
                    if self.orders.iter().any(unequal) {
                        return Err(Conflict);
                    }
                }
            }
        }
        Ok(())
    }
}
