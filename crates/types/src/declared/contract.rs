//! Specs, and what they say about one call.
//!
//! A clause of a spec relates arguments and result by its variables: `map(fun((A) -> B), [A]) ->
//! [B]`. Applied to the types of a call's arguments, a variable stands for what was seen in its
//! places (results of funs and contents of structures; not what funs take, which is an upper
//! bound), within its bound; one that was seen nowhere stands for its bound. So does one that
//! `when` says something about, since most of these are names for a type and not for a value
//! (`put(K, V, State) -> State when State :: state()` gives another state); but for those that may
//! be any term and are a part of an argument, such as the elements of a list. (In our own models
//! variables always stand for values.)

use std::cell::RefCell;
use std::sync::OnceLock;

use atom::Atom;
use syntax::ast::{Kind, NodeId};

use super::resolve::{Resolver, Variables};
use super::{Declarations, Source};
use crate::ty::{Tuples, Type, What};

/// A `-spec` or `-callback`.
#[derive(Clone, Debug)]
pub struct Contract {
    pub clauses: Vec<Clause>,
    pub form: NodeId,
    /// Whether the first clause that takes all that is given holds. Else every clause may be meant
    /// that takes some of it.
    ordered: bool,
}

/// One clause of a spec, variables in it.
#[derive(Clone, Debug)]
pub struct Clause {
    pub args: Vec<Type>,
    pub result: Type,
    /// What stands behind `when`.
    bounds: Vec<(Atom, Type)>,
    has_variables: bool,
    /// Whether it is of our own models, whose variables always stand for values.
    is_ours: bool,
    /// Arguments and result with variables at their bounds, once somebody asked.
    ground: OnceLock<(Vec<Type>, Type)>,
}

impl Contract {
    pub(crate) fn of_form(
        declarations: &Declarations,
        module: Source<'_>,
        form: NodeId,
    ) -> Option<Contract> {
        let Kind::SpecAttribute { clauses, .. } = module.tree.kind(form) else { return None };
        let variables = Variables::all_open();
        let resolver = Resolver { declarations, module, variables: &variables };
        let clauses = module.tree.list(clauses).iter();
        let clauses = clauses.filter_map(|&clause| Clause::read(&resolver, clause)).collect();
        Some(Contract { clauses, form, ordered: false })
    }

    /// The same as a model of our own: clauses are tried one after the other.
    pub(crate) fn in_order(mut self) -> Contract {
        self.clauses.iter_mut().for_each(|clause| clause.is_ours = true);
        Contract { ordered: true, ..self }
    }

    /// Every clause, with variables at their bounds.
    pub fn ground(&self) -> impl Iterator<Item = (Vec<Type>, Type)> {
        self.clauses.iter().map(|clause| clause.ground().clone())
    }

    /// What arguments may be by some clause, one by one.
    pub fn args(&self) -> Vec<Type> {
        let mut joined: Vec<Type> = Vec::new();
        for (args, _) in self.ground() {
            if joined.is_empty() {
                joined = args;
            } else {
                joined.iter_mut().zip(&args).for_each(|(joined, arg)| *joined = joined.join(arg));
            }
        }
        joined
    }

    pub fn result(&self) -> Type {
        self.ground().fold(Type::None, |joined, (_, result)| joined.join(&result))
    }

    /// The clauses that a call with such arguments can mean: what its arguments are then, and what
    /// it gives.
    pub fn apply(&self, args: &[Type]) -> Vec<(Vec<Type>, Type)> {
        let mut found = Vec::new();
        for clause in &self.clauses {
            let Some((met, result)) = clause.apply(args) else { continue };
            let takes_all = self.ordered && met == args;
            found.push((met, result));
            if takes_all {
                break;
            }
        }
        found
    }
}

