//! Types: sets of terms, as a lattice.
//!
//! Every term is of exactly one *kind* (atom, integer, tuple of some size, …), so a type is a
//! [`Union`] with one part a kind, and join, meet, subtyping and difference go part by part. What a
//! part can say is bounded (see [`limits`]): beyond that it is widened, so that every chain of
//! joins ends. This is the lattice of Lindahl and Sagonas' success typings, with more room: more
//! atoms and tags, integers of any bounds, keys of maps that are any single value.
//!
//! A declared type stays a name ([`Named`]) until somebody looks into it: so recursive types need
//! no unrolling, and messages say what the programmer wrote.
//!
//! Functions are read as success typings have it: `fun((A) -> R)` is a fun that, *when it
//! returns*, was given an `A` and gives an `R`. So joins and meets are covariant in arguments, too.
//!
//! Costs: operations are linear in the size of the types, which [`limits`] bound. What is lost:
//! relations between parts (`{a, 1} | {b, 2}` are kept apart by their tags, `{1, a} | {2, b}` are
//! not).

mod abridged;
pub mod atoms;
pub mod bits;
mod difference;
pub mod integers;
mod lattice;
pub mod limits;
pub mod lists;
pub mod maps;
mod memo;
mod named;
mod node;
mod of_term;
mod print;
mod records;
mod subst;
pub mod tuples;

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use atom::{Atom, known};

pub use atoms::Atoms;
pub use bits::Bits;
pub use integers::Integers;
pub use lists::Cons;
pub use maps::{Field, Key, MapType, Presence};
pub use named::{Definitions, Named, What};
pub use node::Node;
pub use records::Records;
pub use tuples::Tuples;

/// A set of terms.
#[derive(Clone, Debug, Default)]
pub enum Type {
    /// No term: what never returns.
    #[default]
    None,
    /// Every term.
    Any,
    Union(Arc<Node>),
    /// A declared type.
    Named(Arc<Named>),
    /// A variable of a spec or of a parameterised type. Gone once these are applied.
    Var(Atom),
}

/// The terms of a type by their kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Union {
    pub atoms: Atoms,
    pub integers: Integers,
    pub floats: bool,
    pub bits: Option<Bits>,
    pub pids: bool,
    pub ports: bool,
    pub references: bool,
    /// The empty list.
    pub nil: bool,
    pub cons: Option<Cons>,
    pub tuples: Tuples,
    pub maps: Option<MapType>,
    pub funs: Option<FunType>,
    /// Native records (OTP 29), whatever they hold.
    pub records: bool,
}

/// Funs: what they were given when they return, and what they give.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunType {
    /// `None` for any number of arguments.
    pub args: Option<Box<[Type]>>,
    pub result: Type,
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::None, Type::None) | (Type::Any, Type::Any) => true,
            (Type::Union(a), Type::Union(b)) => Arc::ptr_eq(a, b) || a == b,
            (Type::Named(a), Type::Named(b)) => Arc::ptr_eq(a, b) || a == b,
            (Type::Var(a), Type::Var(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Type::None | Type::Any => {}
            Type::Union(union) => union.hash(state),
            Type::Named(named) => named.hash(state),
            Type::Var(name) => name.hash(state),
        }
    }
}

/// Every term, part by part.
static EVERYTHING: LazyLock<Arc<Union>> = LazyLock::new(|| {
    Arc::new(Union {
        atoms: Atoms::All,
        integers: Integers::ALL,
        floats: true,
        bits: Some(Bits::ALL),
        pids: true,
        ports: true,
        references: true,
        nil: true,
        cons: Some(Cons { head: Type::Any, tail: Type::Any }),
        tuples: Tuples::All,
        maps: Some(MapType::all()),
        funs: Some(FunType { args: None, result: Type::Any }),
        records: true,
    })
});

static NOTHING: LazyLock<Arc<Union>> = LazyLock::new(|| Arc::new(Union::default()));

impl Union {
    /// The type of these terms.
    pub fn into_type(self) -> Type {
        let kinds = self.kinds();
        if kinds == 0 {
            Type::None
        } else if self.floats && self.records && self == **EVERYTHING {
            Type::Any
        } else {
            Type::Union(Arc::new(Node::new(self, kinds)))
        }
    }

    pub fn is_none(&self) -> bool {
        self.kinds() == 0
    }
}

