//! No code can be given that lacks a row, and no row is never used.
//!
//! Codes are words in the sources of `syntax` and `program`. They are found by reading these as
//! tokens of Rust: every function with a parameter `code: &'static str` is known by its name, type
//! and number of arguments, and in each call of one the argument in that place must be
//!
//! * a literal: that is a code,
//! * a constant `CODE`, whose literal is one,
//! * a variable `code`, which is such a parameter itself, or is bound in the same file by
//!   `let code`, `let (code, …)` or `Err((code, …))`: the literals in these places are codes.
//!
//! Beside calls there are fields, `code: "…"`. Everything else is a complaint: whoever passes codes
//! in another way teaches it to this test.
//!
//! The kinds of `explore` are read from the functions and fields that name them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

use Token::{Sign, Text, Word};

fn word(text: &str) -> Token {
    Word(text.to_owned())
}

/// The tokens of a source, up to its tests. Comments, characters and the ticks of
/// lifetimes are left out.
fn tokens(source: &str) -> Vec<Token> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let chars: Vec<char> = source.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let (here, next) = (chars[at], chars.get(at + 1).copied().unwrap_or(' '));
        if here == '/' && next == '/' {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if here == '"' {
            let start = at + 1;
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            found.push(Text(chars[start..at.min(chars.len())].iter().collect()));
            at += 1;
        } else if here == '\'' {
            // A character ends in a quote; a lifetime does not.
            let length = if next == '\\' { 3 } else { 2 };
            let close = (at + length..(at + length + 8).min(chars.len()))
                .take_while(|&end| length == 3 || end == at + 2)
                .find(|&end| chars[end] == '\'');
            at = close.map_or(at + 1, |end| end + 1);
        } else if here.is_alphanumeric() || here == '_' {
            let start = at;
            while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            found.push(Word(chars[start..at].iter().collect()));
        } else {
            if !here.is_whitespace() {
                found.push(Sign(here));
            }
            at += 1;
        }
    }
    found
}

/// What stands between the bracket at a place and the one that closes it, split at commas.
fn arguments(tokens: &[Token], open: usize) -> Vec<&[Token]> {
    let (mut depth, mut start, mut all) = (0, open + 1, Vec::new());
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Sign('(' | '[' | '{') => depth += 1,
            Sign(')' | ']' | '}') => depth -= 1,
            Sign(',') if depth == 1 => {
                all.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            all.push(&tokens[start..at]);
            break;
        }
    }
    all.retain(|argument| !argument.is_empty());
    all
}

/// A file of a crate.
struct Source {
    file: PathBuf,
    tokens: Vec<Token>,
}

/// Sources of a crate, without its tests.
fn sources(of: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of).join("src");
    let (mut pending, mut files) = (vec![root], Vec::<PathBuf>::new());
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).expect("sources can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if !path.ends_with("tests.rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a source can be read");
    let source = |path: &PathBuf| Source { file: path.clone(), tokens: tokens(&read(path)) };
    files.iter().map(source).collect()
}

/// A function that is given a code: its type and name, how many arguments, which of them it is.
type Taker = (Option<String>, String, usize, usize);

fn takers(tokens: &[Token]) -> Vec<Taker> {
    let mut found = Vec::new();
    let mut of_type = None;
    for (at, token) in tokens.iter().enumerate() {
        if *token == word("impl") {
            let head = tokens[at..].iter().take_while(|token| **token != Sign('{'));
            of_type = head
                .filter_map(|token| match token {
                    Word(name) if name.starts_with(char::is_uppercase) => Some(name.clone()),
                    _ => None,
                })
                .next();
        }
        let (Word(keyword), Some(Word(name))) = (token, tokens.get(at + 1)) else { continue };
        let Some(open) = (keyword == "fn")
            .then(|| tokens[at..].iter().position(|token| *token == Sign('(')))
            .flatten()
        else {
            continue;
        };
        let parameters: Vec<&[Token]> = arguments(tokens, at + open)
            .into_iter()
            .filter(|parameter| parameter.last() != Some(&word("self")))
            .collect();
        let is_code =
            |parameter: &&[Token]| parameter[0] == word("code") && parameter.contains(&Sign('&'));
        if let Some(index) = parameters.iter().position(is_code)
            && parameters[index].contains(&word("static"))
        {
            found.push((of_type.clone(), name.clone(), parameters.len(), index));
        }
    }
    found
}

