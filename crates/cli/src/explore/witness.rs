//! Witness files.

use std::path::{Path, PathBuf};

use report::words;
use session::explore::{Explored, Request};

use crate::args::Explore;
use crate::front::FileProblem;

/// Where files go unless the command line says otherwise.
pub(crate) const DIRECTORY: &str = "erlscope-witnesses";

/// Where witnesses go, if they are wanted.
pub(super) fn directory(arguments: &Explore) -> Option<PathBuf> {
    let wanted = || arguments.witnesses.clone().unwrap_or_else(|| DIRECTORY.into());
    (!arguments.no_witnesses).then(wanted)
}

/// Writes a file for each finding of an exploration; their paths.
pub(super) fn write(
    directory: &Path,
    explored: &Explored,
    request: &Request,
) -> Result<Vec<PathBuf>, FileProblem> {
    if explored.found.is_empty() {
        return Ok(Vec::new());
    }
    std::fs::create_dir_all(directory).map_err(FileProblem::at(directory))?;
    let prefix = file_name(&explored.name);
    let mut written = Vec::new();
    for (number, found) in explored.found.iter().enumerate() {
        let Some(mut witness) = explored.witness(number, request) else { continue };
        let kind = found.finding.kind().name();
        witness.finding = format!("{kind} {}", words::failure(&found.finding.failure));
        let path = directory.join(format!("{prefix}{kind}-{}.witness", number + 1));
        std::fs::write(&path, witness.to_text()).map_err(FileProblem::at(&path))?;
        written.push(path);
    }
    Ok(written)
}

/// What the names of an exploration's files begin with.
fn file_name(explored: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let mut name: String = explored.chars().map(plain).collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    format!("{}-", name.trim_matches('-'))
}
