%% Contracts some of which cannot fail.
-module(numbers).
-export([distance/2, half/1, halves/1, add/2]).

-post("distance(_, _) = R -> R >= 0").
-pre("half(X) -> X rem 2 =:= 0").
-post("half(X) = R -> R * 2 =:= X").
-pure([distance/2, halves/1]).

-spec distance(integer(), integer()) -> integer().
distance(A, B) when A < B -> B - A;
distance(A, B) -> A - B.

-spec half(integer()) -> integer().
half(X) -> X div 2.

-spec halves(integer()) -> {integer(), integer()}.
halves(X) -> {half(X + X), half(X)}.

-spec add(integer(), [integer()]) -> [integer()].
add(X, Sorted) -> lists:sort([X | Sorted]).
