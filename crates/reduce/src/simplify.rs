//! What may be written in a simpler way. Each change makes the tree smaller; whether the program
//! still does what it should is for the judge to say, so none of them has to be right for all
//! programs.
//!
//! * A `case` or `if` of one clause is opened: `case E of P -> B end` is `P = E, B`, or `B` where
//!   the pattern takes everything; so is `begin B end`.
//! * A choice becomes one of its branches: where all of them give the same, that is right.
//! * Variables that are constants are replaced by them, also parameters that are the same in all
//!   calls.
//! * Parameters that no clause looks at go, with the arguments of all calls.
//! * `_ = E` is `E`, and an operation is one of its operands.

use atom::Atom;
use syntax::ast::{Kind, Module, NodeId, NodeList};
use syntax::source::FileId;

use crate::deletions::{Walk, integer, is_filler, ordered};
use crate::edit::{Edit, Splice};

/// What may be written in a simpler way, what takes more first. Nothing that takes something of
/// what is `kept` away.
pub fn simplifications(tree: &Module, module: usize, kept: &[(u32, u32)]) -> Vec<Edit> {
    let mut walk = Walk { tree, module, found: Vec::new() };
    for &form in &tree.forms {
        let Kind::Function { name, arity, clauses } = tree.kind(form) else { continue };
        walk.parameters(form, (name, arity), clauses);
        walk.constant_function(form, (name, arity), clauses);
        tree.for_each_below(form, |node| walk.simpler(node));
    }
    let mut found = walk.found;
    found.retain(|edit| kept.iter().all(|&(from, to)| edit.moved_range(from, to).is_some()));
    ordered(found)
}

