%% A gen_statem with state functions, for the stack traces of that mode.
-module(test_statem_functions).
-behaviour(gen_statem).

-export([init/1, callback_mode/0, idle/3, busy/3]).

init(_) -> {ok, idle, []}.

callback_mode() -> [state_functions, state_enter].

idle(enter, Old, Data) -> {keep_state, [{entered, Old} | Data]};
idle({call, From}, go, Data) -> {next_state, busy, Data, [{reply, From, ok}, {state_timeout, 5, back}]};
idle({call, _}, crash, Data) -> hd(lists:nth(1, Data));
idle({call, From}, get, Data) -> {keep_state_and_data, {reply, From, {idle, Data}}}.

busy(enter, Old, Data) -> {keep_state, [{entered, Old} | Data]};
busy(state_timeout, back, Data) -> {next_state, idle, Data};
busy({call, From}, get, Data) -> {keep_state_and_data, {reply, From, {busy, Data}}}.
