//! From files to a module: reads forms, expands them, and has them parsed.

use std::path::Path;
use std::sync::Arc;

use crate::ast::{Kind, Module, Node};
use crate::decode;
use crate::diagnostic::{Diagnostic, Origin, Severity};
use crate::lexer::{self, Cursor, FormEnd, Names, Sink};
use crate::options::Options;
use crate::parser;
use crate::source::{FileId, Files, SourceFile, Span};
use crate::token::{Token, TokenId, TokenKind, TokenValue};

/// Reads a module from a file.
pub fn read_module(path: &Path, files: &dyn Files, options: &Options) -> Module {
    match files.read(path) {
        Ok(bytes) => read_module_bytes(path, bytes, files, options),
        Err(_) => Module::default(),
    }
}

/// Reads a module whose text is at hand.
pub fn read_module_bytes(
    path: &Path,
    bytes: Vec<u8>,
    _files: &dyn Files,
    _options: &Options,
) -> Module {
    let mut module = Module::default();
    let decoded = decode::decode(bytes);
    let text: Arc<str> = decoded.text.into();
    module.files.push(SourceFile::new(path.to_path_buf(), text.clone(), decoded.encoding));
    let (mut cursor, mut names) = (Cursor::START, Names::new());
    loop {
        let start = module.tokens.len() as u32;
        let sink =
            Sink { tokens: &mut module.tokens, literals: &mut module.literals, names: &mut names };
        let end = lexer::lex_form(&text, FileId::MAIN, &mut cursor, false, sink);
        let here = Span { file: FileId::MAIN, start: cursor.pos, end: cursor.pos };
        let eof = Token {
            kind: TokenKind::Eof,
            span: here,
            loc: cursor.loc(),
            expansion: None,
            value: TokenValue::None,
        };
        match end {
            FormEnd::Dot => {
                let range = start..module.tokens.len() as u32;
                let form = parser::parse_form(&mut module, range);
                module.forms.push(form);
            }
            FormEnd::Eof => {
                if module.tokens.len() as u32 > start {
                    module.tokens.push(eof);
                    let range = start..module.tokens.len() as u32;
                    let form = parser::parse_form(&mut module, range);
                    module.forms.push(form);
                }
                push_form(&mut module, Kind::EndOfFile, eof);
                return module;
            }
            FormEnd::Error(error) => {
                module.tokens.truncate(start as usize);
                let span = Span { file: FileId::MAIN, start: error.start, end: error.end };
                let diagnostic = module.diagnostics.len() as u32;
                module.diagnostics.push(Diagnostic {
                    severity: Severity::Error,
                    origin: Origin::Scanner,
                    code: "illegal",
                    message: format!("{:?}", error.problem),
                    span,
                    loc: error.loc,
                    related: Vec::new(),
                    help: None,
                    otp_descriptor: None,
                });
                let token = Token { span, loc: error.loc, ..eof };
                push_form(&mut module, Kind::ErrorForm { diagnostic }, token);
            }
        }
    }
}

/// Appends a form that consists of one token.
fn push_form(module: &mut Module, kind: Kind, token: Token) {
    let id = TokenId(module.tokens.len() as u32);
    module.tokens.push(token);
    let node = crate::ast::NodeId(module.nodes.len() as u32);
    module.nodes.push(Node { kind, first: id, last: id, anchor: id });
    module.forms.push(node);
}
