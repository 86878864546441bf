//! A revision of a git repository, as files in a directory of its own that goes away with it.
//!
//! `git` itself writes them, with an index of its own, so that nothing of the repository and of the
//! work tree changes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The files of a revision.
#[derive(Debug)]
pub(crate) struct Revision {
    dir: PathBuf,
    /// Where the directory is among them that was asked for.
    inside: PathBuf,
}

impl Revision {
    /// The files that a revision has of the repository around a path.
    pub(crate) fn of(path: &Path, revision: &str) -> Result<Revision, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let at = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
        let at = if at.as_os_str().is_empty() { Path::new(".") } else { at };
        let root = git(at, &["rev-parse", "--show-toplevel"], None)?;
        let inside = git(at, &["rev-parse", "--show-prefix"], None)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("erlscope-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let mut inside = PathBuf::from(inside);
        if !path.is_dir() {
            inside.extend(path.file_name());
        }
        let made = Revision { dir, inside };
        let tree = made.dir.join("tree");
        std::fs::create_dir_all(&tree).map_err(|error| format!("{}: {error}", tree.display()))?;
        let commit = format!("{revision}^{{commit}}");
        let commit = git(at, &["rev-parse", "--verify", "--quiet", &commit], None)
            .map_err(|_| format!("git knows no revision {revision}"))?;
        let work_tree = format!("--work-tree={}", tree.display());
        let arguments = [work_tree.as_str(), "checkout", "--quiet", &commit, "--", "."];
        git(Path::new(&root), &arguments, Some(&made.dir.join("index")))?;
        match made.path().exists() {
            true => Ok(made),
            false => Err(format!("there is no {} in revision {revision}", path.display())),
        }
    }

    /// Where what was asked for is.
    pub(crate) fn path(&self) -> PathBuf {
        self.dir.join("tree").join(&self.inside)
    }
}

/// What several paths were in a revision.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) paths: Vec<PathBuf>,
    _revisions: Vec<Revision>,
}

impl Checkout {
    /// No path is the current directory.
    pub(crate) fn of(paths: &[PathBuf], revision: &str) -> Result<Checkout, String> {
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let revisions = paths
            .iter()
            .map(|path| Revision::of(path, revision))
            .collect::<Result<Vec<Revision>, String>>()?;
        let paths = revisions.iter().map(Revision::path).collect();
        Ok(Checkout { paths, _revisions: revisions })
    }
}

/// Whether a word that is no path may be a revision.
pub(crate) fn is_revision(path: &Path) -> bool {
    !path.exists() && path.to_str().is_some_and(|word| !word.starts_with('-'))
}

impl Drop for Revision {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// What git says.
fn git(at: &Path, arguments: &[&str], index: Option<&Path>) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(at).args(arguments.iter().map(OsStr::new));
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| format!("git: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned()),
        false => {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(format!("git: {}", message.lines().next().unwrap_or("it failed")))
        }
    }
}
