%% A gen_event manager with a counting handler.
%% inputs: events(list(one(a; b))), swap(int)
-module(event_counter).
-behaviour(gen_event).
-export([events/1, swap/1]).
-export([init/1, handle_event/2, handle_call/2]).

events(Es) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, ?MODULE, 0),
    [gen_event:notify(Pid, {seen, E}) || E <- Es],
    Count = gen_event:call(Pid, ?MODULE, count),
    Last = gen_event:call(Pid, ?MODULE, last),
    gen_event:stop(Pid),
    {Count, Last}.

swap(N) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, ?MODULE, N),
    gen_event:sync_notify(Pid, {seen, x}),
    C = gen_event:call(Pid, ?MODULE, count),
    gen_event:stop(Pid),
    C - N.

init(Start) -> {ok, {Start, none}}.

handle_event({seen, E}, {N, _}) -> {ok, {N + 1, E}};
handle_event(_, State) -> {ok, State}.

handle_call(count, {N, _} = S) -> {ok, N, S};
handle_call(last, {_, L} = S) -> {ok, L, S}.
