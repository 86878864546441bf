//! Library functions that take structures apart or put them together, for which more is known than
//! that their results depend on their arguments.

use atom::{Atom, known};
use program::resolve::Target;
use syntax::ast::{Kind, NodeId};
use syntax::token::Literal;

use super::build::Build;
use super::expressions::Walker;
use super::fields::{self, HEAD, TAIL};
use crate::core::{EdgeKind, Label, Node};

/// The function of the library that a call means, if it is called by its name and is none of the
/// program's own.
pub(crate) fn name(build: &Build<'_>, module: u32, node: NodeId) -> Option<(Atom, Atom)> {
    let loaded = &build.program.modules[module as usize];
    let Some(Target::Remote(of, (name, arity))) = loaded.target(node) else { return None };
    build.find(of, name, arity).is_none().then_some((of, name))
}

/// Edges for a call of a function that only moves values; whether it is one.
pub(crate) fn access(
    walker: &mut Walker<'_, '_>,
    module: Atom,
    name: Atom,
    args: &[NodeId],
    values: &[Node],
    value: Node,
) -> bool {
    let is_erlang = module == known::ERLANG;
    match (module.as_str(), name.as_str(), values) {
        (_, "hd", &[list]) if is_erlang => {
            walker.edge(value, list, EdgeKind::Value, Label::Open(HEAD));
        }
        (_, "tl", &[list]) if is_erlang => {
            walker.edge(value, list, EdgeKind::Value, Label::Open(TAIL));
        }
        (_, "element", &[position, tuple]) if is_erlang => {
            let Some(index) = small_integer(walker, args[0]).filter(|&index| index > 0) else {
                return false;
            };
            walker.edge(value, position, EdgeKind::Value, Label::All);
            let field = fields::element_of_any(index - 1);
            walker.edge(value, tuple, EdgeKind::Value, Label::Open(field));
        }
        ("lists", "nth", &[position, list]) => {
            let Some(index) = small_integer(walker, args[0]).filter(|&index| index > 0) else {
                return false;
            };
            walker.edge(value, position, EdgeKind::Value, Label::All);
            let mut from = value;
            let mut label = Label::Open(HEAD);
            for _ in 1..index.min(64) {
                let between = walker.between(args[1]);
                walker.edge(from, between, EdgeKind::Value, label);
                (from, label) = (between, Label::Open(TAIL));
            }
            walker.edge(from, list, EdgeKind::Value, label);
        }
        ("maps", "get", &[key, map]) => {
            let tree = walker.tree.clone();
            let field = walker.build.keys.field(&tree, args[0]);
            walker.edge(value, key, EdgeKind::Value, Label::All);
            walker.edge(value, map, EdgeKind::Value, Label::Open(field));
        }
        _ => return false,
    }
    walker.edge(value, walker.here, EdgeKind::Control, Label::All);
    true
}

fn small_integer(walker: &Walker<'_, '_>, node: NodeId) -> Option<u32> {
    let Kind::Integer(id) = walker.tree.kind(node) else { return None };
    match walker.tree.literal(id) {
        Literal::Integer(value) => u32::try_from(value).ok().filter(|&value| value <= 64),
        _ => None,
    }
}
