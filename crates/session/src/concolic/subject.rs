//! What a request is about: the call, the unknowns in it, and what they may be.

use std::rc::Rc;
use std::sync::Arc;

use ::concolic::entry::Call;
use ::inputs::{Constants, Generator, Input};
use atom::Atom;
use program::Program;
use program::index::NameArity;
use types::Type;

use super::Request;
use crate::inputs::Source;
use crate::inputs::subject::{Types, is_exported, module_of};
use crate::{Error, flow};

pub(super) struct Subject {
    pub(super) call: Call,
    /// Where types come from, if they are asked for.
    pub(super) source: Option<Source>,
    /// What the arguments may be, clause by clause: tuples.
    pub(super) types: Vec<Type>,
    pub(super) constants: Constants,
    /// The function of the program that is called, or the property.
    pub(super) function: (Atom, NameArity),
    /// What a run is to come to.
    pub(super) holds: Holds,
    /// Whether some inputs are left out.
    pub(super) leaves_out: bool,
}

/// What a run is to come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Anything but an error.
    NoError,
    /// `true`.
    True,
    /// What is called says itself for which values it does not hold.
    Property,
}

/// The function that is called.
pub(super) fn function(
    request: &Request,
    program: &Arc<Program>,
) -> Result<(Atom, NameArity), Error> {
    if request.property && !request.what.contains(['/', '(']) {
        return property(&request.what, program);
    }
    let call = call(&request.what)?;
    Ok((call.module, (call.name, call.args.len() as u32)))
}

/// `m:p`: the function of that name, without arguments if there are several.
fn property(text: &str, program: &Arc<Program>) -> Result<(Atom, NameArity), Error> {
    let Some((module, name)) = text.split_once(':') else {
        return Err(Error::Entry(format!("`{text}` is no property such as m:prop_it")));
    };
    let (module, name) = (Atom::new(module), Atom::new(name.trim_matches('\'')));
    let found = module_of(program, module)?;
    let mut arities: Vec<u32> = found
        .index
        .functions
        .iter()
        .map(|(of, _)| of)
        .filter(|(known, _)| *known == name)
        .map(|(_, arity)| arity)
        .collect();
    arities.sort_unstable();
    let arity = match arities[..] {
        [] => return Err(Error::Missing(format!("{module} has no function {name}"))),
        [only] => only,
        [0, ..] => 0,
        _ => {
            let message =
                format!("{module} has several functions {name}: which, {name}/{}?", arities[0]);
            return Err(Error::Entry(message));
        }
    };
    is_exported(found, (name, arity))?;
    Ok((module, (name, arity)))
}

pub(super) fn of(request: &Request, program: &Arc<Program>) -> Result<Subject, Error> {
    let call = match request.property && !request.what.contains(['/', '(']) {
        true => {
            let (module, (name, arity)) = property(&request.what, program)?;
            Call::of_function(module, name, arity)
        }
        false => call(&request.what)?,
    };
    let arity = call.args.len() as u32;
    let module = module_of(program, call.module)?;
    is_exported(module, (call.name, arity))?;
    let (source, types) = if request.any_input || !request.types.is_empty() {
        (None, request.types.clone())
    } else {
        let mut types = Types::of(program);
        let (source, shapes) = types.shapes(call.module, (call.name, arity));
        (Some(source), shapes.iter().map(::inputs::Shape::ground).collect())
    };
    let constants = Constants::of_functions(program, &[(call.module, (call.name, arity))]);
    let function = (call.module, (call.name, arity));
    let holds = if request.property { Holds::True } else { Holds::NoError };
    Ok(Subject { call, source, types, constants, function, holds, leaves_out: false })
}

/// `m:f/2`, or `m:f(X, [1 | Rest])`.
fn call(text: &str) -> Result<Call, Error> {
    if text.contains('(') {
        let wrong = |message| Error::Call { call: text.to_owned(), message };
        return Call::read(text).map_err(wrong);
    }
    let wrong = || Error::Entry(format!("`{text}` is no function such as m:f/1"));
    let flow::Entry::Functions(named) = flow::entry(&[text.to_owned()])? else {
        return Err(wrong());
    };
    match named.first() {
        Some(&(module, name, Some(arity))) => Ok(Call::of_function(module, name, arity)),
        _ => Err(wrong()),
    }
}

/// Inputs that are tried where the solver knows none.
const GUESSES: u32 = 100;

impl Subject {
    /// Inputs of the types, some of them with constants of the program; none for a call of which
    /// parts are known.
    pub(super) fn guesses(&self) -> Vec<Input> {
        let is_plain = self.call.args.len() == self.call.variables.len()
            && self.call.args.iter().all(|arg| matches!(arg, Input::Atom(_)));
        let any = [Type::tuple(vec![Type::Any; self.call.args.len()])];
        let types = if self.types.is_empty() { &any[..] } else { &self.types[..] };
        let mut generator = Generator::new(0, Rc::new(self.constants.clone()));
        let made = (0..GUESSES).filter(|_| is_plain).filter_map(|number| {
            let ty = &types[number as usize % types.len()];
            generator.value(ty, number / 2).ok()
        });
        made.collect()
    }
}
