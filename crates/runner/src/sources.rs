//! The modules of a program, read when they are asked for.
//!
//! Discovery lists files; a file is read and linted when its module is first needed, so running a
//! function of a large project costs only what it uses. A module is found by the name of its file,
//! as OTP's code server finds it. A file that was named by itself also stands for its neighbours:
//! what it calls is looked for in its directory.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::builtins::absent::PRELOADED;
use program::behaviours::BehaviourReader;
use program::check;
use program::files::{Library, ProjectFiles};
use program::library::LibraryModules;
use program::project::{DiscoverOptions, Discovery, Problem, Unit, UnitKind, discover};
use syntax::ast::Module;
use syntax::diagnostic::Diagnostic;
use syntax::source::Encoding;

use crate::transform;

/// A module of the program with what is wrong with it, as far as that can be said before its parse
/// transforms have run.
#[derive(Debug)]
pub struct Found {
    pub unit: Unit,
    pub tree: Arc<Module>,
    pub diagnostics: Vec<Diagnostic>,
}

/// What is wrong with a module before its parse transforms have run: what was found when it was
/// read. What the lint says about a module counts only if it asks for none, as they may change
/// everything.
pub(crate) fn before_transforms<'a>(
    name: Atom,
    tree: &'a Module,
    unit: &Unit,
    found: &'a [Diagnostic],
) -> &'a [Diagnostic] {
    let is_final = transform::wanted(tree, name, &unit.erl_opts).is_empty();
    if is_final { found } else { &tree.diagnostics }
}

impl Found {
    /// Whether OTP's compiler would reject it.
    pub fn has_errors(&self) -> bool {
        check::has_errors(&self.diagnostics)
    }
}

/// Somebody who adds to the modules of a program when they are read.
pub trait Adding {
    /// Text to be read behind that of a module, and what is wrong with the module.
    fn add(&self, unit: &Unit, module: &Module) -> (Option<String>, Vec<Diagnostic>);
}

/// What became of a module that was asked for.
pub type Answer = Result<Rc<Found>, Problem>;

pub struct Sources {
    pub discovery: Discovery,
    options: DiscoverOptions,
    files: Arc<Library>,
    /// Which unit has a name.
    by_name: BTreeMap<Atom, usize>,
    /// Files that were named by themselves.
    named: Vec<Atom>,
    /// Their directories.
    neighbourhood: Vec<PathBuf>,
    behaviours: Arc<BehaviourReader>,
    library: LibraryModules,
    read: RefCell<BTreeMap<Atom, Option<Answer>>>,
    /// Who adds to modules when they are read.
    adding: RefCell<Option<Rc<dyn Adding>>>,
    /// Files that were read although nobody named them, nor a directory that has them.
    along: RefCell<BTreeSet<PathBuf>>,
}

impl Sources {
    /// The modules that paths name.
    pub fn discover(paths: &[PathBuf], options: DiscoverOptions, library: Arc<Library>) -> Sources {
        let discovery = discover(paths, &options, &library);
        let mut by_name = BTreeMap::new();
        for (index, unit) in discovery.units.iter().enumerate() {
            if let Some(name) = stem(&unit.path) {
                by_name.entry(name).or_insert(index);
            }
        }
        // The applications of all that was named, which may be several projects.
        let mut applications = BTreeMap::new();
        for unit in discovery.units.iter().rev() {
            applications.extend(unit.files.applications().clone());
        }
        let files = ProjectFiles::new(Arc::clone(&library), applications);
        let files_named: Vec<&PathBuf> = paths.iter().filter(|path| path.is_file()).collect();
        let named = files_named.iter().filter_map(|path| stem(path)).collect();
        let parents = files_named.iter().filter_map(|path| path.parent());
        let mut neighbourhood: Vec<PathBuf> = parents.map(Path::to_path_buf).collect();
        neighbourhood.dedup();
        Sources {
            behaviours: Arc::new(BehaviourReader::new(&discovery.units)),
            discovery,
            options,
            files: library,
            by_name,
            named,
            neighbourhood,
            library: LibraryModules::new(files),
            read: RefCell::default(),
            adding: RefCell::default(),
            along: RefCell::default(),
        }
    }

    /// Whether a module may take the place of one of the library: only if its file was named. As in
    /// OTP, a file of that name that happens to be there does not. What is part of OTP's emulator
    /// cannot be replaced at all.
    fn may_replace(&self, name: Atom) -> bool {
        let text = name.as_str();
        let is_of_library = stdlib::module(text).is_some() && !stdlib::stands_in(text);
        !PRELOADED.contains(&text) && (self.named.contains(&name) || !is_of_library)
    }

