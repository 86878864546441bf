//! Programs for the tests of the search: one module `t`, and the embedded library.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

#[path = "support/lost.rs"]
mod lost;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use explore::dependence::conflicting;
use explore::event::{Event, Id, Step, Take};
use explore::{Bounds, Delivery, Execution, Moments, Search, Statistics};
use explore::{naive, parallel};
use machine::Machine;
use machine::code_space::{Loaded, Loader};
use machine::step::{Actor, Choice, Next, Timeout};
use machine::world::Sealed;
use syntax::source::Files;
use term::print;

struct Text(String);

impl Loader for Text {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let (path, text) = match module.as_str() {
            "t" => ("t.erl", self.0.as_str()),
            name => stdlib::module(name).map(|source| (source.path, source.text))?,
        };
        let options = syntax::options::Options::default();
        let source = syntax::read_module_bytes(
            Path::new(path),
            text.as_bytes().to_vec(),
            &LibraryFiles,
            &options,
        );
        assert!(
            module.as_str() != "t" || source.diagnostics.is_empty(),
            "{:?}",
            source.diagnostics
        );
        let mut code =
            code::lower::lower(&source).unwrap_or_else(|problems| panic!("{problems:?}"));
        // Every run begins with a copy of the same Machine.
        code.finish();
        Some(Loaded { code, source: Arc::new(source).into() })
    }
}

struct LibraryFiles;

impl Files for LibraryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let source = path.to_str().and_then(stdlib::file);
        source.map(|source| source.text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
    }
    fn exists(&self, path: &Path) -> bool {
        path.to_str().and_then(stdlib::file).is_some()
    }
    fn lib_dir(&self, _: &str) -> Option<PathBuf> {
        None
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
}

thread_local! {
    /// The last program: all runs of it begin with copies of one Machine.
    static LAST: RefCell<Option<(String, Machine)>> = const { RefCell::new(None) };
}

/// A Machine that is about to call `t:main()`, one step at a time.
pub fn machine(body: &str) -> Machine {
    LAST.with_borrow_mut(|last| match last {
        Some((known, machine)) if known == body => machine.clone(),
        _ => {
            let machine = new_machine(body);
            *last = Some((body.to_owned(), machine.clone()));
            machine
        }
    })
}

/// What a Machine tells apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Manner {
    /// Clocks and heirs.
    pub is_exact: bool,
    pub shows_dictionaries: bool,
    pub takes_ends_apart: bool,
}

impl Manner {
    pub fn of(bounds: &Bounds) -> Manner {
        Manner {
            is_exact: !bounds.leave_out_ends,
            shows_dictionaries: bounds.dictionaries == Moments::Shown,
            takes_ends_apart: bounds.ends == Moments::Shown,
        }
    }
}

/// The same, with readings of clocks, heirs and changes of dictionaries in order or not.
pub fn machine_in(body: &str, manner: Manner) -> Machine {
    let mut machine = machine(body);
    machine.be_exact(manner.is_exact);
    machine.show_dictionaries(manner.shows_dictionaries);
    machine.take_ends_apart(manner.takes_ends_apart);
    machine.let_readings_tie(readings_tie());
    machine
}

