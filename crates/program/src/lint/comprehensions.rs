//! Comprehensions: generators shadow, filters may be guards, nothing gets out.

use syntax::ast::BinaryOp;
use syntax::ast::{GeneratorKind, Kind, NodeId, NodeList};

use super::Linter;
use super::patterns::Binding;
use super::scope::Update;

impl Linter<'_> {
    pub(super) fn comprehension(
        &mut self,
        exprs: NodeList,
        qualifiers: NodeList,
        out: &mut Vec<Update>,
    ) {
        let base = self.scope.mark();
        // What the variables that generators hide were before.
        let mut shadowed: Vec<Update> = Vec::new();
        let mut touched: Vec<Update> = Vec::new();
        let in_record_definition = std::mem::replace(&mut self.in_record_definition, false);
        for &qualifier in self.module.list(qualifiers) {
            match self.kind(qualifier) {
                Kind::Generator { .. } => {
                    self.generators(&[qualifier], &mut shadowed, &mut touched);
                }
                Kind::ZipGenerator { generators } => {
                    self.generators(self.module.list(generators), &mut shadowed, &mut touched);
                }
                _ => {
                    let updates = self.filter(qualifier);
                    self.scope.update(&updates);
                    touched.extend(updates);
                }
            }
        }
        self.in_record_definition = in_record_definition;
        let mut updates = Vec::new();
        for &expr in self.module.list(exprs) {
            match self.kind(expr) {
                Kind::MapField { exact, key, value } => {
                    if exact {
                        self.exact_in_construction(expr);
                    }
                    self.exprs(&[key, value], &mut updates);
                }
                _ => self.expr(expr, &mut updates),
            }
        }
        let updates = self.matched(updates);
        self.scope.update(&updates);
        touched.extend(updates);
        self.leave_comprehension(base, shadowed, touched, out);
    }

    fn leave_comprehension(
        &mut self,
        base: super::scope::Mark,
        shadowed: Vec<Update>,
        touched: Vec<Update>,
        out: &mut Vec<Update>,
    ) {
        let new = self.scope.new_since(base);
        let is_new = |name| new.iter().any(|&(other, _)| other == name);
        for &(name, before) in &shadowed {
            if let Some(var) = self.scope.get(name) {
                self.warn_if_unused(name, var);
            }
            // A variable of this comprehension that was hidden before it was used.
            if is_new(name) {
                self.warn_if_unused(name, before);
            }
        }
        self.warn_unused(new);
        let mut results: Vec<Update> = Vec::new();
        for (name, _) in touched {
            match shadowed.iter().find(|(other, _)| *other == name) {
                Some(&update) => results.push(update),
                None => results.extend(self.scope.get(name).map(|var| (name, var))),
            }
        }
        self.scope.rollback(base);
        results.retain(|(name, var)| self.scope.contains(*name) && var.used && !var.is_unsafe());
        out.extend(self.scope.side_by_side(results));
    }

    /// One generator, or several that advance together.
    fn generators(
        &mut self,
        generators: &[NodeId],
        shadowed: &mut Vec<Update>,
        touched: &mut Vec<Update>,
    ) {
        let mut patterns = Vec::new();
        let mut sources = Vec::new();
        for &generator in generators {
            let Kind::Generator { which, pattern, source, .. } = self.kind(generator) else {
                continue;
            };
            if which == GeneratorKind::Binary {
                self.check_binary_generator(pattern);
            }
            // A variable bound in the source is gone behind it.
            let updates = self.expr_updates(source);
            let (old, new): (Vec<Update>, Vec<Update>) =
                updates.into_iter().partition(|(name, _)| self.scope.contains(*name));
            self.warn_unused(new);
            sources.extend(old);
            patterns.push(pattern);
        }
        let sources = self.scope.side_by_side(sources);
        self.scope.update(&sources);
        touched.extend(sources);
        let (outer, new) = self.head(&patterns, Binding::Shadow);
        self.warn_shadowed(&new, "generator");
        self.scope.update(&outer);
        touched.extend(outer);
        for &(name, var) in &new {
            if let Some(hidden) = self.scope.get(name) {
                if shadowed.iter().any(|(other, _)| *other == name) {
                    self.warn_if_unused(name, hidden);
                } else {
                    shadowed.push((name, hidden));
                }
            }
            self.scope.set(name, var);
        }
    }

    fn check_binary_generator(&mut self, pattern: NodeId) {
        let Kind::Binary { elements } = self.kind(pattern) else { return };
        let Some(&last) = self.module.list(elements).last() else { return };
        let Kind::BinElement { size: None, specs: Some(specs), .. } = self.kind(last) else {
            return;
        };
        let whole = self.module.list(specs).iter().any(|&spec| {
            matches!(self.kind(spec), Kind::BinSpec { name, .. }
                if matches!(name.as_str(), "binary" | "bytes" | "bits" | "bitstring"))
        });
        if whole {
            let message = "a segment in a generator needs a size".into();
            self.error(last, "unsized_binary_in_bin_gen_pattern", message);
        }
    }

    /// A condition: checked as a guard if it is one.
    fn filter(&mut self, filter: NodeId) -> Vec<Update> {
        let mut out = Vec::new();
        if self.is_guard_test(filter) {
            self.guard_test(filter, &mut out);
            return self.scope.side_by_side(out);
        }
        self.expr(filter, &mut out);
        self.matched(out)
    }

    /// Whether an expression could stand in a guard.
    fn is_guard_test(&self, id: NodeId) -> bool {
        if let Kind::Call { callee, args } = self.kind(id)
            && let Some(name) = self.atom(callee)
        {
            let args = self.module.list(args);
            let function = (name, args.len() as u32);
            if name.as_str() == "record" && args.len() == 2 {
                return !self.is_overridden((atom::Atom::new("is_record"), 2))
                    && self.are_guard_exprs(args);
            }
            if self.is_overridden(function) {
                return false;
            }
            if super::tables::is_type_test(function) {
                return self.are_guard_exprs(args);
            }
        }
        self.is_guard_expr(id)
    }

    pub(super) fn is_overridden(&self, function: super::NameArity) -> bool {
        self.locals.contains_key(&function) || self.imports.contains_key(&function)
    }

    fn are_guard_exprs(&self, ids: &[NodeId]) -> bool {
        ids.iter().all(|&id| self.is_guard_expr(id))
    }

    pub(super) fn is_guard_expr(&self, id: NodeId) -> bool {
        super::with_stack(|| self.is_guard_expr_of_kind(id))
    }

    fn is_guard_expr_of_kind(&self, id: NodeId) -> bool {
        use super::tables;
        match self.kind(id) {
            Kind::Var(_)
            | Kind::Char(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Atom(_)
            | Kind::String(_)
            | Kind::Sigil { .. }
            | Kind::Nil
            | Kind::RecordIndex { .. } => true,
            Kind::List { elements, tail } => {
                self.are_guard_exprs(self.module.list(elements))
                    && tail.is_none_or(|tail| self.is_guard_expr(tail))
            }
            Kind::Tuple { elements } => self.are_guard_exprs(self.module.list(elements)),
            Kind::Map { base, fields } => {
                base.is_none_or(|base| self.is_guard_expr(base))
                    && self.module.list(fields).iter().all(|&field| match self.kind(field) {
                        Kind::MapField { key, value, .. } => {
                            self.is_guard_expr(key) && self.is_guard_expr(value)
                        }
                        _ => false,
                    })
            }
            Kind::RecordAccess { base, .. } => self.is_guard_expr(base),
            Kind::Record { base: None, name, fields } => self.is_guard_record(name, fields),
            Kind::Binary { elements } => {
                self.module.list(elements).iter().all(|&element| match self.kind(element) {
                    Kind::BinElement { value, size, .. } => {
                        self.is_guard_expr(value)
                            && size.is_none_or(|size| self.is_guard_expr(size))
                    }
                    _ => false,
                })
            }
            Kind::Call { callee, args } => {
                let args = self.module.list(args);
                let arity = args.len() as u32;
                let allowed = match self.kind(callee) {
                    Kind::Atom(name) => {
                        !self.is_overridden((name, arity))
                            && tables::is_guard_function((name, arity), self.release)
                    }
                    Kind::Remote { module, name } => match (self.atom(module), self.atom(name)) {
                        (Some(atom::known::ERLANG), Some(name)) => {
                            tables::is_guard_function((name, arity), self.release)
                                || tables::is_guard_operator_name(name.as_str(), arity)
                        }
                        _ => false,
                    },
                    _ => false,
                };
                allowed && self.are_guard_exprs(args)
            }
            Kind::UnaryOp { operand, .. } => self.is_guard_expr(operand),
            Kind::BinaryOp { op, left, right } => {
                (matches!(op, BinaryOp::Andalso | BinaryOp::Orelse)
                    || tables::is_guard_operator(op))
                    && self.is_guard_expr(left)
                    && self.is_guard_expr(right)
            }
            _ => false,
        }
    }
}
