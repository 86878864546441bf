//! What cannot be taken apart: code that a macro made.
//!
//! A slice is printed in the user's own text. Where a token that belongs to a node itself (and not to one
//! of its children) came out of a macro, there is no text to change, so the node is *rigid*: it is in the
//! slice as a whole or not at all.

use syntax::ast::{Kind, Module, NodeId};
use syntax::source::FileId;

use super::nodes::ModuleNodes;

/// Marks rigid nodes below a form, everything below a rigid one included.
pub(crate) fn mark(tree: &Module, form: NodeId, nodes: &mut ModuleNodes) {
    let mut pending = vec![(form, false)];
    let mut children = Vec::new();
    while let Some((node, inside)) = pending.pop() {
        children.clear();
        tree.for_each_child(node, |child| children.push(child));
        let rigid = inside || is_rigid(tree, node, &children);
        if let Some(slot) = nodes.rigid.get_mut(node.0 as usize) {
            *slot = rigid;
        }
        pending.extend(children.iter().map(|&child| (child, rigid)));
    }
}

fn is_rigid(tree: &Module, node: NodeId, children: &[NodeId]) -> bool {
    // A macro that stands for one word is text like any other word.
    let (first, last) = (tree[node].first.0, tree[node].last.0);
    if children.is_empty() && first == last {
        return false;
    }
    // `maybe` is not taken apart.
    if matches!(tree.kind(node), Kind::Maybe { .. }) {
        return true;
    }
    let made = |index: u32| {
        let token = &tree.tokens[index as usize];
        token.expansion.is_some() || token.span.file != FileId::MAIN
    };
    let mut next = first;
    for &child in children {
        let (begin, end) = (tree[child].first.0, tree[child].last.0);
        if begin < next {
            // Not in the order of the text: be careful.
            return (first..=last).any(made);
        }
        if (next..begin).any(made) {
            return true;
        }
        next = end + 1;
    }
    (next..=last).any(made)
}
