%% put before get, by key, and values that put gives back.
%% inputs: basic(int, int), keys(atom), counter(list(int))
-module(process_dictionary).
-export([basic/2, keys/1, counter/1]).

basic(A, B) ->
    put(x, A),
    put(y, B),
    X = get(x),
    Old = put(x, X + 1),
    New = get(x),
    {Old, New}.

keys(K) ->
    put(K, 1),
    put({other, K}, 2),
    V = get(K),
    W = get({other, K}),
    Gone = erase(K),
    After = get(K),
    {V, W, Gone, After}.

counter(L) ->
    erase(count),
    lists:foreach(fun(X) -> bump(X) end, L),
    case get(count) of
        undefined -> none;
        C -> {count, C}
    end.

bump(X) ->
    C = case get(count) of undefined -> 0; N -> N end,
    put(count, C + X).
