//! Diagnostics for people: message, source excerpt, and the places that belong to it.
//!
//! The drawing is done by `annotate-snippets` (tabs, wide characters, folding of long spans). It
//! is handed only the few lines that it shall show, so that a diagnostic costs the same in a file
//! of any size.
//!
//! A span is underlined with `^`. Where OTP's position is inside of it (the operator of `A + B`),
//! that place is marked with `^` and the rest with `-`.

use std::ops::Range;

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::source::{Loc, SourceFile, Span};

use crate::place::{notes, pointed_at, shown_path};

/// Spans of more lines than this are underlined on their first line only.
const MOST_LINES: u32 = 6;
/// Lines longer than this (in bytes) are not shown.
const LONGEST_LINE: usize = 10_000;

pub(crate) fn render(files: &[SourceFile], diagnostic: &Diagnostic, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let at = pointed_at(files, diagnostic);
    let mut main = with_excerpt(Group::with_title(title), files, diagnostic.span, Some(at));
    if let Some(help) = &diagnostic.help {
        main = main.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![main];
    for (message, span) in notes(files, diagnostic) {
        let title = Level::NOTE.secondary_title(message);
        groups.push(with_excerpt(Group::with_title(title), files, span, None));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.term_width(DEFAULT_TERM_WIDTH).render(&groups);
    text.push_str("\n\n");
    text
}

/// The excerpt of a span with where it is, and nothing else; empty if the span's file is unknown.
pub fn excerpt(files: &[SourceFile], span: Span, at: Loc, colour: bool) -> String {
    if files.get(usize::from(span.file.0)).is_none() {
        return String::new();
    }
    let group = with_excerpt(Group::with_level(Level::ERROR), files, span, Some(at));
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.term_width(DEFAULT_TERM_WIDTH).render(&[group]);
    text.push('\n');
    text
}

/// A piece of a module's text, pointed at.
pub fn excerpt_of(source: &session::Excerpt, colour: bool) -> String {
    excerpt(&source.module.files, source.span, source.at, colour)
}

/// Adds "where" and the excerpt of a span to a group; of a span in an unknown file, nothing.
fn with_excerpt<'a>(
    group: Group<'a>,
    files: &'a [SourceFile],
    span: Span,
    at: Option<Loc>,
) -> Group<'a> {
    let Some(file) = files.get(usize::from(span.file.0)) else { return group };
    let start = file.loc(span.start);
    let at = at.unwrap_or(start);
    let excerpt = Excerpt::of(file, span);
    if excerpt.text.is_empty() || excerpt.text.len() > LONGEST_LINE {
        let origin = Origin::path(shown_path(file));
        return group.element(origin.line(at.line as usize).char_column(at.column as usize));
    }
    let snippet = Snippet::source(excerpt.text)
        .path(shown_path(file))
        .line_start(excerpt.line)
        .annotations(marks(&excerpt, file, start, at));
    group.element(snippet)
}

/// The underlines of an excerpt whose span begins at `start` and is named by `at`.
fn marks(
    excerpt: &Excerpt<'_>,
    file: &SourceFile,
    start: Loc,
    at: Loc,
) -> Vec<Annotation<'static>> {
    let whole = excerpt.mark.clone();
    let anchor = offset(file, at).checked_sub(excerpt.start).filter(|at| whole.contains(at));
    match anchor {
        Some(anchor) if at != start => {
            let end = excerpt.text.ceil_char_boundary(anchor + 1);
            vec![AnnotationKind::Primary.span(anchor..end), AnnotationKind::Context.span(whole)]
        }
        _ => vec![AnnotationKind::Primary.span(whole)],
    }
}

/// The byte offset of a line and column.
fn offset(file: &SourceFile, at: Loc) -> usize {
    let line = file.line_text(at.line);
    let column = (at.column as usize).saturating_sub(1);
    let inside = line.char_indices().nth(column).map_or(line.len(), |(index, _)| index);
    line_start(file, at.line) + inside
}

/// The lines of a span, and where in them the span is.
struct Excerpt<'a> {
    text: &'a str,
    /// Byte offset of `text` in the file.
    start: usize,
    line: usize,
    /// The span, in bytes of `text`.
    mark: Range<usize>,
}

impl Excerpt<'_> {
    fn of(file: &SourceFile, span: Span) -> Excerpt<'_> {
        let text: &str = &file.text;
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.ceil_char_boundary((span.end as usize).max(start));
        let first = file.loc(start as u32).line;
        let last = file.loc(end as u32).line;
        let last = if last - first < MOST_LINES { last } else { first };
        let from = line_start(file, first);
        let to = from.max(line_end(file, last));
        let (start, end) = (start.min(to), end.min(to));
        let mark = start - from..end.max(start) - from;
        Excerpt { text: &text[from..to], start: from, line: first as usize, mark }
    }
}

fn line_start(file: &SourceFile, line: u32) -> usize {
    let index = (line as usize).saturating_sub(1);
    file.line_starts.get(index).map_or(file.text.len(), |&start| start as usize)
}

fn line_end(file: &SourceFile, line: u32) -> usize {
    line_start(file, line) + file.line_text(line).len()
}
