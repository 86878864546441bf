%% Maps of more than 32 keys: the order in which they are listed, iterated and printed.
-module(large_maps).
-export([main/0]).

main() ->
    [show(Name, maps:from_list([{Key(N), N} || N <- lists:seq(1, 300)]))
     || {Name, Key} <- [{integers, fun(N) -> N end},
                        {large, fun(N) -> N bsl 70 end},
                        {negative, fun(N) -> -N * 1000 end},
                        {floats, fun(N) -> N * 1.5 end},
                        {binaries, fun integer_to_binary/1},
                        {strings, fun integer_to_list/1},
                        {tuples, fun(N) -> {N, [N]} end},
                        {bits, fun(N) -> <<N:13>> end}]],
    io:format("~w~n", [maps:keys(maps:from_list([{N, N} || N <- lists:seq(1, 5000)]))]),
    Shrunk = lists:foldl(fun maps:remove/2, maps:from_keys(lists:seq(1, 40), x), lists:seq(1, 8)),
    io:format("~p~n~p~n", [maps:keys(Shrunk), Shrunk]),
    Large = maps:from_keys(lists:seq(1, 40), x),
    io:format("~p~n", [[Large < Large#{3 := y}, Large < maps:from_keys(lists:seq(2, 41), x),
                        Large =:= maps:from_keys(lists:seq(40, 1, -1), x),
                        Large == maps:from_keys([N * 1.0 || N <- lists:seq(1, 40)], x)]]).

show(Name, Map) ->
    io:format("~p~n~w~n~w~n~w~n", [Name, maps:keys(Map), maps:to_list(Map), maps:values(Map)]),
    io:format("~w~n~w~n~p~n", [maps:fold(fun(_, V, Seen) -> [V | Seen] end, [], Map),
                               Map, Map]),
    io:format("~w~n~w~n", [walk(maps:next(maps:iterator(Map))),
                           maps:to_list(maps:filter(fun(_, V) -> V rem 3 =:= 0 end, Map))]),
    io:format("~w~n", [erlang:md5(term_to_binary(Map))]).

walk(none) -> [];
walk({_, Value, Iterator}) -> [Value | walk(maps:next(Iterator))].
