//! Tests that are recorded, and recorded tests that are run again.
//!
//! A trace is of one test function of EUnit, on a node of its own, or of a whole suite. Its header
//! names the test, so that it can be run again by the turns in the trace.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use ::trace::schedule::Witness;
use machine::Machine;
use machine::observe::Observer;
use runner::schedules::{Following, Recording};
use runner::testing::{self, ModuleResult, Properties, Settings, TestKind, TestModule};

use super::{CaseAnswer, Filter, How, PROPERTY_TESTS, Request, Tester, Trouble, WithTests};
use crate::reading::{Reading, or_here};
use crate::record::{finish, recorder};
use crate::running::{Delivery, Running, Telling, Tracing};
use crate::{Control, Departed, Error};

/// Runs the tests of a module one by one, each into a file of its own.
pub(super) fn run_module(
    tester: &Tester<'_>,
    module: &TestModule,
    dir: &Path,
) -> Result<(ModuleResult, Machine), Error> {
    let request = tester.request;
    std::fs::create_dir_all(dir).map_err(|error| Error::file(dir, error))?;
    let wanted = &|name: &str| tester.filter.matches(name);
    let names = match testing::runs_of(&tester.opened.booted, module, wanted) {
        Ok(names) => names,
        Err(problem) => {
            let problem = Some(Trouble::Unknown(problem.to_string()));
            let result = ModuleResult { problem, ..ModuleResult::default() };
            return Ok((result, tester.opened.booted.clone()));
        }
    };
    let mut whole = ModuleResult::default();
    let mut last = tester.opened.booted.clone();
    for name in names {
        let path = dir.join(format!("{}.trace", name.replace(':', "-")));
        let tracing =
            Tracing { file: Some(path), all_calls: request.trace_all, nodes: request.trace_nodes };
        let made = witness(request, &name);
        let recorder = recorder(&tracing, &tester.opened.program.loader, &made)?;
        let settings = Settings {
            new_scheduler: &|| {
                let scheduler = request.running.scheduler(request.delivery);
                Box::new(Recording { scheduler, recorder: recorder.clone(), turns: None })
            },
            observer: recorder.clone().map(|recorder| recorder as Rc<dyn Observer>),
            wanted: &|path| is_of(path, &name) && tester.filter.matches(path),
            ..tester.settings()
        };
        let (result, machine) = testing::run_module(&tester.opened.booted, module, &settings);
        if let Some(recorder) = recorder {
            let bad = result.cases.iter().filter(|case| !case.verdict.is_good()).count();
            let how = match (&result.problem, bad) {
                (Some(problem), _) => problem.to_string(),
                (None, 0) => "passed".to_owned(),
                (None, bad) => format!("{bad} of {} failed", result.cases.len()),
            };
            finish(&tracing, &recorder, &machine, &how)?;
        }
        whole.cases.extend(result.cases);
        whole.problem = whole.problem.or(result.problem);
        whole.stop |= result.stop;
        last = machine;
        if whole.stop {
            break;
        }
    }
    Ok((whole, last))
}

