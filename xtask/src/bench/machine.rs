//! Running programs: the Machine against the BEAM's JIT, and figures of the Machine alone.
//!
//! The programs are in `xtask/programs`, one workload a module. Both sides load everything and run
//! the workload once, to compare what it computes; then the best CPU time of several runs counts.
//! Beside that: what a clone of a Machine costs, and whether deep and large data takes time in
//! proportion (ten times the size should take ten times as long; caches and fresh memory make it
//! more, and a hundred times would be quadratic).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use atom::Atom;
use machine::{Ending, Machine, Term};
use program::Program;
use runner::loader::{Prefer, ProgramLoader};
use runner::world::RealWorld;

use super::{Benchmark, Context, Ratio, cpu_seconds};
use crate::problem::Result;

pub(crate) const BENCHMARK: Benchmark = Benchmark {
    name: "machine",
    about: "programs on the Machine against the BEAM's JIT, CPU time; clones, deep and large data",
    run,
};

/// The greatest ratio that one program may have, and the greatest geometric mean.
const GOAL_EACH: f64 = 30.0;
const GOAL_MEAN: f64 = 10.0;

fn run(context: &Context) -> Result<Vec<Ratio>> {
    let directory = context.root.join("xtask/programs");
    let names = workloads(&directory)?;
    let compiled = compile(&directory)?;
    let machine = new_machine(&directory)?;
    let mut ratios = Vec::new();
    let mut logs = Vec::new();
    for name in &names {
        let theirs = on_the_beam(&compiled, name, context.runs)?;
        match on_the_machine(&machine, name, theirs.times, context.runs) {
            Ok((ours, result)) if result == theirs.result => {
                logs.push((ours / theirs.seconds).ln());
                let each = 1e3 / f64::from(theirs.times);
                ratios.push(Ratio {
                    name: format!("{name}: Machine / BEAM"),
                    ours,
                    theirs: theirs.seconds,
                    goal: Some(GOAL_EACH),
                    detail: format!(
                        "{:.1} ms against {:.1} ms",
                        ours * each,
                        theirs.seconds * each
                    ),
                });
            }
            Ok((_, result)) => {
                return Err(format!("{name} computes {result}, not {}", theirs.result).into());
            }
            Err(problem) => println!("  {name}: not measured: {problem}"),
        }
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    ratios.push(Ratio {
        name: "geometric mean".into(),
        ours: mean,
        theirs: 1.0,
        goal: Some(GOAL_MEAN),
        detail: format!("of {} programs out of {}", logs.len(), names.len()),
    });
    if std::env::var_os(ONLY).is_none() {
        ratios.extend(clone_cost(&machine)?);
        ratios.extend(sizes(&machine)?);
    }
    Ok(ratios)
}

/// In the environment: the workloads to be measured, and nothing else.
const ONLY: &str = "BENCH_ONLY";

/// The modules that are workloads, in order.
fn workloads(directory: &Path) -> Result<Vec<String>> {
    let chosen = std::env::var(ONLY).unwrap_or_default();
    let chosen: Vec<&str> = chosen.split(',').filter(|name| !name.is_empty()).collect();
    let entries = std::fs::read_dir(directory)?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_string()))
        .filter(|name| name.starts_with("bench_"))
        .filter(|name| chosen.is_empty() || chosen.iter().any(|part| name.ends_with(part)))
        .collect();
    names.sort();
    Ok(names)
}

/// Compiles the programs with the judge's compiler; where they are then.
fn compile(directory: &Path) -> Result<PathBuf> {
    let target = std::env::temp_dir().join(format!("erlscope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&target)?;
    let mut command = Command::new("erlc");
    command.arg("-o").arg(&target);
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "erl") {
            command.arg(path);
        }
    }
    let output = command.output().map_err(|error| format!("erlc: {error}"))?;
    if output.status.success() {
        Ok(target)
    } else {
        let told = [output.stdout, output.stderr].concat();
        Err(format!("erlc: {}", String::from_utf8_lossy(&told)).into())
    }
}

/// A workload under the judge.
struct Judged {
    seconds: f64,
    /// How often the work was done in that time.
    times: u32,
    result: u32,
}

