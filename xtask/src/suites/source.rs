//! OTP's source package: found, or fetched; and a copy of its test directories to work in.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::plan::APPLICATIONS;
use crate::problem::{Problem, Result};

/// The directory of OTP's source: that of `ERLSCOPE_OTP_SRC`, or one inside the cache, into which
/// the package is fetched if it is not there.
pub(super) fn source(cache: &Path) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("ERLSCOPE_OTP_SRC").map(PathBuf::from) {
        return match unpacked(&path) {
            Some(source) => Ok(source),
            None => Err(format!("ERLSCOPE_OTP_SRC: no source of OTP in {}", path.display()).into()),
        };
    }
    let directory = cache.join("source");
    if let Some(source) = unpacked(&directory) {
        return Ok(source);
    }
    std::fs::create_dir_all(&directory).map_err(|e| Problem::at(&directory, e))?;
    eprintln!("fetching OTP's source package into {}", directory.display());
    let fetched =
        Command::new("apt-get").args(["source", "erlang"]).current_dir(&directory).status();
    match (fetched, unpacked(&directory)) {
        (Ok(status), Some(source)) if status.success() => Ok(source),
        _ => {
            Err("`apt-get source erlang` failed: are there `deb-src` lines in the list of package \
                  sources? Or set ERLSCOPE_OTP_SRC to where OTP's source is."
                .into())
        }
    }
}

/// The source of OTP that is `directory`, or in it.
fn unpacked(directory: &Path) -> Option<PathBuf> {
    let is_source = |path: &Path| path.join("erts/emulator/test").is_dir();
    if is_source(directory) {
        return Some(directory.to_owned());
    }
    let mut inside: Vec<PathBuf> =
        std::fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    inside.into_iter().find(|path| is_source(path))
}

/// Copies the tests of the applications to where they are compiled and run.
pub(super) fn copy_tests(source: &Path, work: &Path) -> Result<()> {
    for application in APPLICATIONS {
        let to = work.join(application.name);
        if to.is_dir() {
            continue;
        }
        let part = work.join(format!("{}.part", application.name));
        // Left over when a copy was interrupted.
        let _ = std::fs::remove_dir_all(&part);
        copy(&source.join(application.directory), &part)
            .and_then(|()| std::fs::rename(&part, &to))
            .map_err(|error| Problem::at(&to, error))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            // Links in data directories may lead nowhere; the cases about them need the link only.
            let _ = std::fs::copy(entry.path(), target);
        }
    }
    Ok(())
}
