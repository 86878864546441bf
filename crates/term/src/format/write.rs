//! Terms on one line: `io_lib:write/1,2`, `~w` and `~W`.
//!
//! Works with a stack of its own: depth costs heap.

use std::fmt::Write as _;

use atom::quote;

use crate::{Atom, Bits, Boxed, Map, Record, Term, View, print};

use super::Encoding;
use super::sink::Sink;

/// Something that is still to be written. Depths count down; from a negative one on there is no
/// limit.
enum Task<'a> {
    /// A nested list with the text of a term.
    Element(&'a Term, i64),
    /// The rest of a list, after its first element.
    Tail(&'a Term, i64),
    /// The rest of a tuple.
    Elements(&'a [Term], i64),
    /// The rest of a map; the depth of each key and value.
    Pairs(Box<dyn Iterator<Item = (&'a Term, &'a Term)> + 'a>, i64, i64),
    /// The rest of a record's fields.
    Fields(&'a [Atom], &'a [Term], i64),
    /// Between key and value.
    Arrow,
    Text(&'static str),
    Close,
}

/// Writes a term, at most `depth` deep if that is not negative.
pub fn write(term: &Term, depth: i64, encoding: Encoding, out: &mut impl Sink) {
    let mut tasks = Vec::new();
    content(term, depth, encoding, out, &mut tasks);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(text) => out.text(text),
            Task::Arrow => out.element(" => "),
            Task::Close => out.close(),
            Task::Element(term, depth) => {
                out.open();
                tasks.push(Task::Close);
                content(term, depth, encoding, out, &mut tasks);
            }
            Task::Tail(rest, depth) => match rest.view() {
                View::Nil => {}
                _ if depth == 1 => out.text("|..."),
                View::Cons(cell) => {
                    out.char(',');
                    tasks.push(Task::Tail(&cell.tail, depth - 1));
                    tasks.push(Task::Element(&cell.head, depth - 1));
                }
                _ => {
                    out.char('|');
                    tasks.push(Task::Element(rest, depth - 1));
                }
            },
            Task::Elements([], _) => {}
            Task::Elements(_, 1) => out.text(",..."),
            Task::Elements([first, rest @ ..], depth) => {
                out.char(',');
                tasks.push(Task::Elements(rest, depth - 1));
                tasks.push(Task::Element(first, depth - 1));
            }
            Task::Fields([], ..) => {}
            Task::Fields(_, _, 1) => out.text(",..."),
            Task::Fields(names, values, depth) => {
                out.char(',');
                field(names, values, depth, encoding, out, &mut tasks);
            }
            // Said even where nothing follows, as OTP does.
            Task::Pairs(_, 1, _) => out.text(",..."),
            Task::Pairs(mut rest, depth, inner) => {
                if let Some(pair) = rest.next() {
                    out.char(',');
                    tasks.push(Task::Pairs(rest, depth - 1, inner));
                    association(pair, inner, out, &mut tasks);
                }
            }
        }
    }
}

fn association<'a>(
    (key, value): (&'a Term, &'a Term),
    depth: i64,
    out: &mut impl Sink,
    tasks: &mut Vec<Task<'a>>,
) {
    out.open();
    tasks.extend([
        Task::Close,
        Task::Element(value, depth),
        Task::Arrow,
        Task::Element(key, depth),
    ]);
}

/// Writes the text of a term into the current list, or starts to.
fn content<'a>(
    term: &'a Term,
    depth: i64,
    encoding: Encoding,
    out: &mut impl Sink,
    tasks: &mut Vec<Task<'a>>,
) {
    match term.view() {
        _ if depth == 0 => out.text("..."),
        View::Cons(_) if depth == 1 => out.text("[...]"),
        View::Cons(cell) => {
            out.char('[');
            out.open();
            tasks.extend([
                Task::Text("]"),
                Task::Close,
                Task::Tail(&cell.tail, depth - 1),
                Task::Element(&cell.head, depth - 1),
            ]);
        }
        View::Tuple([_, ..]) if depth == 1 => out.text("{...}"),
        View::Tuple([first, rest @ ..]) => {
            out.char('{');
            out.open();
            tasks.extend([
                Task::Text("}"),
                Task::Close,
                Task::Elements(rest, depth - 1),
                Task::Element(first, depth - 1),
            ]);
        }
        View::Tuple([]) => out.text("{}"),
        View::Nil => out.text("[]"),
        View::Map(map) => map_content(map, depth, out, tasks),
        View::Boxed(Boxed::Record(record)) => {
            record_content(record, depth, encoding, out, tasks);
        }
        View::Bits(bits) => {
            Shown::new(bits, depth, -1).write(out);
        }
        _ => {
            let mut text = String::new();
            leaf(term, encoding, &mut text);
            out.text(&text);
        }
    }
}

fn map_content<'a>(map: &'a Map, depth: i64, out: &mut impl Sink, tasks: &mut Vec<Task<'a>>) {
    let mut pairs = map.iter();
    match pairs.next() {
        Some(first) if depth != 1 => {
            out.text("#{");
            out.open();
            let rest = Task::Pairs(Box::new(pairs), depth - 1, depth - 1);
            tasks.extend([Task::Text("}"), Task::Close, rest]);
            association(first, depth - 1, out, tasks);
        }
        _ => out.text("#{}"),
    }
}

