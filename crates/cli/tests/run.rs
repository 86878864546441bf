//! `erlscope run` on small programs.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const PROGRAM: &str = "\
-module(m).
-export([main/0, hello/1, bad/1, stuck/0, loop/1, crash/0, killed/0, grow/1, order/0, missing/0, fill/0]).
main() -> hello(world).
hello(Who) -> io:format(\"hello, ~p~n\", [Who]), {said, Who}.
bad(X) ->
    10 / X.
stuck() ->
    spawn(fun() -> receive never -> ok end end),
    receive yes -> ok end.
loop(N) -> loop(N + 1).
crash() ->
    {_, Ref} = spawn_monitor(fun() -> bad(0) end),
    receive {'DOWN', Ref, _, _, {Reason, _}} -> Reason end.
killed() ->
    spawn_link(fun() -> exit(enough) end),
    receive after infinity -> ok end.
grow(L) -> grow([L | L]).
order() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- lists:seq(1, 8)],
    [receive N -> N end || _ <- lists:seq(1, 8)].
missing() -> nowhere:to_be_found(1).
fill() -> lists:duplicate(1 bsl 30, x).
";

fn project(name: &str) -> Project {
    Project::new(name, &[("m.erl", PROGRAM)])
}

#[test]
fn a_call_returns() {
    let project = project("run_returns");
    project.check(
        &["run", "m.erl", "m:hello(\"you\")"],
        expect![[r#"
        exit 0
        --- stdout
        hello, "you"
    "#]],
    );
    project.check(
        &["run", "--print", "m.erl", "m:hello([1, x])"],
        expect![[r#"
        exit 0
        --- stdout
        hello, [1,x]
        {said,[1,x]}
    "#]],
    );
    project.check(
        &["run", "m.erl"],
        expect![[r#"
        exit 0
        --- stdout
        hello, world
    "#]],
    );
    project.check(
        &["run", "m:main"],
        expect![[r#"
        exit 0
        --- stdout
        hello, world
    "#]],
    );
}

#[test]
fn an_exception_is_explained_in_the_source() {
    project("run_exception").check(
        &["run", "m.erl", "m:bad(0)"],
        expect![[r#"
            exit 1
            --- stderr
            ** exception error: an error occurred when evaluating an arithmetic expression
              in function  m:bad/1 (m.erl, line 6)
             --> m.erl:6:8
              |
            6 |     10 / X.
              |     ---^--
        "#]],
    );
}

#[test]
fn functions_that_do_not_exist() {
    let project = project("run_undefined");
    project.check(
        &["run", "m.erl", "m:missing()"],
        expect![[r#"
            exit 1
            --- stderr
            ** exception error: undefined function nowhere:to_be_found/1
              --> m.erl:22:14
               |
            22 | missing() -> nowhere:to_be_found(1).
               |              ^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
    project.check(
        &["run", "m.erl", "m:nothing()"],
        expect![[r#"
        exit 1
        --- stderr
        ** exception error: undefined function m:nothing/0
    "#]],
    );
}

#[test]
fn nobody_can_go_on() {
    project("run_stuck").check(
        &["run", "m.erl", "m:stuck()"],
        expect![[r#"
        exit 1
        --- stderr
        erlscope: stuck: every process waits for a message, and no timer is running
         --> m.erl:9:5
          |
        9 |     receive yes -> ok end.
          |     ^^^^^^^^^^^^^^^^^^^^^
          <0.80.0> waiting in m:stuck/0 at m.erl:9
          <0.81.0> waiting in m:-stuck/0-fun-0-/0 at m.erl:8
    "#]],
    );
}

#[test]
fn an_exit_signal_ends_the_main_process() {
    project("run_killed").check(
        &["run", "m.erl", "m:killed()"],
        expect![[r#"
        exit 1
        --- stderr
        erlscope: the main process was ended by an exit signal: enough
    "#]],
    );
}

#[test]
fn bounds() {
    let project = project("run_bounds");
    project.check(
        &["run", "m.erl", "m:loop(0)", "--max-steps", "10000"],
        expect![[r#"
        exit 3
        --- stderr
        erlscope: stopped after 10000 steps (--max-steps)
          --> m.erl:10:1
           |
        10 | loop(N) -> loop(N + 1).
           | ^^^^^^^^^^^^^^^^^^^^^^^
          <0.80.0> runnable in m:loop/1 at m.erl:10
    "#]],
    );
    project.check(
        &["run", "m.erl", "m:loop(0)", "--max-time", "5ms"],
        expect![[r#"
        exit 3
        --- stderr
        erlscope: stopped after 5ms of the program's time (--max-time)
          --> m.erl:10:1
           |
        10 | loop(N) -> loop(N + 1).
           | ^^^^^^^^^^^^^^^^^^^^^^^
          <0.80.0> runnable in m:loop/1 at m.erl:10
    "#]],
    );
    let ran = project.run(&["run", "m.erl", "m:loop(0)", "--timeout", "200ms"]);
    assert_eq!(ran.code, Some(3), "{}", ran.transcript());
    assert!(ran.stderr.contains("(--timeout)"), "{}", ran.stderr);
}

#[test]
fn memory_is_bounded() {
    if !std::path::Path::new("/proc/self/statm").exists() {
        return eprintln!("skipped: this system does not tell how much memory a process has");
    }
    let project = project("run_memory");
    // In small steps, and inside of one builtin.
    for call in ["m:grow([])", "m:fill()"] {
        let ran = project.run(&["run", "m.erl", call, "--max-memory", "300M", "--timeout", "60s"]);
        assert_eq!(ran.code, Some(3), "{call}: {}", ran.transcript());
        assert!(ran.stderr.contains("(--max-memory)"), "{call}: {}", ran.stderr);
    }
}

#[test]
fn processes_that_crash_are_reported() {
    let ran = project("run_crash").run(&["run", "--print", "m.erl", "m:crash()"]);
    assert_eq!(ran.code, Some(0), "{}", ran.transcript());
    assert!(ran.stdout.contains("=ERROR REPORT===="), "{}", ran.stdout);
    assert!(ran.stdout.contains("Error in process <0.81.0> with exit value:\n{badarith,"));
    assert!(ran.stdout.ends_with("badarith\n"), "{}", ran.stdout);
}

#[test]
fn a_seed_gives_an_order() {
    let project = project("run_seed");
    let order = |seed: &str| {
        let ran = project.run(&["run", "--print", "--seed", seed, "m.erl", "m:order()"]);
        assert_eq!(ran.code, Some(0), "{}", ran.transcript());
        ran.stdout
    };
    assert_eq!(order("1"), order("1"));
    let orders: std::collections::BTreeSet<String> =
        (1..=5).map(|seed| order(&seed.to_string())).collect();
    assert!(orders.len() > 1, "{orders:?}");
}

#[test]
fn scripts() {
    let script = "#!/usr/bin/env escript\n%% -*- erlang -*-\nmain([\"fail\"]) -> halt(7);\n\
                  main(Args) -> io:format(\"~p~n\", [Args]), helper:f(Args).\n";
    let helper = "-module(helper).\n-export([f/1]).\nf(A) -> io:format(\"~p~n\", [length(A)]).\n";
    let files = [("s.escript", script), ("helper.erl", helper), ("other", script)];
    let project = Project::new("run_scripts", &files);
    project.check(
        &["run", "s.escript", "--", "a", "-b"],
        expect![[r#"
        exit 0
        --- stdout
        ["a","-b"]
        2
    "#]],
    );
    project.check(
        &["run", "other", "--", "fail"],
        expect![[r#"
        exit 7
    "#]],
    );
}

#[test]
fn modules_with_errors() {
    let files = [
        ("a.erl", "-module(a).\n-export([f/0]).\nf() -> b:g().\n"),
        ("b.erl", "-module(b).\n-export([g/0]).\ng() -> X.\n"),
    ];
    Project::new("run_errors", &files).check(
        &["run", "a.erl", "a:f()"],
        expect![[r#"
            exit 1
            --- stderr
            ** exception error: undefined function b:g/0
             --> a.erl:3:8
              |
            3 | f() -> b:g().
              |        ^^^^^
            note: module b could not be loaded: b.erl:3: the variable X is unbound
        "#]],
    );
}

#[test]
fn what_is_not_supported_is_named() {
    let text =
        "-module(t).\n-export([f/0]).\nf() ->\n    ok,\n    erlang:trace(all, true, [call]).\n";
    let project = Project::new("run_unsupported", &[("t.erl", text)]);
    project.check(
        &["run", "t.erl", "t:f()"],
        expect![[r#"
            exit 3
            --- stderr
            erlscope: not supported: erlang:trace/3 at t.erl:5
             --> t.erl:5:5
              |
            5 |     erlang:trace(all, true, [call]).
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn wrong_use() {
    let project = project("run_wrong_use");
    project.check(
        &["run"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: what shall be run? For example: erlscope run 'm:f()'
    "#]],
    );
    project.check(
        &["run", "m.erl", "m:hello("],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: cannot read `m:hello(`: expected an expression, found 'end'
    "#]],
    );
    project.check(
        &["run", "nothing.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: nothing.erl: no such file or directory
    "#]],
    );
    project.check(
        &["run", "m.erl", "m:main()", "--", "x"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: arguments after `--` are for a script, not for a call
    "#]],
    );
}

#[test]
fn as_json() {
    let project = project("run_json");
    let json = |call: &str| -> Value {
        let ran = project.run(&["run", "--format", "json", "m.erl", call]);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.transcript()))
    };
    let good = json("m:hello(x)");
    assert_eq!((&good["outcome"], &good["value"]), (&"returned".into(), &"{said,x}".into()));
    assert_eq!(good["output"], "hello, x\n");
    let bad = json("m:bad(0)");
    assert_eq!(bad["outcome"], "raised");
    assert_eq!(bad["exception"]["reason"], "badarith");
    assert_eq!(bad["place"]["line"], 6);
    assert_eq!(bad["exception"]["stack"][0]["function"], "bad");
    let stuck = json("m:stuck()");
    assert_eq!(stuck["processes"].as_array().map(Vec::len), Some(2));
}
