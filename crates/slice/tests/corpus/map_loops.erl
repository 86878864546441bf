%% Going through maps: fold, to_list, iterators.
%% inputs: totals(list({atom, int})), invert(list({atom, int})), iterate(nat)
-module(map_loops).
-export([totals/1, invert/1, iterate/1]).

totals(KVs) ->
    Map = lists:foldl(fun count/2, #{}, KVs),
    Keys = lists:sort(maps:keys(Map)),
    Sum = maps:fold(fun(_, V, Acc) -> V + Acc end, 0, Map),
    {Keys, Sum}.

count({K, V}, Acc) ->
    Old = maps:get(K, Acc, 0),
    Acc#{K => Old + V}.

invert(KVs) ->
    Map = maps:from_list(KVs),
    Inverted = maps:from_list([{V, K} || {K, V} <- maps:to_list(Map)]),
    Big = maps:filter(fun(V, _) -> V > 3 end, Inverted),
    {map_size(Inverted), map_size(Big)}.

iterate(N) ->
    Map = maps:from_list([{K, K * K} || K <- lists:seq(1, N rem 7)]),
    collect(maps:next(maps:iterator(Map)), 0, 0).

collect(none, Ks, Vs) -> {Ks, Vs};
collect({K, V, It}, Ks, Vs) -> collect(maps:next(It), Ks + K, Vs + V).
