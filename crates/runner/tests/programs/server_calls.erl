%% A gen_server: calls, casts, infos, replies from elsewhere, and how calls fail.
-module(server_calls).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

main() ->
    {ok, S} = gen_server:start_link({local, ?MODULE}, ?MODULE, 10, []),
    io:format("~p~n", [gen_server:call(S, get)]),
    ok = gen_server:cast(?MODULE, {add, 5}),
    S ! {add, 1},
    io:format("~p~n", [gen_server:call(?MODULE, get)]),
    io:format("~p~n", [gen_server:call(S, later)]),
    io:format("~p~n", [gen_server:call(S, continue)]),
    io:format("~p~n", [try gen_server:call(S, never, 20) catch exit:{Why, _} -> Why end]),
    {error, {already_started, S}} = gen_server:start_link({local, ?MODULE}, ?MODULE, 1, []),
    ok = gen_server:stop(S),
    io:format("~p~n", [catch gen_server:call(?MODULE, get)]),
    process_flag(trap_exit, true),
    {error, no_luck} = gen_server:start_link(?MODULE, fail, []),
    ignore = gen_server:start_link(?MODULE, ignore, []),
    receive {'EXIT', _, Reason} -> Reason after 10 -> none end.

init(fail) -> {stop, no_luck};
init(ignore) -> ignore;
init(N) -> {ok, N, {continue, started}}.

handle_continue(started, N) -> io:format("started with ~p~n", [N]), {noreply, N};
handle_continue({reply, From}, N) -> gen_server:reply(From, continued), {noreply, N}.

handle_call(get, _, N) -> {reply, N, N};
handle_call(later, From, N) ->
    spawn(fun() -> gen_server:reply(From, later) end),
    {noreply, N};
handle_call(continue, From, N) -> {noreply, N, {continue, {reply, From}}};
handle_call(never, _, N) -> {noreply, N}.

handle_cast({add, M}, N) -> {noreply, N + M}.
handle_info({add, M}, N) -> {noreply, N + M}.
terminate(Reason, N) -> io:format("ends ~p with ~p~n", [Reason, N]).
