//! Where the code of modules comes from.
//!
//! In this order: sources made for the run, the program under study, the embedded library, OTP's
//! library (the last two the other way round if OTP is preferred). A module of the program that
//! OTP's compiler would reject is as good as missing, and its errors are kept for the report. Parse
//! transforms are run where a module, or its project, asks for them. A running program may also
//! load files and binaries itself.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use atom::Atom;
use machine::builtins::absent::PRELOADED;
use machine::code_space::{LoadError, Loaded, Loader, Remark, Source, object_file};
use machine::contract::Contracts;
use program::Program;
use program::check;
use program::files::ProjectFiles;
use program::lint::lint;
use program::project::{ErlOpts, Unit, UnitKind};
use syntax::ast::{Module, NodeId};
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::options::DEFAULT_RELEASE;
use syntax::source::Files;

use crate::limits::{Bound, Limits};
use crate::sources::{self, Found, Sources};
use crate::transform::{Allowed, Failure};
use crate::{compiler, eunit_export, generated, transform};

/// Which version of a library module is taken where both OTP and we have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prefer {
    #[default]
    Embedded,
    Otp,
}

/// Modules that are ours even where OTP's are preferred: they are what this node consists of (its
/// start, devices, files, code server, loggers, test runners), or stand where OTP's need the BEAM's
/// ports.
const OF_THE_NODE: &[&str] = &[
    "application",
    "application_controller",
    "application_master",
    "beam_lib",
    "code",
    "compile",
    "crypto",
    "ct",
    "epp",
    "erl_parse",
    "erl_scan",
    "error_logger",
    "erpc",
    "eunit",
    "eunit_autoexport",
    "eunit_lib",
    "eunit_listener",
    "eunit_proc",
    "eunit_striptests",
    "eunit_tty",
    "file",
    "file_io_server",
    "gen_tcp",
    "gen_udp",
    "global",
    "inet",
    "init",
    "io",
    "kernel",
    "logger",
    "logger_std_h",
    "net_adm",
    "net_kernel",
    "os",
    "rpc",
    "socket",
    "ssl",
    "test_server",
    "timer",
    "user",
];

/// The modules under study: all read before, or each when it is asked for.
#[derive(Clone)]
pub enum Modules {
    Program(Arc<Program>),
    Sources(Rc<Sources>),
}

impl Modules {
    /// The file of a module of the program, and how it is read.
    fn unit(&self, name: Atom) -> Option<Unit> {
        match self {
            Modules::Program(program) => program.module(name).map(|found| found.unit.clone()),
            Modules::Sources(sources) => Some(sources.module(name)?.ok()?.unit.clone()),
        }
    }

    /// Where a module of a dependency or of OTP is.
    fn library_units(&self, name: Atom) -> Vec<Unit> {
        match self {
            Modules::Program(program) => program.library_units(name),
            Modules::Sources(sources) => sources.library().find(name),
        }
    }

    fn files(&self) -> &ProjectFiles {
        match self {
            Modules::Program(program) => program.files(),
            Modules::Sources(sources) => sources.library().files(),
        }
    }
}

