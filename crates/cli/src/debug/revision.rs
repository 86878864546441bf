//! A revision of a repository as the reference version: its files, for as long as they are needed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::front::Failure;

/// Files of a revision, outside of the repository. They are removed with this.
pub(super) struct Checkout {
    directory: PathBuf,
    pub(super) paths: Vec<PathBuf>,
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // Nobody is left who could be told.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

impl Checkout {
    /// What these paths were in a revision.
    pub(super) fn new(revision: &str, paths: &[PathBuf]) -> Result<Checkout, Failure> {
        let directory = std::env::temp_dir().join(format!("erlscope-{}", std::process::id()));
        let mut checkout = Checkout { directory, paths: Vec::new() };
        let here = [PathBuf::from(".")];
        for path in if paths.is_empty() { &here[..] } else { paths } {
            let name = path.to_string_lossy();
            let listed = git(&["ls-tree", "-r", "--name-only", "-z", revision, "--", &name])?;
            let files = listed.split(|byte| *byte == 0).filter(|file| !file.is_empty());
            for file in files {
                let file = String::from_utf8_lossy(file);
                let text = git(&["show", &format!("{revision}:./{file}")])?;
                checkout.write(&file, &text).map_err(|error| Failure::Use(error.to_string()))?;
            }
            let there = checkout.directory.join(path);
            if !there.exists() {
                let message = format!("there is no {} in revision {revision}", path.display());
                return Err(Failure::Use(message));
            }
            checkout.paths.push(there);
        }
        Ok(checkout)
    }

    fn write(&self, file: &str, text: &[u8]) -> io::Result<()> {
        let path = self.directory.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&self.directory))?;
        fs::write(path, text)
    }
}

fn git(arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    let cannot = |why: String| Failure::Use(format!("git {}: {why}", arguments.join(" ")));
    let ran = Command::new("git").args(arguments).output();
    let ran = ran.map_err(|error| cannot(error.to_string()))?;
    match ran.status.success() {
        true => Ok(ran.stdout),
        false => Err(cannot(String::from_utf8_lossy(&ran.stderr).trim().to_owned())),
    }
}

/// Whether a word that is no path may be a revision.
pub(super) fn is_revision(path: &Path) -> bool {
    !path.exists() && path.to_str().is_some_and(|word| !word.starts_with('-'))
}
