%% Lists that are put together and taken apart; a function that nobody calls.
%% inputs: pieces(int, int, int), rows(int), ends(list(int))
-module(list_pieces).
-export([pieces/3, rows/1, ends/1]).

pieces(A, B, C) ->
    L = [A, {B, C}, [C]],
    [X, {Y, _} | Rest] = L,
    [[Z]] = Rest,
    M = [Z | [Y, X]],
    [_, Middle | _] = M,
    {X, Middle}.

rows(N) ->
    Table = [[N, 1], [N + 1, 2], [N + 2, 3]],
    [[First, _], [_, Two] | _] = Table,
    Column = [K || [K, _] <- Table],
    {First, Two, lists:last(Column)}.

ends(L) ->
    case {L, lists:reverse(L)} of
        {[], []} -> {none, none};
        {[H | T], [Last | _]} -> {H, Last, length(T)}
    end.

unused([A, B]) -> {B, pieces(A, B, 3)};
unused(_) -> rows(1).

-compile({nowarn_unused_function, [{unused, 1}]}).
