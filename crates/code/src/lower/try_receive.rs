//! `catch`, `try`, `receive` and `maybe`.
//!
//! A protected part stands between the setting up of a handler and its removal; the handler finds
//! class, reason and trace in three slots. What no clause of `catch` takes is raised again as it
//! was, and what is behind `after` is there twice, for both ways out. A `receive` looks at one
//! message after the other and begins anew when one arrives; where every clause asks for the same
//! reference, older messages are not looked at.

use atom::{Atom, known};
use syntax::ast::{Kind, NodeId, NodeList, ReceiveAfter};

use super::clauses::Exported;
use super::expr::Want;
use super::{Lowerer, Result};
use crate::instr::{Failure, Instr, Mark, Slot, Use};

impl Lowerer<'_> {
    /// Runs `inside` so that an exception in it goes to a handler. Returns the handler's label and
    /// the first of the three slots in which it finds the exception.
    fn protect(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<(super::builder::Label, Slot)> {
        let at = self.temps(3);
        let handler = self.new_label();
        self.emit(Instr::Try { handler, at });
        self.f().protected += 1;
        inside(self)?;
        self.f().protected -= 1;
        self.emit(Instr::EndTry);
        Ok((handler, at))
    }

    /// Old-style `catch`.
    pub(super) fn catch(&mut self, body: NodeId, dst: Slot) -> Result<()> {
        let mark = self.mark();
        let bound = self.f().bound.len();
        let value = self.temp();
        let (handler, at) = self.protect(|this| this.eval(body, Want::Value(value)))?;
        self.f().bound.truncate(bound);
        let end = self.new_label();
        self.move_to(dst, value);
        self.jump(end);
        self.bind_label(handler);
        self.emit(Instr::CatchValue { dst, at });
        self.bind_label(end);
        self.release(mark);
        Ok(())
    }

    pub(super) fn try_expr(
        &mut self,
        body: NodeList,
        of: NodeList,
        catch: NodeList,
        after: NodeList,
        want: Want,
    ) -> Result<()> {
        let mark = self.mark();
        let bound = self.f().bound.len();
        let here = self.f().current;
        if after.is_empty() {
            self.try_catch(body, of, catch, want)?;
        } else {
            let value = self.temp();
            let (handler, at) = self.protect(|this| {
                if catch.is_empty() && of.is_empty() {
                    this.body(body, Want::Value(value))
                } else {
                    this.try_catch(body, of, catch, Want::Value(value))
                }
            })?;
            self.f().bound.truncate(bound);
            let end = self.new_label();
            self.after_body(after, here)?;
            self.f().bound.truncate(bound);
            self.deliver(value, want);
            self.jump(end);
            self.bind_label(handler);
            self.after_body(after, here)?;
            self.emit(Instr::Reraise { at });
            self.bind_label(end);
        }
        self.f().bound.truncate(bound);
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(())
    }

    /// What is behind `after`. If a match comes last, OTP says that it fails at the `try`.
    fn after_body(&mut self, after: NodeList, here: NodeId) -> Result<()> {
        for &expr in self.m.list(after) {
            if let (Kind::Match { .. }, Some(&last)) =
                (self.m.kind(expr), self.m.list(after).last())
                && last == expr
            {
                self.match_place = Some(here);
            }
            self.effect(expr)?;
        }
        Ok(())
    }

    fn try_catch(
        &mut self,
        body: NodeList,
        of: NodeList,
        catch: NodeList,
        want: Want,
    ) -> Result<()> {
        let bound = self.f().bound.len();
        let value = self.temp();
        let (handler, at) = self.protect(|this| this.body(body, Want::Value(value)))?;
        let end = self.new_label();
        if of.is_empty() {
            self.deliver(value, want);
        } else {
            self.clauses_on(of, value, Failure::TryClause, want)?;
        }
        self.jump(end);
        self.f().bound.truncate(bound);
        self.bind_label(handler);
        self.catch_clauses(catch, at, want, end)?;
        self.emit(Instr::Reraise { at });
        self.bind_label(end);
        self.f().bound.truncate(bound);
        Ok(())
    }

    /// Clauses for the exception in the three slots from `at` on.
    fn catch_clauses(
        &mut self,
        clauses: NodeList,
        at: Slot,
        want: Want,
        end: super::builder::Label,
    ) -> Result<()> {
        let m = self.m;
        let [class_slot, reason_slot, trace_slot] = [0, 1, 2].map(|i| Slot(at.0 + i));
        let mut exported = Exported::default();
        for &clause in m.list(clauses) {
            let Kind::Clause { patterns, guards, body } = m.kind(clause) else { continue };
            let next = self.new_label();
            let branch = self.open_branch(clause);
            if let Some(&pattern) = m.list(patterns).first() {
                let Kind::CatchPattern { class, reason, stacktrace } = m.kind(pattern) else {
                    return self.unsupported(pattern, "this is not a pattern for an exception");
                };
                match class {
                    Some(class) => self.pattern(class, class_slot, next)?,
                    None => {
                        let a = Use::of(class_slot);
                        self.emit(Instr::IsAtom { a, atom: known::THROW, fail: next });
                    }
                }
                self.pattern(reason, reason_slot, next)?;
                self.guards(guards, next)?;
                if let Some(stacktrace) = stacktrace
                    && let Kind::Var(name) = m.kind(stacktrace)
                    && name != known::UNDERSCORE
                {
                    let dst = self.var_slot(name);
                    self.emit(Instr::StackTrace { dst, src: Use::of(trace_slot) });
                    self.bind(name);
                }
            }
            self.note(clause, Mark::Chosen);
            self.show_bound(m.list(patterns));
            self.body(body, want)?;
            self.close_branch(branch, want, end, &mut exported);
            self.bind_label(next);
        }
        Ok(())
    }

    pub(super) fn receive(
        &mut self,
        clauses: NodeList,
        after: Option<ReceiveAfter>,
        want: Want,
    ) -> Result<()> {
        let m = self.m;
        let mark = self.mark();
        let here = self.f().current;
        let timeout = match after {
            Some(after) => Some(self.operand(after.timeout)?),
            None => None,
        };
        let (again, none, end) = (self.new_label(), self.new_label(), self.new_label());
        let mut exported = Exported::default();
        self.at(here);
        if let Some(name) = self.in_all_messages(clauses) {
            let reference = Use::of(self.var_slot(name));
            self.emit(Instr::SkipOlder { reference });
        }
        self.bind_label(again);
        if !clauses.is_empty() {
            let message = self.temp();
            self.emit(Instr::Peek { dst: message, none });
            for &clause in m.list(clauses) {
                let Kind::Clause { patterns, guards, body } = m.kind(clause) else { continue };
                let next = self.new_label();
                let branch = self.open_branch(clause);
                if let Some(&pattern) = m.list(patterns).first() {
                    self.pattern(pattern, message, next)?;
                }
                self.guards(guards, next)?;
                self.at(clause);
                self.emit(Instr::Accept);
                self.note(clause, Mark::Chosen);
                self.show_bound(m.list(patterns));
                self.body(body, want)?;
                self.close_branch(branch, want, end, &mut exported);
                self.bind_label(next);
            }
            self.at(here);
            self.emit(Instr::Skip { again });
        }
        self.bind_label(none);
        match (after, timeout) {
            (Some(after), Some(timeout)) => {
                self.emit(Instr::WaitTimeout { timeout: Use::of(timeout), again });
                self.note(here, Mark::Chosen);
                let bound = self.f().bound.len();
                self.body(after.body, want)?;
                let branch = (bound, self.mark());
                self.close_branch(branch, want, end, &mut exported);
            }
            _ => self.emit(Instr::Wait { again }),
        }
        self.bind_label(end);
        self.export(exported);
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(())
    }

    /// A variable whose value is part of every message that some clause takes.
    fn in_all_messages(&mut self, clauses: NodeList) -> Option<Atom> {
        let m = self.m;
        let mut common: Option<Vec<Atom>> = None;
        for &clause in m.list(clauses) {
            let Kind::Clause { patterns, .. } = m.kind(clause) else { continue };
            let mut names = Vec::new();
            let mut pending = m.list(patterns).to_vec();
            while let Some(id) = pending.pop() {
                match m.kind(id) {
                    Kind::Var(name) => names.push(name),
                    Kind::Tuple { elements } => pending.extend(m.list(elements)),
                    Kind::List { elements, tail } => {
                        pending.extend(m.list(elements));
                        pending.extend(tail);
                    }
                    Kind::Match { pattern, value } => pending.extend([pattern, value]),
                    _ => {}
                }
            }
            names.retain(|name| *name != known::UNDERSCORE && self.is_bound(*name));
            match &mut common {
                None => common = Some(names),
                Some(common) => common.retain(|name| names.contains(name)),
            }
        }
        common?.first().copied()
    }

    pub(super) fn maybe(
        &mut self,
        body: NodeList,
        else_clauses: Option<NodeList>,
        want: Want,
    ) -> Result<()> {
        let m = self.m;
        let mark = self.mark();
        let bound = self.f().bound.len();
        let here = self.f().current;
        let refused = self.temp();
        let (otherwise, end) = (self.new_label(), self.new_label());
        let exprs = m.list(body);
        for (i, &expr) in exprs.iter().enumerate() {
            let is_last = i + 1 == exprs.len();
            if let Kind::MaybeMatch { pattern, value } = m.kind(expr) {
                let inner = self.mark();
                self.at(expr);
                self.eval(value, Want::Value(refused))?;
                self.pattern(pattern, refused, otherwise)?;
                self.note(expr, Mark::Matched);
                self.show_bound(&[pattern]);
                if is_last {
                    self.deliver(refused, want);
                }
                self.release(inner);
            } else if is_last {
                self.eval(expr, want)?;
            } else {
                self.effect(expr)?;
            }
        }
        self.jump(end);
        self.f().bound.truncate(bound);
        self.bind_label(otherwise);
        self.at(here);
        match else_clauses {
            Some(clauses) => {
                // To OTP's compiler this is a function.
                let hidden = self.hidden_names();
                let slots =
                    hidden.iter().map(|name| (*name, self.var_slot(*name))).collect::<Vec<_>>();
                let f = self.f();
                let before = f.bound.clone();
                f.bound.retain(|name| !hidden.contains(name));
                f.slots.retain(|name, _| !hidden.contains(name));
                let sight = self.see_all();
                self.clauses_on(clauses, refused, Failure::ElseClause, want)?;
                self.leave_operand(sight);
                self.f().bound = before;
                self.f().slots.extend(slots);
            }
            None => self.deliver(refused, want),
        }
        self.bind_label(end);
        self.f().bound.truncate(bound);
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(())
    }
}
