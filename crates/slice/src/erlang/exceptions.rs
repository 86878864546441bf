//! Failing and waiting: where what follows depends on that what came before came to its end.
//!
//! In guarded code ([`super::regions`]) an expression that may fail has a node for that. The
//! handler around it depends on that node, and so does everything that is evaluated later: its
//! control is the next *step*, which depends on the steps before. Elsewhere a failure ends
//! everything there is to observe and nothing depends on it.
//!
//! That something fails and the reason that it gives are two nodes: whether `{ok, X} = f()` fails
//! is a matter of the pair and its first element, while a handler that looks at the reason sees all
//! of it. What is thrown reaches the handler part by part.

use syntax::ast::NodeId;

use super::expressions::Walker;
use super::fields;
use super::nodes::Role;
use crate::options::Exceptions;
use dependence::{EdgeKind, Label, Node};

/// Where exceptions go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handler {
    /// That there is one, and of which class.
    pub(crate) raised: Node,
    /// What it says.
    pub(crate) reason: Node,
}

/// The label from a reason such as `{badmatch, V}` to `V`.
pub(crate) fn blamed() -> Label {
    Label::Close(fields::element(2, 1))
}

/// Functions that raise an exception, and the position of its reason.
pub(crate) fn reason_of(module: &str, name: &str, arity: usize) -> Option<usize> {
    match (module, name, arity) {
        ("erlang", "throw" | "exit", 1) | ("erlang", "error", 1..=3) => Some(0),
        ("erlang", "raise", 3) => Some(1),
        _ => None,
    }
}

impl Walker<'_, '_> {
    /// A handler around what follows.
    pub(crate) fn new_handler(&mut self, node: NodeId) -> Handler {
        let (raised, reason) = (self.node(node, Role::Raise), self.node(node, Role::Raise));
        self.edge(reason, raised, EdgeKind::Exception, Label::All);
        Handler { raised, reason }
    }

    /// Whether exceptions that are handled count.
    pub(crate) fn counts_failures(&self) -> bool {
        self.build.options.exceptions != Exceptions::None
    }

    /// Says that an expression may fail depending on some nodes.
    pub(crate) fn may_fail(&mut self, node: NodeId, because: &[Node]) {
        if self.guarded {
            self.may_fail_with(node, because, &[]);
        }
    }

    /// The node for that it fails, with parts of the reason; what follows is the next step.
    pub(crate) fn may_fail_with(
        &mut self,
        node: NodeId,
        because: &[Node],
        reasons: &[(Node, Label)],
    ) -> Node {
        let raise = self.node(node, Role::Raise);
        self.edge(raise, self.here, EdgeKind::Control, Label::All);
        for &because in because {
            self.edge(raise, because, EdgeKind::Exception, Label::All);
        }
        self.edge(self.handler.raised, raise, EdgeKind::Exception, Label::All);
        for &(reason, label) in reasons {
            self.edge(self.handler.reason, reason, EdgeKind::Exception, label);
        }
        self.step(node, &[raise]);
        raise
    }

    /// What follows depends on these, too.
    pub(crate) fn step(&mut self, node: NodeId, because: &[Node]) -> Node {
        let next = self.node(node, Role::Control);
        self.edge(next, self.here, EdgeKind::Control, Label::All);
        for &because in because {
            self.edge(next, because, EdgeKind::Control, Label::All);
        }
        self.here = next;
        next
    }

    /// After alternatives: if one of them took steps, what follows depends on where they ended.
    pub(crate) fn join(&mut self, node: NodeId, before: Node, ends: &[(Node, Node)]) {
        self.here = before;
        let moved: Vec<Node> =
            ends.iter().filter(|(begin, end)| begin != end).map(|(_, end)| *end).collect();
        if !moved.is_empty() {
            self.step(node, &moved);
        }
    }
}