fn on_the_beam(compiled: &Path, name: &str, runs: usize) -> Result<Judged> {
    let call = format!(
        "{{Time, Times, Result}} = driver:main({name}, {runs}), \
         io:format(\"~w ~w ~w\", [Time, Times, Result]), halt()."
    );
    let output = Command::new("erl")
        .args(["+S", "1:1", "-noshell", "-boot", "start_clean", "-pa"])
        .arg(compiled)
        .args(["-eval", &call])
        .output()
        .map_err(|error| format!("erl: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace();
    let time = numbers.next().and_then(|time| time.parse::<f64>().ok());
    let mut number = || numbers.next().and_then(|number| number.parse().ok());
    match (time, number(), number()) {
        (Some(time), Some(times), Some(result)) => {
            Ok(Judged { seconds: time / 1e9, times, result })
        }
        _ => Err(format!("{name} on the BEAM: {text}").into()),
    }
}

/// Name and CPU seconds of each workload on the BEAM.
pub(super) fn times_on_the_beam(context: &Context) -> Result<Vec<(String, f64)>> {
    let directory = context.root.join("xtask/programs");
    let compiled = compile(&directory)?;
    let judged = |name: String| {
        let judged = on_the_beam(&compiled, &name, context.runs)?;
        Ok((name, judged.seconds / f64::from(judged.times)))
    };
    workloads(&directory)?.into_iter().map(judged).collect()
}

fn new_machine(directory: &Path) -> Result<Machine> {
    let program = Program::load(&[directory.to_path_buf()], &Default::default())
        .map_err(|error| format!("{error:?}"))?;
    let loader = ProgramLoader::new(Arc::new(program), Prefer::default());
    Ok(Machine::new(Rc::new(loader), Rc::new(RealWorld::default())))
}

/// Runs a function of a module to its end.
fn call(machine: &mut Machine, module: &str, name: &str, args: Vec<Term>) -> Result<Term> {
    let pid = machine.spawn(Atom::new(module), Atom::new(name), args);
    match machine.run_to_end(pid, u64::MAX) {
        Ending::Ended(reason) => Ok(reason),
        other => Err(format!("{other:?}").into()),
    }
}

/// CPU seconds of doing the work of a workload `times` times, and what it computes.
fn on_the_machine(machine: &Machine, name: &str, times: u32, runs: usize) -> Result<(f64, u32)> {
    let mut machine = machine.clone();
    let ended = call(&mut machine, "driver", "result", vec![Term::atom(name)])?;
    let result = match ended.as_tuple() {
        Some([tag, value]) if tag.is_atom(Atom::new("result")) => value.as_int(),
        _ => None,
    };
    let result = result.and_then(|value| u32::try_from(value).ok());
    let result = result.ok_or_else(|| format!("it ended with {ended:?}"))?;
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = cpu_seconds()?;
        call(&mut machine, "driver", "run", vec![Term::atom(name), Term::from(times)])?;
        best = best.min(cpu_seconds()? - start);
    }
    Ok((best, result))
}

/// What a clone of a Machine costs that holds 1,000 processes and 1,000,000 words of terms.
fn clone_cost(machine: &Machine) -> Result<Vec<Ratio>> {
    const PROCESSES: i64 = 1000;
    const CLONES: usize = 200;
    let mut machine = machine.clone();
    machine.boot().map_err(|outcome| format!("the node does not start: {outcome:?}"))?;
    let args = vec![Term::int(PROCESSES), Term::int(1000)];
    machine.spawn(Atom::new("size"), Atom::new("holders"), args);
    while let Some(pid) = machine.ready_mut().pop_front() {
        machine.run(pid, u32::MAX);
    }
    if machine.alive() < PROCESSES as usize {
        return Err("the processes to be cloned are not there".into());
    }
    let start = Instant::now();
    for _ in 0..CLONES {
        drop(std::hint::black_box(machine.clone()));
    }
    let clone = start.elapsed().as_secs_f64() / CLONES as f64;
    // A clone of which one process runs a little, as systematic exploration makes them.
    let holder = machine.pids().last().ok_or("no process")?;
    let start = Instant::now();
    for round in 0..CLONES {
        let mut copy = machine.clone();
        copy.send(holder, Term::from(round));
        while let Some(pid) = copy.ready_mut().pop_front() {
            copy.run(pid, u32::MAX);
        }
    }
    let step = start.elapsed().as_secs_f64() / CLONES as f64;
    let one = |name: &str, seconds: f64| Ratio {
        name: format!("{name} / 200 µs"),
        ours: seconds * 1e6,
        theirs: 200.0,
        goal: Some(1.0),
        detail: format!("{:.1} µs", seconds * 1e6),
    };
    Ok(vec![
        one("clone and drop, 1,000 processes, 1,000,000 words", clone),
        one("clone, one process takes a message, drop", step),
    ])
}

/// Deep and large data: ten times the size against the size.
fn sizes(machine: &Machine) -> Result<Vec<Ratio>> {
    let cases = [
        ("body", 10_000_000, "body recursion"),
        ("list", 10_000_000, "list: made, reversed, folded, compared"),
        ("binary", 100_000_000, "binary: appended to, compared, matched"),
        ("nested", 1_000_000, "nested tuple: made, compared, printed, encoded, dropped"),
        ("processes", 100_000, "processes alive"),
    ];
    let mut ratios = Vec::new();
    for (name, size, about) in cases {
        let seconds = |size: i64| -> Result<f64> {
            let mut machine = machine.clone();
            call(&mut machine, "size", name, vec![Term::int(10)])?;
            let start = cpu_seconds()?;
            let ended = call(&mut machine, "size", name, vec![Term::int(size)])?;
            if !ended.is_atom(atom::known::NORMAL) {
                return Err(format!("size:{name}({size}) ended with {ended:?}").into());
            }
            drop(machine);
            Ok(cpu_seconds()? - start)
        };
        let (large, small) = (seconds(size)?, seconds(size / 10)?);
        ratios.push(Ratio {
            name: format!("{about}: {size} / a tenth of it"),
            ours: large,
            theirs: small,
            goal: Some(40.0),
            detail: format!("{:.1} ms against {:.1} ms", large * 1e3, small * 1e3),
        });
    }
    Ok(ratios)
}
