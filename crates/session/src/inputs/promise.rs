//! What specs promise of results, and where a run does not keep it.

use std::sync::Arc;

use atom::Atom;
use program::index::NameArity;
use term::{Term, View};
use types::Type;
use types::declared::Declarations;
use types::declared::contract::Contract;
use types::member::{Mismatch, Step};
use types::ty::Key;

use crate::run::shown;

/// The specs of the functions that are called.
pub(super) struct Promises {
    module: Atom,
    specs: Vec<(NameArity, Arc<Contract>)>,
}

/// A result that is outside of the spec of the function that gave it.
#[derive(Clone, Debug)]
pub struct Outside {
    pub module: Atom,
    pub function: NameArity,
    /// From the result to the part of it that is outside; empty if it is the whole.
    pub path: Vec<Part>,
    /// That part, as text, and what it would have to be.
    pub found: String,
    pub expected: Type,
    /// A key that a map lacks.
    pub missing: Option<String>,
}

/// A step from a term to a part of it; keys as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Of a tuple, from 1.
    Element(usize),
    /// Of a list, from 1.
    Item(usize),
    Tail,
    Key(String),
    Value(String),
}

/// A call that returned: the function, what it was given, and what it gave.
pub(crate) struct Returned {
    pub(crate) name: Atom,
    pub(crate) args: Vec<Term>,
    pub(crate) result: Term,
}

impl Promises {
    /// What the specs of some functions of a module say.
    pub(super) fn of(declarations: &Declarations, module: Atom, functions: &[NameArity]) -> Self {
        let spec =
            |&function: &NameArity| Some((function, declarations.contract(module, function)?));
        Promises { module, specs: functions.iter().filter_map(spec).collect() }
    }

    /// The first result that is not as promised.
    pub(super) fn broken(&self, returned: &[Returned]) -> Option<Outside> {
        returned.iter().find_map(|call| {
            let function = (call.name, call.args.len() as u32);
            let (_, contract) = self.specs.iter().find(|(of, _)| *of == function)?;
            let mismatch = promised(contract, &call.args)?.check(&call.result).err()?;
            Some(self.outside(function, &mismatch))
        })
    }

    fn outside(&self, function: NameArity, mismatch: &Mismatch) -> Outside {
        Outside {
            module: self.module,
            function,
            path: mismatch.path.iter().map(part).collect(),
            found: shown(&mismatch.found),
            expected: mismatch.expected.clone(),
            missing: mismatch.missing.map(|key| match key {
                Key::Integer(value) => value.to_string(),
                Key::Atom(name) => atom::quote::atom(name.as_str()).to_string(),
            }),
        }
    }
}

impl Outside {
    /// What is wrong, the same for all values: failures of one kind are one.
    pub(super) fn what(&self) -> String {
        let (name, arity) = self.function;
        format!("result of {}:{name}/{arity} outside of its spec", self.module)
    }
}

/// What a result must be by the clauses that take such arguments; `None` if none does: then
/// nothing is promised.
fn promised(contract: &Contract, args: &[Term]) -> Option<Type> {
    let takes = |types: &[Type]| types.iter().zip(args).all(|(ty, arg)| ty.contains(arg));
    contract
        .ground()
        .filter(|(types, _)| takes(types))
        .map(|(_, result)| result)
        .reduce(|joined, result| joined.join(&result))
}

fn part(step: &Step) -> Part {
    match step {
        Step::Element(place) => Part::Element(*place),
        Step::Item(place) => Part::Item(*place),
        Step::Tail => Part::Tail,
        Step::Key(key) => Part::Key(shown(key)),
        Step::Value(key) => Part::Value(shown(key)),
    }
}

/// The calls of a sequence that were made, from what they gave by their numbers.
pub(super) fn of_sequence(sequence: &Term, results: &Term) -> Vec<Returned> {
    let View::Map(results) = results.view() else { return Vec::new() };
    let result_of = |number: usize| results.get(&Term::int(number as i64));
    let mut returned = Vec::new();
    for (place, call) in sequence.elements().enumerate() {
        let (View::Tuple([name, args @ ..]), Some(result)) = (call.view(), result_of(place + 1))
        else {
            continue;
        };
        let View::Atom(name) = name.view() else { continue };
        let given = |arg: &Term| match arg.view() {
            View::Tuple([mark, number]) if mark.is_atom(Atom::new(::inputs::calls::RESULT)) => {
                results.get(number).unwrap_or(arg).clone()
            }
            _ => arg.clone(),
        };
        let args = args.iter().map(given).collect();
        returned.push(Returned { name, args, result: result.clone() });
    }
    returned
}
