//! Bodies: statements, local variables, local and anonymous classes.
//!
//! A body is gone through in the order of the text. Local variables are a stack; each knows the
//! class it was declared in, so that fields of an inner class hide the variables around that
//! class.

use std::sync::Arc;

use atom::Atom;

use crate::tree::{ClassKind, Flags, Kind, List, NodeId};

use super::declare::Around;
use super::lookup::Env;
use super::types::{Ty, TypeKind, Types};
use super::{ClassId, FileId, MethodId, Symbol, TypeName, World};

/// The body that is being gone through.
pub(super) struct Body {
    pub(super) env: Env,
    pub(super) locals: Vec<Local>,
    /// Types that are returned or yielded, for each lambda or switch around.
    pub(super) results: Vec<Vec<Ty>>,
    /// Types of what the next `return` or `yield` is expected to give.
    pub(super) expected: Vec<Option<Ty>>,
    /// Whether there is no `this`.
    pub(super) is_static: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Local {
    pub(super) name: Atom,
    pub(super) node: NodeId,
    pub(super) ty: Ty,
    pub(super) class: Option<ClassId>,
}

impl World {
    /// Finds out what all names and calls of a file mean.
    pub fn resolve(&mut self, file: FileId) {
        let tree = self.tree(file);
        let env = Env { file, class: None, names: Vec::new() };
        self.record_imports(&env);
        let Kind::Unit { declarations, .. } = tree.kind(tree.root) else { return };
        let package = self.files[file.0 as usize].package;
        for node in tree.list(declarations) {
            let Kind::Class(part) = tree.kind(node) else { continue };
            let Some(name) = tree.class(part).name else { continue };
            if let Some(class) = self.top_level(package, name)
                && self.class(class).node == node
            {
                let mut body = Body {
                    env: env.clone(),
                    locals: Vec::new(),
                    results: Vec::new(),
                    expected: Vec::new(),
                    is_static: true,
                };
                self.class_body(&mut body, class);
            }
        }
    }

    /// All members of a class.
    pub(super) fn class_body(&mut self, body: &mut Body, class: ClassId) {
        let tree = self.tree(body.env.file);
        let Kind::Class(part) = tree.kind(self.class(class).node) else { return };
        let written = *tree.class(part);
        let outer = body.env.class.replace(class);
        let was_static = body.is_static;
        let names = body.env.names.len();
        let vars = self.class(class).type_parameters.clone();
        body.env.names.extend(self.var_names(&vars));
        self.annotations_of(body, written.modifiers);
        for permitted in tree.list(written.permits) {
            self.type_of(&body.env, permitted);
        }
        for component in tree.list(written.components) {
            if let Kind::Parameter { modifiers, .. } = tree.kind(component) {
                self.annotations_of(body, modifiers);
            }
        }
        for member in tree.list(written.members) {
            self.member_body(body, class, member);
        }
        body.env.names.truncate(names);
        body.env.class = outer;
        body.is_static = was_static;
    }

    fn member_body(&mut self, body: &mut Body, class: ClassId, member: NodeId) {
        let tree = self.tree(body.env.file);
        let locals = body.locals.len();
        match tree.kind(member) {
            Kind::Class(part) => {
                let name = tree.class(part).name;
                if let Some(&inner) =
                    name.and_then(|name| self.class(class).member_classes.get(&name))
                {
                    self.class_body(body, inner);
                }
            }
            Kind::Initializer { modifiers, body: block } => {
                body.is_static = tree.flags(modifiers).has(Flags::STATIC);
                self.statement(body, block);
            }
            Kind::Variables { modifiers, ty, variables } => {
                body.is_static = tree.flags(modifiers).has(Flags::STATIC);
                self.annotations_of(body, modifiers);
                let base = self.type_of(&body.env, ty);
                for variable in tree.list(variables) {
                    if let Kind::Variable { dims, value: Some(value), .. } = tree.kind(variable) {
                        let ty = self.with_dims(base, tree.list(dims).len());
                        self.expression(body, value, Some(ty));
                    }
                }
            }
            Kind::EnumConstant { modifiers, args, body: inner, .. } => {
                self.annotations_of(body, modifiers);
                let this = self.this_type(class);
                let constructors = self.class(class).constructors.clone();
                let candidates =
                    constructors.into_iter().map(|id| self.candidate(this, id)).collect();
                if let Some(decided) = self.call(body, candidates, args, &[], None) {
                    self.record(body.env.file, member, Symbol::Method(decided.method));
                }
                if let Some(inner) = inner {
                    self.anonymous(body, inner, this);
                }
            }
            Kind::Method(_) => self.method_body(body, class, member),
            _ => {}
        }
        body.locals.truncate(locals);
    }

