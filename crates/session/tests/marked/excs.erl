-module(excs).
-export([main/0]).
main() -> [safe(fun() -> risky(N) end) || N <- [0, 1, 2, 3, 4, 5]] ++ [clean([1,2,x]), nested(3), stack(2), after_(ok)].
safe(F) ->
    try F() of
        {ok, V} -> {fine, V};
        V -> «{odd, V}¦V»
    catch
        throw:T -> {thrown, T};
        error:badarith -> «arith¦none»;
        error:E -> {err, E};
        exit:R -> {exited, R}
    end.
risky(0) -> 1 / zero(«0¦1»);
risky(1) -> throw(«ball¦bell»);
risky(2) -> exit(«normal¦kill»);
risky(3) -> error({custom, 3});
risky(4) -> {ok, 4};
risky(5) -> five.
zero(X) -> X.
clean(L) ->
    try [atom_to_list(X) || X <- L] catch _:_ -> «bad¦good» end.
nested(N) ->
    try
        try deep(N) catch throw:{lvl, K} -> throw({up, K «+ 1¦- 1»}) end
    catch throw:{up, K2} -> {caught, K2}
    end.
deep(0) -> throw({lvl, «0¦1»});
deep(N) -> 1 + deep(N - 1).
stack(N) -> catch deep2(N).
deep2(0) -> error(«bottom¦top»);
deep2(N) -> [deep2(N - 1)].
after_(X) ->
    put(log, []),
    try X = ok catch error:{badmatch, _} -> mismatch
    after put(log, [done | get(log)]) end,
    get(log).
