//! Errors, and where reading goes on behind them.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

use super::Parser;

impl Parser {
    pub(super) fn error_at(&mut self, code: &'static str, message: String, span: Span) {
        // One complaint for each token: what follows from the first is of no use.
        let here = self.start();
        if self.complained == Some(here) {
            return;
        }
        self.complained = Some(here);
        self.tree.diagnostics.push(Diagnostic { code, message, span });
    }

    /// The current token is wrong.
    pub(super) fn error_here(&mut self, code: &'static str, message: &str) {
        let token = self.token();
        self.error_at(code, message.to_owned(), Span { start: token.start, end: token.end });
    }

    /// Something is missing in front of the current token: told behind the one before.
    pub(super) fn expected(&mut self, what: &str) {
        let end = self.end();
        let found = self.kind.text();
        let quoted = |text: &str| {
            let is_word = text.starts_with("a ") || text.starts_with("an ") || text.contains(' ');
            if is_word { text.to_owned() } else { format!("`{text}`") }
        };
        let message = format!("expected {} before {}", quoted(what), quoted(found));
        self.error_at("expected", message, Span { start: end, end });
    }

    /// Skips tokens that nobody wants: up to the end of a statement or member, or to where one
    /// begins. What brackets hold is skipped with them.
    pub(super) fn skip_to_boundary(&mut self) {
        let from = self.at;
        loop {
            match self.kind {
                TokenKind::End | TokenKind::CloseBrace => return,
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::OpenParen | TokenKind::OpenBracket => {
                    let close = self.closing[self.at] as usize;
                    if self.kind_at(close) != TokenKind::End {
                        self.at = close;
                    }
                    self.bump();
                }
                kind if self.at > from && begins_afresh(kind) => return,
                _ => self.bump(),
            }
        }
    }

    /// Goes on behind an item of a list when nothing was consumed for it.
    pub(super) fn ensure_progress(&mut self, before: usize) {
        if self.at == before {
            if !matches!(self.kind, TokenKind::End) {
                self.error_here("illegal.start", "this does not belong here");
            }
            self.bump();
        }
    }
}

/// Tokens that begin a statement or a member and nothing else.
fn begins_afresh(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        OpenBrace
            | Abstract
            | Assert
            | Break
            | Case
            | Class
            | Continue
            | Default
            | Do
            | Enum
            | Final
            | For
            | If
            | Import
            | Interface
            | Native
            | Package
            | Private
            | Protected
            | Public
            | Return
            | Static
            | Throw
            | Transient
            | Try
            | Volatile
            | While
            | At
    )
}
