//! Changes of a text, and how they are made.

use super::Printer;
use java::tree::NodeId;

/// A piece of text that something else stands for.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: String,
}

/// Makes changes in a piece of a text; those within others are gone with them.
pub(super) fn apply(source: &str, start: usize, end: usize, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> =
        edits.iter().filter(|edit| start <= edit.start && edit.end <= end).collect();
    edits.sort_by_key(|edit| (edit.start, std::cmp::Reverse(edit.end)));
    let mut out = String::with_capacity(end - start);
    let mut at = start;
    for edit in edits {
        if edit.start < at {
            continue;
        }
        out.push_str(source.get(at..edit.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(source.get(at..end).unwrap_or_default());
    out
}

impl Printer<'_> {
    pub(super) fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.edits.push(Edit { start, end, text: text.into() });
    }

    pub(super) fn replace_node(&mut self, node: NodeId, text: impl Into<String>) {
        let (start, end) = self.span(node);
        self.replace(start, end, text);
    }

    /// Takes a statement or member away, with its lines if it has them for itself, and with the
    /// comment in front of it.
    pub(super) fn delete(&mut self, node: NodeId) {
        let (start, end) = self.span(node);
        let (start, end) = self.with_lines(start, end);
        self.replace(start, end, "");
    }

    fn with_lines(&self, start: usize, end: usize) -> (usize, usize) {
        let source = self.source();
        let line = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &source[end..];
        let until = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let behind = rest[..until].trim();
        let is_alone = source[line..start].trim().is_empty()
            && (behind.is_empty() || behind.starts_with("//"));
        if !is_alone {
            return (start, end);
        }
        let mut first = line;
        // Comments that have their lines for themselves.
        while first > 0 {
            let above = source[..first - 1].rfind('\n').map_or(0, |at| at + 1);
            let text = source[above..first].trim();
            let is_comment = text.starts_with("//")
                || text.starts_with("/*") && text.ends_with("*/")
                || text.starts_with('*')
                || text.starts_with("/**");
            if !is_comment {
                break;
            }
            first = above;
        }
        (first, end + until)
    }

    /// The text of a node with the changes that `inner` makes in it.
    pub(super) fn rendered(&mut self, node: NodeId, inner: impl FnOnce(&mut Self)) -> String {
        let outside = std::mem::take(&mut self.edits);
        inner(self);
        let edits = std::mem::replace(&mut self.edits, outside);
        let (start, end) = self.span(node);
        apply(self.source(), start, end, &edits)
    }
}
