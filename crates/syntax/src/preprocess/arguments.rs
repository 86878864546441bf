//! Finding the arguments of a macro call: commas and parentheses on the outermost level, where
//! brackets and `begin … end` and its relatives nest.

use super::fault::Arity;
use crate::token::TokenKind;

/// Tokens that can be looked at ahead of reading them.
pub(super) trait TokenSource {
    /// The kind of the token that many places ahead; `None` behind the last.
    fn kind(&self, ahead: usize) -> Option<TokenKind>;
}

/// The arguments are not closed, or there is a comma without argument.
#[derive(Debug)]
pub(super) struct BadArguments;

/// Looks for the arguments of a call whose name was just read. The arity is `None` if no
/// parenthesis follows. `ends` gets the places of the commas and of the closing parenthesis.
pub(super) fn scan_arguments(
    tokens: &impl TokenSource,
    ends: &mut Vec<u32>,
) -> Result<Arity, BadArguments> {
    ends.clear();
    if tokens.kind(0) != Some(TokenKind::LParen) {
        return Ok(None);
    }
    match tokens.kind(1) {
        Some(TokenKind::RParen) => {
            ends.push(1);
            return Ok(Some(0));
        }
        Some(TokenKind::Comma) => return Err(BadArguments),
        _ => {}
    }
    let mut at = 1;
    loop {
        at = argument_end(tokens, at);
        ends.push(at as u32);
        match tokens.kind(at) {
            None => return Err(BadArguments),
            Some(TokenKind::RParen) => return Ok(Some(ends.len() as u32)),
            Some(_) if tokens.kind(at + 1) == Some(TokenKind::RParen) => return Err(BadArguments),
            Some(_) => at += 1,
        }
    }
}

/// The place of the comma or parenthesis that ends the argument starting at `at`.
fn argument_end(tokens: &impl TokenSource, mut at: usize) -> usize {
    let mut open: Vec<TokenKind> = Vec::new();
    while let Some(kind) = tokens.kind(at) {
        match kind {
            TokenKind::Comma | TokenKind::RParen if open.is_empty() => return at,
            TokenKind::LParen => open.push(TokenKind::RParen),
            TokenKind::LBin => open.push(TokenKind::RBin),
            TokenKind::LBracket => open.push(TokenKind::RBracket),
            TokenKind::LBrace => open.push(TokenKind::RBrace),
            TokenKind::Begin
            | TokenKind::If
            | TokenKind::Case
            | TokenKind::Receive
            | TokenKind::Try
            | TokenKind::Cond
            | TokenKind::Maybe => open.push(TokenKind::End),
            TokenKind::Fun => match (tokens.kind(at + 1), tokens.kind(at + 2)) {
                (Some(TokenKind::LParen), _) => open.push(TokenKind::End),
                (Some(TokenKind::Var), Some(TokenKind::LParen)) => {
                    open.push(TokenKind::End);
                    at += 1;
                }
                _ => {}
            },
            close if open.last() == Some(&close) => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    at
}
