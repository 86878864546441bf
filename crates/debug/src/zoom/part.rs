//! Which part of a value is wrong, and what that part came from inside of one statement.
//!
//! Who says that a value is wrong often knows where: an element of a tuple, the rest of a list.
//! What a function computed for other parts then cannot be the reason, and what it called for those
//! need not be asked about. [`Closeup::origins`] follows a part of the value of a statement back
//! through the instances of its expressions: through constructors to the element that is meant,
//! through variables to what bound them, through choices to what was chosen and what it was chosen
//! by. Whatever it does not know in detail came from all that is inside of it.
//!
//! This holds for statements that give a value, where they should give one, and do nothing else: an
//! exception that did not come, or a table that was written, is no part of a value.

use atom::Atom;
use rustc_hash::FxHashSet;
use syntax::ast::{BinaryOp, ComprehensionKind, Kind, NodeId};
use term::{Term, View};

use super::{Closeup, InstanceIx};

/// One step into a value.
#[derive(Clone, Debug)]
pub enum Step {
    /// An element of a tuple, from 0.
    Element(usize),
    Head,
    Tail,
    /// What a map has under a key.
    Key(Term),
}

/// The first part in which two values differ: the way to it.
pub fn difference(a: &Term, b: &Term, is_same: &dyn Fn(&Term, &Term) -> bool) -> Vec<Step> {
    let mut way = Vec::new();
    let (mut a, mut b) = (a.clone(), b.clone());
    loop {
        let next = match (a.view(), b.view()) {
            (View::Cons(x), View::Cons(y)) => match is_same(&x.head, &y.head) {
                false => Some((Step::Head, x.head.clone(), y.head.clone())),
                true => Some((Step::Tail, x.tail.clone(), y.tail.clone())),
            },
            (View::Tuple(x), View::Tuple(y)) if x.len() == y.len() => {
                let mut pairs = x.iter().zip(y.iter()).enumerate();
                let first = pairs.find(|(_, (x, y))| !is_same(x, y));
                first.map(|(at, (x, y))| (Step::Element(at), x.clone(), y.clone()))
            }
            (View::Map(x), View::Map(y)) if x.iter().count() == y.iter().count() => {
                let other = |key: &Term| y.iter().find(|(k, _)| is_same(k, key)).map(|(_, v)| v);
                let mut pairs = x.iter().map(|(key, value)| (key, value, other(key)));
                let first = pairs.find(|(_, x, y)| y.is_none_or(|y| !is_same(x, y)));
                first.and_then(|(key, x, y)| Some((Step::Key(key.clone()), x.clone(), y?.clone())))
            }
            _ => None,
        };
        let Some((step, x, y)) = next else { return way };
        way.push(step);
        (a, b) = (x, y);
    }
}

/// The instances that a part of the value of a statement came from.
pub struct Origins(Vec<bool>);

impl Origins {
    pub fn has(&self, at: InstanceIx) -> bool {
        self.0[at]
    }
}

impl Closeup {
    /// What a part of the value came from.
    pub fn origins(&self, part: &[Step]) -> Origins {
        let number = self.instances.len();
        let mut following = Following {
            closeup: self,
            reached: vec![false; number],
            whole: vec![false; number],
            all: vec![false; number],
            open: vec![(0, part.to_vec())],
            names: Vec::new(),
            looked_up: FxHashSet::default(),
        };
        for _ in 0..MOST_STEPS {
            if let Some((at, part)) = following.open.pop() {
                following.follow(at, &part);
            } else if let Some((name, at)) = following.names.pop() {
                following.binders(name, at, &[]);
            } else {
                return Origins(following.reached);
            }
        }
        Origins(vec![true; number])
    }
}

/// After so many steps everything counts.
const MOST_STEPS: usize = 200_000;

