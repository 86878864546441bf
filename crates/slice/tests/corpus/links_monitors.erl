%% Exits seen through links and monitors.
%% inputs: monitored(int), linked(one(normal; crash; {shutdown, 3})), down_reason(int)
-module(links_monitors).
-export([monitored/1, linked/1, down_reason/1]).

monitored(N) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, N * 2}) end),
    receive
        {'DOWN', Ref, process, Pid, {result, R}} -> {ok, R};
        {'DOWN', Ref, process, Pid, Other} -> {error, Other}
    end.

linked(Reason) ->
    Old = process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(Reason) end),
    Got = receive
        {'EXIT', Pid, normal} -> fine;
        {'EXIT', Pid, R} -> {bad, R}
    end,
    process_flag(trap_exit, Old),
    Got.

down_reason(N) ->
    Pid = spawn(fun() -> receive go -> ok end end),
    Ref = monitor(process, Pid),
    case N > 0 of
        true -> exit(Pid, kill);
        false -> Pid ! go
    end,
    receive
        {'DOWN', Ref, _, _, Why} -> {N, Why}
    end.
