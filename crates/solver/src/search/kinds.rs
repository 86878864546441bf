//! Sets of kinds of values: what a value may still be.

use std::fmt;

use term::{Boxed, ForeignKind, Term, View};

use crate::expr::Test;

/// A set of kinds, as bits in Erlang's order of types (integers and floats share one place in it).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Kinds(pub(crate) u16);

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:013b}", self.0)
    }
}

impl Kinds {
    pub(crate) const NONE: Kinds = Kinds(0);
    pub(crate) const INT: Kinds = Kinds(1);
    pub(crate) const FLOAT: Kinds = Kinds(1 << 1);
    pub(crate) const ATOM: Kinds = Kinds(1 << 2);
    pub(crate) const REF: Kinds = Kinds(1 << 3);
    pub(crate) const FUN: Kinds = Kinds(1 << 4);
    pub(crate) const PORT: Kinds = Kinds(1 << 5);
    pub(crate) const PID: Kinds = Kinds(1 << 6);
    pub(crate) const TUPLE: Kinds = Kinds(1 << 7);
    pub(crate) const RECORD: Kinds = Kinds(1 << 8);
    pub(crate) const MAP: Kinds = Kinds(1 << 9);
    pub(crate) const NIL: Kinds = Kinds(1 << 10);
    pub(crate) const CONS: Kinds = Kinds(1 << 11);
    pub(crate) const BITS: Kinds = Kinds(1 << 12);
    pub(crate) const ALL: Kinds = Kinds((1 << 13) - 1);
    pub(crate) const NUMBER: Kinds = Kinds(3);
    pub(crate) const LIST: Kinds = Kinds(3 << 10);

    /// The kinds in the order in which a model prefers them.
    pub(crate) const PREFERRED: [Kinds; 13] = [
        Kinds::INT,
        Kinds::ATOM,
        Kinds::NIL,
        Kinds::CONS,
        Kinds::TUPLE,
        Kinds::BITS,
        Kinds::MAP,
        Kinds::FLOAT,
        Kinds::FUN,
        Kinds::PID,
        Kinds::REF,
        Kinds::PORT,
        Kinds::RECORD,
    ];

    pub(crate) fn of(term: &Term) -> Kinds {
        match term.view() {
            View::Int(_) | View::Boxed(Boxed::Big(_)) => Kinds::INT,
            View::Float(_) => Kinds::FLOAT,
            View::Atom(_) => Kinds::ATOM,
            View::Ref(_) => Kinds::REF,
            View::Boxed(Boxed::Fun(_)) => Kinds::FUN,
            View::Port(_) => Kinds::PORT,
            View::Pid(_) => Kinds::PID,
            View::Tuple(_) => Kinds::TUPLE,
            View::Boxed(Boxed::Record(_)) => Kinds::RECORD,
            View::Map(_) => Kinds::MAP,
            View::Nil => Kinds::NIL,
            View::Cons(_) => Kinds::CONS,
            View::Bits(_) => Kinds::BITS,
            View::Boxed(Boxed::Foreign(foreign)) => match foreign.kind {
                ForeignKind::Ref => Kinds::REF,
                ForeignKind::Port => Kinds::PORT,
                ForeignKind::Pid => Kinds::PID,
            },
        }
    }

    /// The kinds of values that can pass a test.
    pub(crate) fn passing(test: Test) -> Kinds {
        match test {
            Test::Defined | Test::In(_) => Kinds::ALL,
            Test::Integer => Kinds::INT,
            Test::Float => Kinds::FLOAT,
            Test::Number => Kinds::NUMBER,
            Test::Atom | Test::Boolean => Kinds::ATOM,
            Test::Tuple | Test::TupleOf(_) => Kinds::TUPLE,
            Test::Cons => Kinds::CONS,
            Test::Nil => Kinds::NIL,
            Test::List | Test::ProperList => Kinds::LIST,
            Test::Map => Kinds::MAP,
            Test::Binary | Test::Bitstring => Kinds::BITS,
            Test::Function | Test::FunctionOf(_) => Kinds::FUN,
            Test::Pid => Kinds::PID,
            Test::Reference => Kinds::REF,
            Test::Port => Kinds::PORT,
            Test::Record => Kinds::RECORD,
        }
    }

    pub(crate) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(crate) fn not(self) -> Kinds {
        Kinds(!self.0 & Kinds::ALL.0)
    }

    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether all of these are among `other`.
    pub(crate) fn within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }

    pub(crate) fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest and the highest place of these in the order of types.
    pub(crate) fn ranks(self) -> (u32, u32) {
        let rank = |bit: u32| bit.saturating_sub(1);
        (rank(self.0.trailing_zeros()), rank(15 - (self.0 | 1).leading_zeros().min(15)))
    }

    /// The kinds at places from `low` to `high`.
    pub(crate) fn between(low: u32, high: u32) -> Kinds {
        let mut kinds = Kinds::NONE;
        for bit in 0..13u32 {
            if (low..=high).contains(&bit.saturating_sub(1)) {
                kinds = kinds.or(Kinds(1 << bit));
            }
        }
        kinds
    }
}
