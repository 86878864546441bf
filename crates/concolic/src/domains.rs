//! Types as domains: what inputs may be.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use solver::{Domain, DomainId, Exprs, MapDomain, Test};
use term::Term;
use types::Type;
use types::ty::{Atoms, FunType, Integers, Key, MapType, Presence, Tuples, Union};

use crate::funs::Funs;

/// Makes domains of types, each once.
#[derive(Default)]
pub struct Domains {
    known: FxHashMap<Type, DomainId>,
    /// Whether some values of a type are left out: native records, of which a search makes none.
    pub leaves_out: bool,
    /// Funs that values may have in them.
    pub funs: Funs,
}

impl Domains {
    /// The domain of a type.
    pub fn of(&mut self, exprs: &mut Exprs, ty: &Type) -> DomainId {
        if let Some(&known) = self.known.get(ty) {
            return known;
        }
        let id = exprs.reserve_domain();
        self.known.insert(ty.clone(), id);
        let domain = match ty {
            Type::Any | Type::Var(_) => Domain::Any,
            _ => Domain::Union(self.kinds(exprs, ty.parts()).into()),
        };
        exprs.set_domain(id, domain);
        id
    }

    fn kinds(&mut self, exprs: &mut Exprs, parts: &Union) -> Vec<DomainId> {
        let mut found = Vec::new();
        match &parts.integers {
            Integers::Some(values) => {
                found.extend(values.iter().map(|&value| Domain::Value(Term::int(value))));
            }
            Integers::Range(low, high) => {
                found.push(Domain::Between(low.map(BigInt::from), high.map(BigInt::from)));
            }
        }
        match &parts.atoms {
            Atoms::All => found.push(Domain::Test(Test::Atom)),
            Atoms::Some(atoms) => {
                found.extend(atoms.iter().map(|&atom| Domain::Value(Term::from(atom))));
            }
        }
        if parts.nil {
            found.push(Domain::Value(Term::NIL));
        }
        let tests = [
            (parts.floats, Test::Float),
            (parts.pids, Test::Pid),
            (parts.ports, Test::Port),
            (parts.references, Test::Reference),
        ];
        found.extend(tests.iter().filter(|(has, _)| *has).map(|(_, test)| Domain::Test(*test)));
        if let Some(bits) = parts.bits {
            found.push(Domain::Bits { size: u64::from(bits.base), unit: u64::from(bits.unit) });
        }
        match &parts.tuples {
            Tuples::All => found.push(Domain::Test(Test::Tuple)),
            Tuples::Some(tuples) => {
                for tuple in tuples {
                    let elements: Vec<DomainId> =
                        tuple.iter().map(|element| self.of(exprs, element)).collect();
                    found.push(Domain::Tuple(elements.into()));
                }
            }
        }
        self.leaves_out |= parts.records;
        if let Some(fun) = &parts.funs {
            found.extend(self.funs(exprs, fun));
        }
        let mut ids: Vec<DomainId> = found.into_iter().map(|domain| exprs.domain(domain)).collect();
        if let Some(cons) = &parts.cons {
            ids.push(self.cells(exprs, &cons.head, &cons.tail));
        }
        if let Some(maps) = &parts.maps {
            let maps = self.maps(exprs, maps);
            ids.push(exprs.domain(maps));
        }
        ids
    }

    /// Funs: constants that stand for them. Where the number of arguments is open, of up to three.
    fn funs(&mut self, exprs: &mut Exprs, fun: &FunType) -> Vec<Domain> {
        let result = self.of(exprs, &fun.result);
        let arities = match &fun.args {
            Some(args) => args.len() as u32..args.len() as u32 + 1,
            None => 0..4,
        };
        let mut found = Vec::new();
        for arity in arities {
            let made = self.funs.add(arity, result);
            self.leaves_out |= made.is_empty();
            found.extend(made.into_iter().map(Domain::Value));
        }
        found
    }

    /// Lists of one element or more.
    fn cells(&mut self, exprs: &mut Exprs, head: &Type, tail: &Type) -> DomainId {
        let (head, end) = (self.of(exprs, head), self.of(exprs, tail));
        let cell = exprs.reserve_domain();
        let rest = exprs.domain(Domain::Union([end, cell].into()));
        exprs.set_domain(cell, Domain::Cons(head, rest));
        cell
    }

    fn maps(&mut self, exprs: &mut Exprs, map: &MapType) -> Domain {
        let mut fields = Vec::new();
        for field in &map.fields {
            let key = match field.key {
                Key::Integer(value) => Term::int(value),
                Key::Atom(atom) => Term::from(atom),
            };
            let value = self.of(exprs, &field.value);
            fields.push((key, value, field.presence == Presence::Required));
        }
        let rest = match map.other_keys.is_none() {
            true => None,
            false => {
                let (keys, values) = (&map.other_keys, &map.other_values);
                Some((self.of(exprs, keys), self.of(exprs, values)))
            }
        };
        Domain::Map(Box::new(MapDomain { fields, rest }))
    }
}
