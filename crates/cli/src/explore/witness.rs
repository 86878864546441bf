//! Witness files.

use std::path::{Path, PathBuf};

use explore::finding::Finding;
use explore::schedule::Witness;
use machine::Machine;

use crate::args::Explore;

/// Writes a file for each finding, if asked for.
pub(super) fn write_witnesses(
    explore: &Explore,
    paths: &[PathBuf],
    call: &str,
    machine: &Machine,
    found: &[Finding],
) -> Result<Vec<Option<PathBuf>>, String> {
    let Some(dir) = &explore.witnesses else { return Ok(vec![None; found.len()]) };
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let write = |(number, finding): (usize, &Finding)| {
        let path = dir.join(format!("{}-{}.witness", finding.kind.name(), number + 1));
        let witness = Witness {
            paths: paths.iter().map(|path| absolute(path)).collect(),
            call: call.to_owned(),
            finding: format!("{} {}", finding.kind.name(), finding.message),
            pids: machine.pid_names(),
            schedule: finding.schedule.clone(),
            ..Witness::default()
        };
        match std::fs::write(&path, witness.to_text()) {
            Ok(()) => Ok(Some(path)),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    };
    found.iter().enumerate().map(write).collect()
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}