thread_local! {
    static READINGS_TIE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the Machines of this thread let readings of clocks be equal.
fn readings_tie() -> bool {
    READINGS_TIE.get()
}

pub fn let_readings_tie(may_tie: bool) {
    READINGS_TIE.set(may_tie);
}

fn new_machine(body: &str) -> Machine {
    let text = format!("-module(t).\n-compile([export_all, nowarn_export_all]).\n{body}");
    let mut machine = Machine::new(Rc::new(Text(text)), Rc::new(Sealed::default()));
    machine.ensure_loaded(Atom::new("t"));
    machine.start_stepping();
    machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
    machine
}

/// The class of an execution, with the ends that the search left out.
pub fn class_of(execution: &Execution<'_>) -> String {
    let ends = execution.ends();
    naive::class(&execution.events.iter().copied().chain(&ends).collect::<Vec<_>>())
}

/// How an execution ended, as text.
pub fn outcome(execution: &Execution<'_>) -> String {
    let ends = execution.ends();
    let left_out = ends.iter().filter_map(|end| match (end.actor, &end.ended) {
        (Actor::Process(pid), Some(reason)) => Some((pid, reason)),
        _ => None,
    });
    let ended = execution.ended.iter().map(|(pid, reason)| (*pid, reason));
    let mut parts: Vec<String> = ended
        .chain(left_out)
        .map(|(pid, reason)| {
            // Without the stack trace.
            let reason = match reason.as_tuple() {
                Some([reason, trace]) if trace.is_list() => reason,
                _ => reason,
            };
            format!("{pid:?}:{}", print::to_string(reason))
        })
        .collect();
    parts.extend(execution.blocked.iter().map(|blocked| format!("{:?} waits", blocked.pid)));
    if !execution.stop.is_quiescent() {
        parts.push(format!("{:?}", execution.stop));
    }
    parts.sort();
    parts.join(" ")
}

pub struct Found {
    pub statistics: Statistics,
    pub manner: Manner,
    /// Those of the search.
    pub bounds: Bounds,
    pub outcomes: BTreeMap<String, u64>,
    pub classes: BTreeMap<String, u64>,
    /// What is wrong with one of its executions.
    pub problem: Option<String>,
}

pub fn explore(body: &str) -> Found {
    explore_in(body, Delivery::Instant)
}

fn explore_in(body: &str, delivery: Delivery) -> Found {
    explore_with(body, Bounds { max_executions: 200_000, delivery, ..Bounds::default() }, true)
}

/// With all left out that can be, unless it is noticed.
pub fn noticing(bounds: &Bounds) -> Bounds {
    let (dictionaries, ends) = (Moments::Noticed, Moments::Noticed);
    Bounds { leave_out_ends: true, dictionaries, ends, ..bounds.clone() }
}

/// With ends left out, unless these are noticed.
pub fn explore_with(body: &str, bounds: Bounds, with_classes: bool) -> Found {
    let mut bounds = noticing(&bounds);
    loop {
        let found = explore_once(body, bounds.clone(), with_classes);
        if !found.statistics.again {
            return found;
        }
        bounds = bounds.again(found.statistics);
    }
}

fn explore_once(body: &str, bounds: Bounds, with_classes: bool) -> Found {
    let manner = Manner::of(&bounds);
    let start = machine_in(body, manner);
    let delivery = bounds.delivery;
    let mut search = Search::new(start.clone(), bounds.clone());
    let (mut outcomes, mut classes) = (BTreeMap::new(), BTreeMap::new());
    let mut problem = None;
    let statistics = search.run(|execution| {
        *outcomes.entry(outcome(execution)).or_default() += 1;
        if with_classes {
            problem = problem.take().or_else(|| replay(&start, execution, delivery).err());
            *classes.entry(class_of(execution)).or_default() += 1;
        }
        true
    });
    Found { statistics, manner, bounds, outcomes, classes, problem }
}

/// The schedule of an execution, followed on a new Machine whose mailboxes have Erlang's order: it
/// leads to the same end by an equivalent way.
pub fn replay(
    start: &Machine,
    execution: &Execution<'_>,
    delivery: Delivery,
) -> Result<(), String> {
    let schedule = execution.schedule();
    let class = class_of(execution);
    let about = |what: &str| {
        let events = execution.events.iter();
        let text = |event: &&Event| {
            format!("{:?}.{} {:?} {:?}", event.actor, event.id.seq, event.take, event.puts)
        };
        let actors: Vec<Actor> = schedule.steps.iter().map(|step| step.actor).collect();
        let events: Vec<String> = events.map(text).collect();
        format!("{what}: {actors:?}\n{}\n{class}", events.join("\n"))
    };
    let mut machine = start.clone();
    delivery.set(&mut machine);
    let told = explore::story::run(&mut machine, &schedule, None, "");
    if !told.whole || schedule.steps.len() != execution.events.len() + execution.ends().len() {
        return Err(about("a schedule that cannot be followed"));
    }
    let end = outcome(&Execution::at_end(&machine, told.ended));
    if end != outcome(execution) {
        return Err(about(&format!("a schedule that ends otherwise, {end}")));
    }
    match naive::follow(start.clone(), &schedule, delivery) {
        None => Err(about("a schedule that is no interleaving")),
        Some(events) => match naive::class(&events.iter().collect::<Vec<_>>()) {
            other if other != class => {
                Err(about(&format!("a schedule of another class,\n{other}\n")))
            }
            _ => Ok(()),
        },
    }
}

/// The same by several workers that take turns in a random order.
pub fn explore_in_turns(body: &str, seed: u64, delivery: Delivery) -> Found {
    let mut bounds = noticing(&Bounds { delivery, ..Bounds::default() });
    loop {
        let found = explore_in_turns_once(body, seed, &bounds);
        if !found.statistics.again {
            return found;
        }
        bounds = bounds.again(found.statistics);
    }
}

fn explore_in_turns_once(body: &str, seed: u64, bounds: &Bounds) -> Found {
    let workers = 2 + (seed % 3) as usize;
    let manner = Manner::of(bounds);
    let machines = vec![machine_in(body, manner); workers];
    let (mut outcomes, mut classes) = (BTreeMap::new(), BTreeMap::new());
    let mut random = seed | 1;
    let whose = |workers: usize| next(&mut random) as usize % workers;
    let statistics = parallel::in_turns(machines, bounds, whose, |execution| {
        *outcomes.entry(outcome(execution)).or_default() += 1;
        *classes.entry(class_of(execution)).or_default() += 1;
        true
    });
    let bounds = bounds.clone();
    Found { statistics, manner, bounds, outcomes, classes, problem: None }
}

pub fn enumerate(body: &str, max: u64, delivery: Delivery, manner: Manner) -> Option<Found> {
    let (mut outcomes, mut classes) = (BTreeMap::new(), BTreeMap::new());
    let mut ends: BTreeMap<String, String> = BTreeMap::new();
    let mut problem = None;
    let start = machine_in(body, manner);
    let all = naive::enumerate(start, max, u64::MAX, delivery, |execution| {
        let (class, end) = (class_of(execution), outcome(execution));
        if execution.machine.is_unsettled() {
            problem = Some("the order of clocks or heirs was not looked at".to_owned());
        }
        if execution.machine.has_looked_early() {
            problem = Some("a change of a dictionary was not looked at".to_owned());
        }
        if execution.machine.has_met_end() {
            problem = Some("a moment inside of an end was not looked at".to_owned());
        }
        // Events that are said to commute do.
        let known = ends.entry(class.clone()).or_insert_with(|| end.clone());
        if *known != end {
            problem = Some(format!(
                "equivalent executions that end differently: {known}, {end}\n{class}"
            ));
        }
        *outcomes.entry(end).or_default() += 1;
        *classes.entry(class).or_default() += 1;
    });
    let statistics = Statistics::default();
    let bounds = Bounds { delivery, ..Bounds::default() };
    all.then_some(Found { statistics, manner, bounds, outcomes, classes, problem })
}

/// Events that are said to commute do, and touch the same in either order: looked for in the states
/// of some random runs.
fn commuting(body: &str, delivery: Delivery, manner: Manner) -> Result<(), String> {
    let mut start = machine_in(body, manner);
    delivery.set(&mut start);
    let mut random = 88_172_645_463_325_252;
    for _ in 0..12 {
        let mut machine = start.clone();
        for _ in 0..60 {
            let choices = choices(&mut machine);
            for (a, b) in choices.iter().flat_map(|a| choices.iter().map(move |b| (a, b))) {
                swapped(&machine, *a, *b)?;
            }
            if choices.is_empty() {
                break;
            }
            let (actor, choice) = choices[next(&mut random) as usize % choices.len()];
            machine.perform(actor, choice);
        }
    }
    Ok(())
}

/// Compares the search with some random interleavings, where there are too many to enumerate: their
/// classes are found, no execution is in vain, none is explored twice. `false` if the search takes
/// too long.
pub fn try_sample(body: &str, walks: u32, max: u64, delivery: Delivery) -> Result<bool, String> {
    let bounds = Bounds { max_executions: max, delivery, ..Bounds::default() };
    let found = explore_with(body, bounds, true);
    if !found.statistics.complete {
        return Ok(false);
    }
    let report = |what: &str| Err(format!("{what}\n{body}\n{:?}", found.statistics));
    if let Some(problem) = &found.problem {
        return report(problem);
    }
    let start = machine_in(body, found.manner);
    let mut random = 88_172_645_463_325_252;
    for _ in 0..walks {
        let choose = |steps: usize| next(&mut random) as usize % steps;
        let Some(events) = naive::walk(start.clone(), 400, delivery, choose) else { continue };
        let class = naive::class(&events.iter().collect::<Vec<_>>());
        if !found.classes.contains_key(&class) {
            let lost = lost::lost(body, found.bounds.clone(), &events);
            return report(&format!("a class is missing:\n{class}\n{lost}\n"));
        }
    }
    if found.statistics.abandoned > 0 || found.classes.values().any(|times| *times > 1) {
        return report("not optimal");
    }
    Ok(true)
}

/// Numbers that look random, the same for the same seed (splitmix64).
pub fn splitmix(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let word = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    std::iter::repeat_with(word).take(256).flat_map(u64::to_le_bytes).collect()
}

/// The number that an environment variable gives.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    Some(parsed.unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// Random numbers (xorshift).
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random >> 20
}

