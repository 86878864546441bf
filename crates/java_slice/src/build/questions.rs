//! What is asked of a graph: values with all that they hold, what starts initialisers, and the
//! calls of which nothing is known.

use dependence::{EdgeKind, Node};
use rustc_hash::FxHashMap;

use super::{At, Maker, Name, When};
use crate::ir::{BodyKind, Callee, Instr, SiteId};
use crate::lower::Role;
use crate::program::Site;

impl Maker<'_> {
    /// A value with everything that can be reached from it.
    pub(super) fn whole(&mut self, site: Site, when: When) -> Option<Node> {
        let value = self.lowered.value(site)?;
        let mut objects = self.points.of(value).to_vec();
        if objects.is_empty() {
            return None;
        }
        let at = self.place_of(value, when)?;
        let whole = self.fresh(site, Role::Value);
        self.edge(whole, value, EdgeKind::Value);
        let mut next = 0;
        let mut locations = Vec::new();
        while let Some(&object) = objects.get(next) {
            next += 1;
            for location in self.points.parts_of_object(object) {
                if locations.contains(&location) {
                    continue;
                }
                locations.push(location);
                for &inner in self.points.within(location) {
                    if !objects.contains(&inner) {
                        objects.push(inner);
                    }
                }
            }
        }
        for location in locations {
            self.reads(whole, at, Name::Heap(location), EdgeKind::Flow);
            if self.ins.contains_key(&(at.body, location)) {
                self.ask(at.body, location);
            }
            if let Some(&shared) = self.shared.get(&location) {
                self.framed(whole, shared, EdgeKind::State, dependence::Frame::Jump);
            }
        }
        if when == When::After
            && let Some(site) = self.call_with(value)
        {
            let made = self.lowered.sites[site].made;
            self.edge(whole, made, EdgeKind::Control);
        }
        Some(whole)
    }

    /// The call that a value is given to.
    fn call_with(&self, value: Node) -> Option<SiteId> {
        let is_given = |site: SiteId| {
            let call = &self.lowered.sites[site];
            let is_written = self.lowered.made.get(&call.site) == Some(&call.made);
            is_written && (call.receiver == Some(value) || call.arguments.contains(&value))
        };
        let sites = self.lowered.sites.ids();
        sites.into_iter().find(|&site| self.effects.places[site].is_some() && is_given(site))
    }

    fn place_of(&self, value: Node, when: When) -> Option<At> {
        if when == When::After
            && let Some(site) = self.call_with(value)
            && let Some((body, block, index)) = self.effects.places[site]
        {
            return Some(At { body, block, index: index + 1 });
        }
        for (body, lowered) in self.effects.active() {
            for (block, instrs) in lowered.blocks.iter().enumerate() {
                for (index, instr) in instrs.instrs.iter().enumerate() {
                    let (is_here, index) = match *instr {
                        Instr::Read { node, .. } | Instr::Load { node, .. } => {
                            (node == value, index)
                        }
                        Instr::Write { node, .. } | Instr::Store { node, .. } => {
                            (node == value, index + 1)
                        }
                        Instr::Call(site) => (self.lowered.sites[site].value == value, index + 1),
                        Instr::Use(..) => (false, index),
                    };
                    if is_here {
                        return Some(At { body, block, index });
                    }
                }
            }
        }
        let &(body, block, index) = self.lowered.places.get(&value)?;
        Some(At { body, block: block.index(), index })
    }

    /// Finds what makes the initialiser of each class run.
    pub(super) fn find_uses(&mut self) {
        for (_, body) in self.effects.active() {
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                if let Instr::Use(class, node) = *instr {
                    for above in self.program.lineage(self.program.same_class(class)) {
                        self.uses.entry(above).or_default().push(node);
                    }
                }
            }
        }
    }

    /// What makes the initialisers of classes run, for all that they run.
    pub(super) fn triggers(&self) -> FxHashMap<BodyKind, Vec<Node>> {
        let mut triggers: FxHashMap<BodyKind, Vec<Node>> = FxHashMap::default();
        for &init in &self.inits {
            let BodyKind::ClassInit(class) = self.lowered.bodies[init].kind else { continue };
            let Some(uses) = self.uses.get(&class) else { continue };
            for id in self.effects.inside(vec![init]) {
                triggers.entry(self.lowered.bodies[id].kind).or_default().extend(uses);
            }
        }
        triggers
    }

    /// The calls of which nothing is known.
    pub(super) fn unknown(&self) -> Vec<(Site, atom::Atom)> {
        let mut unknown = Vec::new();
        for (id, call) in self.lowered.sites.enumerate() {
            let is_placed = self.effects.places[id].is_some();
            if is_placed && self.points.foreign[id] == Some(crate::library::Effect::Anything) {
                let name = match call.callee {
                    Callee::Virtual { name, .. }
                    | Callee::Named { name, .. }
                    | Callee::Either { name, .. }
                    | Callee::Foreign { name } => name,
                    _ => continue,
                };
                unknown.push((call.site, name));
            }
        }
        unknown.sort_unstable_by_key(|&(site, name)| (site, name));
        unknown.dedup();
        unknown
    }
}
