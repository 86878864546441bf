//! Patterns: what is not in the slice becomes `_`.

use syntax::ast::{Kind, NodeId};

use super::Printer;
use super::items::Item;
use crate::erlang::stays_whole;

impl Printer<'_> {
    pub(crate) fn pattern(&mut self, node: NodeId) -> String {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.pattern_here(node))
    }

    fn pattern_here(&mut self, node: NodeId) -> String {
        if let Kind::CatchPattern { class, reason, stacktrace } = self.tree.kind(node) {
            let parts = class.into_iter().chain([reason]).chain(stacktrace);
            let parts = parts.map(|part| (part, self.pattern(part))).collect();
            return self.splice(node, parts);
        }
        if !self.has(node) {
            return "_".to_string();
        }
        if self.nodes.is_rigid(node) {
            return self.verbatim(node);
        }
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Tuple { elements } => {
                let parts = tree.list(elements);
                let parts = parts.iter().map(|&part| (part, self.pattern(part))).collect();
                self.splice(node, parts)
            }
            Kind::List { elements, tail } => {
                let parts: Vec<(NodeId, String)> = tree
                    .list(elements)
                    .iter()
                    .chain(tail.as_ref())
                    .map(|&part| (part, self.pattern(part)))
                    .collect();
                self.cut_list(node, elements.len as usize, tail.is_none(), parts, "_")
            }
            Kind::Match { pattern, value } => {
                let (left, right) = (self.pattern(pattern), self.pattern(value));
                match (left.as_str(), right.as_str()) {
                    ("_", _) => right,
                    (_, "_") => left,
                    _ => self.splice(node, vec![(pattern, left), (value, right)]),
                }
            }
            Kind::Map { fields, .. } => {
                let list = tree.list(fields);
                let items: Vec<Item> = list.iter().map(|&field| self.map_pattern(field)).collect();
                self.braced(node, items)
            }
            Kind::Record { fields, .. } => {
                let list = tree.list(fields);
                let items: Vec<Item> =
                    list.iter().map(|&field| self.record_pattern(field)).collect();
                self.braced(node, items)
            }
            Kind::Binary { elements } if !stays_whole(tree, self.nodes, node) => {
                let list = tree.list(elements);
                let parts = list.iter().map(|&part| (part, self.segment_pattern(part))).collect();
                self.splice(node, parts)
            }
            _ => self.verbatim(node),
        }
    }

    /// A segment: its size and type are needed for those behind it.
    fn segment_pattern(&mut self, node: NodeId) -> String {
        let Kind::BinElement { value, size, specs } = self.tree.kind(node) else {
            return self.verbatim(node);
        };
        for part in self.tree.list(specs.unwrap_or_default()).iter().copied().chain(size) {
            self.verbatim(part);
        }
        let text = self.pattern(value);
        self.splice(node, vec![(value, text)])
    }

    fn map_pattern(&mut self, field: NodeId) -> Item {
        let text = match self.tree.kind(field) {
            Kind::MapField { key, value, .. } if self.has(value) || self.has(key) => {
                let (key_text, value_text) = (self.verbatim(key), self.pattern(value));
                Some(self.splice(field, vec![(key, key_text), (value, value_text)]))
            }
            _ => None,
        };
        Item { start: self.start(field), end: self.end(field), text }
    }

    fn record_pattern(&mut self, field: NodeId) -> Item {
        let text = match self.tree.kind(field) {
            Kind::RecordField { name, value } if self.has(value) => {
                self.keep(name);
                let value_text = self.pattern(value);
                Some(self.splice(field, vec![(value, value_text)]))
            }
            _ => None,
        };
        Item { start: self.start(field), end: self.end(field), text }
    }
}
