//! Objects of a `set`, `bag` or `duplicate_bag`: a persistent linear hash table.
//!
//! The table is laid out as the BEAM lays it out (linear hashing that starts with 256 chains, adds
//! one chain an insertion while there are more objects than chains, and takes chains away in the
//! same steps), with the hash of [`term::table_hash`]. So walks meet objects in the order in which
//! they meet them there, wherever the hash of the keys is the same on every run.
//!
//! The chains are a persistent array ([`Trie`]): a copy of the table shares all of it, and a change
//! copies a path of blocks of 16 chains that are shared, or nothing if nobody else holds them.
//! Every operation on a key takes the time of an access to the array (a few levels) and of a chain,
//! one object on average. A copy-on-write array would be a little faster without copies of the
//! node, and linear in the size of the table with each.
//!
//! While a table is *fixed* nothing moves, and a key whose last object is deleted stays as a dead
//! entry, from which `next` can go on; [`Hashed::unfixed`] removes them.

use std::ops::Deref;
use std::rc::Rc;

use smallvec::SmallVec;
use term::Term;
use term::order::exact_eq;
use term::table_hash::table_hash;

use super::trie::Trie;
use super::{NoSuchKey, key_of};

/// How many chains there are at first, and by how many the room for them grows.
const FIRST: usize = 256;
const SEGMENT: usize = 2048;

/// How many chains at most are split or joined by one operation.
const STEPS: usize = 5;

/// The objects of one key, the newest last.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    hash: u32,
    /// Deleted while the table was fixed: the object is only there for its key.
    dead: bool,
    objects: SmallVec<[Term; 1]>,
}

impl Entry {
    pub(crate) fn objects(&self) -> &[Term] {
        if self.dead { &[] } else { &self.objects }
    }
}

type Entries = SmallVec<[Entry; 1]>;

/// The entries of a chain. Most chains are empty, and a block of them is copied when one changes:
/// so a chain is one word, and its entries are shared until they change themselves.
#[derive(Clone, Default, Debug)]
struct Chain(Option<Rc<Entries>>);

impl Chain {
    fn change(&mut self) -> &mut Entries {
        Rc::make_mut(self.0.get_or_insert_default())
    }

    fn take(&mut self) -> Entries {
        self.0.take().map(Rc::unwrap_or_clone).unwrap_or_default()
    }
}

impl Deref for Chain {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        self.0.as_ref().map_or(&[], |entries| entries)
    }
}

impl From<Entries> for Chain {
    fn from(entries: Entries) -> Chain {
        Chain((!entries.is_empty()).then(|| Rc::new(entries)))
    }
}

/// What becomes of an object whose key is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Policy {
    /// It replaces the other.
    Replace,
    /// It is added, unless an equal object is there.
    AddDifferent,
    /// It is added.
    Add,
}

#[derive(Clone, Debug)]
pub(crate) struct Hashed {
    chains: Trie<Chain>,
    /// How many chains there are.
    chain_count: usize,
    /// The hash is masked by this, or by half of it for chains not yet made.
    mask: usize,
    /// Chains that there is room for: decides when the table shrinks.
    slots: usize,
    /// Number of objects.
    len: usize,
    /// Number of dead entries.
    dead: usize,
    /// How many locks a table has that many processes write: walks step by this number.
    stride: usize,
}

/// Where a key is, or would be.
struct Place {
    chain: usize,
    hash: u32,
    at: Option<usize>,
}

impl Hashed {
    pub(crate) fn new(stride: usize) -> Hashed {
        let (chains, chain_count) = (Trie::default(), FIRST);
        Hashed { chains, chain_count, mask: FIRST - 1, slots: FIRST, len: 0, dead: 0, stride }
    }

    pub(crate) fn count(&self) -> usize {
        self.len
    }

