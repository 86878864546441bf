//! From a term to its [`Tree`]: which leaves are shown within depth and number of characters, and
//! how long each part is on one line.
//!
//! With a limit on characters the depth is searched for that uses it best, as OTP does: the tree is
//! made one level deep and then deepened by [`Measure::expand`] in growing steps, and in halving
//! ones once it is too long. What a step left out is remembered in the tree.
//!
//! A work stack of [`Open`] containers takes the place of recursion.

use std::collections::BTreeMap;

use atom::{Atom, quote};

use crate::{Bits, Boxed, Map, Record, Term, View, grapheme, print};

use super::chardata::{Leaf, Leaves, text_length};
use super::tree::{Frame, Kind, NodeId, Rest, Seq, Span, Tail, Tree};
use super::write::{Shown, atom_text, leaf, reduced};
use super::{BadArgument, Encoding, Printable, Result};

/// Names of the fields of records, by tag and number of fields.
pub type Records = BTreeMap<(Atom, usize), Vec<Atom>>;

/// How leaves are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings<'t> {
    pub(super) encoding: Encoding,
    /// Whether lists and binaries of printable characters are shown as strings.
    pub(super) strings: bool,
    pub(super) printable: Printable,
    pub(super) records: Option<&'t Records>,
}

type Pairs<'t> =
    std::iter::Peekable<Box<dyn DoubleEndedIterator<Item = (&'t Term, &'t Term)> + 't>>;

/// Where the elements of an open container come from. Depths are those of OTP's: they count down
/// along the elements, and an element has one less than the place where it stands.
enum Source<'t> {
    List {
        rest: &'t Term,
        depth: i64,
    },
    Tuple {
        elements: &'t [Term],
        at: usize,
        depth: i64,
    },
    Map {
        map: &'t Map,
        pairs: Pairs<'t>,
        at: usize,
        depth: i64,
        inner: i64,
    },
    Fields {
        elements: &'t [Term],
        names: &'t [Atom],
        at: usize,
        depth: i64,
    },
    /// Key, then value.
    Pair {
        key: &'t Term,
        value: &'t Term,
        depth: i64,
    },
    Value {
        term: &'t Term,
        depth: i64,
    },
    /// Elements of a node that is shown deeper.
    Old {
        seq: Seq,
        at: usize,
        deeper: i64,
    },
    OldPair {
        key: NodeId,
        value: NodeId,
        deeper: i64,
    },
    OldValue {
        node: NodeId,
        deeper: i64,
    },
}

/// What an open container will be.
#[derive(Clone, Copy)]
enum Shape<'t> {
    /// With the term and depth it is made from.
    List(&'t Term, i64),
    Tuple(bool),
    Map,
    Pair,
    Record(Span, usize),
    Field(Span, usize),
}

/// A container whose elements are being made.
struct Open<'t> {
    shape: Shape<'t>,
    source: Source<'t>,
    /// Characters that are left (none if negative).
    limit: i64,
    done: Vec<NodeId>,
    tail: Tail,
    /// The element being made is the last part of an improper list.
    at_tail: bool,
}

/// What to make next.
enum Work<'t> {
    Term(&'t Term, i64, i64),
    Pair(&'t Term, &'t Term, i64, i64),
    Field(Atom, &'t Term, i64, i64),
    Expand(NodeId, i64, i64),
    /// The container on top has all its elements.
    Complete,
}

pub(super) struct Measure<'t> {
    pub(super) tree: Tree<'t>,
    settings: Settings<'t>,
    open: Vec<Open<'t>>,
}

