//! Lists of things with a separator between them, some of which are left out.
//!
//! What is between two things belongs to them: a comment behind a separator on the same line to the
//! thing before it, everything after the line break to the thing behind it.

use super::Printer;

/// A thing: where it is written, and what is printed for it, if anything is.
pub(crate) struct Item {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: Option<String>,
}

/// What is between two things.
struct Gap<'t> {
    /// Before the separator.
    before: &'t str,
    separator: &'t str,
    /// Behind the separator, on its line.
    behind: &'t str,
    /// From the line break on, or the blanks if there is none.
    next: &'t str,
}

impl<'t> Gap<'t> {
    fn of(text: &'t str) -> Gap<'t> {
        let at = separator(text).unwrap_or(text.len());
        let (before, rest) = text.split_at(at);
        let length = rest.chars().next().map_or(0, char::len_utf8);
        let (separator, rest) = rest.split_at(length);
        let line = rest.find('\n').unwrap_or(rest.len());
        let on_line = &rest[..line];
        let is_comment = on_line.trim_start().starts_with('%');
        let behind = if is_comment { line } else { 0 };
        let (behind, next) = rest.split_at(behind);
        Gap { before, separator, behind, next }
    }
}

/// Where the separator is: the first comma or semicolon outside of comments.
fn separator(text: &str) -> Option<usize> {
    let mut in_comment = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => in_comment = false,
            '%' => in_comment = true,
            ',' | ';' if !in_comment => return Some(at),
            // Alternatives of clauses in one text: `||` and the like do not occur between things.
            _ => {}
        }
    }
    None
}

impl Printer<'_> {
    /// The things that are printed, from `start` to `end`. Without any, nothing.
    pub(crate) fn items(&self, start: usize, items: &[Item], end: usize) -> String {
        let kept: Vec<usize> =
            (0..items.len()).filter(|&index| items[index].text.is_some()).collect();
        let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else {
            return String::new();
        };
        let gap = |index: usize| Gap::of(self.slice_of(items[index].end, items[index + 1].start));
        let mut out = String::new();
        let lead = self.slice_of(start, items[0].start);
        if first == 0 {
            out.push_str(lead);
        } else {
            let next = gap(first - 1).next;
            // The comments of what was left out go with it.
            let has_comment = next.contains('%');
            out.push_str(if has_comment && lead.contains('\n') { next } else { blank(lead) });
        }
        for (position, &index) in kept.iter().enumerate() {
            out.push_str(items[index].text.as_deref().unwrap_or_default());
            let Some(&following) = kept.get(position + 1) else { break };
            let own = gap(index);
            out.push_str(own.before);
            out.push_str(own.separator);
            out.push_str(own.behind);
            out.push_str(gap(following - 1).next);
        }
        if last + 1 < items.len() {
            let own = gap(last);
            out.push_str(own.before.trim_end());
            if !own.behind.is_empty() {
                out.push_str(own.behind);
            }
            let rest = self.slice_of(items[items.len() - 1].end, end);
            if (!own.behind.is_empty() || own.before.contains('%')) && !rest.starts_with('\n') {
                out.push('\n');
            }
            out.push_str(rest);
        } else {
            out.push_str(self.slice_of(items[last].end, end));
        }
        out
    }
}

/// The text without its comments.
fn blank(text: &str) -> &str {
    match text.find('%') {
        Some(_) => &text[text.rfind('\n').unwrap_or(0)..],
        None => text,
    }
}
