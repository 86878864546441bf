//! The dependence graph: everything that crosses statements and bodies.
//!
//! Variables and locations are in static single assignment form, made on demand: whoever reads one
//! looks for the definition that reaches it, which makes the joins on the way (Braun and others,
//! *Simple and Efficient Construction of Static Single Assignment Form*, 2013). A body has a door
//! for each location that something in it gets from outside, and one for each that somebody asks
//! for after a call of it; both are made when they are asked for, so that a graph has no door that
//! nobody uses.
//!
//! A store to a part of one certain object replaces what was there; any other leaves it possible.
//! Class initialisers run at times that are not known: what they find is whatever anybody stores,
//! what they leave is what the program begins with.
//!
//! Cost: near linear in what is read, times the joins on the ways there.

pub(crate) mod loose;
mod questions;
mod threads;

use dependence::{Builder, Call, EdgeKind, Frame, Graph, Label, Node};
use ids::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::control;
use crate::effects::Effects;
use crate::ir::{BlockId, Body, BodyId, BodyKind, Instr, LocationId, Part, SiteId};
use crate::lower::{Lowered, Origin, Role};
use crate::points::{self, Points};
use crate::program::{Program, Site};
use crate::unknown::Unknown;

/// A variable or a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Name {
    Local(Node),
    Heap(LocationId),
}

/// A place in a body: in front of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct At {
    body: BodyId,
    block: usize,
    index: usize,
}

/// When the parts of an object are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum When {
    /// As the value is when it is evaluated.
    Before,
    /// After the call that it is given to.
    After,
}

/// A finished graph with what its nodes are.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) graph: Graph,
    pub(crate) origins: IdVec<Node, Origin>,
    pub(crate) values: Vec<Vec<Option<Node>>>,
    pub(crate) made: FxHashMap<Site, Node>,
    /// Variables that get other values than their first.
    pub(crate) written_again: FxHashSet<Site>,
    /// The values that were asked for with all their parts.
    pub(crate) wholes: FxHashMap<(Site, When), Node>,
    /// Bodies that something reaches.
    pub(crate) reached: FxHashSet<BodyKind>,
    /// By body that the initialiser of a class may run: what makes that run.
    pub(crate) triggers: FxHashMap<BodyKind, Vec<Node>>,
    /// Calls into code that is not part of the program, by name.
    pub(crate) unknown: Vec<(Site, atom::Atom)>,
}

struct Maker<'a> {
    program: &'a Program,
    lowered: &'a Lowered,
    points: &'a Points,
    effects: &'a Effects<'a>,
    builder: Builder,
    origins: IdVec<Node, Origin>,
    predecessors: Vec<Vec<Vec<usize>>>,
    /// By body and block: instructions that define something.
    definitions: Vec<Vec<Vec<usize>>>,
    entries: FxHashMap<(BodyId, usize, Name), Option<Node>>,
    ins: FxHashMap<(BodyId, LocationId), Node>,
    outs: FxHashMap<(BodyId, LocationId), Node>,
    call_outs: FxHashMap<(SiteId, LocationId), Node>,
    stores: FxHashMap<(BodyId, usize, usize, LocationId), Node>,
    new_ins: Vec<(BodyId, LocationId)>,
    new_outs: Vec<(BodyId, LocationId)>,
    /// Doors that whoever looks at whole objects asked for, whatever bodies touch themselves.
    asked: FxHashSet<(BodyId, LocationId)>,
    roots: FxHashSet<BodyId>,
    inits: Vec<BodyId>,
    /// By location that several threads may use at a time: whatever is stored there.
    shared: FxHashMap<LocationId, Node>,
    /// By class: what may run its initialiser.
    uses: FxHashMap<java::names::ClassId, Vec<Node>>,
    loose: loose::Loose,
}

