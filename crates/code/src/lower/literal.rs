//! Terms that are known when code is made.

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, RecordName, SigilKind, UnaryOp};
use syntax::token::Literal;
use term::{Map, Term, View, arith};

use super::Lowerer;
use crate::instr::{Instr, Slot};

impl Lowerer<'_> {
    /// The value of an expression that is a constant term.
    pub(super) fn constant(&self, id: NodeId) -> Option<Term> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.constant_inner(id))
    }

    fn constant_inner(&self, id: NodeId) -> Option<Term> {
        let m = self.m;
        Some(match m.kind(id) {
            Kind::Atom(atom) => Term::from(atom),
            Kind::Char(code) => Term::int(i64::from(code)),
            Kind::Integer(literal) | Kind::Float(literal) | Kind::String(literal) => {
                match m.literal(literal) {
                    Literal::Integer(value) => Term::big(value.clone()),
                    Literal::Float(value) => Term::float(*value),
                    Literal::String(text) => Term::string(text),
                }
            }
            Kind::Sigil { which, text } => match (which, m.literal(text)) {
                (SigilKind::Binary, Literal::String(text)) => Term::binary(text.as_bytes()),
                (SigilKind::String, Literal::String(text)) => Term::string(text),
                _ => return None,
            },
            Kind::Nil => Term::NIL,
            Kind::List { elements, tail } => {
                let elements = self.constants(m.list(elements))?;
                let tail = tail.map_or(Some(Term::NIL), |tail| self.constant(tail))?;
                Term::improper(elements, tail)
            }
            Kind::Tuple { elements } => Term::tuple(self.constants(m.list(elements))?),
            Kind::Map { base: None, fields } => {
                let mut map = Map::new();
                for &field in m.list(fields) {
                    let Kind::MapField { exact: false, key, value } = m.kind(field) else {
                        return None;
                    };
                    map.insert(self.constant(key)?, self.constant(value)?);
                }
                Term::map(map)
            }
            Kind::NameArity { name, arity } => {
                Term::tuple([self.constant(name)?, self.constant(arity)?])
            }
            Kind::RecordIndex { name, field } => Term::int(self.field_position(name, field)?),
            Kind::Binary { elements } => self.constant_bits(elements)?,
            Kind::UnaryOp { op, operand } => applied(op, self.constant(operand)?)?,
            _ => return None,
        })
    }

    fn constants(&self, ids: &[NodeId]) -> Option<Vec<Term>> {
        ids.iter().map(|&id| self.constant(id)).collect()
    }

    /// The value of a pattern that is an expression over constants, such as `1 bsl 8`.
    pub(super) fn constant_in_pattern(&self, id: NodeId) -> Option<Term> {
        if let Some(term) = self.constant(id) {
            return Some(term);
        }
        let (op, left, right) = match self.m.kind(id) {
            Kind::BinaryOp { op, left, right } => (op, left, right),
            Kind::UnaryOp { op, operand } => {
                return applied(op, self.constant_in_pattern(operand)?);
            }
            _ => return None,
        };
        let (a, b) = (self.constant_in_pattern(left)?, self.constant_in_pattern(right)?);
        operated(op, &a, b)
    }

    /// Position in the tuple (from 1) of a record's field.
    fn field_position(&self, name: RecordName, field: NodeId) -> Option<i64> {
        let RecordName::Local(name) = name else { return None };
        let (Kind::Atom(name), Kind::Atom(field)) = (self.m.kind(name), self.m.kind(field)) else {
            return None;
        };
        let record = self.records.get(&name)?;
        record.fields.iter().position(|(f, _)| *f == field).map(|at| at as i64 + 2)
    }

    pub(super) fn load(&mut self, dst: Slot, term: Term) {
        let instr = match term.view() {
            View::Atom(atom) => Instr::LoadAtom { dst, atom },
            View::Nil => Instr::LoadNil { dst },
            View::Int(value) if i32::try_from(value).is_ok() => {
                Instr::LoadInt { dst, value: value as i32 }
            }
            _ => Instr::LoadConst { dst, index: self.const_index(term) },
        };
        self.emit(instr);
    }

    pub(super) fn load_atom(&mut self, dst: Slot, atom: Atom) {
        self.emit(Instr::LoadAtom { dst, atom });
    }

    pub(super) fn load_true(&mut self, dst: Slot) {
        self.load_atom(dst, known::TRUE);
    }

    pub(super) fn const_index(&mut self, term: Term) -> u32 {
        self.code.consts.push(term);
        self.code.consts.len() as u32 - 1
    }
}

/// A small integer operand that fits into an instruction.
pub(super) fn small(term: &Term) -> Option<i32> {
    term.as_int().and_then(|value| i32::try_from(value).ok())
}

/// What an operator makes of a constant.
pub(super) fn applied(op: UnaryOp, operand: Term) -> Option<Term> {
    match op {
        UnaryOp::Minus => arith::neg(&operand).ok(),
        UnaryOp::Plus if operand.is_number() => Some(operand),
        UnaryOp::Bnot => arith::bnot(&operand).ok(),
        _ => None,
    }
}

/// What an operator makes of two constants.
pub(super) fn operated(op: BinaryOp, a: &Term, b: Term) -> Option<Term> {
    let operation = match op {
        BinaryOp::Add => arith::add,
        BinaryOp::Sub => arith::sub,
        BinaryOp::Mul => arith::mul,
        BinaryOp::Div => arith::div,
        BinaryOp::IntDiv => arith::int_div,
        BinaryOp::Rem => arith::rem,
        BinaryOp::Band => arith::band,
        BinaryOp::Bor => arith::bor,
        BinaryOp::Bxor => arith::bxor,
        BinaryOp::Bsl => arith::bsl,
        BinaryOp::Bsr => arith::bsr,
        BinaryOp::Append => return Some(Term::improper(a.to_vec()?, b)),
        _ => return None,
    };
    operation(a, &b).ok()
}
