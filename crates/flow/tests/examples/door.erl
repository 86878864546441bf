%% A gen_statem with a function for each state.
-module(door).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, closed/3, open/3]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, [1234], []),
    gen_statem:cast(P, {button, 1}),
    gen_statem:call(P, state).

callback_mode() -> state_functions.
init([Code]) -> {ok, closed, #{code => Code}}.

closed(cast, {button, _}, Data) -> {next_state, open, Data, [{state_timeout, 100, lock}]};
closed({call, From}, state, _) -> {keep_state_and_data, [{reply, From, closed}]}.

open(state_timeout, lock, Data) -> {next_state, closed, Data};
open({call, From}, state, _) -> {keep_state_and_data, {reply, From, open}}.