    fn method_body(&mut self, body: &mut Body, class: ClassId, node: NodeId) {
        let tree = self.tree(body.env.file);
        let Kind::Method(part) = tree.kind(node) else { return };
        let written = *tree.method(part);
        let info = self.class(class);
        let mut all = info.methods.get(&written.name).cloned().unwrap_or_default();
        all.extend(&info.constructors);
        let method: Option<MethodId> =
            all.into_iter().find(|&method| self.method(method).node == node);
        let names = body.env.names.len();
        if let Some(method) = method {
            let vars = self.method(method).type_parameters.clone();
            body.env.names.extend(self.var_names(&vars));
        }
        body.is_static = tree.flags(written.modifiers).has(Flags::STATIC);
        self.annotations_of(body, written.modifiers);
        for annotation in tree.list(written.annotations) {
            self.annotation_body(body, annotation);
        }
        if let Some(receiver) = written.receiver
            && let Kind::Receiver { ty, .. } = tree.kind(receiver)
        {
            self.type_of(&body.env, ty);
        }
        // A compact constructor has the components as its parameters.
        let parameters = match (written.which, tree.kind(self.class(class).node)) {
            (crate::tree::MethodKind::Compact, Kind::Class(part)) => tree.class(part).components,
            _ => written.parameters,
        };
        for parameter in tree.list(parameters) {
            self.parameter(body, parameter, None);
        }
        for thrown in tree.list(written.throws) {
            self.type_of(&body.env, thrown);
        }
        let result = method.map(|method| self.method(method).result);
        body.expected.push(result);
        body.results.push(Vec::new());
        if let Some(block) = written.body {
            self.statement(body, block);
        }
        if let Some(default) = written.default {
            self.annotation_value(body, default);
        }
        body.results.pop();
        body.expected.pop();
        body.env.names.truncate(names);
    }

    /// Declares a parameter; its type, or the one that is given.
    pub(super) fn parameter(&mut self, body: &mut Body, node: NodeId, given: Option<Ty>) -> Ty {
        let tree = self.tree(body.env.file);
        let Kind::Parameter { modifiers, ty, name, dims, .. } = tree.kind(node) else {
            return Types::UNKNOWN;
        };
        self.annotations_of(body, modifiers);
        let ty = match ty {
            Some(ty) if tree.kind(ty) != Kind::Var => {
                let ty = self.type_of(&body.env, ty);
                self.with_dims(ty, tree.list(dims).len())
            }
            _ => given.unwrap_or(Types::UNKNOWN),
        };
        self.declare_local(body, name, node, ty);
        ty
    }

    pub(super) fn declare_local(&mut self, body: &mut Body, name: Atom, node: NodeId, ty: Ty) {
        body.locals.push(Local { name, node, ty, class: body.env.class });
    }

    // ---- Annotations ---------------------------------------------------------------------------

    pub(super) fn annotations_of(&mut self, body: &mut Body, modifiers: Option<NodeId>) {
        let tree = self.tree(body.env.file);
        if let Some(Kind::Modifiers { annotations, .. }) = modifiers.map(|id| tree.kind(id)) {
            for annotation in tree.list(annotations) {
                self.annotation_body(body, annotation);
            }
        }
    }

