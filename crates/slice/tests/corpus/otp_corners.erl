%% Servers started and asked in unusual ways.
%% inputs: ack(int), enter(int), simple(list(int)), timers(int), multi(int), reply_later(int), server_crash(int), call_timeout(nat), global_name(int), statem_reply(int), call_self(int), stop_reason(int), format(int)
-module(otp_corners).
-behaviour(gen_server).
-export([ack/1, enter/1, simple/1, timers/1, multi/1, reply_later/1, server_crash/1, call_timeout/1, global_name/1, statem_reply/1, call_self/1, stop_reason/1, format/1]).
-export([acked/2, entered/1, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, start_child/1, child/1]).

ack(N) ->
    {ok, P, X} = proc_lib:start_link(?MODULE, acked, [self(), N]),
    P ! {self(), 3},
    R = receive {P, V} -> V after 100 -> none end,
    {X, R}.

acked(Parent, N) ->
    proc_lib:init_ack(Parent, {ok, self(), N + 1}),
    receive {From, K} -> From ! {self(), N * K} end.

enter(N) ->
    P = proc_lib:spawn_link(?MODULE, entered, [N]),
    A = gen_server:call(P, get),
    gen_server:cast(P, {set, A + 5}),
    B = gen_server:call(P, get),
    unlink(P), exit(P, kill),
    {A, B}.

entered(N) -> gen_server:enter_loop(?MODULE, [], N * 2).

simple(L) ->
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link(?MODULE, {sup, self()}),
    Ps = [element(2, supervisor:start_child(S, [X])) || X <- L],
    [P ! {self(), ask} || P <- Ps],
    Rs = [receive {P, V} -> V after 50 -> none end || P <- Ps],
    C = proplists:get_value(workers, supervisor:count_children(S)),
    unlink(S), exit(S, shutdown),
    {Rs, C}.

start_child(X) -> {ok, spawn_link(?MODULE, child, [X])}.

child(X) -> receive {From, ask} -> From ! {self(), X * X}, child(X + 1) end.

timers(N) ->
    {ok, _} = timer:send_after(5, {later, N}),
    {ok, _} = timer:apply_after(1, erlang, send, [self(), {first, N + 1}]),
    A = receive {first, X} -> X after 100 -> none end,
    B = receive {later, Y} -> Y after 100 -> none end,
    {A, B}.

multi(N) ->
    {ok, P} = gen_server:start({local, multi_a}, ?MODULE, N, []),
    {Rs, Bad} = gen_server:multi_call([node()], multi_a, get),
    [{_, R}] = Rs,
    gen_server:stop(P),
    {R, Bad}.

reply_later(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    R = gen_server:call(P, later),
    S = gen_server:call(P, get),
    gen_server:stop(P),
    {R, S}.

server_crash(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    R = try gen_server:call(P, {crash, N}) catch exit:{Why, _} -> reason(Why) end,
    S = is_process_alive(P),
    {R, S}.

reason({{boom, N}, _}) -> {boom, N};
reason(Other) -> Other.

call_timeout(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    R = try gen_server:call(P, {sleep, N rem 20}, 10) catch exit:{timeout, _} -> timed_out end,
    R.

global_name(N) ->
    {ok, P} = gen_server:start({local, ?MODULE}, ?MODULE, N, []),
    A = gen_server:call(?MODULE, get),
    gen_server:cast(?MODULE, {set, N + 7}),
    B = gen_server:call({?MODULE, node()}, get),
    gen_server:stop(P),
    {A, B}.

statem_reply(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    R = gen_server:send_request(P, get),
    {reply, V} = gen_server:wait_response(R, 100),
    gen_server:stop(P),
    V.

call_self(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    {ok, Q} = gen_server:start(?MODULE, N + 1, []),
    R = gen_server:call(P, {ask, Q}),
    gen_server:stop(P), gen_server:stop(Q),
    R.

stop_reason(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    Ref = monitor(process, P),
    gen_server:cast(P, {stop, N * 3}),
    receive {'DOWN', Ref, process, P, {asked, V}} -> V; {'DOWN', Ref, _, _, O} -> O end.

format(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    S = sys:get_state(P),
    sys:replace_state(P, fun(X) -> X + 100 end),
    T = gen_server:call(P, get),
    gen_server:stop(P),
    {S, T}.

init({sup, _}) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => c, start => {?MODULE, start_child, []}}]}};
init(N) -> {ok, N}.

handle_call(get, _, S) -> {reply, S, S};
handle_call(later, From, S) -> self() ! {answer, From, S + 1}, {noreply, S};
handle_call({crash, N}, _, _) -> error({boom, N});
handle_call({sleep, T}, _, S) -> receive after T -> ok end, {reply, T, S};
handle_call({ask, Q}, _, S) -> V = gen_server:call(Q, get), {reply, V * 2, S}.

handle_cast({set, N}, _) -> {noreply, N};
handle_cast({stop, R}, S) -> {stop, {asked, R}, S}.

handle_info({answer, From, V}, S) -> gen_server:reply(From, V), {noreply, S * 2}.

terminate(_, _) -> ok.
