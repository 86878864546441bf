//! Tuples, and sizes.

use solver::{Test, Unary};
use term::Term;

use super::Outcome;
use crate::shadow::{State, Value};

impl State {
    pub(super) fn tuples(&mut self, name: &str, args: &[Value]) -> Outcome {
        match (name, args) {
            ("element", [index, tuple]) => match self.place(index, tuple) {
                Some(place) => Outcome::Gives(self.element(tuple, place).expr),
                None => Outcome::Fails(None),
            },
            ("setelement", [index, tuple, value]) => match self.place(index, tuple) {
                Some(place) => Outcome::Gives(self.with_element(tuple, place, value.clone())),
                None => Outcome::Fails(None),
            },
            ("tuple_size", [tuple]) => match self.is_tuple_value(tuple) {
                true => self.size(Unary::TupleSize, tuple),
                false => Outcome::Fails(None),
            },
            ("size", [value]) => self.any_size(value),
            ("byte_size", [bits]) => self.bits_size(Unary::ByteSize, bits),
            ("bit_size", [bits]) => self.bits_size(Unary::BitSize, bits),
            ("tuple_to_list", [tuple]) => {
                if !self.sized_tuple(tuple) {
                    return Outcome::Fails(None);
                }
                let elements = self.elements(tuple);
                Outcome::Gives(self.list(&elements, Value::plain(Term::NIL)).expr)
            }
            ("list_to_tuple", [list]) => {
                let (elements, rest) = self.spine(list);
                match rest.term.is_nil() {
                    true => Outcome::Gives(self.tuple(&elements)),
                    false => Outcome::Fails(None),
                }
            }
            ("append_element", [tuple, value]) => {
                if !self.sized_tuple(tuple) {
                    return Outcome::Fails(None);
                }
                let mut elements = self.elements(tuple);
                elements.push(value.clone());
                Outcome::Gives(self.tuple(&elements))
            }
            ("make_tuple", [size, value]) if size.expr.is_none() => {
                let size = size.term.as_int().and_then(|size| usize::try_from(size).ok());
                match size {
                    Some(size) => Outcome::Gives(self.tuple(&vec![value.clone(); size])),
                    None => Outcome::Fails(None),
                }
            }
            _ => Outcome::Unknown,
        }
    }

    fn is_tuple_value(&mut self, value: &Value) -> bool {
        self.decide_test(Test::Tuple, value, value.term.as_tuple().is_some())
    }

    /// A tuple: its size is decided.
    fn sized_tuple(&mut self, value: &Value) -> bool {
        if !self.is_tuple_value(value) {
            return false;
        }
        let size = value.term.as_tuple().map_or(0, <[Term]>::len) as u32;
        // One size after the other, so that what is asked does not depend on the answer.
        for smaller in 0..size {
            self.decide_test(Test::TupleOf(smaller), value, false);
        }
        self.decide_test(Test::TupleOf(size), value, true)
    }

    /// Which element (from 0) an index says, if the tuple has it; decided.
    fn place(&mut self, index: &Value, tuple: &Value) -> Option<usize> {
        if !self.decide_test(Test::Integer, index, index.term.is_integer()) {
            return None;
        }
        if !self.is_tuple_value(tuple) {
            return None;
        }
        let size = tuple.term.as_tuple().map_or(0, <[Term]>::len);
        let wanted = index.term.as_int();
        if index.expr.is_none() {
            let wanted = usize::try_from(wanted?.checked_sub(1)?).ok()?;
            return self.has_place(tuple, wanted).then_some(wanted);
        }
        if tuple.expr.is_some() && !self.sized_tuple(tuple) {
            return None;
        }
        let expr = self.expr(index);
        for place in 1..=size as i64 {
            let condition = self.is_term(expr, Term::int(place));
            self.decide(condition, wanted == Some(place));
            if wanted == Some(place) {
                return Some(place as usize - 1);
            }
        }
        None
    }

    /// Whether a tuple has an element (from 0); decided.
    fn has_place(&mut self, tuple: &Value, place: usize) -> bool {
        let has = tuple.term.as_tuple().is_some_and(|tuple| place < tuple.len());
        let Some(expr) = tuple.expr else { return has };
        if let solver::Expr::Tuple(_) = self.exprs.get(expr) {
            return has;
        }
        let size = self.exprs.unary(Unary::TupleSize, expr);
        let least = self.exprs.int(place as i64 + 1);
        let condition = self.exprs.less_eq(least, size);
        self.decide(condition, has);
        has
    }

    fn size(&mut self, op: Unary, value: &Value) -> Outcome {
        match value.expr {
            Some(expr) => match self.exprs.get(expr) {
                solver::Expr::Tuple(_) => Outcome::Gives(None),
                _ => self.sized(op, expr),
            },
            None => Outcome::Gives(None),
        }
    }

    fn any_size(&mut self, value: &Value) -> Outcome {
        if self.is_tuple_value(value) {
            return self.size(Unary::TupleSize, value);
        }
        self.bits_size(Unary::ByteSize, value)
    }

    fn bits_size(&mut self, op: Unary, bits: &Value) -> Outcome {
        match self.decide_test(Test::Bitstring, bits, bits.term.as_bits().is_some()) {
            true => self.size(op, bits),
            false => Outcome::Fails(None),
        }
    }
}