    fn annotation_body(&mut self, body: &mut Body, node: NodeId) {
        let tree = self.tree(body.env.file);
        let Kind::Annotation { name, args } = tree.kind(node) else { return };
        let ty = self.type_of(&body.env, name);
        for arg in tree.list(args) {
            if let Kind::Assign { target, value } = tree.kind(arg) {
                if let Kind::Name(name) = tree.kind(target)
                    && let Some(element) = self.find_methods(ty, name).first()
                {
                    self.record(body.env.file, target, Symbol::Method(element.method));
                }
                self.annotation_value(body, value);
            } else {
                self.annotation_value(body, arg);
            }
        }
    }

    fn annotation_value(&mut self, body: &mut Body, node: NodeId) {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::Annotation { .. } => self.annotation_body(body, node),
            Kind::ArrayInitializer { values } => {
                for value in tree.list(values) {
                    self.annotation_value(body, value);
                }
            }
            _ => {
                self.expression(body, node, None);
            }
        }
    }

    // ---- Statements ----------------------------------------------------------------------------

    fn block(&mut self, body: &mut Body, statements: List) {
        let tree = self.tree(body.env.file);
        let (locals, names) = (body.locals.len(), body.env.names.len());
        for statement in tree.list(statements) {
            self.statement(body, statement);
        }
        body.locals.truncate(locals);
        body.env.names.truncate(names);
    }

