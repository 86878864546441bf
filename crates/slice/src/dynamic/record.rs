//! What a run left behind for slicing: its activations, and what connects them.
//!
//! Erlang has no loops but calls, and no assignments: inside of one activation of a function every
//! expression is evaluated at most once. So an instance of a node is the node and an activation.
//! Comprehensions are loops, and are functions of their own in the Machine: each element is an
//! activation *inside* of that of the function around it.

use flow::{FunctionId, ModuleId, Site};
use machine::Pid;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::NodeId;

/// Number of an activation.
pub(super) type Act = u32;

/// One call of a function, or one element of a comprehension.
#[derive(Debug)]
pub(super) struct Activation {
    pub(super) function: FunctionId,
    pub(super) pid: Pid,
    /// The place of the program that called it, itself or through code that is not of the program;
    /// for what a process begins with, the place that started the process. Of an element of a
    /// comprehension, nothing.
    pub(super) caller: Option<(Act, NodeId)>,
    /// Whether it is called by code that is not of the program, or begins a process.
    pub(super) from_outside: bool,
    /// It took the place of its caller.
    pub(super) is_tail: bool,
    /// For an element of a comprehension: its generator, and the activation around it.
    pub(super) inside: Option<(NodeId, Act)>,
    pub(super) begun: u64,
    pub(super) ended: Option<u64>,
    /// An exception left it.
    pub(super) left: bool,
    /// The messages that code outside of the program took before it called this.
    pub(super) handed: Vec<Sent>,
    /// What was marked: [`marked`] and [`chosen`], sorted when the run is over.
    pub(super) marks: Vec<u32>,
}

/// The mark of a node that was reached.
pub(super) fn marked(node: NodeId) -> u32 {
    node.0 << 1
}

/// The mark of a clause, a generator or an `after` that was chosen.
pub(super) fn chosen(node: NodeId) -> u32 {
    node.0 << 1 | 1
}

/// Where a message comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sent {
    /// A place of the program, itself or through library code.
    At(Act, NodeId),
    /// The end of an activation: what a callback answers, or what the end of a process tells.
    End(Act),
    /// A process that is not of the program: a server of the library that was asked to.
    Somewhere,
}

/// A process that waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Waiting {
    /// The activation that it began with.
    pub(super) began_with: Act,
    /// The one that waits, and the `receive`.
    pub(super) act: Act,
    pub(super) receive: NodeId,
}

/// A run up to the moment that a slice is asked for.
#[derive(Debug, Default)]
pub struct Run {
    pub(super) activations: Vec<Activation>,
    /// What was received at a place: by a `receive`, or by library code that was called there.
    pub(super) received: FxHashMap<(Act, NodeId), Vec<Sent>>,
    /// Who wrote what was read at a place, and was not overwritten since.
    pub(super) read: FxHashMap<(Act, NodeId), Vec<(Act, NodeId)>>,
    /// Processes to which something happened because of links, monitors or exit signals.
    pub(super) disturbed: FxHashSet<Pid>,
    /// Where exceptions came up, or passed.
    pub(super) raised: FxHashSet<(Act, NodeId)>,
    /// Places of the program that failed at least once.
    pub(super) ever_raised: FxHashSet<Site>,
    /// `try` and `catch` that an exception came to.
    pub(super) caught: FxHashSet<(Act, NodeId)>,
    /// When calls of code that is not of the program were over.
    pub(super) returned: FxHashMap<(Act, NodeId), u64>,
    /// Processes that others are linked to or watch, and that wait at the end.
    pub(super) waiting: Vec<Waiting>,
    /// The activation that the criterion is in.
    pub(super) at: Option<Act>,
    /// Modules that were not run as they are written.
    pub other_trees: Vec<ModuleId>,
}

impl Run {
    pub(super) fn activation(&self, act: Act) -> &Activation {
        &self.activations[act as usize]
    }

    pub(super) fn has(&self, act: Act, mark: u32) -> bool {
        self.activation(act).marks.binary_search(&mark).is_ok()
    }

    /// The activation of the function that an element of a comprehension belongs to.
    pub(super) fn host(&self, mut act: Act) -> Act {
        while let Some((_, outer)) = self.activation(act).inside {
            act = outer;
        }
        act
    }

    /// How many calls of the program's functions there were, elements of comprehensions included.
    pub fn calls(&self) -> usize {
        self.activations.len()
    }

    /// The process in which the criterion had its value.
    pub fn process(&self) -> Option<Pid> {
        self.at.map(|act| self.activation(act).pid)
    }
}
