//! `erlscope explain`: pages, the list, wrong codes; and the examples of the pages about
//! explorations and types, which show what they are about.

mod harness;

use expect_test::expect;
use harness::Project;
use registry::Origin;
use serde_json::Value;

#[test]
fn a_page() {
    let project = Project::new("explain_page", &[]);
    project.check(
        &["explain", "unbound_var"],
        expect![[r#"
        exit 0
        --- stdout
        unbound_var: a variable is used that has no value
        error; lint (in OTP: erl_lint)

        Nothing gives the variable a value before this place. A variable gets its value
        by being matched: as a parameter of the function, in a pattern of `case` or
        `receive`, on the left of `=`. Look for a misspelt name, or a value that is
        bound in another function or clause.

        Wrong:

            total(Price, Count) -> Price * Cuont.

        Right:

            total(Price, Count) -> Price * Count.
    "#]],
    );
}

#[test]
fn several_pages_as_they_are_copied_from_a_report() {
    let project = Project::new("explain_several", &[]);
    let ran = project.run(&["explain", "[unused_var]", "error[deadlock]:"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("unused_var: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("\ndeadlock: "), "{}", ran.stdout);
}

#[test]
fn unknown_codes() {
    let project = Project::new("explain_unknown", &[]);
    project.check(
        &["explain", "unbund_var"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there is no kind unbund_var; did you mean unbound_var?
    "#]],
    );
    project.check(&["explain", "qwertyuiop", "bittype"], expect![[r#"
        exit 2
        --- stderr
        erlscope: there is no kind qwertyuiop; erlscope explain lists all
        erlscope: there is no kind bittype; did you mean bittype_mismatch, bittype_unit, undefined_bittype, utf_bittype_size_or_unit?
    "#]]);
}

#[test]
fn the_list_has_every_kind() {
    let project = Project::new("explain_list", &[]);
    let ran = project.run(&["explain"]);
    assert_eq!(ran.code, Some(0));
    for row in registry::rows() {
        let line = format!("  {} ", row.code);
        assert!(ran.stdout.lines().any(|found| found.starts_with(&line)), "{}", row.code);
    }
}

#[test]
fn colours_where_they_are_asked_for() {
    let project = Project::new("explain_colours", &[]);
    let plain = project.run(&["explain", "unbound_var"]).stdout;
    let coloured = project.run(&["explain", "unbound_var", "--color", "always"]).stdout;
    assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}[1munbound_var\u{1b}[0m"));
}

#[test]
fn json_and_files() {
    let project = Project::new("explain_json", &[]);
    let ran = project.run(&["explain", "race", "--format", "json", "-o", "race.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(project.root.join("race.json")).expect("it is written");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["command"], "explain");
    assert_eq!(document["kinds"][0]["code"], "race");
    assert_eq!(document["kinds"][0]["origins"][0], "explore_warning");
    assert!(document["kinds"][0]["wrong"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    let all = project.run(&["explain", "--format", "json"]).stdout;
    let all: Value = serde_json::from_str(&all).expect("it is JSON");
    assert_eq!(all["kinds"].as_array().map(Vec::len), Some(registry::rows().count()));
}

/// The kinds that an exploration of a module tells.
fn explored(name: &str, text: &str) -> Vec<String> {
    let project = Project::new(&format!("explain_{name}"), &[("example.erl", text)]);
    let options = ["--format", "json", "--no-witnesses", "--warnings", "--max-executions", "100"];
    let mut arguments = vec!["explore", "example.erl", "example:main", "--contracts"];
    arguments.extend(options);
    let ran = project.run(&arguments);
    let document: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}: {}", ran.transcript()));
    let mut kinds = Vec::new();
    collect_kinds(&document, &mut kinds);
    kinds
}

/// The values of `kind` anywhere in findings and warnings.
fn collect_kinds(value: &Value, kinds: &mut Vec<String>) {
    for list in ["findings", "warnings"] {
        for found in value[list].as_array().into_iter().flatten() {
            kinds.extend(found["kind"].as_str().map(str::to_owned));
        }
    }
    if let Value::Object(fields) = value {
        fields.values().for_each(|field| collect_kinds(field, kinds));
    } else if let Value::Array(items) = value {
        items.iter().for_each(|item| collect_kinds(item, kinds));
    }
}

#[test]
fn examples_of_explorations() {
    let mut complaints = Vec::new();
    for row in registry::EXPLORE_ROWS {
        let page = row.page();
        if page.wrong.not_run.is_none() {
            let kinds = explored(&format!("{}_wrong", row.code), &page.wrong.module());
            if !kinds.iter().any(|kind| kind == row.code) {
                complaints.push(format!("{}, the wrong one: {kinds:?}", row.code));
            }
        }
        let kinds = explored(&format!("{}_right", row.code), &page.right.module());
        let fails = |kind: &&String| {
            registry::find(kind).is_some_and(|row| row.origin() == Origin::Explore)
        };
        if kinds.iter().any(|kind| kind == row.code) || kinds.iter().any(|kind| fails(&kind)) {
            complaints.push(format!("{}, the right one: {kinds:?}", row.code));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The codes of what is wrong with a module by its types.
fn typed(name: &str, text: &str) -> Vec<String> {
    let project = Project::new(&format!("explain_{name}"), &[("example.erl", text)]);
    let ran = project.run(&["types", "example.erl", "--check", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}: {}", ran.transcript()));
    let found = document["diagnostics"].as_array().into_iter().flatten();
    found.filter_map(|found| Some(found["code"].as_str()?.to_owned())).collect()
}

#[test]
fn examples_of_types() {
    let mut complaints = Vec::new();
    for row in registry::TYPES_ROWS {
        let page = row.page();
        let codes = typed(&format!("{}_wrong", row.code), &page.wrong.module());
        if !codes.iter().any(|code| code == row.code) {
            complaints.push(format!("{}, the wrong one: {codes:?}", row.code));
        }
        let codes = typed(&format!("{}_right", row.code), &page.right.module());
        if !codes.is_empty() {
            complaints.push(format!("{}, the right one: {codes:?}", row.code));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The rules of a SARIF document.
fn rules(project: &Project, arguments: &[&str]) -> Vec<String> {
    let ran = project.run(arguments);
    let document: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", ran.transcript()));
    let found = document["runs"][0]["results"].as_array().into_iter().flatten();
    found.filter_map(|found| Some(found["ruleId"].as_str()?.to_owned())).collect()
}

/// Of tests, and of versions: the right example is the old one.
#[test]
fn examples_of_runs() {
    for row in registry::RUN_ROWS {
        let page = row.page();
        let (wrong, right) = (page.wrong.module(), page.right.module());
        let files = [("old/example.erl", right.as_str()), ("new/example.erl", wrong.as_str())];
        let project = Project::new(&format!("explain_{}", row.code), &files);
        let ask = |version: &str| match row.origin() {
            Origin::Compare => {
                rules(&project, &["compare", "old", version, "--runs", "200", "--format", "sarif"])
            }
            _ => rules(&project, &["test", version, "--format", "sarif"]),
        };
        if page.wrong.not_run.is_none() {
            assert_eq!(ask("new"), [row.code]);
        }
        assert_eq!(ask("old"), [""; 0], "{}", row.code);
    }
}

#[test]
fn lints_of_our_own_are_off_unless_asked_for() {
    let text = registry::find("erlscope_same_operands").expect("a row").page().wrong.module();
    let text = text.replace("-compile(warn_erlscope).\n", "");
    let project = Project::new("own_lints", &[("example.erl", &text)]);
    project.check(
        &["check", "--format", "short", "example.erl"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
    project.check(&["check", "--format", "short", "--own-lints", "example.erl"], expect![[r#"
        exit 0
        --- stdout
        example.erl:3:23: warning: Old is compared with itself: this is always true [erlscope_same_operands]
        checked 1 module, 0 errors, 1 warning
    "#]]);
}
