%% What can be proven of contracts: behind each stands the verdict.
-module(proved).
-export([abs1/1, wrong/1, total/1, noted/1, never/1, calls/1, calls_badly/1, caught/1, twice/1]).
-export([maps_over/1, given/1, prints/1, dictionary/1, deep/1, computed/2, clock/0, sorted/1]).

-post("abs1(_) = R -> R >= 0").                     %: proven
-post("wrong(_) = R -> R >= 0").                    %: broken
-post("total(_) = R -> R >= 0").                    %: held
-post("noted(X) = R -> R =:= X").                   %: held
-pre("never(X) -> X > X").                          %: held
-pre("inner(X) -> X > 0").                          %: proven
-pre("other(X) -> X > 0").                          %: broken
-post("half(X) = R -> R * 2 =:= X").                %: broken
-pre("twice(X) -> X > 3").                          %: proven
-post("twice(X) = R -> R > X").                     %: proven
-pure(maps_over/1).                                 %: pure
-pure(given/1).                                     %: held
-pure(prints/1).                                    %: impure
-pure(dictionary/1).                                %: impure
-pure(deep/1).                                      %: impure
-pure(computed/2).                                  %: held
-pure(clock/0).                                     %: impure
-pure(sorted/1).                                    %: pure
-pure(unused/1).                                    %: pure

-spec abs1(integer()) -> integer().
abs1(X) when X < 0 -> -X;
abs1(X) -> X.

-spec wrong(integer()) -> integer().
wrong(X) when X < -1000 -> X;
wrong(X) when X < 0 -> -X;
wrong(X) -> X.

-spec total([non_neg_integer()]) -> integer().
total([]) -> 0;
total([X | Rest]) -> X + total(Rest).

%% Its result depends on who called it before.
-spec noted(integer()) -> integer().
noted(X) ->
    case get(noted) of
        undefined -> X;
        Y -> Y
    end.

-spec never(integer()) -> integer().
never(X) -> X.

-spec calls(boolean()) -> integer().
calls(true) -> inner(1);
calls(false) -> inner(2).
inner(X) -> X + 1.

-spec calls_badly(integer()) -> integer().
calls_badly(X) -> other(X).
other(X) -> X + 1.

%% The program catches the error; the contract does not hold all the same.
-spec caught(integer()) -> integer().
caught(X) ->
    try half(X) catch _:_ -> 0 end.
half(X) -> X div 2.

-spec twice(integer()) -> integer().
twice(X) -> X + X.

maps_over(L) -> lists:map(fun(X) -> {X, abs(X)} end, L).
given(F) -> lists:foreach(F, [1, 2]).
prints(X) -> io:format("~p~n", [X]).
dictionary(X) -> maps_over([X]), put(last, X).
deep(L) -> lists:foreach(fun(X) -> dictionary(X) end, L).
computed(M, X) -> M:abs(X).
clock() -> erlang:monotonic_time().
sorted(L) -> lists:reverse(lists:sort(fun(A, B) -> A =< B end, unused(L))).
unused(L) -> [X || X <- L, is_integer(X)].
