%% A cache of three tables: rows, ages and counters.
%% inputs: run(list({one(a; b; c; d), nat}))
-module(cache_of_tables).
-export([run/1]).

run(Reqs) ->
    Data = ets:new(data, [set, private, {keypos, 2}]),
    Lru = ets:new(lru, [ordered_set]),
    Stat = ets:new(stat, []),
    ets:insert(Stat, [{hit, 0}, {miss, 0}, {evict, 0}]),
    Env = {Data, Lru, Stat},
    Out = [get_value(Env, K, N) || {K, N} <- Reqs],
    Hits = ets:lookup_element(Stat, hit, 2),
    Left = lists:sort([K || {item, K, _, _} <- ets:tab2list(Data)]),
    Sum = ets:foldl(fun({_, V}, A) -> A + V end, 0, Stat),
    Old = ets:first(Lru),
    [ets:delete(T) || T <- [Data, Lru, Stat]],
    {Out, Hits, Left, Sum, Old =:= '$end_of_table'}.

get_value({Data, Lru, Stat} = Env, K, N) ->
    case ets:lookup(Data, K) of
        [{item, K, V, Age}] ->
            ets:update_counter(Stat, hit, 1),
            ets:delete(Lru, {Age, K}),
            touch(Env, K, V),
            V;
        [] ->
            ets:update_counter(Stat, miss, {2, 1}),
            make_room(Env),
            V = compute(K, N),
            touch(Env, K, V),
            V
    end.

touch({Data, Lru, Stat}, K, V) ->
    Age = ets:update_counter(Stat, clock, 1, {clock, 0}),
    ets:insert(Data, {item, K, V, Age}),
    ets:insert(Lru, {{Age, K}}).

make_room({Data, Lru, Stat}) ->
    case ets:info(Data, size) of
        S when S >= 2 ->
            {_, K} = Key = ets:first(Lru),
            ets:delete(Lru, Key),
            ets:delete(Data, K),
            ets:update_counter(Stat, evict, 1);
        _ -> ok
    end.

compute(a, N) -> N;
compute(b, N) -> N * N;
compute(K, N) -> length(atom_to_list(K)) + N.
