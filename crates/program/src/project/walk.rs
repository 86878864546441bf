//! Directories: listing them in a fixed order, and finding the application and the project around
//! a file.
//!
//! Paths stay as the user gave them wherever possible, since reports show them. The current
//! directory is the empty path, so that what is below it has no `./` in front.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// How far above a file its application and project are looked for.
const LEVELS: usize = 6;

/// A path without `.` components.
pub(super) fn without_dot(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}

/// A path that the file system understands.
pub(super) fn listed(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// As [`listed`], for keeping.
pub(super) fn named(path: &Path) -> PathBuf {
    listed(path).to_path_buf()
}

/// Files and subdirectories, each by name. Links to directories are not followed: they may lead
/// back.
pub(super) fn entries(dir: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut files, mut dirs) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(listed(dir))? {
        let entry = entry?;
        let path = dir.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => dirs.push(path),
            Ok(kind) if kind.is_file() || path.is_file() => files.push(path),
            _ => {}
        }
    }
    files.sort();
    dirs.sort();
    Ok((files, dirs))
}

/// Subdirectories by name, links to directories among them; none if there is no such directory.
pub(super) fn subdirectories(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(listed(dir)) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| dir.join(entry.file_name()));
    let mut dirs: Vec<_> = paths.filter(|path| path.is_dir()).collect();
    dirs.sort();
    dirs
}

/// The directories below one that have headers in them, itself not among them.
pub(crate) fn header_dirs(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(below) = pending.pop() {
        let Ok((files, subdirs)) = entries(&below) else { continue };
        if below != dir && files.iter().any(|file| file.extension().is_some_and(|e| e == "hrl")) {
            found.push(below);
        }
        pending.extend(subdirs.into_iter().rev());
    }
    found
}

/// Whether a directory holds nothing that a user calls a source of theirs.
pub(super) fn is_excluded(dir: &Path) -> bool {
    let Some(name) = dir.file_name().and_then(OsStr::to_str) else { return true };
    let beside = |file: &str| dir.with_file_name(file).exists();
    name.starts_with('.')
        || matches!(name, "_build" | "_checkouts" | "node_modules")
        || name.ends_with("_SUITE_data")
        || (name == "deps" && (beside("erlang.mk") || beside("Makefile") || beside("rebar.config")))
}

/// The directories that a pattern such as `apps/*` stands for; only `*` is special.
pub(super) fn expand(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut dirs = vec![root.to_path_buf()];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        dirs = dirs
            .iter()
            .flat_map(|dir| {
                if part.contains('*') {
                    let mut below = subdirectories(dir);
                    below.retain(|dir| dir.file_name().is_some_and(|name| matches(part, name)));
                    below
                } else {
                    vec![dir.join(part)]
                }
            })
            .collect();
    }
    dirs
}

/// Whether a name matches a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &OsStr) -> bool {
    let Some(mut rest) = name.to_str() else { return false };
    let mut parts = pattern.split('*');
    let Some(after_first) = parts.next().and_then(|first| rest.strip_prefix(first)) else {
        return false;
    };
    rest = after_first;
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A directory and those above it.
pub(super) struct Above<'a> {
    dir: &'a Path,
    /// How many names its path ends with.
    names: usize,
    /// Where it really is, if that was asked for: takes several calls of the system.
    real: OnceCell<PathBuf>,
}

impl<'a> Above<'a> {
    pub(super) fn new(dir: &'a Path) -> Above<'a> {
        let names = dir.components().rev().take_while(|c| matches!(c, Component::Normal(_)));
        Above { dir, names: names.count(), real: OnceCell::new() }
    }

    /// The directory `levels` above, found by name as long as the path is long enough.
    pub(super) fn level(&self, levels: usize) -> PathBuf {
        let long = if self.names >= levels { self.dir } else { self.real() };
        long.ancestors().nth(levels).unwrap_or(long).to_path_buf()
    }

    fn real(&self) -> &Path {
        self.real.get_or_init(|| {
            let full = std::path::absolute(listed(self.dir));
            canonical(&full.unwrap_or_else(|_| self.dir.to_path_buf()))
        })
    }

    /// Whether the directory `levels` above has this name, be it given by it or (the current
    /// directory) without.
    fn is_named(&self, levels: usize, name: &str) -> bool {
        let dir = self.level(levels);
        match dir.file_name() {
            Some(found) => found == name,
            None if levels == 0 => self.real().file_name().is_some_and(|found| found == name),
            None => canonical(listed(&dir)).file_name().is_some_and(|found| found == name),
        }
    }
}

fn canonical(dir: &Path) -> PathBuf {
    dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf())
}

