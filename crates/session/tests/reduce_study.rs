//! Failing programs made small: findings of explorations, and failing inputs of functions, each
//! reduced and replayed; and how much of them is left.
//!
//! By default a few; all of them with
//! `ERLSCOPE_REDUCE_FULL=1 cargo test -p session --test reduce_study -- --nocapture`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use session::explore::{self, What};
use session::inputs;
use session::reduce::{Answer, Request, reduce};
use session::{Control, Reading};

/// Calls that fail in some schedules.
const EXPLORED: &[(&str, &str)] = &[
    ("examples/ping_pong/ping_pong.erl", "ping_pong:pong()"),
    ("examples/handshake/handshake.erl", "handshake:main()"),
    ("examples/parcels/parcels.erl", "parcels:main()"),
    ("examples/requests/requests.erl", "requests:main()"),
    ("examples/registry/registry.erl", "registry:main()"),
    ("examples/bank", "bank:main()"),
    ("examples/hits", "hits:main()"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn reading() -> Reading {
    Reading { without_otp: true, ..Reading::default() }
}

/// The witnesses of the findings of explorations.
fn of_explorations(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (path, call) in EXPLORED {
        let request = explore::Request {
            paths: vec![root().join(path)],
            what: What::Call((*call).to_owned()),
            max_executions: Some(500),
            max_depth: 1_000,
            reading: reading(),
            ..explore::Request::default()
        };
        let Ok(answer) = explore::explore(&request, &Control::default()) else { continue };
        for explored in &answer.explored {
            for number in 0..explored.found.len() {
                let Some(witness) = explored.witness(number, &request) else { continue };
                let file = dir.join(format!("explored-{}.witness", found.len()));
                std::fs::write(&file, witness.to_text()).expect("a file");
                found.push(file);
            }
        }
    }
    found
}

/// The witnesses of failing inputs of all functions that the slicer's programs export.
fn of_inputs(dir: &Path, most: usize) -> Vec<PathBuf> {
    let corpus = root().join("crates/slice/tests/corpus");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(corpus).expect("programs").flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "erl"));
    let mut found = Vec::new();
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a text");
        let Some(exports) = text.split("-export([").nth(1).and_then(|rest| rest.split(']').next())
        else {
            continue;
        };
        let function = exports.split(',').map(str::trim).find(|export| !export.ends_with("/0"));
        let Some(function) = function else { continue };
        let into = dir.join(&name);
        let what = inputs::What::Function(format!("{name}:{function}"));
        let mut request = inputs::Request::new(vec![file.clone()], what);
        request.options.runs = 60;
        request.witnesses = Some(into);
        request.reading = reading();
        let Ok(answer) = inputs::find(&request, &Control::default()) else { continue };
        let witnesses = answer.failures.iter().filter_map(|failure| failure.witness.as_ref());
        found.extend(witnesses.take(1).map(PathBuf::from));
        if found.len() >= most {
            break;
        }
    }
    found
}

#[test]
fn findings_are_made_small() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reduce_study");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    let all = std::env::var_os("ERLSCOPE_REDUCE_FULL").is_some();
    let mut witnesses = of_inputs(&dir, if all { 40 } else { 3 });
    if all {
        witnesses.extend(of_explorations(&dir));
    }
    let mut left = Vec::new();
    for witness in &witnesses {
        let request = Request {
            witness: witness.clone(),
            output: witness.with_extension("reduced"),
            budget: Some(Duration::from_secs(60)),
            reading: reading(),
        };
        let answer: Answer = match reduce(&request, &Control::default()) {
            Ok(answer) => answer,
            Err(error) => panic!("{}: {error:?}", witness.display()),
        };
        println!(
            "{}: {} ({}), {} of {} nodes, {} of {} steps, {} candidates, replayed: {}",
            witness.file_name().unwrap_or_default().to_string_lossy(),
            answer.finding,
            answer.call,
            answer.nodes,
            answer.nodes_before,
            answer.steps,
            answer.steps_before,
            answer.candidates,
            answer.replayed
        );
        assert!(answer.replayed, "{}", witness.display());
        left.push(100.0 * answer.nodes as f64 / answer.nodes_before.max(1) as f64);
    }
    left.sort_by(f64::total_cmp);
    let median = left.get(left.len() / 2).copied().unwrap_or(100.0);
    println!("{} findings, {median:.1} % of the nodes left in the median", left.len());
    assert!(!left.is_empty());
}
