//! The parts of a module that may be deleted, each as a change of its text.
//!
//! What is deleted leaves a text that can be read: an expression leaves the atom `sliced`, a
//! pattern `_`, a part of a list with separators (clauses, expressions of a body, qualifiers,
//! elements, fields, alternatives) leaves nothing. Functions go with their specs and exports.
//!
//! Parents come before children, and larger parts before smaller ones. What cannot compile
//! afterwards for a reason that is seen at once is left out ([`crate::scope`]); the rest is for who
//! reads the text to say.
//!
//! Cost: linear in the nodes, and in the variables of a clause for each part of it.

use rustc_hash::FxHashSet;
use syntax::ast::{Kind, Module, NodeId, NodeList};
use syntax::source::FileId;

use crate::edit::{Edit, Splice};
use crate::scope::Scopes;

/// What stands for an expression that was deleted.
pub const FILLER: &str = "sliced";

/// What is being looked at.
pub(crate) struct Walk<'t> {
    pub(crate) tree: &'t Module,
    pub(crate) module: usize,
    pub(crate) found: Vec<Edit>,
}

/// What may be deleted of a module, parents before their parts, those that take more first.
/// Nothing that has a part of what is `kept` (stretches of the text) in it.
pub fn deletions(tree: &Module, module: usize, kept: &[(u32, u32)]) -> Vec<Edit> {
    let mut walk = Walk { tree, module, found: Vec::new() };
    walk.forms();
    let scopes = Scopes::of(tree);
    let mut found = walk.found;
    found.retain(|edit| {
        kept.iter().all(|&(from, to)| edit.moved_range(from, to).is_some())
            && scopes.may_compile(edit)
    });
    ordered(found)
}

/// Each once, those that take more first.
pub(crate) fn ordered(mut found: Vec<Edit>) -> Vec<Edit> {
    found.sort_by(|one, other| {
        let key = |edit: &Edit| (std::cmp::Reverse(edit.taken()), edit.splices.clone());
        key(one).cmp(&key(other))
    });
    let mut seen: FxHashSet<Edit> = FxHashSet::default();
    found.retain(|edit| seen.insert(edit.clone()));
    found
}

