//! Parts of the state that are mostly empty, or mostly the same in all copies of it.
//!
//! A state is copied often while schedules are explored, and most of its collections hold nothing.
//! A
//! [`Sparse`] collection that is empty is one word, and a copy of one that is not shares it until
//! either is changed.
//!
//! Cost: reading is one comparison more than without; the first change after a copy copies the
//! collection.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};

/// A collection that is shared between copies.
#[derive(Debug)]
pub struct Sparse<T>(Option<Rc<T>>);

impl<T> Clone for Sparse<T> {
    #[inline]
    fn clone(&self) -> Sparse<T> {
        Sparse(self.0.clone())
    }

    /// Costs a comparison where the two are shared already.
    #[inline]
    fn clone_from(&mut self, source: &Sparse<T>) {
        let is_same = match (&self.0, &source.0) {
            (Some(mine), Some(its)) => Rc::ptr_eq(mine, its),
            (mine, its) => mine.is_none() && its.is_none(),
        };
        if !is_same {
            self.0.clone_from(&source.0);
        }
    }
}

/// What has an empty value that need not be made.
pub trait Empty: Clone + Default + 'static {
    const EMPTY: &'static Self;

    fn holds_nothing(&self) -> bool;
}

impl<K: Clone + 'static, V: Clone + 'static> Empty for BTreeMap<K, V> {
    const EMPTY: &'static Self = &BTreeMap::new();

    #[inline]
    fn holds_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Clone + 'static> Empty for BTreeSet<T> {
    const EMPTY: &'static Self = &BTreeSet::new();

    #[inline]
    fn holds_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<K: Clone + 'static, V: Clone + 'static> Empty for FxHashMap<K, V> {
    const EMPTY: &'static Self = &FxHashMap::with_hasher(FxBuildHasher);

    #[inline]
    fn holds_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Clone + 'static> Empty for Vec<T> {
    const EMPTY: &'static Self = &Vec::new();

    #[inline]
    fn holds_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Clone + 'static> Empty for VecDeque<T> {
    const EMPTY: &'static Self = &VecDeque::new();

    #[inline]
    fn holds_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Empty> Sparse<T> {
    /// Whether nothing is in it: most often one comparison.
    #[inline]
    pub fn is_void(&self) -> bool {
        self.0.as_ref().is_none_or(|value| value.holds_nothing())
    }

    /// The collection to take something out of; `None` if nothing was ever put into it.
    pub(crate) fn present(&mut self) -> Option<&mut T> {
        self.0.as_mut().map(Rc::make_mut)
    }
}

impl<K: Ord + Clone + 'static, V: Clone + 'static> Sparse<BTreeMap<K, V>> {
    /// Takes something out. What is not there costs a look, not a copy.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        if !self.contains_key(key) {
            return None;
        }
        self.present()?.remove(key)
    }
}

impl<T: Ord + Clone + 'static> Sparse<BTreeSet<T>> {
    /// Takes something out. What is not there costs a look, not a copy.
    pub(crate) fn remove(&mut self, value: &T) -> bool {
        self.contains(value) && self.present().is_some_and(|set| set.remove(value))
    }
}

impl<T> Sparse<T> {
    /// Nothing in it.
    pub(crate) const NONE: Sparse<T> = Sparse(None);
}

impl<T> Default for Sparse<T> {
    fn default() -> Sparse<T> {
        Sparse(None)
    }
}

impl<T> From<T> for Sparse<T> {
    fn from(value: T) -> Sparse<T> {
        Sparse(Some(Rc::new(value)))
    }
}

impl<T: Empty> Deref for Sparse<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => T::EMPTY,
        }
    }
}

impl<T: Empty> DerefMut for Sparse<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T: Empty + IntoIterator> IntoIterator for Sparse<T> {
    type Item = T::Item;
    type IntoIter = T::IntoIter;

    fn into_iter(self) -> T::IntoIter {
        self.0.map(Rc::unwrap_or_clone).unwrap_or_default().into_iter()
    }
}

impl<'a, T: Empty> IntoIterator for &'a Sparse<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}