/// The literals behind a `let`, up to its end: all of them, or those that begin a tuple.
fn literals_of_let(tokens: &[Token], only_first: bool) -> Vec<String> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Sign('(' | '[' | '{') => depth += 1,
            Sign(')' | ']' | '}') => depth -= 1,
            Sign(';') if depth == 0 => break,
            Text(text) if !only_first || tokens[at - 1] == Sign('(') => found.push(text.clone()),
            _ => {}
        }
    }
    found
}

/// Codes that a source gives other than in calls, by the places this test knows.
fn bound(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let rest = &tokens[at..];
        match rest {
            [Word(a), Word(b), Sign('='), ..] if a == "let" && b == "code" => {
                found.extend(literals_of_let(&rest[2..], false));
            }
            [Word(a), Sign('('), Word(b), Sign(','), ..] if a == "let" && b == "code" => {
                found.extend(literals_of_let(&rest[1..], true));
            }
            [Word(a), Sign('('), Sign('('), Text(text), Sign(','), ..] if a == "Err" => {
                found.push(text.clone());
            }
            [Word(a), Sign(':'), Text(text), ..] if a == "code" => found.push(text.clone()),
            [Word(a), Sign(':'), ..] if a == "CODE" => {
                let text = rest.iter().take(8).find_map(|token| match token {
                    Text(text) => Some(text.clone()),
                    _ => None,
                });
                found.extend(text);
            }
            _ => {}
        }
    }
    found
}

/// Whether a source says where a variable `code` comes from.
fn binds_code(tokens: &[Token]) -> bool {
    let code = word("code");
    (0..tokens.len()).any(|at| match &tokens[at..] {
        [name, Sign(':'), Sign('&'), ..] => *name == code,
        [Word(a), name, Sign('='), ..] => a == "let" && *name == code,
        [Sign('('), name, Sign(','), ..] => *name == code,
        _ => false,
    })
}

/// The codes that the front end can give, each with a file that does.
fn given() -> (BTreeMap<String, String>, Vec<String>) {
    let (mut codes, mut complaints) = (BTreeMap::new(), Vec::new());
    // Functions that take codes are private to their crates.
    for of in ["syntax", "program"] {
        let files = sources(of);
        let takers: Vec<Taker> = files.iter().flat_map(|file| takers(&file.tokens)).collect();
        assert!(takers.len() > 5, "{of}: {takers:?}");
        for file in &files {
            note_codes(file, &takers, &mut codes, &mut complaints);
        }
    }
    (codes, complaints)
}

fn note_codes(
    source: &Source,
    takers: &[Taker],
    codes: &mut BTreeMap<String, String>,
    complaints: &mut Vec<String>,
) {
    let (file, tokens) = (source.file.display().to_string(), &source.tokens);
    for code in bound(tokens) {
        codes.insert(code, file.clone());
    }
    for at in 1..tokens.len().saturating_sub(1) {
        let (Word(name), Sign('(')) = (&tokens[at], &tokens[at + 1]) else { continue };
        if tokens[at - 1] == word("fn") {
            continue;
        }
        let passed = arguments(tokens, at + 1);
        let of_type = match &tokens[..at] {
            [.., Word(name), Sign(':'), Sign(':')] => Some(name.clone()),
            _ => None,
        };
        let taker = takers.iter().find(|(ty, known, count, _)| {
            known == name && *count == passed.len() && (of_type.is_none() || *ty == of_type)
        });
        let is_method = tokens[at - 1] == Sign('.') || of_type.is_some();
        let Some((.., index)) = taker.filter(|taker| taker.0.is_none() || is_method) else {
            continue;
        };
        match passed[*index] {
            [Text(text)] => {
                codes.insert(text.clone(), file.clone());
            }
            [.., Word(name)] if name == "CODE" => {}
            [Word(name)] if name == "code" && binds_code(tokens) => {}
            other => complaints.push(format!("{file}: {name}(…, {other:?}, …)")),
        }
    }
}

