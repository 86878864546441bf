//! What is said about a form that cannot be read.
//!
//! Two texts for every error: the descriptor that OTP's parser would give, and a message of our own
//! that says what was found and what would have been possible. Which bracket or block is still open
//! is found out afterwards, by going over the tokens before the error; reading a correct form pays
//! nothing for it.

use crate::ast::{Kind, NodeId};
use crate::diagnostic::{Diagnostic, Origin, Related, Severity};
use crate::quote;
use crate::source::{FileId, Loc, Span};
use crate::token::{Literal, Token, TokenId, TokenKind, TokenValue};

use super::{Failed, MAX_DEPTH, Parsed, Parser};

pub(super) enum Failure {
    /// The token is none of those that are possible.
    Unexpected {
        token: u32,
        expected: &'static str,
    },
    /// The form is well-formed but says something impossible. The descriptor is OTP's, the
    /// message ours.
    Rejected {
        token: TokenId,
        code: &'static str,
        descriptor: String,
        message: String,
        related: Option<(TokenId, &'static str)>,
    },
    TooDeep {
        token: u32,
    },
}

impl Parser<'_> {
    /// Fails at the current token.
    pub(super) fn unexpected<T>(&mut self, expected: &'static str) -> Parsed<T> {
        self.failure = Some(Failure::Unexpected { token: self.pos, expected });
        Err(Failed)
    }

    /// Fails with an error that OTP's parser finds after reading a part of the form.
    pub(super) fn reject<T>(
        &mut self,
        token: TokenId,
        code: &'static str,
        text: &str,
    ) -> Parsed<T> {
        self.reject_because(token, code, quote::string(text), rejection(code, text), None)
    }

    /// The same where OTP puts the text together of characters and a name, and leaves it at that.
    pub(super) fn reject_formatted<T>(
        &mut self,
        token: TokenId,
        code: &'static str,
        [before, name, after]: [&str; 3],
    ) -> Parsed<T> {
        let mut parts: Vec<String> = before.bytes().map(|byte| byte.to_string()).collect();
        parts.push(quote::string(name));
        parts.extend(after.bytes().map(|byte| byte.to_string()));
        let descriptor = format!("[{}]", parts.join(","));
        self.reject_because(token, code, descriptor, format!("{before}{name}{after}"), None)
    }

