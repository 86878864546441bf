//! Calls, creations, and functions as values.

use atom::Atom;
use dependence::{EdgeKind, Node};
use java::names::{ClassId, MethodId, Symbol};
use java::tree::{Kind, List, NodeId};

use super::{Lower, Role, kinds};
use crate::ir::{BodyKind, CallSite, Callee, Instr, ObjectKind, Part, SiteId};
use crate::program::last_name;

impl Lower<'_> {
    pub(super) fn call(&mut self, node: NodeId) -> Node {
        let Kind::Call { function, args, .. } = self.kind(node) else { return self.value(node) };
        let method = match self.program.symbol(self.site(node)) {
            Some(Symbol::Method(method)) => Some(method),
            _ => None,
        };
        let (receiver, callee) = match self.kind(function) {
            Kind::Name(name) => self.simple_callee(node, method, name, self.list(args).len()),
            Kind::Select { target, name } => self.selected_callee(node, method, target, name),
            Kind::This { .. } | Kind::Super { .. } => return self.constructor_call(node, method),
            _ => (None, Callee::Foreign { name: Atom::new("") }),
        };
        let arguments = self.arguments(node, args);
        let value = self.value(node);
        self.site_of(node, value, receiver, arguments, callee);
        value
    }

    /// The arguments of a call or creation, unboxed where a number is wanted.
    fn arguments(&mut self, node: NodeId, args: List) -> Vec<Node> {
        let method = match self.program.symbol(self.site(node)) {
            Some(Symbol::Method(method)) => Some(self.program.world.method(method)),
            _ => None,
        };
        let args = self.list(args);
        let mut given = Vec::new();
        let mut unboxes = false;
        for (index, &argument) in args.iter().enumerate() {
            let value = self.expr(argument);
            let wanted = method.and_then(|method| method.parameters.get(index));
            unboxes |= wanted.is_some_and(|&it| self.program.world.types.is_primitive(it))
                && self.may_be_boxed(argument);
            given.push(value);
        }
        // The call itself throws it.
        self.also_thrown = if unboxes { kinds::NULL } else { 0 };
        given
    }

    /// `f(…)`
    fn simple_callee(
        &mut self,
        node: NodeId,
        method: Option<MethodId>,
        name: Atom,
        count: usize,
    ) -> (Option<Node>, Callee) {
        let Some(method) = method else {
            let mut class = self.here.class;
            while let Some(at) = class {
                if !self.program.methods_named(at, name, count).is_empty() {
                    self.class_used(at, node);
                    let receiver = self.object_of(node, at);
                    return (receiver, Callee::Named { class: at, name });
                }
                let outer = self.program.world.class(at).outer;
                class = outer.map(|outer| self.program.same_class(outer));
            }
            // Of a class above that is not part of the program.
            return (self.here.this, Callee::Virtual { method: None, name, is_implicit: false });
        };
        let info = self.program.world.method(method);
        let (class, is_static) = (self.program.same_class(info.class), info.is_static);
        if is_static {
            self.class_used(class, node);
            return (None, Callee::Body(BodyKind::Method(method)));
        }
        let receiver = self.object_of(node, class);
        (receiver, self.virtual_callee(method, name))
    }

    fn virtual_callee(&self, method: MethodId, name: Atom) -> Callee {
        Callee::Virtual { method: Some(method), name, is_implicit: false }
    }

    /// `a.f(…)`
    fn selected_callee(
        &mut self,
        node: NodeId,
        method: Option<MethodId>,
        target: NodeId,
        name: Atom,
    ) -> (Option<Node>, Callee) {
        if let Kind::Super { qualifier } = self.kind(target) {
            let above = match qualifier {
                Some(qualifier) => self.class_named(qualifier).ok(),
                None => self.here.class.and_then(|class| self.program.superclass(class)),
            };
            let found = method.and_then(|method| {
                let above = above?;
                self.program.dispatch(above, method)
            });
            let callee = match (found.or(method), above) {
                (Some(method), _) => Callee::Body(BodyKind::Method(method)),
                (None, Some(class)) => Callee::Named { class, name },
                (None, None) => Callee::Foreign { name },
            };
            return (self.here.this, callee);
        }
        if !self.is_value(target) {
            let class = self.class_named(target).ok();
            if let Some(class) = class {
                self.class_used(class, node);
            }
            let callee = match (method, class) {
                (Some(method), _) => Callee::Body(BodyKind::Method(method)),
                (None, Some(class)) => Callee::Named { class, name },
                (None, None) => {
                    let of = last_name(&self.program.tree(self.here.file), target);
                    let name = Atom::new(&format!("{}.{}", of.as_str(), name.as_str()));
                    Callee::Foreign { name }
                }
            };
            return (None, callee);
        }
        let receiver = self.expr(target);
        if let Some(method) = method.filter(|&method| self.program.world.method(method).is_static) {
            return (Some(receiver), Callee::Body(BodyKind::Method(method)));
        }
        (Some(receiver), Callee::Virtual { method, name, is_implicit: false })
    }

    /// `this(…)` and `super(…)`
    fn constructor_call(&mut self, node: NodeId, method: Option<MethodId>) -> Node {
        let Kind::Call { function, args, .. } = self.kind(node) else { return self.value(node) };
        if let Kind::Super { qualifier: Some(qualifier) } = self.kind(function) {
            let outer = self.expr(qualifier);
            if let (Some(this), Some(class)) = (self.here.this, self.here.class)
                && let Some(above) = self.program.superclass(class)
                && let Some(around) = self.program.world.class(above).outer
            {
                let part = Part::Outer(self.program.same_class(around));
                self.instr(Instr::Store { node: outer, base: this, part, value: outer });
            }
        }
        let arguments = self.arguments(node, args);
        let value = self.value(node);
        let callee = match (method, self.here.class) {
            (Some(method), _) => Callee::Body(BodyKind::Method(method)),
            (None, Some(class)) => {
                let is_this = matches!(self.kind(function), Kind::This { .. });
                let of = if is_this { Some(class) } else { self.program.superclass(class) };
                self.constructors(of, arguments.len())
            }
            _ => Callee::Foreign { name: Atom::new("") },
        };
        let site = self.site_of(node, value, self.here.this, arguments, callee);
        // A constructor cannot do without it.
        let entry = self.out.bodies[self.here.id].entry;
        let made = self.out.sites[site].made;
        self.edge(entry, made, EdgeKind::Declaration);
        if let (Kind::Super { .. }, Some(class)) = (self.kind(function), self.here.class) {
            self.own_initialise(class, node);
        }
        value
    }

    /// The constructors that a call of so many arguments may mean.
    pub(super) fn constructors(&self, class: Option<ClassId>, count: usize) -> Callee {
        let name = Atom::new("");
        let Some(class) = class else { return Callee::Foreign { name } };
        let all = &self.program.world.class(class).constructors;
        let mut fitting = all.iter().copied().filter(|&it| self.program.takes(it, count));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => Callee::Body(BodyKind::Method(self.program.same_method(one))),
            (Some(_), Some(_)) => Callee::Constructors { class },
            _ => Callee::Foreign { name },
        }
    }

    /// Adds a call.
    pub(super) fn site_of(
        &mut self,
        node: NodeId,
        value: Node,
        receiver: Option<Node>,
        arguments: Vec<Node>,
        callee: Callee,
    ) -> SiteId {
        let place = self.site(node);
        let made = match self.out.made.get(&place) {
            Some(&made)
                if self.out.values[place.file.0 as usize][place.node.index()] == Some(value) =>
            {
                made
            }
            _ => {
                let made = self.fresh(place, Role::Made);
                if self.out.values[place.file.0 as usize][place.node.index()] == Some(value) {
                    self.out.made.insert(place, made);
                }
                made
            }
        };
        self.add_site(node, made, value, receiver, arguments, callee)
    }

    pub(super) fn add_site(
        &mut self,
        node: NodeId,
        made: Node,
        value: Node,
        receiver: Option<Node>,
        arguments: Vec<Node>,
        callee: Callee,
    ) -> SiteId {
        self.part(value, made);
        self.here(made);
        self.here(value);
        if let Some(receiver) = receiver {
            self.part(made, receiver);
        }
        let thrown = self.between(node);
        self.edge(thrown, made, EdgeKind::Control);
        let site = self.site(node);
        let body = self.here.id;
        let kinds = match callee {
            Callee::Virtual { .. } if receiver != self.here.this => kinds::NULL,
            _ => 0,
        };
        let kinds = kinds | std::mem::take(&mut self.also_thrown);
        let id = self.out.sites.push(CallSite {
            body,
            site,
            made,
            value,
            receiver,
            arguments,
            callee,
            thrown,
        });
        self.instr(Instr::Call(id));
        self.may_throw(thrown, kinds, Some(id));
        id
    }

    /// A call that is not written.
    pub(super) fn implicit_call(&mut self, node: NodeId, receiver: Node, name: &str) -> Node {
        self.implicit_call_with(node, receiver, name, Vec::new())
    }

    pub(super) fn implicit_call_with(
        &mut self,
        node: NodeId,
        receiver: Node,
        name: &str,
        arguments: Vec<Node>,
    ) -> Node {
        let value = self.between(node);
        let made = self.between(node);
        let callee = Callee::Virtual { method: None, name: Atom::new(name), is_implicit: true };
        self.add_site(node, made, value, Some(receiver), arguments, callee);
        value
    }

    /// What gives the elements of something that is no array.
    pub(super) fn iterator(&mut self, node: NodeId, all: Node) -> Node {
        self.implicit_call(node, all, "iterator")
    }

    pub(super) fn iterate(&mut self, node: NodeId, iterator: Node, name: &str) -> Node {
        self.implicit_call(node, iterator, name)
    }

    pub(super) fn close(&mut self, at: NodeId, resource: Node) {
        let value = self.implicit_call(at, resource, "close");
        // A resource that is there is closed.
        let _ = value;
    }

    // ---- Creations -----------------------------------------------------------------------------

    pub(super) fn creation(&mut self, node: NodeId) -> Node {
        let Kind::New { outer, class, args, body, .. } = self.kind(node) else {
            return self.value(node);
        };
        let outer = outer.map(|outer| self.expr(outer));
        let arguments = self.arguments(node, args);
        let value = self.value(node);
        let constructor = match self.program.symbol(self.site(node)) {
            Some(Symbol::Method(method)) => Some(method),
            _ => None,
        };
        let named = self.class_named(class);
        let own = body.and_then(|body| self.program.class_at(self.site(body)));
        if let Some(body) = body {
            self.local_class(body);
        }
        let Some(class) = own.or(named.ok()) else {
            let name = named.err().unwrap_or(Atom::new(""));
            self.makes(value, ObjectKind::Foreign(self.site(node)));
            self.site_of(node, value, Some(value), arguments, Callee::Foreign { name });
            return value;
        };
        self.class_used(class, node);
        self.makes(value, ObjectKind::New(self.site(node), class));
        self.here(value);
        self.set_outer(node, value, class, outer);
        let callee = match (constructor, named, own) {
            (Some(constructor), ..) => Callee::Body(BodyKind::Method(constructor)),
            (None, Ok(class), _) if !self.program.is_interface(class) => {
                self.constructors(Some(class), arguments.len())
            }
            // The constructor of a class that is not part of the program.
            (None, Err(name), Some(_)) => Callee::Foreign { name },
            _ => Callee::Nothing,
        };
        self.site_of(node, value, Some(value), arguments, callee);
        if let Some(own) = own {
            self.initialise(node, value, own);
        }
        value
    }

    /// Runs the initialisers of an object.
    pub(super) fn initialise(&mut self, node: NodeId, object: Node, class: ClassId) {
        let (value, made) = (self.between(node), self.between(node));
        let callee = Callee::Body(BodyKind::ObjectInit(class));
        let id = self.add_site(node, made, value, Some(object), Vec::new(), callee);
        let _ = id;
    }

    /// Gives a new object the object around it.
    fn set_outer(&mut self, node: NodeId, object: Node, class: ClassId, given: Option<Node>) {
        for above in self.program.lineage(class) {
            let info = self.program.world.class(above);
            let Some(outer) = info.outer.filter(|_| !info.is_static) else { continue };
            let outer = self.program.same_class(outer);
            let around = match given {
                Some(given) if above == class => Some(given),
                _ => self.object_of(node, outer),
            };
            if let Some(around) = around {
                let part = Part::Outer(outer);
                let stored = self.between(node);
                self.same(stored, around);
                self.here(stored);
                self.part(stored, object);
                self.instr(Instr::Store { node: stored, base: object, part, value: stored });
            }
        }
    }

    // ---- Functions as values -------------------------------------------------------------------

    /// A lambda.
    pub(super) fn function(&mut self, node: NodeId) -> Node {
        let value = self.value(node);
        self.here(value);
        let site = self.site(node);
        self.makes(value, ObjectKind::Function(site));
        let (class, this) = (self.here.class, self.here.this);
        if !self.out.by_kind.contains_key(&BodyKind::Function(site)) {
            self.lambda_body(site, class, this, value);
        }
        value
    }

    /// A reference to a method or constructor: a body that calls it.
    pub(super) fn reference(&mut self, node: NodeId) -> Node {
        let value = self.value(node);
        self.here(value);
        let site = self.site(node);
        let target = match self.kind(node) {
            Kind::MethodReference { target, .. } | Kind::ConstructorReference { target, .. } => {
                target
            }
            _ => return value,
        };
        let bound = match self.kind(target) {
            Kind::Super { .. } => self.here.this,
            _ if self.is_value(target) => Some(self.expr(target)),
            _ => None,
        };
        if let Some(bound) = bound {
            self.part(value, bound);
            self.may_throw(value, kinds::NULL, None);
        }
        self.makes(value, ObjectKind::Function(site));
        if !self.out.by_kind.contains_key(&BodyKind::Function(site)) {
            self.reference_body(site, bound, value);
        }
        value
    }
}
