%% Requests that are answered with later ones.
%% inputs: run(list(int), int)
-module(answered_later).
-behaviour(gen_server).
-export([run/2, init/1, handle_call/3, handle_cast/2]).
run(L, N) ->
    {ok, P} = gen_server:start_link(?MODULE, N, []),
    Rs = [gen_server:send_request(P, {mul, X}) || X <- L],
    As = [case gen_server:wait_response(R, 20) of {reply, V} -> V; timeout -> late; {error, {E, _}} -> {e, E} end || R <- Rs],
    {Rep, Bad} = gen_server:multi_call([node()], answered_later_none, hello, 10),
    C = gen_server:abcast([node()], answered_later_none, x),
    {As, Rep, length(Bad), C}.
init(N) -> {ok, {N, []}}.
handle_call({mul, X}, From, {N, W}) when X > 3 -> {noreply, {N + 1, [{From, X} | W]}};
handle_call({mul, X}, _, {N, W}) ->
    [gen_server:reply(F, {deferred, Y * N}) || {F, Y} <- W],
    {reply, X * N, {N, []}}.
handle_cast(_, S) -> {noreply, S}.
