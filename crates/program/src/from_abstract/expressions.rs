//! Expressions, patterns and clauses of OTP's abstract format as nodes.
//!
//! The opposite of `syntax::abstract_format`: each tagged tuple becomes the node that the parser
//! would have made, at the token that stands for its annotation. Lists are read back from their
//! cells. What does not have the shape of the format is reported with the term, never guessed.

use syntax::ast::{
    BinaryOp, ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList, ReceiveAfter, RecordName,
    UnaryOp,
};
use syntax::source::Loc;
use syntax::token::{TokenId, TokenKind, TokenValue};

use super::{Bad, Builder, Built, is_default, location};
use crate::terms::{Term, TermKind};

/// A tagged tuple of the abstract format.
struct Parts<'a> {
    tag: &'static str,
    loc: Loc,
    /// What comes after tag and annotation.
    rest: Vec<Term<'a>>,
}

fn parts<'a>(term: Term<'a>) -> Built<'a, Parts<'a>> {
    let mut elements = term.tuple().ok_or(Bad(term))?;
    let (Some(tag), Some(&annotation)) = (elements.first().and_then(|t| t.atom()), elements.get(1))
    else {
        return Err(Bad(term));
    };
    let rest = elements.split_off(2);
    Ok(Parts { tag: tag.as_str(), loc: location(annotation), rest })
}

