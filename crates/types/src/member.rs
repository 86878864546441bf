//! Whether a term is of a type, and if not, which part of it is not.
//!
//! Exact for everything that a term shows; a fun is judged by its arity alone. Where a type has
//! several shapes for a kind of term (tuples of one size), the one that the term comes closest to
//! is told: the one whose first differing part is deepest, or furthest to the right.
//!
//! Cost: linear in the term, times the alternatives of tuples. Nesting is bounded by memory.

use num_traits::{Signed, ToPrimitive};
use term::order::exact_eq;
use term::{Boxed, Foreign, ForeignKind, Term, View};

use crate::ty::{FunType, Integers, Key, MapType, Presence, Tuples, Type, Union};

/// A step from a term to a part of it.
#[derive(Clone, Debug)]
pub enum Step {
    /// From 1.
    Element(usize),
    /// Of a list, from 1.
    Item(usize),
    /// Behind the last element of a list.
    Tail,
    /// A key of a map.
    Key(Term),
    /// What a key maps to.
    Value(Term),
}

/// The part of a term that is not as it should be.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// How to get there from the whole term.
    pub path: Vec<Step>,
    pub found: Term,
    pub expected: Type,
    /// A key that the map lacks.
    pub missing: Option<Key>,
}

impl Type {
    /// Whether a term is of this type.
    pub fn contains(&self, term: &Term) -> bool {
        self.check(term).is_ok()
    }

    /// As [`Type::contains`], with what is wrong.
    pub fn check(&self, term: &Term) -> Result<(), Box<Mismatch>> {
        if matches!(self, Type::Any | Type::Var(_)) {
            return Ok(());
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || check(self, term))
    }
}

fn wrong(expected: &Type, found: &Term) -> Result<(), Box<Mismatch>> {
    let (found, expected) = (found.clone(), expected.clone());
    Err(Box::new(Mismatch { path: Vec::new(), found, expected, missing: None }))
}

/// Checks a part, and leads there from the whole.
fn part(ty: &Type, term: &Term, step: impl FnOnce() -> Step) -> Result<(), Box<Mismatch>> {
    ty.check(term).map_err(|mut mismatch| {
        mismatch.path.insert(0, step());
        mismatch
    })
}

fn check(ty: &Type, term: &Term) -> Result<(), Box<Mismatch>> {
    let parts = ty.parts();
    let fits = match term.view() {
        View::Nil => parts.nil,
        View::Int(value) => parts.integers.contains(value),
        View::Atom(atom) => parts.atoms.contains(atom),
        View::Float(_) => parts.floats,
        View::Pid(_) => parts.pids,
        View::Port(_) => parts.ports,
        View::Ref(_) => parts.references,
        View::Cons(_) => return list(ty, parts, term),
        View::Tuple(elements) => return tuple(ty, &parts.tuples, term, elements),
        View::Map(map) => {
            return match &parts.maps {
                Some(expected) => maps(ty, expected, term, map),
                None => wrong(ty, term),
            };
        }
        View::Bits(bits) => {
            parts.bits.is_some_and(|expected| expected.contains(bits.bit_len() as u64))
        }
        View::Boxed(Boxed::Big(value)) => match value.to_i64() {
            Some(value) => parts.integers.contains(value),
            None => match &parts.integers {
                Integers::Some(_) => false,
                range => range.is_open(!value.is_negative()),
            },
        },
        View::Boxed(Boxed::Fun(fun)) => match &parts.funs {
            None => false,
            Some(FunType { args: None, .. }) => true,
            Some(FunType { args: Some(args), .. }) => args.len() == fun.arity() as usize,
        },
        View::Boxed(Boxed::Foreign(foreign)) => match foreign {
            Foreign { kind: ForeignKind::Pid, .. } => parts.pids,
            Foreign { kind: ForeignKind::Port, .. } => parts.ports,
            Foreign { kind: ForeignKind::Ref, .. } => parts.references,
        },
        View::Boxed(Boxed::Record(_)) => parts.records,
    };
    if fits { Ok(()) } else { wrong(ty, term) }
}

fn list(ty: &Type, parts: &Union, term: &Term) -> Result<(), Box<Mismatch>> {
    let Some(cons) = &parts.cons else { return wrong(ty, term) };
    let mut elements = term.elements();
    for (place, element) in elements.by_ref().enumerate() {
        part(&cons.head, element, || Step::Item(place + 1))?;
    }
    part(&cons.tail, elements.rest(), || Step::Tail)
}

fn tuple(ty: &Type, tuples: &Tuples, term: &Term, elements: &[Term]) -> Result<(), Box<Mismatch>> {
    let Some(same_size) = tuples.of_size(elements.len()) else { return Ok(()) };
    let mut closest: Option<Box<Mismatch>> = None;
    for expected in same_size {
        let mut pairs = expected.iter().zip(elements).enumerate();
        let failed = pairs.find_map(|(place, (ty, element))| {
            part(ty, element, || Step::Element(place + 1)).err()
        });
        let Some(failed) = failed else { return Ok(()) };
        if closest.as_ref().is_none_or(|closest| is_further(&failed, closest)) {
            closest = Some(failed);
        }
    }
    match closest {
        // A tag that none of them has says nothing about one of them.
        Some(closest) if !matches!(closest.path[..], [Step::Element(1)]) => Err(closest),
        _ => wrong(ty, term),
    }
}

/// Whether a mismatch is further inside, or to the right, than another.
fn is_further(one: &Mismatch, other: &Mismatch) -> bool {
    let place = |mismatch: &Mismatch| match mismatch.path.first() {
        Some(Step::Element(place)) => *place,
        _ => 0,
    };
    (place(one), one.path.len()) > (place(other), other.path.len())
}

fn maps(ty: &Type, expected: &MapType, term: &Term, map: &term::Map) -> Result<(), Box<Mismatch>> {
    for field in &expected.fields {
        let key = key_term(field.key);
        match map.get(&key) {
            Some(value) => part(&field.value, value, || Step::Value(key.clone()))?,
            None if field.presence == Presence::Optional => {}
            None => {
                let (found, expected) = (term.clone(), ty.clone());
                let missing = Some(field.key);
                let path = Vec::new();
                return Err(Box::new(Mismatch { path, found, expected, missing }));
            }
        }
    }
    if expected.other_keys.is_any() && expected.other_values.is_any() {
        return Ok(());
    }
    for (key, value) in map.iter() {
        if expected.fields.iter().any(|field| exact_eq(&key_term(field.key), key)) {
            continue;
        }
        part(&expected.other_keys, key, || Step::Key(key.clone()))?;
        part(&expected.other_values, value, || Step::Value(key.clone()))?;
    }
    Ok(())
}

fn key_term(key: Key) -> Term {
    match key {
        Key::Integer(value) => Term::int(value),
        Key::Atom(atom) => Term::atom_const(atom),
    }
}
