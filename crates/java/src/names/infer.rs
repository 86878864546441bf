//! Type arguments of calls, from their arguments.
//!
//! Each variable collects what arguments say of it: that it *is* a type (`List<T>` given
//! `List<String>`), that it is at least one (`T` given `String`) or at most one (`Comparator<?
//! super T>`). Equal wins, then the least upper bound of the lower ones, then an upper one.

use rustc_hash::FxHashMap;

use crate::tree::WildcardBound;

use super::types::{Substitution, Ty, TypeKind, Types};
use super::{TypeVarId, World};

/// What is known of the variables of one call.
#[derive(Clone, Default, Debug)]
pub(super) struct Infer {
    vars: FxHashMap<TypeVarId, Bounds>,
}

#[derive(Clone, Default, Debug)]
struct Bounds {
    equal: Vec<Ty>,
    lower: Vec<Ty>,
    upper: Vec<Ty>,
}

impl Infer {
    pub(super) fn new(vars: &[TypeVarId]) -> Infer {
        Infer { vars: vars.iter().map(|&var| (var, Bounds::default())).collect() }
    }

    pub(super) fn set(&mut self, var: TypeVarId, ty: Ty) {
        self.vars.entry(var).or_default().equal.insert(0, ty);
    }

    pub(super) fn vars(&self) -> Vec<TypeVarId> {
        let mut vars: Vec<TypeVarId> = self.vars.keys().copied().collect();
        vars.sort();
        vars
    }

    fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }
}

impl World {
    /// Whether a type has variables that are to be found.
    pub(super) fn mentions(&self, ty: Ty, infer: &Infer) -> bool {
        match self.types.kind(ty) {
            TypeKind::Var(var) => infer.vars.contains_key(var),
            TypeKind::Class(_, args) => args.iter().any(|&arg| self.mentions(arg, infer)),
            TypeKind::Array(of) | TypeKind::Wildcard(_, of) => self.mentions(*of, infer),
            TypeKind::Intersection(bounds) => {
                bounds.iter().any(|&bound| self.mentions(bound, infer))
            }
            _ => false,
        }
    }

    /// Whether a value can be given for a parameter; what that says of variables is noted.
    pub(super) fn fits_formal(&mut self, ty: Ty, to: Ty, infer: &mut Infer, loose: bool) -> bool {
        if infer.is_empty() || !self.mentions(to, infer) {
            return self.fits(ty, to, loose);
        }
        if ty == Types::VOID {
            return false;
        }
        if ty == Types::UNKNOWN || ty == Types::NULL {
            return true;
        }
        let ty = match self.types.is_primitive(ty) {
            true if !loose => return false,
            true => self.boxed(ty),
            false => ty,
        };
        match self.types.kind(to).clone() {
            TypeKind::Var(var) => {
                for &bound in self.bounds_of(var).iter() {
                    let bound = self.erased(bound);
                    if !self.is_subtype(ty, bound) {
                        return false;
                    }
                }
                let ty = self.value_type(ty);
                if let Some(bounds) = infer.vars.get_mut(&var) {
                    bounds.lower.push(ty);
                }
                true
            }
            TypeKind::Class(class, args) => {
                let Some(found) = self.as_super(ty, class) else { return false };
                let TypeKind::Class(_, own) = self.types.kind(found).clone() else { return true };
                for (&formal, &actual) in args.iter().zip(own.iter()) {
                    self.unify(formal, actual, infer);
                }
                true
            }
            TypeKind::Array(element) => match *self.types.kind(ty) {
                TypeKind::Array(own) if self.types.is_primitive(own) => own == element,
                TypeKind::Array(own) => self.fits_formal(own, element, infer, false),
                _ => false,
            },
            TypeKind::Wildcard(_, of) => self.fits_formal(ty, of, infer, loose),
            _ => true,
        }
    }

