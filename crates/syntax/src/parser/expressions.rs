//! Operators of expressions, patterns and types, by precedence.
//!
//! Operators that wait for their right operand stand on one stack; an operator that binds less
//! tightly than the one on top closes it. `catch` is a prefix operator that binds least of all, and
//! is allowed wherever an operand is.

use crate::ast::{BinaryOp, Kind, NodeList, UnaryOp};
use crate::token::{TokenId, TokenKind};

use super::{Parsed, Parser, Part};

/// What is being read. A pattern here is what the grammar restricts to patterns: the heads of
/// functions and funs, and `catch` clauses. Patterns of `case` and `=` are read as expressions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Expression,
    Pattern,
    Type,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Associates {
    Left,
    Right,
    Not,
}

#[derive(Clone, Copy)]
enum Action {
    Binary(BinaryOp),
    Match,
    Range,
    Prefix(UnaryOp),
    Catch,
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    token: TokenId,
    precedence: u16,
    action: Action,
    /// The left operand; none for prefix operators.
    left: Option<Part>,
}

const PREFIX: u16 = 600;
/// The operators that do not associate.
const COMPARISON: u16 = 200;

fn prefix_operator(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::Plus => UnaryOp::Plus,
        TokenKind::Minus => UnaryOp::Minus,
        TokenKind::Bnot => UnaryOp::Bnot,
        TokenKind::Not => UnaryOp::Not,
        _ => return None,
    })
}

fn infix_operator(kind: TokenKind) -> Option<(u16, Associates, Action)> {
    use Associates::{Left, Not, Right};
    let (precedence, associates, operator) = match kind {
        TokenKind::Eq => return Some((100, Right, Action::Match)),
        TokenKind::DotDot => return Some((200, Not, Action::Range)),
        TokenKind::Bang => (100, Right, BinaryOp::Send),
        TokenKind::Orelse => (150, Right, BinaryOp::Orelse),
        TokenKind::Andalso => (160, Right, BinaryOp::Andalso),
        TokenKind::EqEq => (200, Not, BinaryOp::Eq),
        TokenKind::SlashEq => (200, Not, BinaryOp::Ne),
        TokenKind::EqLt => (200, Not, BinaryOp::Le),
        TokenKind::Lt => (200, Not, BinaryOp::Lt),
        TokenKind::GtEq => (200, Not, BinaryOp::Ge),
        TokenKind::Gt => (200, Not, BinaryOp::Gt),
        TokenKind::EqColonEq => (200, Not, BinaryOp::ExactEq),
        TokenKind::EqSlashEq => (200, Not, BinaryOp::ExactNe),
        TokenKind::PlusPlus => (300, Right, BinaryOp::Append),
        TokenKind::MinusMinus => (300, Right, BinaryOp::Subtract),
        TokenKind::Plus => (400, Left, BinaryOp::Add),
        TokenKind::Minus => (400, Left, BinaryOp::Sub),
        TokenKind::Bor => (400, Left, BinaryOp::Bor),
        TokenKind::Bxor => (400, Left, BinaryOp::Bxor),
        TokenKind::Bsl => (400, Left, BinaryOp::Bsl),
        TokenKind::Bsr => (400, Left, BinaryOp::Bsr),
        TokenKind::Or => (400, Left, BinaryOp::Or),
        TokenKind::Xor => (400, Left, BinaryOp::Xor),
        TokenKind::Star => (500, Left, BinaryOp::Mul),
        TokenKind::Slash => (500, Left, BinaryOp::Div),
        TokenKind::Div => (500, Left, BinaryOp::IntDiv),
        TokenKind::Rem => (500, Left, BinaryOp::Rem),
        TokenKind::Band => (500, Left, BinaryOp::Band),
        TokenKind::And => (500, Left, BinaryOp::And),
        _ => return None,
    };
    Some((precedence, associates, Action::Binary(operator)))
}

/// Whether the grammar has this operator where `mode` is read.
fn is_allowed(mode: Mode, precedence: u16, action: Action) -> bool {
    match (mode, action) {
        (Mode::Type, Action::Range) => true,
        (_, Action::Range) => false,
        (Mode::Expression, _) => true,
        (Mode::Pattern, Action::Match) => true,
        (Mode::Pattern, _) => precedence >= 200,
        (Mode::Type, _) => precedence >= 400,
    }
}

