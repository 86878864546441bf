//! `erlscope check` on small projects.

mod harness;

use std::process::Stdio;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const GOOD: &str = "-module(good).\n-export([f/1]).\nf(X) -> X.\n";
const UNBOUND: &str = "-module(bad).\n-export([f/0]).\nf() ->\n    X + 1.\n";
const UNUSED: &str = "-module(warned).\n-export([f/1]).\nf(X) -> 1.\n";

#[test]
fn nothing_found() {
    let project = Project::new("nothing_found", &[("good.erl", GOOD)]);
    project.check(
        &["check", "good.erl"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
}

#[test]
fn an_error_is_shown_in_the_source() {
    let project = Project::new("an_error", &[("bad.erl", UNBOUND)]);
    project.check(
        &["check", "bad.erl"],
        expect![[r#"
        exit 1
        --- stdout
        error[unbound_var]: the variable X is unbound
         --> bad.erl:4:5
          |
        4 |     X + 1.
          |     ^

        checked 1 module, 1 error, 0 warnings
    "#]],
    );
    project.check(
        &["check", "--format", "short", "bad.erl"],
        expect![[r#"
        exit 1
        --- stdout
        bad.erl:4:5: error: the variable X is unbound [unbound_var]
        checked 1 module, 1 error, 0 warnings
    "#]],
    );
}

#[test]
fn a_syntax_error_does_not_hide_others() {
    let text = "-module(bad).\n-export([f/0, g/0]).\nf() -> (.\ng() -> Y.\nh( -> 1.\n";
    let project = Project::new("two_syntax_errors", &[("bad.erl", text)]);
    project.check(&["check", "--format", "short", "bad.erl"], expect![[r#"
        exit 1
        --- stdout
        bad.erl:2:2: error: there is no function f/0 [undefined_function]
        bad.erl:3:9: error: expected an expression, found the full stop that ends the form [syntax_error]
        bad.erl:4:8: error: the variable Y is unbound [unbound_var]
        bad.erl:5:4: error: expected a pattern, found '->' [syntax_error]
        checked 1 module, 4 errors, 0 warnings
    "#]]);
}

#[test]
fn warnings_are_not_errors_unless_asked_for() {
    let project = Project::new("warnings", &[("warned.erl", UNUSED)]);
    project.check(
        &["check", "warned.erl"],
        expect![[r#"
        exit 0
        --- stdout
        warning[unused_var]: the variable X is never used
         --> warned.erl:3:3
          |
        3 | f(X) -> 1.
          |   ^
          |
          = help: if that is meant, call it _X

        checked 1 module, 0 errors, 1 warning
    "#]],
    );
    project.check(
        &["check", "--warnings-as-errors", "--format", "short", "warned.erl"],
        expect![[r#"
            exit 1
            --- stdout
            warned.erl:3:3: warning: the variable X is never used [unused_var]
            checked 1 module, 0 errors, 1 warning
        "#]],
    );
    project.check(
        &["check", "--no-warnings", "warned.erl"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
}

#[test]
fn macros_and_includes_lead_to_what_was_written() {
    let project = Project::new(
        "macros",
        &[
            ("src/m.erl", "-module(m).\n-export([f/0]).\n-include(\"m.hrl\").\nf() -> ?SUM(1).\n"),
            (
                "include/m.hrl",
                "-define(SUM(X), X + ?OTHER).\n-define(OTHER, Y).\n-record(r, {a, a}).\n",
            ),
        ],
    );
    project.check(
        &["check", "-I", "include", "src/m.erl"],
        expect![[r#"
        exit 1
        --- stdout
        error[unbound_var]: the variable Y is unbound
         --> src/m.erl:4:13
          |
        4 | f() -> ?SUM(1).
          |        -----^-
          |
        note: in the macro OTHER
         --> include/m.hrl:2:1
          |
        2 | -define(OTHER, Y).
          | ^^^^^^^^^^^^^^^^^^
        note: in the macro SUM
         --> include/m.hrl:1:1
          |
        1 | -define(SUM(X), X + ?OTHER).
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        note: included here
         --> src/m.erl:3:10
          |
        3 | -include("m.hrl").
          |          ^^^^^^^

        error[redefine_field]: the field a of the record r is given twice
         --> include/m.hrl:3:16
          |
        3 | -record(r, {a, a}).
          |                ^
          |
        note: included here
         --> src/m.erl:3:10
          |
        3 | -include("m.hrl").
          |          ^^^^^^^

        checked 1 module, 2 errors, 0 warnings
    "#]],
    );
}

#[test]
fn definitions_of_the_command_line() {
    let text = "-module(d).\n-export([f/0]).\n-ifdef(LEVEL).\nf() -> ?LEVEL + Z.\n-else.\nf() -> 0.\n-endif.\n";
    let project = Project::new("definitions", &[("d.erl", text)]);
    project.check(
        &["check", "d.erl"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
    project.check(
        &["check", "-DLEVEL=3", "--format", "short", "d.erl"],
        expect![[r#"
        exit 1
        --- stdout
        d.erl:4:17: error: the variable Z is unbound [unbound_var]
        checked 1 module, 1 error, 0 warnings
    "#]],
    );
    project.check(
        &["check", "-D", "3=x", "d.erl"],
        expect![[r#"
        exit 2
        --- stderr
        error: invalid value '3=x' for '-D <NAME[=VALUE]>': `3` is no macro name

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn a_missing_include() {
    let text =
        "-module(m).\n-include(\"nowhere.hrl\").\n-include_lib(\"nothing/include/x.hrl\").\n";
    let project = Project::new("missing_include", &[("m.erl", text)]);
    project.check(
        &["check", "--no-otp", "m.erl"],
        expect![[r#"
        exit 1
        --- stdout
        error[include]: include file "nowhere.hrl" is not found
         --> m.erl:2:10
          |
        2 | -include("nowhere.hrl").
          |          ^^^^^^^^^^^^^
          |
          = help: searched in ., include, src, .

        error[include]: include file "nothing/include/x.hrl" is not found
         --> m.erl:3:14
          |
        3 | -include_lib("nothing/include/x.hrl").
          |              ^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: searched in ., include, src, .

        checked 1 module, 2 errors, 0 warnings
    "#]],
    );
}

#[test]
fn a_rebar3_project() {
    let project = Project::new(
        "rebar3",
        &[
            ("rebar.config", "{erl_opts, [{d, 'LIMIT', 10}, {i, \"common\"}]}.\n"),
            ("common/common.hrl", "-define(COMMON, common).\n"),
            ("apps/a/src/a.app.src", "{application, a, [{vsn, \"1\"}]}.\n"),
            (
                "apps/a/src/a.erl",
                "-module(a).\n-export([f/0]).\n-include(\"common.hrl\").\nf() -> {?COMMON, ?LIMIT}.\n",
            ),
            ("apps/b/src/b.app.src", "{application, b, [{vsn, \"1\"}]}.\n"),
            (
                "apps/b/src/b.erl",
                "-module(b).\n-export([f/0]).\n-include_lib(\"a/include/a.hrl\").\nf() -> ?A + Unbound.\n",
            ),
            ("apps/a/include/a.hrl", "-define(A, 1).\n"),
        ],
    );
    project.check(
        &["check", "--format", "short"],
        expect![[r#"
        exit 1
        --- stdout
        apps/b/src/b.erl:4:13: error: the variable Unbound is unbound [unbound_var]
        checked 2 modules, 1 error, 0 warnings
    "#]],
    );
    project.check(
        &["check", "--format", "short", "apps/b"],
        expect![[r#"
        exit 1
        --- stdout
        apps/b/src/b.erl:4:13: error: the variable Unbound is unbound [unbound_var]
        checked 1 module, 1 error, 0 warnings
    "#]],
    );
}

#[test]
fn paths_that_cannot_be_read() {
    let project = Project::new("unreadable", &[("good.erl", GOOD), ("notes.txt", "x")]);
    project.check(
        &["check", "nowhere", "good.erl"],
        expect![[r#"
            exit 2
            --- stdout
            checked 1 module, 0 errors, 0 warnings
            --- stderr
            erlscope: nowhere: no such file or directory
        "#]],
    );
    project.check(
        &["check", "notes.txt"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: notes.txt: not an Erlang file
    "#]],
    );
    project.check(&["check", "--format", "json", "nowhere"], expect![[r#"
        exit 2
        --- stdout
        {"version":1,"tool":"erlscope","tool_version":"0.1.0","command":"check","diagnostics":[],"problems":[{"path":"nowhere","message":"no such file or directory"}],"summary":{"modules":0,"errors":0,"warnings":0,"complete":true}}
        --- stderr
        erlscope: nowhere: no such file or directory
    "#]]);
}

#[test]
fn a_directory_without_modules() {
    let project = Project::new("no_modules", &[("notes.txt", "x")]);
    project.check(
        &["check"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: .: no Erlang modules found
    "#]],
    );
}

#[test]
fn bad_bytes() {
    let project = Project::new("bad_bytes", &[]);
    std::fs::write(project.root.join("b.erl"), b"-module(b).\n%% \xff\nf() -> \"\xfe\".\n\0\x01")
        .expect("file can be written");
    project.check(
        &["check", "--format", "short", "b.erl"],
        expect![[r#"
        exit 1
        --- stdout
        b.erl:2:1: error: the file is not valid UTF-8 [invalid_unicode]
        b.erl:2:1: error: the rest of the file is not read [cannot_parse]
        checked 1 module, 2 errors, 0 warnings
    "#]],
    );
}

#[test]
fn wrong_use() {
    let project = Project::new("wrong_use", &[("good.erl", GOOD)]);
    project.check(
        &["check", "--format", "xml", "good.erl"],
        expect![[r#"
        exit 2
        --- stderr
        error: invalid value 'xml' for '--format <FORMAT>'
          [possible values: text, short, json, sarif]

        For more information, try '--help'.
    "#]],
    );
    project.check(
        &["chekc"],
        expect![[r#"
        exit 2
        --- stderr
        error: unrecognized subcommand 'chekc'

          tip: a similar subcommand exists: 'check'

        Usage: erlscope [OPTIONS] <COMMAND>

        For more information, try '--help'.
    "#]],
    );
    project.check(
        &["check", "--jobs", "0"],
        expect![[r#"
        exit 2
        --- stderr
        error: invalid value '0' for '--jobs <N>': 0 is not in 1..=1024

        For more information, try '--help'.
    "#]],
    );
    project.check(
        &["check", "--otp", "nowhere", "good.erl"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: --otp: no Erlang/OTP installation in nowhere
        "#]],
    );
    project.check(
        &["check", "--otp", "a", "--no-otp"],
        expect![[r#"
        exit 2
        --- stderr
        error: the argument '--otp <DIR>' cannot be used with '--no-otp'

        Usage: erlscope check --otp <DIR> [PATH]...

        For more information, try '--help'.
    "#]],
    );
    assert_eq!(project.run(&[]).code, Some(2));
}

/// Many modules, so that threads finish in any order.
fn many() -> Project {
    let names: Vec<String> = (0..60).map(|index| format!("src/m{index:02}.erl")).collect();
    let texts: Vec<String> = (0..60)
        .map(|index| {
            let body = format!("h(_) -> 1.\n%{}\n", " x".repeat((index * 7919) % 5000));
            format!("-module(m{index:02}).\n-export([f/0, h/1]).\n{body}f() -> X{index}.\n")
        })
        .collect();
    let files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Project::new(&format!("many_{:?}", std::thread::current().id()), &files)
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let project = many();
    for format in ["text", "short", "json", "sarif"] {
        let one = project.run(&["check", "--format", format, "--jobs", "1", "."]);
        let eight = project.run(&["check", "--format", format, "--jobs", "8", "."]);
        assert_eq!(one.code, Some(1));
        assert_eq!(one.stdout, eight.stdout);
        assert!(one.stdout.contains("m00.erl") && one.stdout.contains("m59.erl"));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let project = many();
    let mut command = project.command(&["check", "--format", "json", "."]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("erlscope starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("erlscope ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.code().is_some(), "not ended by a signal");
}

#[test]
fn json_has_the_documented_shape() {
    let project = Project::new("json", &[("bad.erl", UNBOUND), ("warned.erl", UNUSED)]);
    let ran = project.run(&["check", "--format", "json", "bad.erl", "warned.erl", "nowhere"]);
    assert_eq!(ran.code, Some(2));
    let document: Value = serde_json::from_str(&ran.stdout).expect("valid JSON");
    assert_eq!(document["version"], 1);
    assert_eq!(document["tool"], "erlscope");
    assert_eq!(document["command"], "check");
    let summary = serde_json::json!({"modules": 2, "errors": 1, "warnings": 1, "complete": true});
    assert_eq!(document["summary"], summary);
    assert_eq!(document["problems"][0]["path"], "nowhere");
    let found = document["diagnostics"].as_array().expect("a list");
    assert_eq!(found.len(), 2);
    for diagnostic in found {
        for field in ["severity", "code", "origin", "message", "file"] {
            assert!(diagnostic[field].is_string(), "{field} in {diagnostic}");
        }
        for field in ["line", "column", "otp_line", "otp_column"] {
            assert!(diagnostic[field].is_u64(), "{field} in {diagnostic}");
        }
        for field in ["line", "column", "end_line", "end_column"] {
            assert!(diagnostic["span"][field].is_u64(), "{field} in {diagnostic}");
        }
        assert!(diagnostic["related"].is_array() && diagnostic["included_from"].is_array());
    }
    assert_eq!(found[0]["code"], "unbound_var");
    assert_eq!((&found[0]["line"], &found[0]["column"]), (&4.into(), &5.into()));
}

/// What the standard requires of the parts that we write.
#[test]
fn sarif_has_what_the_standard_requires() {
    let project = Project::new("sarif", &[("bad.erl", UNBOUND), ("warned.erl", UNUSED)]);
    let ran = project.run(&["check", "--format", "sarif", "bad.erl", "warned.erl"]);
    assert_eq!(ran.code, Some(1));
    let document: Value = serde_json::from_str(&ran.stdout).expect("valid JSON");
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "erlscope");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let rules: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| &r["id"])
        .collect();
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), 2);
    for result in results {
        assert!(rules.contains(&&result["ruleId"]), "{result}");
        assert!(["error", "warning"].iter().any(|level| result["level"] == *level), "{result}");
        assert!(result["message"]["text"].is_string(), "{result}");
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string(), "{result}");
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line >= 1), "{result}");
    }
}

#[test]
fn colours_only_when_wanted() {
    let project = Project::new("colours", &[("bad.erl", UNBOUND)]);
    assert!(!project.run(&["check", "bad.erl"]).stdout.contains('\x1b'));
    assert!(project.run(&["check", "--color", "always", "bad.erl"]).stdout.contains('\x1b'));
    assert!(!project.run(&["check", "--color", "never", "bad.erl"]).stdout.contains('\x1b'));
}

#[test]
fn help_and_version() {
    let project = Project::new("help", &[]);
    project.check(
        &["--version"],
        expect![[r#"
        exit 0
        --- stdout
        erlscope 0.1.0
    "#]],
    );
    project.check(&["--help"], expect![[r#"
        exit 0
        --- stdout
        One instrument for looking into Erlang programs

        Usage: erlscope [OPTIONS] <COMMAND>

        Commands:
          check        Check modules: all syntax and lint errors at once, shown in the source
          parse        Show how a module is read: its tree, its expansion, or OTP's abstract format
          flow         Show the flow graph: calls, spawns, exceptions and messages between functions
          slice        Show the part of a program that a value depends on, as a program
          types        Show what functions take and give, as specs for those that have none
          contracts    Show the contracts of functions and behaviours, or sources without them
          inputs       Make inputs for a function: those that make it fail, and those that reach most of it
          compare      Compare two versions of a program: inputs for which they do something else
          concolic     Take every path of a function: inputs for each, and those that fail
          run          Run a function, or a script
          debug        Find what is wrong by answering questions about what a run did
          trace        Show what happened in a run that was recorded
          coverage     Show what the tests exercise of the flow graph: expressions, clauses, guards,
                       messages
          explore      Run a function under every schedule that can make a difference
          replay       Run a witness of an error again
          reduce       Make a failing program small: its modules, its input and its schedule
          explain      Say what a kind of diagnostic or finding means, with a wrong and a right example
          test         Run EUnit, Common Test and properties
          completions  Print a completion script for a shell
          help         Print this message or the help of the given subcommand(s)

        Options:
              --color <WHEN>  When to use colours [default: auto] [possible values: auto, always, never]
          -h, --help          Print help
          -V, --version       Print version

        Exit codes: 0 nothing found, 1 something found, 2 wrong use or unreadable input,
                    3 the end was not reached
    "#]]);
    let help = project.run(&["check", "--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.stdout.contains("Examples:") && help.stdout.contains("Exit codes:"));
    let completions = project.run(&["completions", "bash"]);
    assert!(completions.stdout.contains("complete -F"), "{}", completions.stdout);
}
