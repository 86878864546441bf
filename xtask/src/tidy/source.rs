//! Rust files: each begins by saying what it is about, none holds unfinished work, and their lines
//! are within [`COLUMNS`], but for texts in another language than Rust: what a raw string holds,
//! and in tests any string, is as long as it has to be, as are rows of tables in comments.

use std::path::{Path, PathBuf};

use super::shown;

/// Spelled in halves so that this file does not complain about itself.
const UNFINISHED: [(&str, &str); 5] =
    [("TO", "DO"), ("FIX", "ME"), ("XX", "X:"), ("todo", "!("), ("unimplemented", "!(")];

/// Longer lines are complained about.
const COLUMNS: usize = 100;

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs")) {
        let name = shown(root, path);
        match std::fs::read_to_string(path) {
            Ok(text) => check_text(&name, &text, &mut complaints),
            Err(error) => complaints.push(format!("{name}: {error}")),
        }
    }
    complaints
}

fn check_text(name: &str, text: &str, complaints: &mut Vec<String>) {
    if !text.starts_with("//! ") {
        complaints.push(format!("{name}: does not begin with a `//!` header"));
    }
    for (number, line) in text.lines().enumerate() {
        for (one, two) in UNFINISHED {
            if line.contains(&format!("{one}{two}")) {
                complaints.push(format!("{name}:{}: unfinished: {}", number + 1, line.trim()));
            }
        }
    }
    let is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
    for number in long_lines(text, is_test) {
        complaints.push(format!("{name}:{number}: over {COLUMNS} columns"));
    }
}

/// What a character of a Rust file belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Code,
    Comment,
    Text,
    /// A raw string, with so many `#`.
    Raw(usize),
}

/// The numbers of lines that are too long, but for those that end in a raw string, or, in tests, in
/// any, or hold one where they become too long.
fn long_lines(text: &str, is_test: bool) -> Vec<usize> {
    let mut within = Within::Code;
    let mut found = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        let is_data = |within: Within| match within {
            Within::Raw(_) => true,
            Within::Text => is_test,
            Within::Code | Within::Comment => false,
        };
        let mut has_data = is_data(within);
        let mut rest = line;
        let mut columns = 0;
        while !rest.is_empty() {
            let (next, length) = step(within, rest);
            columns += rest[..length].chars().count();
            // The quotes belong to the string.
            has_data |= is_data(next) || is_data(within);
            (within, rest) = (next, &rest[length..]);
        }
        let is_row = line.trim_start().starts_with("//! |");
        if columns > COLUMNS && !has_data && !is_row {
            found.push(index + 1);
        }
        if within == Within::Comment {
            within = Within::Code;
        }
    }
    found
}

/// What comes next in a line, by what it is within, and how many bytes that takes.
fn step(within: Within, rest: &str) -> (Within, usize) {
    let first = rest.chars().next().map_or(1, char::len_utf8);
    match within {
        Within::Comment => (Within::Comment, rest.len()),
        Within::Text if rest.starts_with('\\') => {
            (Within::Text, rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at))
        }
        Within::Text if rest.starts_with('"') => (Within::Code, 1),
        Within::Raw(hashes) if rest.starts_with('"') => {
            let closes = rest[1..].bytes().take_while(|byte| *byte == b'#').count() >= hashes;
            if closes { (Within::Code, 1 + hashes) } else { (within, 1) }
        }
        Within::Text | Within::Raw(_) => (within, first),
        Within::Code if rest.starts_with("//") => (Within::Comment, rest.len()),
        Within::Code if rest.starts_with('"') => (Within::Text, 1),
        Within::Code if rest.starts_with("'\"'") => (Within::Code, 3),
        Within::Code if rest.starts_with("'\\") => {
            (Within::Code, rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at))
        }
        Within::Code if rest.starts_with("r\"") || rest.starts_with("r#") => {
            let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
            match rest[1 + hashes..].starts_with('"') {
                true => (Within::Raw(hashes), hashes + 2),
                false => (Within::Code, 1),
            }
        }
        Within::Code => (Within::Code, first),
    }
}

#[cfg(test)]
mod tests {
    use super::{check_text, long_lines};

    fn complaints(text: &str) -> usize {
        let mut complaints = Vec::new();
        check_text("a.rs", text, &mut complaints);
        complaints.len()
    }

    #[test]
    fn headers_and_unfinished_work() {
        assert_eq!(complaints("//! About a.\nfn f() {}\n"), 0);
        assert_eq!(complaints("fn f() {}\n"), 1);
        assert_eq!(complaints(&format!("//! A.\n// TO{}: b\n", "DO")), 1);
    }

    #[test]
    fn long_lines_that_are_no_text() {
        let long = "x".repeat(90);
        let text = format!(
            "//! {long} {long}\nlet a = \"{long}{long}\";\n\
             let b = r#\"{long}\"\n{long}{long}\n\"#;\n\
             f('\"', {long}, {long});\nlet c = '\\''; // {long}\n"
        );
        assert_eq!(long_lines(&text, false), [1, 2, 6, 7]);
        assert_eq!(long_lines(&text, true), [1, 6, 7]);
        assert!(long_lines("let short = 1;\n", false).is_empty());
    }
}
