//! How deep the shallowest value of a type is.
//!
//! Recursive types hold themselves; a generator that chooses freely among their alternatives may
//! never come to an end. With the least depth of every type known it takes, where its depth is used
//! up, an alternative that ends. Types are looked into to a fixed depth ([`MOST`]): a type whose
//! shallowest value is deeper is taken to have none.
//!
//! A fun is as deep as what it gives, and one more. Where what it gives has no value
//! (`fun(() -> no_return())`, or a fun that gives funs like itself for ever) it can only fail when
//! it is called, and there is nothing in it.

use rustc_hash::FxHashMap;
use types::Type;
use types::ty::{Field, FunType, MapType, Presence, Tuples, Union};

use crate::input::deeper;

/// No type whose shallowest value is deeper has values.
pub const MOST: u32 = 64;

/// The least depths of types that were asked for.
#[derive(Debug, Default)]
pub struct Ranks {
    /// With funs that give something.
    least: FxHashMap<Type, Option<u32>>,
    /// Where there is none: with funs that fail.
    failing: FxHashMap<Type, Option<u32>>,
    /// Whether a type has a value of some depth at most; the last says whether funs may fail.
    within: FxHashMap<(Type, u32, bool), bool>,
}

impl Ranks {
    /// The depth of the shallowest value; `None` if there is no value.
    pub fn least(&mut self, ty: &Type) -> Option<u32> {
        self.giving(ty).or_else(|| {
            if let Some(known) = self.failing.get(ty) {
                return *known;
            }
            let found = (0..=MOST).find(|&depth| self.is_within(ty, depth, true));
            self.failing.insert(ty.clone(), found);
            found
        })
    }

    /// The same, where every fun in it gives something when it is called.
    pub fn giving(&mut self, ty: &Type) -> Option<u32> {
        if has_leaf(ty.parts()) {
            return Some(0);
        }
        if ty.is_none() {
            return None;
        }
        if let Some(known) = self.least.get(ty) {
            return *known;
        }
        let found = (0..=MOST).find(|&depth| self.is_within(ty, depth, false));
        self.least.insert(ty.clone(), found);
        found
    }

    /// Whether there is a value that is not deeper.
    fn is_within(&mut self, ty: &Type, depth: u32, fails: bool) -> bool {
        let parts = ty.parts();
        if has_leaf(parts) {
            return true;
        }
        let has_no_parts = parts.cons.is_none()
            && parts.tuples.is_none()
            && parts.maps.is_none()
            && parts.funs.is_none();
        if has_no_parts {
            return false;
        }
        if depth == 0 {
            return fails && parts.funs.is_some();
        }
        let key = (ty.clone(), depth, fails);
        if let Some(&known) = self.within.get(&key) {
            return known;
        }
        let found = deeper(|| self.look(parts, depth - 1, fails));
        self.within.insert(key, found);
        found
    }

    /// Whether there is a value whose parts are not deeper.
    fn look(&mut self, parts: &Union, depth: u32, fails: bool) -> bool {
        let mut is = |ty: &Type| self.is_within(ty, depth, fails);
        if let Some(cons) = &parts.cons
            && is(&cons.head)
            && is(&cons.tail)
        {
            return true;
        }
        if let Tuples::Some(tuples) = &parts.tuples
            && tuples.iter().any(|tuple| tuple.iter().all(&mut is))
        {
            return true;
        }
        if let Some(map) = &parts.maps
            && required(map).all(|field| is(&field.value))
        {
            return true;
        }
        match &parts.funs {
            Some(FunType { result, .. }) => fails || result.is_none() || is(result),
            None => false,
        }
    }
}

/// The fields that a map must have.
pub(crate) fn required(map: &MapType) -> impl Iterator<Item = &Field> {
    map.fields.iter().filter(|field| field.presence == Presence::Required)
}

/// Whether there is a value that has no parts.
pub(crate) fn has_leaf(parts: &Union) -> bool {
    !parts.atoms.is_none()
        || !parts.integers.is_none()
        || parts.floats
        || parts.bits.is_some()
        || parts.pids
        || parts.ports
        || parts.references
        || parts.nil
        || parts.records
        || match &parts.tuples {
            Tuples::All => true,
            Tuples::Some(tuples) => tuples.iter().any(|tuple| tuple.is_empty()),
        }
        || parts.maps.as_ref().is_some_and(|map| required(map).next().is_none())
        || matches!(&parts.funs, Some(FunType { args: None, result: Type::Any }))
}
