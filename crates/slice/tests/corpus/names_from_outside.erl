%% Processes that are sent something by a name that comes from outside.
%% inputs: main(one(there; gone), int), called(one(served; gone), int), computed(int)
-module(names_from_outside).
-behaviour(gen_server).
-export([main/2, called/2, computed/1]).
-export([init/1, handle_call/3, handle_cast/2]).

main(Name, X) ->
    Me = self(),
    P = spawn(fun() -> receive {n, N} -> Me ! {got, N}; {m, N} -> Me ! {other, N} end end),
    register(there, P),
    put(n, 0),
    try Name ! {n, X}, put(n, 1) catch error:badarg -> ok end,
    Got = receive {got, A} -> A after 10 -> none end,
    N = get(n),
    {Got, N}.

called(Name, X) ->
    {ok, _} = gen_server:start({local, served}, ?MODULE, [], []),
    put(n, 0),
    gen_server:cast(Name, {add, X}),
    try
        put(n, gen_server:call(Name, {work, X}))
    catch
        exit:{noproc, {gen_server, call, [gone, _]}} -> ok;
        exit:_ -> put(n, failed)
    end,
    N = get(n),
    N.

computed(X) ->
    {ok, _} = gen_server:start({local, served}, ?MODULE, [], []),
    Name = list_to_atom("ser" ++ "ved"),
    gen_server:cast(Name, {add, X}),
    R = gen_server:call(Name, {work, 1}),
    R.

init(_) -> {ok, 0}.

handle_call({work, X}, _, N) when X > 8 -> exit({too_big, X + N});
handle_call({work, X}, _, N) when X < 0 -> {stop, normal, N};
handle_call({work, X}, _, N) -> {reply, X + N, N + X}.

handle_cast({add, X}, N) -> {noreply, N + X};
handle_cast({set, X}, _) -> {noreply, X}.
