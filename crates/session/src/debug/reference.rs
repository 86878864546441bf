//! A reference version of a program as an oracle: what it does in the same situation is right.
//!
//! Calls are made again by themselves if their arguments are plain data: a process, a reference or
//! a fun of one node means nothing on another. A function need not be exported. Each call is made
//! on a copy of a node that is up, so that none sees what another left, and for a bounded number
//! of calls. All other statements are compared with those of the whole run of the reference
//! version ([`Matched`]); where none of those began alike, they are made again in the situation in
//! which they began ([`Again`]).

use std::cell::OnceCell;
use std::path::PathBuf;
use std::rc::Rc;

use ::debug::record::{Outcome, Statement, StatementId};
use ::debug::zoom::{Closeup, Target};
use ::debug::{Recording, Run};
use atom::Atom;
use machine::code_space::{Loaded, Loader};
use machine::{Ending, Machine};
use runner::loader::ProgramLoader;
use runner::run;
use runner::world::RealWorld;
use term::Term;

use super::matched::Matched;
use super::remade::{AGAIN, Again, TEXT};
use super::same::{is_data, is_same};
use super::{Answer, Request, own_modules, watch};
use crate::open::{Opened, ReadAs, not_booted};
use crate::running::Telling;
use crate::{Control, Error};

/// How many calls a question may take: what was given may be what a right program never gets, and
/// then it need not end.
const MOST_CALLS: u64 = 200_000;

/// A program that is right.
pub struct Reference {
    request: Request,
    own: Vec<Atom>,
    machine: Machine,
    /// The same that tells all values, once somebody looks that near.
    near: OnceCell<Option<Machine>>,
    /// Its run, if it could be made.
    matched: Option<Matched>,
}

/// A loader for which all functions of the program are exported.
struct Exposed(Rc<ProgramLoader>);

impl Loader for Exposed {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let mut loaded = self.0.load(module)?;
        if self.0.is_own(module) {
            let functions = &loaded.code.functions;
            loaded.code.exports =
                functions.iter().map(|function| (function.name, function.arity)).collect();
        }
        Some(loaded)
    }
}

impl Reference {
    /// Opens the reference version of a run.
    pub fn open(
        paths: &[PathBuf],
        request: &Request,
        control: &Control,
    ) -> Result<Reference, Error> {
        let request = Request { paths: paths.to_vec(), recorded: None, ..request.clone() };
        let (machine, own) = boot(&request, Telling::Calls)?;
        let run = request.call.is_some().then(|| {
            let recording = Recording::new(own.iter().copied());
            let ran = watch(&request, Telling::Calls, recording.observer(), control);
            ran.map(|_| recording.finish())
        });
        // A reference that does not have the entry can still tell about calls; so can one whose run
        // is too long to be kept whole.
        let matched = run.and_then(Result::ok).and_then(Result::ok).map(Matched::new);
        Ok(Reference { request, own, machine, near: OnceCell::new(), matched })
    }

    /// The run of the reference, if it could be made and kept.
    pub(super) fn whole_run(&self) -> Option<&Run> {
        self.matched.as_ref().map(Matched::run)
    }

    /// What is to be said of a statement; nothing if that cannot be told.
    pub(super) fn judge(&self, here: &Run, id: StatementId) -> Option<Answer> {
        let statement = here.get(id)?;
        if is_plain_call(statement) && here.doings(id).is_empty() {
            let answer = self.call_again(here, id);
            let answer = answer.map(|is_right| match is_right {
                true => Answer::Right,
                false => Answer::Wrong,
            });
            if answer.is_some() {
                return answer;
            }
        }
        let matched = self.matched.as_ref().and_then(|matched| matched.judge(here, id));
        match matched.filter(|answer| *answer != Answer::DontKnow) {
            // It read something else than the reference did in its run.
            Some(Answer::Inadmissible) => self.judge_again(here, id).or(matched),
            Some(answer) => Some(answer),
            None => self.judge_again(here, id),
        }
    }

    fn judge_again(&self, here: &Run, id: StatementId) -> Option<Answer> {
        Again::of(here, id)?.judge(&self.machine, &self.own, most_calls(here, id))
    }

    /// Whether a call gives the same; nothing if that cannot be told.
    fn call_again(&self, here: &Run, id: StatementId) -> Option<bool> {
        let mut machine = self.machine.clone();
        match (&here.get(id)?.outcome, make(&mut machine, here, id)?) {
            (Outcome::Value(value), Ending::Returned(right)) => {
                (is_data(value) && is_data(&right)).then(|| is_same(value, &right))
            }
            (Outcome::Exception { class, reason }, Ending::Raised(crash)) => (is_data(reason)
                && is_data(&crash.reason))
            .then(|| *class == crash.class && is_same(reason, &crash.reason)),
            // A function that the reference does not have says nothing.
            (_, Ending::Raised(crash)) if crash.reason.is_atom(Atom::new("undef")) => None,
            (Outcome::Value(_), Ending::Raised(_))
            | (Outcome::Exception { .. }, Ending::Returned(_)) => Some(false),
            _ => None,
        }
    }

