//! What assertion macros raise, entry by entry, and where the two sides of one differ.

use atom::Atom;
use machine::Term;
use runner::library;
use syntax::unparse;
use term::order::exact_eq;

use crate::run::shown;

/// What an assertion macro raised.
pub(super) struct Assertion {
    pub(super) name: String,
    pub(super) module: Option<Atom>,
    pub(super) line: Option<u32>,
    pub(super) entries: Vec<(String, String)>,
}

/// `{assertEqual, [{module, M}, {line, L}, {expression, "..."}, ...]}`
pub(super) fn assertion(reason: &Term) -> Option<Assertion> {
    let [name, details] = reason.as_tuple()? else { return None };
    let name = name.as_atom()?.to_string();
    if !name.starts_with("assert") && name != "command_failed" {
        return None;
    }
    let mut found = Assertion { name, module: None, line: None, entries: Vec::new() };
    let (mut expected, mut actual) = (None, None);
    for pair in details.to_vec()? {
        let [key, value] = pair.as_tuple()? else { return None };
        match key.as_atom()?.as_str() {
            "module" => found.module = value.as_atom(),
            "line" => found.line = value.as_int().and_then(|line| u32::try_from(line).ok()),
            // Source text is told as such.
            key @ ("expression" | "pattern" | "comment") => {
                let text = machine::builtins::text_of(value).unwrap_or_else(|| shown(value));
                found.entries.push((key.to_owned(), as_written(&text)));
            }
            key => {
                match key {
                    "expected" => expected = Some(value.clone()),
                    "value" => actual = Some(value.clone()),
                    _ => {}
                }
                found.entries.push((key.to_owned(), shown(value)));
            }
        }
    }
    if let (Some(expected), Some(actual)) = (expected, actual)
        && let Some((path, left, right)) = first_difference(&expected, &actual)
    {
        let text = format!("{path}: {} is expected, not {}", shown(&left), shown(&right));
        found.entries.push(("differs at".to_owned(), text));
    }
    Some(found)
}

/// Deeper inside of terms a difference is not looked for.
const DEEPEST: usize = 100;

/// Where two terms first differ, if that is inside of them: the way there (`[3]` an element of a
/// list, `{2}` of a tuple, `#{k}` a value of a map), and what is there.
fn first_difference(left: &Term, right: &Term) -> Option<(String, Term, Term)> {
    let (mut left, mut right) = (left.clone(), right.clone());
    let mut path = String::new();
    for _ in 0..DEEPEST {
        let step = match (left.as_tuple(), right.as_tuple()) {
            _ if let (Some(a), Some(b)) = (left.as_record(), right.as_record()) => {
                a.shape().fields().iter().find_map(|field| {
                    let (value, other) = (a.get(*field)?, b.get(*field)?);
                    (a.shape() == b.shape() && !exact_eq(value, other))
                        .then(|| (format!("#{field}"), value.clone(), other.clone()))
                })
            }
            (Some(a), Some(b)) if a.len() == b.len() => {
                position(a, b).map(|(i, a, b)| (format!("{{{i}}}"), a, b))
            }
            _ => match (left.as_map(), right.as_map()) {
                (Some(a), Some(b)) if a.len() == b.len() => a.iter().find_map(|(key, value)| {
                    let other = b.get(key)?;
                    (!exact_eq(value, other))
                        .then(|| (format!("#{{{}}}", shown(key)), value.clone(), other.clone()))
                }),
                _ => match (left.to_vec(), right.to_vec()) {
                    (Some(a), Some(b)) if a.len() == b.len() => {
                        position(&a, &b).map(|(i, a, b)| (format!("[{i}]"), a, b))
                    }
                    _ => None,
                },
            },
        };
        let Some((name, a, b)) = step else { break };
        path.push_str(&name);
        (left, right) = (a, b);
    }
    (!path.is_empty()).then_some((path, left, right))
}

/// The first two elements that differ, and their number.
fn position(a: &[Term], b: &[Term]) -> Option<(usize, Term, Term)> {
    let mut pairs = a.iter().zip(b).enumerate();
    let (index, (a, b)) = pairs.find(|(_, (a, b))| !exact_eq(a, b))?;
    Some((index + 1, a.clone(), b.clone()))
}

/// The text of an expression that the preprocessor has spread out (`f ( X )`), as people write it.
pub(super) fn as_written(text: &str) -> String {
    let source = format!("f() -> {text}.\n");
    let tree = library::read_source(std::path::Path::new("f.erl"), &source);
    let shown = tree.diagnostics.is_empty().then(|| unparse::module(&tree));
    let body = shown.as_deref().and_then(|shown| shown.trim().strip_prefix("f() ->"));
    let body = body.and_then(|body| body.trim().strip_suffix('.')).map(str::trim_end);
    match body {
        Some(body) if !body.contains('\n') && !body.is_empty() => body.to_owned(),
        _ => text.to_owned(),
    }
}
