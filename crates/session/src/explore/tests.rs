//! Every EUnit test of a program, and some cases of every property ([`properties`]), each explored
//! by itself.
//!
//! Which tests there are is found out by running the generators once (`erlscope_eunit_one` of the
//! library). A module that cannot be run is told as such, and the others are explored all the same.
//! An exploration then runs one test in the process of the test: the generator and the test, or the
//! setup of a fixture, its tests one after the other, and its cleanup.

use atom::Atom;
use machine::{Machine, Term};
use runner::testing::{self, TestKind, TestModule};

use super::search;
use super::start::{ONE_TEST as ONE, Program, Start};
use super::{Explored, Incomplete, Request, properties};
use crate::control::Progress;
use crate::open::{note_unfetched, note_unloadable};
use crate::test::Filter;
use crate::{Control, Error};

/// Executions of one test, unless the request says otherwise.
pub const BUDGET: u64 = 10_000;

/// A test has five seconds unless it says otherwise: what waits longer does not get its time, in
/// milliseconds.
pub(crate) const TIME: u64 = 5_000;

/// A test by its function and the way to it in what a generator gives.
pub(crate) struct OneTest {
    module: Atom,
    function: Atom,
    way: Term,
    /// As the program's author knows it: `pool_tests:work_test_/0 (work is done)`.
    pub(crate) name: String,
    /// How long it may take, in milliseconds.
    pub(crate) time: u64,
}

/// Explores all tests of a program, in their order.
pub(super) fn all(
    request: &Request,
    filter: Option<&str>,
    control: &Control,
) -> Result<Vec<Explored>, Error> {
    let program = Program::open(&request.paths, None, &request.running, &request.reading)?;
    program.limit_transforms(&request.running, control)?;
    program.check_reasons(&request.normal)?;
    let (modules, unreadable) = testing::find(program.sources());
    let filter = Filter::new(filter);
    let mut explored = Vec::new();
    let broken = |name: String, why: String| {
        // What is not wanted need not be right.
        filter.matches(&name).then(|| Explored::without(name, Incomplete::Broken(why)))
    };
    for problem in &unreadable {
        explored.extend(broken(problem.path.display().to_string(), problem.message.clone()));
    }
    for module in modules.iter().filter(|module| module.kind != TestKind::Suite) {
        let opened = match module.broken.first() {
            Some(problem) => Err(problem.clone()),
            None => opened(&program, module, request.running.seed.unwrap_or(0), &filter)
                .map_err(|error| error.to_string()),
        };
        let starts = match opened {
            Ok(opened) => opened,
            Err(why) => {
                explored.extend(broken(module.name.to_string(), why));
                continue;
            }
        };
        for start in starts {
            control.hear(Progress::SearchBegins { name: &start.name });
            if let Some(bound) = control.bound() {
                explored.push(Explored::without(start.name, Incomplete::Bound(bound)));
                return Ok(explored);
            }
            let one = search::search(request, start, true, control)?;
            control.hear(Progress::Explored(&one));
            explored.push(one);
        }
    }
    note_unfetched(program.sources(), control);
    note_unloadable(program.loader(), control);
    Ok(explored)
}

/// A node with a module of tests, before each of those that are wanted.
fn opened(
    program: &Program,
    module: &TestModule,
    seed: u64,
    filter: &Filter,
) -> Result<Vec<Start>, Error> {
    let mut machine = program.node()?;
    program.load(&mut machine, module.name)?;
    if module.kind != TestKind::Properties {
        let tests = tests_of(&machine, module)?.into_iter();
        let wanted = tests.filter(|test| filter.matches(&test.name));
        return Ok(wanted.map(|test| start(&machine, test)).collect());
    }
    let mut starts = Vec::new();
    for property in properties::of_module(&machine, module.name)? {
        if !filter.matches(&format!("{}:{property}", module.name)) {
            continue;
        }
        for case in properties::cases(&machine, module.name, property, seed)? {
            let start = properties::start(&machine, &case);
            starts.push(Start { name: format!("{} with {}", start.name, case.text), ..start });
        }
    }
    Ok(starts)
}

/// The tests of a module, in the order of its functions.
pub(crate) fn tests_of(machine: &Machine, module: &TestModule) -> Result<Vec<OneTest>, Error> {
    let listed = testing::ask(machine, ONE, "list", vec![Term::from(module.name)])
        .map_err(|message| Error::Failed(format!("the tests of {}: {message}", module.name)))?;
    let test = |entry: &Term| {
        let [function, way, title, time] = entry.as_tuple()? else { return None };
        let time = match time.as_atom().map(Atom::as_str) {
            Some("infinity") => Some(u64::MAX),
            _ => time.as_int().and_then(|time| u64::try_from(time).ok()),
        };
        let function = function.as_atom()?;
        let positions: Vec<String> =
            way.to_vec()?.iter().map(term::format::pretty::to_string).collect();
        let mut name = format!("{}:{function}", module.name);
        match term::format::chardata::to_text(title).filter(|_| title.as_atom().is_none()) {
            Some(title) => name.push_str(&format!(" ({title})")),
            None if positions.is_empty() => {}
            None => name.push_str(&format!(" ({})", positions.join("."))),
        }
        let time = time.unwrap_or(TIME).max(TIME);
        Some(OneTest { module: module.name, function, way: way.clone(), name, time })
    };
    Ok(listed.to_vec().unwrap_or_default().iter().filter_map(test).collect())
}

/// A Machine that is about to run a test.
pub(crate) fn start(machine: &Machine, test: OneTest) -> Start {
    let mut machine = machine.clone();
    machine.start_stepping();
    let call = format!(
        "{ONE}:run({}, {}, {})",
        test.module,
        test.function,
        term::format::pretty::to_string(&test.way)
    );
    let arguments = vec![Term::from(test.module), Term::from(test.function), test.way];
    let main = machine.spawn(Atom::new(ONE), Atom::new("run"), arguments);
    let function = format!("{}:{}/0", test.module, test.function);
    Start { machine, main, call, name: test.name, function, time: Some(test.time) }
}
