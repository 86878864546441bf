//! Small projects of every layout, loaded as a whole.
#![allow(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use program::project::{DiscoverOptions, UnitKind};
use program::{LoadOptions, Program};
use syntax::diagnostic::Diagnostic;
use syntax::source::SourceFile;

fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects")
}

/// A path as the expectations have it: relative, with slashes.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(projects()).unwrap_or(path);
    path.display().to_string().replace('\\', "/")
}

fn line(files: &[SourceFile], diagnostic: &Diagnostic) -> String {
    let file = &files[diagnostic.span.file.0 as usize];
    let loc = file.loc(diagnostic.span.start);
    let root = projects().display().to_string() + "/";
    let message = diagnostic.message.replace(&root, "");
    let place = shown(&file.path);
    format!("  {:?} {place}:{}:{}: {message}\n", diagnostic.severity, loc.line, loc.column)
}

fn load(paths: &[&str], discover: DiscoverOptions) -> Program {
    let paths: Vec<_> = paths.iter().map(|path| projects().join(path)).collect();
    let options = LoadOptions { discover, without_otp: true, ..LoadOptions::default() };
    Program::load(&paths, &options).unwrap()
}

/// The modules that are found, what is wrong with each, and what else was reported.
#[track_caller]
fn check(paths: &[&str], discover: DiscoverOptions, expected: Expect) {
    let program = load(paths, discover);
    let mut out = String::new();
    for module in &program.modules {
        let kind = match module.unit.kind {
            UnitKind::Source if module.unit.is_test => " (test)",
            UnitKind::Source => "",
            UnitKind::Escript => " (script)",
            UnitKind::Beam => " (compiled)",
        };
        let application = &module.unit.application.name;
        let path = shown(&module.unit.path);
        out += &format!("{}{kind} of {application}: {path}\n", module.name);
        module.diagnostics.iter().for_each(|found| out += &line(&module.tree.files, found));
    }
    for document in &program.documents {
        out += "configuration:\n";
        document.diagnostics.iter().for_each(|found| out += &line(&document.files, found));
    }
    for problem in &program.problems {
        out += &format!("problem: {}: {}\n", shown(&problem.path), problem.message);
    }
    expected.assert_eq(&out);
}

