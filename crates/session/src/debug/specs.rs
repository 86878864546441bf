//! Specs as an oracle: a result outside of its type is wrong, arguments outside of theirs are not
//! the fault of who got them. A result of its type may still be wrong: about that a spec says
//! nothing.

use std::sync::Arc;

use ::debug::record::{Outcome, Statement};
use ::types::declared::Declarations;
use program::Program;

use super::{Answer, Request};
use crate::{Error, reading};

/// The specs of a program.
pub(super) struct Specs(Arc<Declarations>);

impl Specs {
    pub(super) fn open(request: &Request) -> Result<Specs, Error> {
        let paths = match &request.recorded {
            Some(witness) => witness.places(),
            None => request.paths.clone(),
        };
        let program: Program = reading::load(&paths, &request.reading, !request.with_tests)?;
        Ok(Specs(Declarations::new(Arc::new(program))))
    }

    pub(super) fn judge(&self, statement: &Statement) -> Option<Answer> {
        let (module, name, arity) = statement.function;
        let Outcome::Value(value) = &statement.outcome else { return None };
        if statement.after.is_some() || !self.0.program().modules.iter().any(|m| m.name == module) {
            return None;
        }
        let contract = self.0.spec(module, (name, arity))?;
        let takes = |args: &[types::Type]| {
            args.len() == statement.args.len()
                && args.iter().zip(statement.args.iter()).all(|(ty, arg)| ty.contains(arg))
        };
        let mut fitting = contract.ground().filter(|(args, _)| takes(args)).peekable();
        if fitting.peek().is_none() {
            return Some(Answer::Inadmissible);
        }
        let is_possible = fitting.any(|(_, result)| result.contains(value));
        (!is_possible).then_some(Answer::Wrong)
    }
}
