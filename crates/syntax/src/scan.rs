//! Tokens of a text that is not a module: configuration files and other lists of terms.

use std::path::Path;
use std::sync::Arc;

use crate::decode;
use crate::diagnostic::Diagnostic;
use crate::lexer::{self, Cursor, FormEnd, Names, Sink};
use crate::preprocess::fault::Problem;
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
                let span = Span { file: FileId::MAIN, start: error.start, end: error.end };
                let problem = Problem::Scanner(error.problem);
                scanned.diagnostics.push(problem.diagnostic(error.loc, span));
            }
            FormEnd::Eof => break,
        }
    }
    let span = Span { file: FileId::MAIN, start: cursor.pos, end: cursor.pos };
    if decoded.invalid {
        scanned.diagnostics.push(Problem::InvalidUnicode.diagnostic(cursor.loc(), span));
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
