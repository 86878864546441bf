//! `erlscope compare` on small versions.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const OLD: &str = "\
-module(m).
-export([f/1, g/2, t/0, s/1, srv/1, o/1, r/0, fail/1, p/0]).
f(X) when X > 41, X < 43 -> b; f(_) -> c.
g(A, B) -> h(A) + B.
h(A) -> A * 2.
t() -> {erlang:monotonic_time(), make_ref(), self()}.
-spec s(pid()) -> ok.
s(P) -> P ! {hello, self()}, ok.
-spec srv(integer()) -> integer().
srv(N) -> S = self(), P = spawn(fun() -> receive {get, F} -> F ! {got, N} end end), P ! {get, S}, receive {got, X} -> X end.
-spec o(0..3) -> ok.
o(X) -> io:format(\"~p~n\", [X]).
r() -> rand:uniform(1000000).
p() -> pid_to_list(spawn(fun() -> ok end)) ++ ref_to_list(make_ref()).
-spec fail(1..3) -> any().
fail(X) -> catch error({X, fun() -> X end}).
";

fn versions(name: &str, changes: &[(&str, &str)]) -> Project {
    let mut new = OLD.to_owned();
    for (from, to) in changes {
        assert!(new.contains(from), "{from}");
        new = new.replace(from, to);
    }
    Project::new(name, &[("old/m.erl", OLD), ("new/m.erl", &new)])
}

#[test]
fn values_and_ends() {
    let project = versions("compare_values", &[("43 -> b", "43 -> d"), ("A * 2", "A + A")]);
    project.check(&["compare", "old", "new", "--verbose"], expect![[r#"
        exit 1
        --- stdout
        m:f/1: another value
          m:f(42)
            old: returns b
            new: returns d
        m:f/1: 1000 inputs, 3 show a difference
        m:g/2: 1000 inputs
        different: 1 difference; 2 functions changed, 2 functions called with 2000 inputs; 3 of 3 changed clauses reached
        to find the place: erlscope debug new 'm:f(42)' --reference old
    "#]]);
    // Somebody who is not asked about is not called.
    project.check(&["compare", "old", "new", "--fun", "g/2", "--runs", "50"], expect![[r#"
        exit 0
        --- stdout
        same as far as was looked; 2 functions changed, 1 function called with 50 inputs; 1 of 3 changed clauses reached
    "#]]);
}

#[test]
fn messages_and_output() {
    let changes = [("{hello, self()}", "{hallo, self()}"), ("~p~n", "~w ~n")];
    let project = versions("compare_messages", &changes);
    project.check(&["compare", "old", "new"], expect![[r#"
        exit 1
        --- stdout
        m:s/1: other messages are sent
          m:s(erlscope_inputs:process(1))
            old: sends {hello,<0.82.0>}
            new: sends {hallo,<0.82.0>}
        m:o/1: something else is written
          m:o(0)
            old: writes "0\n"
            new: writes "0 \n"
        different: 2 differences; 2 functions changed, 2 functions called with 8 inputs; 2 of 2 changed clauses reached
    "#]]);
}

/// Time, references, random numbers, numbers of processes and places in stack traces are no
/// differences.
#[test]
fn what_depends_on_more_than_the_input() {
    let changes = [
        ("t() -> {", "t() -> h(1), spawn(fun() -> ok end), make_ref(), {"),
        ("r() -> ", "r() -> rand:uniform(7), "),
        ("p() -> ", "p() -> spawn(fun() -> ok end), make_ref(), "),
        ("fail(X) -> ", "\n\nfail(X) -> h(X), "),
    ];
    let project = versions("compare_chance", &changes);
    project.check(&["compare", "old", "new", "--verbose"], expect![[r#"
        exit 0
        --- stdout
        m:t/0: 1 input, 1 with processes in one order only; no others were found
        m:r/0: 1 input, 1 differ by chance or time; no others were found
        m:p/0: 1 input, 1 differ by chance or time, 1 with processes in one order only; no others were found
        m:fail/1: 3 inputs; no others were found
        same as far as was looked; 4 functions changed, 4 functions called with 6 inputs; 4 of 8 changed clauses reached; of 2 inputs, whose processes can act in several orders, one order was tried (--schedules all)
    "#]]);
}

#[test]
fn what_is_not_there() {
    let project = versions("compare_wrong", &[("A * 2", "A + A")]);
    project.check(
        &["compare", "old", "none"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: none: no such file or directory
    "#]],
    );
    project.check(
        &["compare", "old"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: which versions? Name the old one and the new one, or a revision by --git
    "#]],
    );
    project.check(
        &["compare", "old", "new", "--fun", "h/1"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: no module of both versions exports h/1
    "#]],
    );
    project.check(
        &["compare", "old", "new", "--poi", "m.erl:99:1"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there is no expression at m.erl:99:1
    "#]],
    );
    project.check(
        &["compare", "old", "new", "--poi", "what"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: `what` is no point such as f.erl:12:5, f.erl:12:5-12:20, 'f.erl:12 X' or m:f/2
    "#]],
    );
    project.check(
        &["compare", "old", "old"],
        expect![[r#"
        exit 0
        --- stdout
        same: no function changed; 0 functions changed, 0 functions called with 0 inputs
    "#]],
    );
    let broken =
        Project::new("compare_broken", &[("a/m.erl", OLD), ("b/m.erl", "-module(m).\nf( -> 1.\n")]);
    project.check(
        &["compare", "old", "new", "--server", "m:s(1)"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: m:s/1 starts no process: error badarg in m:s/1, line 8
    "#]],
    );
    let text = "-module(m).\n-export([f/1]).\nf(X) -> try [fun() -> Y end, X] catch _ -> X end.\n";
    let unbound = Project::new("compare_unbound", &[("a/m.erl", OLD), ("b/m.erl", text)]);
    unbound.check(
        &["compare", "a", "b"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: b/m.erl has errors, so nothing can be said about it:
        b/m.erl:3:23: error: the variable Y is unbound [unbound_var]
    "#]],
    );
    unbound.check(
        &["run", "b", "m:f(1)"],
        expect![[r#"
        exit 1
        --- stderr
        ** exception error: undefined function m:f/1
        note: module m could not be loaded: b/m.erl:3: the variable Y is unbound
    "#]],
    );
    broken.check(
        &["compare", "a", "b"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: b/m.erl has errors, so nothing can be said about it:
            b/m.erl:2:4: error: expected a pattern, found '->' [syntax_error]
        "#]],
    );
}

const COUNTER: &str = "\
-module(counter).
-behaviour(gen_server).
-export([start_link/0, add/2, reset/1, value/1]).
-export([init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link(?MODULE, [], []).
-spec add(pid(), 1..9) -> integer().
add(Pid, N) -> gen_server:call(Pid, {add, N}).
-spec reset(pid()) -> ok.
reset(Pid) -> gen_server:cast(Pid, reset).
-spec value(pid()) -> integer().
value(Pid) -> gen_server:call(Pid, value).
init([]) -> {ok, 0}.
handle_call({add, N}, _, Sum) -> {reply, Sum + N, Sum + N};
handle_call(value, _, Sum) -> {reply, Sum, Sum}.
handle_cast(reset, _) -> {noreply, 0}.
";

#[test]
fn servers() {
    let new = COUNTER.replace("reset, _) -> {noreply, 0}", "reset, S) -> {noreply, S div 10}");
    let files = [("old/counter.erl", COUNTER), ("new/counter.erl", new.as_str())];
    let project = Project::new("compare_servers", &files);
    project.check(&["compare", "old", "new"], expect![[r#"
        exit 1
        --- stdout
        counter:start_link(): another value
          {ok, Server} = counter:start_link(),
          counter:add(Server, 4),
          counter:add(Server, 6),
          counter:reset(Server),
          counter:value(Server)
            old: returns #{1 => 4,2 => 10,3 => ok,4 => 0}
            new: returns #{1 => 4,2 => 10,3 => ok,4 => 1}
        different: 1 difference; 1 function changed, 5 functions called with 1039 inputs; 1 of 1 changed clauses reached
    "#]]);
}

/// How a server keeps its state is its own business: its callbacks are called by the server alone,
/// unless somebody names them.
#[test]
fn states_of_servers() {
    let old = "\
-module(store).
-behaviour(gen_server).
-export([start_link/0, put/2, get/1, init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
put(K, V) -> gen_server:call(?MODULE, {put, K, V}).
get(K) -> gen_server:call(?MODULE, {get, K}).
init([]) -> {ok, []}.
handle_call({put, K, V}, _, S) -> {reply, ok, lists:keystore(K, 1, S, {K, V})};
handle_call({get, K}, _, S) -> {reply, proplists:get_value(K, S), S}.
handle_cast(_, S) -> {noreply, S}.
";
    let new = old
        .replace("{ok, []}", "{ok, #{}}")
        .replace("lists:keystore(K, 1, S, {K, V})", "S#{K => V}")
        .replace("proplists:get_value(K, S)", "maps:get(K, S, undefined)");
    let files = [("old/store.erl", old), ("new/store.erl", new.as_str())];
    let project = Project::new("compare_states", &files);
    project.check(&["compare", "old", "new", "--runs", "200"], expect![[r#"
        exit 0
        --- stdout
        same as far as was looked; 2 functions changed, 4 functions called with 601 inputs; 3 of 3 changed clauses reached
    "#]]);
    let named = ["compare", "old", "new", "--runs", "50", "--fun", "init/1"];
    project.check(&named, expect![[r#"
        exit 1
        --- stdout
        store:init/1: another value
          store:init([])
            old: returns {ok,[]}
            new: returns {ok,#{}}
        different: 1 difference; 2 functions changed, 1 function called with 1 input; 1 of 3 changed clauses reached
        to find the place: erlscope debug new 'store:init([])' --reference old
    "#]]);
}

/// A server without functions for clients is sent what its callbacks take.
#[test]
fn messages_to_servers() {
    let old = "\
-module(ticks).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
start_link() -> gen_server:start_link(?MODULE, [], []).
init([]) -> {ok, 0}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast({set, N}, _) -> {noreply, N}.
handle_info({tick, N}, S) -> {noreply, S + N}.
";
    let new =
        old.replace("S + N}", "S + N + 1}").replace("{set, N}, _)", "{set, N}, S) when S < 7");
    let files = [("old/ticks.erl", old), ("new/ticks.erl", new.as_str())];
    let project = Project::new("compare_ticks", &files);
    project.check(&["compare", "old", "new"], expect![[r#"
        exit 1
        --- stdout
        ticks:start_link(): another value
          {ok, Server} = ticks:start_link(),
          Server ! {tick, 0},
          gen_server:call(Server, get)
            old: returns #{1 => ok,2 => 0,server => serves}
            new: returns #{1 => ok,2 => 1,server => serves}
        ticks:start_link(): fails now
          {ok, Server} = ticks:start_link(),
          gen_server:cast(Server, {set, a}),
          gen_server:cast(Server, {set, 0}),
          gen_server:call(Server, get)
            old: returns #{1 => ok,2 => ok,3 => 0,server => serves}
            new: fails with exit: {{function_clause,[{ticks,handle_cast,
                                           [{set,0},a],
                                           [{file,"new/ticks.erl"},{line,7}]},
                                    {gen_server,try_dispatch,4,
                                                [{file,"gen_server.erl"},{line,1123}]},
                                    {gen_server,handle_msg,6,
                                                [{file,"gen_server.erl"},{line,1200}]},
                                    {proc_lib,init_p_do_apply,3,
                                              [{file,"proc_lib.erl"},{line,240}]}]},
                  {gen_server,call,[<0.81.0>,get]}}
        ticks:start_link(): fails in another way
          {ok, Server} = ticks:start_link(),
          gen_server:cast(Server, {set, a}),
          gen_server:cast(Server, {set, a}),
          Server ! {tick, 0},
          gen_server:call(Server, get)
            old: fails with exit: {{badarith,[{erlang,'+',[a,0],[{error_info,#{module => erl_erts_errors}}]},
                             {ticks,handle_info,2,[{file,"old/ticks.erl"},{line,8}]},
                             {gen_server,try_dispatch,4,[{file,"gen_server.erl"},{line,1123}]},
                             {gen_server,handle_msg,6,[{file,"gen_server.erl"},{line,1200}]},
                             {proc_lib,init_p_do_apply,3,[{file,"proc_lib.erl"},{line,240}]}]},
                  {gen_server,call,[<0.81.0>,get]}}
            new: fails with exit: {{function_clause,[{ticks,handle_cast,
                                           [{set,a},a],
                                           [{file,"new/ticks.erl"},{line,7}]},
                                    {gen_server,try_dispatch,4,
                                                [{file,"gen_server.erl"},{line,1123}]},
                                    {gen_server,handle_msg,6,
                                                [{file,"gen_server.erl"},{line,1200}]},
                                    {proc_lib,init_p_do_apply,3,
                                              [{file,"proc_lib.erl"},{line,240}]}]},
                  {gen_server,call,[<0.81.0>,get]}}
        different: 3 differences; 2 functions changed, 2 functions called with 1001 inputs; 2 of 2 changed clauses reached
    "#]]);
}

const SHARED: &str = "\
-module(shared).
-export([run/1]).
-spec run(0..2) -> integer().
run(N) ->
    T = ets:new(t, [public]), ets:insert(T, {n, N}),
    S = self(),
    [spawn(fun() -> add(T), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ets:lookup_element(T, n, 2).
add(T) -> ets:update_counter(T, n, 1).
";

#[test]
fn schedules() {
    let racy = SHARED.replace(
        "ets:update_counter(T, n, 1)",
        "[{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1})",
    );
    let files = [("old/shared.erl", SHARED), ("new/shared.erl", racy.as_str())];
    let project = Project::new("compare_schedules", &files);
    project.check(&["compare", "old", "new"], expect![[r#"
        exit 1
        --- stdout
        shared:run/1: does something new under some schedule
          shared:run(0)
            old: returns 2
            new: returns 2
            new: returns 1
        different: 1 difference; 1 function changed, 1 function called with 3 inputs; 1 of 1 changed clauses reached
    "#]]);
    project.check(&["compare", "old", "new", "--schedules", "all"], expect![[r#"
        exit 1
        --- stdout
        shared:run/1: does something new under some schedule
          shared:run(0)
            old: returns 2
            new: returns 2
            new: returns 1
        different: 1 difference; 1 function changed, 1 function called with 3 inputs; 1 of 1 changed clauses reached
    "#]]);
    project.check(&["compare", "old", "new", "--schedules", "matched"], expect![[r#"
        exit 1
        --- stdout
        shared:run/1: another value
          shared:run(0)
            old: returns 2
            new: returns 1
        different: 1 difference; 1 function changed, 1 function called with 3 inputs; 1 of 1 changed clauses reached
    "#]]);
    project.check(
        &["compare", "new", "new", "--fun", "run/1", "--schedules", "matched"],
        expect![[r#"
            exit 0
            --- stdout
            same as far as was looked; 0 functions changed, 1 function called with 3 inputs
        "#]],
    );
    // The other way round something is lost.
    project.check(&["compare", "new", "old", "--schedules", "all"], expect![[r#"
        exit 1
        --- stdout
        shared:run/1: under no schedule does all that it did
          shared:run(0)
            old: returns 2
            old: returns 1
            new: returns 2
        different: 1 difference; 1 function changed, 1 function called with 3 inputs; 1 of 1 changed clauses reached
    "#]]);
}

const HAPPY: &str = "\
-module(happy).
-export([main/2]).
-spec main(pos_integer(), 0..3) -> [pos_integer()].
main(N, M) -> happy_list(N, M, []).
happy_list(_, N, L) when length(L) =:= N -> lists:reverse(L);
happy_list(X, N, L) ->
    Happy = is_happy(X),
    if Happy -> happy_list(X + 1, N, [X | L]);
       true -> happy_list(X + 1, N, L)
    end.
is_happy(1) -> true;
is_happy(4) -> false;
is_happy(N) when N > 0 ->
    Digits = [Y - 48 || Y <- integer_to_list(N)],
    is_happy(lists:foldl(fun(X, Sum) -> (X * X) + Sum end, 0, Digits));
is_happy(_) -> false.
";

/// The points of the happy numbers: the result of the call, whichever way it is named.
#[test]
fn points() {
    let new = HAPPY.replace("module(happy)", "module(happier)").replace("N > 0", "N < 10, N > 0");
    let pois = "[{{'happy.erl', 7, call, 1}, {'happier.erl', {7, 13}, {7, 23}}}].\n";
    let files = [("happy.erl", HAPPY), ("happier.erl", new.as_str()), ("pois", pois)];
    let project = Project::new("compare_points", &files);
    let compare = |points: &[&str]| {
        let mut arguments = vec!["compare", "happy.erl", "happier.erl", "--fun", "main/2"];
        arguments.extend(["--runs", "40", "--max-steps", "3000", "--format", "json"]);
        arguments.extend(points);
        let ran = project.run(&arguments);
        let document: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let seen = |side: &str| document["differences"][0][side]["values"].to_string();
        let reached = document["inputs"]["points"][0]["reached"].as_u64().unwrap_or(0);
        assert!(reached > 20, "{document}");
        format!("{} {} {}", document["differences"][0]["label"], seen("old"), seen("new"))
    };
    let by_call = compare(&["--poi", "{'happy.erl',7,call,1}={'happier.erl',7,call,1}"]);
    expect![[r#""different_value" ["false","false","false","false","false","true"] ["false","false","false","false","false","false"]"#]].assert_eq(&by_call);
    for points in [
        ["--poi", "happy.erl:7 Happy=happier.erl:7 Happy"],
        ["--poi", "happy.erl:7:13=happier.erl:7:13-7:23"],
        ["--pois", "pois"],
    ] {
        assert_eq!(compare(&points), by_call, "{points:?}");
    }
    // The function that is called in its own tail returns to all that wait for it.
    let by_result = compare(&["--poi", "happy:is_happy/1=happier:is_happy/1"]);
    expect![[r#""different_value" ["false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","true"] ["false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false","false"]"#]].assert_eq(&by_result);
}

/// What somebody's own comparison says.
#[test]
fn own_comparisons() {
    const OWN: &str = "\
-module(own).
-export([same/2]).
same({_, V, _}, {_, V, _}) -> true;
same({1, _, [{call, {_, F, A}} | _]}, {1, _, [{call, {_, F, A}} | _]}) -> different_value_same_args;
same({1, _, _}, {1, _, _}) -> different_value_different_args.
";
    const WRONG: &str = "-module(wrong).\n-export([value/1]).\nvalue(_) -> error(no_idea).\n";
    let new = HAPPY.replace("N > 0", "N < 10, N > 0");
    let files = [
        ("old/happy.erl", HAPPY),
        ("new/happy.erl", new.as_str()),
        ("own.erl", OWN),
        ("wrong.erl", WRONG),
        ("none.erl", "-module(none).\n"),
    ];
    let project = Project::new("compare_own", &files);
    let compare = |judge: &str, point: &str| {
        let mut arguments = vec!["compare", "old", "new", "--fun", "main/2", "--runs", "40"];
        arguments.extend(["--max-steps", "3000", "--poi", point, "--judge", judge]);
        project.run(&arguments).transcript()
    };
    expect![[r#"
        exit 1
        --- stdout
        happy:main/2: different_value_same_args
          happy:main(2, 1)
            old: false, false, false, false, false, true
            old: the last of happy:is_happy(7)
            new: false, false, false, false, false, false
            new: the last of happy:is_happy(7)
        different: 1 difference; 1 function changed, 1 function called with 40 inputs; 5 of 5 changed clauses reached
    "#]].assert_eq(&compare("own.erl", "{'happy.erl', 7, call, 1}"));
    expect![[r#"
        exit 1
        --- stdout
        happy:main/2: fewer values at the points
          happy:main(2, 1)
            old: false, false, false, false, false, false, false, false, false
            old: the last of happy:is_happy(61)
            new: false, false, false, false, false, false, false, false
        happy:main/2: no values at points that had some
          happy:main(10, 1)
            old: true
            old: the last of happy:is_happy(1)
            new: no value
        happy:main/2: different_value_different_args
          happy:main(7, 1)
            old: true
            old: the last of happy:is_happy(1)
            new: false
            new: the last of happy:is_happy(49)
        different: 3 differences; 1 function changed, 1 function called with 40 inputs; 5 of 5 changed clauses reached
    "#]].assert_eq(&compare("own.erl", "happy.erl:15:5"));
    expect![[r#"
        exit 2
        --- stderr
        erlscope: the comparison wrong:value fails: no_idea
    "#]]
    .assert_eq(&compare("wrong.erl", "happy.erl:7:13"));
    expect![[r#"
        exit 2
        --- stderr
        erlscope: none exports neither same/2 nor value/1
    "#]]
    .assert_eq(&compare("none.erl", "happy.erl:7:13"));
}

/// Tests that are written pass on the old version and fail on the new one.
#[test]
fn tests_that_are_written() {
    let project = versions("compare_tests", &[("43 -> b", "43 -> d")]);
    let file = "old/m_tests.erl";
    assert_eq!(project.run(&["compare", "old", "new", "--write-tests", file]).code, Some(1));
    let old = project.run(&["test", "old"]);
    assert_eq!(old.code, Some(0), "{}", old.transcript());
    std::fs::copy(project.root.join(file), project.root.join("new/m_tests.erl"))
        .expect("it is there");
    assert_eq!(project.run(&["test", "new"]).code, Some(1));
}

const PROVABLE: &str = "\
-module(p).
-export([double/1, sign/1, pay/2, len/1, say/1, far/1, add/3]).
-spec double(integer()) -> integer().
double(X) -> X * 2.
-spec sign(integer()) -> neg | zero | pos.
sign(X) when X < 0 -> neg;
sign(0) -> zero;
sign(_) -> pos.
-spec pay(cash | card, 0..1000) -> {ok, integer()} | {error, atom()}.
pay(cash, N) when N > 500 -> {error, too_much};
pay(cash, N) -> {ok, N};
pay(card, N) -> {ok, N + 1}.
-spec len([any()]) -> non_neg_integer().
len([]) -> 0;
len([_ | T]) -> 1 + len(T).
-spec say(0..9) -> ok.
say(N) -> io:format(\"~w\", [N]).
-spec far(integer()) -> boolean().
far(X) -> X > 1000000 andalso X rem 7919 =:= 13.
-spec add(float(), float(), float()) -> float().
add(A, B, C) -> A + B + C.
";

/// Where all paths of both versions give the same, that is a proof; what goes through a list of any
/// length has none, nor what writes.
#[test]
fn proofs() {
    let new = PROVABLE
        .replace("X * 2", "X + X")
        .replace(
            "X < 0 -> neg;\nsign(0) -> zero;\nsign(_) -> pos",
            "X > 0 -> pos;\nsign(X) when X =:= 0 -> zero;\nsign(_) -> neg",
        )
        .replace(
            "N > 500 -> {error, too_much};\npay(cash, N) -> {ok, N}",
            "N =< 500 -> {ok, N};\npay(cash, _) -> {error, too_much}",
        );
    let loop_ = new.replace("len([_ | T]) -> 1 + len(T)", "len([_ | T]) -> len(T) + 1");
    let said = new.replace("say(N) -> io", "say(N) -> _ = N, io");
    let bug = new.replace("N =< 500", "N < 500");
    // What results are made of is decided at the end, and nowhere else.
    let far = PROVABLE.replace("=:= 13", "=:= 14").replace("A + B + C", "A + (B + C)");
    let files = [
        ("old/p.erl", PROVABLE),
        ("new/p.erl", new.as_str()),
        ("loop/p.erl", loop_.as_str()),
        ("said/p.erl", said.as_str()),
        ("bug/p.erl", bug.as_str()),
        ("far/p.erl", far.as_str()),
    ];
    let project = Project::new("compare_proofs", &files);
    project.check(&["compare", "old", "new", "--verbose", "--runs", "50"], expect![[r#"
        exit 0
        --- stdout
        p:double/1: 50 inputs; proven: equal results on every path of both (1 path)
        p:sign/1: 50 inputs; proven: equal results on every path of both (3 paths)
        p:pay/2: 50 inputs; proven: equal results on every path of both (3 paths)
        proven the same for all inputs of their types; 3 functions changed, 3 functions called with 150 inputs; 7 of 7 changed clauses reached
    "#]]);
    project.check(&["compare", "old", "loop", "--verbose", "--runs", "50"], expect![[r#"
        exit 0
        --- stdout
        p:double/1: 50 inputs; proven: equal results on every path of both (1 path)
        p:sign/1: 50 inputs; proven: equal results on every path of both (3 paths)
        p:pay/2: 50 inputs; proven: equal results on every path of both (3 paths)
        p:len/1: 50 inputs
        same as far as was looked; 4 functions changed, 4 functions called with 200 inputs; 9 of 9 changed clauses reached
    "#]]);
    project.check(&["compare", "old", "said", "--verbose", "--fun", "say/1"], expect![[r#"
        exit 0
        --- stdout
        p:say/1: 10 inputs; no others were found
        same as far as was looked; 4 functions changed, 1 function called with 10 inputs; 1 of 8 changed clauses reached
    "#]]);
    project.check(&["compare", "old", "bug", "--runs", "50", "--fun", "pay/2"], expect![[r#"
        exit 1
        --- stdout
        p:pay/2: another value
          p:pay(cash, 500)
            old: returns {ok,500}
            new: returns {error,too_much}
        different: 1 difference; 3 functions changed, 1 function called with 50 inputs; 3 of 7 changed clauses reached
        to find the place: erlscope debug bug 'p:pay(cash, 500)' --reference old
    "#]]);
    project.check(&["compare", "old", "far", "--runs", "50"], expect![[r#"
        exit 1
        --- stdout
        p:far/1: another value
          p:far(1005726)
            old: returns true
            new: returns false
        p:add/3: another value
          p:add(-1.0, 1.0, 5.0e-324)
            old: returns 5.0e-324
            new: returns 0.0
        different: 2 differences; 2 functions changed, 2 functions called with 100 inputs; 2 of 2 changed clauses reached
        to find the place: erlscope debug far 'p:far(1005726)' --reference old
    "#]]);
    let ran = project.run(&["compare", "old", "new", "--runs", "50", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(document["verdict"], "proven", "{document}");
    assert_eq!(ran.code, Some(0));
}

/// Calls that tests make are inputs; what was found is kept and run first the next time.
#[test]
fn seeds_and_corpus() {
    let old = "-module(k).\n-export([open/1]).\n-spec open(string()) -> boolean().\n\
               open(K) -> erlang:phash2(K) =:= 63015234 orelse K =:= other().\nother() -> \"\".\n";
    let new =
        old.replace("orelse K", "orelse not is_list(K) orelse K").replace("=:= 63015234", "< 0");
    let tests = "-module(k_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
                 open_test() -> ?assert(k:open(\"sesame\")).\n";
    let files = [("old/k.erl", old), ("new/k.erl", new.as_str()), ("new/k_tests.erl", tests)];
    let project = Project::new("compare_seeds", &files);
    project.check(&["compare", "old", "new", "--runs", "20", "--corpus", "kept"], expect![[r#"
        exit 1
        --- stdout
        k:open/1: another value
          k:open("sesame")
            old: returns true
            new: returns false
        different: 1 difference; 1 function changed, 1 function called with 20 inputs; 1 of 1 changed clauses reached
        to find the place: erlscope debug new 'k:open("sesame")' --reference old
    "#]]);
    std::fs::remove_file(project.root.join("new/k_tests.erl")).expect("it is there");
    project.check(&["compare", "old", "new", "--runs", "20", "--corpus", "kept"], expect![[r#"
        exit 1
        --- stdout
        k:open/1: another value
          k:open("sesame")
            old: returns true
            new: returns false
        different: 1 difference; 1 function changed, 1 function called with 20 inputs; 1 of 1 changed clauses reached
        to find the place: erlscope debug new 'k:open("sesame")' --reference old
    "#]]);
}

/// For tools that show findings beside the text.
#[test]
fn sarif() {
    let project = versions("compare_sarif", &[("43 -> b", "43 -> d")]);
    let ran = project.run(&["compare", "old", "new", "--format", "sarif"]);
    let document: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    let run = &document["runs"][0];
    expect![[r#"
        [
          {
            "level": "error",
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "new/m.erl"
                  },
                  "region": {
                    "endColumn": 42,
                    "endLine": 3,
                    "startColumn": 1,
                    "startLine": 3
                  }
                }
              }
            ],
            "message": {
              "text": "m:f/1: another value\n  m:f(42)\n    old: returns b\n    new: returns d"
            },
            "properties": {
              "label": "different_value"
            },
            "ruleId": "different_behaviour"
          }
        ]"#]]
    .assert_eq(&format!("{:#}", run["results"]));
    expect![[r#"[{"id":"different_behaviour","shortDescription":{"text":"two versions do different things for an input"}}]"#]].assert_eq(&format!("{}", run["tool"]["driver"]["rules"]));
}

const TABLE: &str = "\
-module(table).
-export([left/0]).
left() -> layout(left).

layout(Side) ->
    Rows = [string:tokens(Row, \"|\") || Row <- [\"pen|blue ink\", \"paper|grey\"]],
    Widths = [lists:max([length(Cell) || Cell <- Column]) || Column <- columns(Rows)],
    [line(Row, Widths, Side) || Row <- Rows].

columns([[] | _]) -> [];
columns(Rows) -> [[hd(Row) || Row <- Rows] | columns([tl(Row) || Row <- Rows])].

line(Row, Widths, Side) ->
    [apply(string, Side, [Cell, Width + 1, $\\s]) || {Cell, Width} <- lists:zip(Row, Widths)].
";

/// A point is moved towards the mistake: the labels say whether a call was given the same and gave
/// something else, or was given something else.
#[test]
fn points_that_move() {
    let new = TABLE.replace("module(table)", "module(table_2)").replace("Width + 1", "Width - 1");
    let own = "-module(own).\n-export([same/2]).\n\
        same({_, V, _}, {_, V, _}) -> true;\n\
        same({_, _, Old}, {_, _, New}) ->\n    {call, {_, _, A}} = lists:keyfind(call, 1, Old),\n    \
        case lists:keyfind(call, 1, New) of\n        {call, {_, _, A}} -> different_value_same_args;\n        \
        _ -> different_value_different_args\n    end.\n";
    let files = [("table.erl", TABLE), ("table_2.erl", new.as_str()), ("own.erl", own)];
    let project = Project::new("compare_table", &files);
    let compare = |line: u32, judge: &[&str]| {
        let point = format!("{{'table.erl', {line}, call}}={{'table_2.erl', {line}, call, 1}}");
        let mut arguments = vec!["compare", "table.erl", "table_2.erl", "--fun", "left/0"];
        arguments.extend(["--poi", &point]);
        arguments.extend(judge);
        project.run(&arguments).transcript()
    };
    expect![[r#"
        exit 1
        --- stdout
        table:left/0: another value
          table:left()
          table_2:left()
            old: [["pen   ","blue ink "],["paper ","grey     "]]
            old: the last of table:layout(left)
            new: [["pen ","blue in"],["pape","grey   "]]
            new: the last of table_2:layout(left)
        different: 1 difference; 1 function changed, 1 function called with 1 input; 1 of 1 changed clauses reached
    "#]].assert_eq(&compare(3, &[]));
    expect![[r#"
        exit 1
        --- stdout
        table:left/0: different_value_same_args
          table:left()
          table_2:left()
            old: ["pen   ","blue ink "]
            old: the last of table:line(["pen","blue ink"], [5,8], left)
            new: ["pen ","blue in"]
            new: the last of table_2:line(["pen","blue ink"], [5,8], left)
        different: 1 difference; 1 function changed, 1 function called with 1 input; 1 of 1 changed clauses reached
    "#]].assert_eq(&compare(8, &["--judge", "own.erl"]));
    expect![[r#"
        exit 1
        --- stdout
        table:left/0: different_value_different_args
          table:left()
          table_2:left()
            old: "pen   "
            old: the last of string:left("pen", 6, 32)
            new: "pen "
            new: the last of string:left("pen", 4, 32)
        different: 1 difference; 1 function changed, 1 function called with 1 input; 1 of 1 changed clauses reached
    "#]].assert_eq(&compare(14, &["--judge", "own.erl"]));
}

const ECHO: &str = "\
-module(echo).
-export([say/1]).
-spec say([0..9]) -> ok.
say(Numbers) ->
    Pid = spawn(fun() -> loop([]) end),
    [Pid ! {number, N} || N <- Numbers],
    Pid ! {stop, self()},
    receive {stopped, _} -> ok end.
loop(Seen) ->
    receive
        {number, N} -> loop([N | Seen]);
        {stop, From} -> From ! {stopped, self()}
    end.
";

/// Messages that a function receives as points; several points of one version for one of the other.
#[test]
fn messages_as_points() {
    let new = ECHO.replace("N <- Numbers]", "N <- lists:reverse(Numbers)]");
    let files = [("old/echo.erl", ECHO), ("new/echo.erl", new.as_str())];
    let project = Project::new("compare_received", &files);
    let arguments = ["compare", "old", "new", "--runs", "200", "--poi", "message echo:loop/1"];
    project.check(&arguments, expect![[r#"
        exit 1
        --- stdout
        echo:say/1: another value
          echo:say([0, 1])
            old: {number,0}
            new: {number,1}
        different: 1 difference; 1 function changed, 1 function called with 200 inputs; 3 of 3 changed clauses reached; of 200 inputs, whose processes can act in several orders, one order was tried (--schedules all)
    "#]]);
    let split = ECHO
        .replace("loop([N | Seen])", "again(N, Seen)")
        .replace("loop(Seen) ->", "again(N, Seen) when N > 4 -> loop([N | Seen]);\nagain(N, Seen) -> loop([N | Seen]).\nloop(Seen) ->");
    let files = [("old/echo.erl", ECHO), ("new/echo.erl", split.as_str())];
    let project = Project::new("compare_many", &files);
    project.check(
        &[
            "compare",
            "old",
            "new",
            "--runs",
            "60",
            "--poi",
            "old/echo.erl:11:24=new/echo.erl:9:30",
            "--poi",
            "old/echo.erl:11:24=new/echo.erl:10:19",
        ],
        expect![[r#"
            exit 0
            --- stdout
            same as far as was looked; 2 functions changed, 1 function called with 114 inputs; 5 of 5 changed clauses reached; of 114 inputs, whose processes can act in several orders, one order was tried (--schedules all)
        "#]],
    );
}
