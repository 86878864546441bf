//! A statement made again by a reference version: what it does in the same situation.
//!
//! On a node of its own that is up, everything that matters gets the number that it had in the run:
//! the process, those that it knows (which stand by and do nothing), references, tables. What was
//! there before is made again ([`Situation`]), funs get the code of the reference, and then the
//! activation is called. Where it waits it is given what it took in the run. The other processes
//! do not run: what they sent is known.
//!
//! # What it may miss
//!
//! Whoever waits for an answer inside of library code gets it only if that is a call of a server;
//! otherwise nothing is said. Time, links that were there before and files are not made again. That
//! somebody waited in vain is never said to be right: it may have waited too short a time.

use ::debug::record::{After, Effect, Outcome, StatementId, Taken};
use ::debug::zoom::Target;
use ::debug::{Doing, Recording, Run};
use atom::Atom;
use machine::{Machine, Pid, Ran, TIME_SLICE};
use term::fun::Closure;
use term::order::exact_eq;
use term::{Boxed, Fun, Term, View};

use super::Answer;
use super::compared::Sides;
use super::situation::{Operation, Situation};

/// The module that makes the situation, then the call.
pub(super) const AGAIN: &str = "erlscope_again";

pub(super) const TEXT: &str = "\
-module(erlscope_again).
-export([call/4, stand_by/0, others/0]).
call(State, Module, Name, Args) ->
    [catch apply(M, F, As) || {M, F, As} <- State],
    erlscope_native:finish(apply(Module, Name, Args)).
stand_by() -> receive after infinity -> ok end.
others() -> receive {M, F, As} -> catch apply(M, F, As), others() end.
";

/// A statement that is made again.
pub(super) struct Again<'r> {
    here: &'r Run,
    parts: Vec<StatementId>,
    situation: Situation<'r>,
    process: Pid,
}

/// How a statement that was made again went.
enum Went {
    Through,
    /// It did not take a message that was taken in the run.
    Refused,
    /// It took one that was left until the run was over.
    Further,
}

/// Why a process stopped.
enum Stopped {
    Waits,
    Took,
    Over,
}

