//! Running tests: EUnit modules, Common Test suites, and properties.
//!
//! Every test module runs on its own copy of a node that is up (copying a Machine copies no term),
//! by `erlscope_eunit`, `erlscope_ct` or `erlscope_prop` of the embedded library, which report by
//! events. So no module sees what another left behind. The tests of an EUnit module share one
//! process, as in EUnit. Something that is not supported fails the test that asked for it, and the
//! others go on.
//!
//! Time limits of tests are in virtual time, which passes with function calls. A test that makes
//! more calls than it may has its time pass faster ([`haste`]): its limit strikes, and the
//! runner in the library deals with it as with any test that takes too long. If even that does not
//! end it (it has no limit), its module is given up.

mod events;
mod find;
mod haste;

use std::fmt;
use std::rc::Rc;

use atom::Atom;
use machine::exception::{Class, Crash};
use machine::flight::Delivery;
use machine::observe::Observer;
use machine::{Ending, Machine, Pid, Term};
use term::Map;

pub use events::{Case, Drawn, Property, Verdict};
pub use find::{TestKind, TestModule, find};

use crate::limits::{Bound, Limits, Meter};
use crate::run::{self, NANOSECONDS_PER_READING};
use crate::scheduler::Scheduler;
use events::Collector;
use haste::Haste;

/// Calls that one test may make, if nothing else is said: more than ten seconds of its time.
pub const STEPS_PER_TEST: u64 = 1_500_000_000;

/// What became of a module.
#[derive(Debug, Default)]
pub struct ModuleResult {
    pub cases: Vec<Case>,
    /// Why the module could not be run to its end.
    pub problem: Option<Trouble>,
    /// Whether that was a bound of the whole run: then nothing more is to be run.
    pub stop: bool,
}

/// Why the tests of a module could not be run to their end.
#[derive(Clone, PartialEq, Debug)]
pub enum Trouble {
    /// What tests it has cannot be found out.
    Unknown(String),
    /// It could not be loaded.
    NotLoaded(String),
    Bound(Bound),
    /// Every process waits, and no timer is running.
    Stuck,
    /// A test ended the node.
    Halted(i32),
    /// The process that runs the tests ended for this reason.
    Ended(String),
    /// A test made this many calls, which is more than it may.
    Calls(u64),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unknown(why) => f.write_str(why),
            Trouble::NotLoaded(why) => write!(f, "it could not be loaded: {why}"),
            Trouble::Bound(bound) => bound.fmt(f),
            Trouble::Stuck => f.write_str("stuck: every process waits, and no timer is running"),
            Trouble::Halted(status) => write!(f, "the test called halt({status})"),
            Trouble::Ended(reason) => write!(f, "the tests ended: {reason}"),
            Trouble::Calls(calls) => write!(f, "not ended after {calls} calls"),
        }
    }
}

/// How modules are run.
pub struct Settings<'a> {
    pub limits: Limits,
    /// Calls that one test may make.
    pub steps_per_test: u64,
    pub delivery: Delivery,
    pub new_scheduler: &'a dyn Fn() -> Box<dyn Scheduler>,
    /// Somebody who watches the tests, but not the questions that are asked to find them.
    pub observer: Option<Rc<dyn Observer>>,
    /// Which tests are wanted, by `module:function` or `module:group:function`.
    pub wanted: &'a dyn Fn(&str) -> bool,
    /// Told about every finished test.
    pub progress: &'a dyn Fn(&Case),
    pub properties: Properties,
}

/// How properties are run.
#[derive(Clone, Debug)]
pub struct Properties {
    /// How many tests each has to pass.
    pub tests: u32,
    /// What their values are made from.
    pub seed: u64,
    /// Values that are to be run instead, as text.
    pub given: Option<String>,
}

impl Default for Properties {
    fn default() -> Properties {
        Properties { tests: 100, seed: 0, given: None }
    }
}

impl Properties {
    /// As `erlscope_prop` is given them.
    fn options(&self) -> Term {
        let mut options = Map::new();
        options.insert(Term::atom("tests"), Term::from(self.tests));
        options.insert(Term::atom("seed"), Term::from(self.seed));
        if let Some(text) = &self.given {
            options.insert(Term::atom("given"), Term::binary(text.as_bytes()));
        }
        Term::map(options)
    }
}

