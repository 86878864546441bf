//! `erlscope flow` where something is wrong with its input: the graph of the rest is still there.

mod harness;

use expect_test::expect;
use harness::Project;

#[test]
fn bad_input() {
    let project = Project::new(
        "flow_bad",
        &[
            ("a.erl", "-module(a).\n-export([f/1]).\nf(X) -> b:g(X), other:h(X), (X)().\n"),
            ("b.erl", "-module(b).\n-export([g/1]).\ng(X) -> X.\nh( -> oops.\n"),
        ],
    );
    project.check(&["flow", "a.erl", "b.erl"], expect![[r#"
        exit 1
        --- stdout
        a:f/1
          3:9     b:g(X) -> call b:g/1
        unresolved a.erl:3:17 other:h(X): other:h/1 is not part of the program
        unresolved a.erl:3:30 (X)(): what is called comes from outside
        2 modules, 2 functions, 10 nodes; edges: 8 neighbor, 1 call, 0 higher-order-call, 0 spawn, 0 throw, 0 message; 2 unresolved
        --- stderr
        b.erl:4:4: error: expected a pattern, found '->' [syntax_error]
    "#]]);
    project.check(
        &["flow", "a.erl", "--entry", "a:nothing/3"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: --entry: module 'a' has no function nothing/3
    "#]],
    );
    project.check(
        &["flow", "a.erl", "--entry", "c:f/1"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: --entry: the program has no module 'c'
    "#]],
    );
    project.check(
        &["flow", "a.erl", "--entry", "f"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: --entry: `f` is no function such as m:f/1
    "#]],
    );
    project.check(
        &["flow", "missing.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: missing.erl: no such file or directory
        erlscope: there is no module to look at
    "#]],
    );
    project.check(
        &["flow", "a.erl", "--def-use"],
        expect![[r#"
        exit 0
        --- stdout
        a:f/1
          3:13    X (use) is defined at 3:3 (parameter)
          3:25    X (use) is defined at 3:3 (parameter)
          3:30    X (use) is defined at 3:3 (parameter)
        1 definitions, 3 uses, 3 pairs, 0 through closures, structures and messages
    "#]],
    );
}

/// A directory without sources stands for its compiled modules, whose texts are made from their
/// trees.
#[test]
fn compiled_modules() {
    let text = "-module(a).\n-export([f/1]).\nf(X) -> P = self(), spawn(fun() -> P ! {sum, X + 1} end), \
                receive {sum, Y} -> Y end.\n";
    let project = Project::new("flow_compiled", &[("a.erl", text), ("bare/x", ""), ("with/x", "")]);
    for (flag, dir) in [("+no_debug_info", "bare"), ("+debug_info", "with")] {
        let erlc = std::process::Command::new("erlc")
            .args([flag, "-o", dir, "a.erl"])
            .current_dir(&project.root)
            .status();
        if !erlc.is_ok_and(|status| status.success()) {
            eprintln!("skipped: there is no erlc");
            return;
        }
    }
    project.check(&["flow", "with"], expect![[r#"
        exit 0
        --- stdout
        a:f/1
          3:21    spawn(fun() -> P ! {sum, X + 1} end) -> spawn a:f fun/0 at 3:27
        a:f fun/0 at 3:27
          3:38    P ! {sum, X + 1} -> message receive at 3:59 in a:f/1, clause 1: {sum, Y}
        1 module, 2 functions, 15 nodes; edges: 13 neighbor, 0 call, 0 higher-order-call, 1 spawn, 0 throw, 1 message; 0 unresolved
    "#]]);
    project.check(
        &["flow", "bare"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: bare/a.beam: the .beam file has no abstract code (compile with debug_info)
        erlscope: there is no module to look at
    "#]],
    );
}