/// The modules of a program, of the embedded library and of OTP.
#[derive(Clone)]
pub struct ProgramLoader {
    modules: Modules,
    prefer: Prefer,
    /// Modules that were made for this run, such as the call of the entry function.
    extra: RefCell<Vec<(Atom, Arc<Module>)>>,
    /// Whether modules of the program are lowered with marks.
    marks: Cell<bool>,
    /// Whether these tell the value of every expression, too.
    values: Cell<bool>,
    /// Nodes of modules whose values are told, by module.
    shown: RefCell<BTreeMap<Atom, Vec<NodeId>>>,
    /// The contracts of the modules, if these are loaded with them.
    contracts: RefCell<Option<Rc<dyn Contracts>>>,
    /// Modules of the program that were asked for.
    own: RefCell<BTreeSet<Atom>>,
    /// Why modules could not be loaded.
    problems: Rc<RefCell<Vec<Problem>>>,
    /// What parse transforms made of modules; nothing yet for those that are being transformed.
    transformed: Rc<RefCell<BTreeMap<Atom, Option<Arc<Module>>>>>,
    /// Modules that were made of other sources, or cannot be.
    generated: Rc<RefCell<BTreeMap<Atom, Option<Arc<Module>>>>>,
    /// Modules of ours that were taken in place of native code.
    stood_in: Rc<RefCell<BTreeSet<Atom>>>,
    /// What parse transforms may take.
    allowed: Rc<RefCell<Allowed>>,
    /// The bound at which a parse transform was stopped.
    stopped: Rc<Cell<Option<Bound>>>,
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

/// The code of a module: to be lowered, or ready.
enum Code {
    Tree(Arc<Module>, Origin),
    Ready(Box<Loaded>),
}

/// Where a tree came from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Program,
    Otp,
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
            extra: RefCell::default(),
            marks: Cell::default(),
            values: Cell::default(),
            shown: RefCell::default(),
            contracts: RefCell::default(),
            own: RefCell::default(),
            problems: Rc::default(),
            transformed: Rc::default(),
            generated: Rc::default(),
            stood_in: Rc::default(),
            allowed: Rc::default(),
            stopped: Rc::default(),
        }
    }

    /// Parse transforms may take what a run may, counted from now.
    pub fn limit_transforms(&self, limits: &Limits) {
        *self.allowed.borrow_mut() = Allowed { limits: limits.clone(), since: Instant::now() };
    }

    /// The bound at which a parse transform was stopped, if one was.
    pub fn stopped(&self) -> Option<Bound> {
        self.stopped.get()
    }

    /// Adds a module given as text; the tree it has.
    pub fn add_source(&self, name: Atom, text: &str) -> Arc<Module> {
        let tree = Arc::new(library::read_source(Path::new(&format!("{name}.erl")), text));
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
        self.add_own_tree(name, Arc::clone(&found.tree));
    }

    /// Adds a module of the program by its tree.
    pub fn add_own_tree(&self, name: Atom, tree: Arc<Module>) {
        self.add_module(name, tree);
        self.set_own(name);
    }

    /// Whether a module that was loaded belongs to the program under study.
    pub fn is_own(&self, name: Atom) -> bool {
        self.own.borrow().contains(&name)
    }

    /// From now on modules of the program are loaded with a mark at every node, for an observer
    /// (`machine::observe`).
    pub fn mark_own(&self) {
        self.marks.set(true);
    }

    /// The same, and every expression tells its value.
    pub fn show_own(&self) {
        self.marks.set(true);
        self.values.set(true);
    }

    /// The values of some nodes of a module are told when it is loaded next, and no others.
    pub fn show_nodes(&self, name: Atom, nodes: Vec<NodeId>) {
        self.shown.borrow_mut().insert(name, nodes);
    }

    /// From now on modules of the program are loaded with their contracts; somebody adds these
    /// when they are read ([`Sources::add_with`]).
    pub fn with_contracts(&self, contracts: Rc<dyn Contracts>) {
        *self.contracts.borrow_mut() = Some(contracts);
    }

    fn set_own(&self, name: Atom) {
        self.own.borrow_mut().insert(name);
    }

    /// Modules of ours that were taken in place of native code since this was asked last.
    pub fn take_stood_in(&self) -> Vec<Atom> {
        let mut taken: Vec<Atom> =
            std::mem::take(&mut *self.stood_in.borrow_mut()).into_iter().collect();
        taken.sort();
        taken
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
                let found = sources::before_transforms(
                    name,
                    &module.tree,
                    &module.unit,
                    &module.diagnostics,
                );
                (Arc::clone(&module.tree), found.to_vec())
            }
            Modules::Sources(sources) => match sources.module(name)? {
                Ok(found) => (Arc::clone(&found.tree), found.diagnostics.clone()),
                Err(problem) => {
                    self.problem(name, &problem.path, 0, &problem.message);
                    return Some(None);
                }
            },
        };
        let accepted = self.no_errors(name, &tree, diagnostics.iter());
        Some(accepted.then_some(tree))
    }

    fn search(&self, name: Atom) -> Option<Code> {
        if let Some((_, tree)) = self.extra.borrow().iter().find(|(extra, _)| *extra == name) {
            return Some(Code::Tree(Arc::clone(tree), Origin::Elsewhere));
        }
        if let Some(own) = self.own_module(name) {
            return own.map(|tree| Code::Tree(tree, Origin::Program));
        }
        let is_replaced = stdlib::stands_in(name.as_str())
            && !self.modules.library_units(Atom::new("proper")).is_empty();
        let for_native = stdlib::stands_for_native(name.as_str());
        let is_missing = || match &self.modules {
            Modules::Sources(sources) => !sources.has(name),
            Modules::Program(program) => program.module(name).is_none(),
        };
        let is_replaced = is_replaced
            || for_native && self.modules.library_units(name).is_empty() && is_missing();
        if for_native && !is_replaced {
            self.stood_in.borrow_mut().insert(name);
        }
        let embedded = || match is_replaced {
            true => None,
            false => embedded(name).map(|loaded| Code::Ready(Box::new(loaded))),
        };
        let otp = || Some(Code::Tree(self.otp_module(name)?, Origin::Otp));
        match self.prefer {
            Prefer::Embedded => embedded().or_else(otp),
            Prefer::Otp if OF_THE_NODE.contains(&name.as_str()) => embedded().or_else(otp),
            Prefer::Otp => otp().or_else(embedded),
        }
        .or_else(|| Some(Code::Tree(self.generated(name)?, Origin::Elsewhere)))
    }

    /// A module that is made of another source of the program.
    fn generated(&self, name: Atom) -> Option<Arc<Module>> {
        let Modules::Sources(sources) = &self.modules else { return None };
        if let Some(known) = self.generated.borrow().get(&name) {
            return known.clone();
        }
        let generator = generated::find(sources, name)?;
        // Who asks for it while it is made does not get it.
        self.generated.borrow_mut().insert(name, None);
        let made = match generated::make(Rc::new(self.clone()), &generator, name) {
            Ok(made) => {
                let errors: Vec<Diagnostic> = made.diagnostics.clone();
                self.no_errors(name, &made, errors.iter()).then_some(made)
            }
            Err(fault) => {
                self.problem(name, &generator.path, fault.line, &fault.message);
                None
            }
        };
        self.generated.borrow_mut().insert(name, made.clone());
        made
    }

    /// A module of a dependency or of OTP; not one that is part of OTP's emulator.
    fn otp_module(&self, name: Atom) -> Option<Arc<Module>> {
        if PRELOADED.contains(&name.as_str()) {
            return None;
        }
        match &self.modules {
            Modules::Program(program) => program.find_library_module(name).map(|found| found.tree),
            Modules::Sources(sources) => sources.library_module(name),
        }
    }
}