    /// Dead entries that are kept because the table is fixed.
    pub(crate) fn kept(&self) -> usize {
        self.dead
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    pub(crate) fn chain_count(&self) -> usize {
        self.chain_count
    }

    /// Number of live objects of each chain, in the order of the chains.
    pub(crate) fn chain_lengths(&self) -> impl Iterator<Item = usize> {
        let length = |chain| self.chain(chain).iter().map(|entry| entry.objects().len()).sum();
        (0..self.chain_count).map(length)
    }

    fn chain_of(&self, hash: u32) -> usize {
        let chain = hash as usize & self.mask;
        if chain < self.chain_count { chain } else { chain & (self.mask >> 1) }
    }

    fn place(&self, key: &Term, keypos: usize) -> Place {
        let hash = table_hash(key);
        let chain = self.chain_of(hash);
        let at = self.chain(chain).iter().position(|entry| {
            entry.hash == hash && exact_eq(key_of(&entry.objects[0], keypos), key)
        });
        Place { chain, hash, at }
    }

    /// The objects of a key, the oldest first.
    pub(crate) fn get(&self, key: &Term, keypos: usize) -> &[Term] {
        let place = self.place(key, keypos);
        place.at.map_or(&[], |at| self.chain(place.chain)[at].objects())
    }

    /// The object of a key in a table with one object a key, to be changed. Its key must not be.
    pub(crate) fn get_mut(&mut self, key: &Term, keypos: usize) -> Option<&mut Term> {
        let place = self.place(key, keypos);
        let at = place.at?;
        let entry = &mut self.chains.get_mut(place.chain).change()[at];
        if entry.dead { None } else { entry.objects.last_mut() }
    }

    /// The objects of a key, the oldest first, to be changed but for their key.
    pub(crate) fn objects_mut(&mut self, key: &Term, keypos: usize) -> &mut [Term] {
        let place = self.place(key, keypos);
        match place.at {
            Some(at) if !self.chain(place.chain)[at].dead => {
                &mut self.chains.get_mut(place.chain).change()[at].objects
            }
            _ => &mut [],
        }
    }

    /// The chain in which a key is, if it is there.
    pub(crate) fn find(&self, key: &Term, keypos: usize) -> Option<usize> {
        let place = self.place(key, keypos);
        place.at.map(|_| place.chain)
    }

    pub(crate) fn insert(&mut self, object: Term, keypos: usize, policy: Policy, fixed: bool) {
        let place = self.place(key_of(&object, keypos), keypos);
        let chain = self.chains.get_mut(place.chain).change();
        match place.at {
            None => {
                let objects = SmallVec::from_iter([object]);
                chain.push(Entry { hash: place.hash, dead: false, objects });
                self.len += 1;
            }
            Some(at) => {
                let entry = &mut chain[at];
                if entry.dead {
                    entry.dead = false;
                    entry.objects.clear();
                    entry.objects.push(object);
                    self.dead -= 1;
                    self.len += 1;
                    return;
                }
                match policy {
                    Policy::Replace => {
                        entry.objects.clear();
                        entry.objects.push(object);
                        return;
                    }
                    Policy::AddDifferent
                        if entry.objects.iter().any(|other| exact_eq(other, &object)) =>
                    {
                        return;
                    }
                    Policy::AddDifferent | Policy::Add => {
                        entry.objects.push(object);
                        self.len += 1;
                    }
                }
            }
        }
        if !fixed {
            self.grow();
        }
    }

    /// Deletes the objects of a key, and returns them.
    pub(crate) fn remove(&mut self, key: &Term, keypos: usize, fixed: bool) -> SmallVec<[Term; 1]> {
        let place = self.place(key, keypos);
        let Some(at) = place.at else { return SmallVec::new() };
        if self.chain(place.chain)[at].dead {
            return SmallVec::new();
        }
        let chain = self.chains.get_mut(place.chain).change();
        let objects = if fixed {
            chain[at].dead = true;
            self.dead += 1;
            let keep = SmallVec::from_iter([chain[at].objects[0].clone()]);
            std::mem::replace(&mut chain[at].objects, keep)
        } else {
            chain.remove(at).objects
        };
        self.len -= objects.len();
        if !fixed {
            self.shrink();
        }
        objects
    }

    /// Deletes those objects of a key that are not wanted; how many they were.
    pub(crate) fn retain(
        &mut self,
        key: &Term,
        keypos: usize,
        fixed: bool,
        mut wanted: impl FnMut(&Term) -> bool,
    ) -> usize {
        let place = self.place(key, keypos);
        let Some(at) = place.at else { return 0 };
        let entry = &self.chain(place.chain)[at];
        if entry.dead {
            return 0;
        }
        let keep: SmallVec<[Term; 1]> =
            entry.objects.iter().filter(|object| wanted(object)).cloned().collect();
        let removed = entry.objects.len() - keep.len();
        if removed == 0 {
            return 0;
        }
        if keep.is_empty() {
            return self.remove(key, keypos, fixed).len();
        }
        self.chains.get_mut(place.chain).change()[at].objects = keep;
        self.len -= removed;
        if !fixed {
            self.shrink();
        }
        removed
    }

    /// Deletes everything. In a fixed table the keys stay, dead.
    pub(crate) fn clear(&mut self, fixed: bool) {
        if !fixed {
            *self = Hashed::new(self.stride);
            return;
        }
        for chain in 0..self.chain_count {
            if self.chain(chain).is_empty() {
                continue;
            }
            let entries = self.chains.get_mut(chain).change();
            for entry in entries.iter_mut().filter(|entry| !entry.dead) {
                entry.dead = true;
                entry.objects.truncate(1);
                self.dead += 1;
            }
        }
        self.len = 0;
    }

    /// The table is fixed no longer.
    pub(crate) fn unfixed(&mut self) {
        if self.dead > 0 {
            for chain in 0..self.chain_count {
                if self.chain(chain).iter().any(|entry| entry.dead) {
                    self.chains.get_mut(chain).change().retain(|entry| !entry.dead);
                }
            }
            self.dead = 0;
        }
    }

    fn shrink_limit(&self) -> usize {
        let least = (self.stride + SEGMENT).max(FIRST + 2 * SEGMENT);
        if self.slots >= least { (self.slots - SEGMENT) / 2 } else { 0 }
    }

    /// Splits chains while there are more objects than chains.
    fn grow(&mut self) {
        for _ in 0..STEPS {
            let to = self.chain_count;
            if self.len <= to {
                return;
            }
            if to == self.slots {
                self.slots += SEGMENT;
            }
            if to > self.mask {
                self.mask = self.mask << 1 | 1;
            }
            let (mask, from) = (self.mask, to & (self.mask >> 1));
            let chain = self.chains.get_mut(from).take();
            let (stay, go): (Entries, Entries) =
                chain.into_iter().partition(|entry| entry.hash as usize & mask == from);
            *self.chains.get_mut(from) = stay.into();
            *self.chains.get_mut(to) = go.into();
            self.chain_count += 1;
        }
    }

    /// Joins chains while there are much fewer objects than chains.
    fn shrink(&mut self) {
        for _ in 0..STEPS {
            if self.len >= self.shrink_limit() {
                return;
            }
            let from = self.chain_count - 1;
            self.chain_count = from;
            let mut chain = std::mem::take(self.chains.get_mut(from));
            let half = self.mask >> 1;
            let to = from & half;
            if to == 0 {
                self.mask = half;
            }
            if self.slots - from >= SEGMENT {
                self.slots -= SEGMENT;
            }
            let there = self.chains.get_mut(to);
            if !there.is_empty() {
                chain.change().append(&mut there.take());
            }
            *there = chain;
        }
    }

    /// The chain after this one in a walk.
    fn chain_after(&self, chain: usize) -> Option<usize> {
        let next = chain + self.stride;
        if next < self.chain_count {
            return Some(next);
        }
        let next = (next + 1) & (self.stride - 1);
        (next != 0).then_some(next)
    }

    /// The first entry from here on that has objects: its chain, its place there.
    fn live_from(&self, chain: usize, at: usize) -> Option<&Entry> {
        let (mut chain, mut at) = (chain, at);
        loop {
            if let Some(entry) = self.chain(chain)[at..].iter().find(|entry| !entry.dead) {
                return Some(entry);
            }
            chain = self.chain_after(chain)?;
            at = 0;
        }
    }

    /// The first key of a walk.
    pub(crate) fn first(&self, keypos: usize) -> Option<&Term> {
        if self.len == 0 {
            return None;
        }
        self.live_from(0, 0).map(|entry| key_of(&entry.objects[0], keypos))
    }

    /// The key after `key` in a walk; `Err` if `key` is not there.
    pub(crate) fn next(&self, key: &Term, keypos: usize) -> Result<Option<&Term>, NoSuchKey> {
        let place = self.place(key, keypos);
        let at = place.at.ok_or(NoSuchKey)?;
        Ok(self.live_from(place.chain, at + 1).map(|entry| key_of(&entry.objects[0], keypos)))
    }

    /// The entries of a chain.
    pub(crate) fn chain(&self, chain: usize) -> &[Entry] {
        self.chains.get(chain).map_or(&[], |chain| chain)
    }

    /// The numbers of the chains in the order of a walk, from `start` on.
    pub(crate) fn walk_from(&self, start: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        let start = (start < self.chain_count).then_some(start);
        std::iter::successors(start, |&chain| self.chain_after(chain))
    }
}
