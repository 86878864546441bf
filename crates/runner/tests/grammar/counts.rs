//! Counts the pairs that a program has, from its tree: who made the text has no say.

use std::collections::BTreeMap;

use atom::known;
use syntax::ast::{
    BinaryOp, ComprehensionKind, GeneratorKind, Kind, Module, NodeId, NodeList, UnaryOp,
};

use super::table::{Class, Pair, places};

/// How often each pair was there.
pub(crate) struct Counts {
    pub(crate) pairs: BTreeMap<Pair, u64>,
    /// The places of the table.
    places: BTreeMap<&'static str, Class>,
    /// What the table does not have.
    pub(crate) unknown: BTreeMap<(String, &'static str), u64>,
}

impl Default for Counts {
    fn default() -> Counts {
        let (pairs, unknown) = (BTreeMap::new(), BTreeMap::new());
        Counts { pairs, places: places().collect(), unknown }
    }
}

impl Counts {
    pub(crate) fn add(&mut self, module: &Module) {
        for &form in &module.forms {
            let Kind::Function { clauses, .. } = module.kind(form) else { continue };
            Walk { m: module, counts: self }.clauses("function", "", clauses);
        }
    }

    fn note(&mut self, place: &str, kind: &'static str, class: Class) {
        let known = self.places.get_key_value(place).filter(|(_, its)| **its == class);
        match known.filter(|_| class.kinds().iter().any(|&(name, _)| name == kind)) {
            Some((&place, _)) => *self.pairs.entry((place, kind)).or_default() += 1,
            None => *self.unknown.entry((place.to_owned(), kind)).or_default() += 1,
        }
    }
}

struct Walk<'a> {
    m: &'a Module,
    counts: &'a mut Counts,
}

