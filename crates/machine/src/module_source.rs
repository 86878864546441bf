//! The source that a module was made from: its file and its tree.
//!
//! Nodes are looked up in the tree; a run that nobody watches hardly ever needs it. So a loader may hand over how
//! to read it instead ([`Source::when_asked`]).

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
    tree: OnceCell<Arc<Module>>,
    read: Box<dyn Fn() -> Arc<Module>>,
}

impl Source {
    /// The file at `path`, of which `read` makes the tree.
    pub fn when_asked(path: &Path, read: impl Fn() -> Arc<Module> + 'static) -> Source {
        Source::new(Some(path.to_path_buf()), Box::new(read))
    }

    fn new(path: Option<PathBuf>, read: Box<dyn Fn() -> Arc<Module>>) -> Source {
        Source(Rc::new(Lazy { path, tree: OnceCell::new(), read }))
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
        let path = tree.files.first().map(|file| file.path.clone());
        Source::new(path, Box::new(move || Arc::clone(&tree)))
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({:?})", self.path())
    }
}
