%% The only clause that there is, or that may be chosen: whether it is taken decides only whether it goes on.
%% inputs: heads(int, any), cases(any, int), guards(int, int), calls(int), loops(list(int)), seen(any), funs(any)
-module(only_clause).
-export([heads/2, cases/2, guards/2, calls/1, loops/1, seen/1, funs/1]).

heads(A, B) -> V = first(A, {B, A}), W = first(V, B), {V, W}.

first(X, {_, Y}) -> Z = Y, _ = {Z, 1}, X.

cases(T, X) ->
    Before = X + 1,
    Y = case T of {A, B} -> put(pair, {A, B}), Before * 2 end,
    Pair = get(pair),
    {Y, Pair}.

guards(X, Y) ->
    R = limited(X, Y),
    S = limited(R, R),
    {R, S}.

limited(X, Y) when X < Y; Y =:= 3 -> X + 1;
limited(X, Y) when X > 5 -> Y.

calls(N) ->
    A = f(2),
    B = f(N),
    C = case N of
        N -> g(1);
        _ -> g(4)
    end,
    {A, B, C}.

f(4) -> 9;
f(2) -> 7;
f(X) -> X.

g(4) -> put(four, 4), 9;
g(1) -> 1;
g(X) -> X + get(four).

loops(L) ->
    put(sum, 0),
    Sum = (catch down(L)),
    Left = get(sum),
    {is_tuple(Sum), Left}.

down([X | L]) ->
    put(sum, get(sum) + X),
    down(L).

seen(T) ->
    put(n, 0),
    try
        only_pairs(T),
        put(n, 1)
    catch error:function_clause -> ok
    end,
    N = get(n),
    N.

only_pairs({_, _}) -> ok.

funs(T) ->
    F = fun({A, _}) -> A end,
    G = fun([H | _]) when H > 1 -> H; ([]) -> none end,
    R = F({T, 1}),
    S = F(T),
    Q = G([2, T]),
    {R, S, Q}.
