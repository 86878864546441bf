%% A gen_statem with one callback function and a time-out.
%% inputs: press(list(one(push; pull))), idle(int)
-module(statem_handler).
-behaviour(gen_statem).
-export([press/1, idle/1]).
-export([init/1, callback_mode/0, handle_event/4]).

press(Buttons) ->
    {ok, Pid} = gen_statem:start(?MODULE, {self(), 0}, []),
    [gen_statem:cast(Pid, B) || B <- Buttons],
    {State, Count} = gen_statem:call(Pid, get),
    gen_statem:stop(Pid),
    {State, Count}.

idle(N) ->
    {ok, Pid} = gen_statem:start(?MODULE, {self(), N}, []),
    gen_statem:cast(Pid, push),
    Got = receive
        {idle, Count} -> {idle, Count}
    after 100 ->
        none
    end,
    gen_statem:stop(Pid),
    Got.

callback_mode() -> handle_event_function.

init({Owner, N}) -> {ok, off, {Owner, N}}.

handle_event(cast, push, off, {O, N}) ->
    {next_state, on, {O, N + 1}, [{state_timeout, 20, idle}]};
handle_event(cast, push, on, {O, N}) ->
    {next_state, off, {O, N}};
handle_event(cast, pull, _, {O, N}) ->
    {next_state, off, {O, N - 1}};
handle_event(state_timeout, idle, on, {O, N}) ->
    O ! {idle, N},
    {next_state, off, {O, N}};
handle_event({call, From}, get, State, {_, N}) ->
    {keep_state_and_data, [{reply, From, {State, N}}]}.
