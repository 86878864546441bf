//! Which objects values can be, and what calls run.
//!
//! Andersen's analysis (1994) on the fly with the call graph: objects are the places that make
//! them, parts of objects are told apart, the order of statements and the contexts of calls are
//! not. Only bodies that something reaches are looked at. Objects of classes that are not part of
//! the program hold one set of things ([`Part::Content`]); what a call into a library can get hold
//! of is the content of an object of its own, the pool of that call.
//!
//! What is entered from outside ([`Unknown`]) gets things of which nothing is known, which hold
//! whatever code that nobody knows got hold of. A pool with such a thing in it is the same as what
//! that thing holds: all these pools are one, the library's, with one location
//! ([`Points::shared`]), and two bodies stand for all that the calls of such pools may run. Of own
//! objects that such code can get hold of, or has made, each field is one location, too.
//!
//! Cost: at worst cubic in the size of the program, near linear in practice: differences are
//! propagated as words of 64 objects, and what is part of the other both ways is one set
//! (union-find).

mod sets;

use dependence::Node;
use ids::IdVec;
use java::names::{ClassId, FieldId, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::bits::Bits;

use crate::ir::{BodyId, BodyKind, Callee, Instr, LocationId, ObjectId, ObjectKind, Part, SiteId};
use crate::library::{self, Effect};
use crate::lower::Lowered;
use crate::program::Program;
use crate::unknown::Unknown;

/// A call into a library that calls back more than so much, where anybody may call anything, is one
/// of code that nobody knows.
const MANY: usize = 16;

ids::ids! {
    /// What has a set of objects: a node or a location.
    Holder;
}

/// The locations of a part of all objects of a set.
type PartsOfSets = FxHashMap<(usize, Part), Rc<[LocationId]>>;

/// What is known when nothing changes any more.
#[derive(Debug)]
pub(crate) struct Points {
    pub(crate) objects: IdVec<ObjectId, ObjectKind>,
    pub(crate) locations: IdVec<LocationId, (ObjectId, Part)>,
    location_of: FxHashMap<(ObjectId, Part), LocationId>,
    /// Sets that are equal are there once, in order.
    sets: Vec<Vec<ObjectId>>,
    set_of: Vec<usize>,
    location_holders: Vec<Holder>,
    parts: RefCell<PartsOfSets>,
    /// Locations of more than one object: those of what code that nobody knows can get hold of.
    pub(crate) shared: FxHashSet<LocationId>,
    pub(crate) active: IdVec<BodyId, bool>,
    /// By call: what it may run, in order.
    pub(crate) targets: IdVec<SiteId, Vec<BodyId>>,
    /// By call: what it calls back in a library.
    pub(crate) callbacks: IdVec<SiteId, Vec<BodyId>>,
    /// By call: whether it may run code that is not part of the program, and what it does.
    pub(crate) foreign: IdVec<SiteId, Option<Effect>>,
    /// By call into a library: its pool.
    pub(crate) pools: FxHashMap<SiteId, ObjectId>,
}

impl Points {
    /// The objects that a value can be.
    pub(crate) fn of(&self, node: Node) -> &[ObjectId] {
        self.set_of.get(node.index()).map_or(&[], |&set| &self.sets[set])
    }

    /// Whether a value can be an object.
    pub(crate) fn may_be(&self, node: Node, object: ObjectId) -> bool {
        self.of(node).binary_search(&object).is_ok()
    }

    pub(crate) fn location(&self, object: ObjectId, part: Part) -> Option<LocationId> {
        self.location_of.get(&(object, part)).copied()
    }

    pub(crate) fn within(&self, location: LocationId) -> &[ObjectId] {
        &self.sets[self.set_of[self.location_holders[location.index()].index()]]
    }

    /// The locations of a part of whatever a value can be.
    pub(crate) fn parts(&self, base: Node, part: Part) -> Rc<[LocationId]> {
        match self.set_of.get(base.index()) {
            Some(&set) => self.parts_of(set, part),
            None => Rc::new([]),
        }
    }

    /// The locations of a part of whatever is held in a location.
    pub(crate) fn parts_within(&self, location: LocationId, part: Part) -> Rc<[LocationId]> {
        self.parts_of(self.set_of[self.location_holders[location.index()].index()], part)
    }

    fn parts_of(&self, set: usize, part: Part) -> Rc<[LocationId]> {
        if let Some(known) = self.parts.borrow().get(&(set, part)) {
            return Rc::clone(known);
        }
        let objects = self.sets[set].iter();
        let mut all: Vec<LocationId> =
            objects.filter_map(|&object| self.location(object, part)).collect();
        all.sort_unstable();
        all.dedup();
        let all: Rc<[LocationId]> = all.into();
        self.parts.borrow_mut().insert((set, part), Rc::clone(&all));
        all
    }

    /// The locations of all parts of an object but the one around it, in order.
    pub(crate) fn parts_of_object(&self, object: ObjectId) -> Vec<LocationId> {
        let parts = self.locations.iter().filter(|(of, _)| *of == object);
        let parts = parts.filter(|(_, part)| !matches!(part, Part::Outer(_)));
        parts.filter_map(|&(of, part)| self.location(of, part)).collect()
    }

    /// Whether a part of what a value can be may be in a location.
    pub(crate) fn may_touch(&self, base: Node, part: Part, location: LocationId) -> bool {
        if self.shared.contains(&location) {
            return self.parts(base, part).binary_search(&location).is_ok();
        }
        let object = self.locations[location].0;
        self.location(object, part) == Some(location) && self.may_be(base, object)
    }

    /// Whether a location may be part of what a value can be.
    pub(crate) fn may_hold(&self, base: Node, location: LocationId) -> bool {
        let (object, part) = self.locations[location];
        match (self.shared.contains(&location), part) {
            (false, _) => self.may_be(base, object),
            (true, Part::Content | Part::Element | Part::Length) => {
                [Part::Content, Part::Element, Part::Length]
                    .iter()
                    .any(|&part| self.may_touch(base, part, location))
            }
            (true, _) => self.may_touch(base, part, location),
        }
    }
}

/// What depends on the objects of a holder.
#[derive(Clone, Debug, Default)]
struct Uses {
    copies: Vec<Holder>,
    loads: Vec<(Part, Holder)>,
    stores: Vec<(Part, Holder)>,
    calls: Vec<SiteId>,
    pools: Vec<SiteId>,
}

struct Solver<'a> {
    program: &'a Program,
    lowered: &'a Lowered,
    unknown: Option<&'a Unknown>,
    out: Points,
    object_ids: FxHashMap<ObjectKind, ObjectId>,
    /// Holders that are one have one of them as their root.
    parents: Vec<Holder>,
    sets: Vec<Bits>,
    /// What of the sets was not passed on yet.
    fresh: Vec<Bits>,
    uses: Vec<Uses>,
    known_copies: FxHashSet<u64>,
    /// Uses of what has become one with something else, that do not know some objects yet.
    late: Vec<(Uses, Bits)>,
    pending: VecDeque<Holder>,
    bodies: Vec<BodyId>,
    active_sites: Vec<SiteId>,
    inits: FxHashSet<ClassId>,
    called_back: FxHashMap<(ClassId, bool), Rc<[MethodId]>>,
    known_callbacks: FxHashSet<(SiteId, BodyId)>,
    /// What the library's objects hold.
    library: Option<Holder>,
    /// What it can get hold of.
    escaped: Bits,
    fields: FxHashMap<ObjectId, Vec<(FieldId, Holder)>>,
    /// By field: what it holds in objects that the library can get hold of.
    escaped_fields: FxHashMap<FieldId, Holder>,
}

