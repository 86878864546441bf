//! Where the code of modules comes from.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::code_space::{Loaded, Loader};
use program::Program;
use syntax::ast::Module;
use syntax::options::Options;
use syntax::source::Files;

/// Which version of a library module is taken where both OTP and we have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prefer {
    #[default]
    Embedded,
    Otp,
}

/// The modules of a program, of the embedded library and of OTP.
pub struct ProgramLoader {
    program: Arc<Program>,
    prefer: Prefer,
    /// Sources that were made for this run, such as the call of the entry function.
    extra: Vec<(Atom, String)>,
    /// Why modules could not be loaded.
    problems: Rc<RefCell<Vec<Problem>>>,
}

/// A module that is there but cannot be run.
#[derive(Clone, Debug)]
pub struct Problem {
    pub module: Atom,
    pub path: PathBuf,
    pub line: u32,
    pub message: String,
}

impl ProgramLoader {
    pub fn new(program: Arc<Program>, prefer: Prefer) -> ProgramLoader {
        ProgramLoader { program, prefer, extra: Vec::new(), problems: Rc::default() }
    }

    /// Adds a module given as text.
    pub fn add_source(&mut self, name: Atom, text: String) {
        self.extra.push((name, text));
    }

    /// What went wrong so far; stays readable while a Machine uses the loader.
    pub fn problems(&self) -> Rc<RefCell<Vec<Problem>>> {
        Rc::clone(&self.problems)
    }

    fn tree(&self, name: Atom) -> Option<Arc<Module>> {
        if let Some((_, text)) = self.extra.iter().find(|(extra, _)| *extra == name) {
            return Some(Arc::new(read(Path::new(&format!("{name}.erl")), text)));
        }
        if let Some(module) = self.program.module(name) {
            return Some(Arc::clone(&module.tree));
        }
        let embedded = || {
            let source = stdlib::module(name.as_str())?;
            Some(Arc::new(read(Path::new(source.path), source.text)))
        };
        let otp = || self.program.find_library_module(name).map(|module| module.tree);
        match self.prefer {
            Prefer::Embedded => embedded().or_else(otp),
            Prefer::Otp => otp().or_else(embedded),
        }
    }
}

impl Loader for ProgramLoader {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let source = self.tree(module)?;
        match code::lower::lower(&source) {
            Ok(code) => Some(Loaded { code, source }),
            Err(unsupported) => {
                let path = source.files.first().map(|file| file.path.clone()).unwrap_or_default();
                self.problems.borrow_mut().extend(unsupported.into_iter().map(|problem| Problem {
                    module,
                    path: path.clone(),
                    line: source.loc(problem.node).line,
                    message: problem.message,
                }));
                None
            }
        }
    }
}

/// Reads a source that we ship or made ourselves.
fn read(path: &Path, text: &str) -> Module {
    syntax::read_module_bytes(path, text.as_bytes().to_vec(), &LibraryFiles, &Options::default())
}

/// The files that library sources can include: those of the library itself.
struct LibraryFiles;

impl Files for LibraryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let source = path.to_str().and_then(stdlib::file);
        source.map(|source| source.text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &Path) -> bool {
        path.to_str().and_then(stdlib::file).is_some()
    }

    fn lib_dir(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }
}
