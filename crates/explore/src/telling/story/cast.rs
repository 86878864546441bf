//! The processes of a run, by names that a person recognises.
//!
//! A process is called by the first name that it was registered under; else by the function that it
//! runs: the one it was spawned with, for a fun the function that the fun went on to (or where the
//! fun is written), for a process of a behaviour its callback module. Several processes that would
//! be called the same get numbers.

use std::collections::{BTreeMap, BTreeSet};

use atom::Atom;
use machine::control::Start;
use machine::step::Actor;
use machine::{Machine, Pid, Process, Term};
use term::fun::Fun;

use crate::place::is_library_source;

/// Who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// `None` for a timer.
    pub pid: Option<Pid>,
    /// What it is called.
    pub name: String,
    /// The function that it runs, as `m:f/1`.
    pub function: Option<String>,
}

impl Player {
    /// The name, and the function if that says more.
    pub fn long_name(&self) -> String {
        let base = self.name.split(" #").next().unwrap_or(&self.name);
        match &self.function {
            Some(function)
                if !function.ends_with(&format!(":{base}")) && !function.starts_with("fun in ") =>
            {
                format!("{} ({function})", self.name)
            }
            _ => self.name.clone(),
        }
    }
}

#[derive(Clone, Default, Debug)]
struct Known {
    registered: Option<Atom>,
    function: Option<Function>,
    /// What it was started with, if that is a fun.
    written_in: Option<Function>,
    label: String,
}

/// What a process runs.
#[derive(Clone, Debug)]
enum Function {
    Plain(Atom, Atom, u32),
    /// A fun that is written in this function.
    FunIn(Atom, String),
    /// A process of a behaviour.
    Callback(Atom, Atom, u32),
    /// The test itself.
    Test(String),
}

impl Function {
    fn label(&self) -> String {
        match self {
            Function::Plain(_, name, arity) => format!("{name}/{arity}"),
            Function::FunIn(_, function) => format!("fun in {function}"),
            Function::Callback(module, ..) => module.to_string(),
            Function::Test(call) => match call.split_once(':') {
                Some((_, function)) => function.to_owned(),
                None => call.clone(),
            },
        }
    }

    fn whole(&self) -> String {
        match self {
            Function::Plain(module, name, arity) | Function::Callback(module, name, arity) => {
                format!("{module}:{name}/{arity}")
            }
            Function::FunIn(module, function) => format!("fun in {module}:{function}"),
            Function::Test(call) => call.clone(),
        }
    }
}

/// Everybody in a run.
#[derive(Clone, Default, Debug)]
pub struct Cast {
    known: BTreeMap<Pid, Known>,
    order: Vec<Actor>,
    met: BTreeSet<Actor>,
}

impl Cast {
    /// With the process of the test, which runs `function` (`m:f/0`).
    pub fn new(main: Option<Pid>, function: &str) -> Cast {
        let mut cast = Cast::default();
        if let Some(pid) = main {
            let function = Some(Function::Test(function.to_owned()));
            cast.known.insert(pid, Known { function, ..Known::default() });
            cast.order.push(Actor::Process(pid));
            cast.met.insert(Actor::Process(pid));
        }
        cast
    }

    /// Notes what a process was started with, before it runs.
    pub fn born(&mut self, machine: &Machine, pid: Pid) {
        let start = machine.process(pid).and_then(|process| process.start.as_ref());
        if let Some(Start::Fun { fun, .. }) = start
            && let Some(Fun::Local(closure)) = fun.as_fun()
        {
            let known = self.known.entry(pid).or_default();
            let name = closure.name.as_str();
            known.written_in = match name.strip_prefix('-').and_then(|n| n.split_once("-fun-")) {
                Some((function, _)) => Some(Function::FunIn(closure.module, function.to_owned())),
                None => Some(Function::Plain(closure.module, closure.name, closure.arity)),
            };
        }
    }

    /// Notes what is to be known about an actor now.
    pub fn meet(&mut self, machine: &Machine, actor: Actor) {
        if self.met.insert(actor) {
            self.order.push(actor);
        }
        let Actor::Process(pid) = actor else { return };
        let Some(process) = machine.process(pid) else { return };
        let known = self.known.entry(pid).or_default();
        known.registered = known.registered.or(process.registered);
        if let Some(callback) = callback(process) {
            if !matches!(known.function, Some(Function::Test(_))) {
                known.function = Some(callback);
            }
        } else if known.function.is_none() {
            known.function = function(machine, process, known.written_in.as_ref());
        }
    }