impl Clause {
    fn read(resolver: &Resolver<'_>, clause: NodeId) -> Option<Clause> {
        let tree = resolver.module.tree;
        let (fun, constraints) = match tree.kind(clause) {
            Kind::BoundedFunType { fun, constraints } => (fun, tree.list(constraints)),
            _ => (clause, &[] as &[NodeId]),
        };
        let Kind::FunType { args: Some(args), result, .. } = tree.kind(fun) else { return None };
        let mut bounds = Vec::new();
        for &constraint in constraints {
            if let Kind::ConstraintType { var, ty } = tree.kind(constraint)
                && let Kind::Var(name) = tree.kind(var)
            {
                bounds.push((name, resolver.ty(ty)));
            }
        }
        let args: Vec<Type> = tree.list(args).iter().map(|&arg| resolver.ty(arg)).collect();
        let result = resolver.ty(result);
        let has_variables = result.has_variables() || args.iter().any(Type::has_variables);
        let ground = OnceLock::new();
        Some(Clause { args, result, bounds, has_variables, is_ours: false, ground })
    }

    /// What stands behind `when`: variables with their bounds.
    pub fn bounds(&self) -> &[(Atom, Type)] {
        &self.bounds
    }

    fn bound(&self, name: Atom) -> Option<&Type> {
        self.bounds.iter().find(|bound| bound.0 == name).map(|bound| &bound.1)
    }

    /// The type with variables as `known` says, at their bounds otherwise.
    fn put_in(&self, ty: &Type, known: &[(Atom, Type)], depth: u32) -> Type {
        ty.with_variables(&|name| {
            let bound = match self.bound(name) {
                // A variable that is bounded by itself says nothing.
                Some(bound) if depth > 0 => self.put_in(bound, known, depth - 1),
                _ => Type::Any,
            };
            match known.iter().find(|known| known.0 == name) {
                Some((_, seen)) => match seen.meet(&bound) {
                    // A name for a part that this call has not, such as `B` of `A | B`.
                    Type::None if !bound.is_any() => bound,
                    both => both,
                },
                None => bound,
            }
        })
    }

    /// The clause with variables at their bounds.
    pub fn ground(&self) -> &(Vec<Type>, Type) {
        self.ground.get_or_init(|| {
            if !self.has_variables {
                return (self.args.clone(), self.result.clone());
            }
            let args = self.args.iter().map(|arg| self.put_in(arg, &[], MOST_BOUNDS)).collect();
            (args, self.put_in(&self.result, &[], MOST_BOUNDS))
        })
    }

    fn apply(&self, actual: &[Type]) -> Option<(Vec<Type>, Type)> {
        let (args, result) = self.ground();
        let mut result = result.clone();
        let mut met = Vec::with_capacity(args.len());
        for (arg, actual) in args.iter().zip(actual) {
            let both = arg.meet(actual);
            if both.is_none() {
                return None;
            }
            met.push(both);
        }
        if self.result.has_variables() {
            let mut seen = Vec::new();
            for (arg, actual) in self.args.iter().zip(&met) {
                self.look(arg, actual, &mut seen, Place { inside: false, depth: MOST_BOUNDS });
            }
            for (arg, actual) in self.args.iter().zip(&met) {
                self.look_again(arg, actual, &mut seen);
            }
            let found = self.put_in(&self.result, &seen, MOST_BOUNDS);
            // A fun that never returns need not be called.
            if !found.is_none() {
                result = found;
            }
        }
        Some((met, result))
    }

