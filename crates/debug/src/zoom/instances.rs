//! From what was seen at nodes to a tree of instances.
//!
//! What happens comes in the order of evaluation. An instance is open until something happens
//! that is not inside of its node; so the one that something belongs to is the innermost open one
//! whose node is above.

use std::sync::Arc;

use atom::{Atom, known};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId};
use term::Term;

use super::{Above, Blame, Event, Part, Seen};
use crate::record::Outcome;
use crate::tree::{Facts, NodeIx, Shape};

/// The number of an instance, parents before what is below them.
pub type InstanceIx = usize;

/// A node that was evaluated, matched or chosen.
#[derive(Clone, Debug)]
pub struct Instance {
    pub node: NodeId,
    pub parent: Option<InstanceIx>,
    pub children: Vec<InstanceIx>,
    /// None if it has none: a clause, or what failed.
    pub value: Option<Term>,
    /// Of a condition what came out.
    pub said: Option<bool>,
    pub is_chosen: bool,
    pub is_matched: bool,
    /// Variables of the pattern that fitted.
    pub bound: Vec<(Atom, Term)>,
}

/// One statement, from near.
pub struct Closeup {
    pub tree: Arc<Module>,
    pub instances: Vec<Instance>,
    pub(crate) above: Above,
}

impl Closeup {
    /// Of the events in a function whose statement came to that.
    pub fn new(tree: &Arc<Module>, root: NodeId, events: &[Event], outcome: &Outcome) -> Closeup {
        let above = Above::new(tree, root);
        let mut making = Making { above: &above, instances: Vec::new(), open: Vec::new() };
        making.push(root);
        for event in events.iter().filter(|event| above.has(event.node)) {
            making.event(event);
        }
        let instances = making.instances;
        let mut closeup = Closeup { tree: Arc::clone(tree), instances, above };
        if let Outcome::Value(value) = outcome {
            closeup.hand_down(value);
        }
        closeup
    }

    /// Who is in tail position gives the value of the whole.
    fn hand_down(&mut self, value: &Term) {
        let mut at = 0;
        loop {
            let instance = &mut self.instances[at];
            if instance.value.is_some() {
                return;
            }
            let kind = self.tree.kind(instance.node);
            if !matches!(kind, Kind::Function { .. } | Kind::Clause { .. } | Kind::Fun { .. }) {
                instance.value = Some(value.clone());
            }
            let is_call = matches!(kind, Kind::Call { .. });
            match instance.children.last() {
                Some(&last) if !is_call => at = last,
                _ => return,
            }
        }
    }

    /// The instances that somebody can be asked about, as a tree: what has a value that is not
    /// there to be read, and choices. Each with its number.
    pub fn shape(&self) -> (Shape, Vec<InstanceIx>) {
        let mut asked: Vec<InstanceIx> = Vec::new();
        let mut place: FxHashMap<InstanceIx, usize> = FxHashMap::default();
        let mut given: Vec<(Option<usize>, Facts)> = Vec::new();
        for at in 1..self.instances.len() {
            if !self.can_be_asked(at) {
                continue;
            }
            // That a clause was rightly chosen does not say that its body is right.
            let is_part_of =
                |above: &InstanceIx| place.contains_key(above) && !self.instances[*above].is_chosen;
            let mut parent = self.instances[at].parent;
            while let Some(above) = parent.filter(|above| !is_part_of(above)) {
                parent = self.instances[above].parent;
            }
            let number = given.len();
            let node = self.instances[at].node.0;
            let facts =
                Facts { statement: number as u32, suspect: node, cost: 1, ..Facts::default() };
            given.push((parent.and_then(|above| place.get(&above).copied()), facts));
            place.insert(at, number);
            asked.push(at);
        }
        (Shape::new(&given), asked)
    }

