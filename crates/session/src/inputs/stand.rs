//! A node on which one input after another is run, each from the same state.

use std::rc::Rc;

use ::inputs::Input;
use ::inputs::input::{self, Fun, Maker};
use atom::{Atom, known};
use machine::exception::{Class, Crash};
use machine::observe::Observer;
use machine::process::Status;
use machine::{Ending, Machine, Pid, State, Term};
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::run;
use runner::scheduler::{InTurn, Scheduler};
use rustc_hash::FxHashMap;
use term::{Map, Port, View};

use super::goals::Goals;
use super::promise::{self, Returned};
use crate::contracts::searched::{self, Said};
use crate::{Error, open};

/// What an input is given to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// A function, which takes the elements of a tuple.
    Function(Atom, Atom),
    /// The functions of a module, which a sequence names.
    Calls(Atom),
}

/// Lists that a builtin is asked to make may be so long: made up numbers are often large.
const LONGEST: usize = 2_000_000;

/// How much later, in milliseconds.
const LATER: u32 = 90_061_007;

pub(crate) struct Stand {
    machine: Machine,
    /// The node before a server was started.
    idle: State,
    /// Where each run begins.
    start: State,
    goals: Rc<Goals>,
    loader: Rc<ProgramLoader>,
    limits: Limits,
    subject: Subject,
    /// The process that sequences are about.
    server: Option<Term>,
    /// Processes that stand in for others in the input that is run.
    stand_ins: Vec<Pid>,
    /// The calls that had been made when the last run began.
    began: u64,
    /// What the last run was given: arguments, or a sequence of calls.
    given: Vec<Term>,
}

impl Stand {
    /// A node that is up, with the module loaded.
    pub(crate) fn new(
        loader: Rc<ProgramLoader>,
        mut machine: Machine,
        subject: Subject,
        limits: Limits,
    ) -> Result<Stand, Error> {
        let (Subject::Function(module, _) | Subject::Calls(module)) = subject;
        open::load(&mut machine, &loader, module)?;
        let helper = Atom::new(input::MODULE);
        open::load(&mut machine, &loader, helper)?;
        machine.refuse_longer(LONGEST);
        let (idle, start) = (machine.copy_state(), machine.copy_state());
        let goals = Rc::new(Goals::default());
        Ok(Stand {
            machine,
            idle,
            start,
            goals,
            loader,
            limits,
            subject,
            server: None,
            given: Vec::new(),
            stand_ins: Vec::new(),
            began: 0,
        })
    }

    /// From now on inputs are for something else; what was reached is not forgotten.
    pub(crate) fn aim(&mut self, subject: Subject) -> Result<(), Error> {
        let (Subject::Function(module, _) | Subject::Calls(module)) = subject;
        self.machine.go_back(&self.idle);
        open::load(&mut self.machine, &self.loader, module)?;
        self.idle = self.machine.copy_state();
        self.start = self.machine.copy_state();
        self.subject = subject;
        self.server = None;
        Ok(())
    }

    /// Starts the server that sequences are about: every run begins with it as it is then.
    pub(crate) fn start(
        &mut self,
        module: Atom,
        function: Atom,
        args: &Input,
    ) -> Result<(), Error> {
        let Input::Tuple(args) = args else { return Ok(()) };
        let given = self.terms(args);
        let call = [Term::from(module), Term::from(function), Term::list(given)];
        // Who starts it stays, and ends the node with what it has.
        let end = alone(&mut self.machine, |machine| {
            run::try_evaluate(machine, input::MODULE, "server", call.to_vec())
        });
        self.machine.forget_halt();
        let server = match &end {
            Ending::Returned(value) => server_of(value),
            _ => None,
        };
        let Some(server) = server else {
            return Err(Error::Failed(format!(
                "{module}:{function}/{} starts no process: {}",
                args.len(),
                failure(&self.machine, &self.loader, &end)
                    .unwrap_or_else(|| "it gives no {ok, Pid}".to_owned())
            )));
        };
        self.server = Some(server);
        self.start = self.machine.copy_state();
        Ok(())
    }

    /// Runs an input: how it ended.
    pub(crate) fn run(&mut self, input: &Input) -> Ending {
        let goals = Rc::clone(&self.goals) as Rc<dyn Observer>;
        self.run_watched(input, &mut InTurn, |_, _| goals)
    }