/// A native record: its fields count as the elements of a tuple do.
fn record_content<'a>(
    record: &'a Record,
    depth: i64,
    encoding: Encoding,
    out: &mut impl Sink,
    tasks: &mut Vec<Task<'a>>,
) {
    let mut name = String::new();
    print::record_name(record.shape(), encoding == Encoding::Latin1, &mut name);
    out.text(&name);
    match record.values() {
        [] => out.text("{}"),
        _ if depth == 1 => out.text("{...}"),
        values => {
            out.char('{');
            out.open();
            tasks.extend([Task::Text("}"), Task::Close]);
            field(record.shape().fields(), values, depth - 1, encoding, out, tasks);
        }
    }
}

/// The first of these fields; the others come later.
fn field<'a>(
    names: &'a [Atom],
    values: &'a [Term],
    depth: i64,
    encoding: Encoding,
    out: &mut impl Sink,
    tasks: &mut Vec<Task<'a>>,
) {
    let ([name, names @ ..], [value, values @ ..]) = (names, values) else { return };
    out.element(&atom_text(name.as_str(), encoding));
    out.element(" = ");
    tasks.extend([Task::Fields(names, values, depth - 1), Task::Element(value, depth - 1)]);
}

/// Appends the text of a term that has no parts and is no bit string.
pub fn leaf(term: &Term, encoding: Encoding, out: &mut String) {
    match term.view() {
        View::Atom(atom) => out.push_str(&atom_text(atom.as_str(), encoding)),
        View::Float(value) => out.push_str(&super::float::shortest(value)),
        _ => print::leaf(term, encoding == Encoding::Latin1, out),
    }
}

pub fn atom_text(text: &str, encoding: Encoding) -> String {
    match encoding {
        Encoding::Latin1 => quote::atom_latin1(text),
        Encoding::Unicode => quote::atom(text),
    }
}

/// How much of a bit string is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<'a> {
    bits: &'a Bits,
    /// Whole bytes that are written as numbers.
    pub(super) bytes: usize,
    /// What follows them.
    pub(super) end: End,
    /// Length of all of it.
    pub(super) len: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Nothing,
    Dots,
    /// Less than a byte.
    Rest,
}

impl<'a> Shown<'a> {
    /// Within `depth` and about `limit` characters, each unlimited if negative.
    pub(super) fn new(bits: &'a Bits, depth: i64, limit: i64) -> Shown<'a> {
        const BRACKETS: usize = 4;
        let mut shown = Shown { bits, bytes: 0, end: End::Nothing, len: BRACKETS };
        let mut limit = reduced(limit, BRACKETS as i64);
        let (whole, rest) = (bits.bit_len() / 8, bits.bit_len() % 8);
        while shown.bytes < whole || rest > 0 {
            if depth.saturating_sub(shown.bytes as i64) == 1 && depth > 0 || limit == 0 {
                shown.end = End::Dots;
                shown.len += 3;
                return shown;
            }
            if shown.bytes == whole {
                shown.end = End::Rest;
                shown.len += digits(shown.rest_value()) + 2;
                return shown;
            }
            let last = shown.bytes + 1 == whole && rest == 0;
            let len = digits(bits.byte_at(shown.bytes));
            shown.bytes += 1;
            shown.len += len;
            if last {
                return shown;
            }
            shown.len += 1;
            limit = reduced(limit, len as i64 + 1);
        }
        shown
    }

    pub(super) fn byte(&self, index: usize) -> u8 {
        self.bits.byte_at(index)
    }

    fn rest_bits(&self) -> usize {
        self.bits.bit_len() % 8
    }

    fn rest_value(&self) -> u8 {
        self.bits.byte_at(self.bytes) >> (8 - self.rest_bits())
    }

    /// Writes what follows the bytes.
    pub(super) fn write_end(&self, out: &mut impl Sink) {
        match self.end {
            End::Nothing => {}
            End::Dots => out.element("..."),
            End::Rest => {
                out.element(&self.rest_value().to_string());
                out.char(':');
                out.element(&self.rest_bits().to_string());
            }
        }
    }

    pub(super) fn end_len(&self) -> usize {
        match self.end {
            End::Nothing => 0,
            End::Dots => 3,
            End::Rest => digits(self.rest_value()) + 2,
        }
    }

    /// Writes it on one line.
    pub(super) fn write(&self, out: &mut impl Sink) {
        out.text("<<");
        out.open();
        let mut number = String::new();
        for i in 0..self.bytes {
            number.clear();
            let _ = write!(number, "{}", self.byte(i));
            out.element(&number);
            if i + 1 < self.bytes || self.end != End::Nothing {
                out.char(',');
            }
        }
        self.write_end(out);
        out.close();
        out.text(">>");
    }
}

/// How many digits a byte has.
pub(super) fn digits(byte: u8) -> usize {
    match byte {
        0..=9 => 1,
        10..=99 => 2,
        _ => 3,
    }
}

/// What is left of a limit; it does not become negative, which would mean that there is none.
pub(super) fn reduced(limit: i64, by: i64) -> i64 {
    if limit < 0 { limit } else { (limit - by).max(0) }
}
