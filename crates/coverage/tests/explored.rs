//! Soundness under all schedules: whatever an explored run does, the graph says that it may be
//! done.
//!
//! Every example, with its tests, the programs that the explorer is measured and tested with, and
//! every program of the differential corpus are explored, a few executions of each
//! (`COVERAGE_EXECUTIONS` says how many); each execution is run again under a watcher.

mod support;

use std::path::{Path, PathBuf};

use flow::Entry;
use support::{Tally, in_project, modules, name, root, subject};

fn most(default: u64) -> u64 {
    let number = std::env::var("COVERAGE_EXECUTIONS").ok();
    number.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Explores functions of one program, all from one graph.
fn explore(tally: &mut Tally, paths: &[PathBuf], functions: &[(&str, &str)], most: u64) {
    let entry = Entry::Functions(
        functions
            .iter()
            .map(|(module, name)| (atom::Atom::new(module), atom::Atom::new(name), Some(0)))
            .collect(),
    );
    let subject = subject(paths, &entry);
    for (module, function) in functions {
        let explored = subject.explore(module, function, most);
        assert_eq!(explored.lost, 0, "{module}:{function} could not be run again");
        tally.executions += explored.executions;
    }
    let (module, _) = functions[0];
    tally.add(module, &subject);
}

/// All but `mistakes`, which is there to be wrong.
#[test]
fn examples() {
    let dir = root().join("examples");
    let programs: &[(&str, &[(&str, &str)])] = &[
        ("bank", &[("bank", "main")]),
        ("generator", &[("example", "use")]),
        (
            "handshake",
            &[("handshake", "main"), ("handshake", "half_mended"), ("handshake", "mended")],
        ),
        ("ping_pong", &[("ping_pong", "pong")]),
        (
            "pool",
            &[
                ("pool_tests", "exclusive_test"),
                ("pool_tests", "always_full_test"),
                ("pool_tests", "crashing_client_test"),
                ("pool_tests", "crashing_worker_test"),
            ],
        ),
        ("registry", &[("registry_tests", "rivals_test"), ("registry_tests", "free_at_once_test")]),
        ("requests", &[("requests", "start"), ("requests", "two_clients")]),
        ("parcels", &[("parcels", "main")]),
        ("sums", &[("sums", "main")]),
        ("supervised", &[("clients", "hasty"), ("clients", "patient")]),
    ];
    let mut tally = Tally::default();
    for (example, functions) in programs {
        explore(&mut tally, &in_project(&dir.join(example)), functions, most(60));
    }
    // Entered from outside: the pid that it hands out comes back.
    let stock = subject(&[dir.join("stock/src/stock.erl")], &Entry::Client);
    stock.run(
        "begin {ok, S} = stock:start(), ok = stock:add(S, pen, 3), ok = stock:add(S, pen, 1), \
         ok = stock:take(S, pen, 2), {error, _} = stock:take(S, ink, 1), S ! hello, \
         gen_server:cast(S, x), stock:share(6, 2) end",
    );
    tally.add("stock", &stock);
    let sorting = subject(&[dir.join("sorting/sorting.erl")], &Entry::Client);
    sorting.run("sorting:sort([3, 1, 2])");
    tally.add("sorting", &sorting);
    let examples = std::fs::read_dir(&dir).expect("the examples").flatten();
    let count = examples.filter(|entry| entry.path().is_dir()).count();
    // `stock`, `sorting`, and 11 that are not run here: `contracts`, `echo` (no model of sockets),
    // `hits`, `java`, `mistakes`, `mistyped`, `proving`, `shapes`, `till`, `versions` and
    // `wrong_contracts`.
    assert_eq!(programs.len() + 13, count, "an example is missing here");
    tally.report("examples, explored");
}

/// The programs of the differential corpus. What they want of a node that was started does not work
/// here; they go on as far as they can.
#[test]
fn written_programs() {
    let mut tally = Tally::default();
    let only = std::env::var("COVERAGE_ONLY").ok();
    for path in modules(&root().join("crates/runner/tests/programs")) {
        let name = name(&path);
        if only.as_ref().is_none_or(|only| *only == name) {
            explore(&mut tally, &[path], &[(&name, "main")], most(8));
        }
    }
    tally.report("written, explored");
}

/// The programs that the explorer is measured with.
#[test]
fn measured_programs() {
    let dir = root().join("xtask/programs");
    let paths = [dir.join("explore_bench.erl"), dir.join("explore_server.erl")];
    let mut tally = Tally::default();
    for function in [
        "writers5",
        "senders5",
        "selective20",
        "gsrv3",
        "phil3",
        "kill10",
        "timers5",
        "lost3",
        "reg4",
        "pp100",
        "noop",
    ] {
        explore(&mut tally, &paths, &[("explore_bench", function)], most(60));
    }
    tally.report("measured, explored");
}

/// The programs in the texts of the explorer's own tests: literals that begin with a function
/// `main`.
#[test]
fn tested_programs() {
    let dir = std::env::temp_dir().join(format!("erlscope-explored-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the programs");
    let path = dir.join("t.erl");
    let mut tally = Tally::default();
    for test in ["commute", "engine", "oracles", "small"] {
        let text = root().join(format!("crates/explore/tests/{test}.rs"));
        let text = std::fs::read_to_string(text).expect("the explorer's tests");
        // What does not end in a full stop is a part that others go on from.
        let is_program = |text: &String| text.starts_with("main() ->") && text.ends_with('.');
        for body in literals(&text).into_iter().filter(is_program) {
            std::fs::write(&path, format!("-module(t).\n-export([main/0]).\n{body}\n"))
                .expect("a program is written");
            explore(&mut tally, std::slice::from_ref(&path), &[("t", "main")], most(60));
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    assert!(tally.programs > 40, "{} programs", tally.programs);
    tally.report("of the explorer's tests, explored");
}

/// Programs in the directory that `COVERAGE_DIR` names: each module with a function `main/0`.
#[test]
fn other_programs() {
    let Ok(dir) = std::env::var("COVERAGE_DIR") else { return };
    let mut tally = Tally::default();
    for path in modules(Path::new(&dir)) {
        let name = name(&path);
        explore(&mut tally, &[path], &[(&name, "main")], most(60));
    }
    tally.report("other, explored");
}

/// The string literals of a Rust text that are no templates.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let is_template = rest[..start].trim_end().ends_with("format!(");
        let mut literal = String::new();
        let mut characters = rest[start + 1..].char_indices();
        let mut end = rest.len();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    end = start + 2 + at;
                    break;
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => literal.push('\n'),
                    // The line goes on behind what it is indented by.
                    Some((_, '\n')) => {
                        let ahead = characters.as_str();
                        let spaces = ahead.len() - ahead.trim_start().len();
                        if spaces > 0 {
                            characters.nth(ahead[..spaces].chars().count() - 1);
                        }
                    }
                    Some((_, other)) => literal.push(other),
                    None => {}
                },
                other => literal.push(other),
            }
        }
        if !is_template {
            found.push(literal);
        }
        rest = &rest[end..];
    }
    found
}