impl Walk<'_> {
    fn all(&mut self, owner: &str, position: &str, list: NodeList, class: Class) {
        for &id in self.m.list(list) {
            self.child(owner, position, id, class);
        }
    }

    /// The expressions of a body; `prefix` tells bodies of one parent apart.
    fn body(&mut self, owner: &str, prefix: &str, body: NodeList) {
        let body = self.m.list(body);
        for (i, &id) in body.iter().enumerate() {
            let position = if i + 1 == body.len() { "last" } else { "step" };
            if let Kind::MaybeMatch { pattern, value } = self.m.kind(id) {
                self.child(owner, "pattern", pattern, Class::Pattern);
                self.child(owner, "value", value, Class::Expression);
            } else {
                self.child(owner, &format!("{prefix}{position}"), id, Class::Expression);
            }
        }
    }

    fn clauses(&mut self, owner: &str, prefix: &str, clauses: NodeList) {
        for &clause in self.m.list(clauses) {
            let Kind::Clause { patterns, guards, body } = self.m.kind(clause) else { continue };
            // What a `try` has behind `of` is named by its pattern alone.
            let (pattern, guard) = match (owner, prefix) {
                ("try_of" | "try_after", "of_") => ("pattern", "of_guard"),
                ("maybe_else", "else_") => ("else_pattern", "guard"),
                _ => ("pattern", "guard"),
            };
            for &id in self.m.list(patterns) {
                match self.m.kind(id) {
                    Kind::CatchPattern { class, reason, .. } => {
                        if let Some(class) = class {
                            self.child(owner, "class", class, Class::Pattern);
                        }
                        self.child(owner, "reason", reason, Class::Pattern);
                    }
                    _ => self.child(owner, pattern, id, Class::Pattern),
                }
            }
            for &alternative in self.m.list(guards) {
                if let Kind::Guard { tests } = self.m.kind(alternative) {
                    self.all(owner, guard, tests, Class::Guard);
                }
            }
            self.body(owner, prefix, body);
        }
    }

    /// A node in a position of a parent.
    fn child(&mut self, owner: &str, position: &str, id: NodeId, class: Class) {
        let kind = kind(self.m, id);
        self.counts.note(&format!("{owner}.{position}"), kind, class);
        let prefix = match class {
            Class::Expression => "",
            Class::Pattern => "p.",
            Class::Guard => "g.",
        };
        self.inside(&format!("{prefix}{kind}"), id, class);
    }

    fn inside(&mut self, owner: &str, id: NodeId, class: Class) {
        let m = self.m;
        match m.kind(id) {
            Kind::List { elements, tail } => {
                self.all(owner, "element", elements, class);
                if let Some(tail) = tail {
                    self.child(owner, "tail", tail, class);
                }
            }
            Kind::Tuple { elements } => self.all(owner, "element", elements, class),
            Kind::Map { base, fields } => {
                if let Some(base) = base {
                    self.child(owner, "base", base, class);
                }
                for &field in m.list(fields) {
                    let Kind::MapField { exact, key, value } = m.kind(field) else { continue };
                    let is_update = base.is_some() && exact;
                    let (k, v) =
                        if is_update { ("exact_key", "exact_value") } else { ("key", "value") };
                    let of_key = if class == Class::Pattern { Class::Guard } else { class };
                    self.child(owner, k, key, of_key);
                    self.child(owner, v, value, class);
                }
            }
            Kind::Record { base, fields, .. } => {
                if let Some(base) = base {
                    self.child(owner, "base", base, class);
                }
                for &field in m.list(fields) {
                    let Kind::RecordField { name, value } = m.kind(field) else { continue };
                    let is_rest = matches!(m.kind(name), Kind::Var(_));
                    self.child(owner, if is_rest { "rest" } else { "field" }, value, class);
                }
            }
            Kind::RecordAccess { base, .. } => self.child(owner, "base", base, class),
            Kind::Binary { elements } => {
                for &element in m.list(elements) {
                    let Kind::BinElement { value, size, .. } = m.kind(element) else { continue };
                    self.child(owner, "value", value, class);
                    if let Some(size) = size {
                        let of_size = if class == Class::Pattern { Class::Guard } else { class };
                        self.child(owner, "size", size, of_size);
                    }
                }
            }
            Kind::Match { pattern, value } if class == Class::Pattern => {
                self.child(owner, "left", pattern, class);
                self.child(owner, "right", value, class);
            }
            Kind::Match { pattern, value } => {
                self.child(owner, "pattern", pattern, Class::Pattern);
                self.child(owner, "value", value, class);
            }
            Kind::BinaryOp { op: BinaryOp::Send, left, right } => {
                self.child(owner, "to", left, class);
                self.child(owner, "message", right, class);
            }
            Kind::BinaryOp { left, right, .. } => {
                self.child(owner, "left", left, class);
                self.child(owner, "right", right, class);
            }
            Kind::UnaryOp { operand, .. } => self.child(owner, "operand", operand, class),
            Kind::Call { callee, args } => {
                match m.kind(callee) {
                    Kind::Atom(_) => {}
                    Kind::Remote { module, name } if owner.ends_with("call_dynamic") => {
                        self.child(owner, "module", module, class);
                        self.child(owner, "name", name, class);
                    }
                    Kind::Remote { .. } => {}
                    _ => self.child(owner, "callee", callee, class),
                }
                self.all(owner, "arg", args, class);
            }
            Kind::FunRemote { module, name, arity } => {
                self.child(owner, "module", module, class);
                self.child(owner, "name", name, class);
                self.child(owner, "arity", arity, class);
            }
            _ => self.control(owner, id),
        }
    }

    /// What only expressions can be.
    fn control(&mut self, owner: &str, id: NodeId) {
        match self.m.kind(id) {
            Kind::Catch { body } => self.child(owner, "body", body, Class::Expression),
            Kind::Block { body } => self.body(owner, "", body),
            Kind::If { clauses } => self.clauses(owner, "", clauses),
            Kind::Case { subject, clauses } => {
                self.child(owner, "subject", subject, Class::Expression);
                self.clauses(owner, "", clauses);
            }
            Kind::Receive { clauses, after } => {
                self.clauses(owner, "", clauses);
                if let Some(after) = after {
                    self.child(owner, "timeout", after.timeout, Class::Expression);
                    self.body(owner, "after_", after.body);
                }
            }
            Kind::Try { body, of, catch, after } => {
                self.body(owner, "", body);
                self.clauses(owner, "of_", of);
                self.clauses(owner, "catch_", catch);
                self.body(owner, "after_", after);
            }
            Kind::Maybe { body, else_clauses } => {
                self.body(owner, "", body);
                self.clauses(owner, "else_", else_clauses.unwrap_or_default());
            }
            Kind::Fun { clauses, .. } => self.clauses(owner, "", clauses),
            Kind::Comprehension { exprs, qualifiers, .. } => {
                self.all(owner, "template", exprs, Class::Expression);
                for &qualifier in self.m.list(qualifiers) {
                    if let Kind::Generator { which, pattern, source, .. } = self.m.kind(qualifier) {
                        let is_bits = which == GeneratorKind::Binary;
                        let (p, s) = match is_bits {
                            true => ("bits_pattern", "bits_source"),
                            false => ("pattern", "source"),
                        };
                        self.child(owner, p, pattern, Class::Pattern);
                        self.child(owner, s, source, Class::Expression);
                    } else {
                        self.child(owner, "filter", qualifier, Class::Expression);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The kind of a node, by the names of the table.
fn kind(m: &Module, id: NodeId) -> &'static str {
    match m.kind(id) {
        Kind::Atom(_) => "atom",
        Kind::Var(known::UNDERSCORE) => "any",
        Kind::Var(_) => "var",
        Kind::Integer(_) => "integer",
        Kind::Float(_) => "float",
        Kind::Char(_) => "char",
        Kind::String(_) => "string",
        Kind::Nil => "nil",
        Kind::List { tail: None, .. } => "list",
        Kind::List { .. } => "cons",
        Kind::Tuple { .. } => "tuple",
        Kind::Map { base: None, .. } => "map",
        Kind::Map { .. } => "map_update",
        Kind::Record { base: None, .. } => "record",
        Kind::Record { .. } => "record_update",
        Kind::RecordAccess { .. } => "record_access",
        Kind::RecordIndex { .. } => "record_index",
        Kind::Binary { .. } => "binary",
        Kind::Match { .. } => "match",
        Kind::BinaryOp { op, .. } => operator(op),
        Kind::UnaryOp { op: UnaryOp::Not, .. } => "not",
        Kind::UnaryOp { .. } => "minus",
        Kind::Call { callee, args } => match m.kind(callee) {
            Kind::Atom(name) if is_own(m, name, args.len) => "call",
            Kind::Atom(_) => "call_bif",
            Kind::Remote { module, name } => match (m.kind(module), m.kind(name)) {
                (Kind::Atom(_), Kind::Atom(_)) => "call_remote",
                _ => "call_dynamic",
            },
            _ => "call_fun",
        },
        Kind::Catch { .. } => "catch",
        Kind::Block { .. } => "block",
        Kind::If { .. } => "if",
        Kind::Case { .. } => "case",
        Kind::Receive { after: None, .. } => "receive",
        Kind::Receive { .. } => "receive_after",
        Kind::Try { after, .. } if !after.is_empty() => "try_after",
        Kind::Try { of, .. } if !of.is_empty() => "try_of",
        Kind::Try { .. } => "try",
        Kind::Maybe { else_clauses: None, .. } => "maybe",
        Kind::Maybe { .. } => "maybe_else",
        Kind::Fun { name: None, .. } => "fun",
        Kind::Fun { .. } => "named_fun",
        Kind::FunName { .. } => "fun_name",
        Kind::FunRemote { .. } => "fun_remote",
        Kind::Comprehension { which, qualifiers, .. } => {
            let generates =
                m.list(qualifiers).iter().any(|&id| matches!(m.kind(id), Kind::Generator { .. }));
            match (which, generates) {
                (ComprehensionKind::List, true) => "lc",
                (ComprehensionKind::List, false) => "lc_filter",
                (_, true) => "bc",
                (_, false) => "bc_filter",
            }
        }
        _ => "other",
    }
}

fn operator(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::Eq | B::Ne | B::Le | B::Lt | B::Ge | B::Gt | B::ExactEq | B::ExactNe => "compare",
        B::And | B::Or | B::Xor => "logic",
        B::Andalso => "andalso",
        B::Orelse => "orelse",
        B::Append => "append",
        B::Subtract => "subtract",
        B::Send => "send",
        _ => "arith",
    }
}

/// Whether the module has a function of this name.
fn is_own(m: &Module, name: atom::Atom, arity: u32) -> bool {
    m.forms.iter().any(|&form| {
        matches!(m.kind(form), Kind::Function { name: n, arity: a, .. } if n == name && a == arity)
    })
}
