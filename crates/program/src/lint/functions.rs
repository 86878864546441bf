//! Functions and their clauses; sequences of expressions; what a clause leaves unused.

use atom::{Atom, known};
use syntax::ast::{Kind, NodeId, NodeList};

use super::patterns::Binding;
use super::scope::{Construct, Update, Var};
use super::{Linter, NameArity};

const MAX_ARGUMENTS: u32 = 255;

impl Linter<'_> {
    pub(super) fn define_function(
        &mut self,
        form: NodeId,
        name: Atom,
        arity: u32,
        clauses: NodeList,
    ) {
        let function = (name, arity);
        self.function = Some(function);
        if self.switches.keywords {
            self.check_keyword(form, name);
        }
        let earlier = self.defined.get(&function).copied();
        if earlier.is_some() || super::tables::is_pseudo_local(function) {
            let related = earlier.map(|earlier| self.related("defined here first", earlier));
            let span = self.head_span(clauses);
            let message = format!("the function {name}/{arity} is already defined");
            let error = self.error(form, "redefine_function", message);
            error.related.extend(related);
            error.span = span.unwrap_or(error.span);
        } else {
            if arity > MAX_ARGUMENTS {
                self.too_many_arguments(form, arity);
            }
            self.defined.insert(function, form);
            if let Some((from, import)) = self.imports.get(&function).copied() {
                let related = self.related("imported here", import);
                let message = format!("{name}/{arity} is defined here and imported from {from}");
                self.error(form, "define_import", message).related.push(related);
            }
        }
        for &clause in self.module.list(clauses) {
            self.function_clause(clause);
        }
    }

    pub(super) fn too_many_arguments(&mut self, at: NodeId, arity: u32) {
        let message = format!("{arity} arguments are too many: {MAX_ARGUMENTS} is the most");
        self.error(at, "too_many_arguments", message);
    }

    /// The text of the first clause's head, so that a report does not underline a whole function.
    fn head_span(&self, clauses: NodeList) -> Option<syntax::source::Span> {
        let clause = *self.module.list(clauses).first()?;
        let token = self.module[clause].first;
        Some(self.module.written(token))
    }

    fn function_clause(&mut self, clause: NodeId) {
        let Kind::Clause { patterns, guards, body } = self.kind(clause) else { return };
        self.scope.clear();
        let base = self.scope.mark();
        let (outer, new) = self.head(self.module.list(patterns), Binding::Match);
        self.note_catch_all(clause, &new);
        self.scope.update(&outer);
        self.scope.update(&new);
        let guard = self.guards(guards);
        self.scope.update(&guard);
        let body = self.sequence(self.module.list(body));
        self.scope.update(&body);
        self.warn_unused(self.scope.new_since(base));
        self.scope.clear();
    }

    /// Expressions that run one after the other; returns what they change.
    pub(super) fn sequence(&mut self, exprs: &[NodeId]) -> Vec<Update> {
        let mark = self.scope.mark();
        let mut all = Vec::new();
        for (index, &expr) in exprs.iter().enumerate() {
            let updates = self.expr_updates(expr);
            if exprs.len() == 1 {
                return updates;
            }
            if index + 1 < exprs.len() {
                self.scope.update(&updates);
            }
            all.extend(updates);
        }
        self.scope.rollback(mark);
        self.scope.in_sequence(all)
    }

    /// A clause of `case`, `if`, `receive`, the `of` part of `try`, or `else`.
    pub(super) fn clause(&mut self, clause: NodeId) -> Vec<Update> {
        let Kind::Clause { patterns, guards, body } = self.kind(clause) else { return Vec::new() };
        let (outer, new) = self.head(self.module.list(patterns), Binding::Match);
        self.note_catch_all(clause, &new);
        let mark = self.scope.mark();
        let head = self.then(outer, new);
        self.scope.update(&head);
        let guard = self.guards(guards);
        self.scope.update(&guard);
        let body = self.sequence(self.module.list(body));
        self.scope.rollback(mark);
        let before = self.then(guard, head);
        self.then(body, before)
    }

    /// Remembers a clause that is chosen whatever comes: its patterns are new variables, all of
    /// them different, and it has no guard.
    pub(super) fn note_catch_all(&mut self, clause: NodeId, new: &[Update]) {
        let Kind::Clause { patterns, guards, .. } = self.kind(clause) else { return };
        let mut parts = Vec::new();
        for &pattern in self.module.list(patterns) {
            match self.kind(pattern) {
                Kind::CatchPattern { class: None, .. } => return,
                Kind::CatchPattern { class: Some(class), reason, stacktrace } => {
                    parts.extend([class, reason]);
                    parts.extend(stacktrace);
                }
                _ => parts.push(pattern),
            }
        }
        let mut names = Vec::new();
        for part in parts {
            match self.kind(part) {
                Kind::Var(known::UNDERSCORE) => {}
                Kind::Var(name) if !names.contains(&name) => names.push(name),
                _ => return,
            }
        }
        let all_new = names.iter().all(|name| new.iter().any(|(other, _)| other == name));
        let guards = self.module.list(guards);
        let no_guard = guards.is_empty()
            || guards.len() == 1
                && guards.iter().all(|&guard| match self.kind(guard) {
                    Kind::Guard { tests } => self
                        .module
                        .list(tests)
                        .iter()
                        .all(|&test| self.kind(test) == Kind::Atom(known::TRUE)),
                    _ => false,
                });
        if all_new && no_guard {
            self.always_matching.insert(clause);
        }
    }

    /// Both changes, where `later` counts.
    pub(super) fn then(&mut self, mut later: Vec<Update>, earlier: Vec<Update>) -> Vec<Update> {
        if earlier.is_empty() {
            return later;
        }
        later.extend(earlier);
        self.scope.in_sequence(later)
    }

    /// Clauses of one construct, and what they leave behind together.
    pub(super) fn clauses(&mut self, clauses: NodeList, construct: Construct) -> Vec<Update> {
        let results = self.module.list(clauses).iter().map(|&clause| self.clause(clause)).collect();
        self.scope.clauses(results, construct)
    }

    /// Warns about variables that are bound and never used.
    pub(super) fn warn_unused(&mut self, variables: Vec<Update>) {
        for (name, var) in variables {
            self.warn_if_unused(name, var);
        }
    }

    pub(super) fn warn_if_unused(&mut self, name: Atom, var: Var) {
        if var.used || name.as_str().starts_with('_') || !self.switches.unused_vars {
            return;
        }
        for place in self.scope.places(var.bound_at) {
            self.warning(place, "unused_var", format!("the variable {name} is never used")).help =
                Some(format!("if that is meant, call it _{name}"));
        }
    }

    /// Notes a call of a function of this module.
    pub(super) fn call_function(&mut self, at: NodeId, function: NameArity) {
        self.called.push((function, at));
        self.usage.calls.push((self.function, function));
    }

    /// An atom that a later release reserves.
    pub(super) fn check_keyword(&mut self, at: NodeId, atom: Atom) {
        let unquoted = !self.module.text(self.module.span(at)).starts_with('\'');
        if unquoted && matches!(atom.as_str(), "maybe" | "else") {
            let message = format!("the atom {atom} is a keyword where maybe_expr is enabled");
            self.warning(at, "future_feature", message).help = Some(format!("write '{atom}'"));
        }
    }
}
