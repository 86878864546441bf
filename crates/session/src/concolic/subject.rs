//! What a request is about: the call, the unknowns in it, and what they may be.

use std::rc::Rc;
use std::sync::Arc;

use ::concolic::entry::Call;
use ::inputs::{Constants, Generator, Input};
use program::Program;
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
}

pub(super) fn of(request: &Request, program: &Arc<Program>) -> Result<Subject, Error> {
    let call = call(&request.what)?;
    let arity = call.args.len() as u32;
    let module = module_of(program, call.module)?;
    is_exported(module, (call.name, arity))?;
    let (source, types) = if request.any_input {
        (None, Vec::new())
    } else {
        let mut types = Types::of(program);
        let (source, shapes) = types.shapes(call.module, (call.name, arity));
        (Some(source), shapes.iter().map(::inputs::Shape::ground).collect())
    };
    let constants = Constants::of_functions(program, &[(call.module, (call.name, arity))]);
    Ok(Subject { call, source, types, constants })
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
