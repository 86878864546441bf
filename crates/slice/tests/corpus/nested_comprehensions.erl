%% Comprehensions in comprehensions, over lists and binaries, with effects.
%% inputs: triples(nat), maps_of(list({atom, int})), bins(binary), mixed(list(list(int)), nat), counted(list(int)), dict(list(atom))
-module(nested_comprehensions).
-export([triples/1, maps_of/1, bins/1, mixed/2, counted/1, dict/1]).

triples(N0) ->
    N = N0 rem 12,
    T = [{A, B, C} || A <- lists:seq(1, N), B <- lists:seq(A, N), C <- [isqrt(A * A + B * B)],
                      C =< N, A * A + B * B =:= C * C],
    Longest = lists:max([0 | [C || {_, _, C} <- T]]),
    {length(T), Longest}.

isqrt(X) -> trunc(math:sqrt(X)).

maps_of(Pairs) ->
    M = maps:from_list([{K, [V || {K1, V} <- Pairs, K1 =:= K]} || {K, _} <- Pairs]),
    Sums = [{K, lists:sum(Vs)} || {K, Vs} <- maps:to_list(M), Vs =/= []],
    Big = [K || {K, S} <- Sums, S > 3],
    {maps:size(M), Big}.

bins(Bin) ->
    Nibbles = [N || <<N:4>> <= Bin],
    Packed = << <<(lists:sum(Row)):16>> || Row <- rows(Nibbles) >>,
    Rows = [[X || <<X:8>> <= <<W:16>>] || <<W:16>> <= Packed],
    Bits = << <<B:1>> || <<B:1>> <= Bin, B =:= 1 >>,
    {Rows, bit_size(Bits)}.

rows([A, B, C | Rest]) -> [[A, B, C] | rows(Rest)];
rows(Rest) -> [Rest].

mixed(Lists, K) ->
    Flat = [X || L <- Lists, length(L) > 1, X <- L, X > 0 orelse K > 5],
    Pairs = [{I, Y} || {I, Y} <- lists:zip(lists:seq(1, length(Flat)), Flat)],
    Odd = [Y || {I, Y} <- Pairs, I rem 2 =:= 1],
    Inner = [[Z * K || Z <- L, Z =/= K] || L <- Lists],
    {Odd, Inner, lists:sum(lists:append(Inner))}.

counted(L) ->
    put(n, 0),
    Ys = [begin put(n, get(n) + X), X * get(n) end || X <- L, X rem 3 =/= 0],
    End = get(n),
    {Ys, End}.

dict(L) ->
    D = lists:foldl(fun(K, M) -> M#{K => maps:get(K, M, 0) + 1} end, #{}, L),
    Twice = [K || {K, 2} <- maps:to_list(D)],
    Most = lists:max([0 | maps:values(D)]),
    {Twice, Most}.