#[test]
fn rebar3_application() {
    check(
        &["rebar_app"],
        DiscoverOptions::default(),
        expect![[r#"
            rebar_app_main of rebar_app: rebar_app/src/rebar_app_main.erl
            rebar_app_tests (test) of rebar_app: rebar_app/test/rebar_app_tests.erl
              Warning rebar_app/test/rebar_app_tests.erl:3:1: the callback wanted/1 of the behaviour dep is not defined
              Warning rebar_app/test/rebar_app_tests.erl:16:1: the function helper/0 is never used
            configuration:
              Warning rebar_app/rebar.config:4:1: dependency other is not fetched
        "#]],
    );
}

#[test]
fn rebar3_application_without_tests() {
    let options = DiscoverOptions { without_tests: true, ..Default::default() };
    check(
        &["rebar_app"],
        options,
        expect![[r#"
            rebar_app_main of rebar_app: rebar_app/src/rebar_app_main.erl
            configuration:
              Warning rebar_app/rebar.config:4:1: dependency other is not fetched
        "#]],
    );
}

#[test]
fn profiles() {
    let options = DiscoverOptions { profiles: vec!["prod".into()], ..Default::default() };
    check(
        &["rebar_app/src"],
        options,
        expect![[r#"
            rebar_app_main of rebar_app: rebar_app/src/rebar_app_main.erl
            configuration:
              Warning rebar_app/rebar.config:4:1: dependency other is not fetched
        "#]],
    );
}

#[test]
fn a_single_file_is_read_as_in_its_project() {
    let paths = ["rebar_app/src/rebar_app_main.erl", "rebar_app/test/rebar_app_tests.erl"];
    check(
        &paths,
        DiscoverOptions::default(),
        expect![[r#"
            rebar_app_main of rebar_app: rebar_app/src/rebar_app_main.erl
            rebar_app_tests (test) of rebar_app: rebar_app/test/rebar_app_tests.erl
              Warning rebar_app/test/rebar_app_tests.erl:3:1: the callback wanted/1 of the behaviour dep is not defined
              Warning rebar_app/test/rebar_app_tests.erl:16:1: the function helper/0 is never used
            configuration:
              Warning rebar_app/rebar.config:4:1: dependency other is not fetched
        "#]],
    );
}

#[test]
fn umbrella() {
    check(
        &["umbrella"],
        DiscoverOptions::default(),
        expect![[r#"
        one of one: umbrella/apps/one/src/one.erl
        one_SUITE (test) of one: umbrella/apps/one/test/one_SUITE.erl
        two of two: umbrella/apps/two/src/two.erl
        whole_tests (test) of umbrella: umbrella/test/whole_tests.erl
    "#]],
    );
    check(
        &["umbrella/apps/one/src/one.erl"],
        DiscoverOptions::default(),
        expect![[r#"
        one of one: umbrella/apps/one/src/one.erl
    "#]],
    );
}

/// An application of a project that is a dependency sees the other dependencies.
#[test]
fn projects_among_dependencies() {
    check(
        &["nested/deps"],
        DiscoverOptions::default(),
        expect![[r#"
        common of common: nested/deps/common/src/common.erl
        part of part: nested/deps/whole/apps/part/src/part.erl
    "#]],
    );
}

#[test]
fn otp_application() {
    check(
        &["otp_layout"],
        DiscoverOptions::default(),
        expect![[r#"
        plain of plain: otp_layout/src/plain.erl
        plain_sub of plain: otp_layout/src/sub/plain_sub.erl
        plain_tests (test) of plain: otp_layout/test/plain_tests.erl
    "#]],
    );
}

#[test]
fn includes_that_are_not_there_or_come_back() {
    check(
        &["missing", "cyclic"],
        DiscoverOptions::default(),
        expect![[r#"
        missing of missing: missing/missing.erl
          Error missing/missing.erl:3:10: include file "nowhere.hrl" is not found
          Error missing/missing.erl:4:14: include file "no_such_app/include/x.hrl" is not found
        cyclic of cyclic: cyclic/cyclic.erl
          Error cyclic/b.hrl:1:10: files include each other more than 8 levels deep
    "#]],
    );
}

#[test]
fn two_modules_of_one_name() {
    check(
        &["duplicate"],
        DiscoverOptions::default(),
        expect![[r#"
        same of a: duplicate/a/same.erl
        same of b: duplicate/b/same.erl
          Warning duplicate/b/same.erl:1:1: module 'same' is also defined in duplicate/a/same.erl
    "#]],
    );
}

#[test]
fn bad_configuration() {
    check(
        &["bad_config"],
        DiscoverOptions::default(),
        expect![[r#"
        bad of bad: bad_config/src/bad.erl
        configuration:
          Error bad_config/rebar.config:1:1: the value of 'erl_opts' should be a list of compiler options
          Error bad_config/rebar.config:2:13: expected a comma or the end of the list of line 2 before '}'
          Error bad_config/rebar.config:4:1: not a compiler option: {d,1}
          Warning bad_config/rebar.config:5:1: the pattern "(?=x)" is not understood; option ignored
          Error bad_config/rebar.config:5:1: not a compiler option: {i,3}
        configuration:
          Error bad_config/src/bad.app.src:1:14: expected a comma or the end of the tuple of line 1 before 'bad'
    "#]],
    );
}

#[test]
fn scripts() {
    let paths = ["scripts", "scripts/no_extension", "scripts/notes.txt", "nothing/here"];
    check(
        &paths,
        DiscoverOptions::default(),
        expect![[r#"
        as_module (script) of scripts: scripts/as_module.erl
        hello (script) of scripts: scripts/hello.escript
          Error scripts/hello.escript:7:19: there is no function unbound/1
        no_extension (script) of scripts: scripts/no_extension
        problem: scripts/notes.txt: not an Erlang file
        problem: nothing/here: no such file or directory
    "#]],
    );
}

#[test]
fn the_order_is_always_the_same() {
    let names = || -> Vec<_> {
        let program = load(&["umbrella", "otp_layout"], DiscoverOptions::default());
        program.modules.iter().map(|module| module.name).collect()
    };
    let first = names();
    (0..5).for_each(|_| assert_eq!(names(), first));
}

#[test]
fn what_a_module_defines() {
    let program = load(&["rebar_app"], DiscoverOptions::default());
    let name = |text: &str| atom::Atom::new(text);
    let main = program.module(name("rebar_app_main")).unwrap();
    assert_eq!(main.index.functions.len(), 4);
    assert!(main.index.is_exported((name("limit"), 0)));
    let dep = main.index.records.get(name("dep")).unwrap();
    assert_eq!(dep.field(name("version")), Some(1));
    assert_eq!(dep.field(name("nothing")), None);
    let tests = program.module(name("rebar_app_tests")).unwrap();
    assert!(tests.index.is_exported((name("limit_test"), 0)));
    assert!(tests.index.is_exported((name("all_test_"), 0)));
    assert!(!tests.index.is_exported((name("helper"), 0)));
    assert!(tests.index.behaviours.contains(name("dep")));
    assert_eq!(main.unit.application.version.as_deref(), Some("1.2.3"));
    assert_eq!(main.unit.application.start_module.as_deref(), Some("rebar_app_main"));
}

#[test]
fn modules_of_dependencies_and_of_otp() {
    let program = load(&["rebar_app"], DiscoverOptions::default());
    let dep = program.find_library_module(atom::Atom::new("dep")).unwrap();
    assert_eq!(dep.unit.kind, UnitKind::Source);
    assert!(dep.index.functions.contains((atom::Atom::new("f"), 0)));
    assert!(program.find_library_module(atom::Atom::new("no_such_module")).is_none());

    let here = [projects().join("duplicate/a")];
    let program = Program::load(&here, &LoadOptions::default()).unwrap();
    let Some(lists) = program.find_library_module(atom::Atom::new("lists")) else {
        println!("skipped: modules_of_dependencies_and_of_otp (no Erlang/OTP)");
        return;
    };
    assert!(!lists.has_errors());
    assert!(lists.index.is_exported((atom::Atom::new("map"), 2)));
    // Its source needs a macro that only OTP's own build knows: its abstract code is taken.
    let beam_asm = program.find_library_module(atom::Atom::new("beam_asm"));
    assert!(beam_asm.is_none_or(|module| !module.has_errors()));
}

#[test]
fn an_installation_that_is_not_there() {
    let options = LoadOptions { otp: Some("/no/such/otp".into()), ..LoadOptions::default() };
    let error = Program::load(&[projects()], &options).unwrap_err();
    assert_eq!(error.to_string(), "no Erlang/OTP installation in /no/such/otp");
}
