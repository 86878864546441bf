//! Statements, blocks and local declarations.

use crate::source::Span;
use crate::token::TokenKind;
use crate::tree::{Kind, NodeId, NonZeroName};

use super::Parser;

impl Parser {
    pub(super) fn block(&mut self) -> NodeId {
        let start = self.start();
        self.deeper(|parser| {
            let mark = parser.mark();
            if parser.expect(TokenKind::OpenBrace) {
                parser.bracketed(Parser::statements);
                parser.expect(TokenKind::CloseBrace);
            }
            let statements = parser.list(mark);
            parser.node(Kind::Block { statements }, start)
        })
    }

    /// Statements up to a closing brace or the next case of a switch, pushed.
    pub(super) fn statements(&mut self) {
        loop {
            match self.kind {
                TokenKind::End | TokenKind::CloseBrace | TokenKind::Case => return,
                TokenKind::Default
                    if matches!(self.ahead(1), TokenKind::Colon | TokenKind::Arrow) =>
                {
                    return;
                }
                _ => {}
            }
            let before = self.at;
            let statement = self.block_statement();
            self.push(statement);
            self.ensure_progress(before);
        }
    }

    /// A statement or a local declaration.
    fn block_statement(&mut self) -> NodeId {
        use TokenKind::*;
        let start = self.start();
        let is_declared = match self.kind {
            Final | Abstract | Strictfp | Class | Interface | Enum => true,
            At => true,
            Static | Public | Private | Protected | Transient | Volatile | Native => {
                self.error_here("illegal.start.of.expr", "this modifier is not allowed here");
                true
            }
            Synchronized => self.ahead(1) != OpenParen,
            Ident => self.is_record() || self.is_sealed() || self.is_non_sealed(),
            _ => false,
        };
        if is_declared {
            let modifiers = self.modifiers();
            if self.is_class() {
                return self.class_declaration(modifiers, start);
            }
            return self.local_variables(modifiers, start);
        }
        let may_be_variable = self.kind.is_primitive() || self.kind.is_name();
        if may_be_variable && !self.is_yield() && self.is_variable() {
            return self.local_variables(None, start);
        }
        self.statement()
    }

    fn local_variables(&mut self, modifiers: Option<NodeId>, start: u32) -> NodeId {
        let ty = self.local_type();
        let variables = self.variables();
        if !self.expect(TokenKind::Semicolon) {
            self.skip_unless_statement();
        }
        self.node(Kind::Variables { modifiers, ty, variables }, start)
    }

    /// Behind a missing semicolon: what cannot begin a statement is skipped.
    fn skip_unless_statement(&mut self) {
        use TokenKind::*;
        let is_wrong = matches!(
            self.kind,
            CloseParen | CloseBracket | Comma | Dot | Colon | Arrow | Assign | Question | Unknown
        );
        if is_wrong {
            self.skip_to_boundary();
        }
    }

    fn end_of_statement(&mut self) {
        if !self.expect(TokenKind::Semicolon) {
            self.skip_unless_statement();
        }
    }

    /// A statement as the body of another.
    fn body(&mut self) -> NodeId {
        // A declaration is wrong here, and read all the same.
        let start = self.start();
        let from = self.at;
        let statement = self.deeper(Parser::block_statement);
        if matches!(self.tree.kind(statement), Kind::Variables { .. } | Kind::Class(_)) {
            let end = self.tree.span(statement).end;
            self.complained = None;
            let message = "a declaration is not allowed here".to_owned();
            self.error_at("variable.not.allowed", message, Span { start, end });
        }
        if self.at == from && self.kind != TokenKind::End {
            self.expected("a statement");
        }
        statement
    }

