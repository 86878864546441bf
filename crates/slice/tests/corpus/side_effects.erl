%% Results that are thrown away, and effects that matter.
%% inputs: chatter(int), ignored(list(int)), effects(int)
-module(side_effects).
-export([chatter/1, ignored/1, effects/1]).

chatter(N) ->
    io:format("start ~p~n", [N]),
    X = N + 1,
    io:format("x is ~p~n", [X]),
    _ = X * 2,
    Y = X + 1,
    io:put_chars("done\n"),
    Y.

ignored(L) ->
    lists:sort(L),
    length(L),
    Sum = lists:sum(L),
    Sum =:= 0 orelse lists:reverse(L),
    [io_lib:format("~p", [X]) || X <- L],
    Sum.

effects(N) ->
    put(step, 0),
    step(),
    V = step(),
    N > 0 andalso step(),
    W = get(step),
    {V, W}.

step() ->
    S = get(step) + 1,
    put(step, S),
    S.