    /// The value that a statement should have, if that can be told.
    pub(super) fn value(&self, here: &Run, id: StatementId) -> Option<Term> {
        let statement = here.get(id)?;
        if is_plain_call(statement) && here.doings(id).is_empty() {
            return match make(&mut self.machine.clone(), here, id)? {
                Ending::Returned(right) => Some(right),
                _ => None,
            };
        }
        let alike = self
            .matched
            .as_ref()
            .and_then(|matched| matched.statement(matched.same_situation(here, id)?));
        match alike.map(|alike| &alike.outcome) {
            Some(Outcome::Value(right)) => Some(right.clone()),
            Some(_) => None,
            None => Again::of(here, id)?.value(&self.machine, &self.own, most_calls(here, id)),
        }
    }

    /// What the reference does where a statement begins, from near.
    pub(super) fn closeup(
        &self,
        here: &Run,
        id: StatementId,
        control: &Control,
    ) -> Result<Option<Closeup>, Error> {
        let Some(statement) = here.get(id) else { return Ok(None) };
        if is_plain_call(statement) && here.doings(id).is_empty() {
            return Ok(self.call_from_near(here, id));
        }
        let alike = self
            .matched
            .as_ref()
            .and_then(|matched| matched.statement(matched.same_situation(here, id)?));
        let Some(alike) = alike else {
            if let Some(closeup) = self.again_from_near(here, id) {
                return Ok(Some(closeup));
            }
            let first = self
                .matched
                .as_ref()
                .and_then(|matched| matched.statement(*matched.alike(here, id).first()?));
            let Some(first) = first else { return Ok(None) };
            return self.run_from_near(first.target, control);
        };
        self.run_from_near(alike.target, control)
    }

    /// A part of the run of the reference, from near.
    fn run_from_near(&self, target: Target, control: &Control) -> Result<Option<Closeup>, Error> {
        let recording = Recording::near(self.own.iter().copied(), target);
        watch(&self.request, Telling::Values, recording.observer(), control)?;
        Ok(recording.finish().ok().and_then(|run| run.closeup()))
    }

    /// A node on which all values are told.
    fn near(&self) -> Option<&Machine> {
        let booted = || Some(boot(&self.request, Telling::Values).ok()?.0);
        self.near.get_or_init(booted).as_ref()
    }

    fn again_from_near(&self, here: &Run, id: StatementId) -> Option<Closeup> {
        let again = Again::of(here, id)?;
        again.near(self.near()?, &self.own, most_calls(here, id))?.closeup()
    }

    fn call_from_near(&self, here: &Run, id: StatementId) -> Option<Closeup> {
        let mut machine = self.near()?.clone();
        let target = Target::FIRST;
        let recording = Recording::near(self.own.iter().copied(), target);
        machine.observe(Some(recording.observer()));
        make(&mut machine, here, id);
        machine.observe(None);
        recording.finish().ok()?.closeup()
    }
}

/// A node with the program on it, and the modules of the program.
fn boot(request: &Request, telling: Telling) -> Result<(Machine, Vec<Atom>), Error> {
    let read_as = if request.with_tests { ReadAs::Tests } else { ReadAs::Program };
    let (running, reading) = (&request.running, &request.reading);
    let opened = Opened::new(&request.paths, None, read_as, running, reading)?;
    telling.begin(&opened.loader);
    opened.loader.add_source(Atom::new(AGAIN), TEXT);
    let own = own_modules(&opened);
    let world = RealWorld::new(opened.permissions(running)?, 0).at_fixed_time();
    let loader = Rc::new(Exposed(opened.loader));
    let machine = run::boot(loader, Rc::new(world.keeping_output())).map_err(not_booted)?;
    Ok((machine, own))
}

fn make(machine: &mut Machine, here: &Run, id: StatementId) -> Option<Ending> {
    let statement = here.get(id)?;
    let (module, name, _) = statement.function;
    let function = (module.as_str(), name.as_str());
    let most = most_calls(here, id);
    Some(run::try_evaluate_within(machine, function, statement.args.to_vec(), most))
}

/// How many calls a statement may take that is made again: what took long may take long there.
fn most_calls(here: &Run, id: StatementId) -> u64 {
    MOST_CALLS.saturating_add(here.statements_below(id).saturating_mul(10))
}

/// Whether a statement is about a call that can be made by itself.
fn is_plain_call(statement: &Statement) -> bool {
    let (_, name, _) = statement.function;
    statement.after.is_none()
        && !name.as_str().starts_with('-')
        && statement.args.iter().all(is_data)
}
