//! Racing programs on the BEAM and under `explore`: `cargo xtask races [OPTIONS] [TEXT…]`.
//!
//! `xtask/programs/races` has small programs about ends of processes, names, tables, signals and
//! timers, made systematically: pairs of looks or of operations, by one process or by two. Each is
//! run many times on the BEAM, which shows some of its outcomes, and explored, which must show them
//! all. An outcome that the BEAM shows and `explore` does not is *missed*: a wrong answer of ours,
//! whatever the cause. Outcomes that only `explore` has are counted, and prove nothing: the BEAM
//! may need longer for them. Beside these, `race_patterns`, `race_libraries` and `race_corners`
//! have programs as people write them: caches, locks, pools, servers, supervisors, applications.
//!
//! What the BEAM ever showed is kept in `seen.txt` beside the programs, one program a line, so that
//! the comparison needs no BEAM (`crates/cli/tests/races.rs` makes it for a part of the programs).
//!
//! What this may miss: schedules that the BEAM has and did not show in so many runs. More
//! schedulers than processors (`+S 6`) let the system stop one in the middle of what it does, which
//! shows rare ones sooner.

mod seen;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use seen::Seen;

use crate::problem::{Problem, Result};

const USAGE: &str = "\
usage: cargo xtask races [OPTIONS] [TEXT...]

  --runs N       how often each program is run on the BEAM (default 1000)
  --record       remember what was seen on the BEAM in xtask/programs/races/seen.txt
  --beam         only that: explore nothing
  --recorded     do not run the BEAM: compare with what was seen before
  --every N      only every Nth program
  --delivery D   how explored signals travel: instant (default) or any

Only programs whose call contains one of the TEXTs, if there are any. ERLSCOPE in the environment
names the binary to explore with (default: the optimized build).";

const JUDGE: &str = include_str!("erlscope_race_judge.erl");

/// Files with programs; each has `calls/0`.
const MODULES: &[&str] = &[
    "race_corners",
    "race_ends",
    "race_libraries",
    "race_names",
    "race_patterns",
    "race_signals",
    "race_steps",
    "race_tables",
    "race_timers",
];

struct Options {
    runs: usize,
    record: bool,
    beam_only: bool,
    recorded: bool,
    every: usize,
    delivery: String,
    texts: Vec<String>,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let Some(options) = options(arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match compare(root, &options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("races: {message}");
            ExitCode::from(2)
        }
    }
}

fn options(arguments: &[&str]) -> Option<Options> {
    let mut options = Options {
        runs: 1000,
        record: false,
        beam_only: false,
        recorded: false,
        every: 1,
        delivery: "instant".to_owned(),
        texts: Vec::new(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--runs" => options.runs = rest.next()?.parse().ok()?,
            "--every" => options.every = rest.next()?.parse().ok().filter(|n| *n > 0)?,
            "--delivery" => options.delivery = (*rest.next()?).to_owned(),
            "--beam" => options.beam_only = true,
            "--record" => options.record = true,
            "--recorded" => options.recorded = true,
            text if text.starts_with('-') => return None,
            text => options.texts.push(text.to_owned()),
        }
    }
    Some(options)
}

/// The number of programs with a missed outcome.
fn compare(root: &Path, options: &Options) -> Result<usize> {
    let programs = root.join("xtask/programs/races");
    let cache = root.join("target/races");
    std::fs::create_dir_all(&cache).map_err(|error| Problem::at(&cache, error))?;
    let file = programs.join("seen.txt");
    let mut remembered = Seen::read(&file)?;
    let mut calls = if options.recorded {
        remembered.calls()
    } else {
        compile(&programs, &cache)?;
        calls_of(&cache)?
    };
    let wanted = |call: &String| {
        options.texts.is_empty() || options.texts.iter().any(|text| call.contains(text))
    };
    calls.retain(wanted);
    let calls: Vec<String> = calls.into_iter().step_by(options.every).collect();
    if calls.is_empty() {
        return Err("no such program".into());
    }
    if !options.recorded {
        let counted = on_the_beam(&cache, &calls, options.runs)?;
        remembered.add(counted);
        if options.record {
            remembered.write(&file)?;
        }
    }
    if options.beam_only {
        return Ok(0);
    }
    let binary = crate::bench::explore::binary(root)?;
    let explored = explore_all(&binary, &programs, &calls, &options.delivery);
    Ok(print(&calls, &remembered, &explored))
}

