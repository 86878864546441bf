//! A comparison that the user has written in Erlang: a module with `same/2`, `value/1`, or both.
//!
//! A value that was seen is `{Point, Value, Info}`: the number of its pair of points from 1, or
//! `'end'` for how a call ended (`{returned, V}`, `{error, R}`, …); `Info` is a list of `{call, {M,
//! F, Args}}`, of a point that is a call, and `{stack, [{Module, Line}]}`. `value/1` gives what is
//! to be compared of it (SecEr's *value extractor function*); `same/2` gets one of the old version
//! and one of the new and says `true`, or what the difference is called (its *trace element
//! comparison function*). They run on a node of their own, each call from the same state.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ::compare::judge::{Judge, Label};
use ::compare::same::{Names, detached};
use ::compare::{Point, Seen};
use atom::Atom;
use machine::Ending;
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::world::explored::ExploredWorld;
use term::Term;

use super::{Request, opened};
use crate::inputs::stand::{self, Stand};
use crate::reading::Reader;
use crate::run::{ending_of, summary};
use crate::{Control, Error, open};

pub(super) struct Own {
    stand: Stand,
    module: Atom,
    has_value: bool,
    has_same: bool,
    /// What went wrong first.
    pub(super) wrong: Option<Error>,
}

impl Own {
    pub(super) fn open(path: &Path, request: &Request, control: &Control) -> Result<Own, Error> {
        let paths: Vec<PathBuf> = vec![path.to_owned()];
        let program = opened(&paths, &request.reading)?;
        let module = program.modules.first().ok_or(Error::NothingToRun)?;
        let has = |name: &str, arity| module.index.is_exported((Atom::new(name), arity));
        let (has_value, has_same, name) = (has("value", 1), has("same", 2), module.name);
        if !has_value && !has_same {
            let message = format!("{name} exports neither same/2 nor value/1");
            return Err(Error::Missing(message));
        }
        let loader = ProgramLoader::new(Arc::clone(&program), request.running.prefer());
        let loader = Rc::new(loader);
        let permissions = request.running.permissions(&paths, &Reader::new(&request.reading)?)?;
        let machine = open::boot_quiet(&loader, Rc::new(ExploredWorld::new(permissions, 0)))?;
        let limits = request.running.limits(control)?;
        let limits = Limits { steps: limits.steps.or(Some(super::version::STEPS)), ..limits };
        let subject = stand::Subject::Function(name, Atom::new("same"));
        let stand = Stand::new(loader, machine, subject, limits)?;
        Ok(Own { stand, module: name, has_value, has_same, wrong: None })
    }

    /// What a function of the module gives.
    fn call(&mut self, name: &str, args: Vec<Term>) -> Option<Term> {
        match self.stand.evaluate(self.module, Atom::new(name), args) {
            Ending::Returned(value) => Some(value),
            other => {
                let how = match ending_of(self.stand.machine(), &other) {
                    crate::run::Ending::Raised(raised) => raised.exception.reason,
                    ending => summary(&ending),
                };
                let message = format!("the comparison {}:{name} fails: {how}", self.module);
                self.wrong.get_or_insert(Error::Failed(message));
                None
            }
        }
    }

    fn value(&mut self, seen: &Seen) -> Option<Term> {
        let element = element(seen);
        match self.has_value {
            true => self.call("value", vec![element]),
            false => Some(element),
        }
    }
}

impl Judge for Own {
    fn judge(&mut self, names: &mut Names, old: &Seen, new: &Seen) -> Option<Label> {
        if self.wrong.is_some() {
            return None;
        }
        if !self.has_same {
            let (before, after) = (self.value(old)?, self.value(new)?);
            return (!names.same(&before, &after)).then_some(Label::DifferentValue);
        }
        let (before, after) = (self.value(old)?, self.value(new)?);
        let said = self.call("same", vec![before, after])?;
        if said.is_true() {
            return None;
        }
        let label = said.as_atom().filter(|label| label.as_str() != "false");
        Some(label.map_or(Label::DifferentValue, Label::Own))
    }

    fn is_of_ends(&self) -> bool {
        true
    }
}

fn element(seen: &Seen) -> Term {
    let point = match seen.point {
        Point::Asked(number) => Term::from(number + 1),
        _ => Term::atom("end"),
    };
    let mut info = Vec::new();
    if let Some((module, name, args)) = &seen.call {
        let args = Term::list(args.iter().map(detached));
        let call = Term::tuple([Term::from(*module), Term::from(*name), args]);
        info.push(Term::tuple([Term::atom("call"), call]));
    }
    if !seen.stack.is_empty() {
        let places = seen
            .stack
            .iter()
            .map(|(module, line)| Term::tuple([Term::from(*module), Term::from(*line)]));
        info.push(Term::tuple([Term::atom("stack"), Term::list(places)]));
    }
    Term::tuple([point, detached(&seen.value), Term::list(info)])
}
