%% Workers that crash, are noticed and replaced.
%% inputs: supervise(list(one(1; 2; 0))), timeouts(int), first_answer(int)
-module(workers_and_failures).
-export([supervise/1, timeouts/1, first_answer/1]).

supervise(Jobs) ->
    process_flag(trap_exit, true),
    Results = [run(J, 2) || J <- Jobs],
    Ok = [R || {ok, R} <- Results],
    Failed = length(Results) - length(Ok),
    {Ok, Failed}.

run(_, 0) -> failed;
run(Job, Tries) ->
    Me = self(),
    Pid = spawn_link(fun() -> Me ! {self(), work(Job, Tries)} end),
    receive
        {Pid, Result} ->
            receive {'EXIT', Pid, normal} -> ok end,
            {ok, Result};
        {'EXIT', Pid, Reason} when Reason =/= normal ->
            run(Job, Tries - 1)
    end.

work(0, _) -> exit(zero);
work(N, Tries) when N =:= Tries -> exit(same);
work(N, _) -> 10 div N.

timeouts(N) ->
    Slow = spawn(fun() -> receive after 100 -> ok end, receive {P, Q} -> P ! Q end end),
    Slow ! {self(), {value, N}},
    First = receive {value, V} -> {early, V} after 10 -> late end,
    Second = receive {value, W} -> {then, W} after 1000 -> never end,
    {First, Second}.

first_answer(N) ->
    Me = self(),
    Delays = [{30, slow}, {10, fast}, {20, N}],
    [spawn(fun() -> timer:sleep(D), Me ! {answer, Name} end) || {D, Name} <- Delays],
    receive {answer, A} -> A end.
