%% Ends that are heard of, tables, dictionaries, small servers.
-module(ends_).
-export([bug_link1/1, bug_link2/1, bug_err1/1, bug_thr1/1, bug_oset/2, bug_cnt/2, bug_pd/2,
         bug_pd2/2, bug_ring/2, bug_lock/1, bug_sel/2, bug_race/1, bug_sm/1, bug_pong/1]).

-spec bug_link1(integer()) -> ok.
bug_link1(X) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit({bad, X + 1}) end),
    receive {'EXIT', P, {bad, 33}} -> erlang:error(bug); {'EXIT', P, _} -> ok end.

-spec bug_link2(integer()) -> ok.
bug_link2(X) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> spawn_link(fun() -> exit(X) end), receive never -> ok end end),
    receive {'EXIT', P, 7} -> erlang:error(bug); {'EXIT', P, _} -> ok end.

-spec bug_err1(integer()) -> ok.
bug_err1(X) ->
    {P, R} = spawn_monitor(fun() -> error({oops, X}) end),
    receive {'DOWN', R, _, P, {{oops, 12}, _}} -> erlang:error(bug); {'DOWN', R, _, P, _} -> ok end.

-spec bug_thr1(integer()) -> ok.
bug_thr1(X) ->
    {P, R} = spawn_monitor(fun() -> throw(X * 2) end),
    receive {'DOWN', R, _, P, {{nocatch, 24}, _}} -> erlang:error(bug); {'DOWN', R, _, P, _} -> ok end.

-spec bug_oset(integer(), atom()) -> ok.
bug_oset(K, V) ->
    T = ets:new(t, [ordered_set]), ets:insert(T, {1, a}), ets:insert(T, {K, V}),
    case ets:lookup(T, 7) of [{7, yes}] -> erlang:error(bug); _ -> ok end.

-spec bug_cnt(atom(), integer()) -> ok.
bug_cnt(K, N) ->
    T = ets:new(t, []),
    ets:update_counter(T, K, N, {K, 10}),
    ets:update_counter(T, hits, {2, 1}, {hits, 0}),
    case ets:lookup(T, hits) of [{hits, 31}] -> erlang:error(bug); _ -> ok end.

-spec bug_pd(term(), integer()) -> ok.
bug_pd(K, V) ->
    put(a, 1), put(b, 2), put(K, V),
    case {get(a), get(b)} of {1, 9} -> erlang:error(bug); _ -> ok end.

-spec bug_pd2(atom(), atom()) -> ok.
bug_pd2(K, L) -> put(K, x), put(L, y), case {get(K), get(z)} of {x, y} -> erlang:error(bug); _ -> ok end.

-spec bug_ring(1..4, integer()) -> ok.
bug_ring(N, V) ->
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> receive X -> Next ! X + 1 end end) end, self(), lists:seq(1, N)),
    Last ! V,
    receive 10 when N =:= 3 -> erlang:error(bug); _ -> ok end.

-spec bug_lock([acq | rel]) -> ok.
bug_lock(Ops) when length(Ops) =< 3 ->
    L = spawn(fun() -> free() end),
    R = [begin L ! {self(), Op}, receive A -> A end end || Op <- Ops],
    case R of [ok, ok, ok] -> erlang:error(bug); _ -> ok end;
bug_lock(_) -> ok.
free() -> receive {P, acq} -> P ! ok, held(); {P, rel} -> P ! error, free() end.
held() -> receive {P, rel} -> P ! ok, free(); {P, acq} -> P ! busy, held() end.

-spec bug_sel(integer(), integer()) -> ok.
bug_sel(A, B) ->
    self() ! {x, A}, self() ! {x, B},
    receive {x, V} when V > 50 -> if V =:= 51, A < 3 -> erlang:error(bug); true -> ok end after 0 -> ok end.

-spec bug_race(integer()) -> ok.
bug_race(K) ->
    T = ets:new(t, [public]),
    ets:insert(T, {K, 0}),
    Me = self(),
    [spawn(fun() -> case ets:lookup(T, 9) of [{9, V}] -> ets:insert(T, {9, V + 1}); [] -> ok end, Me ! done end) || _ <- [1, 2]],
    receive done -> ok end, receive done -> ok end,
    case ets:lookup(T, 9) of [{9, 1}] -> erlang:error(bug); _ -> ok end.

-spec bug_sm([open | close | {code, integer()}]) -> ok.
bug_sm(L) when length(L) =< 3 ->
    case lists:foldl(fun ev/2, locked, L) of open -> erlang:error(bug); _ -> ok end;
bug_sm(_) -> ok.
ev({code, 1234}, locked) -> closed;
ev(open, closed) -> open;
ev(close, open) -> closed;
ev(_, S) -> S.

-spec bug_pong(integer()) -> ok.
bug_pong(N) ->
    P = spawn(fun() -> loop(0) end),
    P ! {add, N}, P ! {add, 2 * N}, P ! {get, self()},
    receive {sum, 36} -> erlang:error(bug); {sum, _} -> ok end.
loop(S) -> receive {add, N} -> loop(S + N); {get, P} -> P ! {sum, S} end.
