//! Supertypes of classes, bounds of type parameters, types of members.

use std::sync::Arc;

use atom::Atom;

use crate::tree::{ClassKind, Kind, List, NodeId};

use super::lookup::Env;
use super::types::{Ty, Types};
use super::{ClassId, MethodId, Origin, Supers, Symbol, TypeName, TypeVarId, World};

impl World {
    /// The direct supertypes of a class, in terms of its type parameters.
    pub(super) fn supers(&mut self, class: ClassId) -> Arc<[Ty]> {
        match &self.class(class).supers {
            Supers::Known(supers) => return Arc::clone(supers),
            // Who asks is being asked for.
            Supers::InProgress => return [].into(),
            Supers::NotYet => {}
        }
        self.classes[class.0 as usize].supers = Supers::InProgress;
        let file = self.class(class).file;
        let tree = self.tree(file);
        let mut supers = Vec::new();
        if let Kind::Class(part) = tree.kind(self.class(class).node) {
            let written = *tree.class(part);
            let env = self.outside(class);
            let mut extends = Vec::new();
            extends.extend(written.extends);
            extends.extend(tree.list(written.implements));
            for node in extends {
                let ty = self.type_of(&env, node);
                if ty != Types::UNKNOWN {
                    supers.push(ty);
                }
            }
            let default = match written.which {
                ClassKind::Class if written.extends.is_none() => Some("Object"),
                ClassKind::Interface | ClassKind::Annotation => None,
                ClassKind::Enum => Some("Enum"),
                ClassKind::Record => Some("Record"),
                ClassKind::Class => None,
            };
            let lang = Atom::new("java.lang");
            let found = default.and_then(|name| self.top_level(lang, Atom::new(name)));
            if let Some(found) = found.filter(|&found| found != class) {
                let args = match written.which {
                    ClassKind::Enum => vec![self.types.class(class, &[])],
                    _ => Vec::new(),
                };
                let ty = self.types.class(found, &args);
                supers.insert(0, ty);
            }
            if written.which == ClassKind::Annotation
                && let Some(annotation) =
                    self.top_level(Atom::new("java.lang.annotation"), Atom::new("Annotation"))
            {
                let ty = self.types.class(annotation, &[]);
                supers.push(ty);
            }
        }
        let supers: Arc<[Ty]> = supers.into();
        self.classes[class.0 as usize].supers = Supers::Known(Arc::clone(&supers));
        supers
    }

    /// For the body of a `new` or of a constant, which does not say what it extends.
    pub(super) fn set_supers(&mut self, class: ClassId, supers: &[Ty]) {
        self.classes[class.0 as usize].supers = Supers::Known(supers.into());
    }

    /// What the header of a class sees: its type parameters, and what is around it.
    fn outside(&self, class: ClassId) -> Env {
        let info = self.class(class);
        let mut names: Vec<(Atom, TypeName)> = info.around.to_vec();
        if info.is_local && !info.around.is_empty() {
            names.push((info.name, TypeName::Class(class)));
        }
        names.extend(self.var_names(&info.type_parameters));
        Env { file: info.file, class: info.outer, names }
    }

    pub(super) fn var_names(&self, vars: &[TypeVarId]) -> Vec<(Atom, TypeName)> {
        vars.iter().map(|&var| (self.type_vars[var.0 as usize].name, TypeName::Var(var))).collect()
    }

    /// What the members of a class see.
    pub(super) fn inside(&self, class: ClassId) -> Env {
        Env { file: self.class(class).file, class: Some(class), names: Vec::new() }
    }

    /// Finds the types of everything that a class declares.
    pub(super) fn complete(&mut self, class: ClassId) {
        self.supers(class);
        let env = self.inside(class);
        let vars = self.class(class).type_parameters.clone();
        self.bounds(&env, &vars);
        let mut fields: Vec<_> = self.class(class).fields.values().copied().collect();
        fields.sort();
        for field in fields {
            let node = self.field(field).node;
            let ty = self.field_type(&env, class, node);
            self.fields[field.0 as usize].ty = ty;
        }
        let info = self.class(class);
        let mut methods: Vec<MethodId> = info.methods.values().flatten().copied().collect();
        methods.extend(&info.constructors);
        methods.sort();
        for method in methods {
            self.signature(&env, method);
        }
    }

    fn bounds(&mut self, env: &Env, vars: &[TypeVarId]) {
        let tree = self.tree(env.file);
        for &var in vars {
            let Kind::TypeParameter { annotations, bounds, .. } =
                tree.kind(self.type_vars[var.0 as usize].node)
            else {
                continue;
            };
            for annotation in tree.list(annotations) {
                self.annotation(env, annotation);
            }
            let bounds: Vec<Ty> = tree.list(bounds).map(|bound| self.type_of(env, bound)).collect();
            self.type_vars[var.0 as usize].bounds = bounds.into();
        }
    }

    fn field_type(&mut self, env: &Env, class: ClassId, node: NodeId) -> Ty {
        let tree = self.tree(env.file);
        match tree.kind(node) {
            Kind::EnumConstant { .. } => self.types.class(class, &[]),
            Kind::Parameter { ty: Some(ty), dims, .. } => {
                let ty = self.type_of(env, ty);
                self.with_dims(ty, tree.list(dims).len())
            }
            Kind::Variable { dims, .. } => {
                // The type belongs to all of the variables that are declared together.
                let Some(ty) = self.shared_type(class, node) else { return Types::UNKNOWN };
                let ty = self.type_of(env, ty);
                self.with_dims(ty, tree.list(dims).len())
            }
            _ => Types::UNKNOWN,
        }
    }