impl<'a> Builder {
    pub(super) fn expression(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        self.deeper(term, |this| this.expression_inner(term))
    }

    fn expressions(&mut self, list: Term<'a>) -> Built<'a, NodeList> {
        self.each(list, |this, term| this.expression(term))
    }

    fn expression_inner(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let Parts { tag, loc, rest } = parts(term)?;
        if let Some(leaf) = self.leaf(term, tag, loc, &rest)? {
            return Ok(leaf);
        }
        let token = match (tag, rest.first().and_then(|op| op.atom())) {
            // The operator is a keyword or a symbol; which one does not matter.
            ("op", Some(_)) => self.token(TokenKind::Plus, TokenValue::None, loc),
            _ => self.place(loc),
        };
        let kind = match (tag, &rest[..]) {
            ("cons", [..]) => return self.list(term, token),
            ("tuple", [elements]) => Kind::Tuple { elements: self.expressions(*elements)? },
            ("map", [fields]) => {
                let fields = self.each(*fields, |this, field| this.map_field(field))?;
                Kind::Map { base: None, fields }
            }
            ("map", [base, fields]) => {
                let base = Some(self.expression(*base)?);
                let fields = self.each(*fields, |this, field| this.map_field(field))?;
                Kind::Map { base, fields }
            }
            ("map_field_assoc" | "map_field_exact", [_, _]) => return self.map_field(term),
            ("record", [name, fields]) => {
                let name = self.record_name(*name, loc)?;
                let fields = self.each(*fields, |this, field| this.record_field(field))?;
                Kind::Record { base: None, name, fields }
            }
            ("record", [base, name, fields]) => {
                let base = Some(self.expression(*base)?);
                let name = self.record_name(*name, loc)?;
                let fields = self.each(*fields, |this, field| this.record_field(field))?;
                Kind::Record { base, name, fields }
            }
            ("record_field", [base, name, field]) => Kind::RecordAccess {
                base: self.expression(*base)?,
                name: self.record_name(*name, loc)?,
                field: self.expression(*field)?,
            },
            ("record_index", [name, field]) => Kind::RecordIndex {
                name: self.record_name(*name, loc)?,
                field: self.expression(*field)?,
            },
            ("bin", [elements]) => {
                let elements = self.each(*elements, |this, element| this.bin_element(element))?;
                Kind::Binary { elements }
            }
            ("match", [pattern, value]) => {
                Kind::Match { pattern: self.expression(*pattern)?, value: self.expression(*value)? }
            }
            ("maybe_match", [pattern, value]) => Kind::MaybeMatch {
                pattern: self.expression(*pattern)?,
                value: self.expression(*value)?,
            },
            ("op", [op, left, right]) => Kind::BinaryOp {
                op: operator(*op, BinaryOp::from_text)?,
                left: self.expression(*left)?,
                right: self.expression(*right)?,
            },
            ("op", [op, operand]) => Kind::UnaryOp {
                op: operator(*op, UnaryOp::from_text)?,
                operand: self.expression(*operand)?,
            },
            ("call", [callee, args]) => {
                Kind::Call { callee: self.expression(*callee)?, args: self.expressions(*args)? }
            }
            ("remote", [module, name]) => {
                Kind::Remote { module: self.expression(*module)?, name: self.expression(*name)? }
            }
            ("catch", [body]) => Kind::Catch { body: self.expression(*body)? },
            ("block", [body]) => Kind::Block { body: self.expressions(*body)? },
            ("lc" | "bc" | "mc", [exprs, qualifiers]) => {
                self.comprehension(tag, *exprs, *qualifiers)?
            }
            _ => self.with_clauses(term, tag, &rest)?,
        };
        Ok(self.node_at(kind, token))
    }

    /// Nodes without children.
    fn leaf(
        &mut self,
        term: Term<'a>,
        tag: &str,
        loc: Loc,
        rest: &[Term<'a>],
    ) -> Built<'a, Option<NodeId>> {
        let node = match (tag, rest) {
            ("atom", [name]) => self.atom_node(name.atom().ok_or(Bad(term))?, loc),
            ("var", [name]) => self.var_node(name.atom().ok_or(Bad(term))?, loc),
            // OTP's compiler does not look at what a literal holds, and parse transforms rely on
            // it: `{integer, L, L}` with a position of line and column is a tuple.
            ("integer", [value]) => match value.integer() {
                Some(value) => self.integer_node(value, loc),
                None => self.constant(*value, loc)?,
            },
            ("float", [value]) => match value.kind() {
                TermKind::Float(value) => self.float_node(value, loc),
                _ => self.constant(*value, loc)?,
            },
            ("char", [value]) => {
                match value.small_integer().and_then(|code| u32::try_from(code).ok()) {
                    Some(code) => {
                        let token = self.token(TokenKind::Char, TokenValue::Char(code), loc);
                        self.node_at(Kind::Char(code), token)
                    }
                    None => self.constant(*value, loc)?,
                }
            }
            ("string", [value]) => {
                let text = value.string().ok_or(Bad(term))?;
                self.string_node(text, loc)
            }
            ("nil", []) => {
                let token = self.place(loc);
                self.node_at(Kind::Nil, token)
            }
            _ => return Ok(None),
        };
        Ok(Some(node))
    }

    /// `case`, `if`, `receive`, `try`, `maybe`, funs.
    fn with_clauses(&mut self, term: Term<'a>, tag: &str, rest: &[Term<'a>]) -> Built<'a, Kind> {
        Ok(match (tag, rest) {
            ("if", [clauses]) => Kind::If { clauses: self.clauses(*clauses)? },
            ("case", [subject, clauses]) => {
                Kind::Case { subject: self.expression(*subject)?, clauses: self.clauses(*clauses)? }
            }
            ("receive", [clauses]) => {
                Kind::Receive { clauses: self.clauses(*clauses)?, after: None }
            }
            ("receive", [clauses, timeout, body]) => {
                let clauses = self.clauses(*clauses)?;
                let timeout = self.expression(*timeout)?;
                let after = Some(ReceiveAfter { timeout, body: self.expressions(*body)? });
                Kind::Receive { clauses, after }
            }
            ("try", [body, of, catch, after]) => Kind::Try {
                body: self.expressions(*body)?,
                of: self.clauses(*of)?,
                catch: self.each(*catch, |this, clause| this.catch_clause(clause))?,
                after: self.expressions(*after)?,
            },
            ("maybe", [body]) => Kind::Maybe { body: self.expressions(*body)?, else_clauses: None },
            ("maybe", [body, els]) => {
                let body = self.expressions(*body)?;
                let Parts { tag: "else", loc, rest } = parts(*els)? else {
                    return Err(Bad(*els));
                };
                let [clauses] = rest[..] else { return Err(Bad(*els)) };
                // The keyword is the token before the first clause.
                self.token(TokenKind::Else, TokenValue::None, loc);
                Kind::Maybe { body, else_clauses: Some(self.clauses(clauses)?) }
            }
            ("fun", [what]) => self.fun(*what)?,
            ("named_fun", [name, clauses]) => {
                let name = Some(name.atom().ok_or(Bad(term))?);
                Kind::Fun { name, clauses: self.clauses(*clauses)? }
            }
            _ => return Err(Bad(term)),
        })
    }

    /// What comes after `{'fun', Anno, …`.
    fn fun(&mut self, what: Term<'a>) -> Built<'a, Kind> {
        let parts = what.tuple().ok_or(Bad(what))?;
        let tag = parts.first().and_then(|tag| tag.atom()).map_or("", |tag| tag.as_str());
        let token = TokenId(self.module.tokens.len() as u32 - 1);
        let loc = self.module.token(token).loc;
        match (tag, &parts[1..]) {
            ("clauses", [clauses]) => {
                Ok(Kind::Fun { name: None, clauses: self.clauses(*clauses)? })
            }
            ("function", [name, arity]) => {
                let arity = arity.integer().ok_or(Bad(what))?;
                let name = name.atom().ok_or(Bad(what))?;
                Ok(Kind::FunName { name, arity: self.integer_node(arity, loc) })
            }
            ("function", [module, name, arity]) => Ok(Kind::FunRemote {
                module: self.fun_part(*module, loc)?,
                name: self.fun_part(*name, loc)?,
                arity: self.fun_part(*arity, loc)?,
            }),
            _ => Err(Bad(what)),
        }
    }

    /// A part of `fun M:F/A`: an expression, or a bare value in forms of old releases.
    fn fun_part(&mut self, term: Term<'a>, loc: Loc) -> Built<'a, NodeId> {
        match term.kind() {
            TermKind::Tuple(_) => self.expression(term),
            _ => self.constant(term, loc),
        }
    }

    /// `[A, B | T]` from nested cells. A cell stands at the first position in its element; where
    /// one does not (nobody wrote it as a list), it becomes a list of its own, which nests the same
    /// way.
    fn list(&mut self, term: Term<'a>, token: TokenId) -> Built<'a, NodeId> {
        let mut elements = Vec::new();
        let mut rest = term;
        let mut cells = 0u32;
        loop {
            let Parts { tag, loc, rest: mut cell } = parts(rest)?;
            match (tag, cell.len()) {
                ("cons", 2) if cells == 0 || loc == first_location(cell[0]) => {
                    elements.push(self.expression(cell[0])?);
                    rest = cell.remove(1);
                    cells += 1;
                }
                ("nil", 0) => {
                    let last = self.place(loc);
                    let elements = self.list_of(&elements);
                    let node = self.node_at(Kind::List { elements, tail: None }, token);
                    self.module.nodes[node.0 as usize].last = last;
                    return Ok(node);
                }
                _ => {
                    let tail = Some(self.expression(rest)?);
                    let elements = self.list_of(&elements);
                    return Ok(self.node_at(Kind::List { elements, tail }, token));
                }
            }
        }
    }

    fn map_field(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let Parts { tag, loc, rest } = parts(term)?;
        let ("map_field_assoc" | "map_field_exact", [key, value]) = (tag, &rest[..]) else {
            return Err(Bad(term));
        };
        let token = self.place(loc);
        let exact = tag == "map_field_exact";
        let (key, value) = (self.expression(*key)?, self.expression(*value)?);
        Ok(self.node_at(Kind::MapField { exact, key, value }, token))
    }

    /// An atom, or for the native records of OTP 29 a module and a name, or nothing.
    fn record_name(&mut self, term: Term<'a>, loc: Loc) -> Built<'a, RecordName> {
        match term.kind() {
            TermKind::Atom(name) => Ok(RecordName::Local(self.atom_node(name, loc))),
            TermKind::Nil => Ok(RecordName::Any),
            _ => match term.tuple().unwrap_or_default()[..] {
                [module, name] => {
                    let module = self.atom_node(module.atom().ok_or(Bad(term))?, loc);
                    let name = self.atom_node(name.atom().ok_or(Bad(term))?, loc);
                    Ok(RecordName::Remote(module, name))
                }
                _ => Err(Bad(term)),
            },
        }
    }

    fn record_field(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let Parts { tag, loc, rest } = parts(term)?;
        let ("record_field", [name, value]) = (tag, &rest[..]) else { return Err(Bad(term)) };
        let token = self.place(loc);
        let (name, value) = (self.expression(*name)?, self.expression(*value)?);
        Ok(self.node_at(Kind::RecordField { name, value }, token))
    }

    fn bin_element(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let Parts { tag, loc, rest } = parts(term)?;
        let ("bin_element", [value, size, specs]) = (tag, &rest[..]) else {
            return Err(Bad(term));
        };
        let token = self.place(loc);
        let value = self.expression(*value)?;
        let size = if is_default(*size) { None } else { Some(self.expression(*size)?) };
        let specs = if is_default(*specs) {
            None
        } else {
            Some(self.each(*specs, |this, spec| this.bin_spec(spec, token, loc))?)
        };
        Ok(self.node_at(Kind::BinElement { value, size, specs }, token))
    }

    fn bin_spec(&mut self, term: Term<'a>, token: TokenId, loc: Loc) -> Built<'a, NodeId> {
        let (name, unit) = match term.kind() {
            TermKind::Atom(name) => (name, None),
            _ => match term.tuple().unwrap_or_default()[..] {
                [name, unit] => {
                    let unit = self.integer_node(unit.integer().ok_or(Bad(term))?, loc);
                    (name.atom().ok_or(Bad(term))?, Some(unit))
                }
                _ => return Err(Bad(term)),
            },
        };
        Ok(self.node_at(Kind::BinSpec { name, unit }, token))
    }

    // ---- Comprehensions ----------------------------------------------------------------------

    fn comprehension(
        &mut self,
        tag: &str,
        exprs: Term<'a>,
        qualifiers: Term<'a>,
    ) -> Built<'a, Kind> {
        let which = match tag {
            "lc" => ComprehensionKind::List,
            "bc" => ComprehensionKind::Binary,
            _ => ComprehensionKind::Map,
        };
        // Several expressions since OTP 29.
        let exprs = match exprs.list() {
            Some(_) => self.expressions(exprs)?,
            None => {
                let expr = self.expression(exprs)?;
                self.list_of(&[expr])
            }
        };
        let qualifiers = self.each(qualifiers, |this, term| this.qualifier(term))?;
        Ok(Kind::Comprehension { which, exprs, qualifiers })
    }

    fn qualifier(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let Parts { tag, loc, rest } = parts(term)?;
        let (which, strict) = match tag {
            "generate" => (GeneratorKind::List, false),
            "generate_strict" => (GeneratorKind::List, true),
            "b_generate" => (GeneratorKind::Binary, false),
            "b_generate_strict" => (GeneratorKind::Binary, true),
            "m_generate" => (GeneratorKind::Map, false),
            "m_generate_strict" => (GeneratorKind::Map, true),
            "zip" => {
                let token = self.place(loc);
                let [generators] = rest[..] else { return Err(Bad(term)) };
                let generators = self.each(generators, |this, generator| {
                    this.deeper(generator, |this| this.qualifier(generator))
                })?;
                return Ok(self.node_at(Kind::ZipGenerator { generators }, token));
            }
            _ => return self.expression(term),
        };
        let [pattern, source] = rest[..] else { return Err(Bad(term)) };
        let token = self.place(loc);
        let (pattern, source) = (self.expression(pattern)?, self.expression(source)?);
        Ok(self.node_at(Kind::Generator { which, strict, pattern, source }, token))
    }

    // ---- Clauses -----------------------------------------------------------------------------

    pub(super) fn clauses(&mut self, list: Term<'a>) -> Built<'a, NodeList> {
        self.each(list, |this, clause| this.clause(clause))
    }

    fn clause(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        self.clause_with(term, |this, patterns| this.expressions(patterns))
    }

    fn clause_with(
        &mut self,
        term: Term<'a>,
        patterns_of: impl FnOnce(&mut Self, Term<'a>) -> Built<'a, NodeList>,
    ) -> Built<'a, NodeId> {
        let Parts { tag, loc, rest } = parts(term)?;
        let ("clause", [patterns, guards, body]) = (tag, &rest[..]) else { return Err(Bad(term)) };
        let token = self.place(loc);
        let patterns = patterns_of(self, *patterns)?;
        let guards = self.each(*guards, |this, tests| {
            let tests = this.expressions(tests)?;
            Ok(this.node_at(Kind::Guard { tests }, token))
        })?;
        let body = self.expressions(*body)?;
        Ok(self.node_at(Kind::Clause { patterns, guards, body }, token))
    }

    /// A clause whose pattern is `{Class, Reason, Stacktrace}`.
    fn catch_clause(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        self.clause_with(term, |this, patterns| {
            let list = patterns.list().ok_or(Bad(patterns))?;
            let [pattern] = list[..] else { return Err(Bad(patterns)) };
            let Parts { tag, loc, rest } = parts(pattern)?;
            let ("tuple", [elements]) = (tag, &rest[..]) else { return Err(Bad(pattern)) };
            let elements = elements.list().ok_or(Bad(pattern))?;
            let [class, reason, stacktrace] = elements[..] else { return Err(Bad(pattern)) };
            let token = this.place(loc);
            let class = Some(this.expression(class)?);
            let reason = this.expression(reason)?;
            // Every catch clause has a variable for the stack trace here, `_` if none was written;
            // it is kept, since its position cannot be derived from others.
            let stacktrace = Some(this.expression(stacktrace)?);
            let kind = Kind::CatchPattern { class, reason, stacktrace };
            let node = this.node_at(kind, token);
            Ok(this.list_of(&[node]))
        })
    }
}

fn operator<T>(term: Term<'_>, from_text: impl FnOnce(&str) -> Option<T>) -> Built<'_, T> {
    term.atom().and_then(|name| from_text(name.as_str())).ok_or(Bad(term))
}

/// Where the leftmost part of an expression stands, found as OTP's parser does: by walking the
/// positions in the order of the abstract format while they do not grow.
fn first_location(term: Term<'_>) -> Loc {
    let mut first: Option<Loc> = None;
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match term.kind() {
            TermKind::Tuple(_) => {
                let elements = term.tuple().unwrap_or_default();
                // `{tag, Anno, …}`; others (`{clauses, …}`, `{unit, 8}`) have no position.
                let annotated = elements.len() >= 2
                    && elements[0].atom().is_some()
                    && is_annotation(elements[1]);
                if annotated {
                    let loc = location(elements[1]);
                    match first {
                        Some(found) if loc > found => return found,
                        _ => first = Some(loc),
                    }
                }
                let skip = if annotated { 2 } else { 1 };
                pending.extend(elements.into_iter().skip(skip).rev());
            }
            TermKind::List { .. } => {
                pending.extend(term.list().unwrap_or_default().into_iter().rev());
            }
            _ => {}
        }
    }
    first.unwrap_or_default()
}

fn is_annotation(term: Term<'_>) -> bool {
    match term.kind() {
        TermKind::Integer(_) => true,
        TermKind::Tuple(_) => {
            let parts = term.tuple().unwrap_or_default();
            parts.len() == 2 && parts.iter().all(|part| part.small_integer().is_some())
        }
        TermKind::List { .. } => term
            .list()
            .unwrap_or_default()
            .iter()
            .any(|property| property.tagged("location").is_some()),
        _ => false,
    }
}
