%% Filters in parentheses, first, last and between others.
%% inputs: first(list(int)), last(list(int)), between(list(int)), bits(binary), only(list(int))
-module(parenthesised_filters).
-export([first/1, last/1, between/1, bits/1, only/1]).

first(L) ->
    F = fun(Y) -> [Y || ((Y > 2)), Z <- L, Z > Y] end,
    [F(X) || X <- L].

last(L) ->
    F = fun(Y) -> lists:sum([Y || X <- L, (1.5 =:= 1.0e10)]) end,
    [F(X) || X <- L, ((X > 0))].

between(L) ->
    [{X, Y} || X <- L, (X > 1), Y <- (L), (X) =/= (Y), ((Y rem 2) =:= (1))].

bits(B) ->
    << <<X>> || <<X>> <= B, (X > 3), Y <- [1, X], (Y =:= (1)) >>.

only(L) ->
    N = length(L),
    [N || (N > 1)] ++ [M || M <- [N], (N < 3), (M > 0)].