#[test]
fn every_code_has_a_row_and_every_row_a_code() {
    let (given, mut complaints) = given();
    for (code, file) in &given {
        if !registry::ROWS.iter().any(|row| row.code == code) {
            complaints.push(format!("{file}: {code} has no row in crates/registry/src/table.rs"));
        }
    }
    for row in registry::ROWS {
        if !given.contains_key(row.code) {
            complaints.push(format!("nothing gives {}", row.code));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_kind_of_finding_has_a_row() {
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    for Source { file: path, tokens, .. } in sources("explore") {
        for at in 0..tokens.len() {
            match &tokens[at..] {
                [Word(ty), Sign(':'), Sign(':'), Word(_), Sign('='), Sign('>'), Text(kind), ..]
                    if ty == "Kind" && path.ends_with("failure.rs") =>
                {
                    kinds.insert(kind.clone());
                }
                // `Warning::Name { .. } => "name"`
                [Sign('.'), Sign('.'), Sign('}'), Sign('='), Sign('>'), Text(kind), ..]
                    if path.ends_with("warning.rs") =>
                {
                    kinds.insert(kind.clone());
                }
                _ => {}
            }
        }
    }
    let rows: BTreeSet<String> =
        registry::EXPLORE_ROWS.iter().map(|row| row.code.to_owned()).collect();
    assert_eq!(kinds, rows);
}

#[test]
fn kinds_of_types_have_rows() {
    let mut codes = BTreeSet::new();
    for source in sources("types").iter().filter(|source| source.file.ends_with("finding.rs")) {
        let is_code = |at: &usize| matches!(&source.tokens[*at..], [Word(a), Word(b), ..] if a == "fn" && b == "code");
        let start = (0..source.tokens.len()).find(is_code).expect("codes are named there");
        let rest = &source.tokens[start + 2..];
        let body = rest.iter().take_while(|token| **token != word("fn"));
        codes.extend(body.filter_map(|token| match token {
            Text(text) => Some(text.clone()),
            _ => None,
        }));
    }
    let rows: BTreeSet<String> =
        registry::TYPES_ROWS.iter().map(|row| row.code.to_owned()).collect();
    assert_eq!(codes, rows);
}

#[test]
fn every_row_has_a_page_and_every_page_a_row() {
    let rows: BTreeSet<&str> = registry::rows().map(|row| row.code).collect();
    let pages: BTreeSet<&str> = registry::pages().collect();
    assert_eq!(rows, pages);
    assert_eq!(rows.len(), registry::rows().count(), "a code has two rows");
    for table in [registry::ROWS, registry::EXPLORE_ROWS, registry::TYPES_ROWS] {
        assert!(table.is_sorted_by_key(|row| row.code));
    }
}

#[test]
fn the_sources_are_read_as_tokens() {
    let text = "self.error(at, \"a_b\", x('\\'', 'c', \"d, e\")); // \"no\"\n";
    let call = tokens(text);
    let open = call.iter().position(|token| *token == Sign('(')).expect("there is one");
    let arguments = arguments(&call, open);
    assert_eq!(arguments.len(), 3);
    assert_eq!(arguments[1], [Text("a_b".to_owned())]);
    let source = "impl T { fn f<'a>(&'a self, at: u32, code: &'static str) {} }";
    assert_eq!(takers(&tokens(source)), [(Some("T".to_owned()), "f".to_owned(), 2, 1)]);
}
