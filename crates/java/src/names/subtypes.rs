//! Subtypes, boxing, erasure, least upper bounds.

use rustc_hash::FxHashSet;

use atom::Atom;

use crate::tree::{Primitive, WildcardBound};

use super::types::{Substitution, Ty, TypeKind, Types};
use super::{ClassId, World};

impl World {
    /// What the type variables of a class stand for in a type of it.
    /// `?` for a parameter that has a bound is no more than that.
    pub(super) fn substitution(&mut self, class: ClassId, args: &[Ty]) -> Substitution {
        let parameters = self.class(class).all_parameters.clone();
        let mut by = Substitution::default();
        for (var, &arg) in parameters.into_iter().zip(args) {
            let mut arg = arg;
            if matches!(self.types.kind(arg), TypeKind::Wildcard(WildcardBound::Any, _))
                && let Some(&bound) = self.bounds_of(var).first()
            {
                let bound = self.erased(bound);
                arg = self.types.intern(TypeKind::Wildcard(WildcardBound::Extends, bound));
            }
            by.insert(var, arg);
        }
        by
    }

    /// The direct supertypes of a type.
    pub(super) fn supertypes(&mut self, ty: Ty) -> Vec<Ty> {
        match self.types.kind(ty).clone() {
            TypeKind::Class(class, args) => {
                let supers = self.supers(class);
                let is_raw = args.is_empty() && !self.class(class).all_parameters.is_empty();
                if is_raw {
                    return supers.iter().map(|&parent| self.erased(parent)).collect();
                }
                let by = self.substitution(class, &args);
                supers.iter().map(|&parent| self.types.substitute(parent, &by)).collect()
            }
            TypeKind::Var(var) => self.bounds_of(var).to_vec(),
            TypeKind::Intersection(bounds) => bounds.to_vec(),
            TypeKind::Wildcard(WildcardBound::Extends, of) => vec![of],
            TypeKind::Array(_) => {
                let lang = Atom::new("java.lang");
                let names = [(lang, "Cloneable"), (Atom::new("java.io"), "Serializable")];
                let found = names.map(|(package, name)| self.top_level(package, Atom::new(name)));
                let found = found.into_iter().chain([self.known.object]).flatten();
                found.map(|class| self.types.class(class, &[])).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A type as one of its supertypes, that of this class.
    pub(super) fn as_super(&mut self, ty: Ty, class: ClassId) -> Option<Ty> {
        let mut seen = FxHashSet::default();
        self.as_super_of(ty, class, &mut seen)
    }

    fn as_super_of(&mut self, ty: Ty, class: ClassId, seen: &mut FxHashSet<Ty>) -> Option<Ty> {
        if matches!(*self.types.kind(ty), TypeKind::Class(own, _) if own == class) {
            return Some(ty);
        }
        if !seen.insert(ty) || seen.len() > 200 {
            return None;
        }
        for parent in self.supertypes(ty) {
            if let Some(found) = self.as_super_of(parent, class, seen) {
                return Some(found);
            }
        }
        (Some(class) == self.known.object && self.is_reference(ty))
            .then(|| self.types.class(class, &[]))
    }

    pub(super) fn is_reference(&self, ty: Ty) -> bool {
        !self.types.is_primitive(ty)
    }

    pub(super) fn is_subtype(&mut self, ty: Ty, of: Ty) -> bool {
        if ty == of || ty == Types::UNKNOWN || of == Types::UNKNOWN {
            return true;
        }
        let (left, right) = (self.types.kind(ty).clone(), self.types.kind(of).clone());
        match (left, right) {
            (TypeKind::Primitive(from), TypeKind::Primitive(to)) => widens(from, to),
            (TypeKind::Primitive(_), _) | (_, TypeKind::Primitive(_)) => false,
            (TypeKind::Null, _) => true,
            (_, TypeKind::Wildcard(_, to)) => self.is_subtype(ty, to),
            (_, TypeKind::Intersection(bounds)) => {
                bounds.iter().all(|&bound| self.is_subtype(ty, bound))
            }
            (_, TypeKind::Class(to, args)) => {
                if Some(to) == self.known.object {
                    return true;
                }
                let Some(found) = self.as_super(ty, to) else { return false };
                let TypeKind::Class(_, own) = self.types.kind(found).clone() else { return false };
                // Raw types go with all.
                own.is_empty()
                    || args.is_empty()
                    || own.iter().zip(args.iter()).all(|(&own, &arg)| self.contains(arg, own))
            }
            (TypeKind::Array(from), TypeKind::Array(to)) => {
                from == to || self.is_reference(from) && self.is_subtype(from, to)
            }
            (TypeKind::Var(_) | TypeKind::Wildcard(..) | TypeKind::Intersection(_), _) => {
                self.supertypes(ty).into_iter().any(|parent| self.is_subtype(parent, of))
            }
            _ => false,
        }
    }

    /// Whether a type argument allows another.
    fn contains(&mut self, arg: Ty, other: Ty) -> bool {
        if arg == other || arg == Types::UNKNOWN || other == Types::UNKNOWN {
            return true;
        }
        match (self.types.kind(arg).clone(), self.types.kind(other).clone()) {
            (TypeKind::Wildcard(WildcardBound::Any, _), _) => true,
            (TypeKind::Wildcard(WildcardBound::Extends, bound), _) => {
                let upper = self.value_type(other);
                self.is_subtype(upper, bound)
            }
            (TypeKind::Wildcard(WildcardBound::Super, bound), TypeKind::Wildcard(kind, of)) => {
                kind != WildcardBound::Super || self.is_subtype(bound, of)
            }
            (TypeKind::Wildcard(WildcardBound::Super, bound), _) => self.is_subtype(bound, other),
            // What was captured is not known here.
            (_, TypeKind::Wildcard(..)) => true,
            (TypeKind::Class(one, args), TypeKind::Class(other, others)) => {
                one == other
                    && (args.is_empty()
                        || others.is_empty()
                        || args.iter().zip(others.iter()).all(|(&arg, &other)| {
                            self.contains(arg, other) || self.contains(other, arg)
                        }))
            }
            (TypeKind::Array(one), TypeKind::Array(other)) => self.contains(one, other),
            _ => false,
        }
    }

    /// Whether a value can be given where a type is wanted; `loose` allows boxing.
    pub(super) fn fits(&mut self, ty: Ty, to: Ty, loose: bool) -> bool {
        if self.is_subtype(ty, to) {
            return ty != Types::VOID || to == Types::VOID;
        }
        if !loose || ty == Types::VOID {
            return false;
        }
        if self.types.is_primitive(ty) && self.is_reference(to) {
            let boxed = self.boxed(ty);
            return self.is_subtype(boxed, to);
        }
        match self.unboxed(ty) {
            Some(unboxed) if self.types.is_primitive(to) => self.is_subtype(unboxed, to),
            _ => false,
        }
    }

    pub(super) fn boxed(&mut self, ty: Ty) -> Ty {
        let TypeKind::Primitive(primitive) = *self.types.kind(ty) else { return ty };
        let class = self.top_level(Atom::new("java.lang"), Atom::new(box_name(primitive)));
        self.lang_class(class)
    }

    pub(super) fn unboxed(&mut self, ty: Ty) -> Option<Ty> {
        if self.types.is_primitive(ty) {
            return Some(ty);
        }
        let lang = Atom::new("java.lang");
        let primitives = [
            Types::INT,
            Types::BOOLEAN,
            Types::LONG,
            Types::CHAR,
            Types::BYTE,
            Types::SHORT,
            Types::DOUBLE,
            Types::FLOAT,
        ];
        for primitive in primitives {
            let TypeKind::Primitive(kind) = *self.types.kind(primitive) else { continue };
            if let Some(class) = self.top_level(lang, Atom::new(box_name(kind)))
                && self.as_super(ty, class).is_some()
            {
                return Some(primitive);
            }
        }
        None
    }

    pub(super) fn erased(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty).clone() {
            TypeKind::Class(class, args) if !args.is_empty() => self.types.class(class, &[]),
            TypeKind::Array(element) => {
                let element = self.erased(element);
                self.types.array(element)
            }
            TypeKind::Var(var) => match self.bounds_of(var).first() {
                Some(&bound) => self.erased(bound),
                None => self.object(),
            },
            TypeKind::Wildcard(WildcardBound::Extends, of) => self.erased(of),
            TypeKind::Wildcard(..) => self.object(),
            TypeKind::Intersection(bounds) => match bounds.first() {
                Some(&bound) => self.erased(bound),
                None => self.object(),
            },
            _ => ty,
        }
    }

    /// A type that all of these are: the first of the supertypes of the first that all others have.
    /// (Java's is an intersection of all of them.)
    pub(super) fn least_upper(&mut self, types: &[Ty]) -> Ty {
        let mut types: Vec<Ty> = types.iter().copied().filter(|&ty| ty != Types::NULL).collect();
        types.dedup();
        let Some(&first) = types.first() else { return Types::NULL };
        if types.contains(&Types::UNKNOWN) {
            return Types::UNKNOWN;
        }
        for &candidate in &types {
            if types.iter().all(|&ty| self.is_subtype(ty, candidate)) {
                return candidate;
            }
        }
        if let TypeKind::Class(class, args) = self.types.kind(first).clone()
            && types.iter().all(|&ty| self.as_super(ty, class).is_some())
        {
            let any = self.types.intern(TypeKind::Wildcard(WildcardBound::Any, Types::UNKNOWN));
            let args: Vec<Ty> = args.iter().map(|_| any).collect();
            return self.types.class(class, &args);
        }
        let mut queue = vec![first];
        let mut seen = FxHashSet::default();
        let mut shared: Vec<Ty> = Vec::new();
        let mut at = 0;
        while at < queue.len() && at < 200 {
            let ty = queue[at];
            at += 1;
            for parent in self.supertypes(ty) {
                if !seen.insert(parent) {
                    continue;
                }
                let is_object = matches!(self.types.kind(parent),
                    TypeKind::Class(class, _) if Some(*class) == self.known.object);
                let erased = self.erased(parent);
                let fits = types.iter().all(|&ty| self.is_subtype(ty, parent));
                let fits_erased = fits || types.iter().all(|&ty| self.is_subtype(ty, erased));
                if fits_erased && !is_object {
                    shared.push(if fits { parent } else { erased });
                } else {
                    queue.push(parent);
                }
            }
        }
        match shared[..] {
            [] => self.object(),
            [only] => only,
            _ => self.types.intern(TypeKind::Intersection(shared.into())),
        }
    }
}

/// Whether a primitive type is a subtype of another.
pub(super) fn widens(from: Primitive, to: Primitive) -> bool {
    use Primitive::*;
    let rank = |primitive: Primitive| match primitive {
        Byte => 1,
        Short => 2,
        Int => 3,
        Long => 4,
        Float => 5,
        Double => 6,
        Char | Boolean | Void => 0,
    };
    match (from, to) {
        _ if from == to => true,
        (Char, _) => rank(to) >= 3,
        _ => rank(from) > 0 && rank(to) >= rank(from),
    }
}

fn box_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "Boolean",
        Primitive::Byte => "Byte",
        Primitive::Char => "Character",
        Primitive::Double => "Double",
        Primitive::Float => "Float",
        Primitive::Int => "Integer",
        Primitive::Long => "Long",
        Primitive::Short => "Short",
        Primitive::Void => "Void",
    }
}
