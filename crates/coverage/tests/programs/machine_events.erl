%% A state machine with one function for all events, and all that it can ask for.
-module(machine_events).
-export([main/0, init/1, callback_mode/0, handle_event/4, terminate/3]).
-behaviour(gen_statem).

main() ->
    {ok, M} = gen_statem:start_link({local, machine}, ?MODULE, self(), []),
    gen_statem:cast(M, go),
    receive {entered, running} -> ok end,
    {at, running} = gen_statem:call(machine, where),
    M ! plain,
    receive {plain, running} -> ok end,
    receive {timer, tick} -> ok end,
    receive {timer, named} -> ok end,
    Id = gen_statem:send_request(M, where),
    {reply, {at, _}} = gen_statem:wait_response(Id),
    later = gen_statem:call(M, postponed),
    gen_statem:stop(M).

callback_mode() -> [handle_event_function, state_enter].

init(Client) -> {ok, idle, Client, [{next_event, internal, first}]}.

handle_event(enter, _, State, Client) -> Client ! {entered, State}, keep_state_and_data;
handle_event(internal, first, idle, _) -> keep_state_and_data;
handle_event(cast, go, idle, Client) ->
    {next_state, running, Client, [{state_timeout, 1, tick}, {{timeout, name}, 1, named}]};
handle_event(state_timeout, What, running, Client) -> Client ! {timer, What}, keep_state_and_data;
handle_event({timeout, name}, What, _, Client) -> Client ! {timer, What}, keep_state_and_data;
handle_event({call, From}, where, State, _) -> {keep_state_and_data, {reply, From, {at, State}}};
handle_event({call, _}, postponed, running, Client) -> {next_state, ending, Client, [postpone]};
handle_event({call, From}, postponed, ending, Client) ->
    gen_statem:reply(From, later), {keep_state, Client};
handle_event(info, plain, State, Client) -> Client ! {plain, State}, {keep_state, Client}.

terminate(_, _, _) -> ok.
