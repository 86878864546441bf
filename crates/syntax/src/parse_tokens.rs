//! Forms from tokens that somebody else made: what `erl_parse:parse_form/1` does.

use std::path::PathBuf;

use crate::ast::{Kind, Module, NodeId};
use crate::diagnostic::Diagnostic;
use crate::parser;
use crate::source::{Encoding, SourceFile};
use crate::token::{Literal, Token, TokenKind};

/// The form that tokens make, in a module of its own that has no text; the tokens should end with a
/// full stop. On failure, what is wrong, and with which token: their number if it is the end that
/// is missing.
pub fn parse_form(
    tokens: Vec<Token>,
    literals: Vec<Literal>,
) -> Result<(Module, NodeId), (Box<Diagnostic>, u32)> {
    let count = tokens.len() as u32;
    let mut module = Module { tokens, literals, ..Module::default() };
    module.files.push(SourceFile::new(PathBuf::new(), "".into(), Encoding::Utf8));
    let form = parser::parse_form(&mut module, 0..count);
    match module.kind(form) {
        Kind::ErrorForm { diagnostic } => {
            let token = module[form].anchor.0;
            let diagnostic = module.diagnostics.swap_remove(diagnostic as usize);
            Err((Box::new(diagnostic), token))
        }
        _ => Ok((module, form)),
    }
}

/// The keyword or symbol with a text; one that no grammar uses is a [`TokenKind::Symbol`].
pub fn fixed_kind(text: &str) -> Option<TokenKind> {
    TokenKind::keyword(text)
        .or_else(|| TokenKind::feature_keyword(text))
        .or_else(|| TokenKind::symbol(text))
}
