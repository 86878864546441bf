//! `??Arg`: the text of an argument.

use crate::ast::Module;
use crate::quote;
use crate::token::{Literal, Token, TokenKind, TokenValue};

/// The tokens as text with one space between any two, written as OTP writes them: not as in the
/// source, but from their values.
pub(super) fn stringify(module: &Module, tokens: &[Token]) -> String {
    let mut out = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(&token_text(module, token));
    }
    out
}

fn token_text(module: &Module, token: &Token) -> String {
    match (token.kind, token.value) {
        (TokenKind::Dot, _) => ".".to_owned(),
        (TokenKind::Atom, TokenValue::Name(name)) => quote::atom_latin1(name.as_str()),
        (TokenKind::Sigil, _) => module.text(token.span).to_owned(),
        (_, TokenValue::Name(name)) => name.to_string(),
        (_, TokenValue::Char(c)) => quote::char(char::from_u32(c).unwrap_or_default()),
        (_, TokenValue::Literal(id)) => match module.literal(id) {
            Literal::Integer(value) => value.to_string(),
            Literal::Float(value) => quote::float(*value),
            Literal::String(text) => quote::string(text),
        },
        (kind, TokenValue::None) => kind.text().unwrap_or_default().to_owned(),
    }
}
