//! Tests that are recorded, and recorded tests that are run again.
//!
//! A trace is of one test function of EUnit, on a node of its own, or of a whole suite. Its header names the test,
//! so that it can be run again by the turns in the trace.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use machine::Machine;
use machine::observe::Observer;
use runner::schedules::{Following, Recording};
use runner::testing::{self, ModuleResult, Settings, TestModule};
use trace::schedule::Witness;

use super::open::{How, Opened};
use super::{Filter, Tester};
use crate::args::{Reading, Replay, Running, Test, Tracing};
use crate::coverage::Good;
use crate::run::record::{finish, recorder};
use crate::run::{delivery_of, limits_of, scheduler_of};

/// Runs the tests of a module one by one, each into a file of its own.
pub(super) fn run_module(
    tester: &Tester<'_>,
    module: &TestModule,
    dir: &Path,
) -> Result<(ModuleResult, Machine), String> {
    let test = tester.test;
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let wanted = &|name: &str| tester.filter.matches(name);
    let names = match testing::runs_of(&tester.opened.booted, module, wanted) {
        Ok(names) => names,
        Err(problem) => {
            let result = ModuleResult { problem: Some(problem), ..ModuleResult::default() };
            return Ok((result, tester.opened.booted.clone()));
        }
    };
    let mut whole = ModuleResult::default();
    let mut last = tester.opened.booted.clone();
    for name in names {
        let path = dir.join(format!("{}.trace", name.replace(':', "-")));
        let tracing =
            Tracing { trace: Some(path), trace_all: test.trace_all, trace_nodes: test.trace_nodes };
        let made = witness(test, &name);
        let recorder = recorder(&tracing, &tester.opened.loader, &made)?;
        let settings = Settings {
            new_scheduler: &|| {
                let scheduler = scheduler_of(&test.running, test.delivery);
                Box::new(Recording { scheduler, recorder: recorder.clone(), turns: None })
            },
            observer: recorder.clone().map(|recorder| recorder as Rc<dyn Observer>),
            wanted: &|path| is_of(path, &name) && tester.filter.matches(path),
            ..tester.settings()
        };
        let (result, machine) = testing::run_module(&tester.opened.booted, module, &settings);
        if let Some(recorder) = recorder {
            let bad = result.cases.iter().filter(|case| !case.verdict_is_good()).count();
            let how = match (&result.problem, bad) {
                (Some(problem), _) => problem.clone(),
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

/// Whether a test, `module:function` or a case of a suite, belongs to what is run by itself under a name.
fn is_of(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// How a test is run, for the header of its trace.
fn witness(test: &Test, name: &str) -> Witness {
    let here = [PathBuf::from(".")];
    let paths = if test.paths.is_empty() { &here[..] } else { &test.paths };
    Witness {
        test: Some(name.to_owned()),
        filter: test.filter.clone(),
        seed: test.running.seed,
        any_delivery: test.delivery == crate::args::DeliveryMode::Any,
        ..Witness::of(paths)
    }
}

/// Runs a recorded test again by its turns; what became of it.
fn follow(
    witness: &Witness,
    opened: &Opened,
    running: &Running,
    observer: Option<Rc<dyn Observer>>,
    recording: impl Fn(Rc<RefCell<Following>>) -> Recording<'static>,
) -> Result<(ModuleResult, Machine), String> {
    let name = witness.test.as_deref().unwrap_or_default();
    let module = name.split(':').next().unwrap_or_default();
    let module = opened.modules.iter().find(|known| known.name.as_str() == module);
    let module = module.ok_or_else(|| format!("there is no test {name} in the program"))?;
    if !module.broken.is_empty() {
        return Err(module.broken.join("\n"));
    }
    let filter = Filter::new(witness.filter.as_deref());
    let following = Rc::new(RefCell::new(Following::new(witness.turns.clone())));
    let mut limits = limits_of(running)?;
    let delivery = match witness.any_delivery {
        true => crate::args::DeliveryMode::Any,
        false => crate::args::DeliveryMode::Instant,
    };
    let settings = Settings {
        steps_per_test: limits.steps.take().unwrap_or(testing::STEPS_PER_TEST),
        limits,
        delivery: delivery_of(delivery),
        new_scheduler: &|| Box::new(recording(Rc::clone(&following))),
        observer,
        wanted: &|path| is_of(path, name) && filter.matches(path),
        progress: &|_| {},
    };
    let done = testing::run_module(&opened.booted, module, &settings);
    if done.0.cases.is_empty() && done.0.problem.is_none() {
        return Err(format!("there is no test {name} in the program"));
    }
    match following.borrow().departure() {
        Some(departure) => Err(departure.to_string()),
        None => Ok(done),
    }
}

fn reopen(
    witness: &Witness,
    running: &Running,
    reading: &Reading,
    marked: bool,
) -> Result<Opened, String> {
    let paths = witness.places();
    let running = Running { seed: witness.seed, ..running.clone() };
    Opened::new(&paths, &running, reading, How { repeatable: true, marked })
}

/// Runs a recorded test again with every node of the program marked, for somebody who watches.
pub(crate) fn watch(
    witness: &Witness,
    reading: &Reading,
    observer: Rc<dyn Observer>,
) -> Result<(), String> {
    let running = Running::default();
    let opened = reopen(witness, &running, reading, true)?;
    follow(witness, &opened, &running, Some(observer), |scheduler| Recording {
        scheduler: Box::new(scheduler),
        recorder: None,
        turns: None,
    })
    .map(|_| ())
}

/// `erlscope replay` of a recorded test: what became of its cases, one a line.
pub(crate) fn replay(witness: &Witness, replay: &Replay) -> Result<(String, bool), String> {
    let opened = reopen(witness, &replay.running, &replay.reading, replay.tracing.trace_nodes)?;
    let recorder = recorder(&replay.tracing, &opened.loader, witness)?;
    let observer = recorder.clone().map(|recorder| recorder as Rc<dyn Observer>);
    let (result, machine) = follow(witness, &opened, &replay.running, observer, |scheduler| {
        Recording { scheduler: Box::new(scheduler), recorder: recorder.clone(), turns: None }
    })?;
    if let Some(recorder) = &recorder {
        finish(&replay.tracing, recorder, &machine, "run again")?;
    }
    let mut text = String::new();
    for case in &result.cases {
        let verdict = if case.verdict_is_good() { "ok" } else { "failed" };
        let title = case.title.as_ref().map(|title| format!(" ({title})")).unwrap_or_default();
        text.push_str(&format!("{}{title}: {verdict}\n", case.path()));
    }
    text.extend(result.problem.iter().map(|problem| format!("{problem}\n")));
    let is_good =
        result.problem.is_none() && result.cases.iter().all(|case| case.verdict_is_good());
    Ok((text, is_good))
}
