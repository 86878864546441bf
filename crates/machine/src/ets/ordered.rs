//! Objects of an `ordered_set`: a persistent tree by key, in the order of terms.
//!
//! Keys that compare equal (`1` and `1.0`) are the same key. Nothing here depends on whether the
//! table is fixed: `next` of a key that is not there is the first greater one.

use std::cmp::Ordering;
use std::ops::Bound;

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;
use term::{Term, order};

use super::key_of;
use super::match_spec::partly_bound;

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

/// The beginning or the end of the keys that a pattern may match.
struct Edge<'a> {
    pattern: &'a Term,
    /// How it compares with these keys.
    side: Ordering,
}

impl equivalent::Equivalent<Key> for Edge<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        equivalent::Comparable::compare(self, key).is_eq()
    }
}

impl equivalent::Comparable<Key> for Edge<'_> {
    fn compare(&self, key: &Key) -> Ordering {
        partly_bound::compare(self.pattern, &key.0).then(self.side)
    }
}

/// The first and the last of keys that are neighbours.
pub(crate) type Extent = (Term, Term);

#[derive(Clone, Debug, Default)]
pub(crate) struct Ordered {
    tree: GenericOrdMap<Key, Term, RcK>,
}

impl Ordered {
    pub(crate) fn count(&self) -> usize {
        self.tree.len()
    }

    pub(crate) fn get(&self, key: &Term) -> Option<&Term> {
        self.tree.get(&at(key))
    }

    /// An object to be changed, but for its key.
    pub(crate) fn get_mut(&mut self, key: &Term) -> Option<&mut Term> {
        self.tree.get_mut(&at(key))
    }

    pub(crate) fn insert(&mut self, object: Term, keypos: usize) {
        let key = key_of(&object, keypos).clone();
        self.tree.insert(Key(key), object);
    }

    pub(crate) fn remove(&mut self, key: &Term) -> Option<Term> {
        self.tree.remove(&at(key))
    }

    pub(crate) fn clear(&mut self) {
        self.tree.clear();
    }

    pub(crate) fn first(&self) -> Option<&Term> {
        self.tree.get_min().map(|(key, _)| &key.0)
    }

    pub(crate) fn last(&self) -> Option<&Term> {
        self.tree.get_max().map(|(key, _)| &key.0)
    }

    pub(crate) fn next(&self, key: &Term) -> Option<&Term> {
        self.tree.get_next(&after(key)).map(|(key, _)| &key.0)
    }

    pub(crate) fn previous(&self, key: &Term) -> Option<&Term> {
        self.tree.get_prev(&before(key)).map(|(key, _)| &key.0)
    }

    /// Objects in the order of their keys.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.tree.iter().map(|(_, object)| object)
    }

    /// Where the keys are that match one of these patterns or more: parts of the table that do not
    /// overlap, in order.
    pub(crate) fn extents(&self, patterns: &[Term]) -> Vec<Extent> {
        let mut found: Vec<Extent> = patterns.iter().filter_map(|p| self.extent(p)).collect();
        found.sort_by(|a, b| order::compare(&a.0, &b.0));
        let mut extents: Vec<Extent> = Vec::with_capacity(found.len());
        for (first, last) in found {
            match extents.last_mut() {
                Some(before) if order::compare(&first, &before.1).is_le() => {
                    if order::compare(&last, &before.1).is_gt() {
                        before.1 = last;
                    }
                }
                _ => extents.push((first, last)),
            }
        }
        extents
    }

    fn extent(&self, pattern: &Term) -> Option<Extent> {
        let edge = |side| Edge { pattern, side };
        let (first, _) = self.tree.get_next(&edge(Ordering::Less))?;
        let (last, _) = self.tree.get_prev(&edge(Ordering::Greater))?;
        let is_inside = partly_bound::compare(pattern, &first.0).is_eq();
        is_inside.then(|| (first.0.clone(), last.0.clone()))
    }

    /// Objects whose keys are in one of these extents, and beyond a key that was reached before. In
    /// the order of their keys, or from the last to the first.
    pub(crate) fn within<'a>(
        &'a self,
        extents: &'a [Extent],
        reached: Option<&'a Term>,
        reverse: bool,
    ) -> Box<dyn Iterator<Item = &'a Term> + 'a> {
        let part = move |(first, last): &Extent| {
            let mut low = Bound::Included(Key(first.clone()));
            let mut high = Bound::Included(Key(last.clone()));
            if let Some(reached) = reached {
                let (nearest, bound) = if reverse { (last, &mut high) } else { (first, &mut low) };
                let is_beyond = order::compare(reached, nearest);
                let passed = if reverse { is_beyond.is_le() } else { is_beyond.is_ge() };
                if passed {
                    *bound = Bound::Excluded(Key(reached.clone()));
                }
            }
            self.between(low, high)
        };
        if reverse {
            Box::new(extents.iter().rev().flat_map(move |extent| part(extent).rev()))
        } else {
            Box::new(extents.iter().flat_map(part))
        }
    }

    /// Objects whose keys are greater than one, in the order of their keys.
    pub(crate) fn iter_after(&self, key: &Term) -> impl Iterator<Item = &Term> {
        self.between(Bound::Excluded(Key(key.clone())), Bound::Unbounded)
    }

    /// Objects whose keys are less than one, the greatest first.
    pub(crate) fn iter_before(&self, key: &Term) -> impl Iterator<Item = &Term> {
        self.between(Bound::Unbounded, Bound::Excluded(Key(key.clone()))).rev()
    }

    fn between(&self, low: Bound<Key>, high: Bound<Key>) -> impl DoubleEndedIterator<Item = &Term> {
        // A range that ends before it begins would be an error.
        let is_empty = match (&low, &high) {
            (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high)) => low > high,
            (Bound::Included(low) | Bound::Excluded(low), Bound::Excluded(high)) => low >= high,
            _ => false,
        };
        let range = (!is_empty).then(|| self.tree.range((low, high)));
        range.into_iter().flatten().map(|(_, object)| object)
    }
}