    pub(super) fn statement(&mut self, body: &mut Body, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 << 20, || self.statement_here(body, node));
    }

    fn statement_here(&mut self, body: &mut Body, node: NodeId) {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::Block { statements } => self.block(body, statements),
            Kind::Variables { .. } => self.local_variables(body, node),
            Kind::Class(_) => {
                self.local_class(body, node);
            }
            Kind::ForEach { variable, iterable, body: inner } => {
                let locals = body.locals.len();
                let ty = self.expression(body, iterable, None);
                let element = self.element_of(ty);
                self.parameter(body, variable, Some(element));
                self.statement(body, inner);
                body.locals.truncate(locals);
            }
            Kind::For { init, condition, update, body: inner } => {
                let locals = body.locals.len();
                for statement in tree.list(init) {
                    self.statement(body, statement);
                }
                if let Some(condition) = condition {
                    self.expression(body, condition, None);
                }
                for statement in tree.list(update) {
                    self.statement(body, statement);
                }
                self.statement(body, inner);
                body.locals.truncate(locals);
            }
            Kind::Switch { selector, cases } => self.cases(body, selector, cases, None),
            Kind::Try { resources, body: block, catches, finally } => {
                let locals = body.locals.len();
                for resource in tree.list(resources) {
                    match tree.kind(resource) {
                        Kind::Variables { .. } => self.local_variables(body, resource),
                        _ => {
                            self.expression(body, resource, None);
                        }
                    }
                }
                self.statement(body, block);
                body.locals.truncate(locals);
                for catch in tree.list(catches) {
                    if let Kind::Catch { parameter, body: block } = tree.kind(catch) {
                        self.parameter(body, parameter, None);
                        self.statement(body, block);
                        body.locals.truncate(locals);
                    }
                }
                if let Some(finally) = finally {
                    self.statement(body, finally);
                }
            }
            Kind::Return { value } => {
                if let Some(value) = value {
                    let expected = body.expected.last().copied().flatten();
                    let ty = self.expression(body, value, expected);
                    if let Some(results) = body.results.last_mut() {
                        results.push(ty);
                    }
                }
            }
            Kind::Yield { value } => {
                let expected = body.expected.last().copied().flatten();
                let ty = self.expression(body, value, expected);
                if let Some(results) = body.results.last_mut() {
                    results.push(ty);
                }
            }
            Kind::ExpressionStatement { expression } => {
                self.expression(body, expression, None);
            }
            _ => self.other_statement(body, node),
        }
    }

    /// Statements whose parts are all that matters.
    fn other_statement(&mut self, body: &mut Body, node: NodeId) {
        let tree = self.tree(body.env.file);
        let mut parts = Vec::new();
        tree.children(node, |child| parts.push(child));
        for part in parts {
            match tree.kind(part) {
                Kind::Block { .. }
                | Kind::Variables { .. }
                | Kind::Class(_)
                | Kind::Empty
                | Kind::ExpressionStatement { .. }
                | Kind::If { .. }
                | Kind::While { .. }
                | Kind::Do { .. }
                | Kind::For { .. }
                | Kind::ForEach { .. }
                | Kind::Labeled { .. }
                | Kind::Switch { .. }
                | Kind::Synchronized { .. }
                | Kind::Try { .. }
                | Kind::Return { .. }
                | Kind::Throw { .. }
                | Kind::Yield { .. }
                | Kind::Break { .. }
                | Kind::Continue { .. }
                | Kind::Assert { .. } => self.statement(body, part),
                _ => {
                    self.expression(body, part, None);
                }
            }
        }
    }

    fn local_variables(&mut self, body: &mut Body, node: NodeId) {
        let tree = self.tree(body.env.file);
        let Kind::Variables { modifiers, ty, variables } = tree.kind(node) else { return };
        self.annotations_of(body, modifiers);
        let is_var = tree.kind(ty) == Kind::Var;
        let base = if is_var { Types::UNKNOWN } else { self.type_of(&body.env, ty) };
        for variable in tree.list(variables) {
            let Kind::Variable { name, dims, value, .. } = tree.kind(variable) else { continue };
            let ty = self.with_dims(base, tree.list(dims).len());
            // It is in scope in its own value, where a lambda may speak of it.
            self.declare_local(body, name, variable, ty);
            if let Some(value) = value {
                let at = body.locals.len() - 1;
                let found = self.expression(body, value, (!is_var).then_some(ty));
                if is_var {
                    body.locals[at].ty = self.value_type(found);
                }
            }
        }
    }

    /// What the variable of a `for (… : …)` gets.
    fn element_of(&mut self, ty: Ty) -> Ty {
        if let TypeKind::Array(element) = *self.types.kind(ty) {
            return element;
        }
        let iterable = self.top_level(Atom::new("java.lang"), Atom::new("Iterable"));
        let Some(found) = iterable.and_then(|iterable| self.as_super(ty, iterable)) else {
            return Types::UNKNOWN;
        };
        match self.types.kind(found).clone() {
            TypeKind::Class(_, args) => match args.first() {
                Some(&arg) => self.value_type(arg),
                None => self.object(),
            },
            _ => Types::UNKNOWN,
        }
    }

    /// The cases of a switch; with `expected` the results of rules are collected.
    pub(super) fn cases(
        &mut self,
        body: &mut Body,
        selector: NodeId,
        cases: List,
        expected: Option<Option<Ty>>,
    ) {
        let tree = self.tree(body.env.file);
        let selected = self.expression(body, selector, None);
        let (locals, names) = (body.locals.len(), body.env.names.len());
        for case in tree.list(cases) {
            let Kind::Case { labels, guard, body: inner, is_rule } = tree.kind(case) else {
                continue;
            };
            for label in tree.list(labels) {
                self.label(body, label, selected);
            }
            if let Some(guard) = guard {
                self.expression(body, guard, None);
            }
            for part in tree.list(inner) {
                let is_statement = matches!(
                    tree.kind(part),
                    Kind::Block { .. } | Kind::Throw { .. } | Kind::ExpressionStatement { .. }
                );
                match expected {
                    Some(expected) if is_rule && !is_statement => {
                        let ty = self.expression(body, part, expected);
                        if let Some(results) = body.results.last_mut() {
                            results.push(ty);
                        }
                    }
                    _ => self.statement(body, part),
                }
            }
            if is_rule {
                body.locals.truncate(locals);
                body.env.names.truncate(names);
            }
        }
        body.locals.truncate(locals);
        body.env.names.truncate(names);
    }

    fn label(&mut self, body: &mut Body, label: NodeId, selected: Ty) {
        let tree = self.tree(body.env.file);
        match tree.kind(label) {
            Kind::DefaultLabel => {}
            Kind::BindingPattern { .. } | Kind::RecordPattern { .. } => {
                self.pattern(body, label, selected);
            }
            // A plain name is a constant of the enum that is switched on.
            Kind::Name(name) => {
                let constant = match *self.types.kind(selected) {
                    TypeKind::Class(class, _) if self.class(class).which == ClassKind::Enum => {
                        self.class(class).fields.get(&name).copied()
                    }
                    _ => None,
                };
                match constant {
                    Some(field) => self.record(body.env.file, label, Symbol::Field(field)),
                    None => {
                        self.expression(body, label, None);
                    }
                }
            }
            _ => {
                self.expression(body, label, None);
            }
        }
    }

    /// Declares what a pattern binds.
    pub(super) fn pattern(&mut self, body: &mut Body, node: NodeId, matched: Ty) {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::BindingPattern { variable } => {
                self.parameter(body, variable, Some(matched));
            }
            Kind::RecordPattern { ty, patterns } => {
                let ty = self.type_of(&body.env, ty);
                let components = self.component_types(ty);
                for (index, pattern) in tree.list(patterns).enumerate() {
                    let component = components.get(index).copied().unwrap_or(Types::UNKNOWN);
                    self.pattern(body, pattern, component);
                }
            }
            _ => {}
        }
    }

    fn component_types(&mut self, ty: Ty) -> Vec<Ty> {
        let TypeKind::Class(class, _) = *self.types.kind(ty) else { return Vec::new() };
        let tree = self.tree(self.class(class).file);
        let Kind::Class(part) = tree.kind(self.class(class).node) else { return Vec::new() };
        let mut types = Vec::new();
        for component in tree.list(tree.class(part).components) {
            if let Kind::Parameter { name, .. } = tree.kind(component)
                && let Some(&field) = self.class(class).fields.get(&name)
            {
                let declared = self.field(field).ty;
                let ty = self.member_type(ty, declared);
                types.push(self.value_type(ty));
            }
        }
        types
    }

    // ---- Classes in bodies ---------------------------------------------------------------------

    fn around(&self, body: &Body, is_static: bool) -> Around {
        // Something is always around a local class, if only nothing of interest.
        let mut names = body.env.names.clone();
        if names.is_empty() {
            names.push((Atom::new(""), TypeName::Class(ClassId(0))));
        }
        Around {
            file: body.env.file,
            outer: body.env.class,
            is_static,
            names: Some(Arc::from(names)),
        }
    }

    fn local_class(&mut self, body: &mut Body, node: NodeId) -> ClassId {
        let tree = self.tree(body.env.file);
        let around = self.around(body, body.is_static);
        let class = self.declare_class(&tree, node, around);
        let name = self.class(class).name;
        body.env.names.push((name, TypeName::Class(class)));
        self.complete_all(class);
        self.class_body(body, class);
        class
    }

    /// The body of a `new` or of a constant.
    pub(super) fn anonymous(&mut self, body: &mut Body, node: NodeId, parent: Ty) -> ClassId {
        let tree = self.tree(body.env.file);
        let around = self.around(body, body.is_static);
        let class = self.declare_class(&tree, node, around);
        self.classes[class.0 as usize].which = ClassKind::Class;
        let object = self.object();
        let is_interface = matches!(*self.types.kind(parent),
            TypeKind::Class(class, _) if self.class(class).which == ClassKind::Interface);
        let supers = if is_interface { vec![object, parent] } else { vec![parent] };
        self.set_supers(class, &supers);
        self.complete_all(class);
        let results = std::mem::take(&mut body.results);
        let expected = std::mem::take(&mut body.expected);
        self.class_body(body, class);
        body.results = results;
        body.expected = expected;
        class
    }

    /// Finds the types of a class's members and of the classes in it.
    fn complete_all(&mut self, class: ClassId) {
        self.complete(class);
        let mut inner: Vec<ClassId> = self.class(class).member_classes.values().copied().collect();
        inner.sort();
        for class in inner {
            self.complete_all(class);
        }
    }
}
