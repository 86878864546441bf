%% Exits of gen_server:call that a handler ends: noproc, the server's own reason.
%% inputs: main(int), names(one(there; gone), int)
-module(handled_call_exits).
-behaviour(gen_server).
-export([main/1, names/2]).
-export([init/1, handle_call/3, handle_cast/2]).

main(X) ->
    put(n, 0),
    {ok, P} = gen_server:start(?MODULE, [], []),
    try
        put(n, gen_server:call(P, {work, X})),
        put(n, {second, gen_server:call(P, {work, X + 3})})
    catch
        exit:{{too_big, _}, _} -> ok;
        exit:{normal, _} -> put(n, stopped)
    end,
    try gen_server:call(P, {work, 1}), put(alive, yes) catch exit:{noproc, _} -> put(alive, no) end,
    N = get(n),
    Alive = get(alive),
    {N, Alive}.

names(Name, X) ->
    Called = if Name =:= there -> there; true -> gone end,
    {ok, _} = gen_server:start({local, there}, ?MODULE, [], []),
    put(n, 0),
    try
        put(n, gen_server:call(Called, {work, X}))
    catch
        exit:{noproc, {gen_server, call, [gone, _]}} -> ok;
        exit:_ -> put(n, failed)
    end,
    N = get(n),
    N.

init(_) -> {ok, 0}.

handle_call({work, X}, _, N) when X > 8 -> exit({too_big, X + N});
handle_call({work, X}, _, N) when X < 0 -> {stop, normal, N};
handle_call({work, X}, _, N) -> {reply, X + N, N + X}.

handle_cast(_, N) -> {noreply, N}.