impl<'t> Measure<'t> {
    pub(super) fn new(settings: Settings<'t>) -> Measure<'t> {
        Measure { tree: Tree::default(), settings, open: Vec::new() }
    }

    /// The tree of a term, at most `depth` deep and about `limit` characters long (each without
    /// limit if negative).
    pub(super) fn measure(&mut self, term: &'t Term, depth: i64, limit: i64) -> Result<NodeId> {
        if limit < 0 {
            return self.run(Work::Term(term, depth, limit));
        }
        let root = self.run(Work::Term(term, 1, limit))?;
        let node = self.tree.node(root);
        if !node.dots || node.len as i64 > limit || depth == 1 {
            return Ok(root);
        }
        self.deepen(root, depth, limit)
    }

    /// Grows the depth in doubling steps while the text is not too long.
    fn deepen(&mut self, root: NodeId, max_depth: i64, limit: i64) -> Result<NodeId> {
        let (mut lower, mut depth, mut step) = (root, 1, 2);
        loop {
            step *= 2;
            let deeper = if max_depth < 0 { depth + step } else { max_depth.min(depth + step) };
            let node = self.expand(lower, limit, deeper - depth)?;
            let (len, old_len) = (self.tree.len(node), self.tree.len(lower));
            if !self.tree.node(node).dots || len == old_len {
                return Ok(node);
            }
            if len > limit || !(deeper < max_depth || max_depth < 0) {
                return self.search(lower, node, depth, deeper, limit);
            }
            (lower, depth) = (node, deeper);
        }
    }

    /// Between a tree that is short enough and one that is not, looks for the best depth.
    fn search(
        &mut self,
        mut lower: NodeId,
        mut upper: NodeId,
        mut low: i64,
        mut high: i64,
        limit: i64,
    ) -> Result<NodeId> {
        while high - low > 1 {
            let middle = (low + high) / 2;
            let node = self.expand(lower, limit, middle - low)?;
            if self.tree.len(node) > limit {
                (upper, high) = (node, middle);
            } else {
                (lower, low) = (node, middle);
            }
        }
        Ok(if self.tree.len(lower) == limit { lower } else { upper })
    }

    fn expand(&mut self, node: NodeId, limit: i64, deeper: i64) -> Result<NodeId> {
        self.run(Work::Expand(node, limit, deeper))
    }

    /// Makes a node, with all that is in it.
    fn run(&mut self, mut work: Work<'t>) -> Result<NodeId> {
        let floor = self.open.len();
        loop {
            let made = match work {
                Work::Term(term, depth, limit) => self.term(term, depth, limit)?,
                Work::Pair(key, value, depth, limit) => {
                    self.enter(Shape::Pair, Source::Pair { key, value, depth }, limit)
                }
                Work::Field(name, term, depth, limit) => {
                    let name = self.push_text(&atom_text(name.as_str(), self.settings.encoding));
                    let len = text_length(self.tree.span(name)) + 3;
                    let limit = reduced(limit, len as i64);
                    self.enter(Shape::Field(name, len), Source::Value { term, depth }, limit)
                }
                Work::Expand(node, limit, deeper) => self.deeper(node, limit, deeper)?,
                Work::Complete => self.open.pop().map(|open| self.complete(open)),
            };
            if self.tree.is_too_large() {
                return Err(BadArgument);
            }
            if let Some(node) = made {
                if self.open.len() == floor {
                    return Ok(node);
                }
                self.accept(node);
            }
            work = self.next_work()?;
        }
    }

    fn enter(&mut self, shape: Shape<'t>, source: Source<'t>, limit: i64) -> Option<NodeId> {
        let (done, tail) = (Vec::new(), Tail::Nil);
        self.open.push(Open { shape, source, limit, done, tail, at_tail: false });
        None
    }

    /// An element of the container on top is there.
    fn accept(&mut self, node: NodeId) {
        let len = self.tree.len(node);
        let Some(open) = self.open.last_mut() else { return };
        open.limit = match open.shape {
            // The arrow counts once the key is there; nothing asks after the value.
            Shape::Pair if open.done.is_empty() => open.limit,
            _ => reduced(open.limit, len),
        };
        if open.at_tail {
            open.tail = Tail::Improper(node);
        } else {
            open.done.push(node);
        }
    }

    // ---- containers
    // ------------------------------------------------------------------------------

    /// What the container on top needs next.
    fn next_work(&mut self) -> Result<Work<'t>> {
        let Some(open) = self.open.last_mut() else { return Err(BadArgument) };
        let limit = open.limit;
        // An element that is not the last is followed by a comma.
        let before_comma = reduced(limit, 1);
        Ok(match &mut open.source {
            Source::List { rest, depth } => {
                if rest.is_nil() || open.at_tail {
                    Work::Complete
                } else if *depth == 1 || limit == 0 {
                    open.tail = self.tree.leave_out(Rest::List);
                    Work::Complete
                } else if let Some(cell) = rest.as_cons() {
                    *depth -= 1;
                    *rest = &cell.tail;
                    open.limit = if cell.tail.is_nil() { limit } else { before_comma };
                    Work::Term(&cell.head, *depth, open.limit)
                } else {
                    open.at_tail = true;
                    Work::Term(rest, *depth - 1, limit)
                }
            }
            Source::Tuple { elements, at, depth } => match elements.get(*at) {
                None => Work::Complete,
                Some(_) if *depth == 1 || limit == 0 => {
                    let rest = Rest::Tuple { elements, at: *at, depth: *depth };
                    open.tail = self.tree.leave_out(rest);
                    Work::Complete
                }
                Some(element) => {
                    *at += 1;
                    *depth -= 1;
                    open.limit = if *at == elements.len() { limit } else { before_comma };
                    Work::Term(element, *depth, open.limit)
                }
            },
            Source::Map { map, pairs, at, depth, inner } => {
                if pairs.peek().is_none() {
                    Work::Complete
                } else if *depth == 1 || limit == 0 {
                    let rest = Rest::Map { map, at: *at, depth: *depth, inner: *inner };
                    open.tail = self.tree.leave_out(rest);
                    Work::Complete
                } else if let Some((key, value)) = pairs.next() {
                    *at += 1;
                    *depth -= 1;
                    open.limit = if pairs.peek().is_none() { limit } else { before_comma };
                    Work::Pair(key, value, *inner, open.limit)
                } else {
                    Work::Complete
                }
            }
            Source::Fields { elements, names, at, depth } => {
                match (elements.get(*at), &names[..]) {
                    (None, []) => Work::Complete,
                    _ if *depth == 1 || limit == 0 => {
                        let rest = Rest::Fields { elements, names, at: *at, depth: *depth };
                        open.tail = self.tree.leave_out(rest);
                        Work::Complete
                    }
                    (Some(element), [name, rest @ ..]) => {
                        *at += 1;
                        *depth -= 1;
                        *names = rest;
                        open.limit = if *at == elements.len() { limit } else { before_comma };
                        Work::Field(*name, element, *depth, open.limit)
                    }
                    _ => return Err(BadArgument),
                }
            }
            Source::Pair { key, value, depth } => match open.done[..] {
                [] => Work::Term(key, *depth, limit),
                [key] => Work::Term(value, *depth, reduced(limit, self.tree.len(key) + ARROW)),
                _ => Work::Complete,
            },
            Source::OldPair { key, value, deeper } => match open.done[..] {
                [] => Work::Expand(*key, before_comma, *deeper),
                [key] => Work::Expand(*value, reduced(limit, self.tree.len(key) + ARROW), *deeper),
                _ => Work::Complete,
            },
            Source::Value { .. } | Source::OldValue { .. } if !open.done.is_empty() => {
                Work::Complete
            }
            Source::Value { term, depth } => Work::Term(term, *depth, limit),
            Source::OldValue { node, deeper } => Work::Expand(*node, limit, *deeper),
            Source::Old { seq, at, deeper } if *at < seq.count() => {
                let node = self.tree.element(seq, *at);
                *at += 1;
                let last = *at == seq.count() && matches!(seq.tail, Tail::Nil);
                open.limit = if last { limit } else { before_comma };
                Work::Expand(node, open.limit, *deeper)
            }
            Source::Old { seq, deeper, .. } => match seq.tail {
                Tail::Dots(rest) => {
                    open.source = source_of(self.tree.rests[rest as usize], *deeper)?;
                    return self.next_work();
                }
                _ => Work::Complete,
            },
        })
    }

