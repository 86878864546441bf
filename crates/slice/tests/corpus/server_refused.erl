%% A server that does not start says so, to who starts it.
%% inputs: start(int)
-module(server_refused).
-behaviour(gen_server).
-export([start/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start(N) ->
    Started = gen_server:start(?MODULE, N, []),
    First = element(1, Started),
    Told = case Started of
        {ok, Pid} -> gen_server:call(Pid, get);
        {error, {{late, Why}, _}} -> {late, Why};
        {error, {_, _}} -> failed;
        {error, Other} -> Other
    end,
    {First, Told}.

init(N) when N < 0 -> exit(negative);
init(0) -> {stop, zero};
init(N) ->
    checked(N),
    {ok, 12 div (N - 1)}.

checked(N) when N > 4 -> error({late, N});
checked(_) -> ok.

handle_call(get, _From, N) -> {reply, N, N}.

handle_cast(_, N) -> {noreply, N}.
