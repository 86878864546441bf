%% Processes that end, or are ended by others, before they come to what they would do.
%% inputs: killed_by_link(int), link_both(int), sibling(int), exit_signal(int), two_writers(int), selective(int), dead_letter(int), restarted(int), monitor_name(int), pool(list(int)), chain3(int), cascade(list(int)), group(int), first_of(list(int)), timeout_race(int), cancel(int), lock(list(int)), waiter(int), nested_spawn(int), fan(list(int))
-module(raced_endings).
-export([killed_by_link/1, link_both/1, sibling/1, exit_signal/1, two_writers/1, selective/1, dead_letter/1, restarted/1, monitor_name/1, pool/1, chain3/1, cascade/1, group/1, first_of/1, timeout_race/1, cancel/1, lock/1, waiter/1, nested_spawn/1, fan/1]).

check(N) when N > 4 -> error({large, N});
check(N) when N < -1 -> exit(low);
check(_) -> ok.

%% Q dies because P, linked to it, fails; nobody traps; a third process writes to the table later.
killed_by_link(N) ->
    T = ets:new(t, [public]),
    spawn(fun() ->
        spawn_link(fun() -> timer:sleep(2), check(N) end),
        timer:sleep(5),
        ets:insert(T, {k, survivor})
    end),
    timer:sleep(10),
    R = ets:lookup(T, k),
    R.

link_both(N) ->
    T = ets:new(t, [public]),
    A = spawn(fun() -> receive go -> ets:insert(T, {a, 1}) end end),
    B = spawn(fun() -> link(A), receive {n, X} -> check(X), ok end, timer:sleep(20) end),
    timer:sleep(2),
    B ! {n, N},
    timer:sleep(2),
    A ! go,
    timer:sleep(2),
    R = ets:lookup(T, a),
    R.

sibling(N) ->
    Me = self(),
    spawn(fun() ->
        spawn_link(fun() -> check(N) end),
        spawn_link(fun() -> timer:sleep(3), Me ! {late, N} end),
        receive never -> ok end
    end),
    timer:sleep(8),
    Me ! {late, none},
    R = receive {late, X} -> X end,
    R.

exit_signal(N) ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> loop(T, 0) end),
    P ! tick,
    timer:sleep(1),
    exit(P, signal(N)),
    P ! tick,
    timer:sleep(1),
    R = ets:lookup_element(T, n, 2),
    R.

signal(N) when N > 3 -> shutdown;
signal(_) -> normal.

loop(T, K) -> receive tick -> ets:insert(T, {n, K + 1}), loop(T, K + 1) end.

two_writers(N) ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {w, one}), check(N), timer:sleep(4), ets:insert(T, {w, late_one}) end),
    spawn(fun() -> timer:sleep(2), ets:insert(T, {w, two}) end),
    timer:sleep(8),
    [{w, R}] = ets:lookup(T, w),
    R.

selective(N) ->
    Me = self(),
    spawn(fun() -> Me ! {b, 1}, check(N), Me ! {a, 2} end),
    timer:sleep(2),
    R = receive {a, X} -> {a, X} after 0 -> receive {b, Y} -> {b, Y} end end,
    R.

dead_letter(N) ->
    Me = self(),
    P = spawn(fun() -> check(N), receive {m, F} -> F ! {got, N} end end),
    timer:sleep(1),
    P ! {m, Me},
    timer:sleep(1),
    Me ! {got, default},
    R = receive {got, X} -> X end,
    R.

restarted(N) ->
    Me = self(),
    spawn(fun() -> keeper(Me, N, 2) end),
    A = receive {run, X} -> X end,
    B = receive {run, Y} -> Y; gave_up -> none end,
    {A, B}.

keeper(Me, _, 0) -> Me ! gave_up;
keeper(Me, N, K) ->
    {P, R} = spawn_monitor(fun() -> Me ! {run, K}, check(N) end),
    receive {'DOWN', R, process, P, normal} -> Me ! gave_up; {'DOWN', R, process, P, _} -> keeper(Me, N, K - 1) end.

monitor_name(N) ->
    P = spawn(fun() -> receive go -> check(N), receive stop -> ok end end end),
    register(the_race_name, P),
    Ref = monitor(process, the_race_name),
    the_race_name ! go,
    R = receive {'DOWN', Ref, process, {Name, _}, _} -> {down, Name} after 5 -> up end,
    catch unregister(the_race_name),
    R.

pool(L) ->
    Me = self(),
    Q = spawn(fun() -> queue(L) end),
    [spawn(fun() -> taker(Q, Me) end) || _ <- [1, 2]],
    Sum = results(2, 0),
    Sum.

