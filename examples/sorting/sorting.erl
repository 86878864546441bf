%% Merge sort, with a mistake.
-module(sorting).
-export([sort/1]).

sort([]) -> [];
sort([X]) -> [X];
sort(List) ->
    {Left, Right} = lists:split(length(List) div 2, List),
    merge(sort(Left), sort(Right)).

merge([], Right) -> Right;
merge(Left, []) -> Left;
merge([X | Left], [Y | Right]) when X =< Y -> [X | merge(Left, [Y | Right])];
merge([X | Left], [Y | Right]) -> [X | merge([Y | Left], Right)].
