//! The pages of the registry for people and for machines: one page, the list of all kinds, and the
//! document `docs/diagnostics.md`, which has the list with links to the pages.
//!
//! Pages are Markdown. For a terminal, paragraphs are filled to a width and examples indented; the
//! marks around code in the text stay as they are, since that is how people write it.

use std::fmt::Write as _;

use registry::{Example, Origin, Row};
use serde::Serialize;

use crate::json::VERSION;

/// How wide paragraphs are.
const WIDTH: usize = 80;

const BOLD: &str = "1";
const RED: &str = "1;31";
const GREEN: &str = "1;32";

fn painted(text: &str, style: &str, colour: bool) -> String {
    if colour { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// One page as text.
pub fn page_text(row: &Row, colour: bool) -> String {
    let page = row.page();
    let mut text = format!("{}: {}\n", painted(row.code, BOLD, colour), row.meaning);
    let _ = writeln!(text, "{}", about(row));
    for paragraph in &page.paragraphs {
        let _ = write!(text, "\n{}", filled(paragraph));
    }
    push_example(&mut text, &painted("Wrong:", RED, colour), &page.wrong);
    push_example(&mut text, &painted("Right:", GREEN, colour), &page.right);
    text
}

/// Who gives it, and how severe it is, in one line.
fn about(row: &Row) -> String {
    let mut text = row.severity.text().to_owned();
    let names: Vec<String> = row
        .origins
        .iter()
        .map(|origin| match origin {
            Origin::Explore | Origin::ExploreWarning => "erlscope explore".to_owned(),
            Origin::Types => "erlscope types".to_owned(),
            Origin::Tests => "erlscope test".to_owned(),
            Origin::Compare => "erlscope compare".to_owned(),
            Origin::Project => "reading a project".to_owned(),
            Origin::Limits => "a bound of Erlscope".to_owned(),
            Origin::Own => "a lint of Erlscope's own".to_owned(),
            other => match other.otp_module() {
                Some(module) => format!("{} (in OTP: {module})", other.name()),
                None => other.name().to_owned(),
            },
        })
        .collect();
    let _ = write!(text, "; {}", names.join(", "));
    if let Some(release) = row.since {
        let _ = write!(text, "; since OTP {release}");
    }
    text
}

fn push_example(text: &mut String, title: &str, example: &Example) {
    let _ = write!(text, "\n{title}");
    if let Some(release) = example.release {
        let _ = write!(text, " (OTP {release})");
    }
    text.push_str("\n\n");
    for line in example.text.lines() {
        let line = if line.is_empty() { String::new() } else { format!("    {line}") };
        let _ = writeln!(text, "{line}");
    }
}

/// A paragraph in lines that are not longer than they must be.
fn filled(paragraph: &str) -> String {
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let last = lines.len() - 1;
        let length = lines[last].chars().count() + 1 + word.chars().count();
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if length <= WIDTH {
            lines[last].push(' ');
            lines[last].push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// All kinds in groups, one a line.
pub fn list_text(colour: bool) -> String {
    let width = registry::rows().map(|row| row.code.len()).max().unwrap_or(0);
    let mut text = String::new();
    for origin in Origin::ALL {
        let _ = writeln!(text, "{}", painted(origin.title(), BOLD, colour));
        for row in registry::group(origin) {
            let _ = writeln!(text, "  {:width$}  {}", row.code, row.meaning);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{} kinds; erlscope explain CODE tells more", registry::rows().count());
    text
}

#[derive(Serialize)]
struct JsonDocument<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    kinds: Vec<JsonKind<'a>>,
}

#[derive(Serialize)]
struct JsonKind<'a> {
    code: &'a str,
    severity: &'static str,
    origins: Vec<&'static str>,
    since: Option<u32>,
    meaning: &'a str,
    /// Paragraphs; `null` in the list of all kinds.
    text: Option<Vec<String>>,
    wrong: Option<JsonExample>,
    right: Option<JsonExample>,
}

#[derive(Serialize)]
struct JsonExample {
    text: String,
    release: Option<u32>,
}

fn json_kind(row: &Row, with_page: bool) -> JsonKind<'_> {
    let page = with_page.then(|| row.page());
    let example =
        |example: &Example| JsonExample { text: example.text.clone(), release: example.release };
    JsonKind {
        code: row.code,
        severity: row.severity.text(),
        origins: row.origins.iter().map(|origin| origin.name()).collect(),
        since: row.since,
        meaning: row.meaning,
        wrong: page.as_ref().map(|page| example(&page.wrong)),
        right: page.as_ref().map(|page| example(&page.right)),
        text: page.map(|page| page.paragraphs),
    }
}

/// Kinds as JSON, with their pages if these are asked for.
pub fn json(rows: &[&Row], with_pages: bool) -> String {
    let document = JsonDocument {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "explain",
        kinds: rows.iter().map(|row| json_kind(row, with_pages)).collect(),
    };
    serde_json::to_string(&document).map_or_else(|_| String::new(), |text| text + "\n")
}

/// What stands at the top of the document.
const HEAD: &str = "\
# Kinds of diagnostics and findings

Everything that `erlscope check` and `erlscope explore` can find, by who finds it. The code is what
stands in brackets behind a message; each leads to its page, which [`erlscope explain
CODE`](explain.md) prints, too.

This file is made from the registry (`crates/registry`):
`UPDATE_EXPECT=1 cargo test -p report --test diagnostics` writes it.
";

/// The document that lists all kinds.
pub fn document() -> String {
    let mut text = HEAD.to_owned();
    for origin in Origin::ALL {
        let _ = write!(text, "\n## {}\n\n", origin.title());
        text.push_str("| code | severity | since | meaning |\n| --- | --- | --- | --- |\n");
        for row in registry::group(origin) {
            let code = row.code;
            let since = row.since.map_or(String::new(), |release| format!("OTP {release}"));
            let _ = writeln!(
                text,
                "| [`{code}`](../crates/registry/pages/{code}.md) | {} | {since} | {} |",
                row.severity.text(),
                row.meaning.replace('|', "\\|")
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn paragraphs_are_filled() {
        let words = "abcdefghi ".repeat(9);
        let text = filled(&words);
        assert_eq!(text.lines().map(str::len).collect::<Vec<_>>(), [79, 9]);
        assert_eq!(filled(&"a".repeat(100)).lines().count(), 1);
    }
}
