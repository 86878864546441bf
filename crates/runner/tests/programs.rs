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
use std::path::Path;

use peer::{Compared, Source};

#[test]
fn written_programs() {
    if !peer::has_judge() {
        eprintln!("skipped: written programs are not compared, there is no erl");
        return;
    }
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut names: Vec<String> = fs::read_dir(dir.clone())
        .expect("programs")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".erl").map(str::to_owned)
        })
        .collect();
    names.sort();
    let sources: Vec<Source> = names
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(dir.join(format!("{name}.erl"))).expect("a program");
            Source { name, text }
        })
        .collect();
    judge(&sources, "written", "");
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
    judge(&sources, "generated", ", no_copt, no_ssa_opt");
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs all, and shows where they differ.
fn judge(sources: &[Source], set: &str, options: &str) {
    let compared = peer::compare(sources, set, options);
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