    /// Runs an input with somebody who watches: who that is is asked for when it is known which
    /// process makes the call, by `erlscope_ask:call(Module, Function, Arguments)`, and which stand
    /// in for others.
    pub(crate) fn run_watched(
        &mut self,
        input: &Input,
        scheduler: &mut dyn Scheduler,
        watcher: impl FnOnce(Pid, &[Pid]) -> Rc<dyn Observer>,
    ) -> Ending {
        let (module, name, args) = self.call(input);
        let call = [Term::from(module), Term::from(name), Term::list(args)];
        let asker = Atom::new("erlscope_ask");
        let pid = self.machine.spawn(asker, Atom::new("call"), call.to_vec());
        self.machine.observe(Some(watcher(pid, &self.stand_ins)));
        self.began = self.machine.steps();
        self.machine.keep_quiet_about(pid);
        let end = run::run_process(&mut self.machine, pid, scheduler, &self.limits);
        self.machine.observe(None);
        end
    }

    /// What a call comes to that is made from the same state as every run.
    pub(crate) fn evaluate(&mut self, module: Atom, name: Atom, args: Vec<Term>) -> Ending {
        self.machine.go_back(&self.start);
        let call = vec![Term::from(module), Term::from(name), Term::list(args)];
        let pid = self.machine.spawn(Atom::new("erlscope_ask"), Atom::new("call"), call);
        self.machine.keep_quiet_about(pid);
        run::run_process(&mut self.machine, pid, &mut InTurn, &self.limits)
    }

    /// A copy of the node that is driven step by step, about to make the call: the process that
    /// makes it, and those that stand in for others.
    pub(crate) fn driven(&mut self, input: &Input) -> (Machine, Pid, Vec<Pid>) {
        let (module, name, args) = self.call(input);
        let call = vec![Term::from(module), Term::from(name), Term::list(args)];
        let mut machine = self.machine.clone();
        machine.start_stepping();
        let (helper, outcome) = (Atom::new(input::MODULE), Atom::new("outcome"));
        let main = machine.spawn(helper, outcome, call);
        (machine, main, self.stand_ins.clone())
    }

    /// The same where the process makes the call and nothing else.
    pub(crate) fn stepping(&mut self, input: &Input) -> (Machine, Pid) {
        let (module, name, args) = self.call(input);
        let mut machine = self.machine.clone();
        machine.start_stepping();
        let pid = machine.spawn(module, name, args);
        (machine, pid)
    }

    /// Makes the node ready for an input: the module, the function and the arguments of the call.
    fn call(&mut self, input: &Input) -> (Atom, Atom, Vec<Term>) {
        self.machine.go_back(&self.start);
        self.stand_ins.clear();
        self.given = match (self.subject, input) {
            (Subject::Function(..), Input::Tuple(args)) => self.terms(args),
            (Subject::Function(..), _) => Vec::new(),
            (Subject::Calls(_), sequence) => self.terms(std::slice::from_ref(sequence)),
        };
        let given = self.given.iter().cloned();
        match self.subject {
            Subject::Function(module, name) => (module, name, given.collect()),
            Subject::Calls(module) => {
                let args = [Term::from(module)].into_iter().chain(given).collect();
                (Atom::new(input::MODULE), Atom::new("sequence"), args)
            }
        }
    }

    /// From now on a run may make so many calls.
    pub(crate) fn limit(&mut self, steps: Option<u64>) {
        self.limits.steps = steps;
    }

    /// How many calls the last run made.
    pub(crate) fn calls(&self) -> u64 {
        self.machine.steps() - self.began
    }

    /// The node as the last run left it.
    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The same, to be prepared: every run begins with it as it is then.
    pub(crate) fn prepare(&mut self, prepare: impl FnOnce(&mut Machine)) {
        prepare(&mut self.machine);
        self.start = self.machine.copy_state();
    }

    pub(crate) fn loader(&self) -> &Rc<ProgramLoader> {
        &self.loader
    }

    pub(crate) fn goals(&self) -> &Rc<Goals> {
        &self.goals
    }

    /// From now on every run begins later, and after other references and processes were made.
    pub(crate) fn begin_later(&mut self) {
        self.machine.go_back(&self.idle);
        self.ask("reference", vec![Term::from(0u32)]);
        self.ask("process", vec![Term::from(0u32)]);
        let _ = run::try_evaluate(&mut self.machine, "timer", "sleep", vec![Term::from(LATER)]);
        self.machine.forget_halt();
        self.idle = self.machine.copy_state();
        self.start = self.machine.copy_state();
    }

    /// How the last run failed, if it did: the same for the same failure at the same place.
    pub(crate) fn failure(&self, end: &Ending) -> Option<String> {
        // What fails because native code is missing says nothing about the program.
        if !self.machine.missed_natives().is_empty() {
            return None;
        }
        match self.said_of_contracts() {
            Said::Refused => None,
            Said::Broken(broken) => Some(broken.what()),
            Said::Nothing => failure(&self.machine, &self.loader, end),
        }
    }

