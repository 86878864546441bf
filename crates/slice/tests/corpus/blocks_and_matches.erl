%% begin/end, matches in arguments, exported variables of case and if.
%% inputs: blocks(int), exported(int), chained(int, int)
-module(blocks_and_matches).
-export([blocks/1, exported/1, chained/2]).

blocks(N) ->
    X = begin
        A = N + 1,
        B = A * 2,
        A + B
    end,
    Y = begin put(k, B), get(k) end,
    {X, Y}.

exported(N) ->
    case N > 0 of
        true ->
            Sign = plus,
            Abs = N;
        false ->
            Sign = minus,
            Abs = -N
    end,
    if
        Abs > 10 -> Size = big;
        true -> Size = small
    end,
    {Sign, Abs, Size}.

chained(P, Q) ->
    X = Y = P + 1,
    {A, _} = Pair = {X * 2, Q},
    Sum = add(Z = Y + Q, W = A),
    [H | _] = L = [Sum, Z, W],
    {H, length(L), element(2, Pair)}.

add(A, B) ->
    A + B.
