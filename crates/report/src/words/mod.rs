//! Words for what is found: all that a person reads of failures, warnings and stories of
//! explorations, and of types that do not fit. `explore` and `types` have them as data; another
//! wording is a change here and nowhere else.

mod departure;
mod failure;
mod story;
pub mod typing;
mod warning;

use ::explore::place::{Awaited, Place};

pub use departure::departed;
pub use failure::{brought_down, call_hint, failure};
pub use story::{about, action, carried};
pub use warning::warning;

/// Longer patterns are cut.
const LONGEST_PATTERN: usize = 60;

/// `src/pool.erl:12`.
fn place(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// The clauses of a `receive`; nothing if none are known.
fn awaited(clauses: &[Awaited]) -> Option<String> {
    let clause = |clause: &Awaited| {
        format!("{}{}", clause.pattern, if clause.guarded { " when …" } else { "" })
    };
    let clauses: Vec<String> = clauses.iter().map(clause).collect();
    let text = cut(clauses.join(" or "), LONGEST_PATTERN);
    Some(text).filter(|text| !text.is_empty())
}

/// A text, or as much of it as that many characters.
fn cut(text: String, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