    pub(super) fn statement(&mut self) -> NodeId {
        use TokenKind::*;
        let start = self.start();
        let kind = match self.kind {
            OpenBrace => return self.block(),
            Semicolon => {
                self.bump();
                Kind::Empty
            }
            If => self.if_statement(),
            While => {
                self.bump();
                let condition = self.condition();
                Kind::While { condition, body: self.body() }
            }
            Do => self.do_statement(),
            For => self.for_statement(),
            Switch => return self.switch_statement(),
            Synchronized => {
                self.bump();
                let lock = self.condition();
                Kind::Synchronized { lock, body: self.block() }
            }
            Try => self.try_statement(),
            Return => {
                self.bump();
                let value = (self.kind != Semicolon).then(|| self.expression());
                self.end_of_statement();
                Kind::Return { value }
            }
            Throw => {
                self.bump();
                let value = self.expression();
                self.end_of_statement();
                Kind::Throw { value }
            }
            Break => Kind::Break { label: self.jump() },
            Continue => Kind::Continue { label: self.jump() },
            Assert => {
                self.bump();
                let condition = self.expression();
                let detail = self.eat(Colon).then(|| self.expression());
                self.end_of_statement();
                Kind::Assert { condition, detail }
            }
            Ident if self.ahead(1) == Colon => {
                let (label, _) = self.name();
                self.bump();
                Kind::Labeled { label, statement: self.body() }
            }
            Ident if self.is_yield() => {
                self.bump();
                let value = self.expression();
                self.end_of_statement();
                Kind::Yield { value }
            }
            Else | Catch | Finally => {
                self.error_here("orphaned", "this belongs to no statement in front of it");
                self.bump();
                return self.missing();
            }
            _ => return self.expression_statement(),
        };
        self.node(kind, start)
    }

    fn expression_statement(&mut self) -> NodeId {
        let start = self.start();
        let from = self.at;
        let expression = self.expression();
        if self.at == from {
            self.skip_to_boundary();
            return expression;
        }
        self.check_statement(expression);
        self.end_of_statement();
        self.node(Kind::ExpressionStatement { expression }, start)
    }

    /// Complains about an expression that is no statement.
    fn check_statement(&mut self, expression: NodeId) {
        use crate::tree::UnaryOp::*;
        let is_statement = match self.tree.kind(expression) {
            Kind::Unary { op, .. } => {
                matches!(op, PreIncrement | PreDecrement | PostIncrement | PostDecrement)
            }
            Kind::Assign { .. }
            | Kind::CompoundAssign { .. }
            | Kind::Call { .. }
            | Kind::New { .. }
            | Kind::Error => true,
            _ => false,
        };
        if !is_statement {
            let span = self.tree.span(expression);
            self.error_at("not.stmt", "this expression is no statement".to_owned(), span);
        }
    }

    fn jump(&mut self) -> Option<NonZeroName> {
        self.bump();
        let label = self.kind.is_name().then(|| NonZeroName::new(self.name().0));
        self.end_of_statement();
        label
    }

    /// An expression in parentheses, as the conditions of statements are.
    pub(super) fn condition(&mut self) -> NodeId {
        let start = self.start();
        self.expect(TokenKind::OpenParen);
        let inner = self.bracketed(Parser::expression);
        if !self.expect(TokenKind::CloseParen) {
            // What is left in the parentheses is of no use.
            while !matches!(
                self.kind,
                TokenKind::CloseParen
                    | TokenKind::OpenBrace
                    | TokenKind::CloseBrace
                    | TokenKind::Semicolon
                    | TokenKind::End
            ) {
                self.bump();
            }
            self.eat(TokenKind::CloseParen);
        }
        self.node(Kind::Parens { inner }, start)
    }

    fn if_statement(&mut self) -> Kind {
        self.bump();
        let condition = self.condition();
        let then = self.body();
        let otherwise = self.eat(TokenKind::Else).then(|| self.body());
        Kind::If { condition, then, otherwise }
    }

    fn do_statement(&mut self) -> Kind {
        self.bump();
        let body = self.body();
        self.expect(TokenKind::While);
        let condition = self.condition();
        self.end_of_statement();
        Kind::Do { body, condition }
    }

