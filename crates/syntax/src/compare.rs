//! Whether two trees are the same, positions apart.
//!
//! Compares kinds, fields and literal values; node ids, tokens and places do not matter. Two
//! modules that are the same here have the same abstract forms but for annotations. Linear, no
//! recursion.

use std::fmt;

use crate::ast::{Module, NodeId};
use crate::shape::Value;

/// The first place, in the order of the text, where two trees differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The nodes that differ, where both trees have one.
    pub nodes: Option<(NodeId, NodeId)>,
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Difference {}

/// Compares all forms of two modules.
pub fn same_forms(left: &Module, right: &Module) -> Result<(), Difference> {
    for (&left_form, &right_form) in left.forms.iter().zip(&right.forms) {
        same_trees((left, left_form), (right, right_form))?;
    }
    if left.forms.len() == right.forms.len() {
        return Ok(());
    }
    let what = format!("{} forms instead of {}", right.forms.len(), left.forms.len());
    Err(Difference { nodes: None, what })
}

/// Compares two nodes and all that is below them.
pub fn same_trees(left: (&Module, NodeId), right: (&Module, NodeId)) -> Result<(), Difference> {
    let ((left, left_root), (right, right_root)) = (left, right);
    let mut pending = vec![(left_root, right_root)];
    while let Some((a, b)) = pending.pop() {
        let mark = pending.len();
        same_node(left, a, right, b, &mut pending)?;
        pending[mark..].reverse();
    }
    Ok(())
}

/// Compares two nodes without what is below them, and appends the pairs of their children.
fn same_node(
    left: &Module,
    a: NodeId,
    right: &Module,
    b: NodeId,
    children: &mut Vec<(NodeId, NodeId)>,
) -> Result<(), Difference> {
    let differ = |what: String| Err(Difference { nodes: Some((a, b)), what });
    let (a, b) = (left.shape(a), right.shape(b));
    if a.kind != b.kind {
        return differ(format!("{} instead of {}", b.kind, a.kind));
    }
    let names = |shape: &crate::shape::Shape<'_>| {
        shape.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
    };
    if !a.fields.iter().map(|field| field.name).eq(b.fields.iter().map(|field| field.name)) {
        return differ(format!("{} with ({}) instead of ({})", a.kind, names(&b), names(&a)));
    }
    for (x, y) in a.fields.iter().zip(&b.fields) {
        match (x.value, y.value) {
            (Value::Node(x), Value::Node(y)) => children.push((x, y)),
            (Value::Nodes(xs), Value::Nodes(ys)) if xs.len() == ys.len() => {
                children.extend(xs.iter().copied().zip(ys.iter().copied()));
            }
            (Value::Nodes(xs), Value::Nodes(ys)) => {
                let (name, kind) = (x.name, a.kind);
                return differ(format!("{} {name} of {kind} instead of {}", ys.len(), xs.len()));
            }
            (was, is) if was != is => {
                return differ(format!("{} of {}: {is:?} instead of {was:?}", x.name, a.kind));
            }
            _ => {}
        }
    }
    Ok(())
}