impl ProgramLoader {
    /// A module after the parse transforms that it asks for, or that the options of its project do.
    fn transformed(
        &self,
        name: Atom,
        source: Arc<Module>,
        unit: Option<&Unit>,
    ) -> Option<Arc<Module>> {
        let no_options = ErlOpts::default();
        let erl_opts = unit.map_or(&no_options, |unit| &unit.erl_opts);
        let wanted = transform::wanted(&source, name, erl_opts);
        if wanted.is_empty() {
            return Some(source);
        }
        match self.transformed.borrow().get(&name) {
            Some(Some(done)) => return Some(Arc::clone(done)),
            // A transform that asks for itself is run as it is.
            Some(None) => return Some(source),
            None => {}
        }
        self.transformed.borrow_mut().insert(name, None);
        let allowed = self.allowed.borrow().clone();
        let made = transform::run(Rc::new(self.clone()), &source, &wanted, erl_opts, &allowed);
        let made = match made {
            Ok(made) => unit.is_none_or(|unit| self.accepts(name, &made, unit)).then_some(made),
            Err(Failure::Problem(message)) => {
                self.problem(name, main_path(&source), 1, &message);
                None
            }
            Err(Failure::Stopped(transform, bound)) => {
                self.stopped.set(Some(bound));
                let message = format!("the parse transform '{transform}' was {bound}");
                self.problem(name, main_path(&source), 1, &message);
                None
            }
        };
        match &made {
            Some(made) => {
                self.transformed.borrow_mut().insert(name, Some(Arc::clone(made)));
            }
            None => {
                self.transformed.borrow_mut().remove(&name);
            }
        }
        made
    }