struct Following<'c> {
    closeup: &'c Closeup,
    reached: Vec<bool>,
    /// Those that were followed as a whole.
    whole: Vec<bool>,
    /// Those of which everything inside was.
    all: Vec<bool>,
    open: Vec<(InstanceIx, Vec<Step>)>,
    /// Variables whose values matter as a whole, and where.
    names: Vec<(Atom, InstanceIx)>,
    looked_up: FxHashSet<(Atom, InstanceIx)>,
}

impl Following<'_> {
    fn kind(&self, at: InstanceIx) -> Kind {
        self.closeup.tree.kind(self.closeup.instances[at].node)
    }

    /// The last instance of a node right below one.
    fn child(&self, at: InstanceIx, node: NodeId) -> Option<InstanceIx> {
        let instances = &self.closeup.instances;
        instances[at].children.iter().rev().copied().find(|&child| instances[child].node == node)
    }

    fn children(&self, at: InstanceIx) -> Vec<InstanceIx> {
        self.closeup.instances[at].children.clone()
    }

    /// A node below an instance; one that has no instance is read from the text.
    fn go(&mut self, at: InstanceIx, node: NodeId, part: &[Step]) {
        if let Some(child) = self.child(at, node) {
            self.open.push((child, part.to_vec()));
        } else {
            self.variables(node, at);
        }
    }

    fn follow(&mut self, at: InstanceIx, part: &[Step]) {
        if self.whole[at] || (part.is_empty() && std::mem::replace(&mut self.whole[at], true)) {
            return;
        }
        self.reached[at] = true;
        let tree = &self.closeup.tree;
        match self.kind(at) {
            Kind::Function { clauses, .. } | Kind::Fun { clauses, .. } if at == 0 => {
                for &clause in tree.list(clauses) {
                    match self.child(at, clause) {
                        Some(child) => self.open.push((child, part.to_vec())),
                        None => self.last(at, clause, part),
                    }
                }
            }
            Kind::Clause { guards, .. } => {
                let clause = self.closeup.instances[at].node;
                for &guard in tree.list(guards) {
                    self.variables(guard, at);
                }
                self.last(at, clause, part);
            }
            Kind::Block { body } => {
                if let Some(&last) = tree.list(body).last() {
                    self.go(at, last, part);
                }
            }
            Kind::Match { value, .. } => self.go(at, value, part),
            Kind::Tuple { elements } => match part.split_first() {
                Some((Step::Element(element), rest)) => match tree.list(elements).get(*element) {
                    Some(&element) => self.go(at, element, rest),
                    None => self.all(at),
                },
                _ => self.each(at),
            },
            Kind::List { elements, tail } => {
                let elements = tree.list(elements).to_vec();
                self.list(at, &elements, tail, part);
            }
            Kind::BinaryOp { op: BinaryOp::Append, left, right } => {
                self.append(at, (left, right), part);
            }
            Kind::Case { subject, .. } => {
                self.go(at, subject, &[]);
                self.choice(at);
                for child in self.children(at) {
                    if self.closeup.instances[child].is_chosen {
                        self.open.push((child, part.to_vec()));
                    }
                }
            }
            Kind::Comprehension { which: ComprehensionKind::List, exprs, .. } => {
                match tree.list(exprs) {
                    &[template] => self.comprehension(at, template, part),
                    _ => self.all(at),
                }
            }
            Kind::Var(name) => self.binders(name, at, part),
            Kind::BinaryOp { .. } | Kind::UnaryOp { .. } | Kind::Call { .. } => self.each(at),
            _ => self.all(at),
        }
    }

    /// The last expression of a clause.
    fn last(&mut self, at: InstanceIx, clause: NodeId, part: &[Step]) {
        let tree = &self.closeup.tree;
        if let Kind::Clause { body, .. } = tree.kind(clause)
            && let Some(last) = tree.list(body).last()
            && let Some(child) = self.child(at, *last)
        {
            self.open.push((child, part.to_vec()));
        }
    }

    fn list(&mut self, at: InstanceIx, elements: &[NodeId], tail: Option<NodeId>, part: &[Step]) {
        let skipped = part.iter().take_while(|step| matches!(step, Step::Tail)).count();
        match (elements.get(skipped), part.get(skipped)) {
            (Some(&element), Some(Step::Head)) => self.go(at, element, &part[skipped + 1..]),
            (Some(_), _) => {
                for &element in elements[skipped..].iter().chain(&tail) {
                    self.go(at, element, &[]);
                }
            }
            (None, _) => {
                if let Some(tail) = tail {
                    self.go(at, tail, &part[elements.len()..]);
                }
            }
        }
    }

    /// What is behind a list depends on how long that is; what is in it does not depend on what is
    /// behind it.
    fn append(&mut self, at: InstanceIx, (left, right): (NodeId, NodeId), part: &[Step]) {
        let skipped = part.iter().take_while(|step| matches!(step, Step::Tail)).count();
        let value =
            self.child(at, left).and_then(|left| self.closeup.instances[left].value.clone());
        let length = value.and_then(|value| value.list_len());
        match length {
            Some(length) if skipped < length && part.len() > skipped => self.go(at, left, part),
            _ => {
                self.go(at, left, &[]);
                self.go(at, right, &[]);
            }
        }
    }

    fn comprehension(&mut self, at: InstanceIx, template: NodeId, part: &[Step]) {
        let instances = &self.closeup.instances;
        let is_template = |child: &InstanceIx| instances[*child].node == template;
        let made: Vec<InstanceIx> = self.children(at).into_iter().filter(is_template).collect();
        self.elements(at, template);
        let length = instances[at].value.as_ref().and_then(Term::list_len);
        let skipped = part.iter().take_while(|step| matches!(step, Step::Tail)).count();
        match (part.get(skipped), made.get(skipped)) {
            (Some(Step::Head), Some(&one)) if length == Some(made.len()) => {
                self.open.push((one, part[skipped + 1..].to_vec()));
            }
            _ => made.into_iter().for_each(|one| self.open.push((one, Vec::new()))),
        }
    }

    /// What the elements of a comprehension are made for: its generators and filters.
    fn elements(&mut self, at: InstanceIx, template: NodeId) {
        let instances = &self.closeup.instances;
        let others = self.children(at).into_iter();
        let others: Vec<InstanceIx> =
            others.filter(|&child| instances[child].node != template).collect();
        others.into_iter().for_each(|other| self.all(other));
        self.variables_outside(instances[at].node, template, at);
    }

    /// The element of a comprehension that an instance is made for: the comprehension, and the
    /// instance right below it.
    fn element(&self, mut at: InstanceIx) -> Option<(InstanceIx, InstanceIx)> {
        while let Some(parent) = self.closeup.instances[at].parent {
            if matches!(self.kind(parent), Kind::Comprehension { .. }) {
                return Some((parent, at));
            }
            at = parent;
        }
        None
    }

    /// Whether an instance is another one or inside of it.
    fn is_within(&self, mut at: InstanceIx, other: InstanceIx) -> bool {
        while at > other {
            match self.closeup.instances[at].parent {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        at == other
    }

    /// Whether what an instance bound can be seen at another one: not in other elements of a
    /// comprehension.
    fn is_seen(&self, binder: InstanceIx, at: InstanceIx) -> bool {
        let Some((comprehension, element)) = self.element(binder) else { return true };
        if !self.is_within(at, comprehension) {
            return false;
        }
        let is_generator = matches!(self.kind(binder), Kind::Generator { .. });
        if !is_generator {
            return self.is_within(at, element);
        }
        let node = self.closeup.instances[binder].node;
        let children = &self.closeup.instances[comprehension].children;
        !children.iter().any(|&other| {
            binder < other && other < at && self.closeup.instances[other].node == node
        })
    }

    /// All right below an instance, each as a whole.
    fn each(&mut self, at: InstanceIx) {
        let children = self.children(at);
        if children.is_empty() {
            self.variables(self.closeup.instances[at].node, at);
        }
        children.into_iter().for_each(|child| self.open.push((child, Vec::new())));
    }

    /// All inside of an instance.
    fn all(&mut self, at: InstanceIx) {
        if std::mem::replace(&mut self.all[at], true) {
            return;
        }
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            (self.reached[at], self.whole[at], self.all[at]) = (true, true, true);
            open.extend(&self.closeup.instances[at].children);
        }
        self.variables(self.closeup.instances[at].node, at);
    }

    /// What let a clause be chosen, beside the value that was looked at.
    fn choice(&mut self, at: InstanceIx) {
        let tree = &self.closeup.tree;
        let Kind::Case { clauses, .. } = self.kind(at) else { return };
        for &clause in tree.list(clauses) {
            if let Kind::Clause { patterns, guards, .. } = tree.kind(clause) {
                let heads: Vec<NodeId> =
                    tree.list(patterns).iter().chain(tree.list(guards)).copied().collect();
                heads.into_iter().for_each(|head| self.variables(head, at));
            }
        }
    }

    /// The variables that are written in a node.
    fn variables(&mut self, node: NodeId, at: InstanceIx) {
        self.variables_outside(node, NodeId(u32::MAX), at);
    }

    /// The same, without those in a part of it.
    fn variables_outside(&mut self, node: NodeId, without: NodeId, at: InstanceIx) {
        let tree = &self.closeup.tree;
        let mut names: FxHashSet<Atom> = FxHashSet::default();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if let Kind::Var(name) = tree.kind(node) {
                names.insert(name);
            }
            tree.for_each_child(node, |child| {
                if child != without {
                    open.push(child);
                }
            });
        }
        let names = names.into_iter().map(|name| (name, at));
        let new: Vec<(Atom, InstanceIx)> =
            names.filter(|name| self.looked_up.insert(*name)).collect();
        self.names.extend(new);
    }

    /// What a variable was bound by.
    fn binders(&mut self, name: Atom, at: InstanceIx, part: &[Step]) {
        for binder in 0..at {
            let bound = &self.closeup.instances[binder].bound;
            if !bound.iter().any(|(known, _)| *known == name) || !self.is_seen(binder, at) {
                continue;
            }
            match self.kind(binder) {
                Kind::Match { pattern, value } => {
                    let is_variable = matches!(self.closeup.tree.kind(pattern), Kind::Var(_));
                    self.go(binder, value, if is_variable { part } else { &[] });
                }
                Kind::Clause { .. } => self.chosen_by(binder),
                Kind::Generator { .. } => {}
                _ => self.all(binder),
            }
            self.within(binder);
        }
    }

    /// What a clause was chosen by. Those of the function itself are chosen by its arguments.
    fn chosen_by(&mut self, clause: InstanceIx) {
        let Some(parent) = self.closeup.instances[clause].parent.filter(|&parent| parent != 0)
        else {
            return;
        };
        match self.kind(parent) {
            Kind::Case { subject, .. } => {
                self.go(parent, subject, &[]);
                self.choice(parent);
            }
            Kind::If { .. } => {}
            _ => self.all(parent),
        }
    }

    /// What let something inside of choices happen at all.
    fn within(&mut self, at: InstanceIx) {
        let mut above = Some(at);
        while let Some(at) = above {
            above = self.closeup.instances[at].parent;
            let Some(parent) = above.filter(|&parent| parent != 0) else { continue };
            match self.kind(parent) {
                Kind::Case { .. } => self.chosen_by(at),
                Kind::Match { .. }
                | Kind::Clause { .. }
                | Kind::Block { .. }
                | Kind::Tuple { .. }
                | Kind::List { .. }
                | Kind::Call { .. } => {}
                Kind::Comprehension { exprs, .. } => {
                    match self.closeup.tree.list(exprs) {
                        &[template] => self.elements(parent, template),
                        _ => self.all(parent),
                    }
                    return;
                }
                _ => self.all(parent),
            }
        }
    }
}
