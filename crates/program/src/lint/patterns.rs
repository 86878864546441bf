//! Patterns: what they bind, what they match, and what may stand in them.
//!
//! A pattern is walked once. Two lists are filled: uses of variables from outside, and variables
//! that the pattern binds. All parts of a pattern see the same outside; a variable that is bound
//! in two parts is matched.

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, UnaryOp};

use super::constant::{self, Value};
use super::scope::{State, Update, Var};
use super::{Linter, tables, with_stack};

/// What a variable in a pattern means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binding {
    /// A variable that is bound already is compared.
    Match,
    /// It is always new, as in the head of a fun and in generators.
    Shadow,
}

/// What a pattern does to variables.
pub(super) struct PatternVars {
    pub(super) binding: Binding,
    pub(super) outer: Vec<Update>,
    pub(super) new: Vec<Update>,
}

impl Linter<'_> {
    /// Checks patterns side by side. Returns changes of outer variables, and new variables.
    pub(super) fn head(
        &mut self,
        patterns: &[NodeId],
        binding: Binding,
    ) -> (Vec<Update>, Vec<Update>) {
        let mut vars = PatternVars { binding, outer: Vec::new(), new: Vec::new() };
        for &pattern in patterns {
            self.pattern(pattern, &mut vars);
        }
        let outer = self.matched(vars.outer);
        let new = self.matched(vars.new);
        (outer, new)
    }

    pub(super) fn pattern(&mut self, id: NodeId, vars: &mut PatternVars) {
        with_stack(|| self.pattern_of_kind(id, vars));
    }

    fn pattern_of_kind(&mut self, id: NodeId, vars: &mut PatternVars) {
        match self.kind(id) {
            Kind::Var(known::UNDERSCORE) => {}
            Kind::Var(name) => {
                let binding = vars.binding;
                match self.pattern_variable(name, id, binding, &[]) {
                    Occurrence::Outer(var) => vars.outer.push((name, var)),
                    Occurrence::New(var) => vars.new.push((name, var)),
                }
            }
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
                for &element in self.module.list(elements) {
                    self.pattern(element, vars);
                }
                if let Some(tail) = tail {
                    self.pattern(tail, vars);
                }
            }
            Kind::Tuple { elements } => {
                for &element in self.module.list(elements) {
                    self.pattern(element, vars);
                }
            }
            Kind::CatchPattern { class, reason, stacktrace } => {
                for part in [class, Some(reason), stacktrace].into_iter().flatten() {
                    self.pattern(part, vars);
                }
            }
            // The pattern of a map generator.
            Kind::MapField { key, value, .. } => {
                self.pattern(key, vars);
                self.pattern(value, vars);
            }
            Kind::Map { base: None, fields } => self.map_pattern(fields, vars),
            Kind::RecordIndex { .. } | Kind::Record { base: None, .. } => {
                self.record_pattern(id, vars);
            }
            Kind::Binary { elements } => self.binary_pattern(elements, vars),
            Kind::BinaryOp { op: BinaryOp::Append, left, right } => {
                self.append_pattern(id, left, right, vars);
            }
            Kind::Match { pattern, value } => {
                self.pattern(pattern, vars);
                self.pattern(value, vars);
                self.check_alias(pattern, value);
            }
            _ => {
                if !self.is_constant_pattern(id) {
                    self.illegal_pattern(id);
                }
            }
        }
    }

    pub(super) fn illegal_pattern(&mut self, id: NodeId) {
        self.error(id, "illegal_pattern", "this cannot be matched against".into());
    }

    /// Decides what an occurrence of a variable in a pattern means. `before` are the variables
    /// that earlier segments of the same binary bound.
    pub(super) fn pattern_variable(
        &mut self,
        name: Atom,
        at: NodeId,
        binding: Binding,
        before: &[Update],
    ) -> Occurrence {
        if let Some((_, var)) = before.iter().find(|(other, _)| *other == name) {
            self.warn_underscore_match(name, at);
            return Occurrence::New(Var { state: State::Bound, used: true, ..*var });
        }
        let known = match binding {
            Binding::Match => self.scope.get(name),
            Binding::Shadow => None,
        };
        let Some(var) = known else {
            if self.in_record_definition {
                let message = format!("a default value cannot bind the variable {name}");
                self.error(at, "variable_in_record_def", message);
            }
            return Occurrence::New(Var::new(State::Bound, false, at));
        };
        match var.state {
            State::Unsafe(construct) => self.unsafe_variable(name, at, construct),
            State::Exported(construct) => {
                self.warn_underscore_match(name, at);
                self.exported_variable(name, at, construct);
            }
            State::Bound | State::Stacktrace => self.warn_underscore_match(name, at),
        }
        Occurrence::Outer(Var { state: State::Bound, used: true, bound_at: var.bound_at })
    }

    fn warn_underscore_match(&mut self, name: Atom, at: NodeId) {
        if self.switches.underscore_match && name.as_str().starts_with('_') {
            let message = format!("the variable {name} is bound already, so this compares with it");
            self.warning(at, "match_underscore_var", message).help =
                Some("to ignore the value, use _ or a name of its own".into());
        }
    }

    fn map_pattern(&mut self, fields: NodeList, vars: &mut PatternVars) {
        for &field in self.module.list(fields) {
            let Kind::MapField { exact, key, value } = self.kind(field) else { continue };
            if !exact {
                self.error(field, "illegal_pattern", "a map pattern needs ':='".into()).help =
                    Some("write ':=' to match a key".into());
                continue;
            }
            let outer_segments = self.segment_variables.take();
            self.guard_expr(key, &mut vars.outer);
            self.segment_variables = outer_segments;
            self.pattern(value, vars);
        }
    }

    /// `"text" ++ Rest`
    fn append_pattern(&mut self, id: NodeId, left: NodeId, right: NodeId, vars: &mut PatternVars) {
        match self.kind(left) {
            Kind::Nil | Kind::String(_) => self.pattern(right, vars),
            Kind::List { elements, tail } => {
                let elements = self.module.list(elements);
                let constant = |&&element: &&NodeId| {
                    matches!(self.kind(element), Kind::Char(_) | Kind::Integer(_))
                };
                let good = elements.iter().take_while(constant).count();
                // OTP peels the elements off one by one and blames what is left at the end.
                let blamed = match good {
                    0 => id,
                    1 => left,
                    _ => elements[good - 1],
                };
                if good < elements.len() {
                    self.illegal_pattern(blamed);
                    return;
                }
                match tail {
                    None => self.pattern(right, vars),
                    Some(tail) => with_stack(|| self.append_pattern(blamed, tail, right, vars)),
                }
            }
            _ => self.illegal_pattern(id),
        }
    }

    /// Arithmetic on constants may stand in a pattern, if it has a value.
    pub(super) fn is_constant_pattern(&self, id: NodeId) -> bool {
        self.is_arithmetic(id)
            && matches!(
                constant::evaluate(self.module, id),
                Some(Value::Integer(_) | Value::Float(_) | Value::Atom(_))
            )
    }

    fn is_arithmetic(&self, id: NodeId) -> bool {
        with_stack(|| match self.kind(id) {
            Kind::Char(_) | Kind::Integer(_) | Kind::Float(_) | Kind::Atom(_) => true,
            Kind::UnaryOp { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Bnot, operand } => {
                self.is_arithmetic(operand)
            }
            Kind::BinaryOp { op, left, right } => {
                tables::is_arithmetic(op) && self.is_arithmetic(left) && self.is_arithmetic(right)
            }
            _ => false,
        })
    }

    // ---- Patterns joined by '=' ---------------------------------------------------------------

    /// `Pattern = Pattern = Expr`: the patterns must not both match the bits of a binary.
    pub(super) fn check_alias_of_expr(&mut self, pattern: NodeId, value: NodeId) {
        let mut value = value;
        let applies = matches!(
            self.kind(pattern),
            Kind::Binary { .. } | Kind::Map { base: None, .. } | Kind::Match { .. }
        );
        if !applies {
            return;
        }
        while let Kind::Match { pattern: other, value: rest } = self.kind(value) {
            self.check_alias(pattern, other);
            value = rest;
        }
    }

    pub(super) fn check_alias(&mut self, a: NodeId, b: NodeId) {
        with_stack(|| self.check_alias_of_kinds(a, b));
    }

    fn check_alias_of_kinds(&mut self, a: NodeId, b: NodeId) {
        match (self.kind(a), self.kind(b)) {
            (Kind::Binary { .. }, Kind::Binary { .. }) if self.release < 26 => {
                let message = "two patterns cannot match the bits of one binary".into();
                self.error(a, "illegal_bin_pattern", message);
            }
            (Kind::Map { base: None, fields: one }, Kind::Map { base: None, fields: other }) => {
                for fields in [one, other] {
                    self.check_alias_keys(fields);
                }
            }
            (Kind::List { .. }, Kind::List { .. }) => {
                let (one, one_tail) = self.cells(a);
                let (other, other_tail) = self.cells(b);
                for (&a, &b) in one.iter().zip(&other) {
                    self.check_alias(a, b);
                }
                if let (true, Some(a), Some(b)) = (one.len() == other.len(), one_tail, other_tail) {
                    self.check_alias(a, b);
                }
            }
            (Kind::Tuple { elements: one }, Kind::Tuple { elements: other }) => {
                let (one, other) = (self.module.list(one), self.module.list(other));
                for (&a, &b) in one.iter().zip(other) {
                    self.check_alias(a, b);
                }
            }
            (
                Kind::Record { base: None, name: one, fields: one_fields },
                Kind::Record { base: None, name: other, fields: other_fields },
            ) => {
                let one = self.fields_by_position(one, one_fields);
                let other = self.fields_by_position(other, other_fields);
                for &(position, a) in &one {
                    if let Some(&(_, b)) = other.iter().find(|(other, _)| *other == position) {
                        self.check_alias(a, b);
                    }
                }
            }
            (Kind::Match { pattern, value }, _) => {
                self.check_alias(pattern, b);
                self.check_alias(value, b);
            }
            (_, Kind::Match { pattern, value }) => {
                self.check_alias(pattern, a);
                self.check_alias(value, a);
            }
            _ => {}
        }
    }

    fn check_alias_keys(&mut self, fields: NodeList) {
        for &field in self.module.list(fields) {
            let Kind::MapField { exact: true, key, .. } = self.kind(field) else { continue };
            let Kind::Var(name) = self.kind(key) else { continue };
            if !self.scope.get(name).is_some_and(|var| var.state == State::Bound) {
                self.unbound(name, key);
            }
        }
    }

    /// Elements of a list, those of lists in its tail included, and what remains of the tail.
    fn cells(&self, id: NodeId) -> (Vec<NodeId>, Option<NodeId>) {
        let (mut cells, mut rest) = (Vec::new(), Some(id));
        while let Some(Kind::List { elements, tail }) = rest.map(|id| self.kind(id)) {
            cells.extend(self.module.list(elements));
            rest = tail;
        }
        (cells, rest)
    }
}

/// What an occurrence of a variable in a pattern is.
pub(super) enum Occurrence {
    /// A use of a variable that was there.
    Outer(Var),
    New(Var),
}
