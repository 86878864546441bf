//! `erlscope test` on small test modules.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const EUNIT: &str = "\
-module(some_tests).
-include_lib(\"eunit/include/eunit.hrl\").
good_test() -> ?assert(true).
equal_test() ->
    io:format(\"looking~n\"),
    ?assertEqual([1, 2], lists:reverse([1, 2])).
long_test() ->
    ?assertEqual(lists:seq(1, 40), lists:seq(1, 19) ++ [x] ++ lists:seq(21, 40)).
error_test() ->
    length(a).
slow_test() -> timer:sleep(timer:seconds(6)).
generated_test_() ->
    [{\"first\", ?_assert(true)}, {\"second\", ?_assertMatch({ok, _}, none)}].
patient_test_() -> {timeout, 3600, fun() -> timer:sleep(timer:minutes(50)) end}.
broken_setup_test_() -> {setup, fun() -> exit(no) end, ?_assert(true)}.
last_test() -> ok.
";

const SUITE: &str = "\
-module(some_SUITE).
-export([all/0, groups/0, init_per_suite/1, init_per_group/2, end_per_group/2]).
-export([a/1, b/1, c/1, d/1, e/1, f/1]).
all() -> [a, {group, g}, d, e].
groups() -> [{g, [sequence], [b, c, f]}].
init_per_suite(Config) -> [{number, 1} | Config].
init_per_group(_, Config) -> Config.
end_per_group(_, _) -> ok.
a(Config) -> 1 = proplists:get_value(number, Config), {comment, \"fine\"}.
b(_) -> ok.
c(_) -> 1 = length([]).
d(_) -> {skip, \"not today\"}.
e(Config) ->
    Priv = proplists:get_value(priv_dir, Config),
    ok = file:write_file(filename:join(Priv, \"x\"), <<\"1\">>),
    Data = proplists:get_value(data_dir, Config),
    {ok, <<\"data\\n\">>} = file:read_file(filename:join(Data, \"file\")).
f(_) -> ok.
";

#[test]
fn eunit() {
    let project = Project::new("test_eunit", &[("some_tests.erl", EUNIT)]);
    project.check(
        &["test"],
        expect![[r#"
            exit 1
            --- stdout
            FAILED some_tests (4 passed, 4 failed, 2 cancelled)
              equal_test: failed
                assertEqual failed
                  expression: lists:reverse([1, 2])
                  expected:   [1,2]
                  value:      [2,1]
                  differs at: [1]: 1 is expected, not 2
                 --> some_tests.erl:6:5
                  |
                6 |     ?assertEqual([1, 2], lists:reverse([1, 2])).
                  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                output:
                  looking
                to find the place: erlscope debug --test some_tests:equal_test .
              long_test: failed
                assertEqual failed
                  expression: lists:seq(1, 19) ++ [x] ++ lists:seq(21, 40)
                  differs at: [20]: 20 is expected, not x
                  - expected, + value:
                  - [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,
                  -  29,30,31,32,33,34,35,36,37,38,39,40]
                  + [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,x,21,22,23,24,25,26,27,28,29,
                  +  30,31,32,33,34,35,36,37,38,39,40]
                 --> some_tests.erl:8:5
                  |
                8 |     ?assertEqual(lists:seq(1, 40), lists:seq(1, 19) ++ [x] ++ lists:seq(21, 40)).
                  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                to find the place: erlscope debug --test some_tests:long_test .
              error_test: failed
                exception error: bad argument
                  in function  length/1
                     called as length(a)
                     *** argument 1: not a list
                  in call from some_tests:error_test/0 (some_tests.erl, line 10)
                  --> some_tests.erl:10:5
                   |
                10 |     length(a).
                   |     ^^^^^^^^^^
                to find the place: erlscope debug --test some_tests:error_test .
              slow_test: cancelled
                timed out
                  in timer:sleep/1 (timer.erl, line 219)
              generated_test_ (second): failed
                assertMatch failed
                  expression: none
                  pattern:    {ok, _}
                  value:      none
                  --> some_tests.erl:13:5
                   |
                13 |     [{"first", ?_assert(true)}, {"second", ?_assertMatch({ok, _}, none)}].
                   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              broken_setup_test_: cancelled
                setup failed: exception exit: no
                  in function  some_tests:'-broken_setup_test_/0-fun-2-'/0 (some_tests.erl, line 15)
                  --> some_tests.erl:15:1
                   |
                15 | broken_setup_test_() -> {setup, fun() -> exit(no) end, ?_assert(true)}.
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            4 passed, 4 failed, 2 cancelled
        "#]],
    );
    project.check(
        &["test", "--filter", "some_tests:(good|last)"],
        expect![[r#"
        exit 0
        --- stdout
        ok     some_tests (2 passed, 0 failed)
        2 passed, 0 failed
    "#]],
    );
    project.check(
        &["test", "--filter", "nothing"],
        expect![[r#"
        exit 0
        --- stdout
        no tests found
    "#]],
    );
}

#[test]
fn common_test() {
    let files = [("test/some_SUITE.erl", SUITE), ("test/some_SUITE_data/file", "data\n")];
    let project = Project::new("test_suite", &files);
    project.check(
        &["test", "-v"],
        expect![[r#"
            exit 1
            --- stdout
            FAILED some_SUITE (3 passed, 1 failed, 2 skipped)
              a: ok - fine
              g:b: ok
              g:c: failed
                exception error: no match of right hand side value 0
                  in function  some_SUITE:c/1 (some_SUITE.erl, line 11)
                  --> test/some_SUITE.erl:11:1
                   |
                11 | c(_) -> 1 = length([]).
                   | ^^^^^^^^^^^^^^^^^^^^^^^
              g:f: skipped - {failed,{some_SUITE,c}}
              d: skipped - not today
              e: ok
            3 passed, 1 failed, 2 skipped
        "#]],
    );
    project.check(
        &["test", "--filter", ":g:b$"],
        expect![[r#"
        exit 0
        --- stdout
        ok     some_SUITE (1 passed, 0 failed)
        1 passed, 0 failed
    "#]],
    );
}

#[test]
fn an_endless_test_fails_and_the_others_go_on() {
    let text = "-module(loop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
                loop_test() -> loop().\nloop() -> loop().\nnext_test() -> ok.\n";
    let suite = "-module(loop_SUITE).\n-export([all/0, a/1, b/1]).\nall() -> [a, b].\n\
                 a(X) -> a(X).\nb(_) -> ok.\n";
    let project = Project::new("test_loop", &[("loop_tests.erl", text), ("loop_SUITE.erl", suite)]);
    project.check(
        &["test", "--max-steps", "100000"],
        expect![[r#"
        exit 1
        --- stdout
        FAILED loop_SUITE (1 passed, 1 failed)
          a: failed
            exception exit: {timetrap_timeout,1800000}
              in function  loop_SUITE:a/1 (loop_SUITE.erl, line 4)
             --> loop_SUITE.erl:4:1
              |
            4 | a(X) -> a(X).
              | ^^^^^^^^^^^^^
        FAILED loop_tests (1 passed, 0 failed, 1 cancelled)
          loop_test: cancelled
            timed out
              in loop_tests:loop/0 (loop_tests.erl, line 4)
        2 passed, 1 failed, 1 cancelled
    "#]],
    );
}

#[test]
fn tests_inside_of_modules_of_a_project() {
    let files = [
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/p.app.src", "{application, p, [{vsn, \"1\"}]}.\n"),
        (
            "src/p.erl",
            "-module(p).\n-export([f/0]).\nf() -> 1.\n-ifdef(TEST).\n\
             -include_lib(\"eunit/include/eunit.hrl\").\nf_test() -> ?assertEqual(2, f()).\n-endif.\n",
        ),
        ("src/q.erl", "-module(q).\n-export([f/0]).\nf() -> 1.\n"),
    ];
    Project::new("test_project", &files).check(
        &["test"],
        expect![[r#"
            exit 1
            --- stdout
            FAILED p (0 passed, 1 failed)
              f_test: failed
                assertEqual failed
                  expression: f()
                  expected:   2
                  value:      1
                 --> src/p.erl:6:1
                  |
                6 | f_test() -> ?assertEqual(2, f()).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                to find the place: erlscope debug --test p:f_test src
            0 passed, 1 failed
        "#]],
    );
}

#[test]
fn modules_that_do_not_compile() {
    let files = [("x_tests.erl", "-module(x_tests).\n-export([a_test/0]).\na_test() -> X.\n")];
    Project::new("test_broken", &files).check(
        &["test"],
        expect![[r#"
        exit 1
        --- stdout
        FAILED x_tests (0 passed, 0 failed, 1 module not run to the end)
          ! x_tests.erl:3:13: the variable X is unbound
        0 passed, 0 failed, 1 module not run to the end
    "#]],
    );
}

#[test]
fn for_other_programs() {
    let files = [("some_tests.erl", EUNIT), ("some_SUITE.erl", SUITE)];
    let project = Project::new("test_formats", &files);
    project.check(&["test", "--format", "junit", "--filter", "good|equal"], expect![[r#"
        exit 1
        --- stdout
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="2" failures="1" errors="0" skipped="0">
          <testsuite name="some_tests" file="some_tests.erl" tests="2" failures="1" errors="0" skipped="0" time="0.000">
            <testcase classname="some_tests" name="good_test" time="0.000"></testcase>
            <testcase classname="some_tests" name="equal_test" time="0.000">
              <failure message="assertEqual failed">assertEqual failed
          expression: lists:reverse([1, 2])
          expected:   [1,2]
          value:      [2,1]
          differs at: [1]: 1 is expected, not 2
         --&gt; some_tests.erl:6:5
          |
        6 |     ?assertEqual([1, 2], lists:reverse([1, 2])).
          |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        </failure>
              <system-out>looking
        </system-out>
            </testcase>
          </testsuite>
        </testsuites>
    "#]]);
    let ran = project.run(&["test", "--format", "json"]);
    let json: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(json["summary"]["complete"], true);
    let modules = json["modules"].as_array().expect("modules");
    let of = |kind: &str| modules.iter().find(|module| module["kind"] == kind).expect("a module");
    let result = |kind: &str, name: &str| -> String {
        let tests = of(kind)["tests"].as_array().expect("tests");
        let test = tests.iter().find(|test| test["name"] == name);
        test.and_then(|test| test["result"].as_str()).unwrap_or("none").to_owned()
    };
    assert_eq!(result("eunit", "good_test"), "ok");
    assert_eq!(result("eunit", "error_test"), "failed");
    assert_eq!(result("eunit", "slow_test"), "cancelled");
    assert_eq!(result("common_test", "g:c"), "failed");
    assert_eq!(result("common_test", "g:f"), "skipped");
    assert_eq!(result("common_test", "d"), "skipped");
    let ran = project.run(&["test", "--format", "sarif", "--filter", "good|equal"]);
    let sarif: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let [failed] = &results[..] else { panic!("{results:?}") };
    assert_eq!(failed["ruleId"], "test_failed");
    let place = &failed["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "some_tests.erl");
    assert_eq!(place["region"]["startLine"], 6);
}

/// An application that nobody has built: its resource file, its directory under another name, and a
/// parse transform that reads the options of its project.
#[test]
fn application_from_sources() {
    let project = Project::new(
        "test_application",
        &[
            ("rebar.config", "{erl_opts, [{answer, 42}, {parse_transform, shop_transform}]}.\n"),
            (
                "src/shop.app.src",
                "{application, shop, [{vsn, git}, {mod, {shop_app, []}}, {env, [{open, true}]},\n\
                 {applications, [kernel, stdlib]}]}.\n",
            ),
            (
                "src/shop_transform.erl",
                "-module(shop_transform).\n-export([parse_transform/2]).\n\
                 parse_transform(Forms, Options) ->\n\
                 \x20   Value = erl_parse:abstract(proplists:get_value(answer, Options)),\n\
                 \x20   [replaced(Form, Value) || Form <- Forms].\n\
                 replaced({atom, _, the_answer}, Value) -> Value;\n\
                 replaced(T, V) when is_tuple(T) -> list_to_tuple(replaced(tuple_to_list(T), V));\n\
                 replaced([H | T], V) -> [replaced(H, V) | replaced(T, V)];\n\
                 replaced(Other, _) -> Other.\n",
            ),
            (
                "src/shop_app.erl",
                "-module(shop_app).\n-behaviour(application).\n-export([start/2, stop/1]).\n\
                 start(_, _) -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.\n\
                 stop(_) -> ok.\n",
            ),
            (
                "test/shop_tests.erl",
                "-module(shop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
                 start_test() ->\n\
                 \x20   {ok, [shop]} = application:ensure_all_started(shop),\n\
                 \x20   {ok, true} = application:get_env(shop, open),\n\
                 \x20   {ok, [shop_app, shop_transform]} = application:get_key(shop, modules),\n\
                 \x20   true = filelib:is_dir(filename:join(code:lib_dir(shop), \"src\")),\n\
                 \x20   ?assertEqual(42, the_answer).\n",
            ),
        ],
    );
    project.check(
        &["test", "."],
        expect![[r#"
            exit 0
            --- stdout
            ok     shop_tests (1 passed, 0 failed)
            1 passed, 0 failed
        "#]],
    );
}

#[test]
fn a_module_that_cannot_be_loaded_says_why() {
    let module = "-module(some_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
        -compile({parse_transform, nowhere}).\na_test() -> ok.\n";
    let project = Project::new("test_not_loaded", &[("some_tests.erl", module)]);
    project.check(
        &["test", "--no-otp"],
        expect![[r#"
        exit 1
        --- stdout
        FAILED some_tests (0 passed, 0 failed, 1 module not run to the end)
          ! it could not be loaded: some_tests.erl:1: undefined parse transform 'nowhere'
        0 passed, 0 failed, 1 module not run to the end
    "#]],
    );
}

#[test]
fn jobs_change_nothing() {
    let names: Vec<String> = (1..=7).map(|n| format!("m{n}_tests")).collect();
    let texts: Vec<(String, String)> = names
        .iter()
        .enumerate()
        .map(|(n, name)| {
            let text = format!(
                "-module({name}).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
                 a_test() -> ?assertEqual({n}, 3).\nb_test() -> io:format(\"~p\", [self()]), not_here:f().\n"
            );
            (format!("{name}.erl"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::new("test_jobs", &files);
    for format in ["text", "json", "junit"] {
        let alone = project.run(&["test", "--verbose", "--format", format]).transcript();
        let together =
            project.run(&["test", "--verbose", "--format", format, "--jobs", "3"]).transcript();
        assert_eq!(alone, together);
    }
}

#[test]
fn tests_are_recorded_and_run_again() {
    let files =
        [("some_tests.erl", EUNIT), ("some_SUITE.erl", SUITE), ("some_SUITE_data/file", "data\n")];
    let project = Project::new("test_traced", &files);
    let told = project.run(&["test", "--trace", "t", "--filter", "good_test|generated|SUITE:[ab]"]);
    assert_eq!(told.code, Some(1), "{}", told.stdout);
    let mut traces: Vec<String> = std::fs::read_dir(project.root.join("t"))
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    traces.sort();
    assert_eq!(
        traces,
        ["some_SUITE.trace", "some_tests-generated_test_.trace", "some_tests-good_test.trace"]
    );
    project.check(
        &["replay", "t/some_tests-generated_test_.trace", "--trace", "again"],
        expect![[r#"
            exit 1
            --- stdout
            generated_test_ (first): ok
            generated_test_ (second): failed
        "#]],
    );
    let read = |name: &str| project.run(&["trace", name]).stdout;
    let told = |text: String| text.lines().filter(|line| !line.contains("the run ends")).count();
    assert_eq!(told(read("again")), told(read("t/some_tests-generated_test_.trace")));
    project.check(
        &["replay", "t/some_SUITE.trace"],
        expect![[r#"
            exit 0
            --- stdout
            a: ok
        "#]],
    );
}
