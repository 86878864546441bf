//! Switches: statements and expressions.

use crate::token::TokenKind;
use crate::tree::{Kind, List, Literal, NodeId};

use super::{Mark, Parser};

impl Parser {
    pub(super) fn switch_statement(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        let selector = self.condition();
        let cases = self.cases(false);
        self.node(Kind::Switch { selector, cases }, start)
    }

    pub(super) fn switch_expression(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        let selector = self.condition();
        let cases = self.cases(true);
        self.node(Kind::SwitchExpression { selector, cases }, start)
    }

    fn cases(&mut self, is_expression: bool) -> List {
        let mark = self.mark();
        self.expect(TokenKind::OpenBrace);
        loop {
            let before = self.at;
            match self.kind {
                TokenKind::End | TokenKind::CloseBrace => break,
                TokenKind::Case | TokenKind::Default => {
                    let case = self.case(is_expression);
                    self.push(case);
                }
                _ => {
                    self.expected("`case`, `default` or `}`");
                    self.skip_to_boundary();
                }
            }
            self.ensure_progress(before);
        }
        self.expect(TokenKind::CloseBrace);
        self.list(mark)
    }

    fn case(&mut self, is_expression: bool) -> NodeId {
        let start = self.start();
        let labels = self.mark();
        let mut guard = None;
        if self.kind == TokenKind::Default {
            let label = self.default_label();
            self.push(label);
        } else {
            self.bump();
            let before = std::mem::replace(&mut self.arrow_ends, true);
            loop {
                if self.kind == TokenKind::Default && !self.is_behind_null(labels) {
                    let message = "in a `case`, `default` stands behind `null` only";
                    self.error_here("default.label.not.allowed", message);
                }
                let label = self.label();
                self.push(label);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            if self.at_word("when") {
                self.bump();
                guard = Some(self.operation());
            }
            self.arrow_ends = before;
        }
        let labels = self.list(labels);
        let is_rule = self.eat(TokenKind::Arrow);
        let body = self.mark();
        self.bracketed(|parser| {
            if is_rule {
                let rule = parser.rule(is_expression);
                parser.push(rule);
            } else if parser.eat(TokenKind::Colon) {
                parser.statements();
            } else {
                parser.expected("`:` or `->`");
                parser.skip_to_boundary();
            }
        });
        let body = self.list(body);
        self.node(Kind::Case { labels, guard, body, is_rule }, start)
    }

    /// Whether the labels so far are `null` and nothing else.
    fn is_behind_null(&self, labels: Mark) -> bool {
        match self.children[labels.0..] {
            [only] => self.tree.kind(only) == Kind::Literal(Literal::Null),
            _ => false,
        }
    }

    fn default_label(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        self.node(Kind::DefaultLabel, start)
    }

    fn label(&mut self) -> NodeId {
        if self.kind == TokenKind::Default {
            self.default_label()
        } else if self.is_pattern() {
            self.pattern()
        } else {
            self.operation()
        }
    }

    /// What stands behind the arrow of a case.
    fn rule(&mut self, is_expression: bool) -> NodeId {
        if matches!(self.kind, TokenKind::OpenBrace | TokenKind::Throw) {
            return self.statement();
        }
        if !is_expression {
            return self.deeper(Parser::statement);
        }
        let value = self.expression();
        self.expect(TokenKind::Semicolon);
        value
    }
}
