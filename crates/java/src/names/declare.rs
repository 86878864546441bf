//! Trees to classes with their members; types come later (`headers`).

use std::sync::Arc;

use atom::Atom;
use rustc_hash::FxHashMap;

use crate::tree::{ClassKind, Flags, Kind, List, MethodKind, NodeId, Tree};

use super::types::Types;
use super::{
    Access, Class, ClassId, Field, FieldId, File, FileId, Imports, Method, MethodId, Origin,
    Supers, TypeName, TypeVar, TypeVarId, World,
};

/// Where a class is declared.
pub(super) struct Around {
    pub(super) file: FileId,
    pub(super) outer: Option<ClassId>,
    /// Whether there is no instance around it.
    pub(super) is_static: bool,
    /// For local classes: what is visible of the method around.
    pub(super) names: Option<Arc<[(Atom, TypeName)]>>,
}

impl World {
    pub(super) fn declare_file(&mut self, tree: Arc<Tree>) {
        let file = FileId(self.files.len() as u32);
        let Kind::Unit { package, imports, declarations } = tree.kind(tree.root) else { return };
        let package = match package.map(|package| tree.kind(package)) {
            Some(Kind::Package { name, .. }) => Atom::new(&dotted(&path(&tree, name))),
            _ => Atom::new(""),
        };
        let imports = read_imports(&tree, imports);
        let symbols = vec![None; tree.nodes.len()];
        let types = vec![Types::UNKNOWN; tree.nodes.len()];
        self.add_package(package);
        self.files.push(File { tree: Arc::clone(&tree), package, symbols, types, imports });
        for declaration in tree.list(declarations) {
            if matches!(tree.kind(declaration), Kind::Class(_)) {
                let around = Around { file, outer: None, is_static: true, names: None };
                let class = self.declare_class(&tree, declaration, around);
                let name = self.class(class).name;
                self.packages.entry(package).or_default().insert(name, class);
            }
        }
    }

    /// A package, and those that its name begins with.
    fn add_package(&mut self, package: Atom) {
        let text = package.as_str();
        for (at, _) in text.match_indices('.') {
            self.package_names.insert(Atom::new(&text[..at]));
        }
        self.package_names.insert(package);
    }

