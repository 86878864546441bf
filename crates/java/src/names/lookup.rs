//! What the name of a type or package means, and trees of types to types.

use std::sync::Arc;

use atom::Atom;

use crate::tree::{Flags, Kind, NodeId, WildcardBound};

use super::declare::dotted;
use super::types::{Ty, TypeKind, Types};
use super::{ClassId, FileId, Symbol, TypeName, World};

/// Where a name stands.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub(super) file: FileId,
    pub(super) class: Option<ClassId>,
    /// Type parameters of methods and local classes, innermost last.
    pub(super) names: Vec<(Atom, TypeName)>,
}

/// What a name with dots stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Type(Ty),
    Package(Atom),
    Nothing,
}

impl World {
    pub(super) fn record(&mut self, file: FileId, node: NodeId, symbol: Symbol) {
        self.files[file.0 as usize].symbols[node.index()] = Some(symbol);
    }

    /// The type of this simple name.
    pub(super) fn find_type(&mut self, env: &Env, name: Atom) -> Option<TypeName> {
        let named = |names: &[(Atom, TypeName)]| {
            names.iter().rev().find(|(known, _)| *known == name).map(|&(_, found)| found)
        };
        if let Some(found) = named(&env.names) {
            return Some(found);
        }
        let mut class = env.class;
        while let Some(id) = class {
            let parameters = &self.class(id).type_parameters;
            if let Some(&var) =
                parameters.iter().find(|&&var| self.type_vars[var.0 as usize].name == name)
            {
                return Some(TypeName::Var(var));
            }
            if let Some(found) = self.member_class(id, name) {
                return Some(TypeName::Class(found));
            }
            if self.class(id).name == name {
                return Some(TypeName::Class(id));
            }
            if let Some(found) = named(&self.class(id).around) {
                return Some(found);
            }
            class = self.class(id).outer;
        }
        self.find_in_file(env.file, name).map(TypeName::Class)
    }

    /// A class that is a member of a class or of what that extends.
    pub(super) fn member_class(&mut self, class: ClassId, name: Atom) -> Option<ClassId> {
        if let Some(&found) = self.class(class).member_classes.get(&name) {
            return Some(found);
        }
        for &parent in self.supers(class).iter() {
            if let TypeKind::Class(parent, _) = *self.types.kind(parent)
                && let Some(found) = self.member_class(parent, name)
                && self.is_inherited(class, found)
            {
                return Some(found);
            }
        }
        None
    }

    fn find_in_file(&mut self, file: FileId, name: Atom) -> Option<ClassId> {
        let imports = &self.files[file.0 as usize].imports;
        let single = imports.single.iter().find(|(last, _)| *last == name).cloned();
        if let Some((_, parts)) = single
            && let Some(found) = self.find_qualified(&parts)
        {
            return Some(found);
        }
        let imports = &self.files[file.0 as usize].imports;
        let single = imports.single_static.iter().filter(|(last, _)| *last == name);
        let single: Vec<Vec<Atom>> = single.map(|(_, parts)| parts.clone()).collect();
        for parts in single {
            if let Some(owner) = self.find_qualified(&parts)
                && let Some(found) = self.member_class(owner, name)
            {
                return Some(found);
            }
        }
        let package = self.files[file.0 as usize].package;
        if let Some(found) = self.top_level(package, name) {
            return Some(found);
        }
        let imports = &self.files[file.0 as usize].imports;
        let statics = imports.on_demand_static.iter().map(|parts| (parts.clone(), true));
        let others = imports.on_demand.iter().map(|parts| (parts.clone(), false));
        let on_demand: Vec<(Vec<Atom>, bool)> = others.chain(statics).collect();
        for (parts, is_static) in on_demand {
            let package = Atom::existing(&dotted(&parts));
            let found = package.and_then(|package| self.top_level(package, name));
            if let Some(found) = found.filter(|&it| self.class(it).flags.has(Flags::PUBLIC)) {
                return Some(found);
            }
            let Some(owner) = self.find_qualified(&parts) else { continue };
            // Inherited member classes come with static imports only.
            let found = match is_static {
                true => self.member_class(owner, name),
                false => self.class(owner).member_classes.get(&name).copied(),
            };
            if found.is_some() {
                return found;
            }
        }
        self.top_level(Atom::new("java.lang"), name)
    }