/// Runs the tests of a module on a copy of a node.
pub fn run_module(
    booted: &Machine,
    module: &TestModule,
    settings: &Settings<'_>,
) -> (ModuleResult, Machine) {
    let mut machine = booted.clone();
    machine.let_unsupported_fail();
    machine.set_delivery(settings.delivery);
    let selected = match select(&machine, module, settings.wanted) {
        Ok(selected) => selected,
        Err(error) => {
            let problem = Some(Trouble::Unknown(error.to_string()));
            return (ModuleResult { problem, ..ModuleResult::default() }, machine);
        }
    };
    let call = match selected {
        Selected::Functions(specs) if specs.is_empty() => None,
        Selected::Functions(specs) => {
            let pairs = Term::list(specs.into_iter().map(|(_, pair)| pair).collect::<Vec<_>>());
            Some(match module.kind {
                TestKind::Properties => {
                    ("erlscope_prop", "run_all", vec![pairs, settings.properties.options()])
                }
                _ => ("erlscope_eunit", "run_all", vec![pairs]),
            })
        }
        Selected::Suite(args) => args.map(|args| ("erlscope_ct", "run", args)),
    };
    let mut collector = Collector::new(module.name);
    let mut result = ModuleResult::default();
    if let Some((runner, function, args)) = call {
        if settings.observer.is_some() {
            machine.observe(settings.observer.clone());
        }
        let pid = machine.spawn(Atom::new(runner), Atom::new(function), args);
        machine.keep_quiet_about(pid);
        result = drive(&mut machine, settings, &mut collector);
        if let Some(running) = collector.running.take()
            && let Some(problem) = &result.problem
        {
            collector.cases.push(running.ended(Verdict::Cancelled(problem.to_string())));
        }
        if settings.observer.is_some() {
            machine.observe(None);
        }
    }
    result.cases = collector.cases;
    (result, machine)
}

/// What of a module is run by itself: the names of the test functions of an EUnit module, or of the
/// properties, that are wanted, or the name of the suite. Each can be run alone by wanting its
/// name.
pub fn runs_of(
    booted: &Machine,
    module: &TestModule,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, NoAnswer> {
    Ok(match select(booted, module, wanted)? {
        Selected::Functions(specs) => {
            specs.into_iter().map(|(function, _)| format!("{}:{function}", module.name)).collect()
        }
        Selected::Suite(args) => args.into_iter().map(|_| module.name.to_string()).collect(),
    })
}

/// What the library's runner is to run.
enum Selected {
    /// Test functions of an EUnit module, or properties, each with its pair of name and test.
    Functions(Vec<(String, Term)>),
    /// The arguments for a suite, if anything of it is wanted.
    Suite(Option<Vec<Term>>),
}

/// What is to be run of the tests that are wanted.
fn select(
    machine: &Machine,
    module: &TestModule,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Selected, NoAnswer> {
    let name = Term::from(module.name);
    let (runner, question) = match module.kind {
        TestKind::Eunit => ("erlscope_eunit", "specs"),
        TestKind::Suite => ("erlscope_ct", "cases"),
        TestKind::Properties => ("erlscope_prop", "specs"),
    };
    let all = ask(machine, runner, question, vec![name.clone()])?.to_vec().unwrap_or_default();
    let path = |pair: &Term| -> Option<String> {
        let [first, second] = pair.as_tuple()? else { return None };
        let mut parts = vec![module.name.to_string()];
        match module.kind {
            TestKind::Eunit | TestKind::Properties => parts.push(first.as_atom()?.to_string()),
            TestKind::Suite => {
                for group in first.to_vec()? {
                    parts.push(events::name_of(&group));
                }
                parts.push(events::name_of(second));
            }
        }
        Some(parts.join(":"))
    };
    let is_wanted = |pair: &&Term| path(pair).is_none_or(|path| wanted(&path));
    let some: Vec<&Term> = all.iter().filter(is_wanted).collect();
    let element = |pair: &Term, at| pair.as_tuple().and_then(|pair| pair.get(at)).cloned();
    Ok(match module.kind {
        TestKind::Eunit | TestKind::Properties => {
            let named = |pair: &&Term| Some((events::name_of(&element(pair, 0)?), (*pair).clone()));
            Selected::Functions(some.iter().filter_map(named).collect())
        }
        TestKind::Suite if some.is_empty() && !all.is_empty() => Selected::Suite(None),
        TestKind::Suite if some.len() == all.len() => {
            Selected::Suite(Some(vec![name, Term::list(options(module))]))
        }
        TestKind::Suite => {
            let chosen: Vec<Term> = some.iter().filter_map(|pair| element(pair, 1)).collect();
            let cases = Term::tuple([Term::atom("testcase"), Term::list(chosen)]);
            let options = Term::list([vec![cases], options(module)].concat());
            Selected::Suite(Some(vec![name, options]))
        }
    })
}

/// Options of a suite: its data directory is beside it.
pub fn options(module: &TestModule) -> Vec<Term> {
    let dir = module.path.parent().map(|dir| dir.join(format!("{}_data", module.name)));
    // It must mean the same wherever the test goes.
    let dir = dir.map(|dir| std::path::absolute(&dir).unwrap_or(dir));
    let text = dir.map(|dir| dir.to_string_lossy().into_owned()).unwrap_or_default();
    vec![Term::tuple([Term::atom("data_dir"), Term::string(&text)])]
}

/// Why the library gave no answer about a module under test.
#[derive(Debug)]
pub enum NoAnswer {
    /// An exception, in words.
    Raised(String),
    /// The call ended in another way.
    Ended(Ending),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::Raised(text) => f.write_str(text),
            NoAnswer::Ended(end) => f.write_str(&run::in_words(end)),
        }
    }
}

