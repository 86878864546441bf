//! Pieces of a program that are written as in its reference version: they are not to blame.
//!
//! Where the reference could not tell which of several statements is wrong, those are left whose
//! piece differs. A piece is a function or fun without the funs in it. It is compared by its text,
//! layout apart; and only if everything else in the file (records, macros, options) is the same.

use ::debug::Run;
use atom::Atom;
use machine::observe::Site;
use syntax::ast::{Kind, Module, NodeId};
use syntax::token::TokenId;

use super::{Debugged, NodeIx, Reference};

impl Debugged {
    /// Of statements one of which is wrong, one of the only piece of the program that is not
    /// written as in the reference; nothing if there are several, or none.
    pub fn settled_by(&self, reference: &Reference, open: &[NodeIx]) -> Option<NodeIx> {
        let there = reference.whole_run()?;
        let is_changed = |node: &NodeIx| {
            let site = self.run.statement(*node).map(|statement| statement.site);
            site.is_none_or(|site| !is_unchanged(&self.run, site, there))
        };
        let changed: Vec<NodeIx> = open.iter().copied().filter(is_changed).collect();
        // Funs inside of a function that differs itself are that function's doing.
        let place = |node: &NodeIx| self.run.statement(*node).map(|statement| statement.site);
        let outermost = changed.iter().copied().find(|node| {
            changed.iter().all(|other| {
                let (Some(a), Some(b)) = (place(node), place(other)) else { return false };
                a.module == b.module
                    && self.tree(a).is_some_and(|tree| {
                        tree[a.node].first <= tree[b.node].first
                            && tree[b.node].last <= tree[a.node].last
                    })
            })
        });
        if outermost.is_some() {
            return outermost;
        }
        let piece = |node: &NodeIx| self.run.shape.facts(*node).function;
        let first = changed.first().map(piece)?;
        let is_one = changed.iter().all(|node| piece(node) == first);
        changed.last().copied().filter(|_| is_one)
    }
}

fn is_unchanged(here: &Run, site: Site, there: &Run) -> bool {
    let Some(tree) = here.trees.get(&site.module) else { return false };
    let Some((name, function)) = function_of(tree, site.node) else { return false };
    let mine = written(tree, site.node);
    // There are few modules.
    let mut others: Vec<_> = there.trees.iter().collect();
    others.sort_unstable_by_key(|(number, _)| **number);
    others.into_iter().any(|(_, other)| {
        let same = functions(other).find(|(other_name, _)| *other_name == name);
        let Some((_, same)) = same.filter(|_| settings(tree) == settings(other)) else {
            return false;
        };
        match function == site.node {
            true => written(other, same) == mine,
            false => funs(other, same).into_iter().any(|fun| written(other, fun) == mine),
        }
    })
}

/// The functions of a module, each with its name and arity.
fn functions(tree: &Module) -> impl Iterator<Item = ((Atom, u32), NodeId)> {
    tree.forms.iter().filter_map(|&form| match tree.kind(form) {
        Kind::Function { name, arity, .. } => Some(((name, arity), form)),
        _ => None,
    })
}

/// The function that a node is part of.
fn function_of(tree: &Module, node: NodeId) -> Option<((Atom, u32), NodeId)> {
    let first = tree[node].first;
    functions(tree).find(|(_, function)| {
        let whole = &tree[*function];
        whole.first <= first && first <= whole.last
    })
}

/// All funs in a piece.
fn funs(tree: &Module, root: NodeId) -> Vec<NodeId> {
    let (mut found, mut open) = (Vec::new(), tree.children(root));
    while let Some(node) = open.pop() {
        if matches!(tree.kind(node), Kind::Fun { .. }) {
            found.push(node);
        }
        open.extend(tree.children(node));
    }
    found
}

/// The tokens of a piece, without those of the funs in it.
fn written(tree: &Module, root: NodeId) -> Vec<&str> {
    let inner = funs(tree, root);
    let is_inside = |token: TokenId| {
        inner.iter().any(|&fun| tree[fun].first < token && token <= tree[fun].last)
    };
    tokens(tree, root).filter(|(token, _)| !is_inside(*token)).map(|(_, text)| text).collect()
}

/// The tokens of a node, those of macros as they are defined.
fn tokens(tree: &Module, node: NodeId) -> impl Iterator<Item = (TokenId, &str)> {
    let (first, last) = (tree[node].first, tree[node].last);
    (first.0..=last.0).map(TokenId).map(|id| (id, tree.text(tree.token(id).span)))
}

/// What functions depend on beside their text: records and options.
fn settings(tree: &Module) -> Vec<&str> {
    let is_setting = |form: &&NodeId| match tree.kind(**form) {
        Kind::RecordAttribute { .. } => true,
        Kind::Attribute { name, .. } => name.as_str() == "compile",
        _ => false,
    };
    let settings = tree.forms.iter().filter(is_setting);
    settings.flat_map(|&form| tokens(tree, form).map(|(_, text)| text)).collect()
}
