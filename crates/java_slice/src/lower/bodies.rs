//! What is entered and left: methods, constructors, initialisers, lambdas.

use atom::Atom;
use dependence::{EdgeKind, Node};
use java::names::{ClassId, FieldId, MethodId, Symbol};
use java::tree::{ClassKind, Flags, Kind, MethodKind, NodeId};

use super::{Here, Lower, Role};
use crate::ir::{BlockId, Body, BodyId, BodyKind, Callee, Instr, ObjectKind, Part};
use crate::program::Site;

impl Lower<'_> {
    pub(super) fn everything(&mut self) {
        let classes: Vec<ClassId> = self.program.classes().collect();
        for class in classes {
            self.class_init(class);
            self.object_init(class);
            for method in self.program.methods_of(class) {
                let method = self.program.same_method(method);
                if !self.out.by_kind.contains_key(&BodyKind::Method(method)) {
                    self.method(class, method);
                }
            }
        }
    }

    /// Classes in bodies are among all classes.
    pub(super) fn local_class(&mut self, _node: NodeId) {}

    /// Lowers a body: `inner` is what happens in it.
    fn body(
        &mut self,
        kind: BodyKind,
        site: Site,
        class: Option<ClassId>,
        has_this: bool,
        inner: impl FnOnce(&mut Self),
    ) -> BodyId {
        let entry = self.fresh(site, Role::Entry);
        let result = self.fresh(site, Role::Result);
        let thrown = self.fresh(site, Role::Between);
        let this = has_this.then(|| self.fresh(site, Role::Between));
        let id = self.out.bodies.push(Body {
            kind,
            site,
            blocks: Vec::new(),
            start: BlockId::new(0),
            exit: BlockId::new(1),
            entry,
            this,
            parameters: Vec::new(),
            is_varargs: false,
            result,
            thrown,
            copies: Vec::new(),
            made: vec![(entry, ObjectKind::Statics, BlockId::new(0))],
        });
        self.out.by_kind.insert(kind, id);
        let here = Here {
            id,
            file: site.file,
            class,
            this,
            at: BlockId::new(0),
            scopes: Vec::new(),
            labels: Vec::new(),
        };
        let outside = std::mem::replace(&mut self.here, here);
        let (start, exit) = (self.block(), self.block());
        self.here.at = start;
        if let Some(this) = this {
            self.edge(this, entry, EdgeKind::Control);
        }
        self.edge(result, entry, EdgeKind::Control);
        self.edge(thrown, entry, EdgeKind::Control);
        inner(self);
        self.leave(exit);
        self.here = outside;
        id
    }

    fn class_init(&mut self, class: ClassId) {
        let Some(written) = self.program.written_class(class) else { return };
        let site = self.program.class_site(class);
        let tree = self.program.tree(site.file);
        let is_interface = self.program.is_interface(class);
        self.body(BodyKind::ClassInit(class), site, Some(class), false, |lower| {
            for member in tree.list(written.members) {
                match tree.kind(member) {
                    Kind::Variables { modifiers, variables, .. }
                        if is_interface || tree.flags(modifiers).has(Flags::STATIC) =>
                    {
                        for variable in tree.list(variables) {
                            lower.field_init(variable, None);
                        }
                    }
                    Kind::Initializer { modifiers, body }
                        if tree.flags(modifiers).has(Flags::STATIC) =>
                    {
                        lower.statement(body);
                    }
                    Kind::EnumConstant { .. } => lower.constant(class, member),
                    _ => {}
                }
            }
        });
    }

    fn object_init(&mut self, class: ClassId) {
        let Some(written) = self.program.written_class(class) else { return };
        if self.program.is_interface(class) {
            return;
        }
        let site = self.program.class_site(class);
        let tree = self.program.tree(site.file);
        self.body(BodyKind::ObjectInit(class), site, Some(class), true, |lower| {
            for member in tree.list(written.members) {
                match tree.kind(member) {
                    Kind::Variables { modifiers, variables, .. }
                        if !tree.flags(modifiers).has(Flags::STATIC) =>
                    {
                        for variable in tree.list(variables) {
                            lower.field_init(variable, lower.here.this);
                        }
                    }
                    Kind::Initializer { modifiers, body }
                        if !tree.flags(modifiers).has(Flags::STATIC) =>
                    {
                        lower.statement(body);
                    }
                    _ => {}
                }
            }
        });
    }

    /// A field with its value.
    fn field_init(&mut self, variable: NodeId, this: Option<Node>) {
        let Kind::Variable { value: Some(value), .. } = self.kind(variable) else { return };
        let Some(field) = self.program.field_at(self.site(variable)) else { return };
        let value = self.expr(value);
        let done = self.value(variable);
        self.same(done, value);
        self.here(done);
        let base = this.unwrap_or(self.out.bodies[self.here.id].entry);
        if let Some(this) = this {
            self.part(done, this);
        }
        self.instr(Instr::Store { node: done, base, part: Part::Field(field), value: done });
    }

    /// A constant of an enum.
    fn constant(&mut self, class: ClassId, node: NodeId) {
        let Kind::EnumConstant { args, body, .. } = self.kind(node) else { return };
        let Some(field) = self.program.field_at(self.site(node)) else { return };
        let arguments: Vec<Node> =
            self.list(args).into_iter().map(|argument| self.expr(argument)).collect();
        let value = self.value(node);
        self.here(value);
        let own = body.and_then(|body| self.program.class_at(self.site(body)));
        self.makes(value, ObjectKind::New(self.site(node), own.unwrap_or(class)));
        let callee = match self.program.symbol(self.site(node)) {
            Some(Symbol::Method(method)) => Callee::Body(BodyKind::Method(method)),
            _ => self.constructors(Some(class), arguments.len()),
        };
        self.site_of(node, value, Some(value), arguments, callee);
        if let Some(own) = own {
            self.initialise(node, value, own);
        }
        let base = self.out.bodies[self.here.id].entry;
        let part = Part::Field(field);
        self.instr(Instr::Store { node: value, base, part, value });
    }

    fn method(&mut self, class: ClassId, method: MethodId) {
        let info = self.program.world.method(method);
        let site = self.program.method_site(method);
        let has_this = !info.is_static;
        let is_varargs = info.is_varargs;
        let kind = BodyKind::Method(method);
        let Some(written) = self.program.written_method(method) else {
            let id = self.body(kind, site, Some(class), has_this, |lower| {
                lower.implicit_method(class, method, site);
            });
            self.out.bodies[id].is_varargs = is_varargs;
            return;
        };
        let tree = self.program.tree(site.file);
        let Some(block) = written.body else { return };
        let id = self.body(kind, site, Some(class), has_this, |lower| {
            let parameters = match written.which {
                MethodKind::Compact => lower.component_nodes(class),
                _ => tree.list(written.parameters).collect(),
            };
            for &parameter in &parameters {
                lower.parameter(parameter);
            }
            if written.which != MethodKind::Method {
                lower.before_constructor(class, site.node, block);
            }
            lower.statement(block);
            if written.which == MethodKind::Compact {
                lower.store_components(class, &parameters);
            }
        });
        self.out.bodies[id].is_varargs = is_varargs;
        let is_main = !has_this && written.name.as_str() == "main";
        if is_main && self.out.bodies[id].parameters.len() == 1 {
            self.out.mains.push(id);
        }
    }

    fn component_nodes(&self, class: ClassId) -> Vec<NodeId> {
        let Some(written) = self.program.written_class(class) else { return Vec::new() };
        let tree = self.program.tree(self.program.class_site(class).file);
        tree.list(written.components).collect()
    }

    fn parameter(&mut self, node: NodeId) {
        let variable = self.value(node);
        self.declare_parameter(variable);
    }

    fn declare_parameter(&mut self, variable: Node) {
        let entry = self.out.bodies[self.here.id].entry;
        self.edge(variable, entry, EdgeKind::Control);
        self.declare(variable);
        self.out.bodies[self.here.id].parameters.push(variable);
        self.write(variable, variable);
    }

    /// What a constructor does first: that of the class above, unless it says so itself, and the
    /// initialisers.
    fn before_constructor(&mut self, class: ClassId, node: NodeId, block: NodeId) {
        let mut first = None;
        if let Kind::Block { statements } = self.kind(block)
            && let Some(&statement) = self.list(statements).first()
            && let Kind::ExpressionStatement { expression } = self.kind(statement)
            && let Kind::Call { function, .. } = self.kind(expression)
        {
            first = Some(self.kind(function));
        }
        match first {
            Some(Kind::This { .. }) => {}
            // They come behind it.
            Some(Kind::Super { .. }) => {}
            _ => {
                self.implicit_super(class, node);
                self.own_initialise(class, node);
            }
        }
    }

    /// Runs the initialisers in a constructor.
    pub(super) fn own_initialise(&mut self, class: ClassId, node: NodeId) {
        if let Some(this) = self.here.this {
            self.initialise(node, this, class);
            self.needs_last_call();
        }
    }

    /// The entry of the body needs the call that was added last.
    fn needs_last_call(&mut self) {
        let entry = self.out.bodies[self.here.id].entry;
        if let Some(made) = self.last_call() {
            self.edge(entry, made, EdgeKind::Declaration);
        }
    }

    /// That the call is made that was added last.
    pub(super) fn last_call(&self) -> Option<Node> {
        self.out.sites.ids().next_back().map(|site| self.out.sites[site].made)
    }

    fn implicit_super(&mut self, class: ClassId, node: NodeId) {
        let Some(above) = self.program.superclass(class) else { return };
        let callee = self.constructors(Some(above), 0);
        let (Some(this), true) = (self.here.this, !matches!(callee, Callee::Foreign { .. })) else {
            return;
        };
        let value = self.between(node);
        self.site_of(node, value, Some(this), Vec::new(), callee);
        self.needs_last_call();
    }

    fn store_components(&mut self, class: ClassId, parameters: &[NodeId]) {
        let Some(this) = self.here.this else { return };
        for (field, &parameter) in self.components(class).into_iter().zip(parameters) {
            let (read, stored) = (self.between(parameter), self.between(parameter));
            let variable = self.value(parameter);
            self.here(read);
            self.read(read, variable);
            self.same(stored, read);
            self.here(stored);
            let part = Part::Field(field);
            self.instr(Instr::Store { node: stored, base: this, part, value: stored });
        }
    }

    /// A method that is there without being written.
    fn implicit_method(&mut self, class: ClassId, method: MethodId, site: Site) {
        let info = self.program.world.method(method);
        let result = self.out.bodies[self.here.id].result;
        let which = self.program.world.class(class).which;
        let node = site.node;
        if info.is_constructor && which == ClassKind::Record {
            let parameters = self.component_nodes(class);
            for &parameter in &parameters {
                self.parameter(parameter);
            }
            self.store_components(class, &parameters);
        } else if info.is_constructor {
            self.implicit_super(class, node);
            self.own_initialise(class, node);
        } else if let (ClassKind::Record, Some(this)) = (which, self.here.this) {
            if let Some(field) = self.program.field_at(site) {
                let read = self.between(node);
                self.here(read);
                self.part(read, this);
                self.instr(Instr::Load { node: read, base: this, part: Part::Field(field) });
                self.same(result, read);
            } else {
                self.record_method(class, info.name, node, this);
            }
        } else {
            self.enum_method(class, info.name, node, result);
        }
    }

    /// `toString`, `hashCode` or `equals` of a record: they ask the same of all components.
    fn record_method(&mut self, class: ClassId, name: Atom, node: NodeId, this: Node) {
        let result = self.out.bodies[self.here.id].result;
        let mut other = None;
        if name.as_str() == "equals" {
            let parameter = self.between(node);
            self.declare_parameter(parameter);
            self.part(result, parameter);
            other = Some(parameter);
        }
        for field in self.components(class) {
            let own = self.component_of(node, this, field);
            self.part(result, own);
            let others = other.map(|other| self.component_of(node, other, field));
            let arguments: Vec<Node> = others.into_iter().collect();
            let answer = self.implicit_call_with(node, own, name.as_str(), arguments);
            self.part(result, answer);
        }
    }

    fn component_of(&mut self, node: NodeId, base: Node, field: FieldId) -> Node {
        let read = self.between(node);
        self.here(read);
        self.part(read, base);
        self.instr(Instr::Load { node: read, base, part: Part::Field(field) });
        read
    }

    /// `values()` and `valueOf(name)` of an enum.
    fn enum_method(&mut self, class: ClassId, name: Atom, node: NodeId, result: Node) {
        let statics = self.out.bodies[self.here.id].entry;
        if name.as_str() == "valueOf" {
            let parameter = self.between(node);
            self.declare_parameter(parameter);
            self.part(result, parameter);
        }
        let array = self.between(node);
        self.here(array);
        self.makes(array, ObjectKind::Array(self.site(node)));
        self.instr(Instr::Store { node: array, base: array, part: Part::Length, value: array });
        for member in
            self.program.written_class(class).map(|it| self.list(it.members)).unwrap_or_default()
        {
            if let Some(field) = self.program.field_at(self.site(member)) {
                let read = self.between(node);
                self.here(read);
                let part = Part::Field(field);
                self.instr(Instr::Load { node: read, base: statics, part });
                self.part(array, read);
                self.instr(Instr::Store {
                    node: array,
                    base: array,
                    part: Part::Element,
                    value: read,
                });
                if name.as_str() == "valueOf" {
                    self.same(result, read);
                }
            }
        }
        if name.as_str() != "valueOf" {
            self.same(result, array);
        }
    }

    // ---- Functions -----------------------------------------------------------------------------

    pub(super) fn lambda_body(
        &mut self,
        site: Site,
        class: Option<ClassId>,
        this: Option<Node>,
        value: Node,
    ) {
        let Kind::Lambda { parameters, body } = self.kind(site.node) else { return };
        let has_this = this.is_some();
        let id = self.body(BodyKind::Function(site), site, class, has_this, |lower| {
            if let (Some(own), Some(this)) = (lower.here.this, this) {
                lower.jump(own, this, EdgeKind::Flow);
                lower.copy(this, own);
            }
            for parameter in lower.list(parameters) {
                lower.parameter(parameter);
            }
            match lower.kind(body) {
                Kind::Block { .. } => lower.statement(body),
                _ => {
                    let given = lower.expr(body);
                    lower.unbox_result(body, given);
                    let result = lower.out.bodies[lower.here.id].result;
                    lower.same(result, given);
                }
            }
        });
        // Its text has to be a function of its type.
        let result = self.out.bodies[id].result;
        self.jump(value, result, EdgeKind::Declaration);
    }

    pub(super) fn reference_body(&mut self, site: Site, bound: Option<Node>, value: Node) {
        let class = self.here.class;
        let id = self.body(BodyKind::Function(site), site, class, false, |lower| {
            let mut parameters = Vec::new();
            for _ in 0..lower.most_parameters(site) {
                let parameter = lower.between(site.node);
                lower.declare_parameter(parameter);
                parameters.push(parameter);
            }
            let receiver = bound.map(|bound| {
                let own = lower.between(site.node);
                lower.jump(own, bound, EdgeKind::Flow);
                lower.copy(bound, own);
                own
            });
            match lower.kind(site.node) {
                Kind::ConstructorReference { target, .. } => {
                    lower.constructor_reference(site, target, &parameters);
                }
                Kind::MethodReference { target, name, .. } => {
                    lower.method_reference(site, target, name, receiver, &parameters);
                }
                _ => {}
            }
        });
        let result = self.out.bodies[id].result;
        self.jump(value, result, EdgeKind::Declaration);
    }

    /// How many values a reference can be given at most, as far as that is known.
    fn most_parameters(&self, site: Site) -> usize {
        let arity = |method: MethodId| self.program.arity(method) + 1;
        match (self.program.symbol(site), self.kind(site.node)) {
            (Some(Symbol::Method(method)), _) => arity(method),
            (_, Kind::MethodReference { name, .. }) => {
                self.arities(name).last().map_or(4, |most| most + 1)
            }
            (_, Kind::ConstructorReference { target, .. }) => match self.class_named(target) {
                Ok(class) => {
                    let all = &self.program.world.class(class).constructors;
                    all.iter().map(|&method| arity(method)).max().unwrap_or(1)
                }
                Err(_) => 4,
            },
            _ => 4,
        }
    }

    /// How many parameters the program's methods of a name have, ascending.
    fn arities(&self, name: Atom) -> Vec<usize> {
        let all = self.program.world.methods.iter();
        let mut counts: Vec<usize> = all
            .filter(|method| method.name == name && self.program.is_own(method.class))
            .map(|method| method.parameters.len())
            .collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// One call of a body that stands for a reference; what it gives is what that gives.
    fn refer(
        &mut self,
        site: Site,
        given: Node,
        receiver: Option<Node>,
        arguments: &[Node],
        callee: Callee,
    ) {
        let made = self.between(site.node);
        let result = self.out.bodies[self.here.id].result;
        self.same(result, given);
        self.add_site(site.node, made, given, receiver, arguments.to_vec(), callee);
    }

    fn constructor_reference(&mut self, site: Site, target: NodeId, parameters: &[Node]) {
        let given = self.between(site.node);
        let class = match self.class_named(target) {
            Ok(class) => class,
            Err(name) => {
                self.makes(given, ObjectKind::Foreign(site));
                return self.refer(site, given, None, parameters, Callee::Foreign { name });
            }
        };
        self.class_used(class, site.node);
        self.makes(given, ObjectKind::New(site, class));
        if let Some(Symbol::Method(method)) = self.program.symbol(site) {
            let taken = &parameters[..self.program.arity(method)];
            let callee = Callee::Body(BodyKind::Method(method));
            return self.refer(site, given, Some(given), taken, callee);
        }
        // Any of them: it is not known what it will be given.
        for method in self.program.world.class(class).constructors.clone() {
            let method = self.program.same_method(method);
            let taken = &parameters[..self.program.arity(method)];
            let callee = Callee::Body(BodyKind::Method(method));
            self.refer(site, given, Some(given), taken, callee);
        }
    }

    fn method_reference(
        &mut self,
        site: Site,
        target: NodeId,
        name: Atom,
        receiver: Option<Node>,
        parameters: &[Node],
    ) {
        let given = self.between(site.node);
        if let Some(Symbol::Method(method)) = self.program.symbol(site) {
            let arity = self.program.arity(method);
            let (is_static, owner) = {
                let info = self.program.world.method(method);
                (info.is_static, info.class)
            };
            let exact = Callee::Body(BodyKind::Method(method));
            let dispatched = Callee::Virtual { method: Some(method), name, is_implicit: false };
            if is_static {
                self.class_used(owner, site.node);
                return self.refer(site, given, None, &parameters[..arity], exact);
            }
            let is_super = matches!(self.kind(target), Kind::Super { .. });
            return match receiver {
                Some(_) if is_super => {
                    self.refer(site, given, receiver, &parameters[..arity], exact);
                }
                Some(_) => self.refer(site, given, receiver, &parameters[..arity], dispatched),
                None => {
                    let (first, rest) = (parameters[0], &parameters[1..=arity]);
                    self.refer(site, given, Some(first), rest, dispatched);
                }
            };
        }
        let any = Callee::Virtual { method: None, name, is_implicit: false };
        let class = self.class_named(target).ok();
        let mut counts = self.arities(name);
        if counts.is_empty() {
            counts.push(parameters.len() - 1);
        }
        for count in counts {
            let direct = &parameters[..count];
            match (receiver, class) {
                (Some(_), _) => self.refer(site, given, receiver, direct, any),
                (None, Some(class)) => {
                    self.refer(site, given, None, direct, Callee::Either { class, name });
                    let rest = &parameters[1..=count];
                    self.refer(site, given, Some(parameters[0]), rest, any);
                }
                (None, None) => {
                    let rest = &parameters[1..=count];
                    self.refer(site, given, Some(parameters[0]), rest, any);
                }
            }
        }
    }
}
