//! Expressions, patterns, clauses and parts of forms, as OTP's abstract format writes them.
//!
//! One tagged tuple a node, with the position of its anchor. Where the format says it otherwise
//! than the tree, the tree is taken apart here: lists are cells, a pattern of `catch` is a tuple of
//! three, sigils are strings or binaries, `else` belongs to its `maybe`.

use std::fmt;

use crate::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList, RecordName, SigilKind};
use crate::token::{LiteralId, TokenId};

use super::{Work, Writer};

const COMMA: Work = Work::Text(",");

impl Writer<'_> {
    pub(super) fn node(&mut self, id: NodeId) -> fmt::Result {
        match self.module.kind(id) {
            Kind::Atom(name) | Kind::Var(name) => {
                let tag = if matches!(self.module.kind(id), Kind::Var(_)) { "var" } else { "atom" };
                self.open(tag, id)?;
                self.out.write_char(',')?;
                self.atom(name)?;
                self.out.write_char('}')
            }
            Kind::Integer(literal) => self.leaf("integer", id, literal),
            Kind::Float(literal) => self.leaf("float", id, literal),
            Kind::String(literal) => self.leaf("string", id, literal),
            Kind::Char(code) => {
                self.open("char", id)?;
                write!(self.out, ",{code}}}")
            }
            Kind::Sigil { which, text } => self.sigil(id, which, text),
            Kind::Nil => {
                self.open("nil", id)?;
                self.out.write_char('}')
            }
            Kind::List { .. } => self.cells(id, 0),
            Kind::Tuple { elements } => self.with_list("tuple", id, elements),
            Kind::Binary { elements } => self.with_list("bin", id, elements),
            Kind::Block { body } => self.with_list("block", id, body),
            Kind::If { clauses } => self.with_list("'if'", id, clauses),
            Kind::ZipGenerator { generators } => self.with_list("zip", id, generators),
            Kind::Catch { body } => self.with("'catch'", id, [Work::Node(body)]),
            Kind::Match { pattern, value } => self.with_two("match", id, pattern, value),
            Kind::MaybeMatch { pattern, value } => self.with_two("maybe_match", id, pattern, value),
            Kind::Remote { module, name } => self.with_two("remote", id, module, name),
            Kind::RecordField { name, value } => self.with_two("record_field", id, name, value),
            Kind::MapField { exact, key, value } => {
                let tag = if exact { "map_field_exact" } else { "map_field_assoc" };
                self.with_two(tag, id, key, value)
            }
            Kind::Call { callee, args } => {
                self.with("call", id, [Work::Node(callee), COMMA, Work::Nodes(args, 0)])
            }
            Kind::BinaryOp { op, left, right } => {
                self.open("op", id)?;
                write!(self.out, ",'{}',", op.text())?;
                self.then([Work::Node(left), COMMA, Work::Node(right), Work::Close(1)]);
                Ok(())
            }
            Kind::UnaryOp { op, operand } => {
                self.open("op", id)?;
                write!(self.out, ",'{}',", op.text())?;
                self.then([Work::Node(operand), Work::Close(1)]);
                Ok(())
            }
            Kind::Guard { tests } => {
                self.then([Work::Nodes(tests, 0)]);
                Ok(())
            }
            kind => self.larger_node(id, kind),
        }
    }

    fn larger_node(&mut self, id: NodeId, kind: Kind) -> fmt::Result {
        match kind {
            Kind::Map { base, fields } => match base {
                None => self.with_list("map", id, fields),
                Some(base) => {
                    self.with("map", id, [Work::Node(base), COMMA, Work::Nodes(fields, 0)])
                }
            },
            Kind::Record { base, name, fields } => match base {
                None => {
                    let parts = [Work::RecordName(name), COMMA, Work::Nodes(fields, 0)];
                    self.with("record", id, parts)
                }
                Some(base) => {
                    let name = Work::RecordName(name);
                    let parts = [Work::Node(base), COMMA, name, COMMA, Work::Nodes(fields, 0)];
                    self.with("record", id, parts)
                }
            },
            Kind::RecordAccess { base, name, field } => {
                let name = Work::RecordName(name);
                let parts = [Work::Node(base), COMMA, name, COMMA, Work::Node(field)];
                self.with("record_field", id, parts)
            }
            Kind::RecordIndex { name, field } => {
                let parts = [Work::RecordName(name), COMMA, Work::Node(field)];
                self.with("record_index", id, parts)
            }
            Kind::BinElement { value, size, specs } => {
                let size = size.map_or(Work::Text("default"), Work::Node);
                let parts = [Work::Node(value), COMMA, size, COMMA, Work::Specs(specs)];
                self.with("bin_element", id, parts)
            }
            Kind::Case { subject, clauses } => {
                self.with("'case'", id, [Work::Node(subject), COMMA, Work::Nodes(clauses, 0)])
            }
            Kind::Receive { clauses, after: None } => self.with_list("'receive'", id, clauses),
            Kind::Receive { clauses, after: Some(after) } => {
                let timeout = Work::Node(after.timeout);
                let body = Work::Nodes(after.body, 0);
                let parts = [Work::Nodes(clauses, 0), COMMA, timeout, COMMA, body];
                self.with("'receive'", id, parts)
            }
            Kind::Try { body, of, catch, after } => {
                let [body, of, catch, after] = [body, of, catch, after].map(|l| Work::Nodes(l, 0));
                self.with("'try'", id, [body, COMMA, of, COMMA, catch, COMMA, after])
            }
            Kind::Maybe { body, else_clauses } => self.maybe_expression(id, body, else_clauses),
            Kind::Fun { name: None, clauses } => {
                let parts = [Work::Text("{clauses,"), Work::Nodes(clauses, 0), Work::Close(1)];
                self.with("'fun'", id, parts)
            }
            Kind::Fun { name: Some(name), clauses } => {
                self.open("named_fun", id)?;
                self.out.write_char(',')?;
                self.atom(name)?;
                self.out.write_char(',')?;
                self.then([Work::Nodes(clauses, 0), Work::Close(1)]);
                Ok(())
            }
            Kind::FunName { name, arity } => {
                self.open("'fun'", id)?;
                self.out.write_str(",{function,")?;
                self.atom(name)?;
                self.then([COMMA, Work::Term(arity), Work::Close(2)]);
                Ok(())
            }
            Kind::FunRemote { module, name, arity } => {
                let function = Work::Text("{function,");
                let [module, name, arity] = [module, name, arity].map(Work::Node);
                let parts = [function, module, COMMA, name, COMMA, arity, Work::Close(1)];
                self.with("'fun'", id, parts)
            }
            Kind::Comprehension { which, exprs, qualifiers } => {
                let tag = match which {
                    ComprehensionKind::List => "lc",
                    ComprehensionKind::Binary => "bc",
                    ComprehensionKind::Map => "mc",
                };
                let template = match *self.module.list(exprs) {
                    [one] => Work::Node(one),
                    _ => Work::Nodes(exprs, 0),
                };
                self.with(tag, id, [template, COMMA, Work::Nodes(qualifiers, 0)])
            }
            Kind::Generator { which, strict, pattern, source } => {
                let tag = match (which, strict) {
                    (GeneratorKind::Value, _) => "match",
                    (GeneratorKind::List, false) => "generate",
                    (GeneratorKind::List, true) => "generate_strict",
                    (GeneratorKind::Binary, false) => "b_generate",
                    (GeneratorKind::Binary, true) => "b_generate_strict",
                    (GeneratorKind::Map, false) => "m_generate",
                    (GeneratorKind::Map, true) => "m_generate_strict",
                };
                self.with_two(tag, id, pattern, source)
            }
            kind => self.part_of_form(id, kind),
        }
    }

    fn part_of_form(&mut self, id: NodeId, kind: Kind) -> fmt::Result {
        match kind {
            Kind::Clause { patterns, guards, body } => {
                let [patterns, guards, body] =
                    [patterns, guards, body].map(|list| Work::Nodes(list, 0));
                self.with("clause", id, [patterns, COMMA, guards, COMMA, body])
            }
            Kind::CatchPattern { class, reason, stacktrace } => {
                self.catch_pattern(id, class, reason, stacktrace)
            }
            Kind::RecordFieldDef { name, default, ty } => {
                if ty.is_some() {
                    self.out.write_str("{typed_record_field,")?;
                }
                self.open("record_field", id)?;
                self.out.write_char(',')?;
                if let Some(ty) = ty {
                    self.then([COMMA, Work::Node(ty), Work::Close(1)]);
                }
                match default {
                    Some(default) => {
                        self.then([Work::Node(name), COMMA, Work::Node(default), Work::Close(1)]);
                    }
                    None => self.then([Work::Node(name), Work::Close(1)]),
                }
                Ok(())
            }
            Kind::NameArity { .. } => self.term(id),
            kind => self.type_node(id, kind),
        }
    }

    // ---- Shapes ------------------------------------------------------------------------------

    pub(super) fn with<const N: usize>(
        &mut self,
        tag: &str,
        id: NodeId,
        parts: [Work; N],
    ) -> fmt::Result {
        self.open(tag, id)?;
        self.out.write_char(',')?;
        self.work.push(Work::Close(1));
        self.then(parts);
        Ok(())
    }

    fn with_list(&mut self, tag: &str, id: NodeId, list: NodeList) -> fmt::Result {
        self.with(tag, id, [Work::Nodes(list, 0)])
    }

    fn with_two(&mut self, tag: &str, id: NodeId, first: NodeId, second: NodeId) -> fmt::Result {
        self.with(tag, id, [Work::Node(first), COMMA, Work::Node(second)])
    }

    fn leaf(&mut self, tag: &str, id: NodeId, literal: LiteralId) -> fmt::Result {
        self.open(tag, id)?;
        self.out.write_char(',')?;
        self.literal(literal)?;
        self.out.write_char('}')
    }

    // ---- What is not one to one --------------------------------------------------------------

    /// A sigil is a string, or a binary of one segment.
    fn sigil(&mut self, id: NodeId, which: SigilKind, text: LiteralId) -> fmt::Result {
        if which == SigilKind::String {
            return self.leaf("string", id, text);
        }
        self.open("bin", id)?;
        self.out.write_str(",[")?;
        self.open("bin_element", id)?;
        self.out.write_char(',')?;
        self.leaf("string", id, text)?;
        self.out.write_str(",default,[utf8]}]}")
    }

    /// The `cons` cells of a list from the element with index `next` on. The first stands at the
    /// bracket, the others at their elements.
    pub(super) fn cells(&mut self, id: NodeId, next: u32) -> fmt::Result {
        let Kind::List { elements, tail } = self.module.kind(id) else { return Ok(()) };
        let Some(&element) = self.module.list(elements).get(next as usize) else {
            match tail {
                Some(tail) => self.then([Work::Node(tail), Work::Close(elements.len)]),
                None => {
                    self.out.write_str("{nil,")?;
                    self.token_anno(self.module[id].last)?;
                    self.then([Work::Close(elements.len + 1)]);
                }
            }
            return Ok(());
        };
        let anno = if next == 0 { self.module.anno(id) } else { self.module.first_anchor(element) };
        self.out.write_str("{cons,")?;
        self.anno(anno)?;
        self.out.write_char(',')?;
        self.then([Work::Node(element), COMMA, Work::Cells(id, next + 1)]);
        Ok(())
    }

    fn catch_pattern(
        &mut self,
        id: NodeId,
        class: Option<NodeId>,
        reason: NodeId,
        stacktrace: Option<NodeId>,
    ) -> fmt::Result {
        self.open("tuple", id)?;
        self.out.write_str(",[")?;
        if class.is_none() {
            self.open("atom", id)?;
            self.out.write_str(",throw}")?;
        }
        self.work.push(Work::Text("]}"));
        match stacktrace {
            Some(stacktrace) => self.work.push(Work::Node(stacktrace)),
            None => {
                let last = self.module.last_anchor(reason);
                self.then([Work::Text("{var,"), Work::EndAnno(last), Work::Text(",'_'}")]);
            }
        }
        self.then([COMMA, Work::Node(reason), COMMA]);
        self.work.extend(class.map(Work::Node));
        Ok(())
    }

    fn maybe_expression(
        &mut self,
        id: NodeId,
        body: NodeList,
        else_clauses: Option<NodeList>,
    ) -> fmt::Result {
        let Some(clauses) = else_clauses else { return self.with_list("'maybe'", id, body) };
        // The keyword stands before the first clause.
        let first = self.module.list(clauses).first().map(|&clause| self.module[clause].first);
        let keyword =
            first.map_or(self.module[id].last, |first| TokenId(first.0.saturating_sub(1)));
        let parts = [
            Work::Nodes(body, 0),
            Work::Text(",{'else',"),
            Work::Anno(keyword),
            COMMA,
            Work::Nodes(clauses, 0),
            Work::Close(1),
        ];
        self.with("'maybe'", id, parts)
    }

    pub(super) fn record_name(&mut self, name: RecordName) -> fmt::Result {
        match name {
            RecordName::Local(name) => self.then([Work::Term(name)]),
            RecordName::Remote(module, name) => self.then([
                Work::Text("{"),
                Work::Term(module),
                COMMA,
                Work::Term(name),
                Work::Close(1),
            ]),
            RecordName::Any => self.then([Work::Text("[]")]),
        }
        Ok(())
    }

    /// The type specifiers of a binary's segment.
    pub(super) fn specs(&mut self, specs: Option<NodeList>) -> fmt::Result {
        let Some(specs) = specs else { return self.out.write_str("default") };
        let module = self.module;
        self.out.write_char('[')?;
        for (index, &spec) in module.list(specs).iter().enumerate() {
            if index > 0 {
                self.out.write_char(',')?;
            }
            let Kind::BinSpec { name, unit } = module.kind(spec) else { continue };
            let Some(unit) = unit else {
                self.atom(name)?;
                continue;
            };
            self.out.write_char('{')?;
            self.atom(name)?;
            self.out.write_char(',')?;
            if let Kind::Integer(literal) = module.kind(unit) {
                self.literal(literal)?;
            }
            self.out.write_char('}')?;
        }
        self.out.write_char(']')
    }
}
