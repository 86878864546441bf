%% Deep patterns with aliases, in heads, cases and matches.
%% inputs: order(one({order, 1, [{x, 2}, {y, 3}], #{vip => true}}; {order, 2, [], #{}}; bad)), tree(int), swap(int, int)
-module(nested_patterns).
-export([order/1, tree/1, swap/2]).

order({order, Id, [{First, N} = Item | Rest], #{vip := Vip} = Opts}) when Vip ->
    Total = N + length(Rest),
    {Id, First, Item, Total, map_size(Opts)};
order({order, Id, Items = [], Opts = #{}}) ->
    {empty, Id, Items, Opts};
order(Other) ->
    {other, Other}.

tree(N) ->
    T = {n, {n, leaf, N, leaf}, N + 1, {n, leaf, N + 2, {n, leaf, N + 3, leaf}}},
    {n, {n, _, A, _} = Left, B, {n, leaf, C, {n, _, D, _} = Deep}} = T,
    {n, _, E, _} = Deep,
    {A + B, C, D - E, element(3, Left)}.

swap(X, Y) ->
    [{P, _} = A, {_, Q} = B] = [{X, 1}, {2, Y}],
    {A1, B1} = {B, A},
    {element(1, A1), element(2, B1), P - Q}.