    /// A class by its full name.
    pub(super) fn find_qualified(&mut self, parts: &[Atom]) -> Option<ClassId> {
        for length in (0..parts.len()).rev() {
            let package = Atom::existing(&dotted(&parts[..length]));
            let Some(mut class) =
                package.and_then(|package| self.top_level(package, parts[length]))
            else {
                continue;
            };
            for &name in &parts[length + 1..] {
                class = self.member_class(class, name)?;
            }
            return Some(class);
        }
        None
    }

    pub(super) fn is_package(&self, name: Atom) -> bool {
        self.package_names.contains(&name)
    }

    /// The type that a tree of a type means; what it is made of is recorded.
    pub(super) fn type_of(&mut self, env: &Env, node: NodeId) -> Ty {
        let tree = self.tree(env.file);
        match tree.kind(node) {
            Kind::Primitive(primitive) => Types::primitive(primitive),
            Kind::Name(_) | Kind::Select { .. } => match self.place(env, node) {
                Place::Type(ty) => ty,
                _ => Types::UNKNOWN,
            },
            Kind::ParameterizedType { base, args } => {
                let args: Vec<Ty> = tree.list(args).map(|arg| self.type_of(env, arg)).collect();
                let base = self.type_of(env, base);
                self.with_args(env, base, &args)
            }
            Kind::ArrayType { element } => {
                let element = self.type_of(env, element);
                self.types.array(element)
            }
            Kind::AnnotatedType { annotations, ty } => {
                for annotation in tree.list(annotations) {
                    self.annotation(env, annotation);
                }
                self.type_of(env, ty)
            }
            Kind::Wildcard { bound, ty } => {
                let of = match ty {
                    Some(ty) => self.type_of(env, ty),
                    None => Types::UNKNOWN,
                };
                self.types.intern(TypeKind::Wildcard(bound, of))
            }
            Kind::UnionType { alternatives } => {
                let types: Vec<Ty> = tree
                    .list(alternatives)
                    .map(|alternative| self.type_of(env, alternative))
                    .collect();
                self.least_upper(&types)
            }
            Kind::IntersectionType { bounds } => {
                let bounds: Vec<Ty> =
                    tree.list(bounds).map(|bound| self.type_of(env, bound)).collect();
                self.types.intern(TypeKind::Intersection(bounds.into()))
            }
            _ => Types::UNKNOWN,
        }
    }

    /// A class type with other arguments of its own.
    pub(super) fn with_args(&mut self, env: &Env, base: Ty, own: &[Ty]) -> Ty {
        let TypeKind::Class(class, args) = self.types.kind(base).clone() else { return base };
        let (all, count) = {
            let class = self.class(class);
            (class.all_parameters.len(), class.type_parameters.len())
        };
        let outer = all - count;
        if own.len() != count {
            return base;
        }
        let mut full: Vec<Ty> = match args.len() >= outer && !args.is_empty() {
            true => args[..outer].to_vec(),
            false => self.outer_args(env, class).unwrap_or_default(),
        };
        if full.len() != outer {
            return base;
        }
        full.extend(own);
        self.types.class(class, &full)
    }

    /// The arguments of the classes around a class, as they are where its name is used.
    fn outer_args(&mut self, env: &Env, class: ClassId) -> Option<Vec<Ty>> {
        let count = {
            let class = self.class(class);
            class.all_parameters.len() - class.type_parameters.len()
        };
        if count == 0 {
            return Some(Vec::new());
        }
        let outer = self.class(class).outer?;
        let mut around = env.class;
        while let Some(id) = around {
            let this = self.this_type(id);
            if let Some(found) = self.as_super(this, outer)
                && let TypeKind::Class(_, args) = self.types.kind(found)
                && args.len() == count
            {
                return Some(args.to_vec());
            }
            around = self.class(id).outer;
        }
        None
    }

