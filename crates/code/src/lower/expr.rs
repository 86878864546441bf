//! Expressions: from a node to the instructions that make its value.
//!
//! Who asks says what is to become of the value ([`Want`]): into a slot, nowhere, or back to the
//! caller, which makes calls in tail position out of calls. Operands are evaluated from left to
//! right into slots in a row, as calls and constructors take them; a variable that is bound is read
//! where it is. Where OTP's compiler evaluates in another order and failures show it, so is it
//! here.

use atom::{Atom, known};
use rustc_hash::FxHashSet;
use syntax::ast::{self, Kind, NodeId, NodeList};

use super::literal::small;
use super::scope::free_variables;
use super::{Lowerer, Result};
use crate::instr::{ArithOp, CompareOp, Failure, Instr, Mark, Slot, TypeTest, UnaryOp, Use};

/// What is to become of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    /// It goes to a slot.
    Value(Slot),
    /// Nobody looks at it.
    Effect,
    /// It is the value of the function.
    Tail,
}

impl Lowerer<'_> {
    pub(super) fn effect(&mut self, id: NodeId) -> Result<()> {
        let mark = self.mark();
        let is_seen = self.options.values || self.is_asked_for(id);
        let want = if is_seen { Want::Value(self.temp()) } else { Want::Effect };
        let result = self.eval(id, want);
        self.release(mark);
        result
    }

    /// A slot that holds the value of `id`: that of the variable itself, or a new one.
    pub(super) fn operand(&mut self, id: NodeId) -> Result<Slot> {
        if let Kind::Var(name) = self.m.kind(id)
            && self.is_bound(name)
        {
            self.note(id, Mark::Reached);
            let slot = self.var_slot(name);
            if self.options.values {
                self.show(id, slot);
            } else if self.is_asked_for(id) {
                self.emit_show(id, slot);
            }
            return Ok(slot);
        }
        let slot = self.temp();
        self.eval(id, Want::Value(slot))?;
        Ok(slot)
    }

    /// Evaluates an expression. Its value goes where `want` says.
    pub(super) fn eval(&mut self, id: NodeId, want: Want) -> Result<()> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let before = self.f().current;
            self.at(id);
            self.note(id, Mark::Reached);
            let sight = self.enter_operand(id);
            let result = match self.is_asked_for(id) && !self.options.values {
                true => self.eval_shown(id, want),
                false => self.eval_inner(id, want),
            };
            if let (true, Want::Value(slot)) = (self.options.values, want) {
                self.show(id, slot);
            }
            self.leave_operand(sight);
            self.at(before);
            result
        })
    }

    /// Evaluates an expression whose value is to be shown; a call in tail position comes back for
    /// it.
    fn eval_shown(&mut self, id: NodeId, want: Want) -> Result<()> {
        let mark = self.mark();
        let slot = self.destination(want);
        self.eval_inner(id, Want::Value(slot))?;
        self.emit_show(id, slot);
        if !matches!(want, Want::Value(_)) {
            self.deliver(slot, want);
            self.release(mark);
        }
        Ok(())
    }

    fn eval_inner(&mut self, id: NodeId, want: Want) -> Result<()> {
        match self.m.kind(id) {
            Kind::Block { body } => self.body(body, want),
            Kind::Case { subject, clauses } => self.case(subject, clauses, want),
            Kind::If { clauses } => self.if_expr(clauses, want),
            Kind::Receive { clauses, after } => self.receive(clauses, after, want),
            Kind::Try { body, of, catch, after } => self.try_expr(body, of, catch, after, want),
            Kind::Maybe { body, else_clauses } => self.maybe(body, else_clauses, want),
            Kind::Call { callee, args } => self.call(id, callee, args, want),
            Kind::Match { pattern, value } => self.match_expr(id, pattern, value, want),
            Kind::BinaryOp { op: ast::BinaryOp::Andalso, left, right } => {
                self.short_circuit(true, left, right, want)
            }
            Kind::BinaryOp { op: ast::BinaryOp::Orelse, left, right } => {
                self.short_circuit(false, left, right, want)
            }
            Kind::Comprehension { which, exprs, qualifiers } => {
                self.comprehension(id, which, exprs, qualifiers, want)
            }
            _ => {
                let mark = self.mark();
                let dst = self.destination(want);
                self.value(id, dst)?;
                if self.builds(id) || (self.options.values && want == Want::Tail) {
                    self.show(id, dst);
                }
                self.deliver(dst, want);
                if !matches!(want, Want::Value(_)) {
                    self.release(mark);
                }
                Ok(())
            }
        }
    }

    /// Whether an expression makes a new structure.
    fn builds(&self, id: NodeId) -> bool {
        matches!(
            self.m.kind(id),
            Kind::Tuple { .. } | Kind::List { .. } | Kind::Map { .. } | Kind::Record { .. }
        )
    }

    /// A slot in which to make a value that is wanted so.
    pub(super) fn destination(&mut self, want: Want) -> Slot {
        match want {
            Want::Value(slot) => slot,
            Want::Effect | Want::Tail => self.temp(),
        }
    }

    /// The value is in `slot`: puts it where it is wanted.
    pub(super) fn deliver(&mut self, slot: Slot, want: Want) {
        match want {
            Want::Value(dst) => self.move_to(dst, slot),
            Want::Effect => {}
            Want::Tail => self.emit(Instr::Return { src: Use::of(slot) }),
        }
    }

    /// A sequence of expressions; the value of the last is wanted.
    pub(super) fn body(&mut self, body: NodeList, want: Want) -> Result<()> {
        self.expressions(body, want, |_, _| {})
    }

    /// The body of a clause of a function.
    pub(super) fn whole_body(&mut self, body: NodeList) -> Result<()> {
        self.expressions(body, Want::Tail, |lowerer, expr| {
            if let Kind::Match { pattern, value } = lowerer.m.kind(expr)
                && let Some(name) = lowerer.new_variable(pattern)
                && let Some(constant) = lowerer.constant(value)
            {
                lowerer.f().constants.push((name, constant));
            }
        })
    }

    /// The expressions of a body, each of which `before` sees, but for the last.
    fn expressions(
        &mut self,
        body: NodeList,
        want: Want,
        before: impl Fn(&mut Self, NodeId),
    ) -> Result<()> {
        let body = self.m.list(body);
        for (nth, &expr) in body.iter().enumerate() {
            let rest = &body[nth + 1..];
            if rest.is_empty() || (self.is_free_tail(want) && self.only_hands_on(expr, rest)) {
                return self.eval(expr, want);
            }
            before(self, expr);
            self.effect(expr)?;
        }
        Ok(())
    }

    /// Whether a call in tail position need not come back, as nobody wants to see the value.
    fn is_free_tail(&mut self, want: Want) -> bool {
        !self.options.marks && self.shown.is_empty() && self.is_tail(want)
    }

    /// Whether an expression binds a new variable, and what follows gives its value and does
    /// nothing else: `X = f(), X` is `f()`, to OTP's compiler, too. It may go through other
    /// variables.
    fn only_hands_on(&mut self, expr: NodeId, rest: &[NodeId]) -> bool {
        let mut same = Vec::new();
        let mut expr = expr;
        while let Kind::Match { pattern, value } = self.m.kind(expr) {
            let Some(name) = self.new_variable(pattern) else { return false };
            same.push(name);
            expr = value;
        }
        let Some((&last, between)) = rest.split_last() else { return false };
        for &expr in between {
            match self.m.kind(expr) {
                Kind::Match { pattern, value } => {
                    match (self.new_variable(pattern), self.m.kind(value)) {
                        (Some(next), Kind::Var(name)) if same.contains(&name) => same.push(next),
                        _ => return false,
                    }
                }
                // It does nothing, and nobody looks.
                _ if !self.evaluates(expr) => {}
                _ => return false,
            }
        }
        matches!(self.m.kind(last), Kind::Var(name) if same.contains(&name))
    }

    /// The variable that a pattern is, if that is not bound yet.
    fn new_variable(&mut self, pattern: NodeId) -> Option<Atom> {
        match self.m.kind(pattern) {
            Kind::Var(name) if name != known::UNDERSCORE && !self.is_bound(name) => Some(name),
            _ => None,
        }
    }

    /// Expressions without control flow of their own.
    fn value(&mut self, id: NodeId, dst: Slot) -> Result<()> {
        if let Some(term) = self.constant(id) {
            self.load(dst, term);
            return Ok(());
        }
        let m = self.m;
        match m.kind(id) {
            Kind::Var(name) => {
                if !self.is_bound(name) {
                    return self.unsupported(id, format!("variable '{name}' is unbound"));
                }
                let slot = self.var_slot(name);
                self.move_to(dst, slot);
                Ok(())
            }
            Kind::List { elements, tail } => self.list(m.list(elements), tail, dst),
            Kind::Tuple { elements } => {
                let elements = m.list(elements);
                let mark = self.mark();
                let at = self.evaluate_all(elements, 0)?;
                self.emit(Instr::Tuple { dst, at, len: elements.len() as u16 });
                self.release(mark);
                Ok(())
            }
            Kind::Map { base, fields } => self.map(base, m.list(fields), dst),
            Kind::Record { base: None, name, fields } => self.record_new(id, name, fields, dst),
            Kind::Record { base: Some(base), name, fields } => {
                self.record_update(id, base, name, fields, dst)
            }
            Kind::RecordAccess { base, name, field } => {
                self.record_access(id, base, name, field, dst)
            }
            Kind::Binary { elements } => self.bits_build(elements, dst),
            Kind::BinaryOp { op, left, right } => self.binary_op(op, left, right, dst),
            Kind::UnaryOp { op, operand } => {
                let mark = self.mark();
                let a = Use::of(self.operand(operand)?);
                let op = match op {
                    ast::UnaryOp::Plus => UnaryOp::Plus,
                    ast::UnaryOp::Minus => UnaryOp::Minus,
                    ast::UnaryOp::Not => UnaryOp::Not,
                    ast::UnaryOp::Bnot => UnaryOp::Bnot,
                };
                let fail = self.on_failure();
                self.emit(Instr::Unary { op, dst, a, fail });
                self.release(mark);
                Ok(())
            }
            Kind::Catch { body } => self.catch(body, dst),
            Kind::Fun { name, clauses } => self.fun(id, name, clauses, dst),
            Kind::FunName { name, arity } => self.fun_name(id, name, arity, dst),
            Kind::FunRemote { module, name, arity } => self.fun_remote(module, name, arity, dst),
            Kind::Remote { .. } => self.unsupported(id, "a qualified name is not an expression"),
            _ => self.unsupported(id, "this is not an expression"),
        }
    }

    /// Evaluates into `exprs.len() + extra` slots in a row; the first of them.
    pub(super) fn evaluate_all(&mut self, exprs: &[NodeId], extra: usize) -> Result<Slot> {
        let at = self.temps(exprs.len() + extra);
        for (i, &expr) in exprs.iter().enumerate() {
            self.eval(expr, Want::Value(Slot(at.0 + i as u16)))?;
        }
        Ok(at)
    }

    fn list(&mut self, elements: &[NodeId], tail: Option<NodeId>, dst: Slot) -> Result<()> {
        let mark = self.mark();
        if let ([head], Some(tail)) = (elements, tail) {
            let head = self.operand(*head)?;
            let tail = self.operand(tail)?;
            self.emit(Instr::Cons { dst, head: Use::of(head), tail: Use::of(tail) });
        } else {
            let at = self.evaluate_all(elements, 1)?;
            let end = Slot(at.0 + elements.len() as u16);
            match tail {
                Some(tail) => self.eval(tail, Want::Value(end))?,
                None => self.emit(Instr::LoadNil { dst: end }),
            }
            self.emit(Instr::List { dst, at, len: elements.len() as u16 });
        }
        self.release(mark);
        Ok(())
    }

    fn binary_op(
        &mut self,
        op: ast::BinaryOp,
        left: NodeId,
        right: NodeId,
        dst: Slot,
    ) -> Result<()> {
        use ast::BinaryOp as B;
        let mark = self.mark();
        let fail = self.on_failure();
        if let B::Append | B::Subtract = op {
            let at = if op == B::Append && self.is_list_comprehension(left) {
                // OTP's compiler makes the right side the end of the comprehension's list, and
                // evaluates it before.
                let at = self.temps(2);
                self.eval(right, Want::Value(Slot(at.0 + 1)))?;
                self.eval(left, Want::Value(at))?;
                at
            } else {
                self.evaluate_all(&[left, right], 0)?
            };
            self.builtin(op.text(), at, 2);
            self.move_to(dst, at);
        } else if let Some(op) = compare_op(op) {
            let (a, b) = (self.operand(left)?, self.operand(right)?);
            self.emit(Instr::Compare { op, dst, a: Use::of(a), b: Use::of(b) });
        } else if op == B::Send {
            let (to, message) = (self.operand(left)?, self.operand(right)?);
            self.emit(Instr::Send { dst, to: Use::of(to), message: Use::of(message) });
        } else {
            let (left, right) = self.constant_last(op, left, right);
            let constant = self.constant(right).as_ref().and_then(small);
            match (op, constant) {
                (B::Add, Some(value)) => {
                    let a = Use::of(self.operand(left)?);
                    self.emit(Instr::AddInt { dst, a, value, fail });
                }
                (B::Sub, Some(value)) => {
                    let a = Use::of(self.operand(left)?);
                    self.emit(Instr::SubInt { dst, a, value, fail });
                }
                _ => {
                    let (a, b) = (Use::of(self.operand(left)?), Use::of(self.operand(right)?));
                    self.emit(Instr::Arith { op: arith_op(op), dst, a, b, fail });
                }
            }
        }
        self.release(mark);
        Ok(())
    }

    pub(super) fn is_list_comprehension(&self, node: NodeId) -> bool {
        matches!(self.m.kind(node), Kind::Comprehension { which: ast::ComprehensionKind::List, .. })
    }

    /// The operands, a constant on the left moved to the right where the order does not matter: as
    /// OTP's compiler does, and failures show it.
    fn constant_last(&self, op: ast::BinaryOp, left: NodeId, right: NodeId) -> (NodeId, NodeId) {
        use ast::BinaryOp as B;
        let commutes =
            matches!(op, B::Add | B::Mul | B::Band | B::Bor | B::Bxor | B::And | B::Or | B::Xor);
        let is_constant = |node| self.constant(node).is_some();
        if commutes && is_constant(left) && !is_constant(right) {
            (right, left)
        } else {
            (left, right)
        }
    }

    /// `Left andalso Right` (`and` true) or `Left orelse Right`.
    fn short_circuit(&mut self, and: bool, left: NodeId, right: NodeId, want: Want) -> Result<()> {
        let mark = self.mark();
        let dst = self.destination(want);
        let (on_false, bad, end) = (self.new_label(), self.new_label(), self.new_label());
        let subject = self.operand(left)?;
        let fail = self.f().guard.unwrap_or(bad);
        self.emit(Instr::IsBoolean { a: Use::of(subject), other: on_false, fail });
        self.note(left, Mark::True);
        // The right side may bind no variable that is used afterwards.
        let bound = self.f().bound.len();
        if and {
            self.eval(right, want)?;
            self.boolean_field(right, want);
            self.jump(end);
            self.bind_label(on_false);
            self.note(left, Mark::False);
            self.load_atom(dst, known::FALSE);
            self.deliver(dst, want);
        } else {
            self.load_true(dst);
            self.deliver(dst, want);
            self.jump(end);
            self.bind_label(on_false);
            self.note(left, Mark::False);
            self.eval(right, want)?;
            self.boolean_field(right, want);
        }
        self.f().bound.truncate(bound);
        if self.f().guard.is_none() {
            self.jump(end);
            self.bind_label(bad);
            self.fail_with(Failure::BadBoolean, subject);
        } else {
            self.bind_label(bad);
        }
        self.bind_label(end);
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(())
    }

    fn match_expr(&mut self, id: NodeId, pattern: NodeId, value: NodeId, want: Want) -> Result<()> {
        let place = self.match_place.take().unwrap_or(id);
        // `X = Y = Value` is one match.
        if let Kind::Match { .. } = self.m.kind(value) {
            self.match_place = Some(place);
        }
        let new = self.new_variable(pattern);
        let takes_all = matches!(self.m.kind(pattern), Kind::Var(known::UNDERSCORE));
        if (new.is_some() || takes_all) && self.is_free_tail(want) {
            return self.eval(value, want);
        }
        let mark = self.mark();
        // `X = Expr` makes the value where the variable lives.
        if let Some(name) = new
            && !self.mentions(value, name)
        {
            let slot = self.var_slot(name);
            self.eval(value, Want::Value(slot))?;
            self.bind(name);
            self.note(id, Mark::Matched);
            self.show_bound(&[pattern]);
            self.deliver(slot, want);
            return Ok(());
        }
        if takes_all && matches!(want, Want::Effect) {
            self.eval(value, want)?;
            self.note(id, Mark::Matched);
            self.release(mark);
            return Ok(());
        }
        let slot = self.operand(value)?;
        if !takes_all {
            let (bad, fine) = (self.new_label(), self.new_label());
            self.at(place);
            self.pattern(pattern, slot, bad)?;
            self.jump(fine);
            self.bind_label(bad);
            self.fail_with(Failure::BadMatch, slot);
            self.bind_label(fine);
        }
        self.note(id, Mark::Matched);
        self.show_bound(&[pattern]);
        self.deliver(slot, want);
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(())
    }

    fn mentions(&self, id: NodeId, name: Atom) -> bool {
        if matches!(self.m.kind(id), Kind::Var(_) | Kind::Atom(_) | Kind::Integer(_)) {
            return false;
        }
        let mut free = FxHashSet::default();
        free_variables(self.m, id, &mut free);
        free.contains(&name)
    }

    /// Calls `erlang:name` on the slots from `at` on.
    pub(super) fn builtin(&mut self, name: &str, at: Slot, arity: u8) {
        let import = self.import(known::ERLANG, Atom::new(name), u32::from(arity));
        match self.f().guard {
            Some(fail) => self.emit(Instr::GuardImport { import, at, len: arity, fail }),
            None => self.emit(Instr::CallImport { import, at, len: arity }),
        }
    }

    fn call(&mut self, id: NodeId, callee: NodeId, args: NodeList, want: Want) -> Result<()> {
        let m = self.m;
        let args = m.list(args);
        let Ok(len) = u8::try_from(args.len()) else {
            return self.unsupported(id, "a call with more than 255 arguments");
        };
        match m.kind(callee) {
            Kind::Atom(name) => self.call_by_name(id, name, args, len, want),
            Kind::Remote { module, name } => match (m.kind(module), m.kind(name)) {
                (Kind::Atom(module), Kind::Atom(name)) => {
                    if module == known::ERLANG && self.inline_builtin(id, name, args, want)? {
                        return Ok(());
                    }
                    self.call_import(module, name, args, len, want)
                }
                _ => self.call_dynamic(module, name, args, len, want),
            },
            _ => {
                let mark = self.mark();
                let at = self.temps(args.len() + 1);
                self.eval(callee, Want::Value(Slot(at.0 + u16::from(len))))?;
                self.begin_operands(args);
                for (i, &arg) in args.iter().enumerate() {
                    self.eval(arg, Want::Value(Slot(at.0 + i as u16)))?;
                }
                self.at(id);
                if self.is_tail(want) {
                    self.slide(at, u16::from(len) + 1);
                    self.emit(Instr::TailFun { len });
                } else {
                    self.emit(Instr::CallFun { at, len });
                    self.deliver(at, want);
                }
                self.release(mark);
                Ok(())
            }
        }
    }

    pub(super) fn is_tail(&mut self, want: Want) -> bool {
        want == Want::Tail && self.f().protected == 0
    }

    fn call_by_name(
        &mut self,
        id: NodeId,
        name: Atom,
        args: &[NodeId],
        len: u8,
        want: Want,
    ) -> Result<()> {
        if name == known::RECORD_INFO
            && let Some(term) = self.record_info(args)
        {
            let mark = self.mark();
            let dst = self.destination(want);
            self.load(dst, term);
            self.deliver(dst, want);
            if !matches!(want, Want::Value(_)) {
                self.release(mark);
            }
            return Ok(());
        }
        let in_guard = self.f().guard.is_some();
        match self.local.get(&(name, u32::from(len))).copied() {
            Some(function) if !in_guard => {
                let mark = self.mark();
                let at = self.evaluate_all(args, if len == 0 { 1 } else { 0 })?;
                self.at(id);
                if self.is_tail(want) {
                    self.slide(at, u16::from(len));
                    self.emit(Instr::TailCall { function, len });
                } else {
                    self.emit(Instr::Call { function, at, len });
                    self.deliver(at, want);
                }
                self.release(mark);
                Ok(())
            }
            _ => {
                if let Some(&module) = self.imported.get(&(name, u32::from(len))) {
                    return self.call_import(module, name, args, len, want);
                }
                if self.inline_builtin(id, name, args, want)? {
                    return Ok(());
                }
                let module = match name {
                    // Every module has these, made when it is loaded.
                    known::MODULE_INFO => self.code.name,
                    _ => known::ERLANG,
                };
                self.call_import(module, name, args, len, want)
            }
        }
    }

    fn call_import(
        &mut self,
        module: Atom,
        name: Atom,
        args: &[NodeId],
        len: u8,
        want: Want,
    ) -> Result<()> {
        let here = self.f().current;
        let mark = self.mark();
        let at = self.evaluate_all(args, if len == 0 { 1 } else { 0 })?;
        self.at(here);
        let (module, name) = called_instead(module, name, len).unwrap_or((module, name));
        let import = self.import(module, name, u32::from(len));
        if let Some(fail) = self.f().guard {
            self.emit(Instr::GuardImport { import, at, len, fail });
            self.deliver(at, want);
        } else if self.is_tail(want) {
            self.slide(at, u16::from(len));
            self.emit(Instr::TailImport { import, len });
        } else {
            self.emit(Instr::CallImport { import, at, len });
            self.deliver(at, want);
        }
        self.release(mark);
        Ok(())
    }

    fn call_dynamic(
        &mut self,
        module: NodeId,
        name: NodeId,
        args: &[NodeId],
        len: u8,
        want: Want,
    ) -> Result<()> {
        let here = self.f().current;
        let mark = self.mark();
        let at = self.temps(args.len() + 2);
        self.eval(module, Want::Value(Slot(at.0 + u16::from(len))))?;
        self.eval(name, Want::Value(Slot(at.0 + u16::from(len) + 1)))?;
        for (i, &arg) in args.iter().enumerate() {
            self.eval(arg, Want::Value(Slot(at.0 + i as u16)))?;
        }
        self.at(here);
        if self.is_tail(want) {
            self.slide(at, u16::from(len) + 2);
            self.emit(Instr::TailDynamic { len });
        } else {
            self.emit(Instr::CallDynamic { at, len });
            self.deliver(at, want);
        }
        self.release(mark);
        Ok(())
    }

    /// Builtins that have an instruction of their own. Says whether this was one.
    fn inline_builtin(
        &mut self,
        id: NodeId,
        name: Atom,
        args: &[NodeId],
        want: Want,
    ) -> Result<bool> {
        let mark = self.mark();
        match *args {
            [arg] if type_test(name).is_some() => {
                let Some(test) = type_test(name) else { return Ok(false) };
                let dst = self.destination(want);
                let a = Use::of(self.operand(arg)?);
                self.at(id);
                self.emit(Instr::TypeTestValue { test, dst, a });
                self.deliver(dst, want);
            }
            [_, record] | [_, record, _] if name.as_str() == "is_record" => {
                let Kind::Atom(record) = self.m.kind(record) else { return Ok(false) };
                if let (&[arg, _], Some(native)) = (args, self.native_named(record)) {
                    self.native_is_record(arg, native, want)?;
                    return Ok(true);
                }
                let size = match *args {
                    [_, _, size] => match self.constant(size).and_then(|size| size.as_int()) {
                        Some(size) => size as usize,
                        None => return Ok(false),
                    },
                    _ => match self.records.get(&record) {
                        Some(definition) => definition.fields.len() + 1,
                        None => return Ok(false),
                    },
                };
                let dst = self.destination(want);
                let a = Use::of(self.operand(args[0])?);
                let (no, end) = (self.new_label(), self.new_label());
                self.emit(Instr::IsTagged { a, len: size as u16, tag: record, fail: no });
                self.load_true(dst);
                self.jump(end);
                self.bind_label(no);
                self.load_atom(dst, known::FALSE);
                self.bind_label(end);
                self.deliver(dst, want);
            }
            _ => return Ok(false),
        }
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(true)
    }
}