queue([]) -> receive {take, P} -> P ! empty, queue([]) end;
queue([X | R]) -> receive {take, P} -> P ! {job, X}, queue(R) end.

taker(Q, Me) ->
    Q ! {take, self()},
    receive {job, X} -> check(X), Me ! {result, X}, taker(Q, Me); empty -> Me ! finished end.

results(0, S) -> S;
results(K, S) -> receive {result, X} -> results(K, S + X); finished -> results(K - 1, S) after 20 -> {S, K} end.

chain3(N) ->
    Me = self(),
    C = spawn(fun() -> receive {v, X} -> Me ! {end_of_chain, X} end end),
    B = spawn(fun() -> receive {v, X} -> check(X), C ! {v, X + 1} end end),
    A = spawn(fun() -> receive {v, X} -> check(X - 1), B ! {v, X + 1} end end),
    A ! {v, N},
    timer:sleep(3),
    C ! {v, direct},
    R = receive {end_of_chain, V} -> V end,
    R.

cascade(L) ->
    process_flag(trap_exit, true),
    Ps = lists:foldl(fun(X, Acc) ->
        P = spawn_link(fun() -> [link(Q) || Q <- Acc], receive go -> check(X), receive never -> ok end end end),
        [P | Acc] end, [], L),
    timer:sleep(2),
    [P ! go || P <- Ps],
    timer:sleep(2),
    Alive = length([P || P <- Ps, is_process_alive(P)]),
    [begin unlink(P), exit(P, kill) end || P <- Ps],
    Alive.

group(N) ->
    Me = self(),
    Leader = spawn(fun() ->
        Ms = [spawn_link(fun() -> member(K, Me) end) || K <- [1, 2]],
        receive {kill, X} -> check(X), [M ! report || M <- Ms], timer:sleep(5) end
    end),
    Leader ! {kill, N},
    timer:sleep(2),
    Me ! {member, 0},
    R = receive {member, K} -> K end,
    R.

member(K, Me) -> receive report -> Me ! {member, K} end.

first_of(L) ->
    Me = self(),
    [spawn(fun() -> check(X), Me ! {r, X} end) || X <- L],
    R = receive {r, X} -> X after 5 -> none end,
    R.

timeout_race(N) ->
    Me = self(),
    spawn(fun() -> timer:sleep(abs(N)), Me ! {done, N} end),
    R = receive {done, X} -> X after 4 -> slow end,
    R.

cancel(N) ->
    T = erlang:send_after(3, self(), boom),
    spawn(fun() -> check(N), erlang:cancel_timer(T) end),
    R = receive boom -> boom after 8 -> quiet end,
    R.

lock(L) ->
    K = spawn(fun() -> free() end),
    Me = self(),
    [spawn(fun() -> K ! {acquire, self()}, receive ok -> ok end, check(X), K ! release, Me ! {held, X} end) || X <- L],
    R = held(0),
    R.

free() -> receive {acquire, P} -> P ! ok, taken() end.
taken() -> receive release -> free() end.
held(S) -> receive {held, X} -> held(S + X) after 5 -> S end.

waiter(N) ->
    Me = self(),
    P = spawn(fun() -> R = wait_for(b, 5), Me ! {waited, R} end),
    spawn(fun() -> P ! {a, N}, check(N), P ! {b, N * 2} end),
    V = receive {waited, X} -> X end,
    V.

wait_for(Tag, T) -> receive {Tag, X} -> {got, X} after T -> receive {_, Y} -> {other, Y} after 0 -> none end end.

nested_spawn(N) ->
    Me = self(),
    spawn(fun() -> check(N), spawn(fun() -> check(N + 1), Me ! {inner, N} end), Me ! {outer, N} end),
    timer:sleep(3),
    Me ! {inner, none},
    R = receive {inner, X} -> X end,
    S = receive {outer, Y} -> Y after 0 -> no end,
    {R, S}.

fan(L) ->
    Me = self(),
    C = spawn(fun() -> collector(Me, length(L), []) end),
    [spawn(fun() -> C ! {part, X, (catch 10 div X)} end) || X <- L],
    R = receive {all, Ps} -> [X || {X, V} <- Ps, is_integer(V)] after 10 -> none end,
    R.

collector(Me, 0, Acc) -> Me ! {all, lists:sort(Acc)};
collector(Me, K, Acc) -> receive {part, X, V} -> collector(Me, K - 1, [{X, V} | Acc]) end.
