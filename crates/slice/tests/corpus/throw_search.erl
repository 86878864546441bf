%% Leaving a search by throw.
%% inputs: find(list(int), int), check(list(int)), depth(list(list(int)))
-module(throw_search).
-export([find/2, check/1, depth/1]).

find(L, X) ->
    try
        search(L, X, 1),
        none
    catch
        throw:{found, Pos} -> {at, Pos}
    end.

search([], _, _) -> ok;
search([X | _], X, Pos) -> throw({found, Pos});
search([_ | T], X, Pos) -> search(T, X, Pos + 1).

check(L) ->
    Count = length(L),
    try [positive(X) || X <- L] of
        Good -> {Count, Good}
    catch
        throw:{negative, N} -> {bad, N, Count}
    end.

positive(X) when X >= 0 -> X + 1;
positive(X) -> throw({negative, X}).

depth(Lists) ->
    Max = lists:foldl(
        fun(L, Acc) ->
            Len = length(L),
            case Len > 3 of
                true -> Len;
                false -> Acc
            end
        end, 0, Lists),
    catch throw({max, Max}).
