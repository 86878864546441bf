%% Functions of the library that look at processes, tables, timers and output.
%% inputs: queue_len(list(int)), dict_of(int), links_of(int), all_dict(int), register_twice(int), monitor_dead(int), capture(int), tables(list(int)), tables2(list({int, int})), ordered(list(int)), rename(int), specs(list({atom, int})), env(int), seeded(int), spawn_req(int), interval(int), tc(int), kill_after(int), hibernate(int), erase_term(int), send_opts(int), global_name(int), iterator(list({atom, int})), exit_self(int), toggles(int), pinned(list(int)), stash(list(one(a; b; c))), deleted(list(int)), wait_all(list(int)), barrier(int), tags(int)
-module(library_corners).
-export([queue_len/1, dict_of/1, links_of/1, all_dict/1, register_twice/1, monitor_dead/1, capture/1, tables/1, tables2/1, ordered/1, rename/1, specs/1, env/1, seeded/1, spawn_req/1, interval/1, tc/1, kill_after/1, hibernate/1, erase_term/1, send_opts/1, global_name/1, iterator/1, exit_self/1, toggles/1, pinned/1, stash/1, deleted/1, wait_all/1, barrier/1, tags/1]).
-export([woken/2]).

check(N) when N > 4 -> error({large, N});
check(N) when N < -1 -> exit(low);
check(_) -> ok.

queue_len(L) ->
    [self() ! {m, X} || X <- L, X > 0],
    {message_queue_len, A} = process_info(self(), message_queue_len),
    {messages, Ms} = process_info(self(), messages),
    {A, Ms}.

