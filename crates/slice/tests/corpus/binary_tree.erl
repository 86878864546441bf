%% Insertion, lookup and folding of search trees.
%% inputs: build(list(int)), find(int, list(int)), sum(list(int))
-module(binary_tree).
-export([build/1, find/2, sum/1]).

build(L) ->
    Tree = lists:foldl(fun(X, T) -> insert(X, X * 10, T) end, nil, L),
    {min(Tree), depth(Tree)}.

insert(K, V, nil) -> {K, V, nil, nil};
insert(K, V, {K, _, L, R}) -> {K, V, L, R};
insert(K, V, {K1, V1, L, R}) when K < K1 -> {K1, V1, insert(K, V, L), R};
insert(K, V, {K1, V1, L, R}) -> {K1, V1, L, insert(K, V, R)}.

min(nil) -> none;
min({K, _, nil, _}) -> K;
min({_, _, L, _}) -> min(L).

depth(nil) -> 0;
depth({_, _, L, R}) ->
    DL = depth(L),
    DR = depth(R),
    1 + max(DL, DR).

find(K, L) ->
    Tree = lists:foldl(fun(X, T) -> insert(X, {x, X}, T) end, nil, L),
    lookup(K, Tree).

lookup(_, nil) -> none;
lookup(K, {K, V, _, _}) -> {value, V};
lookup(K, {K1, _, L, _}) when K < K1 -> lookup(K, L);
lookup(K, {_, _, _, R}) -> lookup(K, R).

sum(L) ->
    Tree = lists:foldl(fun(X, T) -> insert(X, 1, T) end, nil, L),
    {Keys, Values} = fold(Tree, {0, 0}),
    Keys * 100 + Values.

fold(nil, Acc) -> Acc;
fold({K, V, L, R}, Acc0) ->
    {Ks, Vs} = fold(L, Acc0),
    fold(R, {Ks + K, Vs + V}).
