//! What inputs of a function look like: the tuple of its arguments, clause by clause.
//!
//! A clause of a spec may have variables: `-spec f(A, [A]) -> …`. For every input each of them
//! stands for one type, chosen by chance within its bound, so that arguments go together as the
//! spec says.

use std::cell::RefCell;

use atom::Atom;
use types::Type;
use types::declared::contract::Contract;

use crate::Random;

/// One clause.
#[derive(Clone, Debug)]
pub struct Shape {
    /// A tuple of the arguments, variables in it.
    ty: Type,
    /// Variables with what they are within.
    bounds: Vec<(Atom, Type)>,
}

impl Shape {
    /// Arguments without variables.
    pub fn of_args(args: Vec<Type>) -> Shape {
        Shape::of_type(Type::tuple(args))
    }

    /// Any type without variables.
    pub fn of_type(ty: Type) -> Shape {
        Shape { ty, bounds: Vec::new() }
    }

    /// The clauses of a spec.
    pub fn of_contract(contract: &Contract) -> Vec<Shape> {
        let clauses = contract.clauses.iter();
        clauses
            .map(|clause| Shape {
                ty: Type::tuple(clause.args.clone()),
                bounds: clause.bounds().to_vec(),
            })
            .collect()
    }

    /// The type of all inputs of this shape.
    pub fn ground(&self) -> Type {
        self.put_in(&self.ty, &[], MOST_BOUNDS)
    }

    /// A type for one input: each variable stands for one type.
    pub fn instance(&self, random: &mut Random) -> Type {
        if !self.ty.has_variables() {
            return self.ty.clone();
        }
        let mut chosen: Vec<(Atom, Type)> = Vec::new();
        self.choose(&self.ty, random, &mut chosen, MOST_BOUNDS);
        self.put_in(&self.ty, &chosen, MOST_BOUNDS)
    }

    fn bound(&self, name: Atom) -> Option<&Type> {
        self.bounds.iter().find(|bound| bound.0 == name).map(|bound| &bound.1)
    }

    /// Chooses a type for each variable of a type that has none yet.
    fn choose(&self, ty: &Type, random: &mut Random, chosen: &mut Vec<(Atom, Type)>, depth: u32) {
        for name in variables(ty) {
            if chosen.iter().any(|known| known.0 == name) {
                continue;
            }
            let bound = match self.bound(name) {
                Some(bound) if depth > 0 => {
                    self.choose(bound, random, chosen, depth - 1);
                    self.put_in(bound, chosen, depth - 1)
                }
                _ => Type::Any,
            };
            let wish = match random.below(8) {
                0 | 1 => Type::integer(),
                2 => Type::atom(),
                3 => Type::boolean(),
                4 => Type::list(Type::integer()),
                5 => Type::binary(),
                _ => Type::Any,
            };
            let both = bound.meet(&wish);
            chosen.push((name, if both.is_none() { bound } else { both }));
        }
    }

    fn put_in(&self, ty: &Type, chosen: &[(Atom, Type)], depth: u32) -> Type {
        ty.with_variables(&|name| {
            if let Some((_, ty)) = chosen.iter().find(|known| known.0 == name) {
                return ty.clone();
            }
            match self.bound(name) {
                Some(bound) if depth > 0 => self.put_in(bound, chosen, depth - 1),
                _ => Type::Any,
            }
        })
    }
}

/// The variables of a type, in the order in which they are met.
fn variables(ty: &Type) -> Vec<Atom> {
    let found = RefCell::new(Vec::new());
    // Everything stays as it is; it is only looked at.
    ty.with_variables(&|name| {
        found.borrow_mut().push(name);
        Type::Var(name)
    });
    found.into_inner()
}

/// Bounds of variables in bounds of variables that are looked into.
const MOST_BOUNDS: u32 = 4;
