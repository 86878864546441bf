%% Starting something that fails at once: proc_lib, gen_server, init.
%% inputs: main(int), linked(int)
-module(handled_spawn_fails).
-behaviour(gen_server).
-export([main/1, linked/1]).
-export([init/1, handle_call/3, handle_cast/2]).

main(X) ->
    put(n, 0),
    try
        {ok, P} = gen_server:start(?MODULE, X, []),
        put(n, gen_server:call(P, get))
    catch
        error:{badmatch, {error, {refused, _}}} -> ok;
        error:{badmatch, {error, {{bad, _}, _}}} -> put(n, bad);
        error:{badmatch, ignore} -> put(n, ignored)
    end,
    N = get(n),
    N.

linked(X) ->
    process_flag(trap_exit, true),
    put(n, 0),
    case gen_server:start_link(?MODULE, X, []) of
        {ok, P} -> put(n, gen_server:call(P, get));
        {error, {refused, Y}} ->
            receive {'EXIT', _, {refused, Y}} -> put(n, told) after 0 -> ok end;
        {error, _} -> receive {'EXIT', _, _} -> ok after 0 -> put(n, untold) end;
        ignore -> ok
    end,
    N = get(n),
    N.

init(X) when X > 6 -> {stop, {refused, X}};
init(X) when X > 3 -> error({bad, X});
init(X) when X < 0 -> ignore;
init(X) -> {ok, X}.

handle_call(get, _, X) -> {reply, X, X}.
handle_cast(_, X) -> {noreply, X}.
