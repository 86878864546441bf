//! The embedded library as files: its sources include their own headers, and those that we ship in
//! OTP's place.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::files::{Library, ProjectFiles};
use syntax::ast::Module;
use syntax::options::Options;
use syntax::source::Files;

/// The files that library sources can include.
#[derive(Clone)]
pub struct LibraryFiles {
    /// The headers that we ship.
    shipped: ProjectFiles,
}

impl Default for LibraryFiles {
    fn default() -> LibraryFiles {
        let library = Arc::new(Library::without_otp());
        LibraryFiles { shipped: ProjectFiles::new(library, BTreeMap::new()) }
    }
}

impl LibraryFiles {
    /// Reads a source that we ship or made ourselves.
    pub fn read_source(&self, path: &Path, text: &str) -> Module {
        syntax::read_module_bytes(path, text.as_bytes().to_vec(), self, &Options::default())
    }

    /// Reads a module of the library.
    pub fn module(&self, name: &str) -> Option<Module> {
        let source = stdlib::module(name)?;
        Some(self.read_source(Path::new(source.path), source.text))
    }
}

fn embedded(path: &Path) -> Option<stdlib::Source> {
    path.to_str().and_then(stdlib::file)
}

impl Files for LibraryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match embedded(path) {
            Some(source) => Ok(source.text.as_bytes().to_vec()),
            None => self.shipped.read(path),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        embedded(path).is_some() || self.shipped.exists(path)
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        self.shipped.lib_dir(application)
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }
}