    /// All elements of a container are there.
    fn complete(&mut self, open: Open<'t>) -> NodeId {
        let Open { shape, done, tail, .. } = open;
        let lens = |id: &NodeId| self.tree.node(*id).len;
        let parts: usize = done.iter().map(lens).sum();
        let mut dots = done.iter().any(|id| self.tree.node(*id).dots);
        let separators = done.len().saturating_sub(1);
        let (tail_len, tail_dots) = match tail {
            Tail::Nil => (0, false),
            Tail::Dots(_) => (3, true),
            Tail::Improper(node) => (self.tree.node(node).len, self.tree.node(node).dots),
        };
        let bar = usize::from(!matches!(tail, Tail::Nil) && !done.is_empty());
        dots |= tail_dots;
        let inside = parts + separators + bar + tail_len;
        let mut again = None;
        let (kind, len) = match (shape, &done[..]) {
            (Shape::Pair, [key, value]) => (Kind::Pair(*key, *value), parts + ARROW as usize),
            (Shape::Field(name, len), [value]) => (Kind::Field(name, *value), parts + len),
            (Shape::List(term, depth), _) => {
                again = dots.then_some((term, depth));
                (Kind::List(self.tree.seq(done, tail)), inside + 2)
            }
            (Shape::Tuple(tagged), _) => {
                (Kind::Tuple(tagged, self.tree.seq(done, tail)), inside + 2)
            }
            (Shape::Record(name, len), _) => {
                (Kind::Record(name, self.tree.seq(done, tail)), inside + len + 2)
            }
            (Shape::Map | Shape::Pair | Shape::Field(..), _) => {
                (Kind::Map(self.tree.seq(done, tail)), inside + 3)
            }
        };
        self.tree.add(kind, len, dots, again)
    }

