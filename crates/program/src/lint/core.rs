//! What later passes of the compiler warn about: clauses that can never be chosen, results that
//! nobody uses, arithmetic that always fails.
//!
//! OTP finds these while it optimises, with all that it then knows of values. Here only what can be
//! seen in the tree is reported, so that each report is certainly true: a clause behind one that
//! matches everything, a guard that is the constant `false`, a term or the result of a pure
//! operation on variables that is followed by another expression, arithmetic on wrong constants.
//! As in OTP nothing is said if the module has errors, and nothing about code that is never
//! reached. One walk over the tree, without recursion.

use atom::known;
use rustc_hash::FxHashSet;
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList};
use syntax::diagnostic::{Origin, Severity};

use super::{Linter, constant, tables};

/// Functions without effects that are called for their result only.
const PURE: &str = "abs/1 atom_to_list/1 bit_size/1 byte_size/1 date/0 element/2 hd/1 \
    integer_to_list/1 is_atom/1 is_binary/1 is_boolean/1 is_float/1 is_function/1 is_integer/1 \
    is_list/1 is_map/1 is_number/1 is_pid/1 is_port/1 is_reference/1 is_tuple/1 length/1 \
    list_to_tuple/1 make_ref/0 map_size/1 node/0 round/1 self/0 size/1 time/0 tl/1 trunc/1 \
    tuple_size/1 tuple_to_list/1";

pub(super) fn check(linter: &mut Linter<'_>) {
    if linter.is_uncertain() {
        return;
    }
    let module = linter.module;
    let mut pending: Vec<NodeId> = module
        .forms
        .iter()
        .copied()
        .filter(|&form| matches!(module.kind(form), Kind::Function { .. }))
        .collect();
    while let Some(id) = pending.pop() {
        linter.check_core(id);
        linter.push_reachable(id, &mut pending);
    }
}

