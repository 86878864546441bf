%% Processes that are linked to, watch and wait for each other.
%% inputs: chain(int), trap_chain(int), ring(list(int)), timer_cancel(int), after_zero(list(int)), priority(list(one(high; low))), sup_chain(int), late(int), monitor_many(list(int)), unlink_race(int), exit_reason(int), spawn_opt_it(int), timers(list(int)), alias_reply(int), flush_all(list(int)), delegated(int), two_clients(int), start_timer_it(int)
-module(process_chains).
-export([chain/1, trap_chain/1, ring/1, timer_cancel/1, after_zero/1, priority/1, sup_chain/1, late/1, monitor_many/1, unlink_race/1, exit_reason/1, spawn_opt_it/1, timers/1, alias_reply/1, flush_all/1, delegated/1, two_clients/1, start_timer_it/1]).
-export([worker/2]).

chain(N) ->
    Me = self(),
    {P, Ref} = spawn_monitor(fun() ->
        Q = spawn_link(fun() -> receive {go, X} -> check(X), Me ! {done, X} end end),
        Q ! {go, N},
        receive never -> ok after 20 -> Me ! survived end
    end),
    Why = receive {'DOWN', Ref, process, P, R} -> shape(R) end,
    Left = receive {done, V} -> {done, V}; survived -> survived after 0 -> nothing end,
    {Why, Left}.

shape({R, S}) when is_list(S) -> R;
shape(R) -> R.

check(N) when N > 4 -> error({large, N});
check(N) when N < 0 -> exit({low, N});
check(_) -> ok.

trap_chain(N) ->
    process_flag(trap_exit, true),
    A = spawn_link(fun() ->
        process_flag(trap_exit, true),
        B = spawn_link(fun() -> check(N) end),
        receive {'EXIT', B, normal} -> exit(fine); {'EXIT', B, R} -> exit({child, shape(R)}) end
    end),
    W = receive {'EXIT', A, Why} -> Why end,
    W.

ring(L) ->
    Me = self(),
    Last = lists:foldl(fun(X, Next) -> spawn(fun() -> node_loop(X, Next) end) end, Me, L),
    Last ! {token, 0},
    receive {token, Sum} -> Sum after 50 -> broken end.

node_loop(X, Next) ->
    receive {token, S} -> check(X), Next ! {token, S + X} end.

timer_cancel(N) ->
    Ref = erlang:send_after(10, self(), {tick, N}),
    Left = if N > 3 -> erlang:cancel_timer(Ref); true -> none end,
    R = receive {tick, M} -> M after 30 -> silence end,
    {is_integer(Left), R}.

start_timer_it(N) ->
    Ref = erlang:start_timer(5, self(), {n, N}),
    R = receive {timeout, Ref, {n, M}} -> M after 20 -> none end,
    R.

after_zero(L) ->
    [self() ! {v, X} || X <- L, X > 0],
    A = take(0),
    A.

take(S) -> receive {v, X} -> take(S + X) after 0 -> S end.

priority(L) ->
    [self() ! {K, I} || {K, I} <- lists:zip(L, lists:seq(1, length(L)))],
    Order = drain([]),
    Order.

drain(Acc) ->
    receive {high, I} -> drain([I | Acc])
    after 0 -> receive {low, I} -> drain([I | Acc]) after 0 -> lists:reverse(Acc) end
    end.

sup_chain(N) ->
    Me = self(),
    {Top, Ref} = spawn_monitor(fun() ->
        Kids = [spawn_link(?MODULE, worker, [Me, K]) || K <- [N, N + 1, N + 2]],
        [K ! run || K <- Kids],
        receive stop -> ok after 10 -> ok end
    end),
    receive {'DOWN', Ref, process, Top, _} -> ok end,
    Got = collect(0),
    Got.

worker(Owner, K) -> receive run -> check(K), Owner ! {worked, K} end.

collect(S) -> receive {worked, K} -> collect(S + K) after 5 -> S end.

late(N) ->
    Me = self(),
    P = spawn(fun() -> receive {ask, From} -> check(N), From ! {answer, N} end end),
    P ! {ask, Me},
    R = receive {answer, V} -> V after 10 -> late end,
    S = receive {answer, W} -> W after 0 -> none end,
    {R, S}.

monitor_many(L) ->
    Refs = [begin {P, R} = spawn_monitor(fun() -> check(X) end), {X, P, R} end || X <- L],
    Down = [receive {'DOWN', R, process, P, Why} -> {X, Why =:= normal} end || {X, P, R} <- Refs],
    Bad = [X || {X, false} <- Down],
    {length(Bad), Bad}.

unlink_race(N) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive go -> check(N) end end),
    if N > 6 -> unlink(P); true -> ok end,
    P ! go,
    R = receive {'EXIT', P, Why} -> shape(Why) after 10 -> nothing end,
    R.

exit_reason(N) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive never -> ok end end),
    exit(P, reason(N)),
    R = receive {'EXIT', P, Why} -> Why after 10 -> alive end,
    R.

reason(N) when N > 5 -> kill;
reason(N) when N < 0 -> normal;
reason(N) -> {because, N}.

spawn_opt_it(N) ->
    {P, Ref} = spawn_opt(fun() -> check(N), exit({ended, N}) end, [monitor]),
    R = receive {'DOWN', Ref, process, P, {ended, V}} -> V; {'DOWN', Ref, process, P, O} -> shape(O) end,
    R.

timers(L) ->
    [erlang:send_after(abs(X) * 2, self(), {t, X}) || X <- L],
    Order = [receive {t, X} -> X end || _ <- L],
    hd(Order ++ [none]).

alias_reply(N) ->
    P = spawn(fun() -> receive {ask, A, V} -> check(V), A ! {A, V * 2} end end),
    Ref = monitor(process, P, [{alias, reply_demonitor}]),
    P ! {ask, Ref, N},
    R = receive {Ref, V} -> V; {'DOWN', Ref, _, _, Why} -> {down, shape(Why)} end,
    R.

flush_all(L) ->
    Me = self(),
    Ps = [spawn(fun() -> check(X), Me ! {r, X} end) || X <- L],
    timer:sleep(5),
    Got = flush([]),
    {length(Ps), lists:sort(Got)}.

flush(Acc) -> receive {r, X} -> flush([X | Acc]) after 0 -> Acc end.

delegated(N) ->
    Me = self(),
    S = spawn(fun() -> server(0) end),
    spawn(fun() -> S ! {add, N}, check(N), S ! {add, 100} end),
    timer:sleep(5),
    S ! {get, Me},
    R = receive {sum, V} -> V end,
    R.

server(Sum) -> receive {add, X} -> server(Sum + X); {get, From} -> From ! {sum, Sum}, server(Sum) end.

two_clients(N) ->
    S = spawn(fun() -> server(0) end),
    Me = self(),
    spawn(fun() -> S ! {get, self()}, receive {sum, V} -> check(N + V), S ! {add, 7}, Me ! {first, V} end end),
    timer:sleep(5),
    S ! {add, N},
    S ! {get, Me},
    R = receive {sum, V} -> V end,
    F = receive {first, W} -> W after 0 -> none end,
    {R, F}.