pub(super) fn type_test(name: Atom) -> Option<TypeTest> {
    Some(match name.as_str() {
        "is_atom" => TypeTest::Atom,
        "is_binary" => TypeTest::Binary,
        "is_bitstring" => TypeTest::Bitstring,
        "is_boolean" => TypeTest::Boolean,
        "is_float" => TypeTest::Float,
        "is_function" => TypeTest::Function,
        "is_integer" => TypeTest::Integer,
        "is_list" => TypeTest::List,
        "is_map" => TypeTest::Map,
        "is_number" => TypeTest::Number,
        "is_pid" => TypeTest::Pid,
        "is_port" => TypeTest::Port,
        "is_reference" => TypeTest::Reference,
        "is_tuple" => TypeTest::Tuple,
        _ => return None,
    })
}

pub(super) fn compare_op(op: ast::BinaryOp) -> Option<CompareOp> {
    use ast::BinaryOp as B;
    Some(match op {
        B::Eq => CompareOp::Eq,
        B::Ne => CompareOp::Ne,
        B::Lt => CompareOp::Lt,
        B::Le => CompareOp::Le,
        B::Gt => CompareOp::Gt,
        B::Ge => CompareOp::Ge,
        B::ExactEq => CompareOp::ExactEq,
        B::ExactNe => CompareOp::ExactNe,
        _ => return None,
    })
}

