%% A state machine with one function for all events: actions of all kinds, and who asked waits in the data.
-module(events_in_one_function).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4, terminate/3]).

main() ->
    {ok, M} = gen_statem:start_link({local, switch}, ?MODULE, 3, []),
    off = gen_statem:call(M, where),
    Waiting = gen_statem:send_request(M, {wait, self()}),
    gen_statem:cast(switch, push),
    {reply, {went, on}} = gen_statem:wait_response(Waiting, 1000),
    receive {told, on} -> ok end,
    on = gen_statem:call(switch, where),
    switch ! {info, self()},
    receive {heard, Where} -> io:format("~p~n", [Where]) end,
    [one, two] = gen_statem:call(M, both),
    timer:sleep(100),
    off = gen_statem:call(M, where),
    gen_statem:stop(M).

callback_mode() -> [handle_event_function, state_enter].

init(N) -> {ok, off, #{left => N, waits => none}}.

handle_event(enter, _, on, #{waits := {From, Pid}} = D) ->
    Pid ! {told, on},
    {keep_state, D#{waits := none}, [{reply, From, {went, on}}, {state_timeout, 50, dark}]};
handle_event(enter, _, _, _) -> keep_state_and_data;
handle_event({call, From}, where, S, _) -> {keep_state_and_data, [{reply, From, S}]};
handle_event({call, From}, {wait, Pid}, off, D) -> {keep_state, D#{waits := {From, Pid}}};
handle_event({call, From}, both, _, _) ->
    {keep_state_and_data, [{next_event, internal, {second, From, [one]}}]};
handle_event(internal, {second, From, L}, _, D) ->
    gen_statem:reply(From, L ++ [two]),
    {keep_state, D#{left => 0}};
handle_event(cast, push, off, D) -> {next_state, on, D};
handle_event(state_timeout, dark, on, D) -> {next_state, off, D};
handle_event(info, {info, Pid}, S, _) -> Pid ! {heard, S}, keep_state_and_data.

terminate(Reason, S, _) -> io:format("~p in ~p~n", [Reason, S]).
