%% Heads, tails, last elements and lists that are put together again.
%% inputs: ends(list(int)), second(list(int)), rotate(list(int))
-module(list_ends).
-export([ends/1, second/1, rotate/1]).

ends([]) -> none;
ends([One]) -> {One, One};
ends([First | Rest]) ->
    Last = last(Rest),
    {First, Last}.

last([X]) -> X;
last([_ | T]) -> last(T).

second(L) ->
    case L of
        [_, S | _] -> {ok, S};
        [Only] -> {one, Only};
        [] -> error
    end.

rotate([H | T]) ->
    Front = T,
    Back = [H],
    New = Front ++ Back,
    [Head | _] = New,
    Length = length(New),
    {Head, Length};
rotate([]) ->
    empty.
