//! Values that all processes share besides tables: persistent terms, atomics, counters.
//!
//! Persistent: copying them copies nothing, a change copies a path. Arrays stay to the end of the
//! run, because nobody knows who still has the reference.

use imbl::shared_ptr::RcK;
use imbl::{GenericOrdMap, GenericVector};
use num_bigint::BigInt;
use term::map::Key;
use term::{Ref, Term, arith};

/// What an array of numbers was made as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrayKind {
    Signed,
    Unsigned,
    /// Counters for many writers: not to be used as atomics.
    Counters,
}

/// An array of 64-bit numbers that wrap around.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) kind: ArrayKind,
    values: GenericVector<i64, RcK>,
}

impl Array {
    pub(crate) fn new(kind: ArrayKind, size: usize) -> Array {
        Array { kind, values: std::iter::repeat_n(0, size).collect() }
    }

    pub(crate) fn size(&self) -> usize {
        self.values.len()
    }

    /// The number at a place, counted from 1.
    pub(crate) fn at(&mut self, index: &Term) -> Option<&mut i64> {
        let place = usize::try_from(index.as_int()?).ok()?.checked_sub(1)?;
        self.values.get_mut(place)
    }

    pub(crate) fn contains(&self, index: &Term) -> bool {
        let place = index.as_int().and_then(|at| usize::try_from(at).ok()?.checked_sub(1));
        place.is_some_and(|place| place < self.values.len())
    }

    pub(crate) fn show(&self, value: i64) -> Term {
        match self.kind {
            ArrayKind::Unsigned => Term::from(value as u64),
            ArrayKind::Signed | ArrayKind::Counters => Term::int(value),
        }
    }

    /// A value that can be stored.
    pub(crate) fn value(&self, term: &Term) -> Option<i64> {
        let number = arith::to_bigint(term)?;
        match self.kind {
            ArrayKind::Unsigned => u64::try_from(number).ok().map(|value| value as i64),
            ArrayKind::Signed | ArrayKind::Counters => i64::try_from(number).ok(),
        }
    }
}

/// What can be added: a signed or an unsigned number of 64 bits.
pub(crate) fn increment(term: &Term) -> Option<i64> {
    let number: BigInt = arith::to_bigint(term)?;
    i64::try_from(&number).ok().or_else(|| u64::try_from(&number).ok().map(|value| value as i64))
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SharedValues {
    /// `persistent_term`
    pub(crate) terms: GenericOrdMap<Key, Term, RcK>,
    /// Persistent terms that were erased or replaced since somebody began to run. They count as
    /// persistent until then: the BEAM gives copies to the processes that still have them when
    /// these are scheduled again. Only `erts_debug:size_shared/1` can tell.
    pub(crate) fading: Vec<Term>,
    pub(crate) arrays: GenericOrdMap<Ref, Array, RcK>,
}
