//! Comprehensions: qualifiers choose how often what is behind them happens.
//!
//! What is behind the first generator happens for one element after the other. In guarded code it
//! does not happen for those behind one for which something fails, so it depends on the exceptions
//! of all that is behind the generator; likewise on its end, if something there waits.

use syntax::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList};

use super::exceptions::Handler;
use super::expressions::Walker;
use super::fields::{HEAD, TAIL};
use dependence::{EdgeKind, Label, Node};

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
        let outer = self.handler;
        // What happens once for each element of the first generator.
        let mut repeated: Option<Node> = None;
        for &qualifier in tree.list(qualifiers) {
            match tree.kind(qualifier) {
                Kind::Generator { which, pattern, source, .. } => {
                    let list = self.expr(source);
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
                    for (generator, which, pattern, list) in lists {
                        self.generator(generator, which, pattern, list);
                    }
                }
                _ => {
                    let outer = std::mem::replace(&mut self.in_guard, true);
                    let value = self.expr(qualifier);
                    self.in_guard = outer;
                    self.may_fail(qualifier, &[value]);
                    let next = self.step(qualifier, &[value]);
                    self.nodes_mut().choices.insert(qualifier, next);
                    continue;
                }
            }
            if repeated.is_none() {
                repeated = Some(self.here);
                self.raises_for_one(node);
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
        if let Some(repeated) = repeated {
            if self.guarded {
                self.edge(repeated, self.handler.raised, EdgeKind::Exception, Label::All);
            }
            let insides = [tree.list(exprs), tree.list(qualifiers)].concat();
            if self.may_wait(&insides) {
                self.edge(repeated, end, EdgeKind::Control, Label::All);
            }
        }
        self.handler = outer;
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

    /// A place that exceptions of what happens for one element pass.
    fn raises_for_one(&mut self, node: NodeId) {
        if self.guarded {
            let outer = self.handler;
            let inner = Handler { raised: self.between(node), reason: self.between(node) };
            self.edge(outer.raised, inner.raised, EdgeKind::Exception, Label::All);
            self.edge(outer.reason, inner.reason, EdgeKind::Exception, Label::Same);
            self.handler = inner;
        }
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
            GeneratorKind::Value => {
                self.edge(element, list, EdgeKind::Value, Label::Same);
                self.edge(end, list, EdgeKind::Value, Label::Shape);
            }
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
