%% A gen_server whose callbacks handle failures; the state shows what was done.
%% inputs: main(list(int)), casts(list(int))
-module(handled_gen_server).
-behaviour(gen_server).
-export([main/1, casts/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

main(L) ->
    {ok, P} = gen_server:start(?MODULE, 1, []),
    Answers = [gen_server:call(P, {divide, X}) || X <- L],
    State = gen_server:call(P, state),
    gen_server:stop(P),
    {Answers, State}.

casts(L) ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    [gen_server:cast(P, {add, X}) || X <- L],
    P ! {add, 100},
    State = gen_server:call(P, state),
    State.

init(N) -> {ok, N}.

handle_call(state, _, N) -> {reply, N, N};
handle_call({divide, X}, _, N) ->
    try
        V = checked(100 div X),
        {reply, V, N + V}
    catch
        error:badarith -> {reply, none, N};
        throw:{large, W} when W > 30 -> {reply, large, N}
    end.

checked(V) when V > 20 -> throw({large, V});
checked(V) -> V.

handle_cast({add, X}, N) ->
    put(last, X),
    try
        X > 6 andalso throw({too_big, X}),
        put(last, fine),
        {noreply, N + X}
    catch throw:{too_big, _} -> {noreply, {N, get(last)}}
    end.

handle_info({add, X}, N) ->
    Next = try N + X catch error:badarith -> {element(1, N), X} end,
    {noreply, Next}.
