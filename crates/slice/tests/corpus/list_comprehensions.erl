%% Generators, filters, nested comprehensions.
%% inputs: pairs(list(int)), cross(list(int), list(int)), keyed(list({atom, int}))
-module(list_comprehensions).
-export([pairs/1, cross/2, keyed/1]).

pairs(L) ->
    Ps = [{X, X * 2} || X <- L, X > 0],
    Firsts = [A || {A, _} <- Ps],
    Seconds = [B || {_, B} <- Ps, B < 100],
    {Firsts, lists:sum(Seconds)}.

cross(Xs, Ys) ->
    Small = [Y || Y <- Ys, Y < 5],
    All = [{X, Y} || X <- Xs, Y <- Small, X =/= Y],
    Sums = [X + Y || {X, Y} <- All],
    length(Sums).

keyed(KVs) ->
    Wanted = [a, b],
    Hits = [V || {K, V} <- KVs, lists:member(K, Wanted)],
    Tagged = [{hit, V} || V <- Hits],
    Nested = [[{T, N} || N <- [1, 2]] || {T, _} <- Tagged],
    {Hits, length(Nested)}.
