//! The program that is sliced: its trees, what its names mean, and who stands above whom.
//!
//! A class in the body of a lambda may be declared more than once while calls are resolved; here
//! every class, field and method is the one that was declared last for its node, so that a node has
//! one meaning ([`Program::class_at`], [`Program::same_method`], [`Program::same_field`]).

use std::path::PathBuf;
use std::sync::Arc;

use atom::Atom;
use java::names::types::{Ty, TypeKind};
use java::names::{ClassId, FieldId, FileId, MethodId, Symbol, World};
use java::tree::{BinaryOp, Class, ClassKind, Flags, Kind, Method, NodeId, Tree};
use rustc_hash::FxHashMap;

/// A place: a node of a file's tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    pub file: FileId,
    pub node: NodeId,
}

/// A file of the program.
#[derive(Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub tree: Arc<Tree>,
}

/// Classes that the language speaks of, without their members: those are library code.
const LANGUAGE: &str = include_str!("../models/language.java.txt");

/// All files of a program, with what every name means.
#[derive(Debug)]
pub struct Program {
    pub files: Vec<SourceFile>,
    pub world: World,
    parents: Vec<Vec<Option<NodeId>>>,
    classes_at: FxHashMap<Site, ClassId>,
    fields_at: FxHashMap<Site, FieldId>,
    methods_at: FxHashMap<(Site, Atom, bool), MethodId>,
    /// By class: the classes of the program that it extends or implements directly.
    supers: Vec<Vec<ClassId>>,
    /// By class: names of what it extends or implements that is not part of the program.
    foreign: Vec<Vec<Atom>>,
}

impl Program {
    pub fn new(files: Vec<SourceFile>) -> Program {
        let mut trees: Vec<Arc<Tree>> = files.iter().map(|file| Arc::clone(&file.tree)).collect();
        // Types of the language itself, for overloads to be told apart.
        if !trees.iter().any(|tree| tree.source.text.contains("package java.lang;")) {
            let types = LANGUAGE.split("////").map(|text| Arc::new(java::read_text(text.trim())));
            trees.extend(types);
        }
        let mut world = World::new(trees);
        for index in 0..files.len() {
            world.resolve(FileId(index as u32));
        }
        let parents = files.iter().map(|file| parents(&file.tree)).collect();
        let mut program = Program {
            files,
            world,
            parents,
            classes_at: FxHashMap::default(),
            fields_at: FxHashMap::default(),
            methods_at: FxHashMap::default(),
            supers: Vec::new(),
            foreign: Vec::new(),
        };
        program.index();
        program
    }

    /// Whether values of a type are numbers and texts, which hold nothing and never change.
    pub(crate) fn is_plain(&self, ty: Ty) -> bool {
        match self.world.types.kind(ty) {
            TypeKind::Primitive(_) | TypeKind::Null => true,
            TypeKind::Class(class, _) if !self.is_own(*class) => matches!(
                self.world.class(*class).name.as_str(),
                "String"
                    | "Boolean"
                    | "Character"
                    | "Integer"
                    | "Long"
                    | "Double"
                    | "Float"
                    | "Byte"
                    | "Short"
                    | "Void"
            ),
            _ => false,
        }
    }

    fn index(&mut self) {
        for (index, class) in self.world.classes.iter().enumerate() {
            let site = Site { file: class.file, node: class.node };
            self.classes_at.insert(site, ClassId(index as u32));
        }
        for (index, field) in self.world.fields.iter().enumerate() {
            let file = self.world.class(field.class).file;
            self.fields_at.insert(Site { file, node: field.node }, FieldId(index as u32));
        }
        for (index, method) in self.world.methods.iter().enumerate() {
            let file = self.world.class(method.class).file;
            let site = Site { file, node: method.node };
            let key = (site, method.name, method.is_constructor);
            self.methods_at.insert(key, MethodId(index as u32));
        }
        for index in 0..self.world.classes.len() {
            let id = ClassId(index as u32);
            let known = self.world.superclasses(id);
            let known = known.into_iter().filter(|&class| self.is_own(class));
            let supers: Vec<ClassId> = known.map(|class| self.same_class(class)).collect();
            let mut foreign = Vec::new();
            if !self.is_own(id) {
                self.supers.push(supers);
                self.foreign.push(foreign);
                continue;
            }
            let tree = self.tree(self.world.class(id).file);
            let mut headers: Vec<NodeId> = Vec::new();
            if let Kind::Class(part) = tree.kind(self.world.class(id).node) {
                let written = tree.class(part);
                headers.extend(written.extends);
                headers.extend(tree.list(written.implements));
                if written.name.is_none() {
                    headers.extend(self.created_class(id));
                }
            }
            for header in headers {
                let symbol = self
                    .symbol(Site { file: self.world.class(id).file, node: base_of(&tree, header) });
                if !matches!(symbol, Some(Symbol::Class(_))) {
                    foreign.push(last_name(&tree, header));
                }
            }
            self.supers.push(supers);
            self.foreign.push(foreign);
        }
    }

