%% A name that is free, or not, because its process has ended.
%% inputs: run(int)
-module(name_handed_over).
-export([run/1]).

run(N) ->
    P = spawn(fun() -> receive {stop, X} -> exit(X) after 20 -> ok end end),
    register(name_handed_over_one, P),
    M = erlang:monitor(process, name_handed_over_one),
    if N > 2 -> name_handed_over_one ! {stop, N}; true -> P ! {other, N} end,
    receive {'DOWN', M, _, _, _} -> ok after 3 -> ok end,
    Q = spawn(fun() -> receive {ask, F} -> F ! {q, N} end end),
    R = (catch register(name_handed_over_one, Q)),
    name_handed_over_one ! {ask, self()},
    A = receive {q, V} -> V after 5 -> none end,
    {R =:= true, A}.