    /// Whether the program has a module of this name, be it taken or not.
    pub(crate) fn has(&self, name: Atom) -> bool {
        self.by_name.contains_key(&name)
    }

    /// A module of the program.
    pub fn module(&self, name: Atom) -> Option<Answer> {
        if let Some(known) = self.read.borrow().get(&name) {
            return known.clone();
        }
        let unit = || self.by_name.get(&name).map(|&index| self.discovery.units[index].clone());
        let unit =
            if self.may_replace(name) { unit().or_else(|| self.neighbour(name)) } else { None };
        let answer = unit.map(|unit| self.read(unit));
        self.read.borrow_mut().insert(name, answer.clone());
        answer
    }

    /// Reads and lints a unit.
    pub fn read(&self, unit: Unit) -> Answer {
        let mut checked = check::check(&unit, Some(&self.behaviours))?;
        let mut wrong = Vec::new();
        let adding = self.adding.borrow().clone();
        if let Some(adding) = adding.filter(|_| unit.kind != UnitKind::Beam) {
            let (text, found) = adding.add(&unit, &checked.module);
            wrong = found;
            if let Some(text) = text {
                let behind = encoded(&text, &checked.module);
                checked = check::check_with(&unit, &behind, Some(&self.behaviours))?;
            }
        }
        let tree = Arc::new(checked.module);
        let name = stem(&unit.path).unwrap_or(Atom::new(""));
        let mut diagnostics = before_transforms(name, &tree, &unit, &checked.diagnostics).to_vec();
        diagnostics.extend(wrong);
        Ok(Rc::new(Found { unit, tree, diagnostics }))
    }

    /// From now on modules are read with what is added to them.
    pub fn add_with(&self, adding: Rc<dyn Adding>) {
        *self.adding.borrow_mut() = Some(adding);
    }

    /// Who knows the callbacks of behaviours.
    pub(crate) fn behaviours(&self) -> &Arc<BehaviourReader> {
        &self.behaviours
    }

    /// A module beside a file that was named.
    fn neighbour(&self, name: Atom) -> Option<Unit> {
        let file = format!("{name}.erl");
        let path =
            self.neighbourhood.iter().map(|dir| dir.join(&file)).find(|path| path.is_file())?;
        self.along.borrow_mut().insert(path.clone());
        discover(&[path], &self.options, &self.files).units.pop()
    }

    /// The files that were read although only others were named: modules beside these, and of other
    /// applications of their project.
    pub fn taken_along(&self) -> Vec<PathBuf> {
        self.along.borrow().iter().cloned().collect()
    }

    fn is_of_otp(&self, path: &Path) -> bool {
        self.files.otp().is_some_and(|otp| path.starts_with(&otp.root))
    }

    /// A module of a dependency or of OTP.
    pub fn library_module(&self, name: Atom) -> Option<Arc<Module>> {
        let mut readable = None;
        for unit in self.library.find(name) {
            let Ok(tree) = check::read(&unit) else { continue };
            if !check::has_errors(&tree.diagnostics) {
                if !self.named.is_empty() && !self.is_of_otp(&unit.path) {
                    self.along.borrow_mut().insert(unit.path.clone());
                }
                return Some(Arc::new(tree));
            }
            readable.get_or_insert(tree);
        }
        readable.map(Arc::new)
    }

    /// The modules of dependencies and of OTP.
    pub fn library(&self) -> &LibraryModules {
        &self.library
    }

    /// All units that are modules, in order.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.discovery.units.iter().filter(|unit| unit.kind != UnitKind::Escript)
    }

    /// The unit of a file that was named.
    pub fn unit_of(&self, path: &Path) -> Option<&Unit> {
        self.discovery.units.iter().find(|unit| same_file(&unit.path, path))
    }
}

/// Text as bytes in the encoding of a module, in a line of its own.
fn encoded(text: &str, module: &Module) -> Vec<u8> {
    let is_latin1 = module.files.first().is_some_and(|file| file.encoding == Encoding::Latin1);
    let mut bytes = b"\n".to_vec();
    match is_latin1 {
        true => bytes.extend(text.chars().map(|c| u8::try_from(c).unwrap_or(b'?'))),
        false => bytes.extend_from_slice(text.as_bytes()),
    }
    bytes
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || a.components().eq(b.components().filter(|part| part.as_os_str() != "."))
}

/// The module that a file holds, by its name. Scripts are not found by name.
fn stem(path: &Path) -> Option<Atom> {
    Some(Atom::new(path.file_stem()?.to_str()?))
}
