%% A Common Test suite run by ct:run_test: counts, and what the suite saw.
-module(scenario_ct).

-export([scenarios/0]).

scenarios() ->
    [{run, fun() -> run([]) end},
     {cases, fun() -> run([{testcase, [ok, fails]}]) end},
     {group, fun() -> run([{group, [seq]}]) end}].

run(Options) ->
    Collector = spawn(fun() -> collect([]) end),
    register(ct_trace, Collector),
    ok = filelib:ensure_dir("logs/x"),
    Dir = filename:dirname(code:which(sample_SUITE)),
    Result = ct:run_test([{dir, Dir}, {suite, sample_SUITE}, {logdir, "logs"}, {auto_compile, false} | Options]),
    unregister(ct_trace),
    Collector ! {take, self()},
    Trace = receive {traced, T} -> T end,
    {Result, Trace}.

collect(Trace) ->
    receive
        {trace, What} -> collect([What | Trace]);
        {take, From} -> From ! {traced, lists:reverse(Trace)}
    end.
