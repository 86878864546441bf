//! The differential corpus: small programs on the judge and on the Machine, outputs compared to the
//! letter, exceptions with their stack traces.
//!
//! * `tests/programs/*.erl`: written by hand, each about one part of the language or the library.
//! * generated ones ([`generate`]): `ERLSCOPE_SEED` sets where the seeds start, `ERLSCOPE_PROGRAMS`
//!   how many there are, so that one can go on looking for differences.
//! * those of the grammar ([`grammar`]): every kind of node in every place that it can be in, by
//!   the same variables. `cargo test -p runner --test programs grammar -- --nocapture` prints how
//!   often each pair was generated and run on both; `ERLSCOPE_PAIRS=FILE` writes all of them.
//!
//! Without `erl` nothing is compared, and the tests say so.

mod generate;
mod grammar;
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

/// Every pair of the grammar is in the programs of a row of seeds.
#[test]
fn grammar_pairs_are_all_generated() {
    let mut counts = grammar::counts::Counts::default();
    for seed in 0..grammar::seeds_for_all() {
        let name = format!("p{seed}");
        count(&mut counts, &name, &grammar::program(&name, seed));
    }
    grammar::tell(&counts);
    assert!(counts.unknown.is_empty(), "not in the table: {:?}", counts.unknown);
    let missing = grammar::missing(&counts);
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

fn count(counts: &mut grammar::counts::Counts, name: &str, text: &str) {
    let tree = library::read_source(Path::new(&format!("{name}.erl")), text);
    let wrong = tree.diagnostics.first();
    assert!(wrong.is_none(), "{name}: {wrong:?}\n{text}");
    counts.add(&tree);
}

#[test]
fn grammar_programs() {
    if !peer::has_judge() {
        eprintln!("skipped: programs of the grammar are not compared, there is no erl");
        return;
    }
    let first = number("ERLSCOPE_SEED", 1);
    let all = number("ERLSCOPE_PROGRAMS", 60);
    let mut counts = grammar::counts::Counts::default();
    let mut different = Vec::new();
    let (mut compared, mut lines) = (0, 0);
    let mut next = first;
    while next < first + all {
        let end = (next + 400).min(first + all);
        let sources: Vec<Source> = (next..end)
            .map(|seed| {
                let name = format!("p{seed}");
                Source { text: grammar::program(&name, seed), name }
            })
            .collect();
        let options = ", no_copt, no_ssa_opt";
        for program in peer::compare(&sources, &format!("grammar{next}"), options, Prefer::Embedded)
        {
            let source = sources.iter().find(|source| source.name == program.name);
            let text = source.map(|source| source.text.as_str()).unwrap_or_default();
            count(&mut counts, &program.name, text);
            compared += 1;
            lines += program.judge.lines().count();
            if !agree(&program, text) && !is_agreed(&program, source) {
                show(&program, text);
                different.push(program.name);
            }
        }
        next = end;
    }
    println!(
        "{compared} programs of the grammar, {lines} lines of output: {} differ",
        different.len()
    );
    grammar::tell(&counts);
    assert!(different.is_empty(), "programs differ: {different:?}");
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
        let source = sources.iter().find(|source| source.name == program.name);
        show(program, source.map(|source| source.text.as_str()).unwrap_or_default());
    }
    assert!(different.is_empty(), "{} programs differ", different.len());
}

/// Whether both have printed the same. Stack traces are not compared where the judge's compiler has
/// made what is behind a long `after` a function of its own, and lines of a stack trace not where
/// the judge has lost the place: its compiler notes a line once for two instructions that follow
/// each other, and where the first of them is a call in tail position, the loader forgets it; then
/// a failure in the second is told of the line before, that of the function's head.
fn agree(program: &Compared, source: &str) -> bool {
    let is_trace = |line: &&str| line.starts_with("  at ");
    if program.has_after && program.judge != program.machine {
        let values = |output: &str| -> Vec<String> {
            output.lines().filter(|line| !is_trace(line)).map(str::to_owned).collect()
        };
        return values(&program.judge) == values(&program.machine);
    }
    let is_head = |number: &str| {
        let line = number.parse().ok().and_then(|at: usize| source.lines().nth(at.wrapping_sub(1)));
        line.is_some_and(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
    };
    let same = |(judge, machine): (&str, &str)| {
        let place = judge.rsplit_once(' ').zip(machine.rsplit_once(' '));
        let is_lost = |((by, line), (by_machine, _)): ((&str, &str), (&str, &str))| {
            by == by_machine && is_head(line)
        };
        judge == machine || (is_trace(&judge) && place.is_some_and(is_lost))
    };
    program.judge.lines().count() == program.machine.lines().count()
        && program.judge.lines().zip(program.machine.lines()).all(same)
}

/// Whether values are those of the judge's compiler with its usual passes: without them it makes
/// mistakes of its own.
fn is_agreed(program: &Compared, source: Option<&Source>) -> bool {
    let values = |output: &str| -> Vec<String> {
        let lines = output.lines().filter(|line| !line.starts_with("  at "));
        lines.map(str::to_owned).collect()
    };
    let Some(source) = source.filter(|_| values(&program.judge) != values(&program.machine)) else {
        return false;
    };
    let source = Source { name: source.name.clone(), text: source.text.clone() };
    let again = peer::compare(&[source], "again", "", Prefer::Embedded);
    again.iter().all(|again| values(&again.judge) == values(&again.machine))
}

/// Shows where a program differs.
fn show(program: &Compared, text: &str) {
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
    if std::env::var_os("ERLSCOPE_SHOW").is_some() {
        println!("{text}");
    }
}
