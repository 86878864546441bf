//! Operands: parts of one expression that do not see each other's variables.
//!
//! In `{X = a(), X = b()}` both parts may bind `X`, and the lint lets nobody read in one part what
//! another binds. OTP's compiler makes a sequence of the parts: the second `X = …` compares with
//! the first, and raises `badmatch`. A variable that only some clauses of a `case` in the first
//! part bind is none afterwards, so that the second part binds it anew (see
//! [`super::clauses::Exported`]).
//!
//! In a fun (or the function of a generator) of the second part `X` is a new variable: what the
//! parts before bound is hidden there. OTP's compiler does that for the elements of tuples, lists
//! and records, for arguments and for operators, not for maps, binaries and updates of records,
//! where the parts are a plain sequence; and within one such expression only what its own parts
//! bound is hidden, unless it is itself a structure that is a part of another. All of this can be
//! observed, and is the same here.
//!
//! Known to be missing: the `after` of a `try` that is long is a function of its own to OTP's
//! compiler, and defaults of records are seen by the other fields.

use std::ops::Range;

use atom::Atom;
use syntax::ast::{BinaryOp, Kind, NodeId};

use super::Lowerer;

/// What was seen before: to be restored.
pub(super) struct Sight {
    operands: Option<usize>,
    hidden: Range<usize>,
}

/// What an expression is to its parts.
enum Shape {
    /// A tuple, list or record: simple once its parts are there.
    Structure(Vec<NodeId>),
    /// Something is done with the parts.
    Operation(Vec<NodeId>),
    /// It is this one part.
    Same(NodeId),
    /// The parts, if any, are a sequence.
    Sequence,
}

impl Lowerer<'_> {
    /// An expression begins. If it is an operand, what the operands before it bound is hidden; and
    /// it may have operands itself.
    pub(super) fn enter_operand(&mut self, id: NodeId) -> Sight {
        if !self.has_parts {
            return Sight { operands: None, hidden: 0..0 };
        }
        let shape = self.shape(id);
        let f = self.f();
        let now = f.bound.len();
        let before = Sight { operands: f.operands, hidden: f.hidden.clone() };
        if let Some(base) = f.operands {
            f.hidden = base..now;
        }
        let around = f.operands;
        let operands = match shape {
            Shape::Same(_) => around,
            Shape::Structure(parts) => match self.evaluated(&parts) {
                0 => None,
                1 => around,
                _ => Some(around.unwrap_or(now)),
            },
            Shape::Operation(parts) => (self.evaluated(&parts) > 1).then_some(now),
            Shape::Sequence => None,
        };
        self.f().operands = operands;
        before
    }

    pub(super) fn leave_operand(&mut self, before: Sight) {
        let f = self.f();
        f.operands = before.operands;
        f.hidden = before.hidden;
    }

    /// Nothing is hidden from here on.
    pub(super) fn see_all(&mut self) -> Sight {
        let f = self.f();
        Sight { operands: f.operands.take(), hidden: std::mem::replace(&mut f.hidden, 0..0) }
    }

    /// From here on these are the operands of the expression that is being made.
    pub(super) fn begin_operands(&mut self, parts: &[NodeId]) {
        let several = self.has_parts && self.evaluated(parts) > 1;
        let f = self.f();
        f.operands = several.then_some(f.bound.len());
    }

    /// Whether funs do not see a variable that is bound.
    pub(super) fn is_hidden(&mut self, name: Atom) -> bool {
        let f = self.f();
        let at = f.bound.iter().rposition(|bound| *bound == name);
        at.is_some_and(|at| f.hidden.contains(&at))
    }

    /// The variables that are hidden.
    pub(super) fn hidden_names(&mut self) -> Vec<Atom> {
        let f = self.f();
        let mut names = f.bound.get(f.hidden.clone()).unwrap_or_default().to_vec();
        names.retain(|name| self.is_hidden(*name));
        names
    }

    fn shape(&self, id: NodeId) -> Shape {
        let m = self.m;
        match m.kind(id) {
            Kind::Tuple { elements } => Shape::Structure(m.list(elements).to_vec()),
            Kind::List { elements, tail } => {
                Shape::Structure(m.list(elements).iter().copied().chain(tail).collect())
            }
            Kind::Record { base: None, name, fields } if self.native(name).is_none() => {
                let Ok((_, definition)) = self.record(id, name) else { return Shape::Sequence };
                let (given, rest) = self.fields_given(fields, &definition);
                let parts = given.into_iter().zip(definition);
                Shape::Structure(
                    parts.filter_map(|(g, (_, default))| g.or(rest).or(default)).collect(),
                )
            }
            Kind::Block { body } => match *m.list(body) {
                [only] => Shape::Same(only),
                _ => Shape::Sequence,
            },
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, .. } => Shape::Sequence,
            Kind::BinaryOp { op: BinaryOp::Append, left, .. }
                if self.is_list_comprehension(left) =>
            {
                Shape::Sequence
            }
            Kind::BinaryOp { left, right, .. } => Shape::Operation(vec![left, right]),
            Kind::Call { callee, args } => {
                let args = m.list(args).iter().copied();
                match m.kind(callee) {
                    Kind::Atom(_) => Shape::Operation(args.collect()),
                    Kind::Remote { module, name } => {
                        Shape::Operation([module, name].into_iter().chain(args).collect())
                    }
                    // What is called comes first; see `begin_operands`.
                    _ => Shape::Sequence,
                }
            }
            _ => Shape::Sequence,
        }
    }

    /// How many of the parts do something, one or more than one: variables and constants do not.
    fn evaluated(&self, parts: &[NodeId]) -> usize {
        parts.iter().filter(|&&part| self.evaluates(part)).take(2).count()
    }

    /// Whether an expression does something.
    pub(super) fn evaluates(&self, id: NodeId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.m.kind(id) {
                Kind::Atom(_)
                | Kind::Var(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Sigil { .. }
                | Kind::Nil
                | Kind::RecordIndex { .. } => {}
                Kind::Map { .. } | Kind::Binary { .. } => {
                    if self.constant(id).is_none() {
                        return true;
                    }
                }
                _ => match self.shape(id) {
                    Shape::Structure(parts) => pending.extend(parts),
                    Shape::Same(part) => pending.push(part),
                    _ => return true,
                },
            }
        }
        false
    }
}
