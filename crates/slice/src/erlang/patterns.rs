//! Patterns: from the variables that they bind to what they are matched with, and what they test.
//!
//! A pattern is turned round: a part depends on the whole it is taken out of. What decides whether
//! it matches is collected in one node, its test: of constructors and literals only the shape of
//! what they meet is needed, of variables that are bound already all of both sides.

use flow::bindings::Occurrence;
use syntax::ast::{BinaryOp, Kind, NodeId};

use super::expressions::Walker;
use super::fields::{self, HEAD, TAIL};
use super::nodes::Role;
use dependence::{EdgeKind, Label, Node};

impl Walker<'_, '_> {
    /// Patterns and what they are matched with; the node for whether they match.
    pub(crate) fn head(&mut self, owner: NodeId, patterns: &[(NodeId, Node)]) -> Node {
        let outer = std::mem::take(&mut self.tests);
        for &(pattern, from) in patterns {
            self.pattern(pattern, from, Label::Same);
        }
        let tests = std::mem::replace(&mut self.tests, outer);
        let test = self.node(owner, Role::Test);
        self.nodes_mut().tests.insert(owner, test);
        self.edge(test, self.here, EdgeKind::Control, Label::All);
        for (node, label) in tests {
            self.edge(test, node, EdgeKind::Value, label);
        }
        test
    }

    pub(crate) fn pattern(&mut self, node: NodeId, from: Node, label: Label) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.pattern_here(node, from, label));
    }

    fn pattern_here(&mut self, node: NodeId, from: Node, label: Label) {
        let value = self.value_here(node);
        self.edge(value, from, EdgeKind::Value, label);
        let tree = self.tree.clone();
        match tree.kind(node) {
            Kind::Var(_) => match self.bindings.clone().occurrence(node) {
                Occurrence::Use(_) => {
                    self.uses(node, value);
                    self.tests.push((value, Label::All));
                }
                _ => self.defines(node),
            },
            Kind::Tuple { elements } => {
                self.tests.push((value, Label::Shape));
                for (position, &element) in tree.list(elements).iter().enumerate() {
                    let field = fields::element(elements.len, position as u32);
                    self.pattern(element, value, Label::Open(field));
                }
            }
            Kind::List { elements, tail } => {
                let elements = tree.list(elements);
                let cells = self.cells(node, value, elements.len(), tail.is_none());
                for (index, &cell) in cells.iter().enumerate() {
                    self.tests.push((cell, Label::Shape));
                    if index > 0 {
                        let before = cells[index - 1];
                        self.edge(cell, before, EdgeKind::Value, Label::Open(TAIL));
                        if tail.is_none() {
                            // `[A, B]` stays a list of two, as in the thesis's figures.
                            self.edge(before, cell, EdgeKind::Declaration, Label::Shape);
                        }
                    }
                }
                for (index, &element) in elements.iter().enumerate() {
                    self.pattern(element, cells[index], Label::Open(HEAD));
                }
                if let (Some(tail), Some(&last)) = (tail, cells.last()) {
                    self.pattern(tail, last, Label::Open(TAIL));
                }
            }
            Kind::Match { pattern, value: other } => {
                self.pattern(pattern, value, Label::Same);
                self.pattern(other, value, Label::Same);
            }
            Kind::Map { fields, .. } => {
                self.tests.push((value, Label::Shape));
                for &field in tree.list(fields) {
                    let Kind::MapField { key, value: part, .. } = tree.kind(field) else {
                        continue;
                    };
                    let key_value = self.expr(key);
                    let name = self.build.keys.field(&tree, key);
                    self.pattern(part, value, Label::Open(name));
                    let part = self.value(part);
                    self.edge(part, key_value, EdgeKind::Value, Label::All);
                    self.tests.push((part, Label::Shape));
                }
            }
            Kind::Record { name, fields: list, .. } => {
                self.tests.push((value, Label::Shape));
                let size =
                    self.record_definition(name).map(|record| record.fields.len() as u32 + 1);
                let Some(size) = size else { return self.whole_pattern(node, value) };
                let hollow = self.between(node);
                self.edge(value, hollow, EdgeKind::Declaration, Label::Shape);
                let name_field = Label::Open(fields::element(size, 0));
                self.edge(hollow, value, EdgeKind::Declaration, name_field);
                for &field in tree.list(list) {
                    let Kind::RecordField { name: field, value: part } = tree.kind(field) else {
                        continue;
                    };
                    let place = self.record_field(name, field);
                    let place = place.unwrap_or_else(|| fields::any_element(size));
                    self.pattern(part, value, Label::Open(place));
                }
            }
            // A text needs all of the list that it is compared with.
            Kind::String(_) => self.tests.push((value, Label::All)),
            Kind::Binary { elements } if !self.is_whole(node) => {
                self.segment_patterns(node, value, elements, (from, label));
            }
            Kind::Binary { .. } | Kind::BinaryOp { op: BinaryOp::Append, .. } => {
                self.whole_pattern(node, value);
            }
            // Literals, and expressions that are constants.
            _ => self.tests.push((value, Label::Shape)),
        }
    }

    /// A pattern that is not taken apart: whatever it binds depends on all of it.
    fn whole_pattern(&mut self, node: NodeId, value: Node) {
        self.tests.push((value, Label::All));
        let tree = self.tree.clone();
        let all = self.between(node);
        self.edge(value, all, EdgeKind::Declaration, Label::All);
        let mut below = Vec::new();
        tree.for_each_below(node, |part| below.push(part));
        for part in below {
            if part == node || !matches!(tree.kind(part), Kind::Var(_)) {
                continue;
            }
            let part_value = self.value_here(part);
            self.edge(part_value, value, EdgeKind::Value, Label::All);
            match self.bindings.clone().occurrence(part) {
                Occurrence::Use(_) => {
                    self.uses(part, part_value);
                    // The text stays as it is, so what it mentions has to be there.
                    self.edge(all, part_value, EdgeKind::Declaration, Label::All);
                }
                _ => self.defines(part),
            }
        }
    }
}
