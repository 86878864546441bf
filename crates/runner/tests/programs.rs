//! The differential corpus: small programs on the judge and on the Machine, outputs compared to the
//! letter, exceptions with their stack traces.
//!
//! * `tests/programs/*.erl`: written by hand, each about one part of the language or the library.
//! * generated ones ([`generate`]): `ERLSCOPE_SEED` sets where the seeds start, `ERLSCOPE_PROGRAMS`
//!   how many there are, so that one can go on looking for differences.
//!
//! Without `erl` nothing is compared, and the tests say so.

mod generate;
mod peer;

use std::fs;
use std::path::{Path, PathBuf};

use peer::{Compared, Source};
use runner::loader::Prefer;

#[test]
fn written_programs() {
    if !peer::has_judge() {
        eprintln!("skipped: written programs are not compared, there is no erl");
        return;
    }
    let mut names: Vec<String> = fs::read_dir(directory())
        .expect("programs")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".erl").map(str::to_owned)
        })
        .collect();
    names.sort();
    let sources: Vec<Source> = names.iter().map(|name| written(name)).collect();
    judge(&sources, "written", "", Prefer::Embedded);
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn written(name: &str) -> Source {
    let text = fs::read_to_string(directory().join(format!("{name}.erl"))).expect("a program");
    Source { name: name.to_owned(), text }
}

/// Programs that lean on the library, with OTP's own modules instead of ours (`--prefer-otp`).
const ON_THE_LIBRARY: &[&str] = &[
    "app_env",
    "ets_tables",
    "event_manager",
    "hello",
    "large_maps",
    "proc_lib_start",
    "pubsub",
    "server_calls",
    "server_crash",
    "simple_children",
    "statem_door",
    "statem_events",
    "supervised",
    "timers",
    "utf",
    "worker_pool",
];

#[test]
fn written_programs_with_otps_library() {
    if !peer::has_judge() {
        eprintln!("skipped: there is no erl, and no library of it");
        return;
    }
    let sources: Vec<Source> = ON_THE_LIBRARY.iter().map(|name| written(name)).collect();
    judge(&sources, "otp", "", Prefer::Otp);
}

#[test]
fn generated_programs() {
    if !peer::has_judge() {
        eprintln!("skipped: generated programs are not compared, there is no erl");
        return;
    }
    let first = number("ERLSCOPE_SEED", 1);
    let count = number("ERLSCOPE_PROGRAMS", 160);
    let sources: Vec<Source> = (first..first + count)
        .map(|seed| {
            let name = format!("g{seed}");
            Source { text: generate::program(&name, seed), name }
        })
        .collect();
    judge(&sources, "generated", ", no_copt, no_ssa_opt", Prefer::Embedded);
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs all, and shows where they differ.
fn judge(sources: &[Source], set: &str, options: &str, prefer: Prefer) {
    let compared = peer::compare(sources, set, options, prefer);
    let lines: usize = compared.iter().map(|program| program.judge.lines().count()).sum();
    let different: Vec<&Compared> =
        compared.iter().filter(|program| program.judge != program.machine).collect();
    println!(
        "{} {set} programs, {lines} lines of output: {} differ",
        compared.len(),
        different.len()
    );
    for program in different.iter().take(20) {
        println!("---- {}", program.name);
        let (judge, machine) = (program.judge.lines(), program.machine.lines());
        let first = judge.clone().zip(machine.clone()).take_while(|(a, b)| a == b).count();
        if let Some(line) = program.judge.lines().nth(first.wrapping_sub(1)) {
            println!("  both:    {line}");
        }
        for line in judge.skip(first).take(4) {
            println!("  erl:     {line}");
        }
        for line in machine.skip(first).take(4) {
            println!("  machine: {line}");
        }
        if std::env::var_os("ERLSCOPE_SHOW").is_some()
            && let Some(source) = sources.iter().find(|source| source.name == program.name)
        {
            println!("{}", source.text);
        }
    }
    assert!(different.is_empty(), "{} programs differ", different.len());
}
