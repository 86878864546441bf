//! Erlang values.
//!
//! A [`Term`] is two words: what it is, and an immediate value or a counted pointer. Terms are
//! immutable and shared; they belong to one thread (the Machine's), so counting is plain addition.
//! Copying a term never copies data.
//!
//! Invariants:
//! * Nothing here recurses on the thread's stack over the depth of a term: comparing, hashing,
//!   printing and dropping a list of ten million elements or a tuple nested a million deep is
//!   ordinary work.
//! * An integer that fits `i64` is `Term::Int`, never `Term::Big`: so equality of integers is
//!   equality of representation.
//! * A map of at most [`map::FLAT_LIMIT`] keys is flat, a larger one a tree.
//! * This crate knows nothing of processes: a pid is a number.

pub mod arith;
pub mod bits;
mod drop;
pub mod fun;
pub mod list;
pub mod map;
pub mod order;
pub mod tuple;

use std::rc::Rc;

pub use atom::Atom;
pub use num_bigint::BigInt;

pub use bits::Bits;
pub use fun::Fun;
pub use list::Cons;
pub use map::Map;
pub use tuple::Tuple;

/// An Erlang value.
///
/// `PartialEq` is deliberately absent: Erlang has two equalities, [`order::exact_eq`] (`=:=`) and
/// [`order::loose_eq`] (`==`).
#[derive(Clone, Default, Debug)]
pub enum Term {
    #[default]
    Nil,
    Int(i64),
    Atom(Atom),
    Float(f64),
    Pid(Pid),
    Port(Port),
    Ref(Ref),
    Cons(Rc<Cons>),
    Tuple(Tuple),
    Map(Map),
    Bits(Bits),
    Big(Rc<BigInt>),
    Fun(Rc<Fun>),
    /// A pid, port or reference of another node, as read from the external term format.
    Foreign(Rc<Foreign>),
}

/// A process of this node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pid(pub u64);

/// A port of this node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Port(pub u64);

/// A reference made on this node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ref(pub u64);

/// An identifier that another node made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Foreign {
    pub kind: ForeignKind,
    pub node: Atom,
    pub creation: u32,
    /// The numbers of the identifier, most significant last as in the external format.
    pub numbers: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ForeignKind {
    Ref,
    Port,
    Pid,
}

impl Term {
    pub const TRUE: Term = Term::Atom(atom::known::TRUE);
    pub const FALSE: Term = Term::Atom(atom::known::FALSE);
    pub const OK: Term = Term::Atom(atom::known::OK);
    pub const UNDEFINED: Term = Term::Atom(atom::known::UNDEFINED);

    pub fn atom(text: &str) -> Term {
        Term::Atom(Atom::new(text))
    }

    pub fn bool(value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    pub fn cons(head: Term, tail: Term) -> Term {
        Term::Cons(Rc::new(Cons { head, tail }))
    }

    pub fn tuple(elements: impl IntoIterator<Item = Term>) -> Term {
        Term::Tuple(Tuple::from_iter(elements))
    }

    /// A proper list.
    pub fn list<I>(elements: I) -> Term
    where
        I: IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
    {
        Term::improper(elements, Term::Nil)
    }

    /// A list that ends in `tail`.
    pub fn improper<I>(elements: I, tail: Term) -> Term
    where
        I: IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
    {
        elements.into_iter().rev().fold(tail, |tail, head| Term::cons(head, tail))
    }

    /// The list of code points of a text.
    pub fn string(text: &str) -> Term {
        Term::list(text.chars().map(|c| Term::Int(i64::from(u32::from(c)))).collect::<Vec<_>>())
    }

    pub fn binary(bytes: impl Into<Vec<u8>>) -> Term {
        Term::Bits(Bits::from_bytes(bytes.into()))
    }

    /// An integer of any size, in its one representation.
    pub fn big(value: BigInt) -> Term {
        match i64::try_from(&value) {
            Ok(small) => Term::Int(small),
            Err(_) => Term::Big(Rc::new(value)),
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Term::Atom(atom) if *atom == atom::known::TRUE)
    }

    pub fn is_atom(&self, atom: Atom) -> bool {
        matches!(self, Term::Atom(a) if *a == atom)
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Term::Atom(a) if *a == atom::known::TRUE => Some(true),
            Term::Atom(a) if *a == atom::known::FALSE => Some(false),
            _ => None,
        }
    }

    pub fn as_atom(&self) -> Option<Atom> {
        match self {
            Term::Atom(atom) => Some(*atom),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Term::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_tuple(&self) -> Option<&[Term]> {
        match self {
            Term::Tuple(tuple) => Some(tuple),
            _ => None,
        }
    }

    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Term::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Term::Map(map) => Some(map),
            _ => None,
        }
    }

    pub fn is_integer(&self) -> bool {
        matches!(self, Term::Int(_) | Term::Big(_))
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Term::Int(_) | Term::Big(_) | Term::Float(_))
    }

    /// `[]` or a cons cell (`is_list/1` does not look at the tail).
    pub fn is_list(&self) -> bool {
        matches!(self, Term::Nil | Term::Cons(_))
    }

    /// A bit string whose length is a multiple of eight.
    pub fn is_binary(&self) -> bool {
        matches!(self, Term::Bits(bits) if bits.is_binary())
    }

    pub fn is_pid(&self) -> bool {
        matches!(self, Term::Pid(_)) || self.foreign_kind() == Some(ForeignKind::Pid)
    }

    pub fn is_ref(&self) -> bool {
        matches!(self, Term::Ref(_)) || self.foreign_kind() == Some(ForeignKind::Ref)
    }

    pub fn is_port(&self) -> bool {
        matches!(self, Term::Port(_)) || self.foreign_kind() == Some(ForeignKind::Port)
    }

    pub(crate) fn foreign_kind(&self) -> Option<ForeignKind> {
        match self {
            Term::Foreign(foreign) => Some(foreign.kind),
            _ => None,
        }
    }

    /// Whether the term is one word of data without pointers.
    pub fn is_immediate(&self) -> bool {
        matches!(
            self,
            Term::Nil
                | Term::Int(_)
                | Term::Atom(_)
                | Term::Float(_)
                | Term::Pid(_)
                | Term::Port(_)
                | Term::Ref(_)
        )
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::Int(value)
    }
}

impl From<usize> for Term {
    fn from(value: usize) -> Term {
        i64::try_from(value).map_or_else(|_| Term::big(BigInt::from(value)), Term::Int)
    }
}

impl From<u64> for Term {
    fn from(value: u64) -> Term {
        i64::try_from(value).map_or_else(|_| Term::big(BigInt::from(value)), Term::Int)
    }
}

impl From<Atom> for Term {
    fn from(atom: Atom) -> Term {
        Term::Atom(atom)
    }
}

impl From<bool> for Term {
    fn from(value: bool) -> Term {
        Term::bool(value)
    }
}
