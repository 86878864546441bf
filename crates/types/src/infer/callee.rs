//! What is called: how a call can go, by the types of its arguments.

use std::sync::Arc;

use atom::Atom;
use program::index::NameArity;

use super::rules::{self, Rule};
use crate::declared::Declarations;
use crate::declared::contract::Contract;
use crate::ty::{FunType, Type, limits};

/// One way in which a call can return: what its arguments were, and what it gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub args: Vec<Type>,
    pub result: Type,
}

/// The success typing of a function: its clauses, as far as they return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// In the order of the text; at most [`limits::CLAUSES`].
    pub ways: Vec<Way>,
    /// Whether it may go on for ever, or wait for ever: then that nothing returns is no failure.
    pub diverges: bool,
}

impl Signature {
    /// What each argument is when the function returns.
    pub fn args(&self, arity: usize) -> Vec<Type> {
        let mut joined = vec![Type::None; arity];
        for way in &self.ways {
            joined.iter_mut().zip(&way.args).for_each(|(joined, arg)| *joined = joined.join(arg));
        }
        joined
    }

    /// Whether it may return when it is given such arguments.
    pub(super) fn takes(&self, args: &[Type]) -> bool {
        self.ways.iter().any(|way| way.given(args).is_some())
    }

    /// What it gives, if it returns.
    pub fn result(&self) -> Type {
        self.ways.iter().fold(Type::None, |joined, way| joined.join(&way.result))
    }

    /// Adds a clause.
    pub(super) fn add(&mut self, way: Way) {
        if let Some(same) = self.ways.iter_mut().find(|other| other.args == way.args) {
            same.result = same.result.join(&way.result);
            return;
        }
        if self.ways.len() < limits::CLAUSES {
            self.ways.push(way);
        } else if let Some(last) = self.ways.last_mut() {
            last.join(&way);
        }
    }

    /// What it has become since an earlier round: clauses grow, and bounds that grow are let go
    /// of.
    pub(super) fn widened_since(&self, before: &Signature, arity: usize, depth: u32) -> Signature {
        let mut widened = self.clone();
        if before.ways.len() == widened.ways.len() {
            for (way, was) in widened.ways.iter_mut().zip(&before.ways) {
                way.result = way.result.join(&was.result).widened_since(&was.result, depth);
                for (arg, was) in way.args.iter_mut().zip(&was.args) {
                    *arg = arg.join(was).widened_since(was, depth);
                }
            }
            return widened;
        }
        // Clauses that did not return before: what was known is inside what is known now.
        let (result, args) = (before.result(), before.args(arity));
        for way in &mut widened.ways {
            way.result = way.result.widened_since(&result, depth);
            for (arg, was) in way.args.iter_mut().zip(&args) {
                *arg = arg.widened_since(was, depth);
            }
        }
        widened
    }
}

impl Signature {
    /// What is said of a function that does not come to rest: of every part that still grows only
    /// the kinds of its terms.
    pub(super) fn given_up(&self, before: &Signature, arity: usize) -> Signature {
        let part = |now: Type, was: Type| now.coarser_than(&was);
        let args = self.args(arity).into_iter().zip(before.args(arity));
        let args = args.map(|(now, was)| part(now, was)).collect();
        let result = part(self.result(), before.result());
        Signature { ways: vec![Way { args, result }], diverges: self.diverges }
    }
}

impl Way {
    fn join(&mut self, other: &Way) {
        self.args.iter_mut().zip(&other.args).for_each(|(arg, other)| *arg = arg.join(other));
        self.result = self.result.join(&other.result);
    }

    /// The way with its arguments no larger than those given; `None` if it cannot be gone.
    fn given(&self, args: &[Type]) -> Option<Way> {
        let mut met = Vec::with_capacity(args.len());
        for (arg, given) in self.args.iter().zip(args) {
            let both = arg.meet(given);
            if both.is_none() {
                return None;
            }
            met.push(both);
        }
        Some(Way { args: met, result: self.result.clone() })
    }
}

/// What a call means.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// A function that was looked at.
    Known(Arc<Signature>),
    /// A function of which only the spec is known.
    Declared(Arc<Contract>),
    /// A function with a rule of its own.
    Rule(Rule),
    /// The fun that is the first argument.
    Fun,
    /// Nobody knows.
    Unknown,
}

impl Callee {
    /// The ways in which a call can go.
    pub(super) fn ways(&self, args: &[Type]) -> Vec<Way> {
        match self {
            Callee::Known(signature) => {
                signature.ways.iter().filter_map(|way| way.given(args)).collect()
            }
            Callee::Declared(contract) => contract
                .apply(args)
                .into_iter()
                .map(|(args, result)| Way { args, result })
                .filter(|way| *way.result.opened() != Type::None)
                .collect(),
            Callee::Rule(rule) => rule(args),
            Callee::Fun => fun(args),
            Callee::Unknown => vec![Way { args: args.to_vec(), result: Type::Any }],
        }
    }
}

/// The ways in which a call of a function that is not part of the program can go, by a rule or by
/// what is declared of it. `None` if nothing is known: then it may give anything.
pub fn outside(
    declarations: &Declarations,
    module: Atom,
    function: NameArity,
    args: &[Type],
) -> Option<Vec<Way>> {
    let (name, arity) = function;
    let callee = match rules::of_library(module.as_str(), name.as_str(), arity as usize) {
        Some(rule) => Callee::Rule(rule),
        None => Callee::Declared(declarations.contract(module, function)?),
    };
    Some(callee.ways(args))
}

fn fun(args: &[Type]) -> Vec<Way> {
    let Some((called, given)) = args.split_first() else { return Vec::new() };
    let Some(FunType { args: takes, result }) = &called.parts().funs else { return Vec::new() };
    if result.is_none() {
        return Vec::new();
    }
    let takes = match takes {
        Some(takes) if takes.len() == given.len() => takes.to_vec(),
        Some(_) => return Vec::new(),
        None => vec![Type::Any; given.len()],
    };
    let itself = Type::fun(vec![Type::Any; given.len()], Type::Any);
    let mut all = vec![itself];
    all.extend(takes);
    Way { args: all, result: result.clone() }.given(args).into_iter().collect()
}
