//! Guards and conditions: tests that go on or jump.

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, UnaryOp};

use super::builder::Label;
use super::expr::{Want, compare_op, type_test};
use super::literal::small;
use super::{Lowerer, Result};
use crate::instr::{CompareOp, Instr, Mark, TypeTest, Use};

impl Lowerer<'_> {
    /// The guard of a clause: goes to `fail` unless one of its alternatives holds.
    pub(super) fn guards(&mut self, guards: NodeList, fail: Label) -> Result<()> {
        let m = self.m;
        let alternatives = m.list(guards);
        let Some((&last, others)) = alternatives.split_last() else { return Ok(()) };
        let holds = self.new_label();
        for &alternative in others {
            let next = self.new_label();
            self.guard(alternative, next)?;
            self.jump(holds);
            self.bind_label(next);
        }
        self.guard(last, fail)?;
        self.bind_label(holds);
        Ok(())
    }

    fn guard(&mut self, guard: NodeId, fail: Label) -> Result<()> {
        let m = self.m;
        let Kind::Guard { tests } = m.kind(guard) else { return Ok(()) };
        for &test in m.list(tests) {
            if let Kind::Call { callee, args } = m.kind(test)
                && let (Kind::Atom(name), [arg]) = (m.kind(callee), m.list(args))
                && let Some(type_test) = old_type_test(name)
            {
                self.note_outcomes(test, fail, fail, |this, fail, _| {
                    let a = Use::of(this.pattern_operand(*arg, fail)?);
                    this.emit(Instr::TypeTest { test: type_test, a, fail });
                    Ok(())
                })?;
            } else if let Some((arg, tag, len)) = self.old_record_test(test) {
                self.note_outcomes(test, fail, fail, |this, fail, _| {
                    let a = Use::of(this.pattern_operand(arg, fail)?);
                    this.emit(Instr::IsTagged { a, len, tag, fail });
                    Ok(())
                })?;
            } else {
                self.guard_test(test, fail)?;
            }
        }
        Ok(())
    }

    /// `record(Term, Name)`, as `is_record/2` was called once: the term, the name, the size.
    fn old_record_test(&self, test: NodeId) -> Option<(NodeId, Atom, u16)> {
        let m = self.m;
        let Kind::Call { callee, args } = m.kind(test) else { return None };
        let (Kind::Atom(name), &[arg, record]) = (m.kind(callee), m.list(args)) else {
            return None;
        };
        let Kind::Atom(record) = m.kind(record) else { return None };
        let definition = self.records.get(&record).filter(|_| name.as_str() == "record")?;
        Some((arg, record, u16::try_from(definition.fields.len() + 1).ok()?))
    }

    /// In a guard, OTP's compiler joins a side of `andalso` or `orelse` by `and` with the test that
    /// the records whose fields it has are some: so it must be a boolean.
    pub(super) fn boolean_field(&mut self, side: NodeId, want: Want) {
        let (Some(fail), Want::Value(a)) = (self.f().guard, want) else { return };
        if self.has_field(side) {
            let fine = self.new_label();
            self.emit(Instr::IsBoolean { a: Use::of(a), other: fine, fail });
            self.bind_label(fine);
        }
    }

    /// Whether an expression has fields of records, but for sides of boolean operators in it.
    fn has_field(&self, id: NodeId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.m.kind(id) {
                Kind::RecordAccess { .. } => return true,
                Kind::BinaryOp { op, .. } if is_boolean(op) => {}
                Kind::UnaryOp { op: UnaryOp::Not, .. } => {}
                _ => self.m.for_each_child(id, |child| pending.push(child)),
            }
        }
        false
    }

    /// One test of a guard.
    pub(super) fn guard_test(&mut self, test: NodeId, fail: Label) -> Result<()> {
        let outer = self.f().guard.replace(fail);
        let mark = self.mark();
        let result = self.condition(test, fail, fail);
        self.release(mark);
        self.f().guard = outer;
        result
    }

    /// Goes on if `id` is true, to `if_false` if it is false, to `if_error` if it is neither or
    /// cannot be computed.
    fn condition(&mut self, id: NodeId, if_false: Label, if_error: Label) -> Result<()> {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
            let before = self.f().current;
            self.at(id);
            let result = self.note_outcomes(id, if_false, if_error, |this, if_false, if_error| {
                let outer = this.f().guard.replace(if_error);
                let result = this.condition_inner(id, if_false, if_error);
                this.f().guard = outer;
                result
            });
            self.at(before);
            result
        })
    }

    fn condition_inner(&mut self, id: NodeId, if_false: Label, if_error: Label) -> Result<()> {
        let m = self.m;
        if !self.is_value(id) {
            self.note(id, Mark::Reached);
        }
        match m.kind(id) {
            Kind::Atom(known::TRUE) => Ok(()),
            Kind::BinaryOp { op: BinaryOp::Andalso, left, right } => {
                self.condition(left, if_false, if_error)?;
                self.condition(right, if_false, if_error)
            }
            Kind::BinaryOp { op: BinaryOp::Orelse, left, right } => {
                let (next, holds) = (self.new_label(), self.new_label());
                self.condition(left, next, if_error)?;
                self.jump(holds);
                self.bind_label(next);
                self.condition(right, if_false, if_error)?;
                self.bind_label(holds);
                Ok(())
            }
            // Both sides are evaluated by `and`, but where a failure and `false` lead to the same
            // place nobody can tell.
            Kind::BinaryOp { op: BinaryOp::And, left, right } if if_false == if_error => {
                self.condition(left, if_false, if_error)?;
                self.condition(right, if_false, if_error)
            }
            Kind::UnaryOp { op: UnaryOp::Not, operand } => {
                let holds = self.new_label();
                self.condition(operand, holds, if_error)?;
                self.jump(if_false);
                self.bind_label(holds);
                Ok(())
            }
            Kind::BinaryOp { op, left, right } if compare_op(op).is_some() => {
                self.comparison(op, left, right, if_false)
            }
            _ => match self.type_test_of(id) {
                Some((test, arg)) => {
                    let a = Use::of(self.operand(arg)?);
                    self.emit(Instr::TypeTest { test, a, fail: if_false });
                    Ok(())
                }
                None => self.boolean_value(id, if_false, if_error),
            },
        }
    }

    /// A type test, and of what.
    fn type_test_of(&self, id: NodeId) -> Option<(TypeTest, NodeId)> {
        let m = self.m;
        let Kind::Call { callee, args } = m.kind(id) else { return None };
        let name = match m.kind(callee) {
            Kind::Atom(name) => name,
            Kind::Remote { module, name } => match (m.kind(module), m.kind(name)) {
                (Kind::Atom(known::ERLANG), Kind::Atom(name)) => name,
                _ => return None,
            },
            _ => return None,
        };
        match m.list(args) {
            [arg] => Some((type_test(name)?, *arg)),
            _ => None,
        }
    }

    /// Whether a condition is computed as an expression is, and marked there.
    fn is_value(&self, id: NodeId) -> bool {
        match self.m.kind(id) {
            Kind::Atom(known::TRUE) | Kind::UnaryOp { op: UnaryOp::Not, .. } => false,
            Kind::BinaryOp { op, .. } => {
                !matches!(op, BinaryOp::Andalso | BinaryOp::Orelse | BinaryOp::And)
                    && compare_op(op).is_none()
            }
            _ => self.type_test_of(id).is_none(),
        }
    }

    fn boolean_value(&mut self, id: NodeId, if_false: Label, if_error: Label) -> Result<()> {
        let a = Use::of(self.operand(id)?);
        self.emit(Instr::IsBoolean { a, other: if_false, fail: if_error });
        Ok(())
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        if_false: Label,
    ) -> Result<()> {
        let Some(op) = compare_op(op) else { return Ok(()) };
        let constant = self.constant(right);
        if let Some(value) = constant.as_ref().and_then(small) {
            let a = Use::of(self.operand(left)?);
            self.emit(Instr::BranchInt { op, a, value, fail: if_false });
            return Ok(());
        }
        if let (Some(atom), CompareOp::Eq | CompareOp::ExactEq) =
            (constant.and_then(|c| c.as_atom()), op)
        {
            let a = Use::of(self.operand(left)?);
            self.emit(Instr::IsAtom { a, atom, fail: if_false });
            return Ok(());
        }
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        self.emit(Instr::Branch { op, a: Use::of(a), b: Use::of(b), fail: if_false });
        Ok(())
    }
}

/// Names that type tests had once; as a whole test of a guard they still mean that.
fn old_type_test(name: Atom) -> Option<TypeTest> {
    Some(match name.as_str() {
        "atom" => TypeTest::Atom,
        "binary" => TypeTest::Binary,
        "float" => TypeTest::Float,
        "function" => TypeTest::Function,
        "integer" => TypeTest::Integer,
        "list" => TypeTest::List,
        "number" => TypeTest::Number,
        "pid" => TypeTest::Pid,
        "port" => TypeTest::Port,
        "reference" => TypeTest::Reference,
        "tuple" => TypeTest::Tuple,
        _ => return None,
    })
}

fn is_boolean(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::And | B::Or | B::Xor | B::Andalso | B::Orelse)
}
