//! Maps.
//!
//! Up to [`FLAT_LIMIT`] keys: one vector sorted by key (term order, but all integers before all
//! floats), as in the BEAM. Above: a persistent tree, ordered by the place that a key has in
//! the BEAM's hash tries. So iterators, `maps:to_list/1` and printing show a large map in the
//! BEAM's order, except where its hash is one run's own (atoms: see [`crate::table_hash`]): there
//! the order is ours, and the same on every run. Of keys with equal hashes, which the BEAM tells
//! apart by hashing again, the lesser comes first.
//!
//! A map in a term is counted: who alone holds it changes it in place; otherwise a flat map is
//! copied first, and a tree shares all but the path to the change.

use std::cmp::Ordering;
use std::ops::Bound;

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;

use crate::Term;
use crate::order::{self, exact_eq};
use crate::table_hash::internal_hash;

/// The largest flat map.
pub const FLAT_LIMIT: usize = 32;

pub(crate) type Tree = GenericOrdMap<Placed, Term, RcK>;

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

/// A key with its place in a large map.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    place: u32,
    key: Term,
}

/// The hash with its digits (of four bits) turned round: a trie branches by the lowest one first.
fn place(key: &Term) -> u32 {
    let bytes = internal_hash(key).swap_bytes();
    (bytes & 0x0F0F_0F0F) << 4 | (bytes >> 4) & 0x0F0F_0F0F
}

impl Placed {
    fn new(key: Term) -> Placed {
        Placed { place: place(&key), key }
    }
}

impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        self.place == other.place && exact_eq(&self.key, &other.key)
    }
}
impl Eq for Placed {}
impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Placed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Placed {
    fn cmp(&self, other: &Placed) -> Ordering {
        compare_placed(self.place, &self.key, other)
    }
}

fn compare_placed(place: u32, key: &Term, other: &Placed) -> Ordering {
    place.cmp(&other.place).then_with(|| order::compare_exact(key, &other.key))
}

/// Lets a tree be searched by `&Term` without making a [`Placed`].
struct Search<'a> {
    place: u32,
    key: &'a Term,
}

impl<'a> Search<'a> {
    fn new(key: &'a Term) -> Search<'a> {
        Search { place: place(key), key }
    }
}

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
            Repr::Tree(tree) => tree.get(&Search::new(key)),
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
                        entries.drain(..).map(|(key, value)| (Placed::new(key), value)).collect();
                    tree.insert(Placed::new(key), value);
                    *repr = Repr::Tree(tree);
                }
            },
            Repr::Tree(tree) => {
                tree.insert(Placed::new(key), value);
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
            Repr::Tree(tree) => {
                let search = Search::new(key);
                if tree.get(&search).is_some() { tree.get_mut(&search) } else { None }
            }
        };
        place.map(|place| *place = value).is_some()
    }

    /// Removes an entry; its value if it was there.
    pub fn remove(&mut self, key: &Term) -> Option<Term> {
        match &mut self.0 {
            Repr::Flat(entries) => {
                let at = find_flat(entries, key).ok()?;
                Some(entries.remove(at).1)
            }
            Repr::Tree(tree) => {
                let search = Search::new(key);
                // Looked at first: searching in order to change copies the shared part of the path.
                tree.get(&search)?;
                let value = tree.remove(&search);
                if tree.len() <= FLAT_LIMIT {
                    let entries = self.by_key().into_iter();
                    let entries = entries.map(|(k, v)| (k.clone(), v.clone())).collect();
                    self.0 = Repr::Flat(entries);
                }
                value
            }
        }
    }

    /// Entries in the order of iterators and of printing.
    pub fn iter(&self) -> Box<dyn DoubleEndedIterator<Item = (&Term, &Term)> + '_> {
        match &self.0 {
            Repr::Flat(entries) => Box::new(entries.iter().map(|(k, v)| (k, v))),
            Repr::Tree(tree) => Box::new(tree.iter().map(|(k, v)| (&k.key, v))),
        }
    }

    /// Entries in the order of `maps:to_list/1`, which for a large map is that of iterators
    /// backwards.
    pub fn listed(&self) -> Box<dyn DoubleEndedIterator<Item = (&Term, &Term)> + '_> {
        match &self.0 {
            Repr::Flat(_) => self.iter(),
            Repr::Tree(_) => Box::new(self.iter().rev()),
        }
    }

    /// Entries in the order of their keys.
    pub fn by_key(&self) -> Vec<(&Term, &Term)> {
        let mut entries: Vec<_> = self.iter().collect();
        if matches!(self.0, Repr::Tree(_)) {
            entries.sort_by(|(a, _), (b, _)| order::compare_exact(a, b));
        }
        entries
    }

    /// Entries of a large map in the order of [`Map::iter`], from a place (of 0 to 2^32) on, each
    /// with the place after its own; keys with equal hashes have the same. A small map has no
    /// places.
    pub fn iter_from(&self, place: u64) -> Option<impl Iterator<Item = (u64, &Term, &Term)>> {
        let Repr::Tree(tree) = &self.0 else { return None };
        let from = (Bound::Included(From(place)), Bound::<From>::Unbounded);
        Some(tree.range(from).map(|(k, v)| (u64::from(k.place) + 1, &k.key, v)))
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

/// Before all keys at a place.
struct From(u64);

impl equivalent::Comparable<Placed> for From {
    fn compare(&self, other: &Placed) -> Ordering {
        self.0.cmp(&u64::from(other.place)).then(Ordering::Less)
    }
}

impl equivalent::Equivalent<Placed> for From {
    fn equivalent(&self, _: &Placed) -> bool {
        false
    }
}

impl equivalent::Comparable<Placed> for Search<'_> {
    fn compare(&self, other: &Placed) -> Ordering {
        compare_placed(self.place, self.key, other)
    }
}

impl equivalent::Equivalent<Placed> for Search<'_> {
    fn equivalent(&self, other: &Placed) -> bool {
        self.place == other.place && exact_eq(self.key, &other.key)
    }
}
