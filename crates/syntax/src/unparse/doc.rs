//! A pretty printer: text with places where a line may break, laid out to a given width.
//!
//! The writer appends items to a [`Document`]: text, possible line breaks, and brackets around
//! groups. A group is set on one line if it fits, and broken at all of its own breaks if not (a
//! *filled* group breaks only where the line is full). This is the model of Oppen, "Prettyprinting"
//! (TOPLAS 1980), over a stored document instead of a stream with a ring buffer: one pass from the
//! back computes for each group how much room it needs, one pass from the front prints.
//!
//! What a group needs reaches from its opening to the first possible break behind its end, so that
//! a closing bracket or comma behind it does not run over the edge.
//!
//! Cost: linear in the number of items; no recursion. Width is counted in code points, so wide
//! characters and combining marks are misjudged. A text that is wider than the page stays whole.

/// How a group is laid out if it does not fit on the line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// Every break of the group becomes a line end.
    All,
    /// Only those behind which the next piece would run over the edge.
    AsNeeded,
}

#[derive(Clone, Copy)]
enum Item {
    /// A piece of [`Document::text`].
    Text {
        start: usize,
        end: usize,
        width: u64,
    },
    /// A possible line end; `flat` is what it is worth on one line: a blank or nothing.
    Line {
        flat: &'static str,
    },
    /// A line end whatever the room.
    Hard,
    Open(Breaks),
    Close,
    Indent(usize),
    Dedent(usize),
}

/// A stored document. Groups and indentations must be closed in the reverse order of opening.
#[derive(Default)]
pub(super) struct Document {
    items: Vec<Item>,
    text: String,
}

/// How a document is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Width(u64),
    /// Everything on one line, hard line ends as blanks.
    OneLine,
}

/// The flat width of a hard line end: no group that has one fits on a line, and the sum over all
/// items of a document that fits in memory does not overflow.
const NEVER_FITS: u64 = 1 << 32;

/// Indentation stops growing here, so that the text of a deep tree is no longer than linear in it.
const DEEPEST_INDENT: usize = 120;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken(Breaks),
}

impl Document {
    /// Appends text, which must not hold line breaks.
    pub(super) fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let added = text.chars().count() as u64;
        if let Some(Item::Text { end, width, .. }) = self.items.last_mut() {
            *end = self.text.len();
            *width += added;
        } else {
            self.items.push(Item::Text { start, end: self.text.len(), width: added });
        }
    }

    /// A line end, or a blank if the group fits on one line.
    pub(super) fn line(&mut self) {
        self.items.push(Item::Line { flat: " " });
    }

    /// A line end, or nothing if the group fits on one line.
    pub(super) fn soft_line(&mut self) {
        self.items.push(Item::Line { flat: "" });
    }

    pub(super) fn hard_line(&mut self) {
        self.items.push(Item::Hard);
    }

    pub(super) fn open(&mut self, breaks: Breaks) {
        self.items.push(Item::Open(breaks));
    }

    pub(super) fn close(&mut self) {
        self.items.push(Item::Close);
    }

    pub(super) fn indent(&mut self, columns: usize) {
        self.items.push(Item::Indent(columns));
    }

    pub(super) fn dedent(&mut self, columns: usize) {
        self.items.push(Item::Dedent(columns));
    }

    /// For each group opening and each possible break: the columns from there to the next possible
    /// break behind the end of the group (behind the break), if everything between is on one line.
    fn needs(&self) -> Vec<u64> {
        let mut needs = vec![0; self.items.len()];
        // Both count from the end of the document.
        let mut width: u64 = 0;
        let mut next_break: u64 = 0;
        let mut groups = Vec::new();
        for (item, need) in self.items.iter().zip(&mut needs).rev() {
            match *item {
                Item::Text { width: text, .. } => width += text,
                Item::Line { flat } => {
                    width += flat.len() as u64;
                    *need = width - next_break;
                    next_break = width;
                }
                Item::Hard => {
                    // What is behind the line end needs no room on this line.
                    next_break = width + NEVER_FITS;
                    width = next_break;
                }
                Item::Close => groups.push(next_break),
                Item::Open(_) => *need = width - groups.pop().unwrap_or(next_break),
                Item::Indent(_) | Item::Dedent(_) => {}
            }
        }
        needs
    }

    /// The document as text.
    pub(super) fn print(&self, page: Page) -> String {
        let Page::Width(page_width) = page else { return self.print_flat() };
        let needs = self.needs();
        let mut out = Output::default();
        let mut modes = vec![Mode::Broken(Breaks::All)];
        for (item, &need) in self.items.iter().zip(&needs) {
            let mode = modes.last().copied().unwrap_or(Mode::Broken(Breaks::All));
            let fits = out.column + need <= page_width;
            match *item {
                Item::Text { start, end, width } => out.text(&self.text[start..end], width),
                Item::Line { flat } => {
                    let stays = match mode {
                        Mode::Flat => true,
                        Mode::Broken(Breaks::All) => false,
                        Mode::Broken(Breaks::AsNeeded) => fits,
                    };
                    if stays {
                        out.text(flat, flat.len() as u64);
                    } else {
                        out.line_end();
                    }
                }
                Item::Hard => out.line_end(),
                Item::Open(_) if mode == Mode::Flat || fits => modes.push(Mode::Flat),
                Item::Open(breaks) => modes.push(Mode::Broken(breaks)),
                Item::Close => {
                    modes.pop();
                }
                Item::Indent(columns) => out.indent += columns,
                Item::Dedent(columns) => out.indent -= columns.min(out.indent),
            }
        }
        out.text
    }

    fn print_flat(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + self.items.len() / 2);
        for item in &self.items {
            match *item {
                Item::Text { start, end, .. } => out.push_str(&self.text[start..end]),
                Item::Line { flat } => out.push_str(flat),
                Item::Hard => out.push(' '),
                Item::Open(_) | Item::Close | Item::Indent(_) | Item::Dedent(_) => {}
            }
        }
        out
    }
}

