%% Matrices as lists of lists.
%% inputs: product(int, int), transposed(list(int)), trace(int)
-module(matrix).
-export([product/2, transposed/1, trace/1]).

product(A, B) ->
    M = [[A, 1], [0, B]],
    N = [[1, 2], [3, 4]],
    P = mul(M, N),
    [[X, _], [_, Y]] = P,
    {X, Y}.

mul(M, N) ->
    Columns = transpose(N),
    [[dot(R, C) || C <- Columns] || R <- M].

dot(R, C) ->
    Pairs = lists:zip(R, C),
    lists:sum([X * Y || {X, Y} <- Pairs]).

transpose([[] | _]) -> [];
transpose(M) ->
    Heads = [hd(R) || R <- M],
    Tails = [tl(R) || R <- M],
    [Heads | transpose(Tails)].

transposed(L) ->
    Squares = [X * X || X <- L],
    T = transpose([L, Squares]),
    case T of
        [[First, Sq] | _] -> {First, Sq};
        [] -> empty
    end.

trace(N) ->
    Rows = [[N * I + J || J <- [1, 2, 3]] || I <- [1, 2, 3]],
    Diagonal = [lists:nth(I, R) || {I, R} <- lists:zip([1, 2, 3], Rows)],
    lists:sum(Diagonal).