impl Walk<'_> {
    /// Where a node is in the text, if it is in the module's own.
    pub(crate) fn span(&self, node: NodeId) -> Option<(u32, u32)> {
        let span = self.tree.span(node);
        (span.file == FileId::MAIN && span.start < span.end).then_some((span.start, span.end))
    }

    pub(crate) fn text(&self, node: NodeId) -> &str {
        self.tree.text(self.tree.span(node))
    }

    pub(crate) fn all(&self, list: NodeList) -> Vec<NodeId> {
        self.tree.list(list).to_vec()
    }

    fn replace(&mut self, node: NodeId, by: &'static str) {
        let Some((from, to)) = self.span(node) else { return };
        if !is_filler(self.tree, node) && self.text(node) != by {
            self.found.push(Edit::replace(self.module, from, to, by));
        }
    }

    /// Lines of the preprocessor that stand for themselves.
    fn directives(&mut self) {
        let tree = self.tree;
        let mut at = 0;
        for line in tree.file(FileId::MAIN).text.split_inclusive('\n') {
            let from = at;
            at += line.len() as u32;
            let written = line.trim();
            let is_whole = ["-include(", "-include_lib(", "-define("]
                .iter()
                .any(|begin| written.starts_with(begin))
                && written.ends_with(").");
            if is_whole {
                self.found.push(Edit::replace(self.module, from, at, ""));
            }
        }
    }

    fn forms(&mut self) {
        self.directives();
        for &form in &self.tree.forms {
            match self.tree.kind(form) {
                Kind::Function { name, arity, clauses } => {
                    self.function(form, (name, arity));
                    let clauses = self.all(clauses);
                    self.each_of(&clauses);
                    for clause in clauses {
                        self.below(clause, false);
                    }
                }
                Kind::RecordAttribute { .. }
                | Kind::TypeAttribute { .. }
                | Kind::SpecAttribute { .. } => {
                    let whole = self.whole_form(form);
                    self.found.extend(
                        whole.map(|splice| Edit { module: self.module, splices: vec![splice] }),
                    );
                }
                Kind::Attribute { name, .. }
                    if matches!(name.as_str(), "behaviour" | "behavior" | "author" | "vsn") =>
                {
                    let whole = self.whole_form(form);
                    self.found.extend(
                        whole.map(|splice| Edit { module: self.module, splices: vec![splice] }),
                    );
                }
                _ => {}
            }
        }
    }

    /// A form with its full stop, and with what stands before it up to the form before: comments.
    pub(crate) fn whole_form(&self, form: NodeId) -> Option<Splice> {
        let (from, to) = self.span(form)?;
        let text = &*self.tree.file(FileId::MAIN).text;
        let rest = text.get(to as usize..)?;
        // The full stop may belong to the form or not.
        let dot = match text.get(..to as usize)?.ends_with('.') {
            true => 0,
            false => rest.find('.')? as u32 + 1,
        };
        let before = text.get(..from as usize)?;
        let mut start = before.len();
        for line in before.split_inclusive('\n').rev() {
            let line_text = line.trim();
            // A line that begins another form, or its end, stays.
            if !line_text.starts_with('%') {
                break;
            }
            start -= line.len();
        }
        let behind = rest.get(dot as usize..)?;
        let line_end = match behind.find('\n') {
            Some(at) if behind[..at].trim().is_empty() => at as u32 + 1,
            _ => 0,
        };
        Some(Splice::new(start as u32, to + dot + line_end, ""))
    }

    /// A function, with its specs and where it is exported.
    fn function(&mut self, form: NodeId, function: (atom::Atom, u32)) {
        let tree = self.tree;
        let Some(whole) = self.whole_form(form) else { return };
        let mut splices = vec![whole];
        for &other in &tree.forms {
            match tree.kind(other) {
                Kind::SpecAttribute { module: None, name, clauses, .. } => {
                    let same = matches!(tree.kind(name), Kind::Atom(name) if name == function.0)
                        && tree.list(clauses).iter().all(|&clause| {
                            spec_arity(tree, clause).is_none_or(|arity| arity == function.1)
                        });
                    if same {
                        splices.extend(self.whole_form(other));
                    }
                }
                Kind::ExportAttribute { names, .. } => {
                    let names = self.all(names);
                    let place = names.iter().position(|&name| is_name_arity(tree, name, function));
                    if let Some(place) = place {
                        splices.extend(self.part(&names, place, true));
                    }
                }
                _ => {}
            }
        }
        self.found.extend(Edit::of(self.module, splices));
    }

    /// One of several with separators between them: with the separator behind it, or, of the last,
    /// the one before.
    fn part(&self, nodes: &[NodeId], place: usize, may_be_all: bool) -> Option<Splice> {
        let (from, to) = self.span(nodes[place])?;
        if let Some(&next) = nodes.get(place + 1) {
            let (next, _) = self.span(next)?;
            return (from < next).then(|| Splice::new(from, next, ""));
        }
        match place.checked_sub(1) {
            Some(before) => {
                let (_, end) = self.span(nodes[before])?;
                (end < to).then(|| Splice::new(end, to, ""))
            }
            None => may_be_all.then(|| Splice::new(from, to, "")),
        }
    }

    /// Each of several, if there are more than one.
    pub(crate) fn each_of(&mut self, nodes: &[NodeId]) {
        self.each(nodes, false);
    }

    fn each(&mut self, nodes: &[NodeId], may_be_all: bool) {
        for place in 0..nodes.len() {
            let part = self.part(nodes, place, may_be_all);
            self.found
                .extend(part.map(|splice| Edit { module: self.module, splices: vec![splice] }));
        }
    }

    fn below_all(&mut self, nodes: &[NodeId], in_pattern: bool) {
        nodes.iter().for_each(|&node| self.below(node, in_pattern));
    }

    /// An expression or pattern that may be deleted itself, and what is below it.
    fn value(&mut self, node: NodeId, in_pattern: bool) {
        self.replace(node, if in_pattern { "_" } else { FILLER });
        self.below(node, in_pattern);
    }

    fn values(&mut self, nodes: &[NodeId], in_pattern: bool) {
        nodes.iter().for_each(|&node| self.value(node, in_pattern));
    }

    fn body(&mut self, body: NodeList) {
        let body = self.all(body);
        self.each_of(&body);
        self.values(&body, false);
    }

    /// ` when …` of a clause.
    fn guards(&mut self, guards: &[NodeId], is_if: bool) {
        let tree = self.tree;
        let (Some(&first), Some(&last)) = (guards.first(), guards.last()) else { return };
        if is_if {
            if guards.len() == 1 && self.text(first) != "true" {
                self.replace(first, "true");
            }
        } else if let (Some((_, to)), Some(when)) =
            (self.span(last), tree[first].first.0.checked_sub(1))
        {
            let when = tree.written(syntax::token::TokenId(when));
            if when.file == FileId::MAIN && tree.text(when) == "when" && when.start < to {
                self.found.push(Edit::replace(self.module, when.start, to, ""));
            }
        }
        self.each_of(guards);
        for &guard in guards {
            if let Kind::Guard { tests } = tree.kind(guard) {
                let tests = self.all(tests);
                self.each_of(&tests);
                for test in tests {
                    self.test(test);
                }
            }
        }
    }

    /// One side of `andalso` and its like goes with the operator.
    fn test(&mut self, test: NodeId) {
        use syntax::ast::BinaryOp::{And, Andalso, Or, Orelse};
        if let Kind::BinaryOp { op: And | Andalso | Or | Orelse, left, right } =
            self.tree.kind(test)
        {
            self.each_of(&[left, right]);
            self.test(left);
            self.test(right);
        }
    }

    fn below(&mut self, node: NodeId, in_pattern: bool) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.below_inner(node, in_pattern));
    }

    fn below_inner(&mut self, node: NodeId, in_pattern: bool) {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Clause { patterns, guards, body } => {
                let (patterns, guards) = (self.all(patterns), self.all(guards));
                for &pattern in &patterns {
                    match tree.kind(pattern) {
                        Kind::CatchPattern { .. } => {}
                        _ => self.value(pattern, true),
                    }
                }
                self.guards(&guards, patterns.is_empty());
                self.body(body);
            }
            Kind::Fun { clauses, .. } | Kind::If { clauses } => self.clauses(clauses),
            Kind::Case { subject, clauses } => {
                self.value(subject, false);
                self.clauses(clauses);
            }
            Kind::Receive { clauses, .. } => self.clauses(clauses),
            Kind::Try { body, of, catch, after } => {
                self.body(body);
                self.clauses(of);
                self.clauses(catch);
                self.body(after);
            }
            Kind::Block { body } => self.body(body),
            Kind::Maybe { .. } => {}
            Kind::Comprehension { exprs, qualifiers, .. } => {
                let (exprs, qualifiers) = (self.all(exprs), self.all(qualifiers));
                for &expr in &exprs {
                    match tree.kind(expr) {
                        Kind::MapField { .. } => self.below(expr, false),
                        _ => self.value(expr, false),
                    }
                }
                self.each_of(&qualifiers);
                for qualifier in qualifiers {
                    match tree.kind(qualifier) {
                        Kind::Generator { .. } | Kind::ZipGenerator { .. } => {
                            self.below(qualifier, false);
                        }
                        _ => self.below(qualifier, false),
                    }
                }
            }
            Kind::Generator { pattern, source, .. } => {
                match tree.kind(pattern) {
                    // A binary generator has segments, a map generator a pair.
                    Kind::Binary { .. } | Kind::MapField { .. } => self.below(pattern, true),
                    _ => self.value(pattern, true),
                }
                self.value(source, false);
            }
            Kind::Match { pattern, value } if !in_pattern => {
                self.value(pattern, true);
                self.value(value, false);
            }
            Kind::Match { pattern, value } => {
                // `P1 = P2` in a head: one of the two.
                self.each_of(&[pattern, value]);
                self.below_all(&[pattern, value], true);
            }
            Kind::Map { base, fields } => {
                base.into_iter().for_each(|base| self.value(base, in_pattern));
                let fields = self.all(fields);
                self.each(&fields, true);
                self.below_all(&fields, in_pattern);
            }
            Kind::Record { base, fields, .. } => {
                base.into_iter().for_each(|base| self.value(base, in_pattern));
                let fields = self.all(fields);
                self.each(&fields, true);
                self.below_all(&fields, in_pattern);
            }
            Kind::MapField { key, value, .. } => {
                if !in_pattern {
                    self.value(key, false);
                }
                self.value(value, in_pattern);
            }
            Kind::RecordField { value, .. } => self.value(value, in_pattern),
            Kind::Binary { elements } => {
                let elements = self.all(elements);
                self.each(&elements, true);
                for element in elements {
                    if let Kind::BinElement { value, .. } = tree.kind(element) {
                        match in_pattern {
                            true => self.replace(value, "_"),
                            false => self.replace(value, "0"),
                        }
                        if !in_pattern {
                            self.below(value, false);
                        }
                    }
                }
            }
            Kind::List { elements, tail } => {
                let elements = self.all(elements);
                if tail.is_none() {
                    self.each(&elements, true);
                }
                self.values(&elements, in_pattern);
                if let Some(tail) = tail {
                    self.value(tail, in_pattern);
                }
            }
            Kind::Tuple { elements } => {
                let elements = self.all(elements);
                self.values(&elements, in_pattern);
            }
            Kind::Call { callee, args } => {
                if !matches!(tree.kind(callee), Kind::Atom(_) | Kind::Remote { .. }) {
                    self.below(callee, false);
                }
                let args = self.all(args);
                self.values(&args, false);
            }
            Kind::BinaryOp { left, right, .. } if !in_pattern => self.values(&[left, right], false),
            Kind::UnaryOp { operand, .. } if !in_pattern => self.value(operand, false),
            Kind::RecordAccess { base, .. } => self.value(base, false),
            Kind::Catch { body } => self.value(body, false),
            Kind::MaybeMatch { .. } | Kind::CatchPattern { .. } => {}
            _ => {
                for child in tree.children(node) {
                    self.below(child, in_pattern);
                }
            }
        }
    }

    fn clauses(&mut self, clauses: NodeList) {
        let clauses = self.all(clauses);
        self.each_of(&clauses);
        self.below_all(&clauses, false);
    }
}

