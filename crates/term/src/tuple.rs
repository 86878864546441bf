//! Tuples: a counted block of terms.

use std::ops::Deref;

use crate::Term;
use crate::shared::SharedSlice;

#[derive(Clone, Debug, Default)]
pub struct Tuple(pub(crate) SharedSlice<Term>);

impl Tuple {
    /// Takes the elements out of a slice, leaving `[]` there.
    #[inline]
    pub fn take_from(elements: &mut [Term]) -> Tuple {
        Tuple(SharedSlice::take_from(elements))
    }

    /// The elements, to be changed: in place if nobody else holds the tuple, else on a copy.
    #[inline]
    pub fn make_mut(&mut self) -> &mut [Term] {
        SharedSlice::make_mut(&mut self.0)
    }

    /// The elements, to be changed in place, if nobody else holds the tuple.
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut [Term]> {
        SharedSlice::get_mut(&mut self.0)
    }
}

impl FromIterator<Term> for Tuple {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Term>>(elements: I) -> Tuple {
        Tuple(SharedSlice::from_iter(elements))
    }
}

impl Deref for Tuple {
    type Target = [Term];
    #[inline]
    fn deref(&self) -> &[Term] {
        &self.0
    }
}
