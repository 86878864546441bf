//! Fields and methods of types, inherited ones included.

use atom::Atom;
use rustc_hash::FxHashSet;

use crate::tree::ClassKind;

use super::lookup::Env;
use super::types::{Ty, TypeKind, Types};
use super::{FieldId, MethodId, World};

/// A method as a member of a type.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) method: MethodId,
    /// Its parameters and result, with the arguments of the type put in.
    pub(super) parameters: Vec<Ty>,
    pub(super) result: Ty,
}

impl World {
    /// A field of a type, and the type that it has there.
    pub(super) fn find_field(&mut self, env: &Env, ty: Ty, name: Atom) -> Option<(FieldId, Ty)> {
        let mut seen = FxHashSet::default();
        self.find_field_in(env, ty, name, &mut seen)
    }

    fn find_field_in(
        &mut self,
        env: &Env,
        ty: Ty,
        name: Atom,
        seen: &mut FxHashSet<Ty>,
    ) -> Option<(FieldId, Ty)> {
        if !seen.insert(ty) {
            return None;
        }
        if let TypeKind::Class(class, _) = *self.types.kind(ty)
            && let Some(&field) = self.class(class).fields.get(&name)
            && self.is_accessible(env, class, self.field(field).access)
        {
            let declared = self.field(field).ty;
            return Some((field, self.member_type(ty, declared)));
        }
        let parents = self.supertypes(ty);
        parents.into_iter().find_map(|parent| self.find_field_in(env, parent, name, seen))
    }

    /// The type of a member as seen through a type: its arguments put in, or erased if it is raw.
    pub(super) fn member_type(&mut self, through: Ty, declared: Ty) -> Ty {
        let TypeKind::Class(class, args) = self.types.kind(through).clone() else {
            return declared;
        };
        if args.is_empty() {
            return match self.class(class).all_parameters.is_empty() {
                true => declared,
                false => self.erased(declared),
            };
        }
        let by = self.substitution(class, &args);
        self.types.substitute(declared, &by)
    }

    /// All methods of this name that a type has; of those that override each other one.
    ///
    /// As in javac: classes come first, from the type up to Object; what is found there and has a
    /// body hides all that interfaces have. Of methods without a body that do not override each
    /// other the last counts.
    pub(super) fn find_methods(&mut self, ty: Ty, name: Atom) -> Vec<Candidate> {
        let (mut classes, mut interfaces) = (Vec::new(), Vec::new());
        self.lineage(ty, &mut classes, &mut interfaces);
        let object = self.object();
        classes.push(object);
        let mut found: Vec<Candidate> = Vec::new();
        let mut seen = FxHashSet::default();
        for &class in &classes {
            for candidate in self.methods_of(class, name, &mut seen) {
                if !found.iter().any(|other| self.overrides(other, &candidate)) {
                    found.push(candidate);
                }
            }
        }
        // The order of a walk that goes deep first.
        interfaces.reverse();
        while let Some(interface) = interfaces.pop() {
            for candidate in self.methods_of(interface, name, &mut seen) {
                // Static methods of interfaces are not inherited.
                if self.method(candidate.method).is_static {
                    continue;
                }
                self.add_interface_method(&mut found, candidate);
            }
            let mut parents = self.supertypes(interface);
            parents.reverse();
            parents.retain(|parent| !seen.contains(parent));
            interfaces.extend(parents);
        }
        found
    }

    /// The classes that a type is, itself first, and the interfaces that they implement.
    fn lineage(&mut self, ty: Ty, classes: &mut Vec<Ty>, interfaces: &mut Vec<Ty>) {
        let mut next = Some(ty);
        let mut steps = 0;
        while let Some(ty) = next.take() {
            steps += 1;
            let TypeKind::Class(..) = self.types.kind(ty) else {
                for parent in self.supertypes(ty) {
                    if steps < 200 && classes.len() < 200 {
                        self.lineage(parent, classes, interfaces);
                    }
                }
                return;
            };
            if classes.contains(&ty) || steps > 200 {
                return;
            }
            classes.push(ty);
            for parent in self.supertypes(ty) {
                let is_interface = match *self.types.kind(parent) {
                    TypeKind::Class(class, _) => {
                        let which = self.class(class).which;
                        matches!(which, ClassKind::Interface | ClassKind::Annotation)
                    }
                    _ => false,
                };
                if is_interface || next.is_some() {
                    interfaces.push(parent);
                } else {
                    next = Some(parent);
                }
            }
        }
    }

    /// The methods of this name that a class itself declares, unless it was looked at.
    fn methods_of(&mut self, ty: Ty, name: Atom, seen: &mut FxHashSet<Ty>) -> Vec<Candidate> {
        if !seen.insert(ty) {
            return Vec::new();
        }
        let TypeKind::Class(class, _) = *self.types.kind(ty) else { return Vec::new() };
        let methods = self.class(class).methods.get(&name).cloned().unwrap_or_default();
        methods.into_iter().map(|method| self.candidate(ty, method)).collect()
    }

    fn add_interface_method(&mut self, found: &mut Vec<Candidate>, candidate: Candidate) {
        let same = found.iter().position(|other| self.overrides(other, &candidate));
        let Some(at) = same else {
            found.push(candidate);
            return;
        };
        let (first, other) = (found[at].method, candidate.method);
        let owners = (self.method(first).class, self.method(other).class);
        let this = self.this_type(owners.0);
        let is_kept = !self.method(first).is_abstract || self.as_super(this, owners.1).is_some();
        if !is_kept {
            found[at] = candidate;
        }
    }

    pub(super) fn candidate(&mut self, through: Ty, method: MethodId) -> Candidate {
        let info = self.method(method);
        let (parameters, result, is_static) =
            (info.parameters.clone(), info.result, info.is_static);
        if is_static {
            return Candidate { method, parameters, result };
        }
        let parameters = parameters.into_iter().map(|ty| self.member_type(through, ty)).collect();
        Candidate { method, parameters, result: self.member_type(through, result) }
    }

    /// Whether a method that was found first hides another of a supertype.
    fn overrides(&mut self, first: &Candidate, other: &Candidate) -> bool {
        if first.method == other.method {
            return true;
        }
        if first.parameters.len() != other.parameters.len()
            || self.method(first.method).class == self.method(other.method).class
        {
            return false;
        }
        // A static method of an interface is nobody's member but the interface's.
        let pairs: Vec<(Ty, Ty)> =
            first.parameters.iter().copied().zip(other.parameters.iter().copied()).collect();
        let vars = (
            self.method(first.method).type_parameters.clone(),
            self.method(other.method).type_parameters.clone(),
        );
        if vars.0.len() == vars.1.len() && !vars.0.is_empty() {
            let by = vars.1.iter().copied().zip(vars.0.iter().map(|&var| self.types.var(var)));
            let by = by.collect();
            return pairs.into_iter().all(|(one, two)| {
                let two = self.types.substitute(two, &by);
                self.erased(one) == self.erased(two)
            });
        }
        pairs.into_iter().all(|(one, two)| {
            let (one, two) = (self.upper_erased(one), self.upper_erased(two));
            one == two || one == Types::UNKNOWN || two == Types::UNKNOWN
        })
    }

    fn upper_erased(&mut self, ty: Ty) -> Ty {
        let ty = self.types.upper(ty);
        self.erased(ty)
    }
}
