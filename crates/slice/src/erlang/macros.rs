//! What cannot be taken apart: code that a macro made.
//!
//! A slice is printed in the user's own text. Where a token that belongs to a node itself (and not
//! to one of its children) came out of a macro, there is no text to change, so the node is *rigid*:
//! it is in the slice as a whole or not at all. What has a rigid part that cannot stand alone (a
//! segment, a field, a generator) is rigid, too.

use syntax::ast::{Kind, Module, NodeId};
use syntax::source::FileId;

use super::nodes::ModuleNodes;

/// The macro calls that stand in the text of a module, in order.
pub(crate) struct MacroCalls {
    calls: Vec<(u32, u32)>,
}

impl MacroCalls {
    pub(crate) fn of(tree: &Module) -> MacroCalls {
        let outermost = tree.expansions.iter().filter(|expansion| expansion.parent.is_none());
        let mut calls: Vec<(u32, u32)> = outermost
            .filter(|expansion| expansion.call.file == FileId::MAIN)
            .map(|expansion| (expansion.call.start, expansion.call.end))
            .collect();
        // The longest of those that begin at the same place first.
        calls.sort_unstable_by_key(|&(start, end)| (start, u32::MAX - end));
        let mut outer: Vec<(u32, u32)> = Vec::new();
        for call in calls {
            // A call in the argument of another one belongs to it.
            if outer.last().is_none_or(|last| call.0 >= last.1) {
                outer.push(call);
            }
        }
        MacroCalls { calls: outer }
    }

    /// What the user wrote for a token, and whether a macro has to do with it.
    fn written(&self, tree: &Module, token: u32) -> Option<(u32, u32, bool)> {
        let span = tree.written(syntax::token::TokenId(token));
        if span.file != FileId::MAIN {
            return None;
        }
        let before = self.calls.partition_point(|&(start, _)| start <= span.start);
        match before.checked_sub(1).map(|index| self.calls[index]) {
            Some((start, end)) if span.start < end => Some((start, end.max(span.end), true)),
            _ => Some((span.start, span.end, false)),
        }
    }
}

/// Marks rigid nodes below a form, everything below a rigid one included, and notes where in the
/// text each node begins and ends.
pub(crate) fn mark(tree: &Module, calls: &MacroCalls, form: NodeId, nodes: &mut ModuleNodes) {
    let mut below = Vec::new();
    tree.for_each_below(form, |node| below.push(node));
    let mut children = Vec::new();
    // Children before parents.
    for &node in below.iter().rev() {
        children.clear();
        tree.for_each_child(node, |child| children.push(child));
        let mut extent = (u32::MAX, 0);
        for &child in &children {
            let (start, end) = nodes.extents[child.0 as usize];
            extent = (extent.0.min(start), extent.1.max(end));
        }
        let mut is_made = false;
        let mut note = |token: u32| match calls.written(tree, token) {
            Some((start, end, made)) => {
                extent = (extent.0.min(start), extent.1.max(end));
                is_made |= made;
            }
            None => is_made = true,
        };
        own_tokens(tree, node, &children, &mut note);
        nodes.extents[node.0 as usize] = extent;
        // A macro that stands for one word is text like any other word; `maybe` is not taken apart.
        let is_word = children.is_empty() && tree[node].first == tree[node].last;
        let is_part = |child: &NodeId| {
            nodes.rigid[child.0 as usize]
                && matches!(
                    tree.kind(*child),
                    Kind::BinElement { .. }
                        | Kind::MapField { .. }
                        | Kind::RecordField { .. }
                        | Kind::Generator { .. }
                        | Kind::ZipGenerator { .. }
                )
        };
        let rigid = (is_made && !is_word)
            || matches!(tree.kind(node), Kind::Maybe { .. })
            || children.iter().any(is_part);
        nodes.rigid[node.0 as usize] = rigid;
    }
    // Parents before children.
    for &node in &below {
        if nodes.rigid[node.0 as usize] {
            tree.for_each_child(node, |child| nodes.rigid[child.0 as usize] = true);
        }
    }
}

/// The tokens of a node that belong to none of its children.
fn own_tokens(tree: &Module, node: NodeId, children: &[NodeId], note: &mut impl FnMut(u32)) {
    let (first, last) = (tree[node].first.0, tree[node].last.0);
    let mut spans: Vec<(u32, u32)> =
        children.iter().map(|&child| (tree[child].first.0, tree[child].last.0)).collect();
    spans.sort_unstable();
    let mut next = first;
    for (begin, end) in spans {
        (next..begin.max(next)).for_each(&mut *note);
        next = next.max(end + 1);
    }
    (next..last + 1).for_each(note);
}
