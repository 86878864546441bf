%% A search tree of keys and values, with results of several parts.
%% inputs: build(list({int, atom})), lookup(list({int, atom}), int), stats(list({int, int}))
-module(tree_of_pairs).
-export([build/1, lookup/2, stats/1]).

build(Pairs) ->
    {Tree, Count} = lists:foldl(
        fun({K, V}, {T, N}) -> {insert(K, V, T), N + 1} end, {leaf, 0}, Pairs),
    {Least, _} = least(Tree, {none, none}),
    {Least, Count}.

insert(K, V, leaf) -> {node, {K, V}, leaf, leaf};
insert(K, V, {node, {K1, _} = P, L, R}) when K < K1 -> {node, P, insert(K, V, L), R};
insert(K, V, {node, {K1, _} = P, L, R}) when K > K1 -> {node, P, L, insert(K, V, R)};
insert(K, V, {node, _, L, R}) -> {node, {K, V}, L, R}.

least(leaf, Found) -> Found;
least({node, Pair, L, _}, _) -> least(L, Pair).

lookup(Pairs, Key) ->
    Tree = lists:foldl(fun({K, V}, T) -> insert(K, V, T) end, leaf, Pairs),
    {Result, Steps} = search(Key, Tree, 0),
    case Result of
        {found, Value} -> {Value, Steps};
        missing -> {none, Steps}
    end.

search(_, leaf, N) -> {missing, N};
search(K, {node, {K, V}, _, _}, N) -> {{found, V}, N};
search(K, {node, {K1, _}, L, _}, N) when K < K1 -> search(K, L, N + 1);
search(K, {node, _, _, R}, N) -> search(K, R, N + 1).

stats(Pairs) ->
    Tree = lists:foldl(fun({K, V}, T) -> insert(K, V, T) end, leaf, Pairs),
    {Keys, Values, Depth} = walk(Tree),
    {length(Keys), lists:sum(Values), Depth}.

walk(leaf) -> {[], [], 0};
walk({node, {K, V}, L, R}) ->
    {K1, V1, D1} = walk(L),
    {K2, V2, D2} = walk(R),
    {K1 ++ [K | K2], V1 ++ [V | V2], 1 + max(D1, D2)}.
