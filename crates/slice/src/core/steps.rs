//! The edges of a graph as the question about fields looks at them: in one direction, without what only calls
//! and explanations need, and with everything numbered that it would have to look up.
//!
//! Fields have numbers, and so has every pair of a field and a node at which it is *pushed*. Of the edges of a
//! node those come first that are followed whatever was looked for.

use rustc_hash::FxHashMap;

use super::graph::{Adjacency, Field, Label, Node};
use super::reach::Direction;

/// What following an edge does with a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Act {
    /// Empties it: everything is looked for.
    All,
    /// Empties it: the outermost constructor is looked for.
    Shape,
    Same,
    /// Puts the field of the push with this number on top.
    Push(u32),
    /// Takes this field off the top.
    Pop(u32),
    /// Lets everything pass that does not have this field on top.
    Except(u32),
    /// Lets nothing pass but the wish for everything.
    Everything,
}

impl Act {
    /// Whether what is looked for does not count.
    pub(crate) fn is_unconditional(self) -> bool {
        matches!(self, Act::All | Act::Shape)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) to: u32,
}

/// All steps in one direction.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    starts: Vec<u32>,
    all: Vec<Step>,
    pub(crate) fields: Vec<Field>,
    numbers: FxHashMap<Field, u32>,
    /// By field: those that may be the same.
    pub(crate) meeting: Vec<Vec<u32>>,
    /// By push: the node and the number of the field, in order.
    pub(crate) pushes: Vec<(u32, u32)>,
}

impl Steps {
    pub(crate) fn new(nodes: u32, edges: &Adjacency, direction: Direction) -> Steps {
        let mut found = Steps::default();
        for node in 0..nodes {
            for edge in edges.of(Node(node)) {
                let (Label::Open(field) | Label::Close(field) | Label::Except(field)) = edge.label
                else {
                    continue;
                };
                let next = found.fields.len() as u32;
                let number = *found.numbers.entry(field).or_insert(next);
                if number == next {
                    found.fields.push(field);
                }
                if let Label::Open(_) = edge.label.along(direction) {
                    found.pushes.push((edge.to.0, number));
                }
            }
        }
        found.pushes.sort_unstable();
        found.pushes.dedup();
        let fields = &found.fields;
        let meets = |field: &Field| {
            let all = fields.iter().enumerate().filter(|(_, other)| field.meets(**other));
            all.map(|(number, _)| number as u32).collect()
        };
        found.meeting = fields.iter().map(meets).collect();
        found.starts.reserve(nodes as usize + 1);
        found.starts.push(0);
        for node in 0..nodes {
            let first = found.all.len();
            for edge in edges.of(Node(node)) {
                let act = found.act(edge.label, edge.to, direction);
                if act != Some(Act::Same) || edge.to.0 != node {
                    found.all.extend(act.map(|act| Step { act, to: edge.to.0 }));
                }
            }
            found.all[first..].sort_unstable();
            // Several edges that differ in what does not count here are one.
            let mut kept = first;
            for index in first..found.all.len() {
                if kept == first || found.all[kept - 1] != found.all[index] {
                    found.all[kept] = found.all[index];
                    kept += 1;
                }
            }
            found.all.truncate(kept);
            found.starts.push(found.all.len() as u32);
        }
        found
    }

    /// The steps from a node.
    pub(crate) fn of(&self, node: u32) -> &[Step] {
        &self.all[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// What an edge to a node does; nothing if the graph has no such edge.
    pub(crate) fn act(&self, label: Label, to: Node, direction: Direction) -> Option<Act> {
        let number = |field: &Field| self.numbers.get(field).copied();
        Some(match label.along(direction) {
            Label::Same => Act::Same,
            Label::All => Act::All,
            // Forward: a part does not change the constructor of the whole.
            Label::Shape if direction == Direction::Forward => Act::Everything,
            Label::Shape => Act::Shape,
            Label::Open(field) => {
                let push = (to.0, number(&field)?);
                Act::Push(self.pushes.binary_search(&push).ok()? as u32)
            }
            Label::Close(field) => Act::Pop(number(&field)?),
            Label::Except(field) => Act::Except(number(&field)?),
        })
    }
}
