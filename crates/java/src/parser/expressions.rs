//! Expressions: assignments, conditions, operators, casts, lambdas.

use crate::token::TokenKind;
use crate::tree::{BinaryOp, Kind, List, Literal, NodeId, UnaryOp};

use super::Parser;
use super::lookahead::Parenthesis;

/// The precedence of `<`, which `instanceof` shares.
const RELATIONAL: u8 = 7;

impl Parser {
    pub(super) fn expression(&mut self) -> NodeId {
        self.deeper(|parser| {
            let start = parser.start();
            let target = parser.operation();
            let Some((op, length)) = parser.assignment() else { return target };
            for _ in 0..length {
                parser.bump();
            }
            let value = parser.expression();
            let kind = match op {
                None => Kind::Assign { target, value },
                Some(op) => Kind::CompoundAssign { op, target, value },
            };
            parser.node(kind, start)
        })
    }

    /// The assignment operator here, and how many tokens it has.
    fn assignment(&self) -> Option<(Option<BinaryOp>, usize)> {
        let op = match self.kind {
            TokenKind::Assign => return Some((None, 1)),
            TokenKind::PlusAssign => BinaryOp::Add,
            TokenKind::MinusAssign => BinaryOp::Subtract,
            TokenKind::StarAssign => BinaryOp::Multiply,
            TokenKind::SlashAssign => BinaryOp::Divide,
            TokenKind::PercentAssign => BinaryOp::Remainder,
            TokenKind::AmpAssign => BinaryOp::BitAnd,
            TokenKind::BarAssign => BinaryOp::BitOr,
            TokenKind::CaretAssign => BinaryOp::BitXor,
            TokenKind::ShiftLeftAssign => BinaryOp::ShiftLeft,
            TokenKind::Greater => match self.greater() {
                (2, true) => return Some((Some(BinaryOp::ShiftRight), 3)),
                (3, true) => return Some((Some(BinaryOp::ShiftRightUnsigned), 4)),
                _ => return None,
            },
            _ => return None,
        };
        Some((Some(op), 1))
    }

    /// How many `>` touch each other from here, up to three, and whether a `=` touches the last.
    fn greater(&self) -> (usize, bool) {
        let touches = |index: usize| self.tokens[index - 1].end == self.tokens[index].start;
        let mut count = 1;
        while count < 3 && self.ahead(count) == TokenKind::Greater && touches(self.at + count) {
            count += 1;
        }
        let assigns = self.ahead(count) == TokenKind::Assign && touches(self.at + count);
        (count, assigns)
    }

    /// An expression that is no assignment, but may be a condition or a lambda.
    pub(super) fn operation(&mut self) -> NodeId {
        let start = self.start();
        let condition = self.binary(0);
        if self.kind != TokenKind::Question {
            return condition;
        }
        self.bump();
        let then = self.bracketed(Parser::expression);
        self.expect(TokenKind::Colon);
        let otherwise = self.deeper(Parser::operation);
        self.node(Kind::Conditional { condition, then, otherwise }, start)
    }

    /// Operators of at least this precedence. Chains of one precedence are read in a loop.
    fn binary(&mut self, least: u8) -> NodeId {
        let start = self.start();
        let mut left = self.unary();
        loop {
            if self.kind == TokenKind::InstanceOf {
                if RELATIONAL < least {
                    return left;
                }
                self.bump();
                let what = if self.is_pattern() { self.pattern() } else { self.ty() };
                left = self.node(Kind::InstanceOf { value: left, what }, start);
                continue;
            }
            let Some((op, precedence, length)) = self.operator() else { return left };
            if precedence < least {
                return left;
            }
            for _ in 0..length {
                self.bump();
            }
            let right = self.binary(precedence + 1);
            left = self.node(Kind::Binary { op, left, right }, start);
        }
    }

    /// The binary operator here, its precedence, and how many tokens it has.
    fn operator(&self) -> Option<(BinaryOp, u8, usize)> {
        use BinaryOp::*;
        let (op, precedence) = match self.kind {
            TokenKind::OrOr => (Or, 1),
            TokenKind::AndAnd => (And, 2),
            TokenKind::Bar => (BitOr, 3),
            TokenKind::Caret => (BitXor, 4),
            TokenKind::Amp => (BitAnd, 5),
            TokenKind::Equal => (Equal, 6),
            TokenKind::NotEqual => (NotEqual, 6),
            TokenKind::Less => (Less, RELATIONAL),
            TokenKind::LessEqual => (LessEqual, RELATIONAL),
            TokenKind::Greater => {
                return match self.greater() {
                    (1, false) => Some((Greater, RELATIONAL, 1)),
                    (1, true) => Some((GreaterEqual, RELATIONAL, 2)),
                    (2, false) => Some((ShiftRight, 8, 2)),
                    (3, false) => Some((ShiftRightUnsigned, 8, 3)),
                    _ => None,
                };
            }
            TokenKind::ShiftLeft => (ShiftLeft, 8),
            TokenKind::Plus => (Add, 9),
            TokenKind::Minus => (Subtract, 9),
            TokenKind::Star => (Multiply, 10),
            TokenKind::Slash => (Divide, 10),
            TokenKind::Percent => (Remainder, 10),
            _ => return None,
        };
        Some((op, precedence, 1))
    }

