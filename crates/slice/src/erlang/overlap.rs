//! Whether one value can match two patterns, whether a pattern matches all that another one
//! matches, all values of an expression, or everything: by what is written, in doubt yes, and no,
//! and no, and no.
//!
//! Two patterns are walked together, from the outermost constructor inwards, as far as both have
//! one; variables match all, unless they are bound already or stand there twice. Guards, the
//! contents of binaries and keys of maps that are not literals are not looked into. Cost: the size
//! of the smaller pattern.

use flow::bindings::{Bindings, Occurrence};
use syntax::ast::{Kind, Module, NodeId, NodeList};

use super::fields::{is_simple, same_literal};

/// A pattern, or an expression that makes values.
pub(crate) type Place<'t> = (&'t Module, NodeId);

/// Whether no value matches both patterns.
pub(crate) fn are_disjoint(tree: &Module, left: NodeId, right: NodeId) -> bool {
    never_match((tree, left), (tree, right), &mut |_, _| false)
}

/// Whether no value of the left side matches the pattern on the right. What variables, and other
/// expressions that are no constructors, on the left can be is asked for: whether they never match
/// some pattern.
pub(crate) fn never_match(
    left: Place<'_>,
    right: Place<'_>,
    other: &mut dyn FnMut(NodeId, NodeId) -> bool,
) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || never_match_here(left, right, other))
}

fn never_match_here(
    (here, left): Place<'_>,
    (there, right): Place<'_>,
    other: &mut dyn FnMut(NodeId, NodeId) -> bool,
) -> bool {
    let mut disjoint = |a: NodeId, b: NodeId| never_match((here, a), (there, b), other);
    match (here.kind(left), there.kind(right)) {
        (Kind::Var(_), Kind::Match { pattern, value })
        | (Kind::Match { .. }, Kind::Match { pattern, value }) => {
            disjoint(left, pattern) || disjoint(left, value)
        }
        (Kind::Match { pattern, value }, _) => disjoint(pattern, right) || disjoint(value, right),
        (_, Kind::Match { pattern, value }) => disjoint(left, pattern) || disjoint(left, value),
        (
            Kind::Var(_)
            | Kind::Call { .. }
            | Kind::BinaryOp { .. }
            | Kind::UnaryOp { .. }
            | Kind::Comprehension { .. }
            | Kind::Fun { .. }
            | Kind::FunName { .. }
            | Kind::FunRemote { .. }
            | Kind::Block { .. }
            | Kind::Case { .. }
            | Kind::If { .. },
            _,
        ) => other(left, right),
        (Kind::Tuple { elements: a }, Kind::Tuple { elements: b }) => {
            let (a, b) = (here.list(a), there.list(b));
            a.len() != b.len() || a.iter().zip(b).any(|(&a, &b)| disjoint(a, b))
        }
        (Kind::List { elements: a, tail: s }, Kind::List { elements: b, tail: t }) => {
            let (a, b) = (here.list(a), there.list(b));
            let lengths = (s.is_none() && a.len() < b.len()) || (t.is_none() && b.len() < a.len());
            lengths || a.iter().zip(b).any(|(&a, &b)| disjoint(a, b))
        }
        (a, b) => match (class(here, left, a), class(there, right, b)) {
            (Some(a), Some(b)) if a != b => true,
            (Some(Class::Simple), Some(Class::Simple)) => {
                same_literal((here, left), (there, right)) == Some(false)
            }
            _ => false,
        },
    }
}

/// Whether everything that matches the second pattern matches the first.
pub(crate) fn is_more_general(
    tree: &Module,
    bindings: &Bindings,
    general: NodeId,
    special: NodeId,
) -> bool {
    let covers = |a: NodeId, b: NodeId| {
        stacker::maybe_grow(64 << 10, 1 << 20, || is_more_general(tree, bindings, a, b))
    };
    if matches_everything(tree, bindings, general) {
        return true;
    }
    match (tree.kind(general), tree.kind(special)) {
        (Kind::Match { pattern, value }, _) => covers(pattern, special) && covers(value, special),
        (_, Kind::Match { pattern, value }) => covers(general, pattern) || covers(general, value),
        (Kind::Tuple { elements: a }, Kind::Tuple { elements: b }) => {
            let (a, b) = (tree.list(a), tree.list(b));
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| covers(a, b))
        }
        (Kind::List { elements: a, tail: s }, Kind::List { elements: b, tail: t }) => {
            let (a, b) = (tree.list(a), tree.list(b));
            let tails = match (s, t) {
                (Some(s), Some(t)) if a.len() == b.len() => covers(s, t),
                (Some(s), _) if a.len() <= b.len() => matches_everything(tree, bindings, s),
                (None, None) => a.len() == b.len(),
                _ => false,
            };
            tails && a.iter().zip(b).all(|(&a, &b)| covers(a, b))
        }
        (Kind::Map { fields, .. }, Kind::Map { .. }) => fields.is_empty(),
        _ => same_literal((tree, general), (tree, special)) == Some(true),
    }
}

/// Whether a pattern matches whatever an expression gives. Whether a variable that is bound already
/// is what stands on the left is asked for.
pub(crate) fn always_match(
    (here, expr): Place<'_>,
    (there, pattern): Place<'_>,
    bindings: &Bindings,
    is_same: &dyn Fn(NodeId, NodeId) -> bool,
) -> bool {
    let always = |expr: NodeId, pattern: NodeId| {
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            always_match((here, expr), (there, pattern), bindings, is_same)
        })
    };
    if matches_everything(there, bindings, pattern) {
        return true;
    }
    match (here.kind(expr), there.kind(pattern)) {
        (_, Kind::Match { pattern, value }) => always(expr, pattern) && always(expr, value),
        (Kind::Match { value, .. }, _) => always(value, pattern),
        (_, Kind::Var(_)) => is_same(expr, pattern),
        (Kind::Tuple { elements: a }, Kind::Tuple { elements: b }) => {
            let (a, b) = (here.list(a), there.list(b));
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| always(a, b))
        }
        (Kind::List { elements: a, tail: s }, Kind::List { elements: b, tail: t }) => {
            let (a, b) = (here.list(a), there.list(b));
            let tails = match (s, t) {
                (Some(s), Some(t)) if a.len() == b.len() => always(s, t),
                (_, Some(t)) if a.len() >= b.len() => matches_everything(there, bindings, t),
                (None, None) => a.len() == b.len(),
                _ => false,
            };
            tails && a.iter().zip(b).all(|(&a, &b)| always(a, b))
        }
        _ => same_literal((here, expr), (there, pattern)) == Some(true),
    }
}

/// Whether two variables of a module are the same one.
pub(crate) fn is_same_variable(
    tree: &Module,
    bindings: &Bindings,
    left: NodeId,
    right: NodeId,
) -> bool {
    let (Kind::Var(one), Kind::Var(other)) = (tree.kind(left), tree.kind(right)) else {
        return false;
    };
    match (bindings.occurrence(left), bindings.occurrence(right)) {
        (Occurrence::Use(a), Occurrence::Use(b)) => one == other && a == b,
        _ => false,
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
        Kind::String(_) if !is_simple(tree, node) => Class::Cons,
        Kind::Float(_) => return None,
        _ if is_simple(tree, node) => Class::Simple,
        _ => return None,
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
        Kind::CatchPattern { class, reason, .. } => {
            class.is_some_and(|class| matches_everything(tree, bindings, class))
                && matches_everything(tree, bindings, reason)
        }
        _ => false,
    }
}
