%% What a monitor tells of a process that failed; its state is in a table.
%% inputs: main(int), reasons(int), quiet(int)
-module(handled_monitor).
-export([main/1, reasons/1, quiet/1]).

main(X) ->
    T = ets:new(t, [public]),
    {P, M} = spawn_monitor(fun() ->
        ets:insert(T, {seen, 1}),
        X > 3 andalso exit({stop, X}),
        ets:insert(T, {seen, 2})
    end),
    Why = receive
        {'DOWN', M, process, P, normal} -> normal;
        {'DOWN', M, process, P, {stop, _}} -> stopped
    end,
    [{seen, Seen}] = ets:lookup(T, seen),
    {Why, Seen}.

reasons(X) ->
    {_, M} = spawn_monitor(fun() -> work(X) end),
    R = receive
        {'DOWN', M, _, _, {{bad, Y}, _}} -> {bad, Y};
        {'DOWN', M, _, _, {{nocatch, Y}, _}} -> {thrown, Y};
        {'DOWN', M, _, _, {badarith, _}} -> arith;
        {'DOWN', M, _, _, Y} -> Y
    end,
    R.

work(X) when X > 6 -> error({bad, X});
work(X) when X > 3 -> throw(X);
work(X) when X < 0 -> exit({low, X});
work(X) -> 10 div X.

quiet(X) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    P = spawn(fun() ->
        receive go -> ok end,
        try
            work(X),
            ets:insert(T, {n, 1})
        catch
            error:{bad, _} -> ok;
            throw:4 -> ok;
            exit:{low, _} -> ets:insert(T, {n, low})
        end,
        ets:update_element(T, n, {2, {done, ets:lookup_element(T, n, 2)}})
    end),
    M = monitor(process, P),
    P ! go,
    receive {'DOWN', M, _, _, _} -> ok end,
    N = ets:lookup_element(T, n, 2),
    N.
