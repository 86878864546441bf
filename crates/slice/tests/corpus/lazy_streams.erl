%% Streams made of funs.
%% inputs: naturals(nat), filtered(nat, int), cycle(list(int))
-module(lazy_streams).
-export([naturals/1, filtered/2, cycle/1]).

from(N) -> {N, fun() -> from(N + 1) end}.

take(0, _) -> [];
take(_, done) -> [];
take(N, {H, T}) -> [H | take(N - 1, T())].

filter(P, {H, T}) ->
    case P(H) of
        true -> {H, fun() -> filter(P, T()) end};
        false -> filter(P, T())
    end.

naturals(N) ->
    Count = N rem 6,
    First = take(Count, from(5)),
    lists:sum(First).

filtered(N, M0) ->
    M = 2 + abs(M0) rem 3,
    S = filter(fun(X) -> X rem M =:= 0 end, from(1)),
    L = take(N rem 4, S),
    case L of
        [] -> none;
        _ -> {lists:last(L), length(L)}
    end.

cycle([]) -> [];
cycle(L) -> take(4, repeat(L, L)).

repeat([], All) -> repeat(All, All);
repeat([X | Xs], All) -> {X, fun() -> repeat(Xs, All) end}.
