//! Tuples: a counted block of terms.
//!
//! Up to [`INLINE`] elements live in the counted block itself; larger tuples have their elements
//! in a second block. Nothing outside this file depends on that.

use std::ops::Deref;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::Term;

const INLINE: usize = 4;

#[derive(Clone, Debug)]
pub struct Tuple(pub(crate) Rc<Cells>);

#[derive(Clone, Debug, Default)]
pub(crate) struct Cells(pub(crate) SmallVec<[Term; INLINE]>);

impl Tuple {
    /// The elements, to be changed in place, if nobody else holds this tuple.
    pub fn get_mut(&mut self) -> Option<&mut [Term]> {
        Rc::get_mut(&mut self.0).map(|cells| cells.0.as_mut_slice())
    }

    /// The elements, to be changed in place; copied first if somebody else holds this tuple.
    pub fn make_mut(&mut self) -> &mut SmallVec<[Term; 4]> {
        &mut Rc::make_mut(&mut self.0).0
    }

    pub fn ptr_eq(&self, other: &Tuple) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl FromIterator<Term> for Tuple {
    fn from_iter<I: IntoIterator<Item = Term>>(elements: I) -> Tuple {
        Tuple(Rc::new(Cells(SmallVec::from_iter(elements))))
    }
}

impl Deref for Tuple {
    type Target = [Term];
    fn deref(&self) -> &[Term] {
        &self.0.0
    }
}
