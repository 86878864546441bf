//! Soundness: whatever a run does, the graph says that it may be done.
//!
//! Every program of the differential corpus, of the slicer's corpus and of the benchmarks runs
//! under a watcher; each call, throw, spawn and message that happens must be an edge.
//! `COVERAGE_PROGRAMS` and `COVERAGE_SEED` say how many generated programs there are, and where the
//! seeds start. Examples, and explored runs, are in `explored.rs`.

#[path = "../../runner/tests/generate/mod.rs"]
#[allow(dead_code, reason = "only programs are made here")]
mod generate;
#[path = "../../slice/tests/harness/inputs.rs"]
#[allow(dead_code, reason = "only calls are made here")]
mod inputs;
mod support;

use std::path::{Path, PathBuf};

use flow::Entry;
use support::{Tally, modules, name, root, subject};

fn main_of(name: &str) -> Entry {
    Entry::function(name, "main", 0)
}

/// Runs the programs of a directory, all or the one that `COVERAGE_ONLY` names.
fn programs_in(tally: &mut Tally, dir: &Path) {
    let only = std::env::var("COVERAGE_ONLY").ok();
    for path in modules(dir) {
        let name = name(&path);
        // Flow has no model of sockets yet: their messages are not edges.
        if only.as_ref().map_or(name == "sockets", |only| *only != name) {
            continue;
        }
        let subject = subject(&[path], &main_of(&name));
        let shown = subject.run(&format!("{name}:main()"));
        if only.is_some() {
            println!("{shown}");
        }
        tally.add(&name, &subject);
    }
}

#[test]
fn written_programs() {
    let mut tally = Tally::default();
    programs_in(&mut tally, &root().join("crates/runner/tests/programs"));
    tally.report("written");
}

/// Programs that were written to look for edges that are missing.
#[test]
fn difficult_programs() {
    let mut tally = Tally::default();
    programs_in(&mut tally, &root().join("crates/coverage/tests/programs"));
    tally.report("difficult");
}

/// The programs of the slicer's corpus, as they are run there.
#[test]
fn sliced_programs() {
    let mut tally = Tally::default();
    let dir = root().join("crates/slice/tests/corpus");
    let only = std::env::var("COVERAGE_ONLY").ok();
    for path in modules(&dir) {
        let name = name(&path);
        // Flow has no model of sockets yet: their messages are not edges.
        if only.as_ref().map_or(name == "sockets", |only| *only != name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a program is read");
        let inputs = text.lines().find_map(|line| line.strip_prefix("%% inputs: "));
        let entries = inputs::Entry::read(&name, inputs.unwrap_or_default());
        let calls = inputs::calls(&name, &entries, 3);
        let subject = subject(&[path], &Entry::Exported);
        // One node for all: what a call leaves behind is for the next.
        let calls: Vec<String> = calls.iter().map(|call| format!("(catch {call})")).collect();
        subject.run(&format!("begin {} end", calls.join(", ")));
        tally.add(&name, &subject);
    }
    tally.report("sliced");
}

/// Programs in the directory that `COVERAGE_DIR` names: each module with a function `main/0`.
#[test]
fn other_programs() {
    let Ok(dir) = std::env::var("COVERAGE_DIR") else { return };
    let mut tally = Tally::default();
    programs_in(&mut tally, Path::new(&dir));
    tally.report("other");
}

/// The programs that speed is measured with, on little data.
#[test]
fn measured_programs() {
    let mut tally = Tally::default();
    for path in modules(&root().join("xtask/programs")) {
        let name = name(&path);
        let argument = match name.as_str() {
            "bench_queens" => "5",
            "bench_nrev" | "bench_ring" => "{20, 5}",
            _ if name.starts_with("bench_") => "20",
            _ => continue,
        };
        let subject = subject(&[path], &Entry::function(&name, "run", 1));
        let shown = subject.run(&format!("{name}:run({argument})"));
        assert!(!shown.contains("ended:"), "{name}: {shown}");
        tally.add(&name, &subject);
    }
    tally.report("measured");
}

#[test]
fn generated_programs() {
    let number = |variable: &str, default: u64| {
        std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("COVERAGE_SEED", 1), number("COVERAGE_PROGRAMS", 40));
    let dir = std::env::temp_dir().join(format!("erlscope-soundness-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the programs");
    let mut tally = Tally::default();
    for seed in first..first + count {
        let name = format!("g{seed}");
        let path: PathBuf = dir.join(format!("{name}.erl"));
        std::fs::write(&path, generate::program(&name, seed)).expect("a program is written");
        let subject = subject(&[path], &main_of(&name));
        subject.run(&format!("{name}:main()"));
        tally.add(&name, &subject);
    }
    let _ = std::fs::remove_dir_all(&dir);
    tally.report("generated");
}