    /// The same with a message of our own, and another place that belongs to it.
    pub(super) fn reject_because<T>(
        &mut self,
        token: TokenId,
        code: &'static str,
        descriptor: String,
        message: String,
        related: Option<(TokenId, &'static str)>,
    ) -> Parsed<T> {
        self.failure = Some(Failure::Rejected { token, code, descriptor, message, related });
        Err(Failed)
    }

    pub(super) fn too_deep<T>(&mut self) -> Parsed<T> {
        self.failure = Some(Failure::TooDeep { token: self.pos });
        Err(Failed)
    }

    /// Forgets what was made of the form and says what is wrong with it.
    pub(super) fn give_up(&mut self) -> Diagnostic {
        let diagnostic = self.diagnostic();
        self.module.nodes.truncate(self.before.nodes);
        self.module.lists.truncate(self.before.lists);
        self.module.literals.truncate(self.before.literals);
        diagnostic
    }

    pub(super) fn error_form(&mut self) -> NodeId {
        let token = match self.failure {
            Some(Failure::Unexpected { token, .. } | Failure::TooDeep { token }) => token,
            Some(Failure::Rejected { token, .. }) => token.0,
            None => self.pos,
        };
        let diagnostic = self.give_up();
        let index = self.module.diagnostics.len() as u32;
        self.module.diagnostics.push(diagnostic);
        let last = self.end.saturating_sub(1).max(self.start);
        let anchor = TokenId(token.min(last));
        let kind = Kind::ErrorForm { diagnostic: index };
        self.node(kind, TokenId(self.start), anchor, TokenId(last))
    }

    fn diagnostic(&self) -> Diagnostic {
        match &self.failure {
            Some(Failure::Unexpected { token, expected }) => self.syntax_error(*token, expected),
            Some(Failure::Rejected { token, code, descriptor, message, related }) => {
                let descriptor = Some(descriptor.clone());
                let mut diagnostic =
                    self.at(token.0, Origin::Parser, code, message.clone(), descriptor);
                diagnostic.related.extend(related.map(|(token, message)| Related {
                    message: message.to_owned(),
                    span: self.module.written(token),
                }));
                diagnostic
            }
            Some(Failure::TooDeep { token }) => {
                let message = format!("brackets and blocks nested more than {MAX_DEPTH} deep");
                self.at(*token, Origin::Erlscope, "nested_too_deeply", message, None)
            }
            None => self.syntax_error(self.pos, "a form"),
        }
    }

    fn syntax_error(&self, token: u32, expected: &str) -> Diagnostic {
        let found = self.module.tokens.get(token as usize).filter(|_| token < self.end);
        let (text, found) = match found {
            Some(found) => (self.otp_text(token), self.describe(found)),
            None => (None, "the end of the text".to_owned()),
        };
        let descriptor = format!(
            "[\"syntax error before: \",{}]",
            text.map_or("[]".to_owned(), |text| quote::string(&text))
        );
        let message = format!("expected {expected}, found {found}");
        let mut diagnostic =
            self.at(token, Origin::Parser, "syntax_error", message, Some(descriptor));
        if let Some(open) = self.innermost_open(token) {
            let text = self.module.token(open).kind.text().unwrap_or_default();
            diagnostic.related.push(Related {
                message: format!("this '{text}' is still open"),
                span: self.module.written(open),
            });
        }
        diagnostic
    }

    fn at(
        &self,
        token: u32,
        origin: Origin,
        code: &'static str,
        message: String,
        otp_descriptor: Option<String>,
    ) -> Diagnostic {
        let last = self.end.saturating_sub(1).max(self.start);
        let token = TokenId(token.min(last));
        let (span, loc) = if (token.0 as usize) < self.module.tokens.len() {
            (self.module.written(token), self.module.token(token).loc)
        } else {
            (Span { file: FileId::MAIN, start: 0, end: 0 }, Loc { line: 1, column: 1 })
        };
        Diagnostic {
            severity: Severity::Error,
            origin,
            code,
            message,
            span,
            loc,
            related: Vec::new(),
            help: None,
            otp_descriptor,
        }
    }

    /// How OTP's parser writes a token in its messages; `None` for the end of the text.
    fn otp_text(&self, id: u32) -> Option<String> {
        if let Some(text) = self.module.quoted_feature_keyword(TokenId(id)) {
            return Some(text.to_owned());
        }
        let token = self.module.token(TokenId(id));
        Some(match (token.kind, token.value) {
            (TokenKind::Eof, _) => return None,
            (TokenKind::Dot, _) => "'.'".to_owned(),
            (TokenKind::Atom, TokenValue::Name(name)) => quote::atom(name.as_str()),
            (TokenKind::Symbol, TokenValue::Name(name)) => quote::quoted_atom(name.as_str()),
            (TokenKind::Var, TokenValue::Name(name)) => name.as_str().to_owned(),
            (TokenKind::Char, TokenValue::Char(code)) => {
                char::from_u32(code).map_or_else(|| format!("${code}"), quote::char)
            }
            (_, TokenValue::Literal(id)) => match self.module.literal(id) {
                Literal::Integer(value) => value.to_string(),
                Literal::Float(value) => quote::float(*value),
                Literal::String(text) => quote::string(text),
            },
            (kind, _) => quote::atom(kind.text().unwrap_or_default()),
        })
    }

    /// A token in our own messages.
    fn describe(&self, token: &Token) -> String {
        let text = self.module.text(token.span);
        let text = match text.char_indices().nth(40) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        match token.kind {
            TokenKind::Eof => "the end of the text".to_owned(),
            TokenKind::Dot => "the full stop that ends the form".to_owned(),
            TokenKind::Atom => format!("the atom {text}"),
            TokenKind::Var => format!("the variable {text}"),
            TokenKind::Integer | TokenKind::Float => format!("the number {text}"),
            TokenKind::String | TokenKind::Sigil => format!("the string {text}"),
            TokenKind::Char => format!("the character {text}"),
            kind => format!("'{}'", kind.text().unwrap_or(&text)),
        }
    }

    /// The bracket or block that encloses a token.
    fn innermost_open(&self, before: u32) -> Option<TokenId> {
        // `fun(` opens a block in expressions only.
        let in_types = self.kind_at(self.start) == TokenKind::Minus;
        let mut open = Vec::new();
        for pos in self.start..before.min(self.end) {
            match self.kind_at(pos) {
                TokenKind::LParen
                | TokenKind::LBracket
                | TokenKind::LBrace
                | TokenKind::LBin
                | TokenKind::Begin
                | TokenKind::Case
                | TokenKind::If
                | TokenKind::Receive
                | TokenKind::Try
                | TokenKind::Maybe => open.push(pos),
                TokenKind::Fun if !in_types => {
                    let next = (self.kind_at(pos + 1), self.kind_at(pos + 2));
                    if next.0 == TokenKind::LParen || next == (TokenKind::Var, TokenKind::LParen) {
                        open.push(pos);
                    }
                }
                TokenKind::RParen
                | TokenKind::RBracket
                | TokenKind::RBrace
                | TokenKind::RBin
                | TokenKind::End => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.pop().map(TokenId)
    }
}

/// Our own words for what OTP's parser rejects.
fn rejection(code: &str, text: &str) -> String {
    match code {
        "bad_attribute" => "the value of an attribute must be a term".to_owned(),
        "bad_name_arity" => format!("expected a list of Name/Arity ({text})"),
        "bad_record_field" => "a record field is a name, or 'name = default'".to_owned(),
        "bad_type_variable" => "this must be a type variable other than '_'".to_owned(),
        "bad_binary_type" => "this must be '_' in a binary type".to_owned(),
        "bad_variable_list" => "expected a list of variables".to_owned(),
        _ => text.to_owned(),
    }
}