    /// Starts to show a node deeper.
    fn deeper(&mut self, id: NodeId, limit: i64, deeper: i64) -> Result<Option<NodeId>> {
        let node = *self.tree.node(id);
        if !node.dots {
            return Ok(Some(id));
        }
        if node.again
            && let Some((term, depth)) = self.tree.origin(id)
        {
            return self.term(term, depth + deeper, limit);
        }
        let old = |seq| Source::Old { seq, at: 0, deeper };
        Ok(match node.kind {
            Kind::Tuple(tagged, seq) => {
                self.enter(Shape::Tuple(tagged), old(seq), reduced(limit, 2))
            }
            Kind::Map(seq) => self.enter(Shape::Map, old(seq), reduced(limit, 3)),
            Kind::Record(name, seq) => {
                let len = text_length(self.tree.span(name));
                self.enter(Shape::Record(name, len), old(seq), reduced(limit, len as i64 + 2))
            }
            Kind::Pair(key, value) => {
                self.enter(Shape::Pair, Source::OldPair { key, value, deeper }, limit)
            }
            Kind::Field(name, value) => {
                let len = text_length(self.tree.span(name)) + 3;
                let source = Source::OldValue { node: value, deeper };
                self.enter(Shape::Field(name, len), source, reduced(limit, len as i64))
            }
            _ => Some(id),
        })
    }

    // ---- terms
    // -----------------------------------------------------------------------------------

    /// The node of a term without parts, or its container is opened.
    fn term(&mut self, term: &'t Term, depth: i64, limit: i64) -> Result<Option<NodeId>> {
        Ok(match term.view() {
            View::Nil => Some(self.plain("[]")),
            View::Tuple([]) => Some(self.plain("{}")),
            View::Map(map) if map.is_empty() => Some(self.plain("#{}")),
            View::Cons(_) => {
                if let Some(node) = self.string(term, depth, limit) {
                    return Ok(Some(node));
                }
                let source = Source::List { rest: term, depth };
                self.enter(Shape::List(term, depth), source, reduced(limit, 2))
            }
            View::Tuple(elements) => self.tuple(term, elements, depth, limit),
            View::Map(_) if depth == 1 => Some(self.cut(term, "#{...}")),
            View::Map(map) => {
                let pairs = map.iter().peekable();
                let source = Source::Map { map, pairs, at: 0, depth, inner: depth - 1 };
                self.enter(Shape::Map, source, reduced(limit, 3))
            }
            View::Boxed(Boxed::Record(record)) => self.record(term, record, depth, limit),
            View::Bits(bits) => Some(self.bits(term, bits, depth, limit)),
            _ => {
                // Only atoms obey the encoding; other leaves have Latin-1 characters only.
                let encoding = match term.view() {
                    View::Atom(_) => self.settings.encoding,
                    _ => Encoding::Latin1,
                };
                let start = self.tree.text.len();
                leaf(term, encoding, &mut self.tree.text);
                let span = self.tree.span_from(start);
                if term.as_fun().is_some()
                    && self.tree.span(span).chars().any(|c| u32::from(c) > 0xFF)
                {
                    return Err(BadArgument);
                }
                Some(self.text_node(Kind::Text(span), span, 0))
            }
        })
    }