/// What actors can do next, with mailboxes in Erlang's order.
fn choices(machine: &mut Machine) -> Vec<(Actor, Choice)> {
    let mut found = Vec::new();
    for pid in machine.pids().collect::<Vec<_>>() {
        let choice = match machine.next(pid) {
            Next::Act | Next::End if machine.must_wait(pid) => continue,
            Next::Act if machine.may_tie(pid) => Choice::Tie,
            Next::Act | Next::End => Choice::Act,
            Next::Receive(receive) => match (receive.matching.first(), receive.timeout) {
                (Some(first), _) => Choice::Take(*first),
                (None, Timeout::Never) => continue,
                _ if machine.must_wait_on(pid) => continue,
                _ => Choice::GiveUp,
            },
            _ => continue,
        };
        found.push((Actor::Process(pid), choice));
    }
    found.extend(machine.signals().map(|signal| (Actor::Signal(signal), Choice::Act)));
    found.extend(machine.timers().into_iter().map(|timer| (Actor::Timer(timer), Choice::Act)));
    found
}

/// Two actions, in one order and in the other.
fn swapped(machine: &Machine, a: (Actor, Choice), b: (Actor, Choice)) -> Result<(), String> {
    if a.0 == b.0 {
        return Ok(());
    }
    let run = |first: (Actor, Choice), second: (Actor, Choice)| {
        let mut machine = machine.clone();
        let first = machine.perform(first.0, first.1)?;
        let second = machine.perform(second.0, second.1)?;
        Some((first, second))
    };
    let step = |event: &machine::step::Event| {
        let id = Id { actor: 1, seq: 2 };
        Step::new(id, event.actor, Take::Nothing, Id::BEGINNING, event.log.footprint.clone())
    };
    let Some((first, second)) = run(a, b) else { return Ok(()) };
    if conflicting(&step(&first), &step(&second)) {
        return Ok(());
    }
    let touched = |event: &machine::step::Event| {
        let mut accesses = event.log.footprint.0.to_vec();
        accesses.sort_unstable();
        accesses
    };
    match run(b, a) {
        Some((other, one))
            if touched(&first) == touched(&one) && touched(&second) == touched(&other) =>
        {
            Ok(())
        }
        other => Err({
            let text = |event: &machine::step::Event| {
                format!("{:?} {:?} {:?}", event.actor, event.log.label, touched(event))
            };
            let other = other.map(|(a, b)| format!("{}\n{}", text(&a), text(&b)));
            format!(
                "do not commute:\n{}\n{}\nthe other way round:\n{}",
                text(&first),
                text(&second),
                other.unwrap_or_default(),
            )
        }),
    }
}

