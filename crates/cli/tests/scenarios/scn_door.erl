%% A door that closes after a while; who knocks at a closed one waits.
-module(scn_door).
-behaviour(gen_statem).
-export([start_link/0, init/1, callback_mode/0, closed/3, open/3]).
start_link() -> gen_statem:start_link(?MODULE, [], []).
callback_mode() -> state_functions.
init([]) -> {ok, closed, 0}.
closed({call, From}, open, N) -> {next_state, open, N, [{reply, From, ok}, {state_timeout, 100, close}]};
closed({call, From}, state, _) -> {keep_state_and_data, [{reply, From, closed}]};
closed(cast, _, _) -> {keep_state_and_data, [postpone]}.
open(state_timeout, close, N) -> {next_state, closed, N};
open(cast, knock, N) -> {keep_state, N + 1};
open({call, From}, state, N) -> {keep_state_and_data, [{reply, From, {open, N}}]};
open({call, From}, open, _) -> {keep_state_and_data, [{reply, From, already}]}.
