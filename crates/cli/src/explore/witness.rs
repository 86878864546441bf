//! Witness files.

use std::path::{Path, PathBuf};

use explore::schedule::Witness;

use super::search::Explored;

/// Writes a file for each finding of an exploration; their paths. Names begin with `prefix`.
pub(super) fn write(
    dir: &Path,
    prefix: &str,
    paths: &[PathBuf],
    explored: &Explored,
) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut written = Vec::new();
    for (number, found) in explored.found.iter().enumerate() {
        let finding = &found.finding;
        let path = dir.join(format!("{prefix}{}-{}.witness", finding.kind.name(), number + 1));
        let witness = Witness {
            paths: paths.iter().map(|path| absolute(path)).collect(),
            call: explored.call.clone(),
            finding: format!("{} {}", finding.kind.name(), finding.message),
            pids: explored.machine.pid_names(),
            schedule: finding.schedule.clone(),
            ..Witness::default()
        };
        std::fs::write(&path, witness.to_text())
            .map_err(|error| format!("{}: {error}", path.display()))?;
        written.push(path);
    }
    Ok(written)
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}
