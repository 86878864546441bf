//! What a run decided by its inputs: its path.

use std::collections::BTreeMap;
use std::rc::Rc;

use atom::Atom;
use solver::ExprId;
use syntax::ast::NodeId;

use crate::funs::Row;

/// A place where something was decided, the same in every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    pub module: Atom,
    pub node: NodeId,
    /// Whether it is code of the program under study.
    pub own: bool,
}

/// One of several ways was taken, because of the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The conditions of the ways: exactly one of them holds. One way alone is no choice: what was
    /// taken as it is ([`Decision::is_pinned`]).
    pub ways: Rc<[ExprId]>,
    /// The way that was taken.
    pub taken: usize,
    pub at: Option<At>,
}

impl Decision {
    /// The condition of the way that was taken.
    pub fn holds(&self) -> ExprId {
        self.ways[self.taken]
    }

    /// Whether it only says that an unknown had the value that it had, where that was lost.
    pub fn is_pinned(&self) -> bool {
        self.ways.len() == 1
    }
}

/// Where unknowns were taken as the values that they had.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loss {
    /// The function, as `m:f/1`, or what else did it.
    pub what: String,
    pub at: Option<At>,
}

/// What a shadow saw of a run.
#[derive(Clone, Default, Debug)]
pub struct Path {
    pub decisions: Vec<Decision>,
    /// What funs of the inputs gave.
    pub rows: Vec<Row>,
    /// How often each.
    pub losses: BTreeMap<Loss, u64>,
    /// Whether there were more decisions than are kept.
    pub is_cut: bool,
    /// Whether it is that of several processes: decisions of theirs may come in another order.
    pub is_of_several: bool,
    /// Whether the run may go other paths in orders that were not looked at.
    pub is_one_of_more: bool,
    /// Conditions that were not as the values say: defects.
    pub wrong: u64,
}
