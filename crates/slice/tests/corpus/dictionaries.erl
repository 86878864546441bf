%% Dictionaries of four kinds, with keys that are written and keys that are computed.
%% inputs: exact(int, int), counted(list(atom)), trees(list({int, int}), int), ordered(int, int)
-module(dictionaries).
-export([exact/2, counted/1, trees/2, ordered/2]).

exact(A, B) ->
    D1 = dict:store(a, A, dict:new()),
    D2 = dict:store(b, {B, A * 2}, D1),
    D3 = dict:update(a, fun(V) -> V + 1 end, D2),
    {B1, _} = dict:fetch(b, D3),
    D4 = dict:erase(a, D3),
    Left = dict:is_key(a, D4),
    D5 = dict:append(list, A + B, dict:append(list, B, D4)),
    Sum = lists:sum(dict:fetch(list, D5)),
    case dict:find(a, D3) of
        {ok, X} -> {X, B1, Left, Sum};
        error -> none
    end.

counted(L) ->
    Count = fun(K, D) -> dict:update_counter(K, 1, D) end,
    D = lists:foldl(Count, dict:new(), L),
    Total = dict:fold(fun(_, N, Acc) -> N + Acc end, 0, D),
    Large = dict:filter(fun(_, N) -> N > 1 end, D),
    Twice = dict:map(fun(_, N) -> {N, N * 2} end, Large),
    Merged = dict:merge(fun(_, N, _) -> N end, D, dict:from_list([{z, 0}])),
    {Total, dict:size(Twice), lists:sort(dict:fetch_keys(Merged))}.

trees(L, K) ->
    Insert = fun({Key, V}, T) -> gb_trees:enter(Key, {V, Key}, T) end,
    T = lists:foldl(Insert, gb_trees:empty(), L),
    Found =
        case gb_trees:lookup(K, T) of
            {value, {V, _}} -> V;
            none -> 0
        end,
    T2 = gb_trees:insert({k, K}, {K, other}, T),
    {Key, {_, What}} = gb_trees:largest(T2),
    Firsts = [First || {First, _} <- gb_trees:values(T)],
    {Found, gb_trees:size(T2), Key, What, Firsts}.

ordered(A, B) ->
    D1 = orddict:store(x, A, orddict:from_list([{y, B}])),
    D2 = orddict:update(x, fun(V) -> V - 1 end, 0, D1),
    D3 = orddict:append(l, B, orddict:append(l, A, orddict:new())),
    D4 = orddict:merge(fun(_, V, W) -> V + W end, D2, D1),
    Kept = orddict:filter(fun(_, V) -> V > 0 end, D4),
    {orddict:fetch(x, D2), orddict:fetch(l, D3), orddict:size(Kept), orddict:is_empty(Kept)}.
