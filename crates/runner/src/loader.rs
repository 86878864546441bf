//! Where the code of modules comes from.
//!
//! In this order: sources made for the run, the program under study, the embedded library, OTP's
//! library (the last two the other way round if OTP is preferred). A module of the program that OTP's
//! compiler would reject is as good as missing, and its errors are kept for the report.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::code_space::{Loaded, Loader};
use program::Program;
use syntax::ast::Module;
use syntax::diagnostic::Severity;

use crate::eunit_export;
use crate::library::LibraryFiles;
use crate::sources::{Found, Sources};

/// Which version of a library module is taken where both OTP and we have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prefer {
    #[default]
    Embedded,
    Otp,
}

/// The modules under study: all read before, or each when it is asked for.
pub enum Modules {
    Program(Arc<Program>),
    Sources(Rc<Sources>),
}

/// The modules of a program, of the embedded library and of OTP.
pub struct ProgramLoader {
    modules: Modules,
    prefer: Prefer,
    library: LibraryFiles,
    /// Modules that were made for this run, such as the call of the entry function.
    extra: RefCell<Vec<(Atom, Arc<Module>)>>,
    /// Modules of the program that were asked for.
    own: RefCell<BTreeSet<Atom>>,
    /// Why modules could not be loaded.
    problems: Rc<RefCell<Vec<Problem>>>,
}

/// A module that is there but cannot be run.
#[derive(Clone, Debug)]
pub struct Problem {
    pub module: Atom,
    pub path: PathBuf,
    /// 0 if the whole file is meant.
    pub line: u32,
    pub message: String,
}

/// Where a tree came from.
enum Origin {
    Program,
    Elsewhere,
}

impl ProgramLoader {
    pub fn new(program: Arc<Program>, prefer: Prefer) -> ProgramLoader {
        ProgramLoader::of(Modules::Program(program), prefer)
    }

    pub fn of(modules: Modules, prefer: Prefer) -> ProgramLoader {
        ProgramLoader {
            modules,
            prefer,
            library: LibraryFiles::default(),
            extra: RefCell::default(),
            own: RefCell::default(),
            problems: Rc::default(),
        }
    }

    /// Adds a module given as text; the tree it has.
    pub fn add_source(&self, name: Atom, text: &str) -> Arc<Module> {
        let tree = self.library.read_source(Path::new(&format!("{name}.erl")), text);
        let tree = Arc::new(tree);
        self.add_module(name, Arc::clone(&tree));
        tree
    }

    /// Adds a module given as a tree.
    pub fn add_module(&self, name: Atom, tree: Arc<Module>) {
        let mut extra = self.extra.borrow_mut();
        extra.retain(|(known, _)| *known != name);
        extra.push((name, tree));
    }

    /// Adds a module of the program that is not found by its name: a script.
    pub fn add_own(&self, name: Atom, found: &Found) {
        self.add_module(name, Arc::clone(&found.tree));
        self.set_own(name);
    }

    /// Whether a module that was loaded belongs to the program under study.
    pub fn is_own(&self, name: Atom) -> bool {
        self.own.borrow().contains(&name)
    }

    fn set_own(&self, name: Atom) {
        self.own.borrow_mut().insert(name);
    }

    /// What went wrong so far; stays readable while a Machine uses the loader.
    pub fn problems(&self) -> Rc<RefCell<Vec<Problem>>> {
        Rc::clone(&self.problems)
    }

    fn problem(&self, module: Atom, path: &Path, line: u32, message: &str) {
        let problem =
            Problem { module, path: path.to_path_buf(), line, message: message.to_owned() };
        self.problems.borrow_mut().push(problem);
    }

    /// A module of the program under study; `Some(None)` if it is there but cannot be used.
    fn own_module(&self, name: Atom) -> Option<Option<Arc<Module>>> {
        let (tree, diagnostics) = match &self.modules {
            Modules::Program(program) => {
                let module = program.module(name)?;
                (Arc::clone(&module.tree), module.diagnostics.clone())
            }
            Modules::Sources(sources) => match sources.module(name)? {
                Ok(found) => (Arc::clone(&found.tree), found.diagnostics.clone()),
                Err(problem) => {
                    self.problem(name, &problem.path, 0, &problem.message);
                    return Some(None);
                }
            },
        };
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let mut failed = false;
        for error in errors {
            let file = tree.files.get(usize::from(error.span.file.0));
            let path = file.map(|file| file.path.as_path()).unwrap_or(Path::new(""));
            self.problem(name, path, error.loc.line, &error.message);
            failed = true;
        }
        Some((!failed).then_some(tree))
    }

    fn tree(&self, name: Atom) -> Option<(Arc<Module>, Origin)> {
        if let Some((_, tree)) = self.extra.borrow().iter().find(|(extra, _)| *extra == name) {
            return Some((Arc::clone(tree), Origin::Elsewhere));
        }
        if let Some(own) = self.own_module(name) {
            return own.map(|tree| (tree, Origin::Program));
        }
        let embedded = || self.library.module(name.as_str()).map(Arc::new);
        let otp = || match &self.modules {
            Modules::Program(program) => program.find_library_module(name).map(|found| found.tree),
            Modules::Sources(sources) => sources.library_module(name),
        };
        let tree = match self.prefer {
            Prefer::Embedded => embedded().or_else(otp),
            Prefer::Otp => otp().or_else(embedded),
        };
        tree.map(|tree| (tree, Origin::Elsewhere))
    }
}

impl Loader for ProgramLoader {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let (source, origin) = self.tree(module)?;
        if let Origin::Program = origin {
            self.set_own(module);
        }
        match code::lower::lower(&source) {
            Ok(mut code) => {
                eunit_export::apply(&mut code, &source);
                Some(Loaded { code, source })
            }
            Err(unsupported) => {
                let path = source.files.first().map(|file| file.path.clone()).unwrap_or_default();
                for problem in unsupported {
                    let line = source.loc(problem.node).line;
                    self.problem(module, &path, line, &problem.message);
                }
                None
            }
        }
    }
}
