//! Whether one value can match two patterns, and whether a pattern matches everything: by what is written,
//! in doubt yes, and no.

use flow::bindings::{Bindings, Occurrence};
use syntax::ast::{Kind, Module, NodeId, NodeList};

use super::fields::literal_key;

/// Whether no value matches both patterns.
pub(crate) fn are_disjoint(tree: &Module, left: NodeId, right: NodeId) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || disjoint_here(tree, left, right))
}

fn disjoint_here(tree: &Module, left: NodeId, right: NodeId) -> bool {
    match (tree.kind(left), tree.kind(right)) {
        (Kind::Match { pattern, value }, _) => {
            are_disjoint(tree, pattern, right) || are_disjoint(tree, value, right)
        }
        (_, Kind::Match { pattern, value }) => {
            are_disjoint(tree, left, pattern) || are_disjoint(tree, left, value)
        }
        (Kind::Tuple { elements: a }, Kind::Tuple { elements: b }) => {
            let (a, b) = (tree.list(a), tree.list(b));
            a.len() != b.len() || a.iter().zip(b).any(|(&a, &b)| are_disjoint(tree, a, b))
        }
        (Kind::List { elements: a, tail: s }, Kind::List { elements: b, tail: t }) => {
            let (a, b) = (tree.list(a), tree.list(b));
            let lengths = (s.is_none() && a.len() < b.len()) || (t.is_none() && b.len() < a.len());
            lengths || a.iter().zip(b).any(|(&a, &b)| are_disjoint(tree, a, b))
        }
        (a, b) => match (class(tree, left, a), class(tree, right, b)) {
            (Some(a), Some(b)) if a != b => true,
            (Some(Class::Simple), Some(Class::Simple)) => {
                literal_key(tree, left) != literal_key(tree, right)
            }
            _ => false,
        },
    }
}

/// Kinds of values that have nothing in common.
#[derive(PartialEq)]
enum Class {
    /// Atoms, numbers, the empty list.
    Simple,
    Tuple,
    Cons,
    Map,
    Binary,
}

fn class(tree: &Module, node: NodeId, kind: Kind) -> Option<Class> {
    Some(match kind {
        Kind::Tuple { .. } | Kind::Record { .. } => Class::Tuple,
        Kind::List { .. } => Class::Cons,
        Kind::Map { .. } => Class::Map,
        Kind::Binary { .. } => Class::Binary,
        // Texts are lists of characters, and zero has two spellings as a float.
        Kind::String(_) if literal_key(tree, node)? != "n" => Class::Cons,
        Kind::Float(_) => return None,
        _ => {
            literal_key(tree, node)?;
            Class::Simple
        }
    })
}

/// Whether patterns match whatever they are given.
pub(crate) fn match_everything(tree: &Module, bindings: &Bindings, patterns: NodeList) -> bool {
    tree.list(patterns).iter().all(|&pattern| matches_everything(tree, bindings, pattern))
}

pub(crate) fn matches_everything(tree: &Module, bindings: &Bindings, pattern: NodeId) -> bool {
    match tree.kind(pattern) {
        Kind::Var(_) => !matches!(bindings.occurrence(pattern), Occurrence::Use(_)),
        Kind::Match { pattern, value } => {
            matches_everything(tree, bindings, pattern) && matches_everything(tree, bindings, value)
        }
        _ => false,
    }
}
