//! Everything at once: the modules that paths name, read, checked, and found by name.
//!
//! Modules are read on all cores; their order, and everything a user sees, is that of
//! [`crate::project`]. The trees of all modules are kept. A tool that looks at one module after the
//! other (`erlscope check`) uses [`crate::project::discover`] and [`crate::check`] instead.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use atom::Atom;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId};
use syntax::diagnostic::{Diagnostic, Origin, Severity};

use crate::behaviours::{BehaviourReader, stem};
use crate::check::{self, has_errors};
use crate::files::{Library, ProjectFiles};
use crate::index::ModuleIndex;
use crate::library::LibraryModules;
use crate::project::{DiscoverOptions, Document, Problem, Unit, UnitKind, discover};
use crate::resolve::{self, Target};

/// How a program is to be loaded.
#[derive(Clone, Default, Debug)]
pub struct LoadOptions {
    pub discover: DiscoverOptions,
    /// The root of an OTP installation, if not the one that is found.
    pub otp: Option<PathBuf>,
    /// Do as if no OTP were installed.
    pub without_otp: bool,
    /// Do not check the modules, only read them.
    pub without_lint: bool,
}

/// A module of a program.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    /// What `-module` says; for a script, and where it is missing, the file's name.
    pub name: Atom,
    pub unit: Unit,
    /// Shared with whatever is made from it: code keeps its tree for positions.
    pub tree: Arc<Module>,
    pub index: ModuleIndex,
    /// What is wrong with it, the tree's own diagnostics among it.
    pub diagnostics: Vec<Diagnostic>,
}

impl LoadedModule {
    fn new(unit: Unit, tree: Module, diagnostics: Vec<Diagnostic>) -> LoadedModule {
        LoadedModule::of_tree(unit, Arc::new(tree), diagnostics)
    }

    fn of_tree(unit: Unit, tree: Arc<Module>, diagnostics: Vec<Diagnostic>) -> LoadedModule {
        let index = ModuleIndex::of(&tree);
        let own = if unit.kind == UnitKind::Escript { None } else { index.name };
        let name = own.or_else(|| stem(&unit.path)).unwrap_or(atom::known::EMPTY);
        LoadedModule { name, unit, tree, index, diagnostics }
    }

    /// Whether the compiler would reject it.
    pub fn has_errors(&self) -> bool {
        has_errors(&self.diagnostics)
    }

    /// What a call, or a fun of a named function, means; `None` for other nodes.
    pub fn target(&self, node: NodeId) -> Option<Target> {
        resolve::target(&self.tree, &self.index, node)
    }
}

/// The modules under study.
#[derive(Clone, Debug)]
pub struct Program {
    pub modules: Vec<LoadedModule>,
    /// Configuration files with something wrong in them.
    pub documents: Vec<Document>,
    /// Paths that could not be read.
    pub problems: Vec<Problem>,
    by_name: FxHashMap<Atom, usize>,
    library: Arc<LibraryModules>,
}

impl Program {
    /// Loads what paths name. Fails only if the OTP installation that was asked for is not there.
    pub fn load(paths: &[PathBuf], options: &LoadOptions) -> io::Result<Program> {
        let library = if options.without_otp {
            Library::without_otp()
        } else {
            Library::of_machine(options.otp.as_deref())?
        };
        let library = Arc::new(library.with_scripts(options.discover.scripts.clone()));
        let found = discover(paths, &options.discover, &library);
        let files = match found.units.first() {
            Some(unit) => unit.files.clone(),
            None => ProjectFiles::new(library, Default::default()),
        };
        let library = Arc::new(LibraryModules::new(files));
        let behaviours = Arc::new(BehaviourReader::new(&found.units));
        let read = |unit: Unit| {
            let (tree, diagnostics) = if options.without_lint {
                let tree = check::read(&unit)?;
                let diagnostics = tree.diagnostics.clone();
                (tree, diagnostics)
            } else {
                let checked = check::check(&unit, Some(&behaviours))?;
                (checked.module, checked.diagnostics)
            };
            Ok(LoadedModule::new(unit, tree, diagnostics))
        };
        let results: Vec<Result<LoadedModule, Problem>> =
            found.units.into_par_iter().map(read).collect();
        let mut program = Program {
            modules: Vec::new(),
            documents: found.documents,
            problems: found.problems,
            by_name: FxHashMap::default(),
            library,
        };
        for result in results {
            match result {
                Ok(module) => program.add(module),
                Err(problem) => program.problems.push(problem),
            }
        }
        Ok(program)
    }