    fn for_statement(&mut self) -> Kind {
        self.bump();
        self.expect(TokenKind::OpenParen);
        let start = self.start();
        let init = self.mark();
        let is_declared = matches!(self.kind, TokenKind::Final | TokenKind::At);
        if is_declared || self.is_variable() {
            let modifiers = self.modifiers();
            let ty = self.local_type();
            let behind = self.behind_brackets(self.at + 1);
            if self.kind.is_name() && self.kind_at(behind) == TokenKind::Colon {
                return self.for_each(modifiers, ty, start);
            }
            let variables = self.variables();
            let declared = self.node(Kind::Variables { modifiers, ty, variables }, start);
            self.push(declared);
        } else if self.kind != TokenKind::Semicolon {
            self.statement_expressions();
        }
        let init = self.list(init);
        self.expect(TokenKind::Semicolon);
        let condition = (self.kind != TokenKind::Semicolon).then(|| self.expression());
        self.expect(TokenKind::Semicolon);
        let update = self.mark();
        if !matches!(self.kind, TokenKind::CloseParen | TokenKind::End) {
            self.statement_expressions();
        }
        let update = self.list(update);
        self.expect(TokenKind::CloseParen);
        Kind::For { init, condition, update, body: self.body() }
    }

    fn for_each(&mut self, modifiers: Option<NodeId>, ty: NodeId, start: u32) -> Kind {
        let (name, name_at) = self.name();
        let dims = self.dims();
        let (ty, is_varargs) = (Some(ty), false);
        let kind = Kind::Parameter { modifiers, ty, name, name_at, dims, is_varargs };
        let variable = self.node(kind, start);
        self.expect(TokenKind::Colon);
        let iterable = self.expression();
        self.expect(TokenKind::CloseParen);
        Kind::ForEach { variable, iterable, body: self.body() }
    }

    /// Expressions of a `for`, between commas, pushed.
    fn statement_expressions(&mut self) {
        loop {
            let start = self.start();
            let expression = self.expression();
            self.check_statement(expression);
            let statement = self.node(Kind::ExpressionStatement { expression }, start);
            self.push(statement);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
    }

    fn try_statement(&mut self) -> Kind {
        let keyword = self.token();
        self.bump();
        let resources = self.mark();
        let has_resources = self.eat(TokenKind::OpenParen);
        if has_resources {
            while !matches!(self.kind, TokenKind::CloseParen | TokenKind::End) {
                let before = self.at;
                let resource = self.resource();
                self.push(resource);
                if !self.eat(TokenKind::Semicolon) || self.at == before {
                    break;
                }
            }
            self.expect(TokenKind::CloseParen);
        }
        let resources = self.list(resources);
        let body = self.block();
        let catches = self.mark();
        while self.kind == TokenKind::Catch {
            let catch = self.catch();
            self.push(catch);
        }
        let catches = self.list(catches);
        let finally = self.eat(TokenKind::Finally).then(|| self.block());
        if !has_resources && catches.is_empty() && finally.is_none() {
            let span = Span { start: keyword.start, end: keyword.end };
            let message = "a `try` needs a `catch`, a `finally` or resources".to_owned();
            self.error_at("try.without.catch.finally.or.resource.decls", message, span);
        }
        Kind::Try { resources, body, catches, finally }
    }

    fn resource(&mut self) -> NodeId {
        let start = self.start();
        let is_declared = matches!(self.kind, TokenKind::Final | TokenKind::At);
        if !is_declared && !self.is_variable() {
            return self.expression();
        }
        let modifiers = self.modifiers();
        let ty = self.local_type();
        let mark = self.mark();
        let variable = self.variable();
        self.push(variable);
        let variables = self.list(mark);
        self.node(Kind::Variables { modifiers, ty, variables }, start)
    }

    fn catch(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::OpenParen);
        let at = self.start();
        let modifiers = self.modifiers();
        let ty = self.catch_type();
        let (name, name_at) = self.name();
        let dims = self.dims();
        let kind =
            Kind::Parameter { modifiers, ty: Some(ty), name, name_at, dims, is_varargs: false };
        let parameter = self.node(kind, at);
        self.expect(TokenKind::CloseParen);
        let body = self.block();
        self.node(Kind::Catch { parameter, body }, start)
    }

    fn catch_type(&mut self) -> NodeId {
        let start = self.start();
        let first = self.ty();
        if self.kind != TokenKind::Bar {
            return first;
        }
        let mark = self.mark();
        self.push(first);
        while self.eat(TokenKind::Bar) {
            let next = self.ty();
            self.push(next);
        }
        let alternatives = self.list(mark);
        self.node(Kind::UnionType { alternatives }, start)
    }
}
