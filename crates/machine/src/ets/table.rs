//! One table: its settings and its objects.

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;
use smallvec::SmallVec;
use term::order::exact_eq;
use term::{Atom, Pid, Ref, Term};

use super::hashed::{Hashed, Policy};
use super::ordered::Ordered;
use super::{NoSuchKey, key_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Set => "set",
            Kind::OrderedSet => "ordered_set",
            Kind::Bag => "bag",
            Kind::DuplicateBag => "duplicate_bag",
        }
    }

    /// Whether a key has at most one object.
    pub(crate) fn is_set(self) -> bool {
        matches!(self, Kind::Set | Kind::OrderedSet)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Public,
    Protected,
    Private,
}

impl Access {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Access::Public => "public",
            Access::Protected => "protected",
            Access::Private => "private",
        }
    }
}

/// What `ets:new/2` is told.
#[derive(Clone, Debug)]
pub struct Settings {
    pub kind: Kind,
    pub access: Access,
    pub named: bool,
    pub keypos: usize,
    pub heir: Option<(Pid, Term)>,
    /// Driven step by step: whether the heir had ended when the table got it, so that there is
    /// none.
    pub heir_was_gone: bool,
    pub compressed: bool,
    pub read_concurrency: bool,
    /// `true`, `false`, `auto` or a number of locks: only shown by `ets:info/2`.
    pub write_concurrency: Term,
    pub decentralized_counters: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Store {
    Hashed(Hashed),
    Ordered(Ordered),
}

#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) id: Ref,
    pub(crate) name: Atom,
    pub(crate) owner: Pid,
    pub settings: Settings,
    pub(crate) store: Store,
    /// Who keeps the table fixed, and how many times.
    pub(crate) fixed_by: GenericOrdMap<Pid, usize, RcK>,
    /// Since when it is fixed, in virtual nanoseconds.
    pub(crate) fixed_since: u64,
    pub(crate) splits: Splits,
}

/// An ordered table that many write is on the BEAM a tree of parts with a lock each, which are
/// split where writers wait for each other, or at every insertion if that is asked for
/// (`ets_force_split`). Here it is one part; how often it would have been split is told.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Splits {
    pub(crate) forced: bool,
    pub(crate) count: u32,
}

/// The objects of a key.
pub enum Found<'a> {
    One(Option<&'a Term>),
    Many(&'a [Term]),
}

impl<'a> Found<'a> {
    pub fn as_slice(&self) -> &'a [Term] {
        match self {
            Found::One(Some(object)) => std::slice::from_ref(object),
            Found::One(None) => &[],
            Found::Many(objects) => objects,
        }
    }
}

impl Table {
    pub fn new(id: Ref, name: Atom, owner: Pid, settings: Settings) -> Table {
        let store = match settings.kind {
            Kind::OrderedSet => Store::Ordered(Ordered::default()),
            _ => {
                let shared = !settings.write_concurrency.same_word(&Term::FALSE);
                // How many locks such a table has on the BEAM.
                let stride = if shared && settings.access != Access::Private { 64 } else { 1 };
                Store::Hashed(Hashed::new(stride))
            }
        };
        let fixed_by = GenericOrdMap::new();
        let splits = Splits::default();
        Table { id, name, owner, settings, store, fixed_by, fixed_since: 0, splits }
    }

    pub(crate) fn keypos(&self) -> usize {
        self.settings.keypos
    }

