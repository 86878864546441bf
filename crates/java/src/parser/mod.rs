//! Tokens to a tree: recursive descent, with operators by precedence.
//!
//! What Java's grammar leaves open is decided by looking at tokens ahead (`lookahead`), never by
//! trying and taking back: every token is consumed once, and what was seen of type arguments is
//! remembered, so that reading is linear in the text.
//!
//! Nothing fails. A function that finds something else than it needs says so once for a place
//! ([`Parser::error_at`]), makes a [`Kind::Error`] where a node has to be, and leaves the token to
//! its callers; loops over statements, members and the like skip what nobody wants (`recovery`).
//! Errors stand where javac puts them: what is missing is missed behind the token before, what is
//! not wanted is pointed at.
//!
//! Nesting recurses on a stack that grows on demand, down to [`MAX_DEPTH`] levels, where the rest
//! of the file is given up with a diagnostic.

mod calls;
mod classes;
mod expressions;
mod lookahead;
mod members;
mod modules;
mod patterns;
mod recovery;
mod statements;
mod switches;
mod types;

use atom::Atom;
use rustc_hash::FxHashMap;

use crate::diagnostic::Diagnostic;
use crate::escapes;
use crate::lexer;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};
use crate::tree::{Kind, List, NodeId, Tree};

/// How deep constructs may nest.
pub const MAX_DEPTH: u32 = 10_000;
/// Stack that is left at least when a level is entered, and what is added when there is less.
const RED_ZONE: usize = 128 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

/// Reads a file. Whatever the bytes, a tree comes back.
pub fn read(bytes: &[u8]) -> Tree {
    let (source, unreadable) = Source::decode(bytes);
    let mut tree = read_source(source);
    let errors = unreadable.into_iter().map(|start| Diagnostic {
        code: "illegal.char.for.encoding",
        message: "these bytes are no UTF-8".to_owned(),
        span: Span { start, end: start + char::REPLACEMENT_CHARACTER.len_utf8() as u32 },
    });
    tree.diagnostics.extend(errors);
    tree.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    tree
}

/// Reads a text.
pub fn read_text(text: &str) -> Tree {
    let mut tree = read_source(Source::new(text));
    tree.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    tree
}

fn read_source(source: Source) -> Tree {
    let mut diagnostics = Vec::new();
    let tokens = lexer::tokens(&source.text, &mut diagnostics);
    let mut parser = Parser::new(tokens, Tree::empty(source));
    parser.tree.diagnostics = diagnostics;
    parser.unit();
    parser.tree
}

struct Parser {
    tokens: Vec<Token>,
    /// For every opening bracket the index of what closes it; the index of the end where nothing
    /// does.
    closing: Vec<u32>,
    /// Index of the current token, and its kind.
    at: usize,
    kind: TokenKind,
    tree: Tree,
    /// Children of the lists that are being read.
    children: Vec<NodeId>,
    /// Where type arguments end that begin with this `<`; 0 if they are none.
    angles: FxHashMap<u32, u32>,
    depth: u32,
    /// Whether a `->` ends the expression that is being read, instead of making it a lambda.
    arrow_ends: bool,
    /// Start of the token that was complained about last: one error for each place.
    complained: Option<u32>,
}

/// Where a list of children begins that is being read.
#[derive(Clone, Copy)]
struct Mark(usize);

impl Parser {
    fn new(tokens: Vec<Token>, tree: Tree) -> Parser {
        let closing = lookahead::closing(&tokens);
        let kind = tokens.first().map_or(TokenKind::End, |token| token.kind);
        Parser {
            tokens,
            closing,
            at: 0,
            kind,
            tree,
            children: Vec::new(),
            angles: FxHashMap::default(),
            depth: 0,
            arrow_ends: false,
            complained: None,
        }
    }

    // ---- Tokens --------------------------------------------------------------------------------