impl Linter<'_> {
    /// Whether the module has errors, or is not what the compiler will see.
    pub(super) fn is_uncertain(&self) -> bool {
        let read_errors =
            self.module.diagnostics.iter().any(|found| found.severity == Severity::Error);
        self.errors > 0 || read_errors || self.is_transformed()
    }

    /// The parts of a node that can be reached.
    fn push_reachable(&self, id: NodeId, pending: &mut Vec<NodeId>) {
        let mut dead: FxHashSet<NodeId> = FxHashSet::default();
        for list in self.clause_lists(id) {
            let list = self.module.list(list);
            let all = list.iter().position(|clause| self.always_matching.contains(clause));
            if let Some(all) = all {
                dead.extend(&list[all + 1..]);
            }
        }
        self.module.for_each_child(id, |child| {
            if !dead.contains(&child) {
                pending.push(child);
            }
        });
    }

    pub(super) fn clause_lists(&self, id: NodeId) -> Vec<NodeList> {
        match self.kind(id) {
            Kind::Function { clauses, .. }
            | Kind::Fun { clauses, .. }
            | Kind::If { clauses }
            | Kind::Case { clauses, .. }
            | Kind::Receive { clauses, .. } => vec![clauses],
            // Where nothing can be raised there are no catch clauses for OTP.
            Kind::Try { body, of, .. }
                if self.module.list(body).iter().all(|&expr| self.is_plain_data(expr)) =>
            {
                vec![of]
            }
            Kind::Try { of, catch, .. } => vec![of, catch],
            _ => Vec::new(),
        }
    }

    fn check_core(&mut self, id: NodeId) {
        for list in self.clause_lists(id) {
            let list = self.module.list(list);
            let all = list.iter().position(|clause| self.always_matching.contains(clause));
            if let Some(all) = all {
                for &clause in &list[all + 1..] {
                    let related = self.related("this clause matches everything", list[all]);
                    let span = self.clause_span(clause);
                    let message = "this clause is never reached: one before it always matches";
                    let warning = self.late_warning(clause, "nomatch", message.into());
                    if let Some(warning) = warning {
                        warning.related.push(related);
                        warning.span = span;
                    }
                }
            }
        }
        match self.kind(id) {
            Kind::Clause { guards, body, .. } => {
                if self.is_false(guards) {
                    let message = "this clause is never reached: its guard is false".into();
                    let span = self.clause_span(id);
                    if let Some(warning) = self.late_warning(id, "nomatch", message) {
                        warning.span = span;
                    }
                } else {
                    self.check_ignored(body);
                }
            }
            Kind::Block { body } | Kind::Maybe { body, .. } => self.check_ignored(body),
            Kind::Try { body, after, .. } => {
                self.check_ignored(body);
                self.check_ignored(after);
            }
            Kind::Receive { after: Some(after), .. } => self.check_ignored(after.body),
            Kind::BinaryOp { op, left, right } => self.check_failing(id, op, left, right),
            _ => {}
        }
    }

    /// The first token of a clause.
    pub(super) fn clause_span(&self, clause: NodeId) -> syntax::source::Span {
        self.module.written(self.module[clause].first)
    }

    fn late_warning(
        &mut self,
        at: NodeId,
        code: &'static str,
        message: String,
    ) -> Option<&mut syntax::diagnostic::Diagnostic> {
        if self.switches.nowarn_late.contains(&code) {
            return None;
        }
        Some(self.report(Severity::Warning, Origin::Compiler, at, code, message))
    }

    /// Whether every alternative of a guard has a test that is the constant `false`.
    fn is_false(&self, guards: NodeList) -> bool {
        !guards.is_empty()
            && self.module.list(guards).iter().all(|&guard| match self.kind(guard) {
                Kind::Guard { tests } => self
                    .module
                    .list(tests)
                    .iter()
                    .any(|&test| self.kind(test) == Kind::Atom(known::FALSE)),
                _ => false,
            })
    }

    /// Expressions of a sequence whose value is not the value of the sequence.
    fn check_ignored(&mut self, body: NodeList) {
        let Some((_, ignored)) = self.module.list(body).split_last() else { return };
        for &expr in ignored {
            let mut expr = expr;
            while let Kind::Block { body } = self.kind(expr) {
                match self.module.list(body).last() {
                    Some(&last) => expr = last,
                    None => break,
                }
            }
            if self.is_built(expr) {
                let message = "this term is built, but never used".into();
                self.late_warning(expr, "ignored", message);
            } else if self.is_pure_operation(expr) {
                let message = "the result of this is never used".into();
                if let Some(warning) = self.late_warning(expr, "ignored", message) {
                    warning.help = Some("match it with _ if that is meant".into());
                }
            }
        }
    }

    fn is_built(&self, id: NodeId) -> bool {
        match self.kind(id) {
            Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Tuple { .. }
            | Kind::List { .. }
            | Kind::Map { base: None, .. } => self.is_plain_data(id),
            Kind::Fun { name: None, .. } => true,
            _ => false,
        }
    }

    /// Variables, literals, and terms built of them.
    fn is_plain_data(&self, id: NodeId) -> bool {
        let mut plain = true;
        self.module.for_each_below(id, |part| {
            plain &= matches!(
                self.kind(part),
                Kind::Integer(_)
                    | Kind::Float(_)
                    | Kind::Char(_)
                    | Kind::String(_)
                    | Kind::Atom(_)
                    | Kind::Var(_)
                    | Kind::Nil
                    | Kind::Tuple { .. }
                    | Kind::List { .. }
                    | Kind::Map { base: None, .. }
                    | Kind::MapField { .. }
            );
        });
        plain
    }

    fn is_pure_operation(&self, id: NodeId) -> bool {
        let is_var = |&id: &NodeId| matches!(self.kind(id), Kind::Var(_));
        match self.kind(id) {
            Kind::BinaryOp { op, left, right } => {
                let operand = |id: NodeId| is_var(&id) || matches!(self.kind(id), Kind::Integer(_));
                let pure = !matches!(op, BinaryOp::Send | BinaryOp::Andalso | BinaryOp::Orelse);
                pure && operand(left) && operand(right) && (is_var(&left) || is_var(&right))
            }
            Kind::UnaryOp { operand, .. } => is_var(&operand),
            Kind::Call { callee, args } => {
                let args = self.module.list(args);
                let Some(name) = self.atom(callee) else { return false };
                let function = (name, args.len() as u32);
                args.iter().all(is_var)
                    && !self.is_overridden(function)
                    && !self.switches.no_auto_import(function)
                    && tables::name_arities(PURE).any(|pure| pure == function)
            }
            _ => false,
        }
    }

    /// Arithmetic on constants that has no value.
    fn check_failing(&mut self, id: NodeId, op: BinaryOp, left: NodeId, right: NodeId) {
        let is_constant = |id: NodeId| {
            matches!(
                self.kind(id),
                Kind::Integer(_) | Kind::Float(_) | Kind::Char(_) | Kind::Atom(_)
            )
        };
        let sized = matches!(op, BinaryOp::Bsl | BinaryOp::Bsr | BinaryOp::Mul);
        if tables::is_arithmetic(op)
            && !sized
            && is_constant(left)
            && is_constant(right)
            && constant::evaluate(self.module, id).is_none()
        {
            let message = format!("'{}' always fails on these operands", op.text());
            self.late_warning(id, "failed", message);
        }
    }
}
