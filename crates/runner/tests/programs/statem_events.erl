%% One function for all events: internal events, generic time-outs, replies by hand.
-module(statem_events).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, [], []),
    A = gen_statem:call(P, {wait, 20}),
    B = gen_statem:call(P, chain),
    P ! info,
    C = gen_statem:call(P, log),
    {A, B, C}.

callback_mode() -> handle_event_function.
init([]) -> {ok, idle, []}.

handle_event({call, From}, {wait, T}, idle, Log) ->
    {next_state, {waiting, From}, [wait | Log], [{{timeout, name}, T, content}]};
handle_event({timeout, name}, content, {waiting, From}, Log) ->
    {next_state, idle, [timeout | Log], [{reply, From, waited}]};
handle_event({call, From}, chain, idle, Log) ->
    {keep_state, [chain | Log], [{next_event, internal, {step, From, 3}}]};
handle_event(internal, {step, From, 0}, idle, _) ->
    gen_statem:reply(From, chained),
    keep_state_and_data;
handle_event(internal, {step, From, N}, idle, Log) ->
    {keep_state, [{step, N} | Log], [{next_event, internal, {step, From, N - 1}}]};
handle_event(info, Info, _, Log) -> {keep_state, [Info | Log]};
handle_event({call, From}, log, State, Log) -> {keep_state_and_data, [{reply, From, {State, lists:reverse(Log)}}]}.
