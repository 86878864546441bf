//! Erlang values.
//!
//! A [`Term`] is one word: an immediate value or a counted pointer ([`word`]). Terms are immutable
//! and shared; they belong to one thread (the Machine's), so counting is plain addition. Copying a
//! term never copies data. [`Term::view`] says what a term is.
//!
//! Invariants:
//! * Nothing here recurses on the thread's stack over the depth of a term: comparing, hashing,
//!   printing and dropping a list of ten million elements or a tuple nested a million deep is
//!   ordinary work.
//! * An integer that fits 61 bits is small, never big: so equality of integers is equality of
//!   representation.
//! * A map of at most [`map::FLAT_LIMIT`] keys is flat, a larger one a tree.
//! * This crate knows nothing of processes: a pid is a number.

pub mod arith;
pub mod bits;
pub mod boxed;
pub mod etf;
pub mod format;
pub mod fun;
pub mod grapheme;
pub mod hash;
pub mod list;
pub mod map;
pub mod order;
pub mod print;
pub mod record;
pub mod shared;
pub mod table_hash;
pub mod tuple;
pub mod word;

use std::fmt;

pub use atom::Atom;
pub use num_bigint::BigInt;

pub use bits::Bits;
pub use boxed::Boxed;
pub use fun::Fun;
pub use list::Cons;
pub use map::Map;
pub use record::Record;
pub use shared::Shared;
pub use tuple::Tuple;
pub use word::{Term, View};

/// A process of this node.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pid(pub u64);

impl Pid {
    /// The process that is printed as `<0.NUMBER.SERIAL>`, if there can be one.
    pub fn from_numbers(number: u64, serial: u64) -> Option<Pid> {
        (number < 1 << 28 && serial < 1 << 13).then_some(Pid(serial << 28 | number))
    }
}

/// A port of this node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Port(pub u64);

