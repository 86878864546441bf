//! What calls of builtins are in the graph: which of them spawn, send and throw.

use atom::{Atom, known};
use program::index::ModuleIndex;
use program::resolve::{self, Target};
use syntax::ast::{Module, NodeId};

use crate::graph::VertexKind;

/// The kind of vertex of a call.
pub(crate) fn call_kind(tree: &Module, index: &ModuleIndex, node: NodeId) -> VertexKind {
    match resolve::target(tree, index, node) {
        Some(Target::Remote(module, (name, arity))) => builtin_kind(module, name, arity),
        _ => VertexKind::Call,
    }
}

fn builtin_kind(module: Atom, name: Atom, arity: u32) -> VertexKind {
    if module == known::ERLANG {
        return match (name.as_str(), arity) {
            ("spawn" | "spawn_link" | "spawn_monitor" | "spawn_opt" | "spawn_request", 1..) => {
                VertexKind::Spawn
            }
            ("throw" | "exit", 1) | ("error", 1..=3) | ("raise", 3) => VertexKind::Throw,
            ("send", 2..=3)
            | ("send_nosuspend", 2..=3)
            | ("send_after" | "start_timer", 3..=4)
            | ("exit", 2) => VertexKind::Send,
            _ => VertexKind::Call,
        };
    }
    match (module.as_str(), name.as_str()) {
        ("proc_lib", "spawn" | "spawn_link" | "spawn_opt")
        | ("proc_lib", "start" | "start_link" | "start_monitor") => VertexKind::Spawn,
        ("timer", "send_after" | "send_interval") | ("global", "send") => VertexKind::Send,
        _ => VertexKind::Call,
    }
}
