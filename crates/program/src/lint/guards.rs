//! Guards, and the guard expressions in keys of map patterns and sizes of binary patterns.

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList};

use super::scope::Update;
use super::{Linter, NameArity, tables, with_stack};

impl Linter<'_> {
    /// The alternatives of a guard; returns what they use.
    pub(super) fn guards(&mut self, guards: NodeList) -> Vec<Update> {
        if guards.is_empty() {
            return Vec::new();
        }
        let mark = self.scope.mark();
        let mut all = Vec::new();
        for &guard in self.module.list(guards) {
            let Kind::Guard { tests } = self.kind(guard) else { continue };
            for &test in self.module.list(tests) {
                let mut out = Vec::new();
                self.guard_test(test, &mut out);
                let updates = self.scope.side_by_side(out);
                // A variable is reported in the first test only.
                self.scope.update(&updates);
                all.extend(updates);
            }
        }
        self.scope.rollback(mark);
        self.scope.in_sequence(all)
    }

    /// One test. Tests as they were spelled before R6 are allowed here, not deeper.
    pub(super) fn guard_test(&mut self, id: NodeId, out: &mut Vec<Update>) {
        let Kind::Call { callee, args } = self.kind(id) else {
            self.guard_expr(id, out);
            return;
        };
        let Some(name) = self.atom(callee) else {
            self.guard_expr(id, out);
            return;
        };
        let args = self.module.list(args);
        let function = (name, args.len() as u32);
        self.check_obsolete_test(id, callee, function);
        if name.as_str() == "record" && args.len() == 2 {
            self.guard_is_record(id, args, out);
        } else if tables::is_type_test(function) && args.len() == 1 {
            for &arg in args {
                self.guard_expr(arg, out);
            }
            if !self.names_guard_function(function) {
                self.local_call_in_guard(id, function);
            }
        } else {
            self.guard_expr(id, out);
        }
    }

    fn check_obsolete_test(&mut self, id: NodeId, callee: NodeId, function: NameArity) {
        let (name, arity) = function;
        if !tables::is_old_type_test(function) {
            self.check_deprecated_function(id, known::ERLANG, name, arity);
            return;
        }
        if self.switches.obsolete_guard {
            let message = format!("the test {name}/{arity} is obsolete");
            self.warning(callee, "obsolete_guard", message).help =
                Some(format!("write is_{name}/{arity}"));
        }
        if self.locals.contains_key(&(Atom::new(&format!("is_{name}")), arity)) {
            let message =
                format!("the test {name}/{arity} means is_{name}, which this module defines");
            self.error(callee, "obsolete_guard_overridden", message);
        }
    }

    /// Whether an unqualified name in a guard is the one of `erlang`, not hidden by another.
    fn names_guard_function(&self, function: NameArity) -> bool {
        let imported = self.imports.get(&function).map(|(module, _)| *module);
        !self.locals.contains_key(&function)
            && match imported {
                None => !self.switches.no_auto_import(function),
                Some(module) => module == known::ERLANG,
            }
    }

    fn local_call_in_guard(&mut self, id: NodeId, function: NameArity) {
        let (name, arity) = function;
        let message =
            format!("{name}/{arity} cannot be called in a guard: it is no guard function");
        self.error(id, "illegal_guard_local_call", message);
    }

    pub(super) fn illegal_guard(&mut self, id: NodeId) {
        self.error(id, "illegal_guard_expr", "this cannot stand in a guard".into());
    }

    pub(super) fn guard_expr(&mut self, id: NodeId, out: &mut Vec<Update>) {
        with_stack(|| self.guard_expr_of_kind(id, out));
    }

    fn guard_exprs(&mut self, ids: &[NodeId], out: &mut Vec<Update>) {
        for &id in ids {
            self.guard_expr(id, out);
        }
    }

    fn guard_expr_of_kind(&mut self, id: NodeId, out: &mut Vec<Update>) {
        match self.kind(id) {
            Kind::Var(name) => self.use_variable(name, id, out),
            Kind::Atom(atom) => {
                if self.switches.keywords {
                    self.check_keyword(id, atom);
                }
            }
            Kind::Char(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::String(_)
            | Kind::Sigil { .. }
            | Kind::Nil => {}
            Kind::List { elements, tail } => {
                self.guard_exprs(self.module.list(elements), out);
                if let Some(tail) = tail {
                    self.guard_expr(tail, out);
                }
            }
            Kind::Tuple { elements } => self.guard_exprs(self.module.list(elements), out),
            Kind::Map { base, fields } => {
                if let Some(base) = base {
                    self.guard_expr(base, out);
                }
                for &field in self.module.list(fields) {
                    let Kind::MapField { exact, key, value } = self.kind(field) else { continue };
                    if exact && base.is_none() {
                        self.exact_in_construction(field);
                    }
                    self.guard_exprs(&[key, value], out);
                }
            }
            Kind::RecordIndex { .. }
            | Kind::RecordAccess { .. }
            | Kind::Record { base: None, .. } => self.guard_record(id, out),
            Kind::Binary { elements } => self.guard_binary(elements, out),
            Kind::Call { callee, args } => {
                self.guard_call(id, callee, self.module.list(args), out);
            }
            Kind::UnaryOp { operand, .. } => self.guard_expr(operand, out),
            Kind::BinaryOp { op, left, right } => {
                self.guard_exprs(&[left, right], out);
                let short_circuit = matches!(op, BinaryOp::Andalso | BinaryOp::Orelse);
                if !short_circuit && !tables::is_guard_operator(op) {
                    self.illegal_guard(id);
                }
            }
            _ => self.illegal_guard(id),
        }
    }

    fn guard_call(&mut self, id: NodeId, callee: NodeId, args: &[NodeId], out: &mut Vec<Update>) {
        let (module, name) = match self.kind(callee) {
            Kind::Atom(name) => (None, Some(name)),
            Kind::Remote { module, name } => (self.atom(module), self.atom(name)),
            _ => (None, None),
        };
        let remote = matches!(self.kind(callee), Kind::Remote { .. });
        let (Some(name), true) = (name, !remote || module == Some(known::ERLANG)) else {
            self.illegal_guard(id);
            return;
        };
        if name.as_str() == "is_record" && matches!(args.len(), 2 | 3) {
            self.guard_is_record(id, args, out);
            return;
        }
        self.guard_exprs(args, out);
        let function = (name, args.len() as u32);
        let guard_function = tables::is_guard_function(function, self.release);
        if remote {
            if !guard_function && !tables::is_guard_operator_name(name.as_str(), function.1) {
                self.illegal_guard(id);
            }
        } else if !(guard_function && self.names_guard_function(function)) {
            if self.is_overridden(function) {
                self.local_call_in_guard(id, function);
            } else {
                self.illegal_guard(id);
            }
        }
    }

    /// `is_record/2` wants the name of a record of this module, `is_record/3` constants.
    fn guard_is_record(&mut self, id: NodeId, args: &[NodeId], out: &mut Vec<Update>) {
        match *args {
            [value, record] if self.atom(record).is_some() => {
                self.guard_expr(value, out);
                self.use_record_name(record, record);
            }
            [value, record, size]
                if self.atom(record).is_some()
                    && (matches!(self.kind(size), Kind::Integer(_))
                        || self.release >= 29 && self.atom(size).is_some()) =>
            {
                self.guard_expr(value, out);
                let function = (Atom::new("is_record"), 3);
                if !self.names_guard_function(function) {
                    self.local_call_in_guard(id, function);
                }
            }
            _ => {
                self.guard_exprs(args, out);
                self.illegal_guard(id);
            }
        }
    }
}