    /// Whether contracts held in the last run.
    pub(crate) fn said_of_contracts(&self) -> Said {
        self.said_in(&self.machine)
    }

    /// The same of a copy of the node that ran the same input.
    pub(crate) fn said_in(&self, machine: &Machine) -> Said {
        match self.subject {
            Subject::Function(module, name) => {
                searched::said(machine, module.as_str(), Some(name.as_str()), &self.given)
            }
            Subject::Calls(module) => searched::said(machine, module.as_str(), None, &self.given),
        }
    }

    /// The calls of the last run that returned, if it came to its end: a result says something
    /// about the program only where no native code is missing.
    pub(crate) fn returned(&self, end: &Ending) -> Vec<Returned> {
        let Ending::Returned(value) = end else { return Vec::new() };
        match (self.subject, &self.given[..]) {
            _ if !self.machine.missed_natives().is_empty() => Vec::new(),
            (Subject::Function(_, name), args) => {
                vec![Returned { name, args: args.to_vec(), result: value.clone() }]
            }
            (Subject::Calls(_), [sequence]) => promise::of_sequence(sequence, value),
            (Subject::Calls(_), _) => Vec::new(),
        }
    }

    fn ask(&mut self, function: &str, args: Vec<Term>) -> Ending {
        ask(&mut self.machine, function, args)
    }

    fn terms(&mut self, inputs: &[Input]) -> Vec<Term> {
        let (server, known) = (self.server.clone(), FxHashMap::default());
        let mut maker = OnMachine { machine: &mut self.machine, server, known };
        let terms = inputs.iter().map(|input| input.to_term(&mut maker)).collect();
        let made = maker.known.iter().filter(|((what, _), _)| *what == "process");
        self.stand_ins.extend(made.filter_map(|(_, made)| made.as_pid()));
        terms
    }
}

/// Inputs as terms of a Machine that has the helping module.
pub(crate) fn terms_on(machine: &mut Machine, inputs: &[Input]) -> Vec<Term> {
    let mut maker = OnMachine { machine, server: None, known: FxHashMap::default() };
    inputs.iter().map(|input| input.to_term(&mut maker)).collect()
}

/// Lets the helping module do something, other processes standing still.
fn ask(machine: &mut Machine, function: &str, args: Vec<Term>) -> Ending {
    let module = Term::atom(input::MODULE);
    let call = vec![module, Term::atom(function), Term::list(args)];
    // Nobody may be left who goes on where the node is driven step by step.
    alone(machine, |machine| {
        let pid = machine.spawn(Atom::new(input::MODULE), Atom::new("outcome"), call);
        machine.keep_quiet_about(pid);
        machine.ready_mut().clear();
        machine.ready_mut().push_back(pid);
        let limits = Limits { steps: Some(PATIENCE), ..Limits::default() };
        match run::run_process(machine, pid, &mut InTurn, &limits) {
            Ending::Raised(crash) => returned(&crash.reason),
            Ending::Ended(reason) => returned(&reason),
            end => end,
        }
    })
}

/// Something is done while other processes stand still.
fn alone(machine: &mut Machine, work: impl FnOnce(&mut Machine) -> Ending) -> Ending {
    let waiting: Vec<Pid> = machine.ready().iter().copied().collect();
    let end = work(machine);
    // Whoever could run before can run again, and so can those that came to it.
    let known = machine.ready().iter().copied().collect::<Vec<_>>();
    let runnable =
        |pid: &Pid| machine.process(*pid).is_some_and(|process| process.status == Status::Runnable);
    let again: Vec<Pid> =
        waiting.into_iter().filter(|pid| !known.contains(pid) && runnable(pid)).collect();
    machine.ready_mut().extend(again);
    end
}

/// Calls that are made for a value that stands in for something.
const PATIENCE: u64 = 1_000_000;

/// What `erlscope_inputs:outcome/3` ended with.
fn returned(reason: &Term) -> Ending {
    match reason.as_tuple() {
        Some([tag, value]) if tag.is_atom(Atom::new("returned")) => Ending::Returned(value.clone()),
        _ => Ending::Ended(reason.clone()),
    }
}

/// Makes funs and stand-ins on a Machine.
struct OnMachine<'m> {
    machine: &'m mut Machine,
    /// Who stands in for all processes where there is a server: nobody else answers its clients.
    server: Option<Term>,
    known: FxHashMap<(&'static str, u32), Term>,
}

impl OnMachine<'_> {
    fn stand_in(&mut self, what: &'static str, number: u32) -> Term {
        if let Some(known) = self.known.get(&(what, number)) {
            return known.clone();
        }
        let made = match ask(self.machine, what, vec![Term::from(number)]) {
            Ending::Returned(made) => made,
            _ => Term::UNDEFINED,
        };
        self.known.insert((what, number), made.clone());
        made
    }
}

