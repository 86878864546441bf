//! Words that messages are made of, for every crate that writes some.

/// So many of something: `1 error`, `2 errors`. Only for nouns that take an `s`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_and_many() {
        let all = [0, 1, 2].map(|count| counted(count, "error"));
        assert_eq!(all, ["0 errors", "1 error", "2 errors"]);
    }
}
