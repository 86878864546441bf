%% What a server does at its end, and why it says that it ends.
%% inputs: ends(list(int)), ends_by_itself(int)
-module(server_last_words).
-behaviour(gen_server).
-export([ends/1, ends_by_itself/1]).
-export([init/1, handle_call/3, handle_cast/2, terminate/2]).

ends(L) ->
    {ok, Pid} = gen_server:start(?MODULE, self(), []),
    [gen_server:cast(Pid, {add, X}) || X <- L],
    gen_server:cast(Pid, finish),
    receive {ended, Why, Sum} -> {Why, Sum} end.

ends_by_itself(N) ->
    {ok, Pid} = gen_server:start(?MODULE, self(), []),
    Got = gen_server:call(Pid, {finish, N}),
    receive {ended, Why, _} -> {Why, Got} end.

init(Owner) -> {ok, {Owner, 0}}.

handle_call({finish, N}, _From, State) -> {stop, {asked, N * 2}, N + 1, State}.

handle_cast({add, X}, {Owner, Sum}) ->
    small(X),
    {noreply, {Owner, Sum + X}};
handle_cast(finish, State) -> {stop, normal, State}.

small(X) when X > 6 -> exit({shutdown, X});
small(X) when X < -1 -> throw({noreply, {self(), X}});
small(_) -> ok.

terminate(Why, {Owner, Sum}) -> Owner ! {ended, Why, Sum}.