impl Maker for OnMachine<'_> {
    fn fun(&mut self, fun: &Fun, table: Vec<(Vec<Term>, Term)>, others: Vec<Term>) -> Term {
        let mut rows = Map::new();
        for (args, result) in table {
            rows.insert(Term::list(args), result);
        }
        let args = vec![Term::from(fun.arity), Term::map(rows), Term::tuple(others)];
        match ask(self.machine, "make", args) {
            Ending::Returned(made) => made,
            // More arguments than there is code for.
            _ => {
                let (module, name) = (Atom::new(input::MODULE), Atom::new("answer"));
                Term::fun(term::Fun::External { module, name, arity: fun.arity })
            }
        }
    }

    fn process(&mut self, number: u32) -> Term {
        match &self.server {
            Some(server) => server.clone(),
            None => self.stand_in("process", number),
        }
    }

    fn port(&mut self, number: u32) -> Term {
        Port::from_number(u64::from(number)).map_or(Term::UNDEFINED, Term::port)
    }

    fn reference(&mut self, number: u32) -> Term {
        self.stand_in("reference", number)
    }
}

/// The process that a function has started.
fn server_of(value: &Term) -> Option<Term> {
    match value.view() {
        View::Pid(_) => Some(value.clone()),
        View::Tuple([tag, pid]) if tag.is_atom(known::OK) && pid.is_pid() => Some(pid.clone()),
        _ => None,
    }
}

/// A failure in a line: what and where, without the values.
pub(crate) fn failure(machine: &Machine, loader: &ProgramLoader, end: &Ending) -> Option<String> {
    let (class, reason, place) = match end {
        // A throw is a way to answer.
        Ending::Raised(crash) if crash.class == Class::Throw => return None,
        Ending::Raised(crash) => (crash.class, &crash.reason, place(machine, loader, crash)),
        Ending::Ended(reason) => (Class::Exit, reason, None),
        _ => return None,
    };
    let what = tags(reason);
    if class == Class::Exit && matches!(what.as_str(), "normal" | "shutdown") {
        return None;
    }
    // Another process may have failed: it says where.
    let told = if class == Class::Exit { place_in(reason, loader, 0) } else { None };
    let place = told.or(place).unwrap_or_default();
    Some(format!("{} {what}{place}", class.atom()))
}

/// Where an exception came from, in the program.
fn place(machine: &Machine, loader: &ProgramLoader, crash: &Crash) -> Option<String> {
    let position = run::place_of_crash(machine, crash, &|module| loader.is_own(module))?;
    let mfa = position.mfa;
    Some(format!(" in {}:{}/{}, line {}", mfa.module, mfa.name, mfa.arity, position.line))
}

/// How deep stack traces are looked for in the reason of an exit.
const DEEPEST: u32 = 3;

/// Where another process failed, by the stack trace in the reason that it ended for.
fn place_in(reason: &Term, loader: &ProgramLoader, depth: u32) -> Option<String> {
    match reason.view() {
        View::Cons(_) => reason.elements().find_map(|entry| of_entry(entry, loader)),
        View::Tuple(parts) if depth < DEEPEST => {
            parts.iter().find_map(|part| place_in(part, loader, depth + 1))
        }
        _ => None,
    }
}

/// An entry of a stack trace, if it is of the program: `{M, F, Arity, [{line, L}]}`.
fn of_entry(entry: &Term, loader: &ProgramLoader) -> Option<String> {
    let View::Tuple([module, name, args, about]) = entry.view() else { return None };
    let (View::Atom(module), View::Atom(name)) = (module.view(), name.view()) else { return None };
    let arity = match args.view() {
        View::Int(arity) => usize::try_from(arity).ok()?,
        View::Nil | View::Cons(_) => args.elements().count(),
        _ => return None,
    };
    let line = about.elements().find_map(|about| match about.view() {
        View::Tuple([key, line]) if key.is_atom(Atom::new("line")) => match line.view() {
            View::Int(line) => Some(line),
            _ => None,
        },
        _ => None,
    });
    let line = line.filter(|_| loader.is_own(module))?;
    Some(format!(" in {module}:{name}/{arity}, line {line}"))
}

/// The words of a reason, its values left out: `{badmatch, 17}` is `badmatch`.
fn tags(reason: &Term) -> String {
    match reason.view() {
        View::Atom(atom) => atom.to_string(),
        View::Tuple([first, ..]) => tags(first),
        _ => "with a value".to_owned(),
    }
}
