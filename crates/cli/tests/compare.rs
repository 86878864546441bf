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
        m:f/1: 1000 inputs, 6 show a difference
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
        m:t/0: 1 input; no others were found
        m:r/0: 1 input, 1 differ by chance or time; no others were found
        m:p/0: 1 input, 1 differ by chance or time; no others were found
        m:fail/1: 3 inputs; no others were found
        same as far as was looked; 4 functions changed, 4 functions called with 6 inputs; 4 of 8 changed clauses reached
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
        counter:handle_cast/2: fails now
          counter:handle_cast(reset, a)
            old: returns {noreply,0}
            new: fails with error: badarith
        counter:handle_cast/2: another value
          counter:handle_cast(reset, 10)
            old: returns {noreply,0}
            new: returns {noreply,1}
        counter:start_link(): another value
          {ok, Server} = counter:start_link(),
          counter:add(Server, 4),
          counter:add(Server, 6),
          counter:reset(Server),
          counter:value(Server)
            old: returns #{1 => 4,2 => 10,3 => ok,4 => 0}
            new: returns #{1 => 4,2 => 10,3 => ok,4 => 1}
        different: 3 differences; 1 function changed, 6 functions called with 2039 inputs; 1 of 1 changed clauses reached
        to find the place: erlscope debug new 'counter:handle_cast(reset, a)' --reference old
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
        exit 0
        --- stdout
        same as far as was looked; 1 function changed, 1 function called with 3 inputs; 1 of 1 changed clauses reached
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
            new: false, false, false, false, false, false
        different: 1 difference; 1 function changed, 1 function called with 40 inputs; 5 of 5 changed clauses reached
    "#]].assert_eq(&compare("own.erl", "{'happy.erl', 7, call, 1}"));
    expect![[r#"
        exit 1
        --- stdout
        happy:main/2: fewer values at the points
          happy:main(2, 1)
            old: false, false, false, false, false, false, false, false, false
            new: false, false, false, false, false, false, false, false
        happy:main/2: no values at points that had some
          happy:main(10, 1)
            old: true
            new: no value
        happy:main/2: different_value_different_args
          happy:main(7, 1)
            old: true
            new: false
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
