//! Binaries by segment: what is taken out of a binary is the segment that was put there, where the
//! sizes of what stands before it, and its own, are written as numbers on both sides.
//!
//! A binary is a chain, as a list is: what is at its beginning, and the rest behind that many bits.
//! `<<A:8, B/binary>>` is `A` read as an integer of 8 bits before `B`; `<<X:8, R/binary>>` takes an
//! integer of 8 bits off and `R` is what is behind it. Byte order and sign do not count. A text is
//! one segment a character.
//!
//! Where two layouts do not agree all is asked for that may be meant ([`super::layouts`]). What is
//! behind a segment of a computed size, or of a type whose size depends on the value, is asked for
//! as a whole, and of a binary inside a binary everything may be meant that is asked for at its
//! beginning.
//!
//! Whether a pattern matches is a matter of the size of a binary ([`fields::SIZE`]), and of the
//! segments that it compares. Sizes that are computed are needed whenever something of the binary
//! is. A number that is not asked for is printed as 0 (an atom would be no segment); a binary in a
//! binary keeps its size.
//!
//! In guards, and in filters, a segment that is no number makes the guard fail: there a binary is
//! in the slice as a whole. So is one a segment of which a macro makes ([`super::macros`]).

use syntax::ast::{Kind, Module, NodeId, NodeList};
use syntax::token::Literal;

use super::expressions::Walker;
use super::fields::{self, Reading, SIZE, Stretch};
use super::layouts::Place;
use super::nodes::{ModuleNodes, Role};
use dependence::{EdgeKind, Label, Node};

/// Texts with more characters are one segment.
const LONGEST_TEXT: usize = 64;

/// How much of a binary a segment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Known(Reading, u32),
    /// All of another binary.
    All,
    /// So much of another binary as is computed.
    Computed,
    /// A number of computed size.
    Number(Reading),
    /// A character, whose size depends on its value.
    Character,
}

/// A segment as written.
#[derive(Clone, Copy, Debug)]
struct Segment {
    value: NodeId,
    size: Option<NodeId>,
    extent: Extent,
    /// How many of them there are: characters of a text.
    times: usize,
    is_text: bool,
}

