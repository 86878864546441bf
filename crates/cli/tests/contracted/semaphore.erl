%% A semaphore: as many as there are permits may be inside.
-module(semaphore).
-behaviour(gen_server_cpre).
-include_lib("edbc.hrl").
-compile([export_all, nowarn_export_all]).
?INVARIANT(fun(N) -> N >= 0 andalso N =< 1 end).
init(N) -> {ok, N}.
cpre(wait, _, N) -> {N > 0, N};
cpre(_, _, N) -> {true, N}.
handle_call(wait, _, N) -> {reply, ok, N - 1};
handle_call(unguarded, _, N) -> {reply, ok, N - 1};
handle_call(signal, _, N) -> {reply, ok, N + 1}.
handle_cast(_, N) -> {noreply, N}.
%= 6
good() ->
    {ok, S} = gen_server_cpre:start(?MODULE, 1, []),
    [spawn(fun() -> use(S, wait) end) || _ <- [1, 2]], ok.
%= 6 abnormal_exit 2 contract 2 contract 2
bad() ->
    {ok, S} = gen_server_cpre:start(?MODULE, 1, []),
    [spawn(fun() -> use(S, unguarded) end) || _ <- [1, 2]], ok.
%= 4 abnormal_exit 1 contract 1 contract 3
forgets() ->
    {ok, S} = gen_server_cpre:start(?MODULE, 1, []),
    [spawn(fun() -> gen_server_cpre:call(S, signal, infinity) end) || _ <- [1]],
    use(S, wait), ok.
use(S, Wait) ->
    ok = gen_server_cpre:call(S, Wait, infinity),
    ok = gen_server_cpre:call(S, signal, infinity).
