%% Functions that call each other.
%% inputs: parity(nat), tokens(string), hofstadter(nat)
-module(mutual_recursion).
-export([parity/1, tokens/1, hofstadter/1]).

parity(N) ->
    M = N rem 20,
    case even(M) of
        true -> {even, M};
        false -> {odd, M}
    end.

even(0) -> true;
even(N) -> odd(N - 1).

odd(0) -> false;
odd(N) -> even(N - 1).

tokens(Text) ->
    {Words, Numbers} = words(Text, [], {[], 0}),
    {lists:reverse(Words), Numbers}.

words([], Acc, Result) -> emit(Acc, Result);
words([C | Cs], Acc, Result) when C >= $0, C =< $9 ->
    {Ws, N} = emit(Acc, Result),
    digits(Cs, C - $0, {Ws, N});
words([$\s | Cs], Acc, Result) ->
    words(Cs, [], emit(Acc, Result));
words([C | Cs], Acc, Result) ->
    words(Cs, [C | Acc], Result).

digits([C | Cs], N, Result) when C >= $0, C =< $9 ->
    digits(Cs, N * 10 + C - $0, Result);
digits(Cs, N, {Ws, Sum}) ->
    words(Cs, [], {Ws, Sum + N}).

emit([], Result) -> Result;
emit(Acc, {Ws, N}) -> {[lists:reverse(Acc) | Ws], N}.

hofstadter(N) ->
    K = N rem 10,
    {female(K), male(K)}.

female(0) -> 1;
female(N) -> N - male(female(N - 1)).

male(0) -> 0;
male(N) -> N - female(male(N - 1)).
