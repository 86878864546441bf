//! Where in a structure each expression, or pattern, stands that it is written with.
//!
//! Fields that are not written (the defaults of a record, what an update leaves as it is) are not
//! here; nor are binaries. Costs a step for each field.

use program::index::ModuleIndex;
use syntax::ast::{Kind, Module, NodeId, RecordName};

/// A place in a structure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Of a tuple or record, from 0 (the name of a record).
    Element(u32),
    /// What a cell of a list holds; cells from 0.
    Head(u32),
    /// What follows a cell.
    Tail(u32),
    /// Of a map: the value of this key.
    Key(NodeId),
}

/// A structure as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// What stands where. `#r{_ = X}` has `X` in many places.
    pub parts: Vec<(Place, NodeId)>,
    /// What an update begins with.
    pub base: Option<NodeId>,
}

/// The tuples, lists, maps and records of a module, in expressions and patterns.
pub fn layouts(tree: &Module) -> Vec<(NodeId, Layout)> {
    let index = ModuleIndex::of(tree);
    let nodes = (0..tree.nodes.len() as u32).map(NodeId);
    nodes.filter_map(|node| Some((node, layout(tree, &index, node)?))).collect()
}

fn layout(tree: &Module, index: &ModuleIndex, node: NodeId) -> Option<Layout> {
    let mut parts = Vec::new();
    let numbered = |nodes| (0..).zip(tree.list(nodes).iter().copied());
    let base = match tree.kind(node) {
        Kind::Tuple { elements } => {
            parts.extend(numbered(elements).map(|(at, node)| (Place::Element(at), node)));
            None
        }
        Kind::List { elements, tail } => {
            parts.extend(numbered(elements).map(|(at, node)| (Place::Head(at), node)));
            let last = elements.len.checked_sub(1);
            parts.extend(last.zip(tail).map(|(at, node)| (Place::Tail(at), node)));
            None
        }
        Kind::Map { base, fields } => {
            for &field in tree.list(fields) {
                if let Kind::MapField { key, value, .. } = tree.kind(field) {
                    parts.push((Place::Key(key), value));
                }
            }
            base
        }
        Kind::Record { base, name: RecordName::Local(name), fields } => {
            let Kind::Atom(name) = tree.kind(name) else { return None };
            let record = index.records.get(name)?;
            let mut written = vec![None; record.fields.len()];
            let mut others = None;
            for &field in tree.list(fields) {
                let Kind::RecordField { name, value } = tree.kind(field) else { continue };
                match tree.kind(name) {
                    Kind::Atom(name) => *written.get_mut(record.field(name)?)? = Some(value),
                    _ => others = Some(value),
                }
            }
            let all = (1..).zip(written.into_iter().map(|value| value.or(others)));
            parts.extend(all.filter_map(|(at, value)| Some((Place::Element(at), value?))));
            base
        }
        _ => return None,
    };
    Some(Layout { parts, base })
}