    /// What a type argument says of the variables in the one it stands for.
    pub(super) fn unify(&mut self, formal: Ty, actual: Ty, infer: &mut Infer) {
        if actual == Types::UNKNOWN || !self.mentions(formal, infer) {
            return;
        }
        match (self.types.kind(formal).clone(), self.types.kind(actual).clone()) {
            (TypeKind::Var(var), TypeKind::Wildcard(bound, of)) => {
                if let Some(bounds) = infer.vars.get_mut(&var)
                    && bound != WildcardBound::Any
                {
                    bounds.equal.push(of);
                }
            }
            (TypeKind::Var(var), _) => {
                if let Some(bounds) = infer.vars.get_mut(&var) {
                    bounds.equal.push(actual);
                }
            }
            (TypeKind::Wildcard(WildcardBound::Super, of), _) => {
                let actual = self.types.upper(actual);
                if let TypeKind::Var(var) = *self.types.kind(of) {
                    if let Some(bounds) = infer.vars.get_mut(&var) {
                        bounds.upper.push(actual);
                    }
                } else {
                    self.unify(of, actual, infer);
                }
            }
            (TypeKind::Wildcard(..), TypeKind::Wildcard(WildcardBound::Any, _)) => {}
            (TypeKind::Wildcard(_, of), _) => {
                let actual = self.types.upper(actual);
                self.fits_formal(actual, of, infer, false);
            }
            (TypeKind::Class(one, args), TypeKind::Class(other, others)) if one == other => {
                for (&formal, &actual) in args.iter().zip(others.iter()) {
                    self.unify(formal, actual, infer);
                }
            }
            (TypeKind::Class(..), TypeKind::Wildcard(_, of)) => self.unify(formal, of, infer),
            (TypeKind::Array(one), TypeKind::Array(other)) => self.unify(one, other, infer),
            _ => {}
        }
    }

    /// What the place of a call says of variables that its arguments say nothing of.
    pub(super) fn expect_result(&mut self, result: Ty, expected: Ty, infer: &mut Infer) {
        if expected == Types::UNKNOWN || self.types.is_primitive(expected) {
            return;
        }
        let before = infer.clone();
        match (self.types.kind(result).clone(), self.types.kind(expected).clone()) {
            (TypeKind::Var(var), _) => {
                let expected = self.types.upper(expected);
                if let Some(bounds) = infer.vars.get_mut(&var) {
                    bounds.upper.push(expected);
                }
            }
            (TypeKind::Class(..), TypeKind::Class(class, wanted)) => {
                if let Some(found) = self.as_super(result, class)
                    && let TypeKind::Class(_, own) = self.types.kind(found).clone()
                {
                    for (&formal, &actual) in own.iter().zip(wanted.iter()) {
                        self.unify(formal, actual, infer);
                    }
                }
            }
            (TypeKind::Array(one), TypeKind::Array(other)) => {
                self.expect_result(one, other, infer);
            }
            _ => {}
        }
        // Arguments know better.
        for var in before.vars() {
            let old = &before.vars[&var];
            if !old.equal.is_empty() || !old.lower.is_empty() {
                infer.vars.insert(var, old.clone());
            }
        }
    }

    /// What the variables are, as far as that is known.
    pub(super) fn solve(&mut self, infer: &Infer) -> Substitution {
        let mut vars: Vec<(&TypeVarId, &Bounds)> = infer.vars.iter().collect();
        vars.sort_by_key(|(var, _)| **var);
        let mut solution = Substitution::default();
        for (&var, bounds) in vars {
            let known = |types: &[Ty]| types.iter().copied().find(|&ty| ty != Types::UNKNOWN);
            let mut found = known(&bounds.equal);
            if found.is_none() && !bounds.lower.is_empty() {
                found = Some(self.least_upper(&bounds.lower));
            }
            found = found.or_else(|| known(&bounds.upper));
            if let Some(found) = found.filter(|&found| found != Types::NULL) {
                solution.insert(var, found);
            }
        }
        // Variables may be said to be what has others in it.
        let mut vars: Vec<TypeVarId> = solution.keys().copied().collect();
        vars.sort();
        for var in vars {
            let found = solution[&var];
            if self.mentions(found, infer) {
                let others: Substitution = solution
                    .iter()
                    .filter(|(other, _)| **other != var)
                    .map(|(&a, &b)| (a, b))
                    .collect();
                let found = self.types.substitute(found, &others);
                solution.insert(var, found);
            }
        }
        solution
    }

    /// As [`World::solve`], with what stays open: the bound of a variable, or unknown.
    pub(super) fn solve_all(&mut self, infer: &Infer) -> Substitution {
        let mut solution = self.solve(infer);
        for var in infer.vars() {
            if solution.contains_key(&var) {
                continue;
            }
            let bounds = self.bounds_of(var);
            let ty = match bounds.first() {
                Some(&bound) => {
                    let bound = self.types.substitute(bound, &solution);
                    if self.mentions(bound, infer) { self.erased(bound) } else { bound }
                }
                None => Types::UNKNOWN,
            };
            solution.insert(var, ty);
        }
        solution
    }
}
