//! The edges of a graph as the question about fields looks at them: in one direction, without what
//! only calls and explanations need, and with everything numbered that it would have to look up.
//!
//! Fields have numbers. Of the edges of a node those come first that are followed whatever was
//! looked for. Where all of them are, the node is *plain*: it does not count what is looked for
//! there, and what leads to such a node as it is is followed whatever was looked for, too. Literals
//! are plain, and what is computed from values as a whole.

use ids::IdVec;
use rustc_hash::FxHashMap;

use super::cycles::cycles;
use super::fold::{Folded, Mode, Way};
use super::graph::{Field, Label};
use super::reach::Direction;
use super::rows::Rows;
use super::symbols::{FieldId, Word};

/// What following an edge does with a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Act {
    /// Empties it: everything is looked for.
    All,
    /// Empties it: the outermost constructor is looked for.
    Shape,
    /// Empties it and puts this field on top.
    Need(FieldId),
    /// The same with the hollow stack.
    NeedHollow(FieldId),
    Same,
    /// Puts this field on top.
    Push(FieldId),
    /// Takes this field off the top.
    Pop(FieldId),
    /// Lets everything pass that does not have this field on top.
    Except(FieldId),
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
    pub(crate) to: Folded,
}

/// All steps in one direction.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    all: Rows<Folded, Step>,
    pub(crate) fields: IdVec<FieldId, Field>,
    numbers: FxHashMap<Field, FieldId>,
    /// By field: those that may be the same, as bits of their words.
    meeting: IdVec<FieldId, Vec<(Word, u64)>>,
    plain: IdVec<Folded, bool>,
    /// Nodes that lead to each other as they are: they have the same stacks if all of them may be
    /// reached.
    pub(crate) circles: Vec<Vec<Folded>>,
}

impl Steps {
    pub(crate) fn new(nodes: usize, ways: &[Way], direction: Direction) -> Steps {
        let mut found = Steps::default();
        for way in ways {
            let (Label::Open(field) | Label::Close(field) | Label::Except(field)) = way.label
            else {
                continue;
            };
            let next = found.fields.next_id();
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
        found.all = Rows::new(nodes, steps);
        found.find_plain(nodes);
        found.all.order();
        let mut circles = Vec::new();
        let same = |node: Folded, to: &mut Vec<Folded>| {
            let same = found.of(node).iter().filter(|step| step.act == Act::Same);
            to.extend(same.map(|step| step.to));
        };
        cycles(nodes, ids::first(nodes), same, &mut circles);
        found.circles = circles;
        found
    }

    /// Finds nodes for which it does not count what is looked for. Most edges lead to smaller
    /// numbers, or most to larger ones: the second time finds nearly all, and none has to be found.
    fn find_plain(&mut self, nodes: usize) {
        self.plain = IdVec::filled(false, nodes);
        for node in ids::first(nodes).chain(ids::first(nodes).rev()) {
            let is_plain = |step: &Step| {
                step.act.is_unconditional() || step.act.is_always_possible() && self.plain[step.to]
            };
            self.plain[node] = self.of(node).iter().all(is_plain);
        }
        for step in self.all.iter_mut() {
            if self.plain[step.to] && step.act.is_always_possible() {
                step.act = Act::All;
            }
        }
    }

    /// Whether it does not count what is looked for at a node, but that something is.
    pub(crate) fn is_plain(&self, node: Folded) -> bool {
        self.plain[node]
    }

    /// The steps from a node.
    #[inline]
    pub(crate) fn of(&self, node: Folded) -> &[Step] {
        self.all.of(node)
    }

    /// Which fields of a word may be the same as a field, as bits.
    pub(crate) fn meeting(&self, field: FieldId, word: Word) -> u64 {
        self.meeting[field].iter().find(|(number, _)| *number == word).map_or(0, |(_, bits)| *bits)
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
fn meeting(field: Field, fields: &IdVec<FieldId, Field>) -> Vec<(Word, u64)> {
    let words = fields.as_slice().chunks(64).enumerate().map(|(number, fields)| {
        let meets = fields.iter().enumerate().filter(|(_, other)| field.meets(**other));
        (Word::new(number), meets.fold(0, |bits, (bit, _)| bits | 1 << bit))
    });
    words.filter(|(_, bits)| *bits != 0).collect()
}
