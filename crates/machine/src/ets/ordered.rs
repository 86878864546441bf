//! Objects of an `ordered_set`: a persistent tree by key, in the order of terms.
//!
//! Keys that compare equal (`1` and `1.0`) are the same key. Nothing here depends on whether the table
//! is fixed: `next` of a key that is not there is the first greater one.

use std::cmp::Ordering;
use std::ops::Bound;

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;
use term::{Term, order};

use super::key_of;

#[derive(Clone, Debug)]
struct Key(Term);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Key {}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        order::compare(&self.0, &other.0)
    }
}

/// A place among the keys to search for: at a key, or just beside it.
struct Search<'a> {
    key: &'a Term,
    /// How it compares with an equal key.
    side: Ordering,
}

impl equivalent::Equivalent<Key> for Search<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        equivalent::Comparable::compare(self, key).is_eq()
    }
}

impl equivalent::Comparable<Key> for Search<'_> {
    fn compare(&self, key: &Key) -> Ordering {
        order::compare(self.key, &key.0).then(self.side)
    }
}

fn at(key: &Term) -> Search<'_> {
    Search { key, side: Ordering::Equal }
}

fn after(key: &Term) -> Search<'_> {
    Search { key, side: Ordering::Greater }
}

fn before(key: &Term) -> Search<'_> {
    Search { key, side: Ordering::Less }
}

#[derive(Clone, Debug, Default)]
pub struct Ordered {
    tree: GenericOrdMap<Key, Term, RcK>,
}

impl Ordered {
    pub fn count(&self) -> usize {
        self.tree.len()
    }

    pub fn get(&self, key: &Term) -> Option<&Term> {
        self.tree.get(&at(key))
    }

    /// An object to be changed, but for its key.
    pub fn get_mut(&mut self, key: &Term) -> Option<&mut Term> {
        self.tree.get_mut(&at(key))
    }

    pub fn insert(&mut self, object: Term, keypos: usize) {
        let key = key_of(&object, keypos).clone();
        self.tree.insert(Key(key), object);
    }

    pub fn remove(&mut self, key: &Term) -> Option<Term> {
        self.tree.remove(&at(key))
    }

    pub fn clear(&mut self) {
        self.tree.clear();
    }

    pub fn first(&self) -> Option<&Term> {
        self.tree.get_min().map(|(key, _)| &key.0)
    }

    pub fn last(&self) -> Option<&Term> {
        self.tree.get_max().map(|(key, _)| &key.0)
    }

    pub fn next(&self, key: &Term) -> Option<&Term> {
        self.tree.get_next(&after(key)).map(|(key, _)| &key.0)
    }

    pub fn previous(&self, key: &Term) -> Option<&Term> {
        self.tree.get_prev(&before(key)).map(|(key, _)| &key.0)
    }

    /// Objects in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.tree.iter().map(|(_, object)| object)
    }

    /// Objects whose keys are greater than one, in the order of their keys.
    pub fn iter_after<'a>(&'a self, key: &'a Term) -> impl Iterator<Item = &'a Term> + 'a {
        let range = (Bound::Excluded(Key(key.clone())), Bound::Unbounded);
        self.tree.range(range).map(|(_, object)| object)
    }

    /// Objects whose keys are less than one, the greatest first.
    pub fn iter_before<'a>(&'a self, key: &'a Term) -> impl Iterator<Item = &'a Term> + 'a {
        let range = (Bound::Unbounded, Bound::Excluded(Key(key.clone())));
        self.tree.range(range).rev().map(|(_, object)| object)
    }
}
