//! The source that a module was made from: its file and its tree.
//!
//! Nodes are looked up in the tree; a run that nobody watches hardly ever needs it. So a loader may
//! hand over how to read it instead ([`Source::when_asked`]).

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use syntax::ast::Module;

/// The source of a module. Copies share it.
#[derive(Clone)]
pub struct Source(Rc<Lazy>);

struct Lazy {
    path: Option<PathBuf>,
    is_library: bool,
    tree: OnceCell<Arc<Module>>,
    read: Box<dyn Fn() -> Arc<Module>>,
}

impl Source {
    /// The file at `path`, of which `read` makes the tree: a module of the library that programs
    /// run with.
    pub fn when_asked(path: &Path, read: impl Fn() -> Arc<Module> + 'static) -> Source {
        Source::new(Some(path.to_path_buf()), true, Box::new(read))
    }

    /// A module of the library, given as a tree.
    pub fn of_library(tree: Arc<Module>) -> Source {
        Source::of_tree(tree, true)
    }

    fn of_tree(tree: Arc<Module>, is_library: bool) -> Source {
        let path = tree.files.first().map(|file| file.path.clone());
        Source::new(path, is_library, Box::new(move || Arc::clone(&tree)))
    }

    fn new(path: Option<PathBuf>, is_library: bool, read: Box<dyn Fn() -> Arc<Module>>) -> Source {
        Source(Rc::new(Lazy { path, is_library, tree: OnceCell::new(), read }))
    }

    /// Whether the module belongs to the library, ours or OTP's, and not to the program under
    /// study.
    pub fn is_library(&self) -> bool {
        self.0.is_library
    }

    /// The module's own file.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    pub fn tree(&self) -> &Arc<Module> {
        self.0.tree.get_or_init(&self.0.read)
    }
}

impl From<Arc<Module>> for Source {
    fn from(tree: Arc<Module>) -> Source {
        Source::of_tree(tree, false)
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({:?})", self.path())
    }
}
