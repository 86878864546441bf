//! A property as PropEr has them, as something that is searched.
//!
//! What its generators draw are choices among so many; the choices are the unknowns
//! (`erlscope_property`). So every generator is followed, whatever it computes from its choices.
//! Bounds: the number of choices, and the size that generators are given; so a search of a property
//! is never complete.

use std::sync::Arc;

use ::concolic::entry::Call;
use ::concolic::natives;
use ::inputs::{Constants, Input};
use atom::Atom;
use machine::{Ending, Term};
use program::Program;
use program::index::NameArity;
use types::Type;

use super::subject::{Holds, Subject};
use crate::Error;
use crate::inputs::stand::{self, Stand};

/// How large generated values are, and how many choices of generators are unknown.
const SIZE: i64 = 1000;
const CHOICES: u32 = 40;

/// The most that can be chosen among.
const MOST: i64 = 1 << 58;

pub(super) fn of(
    program: &Arc<Program>,
    function: (Atom, NameArity),
    stand: &mut Stand,
) -> Result<Subject, Error> {
    let (module, (name, _)) = function;
    let constants = Constants::of_functions(program, &[function]);
    if !is_generated(stand, module, name)? {
        let call = Call::of_function(module, name, 0);
        let holds = Holds::True;
        let (types, source) = (Vec::new(), None);
        return Ok(Subject { call, source, types, constants, function, holds, leaves_out: false });
    }
    let searching = (Atom::new(natives::PROPERTY.0), Atom::new(natives::PROPERTY.1));
    stand.loader().add_source(searching.0, natives::PROPERTY_TEXT);
    stand.aim(stand::Subject::Function(searching.0, searching.1))?;
    let mut call = Call::of_function(searching.0, searching.1, CHOICES);
    let choices = std::mem::take(&mut call.args);
    call.args =
        vec![Input::Atom(module), Input::Atom(name), Input::integer(SIZE), Input::list(choices)];
    let choice = Type::integers(Some(1), Some(MOST));
    let types = vec![Type::tuple(vec![Type::Any, Type::Any, Type::Any, Type::list(choice)])];
    let holds = Holds::Property;
    Ok(Subject { call, source: None, types, constants, function, holds, leaves_out: true })
}

/// Whether a function without arguments gives a property with generators; `false` if it says itself
/// whether it holds.
fn is_generated(stand: &mut Stand, module: Atom, name: Atom) -> Result<bool, Error> {
    let Ending::Returned(property) = stand.evaluate(module, name, Vec::new()) else {
        // It fails when it is searched.
        return Ok(false);
    };
    let tag = property.as_tuple().and_then(<[Term]>::first).and_then(Term::as_atom);
    match tag.map(|tag| tag.as_str().to_owned()).as_deref() {
        Some("$property" | "$outer") => Ok(true),
        _ if property.as_atom().is_some() => Ok(false),
        _ => Err(Error::Failed(format!(
            "{module}:{name}/0 gives no property that can be followed (of a PropEr of its own, say)"
        ))),
    }
}
