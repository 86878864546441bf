//! Conversions between numbers, atoms, texts and binaries.

use solver::{Test, Unary};
use term::Term;

use super::Outcome;
use crate::shadow::{State, Value};

impl State {
    pub(super) fn conversion(&mut self, name: &str, args: &[Value]) -> Outcome {
        let [value] = args else { return Outcome::Unknown };
        let term = &value.term;
        match name {
            "integer_to_list" => self.converted(Unary::IntegerToList, value, term.is_integer()),
            "integer_to_binary" => self.converted(Unary::IntegerToBinary, value, term.is_integer()),
            "atom_to_list" => self.converted(Unary::AtomToList, value, term.as_atom().is_some()),
            "atom_to_binary" => {
                self.converted(Unary::AtomToBinary, value, term.as_atom().is_some())
            }
            "list_to_atom" => self.if_defined(Unary::ListToAtom, value),
            "binary_to_atom" => self.if_defined(Unary::BinaryToAtom, value),
            "list_to_integer" => self.if_defined(Unary::ListToInteger, value),
            "binary_to_integer" => self.if_defined(Unary::BinaryToInteger, value),
            "binary_to_list" => self.bytes(value),
            _ => Outcome::Unknown,
        }
    }

    /// A conversion of values that pass a test, which always succeeds.
    fn converted(&mut self, op: Unary, value: &Value, passes: bool) -> Outcome {
        let Some(expr) = value.expr else { return Outcome::Gives(None) };
        let test = match op {
            Unary::IntegerToList | Unary::IntegerToBinary => Test::Integer,
            _ => Test::Atom,
        };
        if !self.decide_test(test, value, passes) {
            return Outcome::Fails(None);
        }
        let made = self.exprs.unary(op, expr);
        Outcome::Gives(self.kept(made))
    }

    /// A conversion that succeeds where its expression has a value.
    fn if_defined(&mut self, op: Unary, value: &Value) -> Outcome {
        let Some(expr) = value.expr else { return Outcome::Gives(None) };
        let made = self.exprs.unary(op, expr);
        let constant = self.exprs.constant(value.term.clone());
        let result = self.exprs.unary(op, constant);
        let succeeds = self.exprs.as_const(result).is_some();
        let defined = self.exprs.test(Test::Defined, made);
        self.decide(defined, succeeds);
        match succeeds {
            true => Outcome::Gives(self.kept(made)),
            false => Outcome::Fails(None),
        }
    }

    /// `binary_to_list/1`: how many bytes there are is decided, one after the other.
    fn bytes(&mut self, value: &Value) -> Outcome {
        let Some(expr) = value.expr else { return Outcome::Gives(None) };
        if !self.decide_test(Test::Binary, value, value.term.is_binary()) {
            return Outcome::Fails(None);
        }
        let size = value.term.as_bits().map_or(0, term::Bits::byte_len);
        let len = self.exprs.unary(Unary::ByteSize, expr);
        let mut elements = Vec::new();
        for at in 0..=size {
            let least = self.exprs.int(at as i64);
            let is_all = self.exact(len, least);
            self.decide(is_all, at == size);
            if at < size {
                let term = value.term.as_bits().map_or(0, |bits| bits.byte_at(at));
                let byte = self.byte(expr, at);
                elements.push(Value { term: Term::int(i64::from(term)), expr: Some(byte) });
            }
        }
        Outcome::Gives(self.list(&elements, Value::plain(Term::NIL)).expr)
    }

    fn byte(&mut self, bits: solver::ExprId, at: usize) -> solver::ExprId {
        let (offset, size) = (self.exprs.int(at as i64 * 8), self.exprs.int(8));
        self.exprs.field(solver::Field {
            bits,
            offset,
            size: Some(size),
            unit: 1,
            ty: solver::BitsType::Integer,
            signed: false,
            little: false,
            width: false,
        })
    }
}
