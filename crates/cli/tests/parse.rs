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
    check(
        "tree",
        "tree",
        expect![[r#"
        exit 0
        --- stdout
        file_attribute #2 1:1-1:1
          file: string "m.erl" #0 1:1-1:1
          line: integer 1 #1 1:1-1:1
        module_attribute #4 1:1-1:12 at 1:2
          name: atom m #3 1:9-1:10
        function double arity=1 #10 5:1-5:24
          clauses: clause #9 5:1-5:23
            patterns: var X #5 5:8-5:9
            body: binary_op * #8 5:14-5:23 at 5:21 in ?TWICE
              left: var X #6 5:21-5:22
              right: integer 2 #7 5:14-5:23 at 5:21 in ?TWICE
        end_of_file #11 6:1-6:1
    "#]],
    );
}

#[test]
fn source() {
    check(
        "source",
        "source",
        expect![[r#"
        exit 0
        --- stdout
        -module(m).

        double(X) ->
            X * 2.
    "#]],
    );
}

#[test]
fn preprocessed() {
    check(
        "preprocessed",
        "preprocessed",
        expect![[r#"
        exit 0
        --- stdout
        -file("m.erl", 1).

        -module(m).

        double(X) ->
            X * 2.
    "#]],
    );
}

#[test]
fn abstract_format() {
    check(
        "abstract",
        "abstract",
        expect![[r#"
        exit 0
        --- stdout
        {attribute,{1,1},file,{"m.erl",1}}.
        {attribute,{1,2},module,m}.
        {function,{5,1},double,1,[{clause,{5,1},[{var,{5,8},'X'}],[],[{op,{5,21},'*',{var,{5,21},'X'},{integer,{5,21},2}}]}]}.
        {eof,{6,1}}.
    "#]],
    );
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
    expect![[r#"
        exit 0
        --- stdout
        -module(m).

        double(X) ->
            X * 2.
    "#]]
    .assert_eq(&ran.transcript());
}

#[test]
fn errors_are_on_standard_error() {
    let project = Project::new("parse_errors", &[("e.erl", "-module(e).\nf( -> 1.\ng() -> 2.\n")]);
    project.check(
        &["parse", "e.erl", "--format", "abstract"],
        expect![[r#"
        exit 1
        --- stdout
        {attribute,{1,1},file,{"e.erl",1}}.
        {attribute,{1,2},module,e}.
        {error,{{2,4},erl_parse,["syntax error before: ","'->'"]}}.
        {function,{3,1},g,0,[{clause,{3,1},[],[],[{integer,{3,8},2}]}]}.
        {eof,{4,1}}.
        --- stderr
        e.erl:2:4: error: expected a pattern, found '->' [syntax_error]
    "#]],
    );
}

#[test]
fn unreadable() {
    let project = Project::new("parse_unreadable", &[]);
    project.check(
        &["parse", "nowhere.erl"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: nowhere.erl: No such file or directory
        "#]],
    );
    project.check(
        &["parse", "."],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: .: Is a directory
        "#]],
    );
    project.check(
        &["parse"],
        expect![[r#"
        exit 2
        --- stderr
        error: the following required arguments were not provided:
          <FILE>

        Usage: erlscope parse <FILE>

        For more information, try '--help'.
    "#]],
    );
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
        expect![[r#"
            exit 0
            --- stdout
            -file("inc/x.hrl", 1).
            -file("m.erl", 2).

            f() ->
                {true, {1, "x"}, c}.
        "#]],
    );
}
