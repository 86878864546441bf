%% Ends of servers that are heard of without links, monitors and time-outs.
%% inputs: stopped(list(int)), bad(list(int))
-module(server_endings).
-behaviour(gen_server).
-export([stopped/1, bad/1]).
-export([init/1, handle_call/3, handle_cast/2]).

stopped(L) ->
    {ok, Pid} = gen_server:start(?MODULE, 7, []),
    [gen_server:cast(Pid, {until, X}) || X <- L],
    Left = try gen_server:call(Pid, get) catch exit:{Why, _} -> {ended, Why} end,
    Left.

bad(L) ->
    {ok, Pid} = gen_server:start(?MODULE, 8, []),
    [gen_server:cast(Pid, {odd, X}) || X <- L],
    Left = (catch gen_server:call(Pid, get)),
    is_integer(Left).

init(N) -> {ok, N}.

handle_call(get, _From, N) -> {reply, N, N}.

handle_cast({until, X}, N) when X > 3 -> {stop, {shutdown, X}, N};
handle_cast({until, _}, N) -> {noreply, N};
handle_cast({odd, X}, N) -> odd(X rem 3, N).

odd(0, N) -> {noreply, N};
odd(1, N) -> {noreply, N};
odd(_, _) -> odd_answer.
