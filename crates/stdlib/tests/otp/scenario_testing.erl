%% EUnit's output, on sample modules.
-module(scenario_testing).

-export([scenarios/0]).

eunit(Tests, Options) ->
    R = eunit:test(Tests, Options),
    io:format("~p~n", [R]),
    R.

scenarios() ->
    [{eunit, fun() -> eunit(sample_eunit, []) end},
     {eunit_verbose, fun() -> eunit(sample_eunit, [verbose]) end},
     {eunit_more, fun() -> eunit(sample_eunit_more, [verbose]) end},
     {eunit_one, fun() -> eunit(fun() -> ok end, []) end},
     {eunit_two, fun() -> eunit([fun() -> ok end, fun() -> ok end], []) end},
     {eunit_none, fun() -> eunit([], []) end},
     {eunit_missing, fun() -> eunit([{test, sample_eunit, nothing}, {test, no_module, f}, no_module_at_all], []) end},
     {eunit_bad, fun() -> eunit([foo_bar, {bad, test}], []) end},
     {eunit_titles, fun() -> eunit({"outer", [{"inner", [fun() -> ok end, {"named", fun() -> ok end}]}, {"generated", {generator, fun() -> [fun() -> ok end] end}}]}, [verbose]) end},
     {eunit_text, fun() -> [lists:flatten(eunit_lib:format_exception({error, foo, [{m, f, 1, [{file, "m.erl"}, {line, 2}]}, {m, g, [1, 2], []}, {erlang, '+', [1, a], []}]}))] end}].
