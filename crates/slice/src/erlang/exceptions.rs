//! Failing and waiting: where what follows depends on that what came before came to its end.
//!
//! In guarded code ([`super::regions`]) an expression that may fail has a node for that. The handler around
//! it depends on that node, and so does everything that is evaluated later: its control is the next
//! *step*, which depends on the steps before. Elsewhere a failure ends everything there is to
//! observe and nothing depends on it.

use syntax::ast::NodeId;

use super::expressions::Walker;
use super::nodes::Role;
use crate::core::{EdgeKind, Label, Node};

impl Walker<'_, '_> {
    /// Says that an expression may fail depending on some nodes.
    pub(crate) fn may_fail(&mut self, node: NodeId, because: &[Node]) {
        if self.guarded {
            self.may_fail_with(node, because);
        }
    }

    /// The node for that it fails; what follows is the next step.
    pub(crate) fn may_fail_with(&mut self, node: NodeId, because: &[Node]) -> Node {
        let raise = self.node(node, Role::Raise);
        self.edge(raise, self.here, EdgeKind::Control, Label::All);
        for &because in because {
            self.edge(raise, because, EdgeKind::Exception, Label::All);
        }
        self.edge(self.handler, raise, EdgeKind::Exception, Label::All);
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
