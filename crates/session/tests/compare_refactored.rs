//! Programs that are written in another way and do the same: `compare` says so, of every one.
//!
//! Made by machine from the corpora: variables renamed; functions that are not exported renamed;
//! functions in another order; the bodies of exported functions moved into others, which they call.
//! Programs that ask for names of functions or for lines are left out.
//! `COMPARE_FULL=1` takes all programs, otherwise some are.

#[allow(dead_code, reason = "shared with the study of the debugger")]
mod study;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use program::index::ModuleIndex;
use session::compare::{Request, Verdict, compare};
use session::inputs::Options;
use session::reading::{Reader, Reading, read_one};
use session::{Control, Running};
use study::{Program, programs};
use syntax::ast::{Kind, Module};

fn is_full() -> bool {
    std::env::var_os("COMPARE_FULL").is_some()
}

/// Words of a text, with what is between them, texts and comments as one piece each.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        let len = match first {
            '%' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let ends = c == first && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            '$' => {
                let mut characters = rest.chars().skip(1);
                let next = characters.next().map_or(0, char::len_utf8);
                let escaped = if rest[1..].starts_with('\\') { 1 } else { 0 };
                1 + next + escaped
            }
            '?' => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
            first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(len.min(rest.len()));
        found.push(piece);
        rest = after;
    }
    found
}

/// Changes words of functions; forms that are no functions stay.
fn reworded(
    module: &Module,
    text: &str,
    change: impl Fn(&str, Option<&str>, Option<&str>) -> Option<String>,
) -> String {
    let mut out = String::new();
    let mut done = 0;
    for &form in &module.forms {
        let Kind::Function { .. } = module.kind(form) else { continue };
        let span = module.span(form);
        out.push_str(&text[done..span.start as usize]);
        let pieces = pieces(&text[span.start as usize..span.end as usize]);
        for (place, piece) in pieces.iter().enumerate() {
            let before = place.checked_sub(1).map(|place| pieces[place]);
            let after = pieces.get(place + 1).copied();
            match change(piece, before, after) {
                Some(word) => out.push_str(&word),
                None => out.push_str(piece),
            }
        }
        done = span.end as usize;
    }
    out.push_str(&text[done..]);
    out
}

fn renamed_variables(module: &Module, text: &str) -> String {
    reworded(module, text, |word, _, _| {
        let mut letters = word.chars();
        let is_variable = letters.next().is_some_and(|c| c.is_uppercase() || c == '_');
        (is_variable && word != "_").then(|| format!("{word}_r"))
    })
}

/// Names that are functions here, and nothing else in any text of the program.
fn own_names(module: &Module, wanted: impl Fn((atom::Atom, u32)) -> bool) -> BTreeSet<String> {
    let index = ModuleIndex::of(module);
    let functions = index.functions.iter().map(|(function, _)| function);
    let (ours, others): (Vec<_>, Vec<_>) = functions.partition(|function| wanted(*function));
    let names = ours.iter().map(|(name, _)| name.to_string());
    names.filter(|name| !others.iter().any(|(other, _)| other.as_str() == name)).collect()
}

fn renamed_functions(module: &Module, text: &str) -> String {
    let index = ModuleIndex::of(module);
    let names = own_names(module, |function| !index.is_exported(function));
    reworded(module, text, |word, before, after| {
        let is_call = matches!(after, Some("(" | "/")) && !matches!(before, Some(":" | "#"));
        (is_call && names.contains(word)).then(|| format!("{word}_r"))
    })
}

fn reversed(module: &Module, text: &str) -> String {
    let mut functions = Vec::new();
    let mut rest = String::new();
    let mut done = 0;
    for &form in &module.forms {
        let Kind::Function { .. } = module.kind(form) else { continue };
        let span = module.span(form);
        rest.push_str(&text[done..span.start as usize]);
        functions.push(&text[span.start as usize..span.end as usize]);
        done = span.end as usize;
    }
    rest.push_str(&text[done..]);
    functions.reverse();
    format!("{rest}\n{}\n", functions.join("\n"))
}

fn extracted(module: &Module, text: &str) -> String {
    let index = ModuleIndex::of(module);
    let names = own_names(module, |function| index.is_exported(function));
    let mut text = reworded(module, text, |word, before, after| {
        let is_call = after == Some("(") && !matches!(before, Some(":" | "#" | "?"));
        (is_call && names.contains(word)).then(|| format!("{word}_body"))
    });
    for ((name, arity), _) in index.functions.iter() {
        if names.contains(name.as_str()) {
            let args: Vec<String> = (1..=arity).map(|n| format!("A{n}")).collect();
            let args = args.join(", ");
            text.push_str(&format!("\n{name}({args}) -> {name}_body({args}).\n"));
        }
    }
    text
}

/// Whether a program asks for names of its own functions, or for lines.
fn looks_at_names(text: &str) -> bool {
    let signs = ["?LINE", "?FUNCTION", "tack", "'EXIT', {", "fun_info", "module_info"];
    signs.iter().any(|sign| text.contains(sign))
}

type Refactoring = (&'static str, fn(&Module, &str) -> String);

const ALL: [Refactoring; 4] = [
    ("variables", renamed_variables),
    ("functions", renamed_functions),
    ("order", reversed),
    ("extracted", extracted),
];

/// What is said of a program that was written in another way; none if that cannot be compiled.
fn said(
    program: &Program,
    (name, refactor): Refactoring,
    root: &Path,
) -> Option<Result<u64, String>> {
    let reader = Reader::new(&Reading::default()).expect("a library");
    let module = read_one(&program.path, std::io::empty(), &reader).ok()?;
    let text = refactor(&module, &program.text);
    let dir = root.join(name);
    std::fs::create_dir_all(&dir).expect("a directory");
    let changed = dir.join(format!("{}.erl", program.name));
    std::fs::write(&changed, text).expect("a file");
    let runs = if is_full() { 300 } else { 60 };
    let request = Request {
        options: Options { runs, shrinking: 100, ..Options::default() },
        running: Running { max_steps: Some(20_000), ..Running::default() },
        ..Request::new(vec![program.path.clone()], vec![changed])
    };
    let answer = compare(&request, &Control::default()).ok()?;
    let first = answer.differences().next();
    Some(match (answer.verdict, first) {
        (Verdict::Different, Some((entry, difference))) => {
            Err(format!("{} {name}: {}: {difference:#?}", program.name, entry.name))
        }
        _ => Ok(answer.runs()),
    })
}

#[test]
fn the_same_in_other_words() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compare_refactored");
    let _ = std::fs::remove_dir_all(&root);
    let (mut pairs, mut inputs, mut left_out, mut wrong) = (0, 0, 0, Vec::new());
    let step = if is_full() { 1 } else { 24 };
    for program in programs().iter().step_by(step) {
        if looks_at_names(&program.text) {
            continue;
        }
        for refactoring in ALL {
            match said(program, refactoring, &root) {
                Some(Ok(runs)) => {
                    pairs += 1;
                    inputs += runs;
                }
                Some(Err(difference)) => wrong.push(difference),
                None => left_out += 1,
            }
        }
    }
    println!(
        "{pairs} pairs the same, {inputs} inputs, {} called different, {left_out} left out",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pairs >= 20, "{pairs}");
}
