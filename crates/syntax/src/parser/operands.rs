//! Operands: literals, lists, tuples, maps, records, binaries, comprehensions, calls.
//!
//! An operand is read with all that may follow it: arguments, `:name`, `#record{}`, `#{}`. What it
//! is so far ([`Shape`]) decides what may follow, as OTP's grammar has it; what only later releases
//! allow is looked at beforehand, so that errors come at the place where the older grammar has
//! them.

use atom::{Atom, known};

use crate::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList, RecordName, SigilKind};
use crate::token::{Literal, LiteralId, TokenId, TokenKind, TokenValue};

use super::{Parsed, Parser, Part};

/// What an operand is so far decides what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Anything that needs no parentheses wherever it stands.
    Primary,
    Remote,
    Call,
    Map,
    Record,
}

/// What may be followed by `||`: patterns may not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comprehensions {
    Allowed,
    Forbidden,
}

const EXPRESSION: &str = "an expression";

impl Parser<'_> {
    /// An operand with its calls, remote names, record and map accesses.
    pub(super) fn operand(&mut self) -> Parsed<Part> {
        if self.kind == TokenKind::Hash {
            let (part, shape) = self.after_hash(None, Shape::Primary, Comprehensions::Allowed)?;
            self.postfix_of(part, shape)
        } else {
            let part = self.primary()?;
            self.postfix_of(part, Shape::Primary)
        }
    }

    pub(super) fn postfix(&mut self, part: Part) -> Parsed<Part> {
        self.postfix_of(part, Shape::Primary)
    }

    fn postfix_of(&mut self, mut part: Part, mut shape: Shape) -> Parsed<Part> {
        loop {
            match (self.kind, shape) {
                (TokenKind::Colon, Shape::Primary | Shape::Call)
                    if shape == Shape::Primary || self.starts_remote_call() =>
                {
                    let colon = self.advance();
                    let name = self.primary()?;
                    let kind = Kind::Remote { module: part.node, name: name.node };
                    part = self.part(kind, part.first(), colon);
                    shape = Shape::Remote;
                }
                (TokenKind::LParen, Shape::Call) if !self.is_called_call() => return Ok(part),
                (TokenKind::LParen, Shape::Primary | Shape::Remote | Shape::Call) => {
                    let args = self.arguments()?;
                    let anchor = self.first_anchor(part.node);
                    let kind = Kind::Call { callee: part.node, args };
                    part = self.part(kind, part.first(), anchor);
                    shape = Shape::Call;
                }
                (TokenKind::Hash, Shape::Primary | Shape::Map | Shape::Record) => {
                    (part, shape) =
                        self.after_hash(Some(part), shape, Comprehensions::Forbidden)?;
                }
                _ => return Ok(part),
            }
        }
    }

    /// Whether the parenthesis here can hold the arguments of a call of a call. Only since OTP 29
    /// may it follow a call; before, it is the error, so it must have its counterpart. The head of
    /// a type is no call that could be called.
    fn is_called_call(&self) -> bool {
        const FAR_ENOUGH: u32 = 1000;
        if self.depth <= 1 && self.is_attribute() {
            return false;
        }
        let mut open = Vec::new();
        for pos in self.pos..self.pos.saturating_add(FAR_ENOUGH).min(self.end) {
            use TokenKind::{LBin, LBrace, LBracket, LParen, RBin, RBrace, RBracket, RParen};
            let kind = self.kind_at(pos);
            match kind {
                LParen => open.push(RParen),
                LBracket => open.push(RBracket),
                LBrace => open.push(RBrace),
                LBin => open.push(RBin),
                RParen | RBracket | RBrace | RBin if open.pop() != Some(kind) => return false,
                _ => {}
            }
            if open.is_empty() {
                // Before an arrow it is the head of a clause.
                return !matches!(self.kind_at(pos + 1), TokenKind::Arrow | TokenKind::When);
            }
        }
        self.end - self.pos > FAR_ENOUGH
    }

    /// Whether `:name(` stands here. Only since OTP 29 may it follow a call; before, the colon is
    /// the error, so what follows must fit.
    fn starts_remote_call(&self) -> bool {
        matches!(self.next_kind(), TokenKind::Atom | TokenKind::Var)
            && self.kind_at(self.pos + 2) == TokenKind::LParen
    }

    fn arguments(&mut self) -> Parsed<NodeList> {
        self.advance();
        if self.eat(TokenKind::RParen) {
            return Ok(NodeList::EMPTY);
        }
        let args = self.expressions()?;
        self.expect(TokenKind::RParen, "',' or ')' in the arguments of a call")?;
        Ok(args)
    }

    /// An operand that needs no parentheses wherever it stands.
    pub(super) fn primary(&mut self) -> Parsed<Part> {
        match self.kind {
            TokenKind::LParen => {
                let first = self.advance();
                let inner = self.expression()?;
                self.expect(TokenKind::RParen, "an operator or ')'")?;
                Ok(Part::new(inner.node, first))
            }
            TokenKind::LBracket => self.list(Comprehensions::Allowed),
            TokenKind::LBin => self.binary(Comprehensions::Allowed),
            TokenKind::LBrace => self.tuple(),
            TokenKind::Begin => self.block(),
            TokenKind::If => self.if_expression(),
            TokenKind::Case => self.case_expression(),
            TokenKind::Receive => self.receive_expression(),
            TokenKind::Fun => self.fun_expression(),
            TokenKind::Try => self.try_expression(),
            TokenKind::Maybe => self.maybe_expression(),
            _ => self.atomic(EXPRESSION),
        }
    }

    /// What the grammar allows in a pattern between operators.
    pub(super) fn pattern_operand(&mut self) -> Parsed<Part> {
        match self.kind {
            TokenKind::LParen => {
                let first = self.advance();
                let inner = self.pattern()?;
                self.expect(TokenKind::RParen, "an operator or ')' in a pattern")?;
                Ok(Part::new(inner.node, first))
            }
            TokenKind::LBracket => self.list(Comprehensions::Forbidden),
            TokenKind::LBin => self.binary(Comprehensions::Forbidden),
            TokenKind::LBrace => self.tuple(),
            TokenKind::Hash => {
                let (part, _) = self.after_hash(None, Shape::Primary, Comprehensions::Forbidden)?;
                Ok(part)
            }
            _ => self.atomic("a pattern"),
        }
    }

    fn atomic(&mut self, expected: &'static str) -> Parsed<Part> {
        let value = self.module.tokens.get(self.pos as usize).map(|token| token.value);
        let kind = match (self.kind, value) {
            (TokenKind::Var, Some(TokenValue::Name(name))) => Kind::Var(name),
            (TokenKind::Atom, Some(TokenValue::Name(name))) => Kind::Atom(name),
            (TokenKind::Integer, Some(TokenValue::Literal(id))) => Kind::Integer(id),
            (TokenKind::Float, Some(TokenValue::Literal(id))) => Kind::Float(id),
            (TokenKind::Char, Some(TokenValue::Char(code))) => Kind::Char(code),
            (TokenKind::String, Some(TokenValue::Literal(id))) => {
                return Ok(self.strings(id));
            }
            (TokenKind::Sigil, Some(TokenValue::Literal(id))) => return self.sigil(id),
            _ => return self.unexpected(expected),
        };
        Ok(self.leaf(kind))
    }

    /// Adjacent strings are one.
    fn strings(&mut self, first_literal: LiteralId) -> Part {
        let first = self.advance();
        let mut literal = first_literal;
        if self.kind == TokenKind::String {
            let mut text = self.string_text(first_literal).to_owned();
            while self.kind == TokenKind::String {
                if let TokenValue::Literal(id) = self.module.token(self.here()).value {
                    text.push_str(self.string_text(id));
                }
                self.advance();
            }
            literal = LiteralId(self.module.literals.len() as u32);
            self.module.literals.push(Literal::String(text.into()));
        }
        self.part(Kind::String(literal), first, first)
    }

    pub(super) fn string_text(&self, id: LiteralId) -> &str {
        match self.module.literal(id) {
            Literal::String(text) => text,
            _ => "",
        }
    }

    /// A sigil token is whole; what stands around its text says how to read it.
    fn sigil(&mut self, text: LiteralId) -> Parsed<Part> {
        let token = self.here();
        let source = self.module.text(self.module.token(token).span);
        let body = source.strip_prefix('~').unwrap_or(source);
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        let prefix = &body[..body.len() - body.trim_start_matches(is_name).len()];
        let suffix = &body[body.trim_end_matches(is_name).len()..];
        let which = match prefix {
            "" | "b" | "B" => Some(SigilKind::Binary),
            "s" | "S" => Some(SigilKind::String),
            _ => None,
        };
        match which {
            Some(which) if suffix.is_empty() => Ok(self.leaf(Kind::Sigil { which, text })),
            Some(_) => self.reject(token, "bad_sigil", "illegal sigil suffix"),
            None => self.reject(token, "bad_sigil", "illegal sigil prefix"),
        }
    }

    fn list(&mut self, comprehensions: Comprehensions) -> Parsed<Part> {
        let open = self.advance();
        if self.eat(TokenKind::RBracket) {
            return Ok(self.part(Kind::Nil, open, open));
        }
        let mark = self.mark();
        self.push_expressions()?;
        let mut tail = None;
        match self.kind {
            TokenKind::BarBar
                if comprehensions == Comprehensions::Allowed
                    && (self.mark() == mark + 1 || self.starts_qualifiers()) =>
            {
                let exprs = self.list_since(mark);
                let which = ComprehensionKind::List;
                return self.comprehension(which, open, exprs, TokenKind::RBracket);
            }
            TokenKind::Bar => {
                self.advance();
                tail = Some(self.expression()?.node);
                self.expect(TokenKind::RBracket, "an operator or ']' behind the tail of a list")?;
            }
            _ => {
                self.expect(TokenKind::RBracket, "',', '|' or ']' in a list")?;
            }
        }
        let elements = self.list_since(mark);
        Ok(self.part(Kind::List { elements, tail }, open, open))
    }

    /// Whether `||` here can be that of a comprehension with several values. Only since OTP 29;
    /// before, it is the error, so what follows must fit. No attribute has such a value.
    fn starts_qualifiers(&self) -> bool {
        use TokenKind::{Bar, BarBar, Comma, Dot, RBin, RBrace, RBracket, RParen, Semicolon};
        let next = self.next_kind();
        let fits = !matches!(
            next,
            Bar | BarBar | Comma | Dot | RBin | RBrace | RBracket | RParen | Semicolon
        );
        fits && !self.is_attribute()
    }

    fn tuple(&mut self) -> Parsed<Part> {
        let open = self.advance();
        if self.eat(TokenKind::RBrace) {
            return Ok(self.part(Kind::Tuple { elements: NodeList::EMPTY }, open, open));
        }
        let elements = self.expressions()?;
        self.expect(TokenKind::RBrace, "',' or '}' in a tuple")?;
        Ok(self.part(Kind::Tuple { elements }, open, open))
    }

    // ---- Comprehensions ----------------------------------------------------------------------

    fn comprehension(
        &mut self,
        which: ComprehensionKind,
        open: TokenId,
        exprs: NodeList,
        close: TokenKind,
    ) -> Parsed<Part> {
        self.advance();
        let mark = self.mark();
        loop {
            let qualifier = self.zipped_qualifiers()?;
            self.children.push(qualifier);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        let expected = match close {
            TokenKind::RBracket => "',' or ']' in a comprehension",
            TokenKind::RBin => "',' or '>>' in a comprehension",
            _ => "',' or '}' in a comprehension",
        };
        self.expect(close, expected)?;
        let qualifiers = self.list_since(mark);
        Ok(self.part(Kind::Comprehension { which, exprs, qualifiers }, open, open))
    }

    fn zipped_qualifiers(&mut self) -> Parsed<NodeId> {
        let qualifier = self.qualifier()?;
        if self.kind != TokenKind::AmpAmp {
            return Ok(qualifier.node);
        }
        let mark = self.mark();
        self.children.push(qualifier.node);
        while self.eat(TokenKind::AmpAmp) {
            let next = self.qualifier()?;
            self.children.push(next.node);
        }
        let generators = self.list_since(mark);
        let anchor = self.first_anchor(qualifier.node);
        Ok(self.part(Kind::ZipGenerator { generators }, qualifier.first(), anchor).node)
    }

    fn qualifier(&mut self) -> Parsed<Part> {
        let pattern = self.expression()?;
        let is_binary = matches!(self.kind_of(pattern.node), Kind::Binary { .. })
            && self.module[pattern.node].first == pattern.first();
        match self.kind {
            TokenKind::LeftArrow | TokenKind::StrictLeftArrow => {
                self.generator(GeneratorKind::List, pattern)
            }
            TokenKind::LeftFatArrow | TokenKind::StrictLeftFatArrow if is_binary => {
                self.generator(GeneratorKind::Binary, pattern)
            }
            TokenKind::ColonEq => {
                let token = self.advance();
                let value = self.expression()?;
                let kind = Kind::MapField { exact: true, key: pattern.node, value: value.node };
                let pattern = self.part(kind, pattern.first(), token);
                if !matches!(self.kind, TokenKind::LeftArrow | TokenKind::StrictLeftArrow) {
                    return self.unexpected("'<-' behind the pattern of a map generator");
                }
                self.generator(GeneratorKind::Map, pattern)
            }
            _ => {
                self.assignment(pattern);
                Ok(pattern)
            }
        }
    }

    /// Where that feature is on, `Pattern = Expr` is no condition.
    fn assignment(&mut self, qualifier: Part) {
        if let Kind::Match { pattern, value: source } = self.kind_of(qualifier.node)
            && self.module.has_assignments
            && self.module[qualifier.node].first == qualifier.first()
        {
            let which = GeneratorKind::Value;
            let kind = Kind::Generator { which, strict: true, pattern, source };
            self.module.nodes[qualifier.node.0 as usize].kind = kind;
        }
    }

    fn generator(&mut self, which: GeneratorKind, pattern: Part) -> Parsed<Part> {
        let strict =
            matches!(self.kind, TokenKind::StrictLeftArrow | TokenKind::StrictLeftFatArrow);
        let arrow = self.advance();
        let source = self.expression()?.node;
        let kind = Kind::Generator { which, strict, pattern: pattern.node, source };
        Ok(self.part(kind, pattern.first(), arrow))
    }

    // ---- Maps and records --------------------------------------------------------------------

    /// What begins with `#`, behind `base` if there is one.
    fn after_hash(
        &mut self,
        base: Option<Part>,
        shape: Shape,
        comprehensions: Comprehensions,
    ) -> Parsed<(Part, Shape)> {
        let hash = self.advance();
        let first = base.map_or(hash, |base| base.first());
        let base = base.map(|base| base.node);
        match self.kind {
            TokenKind::LBrace if shape != Shape::Record => {
                self.map(base, first, hash, comprehensions)
            }
            _ if shape != Shape::Map && self.is_record_name() => {
                Ok((self.record(base, first, hash)?, Shape::Record))
            }
            _ => self.unexpected(match shape {
                Shape::Map => "'{' behind '#'",
                Shape::Record => "a record name behind '#'",
                _ => "'{' or a record name behind '#'",
            }),
        }
    }

    fn map(
        &mut self,
        base: Option<NodeId>,
        first: TokenId,
        hash: TokenId,
        comprehensions: Comprehensions,
    ) -> Parsed<(Part, Shape)> {
        self.advance();
        if self.eat(TokenKind::RBrace) {
            let kind = Kind::Map { base, fields: NodeList::EMPTY };
            return Ok((self.part(kind, first, hash), Shape::Map));
        }
        let mark = self.mark();
        let mut all_assoc = true;
        loop {
            let key = self.expression()?;
            let exact = match self.kind {
                TokenKind::FatArrow => false,
                TokenKind::ColonEq => true,
                _ => return self.unexpected("'=>' or ':=' behind the key of a map"),
            };
            all_assoc &= !exact;
            let token = self.advance();
            let value = self.expression()?.node;
            let field =
                self.part(Kind::MapField { exact, key: key.node, value }, key.first(), token);
            self.children.push(field.node);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.kind == TokenKind::BarBar && all_assoc && comprehensions == Comprehensions::Allowed
        {
            let exprs = self.list_since(mark);
            let which = ComprehensionKind::Map;
            let part = self.comprehension(which, hash, exprs, TokenKind::RBrace)?;
            return Ok((part, Shape::Primary));
        }
        self.expect(TokenKind::RBrace, "',' or '}' in a map")?;
        let fields = self.list_since(mark);
        Ok((self.part(Kind::Map { base, fields }, first, hash), Shape::Map))
    }

    /// Since OTP 29 a keyword or a word with a capital letter is a record name behind `#`. Before,
    /// the error is there and not later, so what follows must fit, and the module must have said
    /// that it uses native records.
    fn is_record_name(&self) -> bool {
        self.kind == TokenKind::Atom
            || (self.kind == TokenKind::Var || self.kind.is_keyword())
                && self.continues_record(self.pos + 1)
                && (self.is_underscore() || self.module.has_native_records)
    }

    pub(super) fn is_underscore(&self) -> bool {
        self.kind == TokenKind::Var
            && self.module.token(self.here()).name() == Some(known::UNDERSCORE)
    }

    /// Whether what may follow the name of a record stands at `pos`.
    fn continues_record(&self, pos: u32) -> bool {
        let is_name =
            |kind: TokenKind| matches!(kind, TokenKind::Atom | TokenKind::Var) || kind.is_keyword();
        let (next, after) = (self.kind_at(pos + 1), self.kind_at(pos + 2));
        match self.kind_at(pos) {
            TokenKind::DotInside => true,
            TokenKind::LBrace => {
                next == TokenKind::RBrace || is_name(next) && after == TokenKind::Eq
            }
            TokenKind::Colon => {
                is_name(next) && matches!(after, TokenKind::LBrace | TokenKind::DotInside)
            }
            _ => false,
        }
    }

    fn record_name_part(&mut self) -> Parsed<NodeId> {
        if !self.is_record_name() {
            return self.unexpected("a record name");
        }
        Ok(self.name_behind_hash())
    }

    /// The word here, whatever it would be elsewhere, as the name of a record.
    pub(super) fn name_behind_hash(&mut self) -> NodeId {
        let name = match self.kind.text() {
            Some(keyword) => Atom::new(keyword),
            None => self.module.token(self.here()).name().unwrap_or(known::EMPTY),
        };
        self.leaf(Kind::Atom(name)).node
    }

    fn record_name(&mut self) -> Parsed<RecordName> {
        if self.is_underscore() {
            self.advance();
            return Ok(RecordName::Any);
        }
        let name = self.record_name_part()?;
        if self.kind != TokenKind::Colon || !self.continues_record(self.pos) {
            return Ok(RecordName::Local(name));
        }
        self.advance();
        Ok(RecordName::Remote(name, self.record_name_part()?))
    }

    fn record(&mut self, base: Option<NodeId>, first: TokenId, hash: TokenId) -> Parsed<Part> {
        let name = self.record_name()?;
        match self.kind {
            TokenKind::DotInside => {
                self.advance();
                let field = self.field_name(false, "a field name behind '.'")?;
                let kind = match base {
                    Some(base) => Kind::RecordAccess { base, name, field },
                    None => Kind::RecordIndex { name, field },
                };
                Ok(self.part(kind, first, hash))
            }
            TokenKind::LBrace => {
                let fields = self.record_fields()?;
                Ok(self.part(Kind::Record { base, name, fields }, first, hash))
            }
            _ => self.unexpected("'{' or '.' behind a record name"),
        }
    }

    fn field_name(&mut self, variable: bool, expected: &'static str) -> Parsed<NodeId> {
        let name = self.module.tokens.get(self.pos as usize).and_then(|token| token.name());
        match (self.kind, name) {
            (TokenKind::Atom, Some(name)) => Ok(self.leaf(Kind::Atom(name)).node),
            (TokenKind::Var, Some(name)) if variable => Ok(self.leaf(Kind::Var(name)).node),
            _ => self.unexpected(expected),
        }
    }

    fn record_fields(&mut self) -> Parsed<NodeList> {
        self.advance();
        if self.eat(TokenKind::RBrace) {
            return Ok(NodeList::EMPTY);
        }
        let mark = self.mark();
        loop {
            let token = self.here();
            let name = self.field_name(true, "a field name")?;
            self.expect(TokenKind::Eq, "'=' behind a field name")?;
            let value = self.expression()?.node;
            let field = self.part(Kind::RecordField { name, value }, token, token);
            self.children.push(field.node);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBrace, "',' or '}' in a record")?;
        Ok(self.list_since(mark))
    }

    // ---- Binaries ----------------------------------------------------------------------------

    fn binary(&mut self, comprehensions: Comprehensions) -> Parsed<Part> {
        let open = self.advance();
        if self.eat(TokenKind::RBin) {
            return Ok(self.part(Kind::Binary { elements: NodeList::EMPTY }, open, open));
        }
        let mark = self.mark();
        loop {
            let is_first = self.mark() == mark;
            let is_plain = !matches!(
                self.kind,
                TokenKind::Plus | TokenKind::Minus | TokenKind::Bnot | TokenKind::Not
            );
            let value = self.nested(|parser| parser.segment_value())?;
            let may_be_comprehension =
                is_first && is_plain && comprehensions == Comprehensions::Allowed;
            if self.kind == TokenKind::BarBar && may_be_comprehension {
                self.children.push(value.node);
                let exprs = self.list_since(mark);
                let which = ComprehensionKind::Binary;
                return self.comprehension(which, open, exprs, TokenKind::RBin);
            }
            let element = self.segment(value)?;
            self.children.push(element);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RBin, "',', ':', '/' or '>>' in a binary")?;
        let elements = self.list_since(mark);
        Ok(self.part(Kind::Binary { elements }, open, open))
    }

    fn segment(&mut self, value: Part) -> Parsed<NodeId> {
        let mut size = None;
        if self.eat(TokenKind::Colon) {
            size = Some(self.nested(|parser| parser.primary())?.node);
        }
        let mut specs = None;
        if self.eat(TokenKind::Slash) {
            let mark = self.mark();
            loop {
                let spec = self.segment_spec()?;
                self.children.push(spec);
                if !self.eat(TokenKind::Minus) {
                    break;
                }
            }
            specs = Some(self.list_since(mark));
        }
        let anchor = self.first_anchor(value.node);
        let kind = Kind::BinElement { value: value.node, size, specs };
        Ok(self.part(kind, value.first(), anchor).node)
    }

    fn segment_spec(&mut self) -> Parsed<NodeId> {
        let token =
            self.expect(TokenKind::Atom, "a type specifier such as 'integer' or 'unit:8'")?;
        let name = self.module.token(token).name().unwrap_or(known::EMPTY);
        let mut unit = None;
        if self.eat(TokenKind::Colon) {
            let value = self.module.tokens.get(self.pos as usize).map(|token| token.value);
            let (TokenKind::Integer, Some(TokenValue::Literal(id))) = (self.kind, value) else {
                return self.unexpected("an integer");
            };
            unit = Some(self.leaf(Kind::Integer(id)).node);
        }
        Ok(self.part(Kind::BinSpec { name, unit }, token, token).node)
    }
}
