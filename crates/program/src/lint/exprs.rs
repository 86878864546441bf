//! Expressions: which variables they use and bind, and what is wrong with them.
//!
//! `expr` appends what an expression changes to `out`. Sub-expressions of one expression see the
//! same variables (`f(X = 1, X)` does not see the `X`), so the changes of all of them are simply
//! collected; a variable bound in two of them is matched.

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, ReceiveAfter, RecordName};

use super::patterns::Binding;
use super::scope::{Construct, State, Update, Var};
use super::{Linter, tables, with_stack};

impl Linter<'_> {
    /// What one expression changes, one entry a variable.
    pub(super) fn expr_updates(&mut self, id: NodeId) -> Vec<Update> {
        let mut out = Vec::new();
        self.expr(id, &mut out);
        self.matched(out)
    }

    /// Normalises changes of expressions side by side, with the warnings that belong to it.
    pub(super) fn matched(&mut self, updates: Vec<Update>) -> Vec<Update> {
        let (updates, repeated) = self.scope.matched(updates);
        for (name, place) in repeated {
            if self.switches.underscore_match && name.as_str().starts_with('_') {
                let message = format!("the variable {name} is bound several times in one pattern");
                self.warning(place, "match_underscore_var_pat", message).help =
                    Some("to ignore a value, use _ or a name of its own".into());
            }
        }
        updates
    }

    pub(super) fn exprs(&mut self, ids: &[NodeId], out: &mut Vec<Update>) {
        for &id in ids {
            self.expr(id, out);
        }
    }

    pub(super) fn expr(&mut self, id: NodeId, out: &mut Vec<Update>) {
        with_stack(|| self.expr_of_kind(id, out));
    }

    fn expr_of_kind(&mut self, id: NodeId, out: &mut Vec<Update>) {
        match self.kind(id) {
            Kind::Var(name) => self.use_variable(name, id, out),
            Kind::Atom(atom) if self.switches.keywords => {
                self.check_keyword(id, atom);
            }
            Kind::List { elements, tail } => {
                self.exprs(self.module.list(elements), out);
                if let Some(tail) = tail {
                    self.expr(tail, out);
                }
            }
            Kind::Tuple { elements } => self.exprs(self.module.list(elements), out),
            Kind::Map { base, fields } => self.map(base, fields, out),
            Kind::Record { .. } | Kind::RecordAccess { .. } | Kind::RecordIndex { .. } => {
                self.record_expr(id, out);
            }
            Kind::Binary { elements } => self.binary(elements, out),
            Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value } => {
                self.match_expr(pattern, value, out);
            }
            Kind::BinaryOp { op: op @ (BinaryOp::Andalso | BinaryOp::Orelse), left, right } => {
                self.short_circuit(id, op, left, right, out);
            }
            Kind::BinaryOp { left, right, .. } => {
                self.expr(left, out);
                self.expr(right, out);
            }
            Kind::UnaryOp { operand, .. } => self.expr(operand, out),
            Kind::Call { callee, args } => self.call(id, callee, args, out),
            Kind::Remote { module, .. } => {
                self.illegal_remote(module);
            }
            Kind::Catch { body } => {
                let updates = self.expr_updates(body);
                let construct = Construct { name: "catch", node: id };
                out.extend(self.scope.with_unsafe_new(updates, construct));
            }
            Kind::Block { body } => {
                let updates = self.sequence(self.module.list(body));
                out.extend(updates);
            }
            Kind::If { clauses } => {
                let updates = self.clauses(clauses, Construct { name: "if", node: id });
                out.extend(updates);
            }
            Kind::Case { subject, clauses } => self.case(id, subject, clauses, out),
            Kind::Receive { clauses, after } => self.receive(id, clauses, after, out),
            Kind::Try { .. } => self.try_expr(id, out),
            Kind::Maybe { body, else_clauses } => self.maybe(id, body, else_clauses, out),
            Kind::Fun { name, clauses } => self.fun(id, name, clauses, out),
            Kind::FunName { name, arity } => self.fun_name(id, name, arity),
            Kind::FunRemote { module, name, arity } => self.exprs(&[module, name, arity], out),
            Kind::Comprehension { exprs, qualifiers, .. } => {
                self.comprehension(exprs, qualifiers, out);
            }
            _ => {}
        }
    }

    fn illegal_remote(&mut self, module: NodeId) {
        // OTP blames the first token of the module's expression.
        let token = self.module[module].first;
        let loc = self.module.token(token).loc;
        let message = "a function of another module can only be called, or made a fun".into();
        let error = self.error(module, "illegal_expr", message);
        error.loc = loc;
        error.help = Some("write fun M:F/A for the function as a value".into());
    }

    /// A variable whose value is needed.
    pub(super) fn use_variable(&mut self, name: Atom, at: NodeId, out: &mut Vec<Update>) {
        if self.segment_variables.is_some() {
            self.use_in_segment_size(name, at, out);
            return;
        }
        let Some(var) = self.scope.get(name) else {
            if self.may_be_value(name) {
                return;
            }
            self.unbound(name, at);
            out.push((name, Var::new(State::Bound, true, at)));
            return;
        };
        let state = match var.state {
            State::Bound => State::Bound,
            State::Unsafe(construct) => {
                self.unsafe_variable(name, at, construct);
                State::Bound
            }
            State::Exported(construct) if self.switches.export_vars => {
                self.exported_variable(name, at, construct);
                State::Bound
            }
            State::Exported(_) => var.state,
            State::Stacktrace => {
                let message = format!("the stack trace {name} cannot be used in the guard");
                self.error(at, "stacktrace_guard", message).help =
                    Some("test it in the body of the clause".into());
                State::Bound
            }
        };
        out.push((name, Var { state, used: true, bound_at: var.bound_at }));
    }

    pub(super) fn unbound(&mut self, name: Atom, at: NodeId) {
        let names = if self.suggestions_left > 0 { self.scope.names() } else { Vec::new() };
        let near = self.suggest(name, names);
        let message = if name == known::UNDERSCORE {
            "_ has no value: it can stand in patterns only".into()
        } else {
            format!("the variable {name} is unbound")
        };
        self.error(at, "unbound_var", message).help =
            near.map(|near| format!("did you mean {near}?"));
    }

    pub(super) fn unsafe_variable(&mut self, name: Atom, at: NodeId, construct: Construct) {
        let related = self.related("may be left without binding it", construct.node);
        let message =
            format!("the variable {name} may not be bound after the '{}' before", construct.name);
        self.error(at, "unsafe_var", message).related.push(related);
    }

    pub(super) fn exported_variable(&mut self, name: Atom, at: NodeId, construct: Construct) {
        let related = self.related("bound in here", construct.node);
        let message = format!("the variable {name} comes out of a '{}'", construct.name);
        self.warning(at, "exported_var", message).related.push(related);
    }

    fn map(&mut self, base: Option<NodeId>, fields: NodeList, out: &mut Vec<Update>) {
        if let Some(base) = base {
            self.expr(base, out);
        }
        for &field in self.module.list(fields) {
            let Kind::MapField { exact, key, value } = self.kind(field) else { continue };
            if exact && base.is_none() {
                self.exact_in_construction(field);
            }
            self.expr(key, out);
            self.expr(value, out);
        }
    }

    pub(super) fn exact_in_construction(&mut self, field: NodeId) {
        let message = "a new map has no keys to be updated with ':='".into();
        self.error(field, "illegal_map_construction", message).help = Some("write '=>'".into());
    }

    fn match_expr(&mut self, pattern: NodeId, value: NodeId, out: &mut Vec<Update>) {
        let value_updates = self.expr_updates(value);
        self.check_alias_of_expr(pattern, value);
        let mark = self.scope.mark();
        self.scope.update(&value_updates);
        let (outer, new) = self.head(&[pattern], Binding::Match);
        self.scope.rollback(mark);
        let mut both = value_updates;
        both.extend(outer);
        let both = self.scope.side_by_side(both);
        let all = self.then(new, both);
        out.extend(all);
    }

    fn short_circuit(
        &mut self,
        id: NodeId,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
        out: &mut Vec<Update>,
    ) {
        let first = self.expr_updates(left);
        let mark = self.scope.mark();
        self.scope.update(&first);
        let second = self.expr_updates(right);
        let second = self.scope.with_unsafe_new(second, Construct { name: op.text(), node: id });
        self.scope.rollback(mark);
        let mut both = first;
        both.extend(second);
        out.extend(self.scope.side_by_side(both));
    }

    fn case(&mut self, id: NodeId, subject: NodeId, clauses: NodeList, out: &mut Vec<Update>) {
        let subject = self.expr_updates(subject);
        let mark = self.scope.mark();
        self.scope.update(&subject);
        let mut updates = self.clauses(clauses, Construct { name: "case", node: id });
        self.scope.rollback(mark);
        updates.extend(subject);
        out.extend(self.scope.side_by_side(updates));
    }

    fn receive(
        &mut self,
        id: NodeId,
        clauses: NodeList,
        after: Option<ReceiveAfter>,
        out: &mut Vec<Update>,
    ) {
        let construct = Construct { name: "receive", node: id };
        let Some(ReceiveAfter { timeout, body }) = after else {
            let updates = self.clauses(clauses, construct);
            out.extend(updates);
            return;
        };
        let mut all = self.expr_updates(timeout);
        let after = self.sequence(self.module.list(body));
        let mut results = vec![after.clone()];
        for &clause in self.module.list(clauses) {
            results.push(self.clause(clause));
        }
        all.extend(after);
        all.extend(self.scope.clauses(results, construct));
        out.extend(self.scope.side_by_side(all));
    }

    fn try_expr(&mut self, id: NodeId, out: &mut Vec<Update>) {
        let Kind::Try { body, of, catch, after } = self.kind(id) else { return };
        let construct = Construct { name: "try", node: id };
        let tried = self.sequence(self.module.list(body));
        let unsafe_tried = self.scope.unsafe_new(&tried, construct);
        // The `of` clauses see what the body bound; `catch` clauses see that it may be missing.
        let mark = self.scope.mark();
        self.scope.update(&tried);
        let mut results: Vec<Vec<Update>> =
            self.module.list(of).iter().map(|&clause| self.clause(clause)).collect();
        let inner = self.scope.mark();
        self.scope.update(&unsafe_tried);
        for &clause in self.module.list(catch) {
            results.push(self.catch_clause(clause));
        }
        self.scope.rollback(inner);
        let from_clauses = self.scope.clauses(results, construct);
        self.scope.rollback(mark);
        let mut all = self.then(unsafe_tried, tried);
        all.extend(self.scope.with_unsafe_new(from_clauses, construct));
        let all = self.scope.side_by_side(all);
        // `after` sees everything, as unsafe.
        self.scope.update(&all);
        let after = self.sequence(self.module.list(after));
        self.scope.rollback(mark);
        let mut result = self.scope.with_unsafe_new(after, construct);
        result.splice(0..0, all);
        out.extend(self.scope.side_by_side(result));
    }

    fn catch_clause(&mut self, clause: NodeId) -> Vec<Update> {
        let Kind::Clause { patterns, guards, body } = self.kind(clause) else { return Vec::new() };
        let patterns = self.module.list(patterns);
        let (outer, new) = self.head(patterns, Binding::Match);
        self.note_catch_all(clause, &new);
        let mark = self.scope.mark();
        let head = self.then(outer, new);
        self.scope.update(&head);
        let in_guard = self.scope.mark();
        if let Some(&pattern) = patterns.first() {
            self.stack_trace_variable(pattern);
        }
        let guard = self.guards(guards);
        self.scope.rollback(in_guard);
        self.scope.update(&guard);
        let body = self.sequence(self.module.list(body));
        self.scope.rollback(mark);
        let before = self.then(guard, head);
        self.then(body, before)
    }

    fn stack_trace_variable(&mut self, pattern: NodeId) {
        let Kind::CatchPattern { stacktrace: Some(stack), .. } = self.kind(pattern) else { return };
        let Kind::Var(name) = self.kind(stack) else { return };
        if name == known::UNDERSCORE {
            return;
        }
        if self.scope.get(name).is_some_and(|var| var.used) {
            let message = format!("the stack trace {name} must be a new variable");
            self.error(stack, "stacktrace_bound", message);
        }
        self.scope.update(&[(name, Var::new(State::Stacktrace, false, stack))]);
    }

    fn maybe(
        &mut self,
        id: NodeId,
        body: NodeList,
        else_clauses: Option<NodeList>,
        out: &mut Vec<Update>,
    ) {
        let construct = Construct { name: "maybe", node: id };
        let body = self.sequence(self.module.list(body));
        let mut all = self.scope.with_unsafe_new(body, construct);
        if let Some(clauses) = else_clauses {
            let mark = self.scope.mark();
            let new = self.scope.unsafe_new(&all, construct);
            self.scope.update(&new);
            let construct = Construct { name: "else", node: id };
            let updates = self.clauses(clauses, construct);
            self.scope.rollback(mark);
            all.extend(self.scope.with_unsafe_new(updates, construct));
        }
        out.extend(self.scope.side_by_side(all));
    }

    fn fun(&mut self, id: NodeId, name: Option<Atom>, clauses: NodeList, out: &mut Vec<Update>) {
        let Some(name) = name.filter(|&name| name != known::UNDERSCORE) else {
            let updates = self.fun_clauses(clauses);
            out.extend(updates);
            return;
        };
        let own = Var::new(State::Bound, false, id);
        self.warn_shadowed(&[(name, own)], "named fun");
        let mark = self.scope.mark();
        self.scope.set(name, own);
        let updates = self.fun_clauses(clauses);
        self.scope.update(&updates);
        let used = self.scope.get(name).is_some_and(|var| var.used);
        self.scope.rollback(mark);
        if !used {
            self.warn_if_unused(name, own);
        }
        out.extend(updates.into_iter().filter(|(name, _)| self.scope.contains(*name)));
    }

    /// Nothing bound in a fun is seen outside; what it uses from outside is used.
    fn fun_clauses(&mut self, clauses: NodeList) -> Vec<Update> {
        let in_record_definition = std::mem::replace(&mut self.in_record_definition, false);
        let mut all = Vec::new();
        for &clause in self.module.list(clauses) {
            all.extend(self.fun_clause(clause));
        }
        self.in_record_definition = in_record_definition;
        let mut all = self.scope.side_by_side(all);
        all.retain(|(_, var)| var.used && !var.is_unsafe());
        all
    }

    fn fun_clause(&mut self, clause: NodeId) -> Vec<Update> {
        let Kind::Clause { patterns, guards, body } = self.kind(clause) else { return Vec::new() };
        let (outer, new) = self.head(self.module.list(patterns), Binding::Shadow);
        self.note_catch_all(clause, &new);
        self.warn_shadowed(&new, "fun");
        let base = self.scope.mark();
        self.scope.update(&outer);
        let shadowed: Vec<Update> =
            new.iter().filter_map(|&(name, _)| Some((name, self.scope.get(name)?))).collect();
        for &(name, var) in &new {
            self.scope.set(name, var);
        }
        let guard = self.guards(guards);
        self.scope.update(&guard);
        let body = self.sequence(self.module.list(body));
        self.scope.update(&body);
        self.warn_unused(self.scope.new_since(base));
        for &(name, _) in &shadowed {
            if let Some(var) = self.scope.get(name) {
                self.warn_if_unused(name, var);
            }
        }
        let mut touched: Vec<Update> = Vec::new();
        let is_shadowed = |name: Atom| shadowed.iter().find(|(other, _)| *other == name).copied();
        for (name, _) in outer.into_iter().chain(guard).chain(body) {
            match is_shadowed(name) {
                Some(update) => touched.push(update),
                None => touched.extend(self.scope.get(name).map(|var| (name, var))),
            }
        }
        self.scope.rollback(base);
        touched.retain(|(name, _)| self.scope.contains(*name));
        self.scope.side_by_side(touched)
    }

    pub(super) fn warn_shadowed(&mut self, new: &[Update], by: &str) {
        if !self.switches.shadow_vars {
            return;
        }
        for &(name, var) in new {
            let Some(outer) = self.scope.get(name).filter(|outer| !outer.is_unsafe()) else {
                continue;
            };
            let Some(place) = self.scope.first_place(var.bound_at) else { continue };
            let related = self
                .scope
                .first_place(outer.bound_at)
                .map(|place| self.related("the variable that is hidden", place));
            let message = format!("the variable {name} of this {by} hides one outside");
            self.warning(place, "shadowed_var", message).related.extend(related);
        }
    }

    fn fun_name(&mut self, id: NodeId, name: Atom, arity: NodeId) {
        let Some(arity) =
            super::constant::integer(self.module, arity).and_then(|n| u32::try_from(n).ok())
        else {
            return;
        };
        let function = (name, arity);
        if name == known::RECORD_INFO && arity == 2 {
            let message = "record_info/2 is no function: it cannot be a fun".into();
            self.error(id, "illegal_record_info", message);
            return;
        }
        let automatic = !self.locals.contains_key(&function)
            && tables::is_auto_imported(function)
            && !self.switches.no_auto_import(function);
        if !automatic {
            self.call_function(id, function);
        }
    }

    /// The atom in a record's name; native records have others too.
    pub(super) fn record_name(&self, name: RecordName) -> Option<Atom> {
        match name {
            RecordName::Local(name) => self.atom(name),
            RecordName::Remote(..) | RecordName::Any => None,
        }
    }
}
