//! Tokens of a text that is not a module: configuration files and other lists of terms.

use std::path::Path;
use std::sync::Arc;

use crate::decode;
use crate::diagnostic::{Diagnostic, Origin, Severity};
use crate::lexer::{self, Cursor, FormEnd, LexError, Names, Problem, Sink};
use crate::source::{FileId, SourceFile, Span};
use crate::token::{Literal, Token, TokenKind, TokenValue};

/// The tokens of a file, not preprocessed. Each form ends with a [`TokenKind::Dot`]; the last
/// token is always [`TokenKind::Eof`], and what stands between the last full stop and it has none.
#[derive(Debug)]
pub struct Scanned {
    pub file: SourceFile,
    pub tokens: Vec<Token>,
    pub literals: Vec<Literal>,
    /// What is no token. The forms it was found in are left out of `tokens`.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the tokens of a file whose bytes are at hand.
pub fn scan(path: &Path, bytes: Vec<u8>) -> Scanned {
    let decoded = decode::decode(bytes);
    let text: Arc<str> = decoded.text.into();
    let mut scanned = Scanned {
        file: SourceFile::new(path.to_path_buf(), text.clone(), decoded.encoding),
        tokens: Vec::new(),
        literals: Vec::new(),
        diagnostics: Vec::new(),
    };
    let (mut cursor, mut names) = (Cursor::START, Names::new());
    loop {
        let start = scanned.tokens.len();
        let sink = Sink {
            tokens: &mut scanned.tokens,
            literals: &mut scanned.literals,
            names: &mut names,
        };
        match lexer::lex_form(&text, FileId::MAIN, &mut cursor, false, sink) {
            FormEnd::Dot => {}
            FormEnd::Error(error) => {
                scanned.tokens.truncate(start);
                scanned.diagnostics.push(diagnostic(&error));
            }
            FormEnd::Eof => break,
        }
    }
    let span = Span { file: FileId::MAIN, start: cursor.pos, end: cursor.pos };
    if decoded.invalid {
        let error = LexError {
            problem: Problem::Illegal("encoding"),
            loc: cursor.loc(),
            start: cursor.pos,
            end: cursor.pos,
        };
        scanned.diagnostics.push(diagnostic(&error));
    }
    scanned.tokens.push(Token {
        kind: TokenKind::Eof,
        span,
        loc: cursor.loc(),
        expansion: None,
        value: TokenValue::None,
    });
    scanned
}

fn diagnostic(error: &LexError) -> Diagnostic {
    let (code, message) = match &error.problem {
        Problem::Illegal(what) => ("illegal", format!("illegal {what}")),
        Problem::Base(base) => ("base", format!("no number has the base {base}")),
        Problem::Unterminated { quote: '\'', .. } => {
            ("unterminated", "a quoted atom has no closing quote".to_owned())
        }
        Problem::Unterminated { .. } => {
            ("unterminated", "a string has no closing quote".to_owned())
        }
        Problem::Char => ("char", "`$` without a character".to_owned()),
        Problem::Indentation => {
            ("indentation", "a line is indented less than the closing quotes".to_owned())
        }
    };
    Diagnostic {
        severity: Severity::Error,
        origin: Origin::Scanner,
        code,
        message,
        span: Span { file: FileId::MAIN, start: error.start, end: error.end },
        loc: error.loc,
        related: Vec::new(),
        help: None,
        otp_descriptor: None,
    }
}