fn arith_op(op: ast::BinaryOp) -> ArithOp {
    use ast::BinaryOp as B;
    match op {
        B::Add => ArithOp::Add,
        B::Sub => ArithOp::Sub,
        B::Mul => ArithOp::Mul,
        B::Div => ArithOp::Div,
        B::IntDiv => ArithOp::IntDiv,
        B::Rem => ArithOp::Rem,
        B::Band => ArithOp::Band,
        B::Bor => ArithOp::Bor,
        B::Bxor => ArithOp::Bxor,
        B::Bsl => ArithOp::Bsl,
        B::Bsr => ArithOp::Bsr,
        B::And => ArithOp::And,
        B::Or => ArithOp::Or,
        // Comparisons, list operators, send and the short-circuit operators are handled before.
        _ => ArithOp::Xor,
    }
}

/// The builtin that OTP's compiler calls instead of a function of `maps`: stack traces show it.
fn called_instead(module: Atom, name: Atom, len: u8) -> Option<(Atom, Atom)> {
    if module.as_str() != "maps" {
        return None;
    }
    let builtin = match (name.as_str(), len) {
        ("get", 2) => "map_get",
        ("is_key", 2) => "is_map_key",
        ("size", 1) => "map_size",
        _ => return None,
    };
    Some((known::ERLANG, Atom::new(builtin)))
}
