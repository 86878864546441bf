//! Comprehensions: qualifiers choose how often what is behind them happens.

use syntax::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList};

use super::expressions::Walker;
use super::fields::{HEAD, TAIL};
use crate::core::{EdgeKind, Label, Node};

impl Walker<'_, '_> {
    pub(crate) fn comprehension(
        &mut self,
        node: NodeId,
        which: ComprehensionKind,
        exprs: NodeList,
        qualifiers: NodeList,
    ) -> Node {
        let tree = self.tree.clone();
        let before = self.here;
        let mut steps = Vec::new();
        for &qualifier in tree.list(qualifiers) {
            match tree.kind(qualifier) {
                Kind::Generator { which, pattern, source, .. } => {
                    let list = self.expr(source);
                    steps.push(self.here);
                    self.generator(qualifier, which, pattern, list);
                }
                Kind::ZipGenerator { generators } => {
                    let mut lists = Vec::new();
                    for &generator in tree.list(generators) {
                        let Kind::Generator { which, pattern, source, .. } = tree.kind(generator)
                        else {
                            continue;
                        };
                        lists.push((generator, which, pattern, self.expr(source)));
                    }
                    steps.push(self.here);
                    for (generator, which, pattern, list) in lists {
                        self.generator(generator, which, pattern, list);
                    }
                }
                _ => {
                    let outer = std::mem::replace(&mut self.in_guard, true);
                    let value = self.expr(qualifier);
                    self.in_guard = outer;
                    steps.push(self.here);
                    self.may_fail(qualifier, &[value]);
                    let next = self.step(qualifier, &[value]);
                    self.nodes_mut().choices.insert(qualifier, next);
                }
            }
        }
        let inside = self.here;
        self.nodes_mut().choices.insert(node, inside);
        let mut parts = Vec::new();
        for &expr in tree.list(exprs) {
            match tree.kind(expr) {
                Kind::MapField { key, value, .. } => {
                    parts.push(self.expr(key));
                    parts.push(self.expr(value));
                }
                _ => parts.push(self.expr(expr)),
            }
        }
        let end = self.here;
        self.here = before;
        if self.guarded || end != inside {
            // Something inside may fail or wait.
            self.step(node, &[end]);
        }
        let value = self.value_here(node);
        self.edge(value, inside, EdgeKind::Control, Label::All);
        for part in parts {
            match which {
                ComprehensionKind::List => {
                    self.edge(value, part, EdgeKind::Value, Label::Close(HEAD));
                }
                ComprehensionKind::Binary => self.repeated(node, value, exprs, part),
                ComprehensionKind::Map => self.edge(value, part, EdgeKind::Value, Label::All),
            }
        }
        if which == ComprehensionKind::List {
            self.edge(value, value, EdgeKind::Value, Label::Close(TAIL));
        }
        value
    }

    /// One element after the other; what follows happens once for each that matches.
    fn generator(&mut self, qualifier: NodeId, which: GeneratorKind, pattern: NodeId, list: Node) {
        let element = self.between(qualifier);
        // How far it goes.
        let end = self.between(qualifier);
        match which {
            GeneratorKind::List => {
                let cell = self.between(qualifier);
                self.edge(element, cell, EdgeKind::Value, Label::Open(HEAD));
                self.edge(cell, cell, EdgeKind::Value, Label::Open(TAIL));
                self.edge(cell, list, EdgeKind::Value, Label::Same);
                self.spine(qualifier, end, list);
            }
            GeneratorKind::Binary => self.goes_through(qualifier, pattern, (element, end), list),
            GeneratorKind::Map => {
                self.edge(element, list, EdgeKind::Value, Label::All);
                self.edge(end, list, EdgeKind::Value, Label::All);
            }
        }
        let pairs: Vec<(NodeId, Node)> = match self.tree.kind(pattern) {
            Kind::MapField { key, value, .. } => vec![(key, element), (value, element)],
            _ => vec![(pattern, element)],
        };
        let test = self.head(qualifier, &pairs);
        let raise = match self.guarded {
            true => Some(self.may_fail_with(qualifier, &[end], &[(list, Label::All)])),
            false => None,
        };
        let next = self.step(qualifier, &[test]);
        if let Some(raise) = raise {
            // What fails is the generator, not its source.
            self.edge(raise, next, EdgeKind::Exception, Label::All);
        }
        self.nodes_mut().choices.insert(qualifier, next);
        self.edge(next, end, EdgeKind::Control, Label::All);
    }
}
