//! Everything made of clauses: `case`, `if`, `receive`, `try`, `maybe`, `begin`, funs, functions.
//!
//! Clauses of a function or fun must agree in name and number of arguments; as in OTP that is said
//! when all of them have been read, and at the first that differs ([`Heads`]). The anchor of a
//! clause is the token that OTP gives its position by: the name, the pattern, or the first test of
//! an `if`.

use atom::{Atom, known};

use crate::ast::{Kind, NodeId, NodeList, ReceiveAfter};
use crate::quote;
use crate::token::{TokenId, TokenKind, TokenValue};

use super::{Parsed, Parser, Part};

/// Name and arity that the clauses of a function or fun must share, and the first clause that has
/// others. OTP complains about it when all clauses have been read.
#[derive(Default)]
pub(super) struct Heads {
    first: Option<(TokenId, Head)>,
    mismatch: Option<(TokenId, Head)>,
}

/// Name and arity of a clause; the name is `None` for clauses of a fun without name.
type Head = (Option<Atom>, u32);

impl Heads {
    fn add(&mut self, anchor: TokenId, name: Option<Atom>, arity: u32) {
        let (_, first) = *self.first.get_or_insert((anchor, (name, arity)));
        if first != (name, arity) && self.mismatch.is_none() {
            self.mismatch = Some((anchor, (name, arity)));
        }
    }
}

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let body = self.expressions()?;
        self.expect(TokenKind::End, "an operator, ',' or 'end'")?;
        Ok(self.part(Kind::Block { body }, token, token))
    }

    pub(super) fn if_expression(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let mark = self.mark();
        loop {
            let first = self.here();
            let guards = self.guard()?;
            let anchor = self.first_test_anchor(guards);
            let body = self.clause_body("',', ';' or '->' behind the condition of an 'if'")?;
            let kind = Kind::Clause { patterns: NodeList::EMPTY, guards, body };
            let clause = self.part(kind, first, anchor);
            self.children.push(clause.node);
            if !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(TokenKind::End, "an operator, ',', ';' or 'end'")?;
        let clauses = self.list_since(mark);
        Ok(self.part(Kind::If { clauses }, token, token))
    }

    fn first_test_anchor(&self, guards: NodeList) -> TokenId {
        let first_test = self.module.list(guards).first().and_then(|&guard| {
            let Kind::Guard { tests } = self.kind_of(guard) else { return None };
            self.module.list(tests).first().copied()
        });
        first_test.map_or(self.previous(), |test| self.first_anchor(test))
    }

    pub(super) fn case_expression(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let subject = self.expression()?.node;
        self.expect(TokenKind::Of, "an operator or 'of'")?;
        let clauses = self.pattern_clauses()?;
        self.expect(TokenKind::End, "an operator, ',', ';' or 'end'")?;
        Ok(self.part(Kind::Case { subject, clauses }, token, token))
    }

    pub(super) fn receive_expression(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let mut clauses = NodeList::EMPTY;
        let mut after = None;
        if self.kind != TokenKind::After {
            clauses = self.pattern_clauses()?;
        }
        if self.eat(TokenKind::After) {
            let timeout = self.expression()?.node;
            let body = self.clause_body("an operator or '->' behind the timeout")?;
            after = Some(ReceiveAfter { timeout, body });
        }
        let expected = match after {
            Some(_) => "an operator, ',' or 'end'",
            None => "an operator, ',', ';', 'after' or 'end'",
        };
        self.expect(TokenKind::End, expected)?;
        Ok(self.part(Kind::Receive { clauses, after }, token, token))
    }

    pub(super) fn try_expression(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let body = self.expressions()?;
        let mut of = NodeList::EMPTY;
        let mut expected = "an operator, ',', 'of', 'catch' or 'after'";
        if self.eat(TokenKind::Of) {
            of = self.pattern_clauses()?;
            expected = "an operator, ',', ';', 'catch' or 'after'";
        }
        let mut catch = NodeList::EMPTY;
        let mut after = NodeList::EMPTY;
        let mut at_end = "an operator, ',' or 'end'";
        match self.kind {
            TokenKind::Catch => {
                self.advance();
                catch = self.catch_clauses()?;
                if self.eat(TokenKind::After) {
                    after = self.expressions()?;
                } else {
                    at_end = "an operator, ',', ';', 'after' or 'end'";
                }
            }
            TokenKind::After => {
                self.advance();
                after = self.expressions()?;
            }
            _ => return self.unexpected(expected),
        }
        self.expect(TokenKind::End, at_end)?;
        Ok(self.part(Kind::Try { body, of, catch, after }, token, token))
    }

    pub(super) fn maybe_expression(&mut self) -> Parsed<Part> {
        let token = self.advance();
        let mark = self.mark();
        loop {
            let mut expression = self.expression()?;
            if self.kind == TokenKind::QuestionEq {
                let operator = self.advance();
                let value = self.expression()?.node;
                let kind = Kind::MaybeMatch { pattern: expression.node, value };
                expression = self.part(kind, expression.first(), operator);
            }
            self.children.push(expression.node);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        let body = self.list_since(mark);
        let mut else_clauses = None;
        if self.eat(TokenKind::Else) {
            else_clauses = Some(self.pattern_clauses()?);
        }
        let expected = match else_clauses {
            Some(_) => "an operator, ',', ';' or 'end'",
            None => "an operator, '?=', ',', 'else' or 'end'",
        };
        self.expect(TokenKind::End, expected)?;
        Ok(self.part(Kind::Maybe { body, else_clauses }, token, token))
    }

    /// Clauses of `case`, `receive`, `of` and `else`.
    fn pattern_clauses(&mut self) -> Parsed<NodeList> {
        let mark = self.mark();
        loop {
            let pattern = self.expression()?;
            let anchor = self.first_anchor(pattern.node);
            let clause = self.rest_of_clause(pattern, anchor)?;
            self.children.push(clause);
            if !self.eat(TokenKind::Semicolon) {
                return Ok(self.list_since(mark));
            }
        }
    }

    /// Guard and body behind the one pattern of a clause.
    fn rest_of_clause(&mut self, pattern: Part, anchor: TokenId) -> Parsed<NodeId> {
        let mark = self.mark();
        self.children.push(pattern.node);
        let patterns = self.list_since(mark);
        let guards = self.clause_guard()?;
        let expected = if guards.is_empty() {
            "an operator, 'when' or '->' behind a pattern"
        } else {
            "an operator, ',', ';' or '->' behind a guard"
        };
        let body = self.clause_body(expected)?;
        Ok(self.part(Kind::Clause { patterns, guards, body }, pattern.first(), anchor).node)
    }

    fn catch_clauses(&mut self) -> Parsed<NodeList> {
        let mark = self.mark();
        loop {
            let pattern = self.catch_pattern()?;
            let anchor = self.module[pattern.node].anchor;
            let clause = self.rest_of_clause(pattern, anchor)?;
            self.children.push(clause);
            if !self.eat(TokenKind::Semicolon) {
                return Ok(self.list_since(mark));
            }
        }
    }

    fn catch_pattern(&mut self) -> Parsed<Part> {
        let first = self.here();
        let name = self.module.tokens.get(self.pos as usize).and_then(|token| token.name());
        let class = match (self.kind, name) {
            (TokenKind::Atom, Some(name)) => Some(Kind::Atom(name)),
            (TokenKind::Var, Some(name)) => Some(Kind::Var(name)),
            _ => None,
        };
        let Some(class) = class.filter(|_| self.next_kind() == TokenKind::Colon) else {
            let reason = self.pattern()?;
            let anchor = self.first_anchor(reason.node);
            let kind = Kind::CatchPattern { class: None, reason: reason.node, stacktrace: None };
            return Ok(self.part(kind, first, anchor));
        };
        let class = Some(self.leaf(class).node);
        self.advance();
        let reason = self.pattern()?.node;
        let mut stacktrace = None;
        if self.eat(TokenKind::Colon) {
            let name = self.module.tokens.get(self.pos as usize).and_then(|token| token.name());
            let (TokenKind::Var, Some(name)) = (self.kind, name) else {
                return self.unexpected("a variable for the stack trace");
            };
            stacktrace = Some(self.leaf(Kind::Var(name)).node);
        }
        Ok(self.part(Kind::CatchPattern { class, reason, stacktrace }, first, first))
    }

    fn clause_guard(&mut self) -> Parsed<NodeList> {
        if self.eat(TokenKind::When) { self.guard() } else { Ok(NodeList::EMPTY) }
    }

    /// Alternatives separated by semicolons, each of tests separated by commas.
    fn guard(&mut self) -> Parsed<NodeList> {
        let mark = self.mark();
        loop {
            let first = self.here();
            let tests = self.expressions()?;
            // OTP has no node here: the position must not say more than its first test's.
            let anchor = self.module.list(tests).first().map_or(first, |&t| self.module[t].anchor);
            let guard = self.part(Kind::Guard { tests }, first, anchor);
            self.children.push(guard.node);
            if !self.eat(TokenKind::Semicolon) {
                return Ok(self.list_since(mark));
            }
        }
    }

    fn clause_body(&mut self, expected: &'static str) -> Parsed<NodeList> {
        self.expect(TokenKind::Arrow, expected)?;
        self.expressions()
    }

    // ---- Funs and functions ------------------------------------------------------------------

    pub(super) fn fun_expression(&mut self) -> Parsed<Part> {
        let token = self.advance();
        match (self.kind, self.next_kind()) {
            (TokenKind::LParen, _) | (TokenKind::Var, TokenKind::LParen) => self.fun_clauses(token),
            (TokenKind::Atom, TokenKind::Slash) => {
                let name_token = self.advance();
                let name = self.module.token(name_token).name().unwrap_or(known::EMPTY);
                self.advance();
                let arity = self.arity(false)?;
                Ok(self.part(Kind::FunName { name, arity }, token, token))
            }
            (TokenKind::Atom | TokenKind::Var, TokenKind::Colon) => {
                let module = self.atom_or_variable("a module name")?;
                self.advance();
                let name = self.atom_or_variable("a function name")?;
                self.expect(TokenKind::Slash, "'/' and the arity")?;
                let arity = self.arity(true)?;
                Ok(self.part(Kind::FunRemote { module, name, arity }, token, token))
            }
            (TokenKind::Atom, _) => {
                self.advance();
                self.unexpected("'/' or ':' behind the name of a function")
            }
            (TokenKind::Var, _) => {
                self.advance();
                self.unexpected("'(' or ':' behind the name of a fun")
            }
            _ => self.unexpected("'(' or a name behind 'fun'"),
        }
    }

    fn atom_or_variable(&mut self, expected: &'static str) -> Parsed<NodeId> {
        let name = self.module.tokens.get(self.pos as usize).and_then(|token| token.name());
        match (self.kind, name) {
            (TokenKind::Atom, Some(name)) => Ok(self.leaf(Kind::Atom(name)).node),
            (TokenKind::Var, Some(name)) => Ok(self.leaf(Kind::Var(name)).node),
            _ => self.unexpected(expected),
        }
    }

    fn arity(&mut self, variable: bool) -> Parsed<NodeId> {
        let value = self.module.tokens.get(self.pos as usize).map(|token| token.value);
        match (self.kind, value) {
            (TokenKind::Integer, Some(TokenValue::Literal(id))) => {
                Ok(self.leaf(Kind::Integer(id)).node)
            }
            (TokenKind::Var, Some(TokenValue::Name(name))) if variable => {
                Ok(self.leaf(Kind::Var(name)).node)
            }
            _ => self.unexpected("the arity, an integer"),
        }
    }

    fn fun_clauses(&mut self, token: TokenId) -> Parsed<Part> {
        let mark = self.mark();
        let mut heads = Heads::default();
        loop {
            let mut name = None;
            let anchor = self.here();
            if self.kind == TokenKind::Var {
                let variable = self.advance();
                name = self.module.token(variable).name();
            }
            let clause = self.head_and_body(anchor, name, &mut heads)?;
            self.children.push(clause);
            if !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(TokenKind::End, "an operator, ',', ';' or 'end'")?;
        let clauses = self.list_since(mark);
        let (name, _) = self.check_heads(&heads)?;
        Ok(self.part(Kind::Fun { name, clauses }, token, token))
    }

    /// The clauses of a function, up to but without the full stop.
    pub(super) fn function(&mut self) -> Parsed<Part> {
        let token = self.here();
        let mark = self.mark();
        let mut heads = Heads::default();
        loop {
            let anchor = self.expect(TokenKind::Atom, "the next clause of the function")?;
            let name = self.module.token(anchor).name();
            let clause = self.head_and_body(anchor, name, &mut heads)?;
            self.children.push(clause);
            if !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        let clauses = self.list_since(mark);
        let (name, arity) = self.check_heads(&heads)?;
        let kind = Kind::Function { name: name.unwrap_or(known::EMPTY), arity, clauses };
        Ok(self.part(kind, token, token))
    }

    fn head_and_body(
        &mut self,
        anchor: TokenId,
        name: Option<Atom>,
        heads: &mut Heads,
    ) -> Parsed<NodeId> {
        self.expect(TokenKind::LParen, "'(' and the arguments")?;
        let mark = self.mark();
        if self.kind != TokenKind::RParen {
            loop {
                let pattern = self.pattern()?.node;
                self.children.push(pattern);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RParen, "',' or ')' in the arguments")?;
        let patterns = self.list_since(mark);
        heads.add(anchor, name, patterns.len);
        let guards = self.clause_guard()?;
        let expected = if guards.is_empty() {
            "'when' or '->' behind the arguments"
        } else {
            "an operator, ',', ';' or '->' behind a guard"
        };
        let body = self.clause_body(expected)?;
        Ok(self.part(Kind::Clause { patterns, guards, body }, anchor, anchor).node)
    }

    fn check_heads(&mut self, heads: &Heads) -> Parsed<Head> {
        let Some((first, head)) = heads.first else { return Ok((None, 0)) };
        let Some((clause, other)) = heads.mismatch else { return Ok(head) };
        let show = |(name, arity): Head| match name {
            Some(name) => format!("{}/{arity}", quote::atom(name.as_str())),
            None => format!("fun/{arity}"),
        };
        let message = format!("a clause of {} among the clauses of {}", show(other), show(head));
        let related = Some((first, "the first clause"));
        let descriptor = quote::string("head mismatch");
        self.reject_because(clause, "head_mismatch", descriptor, message, related)
    }
}