/// Compares the search with the enumeration of all interleavings. `false` if there are too many.
pub fn compare(body: &str, max: u64) -> bool {
    compare_in(body, max, Delivery::Instant)
}

/// As `compare`, with messages that travel in another way.
pub fn compare_in(body: &str, max: u64, delivery: Delivery) -> bool {
    try_compare(body, max, delivery).unwrap_or_else(|difference| panic!("{difference}"))
}

/// As `compare_in`; says how the two differ.
pub fn try_compare(body: &str, max: u64, delivery: Delivery) -> Result<bool, String> {
    let quickly = Bounds { max_executions: max, delivery, ..Bounds::default() };
    let manner = explore_with(body, quickly, false).manner;
    let Some(all) = enumerate(body, max, delivery, manner) else { return Ok(false) };
    let found = explore_in(body, delivery);
    let statistics = found.statistics;
    let report = |what: &str| {
        let missing: Vec<_> =
            all.classes.keys().filter(|c| !found.classes.contains_key(*c)).collect();
        let wrong: Vec<_> =
            found.classes.keys().filter(|c| !all.classes.contains_key(*c)).collect();
        let twice = found.classes.values().filter(|n| **n > 1).count();
        let show = |list: &[&String]| list.first().map_or(String::new(), |c| format!("\n{c}"));
        Err(format!(
            "{what}\n{body}\n{statistics:?}\n{} classes, {} found, {} missing, {} wrong, {twice} twice\n\
             missing:{}\nwrong:{}\noutcomes: {:?}\nfound: {:?}",
            all.classes.len(),
            found.classes.len(),
            missing.len(),
            wrong.len(),
            show(&missing),
            show(&wrong),
            all.outcomes.keys().collect::<Vec<_>>(),
            found.outcomes.keys().collect::<Vec<_>>(),
        ))
    };
    if let Err(problem) = commuting(body, delivery, manner) {
        return report(&problem);
    }
    if let Some(problem) = all.problem.as_ref().or(found.problem.as_ref()) {
        return report(problem);
    }
    if !all.classes.keys().eq(found.classes.keys()) {
        return report("the classes differ");
    }
    if !all.outcomes.keys().eq(found.outcomes.keys()) {
        return report("the outcomes differ");
    }
    if statistics.executions != all.classes.len() as u64 || statistics.abandoned != 0 {
        return report("not optimal");
    }
    for seed in [1, 2] {
        let many = explore_in_turns(body, seed + all.classes.len() as u64 * 3, delivery);
        let same = many.outcomes == found.outcomes && many.classes == found.classes;
        if !same || many.statistics.executions != statistics.executions {
            let twice = many.classes.iter().find(|(_, times)| **times > 1);
            let twice = twice.map_or(String::new(), |(class, _)| format!("\ntwice:\n{class}"));
            let other = many.classes.keys().find(|class| !found.classes.contains_key(*class));
            let other = other.map_or(String::new(), |class| format!("\nanother:\n{class}"));
            let statistics = many.statistics;
            return report(&format!("several workers differ: {statistics:?}{twice}{other}"));
        }
    }
    Ok(true)
}
