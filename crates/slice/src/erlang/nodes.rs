//! Which node of the dependence graph stands for what of the program.

use flow::{FunctionId, ModuleId};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::NodeId;

use super::exceptions::Handler;
use dependence::Node;

macro_rules! roles {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// What a node of the graph is about.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) enum Role { $($(#[$doc])* $name),* }
        impl Role {
            pub(crate) fn text(self) -> &'static str {
                match self { $(Role::$name => $text),* }
            }
        }
    };
}

roles! {
    /// The value of an expression, or what a pattern is matched with.
    Value = "value",
    /// A list behind its first elements.
    Cell = "rest of a list",
    /// A binary behind its first segments.
    Rest = "rest of a binary",
    /// That a call, a send or a receive is done.
    Effect = "action",
    /// Whether a head matches and its guard holds.
    Test = "test",
    /// That a body is entered.
    Control = "choice",
    /// That a function is entered.
    Entry = "entry",
    Parameter = "parameter",
    Result = "result",
    /// That an expression, or a function, fails.
    Raise = "exception",
    /// That evaluation comes to an end.
    End = "end",
    /// What outlives calls: the process dictionary, tables, names.
    State = "state",
    /// A step on the way from one of the others to another.
    Between = "between",
}

/// What a node of the graph belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub(crate) module: ModuleId,
    pub(crate) node: NodeId,
    pub(crate) role: Role,
}

/// The nodes that stand for the tree of one module.
#[derive(Debug, Default)]
pub(crate) struct ModuleNodes {
    values: Vec<Option<Node>>,
    pub(crate) effects: FxHashMap<NodeId, Node>,
    /// By clause, or by match.
    pub(crate) tests: FxHashMap<NodeId, Node>,
    /// By clause; by operator for the second operand of `andalso` and `orelse`; by comprehension
    /// for what is inside.
    pub(crate) choices: FxHashMap<NodeId, Node>,
    /// By list: the first cell behind its first element, the others follow.
    pub(crate) cells: FxHashMap<NodeId, Node>,
    /// By clause of a `receive`: messages that its guard refuses, and that they are sent.
    pub(crate) refused: FxHashMap<NodeId, Vec<Node>>,
    /// Matches that somebody may notice failing.
    pub(crate) guarded: FxHashSet<NodeId>,
    /// Clauses that are never chosen.
    pub(crate) unreachable: FxHashSet<NodeId>,
    /// What cannot be taken apart, because a macro made it.
    pub(crate) rigid: Vec<bool>,
    /// Where in the text of the module's file each node of a function begins and ends, macro calls
    /// included.
    pub(crate) extents: Vec<(u32, u32)>,
}

impl ModuleNodes {
    pub(crate) fn new(len: usize) -> ModuleNodes {
        ModuleNodes {
            values: vec![None; len],
            rigid: vec![false; len],
            extents: vec![(u32::MAX, 0); len],
            ..Default::default()
        }
    }

    pub(crate) fn value(&self, node: NodeId) -> Option<Node> {
        self.values.get(node.0 as usize).copied().flatten()
    }

    pub(crate) fn set_value(&mut self, node: NodeId, value: Node) {
        if let Some(slot) = self.values.get_mut(node.0 as usize) {
            *slot = Some(value);
        }
    }

    pub(crate) fn is_rigid(&self, node: NodeId) -> bool {
        self.rigid.get(node.0 as usize).copied().unwrap_or(false)
    }
}

/// The nodes of a function or fun.
#[derive(Clone, Debug)]
pub(crate) struct FunctionNodes {
    pub(crate) entry: Node,
    pub(crate) first_parameter: Node,
    pub(crate) arity: u32,
    /// The result of each clause.
    pub(crate) first_clause: Node,
    pub(crate) clauses: u32,
    pub(crate) result: Node,
    pub(crate) raise: Node,
    /// What it says if it fails.
    pub(crate) reason: Node,
    pub(crate) end: Node,
    /// Whether somebody may notice that it fails.
    pub(crate) guarded: bool,
    /// Whether it may wait for something.
    pub(crate) waits: bool,
    /// Whether it may come to call itself.
    pub(crate) is_recursive: bool,
}

impl FunctionNodes {
    /// Where exceptions of its body go.
    pub(crate) fn handler(&self) -> Handler {
        Handler { raised: self.raise, reason: self.reason }
    }

    pub(crate) fn parameters(&self) -> impl Iterator<Item = Node> + use<> {
        let first = self.first_parameter.index();
        (first..first + self.arity as usize).map(Node::new)
    }

    /// The result of a clause.
    pub(crate) fn clause(&self, index: usize) -> Option<Node> {
        (index < self.clauses as usize).then(|| Node::new(self.first_clause.index() + index))
    }

    pub(crate) fn parameter(&self, index: u32) -> Option<Node> {
        (index < self.arity).then(|| Node::new(self.first_parameter.index() + index as usize))
    }
}

/// What a call may reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// Functions that get the arguments one by one.
    pub(crate) called: Vec<FunctionId>,
    /// Functions that something called here calls back, or starts as a process.
    pub(crate) called_back: Vec<FunctionId>,
    /// Whether code that is not part of the program may run.
    pub(crate) outside: bool,
}
