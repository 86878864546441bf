//! Benchmarks: how we compare with the judge (Erlang/OTP) or with ourselves, as ratios of times
//! taken in the same run on the same machine. Bare times say little about another machine.
//!
//! A benchmark is one file here and one line in [`ALL`].

mod check;
pub(crate) mod explore;
pub(crate) mod flow;
mod machine;
mod read;
mod slice;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::problem::Result;

/// One thing that is measured.
pub(crate) struct Benchmark {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn(&Context) -> Result<Vec<Ratio>>,
}

const ALL: &[&Benchmark] = &[
    &read::BENCHMARK,
    &check::BENCHMARK,
    &flow::BENCHMARK,
    &slice::BENCHMARK,
    &machine::BENCHMARK,
    &explore::BENCHMARK,
];

/// What benchmarks may use.
pub(crate) struct Context {
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// How often everything is repeated; the best time counts.
    pub(crate) runs: usize,
    /// Whether everything that was measured is shown.
    pub(crate) all: bool,
}

/// A result: `ours` divided by `theirs`.
pub(crate) struct Ratio {
    pub(crate) name: String,
    pub(crate) ours: f64,
    pub(crate) theirs: f64,
    /// The greatest ratio that we are content with.
    pub(crate) goal: Option<f64>,
    /// What was measured: sizes, and what the two times are.
    pub(crate) detail: String,
}

pub(crate) fn run(root: PathBuf, arguments: &[&str]) -> ExitCode {
    // Measuring an unoptimized build would be pointless.
    if cfg!(debug_assertions) {
        return again_optimized(&root, arguments);
    }
    let mut context = Context { root, runs: 5, all: false };
    let mut chosen = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let benchmark = ALL.iter().find(|benchmark| benchmark.name == *argument);
        let runs = (*argument == "--runs").then(|| arguments.next()?.parse().ok()).flatten();
        match (benchmark, runs) {
            (Some(benchmark), _) => chosen.push(*benchmark),
            (None, Some(runs)) if runs > 0 => context.runs = runs,
            _ if *argument == "--all" => context.all = true,
            _ => {
                eprintln!("usage: cargo xtask bench [--runs N] [--all] [NAME...]\n");
                for benchmark in ALL {
                    eprintln!("  {:8} {}", benchmark.name, benchmark.about);
                }
                return ExitCode::from(2);
            }
        }
    }
    if chosen.is_empty() {
        chosen.extend(ALL);
    }
    let mut good = true;
    for benchmark in chosen {
        println!("{}: {}", benchmark.name, benchmark.about);
        match (benchmark.run)(&context) {
            Ok(ratios) => ratios.iter().for_each(|ratio| good &= show(ratio)),
            Err(message) => println!("  not measured: {message}"),
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a ratio; whether it is good enough.
fn show(ratio: &Ratio) -> bool {
    let value = ratio.ours / ratio.theirs;
    let verdict = match ratio.goal {
        None => String::new(),
        Some(goal) if value <= goal => format!(" (goal <= {goal}: reached)"),
        Some(goal) => format!(" (goal <= {goal}: MISSED)"),
    };
    println!("  {} = {value:.3}{verdict}", ratio.name);
    println!("    {}", ratio.detail);
    ratio.goal.is_none_or(|goal| value <= goal)
}

fn again_optimized(root: &std::path::Path, arguments: &[&str]) -> ExitCode {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--release", "--quiet", "--package", "xtask", "--", "bench"])
        .args(arguments)
        .current_dir(root)
        .status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What an Erlang expression prints, evaluated by the judge on one scheduler.
pub(crate) fn judge(expressions: &str) -> Result<String> {
    let output = Command::new("erl")
        .args(["+S", "1:1", "-noshell", "-boot", "start_clean", "-eval"])
        .arg(format!("{expressions}, halt()."))
        .output()
        .map_err(|error| format!("erl: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    } else {
        Err(format!("erl: {}", String::from_utf8_lossy(&output.stdout)).into())
    }
}

/// The source files of the applications that are measured, in a fixed order.
pub(crate) fn otp_sources() -> Result<Vec<PathBuf>> {
    let listed = judge(
        "[io:format(\"~ts~n\", [F]) || A <- [stdlib, kernel, compiler], \
         F <- lists:sort(filelib:wildcard(filename:join([code:lib_dir(A), \"src\", \"*.erl\"])))]",
    )?;
    let files: Vec<PathBuf> = listed.lines().map(PathBuf::from).collect();
    if files.is_empty() { Err("OTP's sources are not installed".into()) } else { Ok(files) }
}

/// CPU time of this thread so far.
pub(crate) fn cpu_seconds() -> Result<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")
        .map_err(|error| format!("CPU time of a thread is not known here: {error}"))?;
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse::<u64>().ok());
    Ok(nanoseconds.ok_or("CPU time of a thread is not known here")? as f64 / 1e9)
}
