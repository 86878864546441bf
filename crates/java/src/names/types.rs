//! Types, interned: equal types have equal numbers.
//!
//! A class type has the arguments of its outer classes' parameters (unless it is static) in front
//! of its own; none at all if it is raw. Wildcards are arguments, and where a type is made of one,
//! they stand for themselves: nothing is captured, [`Types::upper`] says what can be known of a
//! value.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::tree::{Primitive, WildcardBound};

use super::{ClassId, TypeVarId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Nothing is known: something could not be found. Goes with everything.
    Unknown,
    /// The type of `null`.
    Null,
    Primitive(Primitive),
    Class(ClassId, Arc<[Ty]>),
    Array(Ty),
    Var(TypeVarId),
    Wildcard(WildcardBound, Ty),
    Intersection(Arc<[Ty]>),
}

/// What type variables are replaced with.
pub type Substitution = FxHashMap<TypeVarId, Ty>;

#[derive(Debug)]
pub struct Types {
    kinds: Vec<TypeKind>,
    known: FxHashMap<TypeKind, Ty>,
}

impl Types {
    pub const UNKNOWN: Ty = Ty(0);
    pub const NULL: Ty = Ty(1);
    pub const BOOLEAN: Ty = Ty(2);
    pub const BYTE: Ty = Ty(3);
    pub const CHAR: Ty = Ty(4);
    pub const DOUBLE: Ty = Ty(5);
    pub const FLOAT: Ty = Ty(6);
    pub const INT: Ty = Ty(7);
    pub const LONG: Ty = Ty(8);
    pub const SHORT: Ty = Ty(9);
    pub const VOID: Ty = Ty(10);

    pub(super) fn new() -> Types {
        let mut types = Types { kinds: Vec::new(), known: FxHashMap::default() };
        types.intern(TypeKind::Unknown);
        types.intern(TypeKind::Null);
        for primitive in [
            Primitive::Boolean,
            Primitive::Byte,
            Primitive::Char,
            Primitive::Double,
            Primitive::Float,
            Primitive::Int,
            Primitive::Long,
            Primitive::Short,
            Primitive::Void,
        ] {
            types.intern(TypeKind::Primitive(primitive));
        }
        types
    }

    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        if let Some(&ty) = self.known.get(&kind) {
            return ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.known.insert(kind, ty);
        ty
    }

    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    pub fn primitive(primitive: Primitive) -> Ty {
        match primitive {
            Primitive::Boolean => Types::BOOLEAN,
            Primitive::Byte => Types::BYTE,
            Primitive::Char => Types::CHAR,
            Primitive::Double => Types::DOUBLE,
            Primitive::Float => Types::FLOAT,
            Primitive::Int => Types::INT,
            Primitive::Long => Types::LONG,
            Primitive::Short => Types::SHORT,
            Primitive::Void => Types::VOID,
        }
    }

    pub fn class(&mut self, class: ClassId, args: &[Ty]) -> Ty {
        self.intern(TypeKind::Class(class, args.into()))
    }

    pub fn array(&mut self, element: Ty) -> Ty {
        if element == Types::UNKNOWN { element } else { self.intern(TypeKind::Array(element)) }
    }

    pub fn var(&mut self, var: TypeVarId) -> Ty {
        self.intern(TypeKind::Var(var))
    }

    pub fn is_primitive(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Primitive(_))
    }

    pub fn is_numeric(&self, ty: Ty) -> bool {
        self.is_primitive(ty) && ty != Types::BOOLEAN && ty != Types::VOID
    }

    /// A type with its variables replaced.
    pub fn substitute(&mut self, ty: Ty, by: &Substitution) -> Ty {
        if by.is_empty() {
            return ty;
        }
        match self.kind(ty).clone() {
            TypeKind::Var(var) => by.get(&var).copied().unwrap_or(ty),
            TypeKind::Class(class, args) if !args.is_empty() => {
                let args: Vec<Ty> = args.iter().map(|&arg| self.substitute(arg, by)).collect();
                self.class(class, &args)
            }
            TypeKind::Array(element) => {
                let element = self.substitute(element, by);
                let element = self.upper(element);
                self.array(element)
            }
            TypeKind::Wildcard(bound, of) => {
                let replaced = self.substitute(of, by);
                match (bound, self.kind(replaced).clone()) {
                    // `? extends (? extends T)` is `? extends T`.
                    (WildcardBound::Extends, TypeKind::Wildcard(WildcardBound::Super, _)) => {
                        let of = Types::UNKNOWN;
                        self.intern(TypeKind::Wildcard(WildcardBound::Any, of))
                    }
                    // Who takes all that some class of values is takes those values.
                    (WildcardBound::Super, TypeKind::Wildcard(WildcardBound::Extends, of)) => {
                        self.intern(TypeKind::Wildcard(bound, of))
                    }
                    (_, TypeKind::Wildcard(inner, of)) if inner == bound => {
                        self.intern(TypeKind::Wildcard(bound, of))
                    }
                    (_, TypeKind::Wildcard(..)) => {
                        let of = Types::UNKNOWN;
                        self.intern(TypeKind::Wildcard(WildcardBound::Any, of))
                    }
                    _ => self.intern(TypeKind::Wildcard(bound, replaced)),
                }
            }
            TypeKind::Intersection(bounds) => {
                let bounds: Vec<Ty> =
                    bounds.iter().map(|&bound| self.substitute(bound, by)).collect();
                self.intern(TypeKind::Intersection(bounds.into()))
            }
            _ => ty,
        }
    }

    /// What a value of a type is at least: the bound of a wildcard; unknown where there is none.
    pub fn upper(&self, ty: Ty) -> Ty {
        match *self.kind(ty) {
            TypeKind::Wildcard(WildcardBound::Extends, of) => of,
            TypeKind::Wildcard(_, of) => of,
            _ => ty,
        }
    }
}
