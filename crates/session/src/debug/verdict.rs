//! What is to blame, as a place of the text.
//!
//! A statement after a message is about all that its activation did from there on: the clause of
//! the `receive`, and what stands behind the `receive` in the same clause of the function. Where
//! somebody else further in took the message, it is what stands behind that call.

use std::sync::Arc;

use ::debug::record::{Outcome, Statement, StatementId, Taken};
use machine::observe::Site;
use syntax::ast::{Kind, Module, NodeId};
use syntax::source::Span;

use super::{Blamed, Debugged, NodeIx, Verdict, Zoomed};
use crate::Excerpt;

impl Debugged {
    /// What is to blame if a node is wrong and all below it are right.
    pub fn verdict(&self, node: NodeIx) -> Option<Verdict> {
        let id = StatementId(self.run.shape.given(node)? as u32);
        let statement = self.run.get(id)?;
        let site = statement.site;
        let (kind, at) = match statement.after.as_ref().map(|after| (&after.taken, after.before)) {
            None => (Blamed::Function, None),
            Some((taken, before)) => {
                let (kind, at) = match taken {
                    Taken::Message { at, .. } => (Blamed::Receive, *at),
                    Taken::TimeOut { at } => (Blamed::After, *at),
                };
                match at.filter(|at| self.is_inside(*at, site)) {
                    Some(at) => (kind, Some(at)),
                    None => (Blamed::Function, self.waiting_call(statement, before)),
                }
            }
        };
        let tree = self.tree(site)?;
        let excerpt =
            |span: Span, at: NodeId| Excerpt { module: Arc::clone(tree), span, at: tree.loc(at) };
        let (source, clause) = match at {
            None => (excerpt(tree.span(site.node), site.node), None),
            Some(at) => {
                let span = from_there(tree, site.node, at.node);
                let clause =
                    (kind != Blamed::Function).then(|| excerpt(tree.span(at.node), at.node));
                (excerpt(span, at.node), clause)
            }
        };
        let question = self.question(node)?;
        Some(Verdict { question, kind, source: Some(source), clause, zoomed: None })
    }

    fn is_inside(&self, at: Site, function: Site) -> bool {
        at.module == function.module
            && self
                .tree(function)
                .is_some_and(|tree| !path(tree, function.node, at.node).is_empty())
    }

    /// The call in an activation in which it waited.
    fn waiting_call(&self, statement: &Statement, before: StatementId) -> Option<Site> {
        let last = self.run.below(before).last()?;
        let last = self.run.get(last)?;
        let waited = matches!(last.outcome, Outcome::Waited);
        let at = last.called_at.filter(|_| waited)?;
        self.is_inside(at, statement.site).then_some(at)
    }
}

impl Verdict {
    /// With the part of it that is to blame. A part of the clause of a `receive` is not behind it;
    /// a clause that should have taken the message is beside it.
    pub fn zoomed(self, zoomed: Option<Zoomed>) -> Verdict {
        let Some(part) = zoomed.as_ref().map(|zoomed| zoomed.source.span) else { return self };
        let holds =
            |excerpt: &Excerpt| excerpt.span.start <= part.start && part.end <= excerpt.span.end;
        let clause = self.clause.clone().filter(holds);
        let mut source = clause.or(self.source);
        if let Some(source) = source.as_mut().filter(|source| source.span.file == part.file) {
            source.span.start = source.span.start.min(part.start);
            source.span.end = source.span.end.max(part.end);
        }
        Verdict { zoomed, source, ..self }
    }
}

/// The nodes from one down to another below it, both included; none if it is not below it.
fn path(tree: &Module, root: NodeId, node: NodeId) -> Vec<NodeId> {
    // Nodes on the way, each with those below it that were not looked at.
    let mut way: Vec<(NodeId, Vec<NodeId>)> = vec![(root, tree.children(root))];
    while let Some((at, left)) = way.last_mut() {
        if *at == node {
            return way.into_iter().map(|(at, _)| at).collect();
        }
        match left.pop() {
            Some(next) => way.push((next, tree.children(next))),
            None => drop(way.pop()),
        }
    }
    Vec::new()
}

/// What is evaluated from a node on, up to the end of the clause of its function: the node itself
/// if its value is that of the function.
fn from_there(tree: &Module, function: NodeId, node: NodeId) -> Span {
    let way = path(tree, function, node);
    let whole = tree.span(node);
    let mut is_last = true;
    for pair in way.windows(2) {
        let (above, below) = (pair[0], pair[1]);
        is_last &= match tree.kind(above) {
            Kind::Clause { body, .. } => tree.list(body).last() == Some(&below),
            Kind::Function { .. } | Kind::Fun { .. } | Kind::Receive { .. } => true,
            Kind::Case { .. } | Kind::If { .. } | Kind::Block { .. } => {
                tree.children(above).last() == Some(&below)
                    || matches!(tree.kind(below), Kind::Clause { .. })
            }
            _ => false,
        };
    }
    // The clause of the function, and the expression in it that holds the node.
    let clause = way.iter().position(|&at| matches!(tree.kind(at), Kind::Clause { .. }));
    match clause.and_then(|at| Some((way[at], *way.get(at + 1)?))) {
        Some((clause, expression)) if !is_last => {
            Span { start: tree.span(expression).start, end: tree.span(clause).end, ..whole }
        }
        _ => whole,
    }
}
