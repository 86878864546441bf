//! Links in Markdown lead somewhere: to a file of the repository, and to a heading in it.
//!
//! Links to other sites are not followed. Code blocks are not looked into.

use std::path::{Path, PathBuf};

use super::shown;

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "md")) {
        let name = shown(root, path);
        let Ok(text) = std::fs::read_to_string(path) else {
            complaints.push(format!("{name}: cannot be read"));
            continue;
        };
        for (line, target) in links(&text) {
            if !leads_somewhere(path, &text, &target) {
                complaints.push(format!("{name}:{line}: link leads nowhere: {target}"));
            }
        }
    }
    complaints
}

fn leads_somewhere(from: &Path, text: &str, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (file, heading) = match target.split_once('#') {
        Some((file, heading)) => (file, Some(heading)),
        None => (target, None),
    };
    let there = from.parent().unwrap_or(Path::new("")).join(file);
    if !file.is_empty() && !there.exists() {
        return false;
    }
    let Some(heading) = heading else { return true };
    if file.is_empty() {
        return headings(text).iter().any(|known| known == heading);
    }
    std::fs::read_to_string(there)
        .is_ok_and(|text| headings(&text).iter().any(|known| known == heading))
}

/// Lines outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            return None;
        }
        (!in_code).then_some((index + 1, line))
    })
}

/// The targets of `[text](target)` and `![text](target)`.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let mut rest = line;
        while let Some(start) = rest.find("](") {
            rest = &rest[start + 2..];
            let Some(end) = rest.find(')') else { break };
            found.push((number, rest[..end].to_string()));
            rest = &rest[end..];
        }
    }
    found
}

/// The names by which headings can be linked to, as code hosts make them.
fn headings(text: &str) -> Vec<String> {
    prose(text)
        .filter(|(_, line)| line.starts_with('#'))
        .map(|(_, line)| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{headings, links};

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "a [b](c.md) [d](e.md#f)\n```\n[g](h.md)\n```\n![i](j.svg)\n";
        let expected = [(1, "c.md"), (1, "e.md#f"), (5, "j.svg")];
        let found = links(text);
        let found: Vec<_> = found.iter().map(|(line, target)| (*line, target.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn headings_become_names() {
        assert_eq!(headings("# The `check` command\n"), ["the-check-command"]);
    }
}
