//! OTP's suites on the Machine: each in a child process with limits of time and memory.
//!
//! A suite runs as a whole. Should its process die (a crash of ours, no memory left, no time left),
//! the case that was running has failed by that, and those that have not run are run one by one,
//! each in a process of its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use super::cases::{Name, Outcome, Results, Verdict};
use super::child::{self, Ended, Limits};
use super::plan::Suite;
use crate::problem::Result;

/// What children may use.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) suite: Duration,
    pub(super) case: Duration,
    pub(super) memory: u64,
}

/// Runs a suite. `beam` tells which cases there are.
pub(super) fn run(cache: &Path, suite: &Suite, beam: &Results, bounds: Bounds) -> Result<Results> {
    let directory = cache.join("here");
    let (mut results, ended) = run_child(&directory, suite, &[], bounds.suite, bounds.memory)?;
    if results.complete {
        return Ok(results);
    }
    let all: BTreeSet<&str> = beam.cases.keys().map(|name| name.1.as_str()).collect();
    let has_run = |case: &&str| results.cases.keys().any(|name| name.1 == *case);
    let rest: BTreeSet<&str> = all.into_iter().filter(|case| !has_run(case)).collect();
    run_each(&directory, suite, beam, &mut results, (rest, Some(ended)), bounds)?;
    Ok(results)
}

/// Runs those cases again that pass on the BEAM and did not pass in `before`.
pub(super) fn run_missing(
    cache: &Path,
    suite: &Suite,
    beam: &Results,
    before: Results,
    is_apart: impl Fn(&str) -> bool,
    bounds: Bounds,
) -> Result<Results> {
    let mut results = before;
    let missing = |name: &&Name| beam.passed(name) && !results.passed(name) && !is_apart(&name.1);
    let again: BTreeSet<&str> =
        beam.cases.keys().filter(missing).map(|name| name.1.as_str()).collect();
    results.cases.retain(|name, _| !again.contains(name.1.as_str()));
    run_each(&cache.join("here"), suite, beam, &mut results, (again, None), bounds)?;
    Ok(results)
}

/// Each case in a process of its own. With the end of the child that ran them together: the first
/// that has no result now has none because of that.
fn run_each(
    directory: &Path,
    suite: &Suite,
    beam: &Results,
    results: &mut Results,
    (cases, ended): (BTreeSet<&str>, Option<Ended>),
    bounds: Bounds,
) -> Result<()> {
    let mut ended = ended;
    for case in cases {
        let (one, end) = run_child(directory, suite, &[case], bounds.case, bounds.memory)?;
        let has_run = one.cases.keys().any(|name| name.1 == case);
        for (name, outcome) in one.cases {
            results.add(name, outcome);
        }
        if !has_run {
            let about = why(directory, suite, ended.take().unwrap_or(end));
            let name = beam.cases.keys().find(|name| name.1 == case).cloned();
            if let Some(name) = name {
                results.add(name, Outcome { verdict: Verdict::Failed, reason: about });
            }
        }
    }
    results.complete = true;
    Ok(())
}

/// Why a child has no result.
fn why(directory: &Path, suite: &Suite, ended: Ended) -> String {
    let errors = std::fs::read_to_string(directory.join(suite.file("errors"))).unwrap_or_default();
    let told = |text: &&str| text.contains("panicked") || !text.trim().is_empty();
    let line = errors.lines().find(told).unwrap_or_default();
    match ended {
        Ended::TimedOut => "no result within the time limit".to_owned(),
        Ended::Crashed => format!("crashed: {line}"),
        Ended::Code(code) => format!("ended with {code}: {line}"),
    }
}

fn run_child(
    directory: &Path,
    suite: &Suite,
    cases: &[&str],
    time: Duration,
    memory: u64,
) -> Result<(Results, Ended)> {
    let program = std::env::current_exe()?;
    let mut arguments = vec![
        "suites".to_owned(),
        "--one".to_owned(),
        suite.directory.display().to_string(),
        suite.module.clone(),
    ];
    arguments.extend(cases.iter().map(|case| (*case).to_owned()));
    let output = directory.join(suite.file("output"));
    let errors = directory.join(suite.file("errors"));
    let limits = Limits { time, patience: 20, memory: Some(memory) };
    let ended = child::run(&program.display().to_string(), &arguments, &output, &errors, limits)?;
    Ok((Results::read(&output).unwrap_or_default(), ended))
}
