//! `erlscope explore` on small scenarios, area by area, and on programs with servers, pools and
//! registries: how many executions there are that differ, and what goes wrong in how many of them.
//!
//! The files are in `scenarios`. Before each function stands what is expected,
//! `%= EXECUTIONS [KIND COUNT]…`: what the search found, looked over by hand, but for the largest
//! (`statem`, `registry`, `pg_like`, `pool_like`). That the search misses nothing is for the
//! comparisons with enumeration in `crates/explore/tests`. Time-outs of five seconds and more do
//! not come.

mod harness;

use std::path::Path;

use harness::Project;
use serde_json::Value;

/// The functions of a file with what is expected of them.
fn expected(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let with_expectation = lines.windows(2).filter_map(|pair| {
        let expected = pair[0].strip_prefix("%= ")?;
        let (function, _) = pair[1].split_once('(')?;
        Some((function.to_owned(), expected.to_owned()))
    });
    with_expectation.collect()
}

fn found(json: &Value) -> String {
    let mut text = json["executions"].to_string();
    for finding in json["findings"].as_array().into_iter().flatten() {
        text.push_str(&format!(
            " {} {}",
            finding["kind"].as_str().unwrap_or("?"),
            finding["count"]
        ));
    }
    if json["complete"] != Value::Bool(true) || json["redundant"] != 0 {
        text.push_str(&format!(" {} {}", json["incomplete_because"], json["redundant"]));
    }
    text
}

fn check(project: &str, module: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let dir_text = dir.display().to_string();
    let project = Project::new(project, &[]);
    let text = std::fs::read_to_string(dir.join(format!("{module}.erl"))).unwrap_or_default();
    let functions = expected(&text);
    assert!(!functions.is_empty(), "no scenarios in {module}");
    let mut wrong = Vec::new();
    for (function, expected) in functions {
        let call = format!("{module}:{function}");
        let ran = project.run(&[
            "explore",
            &dir_text,
            &call,
            "--format",
            "json",
            "--no-witnesses",
            "--after-limit",
            "5000",
        ]);
        let found = found(&serde_json::from_str(&ran.stdout).unwrap_or_default());
        if found != expected {
            wrong.push(format!("{call}: {found}, expected {expected} {}", ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn signals() {
    check("scenarios_signals", "signals");
}

#[test]
fn tables_and_values() {
    check("scenarios_tables", "tables");
}

#[test]
fn servers() {
    check("scenarios_servers", "servers");
}