/// The application that a file belongs to: the directory above `src`, or above a `test` that stands
/// beside one, or the nearest one that looks like an application's; else the file's own.
pub(super) fn app_root(file: &Path) -> PathBuf {
    let own = file.parent().unwrap_or(Path::new(""));
    let above = Above::new(own);
    for level in 0..LEVELS {
        if above.is_named(level, "src") {
            return above.level(level + 1);
        }
        if above.is_named(level, "test") && has_mark(&above.level(level + 1)) {
            return above.level(level + 1);
        }
        let dir = above.level(level);
        if level <= MARK_LEVELS && has_mark(&dir) {
            return dir;
        }
    }
    own.to_path_buf()
}

/// Whether an application is built by erlang.mk, which lets EUnit look at all modules: its file is
/// there, or the `Makefile` includes it.
pub(super) fn is_of_erlang_mk(app: &Path) -> bool {
    let has_line = |text: &str| {
        let mut lines = text.lines().map(str::trim);
        lines.any(|line| line.contains("include") && line.ends_with("erlang.mk"))
    };
    let makefile = || std::fs::read_to_string(listed(&app.join("Makefile")));
    app.join("erlang.mk").exists() || makefile().is_ok_and(|text| has_line(&text))
}

/// How far above a file a directory that merely looks like an application's counts.
const MARK_LEVELS: usize = 1;

fn has_mark(dir: &Path) -> bool {
    ["rebar.config", "src", "ebin"].iter().any(|mark| dir.join(mark).exists())
}

/// The project that an application belongs to: the umbrella it stands in, itself, or the nearest
/// directory above with a `rebar.config`.
pub(super) fn project_root(app: &Path) -> PathBuf {
    let has_config = |dir: &Path| dir.join("rebar.config").exists();
    let above = Above::new(app);
    let around = above.level(1);
    let in_apps = around.file_name().is_some_and(|name| name == "apps" || name == "lib");
    if in_apps && has_config(&above.level(2)) {
        return above.level(2);
    }
    let candidates = (0..4).map(|level| above.level(level));
    candidates.into_iter().find(|dir| has_config(dir)).unwrap_or_else(|| app.to_path_buf())
}

/// Whether a file starts with these bytes.
pub(super) fn starts_with(path: &Path, start: &[u8]) -> bool {
    let mut found = vec![0; start.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut found));
    read.is_ok() && found == start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let matches = |pattern: &str, name: &str| super::matches(pattern, OsStr::new(name));
        assert!(matches("*", "anything") && matches("a*", "abc") && matches("*c", "abc"));
        assert!(matches("a*c*e", "abcde") && !matches("a*x*e", "abcde") && !matches("b*", "abc"));
    }

    #[test]
    fn going_up() {
        let above = |dir: &Path, levels| Above::new(dir).level(levels);
        assert_eq!(above(Path::new("a/b"), 1), Path::new("a"));
        assert_eq!(above(Path::new("a/b"), 2), Path::new(""));
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        assert_eq!(above(Path::new(""), 1), here.parent().unwrap());
        assert_eq!(above(Path::new(".."), 1), here.parent().unwrap().parent().unwrap());
    }

    #[test]
    fn dots_are_dropped() {
        assert_eq!(without_dot(Path::new("./src/x.erl")), Path::new("src/x.erl"));
        assert_eq!(without_dot(Path::new(".")), Path::new(""));
        assert_eq!(without_dot(Path::new("../x")), Path::new("../x"));
    }
}
