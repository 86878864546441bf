%% A named table that several functions and processes use.
%% inputs: cached(int, int), concurrent(int), counters(list(one(hit; miss)))
-module(ets_shared).
-export([cached/2, concurrent/1, counters/1]).

cached(A, B) ->
    ets:new(cache, [named_table, public]),
    X = memo(A, fun(K) -> K * K end),
    Y = memo(B, fun(K) -> K + 100 end),
    Z = memo(A, fun(_) -> never end),
    ets:delete(cache),
    {X, Y, Z}.

memo(Key, F) ->
    case ets:lookup(cache, Key) of
        [{_, V}] -> {cached, V};
        [] ->
            V = F(Key),
            ets:insert(cache, {Key, V}),
            {computed, V}
    end.

concurrent(N) ->
    T = ets:new(shared, [public]),
    Me = self(),
    Pid = spawn(fun() ->
        ets:insert(T, {answer, N * 7}),
        ets:insert(T, {noise, N}),
        Me ! done
    end),
    Ref = monitor(process, Pid),
    receive done -> ok end,
    [{answer, A}] = ets:lookup(T, answer),
    demonitor(Ref, [flush]),
    ets:delete(T),
    A.

counters(Events) ->
    T = ets:new(counters, []),
    ets:insert(T, [{hit, 0}, {miss, 0}]),
    lists:foreach(fun(E) -> ets:update_counter(T, E, 1) end, Events),
    Hits = ets:lookup_element(T, hit, 2),
    [{miss, Misses}] = ets:lookup(T, miss),
    ets:delete(T),
    {Hits, Misses}.