    /// A program of other modules, which finds its libraries where this one does.
    pub fn of_trees(&self, modules: Vec<(Unit, Arc<Module>)>) -> Program {
        let mut program = Program {
            modules: Vec::new(),
            documents: Vec::new(),
            problems: Vec::new(),
            by_name: FxHashMap::default(),
            library: Arc::clone(&self.library),
        };
        for (unit, tree) in modules {
            let diagnostics = tree.diagnostics.clone();
            program.add(LoadedModule::of_tree(unit, tree, diagnostics));
        }
        program
    }

    /// Adds a module; one of a name that is taken is kept, but not found by it.
    fn add(&mut self, mut module: LoadedModule) {
        match self.by_name.get(&module.name) {
            Some(&first) if module.unit.kind != UnitKind::Escript => {
                let first = self.modules[first].unit.path.display().to_string();
                module.diagnostics.push(duplicate(&module, &first));
            }
            Some(_) => {}
            None => {
                self.by_name.insert(module.name, self.modules.len());
            }
        }
        self.modules.push(module);
    }

    /// The module of a name.
    pub fn module(&self, name: Atom) -> Option<&LoadedModule> {
        self.by_name.get(&name).map(|&index| &self.modules[index])
    }

    /// Whether any module or file has an error.
    pub fn has_errors(&self) -> bool {
        let documents = self.documents.iter().any(|document| has_errors(&document.diagnostics));
        documents || self.modules.iter().any(LoadedModule::has_errors)
    }

    /// Where headers and applications are found.
    pub fn files(&self) -> &ProjectFiles {
        self.library.files()
    }

    /// Where a module that is not part of the program is: as source and compiled, source first.
    pub fn library_units(&self, name: Atom) -> Vec<Unit> {
        self.library.find(name)
    }

    /// A module that is not part of the program: from a dependency, `ERL_LIBS` or OTP. Each call
    /// reads it anew; nothing is said about its warnings.
    pub fn find_library_module(&self, name: Atom) -> Option<LoadedModule> {
        let mut readable = None;
        for unit in self.library.find(name) {
            let Ok(tree) = check::read(&unit) else { continue };
            let diagnostics = tree.diagnostics.clone();
            let module = LoadedModule::new(unit, tree, diagnostics);
            if !module.has_errors() {
                return Some(module);
            }
            readable.get_or_insert(module);
        }
        readable
    }
}

fn duplicate(module: &LoadedModule, first: &str) -> Diagnostic {
    let tree = &module.tree;
    let attribute = |&&form: &&NodeId| matches!(tree.kind(form), Kind::ModuleAttribute { .. });
    let form = tree.forms.iter().find(attribute).or(tree.forms.first());
    let (span, loc) = form.map_or_else(
        || {
            let file = syntax::source::FileId::MAIN;
            (syntax::source::Span { file, start: 0, end: 0 }, Default::default())
        },
        |&form| (tree.span(form), tree.loc(form)),
    );
    Diagnostic {
        severity: Severity::Warning,
        origin: Origin::Erlscope,
        code: "duplicate_module",
        message: format!("module '{}' is also defined in {first}", module.name),
        span,
        loc,
        related: Vec::new(),
        help: None,
        otp_descriptor: None,
    }
}
