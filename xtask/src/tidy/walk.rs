//! The walk through the house in ARCHITECTURE.md: files that it names are there, and have what it
//! says they have.
//!
//! In that section a path in backticks may be followed by names in parentheses, also in backticks:
//! each must be defined in that file.

use std::path::Path;

const FILE: &str = "ARCHITECTURE.md";
const SECTION: &str = "## A walk through the house";

pub(crate) fn check(root: &Path) -> Vec<String> {
    let text = match std::fs::read_to_string(root.join(FILE)) {
        Ok(text) => text,
        Err(error) => return vec![format!("{FILE}: {error}")],
    };
    let Some(section) = section(&text) else {
        return vec![format!("{FILE}: there is no section `{SECTION}`")];
    };
    let complain = |(path, name): (&str, Option<&str>)| {
        let content = match std::fs::read_to_string(root.join(path)) {
            Ok(content) => content,
            Err(error) => return Some(format!("{FILE} names {path}: {error}")),
        };
        let name = name.filter(|name| !defines(&content, name))?;
        Some(format!("{FILE} says that {path} has `{name}`, which it does not define"))
    };
    mentions(section).into_iter().filter_map(complain).collect()
}

/// The text between the heading and the next one.
fn section(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(SECTION)?;
    Some(rest.split_once("\n## ").map_or(rest, |(section, _)| section))
}

/// Files, each with a name that is said to be in it: one that follows it in parentheses, or stands
/// before it (``Explored` in `FILE``).
fn mentions(section: &str) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    // What stands between backticks, with the text before each.
    let parts: Vec<&str> = section.split('`').collect();
    for at in (1..parts.len()).step_by(2) {
        let Some(path) = Some(parts[at]).filter(|part| part.contains('/')) else { continue };
        found.push((path, None));
        let between = parts.get(at + 1).map(|text| text.split_whitespace().collect::<String>());
        if between.as_deref() == Some("(") {
            found.push((path, parts.get(at + 2).copied()));
        }
        if parts[at - 1].trim() == "in" && at > 1 {
            found.push((path, Some(parts[at - 2])));
        }
    }
    found
}

/// Whether a file defines an item of this name.
fn defines(content: &str, name: &str) -> bool {
    ["fn ", "struct ", "enum ", "trait ", "mod "].iter().any(|keyword| {
        let definition = format!("{keyword}{name}");
        content.match_indices(&definition).any(|(at, _)| {
            let after = content[at + definition.len()..].chars().next();
            after.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{defines, mentions};

    #[test]
    fn what_is_named() {
        let text = "1. `a/b.rs` (`run`) and `c/d.rs`; (`Answer` in `e/f.rs`) `word`";
        let expected = vec![
            ("a/b.rs", None),
            ("a/b.rs", Some("run")),
            ("c/d.rs", None),
            ("e/f.rs", None),
            ("e/f.rs", Some("Answer")),
        ];
        assert_eq!(mentions(text), expected);
        assert!(defines("pub fn run<T>(x: T) {}", "run"));
        assert!(!defines("fn runs() {}", "run") && !defines("let run = 1;", "run"));
    }
}