/// Follows a program from where it is entered.
pub(crate) fn solve(
    program: &Program,
    lowered: &Lowered,
    nodes: usize,
    roots: &[BodyId],
    unknown: Option<&Unknown>,
) -> Points {
    let sites = lowered.sites.len();
    let out = Points {
        objects: IdVec::new(),
        locations: IdVec::new(),
        location_of: FxHashMap::default(),
        sets: Vec::new(),
        set_of: Vec::new(),
        location_holders: Vec::new(),
        parts: RefCell::default(),
        shared: FxHashSet::default(),
        active: IdVec::filled(false, lowered.bodies.len()),
        targets: IdVec::filled(Vec::new(), sites),
        callbacks: IdVec::filled(Vec::new(), sites),
        foreign: IdVec::filled(None, sites),
        pools: FxHashMap::default(),
    };
    let mut solver = Solver {
        program,
        lowered,
        unknown,
        out,
        object_ids: FxHashMap::default(),
        parents: ids::first(nodes).collect(),
        sets: vec![Bits::default(); nodes],
        fresh: vec![Bits::default(); nodes],
        uses: vec![Uses::default(); nodes],
        known_copies: FxHashSet::default(),
        late: Vec::new(),
        pending: VecDeque::new(),
        bodies: Vec::new(),
        active_sites: Vec::new(),
        inits: FxHashSet::default(),
        called_back: FxHashMap::default(),
        known_callbacks: FxHashSet::default(),
        library: None,
        escaped: Bits::default(),
        fields: FxHashMap::default(),
        escaped_fields: FxHashMap::default(),
    };
    if unknown.is_some() {
        let anything = solver.object(ObjectKind::Anything);
        solver.library = solver.part_holder(anything, Part::Content);
    }
    if let Some(unknown) = unknown {
        // Whoever enters the program from outside is such code.
        solver.start_hub(&unknown.any);
        solver.exported_statics();
    }
    for &root in roots {
        solver.activate(root);
        solver.unknown_inputs(root);
        solver.unknown_outputs(root);
    }
    solver.run();
    solver.finish()
}