    fn unary(&mut self) -> NodeId {
        let op = match self.kind {
            TokenKind::Plus => UnaryOp::Plus,
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::PlusPlus => UnaryOp::PreIncrement,
            TokenKind::MinusMinus => UnaryOp::PreDecrement,
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Tilde => UnaryOp::Complement,
            _ => return self.primary(),
        };
        let start = self.start();
        self.bump();
        // A decimal integer has its sign with it, as in javac: the smallest can only be written so.
        // (Zero is an octal number.)
        let is_decimal = !self.text_of(self.token()).starts_with('0');
        let literal = match self.kind {
            TokenKind::IntLiteral => Some(Literal::Int),
            TokenKind::LongLiteral => Some(Literal::Long),
            _ => None,
        };
        if let Some(literal) = literal.filter(|_| is_decimal && op == UnaryOp::Minus) {
            self.bump();
            let node = self.node(Kind::Literal(literal), start);
            return self.selectors(node);
        }
        let operand = self.deeper(Parser::unary);
        self.node(Kind::Unary { op, operand }, start)
    }

    /// An operand with its selectors.
    fn primary(&mut self) -> NodeId {
        let start = self.start();
        let node = match self.kind {
            TokenKind::OpenParen => match self.parenthesis() {
                Parenthesis::Lambda => return self.lambda(),
                Parenthesis::Cast => return self.cast(),
                Parenthesis::Expression => self.parens(),
            },
            TokenKind::Ident | TokenKind::Underscore => {
                if self.ahead(1) == TokenKind::Arrow && !self.arrow_ends {
                    return self.lambda();
                }
                if self.ahead(1) == TokenKind::OpenParen && self.at_word("yield") {
                    let message = "a method of this name is called as `this.yield` or the like";
                    self.error_here("invalid.yield", message);
                }
                let (name, _) = self.name();
                self.node(Kind::Name(name), start)
            }
            TokenKind::This => {
                self.bump();
                self.node(Kind::This { qualifier: None }, start)
            }
            TokenKind::Super => {
                self.bump();
                self.node(Kind::Super { qualifier: None }, start)
            }
            TokenKind::New => {
                self.bump();
                self.creation(None, start)
            }
            TokenKind::Switch => self.deeper(Parser::switch_expression),
            TokenKind::Less => self.generic_call(start),
            TokenKind::At => self.ty_without_brackets(true),
            TokenKind::Void => self.primitive(),
            kind if kind.is_primitive() => self.primitive(),
            kind => match literal(kind) {
                Some(literal) => {
                    self.bump();
                    self.node(Kind::Literal(literal), start)
                }
                None => {
                    self.error_here("illegal.start.of.expr", "expected an expression");
                    return self.missing();
                }
            },
        };
        self.selectors(node)
    }

    fn parens(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        let inner = self.bracketed(Parser::expression);
        self.expect(TokenKind::CloseParen);
        self.node(Kind::Parens { inner }, start)
    }

    fn cast(&mut self) -> NodeId {
        let start = self.start();
        self.bump();
        let at = self.start();
        let mut ty = self.ty();
        if self.kind == TokenKind::Amp {
            let mark = self.mark();
            self.push(ty);
            while self.eat(TokenKind::Amp) {
                let bound = self.ty();
                self.push(bound);
            }
            let bounds = self.list(mark);
            ty = self.node(Kind::IntersectionType { bounds }, at);
        }
        self.expect(TokenKind::CloseParen);
        let value = self.deeper(Parser::unary);
        self.node(Kind::Cast { ty, value }, start)
    }

    fn lambda(&mut self) -> NodeId {
        let start = self.start();
        let mark = self.mark();
        if self.eat(TokenKind::OpenParen) {
            while !matches!(self.kind, TokenKind::CloseParen | TokenKind::End) {
                let before = self.at;
                let is_bare = self.kind.is_name()
                    && matches!(self.ahead(1), TokenKind::Comma | TokenKind::CloseParen);
                let parameter = if is_bare { self.bare_parameter() } else { self.parameter() };
                self.push(parameter);
                if !self.eat(TokenKind::Comma) || self.at == before {
                    break;
                }
            }
            self.expect(TokenKind::CloseParen);
        } else {
            let parameter = self.bare_parameter();
            self.push(parameter);
        }
        let parameters = self.list(mark);
        self.expect(TokenKind::Arrow);
        let body = match self.kind {
            TokenKind::OpenBrace => self.block(),
            _ => self.expression(),
        };
        self.node(Kind::Lambda { parameters, body }, start)
    }

    /// A parameter of a lambda without a type.
    fn bare_parameter(&mut self) -> NodeId {
        let start = self.start();
        let (name, name_at) = self.name();
        let kind = Kind::Parameter {
            modifiers: None,
            ty: None,
            name,
            name_at,
            dims: List::default(),
            is_varargs: false,
        };
        self.node(kind, start)
    }
}

fn literal(kind: TokenKind) -> Option<Literal> {
    Some(match kind {
        TokenKind::IntLiteral => Literal::Int,
        TokenKind::LongLiteral => Literal::Long,
        TokenKind::FloatLiteral => Literal::Float,
        TokenKind::DoubleLiteral => Literal::Double,
        TokenKind::CharLiteral => Literal::Char,
        TokenKind::StringLiteral => Literal::String,
        TokenKind::TextBlock => Literal::TextBlock,
        TokenKind::True | TokenKind::False => Literal::Boolean,
        TokenKind::Null => Literal::Null,
        _ => return None,
    })
}
