//! `erlscope explore` against Concuerror, and against its own goals.
//!
//! The whole command is measured, from its start to its end, on `xtask/programs/explore_bench.erl`.
//! What Concuerror needs for the same functions (optimal DPOR, OTP 25, one core) was measured once
//! and is written in [`CONCUERROR`], without the 2.2 seconds that it takes to start. What the BEAM
//! needed for the programs of the Machine's benchmark on the same machine is in [`BEAM_THEN`]: it
//! is measured again, and Concuerror, which is a program of the BEAM, is taken to be slower or
//! faster by the geometric mean of these ratios. Of several rounds the best counts, for both. A
//! ratio is Concuerror's executions per CPU second divided by ours.
//!
//! `ERLSCOPE` in the environment names another binary than the release build.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Benchmark, Context, Ratio, machine};
use crate::problem::{Problem, Result};

pub(crate) const BENCHMARK: Benchmark = Benchmark {
    name: "explore",
    about: "executions per CPU second against Concuerror's; times and memory against their limits",
    run,
};

/// Function, executions, CPU seconds without the start.
const CONCUERROR: &[(&str, f64, f64)] = &[
    ("writers7", 5_040.0, 2.5),
    ("writers8", 40_320.0, 25.2),
    ("senders7", 5_040.0, 4.2),
    ("senders8", 40_320.0, 30.2),
    ("gsrv4", 576.0, 1.6),
    ("gsrv5", 14_400.0, 22.9),
    ("phil5", 3_601.0, 7.4),
    ("phil6", 44_641.0, 116.6),
    ("kill50", 103.0, 0.9),
    ("lost4", 8_712.0, 43.3),
];

/// CPU milliseconds of the BEAM for the Machine's benchmarks where Concuerror was measured.
const BEAM_THEN: &[(&str, f64)] = &[
    ("bench_fib", 10.5),
    ("bench_nrev", 14.9),
    ("bench_sort", 382.0),
    ("bench_msort", 48.7),
    ("bench_hof", 97.7),
    ("bench_queens", 4.6),
    ("bench_maps", 423.0),
    ("bench_smallmap", 43.6),
    ("bench_bin", 71.8),
    ("bench_fmt", 143.0),
    ("bench_bigint", 18.9),
    ("bench_exc", 24.5),
    ("bench_ring", 323.0),
    ("bench_spawn", 142.0),
    ("bench_ets", 164.0),
    ("bench_etsord", 39.0),
    ("bench_genserver", 175.0),
];

/// How often everything is measured, one after the other, the BEAM included: what else the machine
/// does may slow a minute of it.
const ROUNDS: usize = 3;

/// What we want to be: this many times as fast.
const TIMES: f64 = 100.0;

/// Functions whose whole command has a limit, in seconds.
const LIMITS: &[(&str, f64)] = &[("noop", 0.050), ("pp1000", 0.050), ("phil6", 2.0)];

/// What a run of the command took.
struct Measured {
    executions: f64,
    cpu: f64,
    wall: f64,
    megabytes: f64,
}

impl Measured {
    /// The best of both: least CPU time, least time; and the most memory that was seen.
    fn improve(&mut self, other: &Measured) {
        self.cpu = self.cpu.min(other.cpu);
        self.wall = self.wall.min(other.wall);
        self.megabytes = self.megabytes.max(other.megabytes);
    }
}

fn run(context: &Context) -> Result<Vec<Ratio>> {
    let binary = binary(&context.root)?;
    let programs = context.root.join("xtask/programs");
    let measure =
        |function: &str, jobs: &str| best(&binary, &programs, function, jobs, context.runs);
    let mut ratios = Vec::new();
    for (function, limit) in LIMITS {
        let ours = measure(function, "1")?;
        ratios.push(Ratio {
            name: format!("{function}: seconds / limit"),
            ours: ours.wall,
            theirs: *limit,
            goal: Some(1.0),
            detail: told(&ours),
        });
    }
    let mut slower = f64::INFINITY;
    let mut measured: Vec<Measured> = Vec::new();
    for round in 0..ROUNDS {
        slower = slower.min(slower_than_then(context)?);
        for (at, (function, ..)) in CONCUERROR.iter().enumerate() {
            let ours = measure(function, "1")?;
            match round {
                0 => measured.push(ours),
                _ => measured[at].improve(&ours),
            }
        }
    }
    println!("  the BEAM takes {slower:.2} times as long here as where Concuerror was measured");
    for ((function, executions, cpu), ours) in CONCUERROR.iter().zip(&measured) {
        let (rate, theirs) = (ours.executions / ours.cpu, executions / (cpu * slower));
        ratios.push(Ratio {
            name: format!("{function}: Concuerror's rate / ours"),
            ours: theirs,
            theirs: rate,
            goal: Some(1.0 / TIMES),
            detail: format!("{:.0} times as fast; {}", rate / theirs, told(ours)),
        });
    }
    let (few, many) = (measure("senders6", "1")?, measure("senders8", "1")?);
    ratios.push(Ratio {
        name: "memory of 40,320 executions / of 720".to_owned(),
        ours: many.megabytes,
        theirs: few.megabytes,
        goal: Some(1.5),
        detail: format!("{:.1} MB, {:.1} MB", many.megabytes, few.megabytes),
    });
    let (one, two) = (measure("phil6", "1")?, measure("phil6", "2")?);
    ratios.push(Ratio {
        name: "phil6 with 2 workers / with 1".to_owned(),
        ours: two.wall,
        theirs: one.wall,
        goal: Some(0.6),
        detail: format!("{}; {}", told(&two), told(&one)),
    });
    Ok(ratios)
}