/// Makes the graph of a program as it is entered by some bodies, with these values as wholes.
pub(crate) fn build(
    program: &Program,
    mut lowered: Lowered,
    roots: &[BodyId],
    wanted: &[(Site, When)],
    is_open: bool,
    budget: usize,
) -> Built {
    let unknown = if is_open { Unknown::add(&mut lowered, roots) } else { None };
    let builder = std::mem::take(&mut lowered.builder);
    let origins = std::mem::take(&mut lowered.origins);
    let nodes = origins.len();
    // The number of nodes is all that the analysis needs of them.
    let points = points::solve(program, &lowered, nodes, roots, unknown.as_ref());
    let effects = Effects::new(program, &lowered, &points);
    let loose = loose::Loose::new(&lowered, &points, &effects, budget);
    let mut maker = Maker {
        program,
        lowered: &lowered,
        points: &points,
        effects: &effects,
        builder,
        origins,
        predecessors: vec![Vec::new(); lowered.bodies.len()],
        definitions: vec![Vec::new(); lowered.bodies.len()],
        entries: FxHashMap::default(),
        ins: FxHashMap::default(),
        outs: FxHashMap::default(),
        call_outs: FxHashMap::default(),
        stores: FxHashMap::default(),
        new_ins: Vec::new(),
        new_outs: Vec::new(),
        asked: FxHashSet::default(),
        roots: roots.iter().copied().collect(),
        inits: Vec::new(),
        shared: FxHashMap::default(),
        uses: FxHashMap::default(),
        loose,
    };
    maker.find_uses();
    maker.find_early();
    maker.everything();
    maker.threads();
    maker.demands();
    let mut wholes = FxHashMap::default();
    for &(site, when) in wanted {
        if let Some(whole) = maker.whole(site, when) {
            wholes.insert((site, when), whole);
        }
    }
    maker.demands();
    let unknown = maker.unknown();
    let triggers = maker.triggers();
    let reached = effects.active().map(|(_, body)| body.kind).collect();
    let Maker { builder, origins, .. } = maker;
    let again =
        lowered.writes.iter().filter(|(variable, all)| all.iter().any(|it| it != *variable));
    let written_again = again.map(|(&variable, _)| origins[variable].site).collect();
    let graph = builder.finish();
    Built {
        graph,
        origins,
        values: lowered.values,
        made: lowered.made,
        wholes,
        written_again,
        reached,
        triggers,
        unknown,
    }
}

