//! Documents: lines of prose are within [`COLUMNS`]. Code, rows of tables, headings, pictures and
//! what has no space to break at are as long as they have to be.

use std::path::{Path, PathBuf};

use super::shown;

/// Longer lines are complained about.
const COLUMNS: usize = 100;

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "md")) {
        let name = shown(root, path);
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let long = long_lines(&text).into_iter();
                complaints
                    .extend(long.map(|line| format!("{name}:{line}: over {COLUMNS} columns")));
            }
            Err(error) => complaints.push(format!("{name}: {error}")),
        }
    }
    complaints
}

/// The numbers of lines of prose that are too long.
fn long_lines(text: &str) -> Vec<usize> {
    let mut fence: Option<&str> = None;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        match fence {
            Some(closes) if start.starts_with(closes) => fence = None,
            Some(_) => {}
            None if start.starts_with("```") => fence = Some("```"),
            None if start.starts_with("~~~") => fence = Some("~~~"),
            None => {
                let is_prose = !start.starts_with(['|', '#', '<']) && !start.starts_with("![");
                if is_prose && line.chars().count() > COLUMNS && start.contains(' ') {
                    found.push(index + 1);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::long_lines;

    #[test]
    fn prose_is_told_from_the_rest() {
        let long = "word ".repeat(30);
        let text = format!(
            "# {long}\n{long}\n```\n{long}\n```\n| {long} |\n* {long}\n{}\n![{long}](a.svg)\n",
            "x".repeat(120)
        );
        assert_eq!(long_lines(&text), [2, 7]);
    }
}
