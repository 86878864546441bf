//! Where a span is, in words that users and other programs understand.
//!
//! A diagnostic has a span, the text that is at fault, and the position that OTP names, which is
//! mostly inside of it but not always (all problems with a list of exports are reported at the
//! attribute). Where there is an excerpt, the text is what to point at; where there is one line and
//! column only, they are OTP's, so that other programs can compare.

use session::Place;
use syntax::diagnostic::Diagnostic;
use syntax::source::{Loc, SourceFile, Span};
use syntax::wording::INCLUDED_FROM;

/// The one position to name for a diagnostic where only one can be named: OTP's, unless a `-file`
/// attribute gave the lines of the file other numbers than they have.
pub(crate) fn position(files: &[SourceFile], diagnostic: &Diagnostic) -> Loc {
    let pointed = pointed_at(files, diagnostic);
    let Some(file) = files.get(usize::from(diagnostic.span.file.0)) else { return pointed };
    let renumbered = || file.text.contains("-file(");
    if pointed == diagnostic.loc || renumbered() { pointed } else { diagnostic.loc }
}

/// The position to point at in the text: OTP's if it is in the span, otherwise where that begins.
pub(crate) fn pointed_at(files: &[SourceFile], diagnostic: &Diagnostic) -> Loc {
    let Some(place) = Place::of(files, diagnostic.span) else { return diagnostic.loc };
    let start = Loc { line: place.line, column: place.column };
    let end = Loc { line: place.end_line, column: place.end_column };
    if (start..=end).contains(&diagnostic.loc) { diagnostic.loc } else { start }
}

/// The path of a file as reports show it.
pub(crate) fn shown_path(file: &SourceFile) -> String {
    file.path.to_string_lossy().into_owned()
}

/// What is to be said besides the message of a diagnostic, and where: what belongs to it, then the
/// `-include`s through which its file came in, unless that has been said.
pub(crate) fn notes<'d>(files: &[SourceFile], diagnostic: &'d Diagnostic) -> Vec<(&'d str, Span)> {
    let related = diagnostic.related.iter().map(|related| (related.message.as_str(), related.span));
    let is_new = |site: &Span| diagnostic.related.iter().all(|related| related.span != *site);
    let includes = include_chain(files, diagnostic.span).into_iter().filter(is_new);
    related.chain(includes.map(|site| (INCLUDED_FROM, site))).collect()
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