impl Maker<'_> {
    fn everything(&mut self) {
        let active: Vec<(BodyId, &Body)> = self.effects.active().collect();
        for &(id, body) in &active {
            if matches!(body.kind, BodyKind::ClassInit(_)) {
                self.inits.push(id);
            }
            self.control(id, body);
            self.index(id, body);
        }
        for &(id, body) in &active {
            self.function_text(body);
            for (block, instrs) in body.blocks.iter().enumerate() {
                for (index, instr) in instrs.instrs.iter().enumerate() {
                    self.instr(At { body: id, block, index }, *instr);
                }
            }
        }
        for &(node, variable) in &self.lowered.captured {
            for &write in self.lowered.writes.get(&variable).into_iter().flatten() {
                self.framed(node, write, EdgeKind::Flow, Frame::Jump);
            }
        }
        self.demands();
    }

    fn fresh(&mut self, site: Site, role: Role) -> Node {
        let node = self.builder.node();
        self.origins.push(Origin { site, role });
        node
    }

    fn edge(&mut self, from: Node, to: Node, kind: EdgeKind) {
        self.builder.edge(from, to, kind, Label::Same);
    }

    fn framed(&mut self, from: Node, to: Node, kind: EdgeKind, frame: Frame) {
        self.builder.framed(from, to, kind, Label::Same, frame);
    }

    // ---- Control -------------------------------------------------------------------------------

    fn control(&mut self, id: BodyId, body: &Body) {
        let real = self.effects.successors(id, body);
        let mut predecessors = vec![Vec::new(); body.blocks.len()];
        for block in control::postorder(&real, body.start.index()) {
            for &next in &real[block] {
                predecessors[next].push(block);
            }
        }
        predecessors.iter_mut().for_each(|all: &mut Vec<usize>| all.sort_unstable());
        self.predecessors[id.index()] = predecessors;
        let mut augmented = real;
        for (block, next) in body.blocks.iter().zip(&mut augmented) {
            next.extend(block.beyond.map(BlockId::index));
        }
        let depends = control::dependences(&augmented, body.start.index(), body.exit.index());
        for (index, block) in body.blocks.iter().enumerate() {
            let (handlers, leaves) = self.effects.handlers(id, block);
            if let Some(throwing) = &block.throws {
                for &handler in &handlers {
                    let caught = throwing.handlers[handler].caught;
                    self.edge(caught, throwing.by, EdgeKind::Exception);
                }
                if leaves {
                    self.edge(body.thrown, throwing.by, EdgeKind::Exception);
                }
                if leaves || !handlers.is_empty() {
                    for init in self.effects.inits(throwing).collect::<Vec<_>>() {
                        let thrown = self.lowered.bodies[init].thrown;
                        self.framed(throwing.by, thrown, EdgeKind::Exception, Frame::Jump);
                    }
                }
            }
            let Some(node) = block.node else { continue };
            // Loops may depend on nothing but each other.
            self.edge(node, body.entry, EdgeKind::Control);
            for &on in &depends[index] {
                let deciding = &body.blocks[on];
                let by = [deciding.branch, deciding.throws.as_ref().map(|throwing| throwing.by)];
                for by in by.into_iter().flatten() {
                    self.edge(node, by, EdgeKind::Control);
                }
            }
        }
    }

    fn index(&mut self, id: BodyId, body: &Body) {
        let effects = self.effects;
        let defines = |instr: &Instr| match *instr {
            Instr::Write { .. } | Instr::Store { .. } | Instr::Call(_) => true,
            Instr::Use(class, _) => !effects.started_by(class).is_empty(),
            _ => false,
        };
        let of_block = |block: &crate::ir::Block| {
            let all = block.instrs.iter().enumerate();
            all.filter(|(_, instr)| defines(instr)).map(|(index, _)| index).collect()
        };
        self.definitions[id.index()] = body.blocks.iter().map(of_block).collect();
    }

    /// What stands in a lambda or an anonymous class needs that to stand there.
    fn function_text(&mut self, body: &Body) {
        let class = match body.kind {
            BodyKind::Function(site) => {
                if let Some(value) = self.lowered.value(site) {
                    self.framed(body.entry, value, EdgeKind::Declaration, Frame::Jump);
                }
                return;
            }
            BodyKind::Method(method) => self.program.world.method(method).class,
            BodyKind::ObjectInit(class) | BodyKind::ClassInit(class) => class,
            BodyKind::Unknown { .. } => return,
        };
        let site = self.program.class_site(self.program.same_class(class));
        if let Some(parent) = self.program.parent(site) {
            let parent = Site { file: site.file, node: parent };
            if let (
                java::tree::Kind::New { .. } | java::tree::Kind::EnumConstant { .. },
                Some(value),
            ) = (self.program.kind(parent), self.lowered.value(parent))
            {
                self.framed(body.entry, value, EdgeKind::Declaration, Frame::Jump);
            }
        }
    }

    // ---- Instructions --------------------------------------------------------------------------

    fn instr(&mut self, at: At, instr: Instr) {
        match instr {
            Instr::Read { node, variable } => {
                self.reads(node, at, Name::Local(variable), EdgeKind::Flow);
            }
            Instr::Load { node, base, part } => {
                for &location in self.points.parts(base, part).iter() {
                    self.reads(node, at, Name::Heap(location), EdgeKind::Flow);
                }
            }
            Instr::Call(site) => self.call(at, site),
            Instr::Write { .. } | Instr::Store { .. } | Instr::Use(..) => {}
        }
    }

    fn reads(&mut self, node: Node, at: At, name: Name, kind: EdgeKind) {
        if let Name::Heap(location) = name
            && self.loose.has(location)
        {
            return self.reads_loose(node, at.body, location);
        }
        if let Some(definition) = self.reaching(at, name) {
            self.edge(node, definition, kind);
        }
    }

    fn call(&mut self, at: At, site: SiteId) {
        let lowered = self.lowered;
        let call = &lowered.sites[site];
        let number = Call::new(site.index());
        let (enter, leave) = (Frame::Enter(number), Frame::Leave(number));
        let targets = &self.points.targets[site];
        let callbacks = &self.points.callbacks[site];
        let is_foreign = self.points.foreign[site].is_some();
        if is_foreign || targets.is_empty() {
            for &argument in &call.arguments {
                self.edge(call.made, argument, EdgeKind::Value);
            }
            let effects = self.effects;
            for &location in &effects.library(site).0 {
                self.reads(call.made, at, Name::Heap(location), EdgeKind::Flow);
            }
        }
        for &target in targets {
            let callee = &lowered.bodies[target];
            let is_function = matches!(callee.kind, BodyKind::Function(_));
            self.framed(callee.entry, call.made, EdgeKind::Call, leave);
            if let (Some(this), Some(receiver), false) = (callee.this, call.receiver, is_function) {
                self.framed(this, receiver, EdgeKind::Input, leave);
            }
            for (parameter, argument) in points::pairs(callee, &call.arguments) {
                self.framed(parameter, argument, EdgeKind::Input, leave);
            }
            self.framed(call.value, callee.result, EdgeKind::Output, enter);
            self.framed(call.thrown, callee.thrown, EdgeKind::Exception, enter);
            let constructs = match callee.kind {
                BodyKind::Method(method) => self.program.world.method(method).is_constructor,
                BodyKind::ObjectInit(_) => true,
                _ => false,
            };
            if constructs {
                self.framed(call.made, callee.entry, EdgeKind::Declaration, enter);
            }
        }
        for &target in callbacks {
            let callee = &lowered.bodies[target];
            self.framed(callee.entry, call.made, EdgeKind::Call, leave);
            if let (Some(this), false) = (callee.this, matches!(callee.kind, BodyKind::Function(_)))
            {
                self.framed(this, call.made, EdgeKind::Input, leave);
            }
            for &parameter in &callee.parameters {
                self.framed(parameter, call.made, EdgeKind::Input, leave);
            }
            self.framed(call.made, callee.result, EdgeKind::Output, enter);
            self.framed(call.thrown, callee.thrown, EdgeKind::Exception, enter);
        }
    }

    // ---- Reaching definitions ------------------------------------------------------------------

    /// The definition that reaches a place.
    fn reaching(&mut self, at: At, name: Name) -> Option<Node> {
        stacker::maybe_grow(128 * 1024, 4 << 20, || self.reaching_here(at, name))
    }

    fn reaching_here(&mut self, mut at: At, name: Name) -> Option<Node> {
        let mut passed: Vec<usize> = Vec::new();
        loop {
            if let Some(found) = self.in_block(at, name) {
                for block in passed {
                    self.entries.insert((at.body, block, name), Some(found));
                }
                return Some(found);
            }
            let key = (at.body, at.block, name);
            if let Some(&known) = self.entries.get(&key) {
                for block in passed {
                    self.entries.insert((at.body, block, name), known);
                }
                return known;
            }
            let before = &self.predecessors[at.body.index()][at.block];
            match before.as_slice() {
                &[one] if !passed.contains(&one) && one != at.block => {
                    passed.push(at.block);
                    at = At { block: one, index: usize::MAX, ..at };
                }
                [] => {
                    let found = self.at_start(at, name);
                    self.entries.insert(key, found);
                    for block in passed {
                        self.entries.insert((at.body, block, name), found);
                    }
                    return found;
                }
                several => {
                    let several = several.to_vec();
                    let site = self.lowered.bodies[at.body].site;
                    let join = self.fresh(site, Role::Between);
                    self.entries.insert(key, Some(join));
                    for block in passed {
                        self.entries.insert((at.body, block, name), Some(join));
                    }
                    let is_start = at.block == self.lowered.bodies[at.body].start.index();
                    if is_start && let Some(found) = self.at_start(at, name) {
                        self.edge(join, found, EdgeKind::Flow);
                    }
                    for block in several {
                        let end = At { block, index: usize::MAX, ..at };
                        if let Some(found) = self.reaching(end, name) {
                            self.edge(join, found, EdgeKind::Flow);
                        }
                    }
                    return Some(join);
                }
            }
        }
    }

    /// What a body begins with.
    fn at_start(&mut self, at: At, name: Name) -> Option<Node> {
        match name {
            Name::Local(_) => None,
            Name::Heap(location) if at.block == self.lowered.bodies[at.body].start.index() => {
                Some(self.door_in(at.body, location))
            }
            Name::Heap(_) => None,
        }
    }

    /// The last definition in a block in front of a place.
    fn in_block(&mut self, at: At, name: Name) -> Option<Node> {
        let lowered = self.lowered;
        let count = self.definitions[at.body.index()][at.block].len();
        for position in (0..count).rev() {
            let index = self.definitions[at.body.index()][at.block][position];
            if index >= at.index {
                continue;
            }
            let found = match (lowered.bodies[at.body].blocks[at.block].instrs[index], name) {
                (Instr::Write { node, variable }, Name::Local(wanted)) if variable == wanted => {
                    Some(node)
                }
                (Instr::Store { node, base, part, .. }, Name::Heap(location)) => {
                    self.stored(At { index, ..at }, node, base, part, location)
                }
                (Instr::Call(site), Name::Heap(location)) => {
                    self.door_out_of_call(At { index, ..at }, site, location)
                }
                (Instr::Use(class, node), Name::Heap(location)) => {
                    self.door_out_of_start(At { index, ..at }, class, node, location)
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What a store leaves in a location, if it may change it.
    fn stored(
        &mut self,
        at: At,
        node: Node,
        base: Node,
        part: Part,
        location: LocationId,
    ) -> Option<Node> {
        if !self.points.may_touch(base, part, location) {
            return None;
        }
        if self.effects.is_strong(at.body, base, location) {
            return Some(node);
        }
        let key = (at.body, at.block, at.index, location);
        if let Some(&known) = self.stores.get(&key) {
            return Some(known);
        }
        let site = self.lowered.bodies[at.body].site;
        let store = self.fresh(site, Role::Between);
        self.stores.insert(key, store);
        self.edge(store, node, EdgeKind::Flow);
        if let Some(old) = self.reaching(at, Name::Heap(location)) {
            self.edge(store, old, EdgeKind::Flow);
        }
        Some(store)
    }

    /// What the use of a class leaves in a location, if its initialiser may change it.
    fn door_out_of_start(
        &mut self,
        at: At,
        class: java::names::ClassId,
        node: Node,
        location: LocationId,
    ) -> Option<Node> {
        let effects = self.effects;
        let starting = effects.started_by(class).iter();
        let inits: Vec<BodyId> = starting
            .filter(|(init, writes)| *init != at.body && writes.has(location))
            .map(|(init, _)| *init)
            .collect();
        if inits.is_empty() {
            return None;
        }
        let key = (at.body, at.block, at.index, location);
        if let Some(&known) = self.stores.get(&key) {
            return Some(known);
        }
        let out = self.fresh(self.lowered.bodies[at.body].site, Role::Between);
        self.stores.insert(key, out);
        self.edge(out, node, EdgeKind::Control);
        for init in inits {
            let door = self.door_out(init, location);
            self.framed(out, door, EdgeKind::State, Frame::Jump);
        }
        // It has run already, perhaps.
        if let Some(old) = self.reaching(at, Name::Heap(location)) {
            self.edge(out, old, EdgeKind::Flow);
        }
        Some(out)
    }

    /// What a call leaves in a location, if it may change it.
    fn door_out_of_call(&mut self, at: At, site: SiteId, location: LocationId) -> Option<Node> {
        if let Some(&known) = self.call_outs.get(&(site, location)) {
            return Some(known);
        }
        let targets = self.effects.all_targets(site);
        let writing: Vec<BodyId> = targets
            .iter()
            .copied()
            .filter(|&target| self.effects.call_writes(site, target, location))
            .collect();
        let (_, library) = self.effects.library(site);
        let by_library = library.binary_search(&location).is_ok();
        if writing.is_empty() && !by_library {
            return None;
        }
        let call = &self.lowered.sites[site];
        let out = self.fresh(call.site, Role::Between);
        self.call_outs.insert((site, location), out);
        self.edge(out, call.made, EdgeKind::Control);
        for &target in &writing {
            let door = self.door_out(target, location);
            let frame = Frame::Enter(Call::new(site.index()));
            self.framed(out, door, EdgeKind::Output, frame);
        }
        // Somebody else may run who does not write it; who writes it in a library changes it.
        let is_foreign = self.points.foreign[site].is_some();
        let is_certain = writing.len() == self.points.targets[site].len()
            && !is_foreign
            && self.points.callbacks[site].is_empty();
        if !is_certain && let Some(old) = self.reaching(at, Name::Heap(location)) {
            self.edge(out, old, EdgeKind::Flow);
        }
        Some(out)
    }

    fn door_in(&mut self, body: BodyId, location: LocationId) -> Node {
        if let Some(&door) = self.ins.get(&(body, location)) {
            return door;
        }
        let door = self.fresh(self.lowered.bodies[body].site, Role::Between);
        self.ins.insert((body, location), door);
        self.new_ins.push((body, location));
        door
    }

    /// Somebody looks at whole objects in a body: what they hold there comes from every caller.
    fn ask(&mut self, body: BodyId, location: LocationId) {
        if !self.loose.has(location) && self.asked.insert((body, location)) {
            self.door_in(body, location);
            self.new_ins.push((body, location));
        }
    }

    fn door_out(&mut self, body: BodyId, location: LocationId) -> Node {
        if let Some(&door) = self.outs.get(&(body, location)) {
            return door;
        }
        let door = self.fresh(self.lowered.bodies[body].site, Role::Between);
        self.outs.insert((body, location), door);
        self.new_outs.push((body, location));
        door
    }

    /// Connects doors until none is new.
    fn demands(&mut self) {
        loop {
            if let Some((body, location)) = self.new_outs.pop() {
                let exit = self.lowered.bodies[body].exit.index();
                let at = At { body, block: exit, index: usize::MAX };
                let door = self.outs[&(body, location)];
                self.reads(door, at, Name::Heap(location), EdgeKind::Flow);
                continue;
            }
            let Some((body, location)) = self.new_ins.pop() else { return };
            self.connect_in(body, location);
        }
    }

    fn connect_in(&mut self, body: BodyId, location: LocationId) {
        let door = self.ins[&(body, location)];
        for site in self.effects.callers[body].clone() {
            let Some((caller, block, index)) = self.effects.places[site] else { continue };
            // What a call does not touch it has no need of, unless somebody looks at whole objects.
            let is_asked = self.asked.contains(&(body, location));
            if !is_asked
                && self.effects.touches(body, location)
                && !self.effects.call_touches(site, body, location)
            {
                continue;
            }
            let frame = Frame::Leave(Call::new(site.index()));
            let at = At { body: caller, block, index };
            if let Some(found) = self.reaching(at, Name::Heap(location)) {
                self.framed(door, found, EdgeKind::Input, frame);
            }
            if is_asked && self.ins.contains_key(&(caller, location)) {
                self.ask(caller, location);
            }
            // A library may call back several times, and change what it holds in between.
            if self.points.foreign[site].is_some()
                && let Some(out) = self.door_out_of_call(at, site, location)
            {
                self.framed(door, out, EdgeKind::Flow, frame);
            }
        }
        let kind = self.lowered.bodies[body].kind;
        let is_init = matches!(kind, BodyKind::ClassInit(_));
        if self.roots.contains(&body) || is_init {
            for init in self.inits.clone() {
                if init != body && self.effects.touched[init].writes.has(location) {
                    let out = self.door_out(init, location);
                    self.framed(door, out, EdgeKind::State, Frame::Jump);
                }
            }
        }
        if is_init {
            self.anybody(door, location, body);
        }
    }

    /// Whatever anybody stores in a location.
    fn anybody(&mut self, door: Node, location: LocationId, but: BodyId) {
        let is_wanted = |id, kind| id != but && !matches!(kind, BodyKind::ClassInit(_));
        let stores = self.stores_of(location, is_wanted);
        // When it runs decides what it finds.
        let uses = match self.lowered.bodies[but].kind {
            BodyKind::ClassInit(class) if !stores.is_empty() => {
                self.uses.get(&class).cloned().unwrap_or_default()
            }
            _ => Vec::new(),
        };
        for node in stores.into_iter().chain(uses) {
            self.framed(door, node, EdgeKind::State, Frame::Jump);
        }
    }

    /// What stores something in a location, in bodies that are wanted.
    fn stores_of(
        &self,
        location: LocationId,
        is_wanted: impl Fn(BodyId, BodyKind) -> bool,
    ) -> Vec<Node> {
        let mut found = Vec::new();
        for (_, body) in self.effects.active().filter(|(id, body)| is_wanted(*id, body.kind)) {
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                match *instr {
                    Instr::Store { node, base, part, .. }
                        if self.points.may_touch(base, part, location) =>
                    {
                        found.push(node);
                    }
                    Instr::Call(site)
                        if self.effects.library(site).1.binary_search(&location).is_ok() =>
                    {
                        found.push(self.lowered.sites[site].made);
                    }
                    _ => {}
                }
            }
        }
        found
    }
}