impl Walk<'_> {
    fn simpler(&mut self, node: NodeId) {
        match self.tree.kind(node) {
            Kind::Clause { body, .. } | Kind::Block { body } => self.of_body(body),
            _ => {}
        }
        match self.tree.kind(node) {
            Kind::Case { subject, clauses } => {
                self.branches(node, clauses);
                self.opened(node, subject, clauses);
            }
            Kind::If { clauses } => self.branches(node, clauses),
            Kind::Block { body } if body.len == 1 => self.only(node, self.tree.list(body)[0]),
            Kind::Match { pattern, value } if is_filler(self.tree, pattern) => {
                self.only(node, value);
            }
            Kind::BinaryOp { left, right, .. } => {
                self.only(node, left);
                self.only(node, right);
            }
            Kind::UnaryOp { operand, .. } => self.only(node, operand),
            _ => {}
        }
    }

    /// A node becomes a part of it.
    fn only(&mut self, node: NodeId, part: NodeId) {
        let edit = self.cut_around(node, part, part, "", "");
        self.found.extend(edit);
    }

    /// A node becomes what stands from one of its parts to another, between two texts.
    fn cut_around(
        &self,
        node: NodeId,
        first: NodeId,
        last: NodeId,
        before: &'static str,
        behind: &'static str,
    ) -> Option<Edit> {
        let ((from, to), (start, _)) = (self.span(node)?, self.span(first)?);
        let (_, end) = self.span(last)?;
        if from > start || end > to {
            return None;
        }
        let mut splices = Vec::new();
        if from < start || !before.is_empty() {
            splices.push(Splice::new(from, start, before));
        }
        if end < to || !behind.is_empty() {
            splices.push(Splice::new(end, to, behind));
        }
        Edit::of(self.module, splices)
    }

    /// A choice becomes one of its branches.
    fn branches(&mut self, node: NodeId, clauses: NodeList) {
        for clause in self.all(clauses) {
            let Kind::Clause { body, .. } = self.tree.kind(clause) else { continue };
            let body = self.all(body);
            let (Some(&first), Some(&last)) = (body.first(), body.last()) else { continue };
            let edit = match body.len() {
                1 => self.cut_around(node, first, last, "", ""),
                _ => self.cut_around(node, first, last, "begin ", " end"),
            };
            self.found.extend(edit);
        }
    }

    /// A choice of one clause becomes a match and what follows.
    fn opened(&mut self, node: NodeId, subject: NodeId, clauses: NodeList) {
        let [clause] = self.tree.list(clauses) else { return };
        let Kind::Clause { patterns, guards, body } = self.tree.kind(*clause) else { return };
        let ([pattern], true) = (self.tree.list(patterns), guards.is_empty()) else { return };
        let (Some(&first), Some(&last)) =
            (self.tree.list(body).first(), self.tree.list(body).last())
        else {
            return;
        };
        let spans = (
            self.span(node),
            self.span(subject),
            self.span(*pattern),
            self.span(first),
            self.span(last),
        );
        let (Some((from, to)), Some(subject), Some(pattern), Some(first), Some(last)) = spans
        else {
            return;
        };
        // `case E of P -> B end`: `begin E, B end` where the pattern binds nothing is not smaller.
        let text = &self.tree.file(FileId::MAIN).text;
        let get = |(from, to): (u32, u32)| text.get(from as usize..to as usize).unwrap_or_default();
        let head = format!("begin {} = {}, ", get(pattern), get(subject));
        if from <= first.0 && last.1 <= to {
            self.found.extend(Edit::of(
                self.module,
                vec![Splice::new(from, first.0, head), Splice::new(last.1, to, " end")],
            ));
        }
    }

    /// Blocks in a body are opened, and constants of it are put where they are used.
    fn of_body(&mut self, body: NodeList) {
        for node in self.all(body) {
            match self.tree.kind(node) {
                Kind::Block { body } => {
                    let body = self.all(body);
                    if let (Some(&first), Some(&last)) = (body.first(), body.last()) {
                        let edit = self.cut_around(node, first, last, "", "");
                        self.found.extend(edit);
                    }
                }
                Kind::Match { pattern, value } => self.constant(node, pattern, value),
                _ => {}
            }
        }
    }

    /// `X = 1` goes, and 1 stands where X stood.
    fn constant(&mut self, node: NodeId, pattern: NodeId, value: NodeId) {
        let tree = self.tree;
        let Kind::Var(name) = tree.kind(pattern) else { return };
        if !is_leaf(tree, value) {
            return;
        }
        let (Some(whole), Some(clause)) = (self.span(node), self.clause_around(node)) else {
            return;
        };
        let text = self.text(value).to_owned();
        let mut splices = vec![Splice::new(whole.0, whole.1, text.clone())];
        let mut is_whole = true;
        tree.for_each_below(clause, |other| {
            if tree.kind(other) == Kind::Var(name) && other != pattern {
                match self.span(other) {
                    Some((from, to)) => splices.push(Splice::new(from, to, text.clone())),
                    None => is_whole = false,
                }
            }
        });
        if is_whole {
            self.found.extend(Edit::of(self.module, splices));
        }
    }

    /// The clause of a function around a node.
    fn clause_around(&self, node: NodeId) -> Option<NodeId> {
        let (from, to) = self.span(node)?;
        let is_around = |clause: &NodeId| {
            self.span(*clause).is_some_and(|(start, end)| start <= from && to <= end)
        };
        self.tree.forms.iter().find_map(|&form| match self.tree.kind(form) {
            Kind::Function { clauses, .. } => {
                self.tree.list(clauses).iter().copied().find(is_around)
            }
            _ => None,
        })
    }

    /// Parameters of a function that only this module calls: those that nobody looks at go, those
    /// that are the same constant in all calls are replaced by it.
    fn parameters(&mut self, form: NodeId, function: (Atom, u32), clauses: NodeList) {
        let tree = self.tree;
        if function.1 == 0 || self.is_exported(function) {
            return;
        }
        let Some(calls) = self.calls_of(function) else { return };
        let clauses = self.all(clauses);
        let heads: Vec<Vec<NodeId>> = clauses
            .iter()
            .filter_map(|&clause| match tree.kind(clause) {
                Kind::Clause { patterns, .. } => Some(self.all(patterns)),
                _ => None,
            })
            .collect();
        let specs = self.specs_of(function.0);
        for place in 0..function.1 as usize {
            let arguments: Vec<NodeId> = calls.iter().map(|args| args[place]).collect();
            let mut splices = specs.clone();
            let is_recursive = |arg: &NodeId| {
                let (Some(of), Some(arg)) = (self.span(form), self.span(*arg)) else {
                    return false;
                };
                of.0 <= arg.0 && arg.1 <= of.1
            };
            // Of calls from outside: those inside may hand the parameter on.
            let outside = arguments.iter().filter(|arg| !is_recursive(arg));
            let texts: Vec<&str> = outside.map(|&arg| self.text(arg)).collect();
            let constant = match texts.first() {
                Some(first) if texts.iter().all(|text| text == first) => {
                    let leaf = arguments.iter().find(|arg| !is_recursive(arg));
                    leaf.filter(|leaf| is_leaf(tree, **leaf)).map(|_| (*first).to_owned())
                }
                _ => None,
            };
            let mut is_possible = true;
            for (clause, head) in clauses.iter().zip(&heads) {
                match (tree.kind(head[place]), &constant) {
                    (Kind::Var(name), Some(constant)) if name != atom::known::UNDERSCORE => {
                        tree.for_each_below(*clause, |node| {
                            if tree.kind(node) == Kind::Var(name) && node != head[place] {
                                let span = self.span(node);
                                splices.extend(
                                    span.map(|(from, to)| Splice::new(from, to, constant.clone())),
                                );
                            }
                        });
                    }
                    (Kind::Var(name), None) if name != atom::known::UNDERSCORE => {
                        let mut used = false;
                        tree.for_each_below(*clause, |node| {
                            used |= tree.kind(node) == Kind::Var(name) && node != head[place];
                        });
                        is_possible &= !used;
                    }
                    (Kind::Var(_), _) => {}
                    // One that is tested may be of a clause that the constant chooses.
                    (_, constant) => is_possible &= constant.is_some() && clauses.len() == 1,
                }
                splices.extend(self.removed(head, place));
            }
            for args in &calls {
                splices.extend(self.removed(args, place));
            }
            if is_possible && splices.len() >= heads.len() + calls.len() {
                // What is inside of an argument that goes is not changed before.
                let taken: Vec<(u32, u32)> = splices
                    .iter()
                    .filter(|splice| splice.by.is_empty())
                    .map(|splice| (splice.from, splice.to))
                    .collect();
                splices.retain(|splice| {
                    splice.by.is_empty()
                        || !taken.iter().any(|(from, to)| *from <= splice.from && splice.to <= *to)
                });
                self.found.extend(Edit::of(self.module, splices));
            }
        }
    }

    /// A function that only gives a constant goes, and the constant stands where it was called.
    fn constant_function(&mut self, form: NodeId, function: (Atom, u32), clauses: NodeList) {
        let tree = self.tree;
        let [clause] = tree.list(clauses) else { return };
        let Kind::Clause { guards, body, .. } = tree.kind(*clause) else { return };
        let ([value], true) = (tree.list(body), guards.is_empty()) else { return };
        let is_used_otherwise = self.is_exported(function) || self.calls_of(function).is_none();
        if !is_leaf(tree, *value) || is_used_otherwise {
            return;
        }
        let text = self.text(*value).to_owned();
        let mut splices = self.specs_of(function.0);
        splices.extend(self.whole_form(form));
        for &other in tree.forms.iter().filter(|&&other| other != form) {
            if !matches!(tree.kind(other), Kind::Function { .. }) {
                continue;
            }
            tree.for_each_below(other, |node| {
                let Kind::Call { callee, args } = tree.kind(node) else { return };
                if tree.kind(callee) == Kind::Atom(function.0) && args.len == function.1 {
                    let span = self.span(node);
                    splices.extend(span.map(|(from, to)| Splice::new(from, to, text.clone())));
                }
            });
        }
        self.found.extend(Edit::of(self.module, splices));
    }

    /// One of several, with a separator, or all there is.
    fn removed(&self, nodes: &[NodeId], place: usize) -> Option<Splice> {
        let (from, to) = self.span(nodes[place])?;
        match (nodes.get(place + 1), place.checked_sub(1)) {
            (Some(&next), _) => Some(Splice::new(from, self.span(next)?.0, "")),
            (None, Some(before)) => Some(Splice::new(self.span(nodes[before])?.1, to, "")),
            (None, None) => Some(Splice::new(from, to, "")),
        }
    }

    fn is_exported(&self, function: (Atom, u32)) -> bool {
        let tree = self.tree;
        tree.forms.iter().any(|&form| match tree.kind(form) {
            Kind::ExportAttribute { names, .. } => tree
                .list(names)
                .iter()
                .any(|&name| crate::deletions::is_name_arity(tree, name, function)),
            Kind::Attribute { name, values } if name.as_str() == "compile" => {
                tree.list(values).iter().any(|&value| self.text(value).contains("export_all"))
            }
            _ => false,
        })
    }

    /// The arguments of all calls of a function; `None` if it is used in another way.
    fn calls_of(&self, function: (Atom, u32)) -> Option<Vec<Vec<NodeId>>> {
        let tree = self.tree;
        let (mut calls, mut is_other) = (Vec::new(), false);
        for &form in &tree.forms {
            if !matches!(tree.kind(form), Kind::Function { .. }) {
                continue;
            }
            tree.for_each_below(form, |node| match tree.kind(node) {
                Kind::Call { callee, args } if args.len == function.1 => match tree.kind(callee) {
                    Kind::Atom(name) if name == function.0 => calls.push(self.all(args)),
                    Kind::Remote { name, .. } => {
                        is_other |= matches!(tree.kind(name), Kind::Atom(name)
                                if name == function.0);
                    }
                    _ => {}
                },
                Kind::FunName { name, arity } => {
                    is_other |= name == function.0 && integer(tree, arity) == Some(function.1);
                }
                _ => {}
            });
        }
        (!is_other && !calls.is_empty()).then_some(calls)
    }

    fn specs_of(&self, function: Atom) -> Vec<Splice> {
        let tree = self.tree;
        let specs = tree.forms.iter().filter(|&&form| match tree.kind(form) {
            Kind::SpecAttribute { name, .. } => {
                matches!(tree.kind(name), Kind::Atom(name) if name == function)
            }
            _ => false,
        });
        specs.filter_map(|&form| self.whole_form(form)).collect()
    }
}

/// A constant that is one node.
fn is_leaf(tree: &Module, node: NodeId) -> bool {
    matches!(
        tree.kind(node),
        Kind::Atom(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Nil
    )
}