/// Whether a node is there only to stand for something that was removed.
pub fn is_filler(tree: &Module, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::Atom(name) => name.as_str() == FILLER,
        Kind::Var(name) => name == atom::known::UNDERSCORE,
        _ => false,
    }
}

/// The size of a module: nodes of functions that are no fillers.
pub fn size(tree: &Module) -> usize {
    let mut count = 0;
    for &form in &tree.forms {
        if matches!(tree.kind(form), Kind::Function { .. }) {
            tree.for_each_below(form, |node| count += usize::from(!is_filler(tree, node)));
        }
    }
    count
}

pub(crate) fn is_name_arity(tree: &Module, node: NodeId, function: (atom::Atom, u32)) -> bool {
    let Kind::NameArity { name, arity } = tree.kind(node) else { return false };
    matches!(tree.kind(name), Kind::Atom(name) if name == function.0)
        && integer(tree, arity) == Some(function.1)
}

/// A small number.
pub(crate) fn integer(tree: &Module, node: NodeId) -> Option<u32> {
    match tree.kind(node) {
        Kind::Integer(_) => tree.text(tree.span(node)).parse().ok(),
        _ => None,
    }
}

fn spec_arity(tree: &Module, clause: NodeId) -> Option<u32> {
    match tree.kind(clause) {
        Kind::FunType { args, .. } => args.map(|args| args.len),
        Kind::BoundedFunType { fun, .. } => spec_arity(tree, fun),
        _ => None,
    }
}