impl std::error::Error for NoAnswer {}

impl From<NoAnswer> for String {
    fn from(error: NoAnswer) -> String {
        error.to_string()
    }
}

/// Asks the library something about a module under test, on a copy of the node.
pub fn ask(machine: &Machine, module: &str, name: &str, args: Vec<Term>) -> Result<Term, NoAnswer> {
    ask_here(&mut machine.clone(), module, name, args)
}

/// Lets the library do something on the node itself.
pub fn ask_here(
    machine: &mut Machine,
    module: &str,
    name: &str,
    args: Vec<Term>,
) -> Result<Term, NoAnswer> {
    match run::try_evaluate(machine, module, name, args) {
        Ending::Returned(value) => Ok(value),
        Ending::Raised(crash) => {
            let text = explain(machine, crash.class, &crash.reason, &crash.trace);
            Err(NoAnswer::Raised(text))
        }
        other => Err(NoAnswer::Ended(other)),
    }
}

/// An exception in words.
pub fn explain(machine: &Machine, class: Class, reason: &Term, trace: &Term) -> String {
    let crash = Crash {
        pid: Pid(0),
        class,
        reason: reason.clone(),
        trace: trace.clone(),
        addresses: Vec::new(),
    };
    let fallback = || format!("exception {class}: {}", term::format::pretty::to_string(reason));
    run::explain(machine, &crash).unwrap_or_else(fallback)
}

/// Runs until the library's runner has ended.
fn drive(
    machine: &mut Machine,
    settings: &Settings<'_>,
    collector: &mut Collector,
) -> ModuleResult {
    let problem = |trouble| ModuleResult { problem: Some(trouble), ..ModuleResult::default() };
    let mut scheduler = (settings.new_scheduler)();
    machine.set_reading_time(NANOSECONDS_PER_READING);
    let mut meter = Meter::new(&settings.limits, machine);
    let mut haste = Haste::new(settings.steps_per_test);
    loop {
        if let Some(bound) = meter.reached(machine) {
            let stop = !matches!(bound, Bound::VirtualTime(_));
            return ModuleResult { stop, ..problem(Trouble::Bound(bound)) };
        }
        run::arrivals(machine, &mut *scheduler);
        let Some((pid, slice)) = scheduler.next(machine.ready_mut()) else {
            if machine.advance_time() {
                continue;
            }
            return problem(Trouble::Stuck);
        };
        run::take_turn(machine, &mut *scheduler, pid, slice);
        if let Some(what) = machine.take_unsupported() {
            collector.unsupported(what);
        }
        for missed in machine.take_missed_natives() {
            collector.missed_native(missed);
        }
        for event in machine.take_test_events() {
            if collector.event(&event, machine.steps(), settings.progress) {
                haste = Haste::new(settings.steps_per_test);
            }
        }
        if let Some(Ending::Halted(status)) = machine.stopped() {
            return problem(Trouble::Halted(status));
        }
        if let Some(reason) = machine.take_end_of_quiet() {
            let normal = reason.is_atom(Atom::new("normal"));
            let reason = term::format::pretty::to_string(&reason);
            let ended = || problem(Trouble::Ended(reason));
            return if normal { ModuleResult::default() } else { ended() };
        }
        let calls = machine.steps() - collector.first_step;
        if !haste.look(machine, calls) {
            return problem(Trouble::Calls(settings.steps_per_test));
        }
    }
}