    /// Whether OTP's compiler would accept what transforms made of a module.
    fn accepts(&self, name: Atom, made: &Module, unit: &Unit) -> bool {
        let behaviours = match &self.modules {
            Modules::Program(_) => None,
            Modules::Sources(sources) => Some(sources.behaviours()),
        };
        let found = lint(made, &check::lint_options(unit, behaviours));
        let all = made.diagnostics.iter().chain(&found);
        self.no_errors(name, made, all)
    }

    /// Keeps the errors among what was found in a module; whether there are none.
    fn no_errors<'a>(
        &self,
        name: Atom,
        tree: &Module,
        found: impl Iterator<Item = &'a Diagnostic>,
    ) -> bool {
        let mut accepted = true;
        for error in found.filter(|found| found.severity == Severity::Error) {
            let file = tree.files.get(usize::from(error.span.file.0));
            let path = file.map_or(main_path(tree), |file| file.path.as_path());
            self.problem(name, path, error.loc.line, &error.message);
            accepted = false;
        }
        accepted
    }

    fn lowered(
        &self,
        module: Atom,
        source: Arc<Module>,
        erl_opts: Option<&ErlOpts>,
    ) -> Option<Loaded> {
        let marks = self.marks.get() && self.is_own(module);
        let values = marks && self.values.get();
        let export_all = erl_opts.is_some_and(|options| options.has("export_all"));
        let contracts = self.contracts.borrow().is_some() && self.is_own(module);
        let options = code::lower::Options { marks, values, contracts, export_all };
        let shown = self.shown.borrow();
        let shown = shown.get(&module).map_or(&[][..], Vec::as_slice);
        match code::lower::lower_showing(&source, options, shown) {
            Ok(mut code) => {
                let is_asked = erl_opts.is_some_and(|options| {
                    options.parse_transforms.iter().any(|name| name == "eunit_autoexport")
                });
                eunit_export::apply(&mut code, &source, is_asked);
                Some(Loaded { code, source: source.into() })
            }
            Err(unsupported) => {
                for problem in unsupported {
                    let line = source.loc(problem.node).line;
                    self.problem(module, main_path(&source), line, &problem.message);
                }
                None
            }
        }
    }

    /// A compiled module in bytes. What it was loaded from need not exist.
    fn compiled(&self, module: Atom, file: &str, bytes: &[u8]) -> Result<Loaded, LoadError> {
        let source = compiler::tree_of_binary(file, bytes).ok_or(LoadError::BadFile)?;
        self.lowered(module, source, None).ok_or(LoadError::BadFile)
    }

    /// Whether a source is one of the OTP that is installed, and not of a dependency.
    fn is_in_otp(&self, source: &Source) -> bool {
        let otp = self.modules.files().library().otp();
        let is_inside = |path: &Path| otp.is_some_and(|otp| path.starts_with(&otp.root));
        source.path().is_some_and(is_inside)
    }

    /// The compiled module of a library, where there is one.
    fn library_object(&self, module: Atom) -> Option<PathBuf> {
        let units = self.modules.library_units(module);
        units.into_iter().find(|unit| unit.kind == UnitKind::Beam).map(|unit| unit.path)
    }
}

