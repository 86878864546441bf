//! What a program may reach: it is not trusted.
//!
//! By default a program reads below the current directory, the directories given to it (its own,
//! OTP's) and the directory for temporary files, writes below the current directory and the one for
//! temporary files, and sees the environment. Asking whether a directory exists is allowed above
//! these, too. What is not allowed fails with `eacces`, as if the file system had refused it, and
//! is told to the user once a place.
//!
//! Names are judged by where they lead: symbolic links are followed first.

use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    All,
    /// Below these directories, which are absolute and without symbolic links.
    Below(Vec<PathBuf>),
}

impl Scope {
    fn add(&mut self, dir: &Path) {
        // A directory that is not there yet is taken as it is written.
        let dir = dir.canonicalize().or_else(|_| std::path::absolute(dir));
        if let (Scope::Below(dirs), Ok(dir)) = (self, dir)
            && !dirs.contains(&dir)
        {
            dirs.push(dir);
        }
    }

    pub(super) fn contains(&self, path: &Path) -> bool {
        match self {
            Scope::All => true,
            Scope::Below(dirs) => dirs.iter().any(|dir| path.starts_with(dir)),
        }
    }

    /// Whether something below the path is in the scope.
    pub(super) fn is_above(&self, path: &Path) -> bool {
        match self {
            Scope::All => true,
            Scope::Below(dirs) => dirs.iter().any(|dir| dir.starts_with(path)),
        }
    }
}

/// Which environment variables a program sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Variables {
    All,
    Named(Vec<String>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permissions {
    pub read: Scope,
    pub write: Scope,
    pub variables: Variables,
    pub programs: Programs,
}

/// Which programs of the system may be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Programs {
    All,
    Named(Vec<String>),
}

impl Programs {
    /// Whether a program may be started: by its name, wherever it is; a line for the shell by its
    /// first word, if there is nothing in it that starts others.
    pub(super) fn allow(&self, program: &str, is_line: bool) -> bool {
        let Programs::Named(names) = self else { return true };
        if is_line && program.contains(['|', ';', '&', '`', '$', '\n', '(', '<', '>']) {
            return false;
        }
        let word =
            if is_line { program.split_whitespace().next().unwrap_or_default() } else { program };
        let name = Path::new(word).file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| names.iter().any(|known| known == name))
    }
}

impl Default for Permissions {
    /// What a program may do unless told otherwise; its own directories are to be added by
    /// [`Permissions::allow_read`].
    fn default() -> Permissions {
        let mut write = Scope::Below(Vec::new());
        write.add(Path::new("."));
        write.add(&std::env::temp_dir());
        Permissions {
            read: write.clone(),
            write,
            variables: Variables::All,
            programs: Programs::Named(Vec::new()),
        }
    }
}

impl Permissions {
    /// Nothing at all.
    pub fn none() -> Permissions {
        let nothing = Scope::Below(Vec::new());
        Permissions {
            read: nothing.clone(),
            write: nothing,
            variables: Variables::Named(Vec::new()),
            programs: Programs::Named(Vec::new()),
        }
    }

    /// Everything the user may do.
    pub fn all() -> Permissions {
        Permissions {
            read: Scope::All,
            write: Scope::All,
            variables: Variables::All,
            programs: Programs::All,
        }
    }

    pub fn allow_read(&mut self, dir: &Path) {
        self.read.add(dir);
    }

    /// Who may write somewhere may read there, too.
    pub fn allow_write(&mut self, dir: &Path) {
        self.write.add(dir);
        self.read.add(dir);
    }

    fn allow_program(&mut self, name: &str) {
        if let Programs::Named(names) = &mut self.programs {
            names.push(name.to_owned());
        }
    }

    /// Adds what an option on the command line says: `all`, `none` (takes back what was allowed so
    /// far), `read`, `read=PATH`, `write`, `write=PATH`, `env`, `env=NAME`, `run`, `run=NAME`;
    /// several with commas between them. Names behind `run=NAME` are programs, too.
    pub fn parse(&mut self, text: &str) -> Result<(), NoPermission> {
        let mut names_programs = false;
        for part in text.split(',') {
            match part.split_once('=') {
                Some(("run", name)) if !name.is_empty() => {
                    self.allow_program(name);
                    names_programs = true;
                    continue;
                }
                None if names_programs && !part.is_empty() && !KINDS.contains(&part) => {
                    self.allow_program(part);
                    continue;
                }
                Some(("read", path)) if !path.is_empty() => self.allow_read(Path::new(path)),
                Some(("write", path)) if !path.is_empty() => self.allow_write(Path::new(path)),
                Some(("env", name)) if !name.is_empty() => {
                    if let Variables::Named(names) = &mut self.variables {
                        names.push(name.to_owned());
                    }
                }
                None if part == "all" => *self = Permissions::all(),
                None if part == "none" => *self = Permissions::none(),
                None if part == "read" => self.read = Scope::All,
                None if part == "write" => (self.read, self.write) = (Scope::All, Scope::All),
                None if part == "env" => self.variables = Variables::All,
                None if part == "run" => self.programs = Programs::All,
                _ => return Err(NoPermission(part.to_owned())),
            }
        }
        Ok(())
    }
}

/// What `--allow` calls kinds of permissions.
const KINDS: &[&str] = &["all", "none", "read", "write", "env", "run"];

/// A text that names no permission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoPermission(pub String);

impl fmt::Display for NoPermission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no permission: all, none, read[=PATH], write[=PATH], env[=NAME] or run[=NAME]",
            self.0
        )
    }
}

impl std::error::Error for NoPermission {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_added_in_order() {
        let mut permissions = Permissions::default();
        assert!(permissions.parse("none,read=/,env=HOME").is_ok());
        assert!(permissions.read.contains(Path::new("/etc/passwd")));
        assert!(!permissions.write.contains(Path::new("/etc/passwd")));
        assert_eq!(permissions.variables, Variables::Named(vec!["HOME".to_owned()]));
        assert!(permissions.parse("write=").is_err());
        assert!(permissions.parse("everything").is_err());
        assert!(permissions.parse("all").is_ok());
        assert_eq!(permissions, Permissions::all());
    }

    #[test]
    fn a_scope_is_a_directory_and_all_below() {
        let scope = Scope::Below(vec![PathBuf::from("/a/b")]);
        let contains = |path: &str| scope.contains(Path::new(path));
        assert!(contains("/a/b") && contains("/a/b/c/d"));
        assert!(!contains("/a") && !contains("/a/bc") && !contains("/"));
        assert!(scope.is_above(Path::new("/a")) && !scope.is_above(Path::new("/a/c")));
    }
}