    /// Gives everybody a name. To be called when all is known.
    pub fn give_names(&mut self) {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for (pid, known) in &mut self.known {
            known.label = match (&known.registered, &known.function) {
                (Some(name), _) => name.to_string(),
                (None, Some(function)) => function.label(),
                (None, None) => term::print::pid(*pid),
            };
            *counts.entry(known.label.clone()).or_default() += 1;
        }
        let mut given: BTreeMap<String, u32> = BTreeMap::new();
        for known in self.known.values_mut() {
            if counts.get(&known.label).is_some_and(|count| *count > 1) {
                let number = given.entry(known.label.clone()).or_default();
                *number += 1;
                known.label = format!("{} #{number}", known.label);
            }
        }
    }

    /// Calls everybody by its identifier.
    pub fn use_identifiers(&mut self) {
        self.known.values_mut().for_each(|known| known.label.clear());
    }

    /// How a process is called.
    pub fn name(&self, pid: Pid) -> String {
        match self.known.get(&pid) {
            Some(known) if !known.label.is_empty() => known.label.clone(),
            _ => term::print::pid(pid),
        }
    }

    /// What a process runs: the same for all that do the same, and in all executions.
    pub fn role(&self, pid: Pid) -> String {
        let function = self.known.get(&pid).and_then(|known| known.function.as_ref());
        function.map_or_else(|| term::print::pid(pid), Function::whole)
    }

    /// A process by name and, if that says more, function.
    pub fn long_name(&self, pid: Pid) -> String {
        let function = self.known.get(&pid).and_then(|known| known.function.as_ref());
        let function = function.map(Function::whole);
        Player { pid: Some(pid), name: self.name(pid), function }.long_name()
    }

    /// Who took part, in the order of appearance.
    pub fn players(&self) -> Vec<(Actor, Player)> {
        let timers = self.order.iter().filter(|actor| matches!(actor, Actor::Timer(_))).count();
        let mut timer = 0;
        let player = |actor: &Actor| match *actor {
            Actor::Process(pid) => Player {
                pid: Some(pid),
                name: self.name(pid),
                function: self
                    .known
                    .get(&pid)
                    .and_then(|known| Some(known.function.as_ref()?.whole())),
            },
            // Signals are told of whom they reach, and are not among the players.
            Actor::Timer(_) | Actor::Signal(_) => {
                timer += 1;
                let name = match timers {
                    1 => "timer".to_owned(),
                    _ => format!("timer #{timer}"),
                };
                Player { pid: None, name, function: None }
            }
        };
        let players: Vec<Player> = self.order.iter().map(player).collect();
        self.order.iter().copied().zip(players).collect()
    }
}

/// What `proc_lib` says that a process was started with.
fn callback(process: &Process) -> Option<Function> {
    let key = Term::from(Atom::new("$initial_call"));
    let found = process.dictionary.iter().find(|(name, _)| term::order::exact_eq(name, &key));
    let [module, name, arity] = found?.1.as_tuple()? else { return None };
    let (module, name) = (module.as_atom()?, name.as_atom()?);
    // A supervisor is told by its callback module: {supervisor, Module, 1}.
    let module = if module.as_str() == "supervisor" { name } else { module };
    let arity = u32::try_from(arity.as_int()?).ok()?;
    let name = if module == name { Atom::new("init") } else { name };
    Some(Function::Callback(module, name, arity))
}

fn function(
    machine: &Machine,
    process: &Process,
    written_in: Option<&Function>,
) -> Option<Function> {
    let (module, name, arity) = process.initial_call;
    if written_in.is_none() && !(module.as_str() == "erlang" && name.as_str() == "apply") {
        return Some(Function::Plain(module, name, arity));
    }
    // What the fun went on to, if that is a function of the program.
    let outermost = machine.positions(process.pid, usize::MAX).pop();
    let own = outermost.filter(|position| {
        !is_library_source(&position.source) && !position.mfa.name.as_str().starts_with('-')
    });
    match own {
        Some(position) => {
            let mfa = position.mfa;
            Some(Function::Plain(mfa.module, mfa.name, mfa.arity))
        }
        None => written_in.cloned(),
    }
}
