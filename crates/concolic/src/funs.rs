//! Funs among the inputs: what they answer is unknown, too.
//!
//! A fun that a type asks for is one of a few constants that stand for funs, so that the solver
//! need not know what a fun is. What such a fun gives when it is called is an unknown of its own: a
//! *row*. Before a row is made, its arguments are compared with those of the rows before it, which
//! are decisions like all others, so that a fun answers the same to the same arguments (Ackermann's
//! reduction, along one path). The input that is run is a fun with a table: the rows of the path as
//! the model has them, and for all other arguments the simplest value of the type.
//!
//! Where any term may be an input, the solver makes up funs itself; they give any term.
//!
//! Such funs have no effects and raise nothing. What is missed: values for which more than
//! [`ALTERNATIVES`] different funs of one type are needed, and rows whose arguments are funs.

use atom::Atom;
use inputs::Input;
use inputs::input::{Fun as Table, MOST_ARGUMENTS};
use rustc_hash::FxHashSet;
use solver::{DomainId, ExprId, Exprs, Model, VarId, eval};
use term::{Fun, Term};
use types::Type;
use types::ty::Tuples;

use crate::entry::input_with;

/// How many funs of one type there are.
pub const ALTERNATIVES: usize = 3;

/// The first number of funs that the solver has made up, and how many arguments these may have.
const MADE_UP: usize = 1 << 20;
const ARITIES: usize = 32;

/// Funs that give funs are described so deep; those that are deeper fail.
const DEPTH: u32 = 3;

/// Funs that inputs may have in them, by number.
#[derive(Default, Debug)]
pub struct Funs {
    all: Vec<Known>,
    /// What those give that the solver makes up.
    any: Option<DomainId>,
}

#[derive(Clone, Debug)]
struct Known {
    arity: u32,
    result: DomainId,
    /// What it gives for arguments that no row has; nothing if it gives nothing.
    other: Option<Term>,
}

/// The fun of rows that are of none: they say of other unknowns what these are, such as the pairs
/// of a map.
pub const NO_FUN: usize = usize::MAX;

/// What a fun gave when it was called.
#[derive(Clone, Debug)]
pub struct Row {
    pub fun: usize,
    pub args: Vec<ExprId>,
    /// What the arguments were in the run.
    pub given: Vec<Term>,
    pub result: VarId,
    /// That the result is of the fun's type.
    pub holds: ExprId,
    /// How many decisions came before.
    pub at: usize,
}

impl Funs {
    /// Constants for the funs of a type; none if they have too many arguments.
    pub(crate) fn add(&mut self, arity: u32, result: DomainId) -> Vec<Term> {
        if arity > MOST_ARGUMENTS {
            return Vec::new();
        }
        let first = self.all.len();
        self.all.extend((0..ALTERNATIVES).map(|_| Known { arity, result, other: None }));
        (first..self.all.len()).map(|number| stand_in(number, arity)).collect()
    }

    /// What funs give that the solver makes up.
    pub(crate) fn make_up(&mut self, any: DomainId) {
        self.any = Some(any);
    }

    /// A fun by its number.
    fn known(&self, number: usize) -> Option<Known> {
        match number.checked_sub(MADE_UP) {
            None => self.all.get(number).cloned(),
            Some(made_up) => {
                let arity = (made_up % ARITIES) as u32;
                Some(Known { arity, result: self.any?, other: Some(Term::int(0)) })
            }
        }
    }

    /// The type of what a fun gives.
    pub(crate) fn result(&self, fun: usize) -> Option<DomainId> {
        Some(self.known(fun)?.result)
    }

    /// What a fun gives where no row says it.
    pub(crate) fn other(&self, fun: usize) -> Option<Term> {
        self.known(fun)?.other
    }

    /// Finds out what funs give where no row says it.
    pub(crate) fn complete(&mut self, mut simplest: impl FnMut(DomainId) -> Option<Term>) {
        for known in &mut self.all {
            known.other = simplest(known.result);
        }
    }

