//! The text as the user laid it out: comments, white space, and to which form a comment belongs.
//!
//! The tree knows its tokens only, and of the tokens only those that are left after preprocessing
//! (not the directives, not what was skipped by `-ifdef`). So a [`Layout`] scans the text of one
//! file again and cuts it without rest into pieces: tokens, comments, white space, and what cannot
//! be read. The pieces put together are the text.
//!
//! Comments belong to the form behind them if no empty line is between, and to the form before them
//! if they begin on the line where it ends; others stand for themselves.
//!
//! Cost: linear in the text, once a file; the questions are binary searches.

use crate::ast::{Module, NodeId};
use crate::lexer::{self, Cursor, FormEnd, Names, Sink};
use crate::source::{FileId, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    Token,
    /// From the per cent sign to the end of the line, without the line break.
    Comment,
    WhiteSpace,
    /// Text the scanner cannot read.
    Unreadable,
}

/// A piece of a file's text. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub kind: PieceKind,
    pub span: Span,
}

/// The pieces of one file.
#[derive(Debug)]
pub struct Layout<'m> {
    text: &'m str,
    pieces: Vec<Piece>,
}

/// The comments around and in a stretch of text, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comments {
    /// Right before it: no empty line between them and it.
    pub before: Vec<Span>,
    pub inside: Vec<Span>,
    /// Behind it, beginning on the line where it ends.
    pub behind: Vec<Span>,
}

impl Module {
    /// What the user wrote for a node, to the letter, comments in it included. If it came out of a
    /// macro, that is the macro call.
    pub fn original_text(&self, id: NodeId) -> &str {
        self.text(self.span(id))
    }

    /// The layout of one of the module's files.
    pub fn layout(&self, file: FileId) -> Layout<'_> {
        Layout::new(&self.file(file).text, file)
    }
}

impl<'m> Layout<'m> {
    pub fn new(text: &'m str, file: FileId) -> Layout<'m> {
        let mut builder = Builder { text, file, pieces: Vec::new(), end: 0 };
        let (mut cursor, mut names) = (Cursor::START, Names::new());
        let (mut tokens, mut literals) = (Vec::new(), Vec::new());
        loop {
            let sink = Sink { tokens: &mut tokens, literals: &mut literals, names: &mut names };
            let before = cursor.pos;
            let end = lexer::lex_form(text, file, &mut cursor, false, sink);
            for token in tokens.drain(..) {
                builder.add(PieceKind::Token, token.span.start, token.span.end);
            }
            literals.clear();
            match end {
                FormEnd::Dot => {}
                FormEnd::Eof => break,
                FormEnd::Error(error) => {
                    builder.add(PieceKind::Unreadable, error.start, error.end.max(cursor.pos));
                }
            }
            // The scanner always moves on; should it not, the rest is left as it is.
            if cursor.pos <= before {
                builder.add(PieceKind::Unreadable, cursor.pos, text.len() as u32);
                break;
            }
        }
        builder.fill_up_to(text.len() as u32);
        Layout { text, pieces: builder.pieces }
    }

    /// The whole text in order, without rest.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// All comments of the file.
    pub fn comments(&self) -> impl Iterator<Item = Span> {
        self.pieces.iter().filter(|piece| piece.kind == PieceKind::Comment).map(|piece| piece.span)
    }

    /// The pieces that begin in a range of bytes.
    pub fn pieces_in(&self, start: u32, end: u32) -> &[Piece] {
        let from = self.pieces.partition_point(|piece| piece.span.start < start);
        let to = self.pieces.partition_point(|piece| piece.span.start < end);
        self.pieces.get(from..to).unwrap_or_default()
    }

    /// Comments and white space between the end of one token and the start of another.
    pub fn between(&self, first: Span, second: Span) -> &[Piece] {
        self.pieces_in(first.end, second.start)
    }

    /// The comments that belong to a form, or to any other stretch of text that starts and ends
    /// with a token.
    pub fn comments_of(&self, span: Span) -> Comments {
        let inside = self
            .pieces_in(span.start, span.end)
            .iter()
            .filter(|piece| piece.kind == PieceKind::Comment)
            .map(|piece| piece.span)
            .collect();
        Comments { before: self.before(span.start), inside, behind: self.behind(span.end) }
    }

    fn text_of(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn before(&self, start: u32) -> Vec<Span> {
        let end = self.pieces.partition_point(|piece| piece.span.start < start);
        let mut comments = Vec::new();
        let mut pieces = self.pieces[..end].iter().rev().peekable();
        while let Some(piece) = pieces.next() {
            match piece.kind {
                PieceKind::Comment => {
                    // One behind a token of the same line belongs to what ends there.
                    let own_line =
                        pieces.peek().is_none_or(|before| self.text_of(before.span).contains('\n'))
                            || self.starts_file(piece.span);
                    if !own_line {
                        break;
                    }
                    comments.push(piece.span);
                }
                PieceKind::WhiteSpace => {
                    if self.text_of(piece.span).matches('\n').count() > 1 {
                        break;
                    }
                }
                PieceKind::Token | PieceKind::Unreadable => break,
            }
        }
        comments.reverse();
        comments
    }

    /// Whether only white space is before it.
    fn starts_file(&self, span: Span) -> bool {
        self.text.get(..span.start as usize).is_some_and(|before| before.trim().is_empty())
    }

    fn behind(&self, end: u32) -> Vec<Span> {
        let from = self.pieces.partition_point(|piece| piece.span.start < end);
        self.pieces[from..]
            .iter()
            .take_while(|piece| match piece.kind {
                PieceKind::Comment => true,
                PieceKind::WhiteSpace => !self.text_of(piece.span).contains('\n'),
                PieceKind::Token | PieceKind::Unreadable => false,
            })
            .filter(|piece| piece.kind == PieceKind::Comment)
            .map(|piece| piece.span)
            .collect()
    }
}

/// Cuts text into pieces from front to back.
struct Builder<'m> {
    text: &'m str,
    file: FileId,
    pieces: Vec<Piece>,
    /// Where the next piece begins.
    end: u32,
}

impl Builder<'_> {
    fn push(&mut self, kind: PieceKind, end: u32) {
        if end > self.end {
            let span = Span { file: self.file, start: self.end, end };
            self.pieces.push(Piece { kind, span });
            self.end = end;
        }
    }

