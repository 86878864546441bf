//! What threads do to each other.
//!
//! Where a program starts threads, what their bodies may use and somebody writes is shared: whoever
//! reads it may find whatever anybody stores, whenever. When threads get at it is a matter of how
//! they wait for each other, so such a value needs everything by which the program does that: calls
//! like `wait`, `join` and `countDown`, and loops until something shared has changed.
//!
//! Cost: a node for each shared location, and edges to all that is stored there.

use dependence::{EdgeKind, Frame, Node};
use rustc_hash::FxHashSet;

use super::Maker;
use crate::control::cyclic;
use crate::ir::{Body, BodyId, Callee, Instr, LocationId, SiteId};
use crate::library;
use crate::lower::Role;

impl Maker<'_> {
    /// Connects what threads share.
    pub(super) fn threads(&mut self) {
        let inside = self.threaded();
        if inside.is_empty() {
            return;
        }
        let effects = self.effects;
        let mut used: FxHashSet<LocationId> = FxHashSet::default();
        let mut written: FxHashSet<LocationId> = FxHashSet::default();
        for (id, body) in effects.active() {
            let is_inside = inside.contains(&id);
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                let (reads, writes) = self.locations(*instr);
                if is_inside {
                    used.extend(reads.iter().chain(&writes));
                }
                written.extend(writes);
            }
        }
        let mut all: Vec<LocationId> = used.intersection(&written).copied().collect();
        all.sort_unstable();
        if all.is_empty() {
            return;
        }
        let waiting = self.waiting();
        for location in all {
            let object = self.points.objects[self.points.locations[location].0];
            let site = match object {
                crate::ir::ObjectKind::New(site, _)
                | crate::ir::ObjectKind::Array(site)
                | crate::ir::ObjectKind::Foreign(site) => site,
                _ => self.lowered.bodies[*self.roots.iter().min().unwrap_or(&BodyId::new(0))].site,
            };
            let hub = self.fresh(site, Role::Between);
            self.shared.insert(location, hub);
            self.framed(hub, waiting, EdgeKind::State, Frame::Jump);
            for node in self.stores_of(location, |_, _| true) {
                self.framed(hub, node, EdgeKind::State, Frame::Jump);
            }
        }
        self.shared_reads(waiting);
    }

    /// Whoever reads something shared may find what anybody stores; loops that do so wait.
    fn shared_reads(&mut self, waiting: Node) {
        let effects = self.effects;
        for (id, body) in effects.active() {
            let loops = cyclic(&effects.successors(id, body));
            for (index, block) in body.blocks.iter().enumerate() {
                let mut is_reading = false;
                for &instr in &block.instrs {
                    let node = match instr {
                        Instr::Load { node, .. } => node,
                        Instr::Call(site) => self.lowered.sites[site].made,
                        _ => continue,
                    };
                    for location in self.locations(instr).0 {
                        if let Some(&hub) = self.shared.get(&location) {
                            is_reading = true;
                            self.framed(node, hub, EdgeKind::State, Frame::Jump);
                        }
                    }
                }
                if is_reading && loops[index] {
                    self.waits(body, &loops, waiting);
                }
            }
        }
    }

    /// The conditions of the loops of a body.
    fn waits(&mut self, body: &Body, loops: &[bool], waiting: Node) {
        for (block, _) in body.blocks.iter().zip(loops).filter(|(_, is_in_loop)| **is_in_loop) {
            if let Some(branch) = block.branch {
                self.framed(waiting, branch, EdgeKind::State, Frame::Jump);
            }
        }
    }

    /// What an instruction reads and writes of the heap by itself.
    fn locations(&self, instr: Instr) -> (Vec<LocationId>, Vec<LocationId>) {
        match instr {
            Instr::Load { base, part, .. } => (self.points.parts(base, part).to_vec(), Vec::new()),
            Instr::Store { base, part, .. } => (Vec::new(), self.points.parts(base, part).to_vec()),
            Instr::Call(site) => self.effects.library(site).clone(),
            _ => Default::default(),
        }
    }

    /// The bodies that may run in threads of their own.
    fn threaded(&self) -> FxHashSet<BodyId> {
        let mut pending: Vec<BodyId> = Vec::new();
        for (id, call) in self.lowered.sites.enumerate() {
            if self.effects.places[id].is_some()
                && name_of(call.callee).is_some_and(library::starts_threads)
            {
                pending.extend(&self.points.callbacks[id]);
            }
        }
        self.effects.inside(pending).into_iter().collect()
    }

    /// A node that needs all calls by which threads wait for each other.
    fn waiting(&mut self) -> Node {
        let sites: Vec<(SiteId, Node)> = self
            .lowered
            .sites
            .enumerate()
            .filter(|(id, call)| {
                self.effects.places[*id].is_some()
                    && self.points.foreign[*id].is_some()
                    && name_of(call.callee).is_some_and(library::synchronises)
            })
            .map(|(id, call)| (id, call.made))
            .collect();
        let root = self.roots.iter().min().copied().unwrap_or(BodyId::new(0));
        let waiting = self.fresh(self.lowered.bodies[root].site, Role::Between);
        for (_, made) in sites {
            self.framed(waiting, made, EdgeKind::State, Frame::Jump);
        }
        waiting
    }
}

fn name_of(callee: Callee) -> Option<&'static str> {
    match callee {
        Callee::Virtual { name, .. }
        | Callee::Named { name, .. }
        | Callee::Either { name, .. }
        | Callee::Foreign { name } => {
            let name = name.as_str();
            Some(name.rsplit('.').next().unwrap_or(name))
        }
        _ => None,
    }
}