fn holder(node: Node) -> Holder {
    Holder::new(node.index())
}

impl Solver<'_> {
    fn run(&mut self) {
        loop {
            self.propagate();
            // Whoever is called on no object at all is called on a text or a number.
            let mut changed = false;
            for index in 0..self.active_sites.len() {
                let site = self.active_sites[index];
                let call = &self.lowered.sites[site];
                if let Callee::Virtual { method: None, name, is_implicit: false } = call.callee
                    && self.out.targets[site].is_empty()
                    && self.out.foreign[site].is_none()
                {
                    self.foreign(site, name);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn propagate(&mut self) {
        loop {
            if let Some(body) = self.bodies.pop() {
                self.enter(body);
            } else if let Some((uses, objects)) = self.late.pop() {
                self.pass_on(&uses, &objects);
            } else if let Some(at) = self.pending.pop_front() {
                let at = self.root(at);
                let objects = std::mem::take(&mut self.fresh[at.index()]);
                if objects.is_empty() {
                    continue;
                }
                // What is added meanwhile looks at all that is there by itself.
                let uses = self.uses[at.index()].clone();
                self.pass_on(&uses, &objects);
            } else {
                return;
            }
        }
    }

    fn pass_on(&mut self, uses: &Uses, objects: &Bits) {
        for &to in &uses.copies {
            self.join(to, objects);
        }
        for object in objects.iter().map(ObjectId::new) {
            for &(part, to) in &uses.loads {
                if let Some(from) = self.part_holder(object, part) {
                    self.copy(from, to);
                }
            }
            for &(part, from) in &uses.stores {
                if let Some(to) = self.part_holder(object, part) {
                    self.copy(from, to);
                }
            }
            for &site in &uses.calls {
                self.called_on(site, object);
            }
            for &site in &uses.pools {
                self.in_pool(site, object);
            }
        }
    }

    fn object(&mut self, kind: ObjectKind) -> ObjectId {
        if let Some(&object) = self.object_ids.get(&kind) {
            return object;
        }
        let object = self.out.objects.push(kind);
        self.object_ids.insert(kind, object);
        object
    }

    /// Whether objects of a kind have a part.
    fn has(&self, kind: ObjectKind, part: Part) -> bool {
        match (kind, part) {
            (ObjectKind::Statics, Part::Field(field)) => self.program.world.field(field).is_static,
            (ObjectKind::New(_, class) | ObjectKind::Somebodys(class), Part::Field(field)) => {
                let info = self.program.world.field(field);
                let owner = self.program.same_class(info.class);
                !info.is_static && self.program.is_subclass(class, owner)
            }
            (ObjectKind::New(..) | ObjectKind::Somebodys(_), Part::Outer(_)) => true,
            (ObjectKind::New(_, class) | ObjectKind::Somebodys(class), Part::Content) => {
                let lineage = self.program.lineage(class);
                lineage.iter().any(|&above| !self.program.foreign(above).is_empty())
            }
            (ObjectKind::Array(_), Part::Element | Part::Length) => true,
            (ObjectKind::Foreign(_), Part::Content) => true,
            (ObjectKind::Anything, Part::Content | Part::Element | Part::Length) => true,
            _ => false,
        }
    }

    fn part_holder(&mut self, object: ObjectId, part: Part) -> Option<Holder> {
        if let Some(&location) = self.out.location_of.get(&(object, part)) {
            return Some(self.out.location_holders[location.index()]);
        }
        let kind = self.out.objects[object];
        if matches!(kind, ObjectKind::Foreign(_)) && matches!(part, Part::Element | Part::Length) {
            // It may be an array: its elements are what it holds.
            let holder = self.part_holder(object, Part::Content)?;
            let location = self.out.location_of[&(object, Part::Content)];
            self.out.location_of.insert((object, part), location);
            return Some(holder);
        }
        if !self.has(kind, part) {
            return None;
        }
        let location = self.out.locations.push((object, part));
        self.out.location_of.insert((object, part), location);
        let holder = Holder::new(self.parents.len());
        self.parents.push(holder);
        self.sets.push(Bits::default());
        self.fresh.push(Bits::default());
        self.uses.push(Uses::default());
        self.out.location_holders.push(holder);
        if let (Part::Field(field), Some(_)) = (part, self.library) {
            if self.is_escaped(object) {
                self.escaped_field(field, holder);
            } else {
                self.fields.entry(object).or_default().push((field, holder));
            }
        }
        // What somebody else has made holds what somebody else has made.
        match (kind, part) {
            (ObjectKind::Somebodys(_), Part::Field(field)) => {
                let ty = self.program.world.field(field).ty;
                self.somebodys(holder, ty);
            }
            (ObjectKind::Somebodys(_), Part::Outer(class)) => {
                let object = self.object(ObjectKind::Somebodys(class));
                self.add(holder, object);
            }
            (ObjectKind::Anything, Part::Content | Part::Element) => {
                let anything = self.object(ObjectKind::Anything);
                self.add(holder, anything);
            }
            _ => {}
        }
        Some(holder)
    }

    /// A value of a type that comes from outside.
    fn somebodys(&mut self, to: Holder, ty: java::names::types::Ty) {
        use java::names::types::TypeKind;
        match self.program.world.types.kind(ty).clone() {
            _ if self.program.is_plain(ty) => {}
            TypeKind::Class(class, _) if self.program.is_own(class) => {
                let class = self.program.same_class(class);
                let all: Vec<ClassId> = self.program.classes().collect();
                for sub in all {
                    if self.program.is_subclass(sub, class) && !self.program.is_interface(sub) {
                        let object = self.object(ObjectKind::Somebodys(sub));
                        self.add(to, object);
                    }
                }
                if self.program.is_interface(class) {
                    let anything = self.object(ObjectKind::Anything);
                    self.add(to, anything);
                }
            }
            _ => {
                let anything = self.object(ObjectKind::Anything);
                self.add(to, anything);
            }
        }
    }

    /// What a body that is entered from outside is given.
    fn unknown_inputs(&mut self, body: BodyId) {
        let lowered = &self.lowered.bodies[body];
        let BodyKind::Method(method) = lowered.kind else { return };
        let info = self.program.world.method(method);
        if info.is_static && info.name.as_str() == "main" {
            return;
        }
        let class = self.program.same_class(info.class);
        if let Some(this) = lowered.this {
            let object = self.object(ObjectKind::Somebodys(class));
            self.add(holder(this), object);
        }
        for (&parameter, &ty) in lowered.parameters.iter().zip(&info.parameters) {
            self.somebodys(holder(parameter), ty);
        }
    }

    /// What static fields hold that code of other packages may use.
    fn exported_statics(&mut self) {
        let statics = self.object(ObjectKind::Statics);
        let program = self.program;
        for index in 0..program.world.fields.len() {
            let field = FieldId(index as u32);
            let is_static = program.world.field(field).is_static;
            if is_static
                && program.same_field(field) == field
                && program.exported_field(field).0
                && let Some(holder) = self.part_holder(statics, Part::Field(field))
            {
                self.exported_field(field, holder);
            }
        }
    }

    /// A field of an object that code of other packages may get hold of.
    pub(super) fn exported_field(&mut self, field: FieldId, of: Holder) {
        let (is_exported, is_written) = self.program.exported_field(field);
        if let (true, Some(library)) = (is_exported, self.library) {
            self.copy(of, library);
            if is_written {
                let ty = self.program.world.field(field).ty;
                self.somebodys(of, ty);
            }
        }
    }

    /// What a body that is entered from outside gives out, anybody may use.
    fn unknown_outputs(&mut self, body: BodyId) {
        let lowered = &self.lowered.bodies[body];
        if let Some(library) = self.library {
            self.copy(holder(lowered.result), library);
            self.copy(holder(lowered.thrown), library);
        }
    }

    // ---- Bodies --------------------------------------------------------------------------------

    fn activate(&mut self, body: BodyId) {
        if !std::mem::replace(&mut self.out.active[body], true) {
            self.bodies.push(body);
        }
    }

    fn activate_kind(&mut self, kind: BodyKind) -> Option<BodyId> {
        let body = *self.lowered.by_kind.get(&kind)?;
        self.activate(body);
        Some(body)
    }

    fn enter(&mut self, id: BodyId) {
        let lowered = self.lowered;
        let body = &lowered.bodies[id];
        if let BodyKind::Method(method) = body.kind {
            let class = self.program.same_class(self.program.world.method(method).class);
            self.class_used(class);
        }
        for &(node, kind, _) in &body.made {
            let object = self.object(kind);
            self.add(holder(node), object);
        }
        for &(from, to) in &body.copies {
            self.copy(holder(from), holder(to));
        }
        for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
            match *instr {
                Instr::Load { node, base, part } => {
                    self.uses_of(holder(base)).loads.push((part, holder(node)));
                    self.again(holder(base), |solver, object| {
                        if let Some(from) = solver.part_holder(object, part) {
                            solver.copy(from, holder(node));
                        }
                    });
                }
                Instr::Store { base, part, value, .. } => {
                    self.uses_of(holder(base)).stores.push((part, holder(value)));
                    self.again(holder(base), |solver, object| {
                        if let Some(to) = solver.part_holder(object, part) {
                            solver.copy(holder(value), to);
                        }
                    });
                }
                Instr::Call(site) => self.call(site),
                Instr::Use(class, _) => self.class_used(class),
                Instr::Read { .. } | Instr::Write { .. } => {}
            }
        }
    }

    fn uses_of(&mut self, at: Holder) -> &mut Uses {
        let at = self.root(at);
        &mut self.uses[at.index()]
    }

    fn again(&mut self, at: Holder, mut each: impl FnMut(&mut Self, ObjectId)) {
        let at = self.root(at);
        let objects = self.sets[at.index()].clone();
        for object in objects.iter().map(ObjectId::new) {
            each(self, object);
        }
    }

    fn class_used(&mut self, class: ClassId) {
        for above in self.program.lineage(class) {
            if self.inits.insert(above) {
                self.activate_kind(BodyKind::ClassInit(above));
            }
        }
    }

    // ---- Calls ---------------------------------------------------------------------------------

    fn call(&mut self, site: SiteId) {
        let call = &self.lowered.sites[site];
        self.active_sites.push(site);
        match call.callee {
            Callee::Body(kind) => self.target_or_foreign(site, kind),
            Callee::Named { class, name } => {
                for method in self.program.methods_named(class, name, call.arguments.len()) {
                    self.target_or_foreign(site, BodyKind::Method(method));
                }
            }
            Callee::Either { class, name } => {
                let count = call.arguments.len();
                for count in (0..=count).rev() {
                    for method in self.program.methods_named(class, name, count) {
                        self.target_or_foreign(site, BodyKind::Method(method));
                    }
                }
                self.foreign(site, name);
            }
            Callee::Constructors { class } => {
                for method in self.program.world.class(class).constructors.clone() {
                    if self.program.takes(method, call.arguments.len()) {
                        let method = self.program.same_method(method);
                        self.target_or_foreign(site, BodyKind::Method(method));
                    }
                }
            }
            Callee::Foreign { name } => self.foreign(site, name),
            Callee::Virtual { .. } => {
                if let Some(receiver) = call.receiver {
                    self.uses_of(holder(receiver)).calls.push(site);
                    self.again(holder(receiver), |solver, object| solver.called_on(site, object));
                }
            }
            Callee::Nothing => {}
        }
    }

    fn target_or_foreign(&mut self, site: SiteId, kind: BodyKind) {
        match self.activate_kind(kind) {
            Some(body) => self.target(site, body, true),
            // Native, or abstract.
            None => self.foreign(site, atom::Atom::new("")),
        }
    }

    /// A call runs a body; `with_this` if on its receiver, whatever that is.
    fn target(&mut self, site: SiteId, body: BodyId, with_this: bool) {
        if self.out.targets[site].contains(&body) {
            return;
        }
        self.out.targets[site].push(body);
        let lowered = self.lowered;
        let (call, callee) = (&lowered.sites[site], &lowered.bodies[body]);
        if let (true, Some(this), Some(receiver)) = (with_this, callee.this, call.receiver) {
            self.copy(holder(receiver), holder(this));
        }
        for (parameter, argument) in pairs(callee, &call.arguments) {
            self.copy(holder(argument), holder(parameter));
            if callee.is_varargs && callee.parameters.last() == Some(&parameter) {
                // An array that nobody wrote.
                let array = self.object(ObjectKind::Array(call.site));
                self.add(holder(parameter), array);
                if let Some(element) = self.part_holder(array, Part::Element) {
                    self.copy(holder(argument), element);
                }
                self.part_holder(array, Part::Length);
            }
        }
        self.copy(holder(callee.result), holder(call.value));
        self.copy(holder(callee.thrown), holder(call.thrown));
    }

    /// The receiver of a call can be this object.
    fn called_on(&mut self, site: SiteId, object: ObjectId) {
        let call = &self.lowered.sites[site];
        let Callee::Virtual { method, name, is_implicit } = call.callee else { return };
        let count = call.arguments.len();
        match self.out.objects[object] {
            ObjectKind::New(_, class) | ObjectKind::Somebodys(class) => {
                let found: Vec<MethodId> = match method {
                    Some(method) => self.program.dispatch(class, method).into_iter().collect(),
                    None => self.program.methods_named(class, name, count),
                };
                if found.is_empty() && !is_implicit {
                    self.foreign(site, name);
                }
                for method in found {
                    if let Some(body) = self.activate_kind(BodyKind::Method(method)) {
                        self.target(site, body, false);
                        self.this(body, object);
                    } else {
                        self.foreign(site, name);
                    }
                }
            }
            ObjectKind::Function(function) => {
                let is_function = match method {
                    Some(method) => self.program.world.method(method).is_abstract,
                    None => !is_implicit && !library::is_combinator(name.as_str()),
                };
                let kind = match method {
                    Some(method) if !is_function => BodyKind::Method(method),
                    _ => BodyKind::Function(function),
                };
                if let (true, Some(body)) =
                    (is_function || method.is_some(), self.activate_kind(kind))
                {
                    self.target(site, body, false);
                    if !is_function {
                        self.this(body, object);
                    }
                } else if !is_implicit {
                    self.foreign(site, name);
                }
            }
            ObjectKind::Foreign(_) | ObjectKind::Anything => self.foreign(site, name),
            ObjectKind::Array(_) if !is_implicit => self.foreign(site, name),
            _ => {}
        }
    }

    fn this(&mut self, body: BodyId, object: ObjectId) {
        if let Some(this) = self.lowered.bodies[body].this {
            self.add(holder(this), object);
        }
    }

    // ---- Libraries -----------------------------------------------------------------------------

    /// A call may run code that is not part of the program.
    fn foreign(&mut self, site: SiteId, name: atom::Atom) {
        if self.out.foreign[site].is_some() {
            return;
        }
        let effect = library::effect(name.as_str());
        self.out.foreign[site] = Some(effect);
        let lowered = self.lowered;
        let call = &lowered.sites[site];
        let pool = self.object(ObjectKind::Foreign(call.site));
        self.out.pools.insert(site, pool);
        let Some(held) = self.part_holder(pool, Part::Content) else { return };
        self.uses_of(held).pools.push(site);
        let value = holder(call.value);
        for &argument in &call.arguments {
            self.copy(holder(argument), held);
        }
        if let Some(receiver) = call.receiver {
            let receiver = holder(receiver);
            match effect {
                Effect::Pure | Effect::Fresh | Effect::Anything => self.copy(receiver, held),
                Effect::Get | Effect::Take => {
                    self.uses_of(receiver).loads.push((Part::Content, value));
                    self.again(receiver, |solver, object| {
                        if let Some(from) = solver.part_holder(object, Part::Content) {
                            solver.copy(from, value);
                        }
                    });
                }
                Effect::View => self.copy(receiver, value),
                Effect::Put => {
                    self.uses_of(receiver).stores.push((Part::Content, held));
                    self.uses_of(receiver).loads.push((Part::Content, value));
                    self.copy(receiver, value);
                    self.again(receiver, |solver, object| {
                        if let Some(content) = solver.part_holder(object, Part::Content) {
                            solver.copy(held, content);
                            solver.copy(content, value);
                        }
                    });
                }
            }
        }
        if matches!(effect, Effect::Anything | Effect::View | Effect::Fresh) {
            self.add(value, pool);
        }
        if effect == Effect::Anything {
            self.copy(held, value);
        }
        self.again(held, |solver, object| solver.in_pool(site, object));
    }

    /// A library can get hold of an object.
    fn in_pool(&mut self, site: SiteId, object: ObjectId) {
        let Some(effect) = self.out.foreign[site] else { return };
        let Some(&pool) = self.out.pools.get(&site) else { return };
        let Some(held) = self.part_holder(pool, Part::Content) else { return };
        if self.is_librarys(site, held) {
            return;
        }
        if self.is_hub(site) {
            self.escapes(object);
        }
        let kind = self.out.objects[object];
        if let (ObjectKind::Anything, Some(library)) = (kind, self.library) {
            self.unite(held, library);
            if self.is_librarys(site, held) {
                return;
            }
        }
        for part in [Part::Content, Part::Element] {
            if self.has(kind, part)
                && let Some(content) = self.part_holder(object, part)
            {
                self.copy(content, held);
                if effect == Effect::Anything {
                    self.copy(held, content);
                }
            }
        }
        match kind {
            ObjectKind::New(_, class) | ObjectKind::Somebodys(class) => {
                for &method in self.called_back(class, effect != Effect::Pure).iter() {
                    if let Some(body) = self.activate_kind(BodyKind::Method(method)) {
                        self.this(body, object);
                        self.call_back(site, body, held);
                    }
                }
            }
            ObjectKind::Function(function) if effect != Effect::Pure => {
                if let Some(body) = self.activate_kind(BodyKind::Function(function)) {
                    self.call_back(site, body, held);
                }
            }
            _ => {}
        }
    }

    /// Whether a pool is the library's, so that what it may run is run by the bodies for that.
    fn is_librarys(&mut self, site: SiteId, held: Holder) -> bool {
        let Some(library) = self.library else { return false };
        !self.is_hub(site) && self.root(library) == self.root(held)
    }

    /// Whether a call is that of one of the bodies that nobody knows.
    fn is_hub(&self, site: SiteId) -> bool {
        self.unknown.is_some_and(|unknown| unknown.any.site == site || unknown.pure.site == site)
    }

    fn call_back(&mut self, site: SiteId, body: BodyId, held: Holder) {
        if !self.known_callbacks.insert((site, body)) {
            return;
        }
        self.out.callbacks[site].push(body);
        if let (Some(library), true) = (self.library, self.out.callbacks[site].len() > MANY)
            && !self.is_hub(site)
        {
            // It is as good as unknown code, and each call of many would call back that many.
            self.unite(held, library);
        }
        let lowered = self.lowered;
        let callee = &lowered.bodies[body];
        let types: &[_] = match callee.kind {
            BodyKind::Method(method) => &self.program.world.method(method).parameters,
            _ => &[],
        };
        for (index, &parameter) in callee.parameters.iter().enumerate() {
            if types.get(index).is_none_or(|&ty| !self.program.is_plain(ty)) {
                self.copy(held, holder(parameter));
            }
        }
        self.copy(holder(callee.result), held);
        self.copy(holder(callee.thrown), holder(lowered.sites[site].thrown));
    }

    /// The methods that a library may call on objects of a class.
    fn called_back(&mut self, class: ClassId, with_all: bool) -> Rc<[MethodId]> {
        if let Some(known) = self.called_back.get(&(class, with_all)) {
            return Rc::clone(known);
        }
        let found: Rc<[MethodId]> = self.find_called_back(class, with_all).into();
        self.called_back.insert((class, with_all), Rc::clone(&found));
        found
    }

    fn find_called_back(&self, class: ClassId, with_all: bool) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        let lineage = self.program.lineage(class);
        let mut asked: Vec<&str> = vec!["toString", "equals", "hashCode", "compareTo"];
        let mut all = false;
        if with_all {
            for name in lineage.iter().flat_map(|&above| self.program.foreign(above)) {
                match library::asked_by(name.as_str()) {
                    Some(names) => asked.extend(names),
                    None => all = true,
                }
            }
        }
        for &above in &lineage {
            for method in self.program.methods_of(above) {
                let method = self.program.same_method(method);
                let info = self.program.world.method(method);
                let name = info.name.as_str();
                let is_asked = all || asked.contains(&name);
                let is_new = !found.iter().any(|&known| self.program.may_override(known, method));
                if is_asked
                    && is_new
                    && !info.is_static
                    && !info.is_constructor
                    && !info.is_abstract
                {
                    found.push(method);
                }
            }
        }
        found
    }
}

/// The parameters of a body with the arguments that they get.
pub(crate) fn pairs(callee: &crate::ir::Body, arguments: &[Node]) -> Vec<(Node, Node)> {
    let last = callee.parameters.len().saturating_sub(1);
    let pair = |(index, &argument): (usize, &Node)| {
        let index = if callee.is_varargs { index.min(last) } else { index };
        callee.parameters.get(index).map(|&parameter| (parameter, argument))
    };
    arguments.iter().enumerate().filter_map(pair).collect()
}
