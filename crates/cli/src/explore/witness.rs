//! Witness files.

use std::path::{Path, PathBuf};

use explore::schedule::Witness;

use super::search::Explored;
use crate::args::{DeliveryMode, Explore};

/// Where files go unless the command line says otherwise.
const DIRECTORY: &str = "erlscope-witnesses";

/// Writes a file for each finding of an exploration; their paths.
pub(super) fn write(
    explore: &Explore,
    paths: &[PathBuf],
    explored: &Explored,
) -> Result<Vec<PathBuf>, String> {
    if explored.found.is_empty() || explore.no_witnesses {
        return Ok(Vec::new());
    }
    let dir = explore.witnesses.as_deref().unwrap_or(Path::new(DIRECTORY));
    let prefix = file_name(&explored.name);
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut written = Vec::new();
    for (number, found) in explored.found.iter().enumerate() {
        let finding = &found.finding;
        let path = dir.join(format!("{prefix}{}-{}.witness", finding.kind.name(), number + 1));
        let witness = Witness {
            call: explored.call.clone(),
            finding: format!("{} {}", finding.kind.name(), finding.message),
            pids: found.pids.clone(),
            any_delivery: explore.delivery == DeliveryMode::Any,
            schedule: finding.schedule.clone(),
            ..Witness::of(paths)
        };
        std::fs::write(&path, witness.to_text())
            .map_err(|error| format!("{}: {error}", path.display()))?;
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
