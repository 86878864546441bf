%% Whether a name is free says whether the server that had it has ended.
%% inputs: again(list(int))
-module(server_named_again).
-behaviour(gen_server).
-export([again/1]).
-export([init/1, handle_call/3, handle_cast/2]).

again(L) ->
    {ok, Pid} = gen_server:start({local, named_again}, ?MODULE, 1, []),
    lists:foreach(fun(X) -> gen_server:cast(Pid, {add, X}) end, L),
    timer:sleep(5),
    Second = gen_server:start({local, named_again}, ?MODULE, 2, []),
    Kind = kind(Second),
    Value = gen_server:call(named_again, get),
    {Kind, Value}.

kind({ok, _}) -> new;
kind({error, {already_started, _}}) -> old.

init(N) -> {ok, N}.

handle_call(get, _From, N) -> {reply, N, N}.

handle_cast({add, X}, N) when X > 5 -> exit({shutdown, N});
handle_cast({add, X}, N) -> {noreply, N + X}.
