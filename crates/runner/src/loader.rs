//! Where the code of modules comes from.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::code_space::{Loaded, Loader};
use program::Program;
use syntax::ast::Module;

use crate::eunit_export;
use crate::library::LibraryFiles;

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
    library: LibraryFiles,
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
        ProgramLoader {
            program,
            prefer,
            library: LibraryFiles::default(),
            extra: Vec::new(),
            problems: Rc::default(),
        }
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
            let path = format!("{name}.erl");
            return Some(Arc::new(self.library.read_source(Path::new(&path), text)));
        }
        if let Some(module) = self.program.module(name) {
            return Some(Arc::clone(&module.tree));
        }
        let embedded = || self.library.module(name.as_str()).map(Arc::new);
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
            Ok(mut code) => {
                eunit_export::apply(&mut code, &source);
                Some(Loaded { code, source })
            }
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
