//! The concurrent flow graph of a program.

use std::path::PathBuf;

pub use ::flow::{Entry, Flow};
use atom::Atom;
use program::Program;

use crate::Error;
use crate::reading::{self, Reading};

/// Whose graph is wanted.
#[derive(Clone, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    pub entry: Entry,
    /// Whether it is noted in which order iterations found the edges.
    pub explain: bool,
    pub without_tests: bool,
    pub reading: Reading,
}

/// The modules that a request names, be some of them wrong.
pub fn load(request: &Request) -> Result<Program, Error> {
    reading::load(&request.paths, &request.reading, request.without_tests)
}

/// The graph of a program that was loaded.
pub fn analyse(request: &Request, program: &Program) -> Result<Flow, Error> {
    if program.modules.is_empty() {
        return Err(Error::Missing("there is no module to look at".to_owned()));
    }
    ::flow::analyse_with(program, &request.entry, request.explain)
        .map_err(|error| Error::Entry(error.to_string()))
}

/// Where a program is entered: functions such as `m:f/1`, or `m:f` for all arities; none for those
/// that it exports and does not use itself.
pub fn entry(texts: &[String]) -> Result<Entry, Error> {
    if texts.is_empty() {
        return Ok(Entry::Exported);
    }
    texts.iter().map(|text| function(text)).collect::<Result<_, _>>().map(Entry::Functions)
}

fn function(text: &str) -> Result<(Atom, Atom, Option<u32>), Error> {
    let wrong = || Error::Entry(format!("`{text}` is no function such as m:f/1"));
    let (module, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (name, arity) = match rest.rsplit_once('/') {
        Some((name, arity)) => (name, Some(arity.parse().map_err(|_| wrong())?)),
        None => (rest, None),
    };
    let plain = |name: &str| name.trim().trim_matches('\'').to_string();
    let (module, name) = (plain(module), plain(name));
    if module.is_empty() || name.is_empty() {
        return Err(wrong());
    }
    Ok((Atom::new(&module), Atom::new(&name), arity))
}