    /// A class with all that is declared in it.
    pub(super) fn declare_class(&mut self, tree: &Tree, node: NodeId, around: Around) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        let Kind::Class(part) = tree.kind(node) else { return ClassId(0) };
        let class = *tree.class(part);
        let type_parameters = self.declare_type_parameters(tree, class.type_parameters);
        let flags = tree.flags(class.modifiers);
        let outer = around.outer.map(|outer| self.class(outer));
        let in_interface = outer.is_some_and(|outer| {
            matches!(outer.which, ClassKind::Interface | ClassKind::Annotation)
        });
        let is_static = around.outer.is_none()
            || around.is_static
            || in_interface && around.names.is_none()
            || class.which != ClassKind::Class && class.name.is_some()
            || flags.has(Flags::STATIC);
        let mut all_parameters = match outer {
            Some(outer) if !is_static => outer.all_parameters.clone(),
            _ => Vec::new(),
        };
        all_parameters.extend(&type_parameters);
        let is_local = around.names.is_some() || outer.is_some_and(|outer| outer.is_local);
        self.classes.push(Class {
            name: class.name.unwrap_or(Atom::new("")),
            which: class.which,
            flags,
            file: around.file,
            node,
            outer: around.outer,
            is_static,
            is_local,
            type_parameters,
            all_parameters,
            fields: FxHashMap::default(),
            methods: FxHashMap::default(),
            constructors: Vec::new(),
            member_classes: FxHashMap::default(),
            supers: Supers::NotYet,
            around: around.names.unwrap_or_default(),
        });
        for member in tree.list(class.members) {
            self.declare_member(tree, id, member);
        }
        self.declare_implicit(tree, id);
        id
    }

    pub(super) fn declare_type_parameters(&mut self, tree: &Tree, list: List) -> Vec<TypeVarId> {
        let mut vars = Vec::new();
        for node in tree.list(list) {
            if let Kind::TypeParameter { name, .. } = tree.kind(node) {
                vars.push(TypeVarId(self.type_vars.len() as u32));
                self.type_vars.push(TypeVar { name, bounds: [].into(), node });
            }
        }
        vars
    }

    fn declare_member(&mut self, tree: &Tree, class: ClassId, member: NodeId) {
        let file = self.class(class).file;
        let is_interface =
            matches!(self.class(class).which, ClassKind::Interface | ClassKind::Annotation);
        match tree.kind(member) {
            Kind::Class(_) => {
                let around = Around { file, outer: Some(class), is_static: false, names: None };
                let inner = self.declare_class(tree, member, around);
                let name = self.class(inner).name;
                self.classes[class.0 as usize].member_classes.insert(name, inner);
            }
            Kind::Variables { modifiers, variables, .. } => {
                let flags = tree.flags(modifiers);
                let is_static = is_interface || flags.has(Flags::STATIC);
                let access = if is_interface { Access::Public } else { Access::of(flags) };
                for node in tree.list(variables) {
                    if let Kind::Variable { name, .. } = tree.kind(node) {
                        self.declare_field(class, name, node, is_static, access);
                    }
                }
            }
            Kind::EnumConstant { name, .. } => {
                self.declare_field(class, name, member, true, Access::Public);
            }
            Kind::Method(part) => {
                let written = *tree.method(part);
                let flags = tree.flags(written.modifiers);
                let vars = self.declare_type_parameters(tree, written.type_parameters);
                let parameters = match (written.which, tree.kind(self.class(class).node)) {
                    (MethodKind::Compact, Kind::Class(part)) => tree.class(part).components,
                    _ => written.parameters,
                };
                let last = tree.list(parameters).next_back();
                let is_varargs = last.is_some_and(|last| {
                    matches!(tree.kind(last), Kind::Parameter { is_varargs: true, .. })
                });
                let method = Method {
                    name: written.name,
                    class,
                    node: member,
                    is_constructor: written.which != MethodKind::Method,
                    is_static: flags.has(Flags::STATIC),
                    is_abstract: written.body.is_none() && !flags.has(Flags::NATIVE),
                    is_varargs,
                    access: match Access::of(flags) {
                        Access::Package if is_interface => Access::Public,
                        access => access,
                    },
                    type_parameters: vars,
                    parameters: Vec::new(),
                    result: Types::UNKNOWN,
                    from: match written.which {
                        MethodKind::Compact => Origin::CanonicalConstructor,
                        _ => Origin::Written,
                    },
                };
                self.declare_method(method);
            }
            _ => {}
        }
    }

    fn declare_field(
        &mut self,
        class: ClassId,
        name: Atom,
        node: NodeId,
        is_static: bool,
        access: Access,
    ) {
        let id = FieldId(self.fields.len() as u32);
        self.fields.push(Field { name, class, node, is_static, access, ty: Types::UNKNOWN });
        self.classes[class.0 as usize].fields.insert(name, id);
    }

    fn declare_method(&mut self, method: Method) {
        let id = MethodId(self.methods.len() as u32);
        let class = &mut self.classes[method.class.0 as usize];
        if method.is_constructor {
            class.constructors.push(id);
        } else {
            class.methods.entry(method.name).or_default().push(id);
        }
        self.methods.push(method);
    }

    /// What a class has without that it is written.
    fn declare_implicit(&mut self, tree: &Tree, id: ClassId) {
        let node = self.class(id).node;
        let Kind::Class(part) = tree.kind(node) else { return };
        let class = *tree.class(part);
        let which = class.which;
        let access = Access::of(self.class(id).flags);
        let implicit = |name: Atom, from: Origin, node: NodeId| Method {
            name,
            class: id,
            node,
            is_constructor: matches!(
                from,
                Origin::DefaultConstructor | Origin::CanonicalConstructor
            ),
            is_static: matches!(from, Origin::Values | Origin::ValueOf),
            is_abstract: false,
            is_varargs: false,
            access: match from {
                Origin::DefaultConstructor | Origin::CanonicalConstructor => access,
                _ => Access::Public,
            },
            type_parameters: Vec::new(),
            parameters: Vec::new(),
            result: Types::UNKNOWN,
            from,
        };
        match which {
            ClassKind::Record => {
                let components: Vec<NodeId> = tree.list(class.components).collect();
                for &component in &components {
                    let Kind::Parameter { name, .. } = tree.kind(component) else { continue };
                    self.declare_field(id, name, component, false, Access::Private);
                    let is_written = self.class(id).methods.get(&name).is_some_and(|methods| {
                        methods.iter().any(|&method| self.parameter_count(tree, method) == 0)
                    });
                    if !is_written {
                        self.declare_method(implicit(name, Origin::Accessor, component));
                    }
                }
                let object = Atom::new("Object");
                for name in ["toString", "hashCode", "equals"].map(Atom::new) {
                    let written = self.class(id).methods.get(&name).cloned().unwrap_or_default();
                    let is_written = written.iter().any(|&method| {
                        self.is_of_object(
                            tree,
                            method,
                            (name.as_str() == "equals").then_some(object),
                        )
                    });
                    if !is_written {
                        self.declare_method(implicit(name, Origin::OfRecord, node));
                    }
                }
                let has_canonical = self.class(id).constructors.iter().any(|&constructor| {
                    self.method(constructor).from == Origin::CanonicalConstructor
                        || self.has_types_of(tree, constructor, &components)
                });
                if !has_canonical {
                    let mut method = implicit(Atom::new(""), Origin::CanonicalConstructor, node);
                    method.is_varargs = components.last().is_some_and(|&last| {
                        matches!(tree.kind(last), Kind::Parameter { is_varargs: true, .. })
                    });
                    self.declare_method(method);
                }
            }
            ClassKind::Enum if class.name.is_some() => {
                self.declare_method(implicit(Atom::new("values"), Origin::Values, node));
                self.declare_method(implicit(Atom::new("valueOf"), Origin::ValueOf, node));
            }
            _ => {}
        }
        let needs = matches!(which, ClassKind::Class | ClassKind::Enum);
        if needs && self.class(id).constructors.is_empty() {
            self.declare_method(implicit(Atom::new(""), Origin::DefaultConstructor, node));
        }
    }

    /// Whether a method has no parameters, or one whose type has this name.
    fn is_of_object(&self, tree: &Tree, method: MethodId, parameter: Option<Atom>) -> bool {
        let Kind::Method(part) = tree.kind(self.method(method).node) else { return false };
        let names = tree.list(tree.method(part).parameters).map(|node| match tree.kind(node) {
            Kind::Parameter { ty: Some(ty), .. } => path(tree, ty).last().copied(),
            _ => None,
        });
        names.eq(parameter.map(Some))
    }

    fn parameter_count(&self, tree: &Tree, method: MethodId) -> usize {
        match tree.kind(self.method(method).node) {
            Kind::Method(part) => tree.list(tree.method(part).parameters).count(),
            _ => 0,
        }
    }

    /// Whether a constructor's parameters are spelled as the components are.
    fn has_types_of(&self, tree: &Tree, constructor: MethodId, components: &[NodeId]) -> bool {
        let Kind::Method(part) = tree.kind(self.method(constructor).node) else { return false };
        let type_text = |node: NodeId| match tree.kind(node) {
            Kind::Parameter { ty: Some(ty), .. } => tree.text(ty).to_owned(),
            _ => String::new(),
        };
        let parameters = tree.list(tree.method(part).parameters).map(type_text);
        parameters.eq(components.iter().map(|&component| type_text(component)))
    }
}

