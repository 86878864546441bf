//! The sources of the library as trees: they include their own headers, and those that we ship in
//! OTP's place, and nothing from the disk.

use std::io;
use std::path::{Path, PathBuf};

use syntax::ast::Module;
use syntax::options::Options;
use syntax::source::Files;

/// The files that library sources can include.
struct LibraryFiles;

impl LibraryFiles {
    fn text(&self, path: &Path) -> Option<&'static str> {
        let own = path.to_str().and_then(stdlib::file).map(|source| source.text);
        own.or_else(|| stdlib::headers::read(path))
    }
}

impl Files for LibraryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.text(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.text(path).is_some()
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        stdlib::headers::lib_dir(application)
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }
}

/// Reads a source that we ship or made ourselves.
pub fn read_source(path: &Path, text: &str) -> Module {
    syntax::read_module_bytes(path, text.as_bytes().to_vec(), &LibraryFiles, &Options::default())
}

/// Reads a module of the library.
pub fn module(name: &str) -> Option<Module> {
    let source = stdlib::module(name)?;
    Some(read_source(Path::new(source.path), source.text))
}
