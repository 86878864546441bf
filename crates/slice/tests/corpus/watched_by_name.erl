%% A process that is watched by its name.
%% inputs: run(int)
-module(watched_by_name).
-export([run/1]).
run(N) ->
    P = spawn(fun() -> receive stop -> ok after 10 * N + 40 -> ok end end),
    register(watched_by_name_x, P),
    Ref = monitor(process, watched_by_name_x),
    if N > 3 -> P ! stop; true -> ok end,
    R = receive {'DOWN', Ref, process, _, W} -> W after 3 -> up end,
    R.
