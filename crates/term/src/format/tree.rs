//! A term on its way to a layout: the texts of its leaves, and the length of every part on one
//! line.
//!
//! Nodes live in one block and name each other by number, so that a deep tree is made, walked and
//! dropped without recursion.

use crate::Term;

use super::write::Shown;

pub(super) type NodeId = u32;

/// A part of the buffer that holds the texts of all leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text(Span),
    /// Text with something around it; see [`Frame`].
    Framed(Span, Frame),
    /// A bit string as numbers: an index into [`Tree::bits`].
    Bits(u32),
    List(Seq),
    /// Whether its first element is a tag.
    Tuple(bool, Seq),
    Map(Seq),
    Pair(NodeId, NodeId),
    /// With the text `#name`.
    Record(Span, Seq),
    /// With the text `name`.
    Field(Span, NodeId),
}

/// What stands around a string.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// `"…"...`
    Cut,
    /// `<<"…">>`
    Binary,
    /// `<<"…"...>>`
    CutBinary,
    /// `<<"…"/utf8>>`
    Utf8,
    /// `<<"…"/utf8...>>`
    CutUtf8,
}

impl Frame {
    /// Text in front, text behind, and whether the latter is a list of its own.
    pub(super) fn around(self) -> (&'static str, &'static str, bool) {
        match self {
            Frame::Cut => ("", "...", false),
            Frame::Binary => ("<<", ">>", false),
            Frame::CutBinary => ("<<", "...>>", false),
            Frame::Utf8 => ("<<", "/utf8>>", true),
            Frame::CutUtf8 => ("<<", "/utf8...>>", false),
        }
    }
}

/// Elements of a container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seq {
    /// Where its elements begin in [`Tree::elements`].
    first: u32,
    count: u32,
    pub(super) tail: Tail,
}

impl Seq {
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }
}

/// What follows the elements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tail {
    Nil,
    /// Dots for elements that were left out; an index into [`Tree::rests`].
    Dots(u32),
    /// The last part of an improper list.
    Improper(NodeId),
}

/// Elements that were left out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest<'t> {
    /// Of a list: it is made again as a whole.
    List,
    /// Of a tuple: number of the first one, and its depth.
    Tuple { elements: &'t [Term], at: usize, depth: i64 },
    /// Of a map; keys and values have a depth of their own.
    Map { map: &'t crate::Map, at: usize, depth: i64, inner: i64 },
    /// Of a record.
    Fields { elements: &'t [Term], names: &'t [atom::Atom], at: usize, depth: i64 },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Length on one line.
    pub(super) len: usize,
    /// Whether anything inside was left out.
    pub(super) dots: bool,
    /// Whether it has to be made again to show more; see [`Tree::again`].
    pub(super) again: bool,
}

impl Node {
    /// Whether it is just text, which is never broken over lines.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text(_) | Kind::Framed(..))
    }
}

#[derive(Default, Debug)]
pub(super) struct Tree<'t> {
    pub(super) nodes: Vec<Node>,
    elements: Vec<NodeId>,
    pub(super) text: String,
    pub(super) bits: Vec<Shown<'t>>,
    pub(super) rests: Vec<Rest<'t>>,
    /// What nodes are made from that can be made again: their term, and the depth they were made
    /// with. In the order of their numbers.
    pub(super) again: Vec<(NodeId, &'t Term, i64)>,
}

impl<'t> Tree<'t> {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn len(&self, id: NodeId) -> i64 {
        self.node(id).len as i64
    }

    pub(super) fn element(&self, seq: &Seq, index: usize) -> NodeId {
        self.elements[seq.first as usize + index]
    }

    /// Makes a sequence of elements.
    pub(super) fn seq(&mut self, elements: Vec<NodeId>, tail: Tail) -> Seq {
        let (first, count) = (self.elements.len() as u32, elements.len() as u32);
        self.elements.extend(elements);
        Seq { first, count, tail }
    }

    /// Dots in place of elements.
    pub(super) fn leave_out(&mut self, rest: Rest<'t>) -> Tail {
        self.rests.push(rest);
        Tail::Dots((self.rests.len() - 1) as u32)
    }

    pub(super) fn span(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The text from `start` on.
    pub(super) fn span_from(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.text.len() as u32 }
    }

    pub(super) fn add(
        &mut self,
        kind: Kind,
        len: usize,
        dots: bool,
        again: Option<(&'t Term, i64)>,
    ) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node { kind, len, dots, again: again.is_some() });
        if let Some((term, depth)) = again {
            self.again.push((id, term, depth));
        }
        id
    }

    /// Term and depth of a node that can be made again.
    pub(super) fn origin(&self, id: NodeId) -> Option<(&'t Term, i64)> {
        let at = self.again.binary_search_by_key(&id, |(id, ..)| *id).ok()?;
        let (_, term, depth) = self.again[at];
        Some((term, depth))
    }

    /// Whether there are more nodes or characters than numbers for them.
    pub(super) fn is_too_large(&self) -> bool {
        let most = self.nodes.len().max(self.text.len()).max(self.elements.len());
        most > u32::MAX as usize / 2
    }

    /// Whether key and value of a pair, or the value of a field, are just text.
    pub(super) fn has_text_parts(&self, id: NodeId) -> bool {
        match self.node(id).kind {
            Kind::Pair(key, value) => self.node(key).is_text() && self.node(value).is_text(),
            Kind::Field(_, value) => self.node(value).is_text(),
            _ => false,
        }
    }
}
