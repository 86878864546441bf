%% Balanced ternary: conversions and addition.
%% inputs: there_and_back(int), add(int, int), text(int)
-module(ternary_numbers).
-export([there_and_back/1, add/2, text/1]).

there_and_back(N) ->
    T = to(N),
    M = from(T),
    {length(T), M =:= N}.

to(0) -> [];
to(N) ->
    case ((N rem 3) + 3) rem 3 of
        0 -> [0 | to(N div 3)];
        1 -> [1 | to((N - 1) div 3)];
        2 -> [-1 | to((N + 1) div 3)]
    end.

from([]) -> 0;
from([D | Ds]) -> D + 3 * from(Ds).

add(A, B) ->
    S = sum(to(A), to(B), 0),
    {from(S), from(S) =:= A + B}.

sum([], [], 0) -> [];
sum([], Y, C) -> sum([0], Y, C);
sum(X, [], C) -> sum(X, [0], C);
sum([X | Xs], [Y | Ys], C) ->
    {D, Carry} = digit(X + Y + C),
    case {Xs, Ys, Carry} of
        {[], [], 0} -> [D];
        _ -> [D | sum(Xs, Ys, Carry)]
    end.

digit(N) when N > 1 -> {N - 3, 1};
digit(N) when N < -1 -> {N + 3, -1};
digit(N) -> {N, 0}.

text(N) ->
    Digits = to(N),
    Sign = case lists:reverse(Digits) of
        [1 | _] -> plus;
        [-1 | _] -> minus;
        [] -> zero
    end,
    Chars = [case D of 1 -> $+; 0 -> $0; -1 -> $- end || D <- lists:reverse(Digits)],
    {Sign, Chars}.
