//! Places in source text, as answers name them.

use std::sync::Arc;

use serde::Serialize;
use syntax::ast::Module;
use syntax::source::{Loc, SourceFile, Span};

/// A range of text in a file. Lines and columns count from 1, columns in code points; the end
/// column is the one after the last character.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Place {
    /// The place of a span; `None` if the span names a file that is not there.
    pub fn of(files: &[SourceFile], span: Span) -> Option<Place> {
        let file = files.get(usize::from(span.file.0))?;
        let (start, end) = (file.loc(span.start), file.loc(span.end.max(span.start)));
        Some(Place {
            file: file.path.to_string_lossy().into_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        })
    }
}

/// A piece of a module's text that is worth showing.
#[derive(Clone, Debug)]
pub struct Excerpt {
    pub module: Arc<Module>,
    pub span: Span,
    /// Where exactly to point at.
    pub at: Loc,
}

impl Excerpt {
    pub fn place(&self) -> Option<Place> {
        Place::of(&self.module.files, self.span)
    }
}