    /// The class that is named in front of the body of an anonymous class.
    fn created_class(&self, id: ClassId) -> Option<NodeId> {
        let info = self.world.class(id);
        let parent = self.parent(Site { file: info.file, node: info.node })?;
        match self.tree(info.file).kind(parent) {
            Kind::New { class, .. } => Some(class),
            _ => None,
        }
    }

    pub fn tree(&self, file: FileId) -> Arc<Tree> {
        Arc::clone(&self.files[file.0 as usize].tree)
    }

    pub fn kind(&self, site: Site) -> Kind {
        self.files[site.file.0 as usize].tree.kind(site.node)
    }

    pub fn parent(&self, site: Site) -> Option<NodeId> {
        self.parents[site.file.0 as usize][site.node.index()]
    }

    /// What a node means, classes, fields and methods by their last declaration.
    pub fn symbol(&self, site: Site) -> Option<Symbol> {
        let symbol = self.world.files[site.file.0 as usize].symbols[site.node.index()]?;
        let owner = match symbol {
            Symbol::Class(class) => Some(class),
            Symbol::Field(field) => Some(self.world.field(field).class),
            Symbol::Method(method) => Some(self.world.method(method).class),
            _ => None,
        };
        if owner.is_some_and(|class| !self.is_own(class)) {
            return None;
        }
        Some(match symbol {
            Symbol::Class(class) => Symbol::Class(self.same_class(class)),
            Symbol::Field(field) => Symbol::Field(self.same_field(field)),
            Symbol::Method(method) => Symbol::Method(self.same_method(method)),
            other => other,
        })
    }

    /// Whether a class is part of the program.
    pub fn is_own(&self, class: ClassId) -> bool {
        (self.world.class(class).file.0 as usize) < self.files.len()
    }

    pub fn same_class(&self, class: ClassId) -> ClassId {
        let info = self.world.class(class);
        let site = Site { file: info.file, node: info.node };
        self.classes_at.get(&site).copied().unwrap_or(class)
    }

    pub fn same_field(&self, field: FieldId) -> FieldId {
        self.fields_at.get(&self.field_site(field)).copied().unwrap_or(field)
    }

    pub fn same_method(&self, method: MethodId) -> MethodId {
        let info = self.world.method(method);
        let key = (self.method_site(method), info.name, info.is_constructor);
        self.methods_at.get(&key).copied().unwrap_or(method)
    }

    pub fn class_at(&self, site: Site) -> Option<ClassId> {
        self.classes_at.get(&site).copied()
    }

    pub fn field_at(&self, site: Site) -> Option<FieldId> {
        self.fields_at.get(&site).copied()
    }

    /// The method that is written at a node.
    pub fn method_at(&self, site: Site) -> Option<MethodId> {
        let Kind::Method(part) = self.kind(site) else { return None };
        let tree = self.tree(site.file);
        let written = tree.method(part);
        let is_constructor = written.result.is_none();
        self.methods_at.get(&(site, written.name, is_constructor)).copied()
    }

    pub fn class_site(&self, class: ClassId) -> Site {
        let info = self.world.class(class);
        Site { file: info.file, node: info.node }
    }

    pub fn field_site(&self, field: FieldId) -> Site {
        let info = self.world.field(field);
        Site { file: self.world.class(info.class).file, node: info.node }
    }

    pub fn method_site(&self, method: MethodId) -> Site {
        let info = self.world.method(method);
        Site { file: self.world.class(info.class).file, node: info.node }
    }