    /// Notes what is in the places of variables.
    fn look(&self, declared: &Type, actual: &Type, seen: &mut Vec<(Atom, Type)>, at: Place) {
        match declared {
            Type::Var(name) => {
                let bound = self.bound(*name);
                let stands_for_values =
                    self.is_ours || bound.is_none_or(|bound| bound.is_any() && at.inside);
                if stands_for_values {
                    match seen.iter_mut().find(|known| known.0 == *name) {
                        Some(known) => known.1 = known.1.join(actual),
                        None => seen.push((*name, actual.clone())),
                    }
                }
                match (bound, at.depth) {
                    (Some(bound), 1..) => self.look(bound, actual, seen, at.deeper()),
                    (Some(bound), 0) => could_be_anything(bound, seen),
                    (None, _) => {}
                }
            }
            Type::Named(named) if at.depth > 0 && declared.has_variables() => {
                if let Type::Named(other) = actual
                    && let (What::Type { args, .. }, What::Type { args: others, .. }) =
                        (&named.what, &other.what)
                    && args.len() == others.len()
                {
                    for (arg, other) in args.iter().zip(others) {
                        self.look(arg, other, seen, at.inside());
                    }
                    return;
                }
                if let What::Union(members) = &named.what {
                    for member in members {
                        let part = match member {
                            // What is not said by the others.
                            Type::Var(_) => members
                                .iter()
                                .filter(|other| !matches!(other, Type::Var(_)))
                                .fold(actual.clone(), |left, other| left.without(other)),
                            other => actual.meet(&self.put_in(other, &[], at.depth - 1)),
                        };
                        self.look(member, &part, seen, at.deeper());
                    }
                    return;
                }
                self.look_inside(named.body(), actual, seen, at.deeper());
            }
            Type::Union(_) if declared.has_variables() => {
                self.look_inside(declared, actual, seen, at);
            }
            other => could_be_anything(other, seen),
        }
    }

    /// An argument that is a variable which stands for values elsewhere is one of these values.
    fn look_again(&self, declared: &Type, actual: &Type, seen: &mut [(Atom, Type)]) {
        let mut next = Some(declared);
        for _ in 0..MOST_BOUNDS {
            let Some(Type::Var(name)) = next else { break };
            if let Some(known) = seen.iter_mut().find(|known| known.0 == *name) {
                known.1 = known.1.join(actual);
            }
            next = self.bound(*name);
        }
    }

    fn look_inside(&self, declared: &Type, actual: &Type, seen: &mut Vec<(Atom, Type)>, at: Place) {
        let at = at.inside();
        let (declared, actual) = (declared.parts(), actual.parts());
        if let Some(cons) = &declared.cons {
            let (head, tail) = match &actual.cons {
                Some(actual) => (actual.head.clone(), actual.tail.clone()),
                None => (Type::None, Type::None),
            };
            self.look(&cons.head, &head, seen, at);
            self.look(&cons.tail, &tail, seen, at);
        }
        if let Tuples::Some(tuples) = &declared.tuples {
            for tuple in tuples {
                for (place, element) in tuple.iter().enumerate() {
                    let actual = actual.tuples.element(tuple.len(), place);
                    self.look(element, &actual, seen, at);
                }
            }
        }
        if let Some(map) = &declared.maps {
            let (keys, values) = match &actual.maps {
                Some(actual) => actual.keys_and_values(),
                None => (Type::None, Type::None),
            };
            self.look(&map.other_keys, &keys, seen, at);
            self.look(&map.other_values, &values, seen, at);
            for field in &map.fields {
                let value = actual.maps.as_ref().map_or(Type::None, |map| map.at(field.key).0);
                self.look(&field.value, &value, seen, at);
            }
        }
        if let Some(fun) = &declared.funs {
            let result = actual.funs.as_ref().map_or(Type::None, |fun| fun.result.clone());
            self.look(&fun.result, &result, seen, at);
        }
    }
}

/// Where in a spec a type stands.
#[derive(Clone, Copy)]
struct Place {
    /// Whether it is a part of an argument.
    inside: bool,
    /// How many bounds and names may still be looked into.
    depth: u32,
}

impl Place {
    fn inside(self) -> Place {
        Place { inside: true, ..self }
    }

    fn deeper(self) -> Place {
        Place { depth: self.depth - 1, ..self }
    }
}

/// What is in the places of variables is not looked at.
fn could_be_anything(declared: &Type, seen: &mut Vec<(Atom, Type)>) {
    if !declared.has_variables() {
        return;
    }
    let noted = RefCell::new(std::mem::take(seen));
    let _ = declared.with_variables(&|name| {
        let mut seen = noted.borrow_mut();
        match seen.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1 = Type::Any,
            None => seen.push((name, Type::Any)),
        }
        Type::Any
    });
    *seen = noted.into_inner();
}

/// Bounds of variables in bounds of variables, and names in names, that are looked into.
const MOST_BOUNDS: u32 = 4;