/// Compiles the judge, then the programs with it as parse transform.
fn compile(programs: &Path, cache: &Path) -> Result<()> {
    let judge = cache.join("erlscope_race_judge.erl");
    std::fs::write(&judge, JUDGE).map_err(|error| Problem::at(&judge, error))?;
    let sources = MODULES.iter().map(|name| programs.join(format!("{name}.erl")));
    erlc(cache, &[], [judge, programs.join("race.erl")].into_iter())?;
    erlc(cache, &["+{parse_transform,erlscope_race_judge}"], sources)
}

fn erlc(cache: &Path, options: &[&str], sources: impl Iterator<Item = PathBuf>) -> Result<()> {
    let output = Command::new("erlc")
        .args(options)
        .args(["+nowarn_deprecated_function", "-pa"])
        .arg(cache)
        .arg("-o")
        .arg(cache)
        .args(sources)
        .output()
        .map_err(|error| format!("erlc: {error}"))?;
    let told = String::from_utf8_lossy(&output.stdout);
    if output.status.success() { Ok(()) } else { Err(format!("erlc: {told}").into()) }
}

/// All programs, as the BEAM lists them.
fn calls_of(cache: &Path) -> Result<Vec<String>> {
    let list = format!(
        "[io:format(\"~w:~w(~s)~n\", \
         [M, F, lists:join($,, [io_lib:format(\"~w\", [A]) || A <- As])]) \
         || M <- [{}], {{F, As}} <- M:calls()], halt().",
        MODULES.join(",")
    );
    let output = erl(cache).args(["-eval", &list]).output().map_err(|e| format!("erl: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn erl(cache: &Path) -> Command {
    let mut command = Command::new("erl");
    command.args(["+S", "6:6", "-noshell", "-pa"]).arg(cache);
    command
}

/// What the BEAM shows, a call at a time: outcomes and how often each was seen.
fn on_the_beam(
    cache: &Path,
    calls: &[String],
    runs: usize,
) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let list = cache.join("calls.txt");
    std::fs::write(&list, calls.join("\n")).map_err(|e| Problem::at(&list, e))?;
    let output = erl(cache)
        .args(["-run", "erlscope_race_judge", "run"])
        .arg(&list)
        .arg(runs.to_string())
        .output()
        .map_err(|error| format!("erl: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        let mut columns = line.split('\t');
        let call = columns.next().unwrap_or_default().to_owned();
        let outcomes = columns.step_by(2).map(str::to_owned);
        seen.entry(call).or_default().extend(outcomes);
    }
    match seen.len() == calls.len() {
        true => Ok(seen),
        false => Err(format!("the BEAM ran {} of {} programs", seen.len(), calls.len()).into()),
    }
}

/// What exploring a program gave.
#[derive(Clone, Default)]
struct Explored {
    outcomes: BTreeSet<String>,
    executions: u64,
    /// Why the answer is not one.
    problem: Option<String>,
}

/// Explores every program, on all processors.
fn explore_all(binary: &Path, programs: &Path, calls: &[String], delivery: &str) -> Vec<Explored> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Explored::default(); calls.len()]);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(call) = calls.get(at) else { break };
                    let explored = explore(binary, programs, call, delivery);
                    if let Ok(mut results) = results.lock() {
                        results[at] = explored;
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default()
}

