//! Patterns: what they test, and the variables that they bind.

use dependence::Node;
use java::names::Symbol;
use java::tree::{Kind, NodeId};

use super::{Lower, kinds};
use crate::ir::{Instr, Part};

impl Lower<'_> {
    /// A label of a case: what it tests.
    pub(super) fn label(&mut self, label: NodeId, selected: Node) -> Node {
        match self.kind(label) {
            Kind::BindingPattern { .. } | Kind::RecordPattern { .. } => {
                self.pattern(label, selected)
            }
            // A constant of the enum that is switched on, or what cannot change.
            Kind::Name(_) => {
                let node = self.value(label);
                self.here(node);
                if let Some(Symbol::Field(_) | Symbol::Local(..)) =
                    self.program.symbol(self.site(label))
                {
                    return self.expr(label);
                }
                node
            }
            _ => self.expr(label),
        }
    }

    /// A pattern that a value is matched with: what it tests.
    pub(super) fn pattern(&mut self, node: NodeId, matched: Node) -> Node {
        let tested = self.value(node);
        self.part(tested, matched);
        self.here(tested);
        match self.kind(node) {
            Kind::BindingPattern { variable } => {
                let bound = self.value(variable);
                self.declare(bound);
                self.same(bound, matched);
                self.part(bound, tested);
                self.here(bound);
                self.write(bound, bound);
            }
            Kind::RecordPattern { ty, patterns } => {
                let fields = match self.class_named(ty) {
                    Ok(class) => self.components(class),
                    Err(_) => Vec::new(),
                };
                for (index, pattern) in self.list(patterns).into_iter().enumerate() {
                    let component = self.between(pattern);
                    self.here(component);
                    self.part(component, matched);
                    let part = fields.get(index).map_or(Part::Content, |&it| Part::Field(it));
                    self.instr(Instr::Load { node: component, base: matched, part });
                    let inner = self.pattern(pattern, component);
                    self.part(tested, inner);
                }
                self.may_throw(tested, kinds::ALL, None);
            }
            _ => {}
        }
        tested
    }
}
