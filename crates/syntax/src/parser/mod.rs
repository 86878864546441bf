//! Tokens of one form to nodes.
//!
//! Recursive descent; operators are put in their place with a stack (`expressions`), so a chain of
//! a million operators costs neither depth nor more than linear time. Lists, clauses and unions are
//! read in loops. Only brackets and blocks recurse, on a stack that grows on demand, down to
//! `MAX_DEPTH` levels.
//!
//! It accepts what OTP's grammar accepts, from OTP 21's to the newest. OTP's parser is made by an
//! LALR generator: it stops at the first token that cannot continue any valid form, having done
//! every reduction that its default actions allow. Here the same holds because no function consumes
//! a token before it is known to be possible, and the checks that OTP does after a reduction (heads
//! of clauses, attribute values, type variables) are done where that reduction happens.
//!
//! A form that is wrong gives one error and no nodes but its [`Kind::ErrorForm`].

mod attributes;
mod clauses;
mod errors;
mod expressions;
mod forms;
mod operands;
mod types;

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;
use std::ops::Range;

use crate::ast::{Kind, Module, Node, NodeId, NodeList};
use crate::diagnostic::Diagnostic;
use crate::token::{TokenId, TokenKind};
use errors::Failure;
use expressions::Pending;

/// How deep brackets and blocks may nest.
const MAX_DEPTH: u32 = 50_000;
/// Every so many levels it is looked whether the stack is large enough for so many more.
const LEVELS_A_LOOK: u32 = 8;
/// Stack that is left at least when a level is entered, and what is added when there is less.
const RED_ZONE: usize = 256 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

/// Reads one form: the tokens `range` of `module.tokens`, the last of which is the full stop.
/// Whatever the tokens, a node comes back; if they are no form it is an
/// [`crate::ast::Kind::ErrorForm`] and `module.diagnostics` says why.
pub(crate) fn parse_form(module: &mut Module, range: Range<u32>) -> NodeId {
    let mut parser = Parser::new(module, range);
    match parser.form() {
        Ok(form) => form,
        Err(Failed) => parser.error_form(),
    }
}

/// Reads expressions separated by commas and ended by a full stop (the condition of `-if`, a value
/// of `-D`). On failure nothing is left behind in `module.nodes`.
pub(crate) fn parse_expressions(
    module: &mut Module,
    range: Range<u32>,
) -> Result<Vec<NodeId>, Box<Diagnostic>> {
    let mut parser = Parser::new(module, range);
    let parsed = parser.expressions().and_then(|list| {
        parser.expect(TokenKind::Dot, "an operator, ',' or '.'")?;
        Ok(list)
    });
    match parsed {
        Ok(list) => Ok(parser.module.list(list).to_vec()),
        Err(Failed) => Err(Box::new(parser.give_up())),
    }
}

/// The form cannot be read; `Parser::failure` says why.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// A node with the first of the tokens that stand for it, parentheses around it included. (The last
/// is the one that was consumed last when the part was made.)
///
/// Every function returns one of these, so it is made to fit into two registers: the position of
/// the token is kept one too high, and zero is free to mean failure.
#[derive(Clone, Copy)]
struct Part {
    node: NodeId,
    after_first: NonZeroU32,
}

impl Part {
    fn new(node: NodeId, first: TokenId) -> Part {
        Part { node, after_first: NonZeroU32::MIN.saturating_add(first.0) }
    }

    fn first(self) -> TokenId {
        TokenId(self.after_first.get() - 1)
    }
}

struct Parser<'m> {
    module: &'m mut Module,
    start: u32,
    /// The current token, and its kind.
    pos: u32,
    end: u32,
    kind: TokenKind,
    depth: u32,
    /// Children of the lists that are being read.
    children: Vec<NodeId>,
    /// Operators that wait for their right operand.
    pending: Vec<Pending>,
    failure: Option<Failure>,
    /// Lengths of the module's tables when the form began.
    before: Before,
}

struct Before {
    nodes: usize,
    lists: usize,
    literals: usize,
}

impl<'m> Parser<'m> {
    fn new(module: &'m mut Module, range: Range<u32>) -> Parser<'m> {
        let before = Before {
            nodes: module.nodes.len(),
            lists: module.lists.len(),
            literals: module.literals.len(),
        };
        let end = range.end.min(module.tokens.len() as u32);
        let mut parser = Parser {
            module,
            start: range.start,
            pos: range.start,
            end,
            kind: TokenKind::Eof,
            depth: 0,
            children: Vec::new(),
            pending: Vec::new(),
            failure: None,
            before,
        };
        parser.kind = parser.kind_at(range.start);
        parser
    }

    fn kind_at(&self, pos: u32) -> TokenKind {
        if pos < self.end { self.module.tokens[pos as usize].kind } else { TokenKind::Eof }
    }

    fn next_kind(&self) -> TokenKind {
        self.kind_at(self.pos + 1)
    }

    fn is_attribute(&self) -> bool {
        self.kind_at(self.start) == TokenKind::Minus
    }

    fn here(&self) -> TokenId {
        TokenId(self.pos)
    }

    /// The token that was consumed last.
    fn previous(&self) -> TokenId {
        TokenId(self.pos.saturating_sub(1).max(self.start))
    }

    fn advance(&mut self) -> TokenId {
        let token = self.here();
        if self.pos < self.end {
            self.pos += 1;
        }
        self.kind = self.kind_at(self.pos);
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, expected: &'static str) -> Parsed<TokenId> {
        if self.kind == kind { Ok(self.advance()) } else { self.unexpected(expected) }
    }

    /// Runs `body` one level deeper, on a stack that is large enough for it.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let result = if self.depth.is_multiple_of(LEVELS_A_LOOK) {
            stacker::maybe_grow(RED_ZONE, STACK_STEP, || body(self))
        } else {
            body(self)
        };
        self.depth -= 1;
        result
    }

    fn node(&mut self, kind: Kind, first: TokenId, anchor: TokenId, last: TokenId) -> NodeId {
        let id = NodeId(self.module.nodes.len() as u32);
        self.module.nodes.push(Node { kind, first, last, anchor });
        id
    }

    /// A node that ends with the token consumed last.
    fn part(&mut self, kind: Kind, first: TokenId, anchor: TokenId) -> Part {
        let last = self.previous();
        Part::new(self.node(kind, first, anchor, last), first)
    }

    /// A node of one token, which is the current one.
    fn leaf(&mut self, kind: Kind) -> Part {
        let token = self.advance();
        self.part(kind, token, token)
    }

    /// Makes a list of the children collected since `mark`.
    fn list_since(&mut self, mark: usize) -> NodeList {
        let start = self.module.lists.len() as u32;
        let len = (self.children.len() - mark) as u32;
        self.module.lists.extend_from_slice(&self.children[mark..]);
        self.children.truncate(mark);
        NodeList { start, len }
    }

    fn mark(&self) -> usize {
        self.children.len()
    }

    fn kind_of(&self, node: NodeId) -> Kind {
        self.module.kind(node)
    }

    /// The first of the positions that belong to a node, as OTP finds it.
    fn first_anchor(&self, node: NodeId) -> TokenId {
        self.module.first_anchor(node).token
    }
}