    /// All classes, each once.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> {
        let all = (0..self.world.classes.len()).map(|index| ClassId(index as u32));
        all.filter(|&class| self.is_own(class) && self.same_class(class) == class)
    }

    pub fn written_class(&self, class: ClassId) -> Option<Class> {
        let site = self.class_site(class);
        match self.kind(site) {
            Kind::Class(part) => Some(*self.tree(site.file).class(part)),
            _ => None,
        }
    }

    pub fn written_method(&self, method: MethodId) -> Option<Method> {
        let site = self.method_site(method);
        match self.kind(site) {
            Kind::Method(part) => Some(*self.tree(site.file).method(part)),
            _ => None,
        }
    }

    /// The classes of the program that a class extends or implements directly.
    pub fn supers(&self, class: ClassId) -> &[ClassId] {
        &self.supers[class.0 as usize]
    }

    /// What a class extends or implements directly that is not part of the program, by name.
    pub fn foreign(&self, class: ClassId) -> &[Atom] {
        &self.foreign[class.0 as usize]
    }

    /// A class and everything above it in the program, nearest first.
    pub fn lineage(&self, class: ClassId) -> Vec<ClassId> {
        let mut all = vec![class];
        let mut at = 0;
        while let Some(&next) = all.get(at) {
            for &above in self.supers(next) {
                if !all.contains(&above) {
                    all.push(above);
                }
            }
            at += 1;
        }
        // Classes before interfaces: what a class has wins over a default method.
        all.sort_by_key(|&class| self.is_interface(class));
        all
    }

    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        class == of || self.lineage(class).contains(&of)
    }

    pub fn is_interface(&self, class: ClassId) -> bool {
        let which = self.world.class(class).which;
        matches!(which, ClassKind::Interface | ClassKind::Annotation)
    }

    /// Whether the initialiser of a class may throw something.
    pub(crate) fn may_fail(&self, class: ClassId) -> bool {
        let Some(written) = self.written_class(class) else { return false };
        let tree = self.tree(self.class_site(class).file);
        tree.list(written.members).any(|member| match tree.kind(member) {
            Kind::Variables { modifiers, .. } | Kind::Initializer { modifiers, .. } => {
                (tree.flags(modifiers).has(Flags::STATIC) || self.is_interface(class))
                    && has_risk(&tree, member)
            }
            Kind::EnumConstant { args, body, .. } => !args.is_empty() || body.is_some(),
            _ => false,
        })
    }

    /// The class that is extended, if it is one of the program.
    pub fn superclass(&self, class: ClassId) -> Option<ClassId> {
        self.supers(class).iter().copied().find(|&above| !self.is_interface(above))
    }

    pub fn methods_of(&self, class: ClassId) -> Vec<MethodId> {
        let info = self.world.class(class);
        let mut all: Vec<MethodId> = info.methods.values().flatten().copied().collect();
        all.extend(&info.constructors);
        all.sort_unstable();
        all
    }

    /// Whether code of other packages may use a method.
    pub(crate) fn is_exported(&self, method: MethodId) -> bool {
        let info = self.world.method(method);
        is_open(info.access) && self.is_exported_class(info.class)
    }

    /// Whether code of other packages may use a field, and whether it may write it.
    pub(crate) fn exported_field(&self, field: FieldId) -> (bool, bool) {
        let info = self.world.field(field);
        if !self.is_own(info.class) || !is_open(info.access) || !self.is_exported_class(info.class)
        {
            return (false, false);
        }
        let site = self.field_site(field);
        let declared = self.parent(site).map(|node| Site { node, ..site });
        let is_final = declared.is_some_and(|site| self.flags(site).has(Flags::FINAL));
        let is_constant = matches!(self.kind(site), Kind::EnumConstant { .. });
        (true, !is_final && !is_constant && !self.is_interface(info.class))
    }

    fn is_exported_class(&self, class: ClassId) -> bool {
        let mut at = Some(class);
        while let Some(class) = at {
            let info = self.world.class(class);
            let is_member = info.outer.is_some_and(|outer| self.is_interface(outer));
            let is_open = info.flags.has(Flags::PUBLIC) || info.flags.has(Flags::PROTECTED);
            if info.is_local || !is_open && !is_member {
                return false;
            }
            at = info.outer;
        }
        true
    }

    /// How many parameters a method has.
    pub fn arity(&self, method: MethodId) -> usize {
        self.world.method(method).parameters.len()
    }

    pub fn takes(&self, method: MethodId, count: usize) -> bool {
        let arity = self.arity(method);
        arity == count || self.world.method(method).is_varargs && count + 1 >= arity
    }

    /// Whether a method of a subclass has the name and the number of parameters of another, and
    /// no parameter of a type that is surely different.
    pub fn may_override(&self, method: MethodId, other: MethodId) -> bool {
        let (one, two) = (self.world.method(method), self.world.method(other));
        one.name == two.name
            && !one.is_constructor
            && one.is_static == two.is_static
            && one.parameters.len() == two.parameters.len()
            && one
                .parameters
                .iter()
                .zip(&two.parameters)
                .all(|(&one, &two)| self.may_be_the_same(one, two))
    }

    /// Whether two types of parameters may be one, if not letter by letter: what stands for a type
    /// variable may be any class.
    fn may_be_the_same(&self, one: Ty, two: Ty) -> bool {
        let types = &self.world.types;
        match (types.kind(one), types.kind(two)) {
            _ if one == two => true,
            _ if types.is_primitive(one) || types.is_primitive(two) => false,
            (&TypeKind::Class(one, _), &TypeKind::Class(two, _)) => {
                self.same_class(one) == self.same_class(two)
            }
            _ => true,
        }
    }

    /// The body that a call of a method runs on an object of a class.
    pub fn dispatch(&self, class: ClassId, method: MethodId) -> Option<MethodId> {
        if self.world.method(method).access == java::names::Access::Private {
            // Nobody overrides it.
            return Some(method);
        }
        let name = self.world.method(method).name;
        for above in self.lineage(class) {
            let own = self.world.class(above).methods.get(&name);
            let mut fitting: Vec<MethodId> = own
                .into_iter()
                .flatten()
                .copied()
                .filter(|&found| {
                    self.may_override(found, method) && !self.world.method(found).is_abstract
                })
                .collect();
            // Of several the one with the very same parameters, else the first.
            let parameters = &self.world.method(method).parameters;
            fitting.sort_by_key(|&found| &self.world.method(found).parameters != parameters);
            if let Some(&found) = fitting.first() {
                return Some(found);
            }
        }
        None
    }

    /// The methods of a name that an object of a class has, whatever their parameters' types.
    pub fn methods_named(&self, class: ClassId, name: Atom, count: usize) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        for above in self.lineage(class) {
            for &method in self.world.class(above).methods.get(&name).into_iter().flatten() {
                let is_new = !found.iter().any(|&known| self.may_override(known, method));
                if self.takes(method, count) && !self.world.method(method).is_abstract && is_new {
                    found.push(method);
                }
            }
        }
        found
    }

    pub fn flags(&self, site: Site) -> Flags {
        let tree = self.tree(site.file);
        let modifiers = match tree.kind(site.node) {
            Kind::Class(part) => tree.class(part).modifiers,
            Kind::Method(part) => tree.method(part).modifiers,
            Kind::Initializer { modifiers, .. }
            | Kind::Variables { modifiers, .. }
            | Kind::Parameter { modifiers, .. } => modifiers,
            _ => None,
        };
        tree.flags(modifiers)
    }
}

