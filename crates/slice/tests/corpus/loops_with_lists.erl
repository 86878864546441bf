%% Loops over lists where each element decides something about the next.
%% inputs: brackets(list(one(40; 41))), diffs(list(int)), group(list(int)), change(nat)
-module(loops_with_lists).
-export([brackets/1, diffs/1, group/1, change/1]).

brackets(Cs) -> depth(Cs, 0, 0).

depth([], 0, Max) -> {balanced, Max};
depth([], Open, Max) -> {open, Open, Max};
depth([$( | T], Open, Max) -> depth(T, Open + 1, max(Max, Open + 1));
depth([$) | _], 0, Max) -> {closed_too_much, Max};
depth([$) | T], Open, Max) -> depth(T, Open - 1, Max).

diffs([]) -> [];
diffs([H | T]) ->
    {Ds, _Last} = lists:mapfoldl(fun(X, Prev) -> {X - Prev, X} end, H, T),
    Ups = [D || D <- Ds, D > 0],
    {Ds, length(Ups)}.

group(L) ->
    Groups = group(lists:sort(L), []),
    [{K, length(Vs)} || {K, Vs} <- Groups].

group([], Acc) -> lists:reverse(Acc);
group([X | Xs], [{K, Vs} | Acc]) when X div 3 =:= K -> group(Xs, [{K, [X | Vs]} | Acc]);
group([X | Xs], Acc) -> group(Xs, [{X div 3, [X]} | Acc]).

change(N) ->
    Coins = [25, 10, 5, 1],
    {Used, 0} = lists:foldl(
        fun(C, {Acc, Left}) ->
            Count = Left div C,
            {[{C, Count} || Count > 0] ++ Acc, Left rem C}
        end, {[], N rem 100}, Coins),
    {length(Used), lists:sum([K || {_, K} <- Used])}.
