//! `erlscope test` on properties, without PropEr.

mod harness;

use expect_test::{Expect, expect};
use harness::Project;
use serde_json::Value;

/// A module of properties, and what `erlscope test` says about it.
fn check(name: &str, body: &str, expected: Expect) {
    let header = "-module(p).\n-include_lib(\"proper/include/proper.hrl\").\n";
    let text = format!("{header}{body}");
    Project::new(name, &[("p.erl", &text)]).check(&["test", "--no-witnesses"], expected);
}

#[test]
fn small_counterexamples() {
    check(
        "prop_small",
        "\
prop_sorted() -> ?FORALL(L, list(integer()), lists:usort(L) =:= lists:sort(L)).
prop_nested() -> ?FORALL(X, nat(), ?FORALL(Y, nat(), X < 3 orelse Y < 5)).
prop_let() -> ?FORALL({N, L}, ?LET(N, pos_integer(), {N, vector(N, byte())}), N < 3 orelse lists:sum(L) < 9).
prop_such() -> ?FORALL(N, ?SUCHTHAT(X, integer(), X rem 2 =:= 0), N < 7).
prop_text() -> ?FORALL(B, binary(), byte_size(B) < 2).
",
        expect![[r#"
            exit 1
            --- stdout
            FAILED p properties (0 passed, 5 failed)
              prop_sorted: failed
                false after 9 tests, made smaller 4 times
                  L = [0,0]
                found as
                  L = [0,-1,-3,-1]
                 --> p.erl:3:1
                  |
                3 | prop_sorted() -> ?FORALL(L, list(integer()), lists:usort(L) =:= lists:sort(L)).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_nested: failed
                false after 12 tests
                  X = 3
                  Y = 5
                 --> p.erl:4:1
                  |
                4 | prop_nested() -> ?FORALL(X, nat(), ?FORALL(Y, nat(), X < 3 orelse Y < 5)).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_let: failed
                false after 6 tests, made smaller 8 times
                  {N, L} = {3,[0,0,9]}
                found as
                  {N, L} = {3,"Ù;ÿ"}
                 --> p.erl:5:1
                  |
                5 | prop_let() -> ?FORALL({N, L}, ?LET(N, pos_integer(), {N, vector(N, byte())}), N < 3 orelse lists:sum(L) < 9).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_such: failed
                false after 25 tests, made smaller once
                  N = 8
                found as
                  N = 10
                 --> p.erl:6:1
                  |
                6 | prop_such() -> ?FORALL(N, ?SUCHTHAT(X, integer(), X rem 2 =:= 0), N < 7).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_text: failed
                false after 6 tests, made smaller 2 times
                  B = <<0,0>>
                found as
                  B = <<7,156>>
                 --> p.erl:7:1
                  |
                7 | prop_text() -> ?FORALL(B, binary(), byte_size(B) < 2).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            0 passed, 5 failed
        "#]],
    );
}

#[test]
fn types_of_the_module() {
    check(
        "prop_types",
        "\
-type colour() :: red | {rgb, byte(), byte(), byte()}.
-type tree(T) :: leaf | {node, tree(T), T, tree(T)}.
-record(r, {a :: integer(), b :: colour()}).
-type rec() :: #r{}.
-type m() :: #{a := integer(), b => boolean()}.
prop_union() -> ?FORALL(C, colour(), case C of {rgb, _, G, _} -> G < 77; _ -> true end).
depth(leaf) -> 0;
depth({node, L, _, R}) -> 1 + max(depth(L), depth(R)).
prop_tree() -> ?FORALL(T, tree(nat()), depth(T) < 2).
prop_record() -> ?FORALL(R, rec(), is_record(R, r)).
prop_map() -> ?FORALL(M, m(), is_integer(map_get(a, M)) andalso map_size(M) < 2).
prop_remote() -> ?FORALL({_, M, _}, calendar:date(), M < 13).
prop_none() -> ?FORALL(X, lists:no_such(), X).
",
        expect![[r#"
            exit 1
            --- stdout
            FAILED p properties (2 passed, 4 failed)
              prop_union: failed
                false after 4 tests, made smaller 6 times
                  C = {rgb,0,77,0}
                found as
                  C = {rgb,132,202,115}
                 --> p.erl:8:1
                  |
                8 | prop_union() -> ?FORALL(C, colour(), case C of {rgb, _, G, _} -> G < 77; _ -> true end).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_tree: failed
                false after 4 tests, made smaller 2 times
                  T = {node,leaf,0,{node,leaf,0,leaf}}
                found as
                  T = {node,leaf,1,{node,leaf,1,leaf}}
                  --> p.erl:11:1
                   |
                11 | prop_tree() -> ?FORALL(T, tree(nat()), depth(T) < 2).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_map: failed
                false after 3 tests, made smaller once
                  M = #{a => 0,b => false}
                found as
                  M = #{a => 1,b => false}
                  --> p.erl:13:1
                   |
                13 | prop_map() -> ?FORALL(M, m(), is_integer(map_get(a, M)) andalso map_size(M) < 2).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_none: failed
                no value can be made: lists:no_such/0 is neither a function nor a type
                  --> p.erl:15:1
                   |
                15 | prop_none() -> ?FORALL(X, lists:no_such(), X).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            2 passed, 4 failed
        "#]],
    );
}

#[test]
fn ways_to_fail() {
    check(
        "prop_ways",
        "\
prop_raises() -> ?FORALL(X, nat(), ?WHENFAIL(io:format(\"with ~p~n\", [X]), 10 div (X - 4) < 20)).
prop_link() -> ?FORALL(X, nat(), begin spawn_link(fun() -> X < 4 orelse exit(oops) end), receive after 1 -> true end end).
prop_trap() -> ?FORALL(X, nat(), ?TRAPEXIT(begin X < 4 orelse exit(oops), true end)).
prop_time() -> ?FORALL(X, nat(), ?TIMEOUT(10, begin timer:sleep(X * 2), true end)).
prop_parts() -> ?FORALL(X, nat(), conjunction([{small, X < 6}, {even, ?FORALL(Y, nat(), X + Y >= 0)}])).
prop_equal() -> ?FORALL(X, nat(), equals(X, min(X, 3))).
prop_meant() -> fails(?FORALL(X, nat(), X < 5)).
prop_not_meant() -> fails(?FORALL(X, nat(), X >= 0)).
prop_no_boolean() -> ?FORALL(X, nat(), X).
prop_no_value() -> ?FORALL(X, ?SUCHTHAT(Y, nat(), Y > 1000), X > 0).
prop_no_test() -> ?FORALL(X, nat(), ?IMPLIES(X > 1000, true)).
",
        expect![[r#"
            exit 1
            --- stdout
            FAILED p properties (1 passed, 10 failed)
              prop_raises: failed
                fails after 9 tests
                exception error: an error occurred when evaluating an arithmetic expression
                  in operator  div/2
                     called as 10 div 0
                  in call from p:'-prop_raises/0-fun-0-'/1 (p.erl, line 3)
                  X = 4
                 --> p.erl:3:1
                  |
                3 | prop_raises() -> ?FORALL(X, nat(), ?WHENFAIL(io:format("with ~p~n", [X]), 10 div (X - 4) < 20)).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                output:
                  with 4
              prop_link: failed
                fails after 9 tests
                exception exit: oops
                  X = 4
                 --> p.erl:4:1
                  |
                4 | prop_link() -> ?FORALL(X, nat(), begin spawn_link(fun() -> X < 4 orelse exit(oops) end), receive after 1 -> true end end).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_trap: failed
                fails after 9 tests
                exception exit: oops
                  in function  p:'-prop_trap/0-fun-0-'/1 (p.erl, line 5)
                  X = 4
                 --> p.erl:5:1
                  |
                5 | prop_trap() -> ?FORALL(X, nat(), ?TRAPEXIT(begin X < 4 orelse exit(oops), true end)).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_time: failed
                takes longer than 10 ms after 14 tests, made smaller once
                  X = 5
                found as
                  X = 6
                 --> p.erl:6:1
                  |
                6 | prop_time() -> ?FORALL(X, nat(), ?TIMEOUT(10, begin timer:sleep(X * 2), true end)).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_parts: failed
                small: false after 14 tests, made smaller once
                  X = 6
                  even.Y = 0
                found as
                  X = 6
                  even.Y = 4
                 --> p.erl:7:1
                  |
                7 | prop_parts() -> ?FORALL(X, nat(), conjunction([{small, X < 6}, {even, ?FORALL(Y, nat(), X + Y >= 0)}])).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_equal: failed
                false after 9 tests
                  X = 4
                 --> p.erl:8:1
                  |
                8 | prop_equal() -> ?FORALL(X, nat(), equals(X, min(X, 3))).
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                output:
                  4 =/= 3
              prop_not_meant: failed
                it was meant to fail, and holds in 100 tests
                  --> p.erl:10:1
                   |
                10 | prop_not_meant() -> fails(?FORALL(X, nat(), X >= 0)).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_no_boolean: failed
                a property is true or false, not 1
                  --> p.erl:11:1
                   |
                11 | prop_no_boolean() -> ?FORALL(X, nat(), X).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_no_value: failed
                no value meets the condition of a ?SUCHTHAT: make values that do
                  --> p.erl:12:1
                   |
                12 | prop_no_value() -> ?FORALL(X, ?SUCHTHAT(Y, nat(), Y > 1000), X > 0).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              prop_no_test: failed
                no test meets the condition of its ?IMPLIES: make values that do
                  --> p.erl:13:1
                   |
                13 | prop_no_test() -> ?FORALL(X, nat(), ?IMPLIES(X > 1000, true)).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            1 passed, 10 failed
        "#]],
    );
}

#[test]
fn one_that_does_not_end_is_given_up_alone() {
    let text = "\
-module(prop_ends).
-include_lib(\"proper/include/proper.hrl\").
prop_loops() -> ?FORALL(X, nat(), loop(X)).
prop_fine() -> ?FORALL(X, nat(), X >= 0).
loop(X) when X > 3 -> loop(X);
loop(_) -> true.
";
    let project = Project::new("prop_ends", &[("prop_ends.erl", text)]);
    project.check(
        &["test", "--max-steps", "200000", "--no-witnesses"],
        expect![[r#"
        exit 1
        --- stdout
        FAILED prop_ends properties (1 passed, 0 failed, 1 cancelled)
          prop_loops: cancelled
            timed out
        1 passed, 0 failed, 1 cancelled
    "#]],
    );
}

#[test]
fn with_tests_in_one_module() {
    let text = "\
-module(both).
-include_lib(\"proper/include/proper.hrl\").
-include_lib(\"eunit/include/eunit.hrl\").
prop_even() -> ?FORALL(X, even(), collect(X rem 2, X rem 2 =:= 0)).
even() -> ?LET(N, nat(), 2 * N).
even_test() -> ?assertMatch({ok, N} when N rem 2 =:= 0, proper_gen:pick(even())).
quick_test() -> ?assert(proper:quickcheck(prop_even(), [quiet, {numtests, 10}])).
";
    let project = Project::new("prop_both", &[("both.erl", text)]);
    project.check(
        &["test", "--verbose"],
        expect![[r#"
            exit 0
            --- stdout
            ok     both (2 passed, 0 failed)
              even_test: ok
              quick_test: ok
            ok     both properties (1 passed, 0 failed)
              prop_even: ok - 100 tests
                100% 0
            3 passed, 0 failed
        "#]],
    );
}

#[test]
fn a_server_against_its_model() {
    let text = "\
-module(prop_counter).
-include_lib(\"proper/include/proper.hrl\").
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3, add/1, take/1]).
prop_counter() ->
    ?FORALL(Commands, commands(?MODULE),
            begin
                put(counter, 0),
                {_, _, Result} = run_commands(?MODULE, Commands),
                Result =:= ok
            end).
add(N) -> put(counter, get(counter) + N), get(counter).
take(N) -> put(counter, max(0, get(counter) - N)), get(counter).
initial_state() -> 0.
command(_) -> oneof([{call, ?MODULE, add, [nat()]}, {call, ?MODULE, take, [nat()]}]).
precondition(S, {call, _, take, [N]}) -> S + 2 >= N;
precondition(_, _) -> true.
next_state(S, _, {call, _, add, [N]}) -> S + N;
next_state(S, _, {call, _, take, [N]}) -> S - N.
postcondition(S, {call, _, add, [N]}, R) -> R =:= S + N;
postcondition(S, {call, _, take, [N]}, R) -> R =:= S - N.
";
    let project = Project::new("prop_statem", &[("prop_counter.erl", text)]);
    project.check(
        &["test", "--no-witnesses"],
        expect![[r#"
        exit 1
        --- stdout
        FAILED prop_counter properties (0 passed, 1 failed)
          prop_counter: failed
            false after 6 tests, made smaller 2 times
              Commands = [{set,{var,2},{call,prop_counter,take,[1]}}]
            found as
              Commands = [{set,{var,1},{call,prop_counter,take,[0]}},
                          {set,{var,2},{call,prop_counter,take,[2]}}]
             --> prop_counter.erl:4:1
              |
            4 | prop_counter() ->
              | ^^^^^^^^^^^^^^^^^
        0 passed, 1 failed
    "#]],
    );
}

const RACE: &str = "\
-module(prop_race).
-include_lib(\"proper/include/proper.hrl\").
prop_order() ->
    ?FORALL(N, choose(1, 2),
            begin
                Self = self(),
                [spawn(fun() -> Self ! I end) || I <- lists:seq(1, N)],
                lists:seq(1, N) =:= [receive I -> I end || _ <- lists:seq(1, N)]
            end).
prop_sum() ->
    ?FORALL(N, choose(1, 2),
            begin
                Self = self(),
                [spawn(fun() -> Self ! I end) || I <- lists:seq(1, N)],
                lists:sum(lists:seq(1, N)) =:= lists:sum([receive I -> I end || _ <- lists:seq(1, N)])
            end).
";

#[test]
fn schedules() {
    let project = Project::new("prop_race", &[("prop_race.erl", RACE)]);
    project.check(
        &["test", "--verbose", "--explore", "--witnesses", "w"],
        expect![[r#"
        exit 1
        --- stdout
        FAILED prop_race properties (1 passed, 1 failed)
          prop_order: failed
            fails under another schedule
              with the values [2]
            prop_order/0 exits abnormally: {property_failed,false}
            witness: w/prop_race-prop_order-abnormal_exit.witness
          prop_sum: ok - 100 tests
            explored: 2 cases, 3 executions
        1 passed, 1 failed
    "#]],
    );
    project.check(
        &["replay", "w/prop_race-prop_order-abnormal_exit.witness"],
        expect![[r#"
            exit 1
            --- stdout
                 prop_order/0 starts fun in prop_order/0 #1           prop_race.erl:7
                 prop_order/0 starts fun in prop_order/0 #2           prop_race.erl:7
                 fun in prop_order/0 #2 sends 2 to prop_order/0       prop_race.erl:7
                 prop_order/0 receives 2 from fun in prop_order/0 #2  prop_race.erl:8
                 fun in prop_order/0 #1 sends 1 to prop_order/0       prop_race.erl:7
                 prop_order/0 receives 1 from fun in prop_order/0 #1  prop_race.erl:8
              >> prop_order/0 exits: {property_failed,false}
            abnormal_exit: prop_order/0 exits abnormally: {property_failed,false}
        "#]],
    );
}

#[test]
fn witnesses() {
    let text = "\
-module(prop_fun).
-include_lib(\"proper/include/proper.hrl\").
prop_value() -> ?FORALL(X, list(atom()), length(X) < 2).
prop_fun() -> ?FORALL(F, function1(boolean()), F(1)).
";
    let project = Project::new("prop_witness", &[("prop_fun.erl", text)]);
    project.check(&["test", "--format", "junit", "--seed", "3"], expect![[r#"
        exit 1
        --- stdout
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="2" failures="2" errors="0" skipped="0">
          <testsuite name="prop_fun" file="prop_fun.erl" tests="2" failures="2" errors="0" skipped="0" time="0.000">
            <testcase classname="prop_fun" name="prop_value" time="0.000">
              <failure message="false after 5 tests">false after 5 tests
          X = ['','']
         --&gt; prop_fun.erl:3:1
          |
        3 | prop_value() -&gt; ?FORALL(X, list(atom()), length(X) &lt; 2).
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        witness: erlscope-witnesses/prop_fun-prop_value.witness
        </failure>
            </testcase>
            <testcase classname="prop_fun" name="prop_fun" time="0.000">
              <failure message="false after 1 test, made smaller once">false after 1 test, made smaller once
          F = fun (_) -&gt; false end
         --&gt; prop_fun.erl:4:1
          |
        4 | prop_fun() -&gt; ?FORALL(F, function1(boolean()), F(1)).
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        witness: erlscope-witnesses/prop_fun-prop_fun.witness
        </failure>
            </testcase>
          </testsuite>
        </testsuites>
    "#]]);
    project.check(
        &["replay", "erlscope-witnesses/prop_fun-prop_value.witness"],
        expect![[r#"
        exit 1
        --- stdout
        prop_value: failed
          false after 1 test
            X = ['','']
           --> prop_fun.erl:3:1
            |
          3 | prop_value() -> ?FORALL(X, list(atom()), length(X) < 2).
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
    // A fun cannot be written down: all tests are run again.
    project.check(
        &["replay", "erlscope-witnesses/prop_fun-prop_fun.witness"],
        expect![[r#"
            exit 1
            --- stdout
            prop_fun: failed
              false after 1 test
                F = fun (_) -> false end
               --> prop_fun.erl:4:1
                |
              4 | prop_fun() -> ?FORALL(F, function1(boolean()), F(1)).
                | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn json() {
    let project = Project::new("prop_json", &[("prop_race.erl", RACE)]);
    let run = project.run(&["test", "--format", "json", "--explore", "--no-witnesses"]);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let property = |n: usize| &document["modules"][0]["tests"][n]["property"];
    assert_eq!(document["modules"][0]["kind"], "properties");
    assert_eq!(property(0)["explored"]["found"]["finding"], "abnormal_exit");
    assert_eq!(property(1)["tests"], 100);
    assert_eq!(property(1)["explored"]["complete"], true);
    assert_eq!(property(1)["explored"]["found"], Value::Null);
}

/// `explore --tests` takes some cases of each property.
#[test]
fn properties_are_explored() {
    let text = "-module(p).\n-include_lib(\"proper/include/proper.hrl\").\n\
        prop_first() -> ?FORALL(N, range(1, 2), begin\n    S = self(),\n    \
        [spawn(fun() -> S ! {I} end) || I <- [1, 2]],\n    \
        receive {I} -> I =:= 1 orelse N =:= 1 end\nend).\n";
    let project = Project::new("prop_explored", &[("p.erl", text)]);
    let ran = project.run(&["explore", "--tests", "--no-witnesses", "."]);
    assert_eq!(ran.code, Some(1), "{}", ran.transcript());
    let table = ran.stdout.split("\ntest ").last().unwrap_or_default();
    expect![[r#"
                          result    executions
        p:prop_first with [2]  fails              2  1 error
        p:prop_first with [1]  verified           2
        2 tests: 1 verified, 1 fail, 0 not complete
    "#]]
    .assert_eq(table);
}

/// Two processes ask a server that is none: who reads before the other has written gets the same.
const COUNTER: &str = "\
-module(prop_counter).
-include_lib(\"proper/include/proper.hrl\").
-behaviour(proper_statem).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3, next/0]).
initial_state() -> 0.
command(_) -> {call, ?MODULE, next, []}.
precondition(_, _) -> true.
next_state(N, _, _) -> N + 1.
postcondition(N, _, Result) -> Result =:= N.
next() ->
    [{n, N}] = ets:lookup(counter, n),
    ets:insert(counter, {n, N + 1}),
    N.
prop_counts() ->
    ?FORALL(Commands, parallel_commands(?MODULE), begin
        ets:new(counter, [named_table, public]),
        ets:insert(counter, {n, 0}),
        {_, _, Result} = run_parallel_commands(?MODULE, Commands),
        ets:delete(counter),
        aggregate(command_names(Commands), Result =:= ok)
    end).
";

#[test]
fn calls_in_parallel() {
    let project = Project::new("prop_counter", &[("prop_counter.erl", COUNTER)]);
    project.check(
        &["test", "--no-witnesses"],
        expect![[r#"
        exit 0
        --- stdout
        ok     prop_counter properties (1 passed, 0 failed)
        1 passed, 0 failed
    "#]],
    );
    project.check(&["test", "--no-witnesses", "--explore"], expect![[r#"
        exit 1
        --- stdout
        FAILED prop_counter properties (0 passed, 1 failed)
          prop_counts: failed
            fails under another schedule
              with the values [{[{set,{var,1},{call,prop_counter,next,[]}},{set,{var,2},{call,prop_counter,next,[]}}],[[{set,{var,3},{call,prop_counter,next,[]}}],[{set,{var,4},{call,prop_counter,next,[]}}]]}]
            prop_counts/0 exits abnormally: {property_failed,false}
        0 passed, 1 failed
    "#]]);
}

#[test]
fn funs_are_told_as_source() {
    let text = "-module(prop_table).\n-include_lib(\"proper/include/proper.hrl\").\n\
        prop_same() -> ?FORALL({F, L}, {function1(nat()), list(nat())}, \
        length(lists:usort([F(X) || X <- L])) < 2).\n\
        prop_two() -> ?FORALL(F, function2(boolean()), F(a, 1) =:= F(b, 2)).\n\
        prop_unused() -> ?FORALL(F, function0(nat()), not is_function(F)).\n";
    let project = Project::new("prop_table", &[("prop_table.erl", text)]);
    project.check(&["test"], expect![[r#"
        exit 1
        --- stdout
        FAILED prop_table properties (0 passed, 3 failed)
          prop_same: failed
            false after 6 tests, made smaller once
              {F, L} = {fun (0) -> 0; (_) -> 1 end,[0,1]}
            found as
              {F, L} = {fun (0) -> 0; (_) -> 1 end,[0,0,1]}
             --> prop_table.erl:3:1
              |
            3 | prop_same() -> ?FORALL({F, L}, {function1(nat()), list(nat())}, length(lists:usort([F(X) || X <- L])) < 2).
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            witness: erlscope-witnesses/prop_table-prop_same.witness
          prop_two: failed
            false after 1 test, made smaller once
              F = fun (a, 1) -> false; (_, _) -> true end
             --> prop_table.erl:4:1
              |
            4 | prop_two() -> ?FORALL(F, function2(boolean()), F(a, 1) =:= F(b, 2)).
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            witness: erlscope-witnesses/prop_table-prop_two.witness
          prop_unused: failed
            false after 1 test, made smaller once
              F = fun () -> ok end
             --> prop_table.erl:5:1
              |
            5 | prop_unused() -> ?FORALL(F, function0(nat()), not is_function(F)).
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            witness: erlscope-witnesses/prop_table-prop_unused.witness
        0 passed, 3 failed
    "#]]);
    project.check(
        &["replay", "erlscope-witnesses/prop_table-prop_two.witness"],
        expect![[r#"
        exit 1
        --- stdout
        prop_two: failed
          false after 1 test
            F = fun (a, 1) -> false; (_, _) -> true end
           --> prop_table.erl:4:1
            |
          4 | prop_two() -> ?FORALL(F, function2(boolean()), F(a, 1) =:= F(b, 2)).
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
}

#[test]
fn specs_are_checked() {
    check(
        "prop_specs",
        "\
-export([half/1, first/1, swap/1]).
-spec half(non_neg_integer()) -> non_neg_integer().
half(N) -> N / 2.
-spec first([T, ...]) -> T.
first([X | _]) -> X.
-type pair(A, B) :: {A, B}.
-spec swap(P) -> pair(integer(), atom()) when P :: pair(atom(), integer()).
swap({A, B}) -> {B, A}.
prop_half() -> proper:check_spec({?MODULE, half, 1}, quiet).
prop_first() -> proper:check_spec({?MODULE, first, 1}, quiet).
prop_swap() -> proper:check_spec({?MODULE, swap, 1}, quiet).
prop_all() -> proper:check_specs(?MODULE, quiet) =:= [{?MODULE, half, 1}].
",
        expect![[r#"
            exit 1
            --- stdout
            FAILED p properties (3 passed, 1 failed)
              prop_half: failed
                false after 1 test
                  --> p.erl:11:1
                   |
                11 | prop_half() -> proper:check_spec({?MODULE, half, 1}, quiet).
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                output:
                  p:half/1 gives 0.0
            3 passed, 1 failed
        "#]],
    );
}
