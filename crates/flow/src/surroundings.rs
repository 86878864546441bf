//! What is around a node of a tree: its parent, and the function that it belongs to.
//!
//! A tree knows its children only; here is the other direction, made in one pass over the
//! functions of a module.

use syntax::ast::{BinaryOp, Kind, Module, NodeId};

use crate::ids::IdVec;
use crate::sources::{Function, FunctionId, ModuleId};

/// Of one module.
#[derive(Debug)]
pub struct Surroundings {
    /// By node; [`NONE`] for those that have no parent.
    parents: Vec<u32>,
    /// By node.
    owners: Vec<Option<FunctionId>>,
}

const NONE: u32 = u32::MAX;

/// The construct whose pattern a node stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternRoot {
    Clause(NodeId),
    /// `P = E` or `P ?= E`.
    Match(NodeId),
    /// A generator, or the generators that advance together with it.
    Generator(NodeId),
}

impl Surroundings {
    /// `functions` are all functions of the program.
    pub fn of(
        tree: &Module,
        module: ModuleId,
        functions: &IdVec<FunctionId, Function>,
    ) -> Surroundings {
        let size = tree.nodes.len();
        let mut around = Surroundings { parents: vec![NONE; size], owners: vec![None; size] };
        for (id, function) in functions.enumerate() {
            if function.module == module {
                around.owners[function.node.0 as usize] = Some(id);
            }
        }
        for &form in &tree.forms {
            if !matches!(tree.kind(form), Kind::Function { .. }) {
                continue;
            }
            let mut pending = vec![form];
            while let Some(node) = pending.pop() {
                let owner = around.owners[node.0 as usize];
                tree.for_each_child(node, |child| {
                    around.parents[child.0 as usize] = node.0;
                    if around.owners[child.0 as usize].is_none() {
                        around.owners[child.0 as usize] = owner;
                    }
                    pending.push(child);
                });
            }
        }
        around
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = *self.parents.get(node.0 as usize)?;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The function that a node is part of; of a fun expression or a function, itself.
    pub fn owner(&self, node: NodeId) -> Option<FunctionId> {
        *self.owners.get(node.0 as usize)?
    }

    /// The nodes around a node, innermost first.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(node), |&node| self.parent(node))
    }

    /// The pattern that a node stands in, and whether it is inside a structure there.
    pub fn pattern_root(&self, tree: &Module, node: NodeId) -> Option<(PatternRoot, bool)> {
        // The outermost match that has the node on its left side, unless that is in a pattern.
        let mut of_match = None;
        let mut nested = false;
        let mut here = node;
        while let Some(parent) = self.parent(here) {
            match tree.kind(parent) {
                Kind::Clause { patterns, .. } => {
                    let is_head = tree.list(patterns).contains(&here);
                    return if is_head {
                        Some((PatternRoot::Clause(parent), nested))
                    } else {
                        of_match
                    };
                }
                Kind::CatchPattern { .. } => {
                    let clause = self.parent(parent)?;
                    return Some((PatternRoot::Clause(clause), nested));
                }
                Kind::Generator { pattern, .. } => {
                    if pattern != here {
                        return of_match;
                    }
                    let together = self
                        .parent(parent)
                        .filter(|&outer| matches!(tree.kind(outer), Kind::ZipGenerator { .. }));
                    return Some((PatternRoot::Generator(together.unwrap_or(parent)), nested));
                }
                Kind::Match { pattern, .. } | Kind::MaybeMatch { pattern, .. } => {
                    if pattern == here {
                        of_match = Some((PatternRoot::Match(parent), nested));
                    }
                }
                Kind::MapField { key, .. } if key == here => return of_match,
                Kind::BinElement { value, .. } if value != here => return of_match,
                Kind::Tuple { .. }
                | Kind::List { .. }
                | Kind::Map { .. }
                | Kind::MapField { .. }
                | Kind::Record { .. }
                | Kind::RecordField { .. }
                | Kind::Binary { .. }
                | Kind::BinElement { .. }
                | Kind::BinaryOp { op: BinaryOp::Append, .. } => nested = true,
                _ => return of_match,
            }
            here = parent;
        }
        of_match
    }
}
