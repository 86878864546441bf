//! What bodies read and write, throw and let through, and which objects there is one of.
//!
//! What a body does to its own object is told apart from the rest (`by_this`): a call on one object
//! does not touch the same parts of others that the body is called on elsewhere. That is as much of
//! object sensitivity (Milanova, Rountev, Ryder 2005) as effects need.
//!
//! Cost: bodies times calls times words of 64 locations, a few rounds.

use std::cell::OnceCell;

use dependence::Node;
use ids::IdVec;
use java::names::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::control::cyclic;
use crate::ir::{
    Block, Body, BodyId, BodyKind, Instr, Kinds, LocationId, ObjectId, ObjectKind, Part, SiteId,
    Throwing,
};
use crate::library::Effect;
use crate::lower::Lowered;
use crate::points::Points;
use crate::program::Program;

/// A set of locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Locations(Bits);

impl Locations {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn has(&self, location: LocationId) -> bool {
        self.0.has(location.index())
    }

    fn insert(&mut self, location: LocationId) -> bool {
        self.0.insert(location.index())
    }

    fn join(&mut self, other: &Locations) -> bool {
        self.0.add(&other.0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LocationId> {
        self.0.iter().map(LocationId::new)
    }
}

/// What a body does to locations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    pub(crate) reads: Locations,
    pub(crate) writes: Locations,
    /// Those of its own object, as its own object.
    pub(crate) this_reads: Locations,
    pub(crate) this_writes: Locations,
}

impl Touched {
    /// All of them.
    pub(crate) fn all(&self) -> Locations {
        let mut all = self.reads.clone();
        for more in [&self.writes, &self.this_reads, &self.this_writes] {
            all.join(more);
        }
        all
    }
}

/// What a call reads and what it writes, in order.
pub(crate) type ReadsAndWrites = (Vec<LocationId>, Vec<LocationId>);

#[derive(Debug)]
pub(crate) struct Effects<'a> {
    lowered: &'a Lowered,
    points: &'a Points,
    pub(crate) touched: IdVec<BodyId, Touched>,
    /// What bodies throw and do not catch.
    throws: IdVec<BodyId, Kinds>,
    /// What somebody above catches.
    observed: IdVec<BodyId, Kinds>,
    /// Who calls a body.
    pub(crate) callers: IdVec<BodyId, Vec<SiteId>>,
    is_once: IdVec<BodyId, bool>,
    is_single: IdVec<ObjectId, bool>,
    exact: std::cell::RefCell<FxHashMap<(BodyId, ObjectId), bool>>,
    /// By class: the initialisers that its use may run, with what they change that others had made.
    starting: FxHashMap<ClassId, Vec<(BodyId, Locations)>>,
    /// By call: what a library reads and writes in it.
    libraries: IdVec<SiteId, OnceCell<ReadsAndWrites>>,
    object_of: FxHashMap<ObjectKind, ObjectId>,
    /// By call: what it may run, also by way of a library, each once.
    all_targets: IdVec<SiteId, Vec<BodyId>>,
    /// Where each call stands.
    pub(crate) places: IdVec<SiteId, Option<(BodyId, usize, usize)>>,
}