dict_of(N) ->
    Me = self(),
    P = spawn(fun() -> put(k, N), put(l, other), Me ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    {dictionary, D} = process_info(P, dictionary),
    A = proplists:get_value(k, D),
    P ! stop,
    A.

links_of(N) ->
    P = spawn(fun() -> receive stop -> ok end end),
    if N > 3 -> link(P); true -> ok end,
    {links, L} = process_info(P, links),
    unlink(P),
    length(L).

all_dict(N) ->
    put(a, N), put(b, N + 1),
    A = lists:sort(get()),
    B = get_keys(N + 1),
    C = lists:sort(erase()),
    D = get(),
    {A, B, C, D}.

register_twice(N) ->
    P = spawn(fun() -> check(N), receive stop -> ok end end),
    register(the_twice, P),
    timer:sleep(3),
    Q = spawn(fun() -> receive stop -> ok end end),
    R = try register(the_twice, Q) catch error:badarg -> taken end,
    catch unregister(the_twice),
    R.

monitor_dead(N) ->
    P = spawn(fun() -> check(N), receive stop -> exit(stopped) end end),
    timer:sleep(3),
    Ref = monitor(process, P),
    P ! stop,
    R = receive {'DOWN', Ref, process, P, Why} -> Why end,
    R.

capture(N) ->
    Old = group_leader(),
    P = spawn(fun() -> io_server([]) end),
    group_leader(P, self()),
    io:format("~p and ~p~n", [N, x]),
    io:put_chars(["more", integer_to_list(N)]),
    group_leader(Old, self()),
    P ! {get, self()},
    T = receive {text, Text} -> Text end,
    lists:flatten(T).

io_server(Acc) ->
    receive
        {io_request, From, Ref, {put_chars, _, M, F, A}} ->
            From ! {io_reply, Ref, ok},
            io_server([unicode:characters_to_list(apply(M, F, A)) | Acc]);
        {io_request, From, Ref, {put_chars, _, Chars}} ->
            From ! {io_reply, Ref, ok},
            io_server([unicode:characters_to_list(Chars) | Acc]);
        {get, From} -> From ! {text, lists:reverse(Acc)}
    end.

tables(L) ->
    T = ets:new(t, [set]),
    [ets:update_counter(T, abs(X) rem 3, {2, X}, {abs(X) rem 3, 0}) || X <- L],
    A = ets:insert_new(T, {0, none}),
    B = ets:take(T, 1),
    C = ets:lookup_element(T, 0, 2),
    D = ets:info(T, size),
    {A, B, C, D}.

tables2(L) ->
    T = ets:new(t, [duplicate_bag]),
    ets:insert(T, L),
    A = length(ets:lookup(T, 1)),
    ets:delete_object(T, {1, 1}),
    B = ets:match(T, {'$1', 2}),
    C = ets:foldl(fun({_, V}, S) -> V + S end, 0, T),
    D = ets:select(T, [{{'$1', '$2'}, [{'>', '$2', 3}], ['$1']}]),
    {A, lists:sort(B), C, lists:sort(D)}.

ordered(L) ->
    T = ets:new(t, [ordered_set]),
    [ets:insert(T, {X, X * 2}) || X <- L],
    A = walk(T, ets:first(T)),
    B = case ets:last(T) of '$end_of_table' -> none; K -> ets:prev(T, K) end,
    {A, B}.

walk(_, '$end_of_table') -> [];
walk(T, K) -> [{_, V}] = ets:lookup(T, K), [V | walk(T, ets:next(T, K))].

rename(N) ->
    T = ets:new(the_ren_a, [named_table]),
    ets:insert(T, {k, N}),
    ets:rename(T, the_ren_b),
    [{k, V}] = ets:lookup(the_ren_b, k),
    W = ets:whereis(the_ren_a),
    ets:delete(the_ren_b),
    {V, W}.

specs(L) ->
    T = ets:new(t, [set]),
    ets:insert(T, L),
    N = ets:select_delete(T, [{{'_', '$1'}, [{'<', '$1', 0}], [true]}]),
    M = ets:select_count(T, [{{'$1', '_'}, [{'=:=', '$1', a}], [true]}]),
    R = ets:select_replace(T, [{{'$1', '$2'}, [], [{{'$1', {'+', '$2', 1}}}]}]),
    S = lists:sort(ets:tab2list(T)),
    {N, M, R, S}.

env(N) ->
    application:set_env(adv, key, N),
    application:set_env(adv, other, N + 1),
    {ok, A} = application:get_env(adv, key),
    application:unset_env(adv, key),
    B = application:get_env(adv, key, none),
    os:putenv("THE_X", integer_to_list(N)),
    C = os:getenv("THE_X"),
    {A, B, C}.

seeded(N) ->
    rand:seed(exsss, {N, 2, 3}),
    _ = rand:uniform(100),
    A = rand:uniform(1000),
    _ = rand:uniform(),
    B = rand:uniform(1000),
    {A, B}.

spawn_req(N) ->
    Ref = spawn_request(fun() -> check(N), exit({v, N}) end, [monitor]),
    P = receive {spawn_reply, Ref, ok, Pid} -> Pid end,
    R = receive {'DOWN', Ref, process, P, {v, V}} -> V; {'DOWN', Ref, process, P, _} -> failed end,
    R.

interval(N) ->
    {ok, T} = timer:send_interval(3, {tick, N}),
    A = receive {tick, X} -> X end,
    B = receive {tick, Y} -> Y + 1 end,
    timer:cancel(T),
    C = receive {tick, _} -> more after 10 -> quiet end,
    {A, B, C}.

tc(N) ->
    {_, V} = timer:tc(fun() -> put(ran, N), N * 2 end),
    {V, get(ran)}.

kill_after(N) ->
    P = spawn(fun() -> receive {go, F} -> F ! {went, N} end end),
    if N > 3 -> timer:kill_after(2, P); true -> ok end,
    timer:sleep(6),
    P ! {go, self()},
    R = receive {went, V} -> V after 6 -> dead end,
    R.

hibernate(N) ->
    P = spawn(fun() -> erlang:hibernate(?MODULE, woken, [N, x]) end),
    P ! {self(), 2},
    R = receive {woken, V} -> V after 20 -> none end,
    R.

woken(N, _) -> receive {From, K} -> check(N), From ! {woken, N * K} end.

erase_term(N) ->
    persistent_term:put({adv, a}, N),
    persistent_term:put({adv, b}, N + 1),
    A = persistent_term:erase({adv, a}),
    B = persistent_term:get({adv, a}, gone),
    C = persistent_term:get({adv, b}),
    {A, B, C}.

send_opts(N) ->
    erlang:send(self(), {v, N}, [noconnect]),
    A = receive {v, X} -> X end,
    B = erlang:send_nosuspend(self(), {w, N}),
    C = receive {w, Y} -> Y end,
    {A, B, C}.

global_name(N) ->
    P = spawn(fun() -> receive {ask, F} -> F ! {answer, N} end end),
    yes = global:register_name(the_global, P),
    global:send(the_global, {ask, self()}),
    R = receive {answer, V} -> V end,
    timer:sleep(3),
    W = global:whereis_name(the_global),
    {R, W}.

iterator(L) ->
    M = maps:from_list(L),
    S = loop(maps:next(maps:iterator(M)), 0),
    S.

loop(none, S) -> S;
loop({_, V, I}, S) -> loop(maps:next(I), S + V).

exit_self(N) ->
    process_flag(trap_exit, true),
    exit(self(), {mine, N}),
    A = receive {'EXIT', _, {mine, X}} -> X after 5 -> none end,
    A.

toggles(N) ->
    A = process_flag(trap_exit, N > 3),
    B = process_flag(trap_exit, false),
    C = process_flag(priority, high),
    {A, B, C}.

pinned(L) ->
    R1 = make_ref(), R2 = make_ref(),
    [begin self() ! {R2, X}, self() ! {R1, X + 1} end || X <- L],
    A = take(R1, []),
    B = take(R2, []),
    {A, lists:sum(B)}.

take(R, Acc) -> receive {R, X} -> take(R, [X | Acc]) after 0 -> Acc end.

stash(L) ->
    [self() ! X || X <- L],
    A = receive c -> c after 0 -> none end,
    B = receive Y when Y =/= b -> Y after 0 -> none end,
    C = receive Z -> Z after 0 -> none end,
    {A, B, C}.

deleted(L) ->
    T = ets:new(the_del, [named_table, public]),
    Me = self(),
    spawn(fun() -> [ets:insert(T, {X, X}) || X <- L], check(length(L)), ets:delete(the_del), Me ! done end),
    timer:sleep(5),
    A = try ets:info(the_del, size) catch _:_ -> e end,
    catch ets:delete(the_del),
    A.

wait_all(L) ->
    Me = self(),
    Ps = [spawn_link(fun() -> Me ! {self(), X * X} end) || X <- L],
    Rs = [receive {P, V} -> V end || P <- Ps],
    lists:sum(Rs).

barrier(N) ->
    Me = self(),
    B = spawn(fun() -> barrier_loop(2, []) end),
    [spawn(fun() -> check(K), B ! {arrive, self()}, receive go -> Me ! {passed, K} end end) || K <- [N, N + 1]],
    A = receive {passed, X} -> X after 10 -> stuck end,
    C = receive {passed, Y} -> Y after 10 -> stuck end,
    {A, C}.

barrier_loop(0, Ps) -> [P ! go || P <- Ps];
barrier_loop(K, Ps) -> receive {arrive, P} -> barrier_loop(K - 1, [P | Ps]) end.

tags(N) ->
    S = spawn(fun() -> tag_server(#{}) end),
    S ! {set, a, N},
    S ! {set, b, N * 2},
    S ! {set, a, N + 5},
    S ! {get, a, self()},
    S ! {get, b, self()},
    A = receive {a, X} -> X end,
    B = receive {b, Y} -> Y end,
    A - B.

tag_server(M) ->
    receive
        {set, K, V} -> tag_server(M#{K => V});
        {get, K, From} -> From ! {K, maps:get(K, M)}, tag_server(M)
    end.
