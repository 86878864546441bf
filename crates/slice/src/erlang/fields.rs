//! The parts of Erlang's data structures, as labels of edges.
//!
//! | structure | shape | names |
//! | --- | --- | --- |
//! | list | one | head and tail |
//! | map | one | literal keys; any other key is unknown |
//! | fun | one | what calling it gives |
//! | binary | one | what it begins with, by type and size; what is behind some bits; its length |
//! | tuple, record | one for each size | positions from 0, the name of a record at 0 |

use atom::Atom;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId};
use syntax::token::Literal;

use dependence::{Field, Name, Shape};

const LIST: Option<Shape> = Some(Shape::new(0));
const MAP: Option<Shape> = Some(Shape::new(1));
const FUN: Option<Shape> = Some(Shape::new(2));
const BINARY: Option<Shape> = Some(Shape::new(3));
/// That of tuples without elements; those of others follow.
const TUPLES: usize = 8;
/// A shape or a name that is not known.
const ANY_SHAPE: Option<Shape> = None;
const ANY_NAME: Option<Name> = None;

/// Names that are no positions of tuples begin here, so that a position in a tuple of unknown size
/// is no field of anything else.
const OTHERS: usize = 1 << 30;

/// A name that is no position of a tuple.
const fn other(number: usize) -> Option<Name> {
    Some(Name::new(OTHERS + number))
}

pub(crate) const HEAD: Field = Field { shape: LIST, name: other(0) };
pub(crate) const TAIL: Field = Field { shape: LIST, name: other(1) };
pub(crate) const ANY_KEY: Field = Field { shape: MAP, name: ANY_NAME };
/// What a fun gives. Nothing opens it: whoever asks for all of a fun asks for it.
pub(crate) const BODY: Field = Field { shape: FUN, name: other(0) };

/// How long a binary is.
pub(crate) const SIZE: Field = Field { shape: BINARY, name: other(0) };
/// A part of a binary that nobody takes out alone.
pub(crate) const PIECE: Field = Field { shape: BINARY, name: other(1) };
/// Any part of a binary.
pub(crate) const ANY_PART: Field = Field { shape: BINARY, name: ANY_NAME };
/// Segments with more bits are not told from others.
const MOST_BITS: u64 = 1 << 20;

/// What a segment of a binary is read as. Byte order and sign make no difference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Reading {
    Integer,
    Float,
    Bits,
}

/// A part of a binary that begins at its beginning, or goes to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Stretch {
    First(Reading, u32),
    /// What is behind so many bits.
    Behind(u32),
}

impl Stretch {
    pub(crate) fn field(self) -> Field {
        let (kind, bits) = match self {
            Stretch::First(Reading::Integer, bits) => (0, bits),
            Stretch::First(Reading::Float, bits) => (1, bits),
            Stretch::First(Reading::Bits, bits) => (2, bits),
            Stretch::Behind(bits) => (3, bits),
        };
        Field { shape: BINARY, name: other(4 + bits as usize * 4 + kind) }
    }
}

/// So many bits, if segments of that size are told from others.
pub(crate) fn known_bits(bits: u64) -> Option<u32> {
    u32::try_from(bits).ok().filter(|_| bits <= MOST_BITS)
}

/// Any field of anything.
pub(crate) const ANY_FIELD: Field = Field { shape: ANY_SHAPE, name: ANY_NAME };

fn tuple(arity: u32) -> Option<Shape> {
    Some(Shape::new(TUPLES + arity as usize))
}

pub(crate) fn element(arity: u32, position: u32) -> Field {
    Field { shape: tuple(arity), name: Some(Name::new(position as usize)) }
}

/// An element of a tuple of unknown size.
pub(crate) fn element_of_any(position: u32) -> Field {
    Field { shape: ANY_SHAPE, name: Some(Name::new(position as usize)) }
}

pub(crate) fn any_element(arity: u32) -> Field {
    Field { shape: tuple(arity), name: ANY_NAME }
}

/// Numbers for keys.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    numbers: FxHashMap<String, usize>,
}

impl Keys {
    /// The field of a map for a key.
    pub(crate) fn field(&mut self, tree: &Module, key: NodeId) -> Field {
        let Some(text) = literal_key(tree, key) else { return ANY_KEY };
        let next = self.numbers.len();
        Field { shape: MAP, name: other(*self.numbers.entry(text).or_insert(next)) }
    }
}

/// Equal for equal literals only; `None` for what is no simple literal.
pub(crate) fn literal_key(tree: &Module, node: NodeId) -> Option<String> {
    match tree.kind(node) {
        Kind::Atom(name) => Some(format!("a{name}")),
        Kind::Char(value) => Some(format!("i{value}")),
        Kind::Nil => Some("n".to_string()),
        Kind::Integer(id) | Kind::Float(id) | Kind::String(id) => match tree.literal(id) {
            Literal::Integer(value) => Some(format!("i{value}")),
            Literal::Float(value) => Some(format!("f{:x}", value.to_bits())),
            Literal::String(text) if text.is_empty() => Some("n".to_string()),
            Literal::String(text) => Some(format!("s{text}")),
        },
        _ => None,
    }
}

/// Whether two simple literals are the same, as their keys say; `None` if one of them is none.
pub(crate) fn same_literal(
    (here, left): (&Module, NodeId),
    (there, right): (&Module, NodeId),
) -> Option<bool> {
    Some(simple(here, left)? == simple(there, right)?)
}

/// Whether it is a simple literal, and not a text with something in it.
pub(crate) fn is_simple(tree: &Module, node: NodeId) -> bool {
    !matches!(simple(tree, node), None | Some(Simple::Text(_)))
}

#[derive(PartialEq)]
enum Simple<'t> {
    Atom(Atom),
    Integer(i64),
    Large(String),
    Float(u64),
    Text(&'t str),
    Nil,
}

fn simple(tree: &Module, node: NodeId) -> Option<Simple<'_>> {
    Some(match tree.kind(node) {
        Kind::Atom(name) => Simple::Atom(name),
        Kind::Char(value) => Simple::Integer(i64::from(value)),
        Kind::Nil => Simple::Nil,
        Kind::Integer(id) | Kind::Float(id) | Kind::String(id) => match tree.literal(id) {
            Literal::Integer(value) => match i64::try_from(value) {
                Ok(value) => Simple::Integer(value),
                Err(_) => Simple::Large(value.to_string()),
            },
            Literal::Float(value) => Simple::Float(value.to_bits()),
            Literal::String(text) if text.is_empty() => Simple::Nil,
            Literal::String(text) => Simple::Text(text),
        },
        _ => return None,
    })
}