/// Whether a test, `module:function` or a case of a suite, belongs to what is run by itself under a
/// name.
fn is_of(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// How a test is run, for the header of its trace.
fn witness(request: &Request, name: &str) -> Witness {
    Witness {
        test: Some(name.to_owned()),
        filter: request.filter.clone(),
        seed: request.running.seed,
        any_delivery: request.delivery == Delivery::Any,
        contracts: request.running.checked(),
        runs: request.runs,
        ..Witness::of(&or_here(&request.paths))
    }
}

/// A recorded test that is to be run again.
#[derive(Clone, Default, Debug)]
pub struct Again {
    pub witness: Witness,
    pub tracing: Tracing,
    pub running: Running,
    pub reading: Reading,
}

/// Runs a recorded test again by its turns; what became of it.
fn follow(
    again: &Again,
    opened: &WithTests,
    observer: Option<Rc<dyn Observer>>,
    recording: impl Fn(Rc<RefCell<Following>>) -> Recording<'static>,
    control: &Control,
) -> Result<(ModuleResult, Machine), Error> {
    let witness = &again.witness;
    let name = witness.test.as_deref().unwrap_or_default();
    let missing = || Error::Missing(format!("there is no test {name} in the program"));
    let mut parts = name.split(':');
    let (module, function) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_property = function.starts_with("prop_");
    let module = opened.modules.iter().find(|known| {
        known.name.as_str() == module && (known.kind == TestKind::Properties) == is_property
    });
    let module = module.ok_or_else(missing)?;
    if !module.broken.is_empty() {
        return Err(Error::Missing(module.broken.join("\n")));
    }
    let filter = Filter::new(witness.filter.as_deref());
    let following = Rc::new(RefCell::new(Following::new(witness.turns.clone())));
    let mut limits = again.running.limits(control)?;
    let running = Running { seed: witness.seed, ..again.running.clone() };
    let delivery = if witness.any_delivery { Delivery::Any } else { Delivery::Instant };
    let settings = Settings {
        steps_per_test: limits.steps.take().unwrap_or(testing::STEPS_PER_TEST),
        limits,
        delivery,
        new_scheduler: &|| match witness.turns.is_empty() {
            // A property that failed, which needs no schedule.
            true => running.scheduler(delivery),
            false => Box::new(recording(Rc::clone(&following))),
        },
        observer,
        wanted: &|path| is_of(path, name) && filter.matches(path),
        progress: &|_| {},
        properties: Properties {
            tests: witness.runs.unwrap_or(PROPERTY_TESTS),
            seed: witness.seed.unwrap_or(0),
            given: witness.input.clone(),
        },
    };
    let done = testing::run_module(&opened.booted, module, &settings);
    if done.0.cases.is_empty() && done.0.problem.is_none() {
        return Err(missing());
    }
    match following.borrow().departure() {
        Some(departure) if !witness.turns.is_empty() => {
            Err(Error::Departed(Departed::Turns { departure: departure.clone(), at: None }))
        }
        _ => Ok(done),
    }
}

fn reopen(again: &Again, telling: Telling, control: &Control) -> Result<WithTests, Error> {
    let paths = again.witness.places();
    let running = again.running.as_recorded(&again.witness);
    let running = Running { seed: again.witness.seed, ..running };
    WithTests::open(&paths, &running, &again.reading, How { repeatable: true, telling }, control)
}

/// Runs a recorded test again with code that tells so much, for somebody who watches.
pub(crate) fn watch(
    witness: &Witness,
    reading: &Reading,
    telling: Telling,
    observer: Rc<dyn Observer>,
    control: &Control,
) -> Result<(), Error> {
    let (witness, reading) = (witness.clone(), reading.clone());
    let again = Again { witness, reading, ..Again::default() };
    let opened = reopen(&again, telling, control)?;
    let plainly =
        |scheduler| Recording { scheduler: Box::new(scheduler), recorder: None, turns: None };
    follow(&again, &opened, Some(observer), plainly, control).map(|_| ())
}

/// Runs a recorded test again; what became of its cases, and why there are not more.
pub fn replay(
    again: &Again,
    control: &Control,
) -> Result<(Vec<CaseAnswer>, Option<Trouble>), Error> {
    let telling = if again.tracing.nodes { Telling::Nodes } else { Telling::Calls };
    let opened = reopen(again, telling, control)?;
    let recorder = recorder(&again.tracing, &opened.program.loader, &again.witness)?;
    let observer = recorder.clone().map(|recorder| recorder as Rc<dyn Observer>);
    let recording = |scheduler| Recording {
        scheduler: Box::new(scheduler),
        recorder: recorder.clone(),
        turns: None,
    };
    let (result, machine) = follow(again, &opened, observer, recording, control)?;
    if let Some(recorder) = &recorder {
        finish(&again.tracing, recorder, &machine, "run again")?;
    }
    let cases = result.cases.iter().map(|case| opened.case(case, &machine)).collect();
    Ok((cases, result.problem))
}
