//! What calls of builtins are in the graph: which of them spawn, send and throw.

use atom::Atom;
use program::index::ModuleIndex;
use program::resolve::{self, Target};
use syntax::ast::{Module, NodeId};

use crate::effects::{self, Effect};
use crate::graph::VertexKind;

/// The kind of vertex of a call.
pub(crate) fn call_kind(tree: &Module, index: &ModuleIndex, node: NodeId) -> VertexKind {
    match resolve::target(tree, index, node) {
        Some(Target::Remote(module, (name, arity))) => builtin_kind(module, name, arity),
        _ => VertexKind::Call,
    }
}

fn builtin_kind(module: Atom, name: Atom, arity: u32) -> VertexKind {
    let effects = effects::of(module.as_str(), name.as_str(), arity);
    let kinds = [
        (Effect::Spawns, VertexKind::Spawn),
        (Effect::Throws, VertexKind::Throw),
        (Effect::Sends, VertexKind::Send),
    ];
    let found = kinds.into_iter().find(|(effect, _)| effects.has(*effect));
    found.map_or(VertexKind::Call, |(_, kind)| kind)
}
