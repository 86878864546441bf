//! Maps.
//!
//! Up to [`FLAT_LIMIT`] keys: one sorted vector, as in the BEAM. Above: a persistent ordered tree.
//! Both are in the order of keys (term order, but all integers before all floats), which
//! is the order `maps:to_list/1` and printing show. The BEAM shows large maps in an order that
//! depends on hashes inside the node; ours is the same on every run.
//!
//! A map in a term is counted: who alone holds it changes it in place; otherwise a flat map is
//! copied first, and a tree shares all but the path to the change.

use std::cmp::Ordering;
use std::ops::Bound;

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;

use crate::Term;
use crate::order::{self, exact_eq};

/// The largest flat map.
pub const FLAT_LIMIT: usize = 32;

pub(crate) type Tree = GenericOrdMap<Key, Term, RcK>;

#[derive(Clone, Debug, Default)]
pub struct Map(pub(crate) Repr);

#[derive(Clone, Debug)]
pub(crate) enum Repr {
    /// Sorted by key.
    Flat(Vec<(Term, Term)>),
    Tree(Tree),
}

impl Default for Repr {
    fn default() -> Repr {
        Repr::Flat(Vec::new())
    }
}

/// A term as a key: ordered and compared exactly (`1` and `1.0` are different keys).
#[derive(Clone, Debug)]
pub struct Key(pub Term);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        exact_eq(&self.0, &other.0)
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
        order::compare_exact(&self.0, &other.0)
    }
}

/// Lets a tree be searched by `&Term` without making a [`Key`].
#[repr(transparent)]
struct Search<'a>(&'a Term);

fn find_flat(entries: &[(Term, Term)], key: &Term) -> Result<usize, usize> {
    // The usual keys of small maps are atoms and small integers: look for the very word first,
    // before comparing texts.
    if key.is_immediate()
        && let Some(at) = entries.iter().position(|(k, _)| k.same_word(key))
    {
        return Ok(at);
    }
    entries.binary_search_by(|(k, _)| order::compare_exact(k, key))
}

impl Map {
    pub fn new() -> Map {
        Map::default()
    }

    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Flat(entries) => entries.len(),
            Repr::Tree(tree) => tree.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, key: &Term) -> Option<&Term> {
        match &self.0 {
            Repr::Flat(entries) => find_flat(entries, key).ok().map(|at| &entries[at].1),
            Repr::Tree(tree) => tree.get(&Search(key)),
        }
    }

    pub fn contains_key(&self, key: &Term) -> bool {
        self.get(key).is_some()
    }

    /// Adds or replaces an entry.
    pub fn insert(&mut self, key: Term, value: Term) {
        let repr = &mut self.0;
        match repr {
            Repr::Flat(entries) => match find_flat(entries, &key) {
                Ok(at) => entries[at].1 = value,
                Err(at) if entries.len() < FLAT_LIMIT => entries.insert(at, (key, value)),
                Err(_) => {
                    let mut tree: Tree =
                        entries.drain(..).map(|(key, value)| (Key(key), value)).collect();
                    tree.insert(Key(key), value);
                    *repr = Repr::Tree(tree);
                }
            },
            Repr::Tree(tree) => {
                tree.insert(Key(key), value);
            }
        }
    }

    /// Replaces the value of a key that is there; says whether it was.
    pub fn update(&mut self, key: &Term, value: Term) -> bool {
        let place = match &mut self.0 {
            Repr::Flat(entries) => find_flat(entries, key)
                .ok()
                .and_then(|at| entries.get_mut(at))
                .map(|entry| &mut entry.1),
            // Looked at first: searching in order to change copies the shared part of the path.
            Repr::Tree(tree) if tree.get(&Search(key)).is_none() => None,
            Repr::Tree(tree) => tree.get_mut(&Search(key)),
        };
        place.map(|place| *place = value).is_some()
    }

    /// Removes an entry; its value if it was there.
    pub fn remove(&mut self, key: &Term) -> Option<Term> {
        if !self.contains_key(key) {
            return None;
        }
        let repr = &mut self.0;
        match repr {
            Repr::Flat(entries) => {
                let at = find_flat(entries, key).ok()?;
                Some(entries.remove(at).1)
            }
            Repr::Tree(tree) => {
                let value = tree.remove(&Search(key));
                if tree.len() <= FLAT_LIMIT {
                    let entries = tree.iter().map(|(k, v)| (k.0.clone(), v.clone())).collect();
                    *repr = Repr::Flat(entries);
                }
                value
            }
        }
    }

    /// Entries in the order of keys.
    pub fn iter(&self) -> Box<dyn DoubleEndedIterator<Item = (&Term, &Term)> + '_> {
        match &self.0 {
            Repr::Flat(entries) => Box::new(entries.iter().map(|(k, v)| (k, v))),
            Repr::Tree(tree) => Box::new(tree.iter().map(|(k, v)| (&k.0, v))),
        }
    }

    /// Entries in the order of keys, from the first key that comes after `key` on.
    pub fn iter_after(&self, key: &Term) -> Box<dyn Iterator<Item = (&Term, &Term)> + '_> {
        match &self.0 {
            Repr::Flat(entries) => {
                let from = entries.partition_point(|(k, _)| order::compare_exact(k, key).is_le());
                Box::new(entries[from..].iter().map(|(k, v)| (k, v)))
            }
            Repr::Tree(tree) => {
                let after = (Bound::Excluded(Key(key.clone())), Bound::Unbounded);
                Box::new(tree.range(after).map(|(k, v)| (&k.0, v)))
            }
        }
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.iter().map(|(_, value)| value)
    }
}

impl FromIterator<(Term, Term)> for Map {
    /// Later entries replace earlier ones.
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(entries: I) -> Map {
        let mut map = Map::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl equivalent::Comparable<Key> for Search<'_> {
    fn compare(&self, key: &Key) -> Ordering {
        order::compare_exact(self.0, &key.0)
    }
}

impl equivalent::Equivalent<Key> for Search<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        exact_eq(self.0, &key.0)
    }
}
