//! A search that goes on: what the unknowns were in the runs of one before, one line each.
//!
//! The runs are made again, so the file holds whatever the program has become since; what was asked
//! and has no answer is asked again.

use std::path::Path;

use ::inputs::{Input, text};

use super::Request;
use crate::Error;

/// What a file begins with.
const HEAD: &str = "%% erlscope concolic 1: ";

pub(super) fn write(file: &Path, request: &Request, inputs: &[Input]) -> Result<(), Error> {
    let mut out = format!("{HEAD}{}\n", request.what);
    for input in inputs {
        // A text has lines of its own nowhere else.
        out.push_str(&input.to_string().replace('\n', " "));
        out.push_str(".\n");
    }
    std::fs::write(file, out).map_err(|error| Error::file(file, error))
}

pub(super) fn read(file: &Path, request: &Request) -> Result<Vec<Input>, Error> {
    let found = std::fs::read_to_string(file).map_err(|error| Error::file(file, error))?;
    let mut lines = found.lines();
    match lines.next().and_then(|line| line.strip_prefix(HEAD)) {
        Some(what) if what == request.what => {}
        Some(what) => return Err(Error::input(file, format!("this is a search of {what}"))),
        None => return Err(Error::input(file, "this is no search that was saved")),
    }
    let terms = lines.map(|line| line.trim_end_matches('.')).filter(|line| !line.is_empty());
    terms.map(|line| text::read(line).map_err(|error| Error::input(file, error))).collect()
}
