%% A caller that handles what its helper throws for different states of a table.
%% inputs: main(one(a; b; c), int), steps(list(one(a; b; c)))
-module(handled_reply).
-export([main/2, steps/1]).

main(Key, X) ->
    T = ets:new(t, []),
    ets:insert(T, [{a, 1}, {b, x}]),
    put(state, start),
    try
        Old = fetch(T, Key),
        ets:insert(T, {Key, Old + X}),
        put(state, {changed, Key})
    catch
        throw:{missing, c} -> ok;
        throw:{missing, _} -> put(state, missing);
        error:badarith -> ets:delete(T, Key)
    end,
    State = get(state),
    Rows = lists:sort(ets:tab2list(T)),
    {State, Rows}.

fetch(T, Key) ->
    case ets:lookup(T, Key) of
        [{Key, V}] -> V;
        [] -> throw({missing, Key})
    end.

steps(Keys) ->
    T = ets:new(t, []),
    ets:insert(T, [{a, 0}, {b, 0}]),
    lists:foreach(fun(K) -> try bump(T, K)
        catch throw:{missing, c} -> ets:insert(T, {c, 0}) end end, Keys),
    C = ets:lookup(T, c),
    A = ets:lookup_element(T, a, 2),
    {A, C}.

bump(T, K) ->
    V = fetch(T, K),
    V > 2 andalso throw({missing, c}),
    ets:insert(T, {K, V + 1}).
