//! Words that messages are made of, for every crate that writes some.

use std::fmt::Display;

/// So many of something: `1 error`, `2 errors`. Only for nouns that take an `s`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Says of a macro call that a text came through it.
pub fn in_expansion_of(name: impl Display) -> String {
    format!("in the expansion of macro '{name}'")
}

/// Says of an `-include` that a file was read because of it.
pub const INCLUDED_FROM: &str = "included from here";

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_and_many() {
        let all = [0, 1, 2].map(|count| counted(count, "error"));
        assert_eq!(all, ["0 errors", "1 error", "2 errors"]);
    }
}
