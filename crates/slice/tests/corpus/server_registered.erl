%% A server that gets its name after it was started, and loses it.
%% inputs: run(int)
-module(server_registered).
-behaviour(gen_server).
-export([run/1, init/1, handle_call/3, handle_cast/2]).
run(N) ->
    {ok, P} = gen_server:start(?MODULE, N, []),
    register(server_registered_x, P),
    gen_server:cast(server_registered_x, {add, N}),
    A = gen_server:call(server_registered_x, get),
    B = sys:get_state(server_registered_x),
    unregister(server_registered_x),
    C = (catch gen_server:call(server_registered_x, get)),
    D = element(1, C),
    {A, B, D}.
init(N) -> {ok, N}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast({add, X}, S) -> {noreply, S + X}.