    fn tuple(
        &mut self,
        term: &'t Term,
        elements: &'t [Term],
        depth: i64,
        limit: i64,
    ) -> Option<NodeId> {
        if depth == 1 {
            return Some(self.cut(term, "{...}"));
        }
        let tag = elements.first().and_then(Term::as_atom);
        if let (Some(records), Some(tag)) = (self.settings.records, tag)
            && let Some(names) = records.get(&(tag, elements.len() - 1))
        {
            let name = format!("#{}", atom_text(tag.as_str(), self.settings.encoding));
            let source = Source::Fields { elements, names, at: 1, depth: depth - 1 };
            return self.fields(&name, source, limit);
        }
        let tagged = tag.is_some() && elements.len() > 1;
        let source = Source::Tuple { elements, at: 0, depth };
        self.enter(Shape::Tuple(tagged), source, reduced(limit, 2))
    }

    /// A native record.
    fn record(
        &mut self,
        term: &'t Term,
        record: &'t Record,
        depth: i64,
        limit: i64,
    ) -> Option<NodeId> {
        let mut name = String::new();
        let latin1 = self.settings.encoding == Encoding::Latin1;
        print::record_name(record.shape(), latin1, &mut name);
        if depth == 1 && !record.values().is_empty() {
            return Some(self.cut(term, &format!("{name}{{...}}")));
        }
        let (elements, names) = (record.values(), record.shape().fields());
        let source = Source::Fields { elements, names, at: 0, depth: depth - 1 };
        self.fields(&name, source, limit)
    }

    /// The fields of a record, after its name.
    fn fields(&mut self, name: &str, source: Source<'t>, limit: i64) -> Option<NodeId> {
        let name = self.push_text(name);
        let len = text_length(self.tree.span(name));
        self.enter(Shape::Record(name, len), source, reduced(limit, len as i64 + 2))
    }

    fn push_text(&mut self, text: &str) -> Span {
        let start = self.tree.text.len();
        self.tree.text.push_str(text);
        self.tree.span_from(start)
    }

    fn text_node(&mut self, kind: Kind, span: Span, around: usize) -> NodeId {
        let len = text_length(self.tree.span(span)) + around;
        self.tree.add(kind, len, false, None)
    }

    fn plain(&mut self, text: &str) -> NodeId {
        let span = self.push_text(text);
        self.text_node(Kind::Text(span), span, 0)
    }

    /// A container at the end of the depth.
    fn cut(&mut self, term: &'t Term, text: &str) -> NodeId {
        let span = self.push_text(text);
        self.tree.add(Kind::Text(span), text_length(text), true, Some((term, 1)))
    }

    /// The node of a list that is shown as a string.
    fn string(&mut self, list: &Term, depth: i64, limit: i64) -> Option<NodeId> {
        if !self.settings.strings || depth == 1 {
            return None;
        }
        let shown = match self.settings.encoding {
            Encoding::Latin1 => latin1_string(list, limit),
            Encoding::Unicode => unicode_string(list, limit, self.settings.printable),
        };
        shown.map(|(text, whole)| {
            let span = self.push_text(&quote::string(&text));
            if whole {
                self.text_node(Kind::Text(span), span, 0)
            } else {
                self.text_node(Kind::Framed(span, Frame::Cut), span, 3)
            }
        })
    }

    fn bits(&mut self, term: &'t Term, bits: &'t Bits, depth: i64, limit: i64) -> NodeId {
        if bits.is_empty() {
            return self.plain("<<>>");
        }
        if depth == 1 {
            return self.cut(term, "<<...>>");
        }
        if self.settings.strings
            && let Some(bytes) = bits.to_bytes()
            && let Some(shown) = self.binary_string(&bytes, depth - 1, reduced(limit, 6))
        {
            let BinaryString { text, one_byte_each, whole } = shown;
            let span = self.push_text(&quote::string(&text));
            let (frame, around) = match (one_byte_each, whole) {
                (true, true) => (Frame::Binary, 4),
                (true, false) => (Frame::CutBinary, 7),
                (false, true) => (Frame::Utf8, 9),
                (false, false) => (Frame::CutUtf8, 12),
            };
            let len = text_length(self.tree.span(span)) + around;
            let again = (!whole).then_some((term, depth));
            return self.tree.add(Kind::Framed(span, frame), len, !whole, again);
        }
        let shown = Shown::new(bits, depth, limit);
        let dots = shown.end == super::write::End::Dots;
        let again = dots.then_some((term, depth));
        self.tree.bits.push(shown);
        let kind = Kind::Bits((self.tree.bits.len() - 1) as u32);
        self.tree.add(kind, shown.len, dots, again)
    }