    /// A token or unreadable text, after what is before it.
    fn add(&mut self, kind: PieceKind, start: u32, end: u32) {
        self.fill_up_to(start);
        self.push(kind, end);
    }

    /// Comments and white space.
    fn fill_up_to(&mut self, end: u32) {
        let offset = |length: usize| length as u32;
        while self.end < end {
            let Some(rest) = self.text.get(self.end as usize..end as usize) else { return };
            let blank = |c: char| c <= ' ' || ('\u{80}'..='\u{A0}').contains(&c);
            if rest.starts_with('%') {
                let length = rest.find('\n').unwrap_or(rest.len());
                self.push(PieceKind::Comment, self.end + offset(length));
            } else if rest.starts_with(blank) {
                let length = rest.find(|c| !blank(c)).unwrap_or(rest.len());
                self.push(PieceKind::WhiteSpace, self.end + offset(length));
            } else {
                let length = rest.find(|c| blank(c) || c == '%').unwrap_or(rest.len());
                self.push(PieceKind::Unreadable, self.end + offset(length));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const MODULE: &str = "\
%% The file.

%% Says who.
-module(m). % behind

% stands for itself

% one
  % two
f(X) -> % inside
    {\"% no comment\", $%, '%', X}. % three % four
";

    fn check(start: &str, end: &str, expected: Expect) {
        let layout = Layout::new(MODULE, FileId::MAIN);
        let start = MODULE.find(start).unwrap();
        let end = start + MODULE[start..].find(end).unwrap() + end.len();
        let span = Span { file: FileId::MAIN, start: start as u32, end: end as u32 };
        let comments = layout.comments_of(span);
        let texts = |spans: Vec<Span>| {
            let texts: Vec<_> = spans.into_iter().map(|span| layout.text_of(span)).collect();
            texts.join(" | ")
        };
        expected.assert_eq(&format!(
            "before: {}\ninside: {}\nbehind: {}\n",
            texts(comments.before),
            texts(comments.inside),
            texts(comments.behind)
        ));
    }

    #[test]
    fn comments_of_forms() {
        check(
            "-module",
            ").",
            expect![[r#"
            before: %% Says who.
            inside: 
            behind: % behind
        "#]],
        );
        check(
            "f(X)",
            "}.",
            expect![[r#"
            before: % one | % two
            inside: % inside
            behind: % three % four
        "#]],
        );
    }

    #[test]
    fn all_comments() {
        let layout = Layout::new(MODULE, FileId::MAIN);
        let texts: Vec<_> = layout.comments().map(|span| layout.text_of(span)).collect();
        expect![[r#"
            %% The file.
            %% Says who.
            % behind
            % stands for itself
            % one
            % two
            % inside
            % three % four"#]]
        .assert_eq(&texts.join("\n"));
    }

    #[test]
    fn pieces_are_the_text() {
        arbtest::arbtest(|u| {
            const WORDS: &[&str] = &[
                "f", "X", " ", "\n", "\t", "%", "\"", "'", "$", ".", "->", "\\", "1", "#", "~b",
                "\"\"\"\n", "é", "\u{85}", "日", "\u{0}", "{", "}", "12#", "1.e", "?",
            ];
            let mut text = String::new();
            while !u.is_empty() {
                text.push_str(u.choose(WORDS)?);
            }
            let layout = Layout::new(&text, FileId::MAIN);
            let pieces: String = layout.pieces().iter().map(|p| layout.text_of(p.span)).collect();
            assert_eq!(pieces, text);
            Ok(())
        });
    }
}
