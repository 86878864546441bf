%% Funs in messages, applied elsewhere; apply/3.
%% inputs: workers(list(int)), callbacks(int), agent(list(int)), apply_it(atom, int), pool(nat), late(int)
-module(funs_in_messages).
-export([workers/1, callbacks/1, agent/1, apply_it/2, pool/1, late/1]).
-export([a/1, b/1, c/1, twice/2]).

workers(L) ->
    Me = self(),
    Pid = spawn(fun() -> server(#{}) end),
    [Pid ! {run, Me, fun(S) -> {X * X, S#{X => seen}} end} || X <- L],
    Rs = [receive {result, R} -> R end || _ <- L],
    Pid ! {run, Me, fun(S) -> {maps:size(S), S} end},
    N = receive {result, R2} -> R2 end,
    Pid ! stop,
    {Rs, N}.

server(S) ->
    receive
        {run, From, F} ->
            {R, S1} = F(S),
            From ! {result, R},
            server(S1);
        stop -> ok
    end.

callbacks(N) ->
    Me = self(),
    spawn(fun() -> Me ! {done, fun(X) -> X + N end, N * 2} end),
    {F, V} = receive {done, G, W} -> {G, W} end,
    R = F(V),
    T = apply(F, [R]),
    {R, T}.

agent(L) ->
    A = spawn(fun() -> agent_loop(0) end),
    [A ! {update, fun(S) -> S + X end} || X <- L],
    A ! {get, self(), fun(S) -> {total, S} end},
    R = receive {total, T} -> T after 100 -> none end,
    A ! stop,
    R.

agent_loop(S) ->
    receive
        {update, F} -> agent_loop(F(S));
        {get, To, F} -> To ! F(S), agent_loop(S);
        stop -> ok
    end.

apply_it(Name, N) ->
    R = try apply(?MODULE, Name, [N]) catch error:undef -> undef end,
    S = erlang:apply(fun ?MODULE:twice/2, [fun ?MODULE:a/1, N]),
    M = ?MODULE,
    T = M:twice(fun(X) -> X - 1 end, N),
    {R, S, T}.

a(N) -> N + 1.
b(N) -> {b, N}.
c(N) -> throw_away(N), N * 3.

throw_away(_) -> ok.

twice(F, X) -> F(F(X)).

pool(N0) ->
    N = N0 rem 4 + 1,
    Me = self(),
    Ws = [spawn(fun() -> worker(Me, K) end) || K <- lists:seq(1, N)],
    Jobs = [fun() -> J * J end || J <- lists:seq(1, 2 * N)],
    Pairs = lists:zip(Jobs, Ws ++ Ws),
    [W ! {job, I, J} || {I, {J, W}} <- lists:zip(lists:seq(1, 2 * N), Pairs)],
    Rs = [receive {res, I, _, V} -> V end || I <- lists:seq(1, 2 * N)],
    [W ! stop || W <- Ws],
    lists:sum(Rs).

worker(To, K) ->
    receive
        {job, I, F} -> To ! {res, I, K, F()}, worker(To, K);
        stop -> ok
    end.

late(N) ->
    T = erlang:send_after(5, self(), {tick, fun() -> N + 1 end}),
    A = receive {tick, F} -> F() after 50 -> none end,
    B = erlang:cancel_timer(T),
    {A, B}.
