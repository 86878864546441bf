//! Inside of one statement: what was evaluated, matched and chosen in it, and to what.
//!
//! Once the wrong statement is known, the same run is made again with code that tells the value of
//! every expression (`code::lower::Options::values`); only what belongs to that one statement is
//! kept ([`Watched`]). From that a tree of *instances* is made ([`Closeup`]): an expression that
//! was evaluated, with its value, below it what was evaluated for it; a clause that was chosen,
//! with the variables that it bound; a condition of a guard, with what came out.
//!
//! An instance is right or wrong *given the values of the variables in it*, as a call is given its
//! arguments. So one that is wrong while all below it are right is to blame: the expression, or
//! the pattern or guard that let the wrong clause be chosen. [`compare`] finds it with the same
//! statement of a version that is right; otherwise somebody is asked ([`Closeup::shape`]).

pub mod compare;
mod instances;
pub mod part;

use std::sync::Arc;

use follow::ActivationId;
use syntax::ast::{Kind, Module, NodeId};
use term::Term;

pub use instances::{Closeup, Instance, InstanceIx};

/// Which part of a run is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    pub activation: ActivationId,
    /// How often its process had waited.
    pub waits: u32,
}

impl Target {
    /// The first call of the program.
    pub const FIRST: Target = Target { activation: ActivationId(0), waits: 0 };
}

/// What is kept of a run in which one statement is looked at.
#[derive(Clone, Debug)]
pub struct Watched {
    pub target: Target,
    pub events: Vec<Event>,
}

/// What happened at a node.
#[derive(Clone, Debug)]
pub struct Event {
    pub node: NodeId,
    pub seen: Seen,
}

#[derive(Clone, Debug)]
pub enum Seen {
    /// It is evaluated from here on.
    Reached,
    /// A condition was true, or not.
    Said(bool),
    /// A clause, or an element of a generator, or what is behind `after`.
    Chosen,
    /// A match fitted.
    Matched,
    Value(Term),
}

/// What is to blame inside of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Expression,
    Pattern,
    Guard,
    Clause,
}

impl Part {
    /// A stable word, for machines.
    pub fn name(self) -> &'static str {
        match self {
            Part::Expression => "expression",
            Part::Pattern => "pattern",
            Part::Guard => "guard",
            Part::Clause => "clause",
        }
    }
}

/// A node that is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blame {
    pub node: NodeId,
    pub part: Part,
}

/// The nodes of a function, seen from below.
pub(crate) struct Above {
    tree: Arc<Module>,
    root: NodeId,
    parents: rustc_hash::FxHashMap<NodeId, NodeId>,
}

impl Above {
    pub(crate) fn new(tree: &Arc<Module>, root: NodeId) -> Above {
        let mut parents = rustc_hash::FxHashMap::default();
        tree.for_each_below(root, |id| {
            tree.for_each_child(id, |child| {
                parents.insert(child, id);
            });
        });
        Above { tree: Arc::clone(tree), root, parents }
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents.get(&node).copied().filter(|_| node != self.root)
    }

    /// Whether a node is part of the function.
    pub(crate) fn has(&self, node: NodeId) -> bool {
        node == self.root || self.parents.contains_key(&node)
    }

    /// Whether a node is below another one, or it.
    pub(crate) fn is_within(&self, node: NodeId, other: NodeId) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            if node == other {
                return true;
            }
            at = self.parent(node);
        }
        false
    }

    /// What a node is part of: a pattern, a guard, or else an expression.
    pub(crate) fn part(&self, node: NodeId) -> Part {
        let mut at = node;
        while let Some(above) = self.parent(at) {
            match self.tree.kind(above) {
                Kind::Clause { patterns, guards, .. } => {
                    if self.tree.list(patterns).contains(&at) {
                        return Part::Pattern;
                    }
                    let is_guard = self.tree.list(guards).contains(&at);
                    return if is_guard { Part::Guard } else { Part::Expression };
                }
                Kind::Match { pattern, .. }
                | Kind::MaybeMatch { pattern, .. }
                | Kind::Generator { pattern, .. }
                    if pattern == at =>
                {
                    return Part::Pattern;
                }
                _ => at = above,
            }
        }
        Part::Expression
    }

    /// The clause that a node is part of the head of.
    pub(crate) fn clause_of_head(&self, node: NodeId) -> Option<NodeId> {
        let mut at = node;
        while let Some(above) = self.parent(at) {
            if let Kind::Clause { body, .. } = self.tree.kind(above) {
                return Some(above).filter(|_| !self.tree.list(body).contains(&at));
            }
            at = above;
        }
        None
    }

    /// The head of a clause that let it be chosen wrongly, or not: its guard, else its pattern.
    pub(crate) fn head(&self, clause: NodeId, in_guard: bool) -> Blame {
        let Kind::Clause { patterns, guards, .. } = self.tree.kind(clause) else {
            return Blame { node: clause, part: Part::Expression };
        };
        let guard = self.tree.list(guards).first().filter(|_| in_guard);
        match (guard, self.tree.list(patterns)) {
            (Some(&guard), _) => Blame { node: guard, part: Part::Guard },
            (None, [pattern]) => Blame { node: *pattern, part: Part::Pattern },
            (None, _) => Blame { node: clause, part: Part::Clause },
        }
    }
}