/// Whether what is declared so can be used from other packages.
fn is_open(access: java::names::Access) -> bool {
    matches!(access, java::names::Access::Public | java::names::Access::Protected)
}

/// The parents of all nodes.
fn parents(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut parents = vec![None; tree.nodes.len()];
    for id in tree.ids() {
        tree.children(id, |child| parents[child.index()] = Some(id));
    }
    parents
}

/// Whether something below a node may throw something, but for memory and stack running out.
fn has_risk(tree: &Tree, node: NodeId) -> bool {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        match tree.kind(node) {
            Kind::Call { .. }
            | Kind::New { .. }
            | Kind::Throw { .. }
            | Kind::Cast { .. }
            | Kind::ArrayAccess { .. }
            | Kind::Select { .. }
            | Kind::ForEach { .. }
            | Kind::Synchronized { .. }
            | Kind::Dimension { .. }
            | Kind::Switch { .. }
            | Kind::SwitchExpression { .. }
            | Kind::Binary { op: BinaryOp::Divide | BinaryOp::Remainder, .. }
            | Kind::CompoundAssign { .. } => return true,
            // It does not run there.
            Kind::Lambda { .. } => continue,
            _ => {}
        }
        tree.children(node, |child| pending.push(child));
    }
    false
}

/// A type without its arguments and annotations.
pub(crate) fn base_of(tree: &Tree, mut node: NodeId) -> NodeId {
    loop {
        node = match tree.kind(node) {
            Kind::ParameterizedType { base, .. } => base,
            Kind::AnnotatedType { ty, .. } => ty,
            _ => return node,
        }
    }
}

/// The last part of the name of a type.
pub(crate) fn last_name(tree: &Tree, node: NodeId) -> Atom {
    match tree.kind(base_of(tree, node)) {
        Kind::Name(name) | Kind::Select { name, .. } => name,
        _ => Atom::new(""),
    }
}