impl<'r> Again<'r> {
    /// Nothing if too little is known of how it began.
    pub(super) fn of(here: &'r Run, id: StatementId) -> Option<Again<'r>> {
        let parts = here.parts(id);
        let situation = Situation::of(here, &parts)?;
        let process = here.get(id)?.pid;
        Some(Again { here, parts, situation, process })
    }

    /// What is to be said of it, if that can be told.
    pub(super) fn judge(&self, machine: &Machine, own: &[Atom], most: u64) -> Option<Answer> {
        let recording = Recording::new(own.iter().copied()).since(self.first());
        let went = self.make(machine.clone(), own, &recording, most)?;
        let there = recording.finish().ok()?;
        let sides = Sides { here: self.here, there: &there, has_same_numbers: true };
        let (last, before) = self.parts.split_last()?;
        for part in before {
            if sides.compare(*part, self.find(&there, *part)?) != Answer::Right {
                return None;
            }
        }
        let Some(other) = self.find(&there, *last) else {
            // It is the last message that was not taken: those before were.
            return matches!(went, Went::Refused).then_some(Answer::Wrong);
        };
        let is_timed = |after: &&After| matches!(after.taken, Taken::TimeOut { .. });
        match sides.compare(*last, other) {
            Answer::Right if matches!(went, Went::Further) => Some(Answer::Wrong),
            // How long it would have waited is not known.
            Answer::Right if self.situation.taken.iter().copied().any(|one| is_timed(&one)) => None,
            Answer::DontKnow => None,
            _ if waits_in_library(&there, other) => None,
            answer => Some(answer),
        }
    }

    /// Its value in the reference.
    pub(super) fn value(&self, machine: &Machine, own: &[Atom], most: u64) -> Option<Term> {
        let recording = Recording::new(own.iter().copied()).since(self.first());
        self.make(machine.clone(), own, &recording, most)?;
        let there = recording.finish().ok()?;
        match &there.get(self.find(&there, *self.parts.last()?)?)?.outcome {
            Outcome::Value(right) => Some(right.clone()),
            _ => None,
        }
    }

    /// From near: on a Machine whose code tells all values.
    pub(super) fn near(&self, machine: &Machine, own: &[Atom], most: u64) -> Option<Run> {
        let target = self.target(*self.parts.last()?)?;
        let recording = Recording::near(own.iter().copied(), target).since(self.first());
        self.make(machine.clone(), own, &recording, most)?;
        recording.finish().ok()
    }

    /// The first process of the run.
    fn first(&self) -> Pid {
        self.here.statements.first().map_or(self.process, |first| first.pid)
    }

    /// Where a part is when it is made again.
    fn target(&self, part: StatementId) -> Option<Target> {
        let first = self.here.get(*self.parts.first()?)?.target;
        let waits = self.here.get(part)?.target.waits - first.waits;
        Some(Target { waits, ..Target::FIRST })
    }

    fn find(&self, there: &Run, part: StatementId) -> Option<StatementId> {
        let target = self.target(part)?;
        let at = there.statements.iter().position(|statement| statement.target == target)?;
        Some(StatementId(at as u32))
    }

    /// Makes it again. Nothing if it could not be made.
    fn make(
        &self,
        mut machine: Machine,
        own: &[Atom],
        recording: &Recording,
        most: u64,
    ) -> Option<Went> {
        let statement = self.here.get(*self.parts.first()?)?;
        let (module, name, _) = statement.function;
        machine.ensure_loaded(module);
        let others: Vec<Pid> = self.situation.others.iter().copied().collect();
        if others.iter().chain([&self.process]).any(|&pid| machine.is_alive(pid)) {
            return None;
        }
        let again = Atom::new(AGAIN);
        // Who does what others did meanwhile has a number that nobody has.
        let deputy = Pid(here_last(self.here) + 1);
        machine.foresee(others.iter().copied().chain([deputy, self.process]), []);
        for _ in &others {
            machine.spawn(again, Atom::new("stand_by"), Vec::new());
        }
        machine.spawn(again, Atom::new("others"), Vec::new());
        let state = self.situation.state.iter();
        let state: Vec<Term> =
            state.map(|operation| call_of(&mut machine, operation)).collect::<Option<_>>()?;
        let args = statement.args.iter().map(|term| own_funs(&mut machine, term));
        let args = args.collect::<Option<Vec<Term>>>()?;
        let call = if name.as_str().starts_with('-') {
            let fun = Closure {
                module,
                name,
                arity: args.len() as u32,
                index: 0,
                unique: 0,
                entry: Closure::NOWHERE,
                maker: self.process,
                env: statement.captured.iter().cloned().collect(),
            };
            let fun = own_funs(&mut machine, &Term::fun(Fun::Local(fun)))?;
            [Term::atom("erlang"), Term::atom("apply"), Term::list([fun, Term::list(args)])]
        } else {
            [Term::atom(module.as_str()), Term::atom(name.as_str()), Term::list(args)]
        };
        let mut entry = vec![Term::list(state)];
        entry.extend(call);
        let pid = machine.spawn(again, Atom::new("call"), entry);
        if pid != self.process {
            return None;
        }
        machine.keep_quiet_about(pid);
        let refs = self.situation.tables.iter().chain(&self.situation.refs).copied();
        machine.foresee(self.situation.pids.iter().copied(), refs);
        machine.observe(Some(recording.observer()));
        let went = self.go(&mut machine, deputy, own, most);
        machine.observe(None);
        went
    }

    /// Lets the process run, and gives it what it took: each message as soon as it has taken the
    /// one before, since it may look without waiting.
    fn go(&self, machine: &mut Machine, deputy: Pid, own: &[Atom], most: u64) -> Option<Went> {
        let end = machine.steps().saturating_add(most);
        let mut answers = self.situation.answers.iter();
        let mut answered = Vec::new();
        let mut meanwhile = self.situation.meanwhile.iter().peekable();
        for after in &self.situation.taken {
            if meanwhile.peek().is_some_and(|(number, _)| *number < after.number) {
                // First what the process itself does before it waits.
                while !matches!(self.run(machine, end, &|_| false)?, Stopped::Over)
                    && self.waits_outside(machine, own)
                {
                    self.outside(machine, &mut answers, &mut answered)?;
                }
            }
            while let Some((_, operation)) = meanwhile.next_if(|one| one.0 < after.number) {
                let call = call_of(machine, operation)?;
                machine.send(deputy, call);
                machine.arrive_all();
                machine.ready_mut().retain(|&pid| pid == deputy || pid == self.process);
                while matches!(machine.run(deputy, TIME_SLICE), Ran::Yielded) {}
            }
            let awaited = match &after.taken {
                Taken::Message { message, .. } => {
                    for passed in after.passed.iter() {
                        self.give(machine, passed)?;
                    }
                    Some(self.give(machine, message)?)
                }
                Taken::TimeOut { .. } => None,
            };
            loop {
                let left = |machine: &Machine| {
                    awaited.as_ref().is_some_and(|awaited| !self.has(machine, awaited))
                };
                match self.run(machine, end, &left)? {
                    Stopped::Over => return Some(Went::Through),
                    Stopped::Took => break,
                    Stopped::Waits if self.waits_outside(machine, own) => {
                        self.outside(machine, &mut answers, &mut answered)?;
                    }
                    Stopped::Waits if awaited.is_some() => return Some(Went::Refused),
                    Stopped::Waits => {
                        if !machine.advance_time() {
                            return None;
                        }
                        break;
                    }
                }
            }
        }
        loop {
            match self.run(machine, end, &|_| false)? {
                Stopped::Over => return Some(Went::Through),
                Stopped::Waits if self.waits_outside(machine, own) => {
                    self.outside(machine, &mut answers, &mut answered)?;
                }
                _ => break,
            }
        }
        // It waits for what comes next. What was there and was not taken has to be left here, too.
        let ignored = &self.here.get(*self.parts.last()?)?.ignored;
        let mut given = Vec::new();
        for message in ignored {
            given.push(self.give(machine, message)?);
        }
        let took = |machine: &Machine| given.iter().any(|given| !self.has(machine, given));
        Some(match self.run(machine, end, &took)? {
            _ if took(machine) => Went::Further,
            _ => Went::Through,
        })
    }

    /// Puts a message into the mailbox, if it is not there. Gives it as it is here.
    fn give(&self, machine: &mut Machine, message: &Term) -> Option<Term> {
        let message = own_funs(machine, message)?;
        if !self.has(machine, &message) {
            machine.send(self.process, message.clone());
            machine.arrive_all();
        }
        Some(message)
    }

    fn has(&self, machine: &Machine, message: &Term) -> bool {
        let process = machine.process(self.process);
        process.is_some_and(|one| one.mailbox.iter().any(|known| exact_eq(known, message)))
    }

    /// Whether the process waits in code that is not of the program.
    fn waits_outside(&self, machine: &Machine, own: &[Atom]) -> bool {
        let innermost = machine.positions(self.process, 1).into_iter().next();
        innermost.is_some_and(|position| !own.contains(&position.mfa.module))
    }

    /// Library code waits: for an answer, or for time to pass.
    fn outside(
        &self,
        machine: &mut Machine,
        answers: &mut std::collections::vec_deque::Iter<'_, Option<Term>>,
        answered: &mut Vec<Term>,
    ) -> Option<()> {
        if let Some(tag) = self.asked(machine, answered) {
            let right = answers.next()?.clone()?;
            let right = own_funs(machine, &right)?;
            machine.send(self.process, Term::tuple([tag, right]));
            return Some(());
        }
        machine.advance_time().then_some(())
    }

    /// Lets the process run until it waits or is over, or something is so after a call. Others of
    /// the program do not run.
    fn run(
        &self,
        machine: &mut Machine,
        end: u64,
        until: &dyn Fn(&Machine) -> bool,
    ) -> Option<Stopped> {
        let me = self.process;
        let slice = if self.situation.taken.is_empty() { TIME_SLICE } else { 1 };
        loop {
            if until(machine) {
                return Some(Stopped::Took);
            }
            if !machine.is_alive(me) {
                return Some(Stopped::Over);
            }
            if machine.steps() >= end {
                return None;
            }
            machine.arrive_all();
            machine.ready_mut().retain(|&pid| pid == me || pid.0 < machine::FIRST_PID);
            let Some(pid) = machine.ready_mut().pop_front() else { return Some(Stopped::Waits) };
            let ran = machine.run(pid, slice);
            if machine.take_result().is_some() || (pid == me && matches!(ran, Ran::Ended(_))) {
                return Some(Stopped::Over);
            }
            if machine.stopped().is_some() {
                return None;
            }
        }
    }

    /// What a server that stands by was asked, and has not answered: the tag of the answer.
    fn asked(&self, machine: &Machine, answered: &mut Vec<Term>) -> Option<Term> {
        for pid in &self.situation.others {
            let Some(process) = machine.process(*pid) else { continue };
            for message in &process.mailbox {
                let Some([kind, from, _]) = message.as_tuple() else { continue };
                let Some([_, tag]) = from.as_tuple() else { continue };
                let is_call = kind.as_atom().is_some_and(|kind| kind.as_str() == "$gen_call");
                if is_call && !answered.iter().any(|known| exact_eq(known, tag)) {
                    answered.push(tag.clone());
                    return Some(tag.clone());
                }
            }
        }
        None
    }
}

/// The last number of a process in a run.
fn here_last(here: &Run) -> u64 {
    here.processes.iter().map(|process| process.pid.0).max().unwrap_or(machine::FIRST_PID)
}

/// A call as a term.
fn call_of(machine: &mut Machine, (module, name, args): &Operation) -> Option<Term> {
    let args = args.iter().map(|term| own_funs(machine, term));
    let args = args.collect::<Option<Vec<Term>>>()?;
    Some(Term::tuple([Term::atom(module), Term::atom(name), Term::list(args)]))
}

/// Whether a statement came to wait inside of library code.
fn waits_in_library(there: &Run, id: StatementId) -> bool {
    let is_open = |effect: &Effect| {
        let is_builtin = matches!(
            effect.function.0.as_str(),
            "erlang" | "ets" | "persistent_term" | "counters" | "atomics"
        );
        effect.result.is_none() && !is_builtin
    };
    let is_over = there.get(id).is_none_or(|statement| {
        !matches!(statement.outcome, Outcome::Unfinished | Outcome::Waited)
    });
    let doings = there.doings(id);
    !is_over && matches!(doings.last(), Some(Doing::Effect(effect)) if is_open(effect))
}

/// A term with the funs of this Machine in the place of those of another. Nothing if there is one
/// that it does not have.
fn own_funs(machine: &mut Machine, term: &Term) -> Option<Term> {
    if !has_funs(term) {
        return Some(term.clone());
    }
    Some(match term.view() {
        View::Cons(_) => {
            let mut elements = Vec::new();
            let mut rest = term.clone();
            while let Some(cons) = rest.as_cons() {
                elements.push(own_funs(machine, &cons.head)?);
                let tail = cons.tail.clone();
                rest = tail;
            }
            let end = own_funs(machine, &rest)?;
            elements.into_iter().rev().fold(end, |tail, head| Term::cons(head, tail))
        }
        View::Tuple(elements) => {
            let elements: Option<Vec<Term>> =
                elements.iter().map(|element| own_funs(machine, element)).collect();
            Term::tuple(elements?)
        }
        View::Map(map) => {
            let pairs: Option<Vec<(Term, Term)>> = map
                .iter()
                .map(|(key, value)| Some((own_funs(machine, key)?, own_funs(machine, value)?)))
                .collect();
            Term::map(pairs?.into_iter().collect())
        }
        View::Boxed(Boxed::Fun(Fun::Local(fun))) => {
            machine.ensure_loaded(fun.module);
            let env: Option<Vec<Term>> =
                fun.env.iter().map(|value| own_funs(machine, value)).collect();
            let fun = Closure { env: env?.into(), ..fun.clone() };
            Term::fun(Fun::Local(machine.own_fun(&fun)?))
        }
        _ => term.clone(),
    })
}

fn has_funs(term: &Term) -> bool {
    let mut open = vec![term.clone()];
    while let Some(term) = open.pop() {
        match term.view() {
            View::Boxed(Boxed::Fun(Fun::Local(_))) => return true,
            View::Cons(cons) => open.extend([cons.head.clone(), cons.tail.clone()]),
            View::Tuple(tuple) => open.extend(tuple.iter().cloned()),
            View::Map(map) => {
                map.iter().for_each(|(key, value)| open.extend([key.clone(), value.clone()]));
            }
            _ => {}
        }
    }
    false
}
