%% Processes: servers by hand, rings, barriers, publishers, semaphores, aliases, timers.
%% inputs: bank(list({one(a; b; c), int})), ring(nat), barrier(nat), pubsub(list(int)), rpc(int, int), cache(list(int)), semaphore(nat), alias_reply(int), timer_msgs(list(nat)), spawn_args(int, int), linked_worker(any)
-module(more_concurrency).
-export([bank/1, ring/1, barrier/1, pubsub/1, rpc/2, cache/1, semaphore/1, alias_reply/1, timer_msgs/1, spawn_args/2, linked_worker/1]).
-export([node_loop/2, started/3]).

bank(Ops) ->
    Pid = spawn(fun() -> account(#{a => 0, b => 100}) end),
    Rs = [ask(Pid, {deposit, K, N}) || {K, N} <- Ops],
    B = ask(Pid, {balance, a}),
    Pid ! stop,
    {B, lists:usort(Rs)}.

account(M) ->
    receive
        {From, Ref, {deposit, K, N}} when is_map_key(K, M) ->
            #{K := Old} = M,
            From ! {Ref, ok},
            account(M#{K := Old + N});
        {From, Ref, {deposit, K, _}} ->
            From ! {Ref, {no, K}},
            account(M);
        {From, Ref, {balance, K}} ->
            From ! {Ref, maps:get(K, M)},
            account(M);
        stop -> ok
    end.

ask(Pid, What) ->
    Ref = make_ref(),
    Pid ! {self(), Ref, What},
    receive {Ref, Answer} -> Answer after 1000 -> timeout end.

ring(N0) ->
    N = N0 rem 5 + 1,
    Last = lists:foldl(fun(K, Next) -> spawn(?MODULE, node_loop, [K, Next]) end, self(), lists:seq(1, N)),
    Last ! {token, 0, []},
    receive {token, Sum, Path} -> {Sum, Path} end.

node_loop(K, Next) ->
    receive {token, Sum, Path} -> Next ! {token, Sum + K, [K | Path]} end.

barrier(N0) ->
    N = N0 rem 4 + 1,
    Me = self(),
    Ws = [spawn(fun() -> Me ! {ready, self()}, receive {go, X} -> Me ! {done, X * K} end end) || K <- lists:seq(1, N)],
    [receive {ready, W} -> ok end || W <- Ws],
    [W ! {go, 10} || W <- Ws],
    Total = lists:sum([receive {done, V} -> V end || _ <- Ws]),
    Total.

pubsub(L) ->
    Me = self(),
    Hub = spawn(fun() -> hub([]) end),
    Subs = [spawn(fun() -> Hub ! {sub, self()}, Me ! {up, I}, sub(Me, I, 0) end) || I <- [1, 2]],
    [receive {up, I} -> ok end || I <- [1, 2]],
    [Hub ! {pub, X} || X <- L],
    Hub ! {pub, stop},
    A = receive {sum, 1, S1} -> S1 end,
    B = receive {sum, 2, S2} -> S2 end,
    {A, B, length(Subs)}.

hub(Subs) ->
    receive
        {sub, P} -> hub([P | Subs]);
        {pub, stop} -> [S ! stop || S <- Subs], ok;
        {pub, X} -> [S ! {msg, X} || S <- Subs], hub(Subs)
    end.

sub(To, I, Sum) ->
    receive
        {msg, X} -> sub(To, I, Sum + X * I);
        stop -> To ! {sum, I, Sum}
    end.

rpc(A, B) ->
    R = call(fun() -> A div B end),
    case R of
        {ok, V} -> V;
        {error, {badarith, _}} -> zero;
        {error, Other} -> Other
    end.

call(F) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, F()}) end),
    receive
        {'DOWN', Ref, process, Pid, {result, V}} -> {ok, V};
        {'DOWN', Ref, process, Pid, Why} -> {error, Why}
    end.

cache(L) ->
    T = ets:new(cache, [public]),
    Hits = lists:foldl(fun(K, H) ->
        case ets:lookup(T, K) of
            [{_, _}] -> H + 1;
            [] -> ets:insert(T, {K, K * K}), H
        end
    end, 0, L),
    Size = ets:info(T, size),
    V = case L of [F | _] -> ets:lookup_element(T, F, 2); [] -> none end,
    {Hits, Size, V}.

semaphore(N0) ->
    N = N0 rem 4 + 1,
    Me = self(),
    Sem = spawn(fun() -> sem(2, []) end),
    [spawn(fun() -> Sem ! {take, self()}, receive ok -> ok end, Me ! {in, I}, Sem ! give end) || I <- lists:seq(1, N)],
    Order = [receive {in, I} -> I end || _ <- lists:seq(1, N)],
    {lists:sort(Order), length(Order)}.

sem(0, Waiting) -> receive give -> wake(1, Waiting) end;
sem(K, Waiting) ->
    receive
        {take, P} -> P ! ok, sem(K - 1, Waiting);
        give -> wake(K + 1, Waiting)
    end.

wake(K, [P | Rest]) -> P ! ok, sem(K - 1, Rest);
wake(K, []) -> sem(K, []).

alias_reply(N) ->
    A = alias([reply]),
    spawn(fun() -> A ! {answer, N * 3} end),
    R = receive {answer, V} -> V after 50 -> none end,
    A ! {answer, late},
    S = receive {answer, W} -> W after 0 -> gone end,
    {R, S}.

timer_msgs(Ts) ->
    [erlang:send_after(T rem 10, self(), {t, T}) || T <- Ts],
    Got = collect(length(Ts)),
    erlang:start_timer(1, self(), last),
    L = receive {timeout, _, X} -> X end,
    {Got, L}.

collect(0) -> [];
collect(N) -> receive {t, T} -> [T | collect(N - 1)] end.

spawn_args(A, B) ->
    Me = self(),
    P = spawn(?MODULE, started, [Me, A, {B, A}]),
    Q = spawn_link(fun() -> started(Me, B, {A, B}) end),
    X = receive {P, V} -> V end,
    Y = receive {Q, W} -> W end,
    {X, Y}.

started(To, N, {K, _}) -> To ! {self(), N * 10 + K}.

linked_worker(X) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> case X of [H | _] when is_integer(H) -> exit({v, H}); [_ | _] -> error(bad); {A, _} -> throw(A); _ -> X end end),
    receive
        {'EXIT', P, normal} -> normal;
        {'EXIT', P, {v, V}} -> V;
        {'EXIT', P, {{nocatch, T}, _}} -> {thrown, T};
        {'EXIT', P, {R, _Stack}} -> R
    end.
