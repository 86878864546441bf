//! Calls of functions that are not part of the program.

use atom::Atom;
use program::resolve::Target;
use syntax::ast::NodeId;

use super::build::Build;

/// The function of the library that a call means, if it is called by its name and is none of the
/// program's own.
pub(crate) fn name(build: &Build<'_>, module: u32, node: NodeId) -> Option<(Atom, Atom)> {
    let loaded = &build.program.modules[module as usize];
    let Some(Target::Remote(of, (name, arity))) = loaded.target(node) else { return None };
    build.find(of, name, arity).is_none().then_some((of, name))
}
