//! Numbers that know which table they are positions in.
//!
//! An analysis is tables that refer to each other: bodies, calls, sets of values, modules. With
//! bare integers a position in one table can be used for another, and a value that means "none" is
//! one more integer. [`ids!`](crate::ids!) makes a type for the positions in one table, [`IdVec`]
//! is the table, which takes no other. `Option<Id>` is as large as the id (the number 0 is not
//! used), so "none" costs nothing either.
//!
//! Why not a library: arenas of other crates number by the type of what they hold, and two tables
//! here may hold the same type; none has the niche and a public order.

use std::fmt;
use std::iter::Enumerate;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::slice;

/// A position in a table.
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    fn new(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Makes types of ids.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $vis:vis $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $name(std::num::NonZeroU32);

        #[allow(dead_code, reason = "not every id needs all")]
        impl $name {
            /// The id of a position, which is below 2^32 - 1.
            #[inline]
            $vis const fn new(index: usize) -> $name {
                debug_assert!(index < u32::MAX as usize);
                match std::num::NonZeroU32::new((index as u32).wrapping_add(1)) {
                    Some(number) => $name(number),
                    None => panic!("more than 2^32 - 1 entries in a table"),
                }
            }

            #[inline]
            $vis const fn index(self) -> usize {
                (self.0.get() - 1) as usize
            }

            /// The position as output shows it.
            #[inline]
            $vis const fn number(self) -> u32 {
                self.0.get() - 1
            }
        }

        impl $crate::Id for $name {
            #[inline]
            fn new(index: usize) -> $name {
                $name::new(index)
            }

            #[inline]
            fn index(self) -> usize {
                $name::index(self)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.number())
            }
        }
    )*};
}

/// The first so many ids, in order: those of a table that has as many entries.
pub fn first<I: Id>(
    count: usize,
) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone {
    (0..count).map(I::new)
}

/// A vector whose positions are ids of one type.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    positions: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    pub fn new() -> IdVec<I, T> {
        IdVec::from(Vec::new())
    }

    /// The same for so many ids.
    pub fn filled(value: T, len: usize) -> IdVec<I, T>
    where
        T: Clone,
    {
        IdVec::from(vec![value; len])
    }

    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// The id of what is pushed next.
    #[inline]
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Takes everything out and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// The same for so many ids, instead of what was there, in the same memory.
    pub fn refill(&mut self, value: T, len: usize)
    where
        T: Clone,
    {
        self.items.clear();
        self.items.resize(len, value);
    }

    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        first(self.items.len())
    }

    /// All entries with their ids.
    pub fn enumerate(&self) -> Entries<'_, I, T> {
        Entries { items: self.items.iter().enumerate(), positions: PhantomData }
    }

    /// The first entry that fits.
    pub fn position(&self, fits: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(fits).map(I::new)
    }

    /// Puts the entries in another order, or takes some out. Ids that were given out before mean
    /// nothing any more.
    pub fn arrange(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        change(&mut self.items);
    }

    /// The entries without their ids.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

/// The entries of a table with their ids.
#[derive(Clone, Debug)]
pub struct Entries<'a, I, T> {
    items: Enumerate<slice::Iter<'a, T>>,
    positions: PhantomData<fn(I) -> I>,
}

impl<'a, I: Id, T> Iterator for Entries<'a, I, T> {
    type Item = (I, &'a T);

    #[inline]
    fn next(&mut self) -> Option<(I, &'a T)> {
        self.items.next().map(|(index, item)| (I::new(index), item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I, T: Clone> Clone for IdVec<I, T> {
    fn clone(&self) -> IdVec<I, T> {
        IdVec::from(self.items.clone())
    }

    /// Into the memory that is there.
    fn clone_from(&mut self, other: &IdVec<I, T>) {
        self.items.clone_from(&other.items);
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> IdVec<I, T> {
        IdVec::new()
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> IdVec<I, T> {
        IdVec { items, positions: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> IdVec<I, T> {
        IdVec::from(Vec::from_iter(items))
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> slice::Iter<'a, T> {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = slice::IterMut<'a, T>;

    fn into_iter(self) -> slice::IterMut<'a, T> {
        self.items.iter_mut()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::IdVec;

    crate::ids! {
        /// A position in a list of names.
        Position;
    }

    #[test]
    fn none_takes_no_room() {
        assert_eq!(size_of::<Option<Position>>(), size_of::<u32>());
    }

    #[test]
    fn entries_are_found_by_their_ids() {
        let mut names: IdVec<Position, &str> = IdVec::new();
        let (a, b) = (names.push("a"), names.push("b"));
        assert_eq!((names[a], names[b]), ("a", "b"));
        assert_eq!(names.position(|&name| name == "b"), Some(b));
        assert_eq!(names.ids().collect::<Vec<_>>(), [a, b]);
        assert_eq!(names.get(names.next_id()), None);
        assert_eq!(format!("{a:?} {names:?}"), r#"Position(0) ["a", "b"]"#);
    }
}
