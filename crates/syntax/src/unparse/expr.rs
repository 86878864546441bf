//! Expressions and patterns as text.
//!
//! Each place asks for a level of precedence, and what binds less tightly is put in parentheses: no
//! more of them than reading back needs. Chains of one operator are one group, so that they break
//! over lines together. Long strings are cut behind their line breaks into adjacent literals.

use crate::ast::{
    BinaryOp, ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList, RecordName, SigilKind,
    UnaryOp,
};
use crate::quote;
use crate::token::Literal;

use super::doc::Breaks;
use super::precedence::{self, ANY, ATOMIC, Associativity, Level, MATCH, POSTFIX, PREFIX, REMOTE};
use super::{Printer, literal};

/// Stack that must be left before one more level of the tree, and what is added if it is not.
const RED_ZONE: usize = 64 * 1024;
const STACK_CHUNK: usize = 1024 * 1024;

/// A string longer than this is cut behind its line breaks into adjacent literals.
const LONG_STRING: usize = 60;

impl Printer<'_> {
    /// Any part of a form, in parentheses if it binds less tightly than its place asks for.
    pub(super) fn node(&mut self, id: NodeId, level: Level) {
        stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || {
            if self.level(id) < level {
                self.in_parentheses(|printer| printer.bare_node(id));
            } else {
                self.bare_node(id);
            }
        });
    }

    fn bare_node(&mut self, id: NodeId) {
        match self.kind(id) {
            Kind::Atom(name) => self.atom(name),
            Kind::Var(name) => self.text(name.as_str()),
            Kind::Integer(_) | Kind::Float(_) => self.number(id),
            Kind::Char(code_point) => self.text(&literal::character(code_point)),
            Kind::String(_) => self.string(id),
            Kind::Sigil { which, text } => {
                self.text(match which {
                    SigilKind::Binary => "~b",
                    SigilKind::String => "~s",
                });
                if let Literal::String(text) = self.module.literal(text) {
                    self.text(&quote::string(text));
                }
            }
            Kind::Nil | Kind::NilType => self.text("[]"),
            Kind::List { elements, tail } => self.list_expr(elements, tail),
            Kind::Tuple { elements } | Kind::TupleType { elements } => {
                self.bracketed("{", self.list(elements), "}");
            }
            Kind::Map { base, fields } => {
                if let Some(base) = base {
                    self.base(base, matches!(self.kind(base), Kind::Map { .. }));
                }
                self.bracketed("#{", self.list(fields), "}");
            }
            Kind::MapType { fields } => self.bracketed("#{", self.list(fields), "}"),
            Kind::MapField { exact, key, value } => {
                self.node(key, ANY);
                self.assigned(if exact { " :=" } else { " =>" }, value, ANY);
            }
            Kind::Record { base, name, fields } => {
                if let Some(base) = base {
                    self.record_base(base);
                }
                self.record_name(name);
                self.bracketed("{", self.list(fields), "}");
            }
            Kind::RecordField { name, value } => {
                self.node(name, ANY);
                self.assigned(" =", value, ANY);
            }
            Kind::RecordAccess { base, name, field } => {
                self.record_base(base);
                self.record_name(name);
                self.text(".");
                self.node(field, ANY);
            }
            Kind::RecordIndex { name, field } => {
                self.record_name(name);
                self.text(".");
                self.node(field, ANY);
            }
            Kind::Binary { elements } => self.binary(self.list(elements)),
            Kind::BinElement { value, size, specs } => self.segment(value, size, specs),
            Kind::BinSpec { name, unit } => {
                self.atom(name);
                if let Some(unit) = unit {
                    self.text(":");
                    self.atomic(unit);
                }
            }
            Kind::Match { pattern, value } => {
                self.node(pattern, MATCH + 1);
                self.assigned(" =", value, MATCH);
            }
            Kind::MaybeMatch { pattern, value } => {
                self.node(pattern, MATCH);
                self.assigned(" ?=", value, MATCH);
            }
            Kind::BinaryOp { .. } => self.binary_operation(id),
            Kind::UnaryOp { op, operand } => self.unary_operation(op, operand, PREFIX),
            Kind::Call { callee, args } => {
                self.primary(callee, REMOTE);
                self.bracketed("(", self.list(args), ")");
            }
            Kind::Remote { module, name } => {
                self.primary(module, ATOMIC);
                self.text(":");
                self.primary(name, ATOMIC);
            }
            Kind::Catch { body } => {
                self.text("catch ");
                self.node(body, ANY);
            }
            Kind::FunName { name, arity } => {
                self.text("fun ");
                self.atom(name);
                self.text("/");
                self.node(arity, ANY);
            }
            Kind::FunRemote { module, name, arity } => {
                self.text("fun ");
                self.node(module, ANY);
                self.text(":");
                self.node(name, ANY);
                self.text("/");
                self.node(arity, ANY);
            }
            Kind::NameArity { name, arity } => {
                self.node(name, ANY);
                self.text("/");
                self.node(arity, ANY);
            }
            Kind::Comprehension { which, exprs, qualifiers } => {
                self.comprehension(which, exprs, qualifiers);
            }
            Kind::Generator { which, strict, pattern, source } => {
                self.node(pattern, ANY);
                self.assigned(generator_arrow(which, strict), source, ANY);
            }
            Kind::ZipGenerator { generators } => {
                for (index, &generator) in self.list(generators).iter().enumerate() {
                    if index > 0 {
                        self.text(" &&");
                        self.doc.line();
                    }
                    self.node(generator, ANY);
                }
            }
            _ if self.clause_like(id) || self.type_node(id) => {}
            _ => self.form(id),
        }
    }

    // ---- Literals ----------------------------------------------------------------------------

    pub(super) fn is_negative_literal(&self, id: NodeId) -> bool {
        let (Kind::Integer(literal) | Kind::Float(literal)) = self.kind(id) else { return false };
        match self.module.literal(literal) {
            Literal::Integer(value) => value.sign() == num_bigint::Sign::Minus,
            Literal::Float(value) => value.is_sign_negative(),
            Literal::String(_) => false,
        }
    }

    fn number(&mut self, id: NodeId) {
        let (Kind::Integer(value) | Kind::Float(value)) = self.kind(id) else { return };
        let module = self.module;
        // A tree that was not read from text has no tokens.
        let spelling =
            module.tokens.get(module[id].anchor.0 as usize).map_or("", |t| module.text(t.span));
        let text = match module.literal(value) {
            Literal::Integer(value) => literal::integer(value, spelling),
            Literal::Float(value) => literal::float(*value, spelling),
            Literal::String(text) => quote::string(text),
        };
        self.text(&text);
    }

    fn string(&mut self, id: NodeId) {
        let Kind::String(text) = self.kind(id) else { return };
        let Literal::String(text) = self.module.literal(text) else { return };
        if text.len() <= LONG_STRING || !text.trim_end_matches('\n').contains('\n') {
            return self.text(&quote::string(text));
        }
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if index > 0 {
                self.doc.hard_line();
            }
            self.text(&quote::string(line));
        }
    }

    // ---- Lists and binaries ------------------------------------------------------------------

    fn list_expr(&mut self, elements: NodeList, tail: Option<NodeId>) {
        let elements = self.list(elements);
        let Some(tail) = tail else { return self.bracketed("[", elements, "]") };
        self.group(|printer| {
            printer.text("[");
            printer.indented(|printer| {
                printer.doc.soft_line();
                printer.items(elements, |printer, element| printer.node(element, ANY));
                printer.doc.line();
                printer.text("| ");
                printer.node(tail, ANY);
            });
            printer.doc.soft_line();
            printer.text("]");
        });
    }

    fn binary(&mut self, elements: &[NodeId]) {
        // `<<<<` and `>>>>` are read rightly but badly.
        let open = if elements.first().is_some_and(|&first| self.starts_with_binary(first)) {
            "<< "
        } else {
            "<<"
        };
        let close = if elements.last().is_some_and(|&last| self.ends_with_binary(last)) {
            " >>"
        } else {
            ">>"
        };
        self.bracketed(open, elements, close);
    }

    fn starts_with_binary(&self, element: NodeId) -> bool {
        let Kind::BinElement { value, .. } = self.kind(element) else { return false };
        self.is_binary(value)
    }

    fn ends_with_binary(&self, element: NodeId) -> bool {
        let Kind::BinElement { value, size: None, specs: None } = self.kind(element) else {
            return false;
        };
        self.is_binary(value)
    }

    fn is_binary(&self, id: NodeId) -> bool {
        use ComprehensionKind as Which;
        matches!(
            self.kind(id),
            Kind::Binary { .. } | Kind::Comprehension { which: Which::Binary, .. }
        )
    }

    /// `Value:Size/Specs`. The grammar takes a sign in front of the value and nothing else that is
    /// not atomic.
    fn segment(&mut self, value: NodeId, size: Option<NodeId>, specs: Option<NodeList>) {
        match self.kind(value) {
            Kind::UnaryOp { op, operand } => self.unary_operation(op, operand, ATOMIC),
            kind if precedence::has_end(kind) => {
                self.in_parentheses(|printer| printer.node(value, ANY));
            }
            _ => self.atomic(value),
        }
        if let Some(size) = size {
            self.text(":");
            self.atomic(size);
        }
        if let Some(specs) = specs {
            self.text("/");
            for (index, &spec) in self.list(specs).iter().enumerate() {
                if index > 0 {
                    self.text("-");
                }
                self.node(spec, ANY);
            }
        }
    }

    // ---- Comprehensions ----------------------------------------------------------------------

    fn comprehension(&mut self, which: ComprehensionKind, exprs: NodeList, qualifiers: NodeList) {
        const AFTER_BARS: usize = "|| ".len();
        let (exprs, qualifiers) = (self.list(exprs), self.list(qualifiers));
        // In a binary comprehension the grammar takes an atomic expression only.
        let (open, close, level) = match which {
            ComprehensionKind::List => ("[", "]", ANY),
            ComprehensionKind::Binary => ("<<", ">>", ATOMIC),
            ComprehensionKind::Map => ("#{", "}", ANY),
        };
        let binary = which == ComprehensionKind::Binary;
        self.group(|printer| {
            printer.text(open);
            printer.indented(|printer| {
                if binary {
                    printer.doc.line();
                } else {
                    printer.doc.soft_line();
                }
                printer.comma_separated(exprs, |printer, expr| printer.node(expr, level));
                printer.doc.line();
                printer.text("|| ");
                printer.doc.indent(AFTER_BARS);
                printer.comma_separated(qualifiers, |printer, qualifier| {
                    printer.node(qualifier, ANY);
                });
                printer.doc.dedent(AFTER_BARS);
            });
            if binary {
                printer.doc.line();
            } else {
                printer.doc.soft_line();
            }
            printer.text(close);
        });
    }

    // ---- Records -----------------------------------------------------------------------------

    /// What stands before `#`: the grammar takes something atomic, or (`chain`) an expression of
    /// the same family.
    fn base(&mut self, base: NodeId, chain: bool) {
        self.primary(base, if chain { POSTFIX } else { ATOMIC });
    }

    fn record_base(&mut self, base: NodeId) {
        let chain = matches!(
            self.kind(base),
            Kind::Record { .. } | Kind::RecordAccess { .. } | Kind::RecordIndex { .. }
        );
        self.base(base, chain);
    }

    pub(super) fn record_name(&mut self, name: RecordName) {
        self.text("#");
        match name {
            RecordName::Local(name) => self.node(name, ANY),
            RecordName::Remote(module, name) => {
                self.node(module, ANY);
                self.text(":");
                self.node(name, ANY);
            }
            RecordName::Any => self.text("_"),
        }
    }

    // ---- Operators ---------------------------------------------------------------------------

    fn unary_operation(&mut self, op: UnaryOp, operand: NodeId, level: Level) {
        self.text(op.text());
        let word = matches!(op, UnaryOp::Not | UnaryOp::Bnot);
        let another_sign = self.level(operand) >= level
            && (matches!(
                self.kind(operand),
                Kind::UnaryOp { op: UnaryOp::Plus | UnaryOp::Minus, .. }
            ) || self.is_negative_literal(operand));
        // `- -1`, because `--` is an operator of its own.
        if word || another_sign {
            self.text(" ");
        }
        self.node(operand, level);
    }

    /// A chain of operators of one level, `A + B - C`, is one group.
    fn binary_operation(&mut self, id: NodeId) {
        let Kind::BinaryOp { op, left, right } = self.kind(id) else { return };
        let (level, associativity) = precedence::operator(op);
        // Each operand but the first comes with the operator before it.
        let mut first = left;
        let mut others = vec![(op, right)];
        match associativity {
            Associativity::None => {}
            Associativity::Left => {
                while let Some((op, left, right)) = self.operation_of_level(first, level) {
                    others.push((op, right));
                    first = left;
                }
                others.reverse();
            }
            Associativity::Right => {
                let mut last = right;
                while let Some((op, left, right)) = self.operation_of_level(last, level) {
                    if let Some((_, operand)) = others.last_mut() {
                        *operand = left;
                    }
                    others.push((op, right));
                    last = right;
                }
            }
        }
        let inner = level + 1;
        let (first_level, last_level) = match associativity {
            Associativity::None => (inner, inner),
            Associativity::Left => (level, inner),
            Associativity::Right => (inner, level),
        };
        let last = others.len() - 1;
        self.doc.open(Breaks::All);
        self.node(first, first_level);
        self.doc.indent(super::STEP);
        for (index, (op, operand)) in others.into_iter().enumerate() {
            let level = if index == last { last_level } else { inner };
            self.text(" ");
            self.text(op.text());
            if op == BinaryOp::Send && precedence::can_hug(self.kind(operand)) {
                self.doc.dedent(super::STEP);
                self.text(" ");
                self.node(operand, level);
                self.doc.indent(super::STEP);
            } else {
                self.doc.line();
                self.node(operand, level);
            }
        }
        self.doc.dedent(super::STEP);
        self.doc.close();
    }

    fn operation_of_level(&self, id: NodeId, level: Level) -> Option<(BinaryOp, NodeId, NodeId)> {
        match self.kind(id) {
            Kind::BinaryOp { op, left, right } if precedence::operator(op).0 == level => {
                Some((op, left, right))
            }
            _ => None,
        }
    }
}

fn generator_arrow(which: GeneratorKind, strict: bool) -> &'static str {
    match (which, strict) {
        (GeneratorKind::Value, _) => " =",
        (GeneratorKind::List | GeneratorKind::Map, false) => " <-",
        (GeneratorKind::List | GeneratorKind::Map, true) => " <:-",
        (GeneratorKind::Binary, false) => " <=",
        (GeneratorKind::Binary, true) => " <:=",
    }
}
