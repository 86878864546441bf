//! Two versions of a function in the same situation: where they first differ is to blame.
//!
//! The nodes of the two functions are laid side by side ([`align`]): children with the same text
//! belong to each other, what is between those by its position. Then the instances of both are
//! gone through in the order of evaluation. Up to the first difference all variables have the same
//! values, so what differs first was computed wrongly from what is right.

use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId};
use term::Term;

use super::instances::{Closeup, Instance, InstanceIx};
use super::{Blame, Part};

/// What is to blame in `here`, if it differs from what is right.
pub fn blame(
    here: &Closeup,
    right: &Closeup,
    is_same: &dyn Fn(&Term, &Term) -> bool,
) -> Option<Blame> {
    let (a, b) = (here.instances.first()?.node, right.instances.first()?.node);
    let mut sides = Sides::default();
    align(&here.tree, a, &right.tree, b, &mut sides);
    let comparing = Comparing { here, right, sides, is_same };
    let first = comparing.first(0, 0).map(|blame| comparing.refined(blame));
    first.or_else(|| comparing.written_otherwise())
}

/// Which node belongs to which.
#[derive(Default)]
struct Sides {
    there: FxHashMap<NodeId, NodeId>,
    back: FxHashMap<NodeId, NodeId>,
}

impl Sides {
    fn pair(&mut self, a: NodeId, b: NodeId) {
        self.there.insert(a, b);
        self.back.insert(b, a);
    }
}

/// The text of a node, as its tokens are.
fn written(tree: &Module, id: NodeId) -> &str {
    tree.text(tree.span(id))
}

fn align(a: &Module, a_root: NodeId, b: &Module, b_root: NodeId, sides: &mut Sides) {
    let mut open = vec![(a_root, b_root)];
    while let Some((x, y)) = open.pop() {
        sides.pair(x, y);
        let is_alike = std::mem::discriminant(&a.kind(x)) == std::mem::discriminant(&b.kind(y));
        if !is_alike {
            continue;
        }
        let (xs, ys) = (a.children(x), b.children(y));
        if xs.len() == ys.len() {
            open.extend(xs.into_iter().zip(ys));
            continue;
        }
        // The same from the front and from the back; what is left in between by its position.
        let is_same = |&(x, y): &(&NodeId, &NodeId)| written(a, *x) == written(b, *y);
        let front = xs.iter().zip(&ys).take_while(is_same).count();
        let most = xs.len().min(ys.len()) - front;
        let back = xs.iter().rev().zip(ys.iter().rev()).take_while(is_same).count().min(most);
        let middle = xs[front..xs.len() - back].iter().zip(&ys[front..ys.len() - back]);
        open.extend(xs[..front].iter().copied().zip(ys[..front].iter().copied()));
        open.extend(middle.map(|(x, y)| (*x, *y)));
        let (x_back, y_back) = (&xs[xs.len() - back..], &ys[ys.len() - back..]);
        open.extend(x_back.iter().copied().zip(y_back.iter().copied()));
    }
}

struct Comparing<'a> {
    here: &'a Closeup,
    right: &'a Closeup,
    sides: Sides,
    is_same: &'a dyn Fn(&Term, &Term) -> bool,
}

