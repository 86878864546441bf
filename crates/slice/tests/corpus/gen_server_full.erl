%% A gen_server that uses all callbacks.
%% inputs: run(list(int)), infos(int), continues(int), noreply(int), stops(int), many(nat, nat)
-module(gen_server_full).
-behaviour(gen_server).
-export([run/1, infos/1, continues/1, noreply/1, stops/1, many/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

-record(st, {sum = 0, log = [], waiting = none, limit}).

run(L) ->
    {ok, P} = gen_server:start_link(?MODULE, [50], []),
    [gen_server:cast(P, {add, X}) || X <- L],
    Sum = gen_server:call(P, sum),
    Log = gen_server:call(P, log),
    gen_server:stop(P),
    {Sum, Log}.

infos(N) ->
    {ok, P} = gen_server:start(?MODULE, [N], []),
    P ! {tick, N},
    P ! unknown,
    Sum = gen_server:call(P, sum),
    L = gen_server:call(P, limit),
    gen_server:stop(P),
    {Sum, L}.

continues(N) ->
    {ok, P} = gen_server:start(?MODULE, [N], []),
    ok = gen_server:call(P, {continue, N}),
    Sum = gen_server:call(P, sum),
    gen_server:stop(P),
    Sum.

noreply(N) ->
    {ok, P} = gen_server:start(?MODULE, [N], []),
    Me = self(),
    spawn(fun() -> Me ! {waited, gen_server:call(P, wait)} end),
    receive after 5 -> ok end,
    gen_server:cast(P, {release, N * 2}),
    R = receive {waited, V} -> V after 50 -> none end,
    gen_server:stop(P),
    R.

stops(N) ->
    process_flag(trap_exit, true),
    {ok, P} = gen_server:start_link(?MODULE, [self()], []),
    R = (catch gen_server:call(P, {stop, N})),
    E = receive {'EXIT', P, Why} -> Why after 50 -> none end,
    T = receive {terminated, S} -> S after 0 -> none end,
    {R, E, T}.

many(A, B) ->
    {ok, P} = gen_server:start(?MODULE, [A], []),
    {ok, Q} = gen_server:start(?MODULE, [B], []),
    gen_server:cast(P, {add, A}),
    gen_server:cast(Q, {add, B}),
    X = gen_server:call(P, sum),
    Y = gen_server:call(Q, sum),
    {X, Y}.

init([Limit]) -> {ok, #st{limit = Limit}}.

handle_call(sum, _From, S = #st{sum = Sum}) -> {reply, Sum, S};
handle_call(log, _From, S) -> {reply, lists:reverse(S#st.log), S#st{log = []}};
handle_call(limit, _From, S) -> {reply, S#st.limit, S, 1000};
handle_call({continue, N}, From, S) -> {noreply, S#st{waiting = From}, {continue, {more, N}}};
handle_call(wait, From, S) -> {noreply, S#st{waiting = From}};
handle_call({stop, N}, _From, S) -> {stop, {asked, N}, {bye, N}, S#st{sum = N}}.

handle_cast({add, X}, S = #st{sum = Sum, log = Log}) -> {noreply, S#st{sum = Sum + X, log = [X | Log]}};
handle_cast({release, V}, S = #st{waiting = From}) ->
    gen_server:reply(From, {released, V}),
    {noreply, S#st{waiting = none}}.

handle_info({tick, N}, S) -> {noreply, S#st{sum = S#st.sum + N * 10}};
handle_info(timeout, S) -> {noreply, S#st{limit = 0}};
handle_info(_, S) -> {noreply, S#st{log = [unknown]}}.

handle_continue({more, N}, S = #st{waiting = From}) ->
    gen_server:reply(From, ok),
    {noreply, S#st{sum = N + 1, waiting = none}}.

terminate(_, #st{sum = Sum, limit = L}) when is_pid(L) -> L ! {terminated, Sum};
terminate(_, _) -> ok.
