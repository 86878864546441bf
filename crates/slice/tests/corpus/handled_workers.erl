%% Workers that fail; who waits for them counts those that did not.
%% inputs: main(list(int)), table(list(int))
-module(handled_workers).
-export([main/1, table/1]).

main(L) ->
    Refs = [element(2, spawn_monitor(fun() -> exit(work(X)) end)) || X <- L],
    Results = [receive {'DOWN', R, _, _, Why} -> kind(Why) end || R <- Refs],
    Good = length([ok || {ok, _} <- Results]),
    {Good, Results}.

work(X) ->
    try {ok, checked(X)}
    catch throw:{small, _} -> {ok, small}
    end.

checked(X) when X < 0 -> throw({small, X});
checked(X) when X > 6 -> throw({large, X});
checked(X) -> 12 div X.

kind({ok, V}) -> {ok, V};
kind({{nocatch, {large, V}}, _}) -> {large, V};
kind({badarith, _}) -> arith.

table(L) ->
    T = ets:new(t, [public, ordered_set]),
    Refs = [element(2, spawn_monitor(fun() -> store(T, X) end)) || X <- L],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs],
    Rows = ets:tab2list(T),
    Rows.

store(T, X) ->
    try
        checked(X),
        ets:insert(T, {X, stored})
    catch
        throw:{small, -1} -> ok;
        error:badarith -> ets:insert(T, {X, zero})
    end,
    ets:insert(T, {{after_, X}, true}).
