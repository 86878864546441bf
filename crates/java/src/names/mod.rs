//! Names and types: what every name and call of a program means.
//!
//! ```text
//! trees ─▶ declare (classes, fields, methods) ─▶ headers (supertypes, signatures)
//!                                                  │
//!                                bodies: locals, expressions, calls ─▶ a Symbol for each node
//! ```
//!
//! A [`World`] holds the classes of all files that were given to it. Calls are resolved as Java
//! does it (by subtyping, then with boxing, then with a variable number of arguments; the most
//! specific wins), with an inference of type arguments that is simpler than Java's: variables take
//! what the arguments say, lambdas are read once their parameters are known, wildcards are not
//! captured. A class that is not in the world makes what depends on it [`types::Types::UNKNOWN`],
//! never wrong on purpose: an unknown argument fits everywhere, and a call that is not decided has
//! no symbol.
//!
//! Limit: scopes of pattern variables end with their block.

mod access;
mod bodies;
mod calls;
mod declare;
mod describe;
mod expressions;
mod functional;
mod headers;
mod infer;
mod lookup;
mod members;
mod references;
mod subtypes;
pub mod types;

use std::sync::Arc;

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::{ClassKind, Flags, NodeId, Tree};
pub use access::Access;
use types::{Ty, Types};

macro_rules! ids {
    ($($name:ident)*) => {$(
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
    )*};
}

ids! { FileId ClassId FieldId MethodId TypeVarId }

/// What a name or a call means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    Module(Atom),
    Package(Atom),
    Class(ClassId),
    TypeParameter(TypeVarId),
    Field(FieldId),
    /// The `length` of an array.
    ArrayLength,
    /// The `clone` of an array.
    ArrayClone,
    /// What `int[]::new` refers to.
    ArrayNew,
    Method(MethodId),
    /// A local variable or parameter: the node that declares it.
    Local(NodeId, Atom),
}

/// All classes of a program.
#[derive(Debug)]
pub struct World {
    pub files: Vec<File>,
    pub classes: Vec<Class>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub type_vars: Vec<TypeVar>,
    pub types: Types,
    /// Top-level classes by the name of their package.
    packages: FxHashMap<Atom, FxHashMap<Atom, ClassId>>,
    /// Packages, and what their names begin with.
    package_names: FxHashSet<Atom>,
    known: Known,
}

/// Classes that the language itself speaks of.
#[derive(Default, Debug)]
struct Known {
    object: Option<ClassId>,
    string: Option<ClassId>,
}

#[derive(Debug)]
pub struct File {
    pub tree: Arc<Tree>,
    pub package: Atom,
    /// What each node means; filled by [`World::resolve`].
    pub symbols: Vec<Option<Symbol>>,
    /// Of what type expressions are, as far as it is known; filled with the symbols.
    pub types: Vec<Ty>,
    imports: Imports,
}

#[derive(Default, Debug)]
struct Imports {
    /// Names of classes, by their last part: package or class in front, and name.
    single: Vec<(Atom, Vec<Atom>)>,
    on_demand: Vec<Vec<Atom>>,
    single_static: Vec<(Atom, Vec<Atom>)>,
    on_demand_static: Vec<Vec<Atom>>,
}

#[derive(Debug)]
pub struct Class {
    pub name: Atom,
    pub which: ClassKind,
    pub flags: Flags,
    pub file: FileId,
    pub node: NodeId,
    pub outer: Option<ClassId>,
    /// Has no instance of an outer class.
    pub is_static: bool,
    /// Declared in a body.
    pub is_local: bool,
    pub type_parameters: Vec<TypeVarId>,
    /// Those of outer classes that are in scope, then its own.
    all_parameters: Vec<TypeVarId>,
    pub fields: FxHashMap<Atom, FieldId>,
    pub methods: FxHashMap<Atom, Vec<MethodId>>,
    pub constructors: Vec<MethodId>,
    pub member_classes: FxHashMap<Atom, ClassId>,
    supers: Supers,
    /// What a local class sees of the method around it.
    around: Arc<[(Atom, TypeName)]>,
}

#[derive(Clone, Debug)]
enum Supers {
    NotYet,
    InProgress,
    Known(Arc<[Ty]>),
}

/// What the name of a type means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TypeName {
    Class(ClassId),
    Var(TypeVarId),
}

#[derive(Debug)]
pub struct Field {
    pub name: Atom,
    pub class: ClassId,
    pub node: NodeId,
    pub is_static: bool,
    pub access: Access,
    pub ty: Ty,
}

#[derive(Debug)]
pub struct Method {
    pub name: Atom,
    pub class: ClassId,
    /// What declares it; of what is not written the class, component or constant it comes from.
    pub node: NodeId,
    pub is_constructor: bool,
    pub is_static: bool,
    pub is_abstract: bool,
    pub is_varargs: bool,
    pub access: Access,
    pub type_parameters: Vec<TypeVarId>,
    pub parameters: Vec<Ty>,
    pub result: Ty,
    from: Origin,
}

/// How a method came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Written,
    DefaultConstructor,
    /// Of a record: from its components.
    CanonicalConstructor,
    Accessor,
    /// `toString`, `hashCode` and `equals` of a record.
    OfRecord,
    Values,
    ValueOf,
}

#[derive(Debug)]
pub struct TypeVar {
    pub name: Atom,
    pub bounds: Arc<[Ty]>,
    node: NodeId,
}

impl World {
    /// A world of these files, with the types of all members known.
    pub fn new(trees: Vec<Arc<Tree>>) -> World {
        let mut world = World {
            files: Vec::with_capacity(trees.len()),
            classes: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            type_vars: Vec::new(),
            types: Types::new(),
            packages: FxHashMap::default(),
            package_names: FxHashSet::default(),
            known: Known::default(),
        };
        for tree in trees {
            world.declare_file(tree);
        }
        let lang = Atom::new("java.lang");
        world.known.object = world.top_level(lang, Atom::new("Object"));
        world.known.string = world.top_level(lang, Atom::new("String"));
        for index in 0..world.classes.len() {
            world.complete(ClassId(index as u32));
        }
        world
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.0 as usize]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.0 as usize]
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0 as usize]
    }

    /// The classes that a class extends or implements directly, as far as they are known.
    pub fn superclasses(&self, id: ClassId) -> Vec<ClassId> {
        let Supers::Known(supers) = &self.class(id).supers else { return Vec::new() };
        let class = |&ty: &Ty| match *self.types.kind(ty) {
            types::TypeKind::Class(class, _) => Some(class),
            _ => None,
        };
        supers.iter().filter_map(class).collect()
    }

    /// Whether a method or constructor stands in the text.
    pub fn is_written(&self, id: MethodId) -> bool {
        let method = self.method(id);
        let tree = &self.files[self.class(method.class).file.0 as usize].tree;
        matches!(tree.kind(method.node), crate::tree::Kind::Method(_))
    }

    pub(super) fn tree(&self, file: FileId) -> Arc<Tree> {
        Arc::clone(&self.files[file.0 as usize].tree)
    }

    fn top_level(&self, package: Atom, name: Atom) -> Option<ClassId> {
        self.packages.get(&package)?.get(&name).copied()
    }

    /// `java.lang.Object`.
    fn object(&mut self) -> Ty {
        self.lang_class(self.known.object)
    }

    fn string(&mut self) -> Ty {
        self.lang_class(self.known.string)
    }

    fn lang_class(&mut self, class: Option<ClassId>) -> Ty {
        class.map_or(Types::UNKNOWN, |class| self.types.class(class, &[]))
    }
}
