%% Processes and messages: values go from one to the other, and come back.
-module(processes).
-export([start/1, bug_send/1, bug_reply/2, bug_selective/1, bug_spawn_args/2, bug_closure/1,
         bug_server/1, bug_gen_server/2, bug_passed_over/1, bug_registered/1, bug_monitor/1,
         bug_timeout/1, stuck/1, endless/1, two_senders/1]).
-export([answer/3, init/1, handle_call/3, handle_cast/2]).

%% A client asks a server until it has had enough.
start(N) ->
    S = self(),
    spawn(fun() -> client(1, S) end),
    server(N).

client(K, S) ->
    S ! {self(), K},
    receive
        ok -> client(K + 1, S);
        last -> done
    end.

server(N) ->
    receive
        {C, K} when K < N -> C ! ok, server(N);
        {C, _} -> C ! last, stopped
    end.

-spec bug_send(integer()) -> ok.
bug_send(X) ->
    self() ! {x, X + 1},
    receive {x, 12} -> erlang:error(bug); {x, _} -> ok end.

-spec bug_reply(integer(), integer()) -> ok.
bug_reply(X, Y) ->
    Me = self(),
    P = spawn(fun() -> receive {add, A, B} -> Me ! {sum, A + B} end end),
    P ! {add, X, Y},
    receive {sum, 99} when X =:= 33 -> erlang:error(bug); {sum, _} -> ok end.

-spec bug_selective(integer()) -> ok.
bug_selective(X) ->
    self() ! {first, X},
    self() ! {second, X * 2},
    receive
        {second, S} ->
            receive {first, F} when S + F =:= 33 -> erlang:error(bug); {first, _} -> ok end
    end.

-spec bug_spawn_args(integer(), atom()) -> ok.
bug_spawn_args(X, A) ->
    spawn(?MODULE, answer, [self(), X, A]),
    receive {5, go} -> erlang:error(bug); _ -> ok end.

answer(To, X, A) -> To ! {X, A}.

-spec bug_closure(integer()) -> ok.
bug_closure(X) ->
    Me = self(),
    spawn(fun() -> Me ! X * 3 end),
    receive 21 -> erlang:error(bug); _ -> ok end.

-spec bug_server(integer()) -> ok.
bug_server(X) ->
    P = spawn(fun() -> counter(X) end),
    P ! {add, 2},
    P ! {get, self()},
    receive {value, 17} -> erlang:error(bug); {value, _} -> ok end.

counter(N) ->
    receive
        {add, M} -> counter(N + M);
        {get, To} -> To ! {value, N}
    end.

-spec bug_gen_server(atom(), integer()) -> ok.
bug_gen_server(K, V) ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    ok = gen_server:cast(P, {put, K, V}),
    case gen_server:call(P, {get, k}) of
        42 -> erlang:error(bug);
        _ -> ok
    end.

init([]) -> {ok, []}.

handle_call({get, K}, _, State) ->
    {reply, case lists:keyfind(K, 1, State) of {_, V} -> V; false -> none end, State}.

handle_cast({put, K, V}, State) -> {noreply, [{K, V} | State]}.

-spec bug_passed_over(integer()) -> ok.
bug_passed_over(X) ->
    self() ! {n, X},
    self() ! {n, 5},
    receive {n, N} when N =:= 5 -> ok end,
    receive {n, 5} -> erlang:error(bug); _ -> ok end.

-spec bug_registered(integer()) -> ok.
bug_registered(X) ->
    register(me, self()),
    me ! X - 4,
    receive 10 -> erlang:error(bug); _ -> ok end.

-spec bug_monitor(integer()) -> ok.
bug_monitor(X) ->
    {_, R} = spawn_monitor(fun() -> if X > 7, X < 9 -> exit(crash); true -> ok end end),
    receive {'DOWN', R, _, _, crash} -> erlang:error(bug); {'DOWN', R, _, _, _} -> ok end.

-spec bug_timeout(integer()) -> ok.
bug_timeout(X) ->
    if X =:= 3 -> ok; true -> self() ! go end,
    receive go -> ok after 10 -> erlang:error(bug) end.

-spec stuck(integer()) -> ok.
stuck(X) ->
    if X =:= 12 -> ok; true -> self() ! go end,
    receive go -> ok end.

-spec endless(integer()) -> ok.
endless(23) -> endless(23);
endless(_) -> ok.

%% Only one order of two messages fails, for one input.
-spec two_senders(integer()) -> ok.
two_senders(X) ->
    Me = self(),
    spawn(fun() -> Me ! {a, X} end),
    spawn(fun() -> Me ! {b, X} end),
    receive
        {b, 5} -> erlang:error(bug);
        {_, _} -> ok
    end.
