//! `erlscope parse` in all formats.

mod harness;

use expect_test::{Expect, expect};
use harness::Project;

const TEXT: &str =
    "-module(m).\n-define(TWICE(X), (X) * 2).\n\n%% Twice.\ndouble(X) -> ?TWICE(X).\n";

fn check(name: &str, format: &str, expected: Expect) {
    let project = Project::new(name, &[("m.erl", TEXT)]);
    project.check(&["parse", "m.erl", "--format", format], expected);
}

#[test]
fn tree() {
    check("tree", "tree", expect![[""]]);
}

#[test]
fn source() {
    check("source", "source", expect![[""]]);
}

#[test]
fn preprocessed() {
    check("preprocessed", "preprocessed", expect![[""]]);
}

#[test]
fn abstract_format() {
    check("abstract", "abstract", expect![[""]]);
}

#[test]
fn json() {
    let project = Project::new("parse_json", &[("m.erl", TEXT)]);
    let ran = project.run(&["parse", "m.erl", "--format", "json"]);
    assert_eq!(ran.code, Some(0));
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("valid JSON");
    assert_eq!(document["version"], 1);
    assert_eq!(document["tool"], "erlscope");
    assert_eq!(document["command"], "parse");
}

#[test]
fn standard_input() {
    let project = Project::new("standard_input", &[]);
    let ran = project.run_with_input(&["parse", "--format", "source", "-"], TEXT.as_bytes());
    expect![[""]].assert_eq(&ran.transcript());
}

#[test]
fn errors_are_on_standard_error() {
    let project = Project::new("parse_errors", &[("e.erl", "-module(e).\nf( -> 1.\ng() -> 2.\n")]);
    project.check(&["parse", "e.erl", "--format", "abstract"], expect![[""]]);
}

#[test]
fn unreadable() {
    let project = Project::new("parse_unreadable", &[]);
    project.check(&["parse", "nowhere.erl"], expect![[""]]);
    project.check(&["parse", "."], expect![[""]]);
    project.check(&["parse"], expect![[""]]);
}

#[test]
fn definitions_and_includes() {
    let project = Project::new(
        "parse_definitions",
        &[
            ("m.erl", "-include(\"x.hrl\").\nf() -> {?A, ?B, ?C}.\n"),
            ("inc/x.hrl", "-define(C, c).\n"),
        ],
    );
    project.check(
        &["parse", "m.erl", "--format", "source", "-I", "inc", "-DA", "-D", "B={1,\"x\"}"],
        expect![[""]],
    );
}
