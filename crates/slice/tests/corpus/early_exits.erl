%% Functions left early, in several ways, with work before and after.
%% inputs: validate(list(int)), lookup(one(a; b; zz), int), budget(list(int), int)
-module(early_exits).
-export([validate/1, lookup/2, budget/2]).

validate(L) ->
    Result = try
        lists:foreach(fun check/1, L),
        Sum = lists:sum(L),
        put(validated, Sum),
        {ok, Sum}
    catch
        throw:{bad, X} -> {bad, X};
        error:{range, X, Max} -> {range, X - Max}
    end,
    {Result, get(validated)}.

check(X) when X < 0 -> throw({bad, X});
check(X) when X > 500 -> error({range, X, 500});
check(X) -> X.

lookup(Key, Default) ->
    Table = [{a, 1}, {b, Default}],
    Value = try find(Key, Table) catch exit:not_found -> Default * 2 end,
    Value + 1.

find(K, [{K, V} | _]) -> V;
find(K, [_ | T]) -> find(K, T);
find(_, []) -> exit(not_found).

budget(Costs, Limit) ->
    Spend = fun Spend([], Left) -> {left, Left};
                Spend([C | _], Left) when C > Left -> throw({over, C - Left});
                Spend([C | Cs], Left) -> Spend(Cs, Left - C)
            end,
    try Spend(Costs, Limit) of
        {left, L} when L > 100 -> rich;
        {left, L} -> {poor, L}
    catch
        throw:{over, By} -> {over, By}
    end.
