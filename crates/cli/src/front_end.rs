//! Between the command line and the front end: which modules, read how.

use std::path::{Path, PathBuf};

use program::lint::{LintOptions, lint};
use report::Problem;
use syntax::ast::Module;
use syntax::diagnostic::Diagnostic;
use syntax::options::Options;
use syntax::source::Files;

use crate::args::Reading;

/// A module that is to be looked at.
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    options: Options,
}

struct Disk;
impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
    fn lib_dir(&self, _application: &str) -> Option<PathBuf> {
        None
    }
    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// The modules that paths stand for, in a fixed order, and what could not be found.
pub(crate) fn units(paths: &[PathBuf], reading: &Reading) -> (Vec<Unit>, Vec<Problem>) {
    let mut units = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        if path.is_file() {
            units.push(Unit { path: path.clone(), options: options(reading) });
        } else {
            problems.push(Problem {
                path: path.display().to_string(),
                message: "no such file or directory".into(),
            });
        }
    }
    (units, problems)
}

fn options(reading: &Reading) -> Options {
    Options {
        include_dirs: reading.include_dirs.clone(),
        defines: reading.defines.clone(),
        ..Options::default()
    }
}

/// Reads and lints a module.
pub(crate) fn check(unit: &Unit) -> Result<(Module, Vec<Diagnostic>), Problem> {
    let mut module = syntax::read_module(&unit.path, &Disk, &unit.options);
    let mut found = std::mem::take(&mut module.diagnostics);
    found.extend(lint(&module, &LintOptions::default()));
    Ok((module, found))
}
