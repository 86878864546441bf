%% Messages to an alias that is taken back.
%% inputs: run(int)
-module(aliases).
-export([run/1]).
run(N) ->
    A = alias(),
    P = spawn(fun() -> receive {go, To, V} -> To ! {first, V}, timer:sleep(2), To ! {second, V * 2} end end),
    P ! {go, A, N},
    X = receive {first, F} -> F end,
    if X > 2 -> unalias(A); true -> ok end,
    Y = receive {second, S} -> S after 5 -> none end,
    {Q, R} = spawn_monitor(fun() -> exit({val, N}) end),
    Z = receive {'DOWN', R, process, Q, {val, K}} -> K end,
    M = monitor(process, P, [{alias, demonitor}]),
    demonitor(M, [flush]),
    {X, Y, Z}.
