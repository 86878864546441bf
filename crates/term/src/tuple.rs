//! Tuples: a block of terms.
//!
//! Up to [`INLINE`] elements live in the counted block itself; larger tuples have their elements
//! in a second block. Nothing outside this file depends on that.

use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use crate::Term;

const INLINE: usize = 4;

#[derive(Clone, Debug, Default)]
pub struct Tuple(pub(crate) SmallVec<[Term; INLINE]>);

impl FromIterator<Term> for Tuple {
    fn from_iter<I: IntoIterator<Item = Term>>(elements: I) -> Tuple {
        Tuple(SmallVec::from_iter(elements))
    }
}

impl Deref for Tuple {
    type Target = [Term];
    fn deref(&self) -> &[Term] {
        &self.0
    }
}

impl DerefMut for Tuple {
    fn deref_mut(&mut self) -> &mut [Term] {
        &mut self.0
    }
}