    /// The tree of the type of a field that is declared with others.
    fn shared_type(&self, class: ClassId, variable: NodeId) -> Option<NodeId> {
        let tree = &self.files[self.class(class).file.0 as usize].tree;
        let Kind::Class(part) = tree.kind(self.class(class).node) else { return None };
        let members: Vec<NodeId> = tree.list(tree.class(part).members).collect();
        // Members are in the order of their ids: the group comes right behind its variables.
        let at = members.partition_point(|&member| member < variable);
        match tree.kind(*members.get(at)?) {
            Kind::Variables { ty, .. } => Some(ty),
            _ => None,
        }
    }

    pub(super) fn with_dims(&mut self, mut ty: Ty, dims: usize) -> Ty {
        for _ in 0..dims {
            ty = self.types.array(ty);
        }
        ty
    }

    fn signature(&mut self, env: &Env, method: MethodId) {
        let tree = self.tree(env.file);
        let info = self.method(method);
        let (node, class) = (info.node, info.class);
        let this = self.this_type(class);
        let (parameters, result) = match self.method(method).from {
            Origin::Written => match tree.kind(node) {
                Kind::Method(part) => {
                    let written = *tree.method(part);
                    let vars = self.method(method).type_parameters.clone();
                    let mut env = env.clone();
                    env.names.extend(self.var_names(&vars));
                    self.bounds(&env, &vars);
                    let parameters = self.parameter_types(&env, written.parameters);
                    for thrown in tree.list(written.throws) {
                        self.type_of(&env, thrown);
                    }
                    let result = match written.result {
                        Some(result) => {
                            let ty = self.type_of(&env, result);
                            self.with_dims(ty, tree.list(written.dims).len())
                        }
                        None => Types::VOID,
                    };
                    (parameters, result)
                }
                _ => (Vec::new(), Types::VOID),
            },
            Origin::DefaultConstructor => (Vec::new(), Types::VOID),
            Origin::CanonicalConstructor => match tree.kind(self.class(class).node) {
                Kind::Class(part) => {
                    (self.parameter_types(env, tree.class(part).components), Types::VOID)
                }
                _ => (Vec::new(), Types::VOID),
            },
            Origin::Accessor => (Vec::new(), self.field_type(env, class, node)),
            Origin::OfRecord => match self.method(method).name.as_str() {
                "toString" => (Vec::new(), self.string()),
                "hashCode" => (Vec::new(), Types::INT),
                _ => (vec![self.object()], Types::BOOLEAN),
            },
            Origin::Values => (Vec::new(), self.types.array(this)),
            Origin::ValueOf => (vec![self.string()], this),
        };
        let method = &mut self.methods[method.0 as usize];
        method.parameters = parameters;
        method.result = result;
    }

    fn parameter_types(&mut self, env: &Env, list: List) -> Vec<Ty> {
        let tree = self.tree(env.file);
        let mut types = Vec::new();
        for node in tree.list(list) {
            let Kind::Parameter { ty: Some(ty), dims, .. } = tree.kind(node) else { continue };
            let ty = self.type_of(env, ty);
            types.push(self.with_dims(ty, tree.list(dims).len()));
        }
        types
    }

    /// The names in an annotation.
    pub(super) fn annotation(&mut self, env: &Env, node: NodeId) {
        let tree = self.tree(env.file);
        if let Kind::Annotation { name, .. } = tree.kind(node) {
            self.type_of(env, name);
        }
    }

    /// The names in the imports of a file.
    pub(super) fn record_imports(&mut self, env: &Env) {
        let tree = self.tree(env.file);
        let Kind::Unit { package, imports, declarations } = tree.kind(tree.root) else { return };
        if let Some(package) = package
            && let Kind::Package { name, .. } = tree.kind(package)
        {
            self.record_path(env, name);
        }
        for declaration in tree.list(declarations) {
            if let Kind::Module { directives, .. } = tree.kind(declaration) {
                self.record_module(env, directives);
            }
        }
        for import in tree.list(imports) {
            if let Kind::Import { name, .. } = tree.kind(import) {
                self.record_path(env, name);
            }
        }
    }

    /// The packages and classes that a module speaks of.
    fn record_module(&mut self, env: &Env, directives: List) {
        let tree = self.tree(env.file);
        for directive in tree.list(directives) {
            match tree.kind(directive) {
                Kind::Exports { package, to } | Kind::Opens { package, to } => {
                    self.record_path(env, package);
                    for name in tree.list(to) {
                        self.record_module_name(env, name);
                    }
                }
                Kind::Requires { name, .. } => self.record_module_name(env, name),
                Kind::Uses { service } => {
                    self.type_of(env, service);
                }
                Kind::Provides { service, with } => {
                    self.type_of(env, service);
                    for name in tree.list(with) {
                        self.type_of(env, name);
                    }
                }
                _ => {}
            }
        }
    }

    fn record_module_name(&mut self, env: &Env, node: NodeId) {
        let parts = super::declare::path(&self.tree(env.file), node);
        let name = Atom::new(&super::declare::dotted(&parts));
        self.record(env.file, node, Symbol::Module(name));
    }

    /// A full name: its first parts are a package, the next may be classes.
    fn record_path(&mut self, env: &Env, mut node: NodeId) {
        let tree = self.tree(env.file);
        while let Kind::Select { target, .. } = tree.kind(node) {
            let parts = super::declare::path(&tree, node);
            if let Some(class) = self.find_qualified(&parts) {
                self.record(env.file, node, Symbol::Class(class));
            } else if let Some(package) = Atom::existing(&super::declare::dotted(&parts))
                && self.is_package(package)
            {
                self.record(env.file, node, Symbol::Package(package));
            }
            node = target;
        }
        if let Kind::Name(name) = tree.kind(node) {
            self.record(env.file, node, Symbol::Package(name));
        }
    }
}