    pub(crate) fn key_of<'a>(&self, object: &'a Term) -> &'a Term {
        key_of(object, self.settings.keypos)
    }

    /// Whether it can be an object of this table.
    pub(crate) fn accepts(&self, object: &Term) -> bool {
        object.as_tuple().is_some_and(|elements| elements.len() >= self.settings.keypos)
    }

    pub(crate) fn is_fixed(&self) -> bool {
        !self.fixed_by.is_empty()
    }

    pub fn count(&self) -> usize {
        match &self.store {
            Store::Hashed(store) => store.count(),
            Store::Ordered(store) => store.count(),
        }
    }

    /// The objects of a key, the oldest first.
    pub fn lookup(&self, key: &Term) -> Found<'_> {
        match &self.store {
            Store::Hashed(store) => Found::Many(store.get(key, self.settings.keypos)),
            Store::Ordered(store) => Found::One(store.get(key)),
        }
    }

    pub fn contains(&self, key: &Term) -> bool {
        !self.lookup(key).as_slice().is_empty()
    }

    /// The object of a key in a table with one object a key, to be changed but for its key.
    pub(crate) fn object_mut(&mut self, key: &Term) -> Option<&mut Term> {
        match &mut self.store {
            Store::Hashed(store) => store.get_mut(key, self.settings.keypos),
            Store::Ordered(store) => store.get_mut(key),
        }
    }

    /// Adds an object that the table accepts.
    pub fn insert(&mut self, object: Term) {
        let (keypos, fixed) = (self.settings.keypos, self.is_fixed());
        let policy = match self.settings.kind {
            Kind::Set | Kind::OrderedSet => Policy::Replace,
            Kind::Bag => Policy::AddDifferent,
            Kind::DuplicateBag => Policy::Add,
        };
        match &mut self.store {
            Store::Hashed(store) => store.insert(object, keypos, policy, fixed),
            Store::Ordered(store) => {
                self.splits.count += u32::from(self.splits.forced);
                store.insert(object, keypos);
            }
        }
    }

    /// Deletes the objects of a key, and returns them.
    pub fn remove(&mut self, key: &Term) -> SmallVec<[Term; 1]> {
        let fixed = self.is_fixed();
        match &mut self.store {
            Store::Hashed(store) => store.remove(key, self.settings.keypos, fixed),
            Store::Ordered(store) => store.remove(key).into_iter().collect(),
        }
    }

    /// The objects of a key, the oldest first, to be changed but for their key.
    pub(crate) fn objects_mut(&mut self, key: &Term) -> &mut [Term] {
        match &mut self.store {
            Store::Hashed(store) => store.objects_mut(key, self.settings.keypos),
            Store::Ordered(store) => store.get_mut(key).map_or(&mut [], std::slice::from_mut),
        }
    }

    /// Deletes those objects of a key that are not wanted.
    pub(crate) fn retain(&mut self, key: &Term, mut wanted: impl FnMut(&Term) -> bool) {
        let fixed = self.is_fixed();
        match &mut self.store {
            Store::Hashed(store) => {
                store.retain(key, self.settings.keypos, fixed, wanted);
            }
            Store::Ordered(store) => {
                if store.get(key).is_some_and(|object| !wanted(object)) {
                    store.remove(key);
                }
            }
        }
    }

    /// Deletes all objects exactly equal to this one.
    pub fn remove_object(&mut self, object: &Term) {
        let Some(key) = object.as_tuple().and_then(|elements| elements.get(self.keypos() - 1))
        else {
            return;
        };
        self.retain(key, |other| !exact_eq(other, object));
    }

    pub fn clear(&mut self) {
        let fixed = self.is_fixed();
        match &mut self.store {
            Store::Hashed(store) => store.clear(fixed),
            Store::Ordered(store) => store.clear(),
        }
    }

    pub fn first(&self) -> Option<&Term> {
        match &self.store {
            Store::Hashed(store) => store.first(self.settings.keypos),
            Store::Ordered(store) => store.first(),
        }
    }

    /// The last key; of a table without order the first.
    pub fn last(&self) -> Option<&Term> {
        match &self.store {
            Store::Hashed(store) => store.first(self.settings.keypos),
            Store::Ordered(store) => store.last(),
        }
    }

    /// The key after this one; `Err` if the table has no order and the key is not there.
    pub fn next(&self, key: &Term) -> Result<Option<&Term>, NoSuchKey> {
        match &self.store {
            Store::Hashed(store) => store.next(key, self.settings.keypos),
            Store::Ordered(store) => Ok(store.next(key)),
        }
    }

    /// The key before this one; in a table without order the next.
    pub fn previous(&self, key: &Term) -> Result<Option<&Term>, NoSuchKey> {
        match &self.store {
            Store::Hashed(store) => store.next(key, self.settings.keypos),
            Store::Ordered(store) => Ok(store.previous(key)),
        }
    }

    /// All objects, in the order of a walk; those of one key newest first.
    pub fn objects(&self) -> Box<dyn Iterator<Item = &Term> + '_> {
        match &self.store {
            Store::Hashed(store) => Box::new(
                store
                    .walk_from(0)
                    .flat_map(|chain| store.chain(chain))
                    .flat_map(|entry| entry.objects().iter().rev()),
            ),
            Store::Ordered(store) => Box::new(store.iter()),
        }
    }

    /// Whether a process keeps it fixed.
    pub(crate) fn is_fixed_by(&self, pid: Pid) -> bool {
        self.fixed_by.contains_key(&pid)
    }

    /// Fixes the table for a process once more.
    pub fn fix(&mut self, by: Pid, now: u64) {
        if !self.is_fixed() {
            self.fixed_since = now;
        }
        *self.fixed_by.entry(by).or_insert(0) += 1;
    }

    /// Takes back one fixing by a process. Says whether it was the last of that process.
    pub fn unfix(&mut self, by: Pid) -> bool {
        let Some(count) = self.fixed_by.get_mut(&by) else { return false };
        *count -= 1;
        if *count > 0 {
            return false;
        }
        self.unfix_all(by);
        true
    }

    /// Takes back all fixings by a process.
    pub(crate) fn unfix_all(&mut self, by: Pid) {
        self.fixed_by.remove(&by);
        if self.fixed_by.is_empty()
            && let Store::Hashed(store) = &mut self.store
        {
            store.unfixed();
        }
    }
}
