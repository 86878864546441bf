//! Rules about the repository itself that no compiler checks.
//!
//! Each check takes the list of files and gives a list of complaints; nothing else is shared.

mod edges;
mod links;
mod prose;
mod source;
mod walk;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Directories that hold nothing of ours.
const SKIPPED: [&str; 3] = ["target", ".git", "corpus"];

pub(crate) fn run(root: &Path) -> ExitCode {
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    let mut complaints = source::check(root, &files);
    complaints.extend(links::check(root, &files));
    complaints.extend(prose::check(root, &files));
    complaints.extend(edges::check(root));
    complaints.extend(walk::check(root));
    for complaint in &complaints {
        eprintln!("tidy: {complaint}");
    }
    if complaints.is_empty() {
        println!("tidy: {} files, nothing to complain about", files.len());
        ExitCode::SUCCESS
    } else {
        eprintln!("tidy: {} complaints", complaints.len());
        ExitCode::FAILURE
    }
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if !SKIPPED.iter().any(|skipped| name == *skipped) {
                collect(&path, files);
            }
        } else {
            files.push(path);
        }
    }
}

/// A path as complaints show it.
fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
