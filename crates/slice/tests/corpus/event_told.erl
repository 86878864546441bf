%% Who is told that a handler of events has failed: who asked it, and who wanted to know.
%% inputs: supervised(int), asked(int)
-module(event_told).
-behaviour(gen_event).
-export([supervised/1, asked/1]).
-export([init/1, handle_event/2, handle_call/2]).

supervised(N) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_sup_handler(M, ?MODULE, 5),
    gen_event:notify(M, {value, N}),
    Heard = receive {gen_event_EXIT, ?MODULE, {'EXIT', _}} -> failed after 10 -> nothing end,
    gen_event:stop(M),
    Heard.

asked(N) ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, 5),
    A = kind(gen_event:call(M, ?MODULE, {divide, N})),
    B = kind(gen_event:call(M, ?MODULE, sum)),
    gen_event:stop(M),
    {A, B}.

kind({error, {'EXIT', {Reason, _}}}) -> {failed, Reason};
kind({error, Reason}) -> {error, Reason};
kind(Value) -> Value.

init(Most) -> {ok, {Most, 0}}.

handle_event({value, X}, {Most, Sum}) ->
    small(X, Most),
    {ok, {Most, Sum + X}}.

small(X, Most) when X =< Most -> ok;
small(X, _) -> error({large, X}).

handle_call(sum, {_, Sum} = State) -> {ok, Sum, State};
handle_call({divide, N}, {Most, Sum}) -> {ok, 12 div N, {Most, Sum + N}}.