    /// The kind of the token at an index; beyond the end it is the end.
    fn kind_at(&self, index: usize) -> TokenKind {
        self.tokens.get(index).map_or(TokenKind::End, |token| token.kind)
    }

    fn ahead(&self, count: usize) -> TokenKind {
        self.kind_at(self.at + count)
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// Where the current token begins.
    fn start(&self) -> u32 {
        self.tokens[self.at].start
    }

    /// Where the token before the current one ends.
    fn end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |index| self.tokens[index].end)
    }

    fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
            self.kind = self.tokens[self.at].kind;
        }
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Consumes a token of this kind, or says that it is missing.
    fn expect(&mut self, kind: TokenKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(kind.text());
        }
        found
    }

    /// Whether the token at an index is this word, which is a keyword in places.
    fn word_at(&self, index: usize, word: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| {
            token.kind == TokenKind::Ident
                && (token.end - token.start) as usize == word.len()
                && self.text_of(*token) == word
        })
    }

    fn at_word(&self, word: &str) -> bool {
        self.word_at(self.at, word)
    }

    fn text_of(&self, token: Token) -> &str {
        self.tree.source.slice(Span { start: token.start, end: token.end })
    }

    /// The name that a token spells.
    fn name_of(&self, token: Token) -> Atom {
        let text = self.text_of(token);
        match escapes::translate(text.as_bytes()) {
            None => Atom::new(text),
            Some(translated) => Atom::new(&String::from_utf8_lossy(&translated.bytes)),
        }
    }

    /// Consumes an identifier: its name and place. Where there is none, an empty name.
    fn name(&mut self) -> (Atom, u32) {
        let token = self.token();
        if token.kind == TokenKind::Ident {
            self.bump();
            return (self.name_of(token), token.start);
        }
        if token.kind == TokenKind::Underscore {
            self.error_here("underscore.as.identifier", "`_` is no name");
            self.bump();
            return (self.name_of(token), token.start);
        }
        self.expected("an identifier");
        (Atom::new(""), self.end())
    }

    // ---- Nodes ---------------------------------------------------------------------------------

    /// Makes a node that began at `start` and ends with the last token that was consumed.
    fn node(&mut self, kind: Kind, start: u32) -> NodeId {
        let end = self.end().max(start);
        self.tree.add(kind, Span { start, end })
    }

    /// A node for what is missing here.
    fn missing(&mut self) -> NodeId {
        let at = self.end();
        self.tree.add(Kind::Error, Span { start: at, end: at })
    }

    fn start_of(&self, id: NodeId) -> u32 {
        self.tree.span(id).start
    }

    fn mark(&self) -> Mark {
        Mark(self.children.len())
    }

    fn push(&mut self, child: NodeId) {
        self.children.push(child);
    }

    /// The list of all children that were pushed since the mark.
    fn list(&mut self, mark: Mark) -> List {
        let list = self.tree.add_list(&self.children[mark.0..]);
        self.children.truncate(mark.0);
        list
    }

    // ---- Depth ---------------------------------------------------------------------------------

    /// Runs what may nest on a stack that is large enough.
    fn deeper(&mut self, body: impl FnOnce(&mut Parser) -> NodeId) -> NodeId {
        if self.depth >= MAX_DEPTH {
            if self.kind != TokenKind::End {
                self.error_here("nesting.too.deep", "nested too deep; the rest is not read");
                self.at = self.tokens.len() - 1;
                self.kind = TokenKind::End;
            }
            return self.missing();
        }
        self.depth += 1;
        let node = stacker::maybe_grow(RED_ZONE, STACK_STEP, || body(self));
        self.depth -= 1;
        node
    }

    /// Runs what is within brackets, where an arrow is an arrow again.
    fn bracketed<R>(&mut self, body: impl FnOnce(&mut Parser) -> R) -> R {
        let before = std::mem::replace(&mut self.arrow_ends, false);
        let result = body(self);
        self.arrow_ends = before;
        result
    }
}
