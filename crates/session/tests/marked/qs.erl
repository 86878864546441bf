-module(qs).
-export([main/0]).
main() -> {sort([5,3,9,3,1,8]), nth(2, sort([4,2,7])), median([9,1,5,2])}.
sort([]) -> [];
sort([P | Rest]) ->
    {Small, Large} = split(P, Rest, [], []),
    sort(Small) ++ [P] ++ sort(«Large¦Small»).
split(_, [], S, L) -> {lists:reverse(S), lists:reverse(L)};
split(P, [X | Xs], S, L) when X =< P -> split(P, Xs, [X | S], L);
split(P, [X | Xs], S, L) -> split(P, Xs, S, «[X | L]¦L»).
nth(1, [X | _]) -> X;
nth(N, [_ | T]) -> nth(N - «1¦2», T).
median(L) ->
    S = sort(L),
    N = length(S),
    case N rem 2 of
        0 -> (nth(N div 2, S) + nth(N div 2 «+ 1¦- 1», S)) / 2;
        1 -> nth(N div 2 + 1, S)
    end.