    /// A term as an input, with funs that answer as a model and the rows of a path say.
    pub(crate) fn input(
        &self,
        exprs: &Exprs,
        model: &Model,
        rows: &[Row],
        term: &Term,
    ) -> Option<Input> {
        let mut answers: Vec<Answer> = Vec::new();
        for row in rows {
            let args = row.args.iter().map(|&arg| eval(exprs, model, arg));
            answers.push(Answer {
                fun: row.fun,
                args: args.collect::<Option<_>>()?,
                gives: model.get(row.result),
            });
        }
        input_with(term, &|fun| self.table(fun, &answers, DEPTH))
    }

    fn table(&self, fun: &Term, answers: &[Answer], depth: u32) -> Option<Input> {
        let number = number_of(fun)?;
        let known = self.known(number)?;
        let mut made = Table { arity: known.arity, table: Vec::new(), others: Vec::new() };
        if depth == 0 {
            return Some(Input::Fun(Box::new(made)));
        }
        let input = |term: &Term| input_with(term, &|fun| self.table(fun, answers, depth - 1));
        let mut other = known.other.as_ref().and_then(input);
        for answer in answers.iter().filter(|answer| answer.fun == number) {
            let gives = input(&answer.gives)?;
            let args: Option<Vec<Input>> = answer.args.iter().map(input).collect();
            match args.filter(|args| !args.iter().any(Input::is_more_than_data)) {
                Some(args) if !args.is_empty() => {
                    if !made.table.iter().any(|row| row.0 == args) {
                        made.table.push((args, gives));
                    }
                }
                // What no table can tell apart gets the same answer, whatever else there is.
                _ => other = Some(gives),
            }
        }
        made.table.retain(|row| Some(&row.1) != other.as_ref());
        // As often as it takes to make it another value than the other funs of its type.
        made.others =
            other.into_iter().flat_map(|it| vec![it; 1 + number % ALTERNATIVES]).collect();
        Some(Input::Fun(Box::new(made)))
    }
}

/// A row, as a model has it.
struct Answer {
    fun: usize,
    args: Vec<Term>,
    gives: Term,
}

fn stand_in(number: usize, arity: u32) -> Term {
    let (module, name) = (Atom::new(solver::MADE_UP), Atom::new(&number.to_string()));
    Term::fun(Fun::External { module, name, arity })
}

/// Which fun a constant stands for, if it does.
pub(crate) fn number_of(term: &Term) -> Option<usize> {
    let Fun::External { module, name, arity } = term.as_fun()? else { return None };
    if module.as_str() != solver::MADE_UP {
        return None;
    }
    match name.as_str().strip_prefix('f') {
        None => name.as_str().parse().ok(),
        Some(nth) if *arity <= MOST_ARGUMENTS => {
            let nth: usize = nth.parse().ok()?;
            Some(MADE_UP + nth * ARITIES + *arity as usize)
        }
        Some(_) => None,
    }
}

/// Whether all inputs of types are found although there are few funs of each.
pub(crate) fn are_few(types: &[Type]) -> bool {
    types.iter().all(|ty| count(ty, &mut FxHashSet::default()) <= ALTERNATIVES)
}

/// More than any number of funs.
const MANY: usize = 1000;

/// How many funs a value may have in it.
#[expect(clippy::mutable_key_type, reason = "what a name stands for does not change its hash")]
fn count(ty: &Type, seen: &mut FxHashSet<Type>) -> usize {
    if matches!(ty, Type::Any | Type::Var(_) | Type::None) || !seen.insert(ty.clone()) {
        return 0;
    }
    let parts = ty.parts();
    // Of what there may be any number of.
    let mut many = |ty: &Type| if count(ty, seen) > 0 { MANY } else { 0 };
    let mut found = 0;
    if let Some(cons) = &parts.cons {
        found += many(&cons.head) + many(&cons.tail);
    }
    if let Some(map) = &parts.maps {
        found += many(&map.other_keys) + many(&map.other_values);
        found += map.fields.iter().map(|field| many(&field.value)).sum::<usize>();
    }
    if let Some(fun) = &parts.funs {
        found += 1 + many(&fun.result) + if fun.args.is_none() { MANY } else { 0 };
    }
    if let Tuples::Some(tuples) = &parts.tuples {
        let elements = tuples.iter().flat_map(|tuple| tuple.iter());
        found += elements.map(|element| count(element, seen)).sum::<usize>();
    }
    found
}