fn explore(binary: &Path, programs: &Path, call: &str, delivery: &str) -> Explored {
    let mut explored = Explored::default();
    match json_of(binary, programs, call, delivery) {
        Ok(json) => {
            explored.executions = json["executions"].as_u64().unwrap_or_default();
            if json["complete"] != true {
                explored.problem = Some(format!("not complete: {}", json["incomplete_because"]));
            }
            let findings = json["findings"].as_array().into_iter().flatten();
            let messages = findings.filter_map(|finding| finding["message"].as_str());
            explored.outcomes.extend(messages.filter_map(outcome));
        }
        Err(problem) => explored.problem = Some(problem.to_string()),
    }
    explored
}

fn json_of(
    binary: &Path,
    programs: &Path,
    call: &str,
    delivery: &str,
) -> Result<serde_json::Value> {
    let (module, rest) = call.split_once(':').ok_or("no call")?;
    let (function, arguments) = rest.split_once('(').ok_or("no call")?;
    let arguments = arguments.strip_suffix(')').ok_or("no call")?;
    let output = Command::new(binary)
        .arg("explore")
        .args([module, "race"].map(|name| programs.join(format!("{name}.erl"))))
        .arg(format!("race:run({module}, {function}, [{arguments}])"))
        .args(["--format", "json", "--no-witnesses", "--timeout", "60s", "--delivery", delivery])
        // An outcome that has the reason of another process in it is no consequence of that.
        .args(["--equal-times", "--treat-as-normal", "bad"])
        .output()
        .map_err(|error| Problem::at(binary, error))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().into())
}

/// The outcome that a finding tells, written as the judge writes it. The process may have a name by
/// then, so only failures are known by its function.
fn outcome(message: &str) -> Option<String> {
    let (process, reason) = message.split_once(" exits abnormally: ")?;
    match reason.strip_prefix("{outcome,") {
        Some(rest) => Some(rest.strip_suffix('}')?.to_owned()),
        None if process == "run/3" => {
            Some(format!("{{failed,{}}}", reason.split(" in ").next().unwrap_or(reason)))
        }
        None => None,
    }
}

/// The table, a row for each kind of program, and what was missed. Returns how many programs miss
/// something.
fn print(calls: &[String], seen: &Seen, explored: &[Explored]) -> usize {
    #[derive(Default)]
    struct Row {
        programs: usize,
        executions: u64,
        on_the_beam: usize,
        both: usize,
        only_here: usize,
        wrong: usize,
    }
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for (call, explored) in calls.iter().zip(explored) {
        let row = rows.entry(call.split('(').next().unwrap_or(call)).or_default();
        let theirs = seen.outcomes(call);
        let missed: Vec<&String> = theirs.difference(&explored.outcomes).collect();
        row.programs += 1;
        row.executions += explored.executions;
        row.on_the_beam += theirs.len();
        row.both += theirs.len() - missed.len();
        row.only_here += explored.outcomes.difference(theirs).count();
        if !missed.is_empty() || explored.problem.is_some() {
            row.wrong += 1;
            let ours: Vec<&str> = explored.outcomes.iter().map(String::as_str).collect();
            println!("{call}: missed {missed:?}");
            println!("    explored: {}", ours.join("  "));
            if let Some(problem) = &explored.problem {
                println!("    {problem}");
            }
        }
    }
    println!(
        "{:<24} {:>8} {:>10} {:>11} {:>6} {:>9} {:>6}",
        "kind", "programs", "executions", "on the BEAM", "both", "only here", "wrong"
    );
    for (kind, row) in &rows {
        println!(
            "{kind:<24} {:>8} {:>10} {:>11} {:>6} {:>9} {:>6}",
            row.programs, row.executions, row.on_the_beam, row.both, row.only_here, row.wrong
        );
    }
    let wrong: usize = rows.values().map(|row| row.wrong).sum();
    println!(
        "{} programs, {wrong} with an outcome that was missed or without an answer",
        calls.len()
    );
    wrong
}
