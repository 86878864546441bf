//! Where a span is, in words that users and other programs understand.
//!
//! The line and column of a diagnostic are those that OTP names. Only where they cannot be found
//! in the file (a `-file` attribute made the file claim to be another one) the physical place of
//! the text is shown instead: an excerpt must show lines that are there.

use serde::Serialize;
use syntax::diagnostic::Diagnostic;
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
            file: shown_path(file),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        })
    }
}

/// The one position to name for a diagnostic.
pub(crate) fn position(files: &[SourceFile], diagnostic: &Diagnostic) -> Loc {
    let Some(place) = Place::of(files, diagnostic.span) else { return diagnostic.loc };
    let start = Loc { line: place.line, column: place.column };
    let end = Loc { line: place.end_line, column: place.end_column };
    if (start..=end).contains(&diagnostic.loc) { diagnostic.loc } else { start }
}

/// The path of a file as reports show it.
pub(crate) fn shown_path(file: &SourceFile) -> String {
    file.path.to_string_lossy().into_owned()
}

/// The `-include`s through which a file came in, innermost first. They come from a module that
/// was read, where a header's includer is always listed before it; the test for that keeps a
/// malformed list from going round in circles.
pub(crate) fn include_chain(files: &[SourceFile], span: Span) -> Vec<Span> {
    let mut chain = Vec::new();
    let mut file = span.file;
    while let Some(site) = files.get(usize::from(file.0)).and_then(|file| file.included_from) {
        if site.file >= file {
            break;
        }
        chain.push(site);
        file = site.file;
    }
    chain
}
