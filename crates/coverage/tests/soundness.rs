//! Soundness: whatever a run does, the graph says that it may be done.
//!
//! Every program of the examples and of the differential corpus runs under a watcher; each call,
//! throw, spawn and message that happens must be an edge. `COVERAGE_PROGRAMS` and `COVERAGE_SEED` say
//! how many generated programs there are, and where the seeds start.

#[path = "../../runner/tests/generate/mod.rs"]
#[allow(dead_code, reason = "only programs are made here")]
mod generate;
#[path = "../../slice/tests/harness/inputs.rs"]
#[allow(dead_code, reason = "only calls are made here")]
mod inputs;
mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use coverage::check;
use flow::Entry;
use support::{Subject, modules, name, root, subject};

/// What was checked, and what is missing.
#[derive(Default)]
struct Tally {
    programs: usize,
    counts: BTreeMap<&'static str, usize>,
    misses: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, subject: &Subject) {
        let happened = subject.watcher.happened();
        let (counts, misses) = check(&subject.flow, happened.iter());
        for (kind, count) in counts {
            *self.counts.entry(kind).or_default() += count;
        }
        self.programs += 1;
        self.misses.extend(misses.into_iter().map(|miss| format!("{name}: {}", miss.text)));
        assert!(subject.watcher.other_trees().is_empty(), "{name} was run from another tree");
    }

    fn report(&self, what: &str) {
        let counts: Vec<String> =
            self.counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        println!(
            "{}: {} programs, dynamic edges checked: {}; {} misses",
            what,
            self.programs,
            counts.join(", "),
            self.misses.len()
        );
        for miss in &self.misses {
            println!("  {miss}");
        }
        assert!(self.misses.is_empty(), "{} misses", self.misses.len());
    }
}

fn main_of(name: &str) -> Entry {
    Entry::function(name, "main", 0)
}

/// Runs the programs of a directory, all or the one that `COVERAGE_ONLY` names.
fn programs_in(tally: &mut Tally, dir: &Path) {
    let only = std::env::var("COVERAGE_ONLY").ok();
    for path in modules(dir) {
        let name = name(&path);
        if only.as_ref().is_some_and(|only| *only != name) {
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
        if only.as_ref().is_some_and(|only| *only != name) {
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

#[test]
fn examples() {
    let dir = root().join("examples");
    let stock = "begin {ok, S} = stock:start(), ok = stock:add(S, pen, 3), ok = stock:add(S, pen, 1), \
                 ok = stock:take(S, pen, 2), {error, _} = stock:take(S, ink, 1), S ! hello, \
                 gen_server:cast(S, x), stock:share(6, 2) end";
    let programs: [(&[&str], Entry, &str); 4] = [
        (&["generator/example.erl"], Entry::function("example", "use", 0), "example:use()"),
        (&["ping_pong/ping_pong.erl"], Entry::function("ping_pong", "pong", 0), "ping_pong:pong()"),
        (&["bank/src/account.erl", "bank/src/bank.erl"], main_of("bank"), "bank:main()"),
        // Entered from outside: the pid that it hands out comes back.
        (&["stock/src/stock.erl"], Entry::Client, stock),
    ];
    let mut tally = Tally::default();
    for (paths, entry, call) in programs {
        let paths: Vec<PathBuf> = paths.iter().map(|path| dir.join(path)).collect();
        let subject = subject(&paths, &entry);
        subject.run(call);
        tally.add(call, &subject);
    }
    tally.report("examples");
    assert!(tally.counts.get("message").is_some_and(|&count| count >= 10));
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