    fn can_be_asked(&self, at: InstanceIx) -> bool {
        let instance = &self.instances[at];
        let kind = self.tree.kind(instance.node);
        if instance.is_chosen {
            // Where there was no choice nobody is asked.
            return match (kind, instance.parent.map(|parent| self.instances[parent].node)) {
                (Kind::Clause { .. }, Some(parent)) => self.clauses(parent) > 1,
                (Kind::Receive { .. }, _) => true,
                _ => false,
            };
        }
        if instance.said.is_some() {
            return true;
        }
        let is_read = matches!(
            kind,
            Kind::Var(_)
                | Kind::Atom(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Nil
                | Kind::Fun { .. }
                | Kind::FunName { .. }
                | Kind::FunRemote { .. }
        );
        !is_read && self.above.part(instance.node) == Part::Expression && self.is_own_work(at)
    }

    /// A match of a variable says what the expression in it says, if that is asked about.
    fn is_own_work(&self, at: InstanceIx) -> bool {
        match self.tree.kind(self.instances[at].node) {
            Kind::Match { pattern, .. } => !matches!(self.tree.kind(pattern), Kind::Var(_)),
            _ => true,
        }
    }

    fn clauses(&self, node: NodeId) -> usize {
        let children = self.tree.children(node);
        children.iter().filter(|&&id| matches!(self.tree.kind(id), Kind::Clause { .. })).count()
    }

    /// What is to blame if an instance is wrong and all below it are right.
    pub fn blame(&self, at: InstanceIx) -> Blame {
        let instance = &self.instances[at];
        match self.tree.kind(instance.node) {
            Kind::Clause { guards, .. } => self.above.head(instance.node, !guards.is_empty()),
            Kind::Match { pattern, .. } | Kind::MaybeMatch { pattern, .. }
                if !matches!(self.tree.kind(pattern), Kind::Var(_)) =>
            {
                Blame { node: pattern, part: Part::Pattern }
            }
            _ => Blame { node: instance.node, part: self.above.part(instance.node) },
        }
    }

    /// The values of the variables in an instance, as they were for it.
    pub fn variables(&self, at: InstanceIx) -> Vec<(Atom, Term)> {
        let mut found: Vec<(Atom, Term)> = Vec::new();
        let mut add = |name: Atom, value: &Term| {
            if name != known::UNDERSCORE && !found.iter().any(|(known, _)| *known == name) {
                found.push((name, value.clone()));
            }
        };
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let instance = &self.instances[at];
            if let (Kind::Var(name), Some(value)) = (self.tree.kind(instance.node), &instance.value)
            {
                add(name, value);
            }
            open.extend(instance.children.iter().rev());
        }
        for (name, value) in &self.instances[at].bound {
            add(*name, value);
        }
        found
    }

    /// The instance of a node of the tree of those that can be asked about.
    pub fn asked(shape: &Shape, asked: &[InstanceIx], node: NodeIx) -> Option<InstanceIx> {
        shape.given(node).and_then(|given| asked.get(given).copied())
    }
}

struct Making<'a> {
    above: &'a Above,
    instances: Vec<Instance>,
    open: Vec<InstanceIx>,
}

impl Making<'_> {
    fn push(&mut self, node: NodeId) -> InstanceIx {
        let at = self.instances.len();
        let parent = self.open.last().copied();
        if let Some(parent) = parent {
            self.instances[parent].children.push(at);
        }
        self.instances.push(Instance {
            node,
            parent,
            children: Vec::new(),
            value: None,
            said: None,
            is_chosen: false,
            is_matched: false,
            bound: Vec::new(),
        });
        self.open.push(at);
        at
    }

    /// Closes what a node is not inside of; the outermost stays.
    fn close(&mut self, node: NodeId, inclusive: bool) {
        while self.open.len() > 1 {
            let top = self.instances[self.open[self.open.len() - 1]].node;
            if self.above.is_within(node, top) && !(inclusive && top == node) {
                return;
            }
            self.open.pop();
        }
    }

    fn innermost(&mut self, node: NodeId) -> Option<InstanceIx> {
        self.close(node, false);
        self.open.last().copied().filter(|&at| self.instances[at].node == node)
    }

    fn event(&mut self, event: &Event) {
        let node = event.node;
        match &event.seen {
            Seen::Reached => {
                self.close(node, true);
                self.push(node);
            }
            Seen::Chosen => {
                self.close(node, true);
                let at = self.push(node);
                self.instances[at].is_chosen = true;
            }
            Seen::Said(said) => {
                let at = self.innermost(node).unwrap_or_else(|| self.push(node));
                self.instances[at].said = Some(*said);
            }
            Seen::Matched => {
                let at = self.innermost(node).unwrap_or_else(|| self.push(node));
                self.instances[at].is_matched = true;
            }
            Seen::Value(value) => self.value(node, value),
        }
    }

    fn value(&mut self, node: NodeId, value: &Term) {
        let tree = &self.above.tree;
        if self.above.part(node) == Part::Pattern {
            if let Kind::Var(name) = tree.kind(node) {
                self.close(node, false);
                if let Some(&at) = self.open.last() {
                    self.instances[at].bound.push((name, value.clone()));
                }
            }
            return;
        }
        // One that was begun in an earlier part.
        let at = self.innermost(node).unwrap_or_else(|| self.push(node));
        self.instances[at].value = Some(value.clone());
    }
}
