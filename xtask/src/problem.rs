//! Why a chore could not be done.

use std::fmt;
use std::path::Path;

/// What a chore says before it gives up: for who runs it, who reads it at a terminal.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Problem(String);

pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

impl Problem {
    /// Something that has to do with a file or a directory.
    pub(crate) fn at(path: impl AsRef<Path>, error: impl fmt::Display) -> Problem {
        Problem(format!("{}: {error}", path.as_ref().display()))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

impl From<String> for Problem {
    fn from(words: String) -> Problem {
        Problem(words)
    }
}

impl From<&str> for Problem {
    fn from(words: &str) -> Problem {
        Problem(words.to_owned())
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Problem(error.to_string())
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Problem {
        Problem(error.to_string())
    }
}