/// Whether a token can follow what `mode` reads, somewhere in the grammar.
fn may_follow(kind: TokenKind, mode: Mode) -> bool {
    use TokenKind as T;
    match kind {
        T::RParen | T::Comma | T::RBrace | T::RBracket | T::RBin | T::Dot => {
            mode != Mode::Pattern || matches!(kind, T::RParen | T::Comma)
        }
        T::When | T::Arrow => mode != Mode::Type || kind == T::When,
        T::Semicolon | T::Bar | T::FatArrow | T::ColonEq => mode != Mode::Pattern,
        T::Colon => mode == Mode::Pattern,
        T::Of
        | T::Catch
        | T::After
        | T::End
        | T::Else
        | T::QuestionEq
        | T::ColonColon
        | T::BarBar
        | T::LeftArrow
        | T::StrictLeftArrow
        | T::AmpAmp => mode == Mode::Expression,
        _ => false,
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Part> {
        self.nested(|parser| parser.operators(Mode::Expression, None))
    }

    pub(super) fn pattern(&mut self) -> Parsed<Part> {
        self.nested(|parser| parser.operators(Mode::Pattern, None))
    }

    /// A type without `|` and `::` outside of brackets.
    pub(super) fn simple_type(&mut self) -> Parsed<Part> {
        self.nested(|parser| parser.operators(Mode::Type, None))
    }

    /// An expression whose first operand has been read already.
    pub(super) fn expression_from(&mut self, operand: Part) -> Parsed<Part> {
        self.nested(|parser| {
            let operand = parser.postfix(operand)?;
            parser.operators(Mode::Expression, Some(operand))
        })
    }

    /// One or more expressions separated by commas.
    pub(super) fn expressions(&mut self) -> Parsed<NodeList> {
        let mark = self.mark();
        self.push_expressions()?;
        Ok(self.list_since(mark))
    }

    /// Reads expressions separated by commas onto the stack of children.
    pub(super) fn push_expressions(&mut self) -> Parsed<()> {
        loop {
            let expression = self.expression()?;
            self.children.push(expression.node);
            if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn operators(&mut self, mode: Mode, mut first: Option<Part>) -> Parsed<Part> {
        let base = self.pending.len();
        loop {
            let mut operand = match first.take() {
                Some(operand) => operand,
                None => {
                    self.prefix_operators(mode);
                    match mode {
                        Mode::Expression => self.operand()?,
                        Mode::Pattern => self.pattern_operand()?,
                        Mode::Type => self.type_operand()?,
                    }
                }
            };
            let infix = infix_operator(self.kind)
                .filter(|&(precedence, _, action)| is_allowed(mode, precedence, action));
            let Some((precedence, associates, action)) = infix else {
                // OTP's tables have no default action behind an operator that does not associate:
                // what cannot follow is an error before anything is said about the whole.
                let compares = self.pending[base..].iter().any(|op| op.precedence == COMPARISON);
                if compares && !may_follow(self.kind, mode) {
                    return self.unexpected("an operator or the end of the expression");
                }
                while self.pending.len() > base {
                    operand = self.close_operator(operand);
                }
                return Ok(operand);
            };
            while let Some(top) = self.pending[base..].last() {
                if top.precedence == precedence && associates == Associates::Not {
                    return self.unexpected("the end of the comparison, which cannot be chained");
                }
                let closes = top.precedence > precedence
                    || (top.precedence == precedence && associates == Associates::Left);
                if !closes {
                    break;
                }
                operand = self.close_operator(operand);
            }
            let token = self.advance();
            self.pending.push(Pending { token, precedence, action, left: Some(operand) });
        }
    }

    fn prefix_operators(&mut self, mode: Mode) {
        loop {
            let (precedence, action) = match prefix_operator(self.kind) {
                Some(operator) => (PREFIX, Action::Prefix(operator)),
                None if self.kind == TokenKind::Catch && mode == Mode::Expression => {
                    (0, Action::Catch)
                }
                None => return,
            };
            let token = self.advance();
            self.pending.push(Pending { token, precedence, action, left: None });
        }
    }

    /// Applies the operator on top of the stack to its right operand.
    fn close_operator(&mut self, right: Part) -> Part {
        let Some(Pending { token, action, left, .. }) = self.pending.pop() else { return right };
        let left = left.unwrap_or(right);
        let (kind, anchor) = match action {
            Action::Binary(op) => {
                (Kind::BinaryOp { op, left: left.node, right: right.node }, token)
            }
            Action::Match => (
                Kind::Match { pattern: left.node, value: right.node },
                self.first_anchor(left.node),
            ),
            Action::Range => (
                Kind::RangeType { low: left.node, high: right.node },
                self.module[left.node].anchor,
            ),
            Action::Prefix(op) => (Kind::UnaryOp { op, operand: right.node }, token),
            Action::Catch => (Kind::Catch { body: right.node }, token),
        };
        let first = match action {
            Action::Prefix(_) | Action::Catch => token,
            _ => left.first(),
        };
        Part::new(self.node(kind, first, anchor, self.previous()), first)
    }

    /// A prefix operator and an operand that takes none of what may follow an operand elsewhere:
    /// the value of a binary's segment.
    pub(super) fn segment_value(&mut self) -> Parsed<Part> {
        let Some(op) = prefix_operator(self.kind) else { return self.primary() };
        let token = self.advance();
        let operand = self.primary()?;
        Ok(self.part(Kind::UnaryOp { op, operand: operand.node }, token, token))
    }
}
