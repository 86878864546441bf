%% map, filter, fold and own versions of them.
%% inputs: squares(list(int)), total(list({atom, int})), own(list(int))
-module(higher_order).
-export([squares/1, total/1, own/1]).

squares(L) ->
    Even = lists:filter(fun(X) -> X rem 2 =:= 0 end, L),
    Sq = lists:map(fun(X) -> X * X end, Even),
    Sum = lists:foldl(fun(X, Acc) -> X + Acc end, 0, Sq),
    Count = length(Even),
    {Sum, Count}.

total(Items) ->
    {Sum, Names} = lists:foldr(
        fun({Name, Price}, {S, Ns}) -> {S + Price, [Name | Ns]} end,
        {0, []}, Items),
    First = case Names of [] -> nobody; [N | _] -> N end,
    {Sum, First}.

own(L) ->
    Inc = map(fun(X) -> X + 1 end, L),
    Max = fold(fun max/2, 0, Inc),
    Any = any(fun(X) -> X > 10 end, L),
    {Max, Any}.

map(_, []) -> [];
map(F, [H | T]) -> [F(H) | map(F, T)].

fold(_, Acc, []) -> Acc;
fold(F, Acc, [H | T]) -> fold(F, F(H, Acc), T).

any(_, []) -> false;
any(P, [H | T]) -> P(H) orelse any(P, T).