/// Text under way; the indentation of a line is written with its first text, so that no line ends
/// in blanks.
#[derive(Default)]
struct Output {
    text: String,
    column: u64,
    indent: usize,
    at_line_start: bool,
}

impl Output {
    fn text(&mut self, text: &str, width: u64) {
        if self.at_line_start && !text.is_empty() {
            self.text.extend(std::iter::repeat_n(' ', self.indent.min(DEEPEST_INDENT)));
            self.at_line_start = false;
        }
        self.text.push_str(text);
        self.column += width;
    }

    fn line_end(&mut self) {
        let blanks = self.text.len() - self.text.trim_end_matches(' ').len();
        self.text.truncate(self.text.len() - blanks);
        self.text.push('\n');
        self.column = self.indent.min(DEEPEST_INDENT) as u64;
        self.at_line_start = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Builds a document from a small notation: `(`/`)` group, `{`/`}` filled group, `>`/`<` indent
    /// by two, `_` blank or line end, `|` nothing or line end, `!` hard line end, else text.
    fn document(notation: &str) -> Document {
        let mut document = Document::default();
        for symbol in notation.chars() {
            match symbol {
                '(' => document.open(Breaks::All),
                '{' => document.open(Breaks::AsNeeded),
                ')' | '}' => document.close(),
                '>' => document.indent(2),
                '<' => document.dedent(2),
                '_' => document.line(),
                '|' => document.soft_line(),
                '!' => document.hard_line(),
                text => document.text(text.encode_utf8(&mut [0; 4])),
            }
        }
        document
    }

    fn check(notation: &str, width: u64, expected: Expect) {
        expected.assert_eq(&document(notation).print(Page::Width(width)));
    }

    #[test]
    fn a_group_that_fits_is_one_line() {
        check("(f[>|a,_b<|])", 7, expect!["f[a, b]"]);
    }

    #[test]
    fn a_group_that_does_not_fit_breaks_everywhere() {
        check(
            "(f[>|a,_b<|])",
            6,
            expect![[r#"
                f[
                  a,
                  b
                ]"#]],
        );
    }

    #[test]
    fn outer_groups_break_before_inner_ones() {
        check(
            "(f[>|(g[>|a,_b<|]),_c<|])",
            10,
            expect![[r#"
                f[
                  g[a, b],
                  c
                ]"#]],
        );
    }

    #[test]
    fn text_behind_a_group_counts_up_to_the_next_break() {
        check(
            "(a_b);",
            3,
            expect![[r#"
            a
            b;"#]],
        );
        check(
            "(a_b)_;",
            3,
            expect![[r#"
            a b
            ;"#]],
        );
    }

    #[test]
    fn a_hard_line_end_breaks_the_groups_around_it() {
        check(
            "((a_b)_c!d)",
            80,
            expect![[r#"
            a b
            c
            d"#]],
        );
    }

    #[test]
    fn a_filled_group_breaks_where_the_line_is_full() {
        check(
            "{1,_2,_3,_4,_5}",
            6,
            expect![[r#"
            1, 2,
            3, 4,
            5"#]],
        );
    }

    #[test]
    fn one_line_has_no_line_ends() {
        expect!["fun a, b end"].assert_eq(&document("fun!>a,!b<!end").print(Page::OneLine));
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let depth = 200_000;
        let notation = "(".repeat(depth) + "a_b" + &")".repeat(depth);
        assert_eq!(document(&notation).print(Page::Width(2)), "a\nb");
    }
}
