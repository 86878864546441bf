//! The original text of the modules of a slice, with what is not in it dimmed.

use std::ops::Range;

use flow::Flow;
use slice::Slice;

use crate::drawing::escaped;

/// A path, a text, and the ranges of it that are in a slice.
pub(crate) type Text = (String, String, Vec<Range<usize>>);

/// The text of each module that has something of the slice, and the ranges of it that are in it.
fn texts(flow: &Flow, slice: &Slice<'_>) -> Vec<Text> {
    let mut found = Vec::new();
    for name in slice.modules() {
        let Some(module) = flow.modules.iter().find(|module| module.name == name) else { continue };
        let Some(file) = module.tree.files.first() else { continue };
        let ranges = slice.ranges(name).unwrap_or_default();
        found.push((module.path.display().to_string(), file.text.to_string(), ranges));
    }
    found
}

/// Pieces of text, each in the slice or not. White space between two pieces of a kind belongs to
/// it.
fn pieces<'t>(text: &'t str, ranges: &[Range<usize>]) -> Vec<(bool, &'t str)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for range in ranges {
        let between = text.get(at..range.start).unwrap_or_default();
        if !between.is_empty() {
            pieces.push((between.trim().is_empty() && at > 0, between));
        }
        pieces.push((true, text.get(range.clone()).unwrap_or_default()));
        at = range.end.max(at);
    }
    let rest = text.get(at..).unwrap_or_default();
    if !rest.is_empty() {
        pieces.push((false, rest));
    }
    pieces
}

/// For a terminal. Without colours, what is not in the slice is left out, so that lines and columns
/// stay.
pub fn terminal(flow: &Flow, slice: &Slice<'_>, coloured: bool) -> String {
    shown_text(&texts(flow, slice), coloured, "%%")
}

/// The same of any texts; `comment` begins a line of one that says which it is.
pub(crate) fn shown_text(texts: &[Text], coloured: bool, comment: &str) -> String {
    let mut out = String::new();
    for (path, text, ranges) in texts {
        if texts.len() > 1 {
            out.push_str(&format!("{comment} {path}\n"));
        }
        for (is_in, piece) in pieces(text, ranges) {
            if is_in {
                out.push_str(piece);
            } else if coloured {
                // Dimmed line by line: pagers forget what was set on another line.
                for (index, line) in piece.split('\n').enumerate() {
                    if index > 0 {
                        out.push('\n');
                    }
                    if line.trim().is_empty() {
                        out.push_str(line);
                    } else {
                        out.push_str(&format!("\u{1b}[2m{line}\u{1b}[0m"));
                    }
                }
            } else {
                out.extend(piece.chars().map(|c| if c.is_whitespace() { c } else { ' ' }));
            }
        }
    }
    let mut lines: Vec<&str> = out.lines().map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A page of its own.
pub fn html(flow: &Flow, slice: &Slice<'_>) -> String {
    page(&texts(flow, slice))
}

/// The same of any texts.
pub(crate) fn page(texts: &[Text]) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>Slice</title>\n\
         <style>\nbody { font-family: sans-serif; margin: 2em; }\n\
         pre { line-height: 1.35; tab-size: 8; }\n.out { color: #b5bac1; }\n\
         .number { color: #8c959f; user-select: none; display: inline-block; width: 4em; }\n\
         @media (prefers-color-scheme: dark) {\n  body { background: #0d1117; color: #e6edf3; }\n  \
         .out { color: #484f58; }\n}\n</style>\n</head>\n<body>\n",
    );
    for (path, text, ranges) in texts {
        out.push_str(&format!("<h2>{}</h2>\n<pre>", escaped(path)));
        let mut line = 1;
        let mut starts_line = true;
        for (is_in, piece) in pieces(text, ranges) {
            for part in piece.split_inclusive('\n') {
                if starts_line {
                    out.push_str(&format!("<span class=\"number\">{line}</span>"));
                }
                let class = if is_in { "in" } else { "out" };
                out.push_str(&format!("<span class=\"{class}\">{}</span>", escaped(part)));
                starts_line = part.ends_with('\n');
                line += u32::from(starts_line);
            }
        }
        out.push_str("</pre>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}