fn read_imports(tree: &Tree, list: List) -> Imports {
    let mut imports = Imports::default();
    for import in tree.list(list) {
        let Kind::Import { is_static, name } = tree.kind(import) else { continue };
        let mut parts = path(tree, name);
        let is_star = parts.last().is_some_and(|part| part.as_str() == "*");
        if is_star {
            parts.pop();
        }
        let last = parts.last().copied().unwrap_or(Atom::new(""));
        match (is_static, is_star) {
            (false, false) => imports.single.push((last, parts)),
            (false, true) => imports.on_demand.push(parts),
            (true, false) => {
                parts.pop();
                imports.single_static.push((last, parts));
            }
            (true, true) => imports.on_demand_static.push(parts),
        }
    }
    imports
}

/// The parts of a name with dots.
pub(super) fn path(tree: &Tree, mut node: NodeId) -> Vec<Atom> {
    let mut parts = Vec::new();
    loop {
        match tree.kind(node) {
            Kind::Name(name) => {
                parts.push(name);
                break;
            }
            Kind::Select { target, name } => {
                parts.push(name);
                node = target;
            }
            _ => break,
        }
    }
    parts.reverse();
    parts
}

pub(super) fn dotted(parts: &[Atom]) -> String {
    let texts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
    texts.join(".")
}