impl<'a> Effects<'a> {
    pub(crate) fn new(program: &Program, lowered: &'a Lowered, points: &'a Points) -> Effects<'a> {
        let bodies = lowered.bodies.len();
        let mut effects = Effects {
            lowered,
            points,
            touched: IdVec::filled(Touched::default(), bodies),
            throws: IdVec::filled(0, bodies),
            observed: IdVec::filled(0, bodies),
            callers: IdVec::filled(Vec::new(), bodies),
            is_once: IdVec::filled(false, bodies),
            is_single: IdVec::filled(false, points.objects.len()),
            exact: Default::default(),
            starting: FxHashMap::default(),
            libraries: IdVec::filled(OnceCell::new(), lowered.sites.len()),
            object_of: points.objects.enumerate().map(|(id, &kind)| (kind, id)).collect(),
            all_targets: points.targets.iter().cloned().collect(),
            places: IdVec::filled(None, lowered.sites.len()),
        };
        let mut seen = FxHashSet::default();
        for (site, callbacks) in points.callbacks.enumerate().filter(|(_, all)| !all.is_empty()) {
            seen.clear();
            let all = &mut effects.all_targets[site];
            seen.extend(all.iter().copied());
            all.extend(callbacks.iter().copied().filter(|&body| seen.insert(body)));
        }
        effects.find_places();
        effects.find_touched();
        effects.find_starting(program);
        effects.find_throws();
        effects.find_observed();
        effects.find_single();
        effects
    }

    pub(crate) fn active(&self) -> impl Iterator<Item = (BodyId, &'a Body)> + use<'a> {
        let points = self.points;
        self.lowered.bodies.enumerate().filter(move |(id, _)| points.active[*id])
    }

    fn find_places(&mut self) {
        for (id, body) in self.active() {
            for (at, block) in body.blocks.iter().enumerate() {
                for (index, instr) in block.instrs.iter().enumerate() {
                    if let Instr::Call(site) = *instr {
                        self.places[site] = Some((id, at, index));
                        for &target in &self.all_targets[site] {
                            self.callers[target].push(site);
                        }
                    }
                }
            }
        }
    }

    /// What a call may run, also by way of a library.
    pub(crate) fn all_targets(&self, site: SiteId) -> &[BodyId] {
        &self.all_targets[site]
    }

    /// What a library reads and writes in a call.
    pub(crate) fn library(&self, site: SiteId) -> &ReadsAndWrites {
        self.libraries[site].get_or_init(|| self.find_library(site))
    }

    fn find_library(&self, site: SiteId) -> ReadsAndWrites {
        let Some(effect) = self.points.foreign[site] else { return Default::default() };
        let receiver = self.lowered.sites[site].receiver;
        let pool = self.points.pools.get(&site).copied();
        let content = pool.and_then(|pool| self.points.location(pool, Part::Content));
        let locations = |with_held: bool, parts: &[Part]| {
            let mut all: Vec<LocationId> = Vec::new();
            for &part in parts {
                if let Some(receiver) = receiver {
                    all.extend(self.points.parts(receiver, part).iter());
                }
                if let (true, Some(content)) = (with_held, content) {
                    all.extend(self.points.parts_within(content, part).iter());
                }
                all.extend(pool.and_then(|pool| self.points.location(pool, part)));
            }
            all.sort_unstable();
            all.dedup();
            all
        };
        let reads = locations(true, &[Part::Content, Part::Element, Part::Length]);
        let writes = match effect.writes() {
            true => locations(effect == Effect::Anything, &[Part::Content, Part::Element]),
            false => content.into_iter().collect(),
        };
        (reads, writes)
    }

    // ---- Reads and writes ----------------------------------------------------------------------

    fn find_touched(&mut self) {
        for (id, body) in self.active() {
            let mut touched = Touched::default();
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                match *instr {
                    Instr::Load { base, part, .. } => {
                        let is_this = Some(base) == body.this;
                        let into =
                            if is_this { &mut touched.this_reads } else { &mut touched.reads };
                        self.points.parts(base, part).iter().for_each(|&location| {
                            into.insert(location);
                        });
                    }
                    Instr::Store { base, part, .. } => {
                        let is_this = Some(base) == body.this;
                        let into =
                            if is_this { &mut touched.this_writes } else { &mut touched.writes };
                        self.points.parts(base, part).iter().for_each(|&location| {
                            into.insert(location);
                        });
                    }
                    Instr::Call(site) => {
                        let (reads, writes) = self.library(site);
                        reads.iter().for_each(|&it| {
                            touched.reads.insert(it);
                        });
                        writes.iter().for_each(|&it| {
                            touched.writes.insert(it);
                        });
                    }
                    _ => {}
                }
            }
            self.touched[id] = touched;
        }
        self.join_calls();
    }

    /// What bodies do is what those do that they call, and the initialisers that they make run.
    fn join_calls(&mut self) {
        let active: Vec<(BodyId, &Body)> = self.active().collect();
        let mut is_due = IdVec::filled(true, self.lowered.bodies.len());
        loop {
            let mut any = false;
            // Callees tend to come later.
            for &(id, body) in active.iter().rev() {
                if !std::mem::replace(&mut is_due[id], false) {
                    continue;
                }
                let mut changed = false;
                let mut own = std::mem::take(&mut self.touched[id]);
                for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                    match *instr {
                        Instr::Call(site) => {
                            changed |= self.join_call(&mut own, id, body, site);
                        }
                        Instr::Use(class, _) => {
                            for (_, writes) in self.started_by(class) {
                                changed |= own.writes.join(writes);
                            }
                        }
                        _ => {}
                    }
                }
                self.touched[id] = own;
                if changed {
                    any = true;
                    for &site in &self.callers[id] {
                        is_due[self.lowered.sites[site].body] = true;
                    }
                }
            }
            if !any {
                return;
            }
        }
    }

    // ---- Initialisers of classes ---------------------------------------------------------------

    /// The initialisers that the use of a class may run, with what they change that others made.
    pub(crate) fn started_by(&self, class: ClassId) -> &[(BodyId, Locations)] {
        self.starting.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Most initialisers change what nobody sees before them: their own static fields, and objects
    /// that they make. The others matter at every use of their class.
    fn find_starting(&mut self, program: &Program) {
        let mut outside: FxHashMap<ClassId, (BodyId, Locations)> = FxHashMap::default();
        let inits = self.active().filter(|(_, body)| matches!(body.kind, BodyKind::ClassInit(_)));
        let made: FxHashMap<BodyId, FxHashSet<ObjectId>> =
            inits.map(|(id, _)| (id, self.made_in(id))).collect();
        // What an initialiser changes may be changed by the use of another class in it.
        loop {
            let mut changed = false;
            for (id, body) in self.active() {
                let BodyKind::ClassInit(class) = body.kind else { continue };
                let own = &made[&id];
                let mut found = Locations::default();
                for location in self.touched[id].writes.iter() {
                    let is_own = self.is_own_of(program, class, own, location);
                    if !is_own {
                        found.insert(location);
                    }
                }
                let known = outside.entry(class).or_insert((id, Locations::default()));
                changed |= known.1.join(&found);
            }
            if !changed {
                return;
            }
            self.starting.clear();
            for class in program.classes() {
                let above = program.lineage(class).into_iter();
                let all = above.filter_map(|above| outside.get(&above).cloned());
                let all: Vec<_> = all.filter(|(_, writes)| !writes.is_empty()).collect();
                if !all.is_empty() {
                    self.starting.insert(class, all);
                }
            }
            if self.starting.is_empty() {
                return;
            }
            self.join_calls();
        }
    }

    /// Whether a location is a static field of a class, or part of one of the objects that its
    /// initialiser has made.
    pub(crate) fn is_own_of(
        &self,
        program: &Program,
        class: ClassId,
        made: &FxHashSet<ObjectId>,
        location: LocationId,
    ) -> bool {
        let (object, part) = self.points.locations[location];
        match (self.points.objects[object], part) {
            (ObjectKind::Statics, Part::Field(field)) => {
                program.same_class(program.world.field(field).class) == class
            }
            _ => made.contains(&object) && !self.points.shared.contains(&location),
        }
    }

    /// The classes whose initialisers change a location that others have made.
    pub(crate) fn starts_of(&self, location: LocationId) -> Vec<ClassId> {
        let all = self.starting.iter();
        let found = all.filter(|(_, inits)| inits.iter().any(|(_, it)| it.has(location)));
        let mut classes: Vec<ClassId> = found.map(|(class, _)| *class).collect();
        classes.sort_unstable();
        classes
    }

    /// All that some bodies run.
    pub(crate) fn inside(&self, mut pending: Vec<BodyId>) -> Vec<BodyId> {
        let mut seen = FxHashSet::default();
        let mut inside = Vec::new();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            inside.push(id);
            for instr in self.lowered.bodies[id].blocks.iter().flat_map(|block| &block.instrs) {
                if let Instr::Call(site) = *instr {
                    pending.extend(self.all_targets(site));
                }
            }
        }
        inside
    }

    /// The objects that are made in what a body runs.
    pub(crate) fn made_in(&self, id: BodyId) -> FxHashSet<ObjectId> {
        let mut own = FxHashSet::default();
        for id in self.inside(vec![id]) {
            let body = &self.lowered.bodies[id];
            let made = body.made.iter().filter(|made| made.1 != ObjectKind::Statics);
            own.extend(made.filter_map(|(_, kind, _)| self.object_of.get(kind)));
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                if let Instr::Call(site) = *instr {
                    // What somebody else may have is nobody's own.
                    let pool = self.points.pools.get(&site);
                    own.extend(
                        pool.filter(|&&pool| self.points.objects[pool] != ObjectKind::Anything),
                    );
                }
            }
        }
        own
    }

    fn join_call(&self, own: &mut Touched, id: BodyId, body: &Body, site: SiteId) -> bool {
        let call = &self.lowered.sites[site];
        let mut changed = false;
        for &target in self.all_targets(site) {
            // Of itself there is nothing new but what it does to other objects.
            let own_copy;
            let other = if target == id {
                own_copy = own.clone();
                &own_copy
            } else {
                &self.touched[target]
            };
            changed |= own.reads.join(&other.reads);
            changed |= own.writes.join(&other.writes);
            if call.receiver.is_some() && call.receiver == body.this {
                changed |= own.this_reads.join(&other.this_reads);
                changed |= own.this_writes.join(&other.this_writes);
                continue;
            }
            let reads: Vec<_> = other.this_reads.iter().collect();
            for location in reads {
                if self.may_be_this(site, target, location) {
                    changed |= own.reads.insert(location);
                }
            }
            let writes: Vec<_> = other.this_writes.iter().collect();
            for location in writes {
                if self.may_be_this(site, target, location) {
                    changed |= own.writes.insert(location);
                }
            }
        }
        changed
    }

    /// Whether a location may be part of the object that a body is called on.
    fn may_be_this(&self, site: SiteId, target: BodyId, location: LocationId) -> bool {
        let is_function = matches!(self.lowered.bodies[target].kind, BodyKind::Function(_));
        let is_callback = !self.points.targets[site].contains(&target);
        match self.lowered.sites[site].receiver {
            Some(receiver) if !is_function && !is_callback => {
                self.points.may_hold(receiver, location)
            }
            _ => true,
        }
    }

    /// Whether a call may read a location in what it runs, or write it there.
    pub(crate) fn call_touches(&self, site: SiteId, target: BodyId, location: LocationId) -> bool {
        let touched = &self.touched[target];
        touched.reads.has(location)
            || touched.writes.has(location)
            || (touched.this_reads.has(location) || touched.this_writes.has(location))
                && self.may_be_this(site, target, location)
    }

    /// Whether a body reads or writes a location, be it of its own object or not.
    pub(crate) fn touches(&self, body: BodyId, location: LocationId) -> bool {
        let touched = &self.touched[body];
        let all = [&touched.reads, &touched.writes, &touched.this_reads, &touched.this_writes];
        all.iter().any(|locations| locations.has(location))
    }

    pub(crate) fn call_writes(&self, site: SiteId, target: BodyId, location: LocationId) -> bool {
        let touched = &self.touched[target];
        touched.writes.has(location)
            || touched.this_writes.has(location) && self.may_be_this(site, target, location)
    }

    // ---- Exceptions ----------------------------------------------------------------------------

    /// What may be thrown at the end of a block.
    pub(crate) fn kinds(&self, throwing: &Throwing) -> Kinds {
        let mut kinds = throwing.kinds;
        if let Some(site) = throwing.call {
            for &target in self.all_targets(site) {
                kinds |= self.throws[target];
            }
            if self.points.foreign[site].is_some() {
                kinds |= crate::lower::FOREIGN_KINDS;
            }
        }
        if self.inits(throwing).any(|init| self.throws[init] != 0) {
            kinds |= crate::lower::ERROR_KIND;
        }
        kinds
    }

    /// The initialisers of classes that may run where something is thrown.
    pub(crate) fn inits(&self, throwing: &Throwing) -> impl Iterator<Item = BodyId> {
        let inits = throwing.inits.iter().flat_map(|inits| inits.iter());
        let bodies = inits
            .filter_map(|&class| self.lowered.by_kind.get(&BodyKind::ClassInit(class)).copied());
        bodies.filter(|&init| self.points.active[init])
    }

    /// The handlers that may take what is thrown, and whether some may leave the body and counts.
    pub(crate) fn handlers(&self, id: BodyId, block: &Block) -> (Vec<usize>, bool) {
        let Some(throwing) = &block.throws else { return (Vec::new(), false) };
        let mut kinds = self.kinds(throwing);
        let mut taken = Vec::new();
        for (index, handler) in throwing.handlers.iter().enumerate() {
            if kinds & handler.may != 0 {
                taken.push(index);
            }
            kinds &= !handler.must;
        }
        let ends = block.successors.is_empty();
        (taken, kinds & self.observed[id] != 0 || ends && kinds != 0)
    }

    fn find_throws(&mut self) {
        loop {
            let mut changed = false;
            for (id, body) in self.active() {
                let mut all = self.throws[id];
                for throwing in body.blocks.iter().filter_map(|block| block.throws.as_ref()) {
                    let mut kinds = self.kinds(throwing);
                    for handler in &throwing.handlers {
                        kinds &= !handler.must;
                    }
                    all |= kinds;
                }
                changed |= all != self.throws[id];
                self.throws[id] = all;
            }
            if !changed {
                return;
            }
        }
    }

    fn find_observed(&mut self) {
        loop {
            let mut changed = false;
            for (id, body) in self.active() {
                for throwing in body.blocks.iter().filter_map(|block| block.throws.as_ref()) {
                    changed |= self.observe(id, throwing);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What is caught around a place is observed in all that it runs.
    fn observe(&mut self, id: BodyId, throwing: &Throwing) -> bool {
        let caught = throwing.handlers.iter().fold(self.observed[id], |all, it| all | it.may);
        let mut changed = false;
        let called = throwing.call.map(|site| self.all_targets[site].clone()).unwrap_or_default();
        for target in called {
            changed |= caught & !self.observed[target] != 0;
            self.observed[target] |= caught;
        }
        if caught & crate::lower::ERROR_KIND != 0 {
            let all = crate::lower::ALL_KINDS;
            for init in self.inits(throwing).collect::<Vec<_>>() {
                changed |= self.observed[init] != all;
                self.observed[init] = all;
            }
        }
        changed
    }

    // ---- Single objects ------------------------------------------------------------------------

    fn find_single(&mut self) {
        let cycles: IdVec<BodyId, Vec<bool>> = self
            .lowered
            .bodies
            .enumerate()
            .map(|(id, body)| match self.points.active[id] {
                true => cyclic(&self.successors(id, body)),
                false => Vec::new(),
            })
            .collect();
        let mut state: IdVec<BodyId, Option<bool>> = IdVec::filled(None, self.lowered.bodies.len());
        for (id, _) in self.active() {
            self.once(id, &cycles, &mut state);
        }
        self.is_once = state.iter().map(|known| *known == Some(true)).collect();
        let mut makers: FxHashMap<ObjectKind, usize> = FxHashMap::default();
        let mut single: FxHashMap<ObjectKind, bool> = FxHashMap::default();
        for (id, body) in self.active() {
            for &(_, kind, block) in &body.made {
                *makers.entry(kind).or_default() += 1;
                let is_single = self.is_once[id] && !cycles[id][block.index()];
                single.insert(kind, is_single);
            }
        }
        for (object, &kind) in self.points.objects.enumerate() {
            self.is_single[object] = kind == ObjectKind::Statics
                || matches!(kind, ObjectKind::New(..) | ObjectKind::Array(_))
                    && makers.get(&kind) == Some(&1)
                    && single.get(&kind) == Some(&true);
        }
    }

    /// Whether a body runs once at most.
    fn once(
        &self,
        id: BodyId,
        cycles: &IdVec<BodyId, Vec<bool>>,
        state: &mut IdVec<BodyId, Option<bool>>,
    ) -> bool {
        if let Some(known) = state[id] {
            return known;
        }
        // Who calls itself runs more than once.
        state[id] = Some(false);
        let is_init = matches!(self.lowered.bodies[id].kind, BodyKind::ClassInit(_));
        let is_once = match self.callers[id].as_slice() {
            [] => is_init || self.is_main(id),
            &[site] if !is_init && !self.is_main(id) => match self.places[site] {
                Some((caller, block, _)) => {
                    self.points.targets[site].contains(&id)
                        && !self.points.callbacks[site].contains(&id)
                        && !cycles[caller][block]
                        && self.once(caller, cycles, state)
                }
                None => false,
            },
            _ => false,
        };
        state[id] = Some(is_once);
        is_once
    }

    fn is_main(&self, id: BodyId) -> bool {
        self.lowered.mains.contains(&id)
    }

    /// The ways that control goes, without those that nobody notices.
    pub(crate) fn successors(&self, id: BodyId, body: &Body) -> Vec<Vec<usize>> {
        body.blocks
            .iter()
            .map(|block| {
                let mut next: Vec<usize> =
                    block.successors.iter().map(|block| block.index()).collect();
                let (handlers, leaves) = self.handlers(id, block);
                if let Some(throwing) = &block.throws {
                    next.extend(
                        handlers.iter().map(|&index| throwing.handlers[index].block.index()),
                    );
                }
                if leaves {
                    next.push(body.exit.index());
                }
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect()
    }

    /// Whether a store surely replaces what is in a location.
    pub(crate) fn is_strong(&self, id: BodyId, base: Node, location: LocationId) -> bool {
        let (object, part) = self.points.locations[location];
        if matches!(part, Part::Element | Part::Content)
            || !self.is_single[object]
            || self.points.shared.contains(&location)
        {
            return false;
        }
        if Some(base) == self.lowered.bodies[id].this {
            return self.is_exact(id, object);
        }
        self.points.of(base) == [object]
    }

    /// Whether a body that is called on an object among others knows that it is that one.
    fn is_exact(&self, id: BodyId, object: ObjectId) -> bool {
        if let Some(&known) = self.exact.borrow().get(&(id, object)) {
            return known;
        }
        // A way round says nothing against it.
        self.exact.borrow_mut().insert((id, object), true);
        let is_exact = !matches!(self.lowered.bodies[id].kind, BodyKind::Function(_))
            && self.callers[id].iter().all(|&site| {
                let call = &self.lowered.sites[site];
                let Some(receiver) = call.receiver else { return false };
                if !self.points.targets[site].contains(&id)
                    || self.points.callbacks[site].contains(&id)
                {
                    return false;
                }
                let objects = self.points.of(receiver);
                if !self.points.may_be(receiver, object) {
                    return true;
                }
                let caller = &self.lowered.bodies[call.body];
                match Some(receiver) == caller.this {
                    true => self.is_exact(call.body, object),
                    false => objects == [object],
                }
            });
        self.exact.borrow_mut().insert((id, object), is_exact);
        is_exact
    }
}