impl Port {
    /// The port with this number, if there can be one.
    pub fn from_number(number: u64) -> Option<Port> {
        (number < 1 << 28).then_some(Port(number))
    }
}

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
    pub const OK: Term = Term::atom_const(atom::known::OK);
    pub const UNDEFINED: Term = Term::atom_const(atom::known::UNDEFINED);

    pub fn atom(text: &str) -> Term {
        Term::atom_const(Atom::new(text))
    }

    #[inline]
    pub fn bool(value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// An integer.
    #[inline]
    pub fn int(value: i64) -> Term {
        match Term::small(value) {
            Some(term) => term,
            None => Boxed::Big(BigInt::from(value)).into(),
        }
    }

    /// An integer of any size, in its one representation.
    pub fn big(value: BigInt) -> Term {
        match i64::try_from(&value).ok().and_then(Term::small) {
            Some(term) => term,
            None => Boxed::Big(value).into(),
        }
    }

    pub fn tuple(elements: impl IntoIterator<Item = Term>) -> Term {
        Tuple::from_iter(elements).into()
    }

    pub fn map(map: Map) -> Term {
        Shared::new(map).into()
    }

    pub fn bits(bits: Bits) -> Term {
        Shared::new(bits).into()
    }

    pub fn fun(fun: Fun) -> Term {
        Boxed::Fun(fun).into()
    }

    pub fn record(record: Record) -> Term {
        Boxed::Record(record).into()
    }

    /// A proper list.
    pub fn list<I>(elements: I) -> Term
    where
        I: IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
    {
        Term::improper(elements, Term::NIL)
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
        Term::list(text.chars().map(|c| Term::int(i64::from(u32::from(c)))).collect::<Vec<_>>())
    }

    pub fn binary(bytes: impl Into<Vec<u8>>) -> Term {
        Term::bits(Bits::from_bytes(bytes.into()))
    }

    pub fn is_true(&self) -> bool {
        self.same_word(&Term::TRUE)
    }

    pub fn as_bool(&self) -> Option<bool> {
        if self.same_word(&Term::TRUE) {
            Some(true)
        } else if self.same_word(&Term::FALSE) {
            Some(false)
        } else {
            None
        }
    }

    pub fn as_big(&self) -> Option<&BigInt> {
        match self.as_boxed() {
            Some(Boxed::Big(value)) => Some(value),
            _ => None,
        }
    }

    pub fn as_fun(&self) -> Option<&Fun> {
        match self.as_boxed() {
            Some(Boxed::Fun(fun)) => Some(fun),
            _ => None,
        }
    }

    pub fn as_record(&self) -> Option<&Record> {
        match self.as_boxed() {
            Some(Boxed::Record(record)) => Some(record),
            _ => None,
        }
    }

    /// The record, to be taken apart or changed: a copy if others hold it.
    pub fn into_record(self) -> Result<Record, Term> {
        if self.as_record().is_none() {
            return Err(self);
        }
        match self.into_boxed() {
            Ok(Boxed::Record(record)) => Ok(record),
            Ok(other) => Err(other.into()),
            Err(other) => Err(other),
        }
    }

    #[inline]
    pub fn as_pid(&self) -> Option<Pid> {
        match self.view() {
            View::Pid(pid) => Some(pid),
            _ => None,
        }
    }

    #[inline]
    pub fn as_ref(&self) -> Option<Ref> {
        match self.view() {
            View::Ref(reference) => Some(reference),
            _ => None,
        }
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.view(), View::Int(_) | View::Boxed(Boxed::Big(_)))
    }

    pub fn is_number(&self) -> bool {
        self.is_integer() || self.as_float().is_some()
    }

    /// `[]` or a cons cell (`is_list/1` does not look at the tail).
    pub fn is_list(&self) -> bool {
        matches!(self.view(), View::Nil | View::Cons(_))
    }

    /// A bit string whose length is a multiple of eight.
    pub fn is_binary(&self) -> bool {
        self.as_bits().is_some_and(Bits::is_binary)
    }

    pub fn is_pid(&self) -> bool {
        matches!(self.view(), View::Pid(_)) || self.foreign_kind() == Some(ForeignKind::Pid)
    }

    pub fn is_ref(&self) -> bool {
        matches!(self.view(), View::Ref(_)) || self.foreign_kind() == Some(ForeignKind::Ref)
    }

    pub fn is_port(&self) -> bool {
        matches!(self.view(), View::Port(_)) || self.foreign_kind() == Some(ForeignKind::Port)
    }

    pub(crate) fn foreign_kind(&self) -> Option<ForeignKind> {
        match self.as_boxed() {
            Some(Boxed::Foreign(foreign)) => Some(foreign.kind),
            _ => None,
        }
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::int(value)
    }
}

impl From<u64> for Term {
    fn from(value: u64) -> Term {
        i64::try_from(value).map_or_else(|_| Term::big(BigInt::from(value)), Term::int)
    }
}

impl From<usize> for Term {
    fn from(value: usize) -> Term {
        Term::from(value as u64)
    }
}

impl From<u32> for Term {
    fn from(value: u32) -> Term {
        Term::int(i64::from(value))
    }
}

impl From<f64> for Term {
    fn from(value: f64) -> Term {
        Term::float(value)
    }
}

impl From<Atom> for Term {
    fn from(atom: Atom) -> Term {
        Term::atom_const(atom)
    }
}

impl From<bool> for Term {
    fn from(value: bool) -> Term {
        Term::bool(value)
    }
}

impl From<Pid> for Term {
    fn from(pid: Pid) -> Term {
        Term::pid(pid)
    }
}

impl From<Ref> for Term {
    fn from(reference: Ref) -> Term {
        Term::reference(reference)
    }
}

impl fmt::Debug for Term {
    /// For looking at values while developing; nested data is cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            View::Cons(_) => f.debug_list().entries(self.elements().take(20)).finish(),
            View::Boxed(Boxed::Fun(fun)) => write!(f, "fun/{}", fun.arity()),
            view => write!(f, "{view:?}"),
        }
    }
}