    fn binary_string(&self, bytes: &[u8], depth: i64, limit: i64) -> Option<BinaryString> {
        /// So many printable characters count as one level of depth.
        const CHARS: i64 = 4;
        let size = bytes.len() as i64;
        let len = match (depth >= 0, limit >= 0) {
            (true, true) => limit.min(size.min(CHARS.saturating_mul(depth))),
            (true, false) => size.min(CHARS.saturating_mul(depth)),
            (false, false) => size,
            (false, true) => limit,
        };
        let len = usize::try_from(len).ok().filter(|len| *len > 0)?;
        match self.settings.encoding {
            Encoding::Latin1 => latin1_binary(bytes, len, depth),
            Encoding::Unicode => unicode_binary(bytes, len, depth, self.settings.printable),
        }
    }
}

/// Length of ` => `.
const ARROW: i64 = 4;

/// Elements that were left out, to be shown now.
fn source_of(rest: Rest<'_>, deeper: i64) -> Result<Source<'_>> {
    Ok(match rest {
        Rest::Tuple { elements, at, depth } => {
            Source::Tuple { elements, at, depth: depth + deeper }
        }
        Rest::Map { map, at, depth, inner } => {
            let mut pairs = map.iter();
            if at > 0 {
                pairs.nth(at - 1);
            }
            Source::Map { map, pairs: pairs.peekable(), at, depth: depth + deeper, inner }
        }
        Rest::Fields { elements, names, at, depth } => {
            Source::Fields { elements, names, at, depth: depth + deeper }
        }
        Rest::List => return Err(BadArgument),
    })
}

// ---- strings
// -------------------------------------------------------------------------------------

fn is_printable(code: u32, printable: Printable) -> bool {
    match code {
        0x08..=0x0D | 0x1B | 0x20..=0x7E | 0xA0..=0xFF => true,
        _ if printable == Printable::Latin1 => false,
        0x100..0xD800 | 0xE000..0xFFFE | 0x1_0000..=0x10_FFFF => true,
        _ => false,
    }
}

fn char_of(term: &Term) -> Option<char> {
    char::from_u32(u32::try_from(term.as_int()?).ok()?)
}

fn printable_char(term: &Term, printable: Printable) -> Option<char> {
    char_of(term).filter(|c| is_printable(u32::from(*c), printable))
}

/// `io_lib:printable_latin1_list/1` and `io_lib:printable_unicode_list/1`: the text, if it is one.
pub(super) fn printable_text(list: &Term, printable: Printable) -> Option<String> {
    let mut elements = list.elements();
    let text: Option<String> = elements.by_ref().map(|c| printable_char(c, printable)).collect();
    text.filter(|_| elements.is_proper())
}

/// Whether [`printable_text`] gives a text.
pub fn is_printable_list(list: &Term, printable: Printable) -> bool {
    let mut elements = list.elements();
    elements.by_ref().all(|c| printable_char(c, printable).is_some()) && elements.is_proper()
}

/// The string that a list is shown as, and whether that is all of it.
fn latin1_string(list: &Term, limit: i64) -> Option<(String, bool)> {
    if limit < 0 {
        return printable_text(list, Printable::Latin1).map(|text| (text, true));
    }
    let mut left = reduced(limit, 2);
    let mut text = String::new();
    let mut rest = list;
    while let Some(cell) = rest.as_cons() {
        if left == 0 {
            return Some((text, false));
        }
        // A character that is not printable counts as the end only where none is left.
        text.push(printable_char(&cell.head, Printable::Latin1)?);
        left -= 1;
        rest = &cell.tail;
    }
    // What ends improperly is a string only if no character was left over.
    (rest.is_nil() || left == 0).then(|| (text, rest.is_nil()))
}

fn unicode_string(list: &Term, limit: i64, printable: Printable) -> Option<(String, bool)> {
    if limit < 0 {
        return printable_text(list, printable).map(|text| (text, true));
    }
    let max = reduced(limit, 2) as usize;
    // The first `max` clusters, and one character more.
    let mut codes = Vec::new();
    let mut state: Option<grapheme::State> = None;
    let mut clusters = 0;
    let mut rest = list;
    let cut = loop {
        let integer = rest.as_cons().filter(|cell| cell.head.is_integer());
        let code = match (integer, rest.is_nil()) {
            (_, true) => break false,
            (Some(cell), _) => code_of(&cell.head),
            // Beyond what is shown there may be nested text; it is asked for its first character.
            (None, _) if clusters == max => match Leaves::new(rest).next() {
                Some(Ok(Leaf::Char(c))) => code_of(c),
                Some(Ok(Leaf::Binary(bits))) => {
                    let bytes = bits.to_bytes().unwrap_or_default();
                    let first = bytes.utf8_chunks().next();
                    let c = first.and_then(|chunk| chunk.valid().chars().next());
                    c.map_or(u32::MAX, u32::from)
                }
                Some(Err(_)) | None => return None,
            },
            (None, _) => return None,
        };
        match (state.and_then(|state| state.join(code)), integer) {
            (None, _) if clusters == max => break true,
            (_, None) => return None,
            (Some(next), Some(_)) => state = Some(next),
            (None, Some(_)) => {
                clusters += 1;
                state = Some(grapheme::State::start(code));
            }
        }
        if let Some(cell) = integer {
            codes.push(&cell.head);
            rest = &cell.tail;
        }
    };
    if codes.is_empty() {
        return None;
    }
    let text: Option<String> = codes.into_iter().map(|c| printable_char(c, printable)).collect();
    text.map(|text| (text, !cut))
}

/// A code point; what is none is a number that joins nothing.
fn code_of(term: &Term) -> u32 {
    term.as_int().and_then(|c| u32::try_from(c).ok()).unwrap_or(u32::MAX)
}

/// The string that a binary is shown as.
struct BinaryString {
    text: String,
    /// Whether every character stands for one byte.
    one_byte_each: bool,
    whole: bool,
}

/// The first `len` bytes, if they are printable, or those before one that is not, if they are at
/// least as many as the depth.
fn latin1_binary(bytes: &[u8], len: usize, depth: i64) -> Option<BinaryString> {
    let printable = |byte: &&u8| is_printable(u32::from(**byte), Printable::Latin1);
    let good = bytes[..len].iter().take_while(printable).count();
    let text = || bytes[..good].iter().map(|byte| char::from(*byte)).collect();
    if good == bytes.len() {
        return Some(BinaryString { text: text(), one_byte_each: true, whole: true });
    }
    // The first bytes are looked at on their own: if all of a short part is good, depth is not
    // asked.
    const FIRST: usize = 20;
    let short = good == len && len <= FIRST;
    let enough = depth > 0 && good as i64 >= depth;
    (short || enough).then(|| BinaryString { text: text(), one_byte_each: true, whole: false })
}

fn unicode_binary(
    bytes: &[u8],
    len: usize,
    depth: i64,
    printable: Printable,
) -> Option<BinaryString> {
    // Valid as far as `len` characters go?
    let chunk = bytes.utf8_chunks().next();
    let valid = chunk.as_ref().map_or("", |chunk| chunk.valid());
    let enough = valid.len() == bytes.len() || valid.chars().nth(len - 1).is_some();
    if !enough {
        return latin1_binary(bytes, len, depth);
    }
    let mut text = String::new();
    let mut chars = 0;
    for c in valid.chars().take(len).take_while(|c| is_printable(u32::from(*c), printable)) {
        text.push(c);
        chars += 1;
    }
    let one_byte_each = text.len() == chars;
    if text.len() == bytes.len() {
        return Some(BinaryString { text, one_byte_each, whole: true });
    }
    (depth > 0 && chars as i64 >= depth).then_some(BinaryString {
        text,
        one_byte_each,
        whole: false,
    })
}