/// How much longer the BEAM takes on this machine, now.
fn slower_than_then(context: &Context) -> Result<f64> {
    let now = machine::times_on_the_beam(context)?;
    let ratio = |(name, then): &(&str, f64)| {
        let (_, seconds) = now.iter().find(|(other, _)| other == name)?;
        Some((seconds * 1e3 / then).ln())
    };
    let ratios: Vec<f64> = BEAM_THEN.iter().filter_map(ratio).collect();
    Ok((ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp())
}

fn told(measured: &Measured) -> String {
    let Measured { executions, cpu, wall, megabytes } = measured;
    format!("{executions} executions, {cpu:.3} s CPU, {wall:.3} s, {megabytes:.1} MB")
}

pub(crate) fn binary(root: &Path) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("ERLSCOPE") {
        return Ok(PathBuf::from(path));
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--quiet", "--package", "cli"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    match status.success() {
        true => Ok(root.join("target/release/erlscope")),
        false => Err("the command does not build".into()),
    }
}

/// How long a function is measured at least, in seconds: short runs scatter, and are repeated more
/// often for that.
const LONG_ENOUGH: f64 = 1.0;

/// The best of several runs.
fn best(
    binary: &Path,
    programs: &Path,
    function: &str,
    jobs: &str,
    runs: usize,
) -> Result<Measured> {
    let mut best = once(binary, programs, function, jobs)?;
    let (mut done, mut together) = (1, best.wall);
    while done < runs || together < LONG_ENOUGH {
        let next = once(binary, programs, function, jobs)?;
        (done, together) = (done + 1, together + next.wall);
        best.improve(&next);
    }
    Ok(best)
}

fn once(binary: &Path, programs: &Path, function: &str, jobs: &str) -> Result<Measured> {
    let files = ["explore_bench.erl", "explore_server.erl"].map(|file| programs.join(file));
    let began = Instant::now();
    let mut child = Command::new(binary)
        .arg("explore")
        .args(files)
        .arg(format!("explore_bench:{function}"))
        .args(["--format", "json", "--jobs", jobs])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| Problem::at(binary, error))?;
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let watched = process.clone();
    let watcher = std::thread::spawn(move || watch(&watched));
    let mut text = String::new();
    let mut output = child.stdout.take().ok_or("no output")?;
    output.read_to_string(&mut text)?;
    // It has ended, or is about to: then it says what it took altogether, until it is waited for.
    while process.join("status").exists() && !has_ended(&process) {
        std::thread::sleep(Duration::from_micros(100));
    }
    let wall = began.elapsed().as_secs_f64();
    let whole = spent(&process).unwrap_or_default();
    let (seen, megabytes) = watcher.join().map_err(|_| "the watcher failed")?;
    child.wait()?;
    // Threads that ended before the first one are only in what was seen on the way.
    let cpu = f64::max(whole, seen);
    let executions = text
        .split("\"executions\":")
        .nth(1)
        .and_then(|rest| rest.split([',', '}', '\n']).next()?.trim().parse().ok())
        .ok_or_else(|| format!("{function}: no number of executions in what it prints"))?;
    Ok(Measured { executions, cpu: if cpu > 0.0 { cpu } else { wall }, wall, megabytes })
}

/// Whether a process has ended, and nobody has waited for it yet.
fn has_ended(process: &Path) -> bool {
    let text = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    text.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
}

/// CPU seconds of a thread; of the first one, after all have ended.
fn spent(thread: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

/// CPU seconds of all threads and peak memory of a process, as last seen before its end.
fn watch(process: &Path) -> (f64, f64) {
    let (mut cpu, mut megabytes) = (0.0, 0.0);
    while !has_ended(process) {
        let Ok(tasks) = std::fs::read_dir(process.join("task")) else { break };
        let threads = tasks.filter_map(|task| spent(&task.ok()?.path()));
        cpu = f64::max(cpu, threads.sum());
        let Ok(text) = std::fs::read_to_string(process.join("status")) else { break };
        let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { break };
        let kilobytes = line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        megabytes = kilobytes.map_or(megabytes, |kilobytes| kilobytes / 1024.0);
        std::thread::sleep(Duration::from_millis(1));
    }
    (cpu, megabytes)
}
