//! Locations that are not followed from store to load: one node for all that is stored in them.
//!
//! Doors for every location of every body that it passes through are what a graph costs: their
//! number grows with the square of a program. So the locations that are cheapest to follow are
//! followed, up to a budget that grows with the program; whoever reads one of the others finds
//! whatever anybody stores there, at any time. Those are what many bodies use, of which a load
//! hardly ever knows that a store does not reach it.
//!
//! Cost: near linear in the stores and the locations that each may touch.

use std::rc::Rc;

use dependence::{EdgeKind, Frame, Node};
use rustc_hash::FxHashMap;

use super::Maker;
use crate::bits::Bits;
use crate::effects::Effects;
use crate::ir::{BodyId, BodyKind, Instr, LocationId};
use crate::lower::{Lowered, Role};
use crate::points::Points;

/// So much may be spent on following locations in a program without any code.
pub(crate) const BUDGET: usize = 120_000;
/// And so much more for each block.
const FOR_A_BLOCK: usize = 6;

/// The locations that are not followed.
#[derive(Debug, Default)]
pub(super) struct Loose {
    all: Bits,
    /// What stores something there.
    stores: FxHashMap<LocationId, Vec<Node>>,
    hubs: FxHashMap<LocationId, Node>,
    /// What is stored by the same places is the same.
    by_stores: FxHashMap<Vec<Node>, Node>,
    /// What initialisers of classes may find that others have changed before: by body that such an
    /// initialiser runs, the locations, and what makes it run.
    early: FxHashMap<BodyId, Vec<(Rc<Bits>, Node)>>,
}

impl Loose {
    /// Decides which locations are followed.
    pub(super) fn new(
        lowered: &Lowered,
        points: &Points,
        effects: &Effects<'_>,
        budget: usize,
    ) -> Loose {
        let mut costs = vec![0usize; points.locations.len()];
        let mut blocks = 0;
        for (id, body) in effects.active() {
            let weight = body.blocks.len();
            blocks += weight;
            for location in effects.touched[id].all().iter() {
                costs[location.index()] += weight;
            }
        }
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by_key(|&location| (costs[location], location));
        let mut left = if budget == 0 { 0 } else { budget + blocks * FOR_A_BLOCK };
        let mut loose = Loose::default();
        for location in order {
            let is_shared = points.shared.contains(&LocationId::new(location));
            match left.checked_sub(costs[location]) {
                Some(rest) if !is_shared => left = rest,
                _ => {
                    loose.all.insert(location);
                }
            }
        }
        loose.find_stores(lowered, points, effects);
        loose
    }

    pub(super) fn has(&self, location: LocationId) -> bool {
        self.all.has(location.index())
    }

    fn find_stores(&mut self, lowered: &Lowered, points: &Points, effects: &Effects<'_>) {
        if self.all.is_empty() {
            return;
        }
        for (_, body) in effects.active() {
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                match *instr {
                    Instr::Store { node, base, part, .. } => {
                        for &location in points.parts(base, part).iter() {
                            self.add(location, node);
                        }
                    }
                    Instr::Call(site) => {
                        for &location in &effects.library(site).1 {
                            self.add(location, lowered.sites[site].made);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn add(&mut self, location: LocationId, node: Node) {
        if self.has(location) {
            self.stores.entry(location).or_default().push(node);
        }
    }
}

impl Maker<'_> {
    /// Finds what the initialisers of classes may find that others have changed before.
    pub(super) fn find_early(&mut self) {
        let inits = self.effects.active().filter_map(|(id, body)| match body.kind {
            BodyKind::ClassInit(class) => Some((id, class)),
            _ => None,
        });
        for (init, class) in inits.collect::<Vec<_>>() {
            let Some(uses) = self.uses.get(&class) else { continue };
            let own = self.effects.made_in(init);
            let touched = &self.effects.touched[init];
            let reads = touched.reads.iter().filter(|&location| self.loose.has(location));
            let mut foreign = Bits::default();
            for location in reads {
                if !self.effects.is_own_of(self.program, class, &own, location) {
                    foreign.insert(location.index());
                }
            }
            if foreign.is_empty() {
                continue;
            }
            let (foreign, uses) = (Rc::new(foreign), uses.clone());
            let start = self.fresh(self.lowered.bodies[init].site, Role::Between);
            for user in uses {
                self.framed(start, user, EdgeKind::State, Frame::Jump);
            }
            for body in self.effects.inside(vec![init]) {
                self.loose.early.entry(body).or_default().push((Rc::clone(&foreign), start));
            }
        }
    }

    /// A node reads a location that is not followed.
    pub(super) fn reads_loose(&mut self, node: Node, body: BodyId, location: LocationId) {
        let hub = self.hub(location);
        self.framed(node, hub, EdgeKind::State, Frame::Jump);
        let early = self.loose.early.get(&body).into_iter().flatten();
        let uses: Vec<Node> =
            early.filter(|(all, _)| all.has(location.index())).map(|&(_, start)| start).collect();
        for user in uses {
            self.framed(node, user, EdgeKind::State, Frame::Jump);
        }
    }

    /// All that is stored in a location.
    fn hub(&mut self, location: LocationId) -> Node {
        if let Some(&hub) = self.loose.hubs.get(&location) {
            return hub;
        }
        let mut stores = self.loose.stores.remove(&location).unwrap_or_default();
        // What the initialiser of a class changes is changed when the class is first used.
        for class in self.effects.starts_of(location) {
            stores.extend(self.uses.get(&class).into_iter().flatten());
        }
        stores.sort_unstable();
        stores.dedup();
        let hub = match self.loose.by_stores.get(&stores) {
            Some(&hub) => hub,
            None => {
                let hub = self.fresh(self.lowered.bodies[BodyId::new(0)].site, Role::Between);
                for &node in &stores {
                    self.framed(hub, node, EdgeKind::State, Frame::Jump);
                }
                self.loose.by_stores.insert(stores, hub);
                hub
            }
        };
        self.loose.hubs.insert(location, hub);
        hub
    }
}
