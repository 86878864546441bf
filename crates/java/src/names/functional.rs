//! Functional interfaces: the one method that a lambda or reference is.

use rustc_hash::FxHashSet;

use crate::tree::{ClassKind, WildcardBound};

use super::members::Candidate;
use super::types::{Ty, TypeKind};
use super::{ClassId, World};

impl World {
    /// The parameters and the result of the function that a type wants, if it wants one.
    pub(super) fn function(&mut self, ty: Ty) -> Option<Candidate> {
        let ty = match self.types.kind(ty).clone() {
            TypeKind::Intersection(bounds) => {
                return bounds.iter().find_map(|&bound| self.function(bound));
            }
            TypeKind::Wildcard(_, of) => of,
            _ => ty,
        };
        let TypeKind::Class(class, _) = *self.types.kind(ty) else { return None };
        if self.class(class).which != ClassKind::Interface {
            return None;
        }
        let mut found: Option<Candidate> = None;
        for name in self.abstract_names(class) {
            for candidate in self.find_methods(ty, name) {
                let method = self.method(candidate.method);
                let is_wanted = method.is_abstract && !self.is_objects(&candidate);
                if is_wanted && found.is_none() {
                    found = Some(candidate);
                } else if is_wanted {
                    return None;
                }
            }
        }
        let mut found = found?;
        let object = self.object();
        for parameter in &mut found.parameters {
            *parameter = match *self.types.kind(*parameter) {
                TypeKind::Wildcard(WildcardBound::Any, _) => object,
                _ => self.types.upper(*parameter),
            };
        }
        found.result = self.types.upper(found.result);
        Some(found)
    }

    /// Names of abstract methods of an interface and those that it extends.
    fn abstract_names(&mut self, class: ClassId) -> Vec<atom::Atom> {
        let mut names = Vec::new();
        let mut queue = vec![class];
        let mut seen = FxHashSet::default();
        while let Some(class) = queue.pop() {
            if !seen.insert(class) || Some(class) == self.known.object {
                continue;
            }
            let info = self.class(class);
            let mut own: Vec<_> = info.methods.iter().collect();
            own.sort_by_key(|(name, _)| **name);
            for (&name, methods) in own {
                let is_abstract = methods.iter().any(|&method| self.method(method).is_abstract);
                if is_abstract && !names.contains(&name) {
                    names.push(name);
                }
            }
            for &parent in self.supers(class).iter() {
                if let TypeKind::Class(parent, _) = *self.types.kind(parent) {
                    queue.push(parent);
                }
            }
        }
        names
    }

    /// Whether a method is one that every object has.
    fn is_objects(&mut self, candidate: &Candidate) -> bool {
        let Some(object) = self.known.object else { return false };
        let name = self.method(candidate.method).name;
        let methods = self.class(object).methods.get(&name).cloned().unwrap_or_default();
        methods.into_iter().any(|method| {
            let parameters = self.method(method).parameters.clone();
            parameters.len() == candidate.parameters.len()
                && parameters
                    .iter()
                    .zip(&candidate.parameters)
                    .all(|(&one, &two)| self.erased(one) == self.erased(two))
        })
    }
}
