//! `erlscope test` and `check` on projects as they are found: not built, with dependencies that are
//! not there, with hooks, sockets and commands.

mod harness;

use harness::Project;

/// Runs a command, whose exit code and output are as expected.
fn check(project: &Project, arguments: &[&str], code: i32, wanted: &[&str]) {
    let ran = project.run(arguments);
    for text in wanted {
        assert!(ran.transcript().contains(text), "no {text:?} in\n{}", ran.transcript());
    }
    assert_eq!(ran.code, Some(code), "{}", ran.transcript());
}

const GRAMMAR: &str = "\
Nonterminals expr.
Terminals int '+' '*' '(' ')'.
Rootsymbol expr.
Left 100 '+'.
Left 200 '*'.
expr -> expr '+' expr : '$1' + '$3'.
expr -> expr '*' expr : '$1' * '$3'.
expr -> '(' expr ')' : '$2'.
expr -> int : element(3, '$1').
";

const SCANNER: &str = "\
Definitions.
D = [0-9]
Rules.
{D}+ : {token, {int, TokenLine, list_to_integer(TokenChars)}}.
[+*()] : {token, {list_to_atom(TokenChars), TokenLine}}.
[\\s\\n]+ : skip_token.
Erlang code.
";

const GENERATED: &str = "\
-module(calc_tests).
-include_lib(\"eunit/include/eunit.hrl\").
value(Text) ->
    {ok, Tokens, _} = calc_scanner:string(Text),
    calc_parser:parse(Tokens).
good_test() -> ?assertEqual({ok, 7}, value(\"1 + 2 * 3\")).
bad_test() -> ?assertMatch({error, {2, calc_parser, [\"syntax error before: \", _]}}, value(\"1 +\\n* 3\")).
illegal_test() -> ?assertMatch({error, {1, calc_scanner, {illegal, \"x\"}}, 1}, calc_scanner:string(\"1 x\")).
";

#[test]
fn parsers_and_scanners_that_were_not_built() {
    let files = [
        ("rebar.config", "{erl_opts, []}.\n"),
        ("src/calc.app.src", "{application, calc, [{vsn, \"1\"}]}.\n"),
        ("src/calc_parser.yrl", GRAMMAR),
        ("src/calc_scanner.xrl", SCANNER),
        ("test/calc_tests.erl", GENERATED),
    ];
    let project = Project::new("projects_generated", &files);
    check(&project, &["test"], 0, &["3 passed, 0 failed"]);
}

#[test]
fn dependencies_that_are_not_fetched() {
    let module = "\
-module(fresh).
-include_lib(\"ranch/include/ranch.hrl\").
-export([f/0]).
f() -> ?FOO, #bar{}, X.
";
    let files = [
        ("rebar.config", "{deps, [ranch, {cowlib, \"2.0.0\"}]}.\n"),
        ("src/fresh.app.src", "{application, fresh, [{vsn, \"1\"}]}.\n"),
        ("src/fresh.erl", module),
        ("src/fresher.erl", &module.replace("fresh", "fresher")),
        ("src/freshest.erl", &module.replace("fresh", "freshest")),
    ];
    let project = Project::new("projects_fresh", &files);
    let once = "dependencies cowlib, ranch are not fetched";
    let folded = "dependency ranch, which has this header, is not fetched; 2 more errors are";
    let others = "2 more modules lack headers of these dependencies";
    check(&project, &["check"], 1, &[once, folded, others, "3 modules, 3 errors"]);
    let short = ["src/fresher.erl:2:14", "src/freshest.erl:2:14"];
    check(&project, &["check", "--format", "short"], 1, &short);
}

/// What follows from a header that is nowhere is counted, what does not is told.
#[test]
fn headers_that_a_build_makes() {
    let module = "\
-module(framed).
-export([f/0, g/1]).
-record(early, {a = #never{}}).
-include(\"framing.hrl\").
f() -> ?FRAME, #frame{}, X.
g(X) -> Y = 1, case X of a -> ?BODY(Y) end.
h() -> }.
";
    let files = [
        ("src/framed.app.src", "{application, framed, [{vsn, \"1\"}]}.\n"),
        ("src/framed.erl", module),
    ];
    let project = Project::new("projects_framed", &files);
    let folded = "\"framing.hrl\" is not found; 4 more errors and 1 warning are not told";
    let others = ["there is no record never", "syntax_error", "3 errors, 0 warnings"];
    check(&project, &["check"], 1, &[folded, others[0], others[1], others[2]]);
}

/// A release without modules of its own, as RabbitMQ's server.
#[test]
fn applications_below_deps() {
    let files = [
        ("rebar.config", "{plugins, [rebar3_format]}.\n"),
        ("Makefile", "include erlang.mk\n"),
        ("deps/one/include/one.hrl", "-define(ONE, 1).\n"),
        ("deps/one/src/one.erl", "-module(one).\n-export([f/0]).\nf() -> 1.\n"),
        (
            "deps/two/src/two.erl",
            "-module(two).\n-export([f/0]).\n-include_lib(\"one/include/one.hrl\").\nf() -> ?ONE.\n",
        ),
        (
            "deps/two/test/two_tests.erl",
            "-module(two_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nf_test() -> 1 = two:f().\n",
        ),
    ];
    let project = Project::new("projects_below_deps", &files);
    check(&project, &["check"], 0, &["checked 3 modules, 0 errors, 0 warnings"]);
    check(&project, &["test"], 0, &["1 passed, 0 failed"]);
}

#[test]
fn tests_of_erlang_mk_need_no_header() {
    let module = "\
-module(plain).
-export([f/1]).
f(X) -> X + 1.
-ifdef(TEST).
f_test() -> 2 = f(1).
f_test_() -> [fun() -> 3 = f(2) end, fun() -> 9 = f(9) end].
-endif.
";
    let files = [("erlang.mk", "# erlang.mk\n"), ("src/plain.erl", module)];
    let project = Project::new("projects_erlang_mk", &files);
    check(&project, &["test"], 1, &["2 passed, 1 failed"]);
}

const HOOK: &str = "\
-module(my_hook).
-export([id/1, init/2, pre_init_per_suite/3, pre_init_per_testcase/4, post_end_per_testcase/5, on_tc_fail/4,
         on_tc_skip/4, terminate/1]).
id(Options) -> Options.
init(_, Options) -> {ok, Options}.
pre_init_per_suite(_, Config, State) -> {[{by_hook, State} | Config], State}.
pre_init_per_testcase(_, skipped, _, State) -> {{skip, by_hook}, State};
pre_init_per_testcase(_, _, Config, State) -> {[{count, 1} | Config], State}.
post_end_per_testcase(_, spoilt, _, ok, State) -> {{fail, by_hook}, State};
post_end_per_testcase(_, _, _, Return, State) -> {Return, State}.
on_tc_fail(_, Case, Reason, State) -> io:format(\"hook: ~p failed: ~p~n\", [Case, Reason]), State.
on_tc_skip(_, Case, Reason, State) -> io:format(\"hook: ~p skipped: ~p~n\", [Case, Reason]), State.
terminate(_) -> ok.
";

const HOOKED: &str = "\
-module(hooked_SUITE).
-compile([export_all, nowarn_export_all]).
suite() -> [{ct_hooks, [{my_hook, [first]}, {my_hook, [second], 1}]}].
all() -> [config, skipped, spoilt].
config(Config) ->
    [[second], [first]] = proplists:get_all_values(by_hook, Config),
    [1, 1] = proplists:get_all_values(count, Config),
    ok.
skipped(_) -> error(not_reached).
spoilt(_) -> ok.
";

#[test]
fn hooks() {
    let files = [("my_hook.erl", HOOK), ("hooked_SUITE.erl", HOOKED)];
    let project = Project::new("projects_hooks", &files);
    let wanted = [
        "config: ok",
        "skipped: skipped",
        "exception exit: by_hook",
        "1 passed, 1 failed, 1 skipped",
    ];
    check(&project, &["test", "--verbose"], 1, &wanted);
}

const COMMANDS: &str = "\
-module(commands_tests).
-include_lib(\"eunit/include/eunit.hrl\").
directory_test() ->
    Dir = string:trim(os:cmd(\"mktemp -d\")),
    ?assert(filelib:is_dir(Dir)),
    \"\" = os:cmd(\"mkdir -p \" ++ Dir ++ \"/a/b && touch \" ++ Dir ++ \"/a/'x y'\"),
    ?assertEqual(\"b\\nx y\\n\", os:cmd(\"ls \" ++ Dir ++ \"/a\")),
    ?assertEqual(\"\", os:cmd(\"rm -rf \" ++ Dir)),
    ?assertNot(filelib:is_dir(Dir)).
other_test() -> os:cmd(\"make all\").
pipe_test() -> os:cmd(\"echo a | cat\").
";

#[test]
fn file_commands_are_done_without_starting_anything() {
    let project = Project::new("projects_commands", &[("commands_tests.erl", COMMANDS)]);
    let wanted = [
        "directory_test: ok",
        "(\"make all\"): other programs",
        "1 passed, 0 failed, 2 not supported",
    ];
    check(&project, &["test", "--verbose"], 1, &wanted);
}

#[test]
fn configurations_that_are_programs() {
    let script = "\
IsRebar3 = erlang:function_exported(rebar3, main, 1),
{ok, [{extra, Extra}]} = file:consult(filename:join(filename:dirname(SCRIPT), \"vars.config\")),
Found = os:cmd(\"cc --version\"),
lists:keystore(erl_opts, 1, CONFIG, {erl_opts, [{d, 'EXTRA', Extra}, {d, 'REBAR3', IsRebar3},
                                                {d, 'FOUND', Found =/= []}]}).
";
    let tests = "\
-module(scripted_tests).
-include_lib(\"eunit/include/eunit.hrl\").
extra_test() -> ?assertEqual({17, true, true}, {?EXTRA, ?REBAR3, ?FOUND}).
version_test() ->
    ok = application:load(scripted),
    ?assertEqual({ok, \"from a script\"}, application:get_key(scripted, description)).
";
    let app = "{application, scripted, [{vsn, \"1\"}]}.\n";
    let app_script = "\
[{application, Name, Keys}] = CONFIG,
[{application, Name, [{description, \"from a script\"} | Keys]}].
";
    let files = [
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("rebar.config.script", script),
        ("vars.config", "{extra, 17}.\n"),
        ("src/scripted.app.src", app),
        ("src/scripted.app.src.script", app_script),
        ("test/scripted_tests.erl", tests),
    ];
    let project = Project::new("projects_scripted", &files);
    check(&project, &["test"], 0, &["2 passed, 0 failed"]);
}

#[test]
fn a_script_that_fails_is_told() {
    let files = [
        ("rebar.config", "{erl_opts, []}.\n"),
        ("rebar.config.script", "error(no_way).\n"),
        ("src/plain.app.src", "{application, plain, [{vsn, \"1\"}]}.\n"),
        ("src/plain.erl", "-module(plain).\n"),
    ];
    let project = Project::new("projects_bad_script", &files);
    check(&project, &["check"], 0, &["rebar.config.script was not run: ", "no_way"]);
}

#[test]
fn programs_are_started_where_that_is_allowed() {
    let tests = "\
-module(started_tests).
-include_lib(\"eunit/include/eunit.hrl\").
cmd_test() -> ?assertEqual(\"6\\n\", os:cmd(\"expr 2 '*' 3\")).
line_test() ->
    Port = open_port({spawn, \"printf 'one\\\\ntwo\\\\n'\"}, [{line, 80}, exit_status]),
    ?assertEqual([{data, {eol, \"one\"}}, {data, {eol, \"two\"}}, {exit_status, 0}], all(Port)).
executable_test() ->
    Port = open_port({spawn_executable, \"/bin/sh\"}, [{args, [\"-c\", \"exit 3\"]}, exit_status, binary]),
    ?assertEqual([{exit_status, 3}], all(Port)).
all(Port) ->
    receive
        {Port, {exit_status, _} = Last} -> [Last];
        {Port, Message} -> [Message | all(Port)]
    end.
";
    let project = Project::new("projects_started", &[("started_tests.erl", tests)]);
    let file = "started_tests.erl";
    check(&project, &["test", file], 1, &["3 not supported"]);
    check(&project, &["test", "--allow", "run", file], 0, &["3 passed, 0 failed"]);
    let some = ["test", "--allow", "run=expr,printf", file];
    check(&project, &some, 1, &["2 passed, 0 failed, 1 not supported"]);
}

#[test]
fn native_code_that_something_stands_in_for() {
    let library = "\
-module(jiffy).
-export([encode/1, decode/1]).
-on_load(init/0).
init() -> erlang:load_nif(\"priv/jiffy\", 0).
encode(_) -> erlang:nif_error(not_loaded).
decode(_) -> erlang:nif_error(not_loaded).
";
    let tests = "\
-module(json_tests).
-include_lib(\"eunit/include/eunit.hrl\").
both_test() ->
    Term = {[{<<\"a\">>, [1, 2.5, true, null]}]},
    Text = <<\"{\\\"a\\\":[1,2.5,true,null]}\">>,
    ?assertEqual({Text, Term}, {iolist_to_binary(jiffy:encode(Term)), jiffy:decode(Text)}).
error_test() -> ?assertError({2, truncated_json}, jiffy:decode(<<\"[\">>)).
";
    let files = [
        ("rebar.config", "{deps, [jiffy]}.\n"),
        ("src/json.app.src", "{application, json, [{vsn, \"1\"}]}.\n"),
        ("_build/default/lib/jiffy/src/jiffy.app.src", "{application, jiffy, [{vsn, \"1\"}]}.\n"),
        ("_build/default/lib/jiffy/src/jiffy.erl", library),
        ("test/json_tests.erl", tests),
    ];
    let project = Project::new("projects_native", &files);
    let said = "module jiffy is native code: Erlscope's own stands in for it";
    check(&project, &["test"], 0, &["2 passed, 0 failed", said]);
}
