%% Pairs through variables and calls; clauses that no value can choose.
%% inputs: swapped(int, int), nested(int, int), chosen(int)
-module(pairs_and_clauses).
-export([swapped/2, nested/2, chosen/1]).

swapped(A, B) ->
    Pair = {A, B},
    {X, Y} = swap(Pair),
    Sum = X + Y,
    Tagged = {Sum, {Y, X}},
    {_, {Q, _}} = Tagged,
    {X, Q}.

swap({L, R}) -> {R, L};
swap([L, R]) -> [R, L];
swap(Other) -> Other.

nested(A, B) ->
    Box = {{A, [B, A]}, B * 2},
    {Inner, Twice} = Box,
    {First, [Second | _]} = Inner,
    Total = First + Second,
    {Total, Twice}.

chosen(N) ->
    Kind = classify(N, small),
    Two = pick(2),
    Three = pick(3),
    Shape = {circle, N},
    Area = case Shape of
        {square, Side} -> Side * Side;
        {circle, Radius} -> 3 * Radius * Radius;
        point -> 0
    end,
    {Kind, Two + Three, Area}.

classify(N, small) when N < 3 -> tiny;
classify(N, small) -> {small, N};
classify(N, large) -> {large, N * 1000}.

pick(1) -> one();
pick(2) -> 20;
pick(3) -> three(3);
pick(4) -> one() + three(1).

one() -> 1.

three(N) ->
    [A, _] = [N * 10, N],
    A.
