//! The sets of the analysis: what flows where, and what is one set.
//!
//! What is copied both ways is one set from then on, and so is whatever objects hold that code that
//! nobody knows can get hold of. In the end equal sets are there once.
//!
//! Cost: a word for each 64 objects at each copy of what is new.

use java::names::FieldId;
use rustc_hash::FxHashMap;

use super::{Holder, Points, Solver};
use crate::bits::Bits;
use crate::ir::{LocationId, ObjectId, ObjectKind, Part, SiteId};
use crate::library::Effect;
use crate::unknown::Hub;

impl Solver<'_> {
    pub(super) fn root(&mut self, mut at: Holder) -> Holder {
        while self.parents[at.index()] != at {
            let above = self.parents[self.parents[at.index()].index()];
            self.parents[at.index()] = above;
            at = above;
        }
        at
    }

    pub(super) fn join(&mut self, to: Holder, objects: &Bits) {
        let to = self.root(to);
        let fresh = &mut self.fresh[to.index()];
        let was_empty = fresh.is_empty();
        if self.sets[to.index()].join(objects, fresh) && was_empty {
            self.pending.push_back(to);
        }
    }

    pub(super) fn add(&mut self, to: Holder, object: ObjectId) {
        let to = self.root(to);
        if self.sets[to.index()].insert(object.index()) {
            if self.fresh[to.index()].is_empty() {
                self.pending.push_back(to);
            }
            self.fresh[to.index()].insert(object.index());
        }
    }

    pub(super) fn copy(&mut self, from: Holder, to: Holder) {
        let (from, to) = (self.root(from), self.root(to));
        let key = |from: Holder, to: Holder| (from.index() as u64) << 32 | to.index() as u64;
        if from == to || !self.known_copies.insert(key(from, to)) {
            return;
        }
        if self.known_copies.contains(&key(to, from)) {
            self.unite(from, to);
            return;
        }
        self.uses[from.index()].copies.push(to);
        let objects = std::mem::take(&mut self.sets[from.index()]);
        self.join(to, &objects);
        self.sets[from.index()] = objects;
    }

    /// Two holders have the same objects from now on.
    pub(super) fn unite(&mut self, one: Holder, other: Holder) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let library = self.library.map(|library| self.root(library));
        let weight = |at: Holder| self.sets[at.index()].words();
        let (keep, gone) = match weight(one) >= weight(other) {
            true => (one, other),
            false => (other, one),
        };
        self.parents[gone.index()] = keep;
        let uses = std::mem::take(&mut self.uses[gone.index()]);
        let set = std::mem::take(&mut self.sets[gone.index()]);
        let fresh = std::mem::take(&mut self.fresh[gone.index()]);
        // Each knows what it has passed on.
        let known = self.sets[keep.index()].without(&self.fresh[keep.index()]);
        let news = known.without(&set.without(&fresh));
        self.late.push((uses.clone(), news));
        self.join(keep, &set);
        let all = &mut self.uses[keep.index()];
        all.copies.extend(uses.copies);
        all.loads.extend(uses.loads);
        all.stores.extend(uses.stores);
        all.calls.extend(uses.calls);
        all.pools.extend(uses.pools);
        if library == Some(one) || library == Some(other) {
            for site in std::mem::take(&mut self.uses[keep.index()].pools) {
                self.join_library(site);
            }
        }
    }

    /// The pool of a call is the library's: it may run what the library may.
    fn join_library(&mut self, site: SiteId) {
        let (Some(unknown), Some(library)) = (self.unknown, self.library) else { return };
        let at = self.root(library);
        let place = match self.out.foreign[site] {
            Some(Effect::Pure) => &unknown.pure,
            _ => &unknown.any,
        };
        if unknown.pure.site == site || unknown.any.site == site {
            self.uses[at.index()].pools.push(site);
            return;
        }
        self.start_hub(place);
        self.call_back(site, place.body, library);
    }

    /// Code that nobody knows may run: it gets hold of all that the library's objects hold.
    pub(super) fn start_hub(&mut self, place: &Hub) {
        let (Some(unknown), Some(library)) = (self.unknown, self.library) else { return };
        if self.out.foreign[place.site].is_some() {
            return;
        }
        let effect = if place.site == unknown.pure.site { Effect::Pure } else { Effect::Anything };
        self.out.foreign[place.site] = Some(effect);
        let anything = self.object(ObjectKind::Anything);
        self.out.pools.insert(place.site, anything);
        self.activate(place.body);
        let at = self.root(library);
        self.uses[at.index()].pools.push(place.site);
        self.again(library, |solver, object| solver.in_pool(place.site, object));
    }

    /// Whether nobody can tell an object from others of its class that the library can get hold of.
    pub(super) fn is_escaped(&self, object: ObjectId) -> bool {
        self.escaped.has(object.index())
            || matches!(self.out.objects[object], ObjectKind::Somebodys(_))
    }

    /// The library can get hold of an object: nobody tells its fields from those of others.
    pub(super) fn escapes(&mut self, object: ObjectId) {
        if matches!(self.out.objects[object], ObjectKind::New(..))
            && self.escaped.insert(object.index())
        {
            for (field, holder) in self.fields.remove(&object).unwrap_or_default() {
                self.escaped_field(field, holder);
            }
        }
    }

    pub(super) fn escaped_field(&mut self, field: FieldId, holder: Holder) {
        self.exported_field(field, holder);
        let one = *self.escaped_fields.entry(field).or_insert(holder);
        self.unite(one, holder);
    }

    /// Brings the sets into order.
    pub(super) fn finish(mut self) -> Points {
        let mut known: FxHashMap<Bits, usize> = FxHashMap::default();
        let mut numbers: FxHashMap<Holder, usize> = FxHashMap::default();
        for index in 0..self.parents.len() {
            let root = self.root(Holder::new(index));
            let number = match numbers.get(&root) {
                Some(&number) => number,
                None => {
                    let bits = std::mem::take(&mut self.sets[root.index()]);
                    let number = *known.entry(bits).or_insert_with_key(|bits| {
                        self.out.sets.push(bits.iter().map(ObjectId::new).collect());
                        self.out.sets.len() - 1
                    });
                    numbers.insert(root, number);
                    number
                }
            };
            self.out.set_of.push(number);
        }
        self.one_location();
        self.out
    }

    /// All that objects hold that the library may get hold of is one location.
    fn one_location(&mut self) {
        let (Some(library), Some(&anything)) =
            (self.library, self.object_ids.get(&ObjectKind::Anything))
        else {
            return;
        };
        let root = self.root(library);
        let Some(of_library) = self.out.location(anything, Part::Content) else { return };
        self.out.shared.insert(of_library);
        let mut of_field: FxHashMap<FieldId, LocationId> = FxHashMap::default();
        for (location, &(object, part)) in self.out.locations.enumerate() {
            if let Part::Field(field) = part
                && self.is_escaped(object)
            {
                let first = *of_field.entry(field).or_insert(location);
                self.out.location_of.insert((object, part), first);
                self.out.shared.insert(first);
            }
        }
        let mut shared: Vec<ObjectId> = Vec::new();
        for (location, &(object, part)) in self.out.locations.enumerate() {
            let holder = self.out.location_holders[location.index()];
            let is_whole = matches!(part, Part::Content | Part::Element);
            let mut at = holder;
            while self.parents[at.index()] != at {
                at = self.parents[at.index()];
            }
            if is_whole && at == root {
                shared.push(object);
            }
        }
        for object in shared {
            for part in [Part::Content, Part::Element, Part::Length] {
                if let Some(location) = self.out.location_of.get_mut(&(object, part)) {
                    *location = of_library;
                }
            }
        }
    }
}
