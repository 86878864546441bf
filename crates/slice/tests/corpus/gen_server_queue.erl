%% A gen_server that answers later, and has a registered name.
%% inputs: handover(int), ordered(list(int))
-module(gen_server_queue).
-behaviour(gen_server).
-export([handover/1, ordered/1]).
-export([init/1, handle_call/3, handle_cast/2]).

handover(X) ->
    {ok, _} = gen_server:start({local, handover}, ?MODULE, [], []),
    Parent = self(),
    spawn(fun() -> Parent ! {taken, gen_server:call(handover, take)} end),
    gen_server:cast(handover, {put, X}),
    Got = receive {taken, T} -> T end,
    gen_server:stop(handover),
    Got.

ordered(L) ->
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    [gen_server:cast(Pid, {put, X}) || X <- L],
    Out = [gen_server:call(Pid, take) || _ <- L],
    gen_server:stop(Pid),
    Out.

init([]) -> {ok, {[], []}}.

handle_call(take, From, {[], Waiting}) ->
    {noreply, {[], Waiting ++ [From]}};
handle_call(take, _From, {[X | Xs], Waiting}) ->
    {reply, X, {Xs, Waiting}}.

handle_cast({put, X}, {Xs, []}) ->
    {noreply, {Xs ++ [X], []}};
handle_cast({put, X}, {Xs, [W | Ws]}) ->
    gen_server:reply(W, X),
    {noreply, {Xs, Ws}}.