    /// The type that the plain name of a class means: raw if it has parameters.
    pub(super) fn class_type(&mut self, env: &Env, class: ClassId) -> Ty {
        let args = match self.class(class).type_parameters.is_empty() {
            true => self.outer_args(env, class).unwrap_or_default(),
            false => Vec::new(),
        };
        self.types.class(class, &args)
    }

    /// The type of `this` in a class.
    pub(super) fn this_type(&mut self, class: ClassId) -> Ty {
        let vars = self.class(class).all_parameters.clone();
        let args: Vec<Ty> = vars.into_iter().map(|var| self.types.var(var)).collect();
        self.types.class(class, &args)
    }

    /// What a name with dots means where types are.
    pub(super) fn place(&mut self, env: &Env, node: NodeId) -> Place {
        let tree = self.tree(env.file);
        match tree.kind(node) {
            Kind::Name(name) => match self.find_type(env, name) {
                Some(TypeName::Class(class)) => {
                    self.record(env.file, node, Symbol::Class(class));
                    Place::Type(self.class_type(env, class))
                }
                Some(TypeName::Var(var)) => {
                    self.record(env.file, node, Symbol::TypeParameter(var));
                    Place::Type(self.types.var(var))
                }
                None if self.is_package(name) => {
                    self.record(env.file, node, Symbol::Package(name));
                    Place::Package(name)
                }
                None => Place::Nothing,
            },
            Kind::Select { target, name } => {
                let target = self.place(env, target);
                self.place_in(env, node, target, name)
            }
            _ => Place::Type(self.type_of(env, node)),
        }
    }

    /// The class or package of this name in another.
    pub(super) fn place_in(&mut self, env: &Env, node: NodeId, target: Place, name: Atom) -> Place {
        match target {
            Place::Package(package) => {
                if let Some(class) = self.top_level(package, name) {
                    self.record(env.file, node, Symbol::Class(class));
                    return Place::Type(self.types.class(class, &[]));
                }
                let whole = Atom::new(&format!("{}.{}", package.as_str(), name.as_str()));
                if self.is_package(whole) {
                    self.record(env.file, node, Symbol::Package(whole));
                    return Place::Package(whole);
                }
                Place::Nothing
            }
            Place::Type(ty) => {
                let TypeKind::Class(outer, args) = self.types.kind(ty).clone() else {
                    return Place::Nothing;
                };
                let Some(class) = self.member_class(outer, name) else { return Place::Nothing };
                self.record(env.file, node, Symbol::Class(class));
                let inner = self.class(class);
                let is_plain = inner.type_parameters.is_empty();
                let count = inner.all_parameters.len() - inner.type_parameters.len();
                if !args.is_empty() && count > 0 {
                    let owner = inner.outer.unwrap_or(outer);
                    let outer_ty = self.as_super(ty, owner).unwrap_or(ty);
                    if let TypeKind::Class(_, args) = self.types.kind(outer_ty).clone()
                        && args.len() == count
                    {
                        // Its own arguments may follow.
                        return Place::Type(self.types.class(class, &args));
                    }
                }
                match is_plain {
                    true => Place::Type(self.class_type(env, class)),
                    false => Place::Type(self.types.class(class, &[])),
                }
            }
            Place::Nothing => Place::Nothing,
        }
    }

    /// What has to be known of an unbounded or lower-bounded wildcard.
    pub(super) fn bounds_of(&self, var: super::TypeVarId) -> Arc<[Ty]> {
        Arc::clone(&self.type_vars[var.0 as usize].bounds)
    }

    /// A value of a type, as far as members are concerned: variables are what bounds them.
    pub(super) fn value_type(&mut self, ty: Ty) -> Ty {
        match *self.types.kind(ty) {
            TypeKind::Wildcard(WildcardBound::Extends, of) => of,
            TypeKind::Wildcard(..) => self.object(),
            _ => ty,
        }
    }
}
