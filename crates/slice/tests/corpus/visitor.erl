%% A callback that is handed down through several functions.
%% inputs: sum(int), depths(int), rename(atom)
-module(visitor).
-export([sum/1, depths/1, rename/1]).

tree(N) -> {branch, {leaf, N}, {branch, {leaf, 2}, {leaf, 3}}}.

walk({leaf, V}, D, F, Acc) -> F(V, D, Acc);
walk({branch, L, R}, D, F, Acc) ->
    Acc1 = walk(L, D + 1, F, Acc),
    walk(R, D + 1, F, Acc1).

sum(N) ->
    T = tree(N),
    Sum = walk(T, 0, fun(V, _, S) -> S + V end, 0),
    Sum.

depths(N) ->
    T = tree(N),
    Ds = walk(T, 0, fun(_, D, Acc) -> [D | Acc] end, []),
    Max = lists:max(Ds),
    {Max, length(Ds)}.

rename(A) ->
    T = tree(A),
    Renamed = map(fun(V) when is_atom(V) -> {name, V}; (V) -> V end, T),
    {branch, {leaf, First}, Rest} = Renamed,
    {branch, _, {leaf, Last}} = Rest,
    {First, Last}.

map(F, {leaf, V}) -> {leaf, F(V)};
map(F, {branch, L, R}) -> {branch, map(F, L), map(F, R)}.
