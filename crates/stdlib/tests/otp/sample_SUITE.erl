-module(sample_SUITE).

-include_lib("common_test/include/ct.hrl").

-export([suite/0, all/0, groups/0, init_per_suite/1, end_per_suite/1, init_per_group/2, end_per_group/2,
         init_per_testcase/2, end_per_testcase/2]).
-export([ok/1, fails/1, errors/1, throws/1, skips/1, skips_by_throw/1, comments/1, comments_by_call/1,
         saves/1, reads_saved/1, init_skips/1, init_fails/1, init_crashes/1, end_fails/1, end_crashes/1,
         times_out/0, times_out/1, resets_timetrap/0, resets_timetrap/1, linked_dies/1, uses_config/1,
         requires/0, requires/1, captures/1, killed/1, aborted/1,
         s1/1, s2/1, s3/1, p1/1, p2/1, r1/1, n1/1, never/1]).

suite() -> [{timetrap, {seconds, 20}}].

all() ->
    [ok, fails, errors, throws, skips, skips_by_throw, comments, comments_by_call, saves, reads_saved,
     init_skips, init_fails, init_crashes, end_fails, end_crashes, times_out, resets_timetrap, linked_dies,
     uses_config, requires, captures, killed, aborted,
     {group, seq}, {group, par}, {group, rep}, {group, outer}, {group, skipped}, {group, broken}].

groups() ->
    [{seq, [sequence], [s1, s2, s3]},
     {par, [parallel], [p1, p2]},
     {rep, [{repeat, 2}], [r1]},
     {outer, [], [{inner, [], [n1]}, n1]},
     {skipped, [], [never]},
     {broken, [], [never]}].

trace(What) ->
    case whereis(ct_trace) of
        undefined -> ok;
        Pid -> Pid ! {trace, What}
    end.

init_per_suite(Config) ->
    trace({init_per_suite, [is_list(?config(K, Config)) || K <- [data_dir, priv_dir]],
           filelib:is_dir(?config(priv_dir, Config))}),
    [{suite_key, suite_value} | Config].
end_per_suite(Config) -> trace({end_per_suite, ?config(suite_key, Config)}), ok.

init_per_group(skipped, _) -> {skip, "not today"};
init_per_group(broken, _) -> error(broken);
init_per_group(Name, Config) ->
    trace({init_per_group, Name, ?config(tc_group_properties, Config)}),
    [{group_key, Name} | Config].
end_per_group(Name, Config) -> trace({end_per_group, Name, ?config(group_key, Config)}), ok.

init_per_testcase(init_skips, _) -> {skip, why};
init_per_testcase(init_fails, _) -> {fail, why};
init_per_testcase(init_crashes, _) -> error(why);
init_per_testcase(Case, Config) -> in_order(Case) andalso trace({init, Case}), [{case_key, Case} | Config].

end_per_testcase(end_fails, _) -> {fail, in_the_end};
end_per_testcase(end_crashes, _) -> error(in_the_end);
end_per_testcase(Case, Config) ->
    Status = case ?config(tc_status, Config) of
                 {failed, {R, [{_, _, _, _} | _]}} -> {failed, {R, stack}};
                 {failed, {thrown, {R, _}}} -> {failed, {thrown, R}};
                 S -> S
             end,
    in_order(Case) andalso trace({'end', Case, Status}),
    ok.

%% Parallel cases come in any order.
in_order(Case) -> Case =/= p1 andalso Case =/= p2.

ok(Config) -> ok = ?config(case_key, Config).
fails(_) -> ct:fail("reason ~p", [x]).
errors(_) -> error(an_error).
throws(_) -> throw(a_throw).
skips(_) -> {skip, "because"}.
skips_by_throw(_) -> throw({skip, "because"}).
comments(_) -> {comment, "said"}.
comments_by_call(_) -> ct:comment("said"), ok.
saves(_) -> {save_config, [{saved, 17}]}.
reads_saved(Config) -> {saves, [{saved, 17}]} = ?config(saved_config, Config), ok.
init_skips(_) -> error(not_reached).
init_fails(_) -> error(not_reached).
init_crashes(_) -> error(not_reached).
end_fails(_) -> ok.
end_crashes(_) -> ok.
times_out() -> [{timetrap, 50}].
times_out(_) -> timer:sleep(5000).
resets_timetrap() -> [{timetrap, 30}].
resets_timetrap(_) -> ct:timetrap({seconds, 5}), timer:sleep(60).
linked_dies(_) -> spawn_link(fun() -> exit(from_link) end), timer:sleep(5000).
uses_config(Config) -> suite_value = ?config(suite_key, Config), undefined = ?config(nothing, Config), undefined = ct:get_config(nothing), default = ct:get_config(nothing, default), ok.
requires() -> [{require, not_there}].
requires(_) -> error(not_reached).
captures(_) -> ct:capture_start(), io:format("captured ~p", [1]), ct:capture_stop(), io:format("not"), ["captured 1"] = ct:capture_get(), ok.
killed(_) -> exit(self(), kill), timer:sleep(1000).
aborted(_) -> ct:abort_current_testcase(enough), timer:sleep(5000).
s1(_) -> ok.
s2(_) -> ct:fail(stop_here).
s3(_) -> error(not_reached).
p1(_) -> timer:sleep(10), ok.
p2(_) -> ok.
r1(_) -> trace(r1).
n1(Config) -> trace({n1, ?config(group_key, Config)}).
never(_) -> error(not_reached).
