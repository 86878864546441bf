//! Rust files: each begins by saying what it is about, and none holds unfinished work.

use std::path::{Path, PathBuf};

use super::shown;

/// Spelled in halves so that this file does not complain about itself.
const UNFINISHED: [(&str, &str); 5] =
    [("TO", "DO"), ("FIX", "ME"), ("XX", "X:"), ("todo", "!("), ("unimplemented", "!(")];

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
}

#[cfg(test)]
mod tests {
    use super::check_text;

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
}