/// Whether a pattern is not taken apart: a macro makes more of it than a literal.
pub(crate) fn stays_whole(tree: &Module, nodes: &ModuleNodes, node: NodeId) -> bool {
    let mut found = nodes.is_rigid(node);
    tree.for_each_below(node, |below| {
        let is_literal = matches!(
            tree.kind(below),
            Kind::Integer(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Float(_)
                | Kind::BinSpec { .. }
        );
        found |= nodes.is_rigid(below) && !is_literal;
    });
    found
}

fn number(tree: &Module, node: NodeId) -> Option<u64> {
    match tree.kind(node) {
        Kind::Char(value) => Some(u64::from(value)),
        Kind::Integer(id) => match tree.literal(id) {
            Literal::Integer(value) => u64::try_from(value).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// How many characters a text has.
fn text_length(tree: &Module, node: NodeId) -> Option<usize> {
    let Kind::String(id) = tree.kind(node) else { return None };
    match tree.literal(id) {
        Literal::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

/// What a segment says, with the defaults of the bit syntax. `None` for what is none.
fn segment(tree: &Module, element: NodeId) -> Option<Segment> {
    let Kind::BinElement { value, size, specs } = tree.kind(element) else { return None };
    let mut reading = Some(Reading::Integer);
    let mut unit = None;
    for &spec in tree.list(specs.unwrap_or_default()) {
        let Kind::BinSpec { name, unit: given } = tree.kind(spec) else { continue };
        match name.as_str() {
            "float" => reading = Some(Reading::Float),
            "binary" | "bytes" => {
                reading = Some(Reading::Bits);
                unit = unit.or(Some(8));
            }
            "bitstring" | "bits" => {
                reading = Some(Reading::Bits);
                unit = unit.or(Some(1));
            }
            "utf8" | "utf16" | "utf32" => reading = None,
            "unit" => unit = Some(given.and_then(|given| number(tree, given))?),
            _ => {}
        }
    }
    let written = size.map(|size| number(tree, size));
    let bits = |size: u64, unit: u64| fields::known_bits(size.checked_mul(unit)?);
    let known = match (reading, written) {
        (Some(Reading::Integer), None) => Some(8),
        (Some(Reading::Float), None) => Some(64),
        (Some(Reading::Bits), Some(Some(size))) => bits(size, unit.unwrap_or(8)),
        (Some(_), Some(Some(size))) => bits(size, unit.unwrap_or(1)),
        _ => None,
    };
    let extent = match (reading, known) {
        (None, _) => Extent::Character,
        (Some(reading), Some(bits)) => Extent::Known(reading, bits),
        (Some(Reading::Bits), None) if size.is_none() => Extent::All,
        (Some(Reading::Bits), None) => Extent::Computed,
        (Some(reading), None) => Extent::Number(reading),
    };
    let length = text_length(tree, value);
    let (extent, times) = match (length, extent) {
        (Some(length), Extent::Known(..)) if length <= LONGEST_TEXT => (extent, length),
        (Some(length), Extent::Known(reading, bits)) => {
            match fields::known_bits(u64::from(bits).saturating_mul(length as u64)) {
                Some(bits) => (Extent::Known(reading, bits), 1),
                None => (Extent::Number(reading), 1),
            }
        }
        _ => (extent, 1),
    };
    Some(Segment { value, size, extent, times, is_text: length.is_some() })
}

fn segments_of(tree: &Module, elements: NodeList) -> Vec<Segment> {
    tree.list(elements).iter().filter_map(|&element| segment(tree, element)).collect()
}

/// The sizes of the segments of a pattern, if all are known.
fn known_sizes(tree: &Module, pattern: NodeId) -> Option<Vec<u32>> {
    let Kind::Binary { elements } = tree.kind(pattern) else { return None };
    let mut sizes = Vec::new();
    for segment in segments_of(tree, elements) {
        let Extent::Known(_, bits) = segment.extent else { return None };
        sizes.extend(std::iter::repeat_n(bits, segment.times));
    }
    Some(sizes)
}

impl Walker<'_, '_> {
    pub(crate) fn is_whole(&self, pattern: NodeId) -> bool {
        stays_whole(&self.tree, &self.build.modules[self.module], pattern)
    }

    // ---- Expressions -------------------------------------------------------------------------

    /// `<<…>>` as an expression.
    pub(crate) fn segments(&mut self, node: NodeId, elements: NodeList) -> Node {
        let tree = self.tree.clone();
        let mut parts = Vec::new();
        for segment in segments_of(&tree, elements) {
            let value = self.expr(segment.value);
            let size = segment.size.map(|size| self.expr(size));
            parts.push((segment, value, size));
        }
        let first = self.value_here(node);
        let mut cell = first;
        let mut is_known = true;
        let last = parts.len().saturating_sub(1);
        for (index, &(segment, value, size)) in parts.iter().enumerate() {
            if self.in_guard {
                self.edge(first, value, EdgeKind::Value, Label::All);
            }
            if let Some(size) = size {
                self.edge(first, size, EdgeKind::Value, Label::All);
            }
            is_known &= matches!(segment.extent, Extent::Known(..));
            if segment.is_text || segment.extent == Extent::Character {
                self.edge(first, value, EdgeKind::Value, Label::All);
            }
            for _ in 0..segment.times {
                let is_end = segment.extent == Extent::All && index == last;
                cell = self.put(node, cell, segment.extent, value, is_end);
            }
        }
        if is_known {
            self.build.binaries.ends_at(self.module, node, cell);
        }
        self.may_fail(node, &[first]);
        first
    }

    /// One segment at the beginning of `cell`; the node of what is behind it.
    fn put(&mut self, node: NodeId, cell: Node, extent: Extent, value: Node, is_end: bool) -> Node {
        if is_end {
            self.edge(cell, value, EdgeKind::Value, Label::Same);
            self.build.binaries.goes_on(cell);
            return cell;
        }
        let next = self.node(node, Role::Rest);
        // The text has all segments, and a binary among them has to be one.
        self.edge(cell, next, EdgeKind::Declaration, Label::Shape);
        self.size_of(node, cell, next);
        let is_binary =
            matches!(extent, Extent::Known(Reading::Bits, _) | Extent::All | Extent::Computed);
        if is_binary {
            self.edge(cell, value, EdgeKind::Declaration, Label::Shape);
            self.size_of(node, cell, value);
        }
        let known = match extent {
            Extent::Known(reading, bits) => {
                let own = Stretch::First(reading, bits).field();
                let behind = Stretch::Behind(bits).field();
                self.edge(cell, value, EdgeKind::Value, Label::Close(own));
                self.edge(cell, next, EdgeKind::Value, Label::Close(behind));
                if is_binary {
                    self.edge(cell, value, EdgeKind::Value, Label::Except(behind));
                }
                Some((reading, bits))
            }
            Extent::All | Extent::Computed => {
                self.edge(cell, value, EdgeKind::Value, Label::Same);
                None
            }
            Extent::Number(_) | Extent::Character => None,
        };
        let place = Place {
            module: self.module,
            node,
            cell,
            number: (!is_binary).then_some(value),
            known,
            next: Some(next),
        };
        self.build.binaries.put(place);
        next
    }

    /// How long one binary is depends on how long another is.
    fn size_of(&mut self, node: NodeId, binary: Node, part: Node) {
        let size = self.between(node);
        self.edge(binary, size, EdgeKind::Value, Label::Close(SIZE));
        self.edge(size, part, EdgeKind::Value, Label::Open(SIZE));
    }

    /// A comprehension whose value is `value` makes binaries by an expression, one behind the
    /// other.
    pub(crate) fn repeated(&mut self, node: NodeId, value: Node, exprs: NodeList, part: Node) {
        self.edge(value, part, EdgeKind::Declaration, Label::Shape);
        let end = match self.tree.list(exprs) {
            [expr] => self.build.binaries.end(self.module, *expr),
            _ => None,
        };
        match end {
            Some(end) => {
                self.edge(value, part, EdgeKind::Value, Label::Same);
                self.edge(end, value, EdgeKind::Value, Label::Same);
                self.build.binaries.goes_on(end);
            }
            None => {
                self.size_of(node, value, part);
                self.build.binaries.put(Place {
                    module: self.module,
                    node,
                    cell: value,
                    number: Some(part),
                    known: None,
                    next: None,
                });
            }
        }
    }

    // ---- Patterns ----------------------------------------------------------------------------

    /// `<<…>>` as a pattern whose value is `value`, a part of `from`.
    pub(crate) fn segment_patterns(
        &mut self,
        node: NodeId,
        value: Node,
        elements: NodeList,
        (from, label): (Node, Label),
    ) {
        let tree = self.tree.clone();
        // It matches if the size is right.
        let size = self.between(node);
        let whole = self.between(node);
        self.edge(value, size, EdgeKind::Declaration, Label::All);
        self.edge(size, whole, EdgeKind::Value, Label::Open(SIZE));
        self.edge(whole, from, EdgeKind::Value, label);
        self.tests.push((value, Label::Shape));
        self.tests.push((size, Label::All));
        let segments = segments_of(&tree, elements);
        let last = segments.len().saturating_sub(1);
        let mut cell = value;
        for (index, segment) in segments.iter().enumerate() {
            if let Some(size) = segment.size {
                let size = self.expr(size);
                self.edge(value, size, EdgeKind::Declaration, Label::All);
                self.tests.push((size, Label::All));
            }
            cell = match segment.extent {
                _ if segment.is_text => self.text_pattern(node, (value, cell), segment),
                Extent::Known(reading, bits) => {
                    self.takes(segment.value, cell, Stretch::First(reading, bits));
                    // Not all bits are a number.
                    if reading == Reading::Float {
                        let part = self.value(segment.value);
                        self.tests.push((part, Label::All));
                    }
                    if index < last { self.behind(node, cell, bits) } else { cell }
                }
                Extent::All => {
                    self.pattern(segment.value, cell, Label::Same);
                    cell
                }
                Extent::Computed | Extent::Number(_) | Extent::Character => {
                    self.pattern(segment.value, cell, Label::All);
                    let any = matches!(
                        segment.extent,
                        Extent::Computed | Extent::Number(Reading::Integer)
                    );
                    if !any {
                        self.tests.push((cell, Label::All));
                    }
                    let next = self.node(node, Role::Rest);
                    self.edge(next, cell, EdgeKind::Value, Label::All);
                    next
                }
            };
        }
    }

    fn takes(&mut self, pattern: NodeId, cell: Node, stretch: Stretch) {
        self.build.binaries.take(stretch);
        self.pattern(pattern, cell, Label::Open(stretch.field()));
    }

    /// What is so many bits behind the beginning of a binary.
    fn behind(&mut self, node: NodeId, cell: Node, bits: u32) -> Node {
        let next = self.node(node, Role::Rest);
        let stretch = Stretch::Behind(bits);
        self.build.binaries.take(stretch);
        self.edge(next, cell, EdgeKind::Value, Label::Open(stretch.field()));
        next
    }

    /// A text stays as it is, and has to be found.
    fn text_pattern(
        &mut self,
        node: NodeId,
        (value, mut cell): (Node, Node),
        segment: &Segment,
    ) -> Node {
        let text = self.value_here(segment.value);
        self.edge(value, text, EdgeKind::Declaration, Label::Shape);
        self.tests.push((text, Label::All));
        for _ in 0..segment.times {
            match segment.extent {
                Extent::Known(reading, bits) => {
                    let stretch = Stretch::First(reading, bits);
                    self.build.binaries.take(stretch);
                    self.edge(text, cell, EdgeKind::Value, Label::Open(stretch.field()));
                    cell = self.behind(node, cell, bits);
                }
                _ => {
                    self.edge(text, cell, EdgeKind::Value, Label::All);
                    let next = self.node(node, Role::Rest);
                    self.edge(next, cell, EdgeKind::Value, Label::All);
                    cell = next;
                }
            }
        }
        cell
    }

    /// A generator takes one pattern after the other off a binary: what it takes, and where it
    /// ends.
    pub(crate) fn goes_through(
        &mut self,
        node: NodeId,
        pattern: NodeId,
        (element, end): (Node, Node),
        binary: Node,
    ) {
        let sizes = known_sizes(&self.tree, pattern).filter(|_| !self.is_whole(pattern));
        let Some(sizes) = sizes else {
            self.edge(element, binary, EdgeKind::Value, Label::All);
            self.edge(end, binary, EdgeKind::Value, Label::All);
            return;
        };
        self.edge(element, binary, EdgeKind::Value, Label::Same);
        let mut cell = element;
        // What is behind the last segment of an element is the next one.
        for (index, &bits) in sizes.iter().rev().enumerate() {
            let stretch = Stretch::Behind(bits);
            self.build.binaries.take(stretch);
            let is_last = index + 1 == sizes.len();
            let next = if is_last { element } else { self.between(node) };
            self.edge(cell, next, EdgeKind::Value, Label::Open(stretch.field()));
            cell = next;
        }
        let size = self.between(node);
        self.edge(end, size, EdgeKind::Value, Label::All);
        self.edge(size, binary, EdgeKind::Value, Label::Open(SIZE));
    }
}