/// Makes types of one kind.
macro_rules! one_kind {
    ($($(#[$doc:meta])* $name:ident = $field:ident: $value:expr;)*) => {
        impl Type {
            $($(#[$doc])*
            pub fn $name() -> Type {
                static TYPE: LazyLock<Type> = LazyLock::new(||
                    Union { $field: $value, ..Union::default() }.into_type());
                TYPE.clone()
            })*
        }
    };
}

one_kind! {
    /// `atom()`
    atom = atoms: Atoms::All;
    /// `integer()`
    integer = integers: Integers::ALL;
    /// `non_neg_integer()`
    non_negative = integers: Integers::range(Some(0), None);
    /// `pos_integer()`
    positive = integers: Integers::range(Some(1), None);
    /// `neg_integer()`
    negative = integers: Integers::range(None, Some(-1));
    /// `char()`
    char = integers: Integers::range(Some(0), Some(0x10_FFFF));
    /// `byte()`
    byte = integers: Integers::range(Some(0), Some(255));
    /// `arity()`
    arity = integers: Integers::range(Some(0), Some(255));
    /// `float()`
    float = floats: true;
    /// `bitstring()`
    bitstring = bits: Some(Bits::ALL);
    /// `binary()`
    binary = bits: Some(Bits { unit: 8, base: 0 });
    /// `pid()`
    pid = pids: true;
    /// `port()`
    port = ports: true;
    /// `reference()`
    reference = references: true;
    /// `[]`
    nil = nil: true;
    /// `tuple()`
    any_tuple = tuples: Tuples::All;
    /// `map()`
    any_map = maps: Some(MapType::all());
    /// `fun()`
    any_fun = funs: Some(FunType { args: None, result: Type::Any });
    /// Native records.
    record = records: true;
    /// `boolean()`
    boolean = atoms: Atoms::of([known::TRUE, known::FALSE]);
}

impl Type {
    /// `number()`
    pub fn number() -> Type {
        static TYPE: LazyLock<Type> = LazyLock::new(|| Type::integer().join(&Type::float()));
        TYPE.clone()
    }

    /// One atom.
    pub fn the_atom(atom: Atom) -> Type {
        memo::of_atom(atom, || Union { atoms: Atoms::of([atom]), ..Union::default() }.into_type())
    }

    pub fn the_atoms(atoms: impl IntoIterator<Item = Atom>) -> Type {
        Union { atoms: Atoms::of(atoms), ..Union::default() }.into_type()
    }

    /// `true` or `false`.
    pub fn the_boolean(value: bool) -> Type {
        Type::the_atom(if value { known::TRUE } else { known::FALSE })
    }

    /// One integer.
    pub fn the_integer(value: i64) -> Type {
        Type::integers(Some(value), Some(value))
    }

    /// The integers from `low` to `high`; `None` where there is no bound.
    pub fn integers(low: Option<i64>, high: Option<i64>) -> Type {
        Union { integers: Integers::range(low, high), ..Union::default() }.into_type()
    }

    pub fn bits(unit: u32, base: u32) -> Type {
        Union { bits: Some(Bits { unit, base }), ..Union::default() }.into_type()
    }

    /// A tuple of these elements. None if there is nothing that one of them could be.
    pub fn tuple(elements: Vec<Type>) -> Type {
        if elements.iter().any(Type::is_none) {
            return Type::None;
        }
        Union { tuples: Tuples::one(elements), ..Union::default() }.into_type()
    }

    /// `fun((Args) -> Result)`
    pub fn fun(args: Vec<Type>, result: Type) -> Type {
        let funs = Some(FunType { args: Some(args.into()), result });
        Union { funs, ..Union::default() }.into_type()
    }

    /// `fun((...) -> Result)`
    pub fn fun_of_any_arity(result: Type) -> Type {
        Union { funs: Some(FunType { args: None, result }), ..Union::default() }.into_type()
    }

    pub fn map(map: MapType) -> Type {
        Union { maps: map.checked(), ..Union::default() }.into_type()
    }

    /// Whether it says that there is no such term. (A name is not looked into.)
    pub fn is_none(&self) -> bool {
        matches!(self, Type::None)
    }

    /// Whether it says that it is every term. (A name is not looked into.)
    pub fn is_any(&self) -> bool {
        matches!(self, Type::Any)
    }

    /// The terms by their kinds; a variable stands for every term.
    pub fn parts(&self) -> &Union {
        match self {
            Type::None => &NOTHING,
            Type::Any | Type::Var(_) => &EVERYTHING,
            Type::Union(union) => union,
            Type::Named(named) => named.body().parts(),
        }
    }

    /// What a name stands for; other types as they are.
    pub fn opened(&self) -> &Type {
        match self {
            Type::Named(named) => named.body(),
            other => other,
        }
    }

    /// The only atom that it holds, if it holds nothing else. (A name is not looked into.)
    pub fn single_atom(&self) -> Option<Atom> {
        match self {
            Type::Union(node) if node.kinds() == node::ATOMS => node.atoms.single(),
            _ => None,
        }
    }

    /// The only integer that it holds, if it holds nothing else. (A name is not looked into.)
    pub fn single_integer(&self) -> Option<i64> {
        match self {
            Type::Union(node) if node.kinds() == node::INTEGERS => node.integers.single(),
            _ => None,
        }
    }
}
