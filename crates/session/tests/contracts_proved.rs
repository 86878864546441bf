//! Contracts that are proven, and functions that are called pure: in the program of
//! `tests/contracts_proved` the verdict stands behind each contract (`%: proven`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use session::contracts::prove::{Request, Verdict, prove};
use session::{Control, Reading, Running};

fn request(path: PathBuf) -> Request {
    Request {
        paths: vec![path],
        depth: 20,
        max_paths: 60,
        solver_steps: 1_000_000,
        running: Running::default(),
        reading: Reading::default(),
    }
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proven { .. } => "proven",
        Verdict::Pure => "pure",
        Verdict::Broken { .. } => "broken",
        Verdict::Impure { .. } => "impure",
        Verdict::Held { .. } => "held",
    }
}

/// What differs from what stands in a program.
fn check(module: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contracts_proved");
    let path = dir.join(format!("{module}.erl"));
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let expected: BTreeMap<u32, &str> = (1..)
        .zip(text.lines())
        .filter_map(|(number, line)| Some((number, line.split_once("%: ")?.1)))
        .collect();
    let proved = prove(&request(path), &Control::default()).expect("it can be searched");
    let got: BTreeMap<u32, &str> =
        proved.iter().map(|one| (one.contract.line, name(&one.verdict))).collect();
    let mut complaints = String::new();
    for one in &proved {
        let line = one.contract.line;
        if expected.get(&line) != got.get(&line) {
            let _ =
                writeln!(complaints, "{line}: {:?}, not {:?}", one.verdict, expected.get(&line));
        }
    }
    if complaints.is_empty() && got != expected {
        let _ = writeln!(complaints, "{got:?}, not {expected:?}");
    }
    complaints
}

#[test]
fn verdicts_are_those_that_stand_there() {
    assert_eq!(check("proved"), "");
}

#[test]
fn invariants_are_proven_by_induction() {
    assert_eq!(check("kept"), "");
}

#[test]
fn invariants_that_are_not_kept_are_not_proven() {
    assert_eq!(check("not_kept"), "");
}

#[test]
fn contracts_behind_others_are_seen() {
    assert_eq!(check("behind"), "");
}