impl Comparing<'_> {
    /// The first difference inside of two instances of nodes that belong to each other.
    fn first(&self, a: InstanceIx, b: InstanceIx) -> Option<Blame> {
        // Expressions can be nested deeply.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.first_inside(a, b))
    }

    fn first_inside(&self, a: InstanceIx, b: InstanceIx) -> Option<Blame> {
        let (x, y) = (&self.here.instances[a], &self.right.instances[b]);
        let (mut below, mut there) = (x.children.iter(), y.children.iter());
        loop {
            match (below.next(), there.next()) {
                (Some(&child), Some(&other)) => {
                    let (c, d) = (&self.here.instances[child], &self.right.instances[other]);
                    let is_pair = self.sides.there.get(&c.node) == Some(&d.node);
                    let found = match is_pair && c.is_chosen == d.is_chosen {
                        true => self.first(child, other),
                        false => Some(self.ways_part(x, Some(c), Some(d))),
                    };
                    if found.is_some() {
                        return found;
                    }
                }
                (None, None) => break,
                (child, other) => {
                    let child = child.map(|&child| &self.here.instances[child]);
                    let other = other.map(|&other| &self.right.instances[other]);
                    return Some(self.ways_part(x, child, other));
                }
            }
        }
        self.differs(x, y).then(|| self.own(x, y))
    }

    fn differs(&self, x: &Instance, y: &Instance) -> bool {
        let values = match (&x.value, &y.value) {
            (Some(a), Some(b)) => !(self.is_same)(a, b),
            (None, None) => false,
            _ => true,
        };
        values || x.said != y.said || x.is_matched != y.is_matched || self.binds_otherwise(x, y)
    }

    fn binds_otherwise(&self, x: &Instance, y: &Instance) -> bool {
        x.bound.len() != y.bound.len()
            || x.bound.iter().zip(&y.bound).any(|(a, b)| a.0 != b.0 || !(self.is_same)(&a.1, &b.1))
    }

    /// An instance differs, and nothing below it does.
    fn own(&self, x: &Instance, y: &Instance) -> Blame {
        let tree = &self.here.tree;
        match tree.kind(x.node) {
            Kind::Clause { .. } if self.binds_otherwise(x, y) => {
                self.here.above.head(x.node, false)
            }
            Kind::Match { pattern, .. } | Kind::MaybeMatch { pattern, .. }
                if x.is_matched != y.is_matched || self.binds_otherwise(x, y) =>
            {
                Blame { node: pattern, part: Part::Pattern }
            }
            Kind::Generator { pattern, .. } => Blame { node: pattern, part: Part::Pattern },
            Kind::Function { .. } | Kind::Fun { .. } => Blame { node: x.node, part: Part::Clause },
            // A variable of a guard that differs was bound by the pattern before it.
            Kind::Var(_) if self.here.above.part(x.node) == Part::Guard => {
                let clause = self.here.above.clause_of_head(x.node);
                self.here.above.head(clause.unwrap_or(x.node), false)
            }
            _ => Blame { node: x.node, part: self.here.above.part(x.node) },
        }
    }

    /// What is written otherwise, where nothing that happened differs: the head of a clause of a
    /// `receive` that no message came to. Only inside of what was evaluated.
    fn written_otherwise(&self) -> Option<Blame> {
        let (tree, right) = (&self.here.tree, &self.right.tree);
        let is_other = |node: NodeId| match self.sides.there.get(&node) {
            Some(&other) => written(tree, node) != written(right, other),
            None => true,
        };
        let last = self.here.instances.iter().rev().find(|instance| {
            instance.value.is_none() && !instance.is_chosen && is_other(instance.node)
        });
        let mut at = last.map_or(self.here.instances[0].node, |last| last.node);
        if !is_other(at) {
            return None;
        }
        loop {
            let others: Vec<NodeId> =
                tree.children(at).into_iter().filter(|&child| is_other(child)).collect();
            match others[..] {
                [only] => at = only,
                _ => return Some(Blame { node: at, part: self.here.above.part(at) }),
            }
        }
    }

    /// Of a node that has become another one together with what is beside it (an operator binds
    /// otherwise), what holds them all.
    fn whole(&self, mut blame: Blame) -> Blame {
        let (tree, right) = (&self.here.tree, &self.right.tree);
        let is_other = |node: NodeId| {
            let other = self.sides.there.get(&node);
            other.is_none_or(|&other| written(tree, node) != written(right, other))
        };
        let is_alike = |node: NodeId| {
            let other = self.sides.there.get(&node).map(|&other| right.kind(other));
            other.is_some_and(|other| {
                std::mem::discriminant(&other) == std::mem::discriminant(&tree.kind(node))
            })
        };
        while !is_alike(blame.node)
            && let Some(parent) = self.here.above.parent(blame.node)
            && matches!(tree.kind(parent), Kind::BinaryOp { .. } | Kind::UnaryOp { .. })
            && tree.children(parent).iter().any(|&id| id != blame.node && is_other(id))
        {
            blame.node = parent;
        }
        blame
    }

    /// Of several patterns the one that is written otherwise.
    fn refined(&self, blame: Blame) -> Blame {
        let (tree, right) = (&self.here.tree, &self.right.tree);
        let blame = self.whole(blame);
        let Kind::Clause { patterns, .. } = tree.kind(blame.node) else { return blame };
        let is_other = |pattern: &&NodeId| {
            let other = self.sides.there.get(pattern);
            other.is_some_and(|&other| written(tree, **pattern) != written(right, other))
        };
        let mut others = tree.list(patterns).iter().filter(is_other);
        match (others.next(), others.next()) {
            (Some(&node), None) => Blame { node, part: Part::Pattern },
            _ => blame,
        }
    }

    /// From here on the two go other ways, inside of `x`.
    fn ways_part(&self, x: &Instance, here: Option<&Instance>, there: Option<&Instance>) -> Blame {
        let above = &self.here.above;
        // What is evaluated next tells which heads have fitted before.
        let clause_here = here.and_then(|here| self.head_reached(self.here, here));
        let clause_there = there
            .and_then(|there| self.head_reached(self.right, there))
            .and_then(|(clause, how)| Some((*self.sides.back.get(&clause)?, how)));
        let tree = &self.here.tree;
        let place = |clause: NodeId| tree.span(clause).start;
        let has_guard = |clause: NodeId| match tree.kind(clause) {
            Kind::Clause { guards, .. } => !guards.is_empty(),
            _ => false,
        };
        match (clause_here, clause_there) {
            // The same clause: its guard was looked at on one side only, or has another shape.
            (Some((a, _)), Some((b, _))) if a == b => above.head(a, has_guard(a)),
            (Some((a, how)), Some((b, other))) => {
                let (clause, how) = if place(a) < place(b) { (a, how) } else { (b, other) };
                above.head(clause, how == Reached::Body && has_guard(clause))
            }
            (Some((clause, how)), None) | (None, Some((clause, how))) => {
                above.head(clause, how == Reached::Body && has_guard(clause))
            }
            (None, None) => match tree.kind(x.node) {
                Kind::Clause { .. } | Kind::Function { .. } | Kind::Fun { .. } => {
                    let node = here.map_or(x.node, |here| here.node);
                    Blame { node, part: above.part(node) }
                }
                _ => Blame { node: x.node, part: above.part(x.node) },
            },
        }
    }

    /// The clause whose pattern has fitted, if an instance shows that of one.
    fn head_reached(&self, side: &Closeup, instance: &Instance) -> Option<(NodeId, Reached)> {
        if instance.is_chosen && matches!(side.tree.kind(instance.node), Kind::Clause { .. }) {
            return Some((instance.node, Reached::Body));
        }
        let is_guard = side.above.part(instance.node) == Part::Guard;
        let clause = side.above.clause_of_head(instance.node).filter(|_| is_guard)?;
        Some((clause, Reached::Guard))
    }
}

/// How far a clause came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// Its pattern fitted.
    Guard,
    /// It was chosen.
    Body,
}
