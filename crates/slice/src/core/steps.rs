//! The edges of a graph as the question about fields looks at them: in one direction, without what
//! only calls and explanations need, and with everything numbered that it would have to look up.
//!
//! Fields have numbers. Of the edges of a node those come first that are followed whatever was
//! looked for. Where all of them are, the node is *plain*: it does not count what is looked for
//! there, and what leads to such a node as it is is followed whatever was looked for, too. Literals
//! are plain, and what is computed from values as a whole.

use rustc_hash::FxHashMap;

use super::cycles::cycles;
use super::fold::{Mode, Way, by_node, order};
use super::graph::{Field, Label};
use super::reach::Direction;

/// What following an edge does with a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Act {
    /// Empties it: everything is looked for.
    All,
    /// Empties it: the outermost constructor is looked for.
    Shape,
    /// Empties it and puts this field on top.
    Need(u32),
    /// The same with the hollow stack.
    NeedHollow(u32),
    Same,
    /// Puts this field on top.
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
        matches!(self, Act::All | Act::Shape | Act::Need(_) | Act::NeedHollow(_))
    }

    /// Whether who looks for everything before it looks for everything behind it.
    pub(crate) fn keeps_everything(self) -> bool {
        matches!(self, Act::All | Act::Same | Act::Pop(_) | Act::Except(_) | Act::Everything)
    }

    /// Whether something is looked for behind it whatever was before it.
    fn is_always_possible(self) -> bool {
        self.is_unconditional() || matches!(self, Act::Same | Act::Push(_))
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
    /// By field: those that may be the same, as bits by the number of their word.
    meeting: Vec<Vec<(u32, u64)>>,
    plain: Vec<bool>,
    /// Nodes that lead to each other as they are: they have the same stacks if all of them may be
    /// reached.
    pub(crate) circles: Vec<Vec<u32>>,
}

impl Steps {
    pub(crate) fn new(nodes: u32, ways: &[Way], direction: Direction) -> Steps {
        let mut found = Steps::default();
        for way in ways {
            let (Label::Open(field) | Label::Close(field) | Label::Except(field)) = way.label
            else {
                continue;
            };
            let next = found.fields.len() as u32;
            if *found.numbers.entry(field).or_insert(next) == next {
                found.fields.push(field);
            }
        }
        found.meeting = found.fields.iter().map(|field| meeting(*field, &found.fields)).collect();
        let steps = ways.iter().filter_map(|way| {
            let (from, to) = match direction {
                Direction::Backward => (way.from, way.to),
                Direction::Forward => (way.to, way.from),
            };
            let act = found.act(way.label.along(direction), way.mode, direction)?;
            (act != Act::Same || from != to).then_some((from, Step { act, to }))
        });
        (found.starts, found.all) = by_node(nodes, steps);
        found.find_plain(nodes);
        order(&mut found.starts, &mut found.all);
        let mut circles = Vec::new();
        let same = |node: u32, to: &mut Vec<u32>| {
            let same = found.of(node).iter().filter(|step| step.act == Act::Same);
            to.extend(same.map(|step| step.to));
        };
        cycles(nodes as usize, 0..nodes, same, &mut circles);
        found.circles = circles;
        found
    }

    /// Finds nodes for which it does not count what is looked for. Most edges lead to smaller
    /// numbers, or most to larger ones: the second time finds nearly all, and none has to be found.
    fn find_plain(&mut self, nodes: u32) {
        self.plain = vec![false; nodes as usize];
        for node in (0..nodes).chain((0..nodes).rev()) {
            let is_plain = |step: &Step| {
                step.act.is_unconditional()
                    || step.act.is_always_possible() && self.plain[step.to as usize]
            };
            self.plain[node as usize] = self.of(node).iter().all(is_plain);
        }
        for step in &mut self.all {
            if self.plain[step.to as usize] && step.act.is_always_possible() {
                step.act = Act::All;
            }
        }
    }

    /// Whether it does not count what is looked for at a node, but that something is.
    pub(crate) fn is_plain(&self, node: u32) -> bool {
        self.plain[node as usize]
    }

    /// The steps from a node.
    pub(crate) fn of(&self, node: u32) -> &[Step] {
        &self.all[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Which of 64 fields may be the same as a field, as bits.
    pub(crate) fn meeting(&self, field: u32, word: u32) -> u64 {
        let all = &self.meeting[field as usize];
        all.iter().find(|(number, _)| *number == word).map_or(0, |(_, bits)| *bits)
    }

    /// The step by which a traversal begins, backward; nothing if there is none.
    pub(crate) fn step(&self, way: Way) -> Option<Step> {
        let act = self.act(way.label, way.mode, Direction::Backward)?;
        let is_all = self.is_plain(way.to) && act.is_always_possible();
        Some(Step { act: if is_all { Act::All } else { act }, to: way.to })
    }

    /// What an edge does; nothing if nothing passes.
    fn act(&self, label: Label, mode: Mode, direction: Direction) -> Option<Act> {
        let number = |field: &Field| self.numbers.get(field).copied();
        Some(match (label, mode) {
            (Label::All, _) => Act::All,
            // Forward: a part does not change the constructor of the whole.
            (Label::Shape, _) if direction == Direction::Forward => Act::Everything,
            (Label::Shape, _) => Act::Shape,
            (Label::Open(field), Mode::Same) => Act::Push(number(&field)?),
            (Label::Open(field), Mode::Whole) => Act::Need(number(&field)?),
            (Label::Open(field), Mode::Hollow) => Act::NeedHollow(number(&field)?),
            (_, Mode::Whole) => Act::All,
            (Label::Close(_), Mode::Hollow) => return None,
            (Label::Same | Label::Except(_), Mode::Hollow) => Act::Shape,
            (Label::Same, Mode::Same) => Act::Same,
            (Label::Close(field), Mode::Same) => Act::Pop(number(&field)?),
            (Label::Except(field), Mode::Same) => Act::Except(number(&field)?),
        })
    }
}

/// Which fields may be the same as one.
fn meeting(field: Field, fields: &[Field]) -> Vec<(u32, u64)> {
    let words = fields.chunks(64).enumerate().map(|(number, fields)| {
        let meets = fields.iter().enumerate().filter(|(_, other)| field.meets(**other));
        (number as u32, meets.fold(0, |bits, (bit, _)| bits | 1 << bit))
    });
    words.filter(|(_, bits)| *bits != 0).collect()
}
