//! `erlscope explore --contracts` on servers in the manner of EDBC's examples: a bridge with one
//! lane, a semaphore, readers and writers. The files are in `contracted`; before each function
//! stands what is expected, `%= EXECUTIONS [KIND COUNT]…`, and perhaps, `%+ TEXT`, what is told.

mod harness;

use std::path::Path;

use harness::Project;
use serde_json::Value;

fn found(json: &Value) -> String {
    let mut text = json["executions"].to_string();
    for finding in json["findings"].as_array().into_iter().flatten() {
        let kind = finding["kind"].as_str().unwrap_or("?");
        text.push_str(&format!(" {kind} {}", finding["count"]));
    }
    if json["complete"] != Value::Bool(true) {
        text.push_str(&format!(" {}", json["incomplete_because"]));
    }
    text
}

fn check(module: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contracted");
    let path = dir.join(format!("{module}.erl"));
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let project = Project::new(&format!("explore_contracts_{module}"), &[]);
    let path = path.display().to_string();
    let (mut expected, mut told, mut wrong, mut checked) = (None, Vec::new(), Vec::new(), 0);
    for line in text.lines() {
        if let Some(of) = line.strip_prefix("%= ") {
            expected = Some(of);
        } else if let Some(text) = line.strip_prefix("%+ ") {
            told.push(text);
        } else if let Some(expected) = expected.take() {
            let function = line.split('(').next().unwrap_or_default();
            let call = format!("{module}:{function}()");
            let ran = project.run(&[
                "explore",
                "--contracts",
                &path,
                &call,
                "--format",
                "json",
                "--no-witnesses",
            ]);
            let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
            let found = found(&json);
            if found != expected {
                wrong.push(format!("{call}: {found}, not {expected}"));
            }
            for text in told.drain(..).filter(|text| !ran.stdout.contains(text)) {
                wrong.push(format!("{call}: nothing says {text}"));
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 0, "nothing is expected in {module}");
}

#[test]
fn bridges() {
    check("bridge_fair");
    check("bridge_unfair");
}

#[test]
fn semaphores() {
    check("semaphore");
}

#[test]
fn readers_and_writers() {
    check("readers_writers");
}