/// In a module of OTP, a function whose body is to be replaced by native code says so by
/// `erlang:nif_error`: we do not have that code.
fn without_natives(loaded: &mut Loaded) {
    for import in &mut loaded.code.imports {
        if import.module == atom::known::ERLANG && import.name.as_str() == "nif_error" {
            import.module = Atom::new("erlscope_native");
            import.name = Atom::new("nif_missing");
        }
    }
}

/// A module of the embedded library, which was lowered when Erlscope was built.
fn embedded(name: Atom) -> Option<Loaded> {
    let code = library::code(name.as_str())?;
    let path = stdlib::module(name.as_str())?.path;
    let tree = move || Arc::new(library::tree(name.as_str()).unwrap_or_default());
    Some(Loaded { code, source: Source::when_asked(Path::new(path), tree) })
}

fn main_path(source: &Module) -> &Path {
    source.files.first().map_or(Path::new(""), |file| file.path.as_path())
}

impl Loader for ProgramLoader {
    fn contracts(&self) -> Option<Rc<dyn Contracts>> {
        self.contracts.borrow().clone()
    }

    fn load(&self, module: Atom) -> Option<Loaded> {
        let (source, origin) = match self.search(module)? {
            Code::Tree(source, origin) => (source, origin),
            Code::Ready(loaded) => return Some(*loaded),
        };
        let unit = match origin {
            Origin::Program => {
                self.set_own(module);
                self.modules.unit(module)
            }
            // A dependency has options of its own.
            Origin::Otp => self.modules.library_units(module).into_iter().next(),
            Origin::Elsewhere => None,
        };
        let source = self.transformed(module, source, unit.as_ref())?;
        let erl_opts = unit.as_ref().map(|unit| &*unit.erl_opts);
        let mut loaded = self.lowered(module, source, erl_opts)?;
        if origin == Origin::Otp && self.is_in_otp(&loaded.source) {
            without_natives(&mut loaded);
            loaded.source = Source::of_library(Arc::clone(loaded.source.tree()));
        }
        Some(loaded)
    }

    fn load_source(&self, module: Atom, source: Module) -> Result<Loaded, LoadError> {
        let source = self.transformed(module, Arc::new(source), None).ok_or(LoadError::BadFile)?;
        self.lowered(module, source, None).ok_or(LoadError::BadFile)
    }

    fn load_binary(&self, module: Atom, file: &str, bytes: &[u8]) -> Result<Loaded, LoadError> {
        self.compiled(module, file, bytes)
    }

    fn which(&self, module: Atom) -> Option<String> {
        if let Some(unit) = self.modules.unit(module) {
            return Some(object_file(&unit.path));
        }
        match self.library_object(module) {
            Some(path) => Some(path.to_string_lossy().into_owned()),
            None => stdlib::module(module.as_str()).map(|source| object_file(source.path.as_ref())),
        }
    }

    fn object(&self, module: Atom) -> Option<(Vec<u8>, String)> {
        let own = self.modules.unit(module).map(|unit| object_file(&unit.path).into());
        let path = own.or_else(|| self.library_object(module))?;
        let bytes = self.modules.files().read(&path).ok()?;
        Some((bytes, path.to_string_lossy().into_owned()))
    }

    fn code_path(&self) -> Vec<String> {
        let files = self.modules.files();
        let own = files.applications().values().map(PathBuf::as_path);
        let others = files.library().applications().map(|(_, dir)| dir);
        let mut path = vec![".".to_owned()];
        path.extend(own.chain(others).map(|dir| dir.join("ebin").to_string_lossy().into_owned()));
        path
    }

    fn root_dir(&self) -> Option<String> {
        let otp = self.modules.files().library().otp()?;
        Some(otp.root.to_string_lossy().into_owned())
    }

    fn library_files(&self) -> Option<&dyn Files> {
        Some(self.modules.files())
    }

    fn release(&self) -> u32 {
        let otp = self.modules.files().library().otp();
        otp.and_then(|otp| otp.release).unwrap_or(DEFAULT_RELEASE)
    }

    fn lint(&self, forms: &[u8], options: &[u8]) -> Vec<Remark> {
        compiler::remarks(forms, options)
    }
}
