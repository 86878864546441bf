%% An after clause is done when what the rest waits for has happened.
%% inputs: main(int), failed(int)
-module(handled_after_waits).
-export([main/1, failed/1]).

main(X) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    try
        {_, M} = spawn_monitor(fun() -> work(T, X) end),
        receive {'DOWN', M, _, _, _} -> ok end
    after
        ets:insert(T, {n, {main, ets:lookup_element(T, n, 2)}})
    end,
    [{n, N}] = ets:lookup(T, n),
    N.

work(T, X) ->
    Before = ets:lookup_element(T, n, 2),
    X > 3 andalso exit({large, X}),
    ets:insert(T, {n, {worker, Before}}).

failed(X) ->
    Me = self(),
    P = spawn(fun() -> receive {go, N} -> Seen = N, Me ! {seen, Seen} end end),
    try
        X < 0 andalso throw(low),
        P ! {go, X},
        receive {seen, Y} when Y > 4 -> throw({high, Y}); {seen, _} -> ok end
    catch
        throw:{high, _} -> ok;
        throw:low -> ok
    after
        P ! {go, none}
    end,
    R = receive {seen, Z} -> Z after 10 -> nothing end,
    R.
