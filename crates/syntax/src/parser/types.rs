//! Types, and the signatures of `-spec` and `-callback`.
//!
//! Types have a grammar of their own: unions and annotations on top, ranges and integer operators
//! below, then names, lists, tuples, maps, records, binaries and funs. Constraints behind `when`
//! are read in both spellings, `Var :: Type` and the old `is_subtype(Var, Type)`.

use atom::{Atom, known};

use crate::ast::{Kind, NodeId, NodeList};
use crate::quote;
use crate::token::{TokenId, TokenKind, TokenValue};

use super::{Parsed, Parser, Part};

impl Parser<'_> {
    /// A type with unions and annotations: `A | B`, `Var :: T`.
    pub(super) fn top_type(&mut self) -> Parsed<Part> {
        self.nested(|parser| parser.union_or_annotation())
    }

    fn union_or_annotation(&mut self) -> Parsed<Part> {
        let mark = self.mark();
        let first = self.here();
        let last = loop {
            if self.kind == TokenKind::Var && self.next_kind() == TokenKind::ColonColon {
                let annotated = self.annotated_type()?;
                break annotated;
            }
            let member = self.simple_type()?;
            if self.kind != TokenKind::Bar {
                break member;
            }
            self.advance();
            self.children.push(member.node);
        };
        if self.mark() == mark {
            return Ok(last);
        }
        // A union at the end of a union is part of it, even in parentheses.
        match self.kind_of(last.node) {
            Kind::UnionType { members } => {
                let range = members.start as usize..(members.start + members.len) as usize;
                self.children.extend_from_slice(&self.module.lists[range]);
            }
            _ => self.children.push(last.node),
        }
        let anchor = self.first_anchor(self.children[mark]);
        let members = self.list_since(mark);
        Ok(self.part(Kind::UnionType { members }, first, anchor))
    }

    fn annotated_type(&mut self) -> Parsed<Part> {
        let token = self.here();
        let var = self.variable("a variable")?;
        self.advance();
        let ty = self.top_type()?.node;
        Ok(self.part(Kind::AnnotatedType { var, ty }, token, token))
    }

    fn variable(&mut self, expected: &'static str) -> Parsed<NodeId> {
        let name = self.module.tokens.get(self.pos as usize).and_then(|token| token.name());
        match (self.kind, name) {
            (TokenKind::Var, Some(name)) => Ok(self.leaf(Kind::Var(name)).node),
            _ => self.unexpected(expected),
        }
    }

    pub(super) fn atom_node(&mut self, expected: &'static str) -> Parsed<NodeId> {
        let name = self.module.tokens.get(self.pos as usize).and_then(|token| token.name());
        match (self.kind, name) {
            (TokenKind::Atom, Some(name)) => Ok(self.leaf(Kind::Atom(name)).node),
            _ => self.unexpected(expected),
        }
    }

    fn push_types(&mut self) -> Parsed<()> {
        loop {
            let ty = self.top_type()?.node;
            self.children.push(ty);
            if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    /// Types separated by commas up to `close`; there may be none. The opening bracket is the
    /// current token.
    fn bracketed_types(&mut self, close: TokenKind, expected: &'static str) -> Parsed<NodeList> {
        self.advance();
        if self.eat(close) {
            return Ok(NodeList::EMPTY);
        }
        let mark = self.mark();
        self.push_types()?;
        self.expect(close, expected)?;
        Ok(self.list_since(mark))
    }

    pub(super) fn type_operand(&mut self) -> Parsed<Part> {
        let token = self.here();
        let value = self.module.tokens.get(self.pos as usize).map(|token| token.value);
        match (self.kind, value) {
            (TokenKind::LParen, _) => {
                self.advance();
                let inner = self.top_type()?;
                self.expect(TokenKind::RParen, "'|' or ')' in a type")?;
                Ok(Part::new(inner.node, token))
            }
            (TokenKind::Var, Some(TokenValue::Name(name))) => Ok(self.leaf(Kind::Var(name))),
            (TokenKind::Integer, Some(TokenValue::Literal(id))) => Ok(self.leaf(Kind::Integer(id))),
            (TokenKind::Char, Some(TokenValue::Char(code))) => Ok(self.leaf(Kind::Char(code))),
            (TokenKind::Atom, Some(TokenValue::Name(name))) => self.named_type(name),
            (TokenKind::LBracket, _) => self.list_type(),
            (TokenKind::LBrace, _) => {
                let elements =
                    self.bracketed_types(TokenKind::RBrace, "',', '|' or '}' in a tuple type")?;
                Ok(self.part(Kind::TupleType { elements }, token, token))
            }
            (TokenKind::Hash, _) => self.map_or_record_type(),
            (TokenKind::LBin, _) => self.binary_type(),
            (TokenKind::Fun, _) => {
                self.advance();
                self.expect(TokenKind::LParen, "'(' behind 'fun' in a type")?;
                if self.eat(TokenKind::RParen) {
                    return Ok(self.part(Kind::AnyFunType, token, token));
                }
                let fun = self.fun_type("'(' and argument types, or ')'")?;
                let last = self.expect(TokenKind::RParen, "'|' or ')' behind a fun type")?;
                let node = &mut self.module.nodes[fun.node.0 as usize];
                (node.first, node.last) = (token, last);
                Ok(Part::new(fun.node, token))
            }
            _ => self.unexpected("a type"),
        }
    }

    fn named_type(&mut self, name: Atom) -> Parsed<Part> {
        const ARGUMENTS: &str = "',', '|' or ')' in the arguments of a type";
        let token = self.here();
        match self.next_kind() {
            TokenKind::LParen => {
                self.advance();
                let args = self.bracketed_types(TokenKind::RParen, ARGUMENTS)?;
                Ok(self.part(Kind::NamedType { name, args }, token, token))
            }
            TokenKind::Colon => {
                let module = self.leaf(Kind::Atom(name)).node;
                self.advance();
                let name = self.atom_node("the name of a type")?;
                if self.kind != TokenKind::LParen {
                    return self.unexpected("'(' behind the name of a type");
                }
                let args = self.bracketed_types(TokenKind::RParen, ARGUMENTS)?;
                Ok(self.part(Kind::RemoteType { module, name, args }, token, token))
            }
            _ => Ok(self.leaf(Kind::Atom(name))),
        }
    }

    fn list_type(&mut self) -> Parsed<Part> {
        let token = self.advance();
        if self.eat(TokenKind::RBracket) {
            return Ok(self.part(Kind::NilType, token, token));
        }
        let element = self.top_type()?.node;
        let nonempty = self.eat(TokenKind::Comma);
        if nonempty {
            self.expect(TokenKind::Ellipsis, "'...'")?;
        }
        let expected = if nonempty { "']'" } else { "'|', ']' or ', ...]' in a list type" };
        self.expect(TokenKind::RBracket, expected)?;
        Ok(self.part(Kind::ListType { element, nonempty }, token, token))
    }

    fn map_or_record_type(&mut self) -> Parsed<Part> {
        let token = self.advance();
        if self.kind == TokenKind::LBrace {
            let fields = self.map_type_fields()?;
            return Ok(self.part(Kind::MapType { fields }, token, token));
        }
        let mut name = self.atom_node("'{' or a record name behind '#'")?;
        if self.kind == TokenKind::Colon {
            let module = name;
            let colon = self.advance();
            name = self.atom_node("a record name")?;
            let first = self.module[module].first;
            name = self.part(Kind::Remote { module, name }, first, colon).node;
        }
        if self.kind != TokenKind::LBrace {
            return self.unexpected("'{' behind a record name");
        }
        let fields = self.record_type_fields()?;
        Ok(self.part(Kind::RecordType { name, fields }, token, token))
    }

    fn map_type_fields(&mut self) -> Parsed<NodeList> {
        self.advance();
        if self.eat(TokenKind::RBrace) {
            return Ok(NodeList::EMPTY);
        }
        let mark = self.mark();
        loop {
            let key = self.top_type()?;
            let exact = match self.kind {
                TokenKind::FatArrow => false,
                TokenKind::ColonEq => true,
                _ => return self.unexpected("'=>' or ':=' in a map type"),
            };
            let token = self.advance();
            let value = self.top_type()?.node;
            let kind = Kind::MapField { exact, key: key.node, value };
            let field = self.part(kind, key.first(), token);
            self.children.push(field.node);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "',', '|' or '}' in a map type")?;
        Ok(self.list_since(mark))
    }

    fn record_type_fields(&mut self) -> Parsed<NodeList> {
        self.advance();
        if self.eat(TokenKind::RBrace) {
            return Ok(NodeList::EMPTY);
        }
        let mark = self.mark();
        loop {
            let token = self.here();
            let name = self.atom_node("a field name")?;
            self.expect(TokenKind::ColonColon, "'::' behind a field name")?;
            let ty = self.top_type()?.node;
            let field = self.part(Kind::RecordFieldType { name, ty }, token, token);
            self.children.push(field.node);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "',', '|' or '}' in a record type")?;
        Ok(self.list_since(mark))
    }

    /// `<<>>`, `<<_:Size>>`, `<<_:_*Unit>>`, `<<_:Size, _:_*Unit>>`
    fn binary_type(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let (mut size, mut unit) = (None, None);
        if self.kind != TokenKind::RBin {
            if self.starts_unit() {
                unit = Some(self.unit_type()?);
            } else {
                size = Some(self.size_type()?);
                if self.eat(TokenKind::Comma) {
                    unit = Some(self.unit_type()?);
                }
            }
        }
        let expected = match (size, unit) {
            (_, Some(_)) => "'>>'",
            (Some(_), None) => "',' or '>>' in a binary type",
            (None, None) => "'_' or '>>' in a binary type",
        };
        self.expect(TokenKind::RBin, expected)?;
        Ok(self.part(Kind::BinaryType { size, unit }, token, token))
    }

    fn starts_unit(&self) -> bool {
        [TokenKind::Var, TokenKind::Colon, TokenKind::Var, TokenKind::Star]
            .into_iter()
            .zip(self.pos..)
            .all(|(kind, pos)| self.kind_at(pos) == kind)
    }

    fn size_type(&mut self) -> Parsed<NodeId> {
        let var = self.expect(TokenKind::Var, "'_' or '>>' in a binary type")?;
        self.expect(TokenKind::Colon, "':'")?;
        let size = self.simple_type()?.node;
        self.check_underscore(var)?;
        Ok(size)
    }

    fn unit_type(&mut self) -> Parsed<NodeId> {
        let first = self.expect(TokenKind::Var, "'_' and the unit")?;
        self.expect(TokenKind::Colon, "':'")?;
        let second = self.expect(TokenKind::Var, "'_' and the unit")?;
        self.expect(TokenKind::Star, "'*' and the unit")?;
        let unit = self.simple_type()?.node;
        self.check_underscore(first)?;
        self.check_underscore(second)?;
        Ok(unit)
    }

    fn check_underscore(&mut self, var: TokenId) -> Parsed<()> {
        if self.module.token(var).name() == Some(known::UNDERSCORE) {
            return Ok(());
        }
        self.reject(var, "bad_binary_type", "Bad binary type")
    }

    // ---- Signatures --------------------------------------------------------------------------

    /// `(Args) -> Result`, the current token being the parenthesis.
    fn fun_type(&mut self, expected: &'static str) -> Parsed<Part> {
        const ARGUMENTS: &str = "',', '|' or ')' in the argument types";
        let open = self.expect(TokenKind::LParen, expected)?;
        let mut args = Some(NodeList::EMPTY);
        if self.eat(TokenKind::Ellipsis) {
            self.expect(TokenKind::RParen, "')' behind '...'")?;
            args = None;
        } else if !self.eat(TokenKind::RParen) {
            let mark = self.mark();
            self.push_types()?;
            self.expect(TokenKind::RParen, ARGUMENTS)?;
            args = Some(self.list_since(mark));
        }
        self.expect(TokenKind::Arrow, "'->' behind the argument types")?;
        let result = self.top_type()?.node;
        Ok(self.part(Kind::FunType { args, product: open, result }, open, open))
    }

    /// The clauses of a `-spec`.
    pub(super) fn signatures(&mut self) -> Parsed<NodeList> {
        let mark = self.mark();
        loop {
            let mut signature = self.fun_type("'(' and argument types")?;
            if self.eat(TokenKind::When) {
                let constraints = self.constraints()?;
                let kind = Kind::BoundedFunType { fun: signature.node, constraints };
                signature = self.part(kind, signature.first(), signature.first());
            }
            self.children.push(signature.node);
            if !self.eat(TokenKind::Semicolon) {
                return Ok(self.list_since(mark));
            }
        }
    }

    fn constraints(&mut self) -> Parsed<NodeList> {
        let mark = self.mark();
        loop {
            let constraint = match self.kind {
                TokenKind::Var => self.constraint()?,
                TokenKind::Atom => self.old_constraint()?,
                _ => return self.unexpected("a type variable"),
            };
            self.children.push(constraint);
            if !self.eat(TokenKind::Comma) {
                return Ok(self.list_since(mark));
            }
        }
    }

    fn constraint(&mut self) -> Parsed<NodeId> {
        let token = self.here();
        let var = self.variable("a type variable")?;
        self.expect(TokenKind::ColonColon, "'::' behind a type variable")?;
        let ty = self.top_type()?.node;
        if self.module.token(token).name() == Some(known::UNDERSCORE) {
            return self.reject(token, "bad_type_variable", "bad type variable");
        }
        Ok(self.part(Kind::ConstraintType { var, ty }, token, token).node)
    }

    /// `is_subtype(Var, Type)`
    fn old_constraint(&mut self) -> Parsed<NodeId> {
        let token = self.advance();
        self.expect(TokenKind::LParen, "'('")?;
        let mark = self.mark();
        self.push_types()?;
        self.expect(TokenKind::RParen, "',', '|' or ')' in a constraint")?;
        let types = self.children.split_off(mark);
        let name = self.module.token(token).name().unwrap_or(known::EMPTY);
        let (var, ty) = match types[..] {
            [var, ty] if name.as_str() == "is_subtype" => (var, ty),
            _ => {
                let name = quote::atom(name.as_str());
                let text = ["unsupported constraint ", &name, ""];
                return self.reject_formatted(token, "unsupported_constraint", text);
            }
        };
        let anchor = self.first_anchor(var);
        match self.kind_of(var) {
            Kind::Var(name) if name != known::UNDERSCORE => {
                Ok(self.part(Kind::ConstraintType { var, ty }, token, anchor).node)
            }
            _ => self.reject(anchor, "bad_type_variable", "bad type variable"),
        }
    }
}
